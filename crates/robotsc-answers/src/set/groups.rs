//! The groups of a block.
//!
//! A crawler that gets a group of its own leaves that for `*`, so what it obeyed there is copied. The same is done for
//! crawlers that would follow a group of the block: with Googlebot denied, Google-InspectionTool gets a copy of what
//! `*` says.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use robotsc::{Crawler, Dialect};
use robotsc_analysis::Lines;
use robotsc_analysis::format::formatted;

use super::block::{Outside, Place, marked};
use super::choice::Choice;
use super::declaration::Declaration;
use super::files::{Files, content, crawlers, has_whole_names, lines, names, own};
use super::refusal::Refusal;
use super::stated::Stated;

/// The lines between the marks of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Body {
    pub(super) lines: Vec<Vec<u8>>,
    /// The places in `lines` of what holds for every crawler: paths and preferences.
    pub(super) for_all: std::ops::Range<usize>,
    /// The crawlers that are allowed, and need a group for it.
    pub(super) opened: Vec<String>,
    /// The crawlers that have a copy of what they obeyed.
    pub(super) kept: Vec<String>,
}

/// Who has which lines of the file outside as a copy: the name, and the lines, by the name in lower case.
type Copies<'a> = BTreeMap<String, (&'a str, BTreeSet<u32>)>;

/// How often crawlers are looked for that follow those found before; no chain of the register is longer.
const MAX_ROUNDS: usize = 8;

/// The parts of a block that are being made.
pub(super) struct Maker<'a> {
    pub(super) declaration: &'a Declaration,
    pub(super) choice: &'a Choice,
    pub(super) outside: &'a Outside,
    pub(super) place: Place,
    pub(super) stated: &'a [Stated],
    /// Whether the group for every crawler ends with an empty `Disallow:` if it has no other rule.
    pub(super) closes_last: bool,
}

impl<'a> Maker<'a> {
    /// Makes the lines of the block.
    pub(super) fn make(&self) -> Result<Body, Refusal> {
        let joined = self.outside.joined();
        let files = Files::new(&joined);
        files.check()?;
        let mut copies = self.opened(&files);
        for _ in 0..MAX_ROUNDS {
            let found = self.moved_by(&files, &copies, &joined);
            if found.is_empty() {
                break;
            }
            copies.extend(found);
        }
        Ok(self.body(&files, &copies, &joined, true))
    }

    /// Returns the crawlers that are allowed while what they obey closes the whole site under some dialect.
    fn opened(&self, files: &Files<'_>) -> Copies<'a> {
        let mut copies = Copies::new();
        for (name, crawler) in crawlers(self.choice).filter(|(name, _)| self.choice.is_allowed(name)) {
            if !files.closing(&crawler).is_empty() {
                copies.insert(name.to_ascii_lowercase(), (name, self.copied(files, name, &crawler)));
            }
        }
        copies
    }

    /// Returns the lines that a crawler is to have in the block.
    fn copied(&self, files: &Files<'_>, name: &str, crawler: &Crawler) -> BTreeSet<u32> {
        let whole = files.0.iter().filter(|robots| has_whole_names(robots.dialect()));
        let copied: BTreeSet<u32> = whole.flat_map(|robots| lines(robots, &robots.select(crawler))).collect();
        if self.choice.is_allowed(name) { &copied - &files.closing(crawler) } else { copied }
    }

    /// Returns the crawlers that would obey something else than before with these copies.
    fn moved_by(&self, files: &Files<'_>, copies: &Copies<'a>, joined: &[u8]) -> Copies<'a> {
        let body = self.body(files, copies, joined, false);
        let (with, _) = self.outside.with(&marked(&body.lines), self.place);
        let with = Files::new(&with);
        let mut found = Copies::new();
        for (name, crawler) in crawlers(self.choice) {
            let key = name.to_ascii_lowercase();
            let Ok(alone) = Crawler::new(name) else { continue };
            if copies.contains_key(&key) || files.0.iter().any(|robots| own(robots, name, &alone).is_some()) {
                continue;
            }
            let mut both = files.0.iter().zip(&with.0);
            if both.any(|(old, new)| content(old, &old.select(&crawler)) != content(new, &new.select(&crawler))) {
                found.insert(key, (name, self.copied(files, name, &crawler)));
            }
        }
        found
    }

    fn body(&self, files: &Files<'_>, copies: &Copies<'a>, joined: &[u8], has_all: bool) -> Body {
        let mut body = Body::default();
        body.lines.extend(self.declaration.lines().into_iter().map(|line| format!("# {line}").into_bytes()));
        body.lines.push(b"# Written by `robotsc set`, which replaces it: keep your own lines outside.".to_vec());
        if self.has_open_end() {
            body.lines.push(b"# So that the group above ends here:".to_vec());
            body.lines.push(b"Disallow:".to_vec());
        }
        if !self.choice.denied.is_empty() {
            body.group(
                "# Denied.",
                self.choice.denied.iter().map(|member| member.name.as_str()),
                &[b"Disallow: /".to_vec()],
            );
        }
        let lines = Lines::new(joined);
        for is_allowed in [true, false] {
            let mut same: BTreeMap<Vec<Vec<u8>>, Vec<&str>> = BTreeMap::new();
            for (name, copied) in copies.values().filter(|(name, _)| self.choice.is_allowed(name) == is_allowed) {
                let texts = copied.iter().map(|line| without_comment(lines.text(*line)));
                let mut seen = HashSet::new();
                let mut texts: Vec<Vec<u8>> = texts.filter(|text| seen.insert(*text)).map(<[u8]>::to_vec).collect();
                // A group without a rule would go on with the next one.
                if !texts.iter().any(|text| is_rule(text)) {
                    texts.push(b"Allow: /".to_vec());
                }
                same.entry(texts).or_default().push(name);
            }
            for (texts, names) in same {
                let (comment, list) = if is_allowed {
                    ("# Allowed: what they obeyed, without what closed the whole site.", &mut body.opened)
                } else {
                    ("# As before: they would follow a group above.", &mut body.kept)
                };
                list.extend(names.iter().map(|name| (*name).to_owned()));
                body.group(comment, names.into_iter(), &texts);
            }
        }
        if has_all && !(self.declaration.disallow.is_empty() && self.stated.is_empty()) {
            self.add_for_all(&mut body, files, copies);
        }
        body
    }

    /// Reports whether the last group before the block has no rules, so that the names of the block would join it.
    fn has_open_end(&self) -> bool {
        let has_rules = |robots: &robotsc::RobotsTxt<'_>| {
            robots.groups().last().is_none_or(|group| !robots.rules_of(group).is_empty())
        };
        let before = match self.place {
            Place::Start => return false,
            Place::End => self.outside.joined(),
            Place::Kept => self.outside.before.clone(),
        };
        !Files::new(&before).0.iter().all(has_rules)
    }

    /// Adds the group that every crawler has a part of: the names of the file, `*`, and crawlers that obey only their
    /// name.
    fn add_for_all(&self, body: &mut Body, files: &Files<'_>, copies: &Copies<'a>) {
        let mut all: Vec<Vec<u8>> = vec![b"*".to_vec()];
        let mut seen = HashSet::new();
        let mut add = |name: &[u8]| {
            if !name.is_empty() && seen.insert(name.to_ascii_lowercase()) {
                all.push(name.to_vec());
            }
        };
        for robots in &files.0 {
            for line in robots.agents() {
                let is_denied = self.choice.denied.iter().any(|member| names(robots, line, &member.name));
                let is_named = robots.agent_keys(line).next().is_some();
                if is_named && !is_denied && !line.is_star {
                    add(line.value.of(robots.body()));
                }
            }
        }
        copies.values().for_each(|(name, _)| add(name.as_bytes()));
        let by_name = crawlers(self.choice).filter(|(_, crawler)| crawler.is_named_only());
        by_name.for_each(|(name, _)| add(name.as_bytes()));
        let mut rules: Vec<Vec<u8>> =
            self.declaration.disallow.iter().map(|path| format!("Disallow: {path}").into_bytes()).collect();
        rules.extend(self.stated.iter().map(|stated| stated.line().into_bytes()));
        // Without a rule, names below the block would join the group. The line is none of those that are asked of all.
        let is_asked = !self.declaration.disallow.is_empty();
        if !is_asked && self.closes_last {
            rules.push(b"Disallow:".to_vec());
        }
        body.group("# For every crawler.", all.iter().map(Vec::as_slice), &rules);
        let count = if is_asked { rules.len() } else { 0 };
        body.for_all = body.lines.len().saturating_sub(count)..body.lines.len();
    }
}

impl Body {
    fn group<N: AsRef<[u8]>>(&mut self, comment: &str, names: impl Iterator<Item = N>, lines: &[Vec<u8>]) {
        self.lines.push(Vec::new());
        self.lines.push(comment.as_bytes().to_vec());
        let names = names.map(|name| [b"User-agent: ", name.as_ref()].concat());
        let mut text = names.chain(lines.iter().cloned()).collect::<Vec<_>>().join(&b'\n');
        text.push(b'\n');
        // As `robotsc fmt` writes it, so that the block stays what it is.
        let text = formatted(&text).body;
        self.lines.extend(text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec));
    }
}

/// Returns a line as every dialect reads it, without its comment and the blanks around it.
fn without_comment(text: &[u8]) -> &[u8] {
    text.split(|byte| *byte == b'#').next().unwrap_or_default().trim_ascii()
}

/// Reports whether every dialect reads a line in a group as a rule.
fn is_rule(text: &[u8]) -> bool {
    let body = [b"User-agent: a\n", text].concat();
    Dialect::ALL.into_iter().all(|dialect| {
        let robots = robotsc::RobotsTxt::parse_with(&body, dialect);
        !robots.rules().is_empty()
    })
}
