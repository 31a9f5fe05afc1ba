//! Which paths a question ranges over.
//!
//! A rule `Disallow: /a b` matches no path that a client sends: the blank arrives as `%20`. So questions such as "does
//! this rule ever decide" range over the paths that URL normalization can produce ([`Paths::Urls`]), unless the caller
//! asks for raw bytes.

mod reader;
mod url;

pub(crate) use reader::{Reader, Reading};
use url::UrlState;
pub(crate) use url::is_in_urls;

/// A space of paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Paths {
    /// The paths that URL normalization can produce: what a client sends.
    #[default]
    Urls,
    /// Any bytes after a `/`, without NUL and `#`: what google/robotstxt can be given as a path.
    Raw,
}

/// The state of the automaton that accepts a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathState(State);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Url(UrlState),
    RawStart,
    Raw,
}

impl Paths {
    pub(crate) const fn start(self) -> PathState {
        match self {
            Self::Urls => PathState(State::Url(UrlState::START)),
            Self::Raw => PathState(State::RawStart),
        }
    }

    /// Reports whether a path is in this space.
    #[must_use]
    pub fn contains(self, path: &[u8]) -> bool {
        path.iter().try_fold(self.start(), |state, byte| state.step(*byte)).is_some_and(PathState::is_whole)
    }
}

impl PathState {
    /// Returns the state after one more byte, or `None` if no path of the space goes on so.
    pub(crate) fn step(self, byte: u8) -> Option<Self> {
        let next = match self.0 {
            State::Url(state) => state.step(byte).map(State::Url),
            State::RawStart => (byte == b'/').then_some(State::Raw),
            State::Raw => (!matches!(byte, 0 | b'#')).then_some(State::Raw),
        };
        next.map(Self)
    }

    /// Reports whether a path of the space can end here.
    pub(crate) fn is_whole(self) -> bool {
        match self.0 {
            State::Url(state) => state.is_whole(),
            State::RawStart => false,
            State::Raw => true,
        }
    }

    /// Returns a number for this state and those of two readers, below 2^26.
    pub(crate) fn number(self, readings: [Reading; 2]) -> u64 {
        let state = match self.0 {
            State::Url(state) => state.number(),
            State::RawStart => 0,
            State::Raw => 1,
        };
        state << 18 | readings[0].number() << 9 | readings[1].number()
    }
}
