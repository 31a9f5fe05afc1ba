//! WARC files that `warcio` wrote (see `warcio/make.py`), read to what `warcio/expected.tsv` says.
#![cfg(feature = "zstd")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use robotsc_sources::{BodyEnd, BrokenKind, Captures, SourceAnswer, SourceCapture, SourceLimits};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/warcio")
}

/// Returns the first columns of the table, of a file: origin, time, answer, hops, fields, first rule. The others are a
/// pack's.
fn expected(file: &str) -> Vec<String> {
    let table = fs::read_to_string(folder().join("expected.tsv")).unwrap();
    let rows = table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let mut rows: Vec<String> = rows
        .filter(|row| row[0] == file && row[3] != "unresolved")
        .map(|row| [&[origin(row[1]).as_str()], &row[2..7]].concat().join("\t"))
        .collect();
    rows.sort_unstable();
    assert!(!rows.is_empty());
    rows
}

/// Returns the one name of an origin.
fn origin(url: &str) -> String {
    url::Url::parse(url).unwrap().origin().ascii_serialization()
}

fn row(capture: &SourceCapture) -> String {
    let url = str::from_utf8(&capture.url).unwrap();
    assert!(url.ends_with("/robots.txt"));
    let time = jiff::Timestamp::from_second(capture.fetched_at.unwrap() as i64).unwrap();
    let (mut answer, mut hops) = ("redirects".to_owned(), "-".to_owned());
    let (mut fields, mut rule) = (Vec::new(), None);
    if let SourceAnswer::Response(response) = &capture.answer {
        answer = response.status.to_string();
        if response.end != BodyEnd::Whole {
            answer += " incomplete";
        }
        hops = response.hops.to_string();
        for (name, value) in response.headers.iter().filter(|(name, _)| **name != "content-type") {
            fields.push(format!("{name}: {}", str::from_utf8(value).unwrap()));
        }
        if answer == "200" {
            let body = str::from_utf8(&response.body).unwrap();
            rule = body.lines().find(|line| line.starts_with("Disallow"));
            let path = rule.unwrap().strip_prefix("Disallow: ").unwrap();
            assert_eq!(body, format!("User-agent: *\nDisallow: {path}\nAllow: {path}/help\n"));
        }
    }
    let fields = if fields.is_empty() { "-".to_owned() } else { fields.join("; ") };
    format!("{}\t{time}\t{answer}\t{hops}\t{fields}\t{}", origin(url), rule.unwrap_or("-"))
}

/// Returns the captures of a file, one a line, and where no answer was found.
#[track_caller]
fn read(path: PathBuf) -> (Vec<String>, Vec<String>) {
    let (mut rows, mut unresolved) = (Vec::new(), Vec::new());
    for capture in Captures::new(vec![path], &SourceLimits::default()) {
        match capture {
            Ok(capture) => rows.push(row(&capture)),
            Err(broken) => {
                assert_eq!(broken.kind, BrokenKind::Unresolved, "{broken}");
                unresolved.push(broken.what().to_owned());
            }
        }
    }
    rows.sort_unstable();
    (rows, unresolved)
}

const LOST: &str =
    "it redirects to https://not-there.example/robots.txt, of which the sources hold no capture: left unknown";

#[test]
fn every_packing_holds_the_same() {
    let expected = expected("captures");
    let plain = tempfile::tempdir().unwrap();
    let plain = plain.path().join("captures.warc");
    let mut bytes = flate2::read::GzDecoder::new(fs::File::open(folder().join("whole.warc.gz")).unwrap());
    std::io::copy(&mut bytes, &mut fs::File::create(&plain).unwrap()).unwrap();
    let packed = ["captures.warc.gz", "whole.warc.gz", "whole.warc.zst"].map(|name| folder().join(name));
    for path in packed.into_iter().chain([plain]) {
        let shown = path.display().to_string();
        assert_eq!(read(path), (expected.clone(), vec![LOST.to_owned()]), "{shown}");
    }
}

/// What differs is what a manifest has no column for: how many redirects were followed.
#[test]
fn a_folder_holds_the_same() {
    let without_hops = |rows: Vec<String>| {
        let rows =
            rows.iter().map(|row| row.split('\t').enumerate().filter(|(at, _)| *at != 3).map(|(_, column)| column));
        rows.map(|row| row.collect::<Vec<_>>().join("\t")).collect::<BTreeSet<_>>()
    };
    let expected = without_hops(expected("captures"));
    for name in ["folder", "folder/manifest.tsv", "folder.tar.zst"] {
        let (rows, unresolved) = read(folder().join(name));
        assert_eq!(without_hops(rows), expected);
        assert!(unresolved.is_empty());
    }
}

/// Bodies decoded, the fields that no longer fit them renamed, or still there.
#[test]
fn files_as_common_crawl_writes_them_are_read() {
    assert_eq!(read(folder().join("crawl.warc.gz")), (expected("crawl"), Vec::new()));
}

#[test]
fn fields_of_caching_are_kept() {
    assert_eq!(read(folder().join("caching.warc")), (expected("caching"), Vec::new()));
}
