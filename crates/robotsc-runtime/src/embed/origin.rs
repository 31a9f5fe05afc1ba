//! Where a rule set applies.

use core::fmt;

use crate::url::Scheme;

/// The origins that a rule set is for. `H` holds a host: `&str` in generated code, `String` in the parser.
///
/// ```
/// use robotsc::embed::{HostPattern, OriginPattern, PortPattern};
/// use robotsc::url::Scheme;
///
/// let shops = OriginPattern {
///     scheme: Some(Scheme::Https),
///     host: HostPattern::Below("example.com"),
///     port: PortPattern::Default,
/// };
/// assert!(shops.covers(Scheme::Https, "shop.example.com", None));
/// assert!(!shops.covers(Scheme::Https, "example.com", None));
/// assert!(!shops.covers(Scheme::Https, "shop.example.com", Some(8443)));
/// assert_eq!(shops.to_string(), "https://*.example.com");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OriginPattern<H> {
    /// The scheme; `None` for any.
    pub scheme: Option<Scheme>,
    /// The host.
    pub host: HostPattern<H>,
    /// The port.
    pub port: PortPattern,
}

/// A pattern of hosts. Hosts are canonical: lower case, punycode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HostPattern<H> {
    /// Every host.
    Any,
    /// This host.
    Exact(H),
    /// Every host below this one, not itself.
    Below(H),
}

/// A pattern of ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PortPattern {
    /// The default port of the URL's scheme.
    Default,
    /// Every port.
    Any,
    /// This port.
    Exact(u16),
}

/// How closely a pattern fits an origin; the greater the closer. The host counts most: exact, then below the longest
/// name, then any; then the port: named, default, any; then the scheme: named, any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Closeness {
    host: usize,
    port: u8,
    scheme: bool,
}

impl<H> OriginPattern<H> {
    /// Every origin.
    pub const ANY: Self = Self { scheme: None, host: HostPattern::Any, port: PortPattern::Any };
}

impl<H: AsRef<str>> OriginPattern<H> {
    /// Returns the pattern with its host borrowed.
    #[must_use]
    pub fn borrowed(&self) -> OriginPattern<&str> {
        let host = match &self.host {
            HostPattern::Any => HostPattern::Any,
            HostPattern::Exact(host) => HostPattern::Exact(host.as_ref()),
            HostPattern::Below(host) => HostPattern::Below(host.as_ref()),
        };
        OriginPattern { scheme: self.scheme, host, port: self.port }
    }

    /// Reports whether the pattern covers an origin: its scheme, its host in canonical form, its port (`None`: the
    /// scheme's own).
    ///
    /// Cost: one comparison of hosts. Never panics.
    #[must_use]
    pub fn covers(&self, scheme: Scheme, host: &str, port: Option<u16>) -> bool {
        self.closeness(scheme, host, port).is_some()
    }

    /// Returns how closely the pattern fits, or `None` if it does not cover the origin.
    pub(crate) fn closeness(&self, scheme: Scheme, host: &str, port: Option<u16>) -> Option<Closeness> {
        let port = port.unwrap_or(scheme.default_port());
        let port = match self.port {
            PortPattern::Any => 0,
            PortPattern::Default if port == scheme.default_port() => 1,
            PortPattern::Exact(exact) if port == exact => 2,
            _ => return None,
        };
        let host = match &self.host {
            HostPattern::Any => 0,
            HostPattern::Exact(exact) if exact.as_ref() == host => usize::MAX,
            HostPattern::Below(parent) => {
                let (below, parent) = (host.strip_suffix(parent.as_ref())?, parent.as_ref());
                // Every host is below an empty name, which fits least closely of all names.
                (below.len() > 1 && below.ends_with('.')).then_some(parent.len().saturating_add(1))?
            }
            HostPattern::Exact(_) => return None,
        };
        if self.scheme.is_some_and(|wanted| wanted != scheme) {
            return None;
        }
        Some(Closeness { host, port, scheme: self.scheme.is_some() })
    }
}

/// Writes the pattern as rule sets do: `https://*.example.com:8443`.
impl<H: AsRef<str>> fmt::Display for OriginPattern<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.scheme.is_none() && self.port == PortPattern::Any && matches!(self.host, HostPattern::Any) {
            return f.write_str("*");
        }
        if let Some(scheme) = self.scheme {
            write!(f, "{}://", scheme.name())?;
        }
        match &self.host {
            HostPattern::Any => f.write_str("*")?,
            HostPattern::Exact(host) => f.write_str(host.as_ref())?,
            HostPattern::Below(host) => write!(f, "*.{}", host.as_ref())?,
        }
        match self.port {
            PortPattern::Default => Ok(()),
            PortPattern::Any => f.write_str(":*"),
            PortPattern::Exact(port) => write!(f, ":{port}"),
        }
    }
}
