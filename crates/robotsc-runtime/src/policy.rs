//! The programs of all agents of one file, behind an index of product tokens.
//!
//! All numbers are little-endian. A policy is
//!
//! | octets | what |
//! |---|---|
//! | 0-1 | the mark `RA` |
//! | 2 | the version, 1 |
//! | 3 | bits 0-1 how tokens are found: 0 equal, 1 longest prefix before a `-` or whole, 2 longest prefix; bit 2: only the tokens of the index are known, others are not those of `*` |
//! | 4-7 | the checksum of all other octets |
//! | 8-11 | the number of tokens |
//! | 12-15 | the number of programs |
//! | 16-19 | the program of `*`, counted from 1; 0: none |
//! | 20-23 | the octets of the label |
//! | … | for each token, in order: where its text starts, its length, its program counted from 0: 12 octets |
//! | … | for each program: where it starts, its length: 8 octets |
//! | … | the label, the tokens' text, the programs; places are counted from here |

use core::cmp::Ordering;

use crate::format::VERSION;
use crate::program::Kind;
use crate::validate;
use crate::{Program, ProgramError};

/// The first two octets of a policy.
#[doc(hidden)]
pub const POLICY_MARK: [u8; 2] = *b"RA";
/// The bit of octet 3 that says that only the tokens of the index are known.
#[doc(hidden)]
pub const PARTIAL: u8 = 1 << 2;
/// Octets before the index.
#[doc(hidden)]
pub const POLICY_HEADER: usize = 24;

/// The compiled policy of one robots.txt: for each product token its program.
#[derive(Clone, Copy, Debug)]
pub struct Policy<'p> {
    bytes: &'p [u8],
    tokens: &'p [[u8; 12]],
    programs: &'p [[u8; 8]],
    text: &'p [u8],
    label: usize,
    star: usize,
}

impl<'p> Policy<'p> {
    /// Checks bytes from an untrusted source and borrows a policy from them.
    ///
    /// Cost: two passes over `bytes`.
    ///
    /// # Errors
    /// [`ProgramError`] names the first invariant that does not hold: mark and version, lengths, checksum, the places, the index, then each program's.
    ///
    /// # Panics
    /// Never, for any input.
    pub fn from_bytes(bytes: &'p [u8]) -> Result<Self, ProgramError> {
        let policy = Self::from_trusted(bytes)?;
        validate::sum(bytes)?;
        policy.check_places()?;
        policy.check_index()?;
        for number in 0..policy.programs.len() {
            Program::from_bytes(policy.program_bytes(number).ok_or(ProgramError(Kind::Index))?)?;
        }
        Ok(policy)
    }

    /// Borrows a policy from bytes that were checked before, or that this process made: only the header is read.
    ///
    /// # Errors
    /// [`ProgramError`] where the header is not that of a policy or its lengths do not fit the bytes.
    pub fn from_trusted(bytes: &'p [u8]) -> Result<Self, ProgramError> {
        let (header, rest) = bytes.split_first_chunk::<POLICY_HEADER>().ok_or(ProgramError(Kind::TooShort))?;
        let (words, _) = header.as_chunks::<4>();
        let word = |number: usize| u32::from_le_bytes(words[number]) as usize;
        if header[..2] != POLICY_MARK {
            return Err(ProgramError(Kind::NoMark));
        }
        if header[2] != VERSION {
            return Err(ProgramError(Kind::Version(header[2])));
        }
        if header[3] & !PARTIAL > 2 {
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
            tokens: tokens.as_chunks().0,
            programs: programs.as_chunks().0,
            text,
            label: word(5),
            star: word(4),
        })
    }

    /// The label, the tokens and the programs lie one behind the other and fill the text. So none is checked twice, however many entries there are.
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

    /// Tokens are in order and lower case, and their programs are there.
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

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &'p [u8] {
        self.bytes
    }

    /// What the maker wrote down with it: the name of the dialect whose form paths must have.
    #[must_use]
    pub fn label(&self) -> &'p [u8] {
        self.text.get(..self.label).unwrap_or_default()
    }

    /// Whether the policy was compiled for some agents only, and knows nothing of others.
    #[must_use]
    pub const fn is_partial(&self) -> bool {
        self.bytes[3] & PARTIAL != 0
    }

    /// The program that an agent obeys: that of its own token (found as the dialect says, without regard to case), else that of `*`, else one that allows everything.
    ///
    /// `None` only where the policy [is partial](Self::is_partial) and was not compiled for this agent: then what the file says of it is not known.
    ///
    /// Cost: a binary search; under dialects that look for prefixes one for each prefix. Never panics.
    #[must_use]
    pub fn program(&self, token: &[u8]) -> Option<Program<'p>> {
        let named = self.named(token);
        if self.is_partial() {
            return named;
        }
        named.or_else(|| self.star_program()).or_else(|| Some(Program::allow_all()))
    }

    /// The program of the agent's own token, found as the dialect says; `None` where the agent is not in the index.
    #[must_use]
    pub fn named(&self, token: &[u8]) -> Option<Program<'p>> {
        let mode = self.bytes[3] & !PARTIAL;
        let mut length = token.len();
        while length > 0 {
            let whole = length == token.len();
            if whole || mode == 2 || (mode == 1 && token[length] == b'-') {
                let found = self.tokens.binary_search_by(|entry| {
                    self.token_of(entry).map_or(Ordering::Less, |(known, _)| compare(known, &token[..length]))
                });
                if let Ok(number) = found {
                    return self.program_at(self.token(number)?.1);
                }
            }
            if mode == 0 {
                return None;
            }
            length -= 1;
        }
        None
    }

    /// The program of `*`; `None` where no group names it.
    #[must_use]
    pub fn star_program(&self) -> Option<Program<'p>> {
        self.program_at(self.star.checked_sub(1)?)
    }

    /// The product tokens that have a program of their own, lower case, sorted; `*` is not among them.
    pub fn tokens(&self) -> impl Iterator<Item = &'p [u8]> + use<'p> {
        let policy = *self;
        (0..policy.tokens.len()).filter_map(move |number| policy.token(number).map(|(token, _)| token))
    }

    /// The programs; agents with equal rules share one.
    pub fn programs(&self) -> impl Iterator<Item = Program<'p>> + use<'p> {
        let policy = *self;
        (0..policy.programs.len()).filter_map(move |number| policy.program_at(number))
    }

    /// The number, among [`programs`](Self::programs), of the program of a token in the index.
    #[must_use]
    pub fn program_number(&self, token: usize) -> Option<usize> {
        self.token(token).map(|(_, program)| program)
    }

    /// The number, among [`programs`](Self::programs), of the program of `*`.
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

/// Compares a lower-case token with one in any case.
fn compare(known: &[u8], token: &[u8]) -> Ordering {
    known.iter().copied().cmp(token.iter().map(u8::to_ascii_lowercase))
}
