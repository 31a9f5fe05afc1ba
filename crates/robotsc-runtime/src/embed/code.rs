//! Functions that generated code calls. They are not part of the public API.

use crate::words;

/// Returns what follows `run` at the start of `rest`.
///
/// # Errors
/// If `rest` does not start with `run`, `rest` from the first byte that differs. The walk continues there.
#[inline]
pub fn run<'p, const N: usize>(rest: &'p [u8], run: &[u8; N]) -> Result<&'p [u8], &'p [u8]> {
    rest.strip_prefix(run).ok_or_else(|| after_common(rest, run))
}

/// Returns `rest` from the first byte that differs. Not inlined: one function can hold hundreds of calls, and the
/// compiler would need more than linear time for them.
#[inline(never)]
fn after_common<'p>(rest: &'p [u8], run: &[u8]) -> &'p [u8] {
    let same = rest.iter().zip(run).take_while(|(byte, wanted)| byte == wanted).count();
    rest.get(same..).unwrap_or_default()
}

/// Returns the first byte that is one of `wanted`, at most six, and what follows it.
#[inline(never)]
#[must_use]
pub fn find<'p, const N: usize>(rest: &'p [u8], wanted: &[u8; N]) -> Option<(u8, &'p [u8])> {
    let (at, _) = words::find_any(rest, 0, wanted)?;
    let (byte, after) = rest.get(at..)?.split_first()?;
    Some((*byte, after))
}

/// Returns the first byte for which `wanted` returns true, and what follows it.
#[inline(always)]
#[must_use]
pub fn find_where(rest: &[u8], wanted: impl Fn(u8) -> bool) -> Option<(u8, &[u8])> {
    let at = rest.iter().position(|byte| wanted(*byte))?;
    let (byte, after) = rest.get(at..)?.split_first()?;
    Some((*byte, after))
}
