//! Which paths a question ranges over.
//!
//! A rule `Disallow: /a b` matches no path that a client sends: the blank arrives as `%20`. So questions such as "does
//! this rule ever decide" range over the paths that URL normalization can produce ([`Paths::Urls`]), unless the caller
//! asks for raw bytes.

mod reader;

pub(crate) use reader::{Reader, Reading};
use robotsc_compiler::url::possible::UrlState;
pub(crate) use robotsc_compiler::url::possible::is_in_urls;

/// A space of paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Paths {
    /// The paths that URL normalization can produce: what a client sends.
    #[default]
    Urls,
    /// As [`Paths::Urls`], without escapes of letters, digits, `-`, `.`, `_` and `~`, which no client writes. Dialects
    /// read `/%61` in two ways: in this space, only other differences count.
    Plain,
    /// Any bytes after a `/`, without NUL and `#`: what google/robotstxt can be given as a path.
    Raw,
}

/// The state of the automaton that accepts a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathState(State);

/// What was read of an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escape {
    None,
    Percent,
    /// A `%` and a hex digit of this value.
    Digit(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Url(UrlState),
    Plain(UrlState, Escape),
    RawStart,
    Raw,
}

impl Paths {
    pub(crate) const fn start(self) -> PathState {
        match self {
            Self::Urls => PathState(State::Url(UrlState::START)),
            Self::Plain => PathState(State::Plain(UrlState::START, Escape::None)),
            Self::Raw => PathState(State::RawStart),
        }
    }

    /// Reports whether a path is in this space.
    #[must_use]
    pub fn contains(self, path: &[u8]) -> bool {
        // Most paths are plain in each space: signs without a meaning, and dots within names.
        let is_plain = |pair: &[u8]| match pair[1] {
            b'/' | b'?' => true,
            b'.' => !matches!(pair[0], b'/' | b'?' | b'.'),
            byte => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'=' | b'&'),
        };
        if path.starts_with(b"/") && path.windows(2).all(is_plain) {
            return true;
        }
        path.iter().try_fold(self.start(), |state, byte| state.step(*byte)).is_some_and(PathState::is_whole)
    }
}

impl Escape {
    /// Reads one byte. `None` if it ends an escape that means a byte that is never escaped.
    fn step(self, byte: u8) -> Option<Self> {
        let digit = char::from(byte).to_digit(16).map(|digit| digit as u8);
        match (self, digit) {
            (Self::Percent, Some(digit)) => Some(Self::Digit(digit)),
            (Self::Digit(first), Some(second)) => {
                let value = first << 4 | second;
                let is_unreserved = value.is_ascii_alphanumeric() || b"-._~".contains(&value);
                (!is_unreserved).then_some(Self::None)
            }
            _ if byte == b'%' => Some(Self::Percent),
            _ => Some(Self::None),
        }
    }

    /// Returns a number for this state, below 2^5.
    const fn number(self) -> u64 {
        match self {
            Self::None => 0,
            Self::Percent => 1,
            Self::Digit(digit) => 2 + digit as u64,
        }
    }
}

impl PathState {
    /// Returns the state after one more byte, or `None` if no path of the space goes on so.
    pub(crate) fn step(self, byte: u8) -> Option<Self> {
        let next = match self.0 {
            State::Url(state) => state.step(byte).map(State::Url),
            State::Plain(state, escape) => {
                let escape = escape.step(byte)?;
                state.step(byte).map(|state| State::Plain(state, escape))
            }
            State::RawStart => (byte == b'/').then_some(State::Raw),
            State::Raw => (!matches!(byte, 0 | b'#')).then_some(State::Raw),
        };
        next.map(Self)
    }

    /// Reports whether a path of the space can end here.
    pub(crate) fn is_whole(self) -> bool {
        match self.0 {
            State::Url(state) | State::Plain(state, _) => state.is_whole(),
            State::RawStart => false,
            State::Raw => true,
        }
    }

    /// Returns a number for this state and those of two readers, below 2^31.
    pub(crate) fn number(self, readings: [Reading; 2]) -> u64 {
        let state = match self.0 {
            State::Url(state) => state.number(),
            State::Plain(state, escape) => escape.number() << 8 | state.number(),
            State::RawStart => 0,
            State::Raw => 1,
        };
        state << 18 | readings[0].number() << 9 | readings[1].number()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_paths() {
        for path in ["/", "/a", "/%", "/%2", "/%2F", "/%zz61", "/%%", "/a?b=%26", "/%2%", "/%C3%A4"] {
            assert!(Paths::Plain.contains(path.as_bytes()), "{path}");
        }
        for path in ["/%61", "/a?%7E", "/%2D", "/%%61", "/%6%61", "/a b", ""] {
            assert!(!Paths::Plain.contains(path.as_bytes()), "{path}");
        }
    }
}
