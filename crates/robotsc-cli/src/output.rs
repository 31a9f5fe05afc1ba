//! Where data goes: standard output, and files that are written whole or not at all.

use std::io::{self, BufWriter, IsTerminal, LineWriter, Write};
use std::path::Path;

use crate::failure::Failure;
use crate::new_file::NewFile;
use crate::shown;

/// Standard output for data: by lines on a terminal, in blocks otherwise, so that a pipe of millions of lines costs few
/// calls.
pub(crate) fn stdout() -> Box<dyn Write> {
    let stdout = io::stdout();
    if stdout.is_terminal() {
        Box::new(LineWriter::new(stdout))
    } else {
        Box::new(BufWriter::with_capacity(1 << 16, stdout))
    }
}

/// Standard output for text with colours, which are dropped where it is no terminal or `NO_COLOR` is set.
pub(crate) fn coloured() -> impl Write {
    BufWriter::new(anstream::stdout().lock())
}

/// Writes a line of JSON.
pub(crate) fn json_line(out: &mut dyn Write, value: &impl serde::Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    Ok(out.write_all(b"\n")?)
}

/// Writes octets to a file: into a [`NewFile`] beside it first, which then takes its name, so that no reader sees half
/// of it and an error leaves the old one as it was. `-` is standard output.
pub(crate) fn write_whole(path: &Path, octets: &[u8]) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        let mut out = io::stdout().lock();
        out.write_all(octets)?;
        return Ok(out.flush()?);
    }
    let write = || {
        let mut file = NewFile::create(path)?;
        file.file().write_all(octets)?;
        file.finish()
    };
    let name = shown::octets(path.as_os_str().as_encoded_bytes());
    write().map_err(|error| {
        Failure::io("cannot write", &name, &error, "name a file in a directory that can be written with -o")
    })
}
