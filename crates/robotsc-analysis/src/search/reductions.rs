//! What is decided without a search, and what makes a search smaller.

use robotsc_compiler::pattern_matches as matches;

use super::limits::{LOOKS_PER_UNIT, NotDecided, SearchBudget, match_work};
use super::{SearchSpace, Term};
use crate::patterns::heads::head;
use crate::patterns::instance::{fresh_byte, shortest_instance};
use crate::patterns::pairs::BytePairs;
use crate::space::{Paths, Reader};

/// Keeps the patterns of `must_not` that can match a path which all of `must` do, by their heads. `None` if the heads
/// of `must` exclude each other, so that there is no such path.
pub(super) fn related<'p>(must: &[Term<'p>], must_not: &[Term<'p>]) -> Option<Vec<Term<'p>>> {
    let fit = |one: &[u8], other: &[u8]| one.starts_with(other) || other.starts_with(one);
    // Patterns with several readers see several texts.
    let mut longest: Vec<(Reader, &[u8])> = Vec::new();
    for term in must {
        let head = head(term.pattern);
        match longest.iter_mut().find(|(reader, _)| *reader == term.reader) {
            Some((_, other)) if !fit(other, head) => return None,
            Some((_, other)) if head.len() > other.len() => *other = head,
            Some(_) => {}
            None => longest.push((term.reader, head)),
        }
    }
    let can_match = |term: &&Term<'_>| {
        let of_must = longest.iter().find(|(reader, _)| *reader == term.reader);
        of_must.is_none_or(|(_, of_must)| fit(of_must, head(term.pattern)))
    };
    Some(must_not.iter().filter(can_match).copied().collect())
}

/// Returns patterns of a canonical form, to be compared with paths as they are. `None` if this does not suffice.
///
/// The canonical form leaves most paths as they are, and what it makes of the others is such a path but for a `'`,
/// which a client writes as `%27` in a query. If no pattern that must match holds a `'`, a letter can be in its place.
/// If none holds a `%`, a letter can be in the place of that, too: then patterns with escapes match no such path.
pub(super) fn plain_terms<'p>(
    must: &[Term<'p>],
    must_not: &[Term<'p>],
    space: SearchSpace,
) -> Option<(Vec<Term<'p>>, Vec<Term<'p>>)> {
    let is_canonical = matches!(space.readers, [Reader::Canonical { .. }, other] if other == space.readers[0]);
    if !is_canonical || space.paths == Paths::Raw {
        return None;
    }
    let is_plain = |term: &Term<'_>| {
        let literal = term.pattern.strip_suffix(b"$").unwrap_or(term.pattern);
        let is_byte = |byte: &u8| *byte == b'*' || !(matches!(byte, b'\'' | 0x80..) || Reader::escapes_plain(*byte));
        literal.iter().all(is_byte)
    };
    if !must.iter().all(is_plain) {
        return None;
    }
    let has_escape = |term: &Term<'_>| term.pattern.contains(&b'%');
    let with_escapes = must.iter().any(has_escape);
    let unchanged = |term: &Term<'p>| Term { reader: Reader::Unchanged, ..*term };
    let kept = must_not.iter().filter(|term| is_plain(term) && (with_escapes || !has_escape(term)));
    Some((must.iter().map(unchanged).collect(), kept.map(unchanged).collect()))
}

/// Reports whether no path is one in question if no plain path is, by these patterns of [`plain_terms`].
///
/// The text that patterns see of any path becomes a plain path: a letter that no pattern holds takes the place of each
/// `'`, and of each `%` that no plain path has there, such as the first of `%%32E`. No pattern
/// that must match holds such a `%`, so a `*` matches the letter. No other pattern matches more than before. So it is
/// if each `%` of the patterns that must match begins an escape that stays.
pub(super) fn is_plain_enough(must: &[Term<'_>], must_not: &[Term<'_>]) -> bool {
    let begins_escape = |text: &[u8]| match text {
        [b'%', high @ (b'0'..=b'9' | b'A'..=b'F'), low @ (b'0'..=b'9' | b'A'..=b'F'), ..] => {
            Paths::Plain.contains(&[b'/', b'%', *high, *low])
        }
        _ => false,
    };
    let stays =
        |pattern: &[u8]| (0..pattern.len()).filter(|at| pattern[*at] == b'%').all(|at| begins_escape(&pattern[at..]));
    must.iter().all(|term| stays(term.pattern))
        && fresh_byte(must.iter().chain(must_not).map(|term| term.pattern)).is_some()
}

/// Returns the first path that a search for all of these patterns would try, if it is in the space and they see it as
/// it is. If all of them match it, no path that they match is shorter.
///
/// A caller that can tell quickly which rules decide this path can do without the search.
pub(crate) fn first_tried(must: &[Term<'_>], space: SearchSpace) -> Option<Vec<u8>> {
    let is_same_form = space.readers[0] == space.readers[1];
    let is_as_written = |term: &Term<'_>| {
        let literal = term.pattern.strip_suffix(b"$").unwrap_or(term.pattern);
        let is_byte =
            |byte: &u8| *byte == b'*' || !(matches!(byte, b'%' | b'\'' | 0x80..) || Reader::escapes_plain(*byte));
        match term.reader {
            Reader::Unchanged => true,
            Reader::Escaped => false,
            Reader::Canonical { .. } => space.paths != Paths::Raw && literal.iter().all(is_byte),
        }
    };
    if !is_same_form || !must.iter().all(is_as_written) {
        return None;
    }
    let path = must.iter().map(|term| shortest_instance(term.pattern)).max_by_key(Vec::len)?;
    let is_path = space.paths.contains(&path) && must.iter().all(|term| matches(term.pattern, &path));
    is_path.then_some(path)
}

/// Tries the shortest path of each pattern that must match: that in which each `*` matches nothing. No path that
/// matches all of them is shorter than the longest of these, and no other is as short. `None` if a search must tell.
pub(super) fn at_once(
    must: &[Term<'_>],
    must_not: &[Term<'_>],
    space: SearchSpace,
    budget: &SearchBudget,
) -> Result<Option<Vec<u8>>, NotDecided> {
    if must.iter().chain(must_not).any(|term| term.reader != Reader::Unchanged) {
        return Ok(None);
    }
    let shortest = must.iter().map(|term| shortest_instance(term.pattern)).max_by_key(Vec::len);
    let Some(path) = shortest else { return Ok(None) };
    let pairs = BytePairs::of_path(&path);
    let can_match = |term: &&Term<'_>| term.pairs.are_in(pairs);
    budget.take((path.len() + must_not.len()) as u64 / LOOKS_PER_UNIT)?;
    if !space.paths.contains(&path) || !must.iter().all(|term| can_match(&term)) {
        return Ok(None);
    }
    budget
        .take(must.iter().chain(must_not.iter().filter(can_match)).map(|term| match_work(term.pattern, &path)).sum())?;
    let is_path = must.iter().all(|term| matches(term.pattern, &path))
        && !must_not.iter().filter(can_match).any(|term| matches(term.pattern, &path));
    Ok(is_path.then_some(path))
}
