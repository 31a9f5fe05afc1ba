//! The preferences of a robots.txt for one agent, for any number of URLs.

use crate::parse::record::RecordValue;
use crate::{AgentError, Group, IntoCrawler, PathFormError, QueryError, RobotsTxt, RuleSet, Selection, UrlPath};

use super::dictionary::Dictionary;
use super::effective::{EffectivePreferences, SignalPreferences, UsagePreferences};
use super::signals::SignalStatement;
use super::statements::Statements;
use super::usage;
use super::vocabulary::Vocabulary;
use robotsc_runtime::Preference;

/// How preferences are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The revision of the draft whose labels `Content-Usage` has: the newest by default.
    pub vocabulary: &'static Vocabulary,
    /// Whether a `Content-Signal` can start with a path, as it does in files of today though the policy text has no
    /// such form: by default. If not, a record with a path says nothing at all.
    pub signal_paths: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Self { vocabulary: Vocabulary::NEWEST, signal_paths: true }
    }
}

/// What a robots.txt says to one agent about the use of its pages. Borrows from the file.
#[derive(Clone, Debug)]
pub struct Preferences<'r> {
    robots: &'r RobotsTxt<'r>,
    pub(super) reading: Reading,
    pub(super) rules: RuleSet,
    pub(super) stated: Stated,
}

/// The statements of some groups.
#[derive(Clone, Debug)]
pub(super) struct Stated {
    pub(super) usage: Statements<Vec<Preference>>,
    pub(super) signals: Statements<SignalStatement>,
}

impl Stated {
    /// Reads the records of groups.
    pub(super) fn read<'r>(
        robots: &RobotsTxt<'r>,
        groups: impl IntoIterator<Item = &'r Group>,
        reading: Reading,
    ) -> Self {
        let (mut of_usage, mut of_signals) = (Vec::new(), Vec::new());
        for record in groups.into_iter().flat_map(|group| robots.records_of(group)) {
            match record.value(robots.body()) {
                Some(RecordValue::ContentUsage(split)) => {
                    // A statement that is no dictionary says nothing.
                    let dictionary = Dictionary::parse(split.statement).unwrap_or_default();
                    of_usage.push((record.line, split, usage::read(&dictionary, reading.vocabulary)));
                }
                Some(RecordValue::ContentSignal(split)) if reading.signal_paths || split.path.is_none() => {
                    of_signals.push((record.line, split, SignalStatement::read(split.statement)));
                }
                _ => {}
            }
        }
        let dialect = robots.dialect();
        Self { usage: Statements::new(dialect, of_usage), signals: Statements::new(dialect, of_signals) }
    }
}

impl<'r> Preferences<'r> {
    /// Reads what the file says to an agent, with the labels of the newest draft. The groups are those whose rules the
    /// agent obeys.
    ///
    /// Cost: ranks the rules of the agent's groups, and reads each preference once. Never panics.
    ///
    /// # Errors
    /// [`AgentError`] if the agent is no agent name.
    pub fn of(robots: &'r RobotsTxt<'r>, agent: impl IntoCrawler) -> Result<Self, AgentError> {
        Self::read(robots, agent, Reading::default())
    }

    /// Reads what the file says to an agent, in a given reading. See [`Preferences::of`].
    ///
    /// # Errors
    /// As [`Preferences::of`].
    ///
    /// ```
    /// use robotsc::RobotsTxt;
    /// use robotsc::analysis::preferences::{Preferences, Reading, Vocabulary};
    ///
    /// let robots = RobotsTxt::parse(b"User-agent: *\nAllow: /\nContent-Usage: bots=n, search=y\n");
    /// let reading = Reading { vocabulary: Vocabulary::by_name("03").unwrap(), ..Reading::default() };
    /// let read = Preferences::read(&robots, "FooBot", reading)?.at("/")?.unwrap();
    /// let said = read.usage.stated.iter().map(|stated| format!("{} {}", stated.label.name, stated.preference));
    /// assert!(said.eq(["bots no", "train-ai no", "train-genai no", "search yes"]));
    /// # Ok::<(), robotsc::QueryError>(())
    /// ```
    pub fn read(robots: &'r RobotsTxt<'r>, agent: impl IntoCrawler, reading: Reading) -> Result<Self, AgentError> {
        Ok(Self::of_selection(robots, &robots.select(&agent.into_crawler()?), reading))
    }

    /// Reads what the file says to the agents that obey some groups.
    #[doc(hidden)]
    #[must_use]
    pub fn of_selection(robots: &'r RobotsTxt<'r>, selection: &Selection, reading: Reading) -> Self {
        let groups = selection.groups.iter().filter_map(|id| robots.groups().get(id.0 as usize));
        Self { robots, reading, rules: robots.rule_set_of(selection), stated: Stated::read(robots, groups, reading) }
    }

    /// Returns the file.
    #[doc(hidden)]
    #[must_use]
    pub const fn robots(&self) -> &'r RobotsTxt<'r> {
        self.robots
    }

    /// Returns the rules that the agent obeys.
    #[doc(hidden)]
    #[must_use]
    pub const fn rule_set(&self) -> &RuleSet {
        &self.rules
    }

    /// Returns what holds for a URL, or a path that starts with one `/`; `None` if the agent may not fetch it: then
    /// nothing is said.
    ///
    /// Cost: linear in the agent's rules and preferences. Never panics.
    ///
    /// # Errors
    /// [`QueryError`] if the URL has no path on this site.
    pub fn at(&self, url: impl AsRef<[u8]>) -> Result<Option<EffectivePreferences>, QueryError> {
        let path = self.robots.url_path(&url)?;
        Ok(self.at_path(path.as_path())?)
    }

    /// Returns what holds for a path in the form of the file's dialect. See [`Preferences::at`].
    ///
    /// # Errors
    /// [`PathFormError`] if the path is in another form.
    pub fn at_path(&self, path: UrlPath<'_>) -> Result<Option<EffectivePreferences>, PathFormError> {
        if !self.rules.verdict(path)?.is_allow() {
            return Ok(None);
        }
        Ok(Some(EffectivePreferences {
            usage: UsagePreferences::new(self.reading.vocabulary, &self.stated.usage.at(path)?),
            signals: SignalPreferences::new(&self.stated.signals.at(path)?),
        }))
    }
}
