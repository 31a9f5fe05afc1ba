//! The cases that other projects test themselves with, each with google/robotstxt's answer, through every engine.

mod engines;
mod google_path;
mod shared_data;

use std::fs;

use engines::{Engines, differences_from, ways};
use google_path::google_path;
use robotsc::{Crawler, Dialect, RobotsTxt, Verdict, reference};
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
}

/// Octets from their base64 form.
fn decoded(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut octets = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        bits = bits << 6 | u32::from(value(letter));
        count += 6;
        if count >= 8 {
            count -= 8;
            octets.push((bits >> count) as u8);
        }
    }
    octets
}

fn octets(text: Option<&String>, base64: Option<&String>) -> Option<Vec<u8>> {
    text.map(|text| text.clone().into_bytes()).or_else(|| base64.map(|text| decoded(text)))
}

/// How many cases a suite has a verdict for, and those answered otherwise.
fn run(suite: &str) -> Option<(usize, Vec<String>)> {
    let text = fs::read_to_string(shared_data::folder("suites")?.join(suite)).expect("the suite is readable");
    let mut asked = 0;
    let mut wrong = Vec::new();
    for line in text.lines() {
        let case: Recorded = serde_json::from_str(line).expect("a case");
        let body = octets(case.robots.as_ref(), case.robots_b64.as_ref());
        let url = octets(case.url.as_ref(), case.url_b64.as_ref());
        let (Some(body), Some(url), Some(allowed)) = (body, url, case.google) else { continue };
        asked += 1;
        let expected = if allowed { Verdict::Allow } else { Verdict::Disallow };
        let robots = RobotsTxt::parse(&body, &Dialect::GOOGLE);
        let rules =
            robots.rule_set(&Crawler::Pool(case.agents.iter().map(|agent| agent.clone().into_bytes()).collect()));
        let mut engines = Engines::compile(&rules, &ways());
        if let [agent] = case.agents.as_slice() {
            engines = engines.with_policies(&robots, agent.as_bytes(), &ways());
        }
        let path = google_path(&url);
        let judged = reference::decide(&rules, &path);
        let shown = format!("{} {} {:?} {}", case.suite, case.case, case.agents, url.escape_ascii());
        if judged.verdict != expected {
            wrong.push(format!("{shown}: {}, expected {expected}", judged.verdict));
        }
        let homes = engines.homes().expect("what is compiled is a program");
        wrong.extend(differences_from(judged, &rules, &homes, &path).iter().map(|wrong| format!("{shown}: {wrong}")));
    }
    Some((asked, wrong))
}

fn check(suite: &str, cases: usize) {
    let Some((asked, wrong)) = run(suite) else { return };
    println!("{suite}: {asked} cases, {} differences", wrong.len());
    assert!(wrong.is_empty(), "{suite}: {} differences:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(asked, cases, "cases with a verdict in {suite}");
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
