//! The value of a record: a delay, or what may be done with the pages.

use robotsc::RobotsTxt;
use robotsc::analysis::preferences::{
    Category, Dictionary, Label, Preference, Signal, SignalMeaning, UseLevel, Vocabulary, signals,
};
use robotsc::analysis::words::counted;
use robotsc::record::{PreferenceRecord, Record, RecordValue};

use super::markdown::code;
use super::pattern::in_words;

const SECONDS_OF_A_DAY: f64 = 86_400.0;

/// Describes the value of a record, or `None` if it says no more than its key.
pub(super) fn hover(robots: &RobotsTxt<'_>, record: &Record) -> Option<String> {
    match record.value(robots.body())? {
        RecordValue::CrawlDelay(delay) if delay.is_zero() => Some("Asks for no pause between two requests.".to_owned()),
        RecordValue::CrawlDelay(delay) => {
            let seconds = delay.as_secs_f64();
            let pause = format!("Asks for {} between two requests.", counted(seconds, "second"));
            let pages = (SECONDS_OF_A_DAY / seconds).floor();
            Some(match pages {
                0.0 => format!("{pause} That is more than a day."),
                _ => format!("{pause} A crawler that obeys it fetches at most {} a day.", counted(pages, "page")),
            })
        }
        RecordValue::ContentSignal(record) => Some(signal_statement(&record)),
        RecordValue::ContentUsage(record) => Some(usage_statement(&record)),
        _ => None,
    }
}

fn about(record: &PreferenceRecord<'_>) -> String {
    match record.path {
        Some(path) => format!("For {}:", in_words(path)),
        None => "For all paths:".to_owned(),
    }
}

fn signal_statement(record: &PreferenceRecord<'_>) -> String {
    // Then no item means anything: see `signals`.
    let is_blank = |signal: Signal<'_>| signal.name.iter().any(u8::is_ascii_whitespace);
    if signals(record.statement).next().is_some_and(is_blank) {
        return "It states nothing, since its first label holds a blank: a signal has no path.".to_owned();
    }
    let mut rows = vec![about(record)];
    for signal in signals(record.statement) {
        rows.push(match signal.meaning {
            Some(SignalMeaning::Label(label, is_yes)) => {
                format!("- {}: {}", code(label.name.as_bytes()), verdict(label, is_yes.into()))
            }
            Some(SignalMeaning::Use(level)) => format!("- {}: {}", code(b"use"), level_in_words(level)),
            None if is_label(signal.name) => without_value(&signal, "`yes` or `no`"),
            None if signal.name.eq_ignore_ascii_case(b"use") => {
                without_value(&signal, "`immediate`, `reference` or `full`")
            }
            Some(_) | None => format!("- {} means nothing in this vocabulary", code(signal.name)),
        });
    }
    rows.join("\n")
}

/// Describes a signal whose value is none of the known ones.
fn without_value(signal: &Signal<'_>, known: &str) -> String {
    let name = code(signal.name);
    match signal.value {
        [] => format!("- {name} has no value; it states nothing"),
        value => format!("- {name}: {} is not {known}; it states nothing", code(value)),
    }
}

/// Reports whether a signal has a name of the vocabulary, in any case.
fn is_label(name: &[u8]) -> bool {
    Vocabulary::SIGNALS.labels.iter().any(|label| name.eq_ignore_ascii_case(label.name.as_bytes()))
}

fn usage_statement(record: &PreferenceRecord<'_>) -> String {
    let dictionary = match Dictionary::parse(record.statement) {
        Ok(dictionary) => dictionary,
        Err(error) => return format!("It states nothing, since it cannot be read: {error}."),
    };
    let mut rows = vec![about(record)];
    for (key, value) in dictionary.values() {
        let label = Vocabulary::NEWEST.label(key.as_bytes());
        rows.push(match label {
            Some(label) => format!("- {}: {}", code(key.as_bytes()), verdict(label, value.preference)),
            None if Vocabulary::is_retired(key.as_bytes()) => {
                format!("- {} is a label of an older draft", code(key.as_bytes()))
            }
            None => format!("- {} means nothing in this vocabulary", code(key.as_bytes())),
        });
    }
    rows.join("\n")
}

/// Returns what a use is, as it follows a label.
pub(crate) fn use_in_words(label: &Label) -> &'static str {
    match label.category {
        Some(Category::Training) => "training AI models",
        Some(Category::ModelInput) => "use as input for the answers of AI models",
        Some(Category::Search) => "search indexes, with links and excerpts",
        _ => "another use",
    }
}

/// Returns how far a use can go.
pub(crate) const fn level_in_words(level: UseLevel) -> &'static str {
    match level {
        UseLevel::Immediate => "use the pages now and keep nothing",
        UseLevel::Reference => "keep an index with links and excerpts",
        UseLevel::Full => "keep all of the pages",
    }
}

fn verdict(label: &Label, preference: Preference) -> String {
    let what = use_in_words(label);
    match preference {
        Preference::Yes => format!("yes to {what}"),
        Preference::No => format!("no to {what}"),
        Preference::Unknown => format!("neither yes nor no to {what}"),
    }
}
