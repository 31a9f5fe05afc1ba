//! What may be done with a page that may be fetched, as JSON.

use robotsc_analysis::preferences::{
    EffectivePreferences, SignalPreferences, Source, StatedPreference, UsagePreferences, Vocabulary,
};
use serde_json::{Map, Value, json};

/// Returns what holds for a page that may be fetched.
#[must_use]
pub fn json(effective: &EffectivePreferences) -> Value {
    let EffectivePreferences { usage, signals } = effective;
    json!({ "content_usage": usage_json(usage), "content_signal": signals_json(signals, usage.vocabulary) })
}

fn usage_json(usage: &UsagePreferences) -> Value {
    json!({
        "vocabulary": usage.vocabulary.name,
        "lines": usage.lines,
        "labels": labels(&usage.stated, Vocabulary::SIGNALS),
    })
}

fn signals_json(signals: &SignalPreferences, other: &Vocabulary) -> Value {
    json!({
        "lines": signals.lines,
        "labels": labels(&signals.stated, other),
        "use": { "level": signals.use_level.map(|level| level.as_str()), "lines": signals.use_lines },
    })
}

/// Returns the preference for each label; `other` is the other vocabulary, of which a label can correspond.
fn labels(stated: &[StatedPreference], other: &Vocabulary) -> Value {
    let label = |stated: &StatedPreference| {
        let mut object = Map::new();
        object.insert("preference".to_owned(), stated.preference.to_string().into());
        object.insert("lines".to_owned(), stated.lines().collect::<Vec<_>>().into());
        if stated.sources.contains(&Source::Header) {
            object.insert("header".to_owned(), true.into());
        }
        let corresponding = other.corresponding(stated.label);
        object.extend(corresponding.map(|name| ("corresponds_to".to_owned(), name.into())));
        (stated.label.name.to_owned(), Value::Object(object))
    };
    Value::Object(stated.iter().map(label).collect())
}
