//! Where a declared rule set applies: origin patterns as rule sets write them.

use std::fmt;

use robotsc_runtime::embed::{HostPattern, OriginPattern, PortPattern};
use robotsc_runtime::url::Scheme;

/// Why a text is no origin pattern, or a URL has no origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginPatternError(String);

impl fmt::Display for OriginPatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OriginPatternError {}

fn refused<T>(message: impl Into<String>) -> Result<T, OriginPatternError> {
    Err(OriginPatternError(message.into()))
}

/// Parses a pattern: `*`, `example.com`, `*.example.com`, `https://example.com:8443`, `example.com:*`.
///
/// `*` alone is every host on every port. The host of the result is canonical.
///
/// # Errors
/// [`OriginPatternError`] says what is wrong with the text.
///
/// # Panics
/// Never, for any input.
///
/// ```
/// use robotsc_build::origin;
/// use robotsc_runtime::url::Scheme;
///
/// let pattern = origin::parse("https://*.B\u{fc}cher.example:443")?;
/// assert_eq!(pattern.to_string(), "https://*.xn--bcher-kva.example");
/// assert!(pattern.covers(Scheme::Https, "www.xn--bcher-kva.example", None));
/// assert!(!pattern.covers(Scheme::Https, "xn--bcher-kva.example", None));
/// # Ok::<(), robotsc_build::origin::OriginPatternError>(())
/// ```
pub fn parse(text: &str) -> Result<OriginPattern<String>, OriginPatternError> {
    if text == "*" {
        return Ok(OriginPattern::ANY);
    }
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (Some(scheme_of(&scheme.to_ascii_lowercase())?), rest),
        None => (None, text),
    };
    // The colon of the port comes after the bracket of an IPv6 address.
    let colon = rest.rfind(':').filter(|&colon| !rest[colon..].contains(']'));
    let (host, port) = match colon {
        Some(colon) => (&rest[..colon], Some(&rest[colon + 1..])),
        None => (rest, None),
    };
    let default = scheme.map(Scheme::default_port);
    let port = match port {
        None => PortPattern::Default,
        Some("*") => PortPattern::Any,
        Some(port) => {
            let is_number = !port.is_empty() && port.len() <= 5 && port.bytes().all(|digit| digit.is_ascii_digit());
            match port.parse::<u16>() {
                Ok(0) | Err(_) => return refused("the port is neither a number from 1 to 65535 nor `*`"),
                Ok(_) if !is_number => return refused("the port is neither a number from 1 to 65535 nor `*`"),
                Ok(port) if Some(port) == default => PortPattern::Default,
                Ok(port) => PortPattern::Exact(port),
            }
        }
    };
    let host = match host.strip_prefix("*.") {
        _ if host == "*" => HostPattern::Any,
        Some(below) => match canonical_host(below)? {
            host if host.starts_with('[') || host.parse::<std::net::Ipv4Addr>().is_ok() => {
                return refused("there is no host below an address");
            }
            host => HostPattern::Below(host),
        },
        None => HostPattern::Exact(canonical_host(host)?),
    };
    Ok(OriginPattern { scheme, host, port })
}

/// Returns the scheme with a name in lower case.
fn scheme_of(name: &str) -> Result<Scheme, OriginPatternError> {
    let known = [Scheme::Http, Scheme::Https, Scheme::Ftp].into_iter().find(|scheme| scheme.name() == name);
    known.ok_or_else(|| OriginPatternError("the scheme is none of `http`, `https` and `ftp`".to_owned()))
}

/// Returns a host as canonical origins have it: a name in lower case ASCII without a dot at its end, an IPv4 address,
/// or an IPv6 address in brackets.
fn canonical_host(host: &str) -> Result<String, OriginPatternError> {
    let refused_star = || refused("a `*` stands for a whole host, or for what precedes its first dot");
    if host.contains('*') {
        return refused_star();
    }
    if let Some(sign) = host.chars().find(|char| matches!(char, '/' | '?' | '#' | '@' | '\\')) {
        return refused(format!("`{sign}` is no part of an origin, which is a scheme, a host and a port"));
    }
    let parsed = url::Host::parse(host).map_err(|error| OriginPatternError(format!("not a host: {error}")))?;
    let host = parsed.to_string();
    let host = host.strip_suffix('.').unwrap_or(&host);
    // One that was escaped.
    if host.contains('*') {
        return refused_star();
    }
    if host.is_empty() || host.split('.').any(str::is_empty) {
        return refused("not a host: a label is empty");
    }
    if host.len() > 253 {
        return refused("not a host: it has more than 253 bytes");
    }
    Ok(host.to_owned())
}

/// The canonical origin of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UrlOrigin {
    scheme: Scheme,
    host: String,
    port: Option<u16>,
}

impl UrlOrigin {
    /// Returns the origin of a URL. A URL of which readers find different hosts is an error.
    pub(crate) fn of(text: &str) -> Result<Self, OriginPatternError> {
        let url = url::Url::parse(text).map_err(|error| match error {
            url::ParseError::RelativeUrlWithoutBase => OriginPatternError("it has no scheme".to_owned()),
            error => OriginPatternError(error.to_string()),
        })?;
        let Some((scheme, rest)) = text.split_once("://") else {
            return refused("no `://` after the scheme");
        };
        let scheme = scheme_of(&scheme.to_ascii_lowercase())?;
        let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
        if authority.is_empty() || authority.contains(|char: char| char.is_control() || "\\; \t".contains(char)) {
            return refused("no host after the scheme, or one that readers disagree on");
        }
        let host = url.host_str().ok_or_else(|| OriginPatternError("the URL has no host".to_owned()))?;
        Ok(Self { scheme, host: canonical_host(host)?, port: url.port() })
    }

    /// Reports whether one of the patterns covers this origin.
    pub(crate) fn is_in(&self, patterns: &[OriginPattern<String>]) -> bool {
        patterns.iter().any(|pattern| pattern.covers(self.scheme, &self.host, self.port))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parsed_patterns_are_canonical() {
        for (text, canonical) in [
            ("*", "*"),
            ("*:*", "*"),
            ("https://*", "https://*"),
            ("EXAMPLE.com", "example.com"),
            ("example.com.", "example.com"),
            ("*.Example.com:8080", "*.example.com:8080"),
            ("HTTPS://example.com:443", "https://example.com"),
            ("example.com:443", "example.com:443"),
            ("https://example.com:80", "https://example.com:80"),
            ("example.com:*", "example.com:*"),
            ("b\u{fc}cher.example", "xn--bcher-kva.example"),
            ("http://127.1", "http://127.0.0.1"),
            ("http://[0:0::1]:8080", "http://[::1]:8080"),
            ("[::1]", "[::1]"),
        ] {
            let pattern = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(pattern.to_string(), canonical, "{text}");
            assert_eq!(parse(canonical), Ok(pattern), "{text}");
        }
    }

    #[test]
    fn wrong_patterns_are_refused_with_what_is_wrong() {
        for (text, message) in [
            ("", "host"),
            ("gopher://example.com", "scheme"),
            ("https://", "host"),
            ("https://example.com/", "`/`"),
            ("a@b", "`@`"),
            ("a.*.b", "`*`"),
            ("*example.com", "`*`"),
            ("%2a.example.com", "`*`"),
            ("*.127.0.0.1", "address"),
            ("*.[::1]", "address"),
            ("a:0", "port"),
            ("a:65536", "port"),
            ("a:+80", "port"),
            ("a:", "port"),
            ("a..b", "empty"),
            ("a b", "host"),
            ("::1", "host"),
            ("*.", "host"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.to_string().contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn patterns_cover_their_origins_alone() {
        for (pattern, url, wanted) in [
            ("*", "ftp://a.example:99/", true),
            ("example.com", "http://example.com/", true),
            ("example.com", "https://example.com:443/", true),
            ("example.com", "https://EXAMPLE.com./", true),
            ("example.com", "https://example.com:80/", false),
            ("example.com", "https://www.example.com/", false),
            ("*.example.com", "https://www.example.com/", true),
            ("*.example.com", "https://a.b.example.com/", true),
            ("*.example.com", "https://example.com/", false),
            ("*.example.com", "https://badexample.com/", false),
            ("https://example.com", "http://example.com/", false),
            ("https://*.example.com:8443", "https://a.example.com:8443/", true),
            ("example.com:*", "http://example.com:1/", true),
            ("[::1]", "http://[::1]/", true),
        ] {
            let patterns = [parse(pattern).unwrap()];
            assert_eq!(UrlOrigin::of(url).unwrap().is_in(&patterns), wanted, "{pattern} {url}");
        }
        for url in
            ["http:/a", "http:a", "http:///a/", "http://a\\b/", "mailto:x", "a/b", "http://a;b/", "//a/", "ws://a/"]
        {
            assert!(UrlOrigin::of(url).is_err(), "{url}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "((https?|ftp)://)?[*.a\u{fc}:\\[\\]0-9%@/-]{0,20}") {
            if let Ok(pattern) = parse(&text) {
                prop_assert_eq!(parse(&pattern.to_string()), Ok(pattern));
            }
            let _ = UrlOrigin::of(&text);
        }
    }
}
