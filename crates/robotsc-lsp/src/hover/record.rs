//! The value of a record: a delay, or what may be done with the pages.

use robotsc::RobotsTxt;
use robotsc::analysis::preferences::{
    Category, Dictionary, Label, Preference, SignalMeaning, UseLevel, Vocabulary, signals,
};
use robotsc::record::{PreferenceRecord, Record, RecordValue};

use super::markdown::code;
use super::pattern::in_words;

/// Describes the value of a record, or `None` if it says no more than its key.
pub(super) fn hover(robots: &RobotsTxt<'_>, record: &Record) -> Option<String> {
    match record.value(robots.body())? {
        RecordValue::CrawlDelay(delay) if delay.is_zero() => Some("Asks for no pause between two requests.".to_owned()),
        RecordValue::CrawlDelay(delay) => {
            let seconds = delay.as_secs_f64();
            let pages = (86_400.0 / seconds).floor();
            Some(format!(
                "Asks for {seconds} second{} between two requests. A crawler that obeys it fetches at most {pages} \
                 page{} a day.",
                if seconds == 1.0 { "" } else { "s" },
                if pages == 1.0 { "" } else { "s" },
            ))
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
    let mut rows = vec![about(record)];
    for signal in signals(record.statement) {
        rows.push(match signal.meaning {
            Some(SignalMeaning::Label(label, is_yes)) => {
                format!("- {}: {}", code(label.name.as_bytes()), verdict(label, is_yes.into()))
            }
            Some(SignalMeaning::Use(level)) => format!("- {}: {}", code(b"use"), level_in_words(level)),
            Some(_) | None => format!("- {} means nothing in this vocabulary", code(signal.name)),
        });
    }
    rows.join("\n")
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
