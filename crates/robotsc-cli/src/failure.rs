//! How a run ends: the exit codes, and errors that fit on one line.

use std::fmt;
use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::shown;

/// How a run ended, as the shell sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    /// Exit code 0: everything is allowed, or nothing was found.
    Clean,
    /// Exit code 1: something is disallowed, or something was found.
    Findings,
    /// Exit code 2: something went wrong; it was said on standard error.
    Error,
    /// Exit code 130: Ctrl-C stopped the run; what was answered until then is written.
    Stopped = 130,
}

impl From<End> for ExitCode {
    fn from(end: End) -> Self {
        Self::from(end as u8)
    }
}

/// Why a run stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader of standard output went away. That is not an error: `robotsc … | head` asked for no more.
    PipeClosed,
    /// An error, told in one line: what, where, way out.
    Said(String),
}

impl Failure {
    /// An error from its parts, which are joined by colons: what, where, way out.
    pub(crate) fn new(what: impl fmt::Display) -> Self {
        Self::Said(what.to_string())
    }

    /// An error of the operating system about a file.
    pub(crate) fn io(what: &str, place: &str, error: &io::Error, way_out: &str) -> Self {
        let cause = io_cause(error);
        Self::Said(format!("{what}: {place}: {cause}: {way_out}"))
    }
}

/// The only way that `io::Error` becomes a [`Failure`] by `?` is by writing to standard output: errors about files are
/// told by [`Failure::io`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::PipeClosed,
            _ => Self::Said(format!("cannot write: standard output: {}", io_cause(&error))),
        }
    }
}

/// The cause of an error of the operating system, without its number and in lower case.
pub(crate) fn io_cause(error: &io::Error) -> String {
    let cause = match error.kind() {
        io::ErrorKind::NotFound => return "no such file or directory".to_owned(),
        io::ErrorKind::PermissionDenied => return "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => return "it is a directory".to_owned(),
        _ => error.to_string(),
    };
    let cause = cause.split(" (os error").next().unwrap_or_default();
    let mut letters = cause.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Says one line on standard error. Where that is closed there is no one to tell, and the exit code says enough.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "robotsc: {}", shown::line(message));
}

/// Says what went wrong with the arguments in one line, in place of clap's paragraph.
pub(crate) fn usage_line(error: &clap::Error) -> String {
    let told = error.to_string();
    let parts = told
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .filter(|line| !line.is_empty());
    let mut what = String::new();
    for part in parts {
        match what.chars().next_back() {
            None => {}
            Some(':') => what.push(' '),
            Some(_) => what.push_str(": "),
        }
        what.push_str(part);
    }
    format!("{}: try '--help'", what.strip_prefix("error: ").unwrap_or(&what))
}
