//! Sites as a cache holds them.

use robotsc::frontier::Frontier;
use robotsc_frontier::schedule::Schedule;

/// What is known of sites, and when to fetch.
#[derive(Debug)]
pub(crate) struct Sites {
    pub(crate) frontier: Frontier,
    pub(crate) schedule: Schedule,
}
