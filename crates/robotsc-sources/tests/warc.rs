//! WARC files in every packing, whole, cut at every byte and altered at every byte.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use robotsc_sources::{Broken, BrokenKind, Captures, SourceAnswer, SourceLimits};

/// Returns a record as writers have it.
fn record(kind: &str, url: &str, extra: &str, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let mut record = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-20T00:00:00Z\r\n{extra}\
         Content-Length: {length}\r\n\r\n"
    )
    .into_bytes();
    record.extend_from_slice(content);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

fn response(url: &str, head: &str, body: &str) -> Vec<u8> {
    record("response", url, "", format!("HTTP/1.1 {head}\r\n\r\n{body}").as_bytes())
}

const FIELDS: &str = "Content-Type: application/warc-fields\r\n";

fn records() -> Vec<Vec<u8>> {
    let chunks = "4\r\nUser\r\nb\r\n-agent: *\nD\r\n9\r\nisallow:\n\r\n0\r\n\r\n";
    vec![
        record("warcinfo", "", "", b"software: a test\r\n"),
        response(
            "https://a.example/robots.txt",
            "200 OK\r\nCache-Control: max-age=60",
            "User-agent: *\nDisallow: /a\n",
        ),
        response("https://a.example/page", "200 OK", "<html>"),
        response("http://b.example/robots.txt", "301 Moved\r\nLocation: https://b.example/robots.txt", ""),
        response("https://b.example/robots.txt", "302 Found\r\nLocation: /other.txt", ""),
        response("https://b.example/other.txt", "200 OK\r\nTransfer-Encoding: chunked", chunks),
        response("https://c.example/robots.txt", "404 Not Found", "WARC/1.0\r\nno record"),
        response("https://d.example/robots.txt", "200 OK\r\nContent-Length: 99", "User-agent: *\n"),
        record("revisit", "https://a.example/robots.txt", "", b""),
        record("metadata", "https://e.example/robots.txt", FIELDS, b"fetch-result: timeout\r\n"),
        // A text that is no list of fields states nothing.
        record(
            "metadata",
            "https://f.example/robots.txt",
            "Content-Type: text/plain\r\n",
            b"fetch-result: redirects\r\n",
        ),
    ]
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns a capture in one line, to compare.
fn line(capture: &robotsc_sources::SourceCapture) -> String {
    let url = String::from_utf8_lossy(&capture.url);
    match &capture.answer {
        SourceAnswer::Response(response) => {
            let body = response.body.escape_ascii();
            format!("{url} {} {:?} after {}: {body}", response.status, response.end, response.hops)
        }
        answer => format!("{url} {answer:?}"),
    }
}

fn read(folder: &Path, name: &str, bytes: &[u8]) -> (Vec<String>, Vec<Broken>) {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    let (mut lines, mut broken) = (Vec::new(), Vec::new());
    for capture in Captures::new(vec![path], &SourceLimits::default()).take(10_000) {
        match capture {
            Ok(capture) => lines.push(line(&capture)),
            Err(one) => broken.push(one),
        }
    }
    (lines, broken)
}

const WHOLE: [&str; 7] = [
    "https://a.example/robots.txt 200 Whole after 0: User-agent: *\\nDisallow: /a\\n",
    "https://c.example/robots.txt 404 Whole after 0: WARC/1.0\\r\\nno record",
    "https://d.example/robots.txt 200 Incomplete after 0: User-agent: *\\n",
    "https://e.example/robots.txt Unreachable",
    "https://a.example/robots.txt 200 Whole after 0: User-agent: *\\nDisallow: /a\\n",
    "https://b.example/robots.txt 200 Whole after 1: User-agent: *\\nDisallow:\\n",
    "http://b.example/robots.txt 200 Whole after 2: User-agent: *\\nDisallow:\\n",
];

/// Returns the records in every packing: plain, a member each, one for all.
fn packed() -> [(&'static str, Vec<u8>); 3] {
    let records = records();
    [
        ("plain.warc", records.concat()),
        ("each.warc.gz", records.iter().flat_map(|record| gzip(record)).collect()),
        ("one.warc.gz", gzip(&records.concat())),
    ]
}

#[test]
fn every_packing_gives_the_same_captures() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in packed() {
        let (lines, broken) = read(folder.path(), name, &bytes);
        assert!(broken.is_empty(), "{name}: {broken:?}");
        assert_eq!(lines, WHOLE, "{name}");
    }
}

#[cfg(feature = "zstd")]
#[test]
fn zstd_gives_the_same_captures() {
    let folder = tempfile::tempdir().unwrap();
    let frames =
        records().iter().flat_map(|record| zstd::encode_all(record.as_slice(), 3).unwrap()).collect::<Vec<u8>>();
    let one = zstd::encode_all(records().concat().as_slice(), 3).unwrap();
    for bytes in [frames, one] {
        let (lines, broken) = read(folder.path(), "x.warc.zst", &bytes);
        assert!(broken.is_empty(), "{broken:?}");
        assert_eq!(lines, WHOLE);
    }
}

/// Whatever is cut off, what stands whole before it is given, and nothing else; the cut is reported but between
/// records.
#[test]
fn what_stands_before_a_cut_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let records = records();
    for (name, whole) in packed() {
        let gzip_each = name == "each.warc.gz";
        let mut ends = vec![0];
        for record in &records {
            let length = if gzip_each { gzip(record).len() } else { record.len() };
            ends.push(ends.last().unwrap() + length);
        }
        for length in 0..whole.len() {
            let (lines, broken) = read(folder.path(), name, &whole[..length]);
            for line in &lines {
                assert!(WHOLE.contains(&line.as_str()), "{name} {length}: {line}");
            }
            if name == "one.warc.gz" {
                assert!(length == 0 || !broken.is_empty(), "{name} {length}");
                continue;
            }
            let complete = ends.iter().filter(|end| **end <= length).count() - 1;
            let expected = usize::from(complete > 1) + usize::from(complete > 6) + usize::from(complete > 7);
            let direct = lines.iter().filter(|line| line.contains("after 0")).count();
            assert!(direct >= expected, "{name} {length}: {lines:?}");
            assert!(broken.len() <= 3, "{name} {length}: {broken:?}");
            let told = broken.iter().any(|one| one.kind == BrokenKind::Record);
            assert_eq!(told, !ends.contains(&length), "{name} {length}: {broken:?}");
        }
    }
}

/// Whatever byte is altered, reading ends, and no more than two records are lost with what refers to them.
#[test]
fn an_altered_byte_costs_the_records_that_hold_it() {
    let folder = tempfile::tempdir().unwrap();
    for (name, whole) in packed().into_iter().take(2) {
        for at in 0..whole.len() {
            for mask in [0x01, 0x20, 0x80] {
                let mut altered = whole.clone();
                altered[at] ^= mask;
                let (lines, broken) = read(folder.path(), name, &altered);
                if name == "each.warc.gz" {
                    for line in &lines {
                        assert!(WHOLE.contains(&line.as_str()), "{at} {mask}: {line}: {broken:?}");
                    }
                }
                let kept =
                    ["//a.", "//c.", "//d."].iter().filter(|host| lines.iter().any(|line| line.contains(**host)));
                let records = broken.iter().filter(|one| one.kind == BrokenKind::Record).count();
                // Between two plain records, a byte belongs to both.
                let least = if name == "each.warc.gz" { 2 } else { 1 };
                assert!(kept.count() >= least && records <= 8, "{name} {at} {mask}: {lines:?} {broken:?}");
            }
        }
    }
}

/// A body may come with one status today and with another tomorrow: the digest is the same, the meaning is not.
#[test]
fn a_revisit_has_its_own_status() {
    let url = "https://a.example/robots.txt";
    let folder = tempfile::tempdir().unwrap();
    for (first, revisit, want) in [
        ("200 OK", "HTTP/1.1 503 Busy\r\nContent-Length: 3\r\n\r\n", "503 Incomplete after 0: "),
        ("200 OK", "HTTP/1.1 404 Gone\r\n\r\n", "404 Whole after 0: "),
        ("200 OK", "HTTP/1.1 304 Not Modified\r\n\r\n", "200 Whole after 0: x:y"),
        ("200 OK", "", "200 Whole after 0: x:y"),
        ("404 Not Found", "HTTP/1.1 200 OK\r\n\r\n", "200 Whole after 0: x:y"),
        ("404 Not Found", "", "404 Whole after 0: x:y"),
    ] {
        let bytes = [response(url, first, "x:y"), record("revisit", url, "", revisit.as_bytes())].concat();
        let (lines, broken) = read(folder.path(), "a.warc", &bytes);
        assert!(broken.is_empty(), "{broken:?}");
        assert_eq!(lines.last().unwrap(), &format!("{url} {want}"), "{first}, {revisit:?}");
    }
}
