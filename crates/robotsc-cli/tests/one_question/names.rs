//! A name that is nearly that of a known crawler is doubted by every command that takes one.

use std::fs;
use std::process::Command;

const FILE: &str = "User-agent: *\nDisallow: /cart\n";

/// Commands, in a folder with a file, two folders of sites and a pack for all agents.
const COMMANDS: [&str; 15] = [
    "check robots.txt --agent Gogglebot https://shop.example/",
    "check --agent Gogglebot --urls urls.txt robots.txt",
    "explain robots.txt --agent Gogglebot https://shop.example/",
    "matrix robots.txt --agent Gogglebot --urls urls.txt",
    "inspect robots.txt --agent Gogglebot",
    "compile robots.txt --agent Gogglebot -o compiled",
    "diff robots.txt new.txt --agent Gogglebot",
    "diff sites new-sites --agent Gogglebot",
    "diff some.pack some.pack --agent Gogglebot",
    "census sites --agent Gogglebot",
    "filter --pack some.pack --agent Gogglebot urls.txt",
    "filter --pack some.pack --agent Gogglebot,GPTBot --require all urls.txt",
    "filter --pack some.pack --agent-column who urls.csv",
    "pack build sites --agent Gogglebot -o other.pack",
    "pack get some.pack https://shop.example --agent Gogglebot",
];

#[test]
fn a_name_that_is_nearly_a_crawlers_is_doubted() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    for name in ["robots.txt", "new.txt"] {
        write(name, FILE);
    }
    write("urls.txt", "https://shop.example/\n");
    write("right.csv", "who,url\nGooglebot,https://shop.example/\nFooBot,https://shop.example/cart\n");
    write("urls.csv", "who,url\nGogglebot,https://shop.example/\nGogglebot,https://shop.example/cart\n");
    for name in ["sites", "new-sites"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("shop.example.txt"), FILE).unwrap();
    }
    let run = |line: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
        let output = command.args(line.split(' ')).current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "robotsc {line}: {said}");
        said
    };
    assert!(run("pack build sites --all-agents -o some.pack").contains("2 origins"));
    let wanted = "Gogglebot: no group and no known crawler has this name: is Googlebot meant?";
    for line in COMMANDS {
        let said = run(line);
        assert_eq!(said.matches(wanted).count(), 1, "robotsc {line}: {said}");
        // A name that a group has, or a known crawler, is none.
        let said = run(&line.replace("Gogglebot", "Googlebot").replace("urls.csv", "right.csv"));
        assert!(!said.contains("meant?"), "robotsc {line}: {said}");
    }
}
