//! Intake: from a URL, as it stands in a frontier or on a command line, to the path that rules are matched against.
//!
//! The intake is a step of its own before the matcher. It finds the path, removes the fragment, escapes octets from 0x80 and brings the hex digits
//! of escapes to upper case, as a crawler does before it asks, and then makes the dialect's form. Path and query octets stay otherwise: dot
//! segments are not resolved.
//!
//! What has no path is an error, never an answer: `mailto:x` under every dialect, and under [`UrlSplit::Whatwg`] all that names no host
//! and is no path either. It is stricter than WHATWG's parser, which mends: a missing `//`, or a backslash for a slash, is an error here.

use std::borrow::Cow;
use std::fmt;

use crate::dialect::{Dialect, Escapes, UrlSplit};
use crate::escape::{self, Side};
use crate::path::{escaped_path, google_split};

/// The path, parameters and query of a URL in the form that a dialect compares. Starts with `/`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UrlPath<'u>(Cow<'u, [u8]>);

impl<'u> UrlPath<'u> {
    /// The octets: what the matchers take.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The octets, borrowed from the URL where nothing had to change.
    #[must_use]
    pub fn into_cow(self) -> Cow<'u, [u8]> {
        self.0
    }
}

impl AsRef<[u8]> for UrlPath<'_> {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Why a URL gives no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UrlError(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Empty,
    NotHierarchical,
    NoScheme,
    NoSlashes,
    NoHost,
    BadAuthority(u8),
}

impl fmt::Display for UrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Empty => f.write_str("the URL is empty"),
            Kind::NotHierarchical => f.write_str("a URL of this scheme has no path on a host"),
            Kind::NoScheme => f.write_str("neither a scheme nor a path that starts with '/'"),
            Kind::NoSlashes => f.write_str("no '//' after the scheme"),
            Kind::NoHost => f.write_str("no host after the scheme"),
            Kind::BadAuthority(octet) => write!(f, "'{}' cannot stand in a host", octet.escape_ascii()),
        }
    }
}

impl std::error::Error for UrlError {}

/// Schemes whose URLs never name a path on a host, whatever stands behind the colon. Of other schemes the colon's neighbours tell.
const NEVER_HIERARCHICAL: [&[u8]; 20] = [
    b"about",
    b"blob",
    b"callto",
    b"cid",
    b"data",
    b"fax",
    b"geo",
    b"javascript",
    b"magnet",
    b"mailto",
    b"mid",
    b"news",
    b"sip",
    b"sips",
    b"sms",
    b"tel",
    b"urn",
    b"vbscript",
    b"view-source",
    b"xmpp",
];

/// Schemes of the web: they need `//` and a host.
const WEB: [&[u8]; 5] = [b"http", b"https", b"ftp", b"ws", b"wss"];

impl Dialect {
    /// Takes a URL in: see the [module documentation](crate::url). White space and controls around it are no part of it.
    ///
    /// Cost: linear; a plain ASCII URL is borrowed from. Never panics.
    ///
    /// # Errors
    /// Where the URL gives no path.
    ///
    /// ```
    /// use robotsc_compiler::Dialect;
    ///
    /// let path = Dialect::GOOGLE.intake("https://example.com/caf\u{e9}?q=%aa#top".as_bytes())?;
    /// assert_eq!(path.as_bytes(), b"/caf%C3%A9?q=%AA");
    /// assert!(Dialect::GOOGLE.intake(b"mailto:me@example.com").is_err());
    /// # Ok::<(), robotsc_compiler::url::UrlError>(())
    /// ```
    #[inline]
    pub fn intake<'u>(&self, url: &'u [u8]) -> Result<UrlPath<'u>, UrlError> {
        match self.plain(url) {
            Some(path) => Ok(UrlPath(Cow::Borrowed(path))),
            None => self.intake_any(url),
        }
    }

    /// The path of a URL that is as most are: `http` or `https`, a path, no fragment, and nothing to escape. `None` says nothing.
    #[inline]
    fn plain<'u>(&self, url: &'u [u8]) -> Option<&'u [u8]> {
        let rest = match url {
            [b'h', b't', b't', b'p', b's', b':', b'/', b'/', rest @ ..] => rest,
            [b'h', b't', b't', b'p', b':', b'/', b'/', rest @ ..] => rest,
            _ => return None,
        };
        let (host, path) = rest.split_at(memchr::memchr3(b'/', b'?', b';', rest)?);
        let is_plain = match self.escapes {
            Escapes::PatternOnly | Escapes::HexAndNonAscii => !escape::has_sign(rest),
            Escapes::Canonical => !host.contains(&b'#') && !escape::canonical_may_differ(path, Side::Path),
        };
        let has_host = match self.url_split {
            UrlSplit::Google => true,
            UrlSplit::Whatwg => {
                let in_names = |octet: &u8| octet.is_ascii_alphanumeric() | matches!(octet, b'.' | b'-');
                !host.is_empty() && host.iter().all(in_names)
            }
        };
        // A space at the end is no part of the URL.
        (is_plain && has_host && path.starts_with(b"/") && !matches!(path, [.., 0..=0x20])).then_some(path)
    }

    fn intake_any<'u>(&self, url: &'u [u8]) -> Result<UrlPath<'u>, UrlError> {
        let url = trimmed(url);
        let path = match self.url_split {
            UrlSplit::Google => {
                refuse_without_path(url)?;
                google_split(url).unwrap_or_default()
            }
            UrlSplit::Whatwg => whatwg_split(url)?,
        };
        match path {
            [] => Ok(UrlPath(Cow::Borrowed(b"/"))),
            [b'/', ..] => Ok(UrlPath(self.form(path))),
            _ => Ok(UrlPath(Cow::Owned(self.form(&[b"/", path].concat()).into_owned()))),
        }
    }

    /// Escapes, and the dialect's form. The canonical form escapes by itself.
    fn form<'p>(&self, path: &'p [u8]) -> Cow<'p, [u8]> {
        match self.escapes {
            Escapes::PatternOnly | Escapes::HexAndNonAscii => escaped_path(path),
            Escapes::Canonical => self.normalise_path(path),
        }
    }
}

/// `url` without controls and spaces at its ends.
fn trimmed(mut url: &[u8]) -> &[u8] {
    while let [..=0x20, rest @ ..] = url {
        url = rest;
    }
    while let [rest @ .., ..=0x20] = url {
        url = rest;
    }
    url
}

/// The scheme at the start of a URL, and what stands behind its colon (RFC 3986 section 3.1).
fn scheme(url: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = url.iter().position(|octet| !(octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.')))?;
    match url.split_at(end) {
        ([first, ..], [b':', rest @ ..]) if first.is_ascii_alphabetic() => Some((&url[..end], rest)),
        _ => None,
    }
}

fn is_one_of(scheme: &[u8], names: &[&[u8]]) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(scheme))
}

/// Refuses what google/robotstxt would give the path `/` although it has none. What it takes for `host/path` or `host:port/path` goes on.
fn refuse_without_path(url: &[u8]) -> Result<(), UrlError> {
    if url.starts_with(b"http://") || url.starts_with(b"https://") {
        return Ok(());
    }
    if url.is_empty() {
        return Err(UrlError(Kind::Empty));
    }
    let Some((scheme, rest)) = scheme(url) else {
        // A bare word is neither a host nor a path: robots.cc would make `/` of it.
        let is_word = !url.iter().any(|octet| matches!(octet, b'/' | b'.' | b':' | b'?' | b';'));
        return if is_word { Err(UrlError(Kind::NoScheme)) } else { Ok(()) };
    };
    let is_port = || {
        let end = rest.iter().position(|octet| !octet.is_ascii_digit()).unwrap_or(rest.len());
        (1..=5).contains(&end) && matches!(rest.get(end), None | Some(b'/' | b'?' | b'#' | b';'))
    };
    if is_one_of(scheme, &NEVER_HIERARCHICAL) || !(rest.starts_with(b"/") || is_port()) {
        return Err(UrlError(Kind::NotHierarchical));
    }
    Ok(())
}

/// What stands behind the authority, without the fragment; empty where nothing does.
fn whatwg_split(url: &[u8]) -> Result<&[u8], UrlError> {
    let (rest, may_lack_host) = match url {
        [] => return Err(UrlError(Kind::Empty)),
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', rest @ ..] => (rest, false),
        [b'h', b't', b't', b'p', b':', b'/', b'/', rest @ ..] | [b'/', b'/', rest @ ..] => (rest, false),
        [b'/', ..] => return Ok(without_fragment(url)),
        _ => {
            let (scheme, rest) = scheme(url).ok_or(UrlError(Kind::NoScheme))?;
            if is_one_of(scheme, &NEVER_HIERARCHICAL) {
                return Err(UrlError(Kind::NotHierarchical));
            }
            let web = is_one_of(scheme, &WEB);
            let missing = if web { Kind::NoSlashes } else { Kind::NotHierarchical };
            (rest.strip_prefix(b"//").ok_or(UrlError(missing))?, !web)
        }
    };
    let end = memchr::memchr3(b'/', b'?', b'#', rest).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let bad = |octet: &&u8| matches!(octet, 0..=0x20 | 0x7F | b'<' | b'>' | b'\\' | b'^' | b'|');
    if let Some(octet) = authority.iter().find(bad) {
        return Err(UrlError(Kind::BadAuthority(*octet)));
    }
    let host = memchr::memrchr(b'@', authority).map_or(authority, |at| &authority[at + 1..]);
    if matches!(host, [] | [b':', ..]) && !(may_lack_host && authority.is_empty()) {
        return Err(UrlError(Kind::NoHost));
    }
    Ok(without_fragment(path))
}

fn without_fragment(path: &[u8]) -> &[u8] {
    memchr::memchr(b'#', path).map_or(path, |at| &path[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intake(dialect: &Dialect, url: &str) -> Result<String, Kind> {
        let path = dialect.intake(url.as_bytes()).map_err(|error| error.0)?;
        Ok(String::from_utf8(path.as_bytes().to_vec()).expect("paths are ASCII after intake"))
    }

    #[test]
    fn urls_that_both_splits_take() {
        for (url, path) in [
            ("http://example.com", "/"),
            ("https://example.com/", "/"),
            ("HTTP://example.com/a", "/a"),
            ("ftp://u:p@example.com:21/a/../b", "/a/../b"),
            ("https://example.com/a/b?c=d&e=f#g#h", "/a/b?c=d&e=f"),
            ("https://example.com?q", "/?q"),
            ("https://example.com#q/r", "/"),
            ("https://example.com?q#r/s", "/?q"),
            ("https://example.com/%c3%a4/\u{e4}", "/%C3%A4/%C3%A4"),
            ("https://example.com/%zz%a", "/%zz%a"),
            ("https://example.com?\u{e4}", "/?%C3%A4"),
            ("  \thttps://example.com/a\r\n", "/a"),
            ("//example.com/a", "/a"),
            ("/a/b", "/a/b"),
            ("/a#b", "/a"),
            ("https://[::1]:8080/a", "/a"),
            ("foo+bar://host/a", "/a"),
            ("file:///a", "/a"),
        ] {
            for dialect in Dialect::ALL {
                assert_eq!(intake(dialect, url).as_deref(), Ok(path), "{} {url}", dialect.name);
            }
        }
    }

    #[test]
    fn urls_without_a_path_are_errors_everywhere() {
        for url in [
            "",
            "  ",
            "mailto:me@example.com",
            "MAILTO:me@example.com",
            "javascript:void(0)",
            "javascript://example.com/%0Aalert(1)",
            "data:text/html,a/b",
            "tel:12345",
            "sms:123/",
            "urn:isbn:123",
            "about:blank",
            "foo:bar",
            "foo:",
            "http:",
            "http:example.com/a",
        ] {
            for dialect in Dialect::ALL {
                assert!(dialect.intake(url.as_bytes()).is_err(), "{} {url}", dialect.name);
            }
        }
    }

    #[test]
    fn google_takes_hosts_without_a_scheme() {
        for (url, path) in [
            ("example.com", "/"),
            ("example.com/a", "/a"),
            ("example.com:8080", "/"),
            ("localhost:8080/a", "/a"),
            ("localhost:8080?a", "/?a"),
            ("http:///a", "/a"),
            ("http:/a", "/a"),
            ("a/mailto:x", "/mailto:x"),
        ] {
            assert_eq!(intake(&Dialect::GOOGLE, url).as_deref(), Ok(path), "{url}");
        }
    }

    #[test]
    fn the_other_dialects_say_what_is_wrong() {
        for (url, kind) in [
            ("example.com/a", Kind::NoScheme),
            ("?a", Kind::NoScheme),
            ("1http://h/a", Kind::NoScheme),
            ("localhost:8080/a", Kind::NotHierarchical),
            ("http:/h/a", Kind::NoSlashes),
            ("http:///a", Kind::NoHost),
            ("http://?a", Kind::NoHost),
            ("http://:80/a", Kind::NoHost),
            ("http://u@/a", Kind::NoHost),
            ("///a", Kind::NoHost),
            ("http://h\\a", Kind::BadAuthority(b'\\')),
            ("http://h h/a", Kind::BadAuthority(b' ')),
        ] {
            assert_eq!(intake(&Dialect::RFC9309, url), Err(kind), "{url}");
        }
    }

    #[test]
    fn the_dialects_form_is_made() {
        let url = "https://example.com/%61*$/ \u{e4}?u=http://h/%2f";
        assert_eq!(intake(&Dialect::GOOGLE, url).unwrap(), "/%61*$/ %C3%A4?u=http://h/%2F");
        assert_eq!(intake(&Dialect::GOOGLE_2017, url).unwrap(), "/%61*$/ %C3%A4?u=http://h/%2F");
        assert_eq!(intake(&Dialect::RFC9309, url).unwrap(), "/a%2A%24/%20%C3%A4?u=http://h//");
    }

    #[test]
    fn plain_urls_are_borrowed() {
        for dialect in Dialect::ALL {
            let path = dialect.intake(b"https://example.com/a/b-c.html?d=e&f=1#g").unwrap();
            assert!(matches!(path.into_cow(), Cow::Borrowed(b"/a/b-c.html?d=e&f=1")));
        }
    }

    #[test]
    fn the_short_way_takes_urls_as_the_long_way_does() {
        let alphabet: [&[u8]; 14] =
            [b"/", b"?", b"#", b";", b"a", b":", b"@", b"%61", b"%aa", b"*", b" ", b"\\", b"\xE4", b"'"];
        let mixed = [
            Dialect { url_split: UrlSplit::Google, ..Dialect::RFC9309 },
            Dialect { url_split: UrlSplit::Whatwg, ..Dialect::GOOGLE },
        ];
        for number in 0..alphabet.len().pow(4) {
            let part = |place| alphabet[number / alphabet.len().pow(place) % alphabet.len()];
            let parts: Vec<&[u8]> = (0..4).map(part).collect();
            for start in [&b"http://"[..], b"https://h/", b"https://h/a?b=c"] {
                let url = [start, &parts.concat()].concat();
                for dialect in Dialect::ALL.into_iter().chain(&mixed) {
                    assert_eq!(
                        dialect.intake(&url),
                        dialect.intake_any(&url),
                        "{} {}",
                        dialect.name,
                        url.escape_ascii()
                    );
                }
            }
        }
    }
}
