//! What a frontier says of a URL, and why.

use crate::fetch::Outcome;

/// Whether a URL may be fetched now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FrontierVerdict {
    /// It may.
    Allowed,
    /// It may not.
    Disallowed,
    /// Nothing is known of the origin, or nothing that still counts: fetch its robots.txt first. Never to be taken for an allow.
    Unknown,
}

impl FrontierVerdict {
    /// Whether the URL may be fetched: `false` for [`Unknown`](Self::Unknown).
    #[must_use]
    pub const fn is_allowed(self) -> bool {
        matches!(self, Self::Allowed)
    }

    /// `allowed`, `disallowed` or `unknown`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Disallowed => "disallowed",
            Self::Unknown => "unknown",
        }
    }
}

/// A verdict and what gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The verdict.
    pub verdict: FrontierVerdict,
    /// What gave it.
    pub by: By,
}

/// What gave a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    /// A rule; its line, from 1, where the program names it: see [`FrontierOptions::name_rules`](super::FrontierOptions::name_rules). Without names, also where no rule matched.
    Rules(Option<u32>),
    /// How fetches of robots.txt ended.
    Fetch(Outcome),
    /// The URL is that of robots.txt itself.
    RobotsTxt,
    /// The policy laid over all origins: see [`Frontier::with_overlay`](super::Frontier::with_overlay).
    Overlay,
    /// Nothing is known of the origin.
    Nothing,
}
