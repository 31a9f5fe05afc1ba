//! The rules that one crawler obeys, normalised and ranked: what is compiled, and what answers without compiling.
//!
//! Invariants, which every engine relies on:
//! - rules are sorted from the top rank down: the first rule whose pattern matches decides;
//! - every pattern is normal (see [`pattern`](crate::pattern)) and starts with `/` or `*`, or is empty (an empty pattern matches every path);
//!   patterns that can match no path are not in the set;
//! - no two rules have the same pattern octets and the same kind: of equal ones the first line stays.

use robotsc_runtime::Verdict;

use crate::agent::{Crawler, Selection};
use crate::robots_txt::{RobotsTxt, RuleKind};
use crate::span::ByteSpan;

/// Where a rule came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleOrigin {
    /// A line of the file, with a value.
    Line,
    /// A line of the file whose value is empty. Where the dialect says that it decides nothing, it stands last with the verdict Allow, so that its line can be named.
    EmptyLine,
    /// The `dir/$` that `Allow: dir/index.htm…` stands for.
    IndexHtm,
    /// The dialect's own `Allow: /robots.txt$`, above all others; line 0.
    RobotsTxtPath,
}

/// A ranked rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The normal pattern: a range of the rule set's text.
    pub(crate) pattern: ByteSpan,
    /// What it answers.
    pub verdict: Verdict,
    /// The directive as written.
    pub kind: RuleKind,
    /// The length that ranks it, in the dialect's count.
    pub length: u32,
    /// The line, from 1; 0 for a rule that no line states.
    pub line: u32,
    /// The value as written, in the body.
    pub source: ByteSpan,
    /// Where it came from.
    pub origin: RuleOrigin,
}

/// What was decided, and by which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// The index of the rule that decided, counted from the top rank; `None` where no rule matched.
    pub rule: Option<u32>,
    /// Its line, from 1; 0 where no rule matched or no line states it.
    pub line: u32,
}

/// The rules that one crawler obeys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleSet {
    pub(crate) text: Vec<u8>,
    pub(crate) rules: Vec<Rule>,
}

impl RuleSet {
    /// The rules, from the top rank down.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The normal pattern of a rule of this set.
    #[must_use]
    pub fn pattern(&self, rule: &Rule) -> &[u8] {
        rule.pattern.of(&self.text)
    }

    /// The verdict for a path in the dialect's form: see [`Dialect::normalise_path`](crate::Dialect::normalise_path).
    #[must_use]
    pub fn verdict(&self, path: &[u8]) -> Verdict {
        self.decide(path).verdict
    }

    /// The verdict and the rule that decides, directly from the rules, without compiling: from the top rank down, in time linear in rules and path.
    #[must_use]
    pub fn decide(&self, _path: &[u8]) -> Decision {
        todo!()
    }
}

impl RobotsTxt<'_> {
    /// The rules that `crawler` obeys in this file, normalised and ranked.
    #[must_use]
    pub fn rule_set(&self, crawler: &Crawler) -> RuleSet {
        self.rule_set_of(&self.select(crawler))
    }

    /// The rules of a selection of groups, normalised and ranked.
    #[must_use]
    pub fn rule_set_of(&self, _selection: &Selection) -> RuleSet {
        todo!()
    }
}
