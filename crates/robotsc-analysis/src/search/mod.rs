//! Finds the shortest path that some patterns match and others do not.
//!
//! ```text
//! must match       /a*c        positions: / a c .        the `.` is the end of the pattern,
//! must not match   /ab                    / a b .        a `*` keeps the position before it alive
//!
//!   "/"  ──▶  "/a"  ──▶  "/ab"   the second pattern matches: no longer path is tried
//!              └────▶  "/ac"   only the first matches: found
//! ```
//!
//! The search runs the positions of all patterns at once, byte by byte, together with the automaton of the paths in
//! question ([`Paths`]). States that were seen are not tried again, so it ends. It goes on where the path can become
//! shortest: a state counts the bytes so far and those that the patterns still ask for (A*). So the first path found is
//! a shortest one, and bytes that no pattern asks for are letters before signs.
//!
//! A state is a set of [positions] in the patterns. Four prunings keep the states few. All are exact:
//! 1. *Dead.* If a pattern that must match has no position left, or one that must not match has matched, the state is
//!    dropped (`Block::is_dead`).
//! 2. *Cover.* So it is if one that must not match goes on as one that must does: it matches whatever the other does.
//! 3. *Star.* If a `*` is reached, the positions before it in that pattern are dropped: what they lead to, the `*`
//!    leads to.
//! 4. *Byte.* Bytes that no pattern waits for and that have one effect are one byte, the most readable
//!    (`Search::choose`).
//!
//! Before a search, [reductions] decide what needs none, or leave fewer patterns for it.
//!
//! The cost of a search is bounded by a [`SearchBudget`]. If it is spent, the answer is [`NotDecided`], never a guess.

mod limits;
mod machine;
mod positions;
mod reductions;
mod starts;

use crate::patterns::pairs::BytePairs;
use crate::space::{Paths, Reader, is_in_urls};

pub(crate) use limits::{LOOKS_PER_UNIT, match_work};
pub use limits::{NotDecided, SearchBudget};
use machine::search;
pub(crate) use reductions::first_tried;
use reductions::{is_plain_enough, plain_terms, related};

/// The longest pattern that is searched with. Lines of `google` have at most 16,663 bytes.
const MAX_PATTERN_BYTES: usize = 60_000;

/// A normal pattern, and how it sees a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term<'p> {
    pub(crate) pattern: &'p [u8],
    pub(crate) pairs: BytePairs,
    pub(crate) reader: Reader,
}

impl<'p> Term<'p> {
    pub(crate) fn new(pattern: &'p [u8], reader: Reader) -> Self {
        Self { pattern, pairs: BytePairs::of_pattern(pattern), reader }
    }
}

/// The paths that a search ranges over, and how the rule sets in question see them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchSpace {
    pub(crate) paths: Paths,
    /// Those of the two rule sets; equal if there is one.
    pub(crate) readers: [Reader; 2],
}

/// Finds the shortest path of a space that all of `must` match and none of `must_not`.
pub(crate) fn shortest_path(
    must: &[Term<'_>],
    must_not: &[Term<'_>],
    space: SearchSpace,
    budget: &SearchBudget,
) -> Result<Option<Vec<u8>>, NotDecided> {
    // 1. What no path can match, or a pattern that is in both lists.
    let is_unseen = |term: &Term<'_>| {
        space.paths == Paths::Urls
            && term.reader == Reader::Unchanged
            && !term.pattern.iter().all(|byte| is_in_urls(*byte))
    };
    if must.iter().any(|term| must_not.contains(term) || is_unseen(term)) {
        return Ok(None);
    }
    if must.iter().chain(must_not).any(|term| term.pattern.len() > MAX_PATTERN_BYTES) {
        return Err(NotDecided);
    }
    // 2. Patterns whose literal starts exclude each other.
    budget.take(must_not.len() as u64)?;
    let Some(must_not) = related(must, must_not) else { return Ok(None) };
    let must_not = &must_not;
    // 3. Patterns of a canonical form see most paths as they are: a search of these alone decides most questions.
    if let Some((must, must_not)) = plain_terms(must, must_not, space) {
        let has_escape = must.iter().any(|term| term.pattern.contains(&b'%'));
        let plain = SearchSpace { paths: if has_escape { Paths::Plain } else { space.paths }, ..space };
        let found = search(&must, &must_not, plain, budget)?;
        if found.is_none() && is_plain_enough(&must, &must_not) {
            return Ok(None);
        }
        // Patterns that were left out can match a path with an escape, or one with a `'`. If such a path was found, or
        // none, paths with escapes have the last word.
        let is_plain = |path: &Vec<u8>| {
            !path.contains(&b'\'') && if has_escape { space.readers[0].keeps(path) } else { !path.contains(&b'%') }
        };
        if found.as_ref().is_some_and(is_plain) {
            return Ok(found);
        }
    }
    // 4. All paths.
    search(must, must_not, space, budget)
}

#[cfg(test)]
mod tests;
