//! The error of a failed build.

use std::fmt;

/// Reports why rule sets were not compiled. `Debug` writes the same readable text as `Display`: diagnostics with their
/// places, or one line.
///
/// So a build script with `fn main() -> Result<(), robotsc_build::Error>` ends with a readable message.
pub struct Error {
    text: String,
}

impl Error {
    pub(crate) fn new(text: impl fmt::Display) -> Self {
        Self { text: text.to_string() }
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
