//! What would have to change for another verdict: rules that nearly match, edits that open the URL, and the address
//! whose robots.txt counts.

use std::collections::BTreeMap;

use robotsc::agent::{CrawlerKind, Selection};
use robotsc::origin::Origin;
use robotsc::record::RecordKind;
use robotsc::robots_txt::{Group, GroupId};
use robotsc::rules::Rule;
use robotsc::{Crawler, PathFormError, RobotsTxt, RuleSet, UrlPath, Verdict};
use robotsc_analysis::near_miss::{
    NearMiss, NearMissReason, NearMisses, OpeningEdit, also_opened, near_misses, openings,
};
use robotsc_analysis::{Edit, Lines, edited, words};
use serde_json::{Map, Value};

use super::not_obeyed::NotObeyed;
use super::unread;
use crate::shown;

/// The maximum number of characters of a pattern or a path in a sentence.
const MAX_SHOWN: usize = 160;
/// The maximum number of `User-agent` lines that are asked whether an edit opens the URL for them, too.
const MAX_OTHERS: usize = 64;
/// The maximum number of names in a sentence.
const MAX_NAMES: usize = 6;

/// What is near another verdict.
#[derive(Debug)]
pub struct Nearby {
    /// The rules that nearly match.
    pub misses: NearMisses,
    /// The rules that are not obeyed, and would give the other verdict.
    pub not_obeyed: Vec<NotObeyed>,
    /// The edits that open the URL, if it is blocked.
    pub openings: Vec<LineEdit>,
    /// The address whose robots.txt counts for the URL, if the URL names its host.
    pub robots_url: Option<String>,
    /// Another address of the same site that the file names, and the line that does.
    pub other_site: Option<(String, u32)>,
}

/// An edit of lines that opens the URL: it was made, and the edited file was asked.
#[derive(Debug)]
pub struct LineEdit {
    /// What is done.
    pub action: EditAction,
    /// Another path that it opens; `None` if it opens no other, or if that was not decided.
    pub opens: Option<Vec<u8>>,
    /// Whether that was decided.
    pub is_decided: bool,
    /// Other names of the same groups for whom it opens the URL, too; `*` stands for all that no group names.
    pub others: Vec<String>,
}

/// What an edit does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditAction {
    /// Adds a line after another.
    Add {
        /// The line after which the new one is.
        after: u32,
        /// The new line.
        text: Vec<u8>,
    },
    /// Removes lines.
    Remove(Vec<u32>),
    /// Writes `Disallow:` without a value in lines that cannot be removed, since they keep two groups apart.
    Empty(Vec<u32>),
}

impl Nearby {
    /// Finds what is near. `matching` are the rules that match, from the top rank down.
    ///
    /// # Errors
    /// If the path is in another form than the rules.
    pub fn new(
        robots: &RobotsTxt<'_>,
        crawler: &Crawler,
        groups: &Selection,
        rules: &RuleSet,
        (url, path): (&[u8], UrlPath<'_>),
        matching: &[&Rule],
    ) -> Result<Self, PathFormError> {
        let misses = near_misses(robots, groups, rules, path)?;
        let verdict = rules.verdict(path)?;
        let mut not_obeyed = NotObeyed::all(robots, crawler, groups, verdict, path)?;
        not_obeyed.extend(unread::rules(robots, crawler, verdict, path)?);
        let decided = matching.first().map_or(0, |rule| rule.line);
        let mut edits = Vec::new();
        for edit in openings(rules, robots.dialect(), path)? {
            let actions = match edit {
                OpeningEdit::Allow(pattern) => {
                    vec![EditAction::Add { after: decided, text: [b"Allow: ", &pattern[..]].concat() }]
                }
                OpeningEdit::Remove(lines) => vec![EditAction::Remove(lines.clone()), EditAction::Empty(lines)],
            };
            edits.extend(actions.into_iter().find_map(|action| action.made(robots, crawler, rules, path)));
        }
        let origin = Origin::of_url(url).ok();
        let other_site = origin.as_ref().and_then(|origin| other_site(robots, origin));
        let robots_url = origin.map(|origin| format!("{origin}/robots.txt"));
        Ok(Self { misses, not_obeyed, openings: edits, robots_url, other_site })
    }

    /// Adds what is near to the JSON of an explanation.
    pub(super) fn put(&self, object: &mut Map<String, Value>, rules: &RuleSet) {
        let misses = self.misses.found.iter().map(|miss| Value::Object(miss_object(miss, rules)));
        object.insert("near_misses".to_owned(), misses.collect::<Vec<_>>().into());
        object.insert("near_misses_complete".to_owned(), self.misses.is_complete.into());
        let not_obeyed = self.not_obeyed.iter().map(|rule| Value::Object(rule.json()));
        object.insert("not_obeyed".to_owned(), not_obeyed.collect::<Vec<_>>().into());
        let edits = self.openings.iter().map(|edit| Value::Object(edit.json()));
        object.insert("openings".to_owned(), edits.collect::<Vec<_>>().into());
        object.insert("robots_url".to_owned(), self.robots_url.as_deref().into());
    }
}

impl EditAction {
    /// Makes the edit and finds what else it opens; `None` if the path stays blocked, or if groups would merge.
    fn made(self, robots: &RobotsTxt<'_>, crawler: &Crawler, rules: &RuleSet, path: UrlPath<'_>) -> Option<LineEdit> {
        let body = self.edited(robots)?;
        let new = RobotsTxt::parse_with(&body, robots.dialect());
        let new_rules = new.rule_set(crawler);
        if new.groups().len() != robots.groups().len() || !new_rules.verdict(path).is_ok_and(Verdict::is_allow) {
            return None;
        }
        let opens = also_opened(rules, &new_rules, robots.dialect(), path);
        let is_decided = opens.is_ok();
        let others = self.others([robots, &new], crawler, path);
        Some(LineEdit { action: self, opens: opens.unwrap_or_default(), is_decided, others })
    }

    /// Returns the other names of the groups that are edited for whom the path is opened.
    fn others(&self, [old, new]: [&RobotsTxt<'_>; 2], crawler: &Crawler, path: UrlPath<'_>) -> Vec<String> {
        let lines = match self {
            Self::Add { after, .. } => std::slice::from_ref(after),
            Self::Remove(lines) | Self::Empty(lines) => lines,
        };
        let is_edited = |group: &&Group| old.rules_of(group).iter().any(|rule| lines.contains(&rule.line));
        let heads = old.groups().iter().filter(is_edited).flat_map(|group| old.agents_of(group));
        let (mut found, mut known): (Vec<String>, BTreeMap<Vec<GroupId>, bool>) = (Vec::new(), BTreeMap::new());
        for head in heads.take(MAX_OTHERS) {
            let name = String::from_utf8_lossy(head.written(old.body())).into_owned();
            let other = if head.is_star { Ok(Crawler::others()) } else { Crawler::new(&name) };
            let Ok(other) = other else { continue };
            let is_own = match head.is_star {
                true => crawler.kind() == CrawlerKind::Others,
                false => crawler.names().any(|own| own.as_bytes().eq_ignore_ascii_case(name.as_bytes())),
            };
            let selection = old.select(&other);
            // Most names of a group obey the same groups.
            let is_opened = *known.entry(selection.groups.clone()).or_insert_with(|| {
                let verdict = |robots: &RobotsTxt<'_>| robots.rule_set_of(&selection).verdict(path);
                verdict(old).is_ok_and(|verdict| !verdict.is_allow()) && verdict(new).is_ok_and(Verdict::is_allow)
            });
            let name = if head.is_star { "*".to_owned() } else { name };
            if !is_own && is_opened && !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }

    /// Returns the body of the file after the edit.
    fn edited(&self, robots: &RobotsTxt<'_>) -> Option<Vec<u8>> {
        let lines = Lines::new(robots.body());
        let edits: Vec<Edit> = match self {
            Self::Add { after: 0, .. } => return None,
            Self::Add { after, text } => {
                let line = lines.whole(*after);
                let at = line.start + lines.text(*after).len();
                vec![Edit { range: at..at, with: [b"\n", &text[..]].concat() }]
            }
            Self::Remove(numbers) => {
                numbers.iter().map(|line| Edit { range: lines.whole(*line), with: Vec::new() }).collect()
            }
            Self::Empty(numbers) => {
                let edit = |line: &u32| {
                    let start = lines.whole(*line).start;
                    Edit { range: start..start + lines.text(*line).len(), with: b"Disallow:".to_vec() }
                };
                numbers.iter().map(edit).collect()
            }
        };
        edited(robots.body(), &edits)
    }
}

impl LineEdit {
    fn json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        let (name, lines) = match &self.action {
            EditAction::Add { after, .. } => ("add", vec![*after]),
            EditAction::Remove(lines) => ("remove", lines.clone()),
            EditAction::Empty(lines) => ("empty", lines.clone()),
        };
        object.insert("edit".to_owned(), name.into());
        object.insert("lines".to_owned(), lines.into());
        if let EditAction::Add { text, .. } = &self.action {
            shown::put(&mut object, "text", text);
        }
        put_or_null(&mut object, "opens", self.opens.as_deref());
        object.insert("is_decided".to_owned(), self.is_decided.into());
        object.insert("others".to_owned(), self.others.clone().into());
        object.insert("sentence".to_owned(), self.sentence().into());
        object
    }

    /// Returns the edit as a sentence: what to do, and what else it opens.
    #[must_use]
    pub fn sentence(&self) -> String {
        let listed = |lines: &[u32]| {
            let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
            format!("line{} {}", if lines.len() == 1 { "" } else { "s" }, words::listed(&numbers))
        };
        let edit = match &self.action {
            EditAction::Add { after, text } => format!("add `{}` after line {after}", shown::cut(text, MAX_SHOWN)),
            EditAction::Remove(lines) => format!("remove {}", listed(lines)),
            EditAction::Empty(lines) => {
                format!("write `Disallow:` without a value in {}, since groups would merge without it", listed(lines))
            }
        };
        let opens = match &self.opens {
            Some(path) => format!("also opens paths such as {}", shown::cut(path, MAX_SHOWN)),
            None if self.is_decided => "opens no other path".to_owned(),
            None => "what else it opens was not decided".to_owned(),
        };
        let names = self.others.iter().take(MAX_NAMES).map(|name| match name.as_str() {
            "*" => "all agents that obey `*`".to_owned(),
            name => shown::line(name),
        });
        let more = self.others.len().saturating_sub(MAX_NAMES);
        let others: Vec<String> = names.chain((more > 0).then(|| format!("{more} more"))).collect();
        let others = if others.is_empty() { String::new() } else { format!("; for {}, too", words::listed(&others)) };
        format!("{edit}: {opens}{others}")
    }
}

fn put_or_null(object: &mut Map<String, Value>, key: &str, bytes: Option<&[u8]>) {
    match bytes {
        Some(bytes) => shown::put(object, key, bytes),
        None => {
            object.insert(key.to_owned(), Value::Null);
        }
    }
}

fn miss_object(miss: &NearMiss, rules: &RuleSet) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("line".to_owned(), miss.line.into());
    object.insert("kind".to_owned(), miss.kind.as_str().to_ascii_lowercase().into());
    shown::put(&mut object, "source", &miss.value);
    let reasons: Vec<&str> = miss.reasons.iter().map(|reason| reason.as_str()).collect();
    object.insert("reasons".to_owned(), reasons.into());
    shown::put(&mut object, "pattern", &miss.pattern);
    put_or_null(&mut object, "path", miss.path.as_deref());
    object.insert("decides".to_owned(), miss.decided_by.is_none().into());
    let line = miss.decided_by.and_then(|at| rules.rules().get(at as usize)).map(|rule| rule.line);
    object.insert("decided_by".to_owned(), line.into());
    object.insert("sentence".to_owned(), sentence(miss, rules).into());
    object
}

/// Returns a near miss as a sentence: why the rule does not match, and what would.
#[must_use]
pub fn sentence(miss: &NearMiss, rules: &RuleSet) -> String {
    clauses(miss, rules).join("; ")
}

/// Returns the sentence for a near miss in two parts: why the rule does not match, and what would.
#[must_use]
pub fn clauses(miss: &NearMiss, rules: &RuleSet) -> [String; 2] {
    let rule = format!("{}: {}", miss.kind.as_str(), shown::cut(&miss.value, MAX_SHOWN));
    let reasons: Vec<String> = miss.reasons.iter().map(ToString::to_string).collect();
    let pattern = shown::cut(&miss.pattern, MAX_SHOWN);
    // A pattern for parameters at other places does not match what the rule does.
    let is_beside = miss.reasons.contains(&NearMissReason::Order) && miss.path.is_some();
    let pattern = format!("`{pattern}`{}", if is_beside { " beside it" } else { "" });
    let decides = match miss.decided_by.and_then(|at| rules.rules().get(at as usize)) {
        None => format!("{pattern} would match and decide"),
        Some(rule) if rule.line == 0 => format!("{pattern} would match, but the dialect itself would still decide"),
        Some(rule) => format!("{pattern} would match, but line {} ranks higher and would still decide", rule.line),
    };
    let path = match &miss.path {
        Some(path) => format!("as it is, it matches {}", shown::cut(path, MAX_SHOWN)),
        None => "as it is, it matches no such URL".to_owned(),
    };
    [format!("line {}: `{rule}`: {}", miss.line, words::listed(&reasons)), format!("{decides}; {path}")]
}

/// Returns an origin that the file names and that differs from this one in its scheme, its port or `www.` alone, unless
/// the file names this one, too.
fn other_site(robots: &RobotsTxt<'_>, own: &Origin) -> Option<(String, u32)> {
    /// The number of records and rules that are read.
    const MAX_READ: usize = 1000;
    let body = robots.body();
    let is_address = |kind: RecordKind| matches!(kind, RecordKind::Sitemap | RecordKind::Host);
    let scheme = own.to_string().split_once("://").map(|(scheme, _)| format!("{scheme}://")).unwrap_or_default();
    let records = robots.records().iter().filter(|record| is_address(record.kind));
    let values = records.map(|record| {
        let value = record.value.of(body);
        // A host alone is one of the same scheme.
        let is_bare = record.kind == RecordKind::Host && !value.windows(3).any(|part| part == b"://");
        let start = if is_bare { scheme.as_bytes() } else { b"" };
        ([start, value].concat(), record.line)
    });
    let rules = robots.rules().iter().map(|rule| (rule.value.of(body).to_vec(), rule.line));
    let mut other = None;
    for (value, line) in values.take(MAX_READ).chain(rules.take(MAX_READ)) {
        let Ok(origin) = Origin::of_url(&value) else { continue };
        if origin == *own {
            return None;
        }
        if other.is_none() && bare_host(&origin.to_string()) == bare_host(&own.to_string()) {
            other = Some((origin.to_string(), line));
        }
    }
    other
}

/// Returns the host of an origin without `www.` and without its port.
fn bare_host(origin: &str) -> &str {
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    let end = host.rfind(']').map_or(0, |at| at + 1);
    let host = host[end..].find(':').map_or(host, |colon| &host[..end + colon]);
    host.strip_prefix("www.").unwrap_or(host)
}
