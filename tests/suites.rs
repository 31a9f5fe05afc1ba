//! Cases with the recorded answer of google/robotstxt, asked of every engine in every storage form.
//!
//! The 20,000 cases in `tests/data` are generated and part of this repository: without them the test fails. The other
//! suites are the cases that other projects test themselves with; they are checked if they lie beside the checkout.

mod engines;
mod google_path;
mod shared_data;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use engines::{Engines, Way, differences_from, reference_decision, ways};
use flate2::read::GzDecoder;
use google_path::google_path;
use robotsc::program::DecidingRule;
use robotsc::{AgentName, Crawler, RobotsTxt, Verdict};
use serde::Deserialize;

#[derive(Deserialize)]
struct Recorded {
    suite: String,
    #[serde(default)]
    case: String,
    robots: Option<String>,
    robots_b64: Option<String>,
    #[serde(default)]
    agents: Vec<String>,
    url: Option<String>,
    url_b64: Option<String>,
    google: Option<bool>,
    google_line: Option<u32>,
}

/// A body and the agents of a crawler.
type Subject = (Vec<u8>, Vec<String>);

/// A URL, and what Google's parser answers for it.
struct Question {
    case: String,
    url: Vec<u8>,
    allowed: bool,
    line: Option<u32>,
}

/// Returns the bytes of a base64 text.
fn decoded(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        bits = bits << 6 | u32::from(value(letter));
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

fn bytes(text: Option<&String>, base64: Option<&String>) -> Option<Vec<u8>> {
    text.map(|text| text.clone().into_bytes()).or_else(|| base64.map(|text| decoded(text)))
}

/// Returns the questions of a suite that have a recorded answer, by body and agents.
fn read(text: &str) -> Vec<(Subject, Vec<Question>)> {
    let mut subjects: BTreeMap<Subject, Vec<Question>> = BTreeMap::new();
    for line in text.lines() {
        let case: Recorded = serde_json::from_str(line).expect("a case");
        let body = bytes(case.robots.as_ref(), case.robots_b64.as_ref());
        let url = bytes(case.url.as_ref(), case.url_b64.as_ref());
        let (Some(body), Some(url), Some(allowed)) = (body, url, case.google) else { continue };
        let question = Question { case: format!("{} {}", case.suite, case.case), url, allowed, line: case.google_line };
        subjects.entry((body, case.agents)).or_default().push(question);
    }
    subjects.into_iter().collect()
}

/// Asks every engine all questions about one body. Returns the differences.
fn ask((body, agents): &Subject, questions: &[Question], ways: &[Way]) -> Vec<String> {
    let robots = RobotsTxt::parse(body);
    let rules = robots.rule_set(&Crawler::raw(agents.iter().map(|agent| agent.clone().into_bytes()).collect()));
    let mut engines = Engines::compile(&rules, ways);
    if let [agent] = agents.as_slice() {
        engines = engines.with_policies(&robots, AgentName::assume_token(agent.as_bytes()), ways);
    }
    let homes = engines.homes().expect("the runtime reads what the compiler wrote");
    let mut wrong = Vec::new();
    for Question { case, url, allowed, line } in questions {
        let path = google_path(url);
        let judged = reference_decision(&rules, &path);
        let shown = format!("{case} {agents:?} {}", url.escape_ascii());
        let expected = if *allowed { Verdict::Allow } else { Verdict::Disallow };
        let (verdict, decided_by) = (DecidingRule::verdict_of(judged), judged.map_or(0, |rule| rule.line));
        if verdict != expected {
            wrong.push(format!("{shown}: {verdict}, expected {expected}"));
        }
        if line.is_some_and(|line| decided_by != line) {
            wrong.push(format!("{shown}: line {decided_by} decides, expected {line:?}"));
        }
        wrong.extend(differences_from(judged, &rules, &homes, &path).iter().map(|wrong| format!("{shown}: {wrong}")));
    }
    wrong
}

/// Checks the text of a suite that has `cases` recorded verdicts, `lines` of them with the line that decides.
fn check_text(suite: &str, text: &str, cases: usize, lines: usize) {
    let subjects = read(text);
    let ways = ways();
    let wrong = shared_data::in_parallel(&subjects, |(subject, questions)| ask(subject, questions, &ways)).concat();
    let asked = || subjects.iter().flat_map(|(_, questions)| questions);
    println!("{suite}: {} cases, {} differences", asked().count(), wrong.len());
    let shown = wrong.iter().take(25).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{suite}: {} differences, the first of them:\n{shown}", wrong.len());
    assert_eq!(asked().count(), cases, "cases with a verdict in {suite}");
    assert_eq!(asked().filter(|question| question.line.is_some()).count(), lines, "cases with a line in {suite}");
}

/// Checks a suite of another project, if it lies beside the checkout.
fn check(suite: &str, cases: usize) {
    let Some(folder) = shared_data::folder("suites") else { return };
    let text = std::fs::read_to_string(folder.join(suite)).expect("the suite is readable");
    check_text(suite, &text, cases, 0);
}

#[test]
fn google_recorded() {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/google-recorded.jsonl.gz");
    let file = std::fs::File::open(&packed).unwrap_or_else(|error| {
        panic!("{}: {error}: the recorded answers belong to the repository", packed.display());
    });
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("gzip of UTF-8 text");
    check_text("google-recorded.jsonl", &text, 20_000, 20_000);
}

#[test]
fn google() {
    check("google.jsonl", 145);
}

#[test]
fn google_spec_test() {
    check("google-spec-test.jsonl", 400);
}

#[test]
fn grobotstxt() {
    check("grobotstxt.jsonl", 149);
}

#[test]
fn protego() {
    check("protego.jsonl", 376);
}

#[test]
fn rep_cpp() {
    check("rep-cpp.jsonl", 185);
}

#[test]
fn reppy() {
    check("reppy.jsonl", 85);
}

#[test]
fn robotspy() {
    check("robotspy.jsonl", 579);
}

#[test]
fn temoto() {
    check("temoto.jsonl", 132);
}
