//! What the parser noticed. Parsing never fails; what could not be used, or was used in a way that may surprise, is a
//! [`Diagnostic`].

use std::fmt;

use crate::parse::agent_value::written;
use crate::parse::keys::Directive;
use crate::span::ByteSpan;

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Probably not what was meant.
    Warning,
    /// Something was lost.
    Error,
}

impl Severity {
    /// Returns `info`, `warning` or `error`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What was noticed: a stable code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DiagnosticCode {
    /// The body starts with a part of the UTF-8 byte order mark.
    PartialBom,
    /// The body starts with a UTF-16 byte order mark and was read as written.
    Utf16Bom,
    /// The body was decoded from UTF-16 and held code units that are no text.
    Utf16Invalid,
    /// The body is over the dialect's limit; the span covers what was dropped.
    FileCut,
    /// A line is over the dialect's limit; the span covers what was dropped.
    LineCut,
    /// A line contains a NUL byte.
    Nul,
    /// A line is neither blank nor a record: it has no colon.
    NoColon,
    /// White space was taken for the missing colon.
    MissingColon,
    /// Nothing precedes the colon.
    EmptyKey,
    /// A misspelt key was taken for the directive that was meant.
    TypoKey,
    /// A key that only begins with a directive's name was taken for it.
    PrefixKey,
    /// Another dialect would take this key for a directive, this one does not.
    RefusedKey,
    /// The key is not known.
    UnknownKey,
    /// The key is known, and no known system obeys it, or none does any more.
    UnusedKey,
    /// An `Allow` or `Disallow` before any `User-agent` line is no part of any group.
    RuleOutsideGroup,
    /// A pattern that starts with neither `/` nor `*` matches nothing.
    DeadPattern,
    /// A pattern that starts with neither `/` nor `*` got a `/` before it.
    AssumedSlash,
    /// A pattern is a whole URL, so that it matches nothing.
    UrlPattern,
    /// An `Allow` without a value means different things to different systems.
    EmptyAllow,
    /// More than a product token stands in a `User-agent` value; only the token counts.
    AgentNotToken,
    /// A `User-agent` value holds no product token, so that no crawler obeys it.
    AgentNamesNobody,
    /// Two `User-agent` lines with only other records between them head one group.
    GroupMerge,
    /// The value is not a number of seconds.
    InvalidCrawlDelay,
    /// The value is not of the form `documents/seconds`.
    InvalidRequestRate,
    /// The value is not of the form `HHMM-HHMM`.
    InvalidVisitTime,
    /// The value is no host name.
    InvalidHost,
    /// The value names no parameter, or is too long.
    InvalidCleanParam,
    /// The value states no preference.
    InvalidContentSignal,
    /// The value states no preference.
    InvalidContentUsage,
    /// The value is no absolute URL.
    InvalidSitemap,
}

impl DiagnosticCode {
    /// All codes, in the order in which they are declared.
    pub const ALL: [Self; 30] = [
        Self::PartialBom,
        Self::Utf16Bom,
        Self::Utf16Invalid,
        Self::FileCut,
        Self::LineCut,
        Self::Nul,
        Self::NoColon,
        Self::MissingColon,
        Self::EmptyKey,
        Self::TypoKey,
        Self::PrefixKey,
        Self::RefusedKey,
        Self::UnknownKey,
        Self::UnusedKey,
        Self::RuleOutsideGroup,
        Self::DeadPattern,
        Self::AssumedSlash,
        Self::UrlPattern,
        Self::EmptyAllow,
        Self::AgentNotToken,
        Self::AgentNamesNobody,
        Self::GroupMerge,
        Self::InvalidCrawlDelay,
        Self::InvalidRequestRate,
        Self::InvalidVisitTime,
        Self::InvalidHost,
        Self::InvalidCleanParam,
        Self::InvalidContentSignal,
        Self::InvalidContentUsage,
        Self::InvalidSitemap,
    ];

    /// Returns the code's name: lower case, words joined by `-`, never changed once released.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PartialBom => "partial-bom",
            Self::Utf16Bom => "utf16-bom",
            Self::Utf16Invalid => "utf16-invalid",
            Self::FileCut => "file-cut",
            Self::LineCut => "line-cut",
            Self::Nul => "nul-byte",
            Self::NoColon => "no-colon",
            Self::MissingColon => "missing-colon",
            Self::EmptyKey => "empty-key",
            Self::TypoKey => "typo-key",
            Self::PrefixKey => "prefix-key",
            Self::RefusedKey => "refused-key",
            Self::UnknownKey => "unknown-key",
            Self::UnusedKey => "unused-key",
            Self::RuleOutsideGroup => "rule-outside-group",
            Self::DeadPattern => "dead-pattern",
            Self::AssumedSlash => "assumed-slash",
            Self::UrlPattern => "url-pattern",
            Self::EmptyAllow => "empty-allow",
            Self::AgentNotToken => "agent-not-token",
            Self::AgentNamesNobody => "agent-names-nobody",
            Self::GroupMerge => "group-merge",
            Self::InvalidCrawlDelay => "invalid-crawl-delay",
            Self::InvalidRequestRate => "invalid-request-rate",
            Self::InvalidVisitTime => "invalid-visit-time",
            Self::InvalidHost => "invalid-host",
            Self::InvalidCleanParam => "invalid-clean-param",
            Self::InvalidContentSignal => "invalid-content-signal",
            Self::InvalidContentUsage => "invalid-content-usage",
            Self::InvalidSitemap => "invalid-sitemap",
        }
    }

    /// Returns how much a diagnostic of this code matters.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::PartialBom | Self::UnknownKey | Self::UnusedKey | Self::AssumedSlash | Self::AgentNotToken => {
                Severity::Info
            }
            Self::Utf16Bom
            | Self::FileCut
            | Self::LineCut
            | Self::RuleOutsideGroup
            | Self::DeadPattern
            | Self::UrlPattern
            | Self::RefusedKey => Severity::Error,
            _ => Severity::Warning,
        }
    }
}

impl fmt::Display for DiagnosticCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One thing that was noticed, with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What was noticed.
    pub code: DiagnosticCode,
    /// How much it matters.
    pub severity: Severity,
    /// Where, in the body.
    pub span: ByteSpan,
    /// The line, from 1.
    pub line: u32,
    /// A figure or a second line that the message names.
    pub(crate) detail: u32,
}

/// The rules of a part of a file that the caller did not pass.
pub(crate) const UNKNOWN_RULES: u32 = u32::MAX;

impl Diagnostic {
    pub(crate) const fn new(code: DiagnosticCode, span: ByteSpan, line: u32, detail: u32) -> Self {
        Self { code, severity: code.severity(), span, line, detail }
    }

    /// Returns the message for a person: lower case, no full stop. `body` is
    /// [`RobotsTxt::body`](crate::RobotsTxt::body).
    ///
    /// Diagnostics are small values; the text is made here, when it is wanted. Bytes that are no printable ASCII are
    /// escaped. Never panics, not even with the body of another file.
    ///
    /// ```
    /// use robotsc::{Dialect, RobotsTxt};
    ///
    /// let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: cart\n");
    /// let noticed = robots.diagnostics()[0];
    /// assert_eq!(noticed.message(robots.body()), "`cart` starts with neither `/` nor `*` and matches nothing");
    /// ```
    #[must_use]
    pub fn message(&self, body: &[u8]) -> String {
        let text = Excerpt(self.span.of(body));
        match self.code {
            DiagnosticCode::PartialBom => "a byte order mark that is cut short is skipped".into(),
            DiagnosticCode::Utf16Bom => {
                "the body is UTF-16, which is not decoded, so that no line is understood".into()
            }
            DiagnosticCode::Utf16Invalid => {
                format!("the UTF-16 body holds {} code units that are no text", self.detail)
            }
            DiagnosticCode::FileCut if self.detail == UNKNOWN_RULES => {
                format!("the file is over the limit: what follows its first {} bytes is not read", self.span.start)
            }
            DiagnosticCode::FileCut => format!(
                "the file is over the limit: {} bytes with {} rules from here on are not read",
                self.span.len(),
                self.detail
            ),
            DiagnosticCode::LineCut => {
                format!("the line is over the limit: its last {} bytes are not read", self.span.len())
            }
            DiagnosticCode::Nul => "the line contains a NUL byte, and many readers end it there".into(),
            DiagnosticCode::NoColon => format!("`{text}` has no colon and is no record"),
            DiagnosticCode::MissingColon => format!("`{text}` has no colon after it, and the space is taken for it"),
            DiagnosticCode::EmptyKey => format!("`{text}` has nothing in front of its colon and is no record"),
            DiagnosticCode::TypoKey => {
                format!("`{text}` is misspelt and read as `{}`", Directive::meant(self.span.of(body)))
            }
            DiagnosticCode::PrefixKey => {
                format!("`{text}` is read as `{}`, with which it begins", Directive::meant(self.span.of(body)))
            }
            DiagnosticCode::RefusedKey => {
                format!("`{text}` is no directive in this dialect, though another takes it for one")
            }
            DiagnosticCode::UnknownKey => format!("`{text}` is no known key"),
            DiagnosticCode::UnusedKey => format!("`{text}` is obeyed by no known crawler"),
            DiagnosticCode::RuleOutsideGroup => "the rule is in no group and is not obeyed".into(),
            DiagnosticCode::DeadPattern => format!("`{text}` starts with neither `/` nor `*` and matches nothing"),
            DiagnosticCode::AssumedSlash => {
                format!("`{text}` starts with neither `/` nor `*` and is read as `/{text}`")
            }
            DiagnosticCode::UrlPattern => format!("`{text}` is a URL where a path is wanted and matches nothing"),
            DiagnosticCode::EmptyAllow => {
                "an `Allow` without a value means different things to different crawlers".into()
            }
            DiagnosticCode::AgentNotToken => {
                let named = self.span.of(body).get(..self.detail as usize).unwrap_or_default();
                // A name beyond RFC 9309 is compared with more than the product token.
                let written = written(self.span.of(body));
                let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
                if written.len() > named.len() && written.iter().all(is_name) {
                    let (named, written) = (Excerpt(named), Excerpt(written));
                    return format!("`{text}` is read as `{named}`, or as `{written}` by a crawler of that name");
                }
                format!("`{text}` is read as `{}`", Excerpt(named))
            }
            DiagnosticCode::AgentNamesNobody => format!("`{text}` is no product token and names no crawler"),
            DiagnosticCode::GroupMerge => {
                format!("this agent joins the group of line {}, since no rule stands between them", self.detail)
            }
            DiagnosticCode::InvalidCrawlDelay => format!("`{text}` is no number of seconds"),
            DiagnosticCode::InvalidRequestRate => {
                format!("`{text}` is no rate such as `1/10`, `30/5m` or `1/10s 0800-1700`")
            }
            DiagnosticCode::InvalidVisitTime => format!("`{text}` is no time window such as `0600-0845`"),
            DiagnosticCode::InvalidHost => format!("`{text}` is no host name"),
            DiagnosticCode::InvalidCleanParam => format!("`{text}` is no parameter list of at most 500 bytes"),
            DiagnosticCode::InvalidContentSignal | DiagnosticCode::InvalidContentUsage => {
                format!("`{text}` states no preference")
            }
            DiagnosticCode::InvalidSitemap => format!("`{text}` is no absolute URL"),
        }
    }
}

/// At most this many bytes of the body are shown in a message.
const EXCERPT_BYTES: usize = 80;

struct Excerpt<'a>(&'a [u8]);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &byte in self.0.iter().take(EXCERPT_BYTES) {
            match byte {
                b' '..=b'~' => write!(f, "{}", char::from(byte))?,
                _ => write!(f, "\\x{byte:02x}")?,
            }
        }
        f.write_str(if self.0.len() > EXCERPT_BYTES { "…" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::{Diagnostic, DiagnosticCode};
    use crate::span::ByteSpan;

    #[test]
    fn messages_show_bytes_safely() {
        let message =
            |body: &[u8]| Diagnostic::new(DiagnosticCode::UnknownKey, ByteSpan::new(0, body.len()), 1, 0).message(body);
        assert_eq!(message(b"a`\x1B\xFF\\"), r"`a`\x1b\xff\` is no known key");
        assert_eq!(message(&[b'a'; 81]), format!("`{}…` is no known key", "a".repeat(80)));
        let beyond = Diagnostic::new(DiagnosticCode::AgentNotToken, ByteSpan::new(5, 9), 1, 7);
        assert_eq!(beyond.message(b"abc"), "`` is read as ``");
        for (value, token, wanted) in [
            ("FooBot/2.1", 6, "`FooBot/2.1` is read as `FooBot`"),
            ("MJ12bot/v1.4", 2, "`MJ12bot/v1.4` is read as `MJ`, or as `MJ12bot` by a crawler of that name"),
            ("FooBot,BarBot", 6, "`FooBot,BarBot` is read as `FooBot`"),
            ("* x", 1, "`* x` is read as `*`"),
        ] {
            let noticed = Diagnostic::new(DiagnosticCode::AgentNotToken, ByteSpan::new(0, value.len()), 1, token);
            assert_eq!(noticed.message(value.as_bytes()), wanted);
        }
    }

    #[test]
    fn codes_are_kebab_case() {
        let names: Vec<_> = DiagnosticCode::ALL.iter().map(|code| code.as_str()).collect();
        let is_kebab = |name: &&str| name.bytes().all(|byte| byte.is_ascii_lowercase() || b"-16".contains(&byte));
        assert!(names.iter().all(is_kebab), "{names:?}");
        assert!(DiagnosticCode::ALL.is_sorted());
        let unique: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(unique.len(), names.len());
    }
}
