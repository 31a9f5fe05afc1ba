//! Which groups of a file a crawler obeys.

use crate::robots_txt::{GroupId, RobotsTxt};

/// Who asks: the product tokens of a crawler.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Crawler {
    /// One product token, such as `FooBot`. It is compared as given, without regard to case, and never cut: `FooBot/2.1` equals no token.
    Token(Vec<u8>),
    /// Several tokens whose groups are pooled, as google/robotstxt takes a list.
    Pool(Vec<Vec<u8>>),
    /// Tokens in order: the first that the file has a group for decides; `*` stands behind the last.
    Chain(Vec<Vec<u8>>),
}

impl Crawler {
    /// A crawler with one product token.
    pub fn token(token: impl Into<Vec<u8>>) -> Self {
        Self::Token(token.into())
    }
}

/// Why a selection holds the groups that it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectionReason {
    /// Groups name one of the crawler's tokens, or the token of the file that the dialect takes for it: the file's tokens that were matched, lower case.
    Named(Vec<Vec<u8>>),
    /// No group names the crawler, groups for `*` are used.
    Star,
    /// No group names the crawler and none names `*`: everything is allowed.
    NoGroup,
}

/// The groups that a crawler obeys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The groups, in file order; their rules are pooled.
    pub groups: Vec<GroupId>,
    /// Why these.
    pub reason: SelectionReason,
}

impl RobotsTxt<'_> {
    /// The groups that `crawler` obeys in this file. Never panics.
    #[must_use]
    pub fn select(&self, _crawler: &Crawler) -> Selection {
        todo!()
    }
}
