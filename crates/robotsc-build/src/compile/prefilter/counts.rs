//! How often an expression needs a byte: for those that look for a depth, such as `/(?:[^/?]*/){20}`, and need no
//! text that is rare.

use regex_syntax::hir::{Class, Hir, HirKind};

/// A byte that is needed less often is no help: most paths have it.
const LEAST: u16 = 4;

/// The byte that each match has most often at least, and how often that is; 0 times where that is not often.
pub(super) fn of(hir: &Hir) -> (u8, u16) {
    let counts = needed(hir);
    let most = (0..=u8::MAX).zip(counts).max_by_key(|(byte, count)| (*count, u8::MAX - byte));
    most.filter(|(_, count)| *count >= LEAST).unwrap_or((0, 0))
}

/// How often each byte is needed.
fn needed(hir: &Hir) -> [u16; 256] {
    let mut counts = [0_u16; 256];
    let mut add = |byte: u8, count: u16| counts[usize::from(byte)] = counts[usize::from(byte)].saturating_add(count);
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Unicode(_)) => {}
        HirKind::Literal(literal) => literal.0.iter().for_each(|byte| add(*byte, 1)),
        HirKind::Class(Class::Bytes(class)) => {
            if let [range] = class.ranges()
                && range.start() == range.end()
            {
                add(range.start(), 1);
            }
        }
        HirKind::Capture(capture) => return needed(&capture.sub),
        HirKind::Repetition(repetition) => {
            let times = u16::try_from(repetition.min).unwrap_or(u16::MAX);
            return needed(&repetition.sub).map(|count| count.saturating_mul(times));
        }
        HirKind::Concat(parts) => {
            for part in parts {
                (0..=u8::MAX).zip(needed(part)).for_each(|(byte, count)| add(byte, count));
            }
        }
        HirKind::Alternation(parts) => {
            let either = |one: [u16; 256], other: [u16; 256]| {
                let mut least = one;
                least.iter_mut().zip(other).for_each(|(least, other)| *least = other.min(*least));
                least
            };
            return parts.iter().map(needed).reduce(either).unwrap_or(counts);
        }
    }
    counts
}
