//! Compiled preferences: what may be done with the content of a path, by the same automata as verdicts.
//!
//! | bytes | content |
//! |---|---|
//! | 0-1 | what is said of paths that no pattern matches |
//! | 2 | the form of paths, as in a program |
//! | 3 | the number of layers |
//! | … | the layers |
//!
//! **A layer** is twice the length of its program, plus 1 if it is of `Content-Signal` (4 bytes), and a program that
//! names the rule that decides. The "line" of a rule is what it says. A vocabulary has one layer, or none if no record
//! has a path. It has several if patterns of equal length, which say different things, can match one path: each is in
//! another layer, and those that match with the greatest length hold together.
//!
//! **What is said** has two bits for each category and vocabulary: 0 nothing, 1 yes, 2 no. Bits 0-5 are `Content-Usage`
//! (training, input of models, search), bits 6-11 `Content-Signal`, bits 12-13 its level of use: 0 nothing, 1 `full`,
//! 2 `reference`, 3 `immediate`.

use crate::program::Kind;
use crate::{Category, PathForm, PathFormError, Preference, Program, ProgramError, UrlPath, UseLevel};

/// What a robots.txt says may be done with the content of a path, in both vocabularies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PathPreferences(u16);

/// The bits of `Content-Usage`.
const USAGE: u16 = 0x003F;
/// The bits of `Content-Signal`.
const SIGNALS: u16 = 0x3FC0;
/// The lower bit of each preference: yes.
const YES: u16 = 0x0555;
/// The upper bit of each preference: no.
const NO: u16 = 0x0AAA;
/// Where the level of use starts.
const LEVEL_SHIFT: u32 = 12;

impl PathPreferences {
    /// Nothing is said.
    pub const UNKNOWN: Self = Self(0);

    /// Everything is refused: it stands where preferences should be and are not.
    pub(crate) const REFUSED: Self = Self(NO | 3 << LEVEL_SHIFT);

    /// Returns what these bits say; `None` if they say nothing that a compiler writes.
    #[doc(hidden)]
    #[must_use]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let is_valid = bits & !(USAGE | SIGNALS) == 0 && bits & YES & (bits & NO) >> 1 == 0;
        if is_valid { Some(Self(bits)) } else { None }
    }

    /// Returns the bits.
    #[doc(hidden)]
    #[must_use]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// Returns what `Content-Usage` says, by category.
    #[doc(hidden)]
    #[must_use]
    pub fn of_usage(preference: impl Fn(Category) -> Preference) -> Self {
        Self(Category::ALL.into_iter().map(|category| bits(preference(category)) << shift(category)).sum())
    }

    /// Returns what `Content-Signal` says, by category, and its level of use.
    #[doc(hidden)]
    #[must_use]
    pub fn of_signals(preference: impl Fn(Category) -> Preference, level: Option<UseLevel>) -> Self {
        let preferences = Self::of_usage(preference).0 << 6;
        let level = match level {
            None => 0,
            Some(UseLevel::Full) => 1,
            Some(UseLevel::Reference) => 2,
            Some(UseLevel::Immediate) => 3,
        };
        Self(preferences | level << LEVEL_SHIFT)
    }

    /// Returns what two statements say together: any no is no, else any yes is yes, and the stricter level of use.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        let both = (self.0 | other.0) & (YES | NO);
        let (one, two) = (self.0 >> LEVEL_SHIFT, other.0 >> LEVEL_SHIFT);
        let level = if one > two { one } else { two };
        Self(both & !((both & NO) >> 1) | level << LEVEL_SHIFT)
    }

    /// Returns what `Content-Usage` says of a category.
    #[must_use]
    pub const fn usage(self, category: Category) -> Preference {
        preference(self.0 >> shift(category))
    }

    /// Returns what `Content-Signal` says of a category.
    #[must_use]
    pub const fn signal(self, category: Category) -> Preference {
        preference(self.0 >> (shift(category) + 6))
    }

    /// Returns what both vocabularies together say of a category: any no is no, else any yes is yes. Their terms
    /// correspond, and are not equal.
    #[must_use]
    pub const fn of(self, category: Category) -> Preference {
        self.usage(category).and(self.signal(category))
    }

    /// Returns how far a use may go, by `Content-Signal`; `None` if nothing is said.
    #[must_use]
    pub const fn use_level(self) -> Option<UseLevel> {
        match self.0 >> LEVEL_SHIFT {
            1 => Some(UseLevel::Full),
            2 => Some(UseLevel::Reference),
            3 => Some(UseLevel::Immediate),
            _ => None,
        }
    }
}

/// Returns where the bits of a category start in `Content-Usage`.
const fn shift(category: Category) -> u32 {
    match category {
        Category::Training => 0,
        Category::ModelInput => 2,
        Category::Search => 4,
    }
}

const fn bits(preference: Preference) -> u16 {
    match preference {
        Preference::Unknown => 0,
        Preference::Yes => 1,
        Preference::No => 2,
    }
}

const fn preference(bits: u16) -> Preference {
    match bits & 3 {
        0 => Preference::Unknown,
        1 => Preference::Yes,
        _ => Preference::No,
    }
}

/// Compiled preferences, borrowed from their bytes: what a robots.txt says to one agent about the use of its pages.
///
/// It does not say whether a page may be fetched: of a path that may not be fetched nothing is said.
///
/// Cost of an answer: a walk for each layer. There is none if no record has a path, and one for a vocabulary otherwise,
/// unless patterns of equal length match one path.
#[derive(Clone, Copy, Debug)]
pub struct PreferenceProgram<'p> {
    bytes: &'p [u8],
    otherwise: PathPreferences,
    form: PathForm,
    layers: &'p [u8],
}

/// Bytes before the layers.
const HEAD: usize = 4;

impl<'p> PreferenceProgram<'p> {
    /// The maximum number of layers.
    #[doc(hidden)]
    pub const MAX_LAYERS: usize = 64;

    /// Borrows compiled preferences from bytes that can come from anywhere, and checks all of them.
    ///
    /// Cost: a pass over the bytes.
    ///
    /// # Errors
    /// [`ProgramError`] if they are not what the compiler writes.
    pub fn from_bytes(bytes: &'p [u8]) -> Result<Self, ProgramError> {
        let read = Self::from_trusted(bytes)?;
        let mut layers = read.layers();
        let mut count = 0;
        while let Some((is_signal, program)) = layers.next_layer() {
            let program = Program::from_bytes(program)?;
            let own = if is_signal { SIGNALS } else { USAGE };
            let is_said = |line: u32| {
                u16::try_from(line).is_ok_and(|bits| bits & !own == 0 && PathPreferences::from_bits(bits).is_some())
            };
            if program.path_form() != read.form
                || !program.names_deciding_rule()
                || program.rules().any(|rule| !rule.verdict.is_allow() || !is_said(rule.line))
            {
                return Err(ProgramError(Kind::Preferences));
            }
            count += 1;
        }
        let is_whole = layers.0.is_empty() && count == usize::from(bytes[3]) && count <= Self::MAX_LAYERS;
        if is_whole { Ok(read) } else { Err(ProgramError(Kind::Preferences)) }
    }

    /// Borrows compiled preferences from bytes that were checked before, or that this process made: reads the first
    /// four bytes only.
    ///
    /// Altered bytes do no harm beyond a wrong answer.
    ///
    /// # Errors
    /// [`ProgramError`] if the first bytes are not those of compiled preferences.
    #[inline]
    pub const fn from_trusted(bytes: &'p [u8]) -> Result<Self, ProgramError> {
        let Some((head, layers)) = bytes.split_first_chunk::<HEAD>() else {
            return Err(ProgramError(Kind::TooShort));
        };
        let otherwise = PathPreferences::from_bits(u16::from_le_bytes([head[0], head[1]]));
        match (otherwise, PathForm::from_byte(head[2])) {
            (Some(otherwise), Some(form)) => Ok(Self { bytes, otherwise, form, layers }),
            _ => Err(ProgramError(Kind::Preferences)),
        }
    }

    /// Returns preferences that refuse everything, for paths in `form`. They have no bytes: they stand where
    /// preferences should be and are not, so that nothing is permitted by mistake.
    #[must_use]
    pub const fn refusal(form: PathForm) -> Self {
        Self { bytes: &[], otherwise: PathPreferences::REFUSED, form, layers: &[] }
    }

    /// Returns the bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &'p [u8] {
        self.bytes
    }

    /// Returns the form that paths must be in.
    #[must_use]
    pub const fn path_form(&self) -> PathForm {
        self.form
    }

    /// Returns what is said of paths that no pattern matches: of all paths, if [`has_paths`](Self::has_paths) is
    /// `false`.
    #[must_use]
    pub const fn otherwise(&self) -> PathPreferences {
        self.otherwise
    }

    /// Reports whether what is said depends on the path.
    #[must_use]
    pub const fn has_paths(&self) -> bool {
        !self.layers.is_empty()
    }

    /// Returns what is said of a path, if it may be fetched.
    ///
    /// # Errors
    /// [`PathFormError`] if the path is in another form than the preferences were compiled for.
    #[inline]
    pub fn at(&self, path: UrlPath<'_>) -> Result<PathPreferences, PathFormError> {
        path.in_form(self.form)?;
        if self.layers.is_empty() { Ok(self.otherwise) } else { self.walk(path) }
    }

    #[inline(never)]
    fn walk(&self, path: UrlPath<'_>) -> Result<PathPreferences, PathFormError> {
        // By vocabulary: the greatest length that matched, and what the rules of that length say.
        let mut held = [None::<(u32, PathPreferences)>; 2];
        let mut layers = self.layers();
        while let Some((is_signal, program)) = layers.next_layer() {
            let Ok(program) = Program::from_trusted(program) else { return Ok(PathPreferences::REFUSED) };
            let Some(rule) = program.deciding_rule(path)? else { continue };
            let said = u16::try_from(rule.line).ok().and_then(PathPreferences::from_bits);
            let said = said.unwrap_or(PathPreferences::REFUSED);
            let held = &mut held[usize::from(is_signal)];
            *held = match *held {
                Some((length, _)) if length > rule.length => *held,
                Some((length, other)) if length == rule.length => Some((length, other.and(said))),
                _ => Some((rule.length, said)),
            };
        }
        // Something is left over: the bytes were altered.
        if !layers.0.is_empty() {
            return Ok(PathPreferences::REFUSED);
        }
        let of = |vocabulary: usize, own: u16| held[vocabulary].map_or(self.otherwise, |(_, said)| said).0 & own;
        Ok(PathPreferences(of(0, USAGE) | of(1, SIGNALS)))
    }

    fn layers(&self) -> Layers<'p> {
        Layers(self.layers)
    }
}

/// The layers that are left.
struct Layers<'p>(&'p [u8]);

impl<'p> Layers<'p> {
    /// Returns whether the next layer is of `Content-Signal`, and the bytes of its program.
    fn next_layer(&mut self) -> Option<(bool, &'p [u8])> {
        let (length, rest) = self.0.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length);
        let (program, rest) = rest.split_at_checked((length >> 1) as usize)?;
        self.0 = rest;
        Some((length & 1 == 1, program))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Preference; 3] = [Preference::Unknown, Preference::Yes, Preference::No];

    fn levels() -> impl Iterator<Item = Option<UseLevel>> {
        UseLevel::ALL.into_iter().map(Some).chain([None])
    }

    /// Returns all that can be said of the first category, with a level.
    fn some() -> impl Iterator<Item = PathPreferences> {
        ALL.into_iter().flat_map(|usage| {
            ALL.into_iter().flat_map(move |signal| {
                levels().map(move |level| {
                    let usage = PathPreferences::of_usage(|category| match category {
                        Category::ModelInput => usage,
                        _ => Preference::Yes,
                    });
                    let signals = PathPreferences::of_signals(|_| signal, level);
                    PathPreferences(usage.0 | signals.0)
                })
            })
        })
    }

    #[test]
    fn what_is_said_comes_back() {
        for usage in ALL {
            for signal in ALL {
                for level in levels() {
                    let said =
                        PathPreferences::of_usage(|_| usage).0 | PathPreferences::of_signals(|_| signal, level).0;
                    let said = PathPreferences::from_bits(said).unwrap();
                    for category in Category::ALL {
                        assert_eq!((said.usage(category), said.signal(category)), (usage, signal));
                        assert_eq!(said.of(category), usage.and(signal));
                    }
                    assert_eq!(said.use_level(), level);
                }
            }
        }
        for bits in [3, 0x30, 0x00C0, 0x0C00, 0x4000, 0x8000] {
            assert_eq!(PathPreferences::from_bits(bits), None, "{bits:x}");
        }
    }

    #[test]
    fn statements_combine_as_preferences_do() {
        for one in some() {
            for two in some() {
                let both = one.and(two);
                for category in Category::ALL {
                    assert_eq!(both.usage(category), one.usage(category).and(two.usage(category)));
                    assert_eq!(both.signal(category), one.signal(category).and(two.signal(category)));
                }
                let level = one.use_level().into_iter().chain(two.use_level()).min();
                assert_eq!(both.use_level(), level);
                assert_eq!(PathPreferences::from_bits(both.0), Some(both));
            }
        }
    }

    #[test]
    fn altered_bytes_refuse_or_are_refused() {
        let path = UrlPath::assume(b"/", PathForm::Escaped);
        assert_eq!(PreferenceProgram::from_bytes(&[1, 0, 0, 0]).unwrap().at(path), Ok(PathPreferences(1)));
        for bytes in [&b""[..], b"\x03\0\0\0", b"\0\0\x03\0", b"\0\0\0\x01", b"\0\0\0\0\0", b"\0\0\0\x01\x04\0\0\0RP"] {
            assert!(PreferenceProgram::from_bytes(bytes).is_err(), "{bytes:?}");
            if let Ok(trusted) = PreferenceProgram::from_trusted(bytes)
                && bytes.len() > HEAD
            {
                assert_eq!(trusted.at(path), Ok(PathPreferences::REFUSED), "{bytes:?}");
            }
        }
    }
}
