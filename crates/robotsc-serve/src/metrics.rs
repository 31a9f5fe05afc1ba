//! What the server counts, for Prometheus.

use std::fmt;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// A route and how it answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    route: String,
    status: u16,
}

/// A route.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
}

/// A reason to refuse a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Refused {
    reason: &'static str,
}

/// The counts.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    seconds: Family<Route, Histogram, fn() -> Histogram>,
    refused: Family<Refused, Counter>,
    /// Answers of check and matrix: URLs times agents.
    pub(crate) answers: Counter,
    /// Parsed files that were found in the cache, or not.
    pub(crate) cache_hits: Counter,
    pub(crate) cache_misses: Counter,
    /// Open connections.
    pub(crate) connections: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("robotsc");
        // From 0.1 ms to 6.5 s.
        let histogram: fn() -> Histogram = || Histogram::new(exponential_buckets(0.000_1, 4.0, 9));
        let metrics = Self {
            requests: Family::default(),
            seconds: Family::new_with_constructor(histogram),
            refused: Family::default(),
            answers: Counter::default(),
            cache_hits: Counter::default(),
            cache_misses: Counter::default(),
            connections: Gauge::default(),
            registry: Registry::default(),
        };
        registry.register("requests", "Requests by route and status", metrics.requests.clone());
        registry.register("request_seconds", "Time until the response begins", metrics.seconds.clone());
        registry.register("refused_requests", "Requests that the guard refused", metrics.refused.clone());
        registry.register("answers", "Answers of check and matrix, URLs times agents", metrics.answers.clone());
        registry.register("file_cache_hits", "Files that were parsed already", metrics.cache_hits.clone());
        registry.register("file_cache_misses", "Files that were parsed", metrics.cache_misses.clone());
        registry.register("connections", "Open connections", metrics.connections.clone());
        Self { registry, ..metrics }
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Metrics {
    /// Counts a request that the guard refused.
    pub(crate) fn refused(&self, reason: &'static str) {
        self.refused.get_or_create(&Refused { reason }).inc();
    }

    /// Counts a request of a route, and the time until its response began.
    pub(crate) fn answered(&self, route: &str, status: u16, time: Duration) {
        let route = route.to_owned();
        self.seconds.get_or_create(&Route { route: route.clone() }).observe(time.as_secs_f64());
        self.requests.get_or_create(&Answered { route, status }).inc();
    }

    /// Returns all counts in the format of OpenMetrics.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
