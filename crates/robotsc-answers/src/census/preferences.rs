//! What a site states about the use of what is fetched, in both vocabularies.

use robotsc::record::RecordValue;
use robotsc::{Crawler, RobotsTxt};
use robotsc_analysis::preferences::{Category, EffectivePreferences, Preference, Preferences};
use serde_json::{Map, Value};

/// What is stated for one use, in each vocabulary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatedFor {
    /// In `Content-Usage`.
    pub usage: Preference,
    /// In `Content-Signal`.
    pub signal: Preference,
}

/// What is stated to an agent about the shortest path that it may fetch, by use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stated {
    /// About training a model.
    pub training: StatedFor,
    /// About the input of a model that answers.
    pub input: StatedFor,
    /// About search.
    pub search: StatedFor,
}

impl Stated {
    /// The words for the uses.
    pub const USES: [&'static str; 3] = ["train", "input", "search"];

    /// Reads what a file states. Nothing is stated about what cannot be fetched.
    pub(super) fn of(robots: &RobotsTxt<'_>, crawler: &Crawler, path: Option<&[u8]>) -> Self {
        let Some(path) = path else { return Self::default() };
        let is_preference = |value: Option<RecordValue<'_>>| {
            matches!(value, Some(RecordValue::ContentUsage(_) | RecordValue::ContentSignal(_)))
        };
        if !robots.records().iter().any(|record| is_preference(record.value(robots.body()))) {
            return Self::default();
        }
        let path = robots.dialect().url_path(path);
        let (Ok(preferences), Ok(path)) = (Preferences::of(robots, crawler), path) else { return Self::default() };
        let stated = preferences.at_path(path.as_path()).ok().flatten();
        let Some(stated) = stated else { return Self::default() };
        Self {
            training: of_category(&stated, Category::Training),
            input: of_category(&stated, Category::ModelInput),
            search: of_category(&stated, Category::Search),
        }
    }

    /// Returns what is stated for each of [`USES`](Self::USES).
    #[must_use]
    pub const fn by_use(&self) -> [StatedFor; 3] {
        [self.training, self.input, self.search]
    }

    /// Returns it as JSON; what is not stated is left out.
    pub(super) fn json(&self) -> Value {
        let of = |pick: fn(&StatedFor) -> Preference| {
            let stated = Self::USES.iter().zip(self.by_use());
            let stated =
                stated.filter_map(|(name, stated)| Some(((*name).to_owned(), pick(&stated).as_bool()?.into())));
            Value::Object(stated.collect::<Map<String, Value>>())
        };
        serde_json::json!({ "content_usage": of(|stated| stated.usage), "content_signal": of(|stated| stated.signal) })
    }
}

fn of_category(stated: &EffectivePreferences, category: Category) -> StatedFor {
    StatedFor {
        usage: stated.usage.of(category).map_or(Preference::Unknown, |stated| stated.preference),
        signal: stated.signals.of(category).map_or(Preference::Unknown, |stated| stated.preference),
    }
}
