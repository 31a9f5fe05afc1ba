//! What came of fetches, in words.

use robotsc::outcome::Access;

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
