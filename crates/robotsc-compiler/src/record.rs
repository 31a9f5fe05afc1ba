//! Records that are neither `User-agent` nor rules: sitemaps, crawl delays, preferences, …

use crate::span::ByteSpan;

/// What a record is, by its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RecordKind {
    /// `Sitemap`: of the whole file.
    Sitemap,
    /// `Crawl-delay`: of its group.
    CrawlDelay,
    /// `Request-rate`: of its group.
    RequestRate,
    /// `Visit-time`: of its group.
    VisitTime,
    /// `Host`: of the whole file; Yandex gave it up in March 2018.
    Host,
    /// `Clean-param`: of the whole file.
    CleanParam,
    /// `Content-signal`: of its group.
    ContentSignal,
    /// `Content-usage`: of its group.
    ContentUsage,
    /// `Noindex`: no system obeys it any more.
    Noindex,
    /// A key that is known and that no system uses.
    Unused,
    /// Any other key.
    Unknown,
}

/// A record that is neither a `User-agent` line nor a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// What it is.
    pub kind: RecordKind,
    /// The key as written, trimmed.
    pub key: ByteSpan,
    /// The value, trimmed, comment removed.
    pub value: ByteSpan,
    /// The line, from 1.
    pub line: u32,
}
