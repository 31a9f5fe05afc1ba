//! The meaning of each dialect, case by case: `cases/*.ron`, run on every engine at every home.
//!
//! A case states verdicts for paths under one or more dialects. Every engine has to give them: the reference, the rule
//! set, the compiled programs of each effort and output, the same read back from their bytes, and the policy of the
//! whole file.

mod engines;
mod written_bytes;

use std::collections::BTreeMap;
use std::path::Path;

use engines::{Engines, differences_from, in_form, partitioned_ways, reference_decision, ways};
use robotsc::agent::CrawlerKind;
use robotsc::dialect::{
    AgentMatch, AgentValue, Colon, EmptyValue, Escapes, KeyMatch, LeadingSlash, Length, Nul, Star, Trim, Typos,
};
use robotsc::program::DecidingRule;
use robotsc::{Crawler, Dialect, RobotsTxt, Verdict};
use serde::Deserialize;
use written_bytes::Bytes;

/// A case: a robots.txt, who asks, and what is answered.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// Where the expectation comes from.
    source: String,
    /// Why it is so, where the source alone does not tell.
    #[serde(default)]
    note: String,
    robots: Bytes,
    /// The crawlers that ask, each alone.
    #[serde(default)]
    agents: Option<Vec<String>>,
    /// One crawler with several tokens whose groups are pooled.
    #[serde(default)]
    pool: Option<Vec<String>>,
    /// One crawler with several tokens, the first that has a group decides.
    #[serde(default)]
    chain: Option<Vec<String>>,
    /// All five where none are named.
    #[serde(default)]
    dialects: Option<Vec<String>>,
    /// Too much for the reference, whose cost is pattern times path: the rule set answers in its place.
    #[serde(default)]
    heavy: bool,
    #[serde(default)]
    allowed: Vec<Bytes>,
    #[serde(default)]
    disallowed: Vec<Bytes>,
    /// The line of the rule that decides.
    #[serde(default)]
    lines: Vec<(Bytes, u32)>,
    #[serde(default)]
    by_dialect: Vec<ByDialect>,
}

/// A path on which the dialects differ.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ByDialect {
    path: Bytes,
    google: Expected,
    rfc9309: Expected,
    google_2017: Expected,
    google_2019: Expected,
    yandex: Expected,
}

#[derive(Clone, Copy, Debug, Deserialize)]
enum Expected {
    Allow,
    Disallow,
}

impl From<Expected> for Verdict {
    fn from(expected: Expected) -> Self {
        match expected {
            Expected::Allow => Self::Allow,
            Expected::Disallow => Self::Disallow,
        }
    }
}

/// A dialect by its name, or one with a field of its own: `rfc9309 + typos`.
fn dialect(name: &str) -> Dialect {
    if let Some(dialect) = Dialect::by_name(name) {
        return dialect.clone();
    }
    let (base, field) = name.split_once(' ').expect(name);
    let base = Dialect::by_name(base).expect(name).clone();
    match field {
        "+ decode_utf16" => Dialect { decode_utf16: true, ..base },
        "+ nul kept" => Dialect { nul: Nul::IsKept, ..base },
        "+ max_line 20" => Dialect { max_line: Some(20), ..base },
        "+ max_file 27" => Dialect { max_file: Some(27), ..base },
        "+ trim spaces and tabs" => Dialect { trim: Trim::SpaceTab, ..base },
        "+ trim white space" => Dialect { trim: Trim::AsciiWhiteSpace, ..base },
        "+ keys by prefix" => Dialect { key_match: KeyMatch::Prefix, ..base },
        "+ typos" => Dialect { typos: Typos::Accepted, ..base },
        "- typos" => Dialect { typos: Typos::Refused, ..base },
        "+ colon optional" => Dialect { colon: Colon::OptionalBeforeTwoTokens, ..base },
        "+ blank_line_closes" => Dialect { blank_line_closes: true, ..base },
        "+ any_record_closes" => Dialect { any_record_closes: true, ..base },
        "+ agents up to a slash" => Dialect { agent_value: AgentValue::UpToBlankSlashOrStar, ..base },
        "+ whole tokens" => Dialect { agent_value: AgentValue::WholeToken, ..base },
        "+ star before text" => Dialect { star: Star::BeforeText, ..base },
        "+ exact tokens" => Dialect { agent_match: AgentMatch::Exact, ..base },
        "+ prefix tokens" => Dialect { agent_match: AgentMatch::LongestPrefix, ..base },
        "+ empty inverse" => Dialect { empty_value: EmptyValue::InverseOfAll, ..base },
        "+ empty no rule" => Dialect { empty_value: EmptyValue::NoRule, ..base },
        "+ slash assumed" => Dialect { leading_slash: LeadingSlash::Assumed, ..base },
        "+ slash required" => Dialect { leading_slash: LeadingSlash::Required, ..base },
        "+ length written" => Dialect { length: Length::Written, ..base },
        "+ length normalized" => Dialect { length: Length::Normalized, ..base },
        "+ length normalized without stars" => Dialect { length: Length::NormalizedWithoutTrailingStars, ..base },
        "+ length without stars" => Dialect { length: Length::WrittenWithoutTrailingStars, ..base },
        "+ index_htm" => Dialect { index_htm: true, ..base },
        "- index_htm" => Dialect { index_htm: false, ..base },
        "+ hex and not ascii" => Dialect { escapes: Escapes::HexAndNonAscii, ..base },
        "+ canonical" => Dialect { escapes: Escapes::Canonical, ..base },
        "+ query_reserved" => Dialect { query_reserved: true, ..base },
        "- query_reserved" => Dialect { query_reserved: false, ..base },
        "+ robots_txt_allowed" => Dialect { robots_txt_allowed: true, ..base },
        "- robots_txt_allowed" => Dialect { robots_txt_allowed: false, ..base },
        field => panic!("{field} is not among the fields that cases set"),
    }
}

impl Case {
    fn dialects(&self) -> Vec<Dialect> {
        let Some(names) = &self.dialects else {
            return Dialect::ALL.into_iter().cloned().collect();
        };
        names.iter().map(|name| dialect(name)).collect()
    }

    fn crawlers(&self) -> Vec<Crawler> {
        if let Some(tokens) = &self.pool {
            return vec![Crawler::pool(tokens).expect("names")];
        }
        if let Some(tokens) = &self.chain {
            return vec![Crawler::chain(tokens).expect("names")];
        }
        match &self.agents {
            Some(tokens) => tokens.iter().map(|token| crawler(token)).collect(),
            None => vec![crawler("bot")],
        }
    }

    /// Path, verdict and line that are expected under `dialect`; `None` where not stated.
    fn expectations(&self, dialect: &Dialect) -> Vec<(&[u8], Option<Verdict>, Option<u32>)> {
        let mut all = Vec::new();
        all.extend(self.allowed.iter().map(|path| (path.as_slice(), Some(Verdict::Allow), None)));
        all.extend(self.disallowed.iter().map(|path| (path.as_slice(), Some(Verdict::Disallow), None)));
        all.extend(self.lines.iter().map(|(path, line)| (path.as_slice(), None, Some(*line))));
        for row in &self.by_dialect {
            let expected = match dialect.name {
                "google" => row.google,
                "rfc9309" => row.rfc9309,
                "google-2017" => row.google_2017,
                "google-2019" => row.google_2019,
                "yandex" => row.yandex,
                name => unreachable!("no dialect is called {name}"),
            };
            all.push((row.path.as_slice(), Some(expected.into()), None));
        }
        all
    }

    /// Runs the case and says what is not as expected.
    fn run(&self) -> Vec<String> {
        let mut found = Vec::new();
        for dialect in self.dialects() {
            for crawler in self.crawlers() {
                let wrong = self.run_one(&dialect, &crawler);
                found.extend(wrong.into_iter().map(|wrong| format!("{} {}: {wrong}", dialect.name, crawler)));
            }
        }
        found
    }

    fn run_one(&self, dialect: &Dialect, crawler: &Crawler) -> Vec<String> {
        let robots = RobotsTxt::parse_with(self.robots.as_slice(), dialect);
        let rules = robots.rule_set(crawler);
        let mut all_ways = ways();
        // A rule set of thousands of rules, each in a part of its own, is another test.
        if rules.rules().len() <= 200 {
            all_ways.extend(partitioned_ways());
        }
        let mut engines = Engines::compile(&rules, &all_ways);
        if let (CrawlerKind::Named, Some(name)) = (crawler.kind(), crawler.names().next()) {
            engines = engines.with_policies(&robots, name, &ways());
        }
        let homes = match engines.homes() {
            Ok(homes) => homes,
            Err(refused) => return vec![refused],
        };
        let mut found = Vec::new();
        for (path, verdict, line) in self.expectations(dialect) {
            let shown = written_bytes::shown(path);
            let path = dialect.raw_path(path).into_cow();
            let judged = if self.heavy {
                rules.deciding_rule(in_form(&path, rules.path_form())).expect("its form")
            } else {
                reference_decision(&rules, &path)
            };
            let (judged_verdict, judged_line) = (DecidingRule::verdict_of(judged), judged.map_or(0, |rule| rule.line));
            if let Some(verdict) = verdict.filter(|verdict| *verdict != judged_verdict) {
                found.push(format!("{shown}: reference: {judged_verdict}, expected {verdict}"));
            }
            if let Some(line) = line.filter(|line| *line != judged_line) {
                found.push(format!("{shown}: reference: decided by line {judged_line}, expected {line}"));
            }
            // What the reference says is settled above; the others are held to what it says.
            let differing = differences_from(judged, &rules, &homes, &path);
            found.extend(differing.into_iter().map(|differing| format!("{shown}: {differing}")));
        }
        found
    }
}

/// A crawler of a case: `*` stands for agents that no group names.
fn crawler(name: &str) -> Crawler {
    match name {
        "" | "*" => Crawler::others(),
        name => Crawler::new(name).unwrap_or_else(|_| Crawler::raw(vec![name.as_bytes().to_vec()])),
    }
}

/// Runs every case of a file, and fails with all that is wrong in it.
fn run(file: &str, at_least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(file);
    let text = std::fs::read_to_string(&path).expect("the file of cases is there");
    let cases: Vec<Case> = ron::from_str(&text).unwrap_or_else(|error| panic!("{file}:{error}"));
    assert!(cases.len() >= at_least, "{file}: {} cases, {at_least} were there before", cases.len());
    let only = std::env::var("ROBOTSC_CASE").ok();
    let mut names = BTreeMap::new();
    let mut found = Vec::new();
    for case in &cases {
        assert!(names.insert(&case.name, ()).is_none(), "{file}: two cases are called {}", case.name);
        if only.as_ref().is_some_and(|only| !case.name.contains(only)) {
            continue;
        }
        for wrong in case.run() {
            let note = if case.note.is_empty() { String::new() } else { format!(" ({})", case.note) };
            found.push(format!("{file}: {}, {}{note}: {wrong}", case.name, case.source));
        }
    }
    assert!(found.is_empty(), "{} of {file} are not as expected:\n{}", found.len(), found.join("\n"));
}

#[test]
fn vectors() {
    run("vectors.ron", 31);
}

#[test]
fn rfc9309() {
    run("rfc9309.ron", 35);
}

#[test]
fn google_2017() {
    run("google_2017.ron", 30);
}

#[test]
fn google_2019() {
    run("google_2019.ron", 26);
}

/// What the documents of the dialects state word for word, and what follows from it.
#[test]
fn seeds() {
    run("seeds.ron", 25);
}

#[test]
fn yandex() {
    run("yandex.ron", 20);
}

#[test]
fn agents() {
    run("agents.ron", 45);
}

#[test]
fn groups() {
    run("groups.ron", 20);
}

#[test]
fn lines() {
    run("lines.ron", 55);
}

#[test]
fn patterns() {
    run("patterns.ron", 20);
}

#[test]
fn tweaks() {
    run("tweaks.ron", 32);
}

#[test]
fn escapes() {
    run("escapes.ron", 25);
}

#[test]
fn index_htm() {
    run("index_htm.ron", 15);
}

#[test]
fn hostile() {
    run("hostile.ron", 19);
}
