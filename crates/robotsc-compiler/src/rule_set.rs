//! The rules that one crawler obeys, normalised and ranked: what is compiled, and what answers without compiling.
//!
//! Invariants, which every engine relies on:
//! - rules are sorted from the top rank down: the first rule whose pattern matches decides. Rank is the length, then Allow before Disallow, then the
//!   earlier line; rules with an empty value stand below all others, and `/robots.txt`, where the dialect always allows it, above;
//! - every pattern is normal (see [`pattern`](crate::pattern)) and starts with `/` or `*`, or is empty (an empty pattern matches every path);
//!   patterns that can match no path are not in the set;
//! - of rules with an empty value, the first of each kind is in the set. Other rules can be repeated: the second of two equal ones never decides.

use robotsc_runtime::Verdict;

use crate::agent::{Crawler, Selection};
use crate::dialect::Dialect;
use crate::glob;
use crate::ranking::Ranking;
use crate::robots_txt::{RobotsTxt, RuleKind, RuleLine};
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
    /// The dialect's own `Allow: /robots.txt$`, above all others; line 0. Not there where no rule disallows anything.
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

/// The first octets that a path must have for a pattern to match: enough to refuse most rules of a long set with one comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// Up to eight octets before the first `*` or the anchor, the first lowest.
    word: u64,
    /// All ones in the octets that count.
    mask: u64,
}

impl Head {
    #[inline]
    pub(crate) fn of(pattern: &[u8]) -> Self {
        let len = glob::head_len(&pattern[..pattern.len().min(9)]).min(8);
        let mask = if len == 8 { u64::MAX } else { (1 << (8 * len)) - 1 };
        Self { word: first_word(pattern) & mask, mask }
    }

    #[inline]
    const fn fits(self, path: u64) -> bool {
        (path ^ self.word) & self.mask == 0
    }
}

/// The first eight octets of `text`, the first lowest; zeros stand for those that it does not have.
#[inline]
fn first_word(text: &[u8]) -> u64 {
    match text.first_chunk::<8>() {
        Some(octets) => u64::from_le_bytes(*octets),
        None => text.iter().rev().fold(0, |word, &octet| word << 8 | u64::from(octet)),
    }
}

/// The rules that one crawler obeys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleSet {
    pub(crate) text: Vec<u8>,
    pub(crate) rules: Vec<Rule>,
    /// One for each rule.
    pub(crate) heads: Vec<Head>,
}

impl RuleSet {
    /// Ranks rules that come from no file: each a directive, a value as it would stand behind the colon, and a line (0 where there is none).
    ///
    /// Rules of one line keep their order. Cost: n log n in the rules, linear in their octets.
    ///
    /// ```
    /// use robotsc_compiler::{Dialect, RuleKind, RuleSet, Verdict};
    ///
    /// let rules = RuleSet::from_rules(&Dialect::GOOGLE, [(RuleKind::Disallow, "/", 1), (RuleKind::Allow, "/*.html$", 2)]);
    /// assert_eq!(rules.verdict(b"/a/b.html"), Verdict::Allow);
    /// assert_eq!(rules.decide(b"/a/b.html?c").line, 1);
    /// ```
    #[must_use]
    pub fn from_rules<V: AsRef<[u8]>>(dialect: &Dialect, rules: impl IntoIterator<Item = (RuleKind, V, u32)>) -> Self {
        let mut rules: Vec<_> = rules.into_iter().collect();
        rules.sort_by_key(|(_, _, line)| *line);
        let mut ranking = Ranking::with_capacity(dialect, rules.len(), 0);
        for (kind, value, line) in &rules {
            ranking.push(*kind, value.as_ref(), ByteSpan::default(), *line);
        }
        ranking.finish()
    }

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

    /// Whether the pattern of a rule of this set matches a path in the dialect's form, whatever the other rules say.
    ///
    /// Cost: linear in pattern and path.
    #[must_use]
    pub fn matches(&self, rule: &Rule, path: &[u8]) -> bool {
        glob::matches(self.pattern(rule), path)
    }

    /// The verdict for a path in the dialect's form: see [`Dialect::normalise_path`](crate::Dialect::normalise_path).
    #[must_use]
    pub fn verdict(&self, path: &[u8]) -> Verdict {
        self.decide(path).verdict
    }

    /// The verdict and the rule that decides, directly from the rules, without compiling: from the top rank down, the first rule that matches.
    ///
    /// Cost: one comparison of eight octets for each rule; where they are equal, linear in pattern and path. No allocation. Never panics.
    #[must_use]
    pub fn decide(&self, path: &[u8]) -> Decision {
        let word = first_word(path);
        for ((index, rule), head) in (0..).zip(&self.rules).zip(&self.heads) {
            if head.fits(word) && self.matches(rule, path) {
                return Decision { verdict: rule.verdict, rule: Some(index), line: rule.line };
            }
        }
        Decision { verdict: Verdict::Allow, rule: None, line: 0 }
    }
}

impl RobotsTxt<'_> {
    /// The rules that `crawler` obeys in this file, normalised and ranked.
    #[must_use]
    pub fn rule_set(&self, crawler: &Crawler) -> RuleSet {
        self.rule_set_of(&self.select(crawler))
    }

    /// The rules of a selection of groups, normalised and ranked. Groups that this file does not have count for nothing.
    ///
    /// Cost: n log n in the rules, linear in their octets.
    #[must_use]
    pub fn rule_set_of(&self, selection: &Selection) -> RuleSet {
        let groups = || selection.groups.iter().filter_map(|id| self.groups.get(id.0 as usize));
        let lines = || {
            groups().flat_map(|group| {
                self.rules.get(group.rules.start as usize..group.rules.end as usize).unwrap_or_default()
            })
        };
        let (count, octets) =
            lines().fold((0, 0), |(count, octets), line: &RuleLine| (count + 1, octets + line.value.len()));
        if count == 0 {
            return RuleSet::default();
        }
        let mut ranking = Ranking::with_capacity(&self.dialect, count, octets + octets / 8 + 16);
        for line in lines() {
            ranking.push(line.kind, line.value.of(&self.body), line.value, line.line);
        }
        ranking.finish()
    }
}
