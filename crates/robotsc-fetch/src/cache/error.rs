//! Why a cache cannot be made or saved.

use std::fmt;

use robotsc_frontier::frontier::FrontierError;
use robotsc_frontier::pack::PackError;

/// Why a cache cannot be made or saved.
#[derive(Debug)]
pub struct CacheError(Kind);

#[derive(Debug)]
pub(crate) enum Kind {
    Frontier(FrontierError),
    Pack(PackError),
    Pool,
    NoPackFile,
    OtherAgent(String),
}

impl From<Kind> for CacheError {
    fn from(kind: Kind) -> Self {
        Self(kind)
    }
}

impl fmt::Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Frontier(error) => error.fmt(f),
            Kind::Pack(error) => error.fmt(f),
            Kind::Pool => f.write_str("a pool of agents has no pack: name one agent or a chain, or set no pack file"),
            Kind::OtherAgent(name) => write!(
                f,
                "the User-Agent does not name {name}: send the name whose groups are obeyed, or state with \
                 `CacheBuilder::allow_other_agent` that another one is meant"
            ),
            Kind::NoPackFile => f.write_str("the cache has no pack file: set one with `CacheBuilder::pack_file`"),
        }
    }
}

impl std::error::Error for CacheError {}
