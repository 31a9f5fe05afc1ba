//! From the lines of the chosen groups to a ranked [`RuleSet`].
//!
//! Rank is one number: the length, longest first, then Allow before Disallow, then the order of the lines. It is packed
//! into a `u64` whose low bits are the rule's place in the file, so that sorting needs no look at the rules, and no two
//! keys are equal.
//!
//! Places in the pattern text are counted in `u32`. A body is far below that under any `max_file`; the parser cuts what
//! a dialect without one is given.

use std::ops::Range;

use robotsc_runtime::Verdict;

use crate::ask::agent::{Crawler, Selection};
use crate::dialect::{Dialect, EmptyValue};
use crate::robots_txt::{GroupId, RobotsTxt, RuleKind};
use crate::rules::pattern;
use crate::rules::rule_set::{Rule, RuleOrigin, RuleSet};
use crate::small_sort::SmallSort as _;
use crate::span::ByteSpan;

/// Where in a key the flag for Disallow stands; the bits below hold the rule's place.
const DISALLOW: u64 = 1 << 31;

/// Collects rules in file order and ranks them.
pub(crate) struct Ranking<'d> {
    dialect: &'d Dialect,
    text: Vec<u8>,
    /// In file order.
    rules: Vec<Rule>,
    /// One for each rule, in file order.
    keys: Vec<u64>,
    /// The first line with an empty value of each kind, by `RuleKind as usize`.
    empty: [Option<Rule>; 2],
}

impl<'d> Ranking<'d> {
    /// Reserves space for about `rules` rules with `bytes` bytes in all.
    pub(crate) fn with_capacity(dialect: &'d Dialect, rules: usize, bytes: usize) -> Self {
        Self {
            dialect,
            text: Vec::with_capacity(bytes),
            rules: Vec::with_capacity(rules),
            keys: Vec::with_capacity(rules),
            empty: [None; 2],
        }
    }

    /// Takes the next line of the file.
    #[inline]
    pub(crate) fn push(&mut self, kind: RuleKind, value: &[u8], source: ByteSpan, line: u32) {
        if value.is_empty() {
            match self.dialect.empty_value {
                EmptyValue::NoRule => self.push_empty(kind, source, line),
                EmptyValue::InverseOfAll => self.push_inverse(kind, source, line),
            }
            return;
        }
        let start = self.text.len();
        pattern::push_normal(self.dialect, value, &mut self.text);
        let normal = &self.text[start..];
        if !matches!(normal, [b'/' | b'*', ..]) {
            self.text.truncate(start);
            return;
        }
        let length = pattern::ranking_length(self.dialect, value, normal);
        let verdict = match kind {
            RuleKind::Allow => Verdict::Allow,
            RuleKind::Disallow => Verdict::Disallow,
        };
        let end = self.text.len();
        let pattern = ByteSpan::new(start, end);
        self.push_ranked(Rule { pattern, verdict, kind, length, line, source, origin: RuleOrigin::Line });
        self.push_more_patterns();
        if kind == RuleKind::Allow && self.dialect.index_htm {
            self.push_index_htm(start..end, source, line);
        }
    }

    /// Adds the other patterns of the last rule, with its rank.
    #[inline]
    fn push_more_patterns(&mut self) {
        // In most dialects no rule has any.
        if self.dialect.query_reserved {
            self.push_query_patterns();
        }
    }

    #[inline(never)]
    fn push_query_patterns(&mut self) {
        let Some(&rule) = self.rules.last() else { return };
        for pattern in pattern::more_patterns(self.dialect, rule.pattern.of(&self.text), !rule.verdict.is_allow()) {
            let start = self.text.len();
            self.text.extend_from_slice(&pattern);
            self.push_ranked(Rule { pattern: ByteSpan::new(start, self.text.len()), ..rule });
        }
    }

    /// An Allow for `dir/index.htm…` is one for `dir/$` too (robots.cc:655). There it is tried only where the rule
    /// itself does not match; as the rule is the longer of the two, that makes no difference.
    fn push_index_htm(&mut self, rule: Range<usize>, source: ByteSpan, line: u32) {
        let pattern = &self.text[rule.clone()];
        let Some(slash) = memchr::memrchr(b'/', pattern) else { return };
        if !pattern[slash..].starts_with(b"/index.htm") {
            return;
        }
        let start = self.text.len();
        self.text.extend_from_within(rule.start..=rule.start + slash);
        self.text.push(b'$');
        let pattern = ByteSpan::new(start, self.text.len());
        self.push_ranked(Rule {
            pattern,
            verdict: Verdict::Allow,
            kind: RuleKind::Allow,
            length: u32::try_from(pattern.len()).unwrap_or(u32::MAX),
            line,
            source,
            origin: RuleOrigin::IndexHtm,
        });
        self.push_more_patterns();
    }

    fn push_ranked(&mut self, rule: Rule) {
        let disallow = if rule.verdict.is_allow() { 0 } else { DISALLOW };
        self.keys.push(u64::from(!rule.length) << 32 | disallow | self.rules.len() as u64);
        self.rules.push(rule);
    }

    /// Takes a line with an empty value that decides nothing, so that its line can be named.
    fn push_empty(&mut self, kind: RuleKind, source: ByteSpan, line: u32) {
        self.empty[kind as usize].get_or_insert(Rule {
            pattern: ByteSpan::default(),
            verdict: Verdict::Allow,
            kind,
            length: 0,
            line,
            source,
            origin: RuleOrigin::EmptyLine,
        });
    }

    /// Takes a line with an empty value that means the other directive with the value `/`.
    fn push_inverse(&mut self, kind: RuleKind, source: ByteSpan, line: u32) {
        let start = self.text.len();
        self.text.push(b'/');
        let verdict = match kind {
            RuleKind::Disallow => Verdict::Allow,
            RuleKind::Allow => Verdict::Disallow,
        };
        let pattern = ByteSpan::new(start, self.text.len());
        self.push_ranked(Rule { pattern, verdict, kind, length: 1, line, source, origin: RuleOrigin::EmptyInverse });
    }

    /// Ranks what was taken.
    pub(crate) fn finish(mut self) -> RuleSet {
        self.keys.small_sort_unstable();
        let [disallow, allow] = self.empty;
        // The empty pattern is below all others. Of two, robots.cc names the Allow.
        let empty = [allow, disallow];
        let robots_txt = self.dialect.robots_txt_allowed && self.rules.iter().any(|rule| !rule.verdict.is_allow());
        let robots_txt = robots_txt.then(|| {
            let start = self.text.len();
            self.text.extend_from_slice(b"/robots.txt$");
            Rule {
                pattern: ByteSpan::new(start, self.text.len()),
                verdict: Verdict::Allow,
                kind: RuleKind::Allow,
                length: u32::MAX,
                line: 0,
                source: ByteSpan::default(),
                origin: RuleOrigin::RobotsTxtPath,
            }
        });
        let mut rules = Vec::with_capacity(self.rules.len() + 3);
        rules.extend(robots_txt);
        rules.extend(self.keys.iter().map(|key| self.rules[(key & (DISALLOW - 1)) as usize]));
        rules.extend(empty.iter().flatten());
        RuleSet::of_ranked(self.dialect.path_form(), self.text, rules)
    }
}

impl RuleSet {
    /// Ranks rules that come from no file: each a directive, a value as it would be after the colon, and a line (0
    /// where there is none).
    ///
    /// Rules of one line keep their order. Cost: n log n in the rules, linear in their bytes.
    ///
    /// ```
    /// use robotsc::robots_txt::RuleKind;
    /// use robotsc::{Dialect, RuleSet, Verdict};
    ///
    /// let google = &Dialect::GOOGLE;
    /// let rules = RuleSet::from_rules(google, [(RuleKind::Disallow, "/", 1), (RuleKind::Allow, "/*.html$", 2)]);
    /// assert_eq!(rules.verdict(google.url_path("/a/b.html")?.as_path())?, Verdict::Allow);
    /// assert_eq!(rules.deciding_rule(google.url_path("/a/b.html?c")?.as_path())?.map(|rule| rule.line), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from_rules<V: AsRef<[u8]>>(dialect: &Dialect, rules: impl IntoIterator<Item = (RuleKind, V, u32)>) -> Self {
        let mut rules: Vec<_> = rules.into_iter().collect();
        rules.small_sort_by_key(|(_, _, line)| *line);
        let mut ranking = Ranking::with_capacity(dialect, rules.len(), 0);
        for (kind, value, line) in &rules {
            ranking.push(*kind, value.as_ref(), ByteSpan::default(), *line);
        }
        ranking.finish()
    }
}

impl RobotsTxt<'_> {
    /// Returns the rules that `crawler` obeys in this file, normalized and ranked.
    #[must_use]
    pub fn rule_set(&self, crawler: &Crawler) -> RuleSet {
        self.rule_set_of(&self.select(crawler))
    }

    /// Returns the rules of a selection of groups, normalized and ranked. Groups that this file does not have count for
    /// nothing.
    ///
    /// Cost: n log n in the rules, linear in their bytes.
    #[must_use]
    pub fn rule_set_of(&self, selection: &Selection) -> RuleSet {
        let lines_of = |id: &GroupId| {
            let group = self.groups.get(id.0 as usize)?;
            self.rules.get(group.rules.start as usize..group.rules.end as usize)
        };
        let (mut count, mut bytes) = (0, 0);
        for lines in selection.groups.iter().filter_map(lines_of) {
            count += lines.len();
            bytes += lines.iter().map(|line| line.value.len()).sum::<usize>();
        }
        if count == 0 {
            return RuleSet::empty(self.dialect.path_form());
        }
        // Escapes make some patterns longer.
        let mut ranking = Ranking::with_capacity(&self.dialect, count, bytes + bytes / 8 + 16);
        for lines in selection.groups.iter().filter_map(lines_of) {
            for line in lines {
                ranking.push(line.kind, line.value.of(&self.body), line.value, line.line);
            }
        }
        ranking.finish()
    }
}
