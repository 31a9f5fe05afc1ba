//! Formatted and minified files mean the same: random files, compared by the reference matcher.
//!
//! By default some thousand files are compared; `ROBOTSC_FULL=1` compares fifty times as many.

mod random;

use std::collections::HashMap;

use robotsc_analysis::format::{formatted, minified};
use robotsc_compiler::record::RecordKind;
use robotsc_compiler::{Crawler, DecidingRule, Dialect, RobotsTxt, reference};

use self::random::Random;

impl Random {
    fn line(&mut self) -> Vec<u8> {
        let key = *self.choose(KEYS);
        let value = match key.to_ascii_lowercase().as_str() {
            key if key.starts_with("user") => *self.choose(AGENTS_WRITTEN),
            "sitemap" => *self.choose(&["https://a/1", "https://a/2", "/3"]),
            "crawl-delay" => *self.choose(&["1", "2", "x"]),
            "host" => *self.choose(&["a.example", "b.example"]),
            "content-signal" => *self.choose(&["search=yes", "ai-train=no"]),
            _ => *self.choose(VALUES),
        };
        let blank = |random: &mut Self| *random.choose(&["", "", " ", "\t", "  "]);
        let comment = *self.choose(&["", "", "", "", " # c", "#c", "\0x", "\u{b}"]);
        let colon = *self.choose(&[":", ":", ":", ":", ":", ":", " "]);
        [blank(self), key, blank(self), colon, blank(self), value, blank(self), comment].concat().into_bytes()
    }

    /// A line as people write it, so that there is something to remove.
    fn clean_line(&mut self) -> Vec<u8> {
        let (key, values) = *self.choose(&[
            ("User-agent", AGENTS_WRITTEN),
            ("Disallow", VALUES),
            ("Disallow", VALUES),
            ("Disallow", VALUES),
            ("Allow", VALUES),
            ("Crawl-delay", &["1", "2"]),
            ("Host", &["a.example", "b.example"]),
        ]);
        format!("{key}: {}", self.choose(values)).into_bytes()
    }

    fn file(&mut self) -> Vec<u8> {
        if self.below(2) == 0 {
            let lines: Vec<Vec<u8>> = (0..self.below(12)).map(|_| self.clean_line()).collect();
            return [b"User-agent: *", lines.join(&b'\n').as_slice()].join(&b'\n');
        }
        let mut body = self.choose(&["", "", "", "\u{feff}", "\u{feff}\u{feff}"]).as_bytes().to_vec();
        for _ in 0..self.below(14) {
            match self.below(12) {
                0 => {
                    body.extend_from_slice(self.choose(&["", "# comment", "text", "two words", ": x", "  "]).as_bytes())
                }
                1 if self.below(4) == 0 => {
                    for _ in 0..self.below(6) {
                        body.push(self.below(256) as u8);
                    }
                }
                _ => body.extend(self.line()),
            }
            body.extend_from_slice(self.choose(&["\n", "\n", "\n", "\n", "\r\n", "\r", "\n\n"]).as_bytes());
        }
        if self.below(5) == 0 {
            body.pop();
        }
        body
    }
}

const KEYS: &[&str] = &[
    "User-agent",
    "User-agent",
    "user-AGENT",
    "useragent",
    "Disallow",
    "Disallow",
    "Disallow",
    "disallow",
    "Disalow",
    "Disallow-all",
    "Allow",
    "Allow",
    "ALLOW",
    "Sitemap",
    "Crawl-delay",
    "Content-Signal",
    "License",
    "Host",
];
const AGENTS_WRITTEN: &[&str] = &["*", "*", "a", "a", "A", "b", "b/2.1", "a-b", "a-b-c", "ab3", "ab", "* x", "*x", ""];
const VALUES: &[&str] = &[
    "",
    "/",
    "/*",
    "*",
    "/a",
    "/a",
    "/a*",
    "/a/",
    "/a/b",
    "/a/b",
    "/ab",
    "/a*b",
    "/a**b",
    "/*b",
    "/*b*",
    "*b",
    "/b$",
    "/a*$",
    "/a$*",
    "a",
    "/a b",
    "/a%2Fb",
    "/%61",
    "/a?b",
    "/*?b",
    "/a/index.html",
    "/\u{e4}",
];
const AGENTS: &[&str] = &["a", "b", "a-b", "a-b-c", "a-b-d", "ab", "ab3", "ab3x", "other"];
const PATHS: &[&str] = &[
    "/",
    "/a",
    "/a/",
    "/a/b",
    "/a/b/c",
    "/ab",
    "/aab",
    "/acb",
    "/b",
    "/bb",
    "/cb",
    "/a$",
    "/a%20b",
    "/a%2Fb",
    "/%61",
    "/a?b",
    "/c?b",
    "/a?a/b",
    "/a/index.html",
    "/%C3%A4",
    "/robots.txt",
    "/a/bb",
    "/xa",
    "/a$b",
];

/// Returns all that a file means to some agents on some paths.
fn meaning(body: &[u8], dialect: &Dialect) -> Vec<String> {
    let robots = RobotsTxt::parse_with(body, dialect);
    let mut facts = Vec::new();
    let crawlers = AGENTS.iter().map(|name| Crawler::new(name).expect("a name"));
    let chain = Crawler::chain(["a-b", "b"]).expect("names");
    for crawler in crawlers.chain([chain, Crawler::others()]) {
        let selection = robots.select(&crawler);
        let rules = robots.rule_set_of(&selection);
        let is_allowed = |path: &&str| {
            let path = dialect.url_path(format!("https://h{path}").as_bytes()).expect("a URL").into_cow().into_owned();
            let path = robotsc_compiler::UrlPath::assume(&path, rules.path_form());
            DecidingRule::verdict_of(reference::deciding_rule(&rules, path).expect("the form of the set")).is_allow()
        };
        let verdicts: String = PATHS.iter().map(|path| if is_allowed(path) { '+' } else { '-' }).collect();
        let mut delays: Vec<_> = robots.crawl_delays(&selection).collect();
        delays.dedup();
        let records = selection.groups.iter().flat_map(|id| robots.records_of(&robots.groups()[id.0 as usize]));
        // In order, without those that say what the last of their kind did.
        let mut last = HashMap::new();
        let mut own = Vec::new();
        for record in records.filter(|record| !matches!(record.kind, RecordKind::Sitemap | RecordKind::Host)) {
            let value = record.value.of(robots.body()).escape_ascii().to_string();
            if last.insert(record.kind, value.clone()).as_ref() != Some(&value) || record.kind == RecordKind::Unknown {
                own.push(value);
            }
        }
        // Preferences depend on the values of their records alone, and on the verdicts.
        facts.push(format!("{crawler:?} {verdicts} {delays:?} {own:?}"));
    }
    let mut sitemaps = robots.sitemaps();
    sitemaps.sort_unstable();
    facts.push(format!("{sitemaps:?} {:?}", robots.hosts().collect::<Vec<_>>()));
    facts
}

#[test]
fn random_files_mean_the_same() {
    let files = if std::env::var_os("ROBOTSC_FULL").is_some() { 50_000 } else { 1_000 };
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut smaller, mut rules) = (0, 0);
    for _ in 0..files {
        let body = random.file();
        let readable = formatted(&body);
        let small = minified(&body);
        assert!(small.is_decided, "{}", body.escape_ascii());
        assert!(small.body.len() <= body.len(), "{}", body.escape_ascii());
        for dialect in Dialect::ALL {
            let wanted = meaning(&body, dialect);
            for (what, after) in [("formatted", &readable.body), ("minified", &small.body)] {
                let (from, to) = (body.escape_ascii(), after.escape_ascii());
                assert_eq!(meaning(after, dialect), wanted, "{what}, {}:\n{from}\n{to}", dialect.name);
            }
        }
        assert_eq!(formatted(&readable.body).body, readable.body, "{}", body.escape_ascii());
        assert_eq!(
            minified(&small.body).body.escape_ascii().to_string(),
            small.body.escape_ascii().to_string(),
            "{}",
            body.escape_ascii()
        );
        smaller += usize::from(small.body.len() < body.len());
        rules += small.rules_before - small.rules;
    }
    assert!(smaller * 2 > files && rules * 2 > files, "{smaller} files became smaller, by {rules} rules");
}
