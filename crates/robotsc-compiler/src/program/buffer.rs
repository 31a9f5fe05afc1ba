//! Programs and policies that own their bytes.
//!
//! A [`Program`] and a [`Policy`] borrow their bytes. [`ProgramBuf`] and [`PolicyBuf`] own them, are cheap to clone,
//! and were validated once: when they were compiled, or when they were loaded.

use std::sync::Arc;

use robotsc_runtime::{PathForm, Policy, Program, ProgramError};

/// A compiled rule set that owns its bytes. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramBuf {
    bytes: Arc<[u8]>,
    form: PathForm,
}

impl ProgramBuf {
    /// Checks bytes from an untrusted source and keeps them.
    ///
    /// Cost: one pass over the bytes, and a copy unless they are an `Arc<[u8]>`. Never panics.
    ///
    /// # Errors
    /// As [`Program::from_bytes`].
    ///
    /// ```
    /// use robotsc::program::ProgramBuf;
    /// use robotsc::{Compiler, Crawler, RobotsTxt};
    ///
    /// let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /cart\n");
    /// let bytes: Vec<u8> = Compiler::new().compile(&robots.rule_set(&Crawler::new("FooBot")?))?.into_bytes();
    /// let program = ProgramBuf::from_bytes(bytes)?;
    /// assert!(!program.program().verdict(robots.dialect().url_path("https://h/cart")?.as_path())?.is_allow());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes(bytes: impl Into<Arc<[u8]>>) -> Result<Self, ProgramError> {
        let bytes = bytes.into();
        let form = Program::from_bytes(&bytes)?.path_form();
        Ok(Self { bytes, form })
    }

    /// Keeps a copy of bytes that the compiler made.
    pub(crate) fn of_compiler(bytes: &[u8]) -> Result<Self, ProgramError> {
        let form = Program::from_trusted(bytes)?.path_form();
        Ok(Self { bytes: bytes.into(), form })
    }

    /// Returns the program. Cost: reads the header.
    #[must_use]
    #[inline]
    pub fn program(&self) -> Program<'_> {
        // The header was read before; if it could not be read now, nothing would be allowed.
        Program::from_trusted(&self.bytes).unwrap_or_else(|_| Program::disallow_all(self.form))
    }

    /// Returns the bytes: the same for the same rules and settings, on every machine.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// A compiled policy (all agents of a file, or some) that owns its bytes. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyBuf {
    bytes: Arc<[u8]>,
    form: PathForm,
}

impl PolicyBuf {
    /// Checks bytes from an untrusted source and keeps them.
    ///
    /// Cost: two passes over the bytes, and a copy unless they are an `Arc<[u8]>`. Never panics.
    ///
    /// # Errors
    /// As [`Policy::from_bytes`].
    pub fn from_bytes(bytes: impl Into<Arc<[u8]>>) -> Result<Self, ProgramError> {
        let bytes = bytes.into();
        let form = Policy::from_bytes(&bytes)?.path_form();
        Ok(Self { bytes, form })
    }

    /// Keeps bytes that the compiler made.
    pub(crate) fn of_compiler(bytes: Vec<u8>) -> Result<Self, ProgramError> {
        let form = Policy::from_trusted(&bytes)?.path_form();
        Ok(Self { bytes: bytes.into(), form })
    }

    /// Returns the policy. Cost: reads the header.
    #[must_use]
    pub fn policy(&self) -> Policy<'_> {
        // The header was read before; if it could not be read now, no agent would be known.
        Policy::from_trusted(&self.bytes).unwrap_or_else(|_| Policy::unknown(self.form))
    }

    /// Returns the bytes: the same for the same file and settings, on every machine.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}
