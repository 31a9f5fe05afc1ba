//! From URLs to paths: what each dialect takes and what it refuses (`cases/urls.ron`), and robots.cc's own way.

mod google_path;
mod written_bytes;

use std::path::Path;

use robotsc::Dialect;
use serde::Deserialize;
use written_bytes::{Bytes, shown};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    source: String,
    #[serde(default)]
    note: String,
    /// All five where none are named.
    #[serde(default)]
    dialects: Option<Vec<String>>,
    /// A URL, and the path that is matched.
    #[serde(default)]
    paths: Vec<(Bytes, String)>,
    #[serde(default)]
    refused: Vec<Bytes>,
}

impl Case {
    fn run(&self) -> Vec<String> {
        let named = |names: &Vec<String>| names.iter().map(|name| Dialect::by_name(name).expect(name)).collect();
        let dialects: Vec<_> = self.dialects.as_ref().map_or(Dialect::ALL.to_vec(), named);
        let mut found = Vec::new();
        for dialect in dialects {
            for (url, path) in &self.paths {
                match dialect.url_path(url.as_slice()) {
                    Ok(given) if given.as_bytes() == path.as_bytes() => {}
                    Ok(given) => {
                        let (url, given) = (shown(url.as_slice()), given.as_bytes().escape_ascii());
                        found.push(format!("{} {url}: {given}, expected {path}", dialect.name));
                    }
                    Err(error) => {
                        found.push(format!("{} {}: refused: {error}", dialect.name, shown(url.as_slice())));
                    }
                }
            }
            for url in &self.refused {
                if let Ok(path) = dialect.url_path(url.as_slice()) {
                    let (url, path) = (shown(url.as_slice()), path.as_bytes().escape_ascii());
                    found.push(format!("{} {url}: {path}, expected an error", dialect.name));
                }
            }
        }
        found
    }
}

#[test]
fn urls() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/urls.ron");
    let text = std::fs::read_to_string(&path).expect("the file of cases is there");
    let cases: Vec<Case> = ron::from_str(&text).unwrap_or_else(|error| panic!("urls.ron:{error}"));
    assert!(cases.len() >= 13, "urls.ron: {} cases", cases.len());
    let mut found = Vec::new();
    for case in &cases {
        for wrong in case.run() {
            found.push(format!("urls.ron: {}, {} ({}): {wrong}", case.name, case.source, case.note));
        }
    }
    assert!(found.is_empty(), "{} of urls.ron are not as expected:\n{}", found.len(), found.join("\n"));
}

/// The examples that robots.cc's own tests have, and what follows from its steps.
#[test]
fn paths_of_urls_as_robots_cc_takes_them() {
    let expected: [(&str, &str); 27] = [
        ("", "/"),
        ("http://www.example.com", "/"),
        ("http://www.example.com/", "/"),
        ("http://www.example.com/a", "/a"),
        ("http://www.example.com/a/", "/a/"),
        ("http://www.example.com/a/b?c=http://d.e/", "/a/b?c=http://d.e/"),
        ("http://www.example.com/a/b?c=d&e=f#fragment", "/a/b?c=d&e=f"),
        ("example.com", "/"),
        ("example.com/", "/"),
        ("example.com/a", "/a"),
        ("example.com/a/", "/a/"),
        ("example.com/a/b?c=d&e=f#fragment", "/a/b?c=d&e=f"),
        ("a", "/"),
        ("a/", "/"),
        ("/a", "/a"),
        ("a/b", "/b"),
        ("example.com?a", "/?a"),
        ("example.com/a;b#c", "/a;b"),
        ("//a/b/c", "/b/c"),
        ("http://h;a", "/;a"),
        ("http://h#/a", "/"),
        ("http:///a", "/a"),
        ("//", "/"),
        ("a?b://c/d", "/?b://c/d"),
        ("http://h//a", "//a"),
        ("mailto:a@b", "/"),
        ("http://h/\u{e4}%c3", "/\u{e4}%c3"),
    ];
    for (url, path) in expected {
        assert_eq!(Dialect::GOOGLE.raw_url_path(url.as_bytes()).as_bytes(), path.as_bytes(), "{url}");
        assert_eq!(google_path::google_path(url.as_bytes()), path.as_bytes(), "{url}: the test's own");
    }
}
