//! The hosts that a file names. A robots.txt is for one host, and does not say for which.

use std::collections::BTreeSet;

use robotsc_compiler::RobotsTxt;

/// The hosts that a file names: in lower case, without ports and `www.`.
#[derive(Debug, Default)]
pub(crate) struct Hosts {
    /// Those of its sitemaps.
    sitemaps: BTreeSet<Vec<u8>>,
    /// Those of its rules, as far as they are surely hosts.
    rules: BTreeSet<Vec<u8>>,
}

impl Hosts {
    /// Returns the hosts of a file.
    pub(crate) fn of(robots: &RobotsTxt<'_>) -> Self {
        let values = robots.rules().iter().map(|rule| rule.value.of(robots.body()));
        Self {
            sitemaps: robots.sitemaps().iter().filter_map(|url| host_of_url(url)).collect(),
            rules: values.filter(|value| has_address(value)).filter_map(host_of_rule).collect(),
        }
    }

    /// Reports whether a host is that of the file, as far as the file shows it: one of its sitemaps is there. Without a
    /// sitemap, its rules name no other.
    pub(crate) fn is_own(&self, host: &[u8]) -> bool {
        let has = |hosts: &BTreeSet<Vec<u8>>| hosts.contains(host);
        !host.contains(&b'*')
            && if self.sitemaps.is_empty() { self.rules.iter().all(|other| other == host) } else { has(&self.sitemaps) }
    }

    /// Returns a host of the sitemaps.
    pub(crate) fn of_sitemaps(&self) -> Option<&[u8]> {
        self.sitemaps.first().map(Vec::as_slice)
    }
}

/// Returns the host of a whole URL in lower case, without a port and `www.`.
pub(crate) fn host_of_url(url: &[u8]) -> Option<Vec<u8>> {
    let start = url.windows(3).position(|window| window == b"://").filter(|start| *start < 6)? + 3;
    let end = url[start..].iter().position(|byte| b"/?#:".contains(byte)).map_or(url.len(), |end| start + end);
    Some(without_www(&url[start..end]))
}

/// Returns a host in lower case, without `www.`.
pub(crate) fn without_www(host: &[u8]) -> Vec<u8> {
    let host = host.to_ascii_lowercase();
    host.strip_prefix(b"www.").map_or_else(|| host.clone(), <[u8]>::to_vec)
}

/// Returns the host that begins the value of a rule: after a scheme, after slashes, or before the first of them. It can
/// have a `*`. `None` if the value begins with a path.
pub(crate) fn host_of_rule(value: &[u8]) -> Option<Vec<u8>> {
    let start = value.strip_prefix(b"/").unwrap_or(value);
    if let Some(host) = host_of_url(start) {
        return (!host.is_empty()).then_some(host);
    }
    let rest = match value {
        [b'/', b'/', rest @ ..] => rest,
        _ if is_www(start) => start,
        [b'/' | b'*', ..] => return None,
        _ => value,
    };
    let end = rest.iter().position(|byte| b"/?#:$".contains(byte)).unwrap_or(rest.len());
    let host = without_www(&rest[..end]);
    host.contains(&b'.').then_some(host)
}

/// Reports whether a text begins with `www.`.
fn is_www(text: &[u8]) -> bool {
    text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"www."))
}

/// Reports whether the value of a rule begins with a scheme or `www.`, perhaps after a slash.
pub(crate) fn has_address(value: &[u8]) -> bool {
    let start = value.strip_prefix(b"/").unwrap_or(value);
    let starts = |scheme: &&[u8]| start.get(..scheme.len()).is_some_and(|text| text.eq_ignore_ascii_case(scheme));
    is_www(start) || [&b"http://"[..], b"https://"].iter().any(starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_rules() {
        for (value, wanted) in [
            ("https://www.h.example/x", "h.example"),
            ("HTTP://H.example:80/x", "h.example"),
            ("/https://h.example/x", "h.example"),
            ("https://*.h.example/x", "*.h.example"),
            ("//h.example/x", "h.example"),
            ("/WWW.h.example/x", "h.example"),
            ("www.h.example", "h.example"),
            ("h.example/x", "h.example"),
            ("h/x", ""),
            ("/h.example/x", ""),
            ("/go?to=https://h.example/x", ""),
            ("*.h.example/x", ""),
            ("", ""),
        ] {
            let found = host_of_rule(value.as_bytes()).unwrap_or_default();
            assert_eq!(String::from_utf8_lossy(&found), wanted, "{value}");
        }
    }
}
