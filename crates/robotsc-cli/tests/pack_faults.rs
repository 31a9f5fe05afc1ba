//! Faults of pack commands, as processes: a kill in the middle of a build, a full disk, packs that were altered or cut
//! short, targets that are no regular files.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const NOW: &str = "2026-11-21";

/// A folder with a source that takes seconds to build, a small one, and the pack of that.
struct Sandbox(tempfile::TempDir);

impl Sandbox {
    fn new() -> Self {
        let sandbox = Self(tempfile::tempdir().unwrap());
        for (name, origins) in [("small", 40), ("large", 60_000)] {
            let folder = sandbox.path(name);
            fs::create_dir(&folder).unwrap();
            let mut manifest = String::new();
            for number in 0..origins {
                let line = format!("https://h{number}.example\t200\t2026-11-20T00:00:00Z\t{}.txt\n", number % 40);
                manifest.push_str(&line);
            }
            fs::write(folder.join("manifest.tsv"), manifest).unwrap();
            for number in 0..40 {
                let body = format!("User-agent: *\nDisallow: /{number}/\nDisallow: /x\nAllow: /x/{number}\n");
                fs::write(folder.join(format!("{number}.txt")), body).unwrap();
            }
        }
        fs::write(sandbox.path("urls"), "https://h7.example/x\nhttps://h7.example/\n").unwrap();
        let output = sandbox.run(&build("small"));
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        sandbox
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
        command.args(args).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn pack(&self) -> Vec<u8> {
        fs::read(self.path("frontier.pack")).unwrap()
    }

    /// Files that begin with a dot: what a build leaves, or has under way.
    fn hidden(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with('.')).collect()
    }
}

fn build(source: &str) -> [&str; 9] {
    ["pack", "build", source, "--agent", "FooBot", "--now", NOW, "-o", "frontier.pack"]
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Checks that a command failed and said why in a line, and returns the line.
#[track_caller]
fn failed_in_a_line(output: &Output, what: &str) -> String {
    let said = said(output);
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{what}: {said}");
    assert!(said.starts_with("robotsc: ") && !said.contains("os error") && !said.contains("panic"), "{what}: {said}");
    said
}

#[test]
fn a_killed_build_leaves_the_old_pack() {
    let sandbox = Sandbox::new();
    let old = sandbox.pack();
    for wait in [0, 50, 150] {
        let mut child = sandbox.command(&build("large")).stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while sandbox.hidden().is_empty() && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(sandbox.hidden().len(), 1, "it was killed at work");
        assert!(sandbox.pack() == old);
        let answered = sandbox.run(&["filter", "--pack", "frontier.pack", "--agent", "FooBot", "--now", NOW, "urls"]);
        assert_eq!(answered.stdout, b"https://h7.example/\n");
    }
    let output = sandbox.run(&build("large"));
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(sandbox.hidden(), Vec::<PathBuf>::new());
    let verified = sandbox.run(&["pack", "verify", "frontier.pack"]);
    assert_eq!(verified.stdout, b"frontier.pack: whole, 60000 origins\n");
}

/// A disk that is full is like a file that may not grow.
#[test]
#[cfg(unix)]
fn no_room_leaves_the_old_pack_and_says_so() {
    let sandbox = Sandbox::new();
    let old = sandbox.pack();
    for blocks in [8, 600, 2_500] {
        // Blocks are of 512 bytes; the signal would end the process before it can say anything.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let args: Vec<&str> = build("large").into_iter().chain(["--memory", "1"]).collect();
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_robotsc")).args(args).current_dir(sandbox.0.path());
        let told = failed_in_a_line(&shell.output().unwrap(), &format!("{blocks} blocks"));
        assert!(told.contains("cannot write") && told.contains(": file too large: make room there, "), "{told}");
        assert!(sandbox.pack() == old);
        assert_eq!(sandbox.hidden(), Vec::<PathBuf>::new());
    }
}

/// Runs all commands that read a pack.
fn readers(sandbox: &Sandbox, pack: &str) -> Vec<(String, Output)> {
    let filter = ["filter", "--pack", pack, "--agent", "FooBot", "--quiet", "--now", NOW, "urls"];
    let commands: [&[&str]; 8] = [
        &filter,
        &["filter", "--pack", pack, "--agent", "FooBot", "--quiet", "--now", NOW, "urls", "--verify"],
        &["pack", "get", pack, "https://h7.example"],
        &["pack", "stats", pack],
        &["pack", "dump", pack],
        &["pack", "verify", pack],
        &["pack", "merge", pack, "-o", "merged.pack"],
        &["pack", "update", pack, "small", "-o", "updated.pack", "--now", NOW],
    ];
    commands.iter().map(|args| (args[..2].join(" "), sandbox.run(args))).collect()
}

#[test]
fn cut_and_altered_packs_are_told_in_a_line() {
    let sandbox = Sandbox::new();
    let whole = sandbox.pack();
    let alter = |at: usize| {
        let mut altered = whole.clone();
        altered[at] ^= 0x10;
        altered
    };
    let refused = [
        ("empty", Vec::new()),
        ("three bytes", whole[..3].to_vec()),
        ("half a header", whole[..160].to_vec()),
        ("a header", whole[..320].to_vec()),
        ("all but a byte", whole[..whole.len() - 1].to_vec()),
        ("its mark altered", alter(2)),
        ("its version altered", alter(8)),
        ("its origins altered", alter(24)),
        ("its checksum altered", alter(281)),
    ];
    for (what, bytes) in refused {
        fs::write(sandbox.path("bad.pack"), bytes).unwrap();
        for (command, output) in readers(&sandbox, "bad.pack") {
            let told = failed_in_a_line(&output, &format!("{command}: {what}"));
            assert!(output.stdout.is_empty() && told.contains("bad.pack"), "{command}: {what}: {told}");
        }
    }
    for missing in ["none.pack", "small"] {
        for (command, output) in readers(&sandbox, missing) {
            failed_in_a_line(&output, &format!("{command} of {missing}"));
        }
    }
    assert!(!sandbox.path("merged.pack").exists() && !sandbox.path("updated.pack").exists());
    // After the header an altered byte is found by those who look at all of them, and harmless to the others.
    for at in (320..whole.len()).step_by(whole.len() / 60) {
        fs::write(sandbox.path("bad.pack"), alter(at)).unwrap();
        for (command, output) in readers(&sandbox, "bad.pack") {
            let what = format!("{command}: byte {at}");
            let code = output.status.code();
            assert!(matches!(code, Some(0..=2)) && !said(&output).contains("panic"), "{what}: {}", said(&output));
            if ["pack verify", "pack merge", "pack update"].contains(&command.as_str()) {
                let told = failed_in_a_line(&output, &what);
                assert!(told.contains("bad.pack"), "{what}: {told}");
            }
        }
        let args = ["filter", "--pack", "bad.pack", "--agent", "FooBot", "--now", NOW, "urls", "--verify"];
        let output = sandbox.run(&args);
        assert!(output.stdout.is_empty() && failed_in_a_line(&output, "--verify").contains("bad.pack"));
    }
    let output =
        sandbox.run(&["filter", "--pack", "frontier.pack", "--agent", "FooBot", "--verify", "--now", NOW, "urls"]);
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"https://h7.example/\n"[..]));
}

/// The target of a build: a link is written through, a new pack has the mode that the umask leaves, a replaced one its
/// own, and what is no regular file stays.
#[test]
#[cfg(unix)]
fn targets_keep_what_they_are() {
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
    let sandbox = Sandbox::new();
    let pack = sandbox.pack();
    fs::create_dir(sandbox.path("folder")).unwrap();
    fs::write(sandbox.path("folder/real.pack"), [&pack[..], b"old"].concat()).unwrap();
    fs::set_permissions(sandbox.path("folder/real.pack"), fs::Permissions::from_mode(0o606)).unwrap();
    std::os::unix::fs::symlink("folder/real.pack", sandbox.path("link.pack")).unwrap();
    std::os::unix::fs::symlink("nothing", sandbox.path("dangling.pack")).unwrap();
    for name in ["pipe.pack", ".new.pack.abcdef.unfinished"] {
        assert!(Command::new("mkfifo").arg(sandbox.path(name)).status().unwrap().success());
    }
    let build = |target: &str| {
        let arguments = format!("pack build small --agent FooBot --now {NOW} -o {target}");
        let script = format!("umask 077; {} {arguments}", env!("CARGO_BIN_EXE_robotsc"));
        Command::new("sh").args(["-c", &script]).current_dir(sandbox.0.path()).output().unwrap()
    };
    let mode = |name: &str| fs::metadata(sandbox.path(name)).unwrap().permissions().mode() & 0o777;
    for (target, real, expected) in [("new.pack", "new.pack", 0o600), ("link.pack", "folder/real.pack", 0o606)] {
        let output = build(target);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        assert!(fs::read(sandbox.path(real)).unwrap() == pack, "{target}");
        assert_eq!(mode(real), expected, "{target}");
    }
    assert!(fs::symlink_metadata(sandbox.path("link.pack")).unwrap().is_symlink());
    for (target, told) in [
        ("-", "standard output as the pack: -: a pack is written out of order: name a file, such as -o frontier.pack"),
        ("pipe.pack", "cannot write pipe.pack: it is no regular file, so no pack can take its place: "),
        ("/dev/null", "cannot write /dev/null: it is no regular file, so no pack can take its place: "),
        ("folder", "cannot write folder: it is a directory: "),
        ("dangling.pack", "cannot write dangling.pack: it is a link to a file that does not exist: "),
    ] {
        let said = failed_in_a_line(&build(target), target);
        assert!(said.starts_with(&format!("robotsc: {told}")), "{target}: {said}");
    }
    assert!(fs::symlink_metadata(sandbox.path("pipe.pack")).unwrap().file_type().is_fifo());
    assert!(!sandbox.path("-").exists() && sandbox.path(".new.pack.abcdef.unfinished").exists());
    // The other commands that write packs refuse the same.
    for args in
        [["pack", "merge", "new.pack", "-o", "-"].as_slice(), &["pack", "update", "new.pack", "small", "-o", "-"]]
    {
        assert!(failed_in_a_line(&sandbox.run(args), "-").contains("standard output as the pack"), "{args:?}");
    }
}

/// Builds with `--strict` from a WARC file of these responses.
fn strict(sandbox: &Sandbox, responses: &[(&str, &str)]) -> Output {
    let mut warc = String::new();
    for (origin, response) in responses {
        warc += &format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {origin}/robots.txt\r\n\
             WARC-Date: 2026-11-20T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n\
             Content-Length: {}\r\n\r\n{response}\r\n\r\n",
            response.len()
        );
    }
    fs::write(sandbox.path("crawl.warc"), warc).unwrap();
    sandbox.run(&[&build("crawl.warc")[..], &["--strict"]].concat())
}

/// What leads to a file that is not there leaves its origin unknown.
#[test]
fn strict_counts_redirects_without_their_target() {
    let sandbox = Sandbox::new();
    let old = sandbox.pack();
    let moved = "HTTP/1.1 301 Moved\r\nLocation: https://b.example/robots.txt\r\nContent-Length: 0\r\n\r\n";
    let found = "HTTP/1.1 200 OK\r\nContent-Length: 26\r\n\r\nUser-agent: *\nDisallow: /a\n";
    let refused = strict(&sandbox, &[("https://a.example", moved), ("https://c.example", found)]);
    let said = failed_in_a_line(&refused, "a redirect");
    assert!(said.starts_with("robotsc: not written: frontier.pack: 1 record would be left out"), "{said}");
    assert!(sandbox.pack() == old);
    let written = strict(&sandbox, &[("https://a.example", moved), ("https://b.example", found)]);
    assert_eq!(written.status.code(), Some(0), "{written:?}");
    assert!(sandbox.pack() != old);
}

/// A strict build takes the place of the old pack as every other does: through a link, and with nothing beside it.
#[test]
#[cfg(unix)]
fn strict_writes_through_a_link() {
    let sandbox = Sandbox::new();
    let real = sandbox.path("real");
    fs::create_dir(&real).unwrap();
    fs::rename(sandbox.path("frontier.pack"), real.join("x.pack")).unwrap();
    std::os::unix::fs::symlink("real/x.pack", sandbox.path("frontier.pack")).unwrap();
    let old = sandbox.pack();
    let files = || fs::read_dir(sandbox.0.path()).unwrap().count() + fs::read_dir(&real).unwrap().count();
    let before = files();
    let output = sandbox.run(&[&build("large")[..], &["--strict"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(fs::symlink_metadata(sandbox.path("frontier.pack")).unwrap().is_symlink());
    assert!(fs::read(real.join("x.pack")).unwrap() != old);
    assert_eq!(files(), before);
}
