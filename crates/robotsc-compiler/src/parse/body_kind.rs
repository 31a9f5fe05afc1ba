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
    /// Other text: no line of it is a directive that counts, its rules stand in a list, after marks, or no
    /// `User-agent` line has a name. If it names no path to disallow, nothing is lost, and it is a robots.txt.
    Text,
    /// gzip data: a body that is still coded.
    Gzip,
    /// zstd data: a body that is still coded.
    Zstd,
    /// Data of another compressor: bzip2, xz or zlib.
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
        match body {
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Some(Self::Utf16),
            // The head of zlib, which servers mean by `deflate`.
            [0x78, 0x01 | 0x9C | 0xDA, ..] => Some(Self::Compressed),
            _ => None,
        }
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
        if begins_like_data(&self.body) {
            return BodyKind::Binary;
        }
        if !self.rules.is_empty() {
            return if self.names_nobody() && !opens_all(&self.body) { BodyKind::Text } else { BodyKind::Robots };
        }
        if self.groups.is_empty()
            && let Some(kind) = unlike_text(&self.body)
        {
            return kind;
        }
        let is_one_line = holds_one_line(&self.body);
        let is_text = self.has_no_directive() || self.groups.is_empty() && holds_other_notation(&self.body);
        match (is_one_line, is_text) {
            (false, false) => BodyKind::Robots,
            _ if opens_all(&self.body) => BodyKind::Robots,
            (true, _) => BodyKind::OneLine,
            (false, true) => BodyKind::Text,
        }
    }
}

impl RobotsTxt<'_> {
    /// Reports whether no `User-agent` line has a name or `*`, as in `User-agent: *<br>` and in RTF: no crawler obeys
    /// the rules.
    fn names_nobody(&self) -> bool {
        !self.agents.iter().any(|agent| agent.is_star || self.agent_keys(agent).next().is_some())
    }
}

/// Reports whether bytes that are no text stand before the first letter, as in a body that is still coded though its
/// text can be read, so that its first line, often `User-agent: *`, is lost. A part of a byte order mark is none, and a
/// letter or two of an 8-bit encoding are text.
fn begins_like_data(body: &[u8]) -> bool {
    const MARK: &[u8] = "\u{FEFF}".as_bytes();
    let begin = body.iter().position(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'#' | b'\n'));
    let mut first = &body[..begin.unwrap_or(0)];
    let is_text = str::from_utf8(first).is_ok();
    if !is_text {
        let mark = first.iter().zip(MARK).take_while(|(byte, mark)| byte == mark).count();
        first = &first[mark..];
    }
    // Parsers take a form feed for a blank.
    let is_control = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\t'..=b'\r' | 0);
    let high = first.iter().filter(|byte| !byte.is_ascii()).count();
    let is_coded = str::from_utf8(first).is_err() && (high > 2 || first.iter().any(|byte| (0x80..0xA0).contains(byte)));
    first.iter().any(is_control) || is_coded
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
        Some(b'{') => Some(BodyKind::Json),
        Some(b'[') if !begins_with_section(text) => Some(BodyKind::Json),
        _ => None,
    }
}

/// Reports whether a text begins with the name of a section, as TOML and INI do: `[test]`, `[[test]]`. Of the words in
/// a list of JSON there are only three.
fn begins_with_section(text: &[u8]) -> bool {
    let name = &text[text.iter().take_while(|byte| **byte == b'[').count()..];
    let is_json = [&b"true"[..], b"false", b"null"].iter().any(|word| name.starts_with(word));
    name.first().is_some_and(u8::is_ascii_alphabetic) && !is_json
}

/// Reports whether bytes look like UTF-16 without its mark: every other byte is 0.
fn is_wide(head: &[u8]) -> bool {
    let (pairs, _) = head.as_chunks::<2>();
    let zeros = |place: usize| pairs.iter().filter(|pair| pair[place] == 0).count();
    pairs.len() >= 4 && zeros(0).abs_diff(zeros(1)) * 2 > pairs.len()
}

/// Reports whether a line holds several directives, one of which is a rule. Those after a `#` count, too: it can be
/// that of `&#10;`, or of a comment that a file without line ends has at its beginning.
fn holds_one_line(body: &[u8]) -> bool {
    lines(body).any(|line| {
        let rules = count(&line, b"disallow") + count(&line, b"allow");
        rules > 0 && rules + count(&line, b"user-agent") > 1
    })
}

/// Reports whether a `User-agent` and rules stand in a body, perhaps in a form that no crawler reads, and none of them
/// names a path to disallow, as in `User-agent: * Disallow:`. What crawlers make of it is what was meant: all is
/// allowed.
fn opens_all(body: &[u8]) -> bool {
    let names_agents = lines(body).any(|line| line.windows(b"user-agent".len()).any(|part| part == b"user-agent"));
    let is_rule = |line: &[u8]| count(line, b"disallow") + count(line, b"allow") > 0;
    let is_open = |line: &[u8]| {
        let mut found = line.windows(b"disallow".len()).filter(|part| part == b"disallow");
        found.next().is_none() || (found.next().is_none() && line.ends_with(b"disallow:"))
    };
    names_agents && lines(body).any(|line| is_rule(&line)) && lines(body).all(|line| is_open(&line))
}

fn lines(body: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    body.split(|byte| matches!(byte, b'\n' | b'\r')).map(|line| line.trim_ascii().to_ascii_lowercase())
}

/// Line ends as other notations escape them, in lower case. A key after one begins a word, although a letter or a digit
/// precedes it.
const ESCAPES: [&[u8]; 8] = [b"%0a", b"%0d", b"\\u000a", b"\\u000d", b"\\x0a", b"\\x0d", b"^j", b"^m"];

/// Counts how often a line, in lower case, has a key as a word, with a colon after it, or with a path.
fn count(line: &[u8], key: &[u8]) -> usize {
    let is_key = |(at, part): &(usize, &[u8])| {
        if *part != key {
            return false;
        }
        let (before, after) = (&line[..*at], &line[at + key.len()..]);
        let begins = before.last().is_none_or(|byte| !byte.is_ascii_alphanumeric())
            || matches!(before, [.., b'\\' | b'/', b'n' | b'r' | b't'])
            || ESCAPES.iter().any(|escape| before.ends_with(escape));
        let value = after.trim_ascii_start();
        begins && (value.starts_with(b":") || (value.len() < after.len() && value.starts_with(b"/")))
    };
    line.windows(key.len()).enumerate().filter(is_key).count()
}

/// Reports whether the rules are in another notation: after the marks of a list or of markup, such as `- Disallow: /`,
/// `2. Disallow: /` and `**Disallow**: /`, or with another sign for the colon, such as `Disallow = /a`. Rules that are
/// switched off by a comment of another language do not count.
fn holds_other_notation(body: &[u8]) -> bool {
    const OFF: [&[u8]; 6] = [b"#", b"//", b";", b"<!", b"--", b"/*"];
    lines(body).any(|line| {
        let begin = line.iter().position(u8::is_ascii_alphabetic).unwrap_or(line.len());
        let (marks, text) = line.split_at(begin);
        let mut after_keys = [&b"disallow"[..], b"allow"].into_iter().filter_map(|key| text.strip_prefix(key));
        let has_marks = after_keys
            .any(|after| signs_before(after, b':').is_some_and(|signs| !marks.is_empty() || !signs.is_empty()));
        // Some dialects read a blank before a path as a colon. An `Allow` that nobody reads loses nothing.
        let after = text.strip_prefix(b"disallow".as_slice());
        let has_other_sign = after
            .and_then(|after| signs_before(after, b'/'))
            .is_some_and(|signs| !signs.is_empty() && !signs.contains(&b':'));
        (has_marks || has_other_sign) && !OFF.iter().any(|off| marks.starts_with(off))
    })
}

/// Returns what is before the first such sign of a text, without blanks around it; `None` if that is more than signs.
fn signs_before(text: &[u8], sign: u8) -> Option<&[u8]> {
    let before = &text[..text.iter().position(|byte| *byte == sign)?];
    (!before.iter().any(u8::is_ascii_alphanumeric)).then(|| before.trim_ascii())
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
            (b"[[1, 2]]", BodyKind::Json),
            (b"[null]", BodyKind::Json),
            (b"[test]\nagents = [\"FooBot\"]\n", BodyKind::Text),
            (b"[[test]]\nagent = 1\n", BodyKind::Text),
            (b"Not found", BodyKind::Text),
            (b"Disallow: /\n", BodyKind::Text),
            (b"User-agent: * Disallow: /", BodyKind::OneLine),
            (b"user-agent: *\\nallow: /\\ndisallow : /x", BodyKind::OneLine),
            (b"User-agent: *; Disallow: /a Allow: /b\nSitemap: https://a.example/s\n", BodyKind::OneLine),
            (b"Disallow: / Allow: /a", BodyKind::OneLine),
            (b"User-agent: * # all Disallow: /", BodyKind::OneLine),
            (b"User-agent: * Disallow /", BodyKind::OneLine),
            (b"# Robots User-agent: * Disallow: /", BodyKind::OneLine),
            (b"User-agent: *&#10;Disallow: /", BodyKind::OneLine),
            (b"User-agent: *<br>Disallow: /", BodyKind::OneLine),
            (b"User-agent: *%0ADisallow: /s", BodyKind::OneLine),
            (b"User-agent: *%0D%0ADisallow: /s", BodyKind::OneLine),
            (b"User-agent: *\\u000aDisallow: /s", BodyKind::OneLine),
            (b"User-agent: *\\x0aDisallow: /s", BodyKind::OneLine),
            (b"User-agent: *^JDisallow: /s", BodyKind::OneLine),
            (b"User-agent: */nDisallow: /", BodyKind::OneLine),
            (b"User-agent: *\n# Disallow: /", BodyKind::Robots),
            (b"# User-agent: *\n# Disallow: /", BodyKind::Robots),
            (b"User-agent: *\n# what we disallow/allow", BodyKind::Robots),
            (b"- User-agent: *\n- Disallow: /\nSitemap: https://a/s.xml", BodyKind::Text),
            (b"User-agent = *\nDisallow = /a\nSitemap: https://a/s.xml", BodyKind::Text),
            (b"\"User-agent\",\"*\"\n\"Disallow\",\"/a\"\nSitemap: https://a/s.xml", BodyKind::Text),
            (b"User-agent -> *\nDisallow -> /a\nSitemap: https://a/s.xml", BodyKind::Text),
            (b"User-agent = *\nAllow = /\nSitemap: https://a/s.xml", BodyKind::Robots),
            (b"; Disallow = /a\nSitemap: https://a/s.xml", BodyKind::Robots),
            (b"Sitemap: https://a/s.xml\nAllow/Disallow", BodyKind::Robots),
            (b"1. User-agent: *\n2. Disallow: /\nSitemap: https://a/s.xml", BodyKind::Text),
            (b"**User-agent**: *\n**Disallow**: /\nSitemap: https://a/s.xml", BodyKind::Text),
            (b"\xE2\x80\xA2 User-agent: *\n\xE2\x80\xA2 Disallow: /\nHost: a", BodyKind::Text),
            (b"User-agent: *<br>\nDisallow: /cart<br>\n", BodyKind::Text),
            (b"{\\rtf1\\ansi\nUser-agent: *\\\nDisallow: /cart\\\n}", BodyKind::Text),
            (b"User-agent: *<br/>Sitemap: https://a/s.xml<br/>\nDisallow:", BodyKind::Robots),
            (b"User-agent:\nDisallow:\n", BodyKind::Robots),
            (b"User-agent:\nAllow: /a\n", BodyKind::Robots),
            (b"User-agent:\nDisallow:\nDisallow: /a\n", BodyKind::Text),
            (b"User-agent: * Disallow:", BodyKind::Robots),
            (b"User-agent: * Disallow: User-agent: b Disallow:", BodyKind::OneLine),
            (b"User-agent: * Allow: / Disallow: /a", BodyKind::OneLine),
            (b"\xC3\xAF\xC2\xBB\xC2\xBFUser-agent: *\nDisallow:\n", BodyKind::Robots),
            (b"\xC3\xAF\xC2\xBB\xC2\xBFUser-agent: *\nDisallow: /a\n", BodyKind::Text),
            (b"What robots allow is shown on the next page.", BodyKind::Text),
            (b"Allow: /", BodyKind::Text),
            (b"You are not on the list of those that we allow: ask for a key.", BodyKind::Text),
            (b"User-agent: *<br>\nDisallow: /a\nUser-agent: b\nDisallow: /\n", BodyKind::Robots),
            (b"// Disallow: /\nSitemap: https://a/s.xml", BodyKind::Robots),
            (b"Disallow: /\nSitemap: https://a/s.xml", BodyKind::Robots),
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
            (b"\x0CUser-agent: *\n\x0CDisallow: /a\n", BodyKind::Robots),
            (b"\x0B\x2B\x80User-agent: *\nDisallow: /\n\nUser-agent: b\nDisallow: /b\n", BodyKind::Binary),
            (
                b"\x78\x01\x01\x3c\0\xc3User-agent: *\nDisallow: /\n\nUser-agent: b\nDisallow: /b\n",
                BodyKind::Compressed,
            ),
            (b"\xEF\xBBUser-agent: *\nDisallow: /\n", BodyKind::Robots),
            (b"\xEF\xBC\x83 cc\nUser-agent: *\nDisallow: /x\n", BodyKind::Robots),
            (b"\xFCber uns\nUser-agent: *\nDisallow: /x\n", BodyKind::Robots),
            (b"\x93\xE9\x8F\x9A\nUser-agent: *\nDisallow: /x\n", BodyKind::Binary),
            (b"\xC2\xA0User-agent: *\nDisallow: /\nUser-agent: b\nDisallow: /\n", BodyKind::Robots),
            (b"User-agent: *\0\nDisallow: /\n", BodyKind::Robots),
        ] {
            assert_eq!(BodyKind::of(body, &Dialect::GOOGLE), kind, "{}", body.escape_ascii());
        }
    }
}
