//! Preferences that say less than they seem to: what is no signal, and what is no dictionary.

use robotsc_compiler::record::{PreferenceRecord, Record, RecordValue};
use robotsc_compiler::{ByteSpan, Severity};

use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};
use crate::preferences::{Dictionary, Preference, Vocabulary, blank_in_first_name, signals};

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>) {
    for record in context.robots.records() {
        match record.value(context.body()) {
            Some(RecordValue::ContentSignal(split)) => signal(context, record, split),
            Some(RecordValue::ContentUsage(split)) => usage(context, record, split),
            _ => {}
        }
    }
}

/// Returns the record that a preference was meant to be whose label is written as a key: `ai-train: no`.
pub(super) fn record_of(line: &[u8]) -> Option<Vec<u8>> {
    let (key, value) = std::str::from_utf8(line).ok()?.split_once(':')?;
    let [label, answer] = [key, value].map(|text| text.trim().to_ascii_lowercase());
    let is_label = |vocabulary: &Vocabulary| vocabulary.label(label.as_bytes()).is_some();
    let (record, answer) = match answer.as_str() {
        "yes" | "no" if is_label(Vocabulary::SIGNALS) => ("Content-Signal", answer.as_str()),
        "y" | "n" | "yes" | "no" if is_label(Vocabulary::NEWEST) => ("Content-Usage", &answer[..1]),
        _ => return None,
    };
    Some(format!("{record}: {label}={answer}").into_bytes())
}

/// Returns where a part of the body is.
fn span_of(body: &[u8], part: &[u8]) -> ByteSpan {
    // Both point into one allocation.
    let start = (part.as_ptr() as usize).saturating_sub(body.as_ptr() as usize);
    ByteSpan::new(start, start + part.len())
}

fn signal(context: &mut Context<'_>, record: &Record, split: PreferenceRecord<'_>) {
    let Some(check) = context.check(LintCheck::ContentSignalSyntax) else { return };
    let statement = split.statement;
    let span = span_of(context.body(), statement);
    let mut found = Vec::new();
    let mut report = |span: ByteSpan, message: String| {
        found.push(Finding::new(check, record.line, span, message));
        found.len() - 1
    };
    let key = record.key.of(context.body());
    let is_plural = !key.eq_ignore_ascii_case(b"content-signal");
    let plural = is_plural
        .then(|| report(record.key, format!("{} is not read by all: the key is `Content-Signal`", quoted(key))));
    let path = split.path.map(|path| {
        let message = format!("{}: the policy text has no form with a path, and some readers know none", quoted(path));
        report(span_of(context.body(), path), message)
    });
    let mut semicolon = None;
    if statement.contains(&b';') {
        semicolon = Some(report(span, format!("{} is separated by `;`: write commas", quoted(statement))));
    } else if !statement.is_empty() && signals(statement).next().is_none() {
        report(span, format!("{} states nothing", quoted(statement)));
    } else if let Some(name) = blank_in_first_name(statement) {
        let message = format!(
            "{} has a blank where a signal is expected, so the whole line says nothing: a path starts with `/`",
            quoted(name)
        );
        report(span_of(context.body(), name), message);
    } else {
        for signal in signals(statement).filter(|signal| signal.meaning.is_none()) {
            let name = quoted(signal.name);
            let is = |vocabulary: &Vocabulary| vocabulary.label(&signal.name.to_ascii_lowercase()).is_some();
            let message = if is(Vocabulary::SIGNALS) {
                format!("{name} takes `yes` or `no`, not {}", quoted(signal.value))
            } else if signal.name.eq_ignore_ascii_case(b"use") {
                format!("`use` takes `immediate`, `reference` or `full`, not {}", quoted(signal.value))
            } else if Vocabulary::REVISIONS.iter().any(is) {
                format!("{name} is a label of Content-Usage: here write `search`, `ai-input` or `ai-train`")
            } else {
                format!("{name} is no signal: write `search`, `ai-input`, `ai-train` or `use`")
            };
            report(span_of(context.body(), signal.name), message);
        }
    }
    if let Some(at) = plural {
        found[at].fix = Some(Fix::replace("write `Content-Signal`", record.key, *b"Content-Signal"));
    }
    if let Some(at) = path {
        found[at].severity = Severity::Info;
    }
    if let Some(at) = semicolon {
        let commas: Vec<u8> = statement.iter().map(|&byte| if byte == b';' { b',' } else { byte }).collect();
        found[at].fix = Some(Fix::replace("separate by commas", span, commas));
    }
    context.found.extend(found);
}

fn usage(context: &mut Context<'_>, record: &Record, split: PreferenceRecord<'_>) {
    let Some(check) = context.check(LintCheck::ContentUsageSyntax) else { return };
    let statement = split.statement;
    let span = span_of(context.body(), statement);
    let finding = |message: String| Finding::new(check, record.line, span, message);
    match Dictionary::parse(statement) {
        Err(error) => {
            let (message, fix) = unreadable(statement, &error);
            let mut finding = finding(message);
            finding.fix = fix.map(|(title, with)| Fix::replace(title, span, with));
            context.found.push(finding);
        }
        Ok(dictionary) => {
            for (key, value) in dictionary.values() {
                let name = quoted(key.as_bytes());
                let message = if Vocabulary::is_retired(key.as_bytes()) {
                    format!("{name} is a label of an earlier draft, and is ignored")
                } else if let Some(label) = Vocabulary::SIGNALS.label(key.as_bytes()).filter(|_| !is_label(key)) {
                    let other = Vocabulary::NEWEST.corresponding(label).unwrap_or_default();
                    format!("{name} is a signal of Content-Signal: here `{other}` corresponds to it")
                } else if !is_label(key) {
                    format!("{name} is no label of the draft, and is ignored")
                } else if value.preference == Preference::Unknown {
                    format!("{name} takes `y` or `n`: anything else means nothing")
                } else if value.is_repeated {
                    format!("{name} is repeated: the last value counts")
                } else {
                    continue;
                };
                context.found.push(finding(message));
            }
        }
    }
}

fn is_label(key: &str) -> bool {
    Vocabulary::NEWEST.label(key.as_bytes()).is_some()
}

/// Returns why a statement is no dictionary, and what to write instead, if that is one.
fn unreadable(
    statement: &[u8],
    error: &crate::preferences::DictionaryError,
) -> (String, Option<(&'static str, Vec<u8>)>) {
    let fixed = |title: &'static str, with: Vec<u8>| Dictionary::parse(&with).is_ok().then_some((title, with.clone()));
    let at = error.at.min(statement.len());
    let (before, rest) = statement.split_at(at);
    if statement.starts_with(b"*") {
        let message = format!("a path starts with `/`: {} is read as a preference, and is none", quoted(statement));
        return (message, None);
    }
    if rest.first().is_some_and(u8::is_ascii_uppercase) {
        let message = format!("{} has an upper-case letter, which makes the whole line unreadable", quoted(statement));
        return (message, fixed("write it in lower case", statement.to_ascii_lowercase()));
    }
    if let Some(list) = statement.trim_ascii_end().strip_suffix(b",") {
        let message = "a comma at the end makes the whole line unreadable".to_owned();
        return (message, fixed("remove the comma", list.to_vec()));
    }
    if before.last().is_some_and(|byte| matches!(byte, b' ' | b'\t')) && !before.trim_ascii_end().ends_with(b",") {
        let message =
            format!("{} has a blank where a comma is expected: the whole line is unreadable", quoted(statement));
        return (message, fixed("put a comma before the blank", [before.trim_ascii_end(), b", ", rest].concat()));
    }
    (format!("{} is no dictionary of RFC 9651: {error}: the whole line is unreadable", quoted(statement)), None)
}
