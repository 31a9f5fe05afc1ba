//! Rules that begin with an address in place of a path.
//!
//! ```text
//! Sitemap: https://www.h.example/map.xml
//! Disallow: https://h.example/x      `/x`
//! Disallow: https://s.h.example/x    another host: its own robots.txt can close it
//! Disallow: /www.h.example/x         no URL of the host has such a path
//! ```

use robotsc_compiler::{ByteSpan, Severity};

use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::Fix;
use super::odd_pattern::OddPattern;
use crate::text::hosts::{has_address, host_of_rule};

/// Reports whether what follows the address of a rule can be a path of this site. Otherwise it is one of another host.
pub(super) fn is_own(context: &Context<'_>, value: &[u8]) -> bool {
    host_of_rule(value).is_none_or(|host| context.hosts().is_own(&host))
}

/// Returns what is said of a rule that is a URL, if it is not of this site.
pub(super) fn of_other_host(context: &Context<'_>, value: &[u8]) -> Option<String> {
    if is_own(context, value) {
        return None;
    }
    let host = host_of_rule(value)?;
    let (host, of) = (quoted(&host), context.hosts().of_sitemaps().map(quoted));
    let shown = quoted(value);
    Some(match of {
        Some(own) => format!(
            "{shown} is a URL of {host} and matches nothing: a robots.txt is for one host, and the sitemaps of this \
             one are of {own}"
        ),
        None => format!("{shown} is a URL of {host} and matches nothing: a robots.txt is for one host, and has paths"),
    })
}

/// Returns a fix that writes the path of a URL alone.
pub(super) fn fix(context: &Context<'_>, span: ByteSpan) -> Option<Fix> {
    let text = span.of(context.body());
    // With a blank it is more than a URL.
    if text.iter().any(u8::is_ascii_whitespace) || !is_own(context, text) {
        return None;
    }
    let path = context.robots.dialect().split_url(text).ok()?.path.into_cow().into_owned();
    // A host alone is no path, and `/` would be for all of them.
    (path.len() > 1).then(|| Fix::replace("write the path alone", span, path))
}

/// An address of this site after a slash, with a path. One of another site can be a broken link, or part of a path.
pub(super) fn after_slash(context: &Context<'_>, value: &[u8]) -> Option<OddPattern> {
    let rest = value.strip_prefix(b"/").filter(|_| has_address(value))?;
    let host = host_of_rule(value).filter(|host| host.contains(&b'.') && context.hosts().is_own(host))?;
    let after_scheme = rest.windows(3).position(|window| window == b"://").map_or(rest, |at| &rest[at + 3..]);
    let path = after_scheme.iter().position(|byte| *byte == b'/').map(|at| &after_scheme[at..])?;
    if path.len() < 2 {
        return None;
    }
    let (shown, path, host) = (quoted(value), quoted(path), quoted(&host));
    let message = format!("{shown} contains the address of {host}, and paths of its URLs begin after it: write {path}");
    let odd = OddPattern::new(LintCheck::UrlPattern, message);
    Some(OddPattern { severity: Some(Severity::Warning), ..odd })
}
