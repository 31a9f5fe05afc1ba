//! What a body is, as far as its bytes show: a robots.txt, or what a server sent in its place.

use std::fmt;

use crate::dialect::Dialect;
use crate::robots_txt::RobotsTxt;

/// The bytes at the beginning of a body that are searched.
const HEAD_BYTES: usize = 4 << 10;

/// What a body is: a robots.txt, or what a server sent in its place.
///
/// Crawlers obey what a site serves, so a dialect reads a page without a directive as a file without rules: all is
/// allowed. Such a page is often a login, a challenge or a mistake of the server, so what fetches, packs and reports
/// names what it saw. [`FetchRules::other_body_is_failure`](crate::dialect::FetchRules::other_body_is_failure) makes a
/// failure of it.
///
/// ```
/// use robotsc::Dialect;
/// use robotsc::robots_txt::BodyKind;
///
/// let kind = |body: &[u8]| BodyKind::of(body, &Dialect::GOOGLE);
/// assert_eq!(kind(b"User-agent: *\nDisallow: /cart\n"), BodyKind::Robots);
/// assert_eq!(kind(b"# nothing to say\n"), BodyKind::Robots);
/// assert_eq!(kind(b"<!doctype html><title>Log in</title>"), BodyKind::Html);
/// assert_eq!(kind(b"{\"error\": 404}"), BodyKind::Json);
/// assert_eq!(kind(b"User-agent: * Disallow: /"), BodyKind::OneLine);
/// assert_eq!(kind(b"\x1f\x8b\x08\0").to_string(), "gzip data");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum BodyKind {
    /// A robots.txt: a line of it is a directive, or it is empty, or it holds comments alone.
    Robots,
    /// HTML without a group.
    Html,
    /// XML without a group.
    Xml,
    /// JSON without a group.
    Json,
    /// Text in UTF-16.
    Utf16,
    /// Several directives on one line, or with `\n` in letters, so that no rule of them counts.
    OneLine,
    /// Other text, no line of which is a directive that counts.
    Text,
    /// gzip data: a body that is still coded.
    Gzip,
    /// zstd data: a body that is still coded.
    Zstd,
    /// Data of another compressor: bzip2 or xz.
    Compressed,
    /// A zip archive.
    Zip,
    /// A PDF document.
    Pdf,
    /// An image.
    Image,
    /// Other bytes that are no text, without a directive. Brotli has no mark, so it is this.
    Binary,
}

/// The first bytes of formats that are no text.
const MARKS: [(&[u8], BodyKind); 16] = [
    (&[0x1F, 0x8B], BodyKind::Gzip),
    (&[0x28, 0xB5, 0x2F, 0xFD], BodyKind::Zstd),
    (b"BZh", BodyKind::Compressed),
    (&[0xFD, b'7', b'z', b'X', b'Z', 0], BodyKind::Compressed),
    (b"PK\x03\x04", BodyKind::Zip),
    (b"PK\x05\x06", BodyKind::Zip),
    (b"%PDF-", BodyKind::Pdf),
    (b"\x89PNG\r\n", BodyKind::Image),
    (&[0xFF, 0xD8, 0xFF], BodyKind::Image),
    (b"GIF8", BodyKind::Image),
    (b"RIFF", BodyKind::Image),
    (&[0, 0, 1, 0], BodyKind::Image),
    (b"\x7FELF", BodyKind::Binary),
    (b"MZ\x90\0", BodyKind::Binary),
    (b"SQLite format 3\0", BodyKind::Binary),
    (b"OggS", BodyKind::Binary),
];

impl BodyKind {
    /// Recognizes a body, as a dialect reads it.
    ///
    /// Cost: parses the body. Never panics.
    #[must_use]
    pub fn of(body: &[u8], dialect: &Dialect) -> Self {
        RobotsTxt::parse_with(body, dialect).body_kind()
    }

    /// Reports whether it is a robots.txt, also one without rules.
    #[must_use]
    pub const fn is_robots(self) -> bool {
        matches!(self, Self::Robots)
    }

    /// Returns the word for it in reports: `robots`, `html`, `xml`, `json`, `utf-16`, `one-line`, `text`, `gzip`,
    /// `zstd`, `compressed`, `zip`, `pdf`, `image` or `binary`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Robots => "robots",
            Self::Html => "html",
            Self::Xml => "xml",
            Self::Json => "json",
            Self::Utf16 => "utf-16",
            Self::OneLine => "one-line",
            Self::Text => "text",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Compressed => "compressed",
            Self::Zip => "zip",
            Self::Pdf => "pdf",
            Self::Image => "image",
            Self::Binary => "binary",
        }
    }

    /// Recognizes a format by the first bytes; `None` if it can be text.
    #[must_use]
    pub fn of_mark(body: &[u8]) -> Option<Self> {
        if let Some((_, kind)) = MARKS.iter().find(|(mark, _)| body.starts_with(mark)) {
            return Some(*kind);
        }
        matches!(body, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]).then_some(Self::Utf16)
    }
}

/// What it is, with an article where English has one: `HTML`, `gzip data`, `a PDF document`.
impl fmt::Display for BodyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Robots => "a robots.txt",
            Self::Html => "HTML",
            Self::Xml => "XML",
            Self::Json => "JSON",
            Self::Utf16 => "text in UTF-16",
            Self::OneLine => "several directives on one line",
            Self::Text => "text without a directive that counts",
            Self::Gzip => "gzip data",
            Self::Zstd => "zstd data",
            Self::Compressed => "compressed data",
            Self::Zip => "a zip archive",
            Self::Pdf => "a PDF document",
            Self::Image => "an image",
            Self::Binary => "binary data",
        })
    }
}

impl RobotsTxt<'_> {
    /// Returns what the body is: a robots.txt, or what was sent or chosen in its place.
    ///
    /// Cost: linear in the first bytes; for a file without rules, in all of them. Never panics.
    #[must_use]
    pub fn body_kind(&self) -> BodyKind {
        if let Some(kind) = BodyKind::of_mark(&self.body) {
            return kind;
        }
        if !self.rules.is_empty() {
            return BodyKind::Robots;
        }
        if self.groups.is_empty()
            && let Some(kind) = unlike_text(&self.body)
        {
            return kind;
        }
        if holds_one_line(&self.body) {
            return BodyKind::OneLine;
        }
        if self.has_no_directive() { BodyKind::Text } else { BodyKind::Robots }
    }
}

/// Recognizes markup, JSON and bytes that are no text in a body without a group.
fn unlike_text(body: &[u8]) -> Option<BodyKind> {
    let head = &body[..body.len().min(HEAD_BYTES)];
    if is_wide(head) {
        return Some(BodyKind::Utf16);
    }
    if head.iter().any(|byte| byte.is_ascii_control() && !matches!(byte, b'\t'..=b'\r' | 0x1A | 0x1B)) {
        return Some(BodyKind::Binary);
    }
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii();
    let lower = text.to_ascii_lowercase();
    let holds = |word: &[u8]| lower.windows(word.len()).any(|part| part == word);
    if text.starts_with(b"<?xml") && !holds(b"<html") {
        return Some(BodyKind::Xml);
    }
    const HTML: [&[u8]; 9] =
        [b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<script", b"<meta", b"<h1", b"<div"];
    if HTML.into_iter().any(holds) {
        return Some(BodyKind::Html);
    }
    match text.first() {
        // A fragment such as `<p>Not found</p>` is no document of XML.
        Some(b'<') if lower.starts_with(b"<p") || lower.starts_with(b"<!--") || lower.starts_with(b"<b") => {
            Some(BodyKind::Html)
        }
        Some(b'<') => Some(BodyKind::Xml),
        Some(b'{' | b'[') => Some(BodyKind::Json),
        _ => None,
    }
}

/// Reports whether bytes look like UTF-16 without its mark: every other byte is 0.
fn is_wide(head: &[u8]) -> bool {
    let (pairs, _) = head.as_chunks::<2>();
    let zeros = |place: usize| pairs.iter().filter(|pair| pair[place] == 0).count();
    pairs.len() >= 4 && zeros(0).abs_diff(zeros(1)) * 2 > pairs.len()
}

/// Reports whether a line holds several directives, one of which is a rule.
fn holds_one_line(body: &[u8]) -> bool {
    body.split(|byte| matches!(byte, b'\n' | b'\r')).any(|line| {
        let line = line.split(|byte| *byte == b'#').next().unwrap_or_default().to_ascii_lowercase();
        let count = |key: &[u8]| {
            line.windows(key.len())
                .enumerate()
                .filter(|(at, part)| {
                    let after = line.get(at + key.len()..).unwrap_or_default().trim_ascii_start();
                    let before = line.get(..*at).unwrap_or_default();
                    let begins = before.last().is_none_or(|byte| !byte.is_ascii_alphanumeric())
                        || matches!(before, [.., b'\\', b'n' | b'r' | b't']);
                    *part == key && begins && after.first() == Some(&b':')
                })
                .count()
        };
        let rules = count(b"disallow") + count(b"allow");
        rules > 0 && rules + count(b"user-agent") > 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_recognized() {
        let wide: Vec<u8> = "User-agent: *\nDisallow: /\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let marked = [&[0xFE, 0xFF], &wide[..]].concat();
        for (body, kind) in [
            (&b""[..], BodyKind::Robots),
            (b"\n \r\n# a comment alone", BodyKind::Robots),
            (b"User-agent: *\nDisallow:\n", BodyKind::Robots),
            (b"User-agent: *\n", BodyKind::Robots),
            (b"Sitemap: https://a.example/s.xml\n", BodyKind::Robots),
            (b"<pre>\nUser-agent: *\nDisallow: /\n</pre>", BodyKind::Robots),
            (b"\xEF\xBB\xBF\n<!DOCTYPE HTML>", BodyKind::Html),
            (b"<html>\nhost: x.example\n</html>", BodyKind::Html),
            (b"Moved. <HTML><body>here</body>", BodyKind::Html),
            (b"<?xml version=\"1.0\"?><html/>", BodyKind::Html),
            (b"<p>Not found</p>", BodyKind::Html),
            (b"<?xml version=\"1.0\"?><Error/>", BodyKind::Xml),
            (b"<Error><Code>AccessDenied</Code></Error>", BodyKind::Xml),
            (b" {\"message\": \"no\"}", BodyKind::Json),
            (b"[]", BodyKind::Json),
            (b"Not found", BodyKind::Text),
            (b"Disallow: /\n", BodyKind::Text),
            (b"User-agent: * Disallow: /", BodyKind::OneLine),
            (b"user-agent: *\\nallow: /\\ndisallow : /x", BodyKind::OneLine),
            (b"User-agent: *; Disallow: /a Allow: /b\nSitemap: https://a.example/s\n", BodyKind::OneLine),
            (b"Disallow: / Allow: /a", BodyKind::OneLine),
            (b"User-agent: * # Disallow: /", BodyKind::Robots),
            (b"User-agent: *\nDisallow: /a Disallow: /b\n", BodyKind::Robots),
            (&wide, BodyKind::Utf16),
            (&marked, BodyKind::Utf16),
            (b"\x1f\x8b\x08\0", BodyKind::Gzip),
            (b"\x28\xB5\x2F\xFD\0", BodyKind::Zstd),
            (b"BZh91AY", BodyKind::Compressed),
            (b"PK\x03\x04", BodyKind::Zip),
            (b"%PDF-1.7\nUser-agent: *\nDisallow: /\n", BodyKind::Pdf),
            (b"GIF89a", BodyKind::Image),
            (b"\x1b\x0d\x01\x00\x44\x27", BodyKind::Binary),
            (b"User-agent: *\0\nDisallow: /\n", BodyKind::Robots),
        ] {
            assert_eq!(BodyKind::of(body, &Dialect::GOOGLE), kind, "{}", body.escape_ascii());
        }
    }
}
