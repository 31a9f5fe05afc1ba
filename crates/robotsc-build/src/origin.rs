//! Where a declared rule set applies.

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
