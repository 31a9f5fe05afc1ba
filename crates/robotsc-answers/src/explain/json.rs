//! An explanation for a program: one JSON object.

use robotsc::RobotsTxt;
use robotsc::agent::{CrawlerKind, SelectionReason};
use robotsc::robots_txt::RuleKind;
use robotsc::rules::{Rule, RuleOrigin};
use robotsc_analysis::lint::{Lint, LintCheck};
use serde_json::{Map, Value, json};

use super::{ExplanationReport, Other, agents_of};
use crate::check::deciding_line;
use crate::shown;

/// Returns an explanation as JSON. `agent` is the name that was given, and `note` what the register of known crawlers
/// adds.
#[must_use]
pub fn explanation(told: &ExplanationReport<'_>, others: &[Other], agent: &str, note: Option<&str>) -> Value {
    let mut object = Map::new();
    object.insert("type".to_owned(), "explanation".into());
    object.insert("verdict".to_owned(), told.verdict.to_string().into());
    object.insert("agent".to_owned(), agent.into());
    object.insert("note".to_owned(), note.into());
    object.insert("dialect".to_owned(), told.robots.dialect().name.into());
    shown::put(&mut object, "url", told.url);
    shown::put(&mut object, "path", told.path);
    let way = match told.crawler.kind() {
        CrawlerKind::Chain => "chain",
        CrawlerKind::Pool | CrawlerKind::Others => "pool",
        _ => "token",
    };
    let tokens: Vec<Vec<u8>> = told.crawler.names().map(|name| name.as_bytes().to_vec()).collect();
    let crawler = json!({
        "way": way,
        "tokens": texts(&tokens),
        "chain_step": told.chain_step,
        "named_only": told.crawler.is_named_only(),
    });
    object.insert("crawler".to_owned(), crawler);
    let (reason, matched) = match told.reason {
        SelectionReason::Named(tokens) => ("named", texts(tokens)),
        SelectionReason::Star => ("star", Vec::new()),
        SelectionReason::NoGroup => ("none", Vec::new()),
        SelectionReason::StarIgnored => ("star-ignored", Vec::new()),
    };
    let groups: Vec<Value> = told
        .groups
        .iter()
        .zip(&told.library.groups)
        .map(|(group, lines)| {
            let agents: Vec<u32> = agents_of(told.robots, group).iter().map(|agent| agent.line).collect();
            json!({ "first_line": lines.first_line, "last_line": lines.last_line, "agent_lines": agents })
        })
        .collect();
    object.insert("selection".to_owned(), json!({ "reason": reason, "tokens": matched, "groups": groups }));
    let deciding_rule = told.matching.first().filter(|_| told.decides);
    object.insert("rule".to_owned(), deciding_rule.map_or(Value::Null, |rule| rule_object(told, rule)));
    let also: Vec<Value> =
        told.matching.iter().skip(usize::from(told.decides)).map(|rule| rule_object(told, rule)).collect();
    object.insert("also_matching".to_owned(), also.into());
    object.insert("order_undefined".to_owned(), told.library.order_undefined.into());
    object.insert("least_restrictive_line".to_owned(), told.library.least_restrictive_line.into());
    object.insert("names_beyond_rfc9309".to_owned(), told.library.names_beyond_rfc9309.as_slice().into());
    let body = told.robots.body();
    let diagnostics: Vec<Value> = told
        .diagnostics
        .iter()
        .map(|noticed| {
            json!({
                "code": noticed.code.as_str(), "severity": noticed.severity.as_str(), "line": noticed.line,
                "start": noticed.span.start, "end": noticed.span.end, "message": noticed.message(body),
            })
        })
        .collect();
    let diagnostics = diagnostics.into_iter().chain(no_robots(told.robots)).collect::<Vec<Value>>();
    object.insert("diagnostics".to_owned(), diagnostics.into());
    let others: Vec<Value> = others
        .iter()
        .map(|other| match &other.said {
            Ok(said) => {
                let mut object = Map::new();
                object.insert("dialect".to_owned(), other.dialect.name.into());
                object.insert("verdict".to_owned(), said.verdict.to_string().into());
                // An empty line decides nothing.
                let decides = !matches!(said.rule, Some((_, RuleOrigin::EmptyLine)));
                object.insert("line".to_owned(), deciding_line(said.line).filter(|_| decides).into());
                shown::put(&mut object, "source", &said.source);
                object.into()
            }
            Err(reason) => json!({ "dialect": other.dialect.name, "error": reason }),
        })
        .collect();
    object.insert("other_dialects".to_owned(), others.into());
    told.near.put(&mut object, told.rules);
    object.into()
}

/// Returns what lint says of a body that is no robots.txt, such as a page: everything is allowed, and no line says why.
fn no_robots(robots: &RobotsTxt<'_>) -> Option<Value> {
    // With a group, lint says something else of it.
    if !robots.groups().is_empty() || robots.body_kind().is_robots() {
        return None;
    }
    let found = Lint::new().select(LintCheck::NotRobotsTxt).run(robots);
    let finding = found.into_iter().find(|finding| finding.check == LintCheck::NotRobotsTxt)?;
    Some(json!({
        "code": finding.check.code(), "severity": finding.severity.as_str(), "line": finding.line,
        "start": finding.span.start, "end": finding.span.end, "message": finding.message,
    }))
}

fn rule_object(told: &ExplanationReport<'_>, rule: &Rule) -> Value {
    let mut object = Map::new();
    object.insert("line".to_owned(), deciding_line(rule.line).into());
    let kind = match rule.kind {
        RuleKind::Allow => "allow",
        RuleKind::Disallow => "disallow",
    };
    object.insert("kind".to_owned(), kind.into());
    object.insert("verdict".to_owned(), rule.verdict.to_string().into());
    object.insert("length".to_owned(), shown::length(rule.length).into());
    shown::put(&mut object, "pattern", told.rules.pattern(rule));
    shown::put(&mut object, "source", rule.source.of(told.robots.body()));
    object.insert("start".to_owned(), rule.source.start.into());
    object.insert("end".to_owned(), rule.source.end.into());
    object.insert("origin".to_owned(), rule.origin.as_str().into());
    object.into()
}

fn texts(tokens: &[Vec<u8>]) -> Vec<String> {
    tokens.iter().map(|token| shown::bytes(token)).collect()
}
