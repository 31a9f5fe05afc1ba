//! How a run ends: the exit codes, and errors that fit on one line.

use std::fmt;
use std::io::{self, Write as _};

use clap::error::{ContextKind, ContextValue};
use robotsc_analysis::near_name::is_near;
use robotsc_answers::mistake::Mistake;
use robotsc_answers::shown;

use crate::version;

/// How a run ended, as the shell sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    /// Exit code 0: everything is allowed, or nothing was found.
    Clean,
    /// Exit code 1: something is disallowed, or something was found.
    Findings,
    /// Exit code 2: something went wrong; standard error says what.
    Error,
    /// Exit code 130: Ctrl-C stopped the run; the answers until then are written.
    Stopped = 130,
}

impl End {
    /// Returns the exit code.
    pub(crate) fn code(self) -> u8 {
        self as u8
    }
}

/// Why a run stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader of standard output went away: `robotsc … | head` needs no more. That is an error only if the exit
    /// code is an answer.
    PipeClosed,
    /// An error in one line: what happened, where, what to do.
    Error(String),
}

impl Failure {
    /// Returns an error; its text has three parts with colons between them: what happened, where, what to do.
    pub(crate) fn new(what: impl fmt::Display) -> Self {
        Self::Error(what.to_string())
    }

    /// Returns an error of the operating system about a file.
    pub(crate) fn io(what: &str, place: &str, error: &io::Error, way_out: &str) -> Self {
        let cause = io_cause(error);
        Self::Error(format!("{what}: {place}: {cause}: {way_out}"))
    }
}

/// An `io::Error` becomes a [`Failure`] by `?` only if writing to standard output failed: errors about files go through
/// [`Failure::io`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::PipeClosed,
            _ => Self::Error(format!("cannot write: standard output: {}", io_cause(&error))),
        }
    }
}

impl From<Mistake> for Failure {
    fn from(mistake: Mistake) -> Self {
        Self::new(mistake)
    }
}

/// Returns the cause of an error of the operating system, without its number and in lower case.
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

/// Writes one line to standard error. If that is closed, the exit code must do.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "robotsc: {}", shown::line(message));
}

/// Returns in one line what is wrong with the arguments, in place of clap's paragraph.
pub(crate) fn usage_line(error: &clap::Error) -> String {
    if let (clap::error::ErrorKind::InvalidSubcommand, Some(ContextValue::String(name))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    {
        if let Some(feature) = version::missing_part(name) {
            return format!("this build has no '{name}': build robotsc-cli with '--features {feature}'");
        }
        if name.contains(['/', '.']) {
            return "no command: what is to be done comes before the file or the site: try 'robotsc lint robots.txt', \
                    'robotsc check https://shop.example --agent FooBot /cart' or '--help'"
                .to_owned();
        }
    }
    let text = error.to_string();
    let parts = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .filter(|line| !line.is_empty() && is_of_use(line, error));
    let mut what = String::new();
    for part in parts {
        match what.chars().next_back() {
            None => {}
            Some(':') => what.push(' '),
            Some(_) => what.push_str(": "),
        }
        what.push_str(part);
    }
    let what = what.replace("invalid digit found in string", "give a whole number");
    format!("{}: try '--help'", what.strip_prefix("error: ").unwrap_or(&what))
}

/// Reports whether a line of clap helps: no tip to give an option as a value, or an option that is not like the given.
fn is_of_use(line: &str, error: &clap::Error) -> bool {
    const LIKE_LETTERS: usize = 4;
    if !line.starts_with("tip: a similar argument") {
        return !line.starts_with("tip: to pass '");
    }
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else { return true };
    let given = given.trim_start_matches('-');
    let meant = line.split('\'').nth(1).unwrap_or_default().trim_start_matches('-');
    let alike = given.chars().zip(meant.chars()).take_while(|(one, other)| one == other).count();
    is_near(meant, given) || alike >= LIKE_LETTERS
}
