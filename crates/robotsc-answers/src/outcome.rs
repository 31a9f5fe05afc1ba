//! What came of fetches, in words.

use robotsc::outcome::{Access, Outcome};

/// Returns the name of an outcome.
#[must_use]
pub const fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Rules => "rules",
        Outcome::Unavailable => "unavailable",
        Outcome::TooManyRedirects => "redirects",
        Outcome::ServerError => "server-error",
        Outcome::Unreachable => "unreachable",
        Outcome::NotModified => "not-modified",
    }
}

/// Returns the name of what counts.
#[must_use]
pub const fn access(access: Access) -> &'static str {
    match access {
        Access::Rules => "rules",
        Access::AllowAll => "allow-all",
        Access::DisallowAll => "disallow-all",
        Access::Unknown => "unknown",
    }
}
