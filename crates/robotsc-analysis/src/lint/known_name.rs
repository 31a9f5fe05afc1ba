//! Crawlers that are known by name.

/// A crawler that is known by name.
///
/// ```
/// use robotsc::analysis::lint::KnownName;
///
/// let known = KnownName::new("GPTBot");
/// assert!(known.token == "GPTBot" && !known.is_retired);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownName {
    /// Its product token.
    pub token: String,
    /// Whether no crawler has this name any more.
    pub is_retired: bool,
    /// The tokens of the crawlers that took its place, if it is retired.
    pub successors: Vec<String>,
    /// Who runs it; empty if that is not known.
    pub operator: String,
    /// The tokens of crawlers that its operator runs for purposes near to its own.
    pub siblings: Vec<String>,
    /// Whether its operator says that it does not always obey robots.txt, or it was observed not to.
    pub may_ignore: bool,
    /// Whether its operator says that it obeys groups that name it alone, and never those for `*`.
    pub is_named_only: bool,
    /// The tokens whose groups it obeys if no group names it, in order, before those for `*`.
    pub fallback: Vec<String>,
}

impl KnownName {
    /// Returns a crawler of which no more than the name is known.
    #[must_use]
    pub fn new(token: impl Into<String>) -> Self {
        Self { token: token.into(), ..Self::default() }
    }
}
