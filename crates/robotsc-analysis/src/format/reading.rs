//! What the dialects read in each line of a file.
//!
//! ```text
//! line                    google             rfc9309
//! User-agent: *           agent *            agent *
//! Disalow: /x             Disallow /x        unknown record
//! disallow /y             Disallow /y        nothing
//! # a comment             nothing            nothing
//! ```
//!
//! The items of a file in their order decide its groups, and so everything that it means. So if two files have the
//! same items under a dialect, they mean the same under it, and no search is needed.

use std::collections::HashMap;

use robotsc_compiler::record::RecordKind;
use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{DiagnosticCode, Dialect, RobotsTxt, RuleKind};

use crate::text::lines::Lines;

/// What a line is to a dialect.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'b> {
    /// A `User-agent` line, by its value.
    Agent(&'b [u8]),
    /// A rule.
    Rule(RuleKind, &'b [u8]),
    /// Any other record: its kind, its key and its value.
    Record(RecordKind, &'b [u8], &'b [u8]),
}

impl PartialEq for Item<'_> {
    /// Keys are compared without regard to case, as all dialects do.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Agent(one), Self::Agent(other)) => one == other,
            (Self::Rule(kind, one), Self::Rule(other_kind, other)) => kind == other_kind && one == other,
            (Self::Record(kind, key, one), Self::Record(other_kind, other_key, other)) => {
                kind == other_kind && key.eq_ignore_ascii_case(other_key) && one == other
            }
            _ => false,
        }
    }
}

/// Whom a `User-agent` line names: the number of a dialect, whether it is the star, and its keys.
type Named = (usize, bool, Vec<Vec<u8>>);

/// The items of a file under one dialect, with their lines, in order.
pub(super) type Items<'b> = Vec<(u32, Item<'b>)>;

/// A file as the five dialects read it.
#[derive(Debug)]
pub(super) struct Source<'b> {
    /// The byte order mark before the text, or what there is of one.
    pub(super) mark: &'b [u8],
    /// The lines of the text after the mark.
    pub(super) lines: Lines<'b>,
    /// What each dialect of [`Dialect::ALL`] makes of it.
    pub(super) parsed: Vec<RobotsTxt<'b>>,
    items: Vec<Items<'b>>,
}

impl<'b> Source<'b> {
    /// Reads a body. Cost: five parses.
    pub(super) fn new(body: &'b [u8]) -> Self {
        let is_mark = |(byte, mark): &(&u8, u8)| **byte == *mark;
        let mark = body.iter().zip([0xEF, 0xBB, 0xBF]).take_while(is_mark).count();
        let parsed: Vec<RobotsTxt<'b>> =
            Dialect::ALL.into_iter().map(|dialect| RobotsTxt::parse_with(body, dialect)).collect();
        let items = parsed.iter().map(|robots| items(body, robots)).collect();
        Self { mark: &body[..mark], lines: Lines::new(&body[mark..]), parsed, items }
    }

    /// Reports whether every dialect reads the body to its end.
    pub(super) fn is_whole(&self) -> bool {
        !self.has(DiagnosticCode::FileCut)
    }

    /// Reports whether the body is in UTF-16.
    pub(super) fn is_utf16(&self) -> bool {
        self.has(DiagnosticCode::Utf16Bom)
    }

    fn has(&self, code: DiagnosticCode) -> bool {
        self.parsed.iter().any(|robots| robots.diagnostics().iter().any(|notice| notice.code == code))
    }

    /// Returns the items of each dialect.
    pub(super) fn items(&self) -> &[Items<'b>] {
        &self.items
    }

    /// Returns what each dialect reads in each line. The number of a line is its index; that of the first is 1.
    pub(super) fn of_lines(&self) -> Vec<[Option<Item<'b>>; Dialect::ALL.len()]> {
        let mut of_lines = vec![[None; Dialect::ALL.len()]; self.lines.count() as usize + 2];
        for (dialect, items) in self.items.iter().enumerate() {
            for (line, item) in items {
                of_lines[*line as usize][dialect] = Some(*item);
            }
        }
        of_lines
    }

    /// Returns whom each `User-agent` line names, under each dialect.
    pub(super) fn agents(&self) -> HashMap<u32, Vec<Named>> {
        let mut agents: HashMap<u32, Vec<Named>> = HashMap::new();
        for (dialect, robots) in self.parsed.iter().enumerate() {
            for agent in robots.agents() {
                let keys = robots.agent_keys(agent).collect();
                agents.entry(agent.line).or_default().push((dialect, agent.is_star, keys));
            }
        }
        agents
    }

    /// Reports for each line whether every dialect opens a group there. The number of a line is its index.
    pub(super) fn opens(&self) -> Vec<bool> {
        let mut counts = vec![0; self.lines.count() as usize + 2];
        for robots in &self.parsed {
            let first = |group| Some(robots.agents_of(group).first()?.line);
            robots.groups().iter().filter_map(first).for_each(|line| counts[line as usize] += 1);
        }
        counts.iter().map(|count| *count == self.parsed.len()).collect()
    }

    /// Reports whether a file has the items of this one without some lines, by line, in the same groups.
    pub(super) fn has_rest(&self, rest: &Self, gone: &[bool]) -> bool {
        let is_left = |(line, _): &&(u32, Item<'_>)| !gone[*line as usize];
        let items = self.items.iter().zip(&rest.items).all(|(items, rest)| {
            items.iter().filter(is_left).map(|(_, item)| item).eq(rest.iter().map(|(_, item)| item))
        });
        let agents = |robots: &RobotsTxt<'_>| -> Vec<_> {
            robots.groups().iter().map(|group| (group.agents.clone(), group.records.clone())).collect()
        };
        items && self.parsed.iter().zip(&rest.parsed).all(|(robots, rest)| agents(robots) == agents(rest))
    }

    /// Reports whether all dialects read the same items in the same groups.
    pub(super) fn is_agreed(&self) -> bool {
        let groups = |at: usize| self.parsed[at].groups();
        (1..self.items.len()).all(|at| self.items[at] == self.items[0] && groups(at) == groups(0))
    }
}

fn items<'b>(body: &'b [u8], robots: &RobotsTxt<'b>) -> Items<'b> {
    let agents = robots.agents().iter().map(|agent| (agent.line, Item::Agent(agent.value.of(body))));
    let rules = robots.rules().iter().map(|rule| (rule.line, Item::Rule(rule.kind, rule.value.of(body))));
    let records = robots.records().iter();
    let records = records.map(|found| (found.line, Item::Record(found.kind, found.key.of(body), found.value.of(body))));
    let mut items: Items<'b> = agents.chain(rules).chain(records).collect();
    items.small_sort_by_key(|(line, _)| *line);
    items
}

/// Returns a text without blanks at either end: those that every dialect trims.
pub(super) fn trimmed(text: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = text.iter().position(|byte| !is_blank(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_blank(byte)).map_or(start, |at| at + 1);
    &text[start..end]
}
