//! The checks that untrusted code passes before it is walked: each invariant one function, each using only what was checked before it.

use crate::checksum;
use crate::format::{
    AT_END, BRANCH, BRANCH_ELSE, JUMP, KIND, ON_ENTRY, REACH_ALLOW, RUN, RUN_ELSE, SCAN, SCAN_LIST_MAX, STOP,
};
use crate::program::{Kind, ProgramError};
use crate::walk::Code;

/// Checks a program whose header was read.
pub(crate) fn program(bytes: &[u8], code: &Code<'_>, entries: &[[u8; 4]], rules: usize) -> Result<(), ProgramError> {
    sum(bytes)?;
    for (part, entry) in entries.iter().enumerate() {
        if u32::from_le_bytes(*entry) as usize >= code.octets.len() {
            return Err(ProgramError(Kind::Entry(part + 2)));
        }
    }
    nodes(code, rules).map(|_| ())
}

/// The checksum, which stands at octets 4 to 7, is that of all that follows.
pub(crate) fn sum(bytes: &[u8]) -> Result<(), ProgramError> {
    let (head, rest) = bytes.split_at_checked(8).ok_or(ProgramError(Kind::TooShort))?;
    if head[4..] != checksum(rest).to_le_bytes() {
        return Err(ProgramError(Kind::Checksum));
    }
    Ok(())
}

/// Every node is well formed, and they fill the code. Gives their number.
pub(crate) fn nodes(code: &Code<'_>, rules: usize) -> Result<usize, ProgramError> {
    let mut at = 0;
    let mut count = 0;
    loop {
        let start = at;
        let (next, follows) = node(code, at, rules).ok_or(ProgramError(Kind::Node(start)))?;
        count += 1;
        at = next;
        if at == code.octets.len() {
            // A run must have a node behind it.
            return if follows { Err(ProgramError(Kind::Node(start))) } else { Ok(count) };
        }
    }
}

/// Checks the node at `at`; where it ends, and whether the next node belongs to it.
fn node(code: &Code<'_>, mut at: usize, rules: usize) -> Option<(usize, bool)> {
    let op = *code.octets.get(at)?;
    at += 1;
    if op >> 7 != 0 {
        return None;
    }
    for reached in [op >> ON_ENTRY & 3, op >> AT_END & 3] {
        if reached == 0 {
            continue;
        }
        if code.rank_width == 0 {
            if reached > REACH_ALLOW {
                return None;
            }
        } else {
            let rank = rank(code, at)?;
            if reached != 1 || rank == 0 || (rules > 0 && rank > rules) {
                return None;
            }
            at += code.rank_width;
        }
    }
    match op & KIND {
        STOP => Some((at, false)),
        kind @ (RUN | RUN_ELSE) => {
            let length = usize::from(*code.octets.get(at)?);
            at += 1;
            if kind == RUN_ELSE {
                at = fallback(code, at)?;
            }
            code.octets.get(at..at + length)?;
            (length != 0).then_some((at + length, true))
        }
        BRANCH => Some((set(code, at, usize::MAX)?, false)),
        BRANCH_ELSE => Some((set(code, fallback(code, at)?, usize::MAX)?, false)),
        SCAN => Some((set(code, at, SCAN_LIST_MAX)?, false)),
        JUMP => {
            let (to, end) = offset(code, at)?;
            (code.octets.get(to)? & KIND != JUMP).then_some((end, false))
        }
        _ => None,
    }
}

fn rank(code: &Code<'_>, at: usize) -> Option<usize> {
    code.octets.get(at..at + code.rank_width)?;
    Some(code.number(at, code.rank_width))
}

/// An offset inside the code, and where it ends.
fn offset(code: &Code<'_>, at: usize) -> Option<(usize, usize)> {
    let end = at + code.offset_width;
    code.octets.get(at..end)?;
    let to = code.number(at, code.offset_width);
    (to < code.octets.len()).then_some((to, end))
}

/// The offset of a scan; where it ends.
fn fallback(code: &Code<'_>, at: usize) -> Option<usize> {
    let (to, end) = offset(code, at)?;
    (code.octets.get(to)? & KIND == SCAN).then_some(end)
}

/// A set in order, whose offsets lie inside the code; where it ends.
fn set(code: &Code<'_>, at: usize, list_max: usize) -> Option<usize> {
    let size = usize::from(*code.octets.get(at)?);
    let (count, mut at) = if size == 0 {
        let bitmap = code.octets.get(at + 1..at + 33)?;
        (bitmap.iter().map(|octet| octet.count_ones() as usize).sum(), at + 33)
    } else {
        let list = code.octets.get(at + 1..at + 1 + size)?;
        if size > list_max || !list.is_sorted_by(|a, b| a < b) {
            return None;
        }
        (size, at + 1 + size)
    };
    for _ in 0..count {
        at = offset(code, at)?.1;
    }
    Some(at)
}
