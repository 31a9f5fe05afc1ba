//! The error of a failed build.

use std::fmt;

/// Reports why rule sets were not compiled. `Debug` writes the same readable text as `Display`: diagnostics with their
/// places, or one line.
///
/// So a build script with `fn main() -> Result<(), robotsc_build::Error>` ends with a readable message.
pub struct Error {
    kind: ErrorKind,
    text: String,
}

/// What a build failed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A rule set is wrong, or a file of rule sets cannot be read. The text holds the diagnostics.
    RuleSets,
    /// A rule set is over a limit of the compiler.
    Limit,
    /// A setting of [`Config`](crate::Config) is not valid.
    Setting,
    /// A file cannot be written, or would be written twice.
    Output,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, text: impl fmt::Display) -> Self {
        Self { kind, text: text.to_string() }
    }

    /// Returns what the build failed on.
    ///
    /// ```
    /// use robotsc_build::{Config, ErrorKind};
    ///
    /// let error = Config::new().rule_dir("no/such/folder").generate().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::RuleSets);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.trim_end())
    }
}

/// As `Display`. Text of several lines starts on one of its own, since `main` puts `Error: ` before it.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.text.trim_end().contains('\n') {
            f.write_str("\n")?;
        }
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
