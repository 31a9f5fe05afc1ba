//! The command as a function: called again in one process.

use std::ffi::OsString;
use std::fs;

#[test]
fn commands_run_again_in_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("sites");
    fs::create_dir(&source).unwrap();
    fs::write(source.join("shop.example.txt"), "User-agent: *\nDisallow: /cart\n").unwrap();
    // These listen for Ctrl-C, for which a process has one handler.
    for _ in 0..3 {
        let arguments = ["robotsc", "census", "--agent", "GPTBot"].map(OsString::from);
        let arguments = arguments.into_iter().chain([source.clone().into()]);
        assert_eq!(robotsc_cli::run(arguments), 0);
    }
}
