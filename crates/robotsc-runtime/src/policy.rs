//! The programs of all agents of one file, behind an index of product tokens.
use crate::{Program, ProgramError};

/// The compiled policy of one robots.txt: for each product token its program.
#[derive(Clone, Copy, Debug)]
pub struct Policy<'p> {
    bytes: &'p [u8],
}

impl<'p> Policy<'p> {
    /// Checks bytes and borrows a policy from them.
    pub fn from_bytes(bytes: &'p [u8]) -> Result<Self, ProgramError> {
        Ok(Self { bytes })
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &'p [u8] {
        self.bytes
    }

    /// The program that an agent obeys: that of its own token (found as the dialect says, without regard to case), else that of `*`, else one that allows everything.
    #[must_use]
    pub fn program(&self, _token: &[u8]) -> Program<'p> {
        todo!()
    }

    /// The product tokens that have a program of their own, lower case, sorted; `*` is not among them.
    pub fn tokens(&self) -> impl Iterator<Item = &'p [u8]> {
        core::iter::empty()
    }
}
