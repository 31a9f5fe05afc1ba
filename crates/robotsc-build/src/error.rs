//! Why a build failed, as its reader sees it.

use std::fmt;

/// Why rule sets were not compiled. Shown, also by `Debug`, as text for people: diagnostics with their places, or one line.
///
/// So `fn main() -> Result<(), robotsc_build::Error>` of a build script ends in something worth reading.
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
