//! A preference that a policy states, and whether lines of a file say the opposite.

use robotsc::RobotsTxt;
use robotsc::record::{RecordKind, RecordValue};
use robotsc_analysis::preferences::{Dictionary, Label, Preference, SignalMeaning, Vocabulary, signals};

use super::refusal::{Refusal, Why};
use crate::mistake::Mistake;
use crate::shown;

/// A preference for all paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stated {
    pub(super) kind: RecordKind,
    /// The directive, as it is written.
    pub(super) key: &'static str,
    pub(super) statement: String,
    /// What is said of each label that is named.
    labels: Vec<(&'static Label, Preference)>,
}

impl Stated {
    /// Returns the line of it.
    pub(super) fn line(&self) -> String {
        format!("{}: {}", self.key, self.statement)
    }

    /// Reports whether a record is this one.
    pub(super) fn is(&self, record: &RecordValue<'_>) -> bool {
        let (kind, split) = match record {
            RecordValue::ContentUsage(split) => (RecordKind::ContentUsage, split),
            RecordValue::ContentSignal(split) => (RecordKind::ContentSignal, split),
            _ => return false,
        };
        kind == self.kind && split.path.is_none() && split.statement == self.statement.as_bytes()
    }

    /// Checks that another preference for the same use does not say the opposite.
    ///
    /// # Errors
    /// What each of the two says.
    pub(super) fn agrees_with(&self, other: &Self) -> Result<(), Mistake> {
        for (label, said) in &self.labels {
            let is_same_use =
                |label: &Label, other: &Label| label.category.is_some() && label.category == other.category;
            let opposite = other.labels.iter().find(|(other, meant)| is_same_use(label, other) && meant != said);
            if let Some((against, _)) = opposite {
                return Err(Mistake::new(
                    "opposite preferences",
                    format_args!(
                        "`{}` and `{}`: `{}` and `{}` are about the same use: say the same, or leave one out",
                        self.line(),
                        other.line(),
                        label.name,
                        against.name
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Checks that no line of a file says something else, and that none of the other vocabulary says the opposite of
    /// the same use. A line with a path overrides this one there, also with what it leaves open.
    ///
    /// # Errors
    /// The line that does.
    pub(super) fn check(&self, robots: &RobotsTxt<'_>) -> Result<(), Refusal> {
        for record in robots.records() {
            let (key, split) = match record.value(robots.body()) {
                Some(RecordValue::ContentUsage(split)) => (USAGE, split),
                Some(RecordValue::ContentSignal(split)) => (SIGNAL, split),
                _ => continue,
            };
            for (label, wanted) in &self.labels {
                let is_same = record.kind == self.kind;
                let own = if is_same { Some(label.name) } else { vocabulary(record.kind).corresponding(label) };
                let Some(own) = own else { continue };
                let said = said(record.kind, split.statement, own);
                let is_open = said == Preference::Unknown && (split.path.is_none() || !is_same);
                if said == *wanted || is_open {
                    continue;
                }
                let about = match is_same {
                    true => format!("is about `{own}`, too"),
                    false => format!("says the opposite of `{}`", self.statement),
                };
                let text = shown::bytes(record.value.of(robots.body()));
                let cause =
                    format!("`{key}: {text}` {about}: remove the line, or leave `{}` out of the policy", label.name);
                return Err(Refusal::new(Why::Conflict, cause).at(record.line));
            }
        }
        Ok(())
    }
}

const USAGE: &str = "Content-Usage";
const SIGNAL: &str = "Content-Signal";

/// Returns the vocabulary of a kind of preferences.
fn vocabulary(kind: RecordKind) -> &'static Vocabulary {
    if kind == RecordKind::ContentUsage { Vocabulary::NEWEST } else { Vocabulary::SIGNALS }
}

/// Returns what a statement says of a label.
fn said(kind: RecordKind, statement: &[u8], label: &str) -> Preference {
    if kind == RecordKind::ContentUsage {
        return Dictionary::parse(statement).map_or(Preference::Unknown, |said| said.preference(label));
    }
    let mut all = Preference::Unknown;
    for signal in signals(statement) {
        if let Some(SignalMeaning::Label(known, is_yes)) = signal.meaning
            && known.name == label
        {
            all = all.and(if is_yes { Preference::Yes } else { Preference::No });
        }
    }
    all
}

/// Reads what `Content-Usage` is to say.
pub(super) fn usage(statement: &str) -> Result<Stated, Mistake> {
    let (key, kind) = (USAGE, RecordKind::ContentUsage);
    let names = || names(Vocabulary::NEWEST);
    let form = || format!("write {} with `=y` or `=n`", names());
    let read = Dictionary::parse(statement.as_bytes()).map_err(|_| bad(key, statement, &form()))?;
    let mut labels = Vec::new();
    for (name, value) in read.values() {
        let label = Vocabulary::NEWEST.label(name.as_bytes()).filter(|_| value.preference != Preference::Unknown);
        let label = label.ok_or_else(|| bad(key, statement, &form()))?;
        if value.is_repeated {
            return Err(bad(key, statement, &format_args!("it names `{name}` twice: once is enough")));
        }
        labels.push((label, value.preference));
    }
    // A value is `y` or `n`: what has this sign are parameters.
    if statement.contains(';') {
        return Err(bad(key, statement, &"what follows a `;` means nothing: leave it out"));
    }
    stated(Stated { kind, key, statement: statement.to_owned(), labels }, &names())
}

/// Reads what `Content-Signal` is to say.
pub(super) fn signal(statement: &str) -> Result<Stated, Mistake> {
    let (key, kind) = (SIGNAL, RecordKind::ContentSignal);
    let names = || names(Vocabulary::SIGNALS);
    let mut labels: Vec<(&'static Label, Preference)> = Vec::new();
    for signal in signals(statement.as_bytes()) {
        match signal.meaning {
            Some(SignalMeaning::Label(label, _)) if labels.iter().any(|(other, _)| *other == label) => {
                return Err(bad(key, statement, &format_args!("it names `{}` twice: once is enough", label.name)));
            }
            Some(SignalMeaning::Label(label, is_yes)) => {
                labels.push((label, if is_yes { Preference::Yes } else { Preference::No }));
            }
            _ => return Err(bad(key, statement, &format_args!("write {} with `=yes` or `=no`", names()))),
        }
    }
    stated(Stated { kind, key, statement: statement.to_owned(), labels }, &names())
}

fn stated(stated: Stated, names: &str) -> Result<Stated, Mistake> {
    let statement = &stated.statement;
    let is_line = statement.trim() == statement && !statement.contains(|char: char| char == '#' || char.is_control());
    if stated.labels.is_empty() || !is_line || statement.starts_with('/') {
        return Err(bad(stated.key, statement, &format_args!("it names none of {names}, alone")));
    }
    Ok(stated)
}

fn names(vocabulary: &Vocabulary) -> String {
    vocabulary.labels.iter().map(|label| label.name).collect::<Vec<_>>().join(", ")
}

fn bad(key: &str, statement: &str, cause: &dyn std::fmt::Display) -> Mistake {
    Mistake::new("bad preference", format_args!("{key} '{}': {cause}", shown::line(statement)))
}
