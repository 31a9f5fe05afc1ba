//! What generated direct code calls. Not for anyone else.

use crate::words;

/// What follows `run` at the start of `rest`; else, as an error, `rest` from the first octet on that differs.
///
/// # Errors
/// See above: it is no failure, but the other way on.
#[inline]
pub fn run<'p, const N: usize>(rest: &'p [u8], run: &[u8; N]) -> Result<&'p [u8], &'p [u8]> {
    rest.strip_prefix(run).ok_or_else(|| behind_common(rest, run))
}

/// `rest` from the first octet on that differs. Not inlined: there may be hundreds of calls in one function, which the compiler takes more than linear time for.
#[inline(never)]
fn behind_common<'p>(rest: &'p [u8], run: &[u8]) -> &'p [u8] {
    let same = rest.iter().zip(run).take_while(|(octet, wanted)| octet == wanted).count();
    rest.get(same..).unwrap_or_default()
}

/// The first octet that is one of `wanted`, and what follows it. Of `wanted` there are at most six.
#[inline(never)]
#[must_use]
pub fn find<'p, const N: usize>(rest: &'p [u8], wanted: &[u8; N]) -> Option<(u8, &'p [u8])> {
    let (at, _) = words::find_any(rest, 0, wanted)?;
    let (octet, behind) = rest.get(at..)?.split_first()?;
    Some((*octet, behind))
}

/// The first octet for which `wanted` holds, and what follows it.
#[inline(always)]
#[must_use]
pub fn find_where(rest: &[u8], wanted: impl Fn(u8) -> bool) -> Option<(u8, &[u8])> {
    let at = rest.iter().position(|octet| wanted(*octet))?;
    let (octet, behind) = rest.get(at..)?.split_first()?;
    Some((*octet, behind))
}
