//! From a URL on the command line to the path that rules are matched against.

use robotsc::Dialect;
use robotsc::origin::{self, Origin};
use robotsc::url::UrlPathBuf;

/// How URLs are read.
#[derive(Clone, Copy, Debug)]
pub struct UrlReader<'d> {
    /// The dialect, whose normal form the path has.
    pub dialect: &'d Dialect,
    /// Whether any bytes are accepted, as google/robotstxt does, and none is escaped first.
    pub raw: bool,
    /// The site whose robots.txt answers, if it is known: URLs of others are mistakes, since other rules count there.
    pub site: Option<&'d Origin>,
}

impl<'d> UrlReader<'d> {
    /// Reads the URLs of any site, as every client sends them.
    #[must_use]
    pub const fn new(dialect: &'d Dialect) -> Self {
        Self { dialect, raw: false, site: None }
    }

    /// Returns the path to match. A URL with a host is read as `filter` and the frontier read it, so that `check`
    /// refuses what they refuse; a path, which starts with a slash, has no host.
    ///
    /// # Errors
    /// Says in words why the URL has none, or that it is one of another site.
    pub fn path<'u>(self, url: &'u [u8]) -> Result<UrlPathBuf<'u>, String> {
        if let Some(site) = self.site
            && !is_path(url)
            && let Some(own) = Origin::of_url(url).ok().filter(|own| own != site)
        {
            return Err(format!("it is of another origin than {site}: {own}/robots.txt counts for it"));
        }
        if self.raw {
            return Ok(self.dialect.raw_url_path(url));
        }
        check_text(url)?;
        if is_path(url) {
            return self.dialect.url_path(url).map_err(|error| error.to_string());
        }
        origin::split(self.dialect, url).map(|url| url.path).map_err(|error| error.to_string())
    }
}

/// Reports whether a URL is a path, without a host: whether it starts with a slash or, as WHATWG reads it, a backslash
/// after blanks and controls.
pub fn is_path(url: &[u8]) -> bool {
    matches!(url.iter().find(|byte| **byte > b' '), Some(b'/' | b'\\'))
}

/// The reason for a text with two URLs.
pub const TWO_URLS: &str = "two URLs in one line: write each on a line of its own";

/// The reason for a text with a mark or a word before its URL.
pub const TEXT_FIRST: &str = "text before the URL: leave the URL alone on its line";

/// The reason for a text with a comment after its URL.
pub const TEXT_LAST: &str = "a comment after the URL: leave the URL alone on its line";

/// The reason for a text with columns after its URL.
pub const COLUMNS: &str = "columns after the URL: leave the URL alone on its line, or write %20 for a blank in it";

/// The reason for a text of several lines. The WHATWG URL standard drops line ends and tabs: it would join what stands
/// around them.
pub const SEVERAL_LINES: &str = "a line end in the URL: write each URL on a line of its own";

/// The reason for a text with a tab inside.
pub const INNER_TAB: &str = "a tab in the URL: for a table, say in which column the URL is";

/// The reason for a text that is no UTF-8.
const NOT_UTF8: &str = "it is not UTF-8: escape its bytes, such as %C3%BC for ü";

/// Checks what a reader of URLs would not: bytes that are no text, and texts that are not one URL.
///
/// # Errors
/// Says in words what is wrong.
pub fn check_text(url: &[u8]) -> Result<(), String> {
    let reason = if str::from_utf8(url).is_err() { Some(NOT_UTF8) } else { not_one_url(url) };
    reason.map_or(Ok(()), |reason| Err(reason.to_owned()))
}

/// Returns why a text is not one URL; `None` if nothing shows it. As it is, a reader of URLs would join the parts to
/// another URL.
///
/// A comma, a semicolon, a bar, a quotation mark or an angle bracket separates two URLs, too, but within a query, which
/// can list addresses. A blank does if a path follows, and ends the URL if a column of a log does; else it is a part of
/// the URL, as people write `/annual report.pdf`.
#[must_use]
pub fn not_one_url(text: &[u8]) -> Option<&'static str> {
    let text = text.trim_ascii();
    // Most URLs hold nothing that could separate two.
    if text
        .iter()
        .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b',' | b';' | b'|' | b'#' | b'\\' | b'"' | b'<' | b'>'))
    {
        return None;
    }
    match memchr::memchr3(b'\n', b'\r', b'\t', text) {
        Some(at) if text[at] == b'\t' => return Some(INNER_TAB),
        Some(_) => return Some(SEVERAL_LINES),
        None => {}
    }
    // Written as in a program: `https://h/a\nhttps://h/b`.
    let is_escape = |before: &[u8], word: &[u8]| {
        let scheme = word.strip_prefix(b"n").or(word.strip_prefix(b"r")).or(word.strip_prefix(b"t"));
        let is_scheme = |name: &&[u8]| scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(name));
        before.ends_with(b"\\") && [&b"http"[..], b"https", b"ftp"].iter().any(is_scheme)
    };
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
    let query = memchr::memchr(b'?', text).unwrap_or(text.len());
    let scheme = memchr::memmem::find(text, b"://").unwrap_or(text.len());
    let is_list = |text: &[u8]| matches!(text, [.., b',' | b';' | b'|' | b'"' | b'<' | b'>']) && query >= text.len();
    let found = memchr::memmem::find_iter(text, b"://").find_map(|at| {
        let start = text[..at].iter().rposition(|byte| !is_part(byte)).map_or(0, |before| before + 1);
        let (before, word) = (&text[..start], &text[start..at]);
        let begins_url = word.first().is_some_and(u8::is_ascii_alphabetic);
        let is_url = before.starts_with(b"/") || scheme + 3 <= before.len();
        match begins_url && (ends_blank(before) || is_list(before) || is_escape(before, word)) {
            true => Some(if is_url { TWO_URLS } else { TEXT_FIRST }),
            false => None,
        }
    });
    let is_comment = |at: usize| at > 0 && text[at - 1] <= b' ';
    let begins_path = |at: usize| ends_blank(&text[..at]);
    found
        .or_else(|| memchr::memchr2_iter(b'/', b'\\', text).any(begins_path).then_some(TWO_URLS))
        .or_else(|| memchr::memchr(b'#', text).filter(|at| is_comment(*at)).map(|_| TEXT_LAST))
        .or_else(|| memchr::memchr_iter(b' ', text).any(|at| is_column(&text[at + 1..])).then_some(COLUMNS))
}

/// Reports whether what follows a blank is a column of a log: another blank, a status, a date, a version of HTTP, or a
/// media type.
fn is_column(rest: &[u8]) -> bool {
    let word = rest.split(|byte| *byte == b' ').next().unwrap_or_default();
    let is_date = |date: &[u8]| {
        let mut bytes = date.iter().zip(b"0000-00-00");
        bytes.len() == 10 && bytes.all(|(byte, form)| if *form == b'-' { byte == form } else { byte.is_ascii_digit() })
    };
    match word {
        [] | [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9'] => true,
        _ if word.starts_with(b"HTTP/") => true,
        _ if [&b"text/"[..], b"application/", b"image/"].iter().any(|media| word.starts_with(media)) => true,
        _ => word.get(..10).is_some_and(is_date),
    }
}

/// Reports whether a text ends with a blank, with a control, or with a character that nobody sees.
fn ends_blank(text: &[u8]) -> bool {
    let tail = &text[text.len().saturating_sub(4)..];
    let last = (0..tail.len()).find_map(|at| str::from_utf8(&tail[at..]).ok()?.chars().next_back());
    let is_unseen = |char: char| matches!(char, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}');
    last.is_some_and(|char| char.is_whitespace() || char.is_control() || is_unseen(char))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_other_sites_are_mistakes() {
        let site = Origin::parse(b"https://shop.example").expect("an origin");
        for raw in [false, true] {
            let reader = UrlReader { raw, site: Some(&site), ..UrlReader::new(&Dialect::GOOGLE) };
            for url in ["/a", "https://shop.example/a", "HTTPS://SHOP.EXAMPLE:443/a"] {
                assert!(reader.path(url.as_bytes()).is_ok(), "{url}");
            }
            for url in ["http://shop.example/a", "https://www.shop.example/a", "https://shop.example:8443/a"] {
                let reason = reader.path(url.as_bytes()).err();
                let own = url.strip_suffix("/a").expect("a path");
                let wanted =
                    format!("it is of another origin than https://shop.example: {own}/robots.txt counts for it");
                assert_eq!(reason, Some(wanted), "{url}");
            }
        }
    }

    #[test]
    fn two_urls_are_no_url() {
        let reader = UrlReader::new(&Dialect::GOOGLE);
        for (text, reason) in [
            ("https://h.example/a,https://h.example/s", TWO_URLS),
            ("https://h.example/a;https://h.example/s", TWO_URLS),
            ("https://h.example/a\u{85}https://h.example/s", TWO_URLS),
            ("https://h.example/a\u{FEFF}https://h.example/s", TWO_URLS),
            ("https://h.example/a\\nhttps://h.example/s", TWO_URLS),
            ("/a\\r\\nhttp://h.example/s", TWO_URLS),
            ("/a\n/s", SEVERAL_LINES),
            ("https://h.example/a\r\n/s", SEVERAL_LINES),
            ("https://h.example/a\nb", SEVERAL_LINES),
            ("/a\t/s", INNER_TAB),
            ("https://h.example/a\tb", INNER_TAB),
            ("/a /s", TWO_URLS),
            ("/a\u{a0}/s", TWO_URLS),
            ("/a\u{85}/s", TWO_URLS),
            ("/a\u{b}/s", TWO_URLS),
            ("/a\u{c}\\s", TWO_URLS),
            ("https://h.example/a /s", TWO_URLS),
            ("https://h.example/s  # why", TEXT_LAST),
            ("https://h.example/s 200", COLUMNS),
            ("https://h.example/s 2026-01-01T00:00:00Z", COLUMNS),
            ("/s HTTP/1.1", COLUMNS),
            ("https://h.example/s text/html; charset=utf-8", COLUMNS),
            ("https://h.example/s  My page", COLUMNS),
            ("https://h.example/ok<br>https://h.example/s", TWO_URLS),
            ("https://h.example/ok\"https://h.example/s", TWO_URLS),
        ] {
            assert_eq!(reader.path(text.as_bytes()).err().as_deref(), Some(reason), "{text}");
        }
        for text in [
            "https://h.example/?a=1,https://h.example/s",
            "https://h.example/web/https://other.example/",
            "https://h.example/a#b",
            "https://h.example/a b",
            "https://h.example/\\nothing",
            "\n/a\n",
            "\t/a\t",
            "https://h.example/annual report.pdf",
            "https://h.example/report 2020",
            // Real lists have such URLs, and clients send them.
            "https://h.example/s\u{a0}",
            "https://h.example/f\u{fc}r",
            "https://h.example/?a=<https://h.example/s>",
        ] {
            assert!(reader.path(text.as_bytes()).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_url_is_text() {
        let reader = UrlReader::new(&Dialect::GOOGLE);
        assert_eq!(reader.path(b"https://h.example/f\xFCr").err().as_deref(), Some(NOT_UTF8));
        assert!(UrlReader { raw: true, ..reader }.path(b"https://h.example/f\xFCr").is_ok());
    }

    #[test]
    fn check_refuses_what_filter_refuses() {
        for dialect in Dialect::ALL {
            let reader = UrlReader::new(dialect);
            for url in [
                "http://h.example;x",
                "http://h.example;x/a",
                "http://[::1",
                "http://[::1/a",
                "http://h.example:99999/",
                "http://a..b/",
                "http://.a/a",
                "http://a@b@c/",
                "http:///a",
                "http://a%00b/",
                "http://256.256.256.256/",
                "mailto:me@h.example",
                "h.example/a",
                "//h.example/a",
                "\t/\\h.example/a",
                "",
            ] {
                let refused = reader.path(url.as_bytes());
                assert!(refused.is_err(), "{} {url}: {refused:?}", dialect.name);
                assert!(origin::split(dialect, url.as_bytes()).is_err(), "{} {url}", dialect.name);
            }
            for (url, path) in [
                ("http://h.example\\a", "/a"),
                ("http://h.example", "/"),
                ("http://[::1]:8080/a", "/a"),
                ("http://b\u{fc}cher.example./a", "/a"),
                ("  /a/../b", "/b"),
                ("\\a", "/a"),
            ] {
                let found = reader.path(url.as_bytes()).map(|path| path.into_cow().into_owned());
                assert_eq!(found.as_deref(), Ok(path.as_bytes()), "{} {url}", dialect.name);
            }
        }
    }
}
