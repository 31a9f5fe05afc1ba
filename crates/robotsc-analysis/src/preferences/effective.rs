//! The preferences that hold for one path, and where they come from.

use super::preference::Preference;
use super::signals::SignalStatement;
use super::usage;
use super::use_level::UseLevel;
use super::vocabulary::{Category, Label, Vocabulary};

/// Where a preference is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Source {
    /// A line of the robots.txt, from 1.
    Line(u32),
    /// A `Content-Usage` header of the response.
    Header,
}

/// The preference for a label, and where it is stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedPreference {
    /// The label.
    pub label: &'static Label,
    /// What is said.
    pub preference: Preference,
    /// The statements that say so, lines first. Those that are overridden are not among them; empty if nothing is said.
    pub sources: Vec<Source>,
}

impl StatedPreference {
    /// Returns the lines of the robots.txt among the sources.
    pub fn lines(&self) -> impl Iterator<Item = u32> {
        self.sources.iter().filter_map(|source| match source {
            Source::Line(line) => Some(*line),
            Source::Header => None,
        })
    }

    /// Adds a statement.
    fn add(&mut self, preference: Preference, source: Source) {
        let both = self.preference.and(preference);
        if both != self.preference {
            self.sources.clear();
        }
        if both == preference && both != Preference::Unknown {
            self.sources.push(source);
        }
        self.preference = both;
    }
}

/// Returns what several statements say of each label of a vocabulary: the most restrictive.
fn combined<'s>(
    vocabulary: &Vocabulary,
    statements: impl Iterator<Item = (u32, &'s [Preference])>,
) -> Vec<StatedPreference> {
    let unknown = |label| StatedPreference { label, preference: Preference::Unknown, sources: Vec::new() };
    let mut stated: Vec<StatedPreference> = vocabulary.labels.iter().map(unknown).collect();
    for (line, preferences) in statements {
        for (stated, preference) in stated.iter_mut().zip(preferences) {
            stated.add(*preference, Source::Line(line));
        }
    }
    stated
}

fn of_category(stated: &[StatedPreference], category: Category) -> Option<&StatedPreference> {
    stated.iter().find(|stated| stated.label.category == Some(category))
}

/// What `Content-Usage` says about a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsagePreferences {
    /// The revision of the draft that it was read as.
    pub vocabulary: &'static Vocabulary,
    /// The lines of the records that hold for the path, also of those that say nothing, or cannot be read.
    pub lines: Vec<u32>,
    /// One for each label of the revision, in its order.
    pub stated: Vec<StatedPreference>,
}

impl UsagePreferences {
    pub(super) fn new(vocabulary: &'static Vocabulary, records: &[(u32, &Vec<Preference>)]) -> Self {
        let statements = records.iter().map(|(line, preferences)| (*line, preferences.as_slice()));
        Self {
            vocabulary,
            lines: records.iter().map(|(line, _)| *line).collect(),
            stated: combined(vocabulary, statements),
        }
    }

    /// Returns the preference for a category; `None` if the revision has no label for it.
    #[must_use]
    pub fn of(&self, category: Category) -> Option<&StatedPreference> {
        of_category(&self.stated, category)
    }
}

/// What `Content-Signal` says about a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignalPreferences {
    /// The lines of the records that hold for the path, also of those that say nothing, or cannot be read.
    pub lines: Vec<u32>,
    /// One for each label of [`Vocabulary::SIGNALS`], in its order.
    pub stated: Vec<StatedPreference>,
    /// How far a use may go; `None` if nothing is said.
    pub use_level: Option<UseLevel>,
    /// The lines that say so.
    pub use_lines: Vec<u32>,
}

impl SignalPreferences {
    pub(super) fn new(records: &[(u32, &SignalStatement)]) -> Self {
        let use_level = records.iter().filter_map(|(_, said)| said.use_level).min();
        let is_source = |said: &SignalStatement| use_level.is_some() && said.use_level == use_level;
        let statements = records.iter().map(|(line, said)| (*line, said.preferences.as_slice()));
        Self {
            lines: records.iter().map(|(line, _)| *line).collect(),
            stated: combined(Vocabulary::SIGNALS, statements),
            use_level,
            use_lines: records.iter().filter(|(_, said)| is_source(said)).map(|(line, _)| *line).collect(),
        }
    }

    /// Returns the preference for a category.
    #[must_use]
    pub fn of(&self, category: Category) -> Option<&StatedPreference> {
        of_category(&self.stated, category)
    }
}

/// What a robots.txt says may be done with the content of a path that may be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectivePreferences {
    /// By `Content-Usage`, the vocabulary of the IETF's draft.
    pub usage: UsagePreferences,
    /// By `Content-Signal`, Cloudflare's vocabulary. Its terms correspond to those of `usage`; they are not equal.
    pub signals: SignalPreferences,
}

impl EffectivePreferences {
    /// Combines these with a `Content-Usage` header of the response: the most restrictive holds. A value that is no
    /// dictionary says nothing.
    ///
    /// If the response has several such headers, join their values with `, ` (RFC 9110 section 5.2). Cost: linear in
    /// the value. Never panics.
    #[must_use]
    pub fn combine(mut self, header: impl AsRef<[u8]>) -> Self {
        let preferences = usage::read(header.as_ref(), self.usage.vocabulary);
        for (stated, preference) in self.usage.stated.iter_mut().zip(preferences) {
            stated.add(preference, Source::Header);
        }
        self
    }
}
