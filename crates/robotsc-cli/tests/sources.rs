//! One set of captures, as a folder, a tar archive and WARC files that `warcio` wrote: the packs are the same, octet by
//! octet, and hold what the table beside the captures says.

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
    let mut octets = flate2::read::GzDecoder::new(fs::File::open(captures().join("whole.warc.gz")).unwrap());
    std::io::copy(&mut octets, &mut fs::File::create(&plain).unwrap()).unwrap();
    let packed = ["folder.tar.zst", "captures.warc.gz", "whole.warc.gz", "whole.warc.zst"];
    let others: Vec<PathBuf> = packed.iter().map(|name| captures().join(name)).chain([plain]).collect();
    for agents in [["--agent", "FooBot"].as_slice(), &["--all-agents", "--winners"]] {
        let from_folder = build(folder, &captures().join("folder"), "folder.pack", agents);
        for other in &others {
            let pack = build(folder, other, "other.pack", agents);
            assert!(pack == from_folder, "{} {agents:?}", other.display());
        }
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
