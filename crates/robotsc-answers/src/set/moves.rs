//! Names that leave groups outside the block, since the groups of one name are merged.
//!
//! ```text
//! User-agent: GPTBot        goes: with the block's `Disallow: /`, GPTBot could still fetch /press/
//! User-agent: FooBot        stays
//! Allow: /press/
//! ```
//!
//! A group that loses all of its names goes whole. If another crawler obeys a group only since the name is there, as
//! Google-InspectionTool does with Googlebot's, its own name takes the place.

use std::collections::{BTreeMap, BTreeSet};

use robotsc::RobotsTxt;
use robotsc::agent::SelectionReason;
use robotsc::record::RecordKind;
use robotsc::robots_txt::Group;
use robotsc_analysis::Lines;

use super::choice::{Choice, Member};
use super::files::{Files, closing_lines, crawlers, names, opens, own};
use crate::shown;

/// The file outside the block after names left, and the texts of the lines that went.
#[derive(Debug)]
pub(super) struct Moved {
    pub(super) body: Vec<u8>,
    /// Where the block was or will be.
    pub(super) split: usize,
    pub(super) lines: Vec<String>,
}

/// Removes the names that must not stay outside a block, which is at `split`.
pub(super) fn moved(body: &[u8], split: usize, choice: &Choice) -> Moved {
    let files = Files::new(body);
    let denied = choice.denied.iter().filter(|member| must_leave(&files, member, opens));
    let closed = |robots: &RobotsTxt<'_>, selection: &_| !closing_lines(robots, selection).is_empty();
    let allowed = choice.allowed.iter().filter(|member| must_leave(&files, member, closed));
    let leaving: Vec<&Member> = denied.chain(allowed).collect();
    if leaving.is_empty() {
        return Moved { body: body.to_vec(), split, lines: Vec::new() };
    }
    let mut edits = Edits::default();
    for group in files.google().groups() {
        edits.leave(&files, group, &leaving, choice);
    }
    edits.apply(body, split)
}

/// Reports whether the groups that name a crawler say, under some dialect, what must not be merged with the block.
fn must_leave(
    files: &Files<'_>,
    member: &Member,
    is_contrary: impl Fn(&RobotsTxt<'_>, &robotsc::agent::Selection) -> bool,
) -> bool {
    let Some(alone) = member.alone() else { return false };
    let is_contrary =
        |robots: &RobotsTxt<'_>| own(robots, &member.name, &alone).is_some_and(|own| is_contrary(robots, &own));
    files.0.iter().any(is_contrary)
}

/// Lines that go, and those that take the place of some.
#[derive(Debug, Default)]
struct Edits {
    gone: BTreeSet<u32>,
    instead: BTreeMap<u32, Vec<String>>,
}

impl Edits {
    fn leave(&mut self, files: &Files<'_>, group: &Group, leaving: &[&Member], choice: &Choice) {
        let robots = files.google();
        let agents = robots.agents_of(group);
        let who = |line| leaving.iter().find(|member| names(robots, line, &member.name));
        let mut stays = false;
        for line in agents {
            let Some(member) = who(line) else {
                stays = true;
                continue;
            };
            self.gone.insert(line.line);
            let mut followers = followers(files, member, choice);
            followers.retain(|name| !agents.iter().any(|line| names(robots, line, name)));
            if !followers.is_empty() {
                stays = true;
                self.instead.insert(line.line, followers);
            }
        }
        if stays {
            return;
        }
        self.gone.extend(robots.rules_of(group).iter().map(|rule| rule.line));
        let records = robots.records_of(group).iter();
        let records = records.filter(|record| record.kind.is_of_group() || record.kind == RecordKind::Noindex);
        self.gone.extend(records.map(|record| record.line));
    }

    fn apply(&self, body: &[u8], split: usize) -> Moved {
        let lines = Lines::new(body);
        let eol = lines.end_of_line();
        let mut moved = Moved { body: Vec::with_capacity(body.len()), split: 0, lines: Vec::new() };
        let (mut is_after_gap, mut has_gone) = (true, false);
        for number in 1..=lines.count() {
            let whole = lines.whole(number);
            if whole.start <= split {
                moved.split = moved.body.len();
            }
            if self.gone.contains(&number) {
                moved.lines.push(shown::written(lines.text(number)));
                for name in self.instead.get(&number).into_iter().flatten() {
                    moved.body.extend_from_slice(format!("User-agent: {name}").as_bytes());
                    moved.body.extend_from_slice(eol);
                    is_after_gap = false;
                }
                has_gone = true;
                continue;
            }
            // One empty line is enough where a group was.
            let is_empty = lines.text(number).is_empty();
            if !(is_empty && is_after_gap && has_gone) {
                moved.body.extend_from_slice(&body[whole]);
            }
            is_after_gap = is_empty;
            has_gone &= is_empty;
        }
        if split >= body.len() {
            moved.split = moved.body.len();
        }
        moved
    }
}

/// Returns the known crawlers that obey the groups of another by its name, and are to go on so.
fn followers(files: &Files<'_>, member: &Member, choice: &Choice) -> Vec<String> {
    let mut followers = Vec::new();
    for (name, crawler) in crawlers(choice).filter(|(name, _)| !member.is(name)) {
        let selection = files.google().select(&crawler);
        let follows = matches!(&selection.reason, SelectionReason::Named(names)
            if names.iter().any(|found| found.eq_ignore_ascii_case(member.name.as_bytes())));
        let is_opened = || choice.is_allowed(name) && !files.closing(&crawler).is_empty();
        if follows && !is_opened() {
            followers.push(name.to_owned());
        }
    }
    followers
}
