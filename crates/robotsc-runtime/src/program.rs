//! A compiled rule set: bytes that are walked.

use core::fmt;

use crate::format::{
    HAS_LIST, HAS_RULES, HEADER, MAX_PARTS, NARROW_FAILURE, ON_ENTRY, POLICY_MARK, PROGRAM_MARK, REACH_DISALLOW, RULE,
    RUN, VERSION,
};
use crate::rank::Rank;
use crate::walk::Code;
use crate::{PathForm, PathFormError, UrlPath, Verdict, list};

/// A compiled rule set, borrowed from its bytes.
///
/// It is a few words and copied freely. A walk allocates nothing and never panics.
///
/// Cost of a walk, for every program that [`Program::from_bytes`] accepts: at most [`MAX_PARTS`] passes over the path
/// (one for nearly all files), and a pass for each rule that is [matched linearly](Program::listed_rules) (none for
/// nearly all files).
#[derive(Clone, Copy, Debug)]
pub struct Program<'p> {
    pub(crate) bytes: &'p [u8],
    pub(crate) form: PathForm,
    pub(crate) code: Code<'p>,
    /// Where the parts after the first start.
    pub(crate) entries: &'p [[u8; 4]],
    /// Where the list of rules that are matched linearly starts.
    pub(crate) list: Option<usize>,
    pub(crate) rules: &'p [[u8; RULE]],
}

/// The rule that decides about a path: the one of top rank of all that match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecidingRule {
    /// Its verdict.
    pub verdict: Verdict,
    /// Its index in the rule set: 0 is the top rank.
    pub rule: u32,
    /// Its line in the robots.txt, from 1; 0 if no line states it.
    pub line: u32,
    /// The length that ranks it, in bytes, at most 2^30 - 1.
    pub length: u32,
    /// Whether the line says `Allow`.
    pub is_allow_line: bool,
}

impl DecidingRule {
    /// The largest length that is recorded; longer rules have it, too.
    const MAX_LENGTH: u32 = (1 << 30) - 1;

    /// Makes the value of a rule, for engines that read the rules themselves.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(verdict: Verdict, rule: u32, line: u32, length: u32, is_allow_line: bool) -> Self {
        let length = if length < Self::MAX_LENGTH { length } else { Self::MAX_LENGTH };
        Self { verdict, rule, line, length, is_allow_line }
    }

    /// Reports whether this is a line without a value, in a dialect in which it means nothing: it allows what no rule
    /// matches, and so decides nothing. Answers name no such line.
    #[must_use]
    pub const fn is_empty_line(&self) -> bool {
        // Every other pattern has a byte at least; but in dialects that count no `*` at the end, `Allow: *` has none,
        // which decides nothing either, if no Disallow is as short.
        self.length == 0 && self.verdict.is_allow()
    }

    /// Returns the verdict about a path, given the rule that decides. A path that no rule matches is allowed.
    #[must_use]
    pub fn verdict_of(rule: Option<Self>) -> Verdict {
        rule.map_or(Verdict::Allow, |rule| rule.verdict)
    }
}

/// Programs without rules, which allow everything, one for each form: what the compiler makes of a set without rules.
const NO_RULES: [&[u8]; 3] = [
    b"RP\x03\x20\xc7\xbc\x70\xc0\x01\x00\x00\x00\x00",
    b"RP\x03\x20\x4c\xd9\xe5\x99\x01\x01\x00\x00\x00",
    b"RP\x03\x20\xf6\xb6\xb6\x15\x01\x02\x00\x00\x00",
];

impl Program<'static> {
    /// Returns the program without rules, for paths in `form`: it allows everything.
    #[must_use]
    pub const fn allow_all(form: PathForm) -> Self {
        let bytes = NO_RULES[form.to_byte() as usize];
        match Self::from_trusted(bytes) {
            Ok(program) => program,
            Err(_) => Self::disallow_all(form),
        }
    }

    /// Returns a program that disallows everything, for paths in `form`. It has no bytes: it stands where a program
    /// should be and is not, so that nothing is allowed by mistake.
    #[must_use]
    pub const fn disallow_all(form: PathForm) -> Self {
        // A node that stops and reaches Disallow.
        const STOP: &[u8] = &[REACH_DISALLOW << ON_ENTRY];
        let code = Code { bytes: STOP, rank_width: 0, offset_width: 1, failure_width: 1, start: 0, after_slash: 0 };
        Self { bytes: &[], form, code, entries: &[], list: None, rules: &[] }
    }
}

impl<'p> Program<'p> {
    /// Borrows a program from bytes that were checked before, or that this process made: reads the header only.
    ///
    /// Altered bytes do no harm beyond a wrong verdict: no walk reads outside them, runs on for ever or panics.
    ///
    /// # Errors
    /// [`ProgramError`] if the header is not that of a program, or its lengths do not fit the bytes.
    pub const fn from_trusted(bytes: &'p [u8]) -> Result<Self, ProgramError> {
        match *bytes {
            [a, b, ..] if a == POLICY_MARK[0] && b == POLICY_MARK[1] => return Err(ProgramError(Kind::IsPolicy)),
            [a, b, ..] if a != PROGRAM_MARK[0] || b != PROGRAM_MARK[1] => return Err(ProgramError(Kind::NoMark)),
            _ => {}
        }
        let Some((header, after)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(ProgramError(Kind::TooShort));
        };
        if header[2] != VERSION {
            return Err(ProgramError(Kind::Version(header[2])));
        }
        let flags = header[3];
        let parts = header[8] as usize;
        let Some(form) = PathForm::from_byte(header[9]) else { return Err(ProgramError(Kind::Header)) };
        // To compare parts or name rules takes ranks.
        let needs_ranks = parts > 1 || flags & (HAS_RULES | HAS_LIST) != 0;
        let has_list = flags & HAS_LIST != 0;
        if flags >= HAS_LIST << 1
            || parts == 0
            || parts > MAX_PARTS + has_list as usize
            || (needs_ranks && flags & 3 == 0)
            || (has_list && parts == 1)
        {
            return Err(ProgramError(Kind::Header));
        }
        let Some((entries, mut code_bytes)) = after.split_at_checked(4 * (parts - 1)) else {
            return Err(ProgramError(Kind::TooShort));
        };
        let mut rules: &[[u8; RULE]] = &[];
        if flags & HAS_RULES != 0 {
            let Some((before, count)) = code_bytes.split_last_chunk::<4>() else {
                return Err(ProgramError(Kind::TooShort));
            };
            let Some(table) = (u32::from_le_bytes(*count) as usize).checked_mul(RULE) else {
                return Err(ProgramError(Kind::TooShort));
            };
            let Some(end) = before.len().checked_sub(table) else { return Err(ProgramError(Kind::TooShort)) };
            let (code, table) = before.split_at(end);
            code_bytes = code;
            rules = table.as_chunks().0;
        }
        let offset_width = (flags >> 2 & 3) as usize + 1;
        let start = u16::from_le_bytes([header[10], header[11]]) as usize;
        let code = Code {
            bytes: code_bytes,
            rank_width: (flags & 3) as usize,
            offset_width,
            failure_width: if flags & NARROW_FAILURE == 0 { offset_width } else { 1 },
            start,
            after_slash: match code_bytes.split_at_checked(start) {
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
        Ok(Self { bytes, form, code, entries, list, rules })
    }

    /// Returns the bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &'p [u8] {
        self.bytes
    }

    /// Returns the form that paths must be in.
    #[must_use]
    pub const fn path_form(&self) -> PathForm {
        self.form
    }

    /// Returns the verdict for a path.
    ///
    /// # Errors
    /// [`PathFormError`] if the path is in another form than the program was compiled for.
    ///
    /// ```
    /// use robotsc::{PathForm, Program, UrlPath, Verdict};
    ///
    /// let path = UrlPath::new(b"/index.html", PathForm::Escaped)?;
    /// assert_eq!(Program::allow_all(PathForm::Escaped).verdict(path)?, Verdict::Allow);
    /// assert!(Program::allow_all(PathForm::Canonical { query_reserved: true }).verdict(path).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn verdict(&self, path: UrlPath<'_>) -> Result<Verdict, PathFormError> {
        let path = path.in_form(self.form)?;
        Ok(if self.code.rank_width == 0 {
            let (at, read) = self.code.first_step(path);
            if self.code.walk::<false>(at, path, read) == 1 { Verdict::Disallow } else { Verdict::Allow }
        } else {
            self.best_rank(path).verdict()
        })
    }

    /// Returns the highest rank over the parts.
    #[inline(never)]
    fn best_rank(&self, path: &[u8]) -> Rank {
        let (mut at, mut read) = self.code.first_step(path);
        let mut best = 0;
        let mut entries = self.entries.iter();
        // One call: the walk is long where it is inlined.
        loop {
            best = best.max(self.code.walk::<true>(at, path, read));
            let Some(entry) = entries.next() else { break };
            (at, read) = (u32::from_le_bytes(*entry) as usize, 0);
        }
        Rank(self.list.map_or(best, |at| list::best(&self.code, at, path, best)))
    }

    /// Returns the rank of the rule that decides. Without ranks in the program, its number has no meaning.
    ///
    /// # Errors
    /// As [`Program::verdict`].
    #[doc(hidden)]
    pub fn rank(&self, path: UrlPath<'_>) -> Result<Rank, PathFormError> {
        if self.code.rank_width == 0 {
            return Ok(match self.verdict(path)? {
                Verdict::Allow => Rank::NONE,
                disallow @ Verdict::Disallow => Rank::new(1, disallow),
            });
        }
        Ok(self.best_rank(path.in_form(self.form)?))
    }

    /// Reports whether the program names the rule that decides.
    #[must_use]
    pub const fn names_deciding_rule(&self) -> bool {
        !self.rules.is_empty()
    }

    /// Returns the rule that decides, of a program that names it; `None` if no rule matched, or the program holds
    /// verdicts only.
    ///
    /// # Errors
    /// As [`Program::verdict`].
    pub fn deciding_rule(&self, path: UrlPath<'_>) -> Result<Option<DecidingRule>, PathFormError> {
        let rank = self.rank(path)?;
        // Code that was altered can reach a rank that contradicts the table: the verdict is the one of `verdict`.
        let with_verdict = |rule| DecidingRule { verdict: rank.verdict(), ..rule };
        Ok(if self.names_deciding_rule() { self.rule(rank.number()).map(with_verdict) } else { None })
    }

    /// Returns the rules that the program names, from the top rank down; none if it holds verdicts only.
    pub fn rules(&self) -> impl Iterator<Item = DecidingRule> + use<'p> {
        let program = *self;
        (1..=program.rules.len() as u32).rev().filter_map(move |number| program.rule(number))
    }

    /// Returns the rule with a number: 1 is the lowest rank.
    pub(crate) fn rule(&self, number: u32) -> Option<DecidingRule> {
        let index = self.rules.len().checked_sub(number as usize)?;
        let [a, b, c, d, e, f, g, h] = *self.rules.get(index)?;
        let length = u32::from_le_bytes([e, f, g, h]);
        Some(DecidingRule {
            verdict: if length >> 30 & 1 == 1 { Verdict::Allow } else { Verdict::Disallow },
            rule: index as u32,
            line: u32::from_le_bytes([a, b, c, d]),
            length: length & DecidingRule::MAX_LENGTH,
            is_allow_line: length >> 31 == 1,
        })
    }

    /// Returns the number of parts that the rules were cut into, at most [`MAX_PARTS`]; each is walked for a verdict.
    #[must_use]
    pub const fn parts(&self) -> usize {
        self.entries.len() + 1
    }

    /// Returns the number of rules that are matched linearly, since they would cost too much as automata; 0 for all but
    /// hostile files.
    #[must_use]
    pub fn listed_rules(&self) -> usize {
        self.list.map_or(0, |at| list::rules(&self.code, at).count())
    }

    /// Returns the number of bytes of code: what a walk may read, without the header and the table of rules.
    #[must_use]
    pub const fn code_len(&self) -> usize {
        self.code.bytes.len()
    }
}

/// Reports why bytes are no program or no policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramError(pub(crate) Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    TooShort,
    NoMark,
    IsPolicy,
    IsProgram,
    Version(u8),
    Header,
    Checksum,
    Entry(usize),
    Node(usize),
    List,
    Index,
    Preferences,
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::TooShort => f.write_str("the file is cut short: compile it again"),
            Kind::NoMark => f.write_str("not a compiled program or policy: give what `compile` wrote"),
            Kind::IsPolicy => f.write_str("this is a policy, which holds programs by agent: read it with `Policy`"),
            Kind::IsProgram => f.write_str("this is a program, of one agent: read it with `Program`"),
            Kind::Version(version) => {
                write!(f, "format version {version}, this reader knows {VERSION}: compile it again")
            }
            Kind::Header => f.write_str("the header is not valid: compile it again"),
            Kind::Checksum => f.write_str("the checksum does not fit, the file was altered: compile it again"),
            Kind::Entry(part) => write!(f, "part {part} starts outside the code: compile it again"),
            Kind::Node(at) => write!(f, "the node at byte {at} of the code is not valid: compile it again"),
            Kind::List => f.write_str("the list of rules is not valid: compile it again"),
            Kind::Preferences => f.write_str("the preferences are not valid: compile them again"),
            Kind::Index => f.write_str("the index of agents is not valid: compile it again"),
        }
    }
}

impl core::error::Error for ProgramError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_without_rules_is_valid_and_allows() {
        for (form, bytes) in PathForm::ALL.into_iter().zip(NO_RULES) {
            assert_eq!(
                crate::checksum(bytes).to_le_bytes(),
                bytes[4..8],
                "{form} {:x?}",
                crate::checksum(bytes).to_le_bytes()
            );
            let program = Program::from_bytes(bytes).unwrap();
            assert_eq!(Program::allow_all(form).as_bytes(), bytes);
            assert_eq!(program.verdict(UrlPath::assume(b"/", form)), Ok(Verdict::Allow));
        }
    }

    #[test]
    fn what_is_read_as_the_other_kind_says_so() {
        assert_eq!(Program::from_bytes(b"RA\x02").unwrap_err(), ProgramError(Kind::IsPolicy));
        assert_eq!(crate::Policy::from_bytes(NO_RULES[0]).unwrap_err(), ProgramError(Kind::IsProgram));
    }

    #[test]
    fn the_program_that_disallows_all_does() {
        for form in PathForm::ALL {
            let program = Program::disallow_all(form);
            for path in [&b""[..], b"/", b"/a"] {
                assert_eq!(program.verdict(UrlPath::assume(path, form)), Ok(Verdict::Disallow));
            }
            assert!(Program::from_trusted(program.as_bytes()).is_err());
        }
    }

    #[test]
    fn the_winner_has_the_verdict_whatever_the_table_says() {
        // One node, which reaches the rank of a Disallow; in the table that rule allows.
        let code = [REACH_DISALLOW << ON_ENTRY, 2];
        let table = [&[1, 0, 0, 0][..], &(1_u32 << 30).to_le_bytes(), &[1, 0, 0, 0]];
        let mut bytes = [0; HEADER + 2 + RULE + 4];
        bytes[..4].copy_from_slice(&[b'R', b'P', VERSION, HAS_RULES | 1]);
        bytes[8] = 1;
        for (byte, from) in bytes[HEADER..].iter_mut().zip(code.iter().chain(table.into_iter().flatten())) {
            *byte = *from;
        }
        let program = Program::from_trusted(&bytes).unwrap();
        let path = UrlPath::assume(b"/", program.path_form());
        assert_eq!(program.verdict(path), Ok(Verdict::Disallow));
        assert_eq!(program.deciding_rule(path).unwrap().map(|rule| rule.verdict), Some(Verdict::Disallow));
        assert!(Program::from_bytes(&bytes).is_err());
    }

    #[test]
    fn paths_of_another_form_are_refused() {
        for form in PathForm::ALL {
            for other in PathForm::ALL {
                for program in [Program::allow_all(form), Program::disallow_all(form)] {
                    let path = UrlPath::assume(b"/", other);
                    assert_eq!(program.verdict(path).is_ok(), form == other);
                    assert_eq!(program.deciding_rule(path).is_ok(), form == other);
                }
            }
        }
    }
}
