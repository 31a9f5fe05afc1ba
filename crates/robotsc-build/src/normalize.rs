//! The normal form of what declared rules look at. Files and sets that are made in code pass through here, so that no
//! rule compiles that could never match.

use std::fmt;

use robotsc_compiler::url::possible::matches_any_path;
use robotsc_compiler::{AgentName, Dialect, agent_keys, notation};
use robotsc_runtime::embed::OriginPattern;

use crate::lower::origin::{self, OriginPatternError};

/// Why a path pattern matches nothing, or is not what was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathFault {
    Empty,
    WhiteSpace,
    Fragment,
    NoSlash,
    /// It means one thing before a `?` and another after it.
    TwoMeanings,
    NoPath,
    /// It has signs of a regular expression.
    Regex,
    /// It is a list of paths.
    List,
}

impl fmt::Display for PathFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "is empty and says nothing: write `/` for every path",
            Self::WhiteSpace => "has white space at its ends: write `%20` for a space in a URL",
            Self::Fragment => "can match no path: a `#` is in none",
            Self::NoSlash => "starts with neither `/` nor `*` and matches nothing",
            Self::TwoMeanings => "means one thing before a `?` and another after it: write two rules",
            Self::NoPath => "matches nothing: no URL has a path that it matches",
            Self::Regex => "looks like a regular expression: only `*` and a `$` at the end have a meaning",
            Self::List => "holds several paths: write a rule for each",
        })
    }
}

/// Returns the normal form of a path pattern.
pub(crate) fn path(dialect: &Dialect, pattern: &[u8]) -> Result<Vec<u8>, PathFault> {
    let normal = dialect.normalize_pattern(pattern);
    let text = String::from_utf8_lossy(pattern);
    if pattern.is_empty() {
        Err(PathFault::Empty)
    } else if text != text.trim() {
        Err(PathFault::WhiteSpace)
    } else if pattern.contains(&b'#') {
        Err(PathFault::Fragment)
    } else if !matches!(normal.as_slice(), [b'/' | b'*', ..]) {
        Err(PathFault::NoSlash)
    } else if !dialect.is_whole_pattern(&normal) {
        Err(PathFault::TwoMeanings)
    } else if !matches_any_path(&normal, dialect.path_form()) {
        Err(PathFault::NoPath)
    } else if notation::is_regex(pattern) {
        Err(PathFault::Regex)
    } else if notation::list_sign(pattern).is_some() {
        Err(PathFault::List)
    } else {
        Ok(normal)
    }
}

/// Why a text names no query parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryFault {
    Empty,
    /// It holds a character that ends a name.
    EndsAt(char),
    /// It holds a character that no name holds.
    Holds(char),
    NoName,
}

impl fmt::Display for QueryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it is empty"),
            Self::EndsAt(sign) => write!(f, "it ends before a `{sign}`"),
            Self::Holds(sign) => write!(f, "a name holds no `{sign}`"),
            Self::NoName => f.write_str("no URL holds it"),
        }
    }
}

/// Returns the form that the name of a query parameter has in a normalized URL.
pub(crate) fn query(dialect: &Dialect, name: &str) -> Result<Vec<u8>, QueryFault> {
    if name.is_empty() {
        return Err(QueryFault::Empty);
    }
    if let Some(sign) = name.chars().find(|char| matches!(char, '&' | ';' | '=' | '#' | '?' | '*')) {
        return Err(if matches!(sign, '?' | '*') { QueryFault::Holds(sign) } else { QueryFault::EndsAt(sign) });
    }
    let url = format!("/?{name}=");
    let path = dialect.url_path(&url).map_err(|_| QueryFault::NoName)?;
    let name = path.as_bytes().strip_prefix(b"/?").and_then(|name| name.strip_suffix(b"="));
    match name {
        Some(name) if name.contains(&b';') => Err(QueryFault::EndsAt(';')),
        Some(name) => Ok(name.to_vec()),
        None => Err(QueryFault::NoName),
    }
}

/// Returns the name before the version of `FooBot/1.0`; `None` if there is no version, or no name before it.
pub(crate) fn without_version(agent: &str) -> Option<&str> {
    let name = agent.split(['/', ' ']).next().filter(|name| name.len() < agent.len())?;
    let version = agent[name.len() + 1..].trim_start_matches(['v', 'V']);
    (AgentName::new(name).is_ok() && version.starts_with(|first: char| first.is_ascii_digit())).then_some(name)
}

/// Returns the keys of an agent's name in an index of names. A key is its own.
pub(crate) fn agent(dialect: &Dialect, name: &str) -> Option<Vec<String>> {
    if let Some(written) = name.strip_prefix('/') {
        return AgentName::new(written).is_ok().then(|| vec![name.to_ascii_lowercase()]);
    }
    let name = AgentName::new(name).ok()?;
    let token = if name.is_product_token() { name.as_bytes() } else { &[] };
    let keys = agent_keys(token, name.as_bytes(), dialect.agent_match);
    Some(keys.filter_map(|key| String::from_utf8(key).ok()).collect())
}

/// Returns an origin pattern with a canonical host.
pub(crate) fn origin(pattern: &OriginPattern<String>) -> Result<OriginPattern<String>, OriginPatternError> {
    origin::parse(&pattern.to_string())
}
