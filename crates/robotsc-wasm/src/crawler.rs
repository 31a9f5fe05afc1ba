//! Crawlers as callers hold them.

use robotsc::Crawler;
use robotsc::bundled::DocumentedCrawler;

/// A crawler, and what the register adds to it.
#[derive(Debug)]
pub(crate) struct NamedCrawler {
    pub(crate) crawler: Crawler,
    #[cfg_attr(not(feature = "analysis"), expect(dead_code, reason = "explanations name it"))]
    pub(crate) documented: Option<DocumentedCrawler>,
}
