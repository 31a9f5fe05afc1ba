//! What a frontier answers for a URL, and why.

use crate::origin::Origin;
use std::fmt;

use crate::outcome::{FetchRecord, Outcome, UnknownReason};

/// The answer to "may this URL be fetched now?", from [`Frontier::check`](super::Frontier::check).
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Check {
    /// Fetch it.
    Allowed,
    /// Do not fetch it.
    Disallowed(Reason),
    /// Nothing that still counts is known of this origin: fetch its [robots.txt](Origin::robots_url) first.
    Unknown(Origin),
}

impl Check {
    /// Reports whether the URL may be fetched: `false` for [`Unknown`](Self::Unknown).
    #[must_use]
    pub const fn is_allowed(&self) -> bool {
        matches!(self, Self::Allowed)
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Allowed => f.write_str("allowed"),
            Self::Disallowed(reason) => write!(f, "disallowed: {reason}"),
            Self::Unknown(origin) => write!(f, "unknown: fetch {} first", origin.robots_url()),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules => f.write_str("by a rule of robots.txt"),
            Self::Fetch(outcome) => write!(f, "by the last fetch of robots.txt: {outcome}"),
            Self::Overlay => f.write_str("by the overlay"),
        }
    }
}

impl fmt::Display for FrontierVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a URL is disallowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A rule of robots.txt; [`Frontier::explain`](super::Frontier::explain) says which.
    Rules,
    /// The fetch of robots.txt ended this way.
    Fetch(Outcome),
    /// The overlay: see [`FrontierBuilder::overlay`](super::FrontierBuilder::overlay).
    Overlay,
}

/// A verdict without its reasons, as batches return it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FrontierVerdict {
    /// The URL may be fetched.
    Allowed,
    /// The URL may not be fetched.
    Disallowed,
    /// Nothing that still counts is known of the origin: fetch its robots.txt first. It is never an allow.
    Unknown,
}

impl FrontierVerdict {
    /// Reports whether the URL may be fetched: `false` for [`Unknown`](Self::Unknown).
    #[must_use]
    pub const fn is_allowed(self) -> bool {
        matches!(self, Self::Allowed)
    }

    /// Returns `allowed`, `disallowed` or `unknown`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Disallowed => "disallowed",
            Self::Unknown => "unknown",
        }
    }
}

/// A verdict and what decided, from [`Frontier::explain`](super::Frontier::explain).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrontierExplanation {
    /// The verdict.
    pub verdict: FrontierVerdict,
    /// What decided.
    pub by: By,
    /// The record of the last fetch of robots.txt, if one is known.
    pub record: Option<FetchRecord>,
}

/// What decided about a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum By {
    /// The rule in this line of robots.txt, counted from 1.
    Rule {
        /// The line.
        line: u32,
    },
    /// The rules; either none of them matches, or they are in a pack whose programs do not name them.
    Rules,
    /// How fetches of robots.txt ended.
    Fetch(Outcome),
    /// The URL is that of robots.txt itself.
    RobotsTxt,
    /// The overlay: see [`FrontierBuilder::overlay`](super::FrontierBuilder::overlay).
    Overlay,
    /// Nothing is known of the origin, for this reason.
    Unknown(UnknownReason),
}
