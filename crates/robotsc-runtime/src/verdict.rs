//! The answer to "may my agent fetch this path?".

use core::fmt;

/// The answer to "may my agent fetch this path?".
///
/// A path that no rule matches is allowed (RFC 9309 section 2.2.2). There is no default all the same: a question that
/// failed has no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The agent must not fetch the path.
    Disallow,
    /// The agent may fetch the path.
    Allow,
}

impl Verdict {
    /// Reports whether this is [`Verdict::Allow`].
    #[must_use]
    pub const fn is_allow(self) -> bool {
        matches!(self, Self::Allow)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_allow() { "allowed" } else { "disallowed" })
    }
}
