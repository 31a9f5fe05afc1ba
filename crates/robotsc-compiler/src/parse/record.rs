//! Records that are neither `User-agent` nor rules: sitemaps, crawl delays, preferences, …
//!
//! None of them has a part in a verdict. A record keeps the places of its key and value; [`Record::value`] reads the
//! value when it is wanted.

mod clean_param;
mod crawl_delay;
mod host;
mod preference;
mod rate;

pub use clean_param::CleanParam;
pub use host::Host;
pub use preference::PreferenceRecord;
pub use rate::{RequestRate, TimeWindow};

use std::time::Duration;

use crate::span::ByteSpan;

/// What a record is, by its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RecordKind {
    /// `Sitemap`: of the whole file, wherever it stands (RFC 9309 section 2.2.4).
    Sitemap,
    /// `Crawl-delay`: of its group.
    CrawlDelay,
    /// `Request-rate`: of its group.
    RequestRate,
    /// `Visit-time`: of its group.
    VisitTime,
    /// `Host`: of the whole file. Yandex, which brought it in, gave it up in March 2018.
    Host,
    /// `Clean-param`: of the whole file.
    CleanParam,
    /// `Content-signal` or `Content-signals`: of its group.
    ContentSignal,
    /// `Content-usage`: of its group (draft-ietf-aipref-attach).
    ContentUsage,
    /// `Noindex`: never in a standard, and not obeyed by any known crawler since 2019.
    Noindex,
    /// Another key that is known and that no known system obeys, such as `Nofollow` or `Revisit-after`.
    Unused,
    /// Any other key.
    Unknown,
}

impl RecordKind {
    /// Reports whether a record of this kind counts for the agents of its group, rather than for the whole file or for
    /// nobody.
    ///
    /// ```
    /// use robotsc::record::RecordKind;
    ///
    /// assert!(RecordKind::CrawlDelay.is_of_group());
    /// assert!(!RecordKind::Sitemap.is_of_group());
    /// ```
    #[must_use]
    pub const fn is_of_group(self) -> bool {
        match self {
            Self::CrawlDelay | Self::RequestRate | Self::VisitTime | Self::ContentSignal | Self::ContentUsage => true,
            Self::Sitemap | Self::Host | Self::CleanParam | Self::Noindex | Self::Unused | Self::Unknown => false,
        }
    }

    /// Reports whether a record of this kind counts for the whole file.
    #[must_use]
    pub const fn is_of_file(self) -> bool {
        matches!(self, Self::Sitemap | Self::Host | Self::CleanParam)
    }
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

/// The value of a record, read. Text is borrowed from the body and left as it is written, escapes included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordValue<'b> {
    /// The absolute URL of a sitemap, on any host.
    Sitemap(&'b [u8]),
    /// The time between two requests. Zero is a value; there is no highest one, so the caller sets a cap.
    CrawlDelay(Duration),
    /// How many documents may be fetched in which time.
    RequestRate(RequestRate),
    /// When the site may be visited.
    VisitTime(TimeWindow),
    /// The main host among mirrors.
    Host(Host<'b>),
    /// Query parameters that do not change a page.
    CleanParam(CleanParam<'b>),
    /// What may be done with the content, after Cloudflare's policy text.
    ContentSignal(PreferenceRecord<'b>),
    /// What may be done with the content, after the IETF's draft.
    ContentUsage(PreferenceRecord<'b>),
    /// The text of a record that has no other form.
    Text(&'b [u8]),
}

impl Record {
    /// Reads the value; `None` if it is not of the form that the key asks for, which the parser has noted as a
    /// diagnostic.
    ///
    /// `body` is [`RobotsTxt::body`](crate::RobotsTxt::body). Cost: linear in the value, no allocation. Never panics.
    #[must_use]
    pub fn value<'b>(&self, body: &'b [u8]) -> Option<RecordValue<'b>> {
        let text = self.value.of(body);
        match self.kind {
            RecordKind::Sitemap => is_absolute_url(text).then_some(RecordValue::Sitemap(text)),
            RecordKind::CrawlDelay => crawl_delay::seconds(text).map(RecordValue::CrawlDelay),
            RecordKind::RequestRate => RequestRate::parse(text).map(RecordValue::RequestRate),
            RecordKind::VisitTime => TimeWindow::parse(text).map(RecordValue::VisitTime),
            RecordKind::Host => Host::parse(text).map(RecordValue::Host),
            RecordKind::CleanParam => CleanParam::parse(text).map(RecordValue::CleanParam),
            RecordKind::ContentSignal => Some(RecordValue::ContentSignal(PreferenceRecord::split(text))),
            RecordKind::ContentUsage => Some(RecordValue::ContentUsage(PreferenceRecord::split(text))),
            RecordKind::Noindex | RecordKind::Unused | RecordKind::Unknown => Some(RecordValue::Text(text)),
        }
    }
}

/// Reports whether the text starts with a scheme and `://` (RFC 3986 section 3.1), with something after it.
pub(crate) fn is_absolute_url(text: &[u8]) -> bool {
    if text.len() > 8 && (text.starts_with(b"https://") || text.starts_with(b"http://")) {
        return true;
    }
    let scheme = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count();
    text.first().is_some_and(u8::is_ascii_alphabetic)
        && text[scheme..].starts_with(b"://")
        && text.len() > scheme + b"://".len()
}

/// Returns the words of a value, split at white space.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| matches!(byte, b' ' | b'\t' | 0x0B | 0x0C)).filter(|word| !word.is_empty())
}

/// Reads a decimal number of digits only, at most `u32::MAX`.
fn number(text: &[u8]) -> Option<u32> {
    if text.is_empty() || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    text.iter().try_fold(0u32, |sum, digit| sum.checked_mul(10)?.checked_add(u32::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::is_absolute_url;

    #[test]
    fn absolute_urls() {
        for url in ["https://a/s.xml", "HTTP://a", "ftp://a/b", "x+y-1.0://z", "http://é"] {
            assert!(is_absolute_url(url.as_bytes()), "{url}");
        }
        for text in ["", "/s.xml", "s.xml", "//a/b", "http:/a", "1a://b", "http://", "://a", "a b://c"] {
            assert!(!is_absolute_url(text.as_bytes()), "{text}");
        }
    }
}
