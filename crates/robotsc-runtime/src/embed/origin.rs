//! Where a rule set applies.

use crate::url::Scheme;

/// Which origins a rule set is for.
///
/// ```
/// use robotsc_runtime::embed::{HostPattern, OriginPattern, PortPattern};
/// use robotsc_runtime::url::Scheme;
///
/// let shops = OriginPattern { scheme: Some(Scheme::Https), host: HostPattern::Below("example.com"), port: PortPattern::Default };
/// assert!(shops.covers(Scheme::Https, "shop.example.com", None));
/// assert!(!shops.covers(Scheme::Https, "example.com", None));
/// assert!(!shops.covers(Scheme::Https, "shop.example.com", Some(8443)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OriginPattern<'a> {
    /// The scheme; `None` for any.
    pub scheme: Option<Scheme>,
    /// The host.
    pub host: HostPattern<'a>,
    /// The port.
    pub port: PortPattern,
}

/// Which hosts. Hosts are canonical: lower case, punycode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HostPattern<'a> {
    /// Every host.
    Any,
    /// This one.
    Exact(&'a str),
    /// Every host below this one, not itself.
    Below(&'a str),
}

/// Which ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PortPattern {
    /// The default port of the URL's scheme.
    Default,
    /// Every port.
    Any,
    /// This one.
    Exact(u16),
}

/// How closely a pattern fits an origin; the greater the closer. The host counts most: exact, then below the longest name, then any; then the port: named, default,
/// any; then the scheme: named, any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Closeness {
    host: usize,
    port: u8,
    scheme: bool,
}

impl OriginPattern<'_> {
    /// Whether an origin is one of these: its scheme, its host in canonical form, its port (`None`: the scheme's own).
    ///
    /// Cost: one comparison of hosts. Never panics.
    #[must_use]
    pub fn covers(&self, scheme: Scheme, host: &str, port: Option<u16>) -> bool {
        self.closeness(scheme, host, port).is_some()
    }

    /// How closely it fits; `None` where it does not.
    pub(crate) fn closeness(&self, scheme: Scheme, host: &str, port: Option<u16>) -> Option<Closeness> {
        let port = port.unwrap_or(scheme.default_port());
        let port = match self.port {
            PortPattern::Any => 0,
            PortPattern::Default if port == scheme.default_port() => 1,
            PortPattern::Exact(exact) if port == exact => 2,
            _ => return None,
        };
        let host = match self.host {
            HostPattern::Any => 0,
            HostPattern::Exact(exact) if exact == host => usize::MAX,
            // A pattern of no name would be below every host: it fits, as the least of them.
            HostPattern::Below(parent) if host.strip_suffix(parent)?.ends_with('.') => parent.len().saturating_add(1),
            _ => return None,
        };
        if self.scheme.is_some_and(|wanted| wanted != scheme) {
            return None;
        }
        Some(Closeness { host, port, scheme: self.scheme.is_some() })
    }
}
