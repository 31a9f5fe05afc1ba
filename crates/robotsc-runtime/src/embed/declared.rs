//! Rules beyond robots.txt: an ordered list, of which the first that matches decides.
//!
//! The list is kept by what its rules look at: the path patterns are one automaton, the regular expressions one table each, the names of parameters one sorted list. Each
//! knows the number of its rule, so that the first over all is the least number.

use super::{Dfa, Prefilter};
use crate::{PathFormError, Program, UrlPath, Verdict};

/// The rules of a list; written by code generators.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Declared<'a> {
    pub paths: Option<DeclaredPaths<'a>>,
    /// In order.
    pub regexes: &'a [DeclaredRegex<'a>],
    /// The same regular expressions in groups, one behind the other; those behind the last group are in none.
    pub prefilters: &'a [DeclaredPrefilter<'a>],
    /// Sorted by name; of each name the first rule.
    pub queries: &'a [DeclaredQuery<'a>],
    /// For each rule, in order, 4 octets, little-endian: the number of its place, and in the highest bit the verdict (1: Allow).
    pub rules: &'a [u8],
}

/// The path patterns.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum DeclaredPaths<'a> {
    /// A program that numbers rules, from the last of the list, which is 1: so the first has the highest rank.
    Table(Program<'a>),
    /// Code that gives the number of the rule, from 0, or `u32::MAX`.
    Direct(fn(&[u8]) -> u32),
}

/// A regular expression.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct DeclaredRegex<'a> {
    /// The number of the rule, from 0.
    pub rule: u32,
    pub dfa: Dfa<'a>,
}

/// Some regular expressions that follow each other.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct DeclaredPrefilter<'a> {
    /// How many.
    pub regexes: u32,
    /// What tells which of them may match: most paths are done with it. `None` where each is asked.
    pub prefilter: Option<Prefilter<'a>>,
    /// Matches where one of those does that the prefilter never rules out. `None` where each is asked.
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

    /// Whether there are none.
    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Returns the verdict of the first rule that matches, and its place.
    pub(crate) fn decide(&self, path: UrlPath<'_>) -> Result<Option<(Verdict, u32)>, PathFormError> {
        let mut first = match self.paths {
            None => u32::MAX,
            Some(DeclaredPaths::Table(program)) => match program.rank(path)?.number() {
                0 => u32::MAX,
                number => (self.rules.len() as u32 / 4).checked_sub(number).unwrap_or(NO_SUCH_RULE),
            },
            Some(DeclaredPaths::Direct(first)) => first(path.as_bytes()),
        };
        let path = path.as_bytes();
        if !self.queries.is_empty() {
            first = first.min(self.first_of_query(path));
        }
        first = self.first_of_regexes(path, first);
        if first == u32::MAX {
            return Ok(None);
        }
        // Altered bytes alone name a rule that the list does not have; nothing is allowed by that.
        let word = self.rules.as_chunks::<4>().0.get(first as usize).map_or(0, |rule| u32::from_le_bytes(*rule));
        let verdict = if word >> 31 == 1 { Verdict::Allow } else { Verdict::Disallow };
        Ok(Some((verdict, word & (u32::MAX >> 1))))
    }

    /// The first rule before `first` whose regular expression matches, else `first`.
    fn first_of_regexes(&self, path: &[u8], first: u32) -> u32 {
        let mut behind = self.regexes;
        for prefiltered in self.prefilters {
            let (group, others) = behind.split_at(behind.len().min(prefiltered.regexes as usize));
            behind = others;
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
        first_matching(behind, path, first).unwrap_or(first)
    }

    /// The first rule that names a parameter of the query: between its start, a `&` or a `;`, and a `=` or the parameter's end.
    fn first_of_query(&self, path: &[u8]) -> u32 {
        let Some(start) = path.iter().position(|octet| *octet == b'?') else { return u32::MAX };
        let query = path.get(start + 1..).unwrap_or_default();
        let parameters = query.split(|octet| matches!(octet, b'&' | b';'));
        let rules = parameters.filter_map(|parameter| {
            let name = parameter.split(|octet| *octet == b'=').next()?;
            let found = self.queries.binary_search_by(|query| query.name.cmp(name)).ok()?;
            self.queries.get(found).map(|query| query.rule)
        });
        rules.min().unwrap_or(u32::MAX)
    }
}

/// The first rule before `first` of a list in order whose regular expression matches, of those that its prefilter lets through.
fn first_candidate(
    regexes: &[DeclaredRegex<'_>],
    prefilter: Prefilter<'_>,
    rest: Option<Dfa<'_>>,
    path: &[u8],
    first: u32,
) -> Option<u32> {
    let mut left = prefilter.candidates(path);
    if rest.is_some_and(|rest| !rest.matches(path)) {
        left &= !prefilter.always();
    }
    while left != 0 {
        let regex = regexes.get(left.trailing_zeros() as usize).filter(|regex| regex.rule < first)?;
        if regex.dfa.matches(path) {
            return Some(regex.rule);
        }
        left &= left - 1;
    }
    None
}

/// The first rule before `first` of a list in order whose regular expression matches.
fn first_matching(regexes: &[DeclaredRegex<'_>], path: &[u8], first: u32) -> Option<u32> {
    let before = regexes.iter().take_while(|regex| regex.rule < first);
    before.map(|regex| (regex.rule, regex.dfa)).find(|(_, dfa)| dfa.matches(path)).map(|(rule, _)| rule)
}
