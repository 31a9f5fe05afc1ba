//! A parsed robots.txt: groups, rules, other records and diagnostics, with their places.
//!
//! The parts lie in flat vectors in file order, and a [`Group`] is a pair of ranges into them, so that a file costs a few allocations
//! however many groups it has.

use std::borrow::Cow;
use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::record::Record;
use crate::span::ByteSpan;

/// `Allow` or `Disallow`, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleKind {
    /// A `Disallow` line.
    Disallow,
    /// An `Allow` line.
    Allow,
}

/// An `Allow` or `Disallow` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleLine {
    /// Which of the two.
    pub kind: RuleKind,
    /// The value, trimmed, comment removed.
    pub value: ByteSpan,
    /// The line, from 1; CRLF counts once.
    pub line: u32,
}

/// A `User-agent` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentLine {
    /// The value, trimmed, comment removed.
    pub value: ByteSpan,
    /// The product token in it, under the dialect; empty where the value names nobody, or everybody.
    pub token: ByteSpan,
    /// Whether the value names every agent (`*`).
    pub is_star: bool,
    /// The line, from 1.
    pub line: u32,
}

/// The number of a group, in file order, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub u32);

/// A run of `User-agent` lines and the rules that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its agents: a range of [`RobotsTxt::agents`].
    pub agents: Range<u32>,
    /// Its rules: a range of [`RobotsTxt::rules`].
    pub rules: Range<u32>,
    /// The records read while it was open: a range of [`RobotsTxt::records`].
    pub records: Range<u32>,
}

/// A parsed robots.txt.
#[derive(Clone, Debug)]
pub struct RobotsTxt<'a> {
    pub(crate) body: Cow<'a, [u8]>,
    pub(crate) dialect: Dialect,
    pub(crate) groups: Vec<Group>,
    pub(crate) agents: Vec<AgentLine>,
    pub(crate) rules: Vec<RuleLine>,
    pub(crate) records: Vec<Record>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl<'a> RobotsTxt<'a> {
    /// Parses a body. Never fails and never panics, whatever the octets; what could not be used is among the [`diagnostics`](Self::diagnostics).
    ///
    /// Cost: one pass, linear in the body.
    #[must_use]
    pub fn parse(body: &'a [u8], dialect: &Dialect) -> Self {
        crate::parse::parse(body, dialect)
    }

    /// The body that the spans point into: the one given, or its UTF-8 form where the dialect decodes UTF-16.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The dialect it was parsed under.
    #[must_use]
    pub const fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    /// The groups, in file order.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// All `User-agent` lines, in file order.
    #[must_use]
    pub fn agents(&self) -> &[AgentLine] {
        &self.agents
    }

    /// The `Allow` and `Disallow` lines that belong to a group, in file order.
    #[must_use]
    pub fn rules(&self) -> &[RuleLine] {
        &self.rules
    }

    /// All other records, in file order.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// What was noticed, in file order.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}
