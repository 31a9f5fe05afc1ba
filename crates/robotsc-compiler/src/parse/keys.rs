//! Which directive a key names, under a dialect.
//!
//! The first byte decides almost always, so it is looked at before anything is compared without regard to case.

use crate::dialect::{Dialect, KeyMatch, Typos};
use crate::parse::record::RecordKind;

/// What a line is, by its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Directive {
    UserAgent,
    Allow,
    Disallow,
    Record(RecordKind),
}

impl Directive {
    /// Returns the name of the directive that a key stands for in google, which takes the most keys for one.
    pub(crate) fn meant(key: &[u8]) -> &'static str {
        match directive(key, &Dialect::GOOGLE).0 {
            Self::UserAgent => "User-agent",
            Self::Allow => "Allow",
            Self::Disallow => "Disallow",
            Self::Record(RecordKind::Sitemap) => "Sitemap",
            Self::Record(_) => "another directive",
        }
    }
}

/// How far the key is from the directive's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// The name itself, in any case.
    Exact,
    /// The name and more after it.
    Longer,
    /// A misspelling of robots.cc's list.
    Typo,
}

const USER_AGENT_TYPOS: [&[u8]; 2] = [b"useragent", b"user agent"];
const DISALLOW_TYPOS: [&[u8]; 5] = [b"dissallow", b"dissalow", b"disalow", b"diasllow", b"disallaw"];
const SITEMAP_TYPOS: [&[u8]; 1] = [b"site-map"];

/// Returns the directive that `key` names. `key` is trimmed and not empty.
///
/// The four names of robots.cc are tried in its order (robots.cc:224); no two of them can match one key. All other
/// records are recognised by their whole name only, as Google's reporting parser does.
pub(crate) fn directive(key: &[u8], dialect: &Dialect) -> (Directive, Spelling) {
    let found = match key.first().map(u8::to_ascii_lowercase) {
        Some(b'u') => spelling(key, b"user-agent", &USER_AGENT_TYPOS, dialect).map(|s| (Directive::UserAgent, s)),
        Some(b'a') => spelling(key, b"allow", &[], dialect).map(|s| (Directive::Allow, s)),
        Some(b'd') => spelling(key, b"disallow", &DISALLOW_TYPOS, dialect).map(|s| (Directive::Disallow, s)),
        Some(b's') => {
            spelling(key, b"sitemap", &SITEMAP_TYPOS, dialect).map(|s| (Directive::Record(RecordKind::Sitemap), s))
        }
        _ => None,
    };
    found.unwrap_or_else(|| (Directive::Record(record_kind(key)), Spelling::Exact))
}

/// Reports whether no dialect knows the key: the most lenient one, google, does not.
pub(crate) fn is_unknown_everywhere(key: &[u8]) -> bool {
    directive(key, &Dialect::GOOGLE).0 == Directive::Record(RecordKind::Unknown)
}

/// Reports whether a key is of a record that programs besides crawlers read, such as the `License` of RSL 1.0.
pub(crate) fn is_of_others(key: &[u8]) -> bool {
    const OF_OTHERS: [&[u8]; 3] = [b"license", b"agentmap", b"content-signal-policy"];
    OF_OTHERS.iter().any(|name| key.eq_ignore_ascii_case(name))
}

fn spelling(key: &[u8], name: &[u8], typos: &[&[u8]], dialect: &Dialect) -> Option<Spelling> {
    let names = |name: &[u8]| {
        let head = match dialect.key_match {
            KeyMatch::Prefix => key.get(..name.len()),
            KeyMatch::Exact => Some(key),
        };
        head.is_some_and(|head| head.eq_ignore_ascii_case(name))
    };
    if names(name) {
        return Some(if key.len() == name.len() { Spelling::Exact } else { Spelling::Longer });
    }
    (dialect.typos == Typos::Accepted && typos.iter().any(|typo| names(typo))).then_some(Spelling::Typo)
}

fn record_kind(key: &[u8]) -> RecordKind {
    use RecordKind::{
        CleanParam, ContentSignal, ContentUsage, CrawlDelay, Host, Noindex, RequestRate, Unknown, Unused, VisitTime,
    };
    let names: &[(&[u8], RecordKind)] = match key.first().map(u8::to_ascii_lowercase) {
        Some(b'a') if key.get(..5).is_some_and(|head| head.eq_ignore_ascii_case(b"acap-")) => return Unused,
        Some(b'c') => &[
            (b"crawl-delay", CrawlDelay),
            (b"clean-param", CleanParam),
            (b"content-signal", ContentSignal),
            (b"content-signals", ContentSignal),
            (b"content-usage", ContentUsage),
            (b"comment", Unused),
        ],
        Some(b'd') => &[(b"domain", Unused)],
        Some(b'h') => &[(b"host", Host)],
        Some(b'l') => &[(b"llm-policy", Unused)],
        Some(b'n') => &[(b"noindex", Noindex), (b"nofollow", Unused), (b"noarchive", Unused)],
        Some(b'r') => &[(b"request-rate", RequestRate), (b"revisit-after", Unused), (b"robot-version", Unused)],
        Some(b'v') => &[(b"visit-time", VisitTime)],
        _ => return Unknown,
    };
    names.iter().find(|(name, _)| key.eq_ignore_ascii_case(name)).map_or(Unknown, |&(_, kind)| kind)
}
