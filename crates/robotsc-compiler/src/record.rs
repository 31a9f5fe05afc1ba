//! Records that are neither `User-agent` nor rules: sitemaps, crawl delays, preferences, …

use crate::span::ByteSpan;

/// A record that is neither a `User-agent` line nor a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The key as written, trimmed.
    pub key: ByteSpan,
    /// The value, trimmed, comment removed.
    pub value: ByteSpan,
    /// The line, from 1.
    pub line: u32,
    // (the owner adds: kind, typed value)
}
