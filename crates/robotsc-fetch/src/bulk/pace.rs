//! How fast many origins are fetched.

use std::time::Duration;

/// How many fetches there are at the same time, and how close together. A domain is a registrable one: `shop.example`
/// with all its subdomains, by the public suffix list.
///
/// Each further request of a fetch counts as one of the domain and the address that it goes to, and waits for its turn
/// there: one that follows a redirect, and under another name ([`Bulk::visit`](super::Bulk::visit)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BulkLimits {
    /// The maximum number of fetches at the same time.
    pub in_flight: usize,
    /// The maximum number of fetches of one domain at the same time.
    pub per_domain: usize,
    /// The least time between the starts of two fetches of one domain.
    pub domain_interval: Duration,
    /// The maximum number of fetches at one address at the same time.
    pub per_address: usize,
    /// The least time between the starts of two fetches at one address.
    pub address_interval: Duration,
    /// The maximum number of origins that are read ahead and wait for their turn.
    pub waiting: usize,
    /// The longest time that a redirect waits for its turn, beyond what the two intervals ask of each. Then the fetch
    /// ends as a failure, so that thousands of origins that redirect to one site do not hold up the rest.
    pub redirect_wait: Duration,
}

impl Default for BulkLimits {
    /// 64 fetches, one at a time of a domain, a second apart; four at a time at an address, 100 ms apart; 100,000
    /// origins read ahead; a minute for a redirect.
    fn default() -> Self {
        Self {
            in_flight: 64,
            per_domain: 1,
            domain_interval: Duration::from_secs(1),
            per_address: 4,
            address_interval: Duration::from_millis(100),
            waiting: 100_000,
            redirect_wait: Duration::from_secs(60),
        }
    }
}

impl BulkLimits {
    /// Returns the longest time that a redirect waits. Within it, the request before it has its intervals.
    pub(crate) fn longest_redirect_wait(&self) -> Duration {
        self.redirect_wait.saturating_add(self.domain_interval).saturating_add(self.address_interval)
    }

    /// Returns the pace with no number below one: else nothing would ever start.
    pub(crate) fn at_least_one(self) -> Self {
        Self {
            in_flight: self.in_flight.max(1),
            per_domain: self.per_domain.max(1),
            per_address: self.per_address.max(1),
            waiting: self.waiting.max(1),
            ..self
        }
    }
}
