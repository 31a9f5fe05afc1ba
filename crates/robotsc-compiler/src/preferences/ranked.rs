//! Statements as rules that are ranked, for what asks about the patterns themselves.

use robotsc_runtime::{Category, PathForm, Preference, Verdict};

use super::agent::Preferences;
use super::statements::Statements;
use super::vocabulary::Vocabulary;
use crate::robots_txt::RuleKind;
use crate::rules::rule_set::{Rule, RuleOrigin, RuleSet};
use crate::small_sort::SmallSort as _;
use crate::span::ByteSpan;

/// What one vocabulary states of a category.
#[derive(Clone, Debug)]
pub struct RankedPreferences {
    /// A rule for each pattern. The first that matches a path says what holds: the longest, and of equal ones a no
    /// before a yes, and a yes before nothing. The last matches every path. Their verdicts mean nothing.
    pub rules: RuleSet,
    /// What each of them says.
    pub said: Vec<Preference>,
}

impl Preferences<'_> {
    /// Returns what both vocabularies state of a category: `Content-Usage`, then `Content-Signal`. `None` if a pattern
    /// is not decided exactly.
    #[doc(hidden)]
    #[must_use]
    pub fn ranked(&self, category: Category) -> Option<[RankedPreferences; 2]> {
        let form = self.rules.path_form();
        let usage = self.stated.usage.ranked(form, |said| self.reading.vocabulary.preference_of(category, said))?;
        let signals = &self.stated.signals;
        let signals = signals.ranked(form, |said| Vocabulary::SIGNALS.preference_of(category, &said.preferences))?;
        Some([usage, signals])
    }
}

impl<T> Statements<T> {
    fn ranked(&self, form: PathForm, say: impl Fn(&T) -> Preference) -> Option<RankedPreferences> {
        if self.has_possible_matches() {
            return None;
        }
        let mut stated: Vec<(u32, &[u8], Preference)> =
            self.patterns().map(|(length, pattern, said)| (length, pattern, say(said))).collect();
        let order = |said: &Preference| match said {
            Preference::No => 0,
            Preference::Yes => 1,
            Preference::Unknown => 2,
        };
        // The sort keeps the order of the file.
        stated.small_sort_by_key(|(length, _, said)| (std::cmp::Reverse(*length), order(said)));
        let otherwise = self.without_path().map(&say).fold(Preference::Unknown, Preference::and);
        let said: Vec<Preference> = stated.iter().map(|(.., said)| *said).chain([otherwise]).collect();
        // Ranks in place of lengths: what holds of equal ones is in the order already.
        let patterns = stated.iter().map(|(_, pattern, _)| *pattern).chain([&b""[..]]);
        let ranks = (1..=said.len() as u32).rev();
        Some(RankedPreferences {
            rules: rule_set(form, ranks.zip(patterns).map(|(rank, pattern)| (rank, pattern, 0))),
            said,
        })
    }
}

/// Returns rules that are ranked already, each with its length, its pattern and its line.
pub(super) fn rule_set<'p>(form: PathForm, rules: impl IntoIterator<Item = (u32, &'p [u8], u32)>) -> RuleSet {
    let (mut text, mut ranked) = (Vec::new(), Vec::new());
    for (length, pattern, line) in rules {
        let start = text.len();
        text.extend_from_slice(pattern);
        ranked.push(Rule {
            pattern: ByteSpan::new(start, text.len()),
            verdict: Verdict::Allow,
            kind: RuleKind::Allow,
            length,
            line,
            source: ByteSpan::default(),
            origin: RuleOrigin::Line,
        });
    }
    RuleSet::of_ranked(form, text, ranked)
}
