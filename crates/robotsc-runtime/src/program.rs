//! A compiled rule set: bytes that are walked.

use core::fmt;

use crate::Verdict;
use crate::format::{HAS_LIST, HAS_RULES, HEADER, NARROW_FALLBACK, PROGRAM_MARK, RULE, RUN, VERSION};
use crate::walk::Code;
use crate::{list, validate};

/// A compiled rule set, borrowed from its bytes.
///
/// It is a few words and copied freely. Walking it allocates nothing, never panics, and takes time linear in the path (times the parts that the rules were cut into:
/// one for nearly all files).
#[derive(Clone, Copy, Debug)]
pub struct Program<'p> {
    pub(crate) bytes: &'p [u8],
    pub(crate) code: Code<'p>,
    /// Where the parts after the first start.
    pub(crate) entries: &'p [[u8; 4]],
    /// Where the list of rules that are tried one by one starts.
    pub(crate) list: Option<usize>,
    pub(crate) rules: &'p [[u8; RULE]],
}

/// The rule that decided, as recorded by a program that was compiled with its rules' table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Winner {
    /// Its verdict.
    pub verdict: Verdict,
    /// Its place in the rule set, from the top rank, from 0.
    pub rule: u32,
    /// Its line in the robots.txt, from 1; 0 where no line states it.
    pub line: u32,
    /// The length that ranks it, in octets, at most 2^30 - 1.
    pub length: u32,
    /// Whether the line says `Allow`.
    pub is_allow_line: bool,
}

/// The program without rules: all is allowed.
const NO_RULES: &[u8] = b"RP\x01\x00\xca\xfd\xf6\x56\x01\x00\x00\x00\x00";

impl Program<'static> {
    /// The program without rules: it allows everything.
    #[must_use]
    pub fn allow_all() -> Self {
        // These bytes are a program, as a test shows; were they not, nothing would be reached by walking no code.
        Self::from_trusted(NO_RULES).unwrap_or(Self {
            bytes: NO_RULES,
            code: Code { octets: &[], rank_width: 0, offset_width: 1, fallback_width: 1, start: 0, behind_slash: 0 },
            entries: &[],
            list: None,
            rules: &[],
        })
    }
}

impl<'p> Program<'p> {
    /// Checks bytes from an untrusted source and borrows a program from them.
    ///
    /// Cost: one pass over `bytes`, about a nanosecond for two octets.
    ///
    /// # Errors
    /// [`ProgramError`] names the first invariant that does not hold, in this order: mark and version, lengths, checksum, the parts' starts, each node in turn, the list of rules.
    ///
    /// # Panics
    /// Never, for any input.
    pub fn from_bytes(bytes: &'p [u8]) -> Result<Self, ProgramError> {
        let program = Self::from_trusted(bytes)?;
        validate::program(&program)?;
        Ok(program)
    }

    /// Borrows a program from bytes that were checked before, or that this process made: only the header is read.
    ///
    /// Altered bytes do no harm beyond a wrong verdict: no walk reads outside them, runs on for ever or panics.
    ///
    /// # Errors
    /// [`ProgramError`] where the header is not that of a program or its lengths do not fit the bytes.
    pub const fn from_trusted(bytes: &'p [u8]) -> Result<Self, ProgramError> {
        let Some((header, behind)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(ProgramError(Kind::TooShort));
        };
        if header[0] != PROGRAM_MARK[0] || header[1] != PROGRAM_MARK[1] {
            return Err(ProgramError(Kind::NoMark));
        }
        if header[2] != VERSION {
            return Err(ProgramError(Kind::Version(header[2])));
        }
        let flags = header[3];
        let parts = u16::from_le_bytes([header[8], header[9]]) as usize;
        // Whoever compares parts or rules needs ranks.
        let needs_ranks = parts > 1 || flags & (HAS_RULES | HAS_LIST) != 0;
        let has_list = flags & HAS_LIST != 0;
        if flags >= HAS_LIST << 1 || parts == 0 || (needs_ranks && flags & 3 == 0) || (has_list && parts == 1) {
            return Err(ProgramError(Kind::Header));
        }
        let Some((entries, mut octets)) = behind.split_at_checked(4 * (parts - 1)) else {
            return Err(ProgramError(Kind::TooShort));
        };
        let mut rules: &[[u8; RULE]] = &[];
        if flags & HAS_RULES != 0 {
            let Some((before, count)) = octets.split_last_chunk::<4>() else {
                return Err(ProgramError(Kind::TooShort));
            };
            let Some(table) = (u32::from_le_bytes(*count) as usize).checked_mul(RULE) else {
                return Err(ProgramError(Kind::TooShort));
            };
            let Some(end) = before.len().checked_sub(table) else { return Err(ProgramError(Kind::TooShort)) };
            let (code, table) = before.split_at(end);
            octets = code;
            rules = table.as_chunks().0;
        }
        let offset_width = (flags >> 2 & 3) as usize + 1;
        let start = u16::from_le_bytes([header[10], header[11]]) as usize;
        let code = Code {
            octets,
            rank_width: (flags & 3) as usize,
            offset_width,
            fallback_width: if flags & NARROW_FALLBACK == 0 { offset_width } else { 1 },
            start,
            behind_slash: match octets.split_at_checked(start) {
                Some((_, [RUN, 1, b'/', ..])) => start + 3,
                _ => 0,
            },
        };
        let mut entries = entries.as_chunks().0;
        let mut list = None;
        if has_list && let [parts @ .., last] = entries {
            list = Some(u32::from_le_bytes(*last) as usize);
            entries = parts;
        }
        Ok(Self { bytes, code, entries, list, rules })
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &'p [u8] {
        self.bytes
    }

    /// The verdict for a path (path, parameters and query) in the form that the rules' dialect compares.
    ///
    /// ```
    /// # use robotsc_runtime::{Program, Verdict};
    /// assert_eq!(Program::allow_all().verdict(b"/index.html"), Verdict::Allow);
    /// ```
    #[must_use]
    #[inline]
    pub fn verdict(&self, path: &[u8]) -> Verdict {
        if self.code.rank_width == 0 {
            return if self.code.walk_first::<false>(path) == 1 { Verdict::Disallow } else { Verdict::Allow };
        }
        self.ranked_verdict(path)
    }

    #[inline(never)]
    fn ranked_verdict(&self, path: &[u8]) -> Verdict {
        let allow = match self.best_rank(path) {
            0 => true,
            rank if self.rules.is_empty() => rank & 1 == 1,
            rank => self.rule(rank).is_none_or(|winner| winner.verdict.is_allow()),
        };
        if allow { Verdict::Allow } else { Verdict::Disallow }
    }

    /// The highest rank over the parts.
    fn best_rank(&self, path: &[u8]) -> u32 {
        let mut best = self.code.walk_first::<true>(path);
        for entry in self.entries {
            best = best.max(self.code.walk::<true>(u32::from_le_bytes(*entry) as usize, path, 0));
        }
        self.list.map_or(best, |at| list::best(&self.code, at, path, best))
    }

    /// The verdict, and the number of the rule that decides, of a program whose rules the compiler was given numbers for; 0 where no rule matched.
    /// In any other program the number has no meaning.
    #[doc(hidden)]
    #[must_use]
    pub fn numbered(&self, path: &[u8]) -> (Verdict, u32) {
        if self.code.rank_width == 0 {
            return (self.verdict(path), 0);
        }
        let rank = self.best_rank(path);
        (if rank == 0 || rank & 1 == 1 { Verdict::Allow } else { Verdict::Disallow }, rank >> 1)
    }

    /// Whether the program names the winning rule.
    #[must_use]
    pub const fn names_winner(&self) -> bool {
        !self.rules.is_empty()
    }

    /// The winning rule, of a program that names it; `None` where no rule matched, or the program holds verdicts only.
    #[must_use]
    pub fn winner(&self, path: &[u8]) -> Option<Winner> {
        if !self.names_winner() {
            return None;
        }
        self.rule(self.best_rank(path))
    }

    /// The rules that the program names, from the top rank down; none where it holds verdicts only.
    pub fn rules(&self) -> impl Iterator<Item = Winner> + use<'p> {
        let program = *self;
        (1..=program.rules.len() as u32).rev().filter_map(move |rank| program.rule(rank))
    }

    fn rule(&self, rank: u32) -> Option<Winner> {
        let index = self.rules.len().checked_sub(rank as usize)?;
        let [a, b, c, d, e, f, g, h] = *self.rules.get(index)?;
        let length = u32::from_le_bytes([e, f, g, h]);
        Some(Winner {
            verdict: if length >> 30 & 1 == 1 { Verdict::Allow } else { Verdict::Disallow },
            rule: index as u32,
            line: u32::from_le_bytes([a, b, c, d]),
            length: length & ((1 << 30) - 1),
            is_allow_line: length >> 31 == 1,
        })
    }

    /// The parts that the rules were cut into; each is walked once for a verdict.
    #[must_use]
    pub const fn parts(&self) -> usize {
        self.entries.len() + 1
    }

    /// The rules that are tried one by one, since they would have cost too much as automata; 0 for all but hostile files.
    #[must_use]
    pub fn listed_rules(&self) -> usize {
        self.list.map_or(0, |at| list::rules(&self.code, at).count())
    }

    /// The octets of code: what a walk may read, without the header and the rules' table.
    #[must_use]
    pub const fn code_len(&self) -> usize {
        self.code.octets.len()
    }

    /// The number of nodes in the code; 0 where it was not valid. Linear.
    #[must_use]
    pub fn nodes(&self) -> usize {
        validate::nodes(self).unwrap_or(0)
    }
}

/// Why bytes are no program or no policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramError(pub(crate) Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    TooShort,
    NoMark,
    Version(u8),
    Header,
    Checksum,
    Entry(usize),
    Node(usize),
    List,
    Index,
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::TooShort => f.write_str("the file is cut short: compile it again"),
            Kind::NoMark => f.write_str("not a compiled program or policy"),
            Kind::Version(version) => {
                write!(f, "format version {version}, this reader knows {VERSION}: compile it again")
            }
            Kind::Header => f.write_str("the header is not valid: compile it again"),
            Kind::Checksum => f.write_str("the checksum does not fit, the file was altered: compile it again"),
            Kind::Entry(part) => write!(f, "part {part} starts outside the code"),
            Kind::Node(at) => write!(f, "the node at octet {at} of the code is not valid"),
            Kind::List => f.write_str("the list of rules is not valid"),
            Kind::Index => f.write_str("the index of agents is not valid"),
        }
    }
}

impl core::error::Error for ProgramError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_program_is_valid() {
        assert_eq!(crate::checksum(NO_RULES).to_le_bytes(), NO_RULES[4..8]);
        let program = Program::from_bytes(NO_RULES).unwrap();
        assert_eq!(program.verdict(b"/"), Verdict::Allow);
        assert_eq!(Program::allow_all().as_bytes(), NO_RULES);
    }
}
