//! Where data goes: standard output, and files that are written whole or not at all.

use std::io::{self, BufWriter, IsTerminal, LineWriter, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use robotsc_answers::shown;

use crate::failure::Failure;
use crate::io::new_file::NewFile;

/// Returns standard output for data. It writes whole lines to a terminal and blocks to everything else, so that
/// millions of lines cost few calls.
pub(crate) fn stdout() -> Box<dyn Write> {
    let stdout = io::stdout();
    if stdout.is_terminal() {
        Box::new(LineWriter::new(stdout))
    } else {
        Box::new(BufWriter::with_capacity(1 << 16, stdout))
    }
}

/// Returns standard output for coloured text. Unless `--color` says otherwise, colours are dropped if it is no terminal
/// or `NO_COLOR` is set.
pub(crate) fn coloured() -> impl Write {
    BufWriter::new(anstream::stdout().lock())
}

/// The colour of `allowed`.
pub(crate) const ALLOWED: Style = AnsiColor::Green.on_default();
/// The colour of `disallowed`.
pub(crate) const DISALLOWED: Style = AnsiColor::Red.on_default();

/// Returns the colour of a verdict.
pub(crate) fn verdict_style(text: &str) -> Option<Style> {
    match text.split(' ').next() {
        Some("allowed") => Some(ALLOWED),
        Some("disallowed" | "use-refused" | "use-unknown" | "error") => Some(DISALLOWED),
        _ => None,
    }
}

/// Reports whether text on standard output is coloured: if `--color` says so, or on a terminal without `NO_COLOR`.
pub(crate) fn has_colours() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// Returns the number of characters of a line of the terminal, if standard output is one.
pub(crate) fn width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0)
}

/// Writes a line of JSON.
pub(crate) fn json_line(out: &mut dyn Write, value: &impl serde::Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    Ok(out.write_all(b"\n")?)
}

/// Writes a file whole or not at all, as [`NewFile`] does; `-` is standard output.
///
/// # Errors
/// If the file cannot be written; an old file stays as it was.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        return Ok(out.flush()?);
    }
    let write = || {
        let mut file = NewFile::create(path)?;
        file.file().write_all(bytes)?;
        file.finish()
    };
    let name = shown::bytes(path.as_os_str().as_encoded_bytes());
    write()
        .map_err(|error| Failure::io("cannot write", &name, &error, "choose a file in a directory that can be written"))
}
