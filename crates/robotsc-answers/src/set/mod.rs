//! Policies by purpose, in a block of a robots.txt that is written and renewed, and proved to change nothing else.
//!
//! ```
//! use robotsc_answers::set::{Options, Declaration, remove, set};
//!
//! let body = b"User-agent: *\nDisallow: /cart\n";
//! let policy = Declaration { deny: vec!["operator:Google".to_owned()], ..Declaration::default() };
//! let after = set(body, &policy, Options::default())?;
//! let text = String::from_utf8(after.body.clone()).unwrap();
//! assert!(text.starts_with("User-agent: *\nDisallow: /cart\n\n# robotsc: begin\n# deny: operator:Google\n"));
//!
//! // These obey the groups of Googlebot if none names them: they keep what they obeyed.
//! assert_eq!(after.kept, ["AdsBot-Google-Mobile-Apps", "Applebot", "Kagibot"]);
//! assert!(text.contains("User-agent: Applebot\nUser-agent: Kagibot\nDisallow: /cart\n"));
//!
//! // A second call changes nothing, and the block can go again.
//! assert_eq!(set(&after.body, &policy, Options::default())?.body, after.body);
//! assert_eq!(remove(&after.body, Options::default())?, body);
//! # Ok::<(), robotsc_answers::set::Refusal>(())
//! ```
//!
//! The block is made of the file outside it, the policy and the register of known crawlers alone:
//! 1. [`Choice`]: which crawlers the policy is about;
//! 2. `moves`: names leave groups outside the block that would reopen what is denied, or close what is allowed;
//! 3. `groups`: what the block holds, also for crawlers that would follow a group of it;
//! 4. `proof`: that this is what was asked, and that nothing else changed. If not, nothing is written.

mod block;
mod choice;
mod declaration;
mod files;
mod groups;
pub mod json;
mod limits;
mod moves;
mod pattern;
mod proof;
mod refusal;
mod stated;

pub use self::block::Block;
pub use self::choice::{Choice, Member};
pub use self::declaration::Declaration;
pub use self::limits::{Limit, limits};
pub use self::refusal::{Refusal, Why};

use std::collections::BTreeMap;

use robotsc::robots_txt::DiagnosticCode;
use robotsc::{RobotsTxt, bundled};
use robotsc_analysis::SearchBudget;
use robotsc_analysis::words::listed;

use self::block::{Outside, Place, marked};
use self::files::{Files, closing_lines};
use self::groups::Maker;
use self::limits::reopened;
use self::moves::moved;
use self::proof::Proof;
use self::stated::Stated;
use crate::mistake::Mistake;

/// The work that the proofs of one call can cost: some ten times what an edit of a real file takes.
const MAX_WORK: u64 = 8 * SearchBudget::IN_ALL;

/// How a block is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether a block that somebody edited is replaced, or taken out.
    pub replace_edited: bool,
}

/// A file with a block.
#[derive(Clone, Debug)]
pub struct After {
    /// The new body: the old one if there is nothing to change.
    pub body: Vec<u8>,
    /// What the block declares.
    pub declaration: Declaration,
    /// The crawlers that the policy is about.
    pub choice: Choice,
    /// The crawlers that are allowed, and have a group in the block for it.
    pub opened: Vec<String>,
    /// The crawlers that have a copy of what they obeyed, since they would follow a group of the block.
    pub kept: Vec<String>,
    /// The lines outside the block that went.
    pub moved: Vec<String>,
    /// The crawlers that the file closed by a group that is not for all, and that the policy opens.
    reopened: Vec<Limit>,
}

impl After {
    /// Returns the crawlers that the policy opens though the file closed them by name, what robots.txt cannot do for
    /// the policy, and the crawlers that it leaves closed though they would follow one that it allows: only what is
    /// asked for is opened.
    #[must_use]
    pub fn limits(&self) -> Vec<Limit> {
        let robots = RobotsTxt::parse(&self.body);
        let mut closed: BTreeMap<Vec<&str>, Vec<String>> = BTreeMap::new();
        for known in self.kept.iter().filter_map(|name| bundled::agent(name)) {
            let is_opened = |name: &&str| self.opened.iter().any(|opened| opened.eq_ignore_ascii_case(name));
            let followed: Vec<&str> = known.fallback.iter().copied().filter(is_opened).collect();
            if !followed.is_empty() && !closing_lines(&robots, &robots.select(&known.crawler())).is_empty() {
                closed.entry(followed).or_default().push(known.token.to_owned());
            }
        }
        let limit = |(followed, agents): (Vec<&str>, Vec<String>)| {
            let followed = listed(&followed);
            let what =
                format!("stays closed, though without a group it would follow {followed}: allow it by name, too");
            Limit { agents, what: what.into() }
        };
        let limits = limits(&self.declaration, &self.choice);
        self.reopened.iter().cloned().chain(limits).chain(closed.into_iter().map(limit)).collect()
    }
}

/// Returns a body with the block of a policy, in the place of one that it has, or at its end.
///
/// Cost: some parses and two diffs for each dialect, all within one budget. Never panics, whatever the bytes.
///
/// # Errors
/// Why nothing is to be written.
pub fn set(body: &[u8], declaration: &Declaration, options: Options) -> Result<After, Refusal> {
    set_within(body, declaration, options, &SearchBudget::new(SearchBudget::PER_SEARCH, MAX_WORK))
}

fn set_within(
    body: &[u8],
    declaration: &Declaration,
    options: Options,
    budget: &SearchBudget,
) -> Result<After, Refusal> {
    declaration.check()?;
    Files::new(body).check()?;
    let block = Block::find(body)?;
    check_unedited(block.as_ref(), options, "'robotsc set --force' replaces it")?;
    let choice = Choice::of(declaration)?;
    let stated: Vec<Stated> =
        [declaration.usage(), declaration.signal()].into_iter().flatten().collect::<Result<_, Mistake>>()?;
    let one = Attempt { given: body, declaration, choice: &choice, stated: &stated, budget };
    let outside = Outside::of(body, block.as_ref());
    if let Some(block) = block {
        return one.attempt(&outside, Place::Kept).map_err(|refusal| of_appended(refusal, &block, &outside));
    }
    // A group without rules at the end goes on in a block after it. If it is for `*`, as in `User-agent: *`,
    // `Sitemap: ...`, each crawler that obeys it would need a copy.
    let places = match Files::new(body).ends_in_open_star() {
        true => [Place::Start, Place::End],
        false => [Place::End, Place::Start],
    };
    match one.attempt(&outside, places[0]) {
        Err(refusal) if refusal.why == Why::NotProved => one.attempt(&outside, places[1]).map_err(|_| refusal),
        result => result,
    }
}

/// Returns a refusal as one about the first rule after the block that is in no group of its own: a program that appends
/// rules to a file adds them to the last group of the block so.
fn of_appended(refusal: Refusal, block: &Block, outside: &Outside) -> Refusal {
    if refusal.why != Why::NotProved {
        return refusal;
    }
    let after = RobotsTxt::parse(&outside.after);
    match after.diagnostics().iter().find(|notice| notice.code == DiagnosticCode::RuleOutsideGroup) {
        Some(notice) => {
            let cause = format_args!(
                "it stands after the block and falls into its last group: move it above line {}",
                block.lines.start
            );
            Refusal::new(Why::Conflict, cause).at(block.lines.end - 1 + notice.line)
        }
        None => refusal,
    }
}

/// Returns a body without its block, as it was before the block was put in, but for names that left their groups. A
/// body without a block is returned as it is.
///
/// # Errors
/// If the marks of the block are no pair, or somebody edited it.
pub fn remove(body: &[u8], options: Options) -> Result<Vec<u8>, Refusal> {
    let block = Block::find(body)?;
    check_unedited(block.as_ref(), options, "'robotsc set --remove --force' takes it out")?;
    Ok(match block {
        Some(block) => Outside::of(body, Some(&block)).restored(),
        None => body.to_vec(),
    })
}

/// Returns what taking a block out does not bring back, if it can have cost lines outside.
#[must_use]
pub fn lost_with(block: &Block) -> Option<&'static str> {
    let Declaration { deny, allow, .. } = &block.declaration;
    let note = "lines outside the block that were removed for it do not come back: compare with the file before it";
    (!deny.is_empty() || !allow.is_empty()).then_some(note)
}

/// Checks that nobody's lines go with a block.
fn check_unedited(block: Option<&Block>, options: Options, force: &str) -> Result<(), Refusal> {
    match block.filter(|block| block.is_edited && !options.replace_edited) {
        Some(block) => {
            let cause = format_args!("the block was edited: move your lines out of it, then {force}");
            Err(Refusal::new(Why::Edited, cause).at(block.lines.start))
        }
        None => Ok(()),
    }
}

/// What does not depend on the place of the block.
struct Attempt<'a> {
    given: &'a [u8],
    declaration: &'a Declaration,
    choice: &'a Choice,
    stated: &'a [Stated],
    /// The work of the proofs, at whatever place.
    budget: &'a SearchBudget,
}

impl Attempt<'_> {
    /// Makes the block at a place, and proves it. Its last group has a rule, if that opens nothing: under `yandex`, an
    /// empty `Disallow:` does where the site is closed. A block with paths for nobody ends with their rules anyway.
    fn attempt(&self, outside: &Outside, place: Place) -> Result<After, Refusal> {
        match self.made(outside.clone(), place, true) {
            Err(refusal)
                if refusal.why == Why::NotProved && self.declaration.disallow.is_empty() && !self.stated.is_empty() =>
            {
                self.made(outside.clone(), place, false)
            }
            result => result,
        }
    }

    fn made(&self, outside: Outside, place: Place, closes_last: bool) -> Result<After, Refusal> {
        let Self { declaration, choice, stated, given, budget } = *self;
        let before = outside.joined();
        let moved = moved(&before, outside.before.len(), choice);
        let outside = outside.edited(&moved.body, moved.split);
        let maker = Maker { declaration, choice, stated, outside: &outside, place, closes_last };
        let body = maker.make()?;
        let (with, first) = outside.with(&marked(&body.lines), place);
        let line = |at: usize| first + 1 + u32::try_from(at).unwrap_or(u32::MAX);
        Proof {
            choice,
            disallow: &declaration.disallow,
            stated,
            given,
            before: &before,
            outside: &outside.joined(),
            with: &with,
            for_all: line(body.for_all.start)..line(body.for_all.end),
            budget,
        }
        .check()?;
        let groups::Body { opened, kept, .. } = body;
        let reopened = reopened(&RobotsTxt::parse(&before), choice);
        let (declaration, choice) = (declaration.clone(), choice.clone());
        Ok(After { body: with, declaration, choice, opened, kept, moved: moved.lines, reopened })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_budget_does_not_prove_is_not_written() {
        let body = b"User-agent: *\nDisallow: /a*b\nDisallow: /c*d\n\nUser-agent: FooBot\nAllow: /a*c\n";
        let disallow = vec!["/members/".to_owned()];
        let declaration = Declaration { deny: vec!["GPTBot".to_owned()], disallow, ..Declaration::default() };
        let within = |work| {
            let budget = SearchBudget::new(SearchBudget::PER_SEARCH, work);
            (set_within(body, &declaration, Options::default(), &budget), budget.left())
        };
        let (written, left) = within(MAX_WORK);
        let written = written.expect("proved").body;
        let spent = MAX_WORK - left;
        assert!(spent > 0, "the proofs take from the budget");
        for work in [0, 1, spent / 4, spent / 2, spent * 3 / 4, spent - 1] {
            match within(work).0 {
                Err(refusal) => assert_eq!(refusal.why, Why::NotDecided, "{work} of {spent}: {refusal}"),
                Ok(after) => assert!(work > spent / 2 && after.body == written, "{work} of {spent}"),
            }
        }
    }
}
