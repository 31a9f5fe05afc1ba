//! Rules beyond robots.txt: an ordered list, of which the first that matches decides.
//!
//! The rules are stored by kind: the path patterns are one automaton, the regular expressions one table each, the
//! parameter names one sorted list. Each knows the number of its rule, and the lowest number that matches decides.

use super::{Dfa, Prefilter};
use crate::{PathFormError, Program, UrlPath, Verdict};

/// The rules of a list; written by code generators.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Declared<'a> {
    /// The path patterns: a program that numbers the rules from the last of the list, which is 1, so that the first
    /// ranks highest.
    pub paths: Option<Program<'a>>,
    /// In order.
    pub regexes: &'a [DeclaredRegex<'a>],
    /// The same regular expressions in groups, one after the other. Those after the last group have no prefilter.
    pub prefilters: &'a [DeclaredPrefilter<'a>],
    /// Sorted by name; of each name the first rule.
    pub queries: &'a [DeclaredQuery<'a>],
    /// For each rule, in order, 4 bytes, little-endian: the number of its place, and in the highest bit the verdict
    /// (1: allow).
    pub rules: &'a [u8],
}

/// A regular expression.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct DeclaredRegex<'a> {
    /// The number of the rule, from 0.
    pub rule: u32,
    pub dfa: Dfa<'a>,
}

/// A group of consecutive regular expressions.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct DeclaredPrefilter<'a> {
    /// The number of expressions.
    pub regexes: u32,
    /// Finds the expressions that can match: none, for most paths. `None` if each is matched in turn.
    pub prefilter: Option<Prefilter<'a>>,
    /// Matches if one of the expressions matches that the prefilter never excludes. `None` if each is matched in turn.
    pub rest: Option<Dfa<'a>>,
}

/// The name of a parameter.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct DeclaredQuery<'a> {
    pub name: &'a [u8],
    /// The number of the rule, from 0.
    pub rule: u32,
}

/// The number of a rule beyond the list. A path that it decides is disallowed.
const NO_SUCH_RULE: u32 = u32::MAX - 1;

impl<'a> Declared<'a> {
    /// No rules.
    pub const NONE: Self = Self { paths: None, regexes: &[], prefilters: &[], queries: &[], rules: &[] };

    /// Reports whether the list is empty.
    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Returns the verdict of the first rule that matches, and its place.
    pub(crate) fn decide(&self, path: UrlPath<'_>) -> Result<Option<(Verdict, u32)>, PathFormError> {
        let mut first = match self.paths {
            None => u32::MAX,
            Some(program) => match program.rank(path)?.number() {
                0 => u32::MAX,
                number => (self.rules.len() as u32 / 4).checked_sub(number).unwrap_or(NO_SUCH_RULE),
            },
        };
        let path = path.as_bytes();
        if !self.queries.is_empty() {
            first = first.min(self.first_of_query(path));
        }
        first = self.first_of_regexes(path, first);
        if first == u32::MAX {
            return Ok(None);
        }
        // Only altered bytes name a rule that the list does not have. They disallow the path.
        let word = self.rules.as_chunks::<4>().0.get(first as usize).map_or(0, |rule| u32::from_le_bytes(*rule));
        let verdict = if word >> 31 == 1 { Verdict::Allow } else { Verdict::Disallow };
        Ok(Some((verdict, word & (u32::MAX >> 1))))
    }

    /// Returns the first rule before `first` whose regular expression matches, else `first`.
    fn first_of_regexes(&self, path: &[u8], first: u32) -> u32 {
        let mut remaining = self.regexes;
        for prefiltered in self.prefilters {
            let (group, others) = remaining.split_at(remaining.len().min(prefiltered.regexes as usize));
            remaining = others;
            if group.first().is_none_or(|regex| regex.rule >= first) {
                return first;
            }
            let found = match prefiltered.prefilter {
                Some(prefilter) => first_candidate(group, prefilter, prefiltered.rest, path, first),
                None => first_matching(group, path, first),
            };
            if let Some(found) = found {
                return found;
            }
        }
        first_matching(remaining, path, first).unwrap_or(first)
    }

    /// Returns the first rule that names a parameter of the query. `&` and `;` separate parameters, and a name ends at
    /// its first `=`.
    fn first_of_query(&self, path: &[u8]) -> u32 {
        let Some(start) = path.iter().position(|byte| *byte == b'?') else { return u32::MAX };
        let query = path.get(start + 1..).unwrap_or_default();
        let parameters = query.split(|byte| matches!(byte, b'&' | b';'));
        let rules = parameters.filter_map(|parameter| {
            let name = parameter.split(|byte| *byte == b'=').next()?;
            let found = self.queries.binary_search_by(|query| query.name.cmp(name)).ok()?;
            self.queries.get(found).map(|query| query.rule)
        });
        rules.min().unwrap_or(u32::MAX)
    }
}

/// Returns the first rule before `first` of an ordered list that its prefilter accepts and whose expression matches.
fn first_candidate(
    regexes: &[DeclaredRegex<'_>],
    prefilter: Prefilter<'_>,
    rest: Option<Dfa<'_>>,
    path: &[u8],
    first: u32,
) -> Option<u32> {
    let mut candidates = prefilter.candidates(path);
    if rest.is_some_and(|rest| !rest.matches(path)) {
        candidates &= !prefilter.always();
    }
    while candidates != 0 {
        let regex = regexes.get(candidates.trailing_zeros() as usize).filter(|regex| regex.rule < first)?;
        if regex.dfa.matches(path) {
            return Some(regex.rule);
        }
        candidates &= candidates - 1;
    }
    None
}

/// Returns the first rule before `first` of an ordered list whose regular expression matches.
fn first_matching(regexes: &[DeclaredRegex<'_>], path: &[u8], first: u32) -> Option<u32> {
    let before = regexes.iter().take_while(|regex| regex.rule < first);
    before.map(|regex| (regex.rule, regex.dfa)).find(|(_, dfa)| dfa.matches(path)).map(|(rule, _)| rule)
}
