//! Packs of sources. One set of captures, as a folder, a tar archive and WARC files that `warcio` wrote, gives the same
//! packs, byte by byte, and they hold what the table beside the captures says. And what transcripts cannot hold: links,
//! pipes, locked files, names that are no text.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn captures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../robotsc-sources/tests/warcio")
}

#[track_caller]
fn robotsc(folder: &Path, args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_robotsc")).args(args).current_dir(folder).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{args:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

fn build(folder: &Path, source: &Path, pack: &str, agents: &[&str]) -> Vec<u8> {
    let mut args = vec!["pack", "build", source.to_str().unwrap(), "-o", pack, "--now", "2026-11-20T12:00:00Z"];
    args.extend_from_slice(agents);
    robotsc(folder, &args);
    fs::read(folder.join(pack)).unwrap()
}

#[test]
fn every_form_of_source_gives_the_same_pack() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let plain = folder.join("captures.warc");
    let mut bytes = flate2::read::GzDecoder::new(fs::File::open(captures().join("whole.warc.gz")).unwrap());
    std::io::copy(&mut bytes, &mut fs::File::create(&plain).unwrap()).unwrap();
    let packed = ["folder.tar.zst", "captures.warc.gz", "whole.warc.gz", "whole.warc.zst"];
    let others: Vec<PathBuf> = packed.iter().map(|name| captures().join(name)).chain([plain]).collect();
    for agents in [["--agent", "FooBot"].as_slice(), &["--all-agents", "--deciding-rules"]] {
        let from_folder = build(folder, &captures().join("folder"), "folder.pack", agents);
        for other in &others {
            let pack = build(folder, other, "other.pack", agents);
            assert!(pack == from_folder, "{} {agents:?}", other.display());
        }
    }
}

/// Whatever the order of the names, and of the entries of an archive.
#[cfg(unix)]
#[test]
fn the_file_of_an_origin_counts_beside_that_of_its_host() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let sites = folder.join("sites");
    fs::create_dir(&sites).unwrap();
    let mut names = Vec::new();
    for (host, origin) in [
        ("a.example", "https_a.example"),
        ("z.example", "https_z.example"),
        ("p.example", "https_p.example_443"),
        ("xn--bcher-kva.example", "https_b\u{fc}cher.example"),
    ] {
        fs::write(sites.join(format!("{host}.txt")), "User-agent: *\nDisallow:\n").unwrap();
        fs::write(sites.join(format!("{origin}.txt")), "User-agent: *\nDisallow: /\n").unwrap();
        names.extend([format!("{host}.txt"), format!("{origin}.txt")]);
    }
    const LIST: &str = "https://a.example/s\nhttp://a.example/s\nhttps://z.example/s\nhttps://p.example/s\n\
        https://b\u{fc}cher.example/s\n";
    let answers = |source: &str| {
        build(folder, &folder.join(source), "sites.pack", &["--agent", "FooBot"]);
        fs::write(folder.join("urls"), LIST).unwrap();
        robotsc(
            folder,
            &["filter", "--pack", "sites.pack", "--agent", "FooBot", "--now", "2026-11-20T12:00:00Z", "urls"],
        )
    };
    assert_eq!(answers("sites"), "http://a.example/s\n");
    for archive in ["names.tar", "turned.tar"] {
        let tar = Command::new("tar").arg("-cf").arg(folder.join(archive)).args(&names).current_dir(&sites).status();
        assert!(tar.unwrap().success());
        assert_eq!(answers(archive), "http://a.example/s\n", "{archive}");
        names.reverse();
    }
}

#[test]
fn packs_hold_what_the_table_says() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let table = fs::read_to_string(captures().join("expected.tsv")).unwrap();
    for source in ["captures.warc.gz", "crawl.warc.gz", "caching.warc"] {
        let name = source.split('.').next().unwrap();
        build(folder, &captures().join(source), "a.pack", &["--agent", "FooBot"]);
        let dump = robotsc(folder, &["pack", "dump", "a.pack"]);
        let held: BTreeMap<&str, Vec<&str>> = dump
            .lines()
            .skip(1)
            .map(|line| line.split('\t').collect::<Vec<_>>())
            .map(|columns| (columns[0], columns[1..4].to_vec()))
            .collect();
        // The newest capture of an origin counts, and the table has it last.
        let rows = table.lines().map(|line| line.split('\t').collect::<Vec<_>>()).filter(|row| row[0] == name);
        let newest: BTreeMap<&str, Vec<&str>> = rows.filter(|row| row[7] != "-").map(|row| (row[1], row)).collect();
        assert_eq!(held.len(), newest.len(), "{dump}");
        for (origin, row) in newest {
            let shown = if origin.contains("münze") { "https://xn--mnze-0ra.example" } else { origin };
            let [outcome, fetched_at, expires] = held[shown][..] else { panic!("{dump}") };
            assert_eq!([outcome, fetched_at], [row[7], row[2]], "{origin}");
            assert!(row[8] == "-" || expires == row[8], "{origin}: {expires}");
            if let Some(path) = row[6].strip_prefix("Disallow: ") {
                let (stopped, open) = (format!("{origin}{path}/cart"), format!("{origin}{path}/help"));
                fs::write(folder.join("urls"), format!("{stopped}\n{open}\n")).unwrap();
                let args = ["filter", "--pack", "a.pack", "--agent", "FooBot", "--emit", "verdicts", "--quiet"];
                let verdicts = robotsc(folder, &[&args[..], &["--now", "2026-11-20T04:00:00Z", "urls"]].concat());
                assert_eq!(verdicts, format!("disallowed\t{stopped}\nallowed\t{open}\n"));
            }
        }
    }
}

/// Returns what the command says on standard error, and its exit code.
#[cfg(unix)]
fn told(folder: &Path, source: &str) -> (String, Option<i32>) {
    let args = ["pack", "build", source, "-o", "a.pack", "--agent", "FooBot", "--now", "2026-11-20T12:00:00Z"];
    let output = Command::new(env!("CARGO_BIN_EXE_robotsc")).args(args).current_dir(folder).output().unwrap();
    (String::from_utf8(output.stderr).unwrap(), output.status.code())
}

#[cfg(unix)]
const ROBOTS: &str = "User-agent: *\nDisallow: /\n";

#[cfg(unix)]
#[test]
fn links_are_told_and_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir_all(folder.join("captures/in")).unwrap();
    fs::write(folder.join("captures/a.example.txt"), ROBOTS).unwrap();
    symlink("..", folder.join("captures/in/back")).unwrap();
    symlink(".", folder.join("captures/self")).unwrap();
    symlink("a.example.txt", folder.join("captures/b.example.txt")).unwrap();
    symlink("captures", folder.join("link")).unwrap();
    // The source itself may be named by a link.
    for source in ["captures", "link"] {
        let (stderr, code) = told(folder, source);
        let lines: Vec<&str> = stderr.lines().collect();
        let way_out = "it is a link to a folder: not followed: give that folder as a source";
        let [file, back, same, summary] = lines[..] else { panic!("{stderr}") };
        let skipped = "it is a link or no regular file: skipped";
        assert_eq!(file, format!("robotsc: broken record: {source}/b.example.txt: {skipped}"));
        assert_eq!(back, format!("robotsc: broken record: {source}/in/back: {way_out}"));
        assert_eq!(same, format!("robotsc: broken record: {source}/self: {way_out}"));
        assert!(summary.contains("2 origins of 2 captures") && summary.contains("3 broken"), "{summary}");
        assert_eq!(code, Some(0));
    }
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_told() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("captures")).unwrap();
    let name = std::ffi::OsStr::from_bytes(b"captures/b\xfccher.example.txt");
    // Not every file system takes such a name.
    if fs::write(folder.join(name), ROBOTS).is_err() {
        return;
    }
    let (stderr, code) = told(folder, "captures");
    let what = "its name is not that of a host, such as example.com.txt: skipped";
    let none = "no pack built: a.pack: no capture in the sources: see --help for their forms";
    assert_eq!(stderr, format!("robotsc: broken record: captures/b\\xfccher.example.txt: {what}\nrobotsc: {none}\n"));
    assert_eq!(code, Some(2));
}

#[cfg(unix)]
#[test]
fn locked_files_are_told() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir_all(folder.join("captures/locked")).unwrap();
    fs::write(folder.join("captures/a.example.txt"), ROBOTS).unwrap();
    fs::write(folder.join("captures/b.example.txt"), ROBOTS).unwrap();
    let lock = |name: &str, mode| fs::set_permissions(folder.join(name), fs::Permissions::from_mode(mode)).unwrap();
    lock("captures/b.example.txt", 0);
    lock("captures/locked", 0);
    // Nothing is locked for the superuser.
    if fs::File::open(folder.join("captures/b.example.txt")).is_ok() {
        println!("skipped: this user may read every file");
        lock("captures/locked", 0o700);
        return;
    }
    let (stderr, code) = told(folder, "captures");
    lock("captures/locked", 0o700);
    let lines: Vec<&str> = stderr.lines().collect();
    assert_eq!(lines[0], "robotsc: broken record: captures/b.example.txt: permission denied: skipped");
    assert_eq!(lines[1], "robotsc: cannot read: captures/locked: permission denied");
    assert!(lines[2].contains("2 origins of 2 captures") && lines[2].contains("2 broken"), "{stderr}");
    assert_eq!(code, Some(0));
}

/// A list of URLs that is mistaken for a source is named, and no pack for a host of the list's name comes of it.
#[cfg(unix)]
#[test]
fn a_list_of_urls_is_no_source() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("m.example.txt"), "https://shop.example/\nhttps://shop.example/cart\n").unwrap();
    let (stderr, code) = told(folder, "m.example.txt");
    let what = "it holds URLs, not a robots.txt: sources are captures of robots.txt, \
        and a list of URLs is for 'robotsc filter'";
    let none = "no pack built: a.pack: no capture in the sources: see --help for their forms";
    assert_eq!(stderr, format!("robotsc: broken record: m.example.txt: {what}: skipped\nrobotsc: {none}\n"));
    assert_eq!((code, folder.join("a.pack").exists()), (Some(2), false));
    // In an archive, beside a capture, it alone is skipped.
    fs::write(folder.join("shop.example.txt"), ROBOTS).unwrap();
    let made =
        Command::new("tar").args(["-cf", "both.tar", "m.example.txt", "shop.example.txt"]).current_dir(folder).status();
    if made.is_ok_and(|status| status.success()) {
        let (stderr, code) = told(folder, "both.tar");
        assert!(stderr.contains(what) && stderr.contains("2 origins of 2 captures"), "{stderr}");
        assert_eq!(code, Some(0));
        // With --strict the pack that is there stays.
        let before = fs::read(folder.join("a.pack")).expect("the pack");
        fs::write(folder.join("shop.example.txt"), "User-agent: *\nDisallow: /\n").unwrap();
        let args = ["pack", "build", "both.tar", "--strict", "--agent", "FooBot", "-o", "a.pack"];
        let strict = Command::new(env!("CARGO_BIN_EXE_robotsc")).args(args).current_dir(folder).output().unwrap();
        let stderr = String::from_utf8_lossy(&strict.stderr);
        assert!(stderr.contains("not written: a.pack: 1 record would be left out"), "{stderr}");
        assert_eq!(strict.status.code(), Some(2));
        assert_eq!(fs::read(folder.join("a.pack")).expect("the pack"), before);
        assert_eq!(fs::read_dir(folder).unwrap().count(), 4, "nothing else is left");
        // Where nothing is left out, it is written.
        let args = ["pack", "build", "shop.example.txt", "--strict", "--agent", "FooBot", "-o", "a.pack"];
        let strict = Command::new(env!("CARGO_BIN_EXE_robotsc")).args(args).current_dir(folder).status().unwrap();
        assert_eq!(strict.code(), Some(0));
        assert_ne!(fs::read(folder.join("a.pack")).expect("the pack"), before);
    }
}

/// It is not waited for what may never come.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_source() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let made = Command::new("mkfifo").arg(folder.join("captures.warc")).status();
    if !made.is_ok_and(|status| status.success()) {
        println!("skipped: no mkfifo");
        return;
    }
    let (stderr, code) = told(folder, "captures.warc");
    let what = "it is no regular file: sources are read more than once: put it in a file or a folder";
    assert!(stderr.starts_with(&format!("robotsc: cannot read: captures.warc: {what}\n")), "{stderr}");
    assert_eq!(code, Some(2));
}
