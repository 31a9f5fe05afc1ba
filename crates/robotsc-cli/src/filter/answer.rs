//! Answers for blocks: what is asked, and what is said.

use std::ops::Range;
use std::sync::Arc;

use robotsc::{Verdict, Winner};

use super::batch::Block;
use super::blocks::Carrier;
use super::overlay::Overlaid;
use super::pieces::Pieces;
use super::policies::Policies;

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
}

/// What is said of a block.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// What each output gets.
    pub(crate) outputs: [Pieces; OUTPUTS],
    /// Lines by class.
    pub(crate) counts: [u64; 4],
    /// Lines that the policy over all origins disallowed, and nothing else.
    pub(crate) overlaid: u64,
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
    fn clear(&mut self) {
        self.outputs.iter_mut().for_each(Pieces::clear);
        self.counts = [0; 4];
        self.lines = 0;
        self.overlaid = 0;
        self.names.clear();
        self.hits.clear();
        self.unknown.clear();
        self.bad.clear();
    }
}

/// Answers for blocks.
#[derive(Debug)]
pub(crate) struct Answerer<P> {
    pub(crate) policies: Arc<P>,
    pub(crate) route: Route,
    /// A policy over all origins, which can only disallow more.
    pub(crate) overlay: Option<Arc<Overlaid>>,
}

impl<P> Clone for Answerer<P> {
    fn clone(&self) -> Self {
        Self { policies: Arc::clone(&self.policies), route: self.route, overlay: self.overlay.clone() }
    }
}

/// What is said of a URL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) class: Class,
    /// The rule that decided, where it is asked for and known.
    pub(crate) winner: Option<Winner>,
    /// The policy over all origins decided.
    pub(crate) is_overlaid: bool,
}

impl Answer {
    /// Just this.
    pub(crate) const fn of(class: Class) -> Self {
        Self { class, winner: None, is_overlaid: false }
    }
}

impl<P: Policies> Answerer<P> {
    /// Answers for the lines of a block.
    pub(crate) fn answer(&self, carrier: &mut Carrier) {
        let Carrier { bytes: octets, lines, header, layout, is_cut, answers, .. } = carrier;
        answers.clear();
        if header.start < header.end {
            answers.lines += 1;
            self.write_header(&octets[header.clone()], answers);
        }
        Block::new(self, &octets[..lines.end], lines.start, *layout, *is_cut, answers).answer();
    }

    /// The header goes wherever lines go.
    fn write_header(&self, header: &[u8], answers: &mut Answers) {
        let mut done = [false; OUTPUTS];
        for output in self.route.lines.into_iter().flatten() {
            if !std::mem::replace(&mut done[output], true) {
                answers.outputs[output].own.extend_from_slice(header);
                if !header.ends_with(b"\n") {
                    answers.outputs[output].own.push(b'\n');
                }
            }
        }
    }
}
