//! The preferences that hold for one path, and where they come from.

use crate::small_sort::SmallSort as _;

use super::dictionary::Dictionary;
use super::signals::SignalStatement;
use super::statements::Holding;
use super::usage;
use super::vocabulary::{Label, Vocabulary};
use robotsc_runtime::Category;
use robotsc_runtime::Preference;
use robotsc_runtime::UseLevel;

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

    /// Adds a statement that may hold in the place of the others.
    fn add_possible(&mut self, preference: Preference, line: u32) {
        let left = self.preference.or_possibly(preference);
        if left != self.preference {
            self.sources.clear();
        }
        if left == Preference::No && preference == Preference::No {
            self.sources.push(Source::Line(line));
        }
        self.preference = left;
    }
}

/// Returns what several statements say of each label of a vocabulary: the most restrictive.
fn combined<T>(
    vocabulary: &Vocabulary,
    statements: &Holding<'_, T>,
    preferences: impl Fn(&T) -> &[Preference],
) -> Vec<StatedPreference> {
    let unknown = |label| StatedPreference { label, preference: Preference::Unknown, sources: Vec::new() };
    let mut stated: Vec<StatedPreference> = vocabulary.labels.iter().map(unknown).collect();
    for (line, statement) in &statements.decided {
        for (stated, preference) in stated.iter_mut().zip(preferences(statement)) {
            stated.add(*preference, Source::Line(*line));
        }
    }
    for (line, statement) in &statements.possible {
        for (stated, preference) in stated.iter_mut().zip(preferences(statement)) {
            stated.add_possible(*preference, *line);
        }
    }
    for stated in &mut stated {
        stated.sources.small_sort_unstable();
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
    pub(super) fn new(vocabulary: &'static Vocabulary, records: &Holding<'_, Vec<Preference>>) -> Self {
        Self { vocabulary, lines: records.lines(), stated: combined(vocabulary, records, Vec::as_slice) }
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
    pub(super) fn new(records: &Holding<'_, SignalStatement>) -> Self {
        let all = || records.decided.iter().chain(&records.possible);
        let use_level = all().filter_map(|(_, said)| said.use_level).min();
        let is_source = |said: &SignalStatement| use_level.is_some() && said.use_level == use_level;
        let mut use_lines: Vec<u32> = all().filter(|(_, said)| is_source(said)).map(|(line, _)| *line).collect();
        use_lines.small_sort_unstable();
        Self {
            lines: records.lines(),
            stated: combined(Vocabulary::SIGNALS, records, |said| &said.preferences),
            use_level,
            use_lines,
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
    /// Returns what both vocabularies say of a category together: any no is no, else any yes is yes.
    ///
    /// ```
    /// use robotsc::RobotsTxt;
    /// use robotsc::analysis::preferences::{Category, Preference, Preferences};
    ///
    /// let robots = RobotsTxt::parse(b"User-agent: *\nContent-Usage: train-ai=y\nContent-Signal: ai-train=no\n");
    /// let page = Preferences::of(&robots, "FooBot")?.at("/a")?.expect("an allowed path");
    /// assert_eq!(page.of(Category::Training), Preference::No);
    /// # Ok::<(), robotsc::QueryError>(())
    /// ```
    #[must_use]
    pub fn of(&self, category: Category) -> Preference {
        let said = |stated: Option<&StatedPreference>| stated.map_or(Preference::Unknown, |stated| stated.preference);
        said(self.usage.of(category)).and(said(self.signals.of(category)))
    }

    /// Returns the lines that state what [`of`](Self::of) returns for a category, in order; none if nothing is stated.
    #[must_use]
    pub fn lines_of(&self, category: Category) -> Vec<u32> {
        let preference = self.of(category);
        let both = [self.usage.of(category), self.signals.of(category)].into_iter().flatten();
        let mut lines: Vec<u32> =
            both.filter(|stated| stated.preference == preference).flat_map(StatedPreference::lines).collect();
        lines.small_sort_unstable();
        lines
    }

    /// Combines these with the value of a `Content-Usage` header of a response: the most restrictive
    /// holds.
    ///
    /// A value that is no dictionary says nothing, as the draft asks of readers, and this method does not report it. To
    /// refuse such a value, as one that a person typed, use [`Dictionary::parse`] and
    /// [`combine_dictionary`](Self::combine_dictionary). If the response has several such headers, join their values
    /// with `, ` (RFC 9110 section 5.2).
    ///
    /// Cost: one pass over the value. Never panics.
    #[must_use]
    pub fn combine(self, header: impl AsRef<[u8]>) -> Self {
        self.combine_dictionary(&Dictionary::parse(header.as_ref()).unwrap_or_default())
    }

    /// Combines these with a `Content-Usage` header that was parsed once, for many paths. See
    /// [`combine`](Self::combine).
    ///
    /// Cost: a lookup for each label. Never panics.
    ///
    /// ```
    /// use robotsc::RobotsTxt;
    /// use robotsc::analysis::preferences::{Category, Dictionary, Preference, Preferences};
    ///
    /// let robots = RobotsTxt::parse(b"User-agent: *\nContent-Usage: train-ai=y\n");
    /// let header = Dictionary::parse(b"train-ai=n")?;
    /// let page = Preferences::of(&robots, "FooBot")?.at("/a")?.expect("an allowed path").combine_dictionary(&header);
    /// assert_eq!(page.usage.of(Category::Training).map(|stated| stated.preference), Some(Preference::No));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn combine_dictionary(mut self, header: &Dictionary<'_>) -> Self {
        let preferences = usage::read(header, self.usage.vocabulary);
        for (stated, preference) in self.usage.stated.iter_mut().zip(preferences) {
            stated.add(preference, Source::Header);
        }
        self
    }
}
