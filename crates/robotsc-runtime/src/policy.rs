//! The programs of all agents of one file, after an index of names.
//!
//! All numbers are little-endian. A policy is
//!
//! | bytes | what |
//! |---|---|
//! | 0-1 | the mark `RA` |
//! | 2 | the format version, [`VERSION`] |
//! | 3 | bits 0-1: how names are found (note 1); bit 2: only these names are known; bits 4-5: the path form |
//! | 4-7 | the checksum of all other bytes |
//! | 8-11 | the number of keys |
//! | 12-15 | the number of programs |
//! | 16-19 | the program of `*`, counted from 1; 0: none |
//! | 20-23 | the length of the label |
//! | … | for each key, in order: where its text starts, its length, its program counted from 0: 12 bytes |
//! | … | for each program: where it starts, its length: 8 bytes |
//! | … | the label, the keys' text, the programs; places are counted from here |
//!
//! Note 1: 0 equal, 1 the longest prefix before a `-` or the whole, 2 the longest prefix. With bit 2, other names are
//! not those of `*`. The path form is that of a program.
//!
//! A key is a product token in lower case, or a value as written after a `/`: see the module `agent`.

use core::cmp::Ordering;

use crate::agent::{AgentKey, AgentMatch, AgentName, look_up, name_of_key};
use crate::format::{POLICY_MARK, PROGRAM_MARK, VERSION};
use crate::program::Kind;
use crate::validate;
use crate::{PathForm, Program, ProgramError};

/// The bit of byte 3 that says that only the names of the index are known.
#[doc(hidden)]
pub const PARTIAL: u8 = 1 << 2;
/// Where the bits of the form of paths start in byte 3.
#[doc(hidden)]
pub const FORM_SHIFT: u8 = 4;
/// Bytes before the index.
#[doc(hidden)]
pub const POLICY_HEADER: usize = 24;

/// The compiled policy of one robots.txt: for each product token its program.
#[derive(Clone, Copy, Debug)]
pub struct Policy<'p> {
    bytes: &'p [u8],
    agent_match: AgentMatch,
    form: PathForm,
    is_partial: bool,
    tokens: &'p [[u8; 12]],
    programs: &'p [[u8; 8]],
    text: &'p [u8],
    label: usize,
    star: usize,
}

impl<'p> Policy<'p> {
    /// Returns a policy that knows no agent, for paths in `form`. It has no bytes: it stands where a policy should be
    /// and is not, so that nothing is allowed by mistake.
    #[doc(hidden)]
    #[must_use]
    pub const fn unknown(form: PathForm) -> Self {
        let agent_match = AgentMatch::Exact;
        Self {
            bytes: &[],
            agent_match,
            form,
            is_partial: true,
            tokens: &[],
            programs: &[],
            text: &[],
            label: 0,
            star: 0,
        }
    }

    /// Checks bytes from an untrusted source and borrows a policy from them.
    ///
    /// Cost: two passes over `bytes`.
    ///
    /// # Errors
    /// [`ProgramError`] names the first invariant that does not hold: mark and version, lengths, checksum, the places,
    /// the index, then each program's.
    ///
    /// # Panics
    /// Never, for any input.
    pub fn from_bytes(bytes: &'p [u8]) -> Result<Self, ProgramError> {
        let policy = Self::from_trusted(bytes)?;
        validate::sum(bytes)?;
        policy.check_places()?;
        policy.check_index()?;
        for number in 0..policy.programs.len() {
            let program = Program::from_bytes(policy.program_bytes(number).ok_or(ProgramError(Kind::Index))?)?;
            if program.path_form() != policy.form {
                return Err(ProgramError(Kind::Header));
            }
        }
        Ok(policy)
    }

    /// Borrows a policy from bytes that were checked before, or that this process made: only the header is read.
    ///
    /// # Errors
    /// [`ProgramError`] if the header is not that of a policy or its lengths do not fit the bytes.
    pub fn from_trusted(bytes: &'p [u8]) -> Result<Self, ProgramError> {
        if let Some(mark) = bytes.first_chunk().filter(|mark| **mark != POLICY_MARK) {
            return Err(ProgramError(if *mark == PROGRAM_MARK { Kind::IsProgram } else { Kind::NoMark }));
        }
        let (header, rest) = bytes.split_first_chunk::<POLICY_HEADER>().ok_or(ProgramError(Kind::TooShort))?;
        let (words, _) = header.as_chunks::<4>();
        let word = |number: usize| u32::from_le_bytes(words[number]) as usize;
        if header[2] != VERSION {
            return Err(ProgramError(Kind::Version(header[2])));
        }
        let agent_match = match header[3] & 3 {
            0 => AgentMatch::Exact,
            1 => AgentMatch::LongestPrefixAtHyphen,
            2 => AgentMatch::LongestPrefix,
            _ => return Err(ProgramError(Kind::Header)),
        };
        let form = PathForm::from_byte(header[3] >> FORM_SHIFT).ok_or(ProgramError(Kind::Header))?;
        if header[3] & 1 << 3 != 0 {
            return Err(ProgramError(Kind::Header));
        }
        let (tokens, rest) =
            word(2).checked_mul(12).and_then(|size| rest.split_at_checked(size)).ok_or(ProgramError(Kind::TooShort))?;
        let (programs, text) =
            word(3).checked_mul(8).and_then(|size| rest.split_at_checked(size)).ok_or(ProgramError(Kind::TooShort))?;
        if word(5) > text.len() {
            return Err(ProgramError(Kind::TooShort));
        }
        Ok(Self {
            bytes,
            agent_match,
            form,
            is_partial: header[3] & PARTIAL != 0,
            tokens: tokens.as_chunks().0,
            programs: programs.as_chunks().0,
            text,
            label: word(5),
            star: word(4),
        })
    }

    /// Checks that the label, the tokens and the programs lie one after the other and fill the text. So none is checked
    /// twice, however many entries there are.
    fn check_places(&self) -> Result<(), ProgramError> {
        let bad = ProgramError(Kind::Index);
        let mut end = self.label;
        let tokens = self.tokens.iter().map(|entry| &entry[..8]);
        for entry in tokens.chain(self.programs.iter().map(<[u8; 8]>::as_slice)) {
            let (words, _) = entry.as_chunks::<4>();
            let word = |number: usize| u32::from_le_bytes(words[number]) as usize;
            if word(0) != end {
                return Err(bad);
            }
            end = end.checked_add(word(1)).ok_or(bad)?;
        }
        if end == self.text.len() { Ok(()) } else { Err(bad) }
    }

    /// Checks that tokens are in order and lower case, and that their programs exist.
    fn check_index(&self) -> Result<(), ProgramError> {
        let bad = ProgramError(Kind::Index);
        let mut before: Option<&[u8]> = None;
        for number in 0..self.tokens.len() {
            let (token, program) = self.token(number).ok_or(bad)?;
            let in_order = before.is_none_or(|before| before < token);
            if !in_order
                || token.is_empty()
                || token.iter().any(u8::is_ascii_uppercase)
                || program >= self.programs.len()
            {
                return Err(bad);
            }
            before = Some(token);
        }
        if self.star > self.programs.len() { Err(bad) } else { Ok(()) }
    }

    /// Returns the bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &'p [u8] {
        self.bytes
    }

    /// Returns the label that the compiler wrote: the name of the dialect whose form paths must have.
    #[must_use]
    pub fn label(&self) -> &'p [u8] {
        self.text.get(..self.label).unwrap_or_default()
    }

    /// Reports whether the policy was compiled for some agents only, and knows nothing of others.
    #[must_use]
    pub const fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Returns how the names of crawlers find the names of the index.
    #[must_use]
    pub const fn agent_match(&self) -> AgentMatch {
        self.agent_match
    }

    /// Returns the form that paths must be in.
    #[must_use]
    pub const fn path_form(&self) -> PathForm {
        self.form
    }

    /// Returns the program that an agent obeys: that of its own name (found as the dialect says, without regard to
    /// case), else that of `*`, else one that allows everything. With `None` for a name: the program of all others.
    ///
    /// Returns `None` only if the policy [is partial](Self::is_partial) and was not compiled for this agent: then what
    /// the file says of it is not known.
    ///
    /// Cost: a binary search; under dialects that look for prefixes one for each prefix. Never panics.
    #[must_use]
    pub fn program(&self, agent: Option<AgentName<'_>>) -> Option<Program<'p>> {
        let named = agent.and_then(|agent| self.named(agent));
        if self.is_partial() {
            return named;
        }
        named.or_else(|| self.star_program()).or_else(|| {
            // A program that should be there and is not must allow nothing.
            let is_missing = self.star != 0 || agent.is_some_and(|agent| self.find(agent).is_some());
            let form = self.form;
            Some(if is_missing { Program::disallow_all(form) } else { Program::allow_all(form) })
        })
    }

    /// Returns the program of the agent's own name, found as the dialect says; `None` if the agent is not in the index.
    #[must_use]
    pub fn named(&self, agent: AgentName<'_>) -> Option<Program<'p>> {
        self.program_at(self.find(agent)?)
    }

    /// Reports whether the index has the agent's own name, found as the dialect says.
    #[must_use]
    pub fn has_name(&self, agent: AgentName<'_>) -> bool {
        self.find(agent).is_some()
    }

    /// Returns the number of the program of the agent's own name.
    fn find(&self, agent: AgentName<'_>) -> Option<usize> {
        look_up(agent, self.agent_match, |key| self.find_key(key))
    }

    fn find_key(&self, key: &AgentKey<'_>) -> Option<usize> {
        let compare =
            |entry: &[u8; 12]| self.token_of(entry).map_or(Ordering::Less, |(known, _)| key.compare_with(known));
        let number = self.tokens.binary_search_by(compare).ok()?;
        self.token(number).map(|(_, program)| program)
    }

    /// Returns the program of `*`; `None` if no group names it.
    #[must_use]
    pub fn star_program(&self) -> Option<Program<'p>> {
        self.program_at(self.star.checked_sub(1)?)
    }

    /// Returns the names that have a program of their own, lower case; `*` is not among them. A name that is no product
    /// token is here as it is written in the file.
    pub fn names(&self) -> impl Iterator<Item = &'p [u8]> + use<'p> {
        self.keys().filter_map(name_of_key)
    }

    /// Returns the keys of the index, sorted.
    #[doc(hidden)]
    pub fn keys(&self) -> impl Iterator<Item = &'p [u8]> + use<'p> {
        let policy = *self;
        (0..policy.tokens.len()).filter_map(move |number| policy.token(number).map(|(key, _)| key))
    }

    /// Returns the programs; agents with equal rules share one.
    pub fn programs(&self) -> impl Iterator<Item = Program<'p>> + use<'p> {
        let policy = *self;
        (0..policy.programs.len()).filter_map(move |number| policy.program_at(number))
    }

    /// Returns the number, among [`programs`](Self::programs), of the program of a token in the index.
    #[must_use]
    pub fn program_number(&self, token: usize) -> Option<usize> {
        self.token(token).map(|(_, program)| program)
    }

    /// Returns the number, among [`programs`](Self::programs), of the program of `*`.
    #[must_use]
    pub const fn star_number(&self) -> Option<usize> {
        self.star.checked_sub(1)
    }

    fn token(&self, number: usize) -> Option<(&'p [u8], usize)> {
        self.token_of(self.tokens.get(number)?)
    }

    fn token_of(&self, entry: &[u8; 12]) -> Option<(&'p [u8], usize)> {
        let (words, _) = entry.as_chunks::<4>();
        let word = |number: usize| u32::from_le_bytes(words[number]) as usize;
        let token = self.text.get(word(0)..word(0).checked_add(word(1))?)?;
        Some((token, word(2)))
    }

    fn program_bytes(&self, number: usize) -> Option<&'p [u8]> {
        let (words, _) = self.programs.get(number)?.as_chunks::<4>();
        let word = |number: usize| u32::from_le_bytes(words[number]) as usize;
        self.text.get(word(0)..word(0).checked_add(word(1))?)
    }

    fn program_at(&self, number: usize) -> Option<Program<'p>> {
        Program::from_trusted(self.program_bytes(number)?).ok()
    }
}
