//! Where a declared rule set applies.

use std::fmt;

/// Which origins a rule set is for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OriginPattern {
    /// `http`, `https`, `ftp`; `None` for any of them.
    pub scheme: Option<String>,
    /// The host, canonical (lower case, punycode).
    pub host: HostPattern,
    /// The port.
    pub port: PortPattern,
}

/// Which hosts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HostPattern {
    /// Every host.
    Any,
    /// This one.
    Exact(String),
    /// Every host below this one, not itself: `*.example.com`.
    Below(String),
}

/// Which ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PortPattern {
    /// The default port of the URL's scheme.
    Default,
    /// Every port.
    Any,
    /// This one.
    Exact(u16),
}

/// The schemes whose URLs have origins, with their default ports.
pub const SCHEMES: [(&str, u16); 3] = [("http", 80), ("https", 443), ("ftp", 21)];

/// Why a text is no origin pattern, or a URL has no origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginError(String);

impl fmt::Display for OriginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OriginError {}

fn refused<T>(message: impl Into<String>) -> Result<T, OriginError> {
    Err(OriginError(message.into()))
}

impl OriginPattern {
    /// Every origin.
    pub const ANY: Self = Self { scheme: None, host: HostPattern::Any, port: PortPattern::Any };

    /// Reads a pattern: `*`, `example.com`, `*.example.com`, `https://example.com:8443`, `example.com:*`.
    ///
    /// `*` alone is every host on every port. Hosts are made canonical.
    ///
    /// # Errors
    /// Where the text is none.
    ///
    /// # Panics
    /// Never, for any input.
    ///
    /// ```
    /// use robotsc_build::origin::OriginPattern;
    ///
    /// let pattern = OriginPattern::parse("https://*.B\u{fc}cher.example:443")?;
    /// assert_eq!(pattern.to_string(), "https://*.xn--bcher-kva.example");
    /// assert!(pattern.matches("https", "www.xn--bcher-kva.example", 443));
    /// assert!(!pattern.matches("https", "xn--bcher-kva.example", 443));
    /// # Ok::<(), robotsc_build::origin::OriginError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, OriginError> {
        if text == "*" {
            return Ok(Self::ANY);
        }
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
            None => (None, text),
        };
        if let Some(scheme) = &scheme
            && !SCHEMES.iter().any(|(known, _)| known == scheme)
        {
            return refused("the scheme is none of `http`, `https` and `ftp`");
        }
        // The colon of the port is the one behind the bracket of an IPv6 address.
        let colon = rest.rfind(':').filter(|&colon| !rest[colon..].contains(']'));
        let (host, port) = match colon {
            Some(colon) => (&rest[..colon], Some(&rest[colon + 1..])),
            None => (rest, None),
        };
        let default = scheme.as_deref().and_then(default_port);
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
        Ok(Self { scheme, host, port })
    }

    /// Whether an origin, of canonical parts, is one of those.
    #[must_use]
    pub fn matches(&self, scheme: &str, host: &str, port: u16) -> bool {
        let host_fits = match &self.host {
            HostPattern::Any => true,
            HostPattern::Exact(exact) => exact == host,
            HostPattern::Below(above) => {
                host.strip_suffix(above.as_str()).is_some_and(|sub| sub.len() > 1 && sub.ends_with('.'))
            }
        };
        let port_fits = match self.port {
            PortPattern::Any => true,
            PortPattern::Default => default_port(scheme) == Some(port),
            PortPattern::Exact(exact) => exact == port,
        };
        host_fits && port_fits && self.scheme.as_deref().is_none_or(|own| own == scheme)
    }
}

impl fmt::Display for OriginPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ANY {
            return f.write_str("*");
        }
        if let Some(scheme) = &self.scheme {
            write!(f, "{scheme}://")?;
        }
        match &self.host {
            HostPattern::Any => f.write_str("*")?,
            HostPattern::Exact(host) => f.write_str(host)?,
            HostPattern::Below(host) => write!(f, "*.{host}")?,
        }
        match self.port {
            PortPattern::Default => Ok(()),
            PortPattern::Any => f.write_str(":*"),
            PortPattern::Exact(port) => write!(f, ":{port}"),
        }
    }
}

/// The default port of a scheme.
fn default_port(scheme: &str) -> Option<u16> {
    SCHEMES.iter().find(|(known, _)| *known == scheme).map(|(_, port)| *port)
}

/// A host as it stands in canonical origins: a name in lower case ASCII without a dot at its end, an IPv4 address, or
/// an IPv6 address in brackets.
fn canonical_host(host: &str) -> Result<String, OriginError> {
    let refused_star = || refused("a `*` stands for a whole host, or for what is in front of its first dot");
    if host.contains('*') {
        return refused_star();
    }
    if let Some(sign) = host.chars().find(|char| matches!(char, '/' | '?' | '#' | '@' | '\\')) {
        return refused(format!("`{sign}` is no part of an origin, which is a scheme, a host and a port"));
    }
    let parsed = url::Host::parse(host).map_err(|error| OriginError(format!("not a host: {error}")))?;
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
        return refused("not a host: it has more than 253 octets");
    }
    Ok(host.to_owned())
}

/// The canonical origin of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UrlOrigin {
    pub(crate) scheme: String,
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl UrlOrigin {
    /// The origin of a URL. Where readers disagree on where the host stands, there is none.
    pub(crate) fn of(text: &str) -> Result<Self, OriginError> {
        let url = url::Url::parse(text).map_err(|error| OriginError(error.to_string()))?;
        let Some((scheme, rest)) = text.split_once("://") else {
            return refused("no `://` after the scheme");
        };
        let Some(default) = default_port(url.scheme()).filter(|_| scheme.eq_ignore_ascii_case(url.scheme())) else {
            return refused("the scheme is none of `http`, `https` and `ftp`");
        };
        let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
        if authority.is_empty() || authority.contains(|char: char| char.is_control() || "\\; \t".contains(char)) {
            return refused("no host after the scheme, or one that readers disagree on");
        }
        let host = url.host_str().ok_or_else(|| OriginError("the URL has no host".to_owned()))?;
        Ok(Self { scheme: url.scheme().to_owned(), host: canonical_host(host)?, port: url.port().unwrap_or(default) })
    }

    /// Whether one of the patterns is for this origin.
    pub(crate) fn is_in(&self, patterns: &[OriginPattern]) -> bool {
        patterns.iter().any(|pattern| pattern.matches(&self.scheme, &self.host, self.port))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn patterns_are_canonical() {
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
            let pattern = OriginPattern::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(pattern.to_string(), canonical, "{text}");
            assert_eq!(OriginPattern::parse(canonical), Ok(pattern), "{text}");
        }
    }

    #[test]
    fn what_is_no_pattern() {
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
            let error = OriginPattern::parse(text).expect_err(text);
            assert!(error.to_string().contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn what_patterns_match() {
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
            let patterns = [OriginPattern::parse(pattern).unwrap()];
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
            if let Ok(pattern) = OriginPattern::parse(&text) {
                prop_assert_eq!(OriginPattern::parse(&pattern.to_string()), Ok(pattern));
            }
            let _ = UrlOrigin::of(&text);
        }
    }
}
