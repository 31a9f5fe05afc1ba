//! Rules beyond robots.txt: an ordered list, of which the first that matches decides.
//!
//! The list is kept by what its rules look at: the path patterns are one automaton, the regular expressions one table each, the names of parameters one sorted list. Each
//! knows the number of its rule, so that the first over all is the least number.

use super::Dfa;
use crate::{Program, Verdict};

/// The rules of a list; written by code generators.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Declared<'a> {
    pub paths: Option<DeclaredPaths<'a>>,
    /// In order.
    pub regexes: &'a [DeclaredRegex<'a>],
    /// The same regular expressions in groups, one behind the other; those behind the last group are in none.
    pub unions: &'a [DeclaredUnion<'a>],
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
pub struct DeclaredUnion<'a> {
    /// How many.
    pub regexes: u32,
    /// Matches where one of them does: most paths are done with it. `None` where each is asked.
    pub dfa: Option<Dfa<'a>>,
}

/// The name of a parameter.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct DeclaredQuery<'a> {
    pub name: &'a [u8],
    /// The number of the rule, from 0.
    pub rule: u32,
}

impl<'a> Declared<'a> {
    /// No rules.
    pub const NONE: Self = Self { paths: None, regexes: &[], unions: &[], queries: &[], rules: &[] };

    /// Whether there are none.
    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The verdict of the first rule that matches, and its place.
    pub(crate) fn decide(&self, path: &[u8]) -> Option<(Verdict, u32)> {
        let mut first = match self.paths {
            None => u32::MAX,
            Some(DeclaredPaths::Table(program)) => match program.numbered(path).1 {
                0 => u32::MAX,
                number => (self.rules.len() as u32 / 4).checked_sub(number).unwrap_or(u32::MAX),
            },
            Some(DeclaredPaths::Direct(first)) => first(path),
        };
        if !self.queries.is_empty() {
            first = first.min(self.first_of_query(path));
        }
        first = self.first_of_regexes(path, first);
        let rule = self.rules.as_chunks::<4>().0.get(first as usize)?;
        let word = u32::from_le_bytes(*rule);
        let verdict = if word >> 31 == 1 { Verdict::Allow } else { Verdict::Disallow };
        Some((verdict, word & (u32::MAX >> 1)))
    }

    /// The first rule before `first` whose regular expression matches, else `first`.
    fn first_of_regexes(&self, path: &[u8], first: u32) -> u32 {
        let mut rest = self.regexes;
        for union in self.unions {
            let (group, behind) = rest.split_at(rest.len().min(union.regexes as usize));
            rest = behind;
            if group.first().is_none_or(|regex| regex.rule >= first) {
                return first;
            }
            if union.dfa.is_none_or(|dfa| dfa.matches(path))
                && let Some(found) = first_matching(group, path, first)
            {
                return found;
            }
        }
        first_matching(rest, path, first).unwrap_or(first)
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

/// The first rule before `first` of a list in order whose regular expression matches.
fn first_matching(regexes: &[DeclaredRegex<'_>], path: &[u8], first: u32) -> Option<u32> {
    let before = regexes.iter().take_while(|regex| regex.rule < first);
    before.map(|regex| (regex.rule, regex.dfa)).find(|(_, dfa)| dfa.matches(path)).map(|(rule, _)| rule)
}
