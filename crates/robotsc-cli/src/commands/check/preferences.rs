//! What `--preferences` adds to a row: what may be done with a page that may be fetched.

use std::fmt;

use robotsc::{RobotsTxt, UrlPath};
use robotsc_analysis::preferences::{
    Dictionary, EffectivePreferences, Preference, Preferences, Reading, Source, StatedPreference, Vocabulary,
};
use robotsc_answers::identity::Identity;

use super::args::CheckArgs;
use crate::failure::Failure;

/// What a file says to each crawler.
#[derive(Debug)]
pub(super) struct StatedPreferences<'r> {
    of_crawlers: Vec<Preferences<'r>>,
    header: Option<Dictionary<'r>>,
}

impl<'r> StatedPreferences<'r> {
    /// Reads what the file says, if the command line asks for it.
    pub(super) fn read(
        args: &'r CheckArgs,
        robots: &'r RobotsTxt<'r>,
        crawlers: &[Identity],
    ) -> Result<Option<Self>, Failure> {
        if !args.preferences {
            return Ok(None);
        }
        let reading = Reading { vocabulary: args.vocabulary.unwrap_or(Vocabulary::NEWEST), ..Reading::default() };
        let header = args.usage_header.as_deref().map(|value| header(value, reading.vocabulary)).transpose()?;
        let read = |crawler: &Identity| {
            let read = Preferences::read(robots, crawler.crawler(robots)?, reading);
            read.map_err(|error| Failure::new(format_args!("bad agent: {error}")))
        };
        let of_crawlers = crawlers.iter().map(read).collect::<Result<_, _>>()?;
        Ok(Some(Self { of_crawlers, header }))
    }

    /// Returns what holds for a path that a crawler may fetch.
    pub(super) fn at(&self, crawler: usize, path: UrlPath<'_>) -> Result<Option<EffectivePreferences>, String> {
        let Some(preferences) = self.of_crawlers.get(crawler) else { return Ok(None) };
        let effective = preferences.at_path(path).map_err(|error| error.to_string())?;
        Ok(match &self.header {
            Some(header) => effective.map(|effective| effective.combine_dictionary(header)),
            None => effective,
        })
    }
}

/// Parses the value of a `Content-Usage` header.
///
/// # Errors
/// If the value is no dictionary, states no label of the vocabulary, or states one as neither `y` nor `n`. A reader
/// ignores such a header of a response. On a command line it is a mistake: the answer could be yes where no is meant.
fn header<'v>(value: &'v str, vocabulary: &Vocabulary) -> Result<Dictionary<'v>, Failure> {
    let bad = |what: &dyn fmt::Display, way_out: &str| {
        Failure::new(format_args!("bad Content-Usage header: --usage-header: {what}: {way_out}"))
    };
    const EXAMPLE: &str = "give the value alone, such as `train-ai=n, search=y`";
    let dictionary = Dictionary::parse(value.as_bytes()).map_err(|error| bad(&error, EXAMPLE))?;
    let labels = || vocabulary.labels.iter().map(|label| label.name);
    let values: Vec<_> = dictionary.values().filter(|(key, _)| labels().any(|label| label == *key)).collect();
    if let Some((key, _)) = values.iter().find(|(_, value)| value.preference == Preference::Unknown) {
        return Err(bad(&format_args!("`{key}` is neither `y` nor `n`"), "write one of them, or leave the label out"));
    }
    if values.is_empty() {
        let what = format!("no label of revision {} is stated", vocabulary.name);
        let labels: Vec<&str> = labels().collect();
        return Err(match labels.as_slice() {
            [] => bad(&what, "it has none: give another --vocabulary"),
            labels => bad(&what, &format!("write `y` or `n` for one of {}", labels.join(", "))),
        });
    }
    Ok(dictionary)
}

/// Returns the two columns of a row.
pub(super) fn columns(effective: &EffectivePreferences) -> [String; 2] {
    let EffectivePreferences { usage, signals } = effective;
    let states_any = usage.stated.iter().any(|stated| !stated.sources.is_empty());
    // A revision can have no labels.
    let is_silent = usage.stated.is_empty() || usage.lines.is_empty() && !states_any;
    let of_usage = if is_silent { vec!["unknown".to_owned()] } else { items(&usage.stated, ["n", "y"]) };
    let of_signals = if signals.lines.is_empty() {
        vec!["unknown".to_owned()]
    } else {
        let level = match signals.use_level {
            Some(level) => format!("use={level} ({})", places(&lines(&signals.use_lines))),
            None => "use unknown".to_owned(),
        };
        items(&signals.stated, ["no", "yes"]).into_iter().chain([level]).collect()
    };
    [format!("Content-Usage: {}", of_usage.join(", ")), format!("Content-Signal: {}", of_signals.join(", "))]
}

fn items(stated: &[StatedPreference], [no, yes]: [&str; 2]) -> Vec<String> {
    let item = |stated: &StatedPreference| {
        let word = match stated.preference {
            Preference::Unknown => return format!("{} unknown", stated.label.name),
            Preference::Yes => yes,
            Preference::No => no,
        };
        format!("{}={word} ({})", stated.label.name, places(&stated.sources))
    };
    stated.iter().map(item).collect()
}

fn lines(lines: &[u32]) -> Vec<Source> {
    lines.iter().map(|line| Source::Line(*line)).collect()
}

/// The maximum number of lines in a column; the rest are counted.
const MAX_SHOWN_LINES: usize = 5;

/// Returns the sources in words: `line 3, header`.
fn places(sources: &[Source]) -> String {
    let name = |source: &Source| match source {
        Source::Line(line) => format!("line {line}"),
        _ => "header".to_owned(),
    };
    let mut names: Vec<String> = sources.iter().take(MAX_SHOWN_LINES).map(name).collect();
    if sources.len() > MAX_SHOWN_LINES {
        names.push(format!("{} more", sources.len() - MAX_SHOWN_LINES));
    }
    names.join(", ")
}
