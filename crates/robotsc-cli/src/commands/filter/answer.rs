//! Answers for blocks: what is asked, and what is said.

use std::ops::Range;

use robotsc::Verdict;
use robotsc::pack::UseRefusal;
use robotsc::program::DecidingRule;

use super::pieces::Pieces;

/// What is said of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Allowed,
    Disallowed,
    Unknown,
    Error,
}

impl Class {
    /// The word for it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Disallowed => "disallowed",
            Self::Unknown => "unknown",
            Self::Error => "error",
        }
    }
}

impl From<Verdict> for Class {
    fn from(verdict: Verdict) -> Self {
        if verdict.is_allow() { Self::Allowed } else { Self::Disallowed }
    }
}

/// Where output goes: standard output, or a file of a class.
pub(crate) const OUTPUTS: usize = 5;
pub(crate) const STDOUT: usize = 0;

/// What is written where.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Route {
    /// For each class the output that gets its lines.
    pub(crate) lines: [Option<usize>; 4],
    /// The records that standard output gets of every line, in place of lines.
    pub(crate) records: Option<Records>,
    /// Hits of all rules are wanted, not of those that disallow alone.
    pub(crate) hits: bool,
}

/// The form of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Records {
    Verdicts,
    Json,
    Columns,
}

/// What is said of a block.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// What each output gets.
    pub(crate) outputs: [Pieces; OUTPUTS],
    /// Lines by class.
    pub(crate) counts: [u64; 4],
    /// Lines of each agent by class, if the answers of several are written.
    pub(crate) by_agent: Vec<[u64; 4]>,
    /// Lines that the policy over all origins disallowed, and nothing else.
    pub(crate) overlaid: u64,
    /// Lines that could be fetched, but not used.
    pub(crate) refused_uses: RefusedUses,
    /// Lines, empty ones too.
    pub(crate) lines: u64,
    /// The text of origins that `hits` and `unknown` name.
    pub(crate) names: Vec<u8>,
    /// What decided, by runs of lines.
    pub(crate) hits: Vec<Hit>,
    /// Origins of which nothing is known, by runs of lines.
    pub(crate) unknown: Vec<Unknown>,
    /// The first bad lines.
    pub(crate) bad: Vec<BadLine>,
}

/// Lines that could be fetched, but not used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RefusedUses {
    /// The site says no.
    pub(crate) stated: u64,
    /// The site says neither yes nor no.
    pub(crate) unknown: u64,
}

impl RefusedUses {
    pub(crate) const fn count(&mut self, refusal: UseRefusal) {
        match refusal {
            UseRefusal::Unknown => self.unknown += 1,
            _ => self.stated += 1,
        }
    }
}

/// What decided about some lines.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    /// The origin, in the names.
    pub(crate) origin: Range<usize>,
    /// The line of the rule; 0 where the pack names none, or no rule decided.
    pub(crate) line: u32,
    pub(crate) is_allow: bool,
    pub(crate) count: u64,
}

/// An origin of which nothing is known.
#[derive(Clone, Debug)]
pub(crate) struct Unknown {
    /// The origin, in the names.
    pub(crate) origin: Range<usize>,
    /// A hash of it.
    pub(crate) hash: u64,
    /// Whether the pack holds it, and the last fetch expired.
    pub(crate) is_expired: bool,
}

/// A line that is no URL.
#[derive(Debug)]
pub(crate) struct BadLine {
    /// Its number in the block, from 0.
    pub(crate) line: u64,
    /// Its start.
    pub(crate) text: Vec<u8>,
    pub(crate) reason: String,
}

impl Answers {
    pub(crate) fn clear(&mut self) {
        self.outputs.iter_mut().for_each(Pieces::clear);
        self.counts = [0; 4];
        self.by_agent.clear();
        self.lines = 0;
        self.overlaid = 0;
        self.refused_uses = RefusedUses::default();
        self.names.clear();
        self.hits.clear();
        self.unknown.clear();
        self.bad.clear();
    }
}

/// What is said of a URL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) class: Class,
    /// The rule that decided, where it is asked for and known.
    pub(crate) deciding_rule: Option<DecidingRule>,
    /// The policy over all origins decided.
    pub(crate) is_overlaid: bool,
    /// Why the use is refused, if the page could be fetched.
    pub(crate) refusal: Option<UseRefusal>,
}

impl Answer {
    /// Just this.
    pub(crate) const fn of(class: Class) -> Self {
        Self { class, deciding_rule: None, is_overlaid: false, refusal: None }
    }
}
