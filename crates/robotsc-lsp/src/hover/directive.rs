//! A directive: what it means, and what each dialect makes of its line.

use robotsc::agent::{Selection, SelectionReason};
use robotsc::analysis::words::listed;
use robotsc::record::RecordKind;
use robotsc::robots_txt::{Diagnostic, DiagnosticCode, Group, GroupId, RuleKind, RuleLine};
use robotsc::rules::RuleOrigin;
use robotsc::{Dialect, RobotsTxt};

use super::markdown::code;
use super::name::name_of;
use crate::document::Document;
use crate::items::{Item, item};

/// A directive that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Directive {
    /// As it is commonly written.
    pub(crate) name: &'static str,
    /// What it means, for a person.
    pub(crate) meaning: &'static str,
}

impl Directive {
    /// All that a file of today has use for, the most common first.
    pub(crate) const COMMON: [Self; 7] = [
        Self {
            name: "User-agent",
            meaning: "Names a crawler that obeys the rules below. Several lines in a row name several crawlers. `*` \
                      means all crawlers that no other group names.",
        },
        Self {
            name: "Disallow",
            meaning: "Blocks the paths that its pattern matches, for the crawlers of its group. If several rules \
                      match a path, the longest decides. If two are as long, Allow decides.",
        },
        Self {
            name: "Allow",
            meaning: "Allows the paths that its pattern matches, although a shorter Disallow matches them, too. What \
                      no rule matches is allowed anyway.",
        },
        Self {
            name: "Sitemap",
            meaning: "Gives the absolute URL of a sitemap. It is for all crawlers, whatever group it is in.",
        },
        Self {
            name: "Crawl-delay",
            meaning: "Asks for a number of seconds between two requests. It is in no standard: Google and Yandex \
                      ignore it, some others obey it.",
        },
        Self {
            name: "Content-Signal",
            meaning: "States what may be done with the pages once they are fetched, in the terms of Cloudflare: \
                      `ai-train`, `ai-input`, `search` and `use`. It is for the crawlers of its group.",
        },
        Self {
            name: "Content-Usage",
            meaning: "States what may be done with the pages once they are fetched, in the terms of a draft of the \
                      IETF: `train-ai`, `ai-use` and `search`. It is for the crawlers of its group.",
        },
    ];

    /// Those that few crawlers know, or none any more.
    const RARE: [Self; 5] = [
        Self {
            name: "Request-rate",
            meaning: "Asks for at most a number of documents in a time: `1/10` is one in ten seconds. It is in no \
                      standard, and few crawlers obey it.",
        },
        Self {
            name: "Visit-time",
            meaning: "Asks to crawl at these hours only, in UTC. It is in no standard, and few crawlers obey it.",
        },
        Self { name: "Host", meaning: "Named the main host among mirrors. Only Yandex obeyed it, until March 2018." },
        Self {
            name: "Clean-param",
            meaning: "Names query parameters that do not change a page. Only Yandex obeys it, for the whole file.",
        },
        Self {
            name: "Noindex",
            meaning: "Was never in a standard, and no known crawler has obeyed it since 2019. To keep a page out of \
                      an index, let crawlers fetch it and send `X-Robots-Tag: noindex`.",
        },
    ];

    /// Returns the directive with a name, in any case.
    fn by_name(name: &str) -> Option<&'static Self> {
        const COMMON: &[Directive] = &Directive::COMMON;
        const RARE: &[Directive] = &Directive::RARE;
        COMMON.iter().chain(RARE).find(|directive| directive.name.eq_ignore_ascii_case(name))
    }

    /// Returns the directive of a line.
    fn of_item(item: Item<'_>) -> Option<&'static Self> {
        Self::by_name(match item {
            Item::Agent(_) => "User-agent",
            Item::Rule(rule) => rule.kind.as_str(),
            Item::Record(record) => match record.kind {
                RecordKind::Sitemap => "Sitemap",
                RecordKind::CrawlDelay => "Crawl-delay",
                RecordKind::ContentSignal => "Content-Signal",
                RecordKind::ContentUsage => "Content-Usage",
                RecordKind::RequestRate => "Request-rate",
                RecordKind::VisitTime => "Visit-time",
                RecordKind::Host => "Host",
                RecordKind::CleanParam => "Clean-param",
                RecordKind::Noindex => "Noindex",
                _ => return None,
            },
        })
    }
}

/// Describes a directive, and what each dialect makes of its line, from 1. `None` if no dialect makes anything of it.
pub(super) fn hover(document: &Document, own: Option<Item<'_>>, key: &str, line: u32) -> Option<String> {
    let body = document.text.as_bytes();
    let files: Vec<RobotsTxt<'_>> = Dialect::ALL.iter().map(|dialect| RobotsTxt::parse_with(body, dialect)).collect();
    let items = || files.iter().filter_map(|robots| item(robots, line));
    let of_items = own.and_then(Directive::of_item).or_else(|| items().find_map(Directive::of_item));
    // A rule of no group is no item.
    let directive = of_items.or_else(|| Directive::by_name(key));
    let mut text = match (directive, own.or_else(|| items().next())) {
        (Some(directive), _) => vec![format!("**{}** {}", directive.name, lower_first(directive.meaning))],
        (None, Some(Item::Record(record))) if record.kind == RecordKind::Unused => {
            vec![format!("No known crawler obeys {}.", code(key.as_bytes()))]
        }
        (None, Some(_)) => {
            vec![format!("{} is not a directive that robotsc knows. Crawlers skip it.", code(key.as_bytes()))]
        }
        (None, None) => return None,
    };
    if directive.is_some() {
        text.push(readings(&files, line));
    }
    Some(text.join("\n\n"))
}

/// Returns a sentence so that it goes on after a name.
fn lower_first(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// Returns what each dialect makes of a line.
pub(super) fn readings(files: &[RobotsTxt<'_>], line: u32) -> String {
    let mut same: Vec<(String, Vec<String>)> = Vec::new();
    for robots in files {
        let (reading, name) = (reading(robots, line), code(robots.dialect().name.as_bytes()));
        match same.iter_mut().find(|(other, _)| *other == reading) {
            Some((_, names)) => names.push(name),
            None => same.push((reading, vec![name])),
        }
    }
    match same.as_slice() {
        [(reading, _)] => format!("In all dialects, this line is {reading}."),
        several => {
            let rows: Vec<String> =
                several.iter().map(|(reading, names)| format!("- In {}: {reading}", listed(names))).collect();
            format!("Dialects read this line in {} ways:\n{}", several.len(), rows.join("\n"))
        }
    }
}

/// Returns what a line is in one dialect.
fn reading(robots: &RobotsTxt<'_>, line: u32) -> String {
    let body = robots.body();
    match item(robots, line) {
        None => {
            let is_outside =
                |noticed: &Diagnostic| noticed.line == line && noticed.code == DiagnosticCode::RuleOutsideGroup;
            match robots.diagnostics().iter().any(is_outside) {
                true => "a rule before any `User-agent`, which no crawler obeys".to_owned(),
                false => "skipped".to_owned(),
            }
        }
        Some(Item::Agent(agent)) if agent.is_star => "for all other crawlers".to_owned(),
        Some(Item::Agent(agent)) if robots.agent_keys(agent).next().is_none() => "for no crawler".to_owned(),
        Some(Item::Agent(agent)) => format!("for {}", code(name_of(robots, agent))),
        Some(Item::Rule(rule)) => of_rule(robots, rule),
        Some(Item::Record(record)) if record.kind == RecordKind::Unknown => "skipped".to_owned(),
        Some(Item::Record(record)) => {
            let name = Directive::of_item(Item::Record(record)).map_or("", |directive| directive.name);
            code(format!("{name}: {}", String::from_utf8_lossy(record.value.of(body))).as_bytes())
        }
    }
}

/// Returns what a rule is in one dialect: with the pattern as the dialect reads it.
fn of_rule(robots: &RobotsTxt<'_>, rule: &RuleLine) -> String {
    let has_rule = |group: &Group| robots.rules_of(group).iter().any(|other| other.line == rule.line);
    let group = (0..).zip(robots.groups()).find(|(_, group)| has_rule(group));
    let groups = group.map(|(number, _)| GroupId(number)).into_iter().collect();
    let set = robots.rule_set_of(&Selection { groups, reason: SelectionReason::Star });
    let kind = rule.kind.as_str();
    let inverse = match rule.kind {
        RuleKind::Disallow => RuleKind::Allow,
        RuleKind::Allow => RuleKind::Disallow,
    };
    match set.rules().iter().find(|other| other.line == rule.line) {
        None => format!("`{kind}` with a pattern that matches nothing"),
        Some(found) => match found.origin {
            RuleOrigin::EmptyLine => format!("`{kind}` without a value, which decides nothing"),
            RuleOrigin::EmptyInverse => format!("the same as `{}: /`", inverse.as_str()),
            _ => code(format!("{kind}: {}", String::from_utf8_lossy(set.pattern(found))).as_bytes()),
        },
    }
}
