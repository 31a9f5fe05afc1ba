//! Ranks: which of the rules that match a path decides.
//!
//! A rank is `number << 1 | allow`: the number of a rule, from 1, and its verdict. Of two rules that match, the one of
//! the higher rank decides, so that the verdict is the lowest bit of the highest rank. The compiler chooses the
//! numbers: for verdicts alone, neighbours of one verdict share a number; for rules by name, every rule has its own.

use crate::Verdict;

/// The rank of a rule; 0 if no rule matched.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub u32);

impl Rank {
    /// The rank if no rule matched.
    pub const NONE: Self = Self(0);

    /// The highest number of a rule: ranks have at most three bytes in a program.
    pub const MAX_NUMBER: u32 = (1 << 23) - 1;

    /// Returns the rank of a rule with this number, which is at most [`Rank::MAX_NUMBER`].
    #[must_use]
    pub const fn new(number: u32, verdict: Verdict) -> Self {
        Self(number << 1 | verdict.is_allow() as u32)
    }

    /// Returns the number of the rule, or 0 if no rule matched.
    #[must_use]
    #[inline(always)]
    pub const fn number(self) -> u32 {
        self.0 >> 1
    }

    /// Returns the verdict: [`Verdict::Allow`] if no rule matched (RFC 9309 section 2.2.2).
    #[must_use]
    #[inline(always)]
    pub const fn verdict(self) -> Verdict {
        if self.0 == 0 || self.0 & 1 == 1 { Verdict::Allow } else { Verdict::Disallow }
    }
}
