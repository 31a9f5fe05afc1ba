//! The checks that untrusted code passes before it is walked: each invariant one function, each using only what was
//! checked before it.
//!
//! Offsets are not held to the start of a node: that would take memory. A walk that lands inside a node answers
//! something, and does no harm; only the checksum detects altered code.

use crate::checksum;
use crate::format::{
    AT_END, BRANCH, BRANCH_ELSE, JUMP, KIND, LIST_MAX, ON_ENTRY, PAIRS, REACH_ALLOW, REACH_DISALLOW, RUN, RUN_ELSE,
    SCAN, SCAN_LIST_MAX, SHORT, STOP,
};
use crate::program::{Kind, Program, ProgramError};
use crate::rank::Rank;
use crate::walk::Code;

impl<'p> Program<'p> {
    /// Checks bytes from an untrusted source and borrows a program from them.
    ///
    /// Cost: one pass over `bytes`, about a nanosecond for two bytes. Never panics.
    ///
    /// # Errors
    /// [`ProgramError`] names the first invariant that does not hold, in this order: mark and version, lengths,
    /// checksum, the parts' starts, each node in turn, the list of rules.
    pub fn from_bytes(bytes: &'p [u8]) -> Result<Self, ProgramError> {
        let program = Self::from_trusted(bytes)?;
        check(&program)?;
        Ok(program)
    }

    /// Returns the number of nodes in the code; 0 if it is not valid. Cost: linear.
    #[must_use]
    pub fn nodes(&self) -> usize {
        nodes(self).unwrap_or(0)
    }
}

/// Checks a program whose header was read.
fn check(program: &Program<'_>) -> Result<(), ProgramError> {
    sum(program.bytes)?;
    let code = &program.code;
    let starts = program.entries.iter().map(|entry| u32::from_le_bytes(*entry) as usize);
    for (part, start) in (1..).zip(core::iter::once(code.start).chain(starts)) {
        if start >= nodes_end(program) {
            return Err(ProgramError(Kind::Entry(part)));
        }
    }
    nodes(program)?;
    program.list.map_or(Ok(()), |at| list(code, at, program))
}

/// Returns where the nodes end: at the list, or with the code.
fn nodes_end(program: &Program<'_>) -> usize {
    program.list.unwrap_or(usize::MAX).min(program.code.bytes.len())
}

/// Checks that the checksum is that of all other bytes.
pub(crate) fn sum(bytes: &[u8]) -> Result<(), ProgramError> {
    let known = bytes.get(4..8).ok_or(ProgramError(Kind::TooShort))?;
    if known != checksum(bytes).to_le_bytes() {
        return Err(ProgramError(Kind::Checksum));
    }
    Ok(())
}

/// Checks that every node is well formed and that the nodes fill the code. Returns their number.
fn nodes(program: &Program<'_>) -> Result<usize, ProgramError> {
    let code = &Code { bytes: &program.code.bytes[..nodes_end(program)], ..program.code };
    let mut at = 0;
    let mut count = 0;
    loop {
        let start = at;
        let (next, follows) = node(code, at, program).ok_or(ProgramError(Kind::Node(start)))?;
        count += 1;
        at = next;
        if at == code.bytes.len() {
            // A run must have a node after it.
            return if follows { Err(ProgramError(Kind::Node(start))) } else { Ok(count) };
        }
    }
}

/// Checks the node at `at`; where it ends, and whether the next node belongs to it.
fn node(code: &Code<'_>, mut at: usize, program: &Program<'_>) -> Option<(usize, bool)> {
    let op = *code.bytes.get(at)?;
    at += 1;
    let reached = [op >> ON_ENTRY & 3, op >> AT_END & 3];
    for reached in reached {
        at = reach(code, at, reached, program)?;
    }
    let is_short = op & SHORT != 0;
    match op & KIND {
        STOP if !is_short => Some((at, false)),
        kind @ (RUN | RUN_ELSE) => {
            let length = usize::from(*code.bytes.get(at)?);
            at += 1;
            if kind == RUN_ELSE {
                at = failure(code, at)?;
            }
            code.bytes.get(at..at + length)?;
            let says_what_it_reaches = !is_short || reached[1] != 0;
            (length != 0 && says_what_it_reaches).then_some((at + length, !is_short))
        }
        BRANCH => Some((set(code, at, is_short, false)?, false)),
        BRANCH_ELSE => Some((set(code, failure(code, at)?, is_short, false)?, false)),
        SCAN if reached == [0; 2] && !is_short => Some((set(code, at, false, true)?, false)),
        JUMP if !is_short => {
            let (to, end) = offset(code, at)?;
            (code.bytes.get(to)? & KIND != JUMP).then_some((end, false))
        }
        _ => None,
    }
}

/// Checks that the list fills the rest of the code, and that its ranks never rise and are the rules'.
fn list(code: &Code<'_>, at: usize, program: &Program<'_>) -> Result<(), ProgramError> {
    let Some(count) = code.bytes.get(at..).and_then(<[u8]>::first_chunk) else {
        return Err(ProgramError(Kind::List));
    };
    let mut found = 0;
    let mut end = at + 4;
    let mut before = u32::MAX;
    for (rank, pattern) in crate::list::rules(code, at) {
        if !is_known(rank, program) || rank > before {
            return Err(ProgramError(Kind::List));
        }
        before = rank;
        found += 1;
        end += code.rank_width + 4 + pattern.len();
    }
    if u32::from_le_bytes(*count) != found || end != code.bytes.len() { Err(ProgramError(Kind::List)) } else { Ok(()) }
}

/// Checks that what is reached has a meaning, and that its rank, if ranks are written, is one of the rules'; where it
/// ends.
fn reach(code: &Code<'_>, at: usize, reached: u8, program: &Program<'_>) -> Option<usize> {
    if reached == 0 {
        return Some(at);
    }
    if code.rank_width == 0 {
        return (reached <= REACH_ALLOW).then_some(at);
    }
    code.bytes.get(at..at + code.rank_width)?;
    let known = is_known(code.number(at, code.rank_width) as u32, program);
    (reached == REACH_DISALLOW && known).then_some(at + code.rank_width)
}

/// Checks that a rank has a number, and if the program has a table of rules, the rule with that number and verdict is
/// in it.
fn is_known(rank: u32, program: &Program<'_>) -> bool {
    let rank = Rank(rank);
    let is_rule = || program.rule(rank.number()).is_some_and(|rule| rule.verdict == rank.verdict());
    rank.number() != 0 && (program.rules.is_empty() || is_rule())
}

/// Checks an offset inside the code, and returns where it ends.
fn offset(code: &Code<'_>, at: usize) -> Option<(usize, usize)> {
    let end = at + code.offset_width;
    code.bytes.get(at..end)?;
    let to = code.number(at, code.offset_width);
    (to < code.bytes.len()).then_some((to, end))
}

/// Checks the offset of a scan, and returns where it ends.
fn failure(code: &Code<'_>, at: usize) -> Option<usize> {
    let end = at + code.failure_width;
    code.bytes.get(at..end)?;
    let to = code.number(at, code.failure_width);
    (code.bytes.get(to)? & KIND == SCAN).then_some(end)
}

/// Checks a set: in order, with offsets inside the code, and in a scan with a filter. Returns where it ends.
fn set(code: &Code<'_>, at: usize, is_short: bool, is_scan: bool) -> Option<usize> {
    let size = usize::from(*code.bytes.get(at)?);
    let (count, at) = if size == 0 {
        let bitmap = code.bytes.get(at + 1..at + 33)?;
        (bitmap.iter().map(|byte| byte.count_ones() as usize).sum(), at + 33)
    } else {
        let list = code.bytes.get(at + 1..at + 1 + size)?;
        let list_max = if is_scan { SCAN_LIST_MAX } else { LIST_MAX };
        if size > list_max || !list.is_sorted_by(|a, b| a < b) {
            return None;
        }
        (size, at + 1 + size)
    };
    let filter = match size {
        _ if !is_scan => 0,
        0 => PAIRS,
        size => size,
    };
    let mut at = at + filter;
    if is_short {
        let end = at + count;
        let offsets = code.bytes.get(at..end)?;
        let inside = offsets.iter().all(|&offset| end + usize::from(offset) < code.bytes.len());
        return inside.then_some(end);
    }
    for _ in 0..count {
        at = offset(code, at)?.1;
    }
    Some(at)
}
