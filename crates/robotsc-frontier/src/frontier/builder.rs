//! The settings of a frontier, checked when it is made.

use std::fmt;
use std::sync::Arc;

use robotsc_compiler::{AgentError, COMPILE_AFTER, Crawler, CrawlerKind, Dialect};

use super::{Frontier, OverlayFn};
use crate::pack::Pack;

/// Makes a [`Frontier`]: for whom it answers, and what it may cost. From [`Frontier::builder`].
#[must_use]
pub struct FrontierBuilder {
    pub(super) crawler: Crawler,
    pub(super) dialect: Dialect,
    pub(super) memory: usize,
    pub(super) compile_after: u32,
    pub(super) robots_txt_by_rules: bool,
    pub(super) overlay: Option<Box<OverlayFn>>,
    pub(super) pack: Option<Arc<Pack>>,
}

impl FrontierBuilder {
    pub(super) fn new(crawler: Crawler) -> Self {
        Self {
            crawler,
            dialect: Dialect::GOOGLE,
            memory: 256 << 20,
            compile_after: COMPILE_AFTER,
            robots_txt_by_rules: false,
            overlay: None,
            pack: None,
        }
    }

    /// Sets the dialect; `google` by default.
    pub fn dialect(mut self, dialect: &Dialect) -> Self {
        self.dialect = dialect.clone();
        self
    }

    /// Sets the bytes that the memory may take, as a frontier counts them; 256 MiB by default.
    ///
    /// A bit for each slot of the pack and the times of dropped origins are part of it. The rest is for policies: each
    /// of 64 tables keeps to its share, but always keeps the newest policy. Not counted are the pack and
    /// what each thread keeps for its next compilation (up to 4 MiB, see [`Compiler`](robotsc_compiler::Compiler)).
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Sets the number of URLs after which a policy in memory is compiled; [`COMPILE_AFTER`] by default.
    pub fn compile_after(mut self, urls: u32) -> Self {
        self.compile_after = urls;
        self
    }

    /// Answers for the URL of robots.txt itself by the rules, too, as conformance tests need it.
    ///
    /// Off by default: a crawler fetches robots.txt before it knows any rules.
    pub fn robots_txt_by_rules(mut self, by_rules: bool) -> Self {
        self.robots_txt_by_rules = by_rules;
        self
    }

    /// Lays a policy over all origins. A URL that it disallows is disallowed, whatever is known of its origin; it never
    /// makes a URL allowed.
    pub fn overlay(mut self, overlay: Box<OverlayFn>) -> Self {
        self.overlay = Some(overlay);
        self
    }

    /// Answers from a pack, too: responses that are recorded later, if they are newer, have priority over it.
    pub fn pack(mut self, pack: Arc<Pack>) -> Self {
        self.pack = Some(pack);
        self
    }

    /// Makes the frontier.
    ///
    /// # Errors
    /// [`FrontierError`] if the crawler has no usable name, or if the pack was built for other agents or under another
    /// dialect.
    pub fn build(self) -> Result<Frontier, FrontierError> {
        Frontier::build(self)
    }
}

impl fmt::Debug for FrontierBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrontierBuilder")
            .field("crawler", &self.crawler)
            .field("dialect", &self.dialect.name)
            .field("memory", &self.memory)
            .field("compile_after", &self.compile_after)
            .field("robots_txt_by_rules", &self.robots_txt_by_rules)
            .field("has_overlay", &self.overlay.is_some())
            .field("pack", &self.pack)
            .finish()
    }
}

/// Why a frontier cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontierError(pub(super) FrontierErrorKind);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FrontierErrorKind {
    Name(AgentError),
    PackDialect { pack: &'static str, wanted: &'static str },
    PackAgents(Crawler),
}

impl fmt::Display for FrontierError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            FrontierErrorKind::Name(error) => error.fmt(f),
            FrontierErrorKind::PackDialect { pack, wanted } => write!(
                f,
                "the pack was built under the dialect {pack}, or a changed form of {wanted} is asked for: \
                 set the dialect of the pack, or build the pack under {wanted}"
            ),
            FrontierErrorKind::PackAgents(crawler) => {
                write!(f, "the pack holds no rules for {crawler}: ")?;
                f.write_str(match crawler.kind() {
                    CrawlerKind::Pool => "a pool takes a frontier without a pack",
                    CrawlerKind::Others => "build it for all agents",
                    _ => "build it for this crawler (PackAgents::of) or for all agents",
                })
            }
        }
    }
}

impl std::error::Error for FrontierError {}

impl From<AgentError> for FrontierError {
    fn from(error: AgentError) -> Self {
        Self(FrontierErrorKind::Name(error))
    }
}
