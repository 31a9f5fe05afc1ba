//! The table of a compiled regular expression.
//!
//! Walking it reports whether a prefix of the path matches. All numbers are little-endian. A table is
//!
//! | bytes | what |
//! |---|---|
//! | 0-1 | the mark `RX` |
//! | 2 | the format version, [`VERSION`] |
//! | 3 | the bytes of a state's number: 2 or 4 |
//! | 4-7 | the checksum of all other bytes |
//! | 8-11 | the number of states, 2 or more |
//! | 12-15 | the state to start with |
//! | 16-19 | states from 2 to before this one match if the path ends there |
//! | 20-21 | the number of classes, from 1 to 256 |
//! | 22-23 | 0 |
//! | 24-279 | the class of each byte |
//! | 280-… | for each state from 2 on and each class: the next state |
//!
//! State 0 is dead: nothing can match any more. State 1 has matched, whatever follows. Neither has a row. If a match
//! depends on the next byte, that byte is a transition to state 1, so that the walk never looks ahead.

use core::fmt;

use crate::checksum;
use crate::format::VERSION;

/// The first two bytes.
pub(crate) const MARK: [u8; 2] = *b"RX";
/// The number of bytes before the rows.
const HEADER: usize = 280;
/// The state in which nothing can match any more.
const DEAD: u32 = 0;
/// The state that has matched.
const MATCHED: u32 = 1;
/// The number of states without a row.
const RESERVED: u32 = 2;

/// A compiled regular expression, borrowed from its bytes. Walking it allocates nothing, never panics, and reads each
/// byte of the path at most once.
#[derive(Clone, Copy, Debug)]
pub struct Dfa<'a> {
    bytes: &'a [u8],
    classes: &'a [u8; 256],
    rows: &'a [u8],
    stride: u32,
    wide: bool,
    start: u32,
    /// States below this one, from 2 on, match at the end.
    at_end: u32,
    states: u32,
}

/// Reports why bytes are not a compiled regular expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DfaError(&'static str);

impl fmt::Display for DfaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: compile it again", self.0)
    }
}

impl core::error::Error for DfaError {}

const fn word(header: &[u8; HEADER], at: usize) -> u32 {
    u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
}

impl<'a> Dfa<'a> {
    /// Checks bytes from an untrusted source and borrows a table from them.
    ///
    /// Cost: one pass over the bytes. Never panics.
    ///
    /// # Errors
    /// [`DfaError`] names the first broken invariant, in this order: mark and version, lengths, checksum, classes,
    /// states.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, DfaError> {
        let dfa = Self::from_trusted(bytes)?;
        if bytes.get(4..8) != Some(&checksum(bytes).to_le_bytes()) {
            return Err(DfaError("the checksum of a regular expression is wrong, its bytes were altered"));
        }
        if dfa.classes.iter().any(|class| u32::from(*class) >= dfa.stride) {
            return Err(DfaError("a class of a regular expression is out of range"));
        }
        let is_state = |state: u32| state < dfa.states;
        let all = if dfa.wide {
            dfa.rows.as_chunks().0.iter().all(|state| is_state(u32::from_le_bytes(*state)))
        } else {
            dfa.rows.as_chunks().0.iter().all(|state| is_state(u32::from(u16::from_le_bytes(*state))))
        };
        if !all || !is_state(dfa.start) || !(RESERVED..=dfa.states).contains(&dfa.at_end) {
            return Err(DfaError("a state of a regular expression is out of range"));
        }
        Ok(dfa)
    }

    /// Borrows a table from bytes that were checked before, or that this process made. Reads only the header; if bytes
    /// were altered, the worst result is a wrong answer.
    ///
    /// # Errors
    /// [`DfaError`] if the header is not that of a table, or its lengths do not fit the bytes.
    pub const fn from_trusted(bytes: &'a [u8]) -> Result<Self, DfaError> {
        let Some((header, rows)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(DfaError("a regular expression is cut short"));
        };
        let [m, n, version, width, ..] = *header;
        if m != MARK[0] || n != MARK[1] || version != VERSION {
            return Err(DfaError("not a compiled regular expression of this version"));
        }
        let (states, stride) = (word(header, 8), word(header, 20));
        let wide = width == 4;
        if !(wide || width == 2) || states < RESERVED || stride == 0 || stride > 256 {
            return Err(DfaError("the header of a regular expression is not valid"));
        }
        let row_bytes = (states - RESERVED) as u64 * stride as u64 * width as u64;
        if rows.len() as u64 != row_bytes {
            return Err(DfaError("a regular expression is cut short"));
        }
        let Some((_, classes)) = header.split_last_chunk::<256>() else {
            return Err(DfaError("a regular expression is cut short"));
        };
        Ok(Self { bytes, classes, rows, stride, wide, start: word(header, 12), at_end: word(header, 16), states })
    }

    /// Returns the table in bytes that a code generator wrote.
    ///
    /// # Panics
    /// If the bytes are not a table. In a constant, that is a build error.
    #[doc(hidden)]
    #[must_use]
    pub const fn embedded(bytes: &'a [u8]) -> Self {
        match Self::from_trusted(bytes) {
            Ok(dfa) => dfa,
            Err(_) => panic!("not a table of this version of robotsc-runtime: generate the code again"),
        }
    }

    /// Returns the bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Reports whether a prefix of the path matches. Cost: one step for each byte until the result is known.
    #[must_use]
    pub fn matches(&self, path: &[u8]) -> bool {
        let mut state = self.start;
        for byte in path {
            if state < RESERVED {
                return state == MATCHED;
            }
            state = self.next(state, *byte).unwrap_or(DEAD);
        }
        state == MATCHED || (RESERVED <= state && state < self.at_end)
    }

    /// Returns the state after `byte`, or `None` if the table was altered.
    #[inline(always)]
    fn next(&self, state: u32, byte: u8) -> Option<u32> {
        let class = u32::from(self.classes[usize::from(byte)]);
        let entry = ((state - RESERVED) as usize).checked_mul(self.stride as usize)?.checked_add(class as usize)?;
        if self.wide {
            self.rows.as_chunks().0.get(entry).map(|state| u32::from_le_bytes(*state))
        } else {
            self.rows.as_chunks().0.get(entry).map(|state| u32::from(u16::from_le_bytes(*state)))
        }
    }
}
