//! A directive: what it means, and what each dialect makes of its line.

use robotsc::record::RecordKind;
use robotsc::{Dialect, RobotsTxt, RuleKind, RuleOrigin, Selection, SelectionReason};

use super::markdown::{code, listed};
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
            meaning: "Names a crawler that obeys the rules below. Several lines in a row name several crawlers. `*` means \
                      all crawlers that no other group names.",
        },
        Self {
            name: "Disallow",
            meaning: "Blocks the paths that its pattern matches, for the crawlers of its group. If several rules match a \
                      path, the longest decides; of two as long, Allow does.",
        },
        Self {
            name: "Allow",
            meaning: "Allows the paths that its pattern matches, although a shorter Disallow matches them, too. What no \
                      rule matches is allowed anyway.",
        },
        Self {
            name: "Sitemap",
            meaning: "Gives the absolute URL of a sitemap. It is for all crawlers, whatever group it is in.",
        },
        Self {
            name: "Crawl-delay",
            meaning: "Asks for a number of seconds between two requests. It is in no standard: Google and Yandex ignore \
                      it, some others obey it.",
        },
        Self {
            name: "Content-Signal",
            meaning: "States what may be done with the pages once they are fetched, in the terms of Cloudflare: \
                      `ai-train`, `ai-input`, `search` and `use`. It is for the crawlers of its group.",
        },
        Self {
            name: "Content-Usage",
            meaning: "States what may be done with the pages once they are fetched, in the terms of a draft of the IETF: \
                      `train-ai`, `ai-use` and `search`. It is for the crawlers of its group.",
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
            meaning: "Was never in a standard, and no known crawler has obeyed it since 2019. To keep a page out of an \
                      index, let crawlers fetch it and send `X-Robots-Tag: noindex`.",
        },
    ];

    fn by_name(name: &str) -> Option<&'static Self> {
        const COMMON: &[Directive] = &Directive::COMMON;
        const RARE: &[Directive] = &Directive::RARE;
        COMMON.iter().chain(RARE).find(|directive| directive.name == name)
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
    let directive = own.and_then(Directive::of_item).or_else(|| items().find_map(Directive::of_item));
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
        [_] => "All dialects read this line the same way.".to_owned(),
        several => {
            let rows: Vec<String> =
                several.iter().map(|(reading, names)| format!("- {}: {reading}", listed(names))).collect();
            format!("Dialects read this line in {} ways:\n{}", several.len(), rows.join("\n"))
        }
    }
}

/// Returns what one dialect makes of a line.
fn reading(robots: &RobotsTxt<'_>, line: u32) -> String {
    match item(robots, line) {
        None => {
            let is_outside = robots
                .diagnostics()
                .iter()
                .any(|noticed| noticed.line == line && noticed.code == robotsc::DiagnosticCode::RuleOutsideGroup);
            if is_outside {
                "a rule of no group, which no crawler obeys".to_owned()
            } else {
                "skips the line".to_owned()
            }
        }
        Some(Item::Agent(agent)) if agent.is_star => "names all other crawlers".to_owned(),
        Some(Item::Agent(agent)) if agent.token.is_empty() => "names no crawler".to_owned(),
        Some(Item::Agent(agent)) => format!("names {}", code(agent.token.of(robots.body()))),
        Some(Item::Rule(rule)) => {
            let group = (0..)
                .zip(robots.groups())
                .find(|(_, group)| robots.rules_of(group).iter().any(|other| other.line == rule.line));
            let groups = group.map(|(number, _)| robotsc::GroupId(number)).into_iter().collect();
            let set = robots.rule_set_of(&Selection { groups, reason: SelectionReason::Star });
            let of_line = set.rules().iter().find(|other| other.line == rule.line);
            match (of_line, rule.kind) {
                (None, _) => format!("{}, which matches nothing", an(rule.kind)),
                (Some(found), RuleKind::Disallow) if found.origin == RuleOrigin::EmptyLine => {
                    "a Disallow without a value, which blocks nothing".to_owned()
                }
                (Some(found), RuleKind::Allow) if found.origin == RuleOrigin::EmptyLine => {
                    "an Allow without a value, which decides nothing".to_owned()
                }
                (Some(found), RuleKind::Disallow) if found.origin == RuleOrigin::EmptyInverse => {
                    "the same as `Allow: /`".to_owned()
                }
                (Some(found), RuleKind::Allow) if found.origin == RuleOrigin::EmptyInverse => {
                    "the same as `Disallow: /`".to_owned()
                }
                (Some(found), _) => format!("{} {}", an(rule.kind), code(set.pattern(found))),
            }
        }
        Some(Item::Record(record)) if record.kind == RecordKind::Unknown => "skips the line".to_owned(),
        Some(Item::Record(_)) => "a record, which has no part in what may be fetched".to_owned(),
    }
}

const fn an(kind: RuleKind) -> &'static str {
    match kind {
        RuleKind::Disallow => "a Disallow",
        RuleKind::Allow => "an Allow",
    }
}
