//! What a `Content-Signal` statement says.

use super::vocabulary::{Label, Vocabulary};
use robotsc_runtime::Preference;
use robotsc_runtime::UseLevel;

/// An item of a `Content-Signal` statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal<'t> {
    /// What is before the `=`, or the whole item.
    pub name: &'t [u8],
    /// What is after it.
    pub value: &'t [u8],
    /// What it means; `None` if it says nothing.
    pub meaning: Option<SignalMeaning>,
}

/// What an item of a `Content-Signal` statement means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignalMeaning {
    /// `yes` or `no` for a label of [`Vocabulary::SIGNALS`].
    Label(&'static Label, bool),
    /// How far a use may go.
    Use(UseLevel),
}

/// Returns the items of a statement, separated by commas, in any case. Empty ones are left out.
///
/// If the name of the first item holds a blank, as in `*.png ai-train=no, search=yes`, no item means anything: what is
/// before the blank seems to be a path, and the rest must not be taken for all paths.
///
/// Cost: linear in the statement, no allocation. Never panics.
///
/// ```
/// use robotsc::analysis::preferences::{SignalMeaning, UseLevel, signals};
///
/// let read: Vec<_> = signals(b"search=yes, use=reference, train-ai=no").collect();
/// assert!(matches!(read[0].meaning, Some(SignalMeaning::Label(label, true)) if label.name == "search"));
/// assert_eq!(read[1].meaning, Some(SignalMeaning::Use(UseLevel::Reference)));
/// assert_eq!(read[2].meaning, None);
/// ```
pub fn signals(statement: &[u8]) -> impl Iterator<Item = Signal<'_>> {
    let is_about_a_path = blank_in_first_name(statement).is_some();
    items(statement).map(move |(name, value)| {
        let meaning = if is_about_a_path { None } else { meaning(name, value) };
        Signal { name, value, meaning }
    })
}

/// Returns the name of the first item if it holds a blank: then the statement says nothing.
#[must_use]
pub fn blank_in_first_name(statement: &[u8]) -> Option<&[u8]> {
    let (name, _) = items(statement).next()?;
    name.iter().any(|byte| byte.is_ascii_whitespace()).then_some(name)
}

/// Returns the name and the value of each item.
fn items(statement: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let items = statement.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).filter(|item| !item.is_empty());
    items.map(|item| match item.iter().position(|&byte| byte == b'=') {
        Some(at) => (item[..at].trim_ascii(), item[at + 1..].trim_ascii()),
        None => (item, &[][..]),
    })
}

fn meaning(name: &[u8], value: &[u8]) -> Option<SignalMeaning> {
    if name.eq_ignore_ascii_case(b"use") {
        return UseLevel::by_word(value).map(SignalMeaning::Use);
    }
    let mut labels = Vocabulary::SIGNALS.labels.iter();
    let label = labels.find(|label| name.eq_ignore_ascii_case(label.name.as_bytes()))?;
    let is_yes = value.eq_ignore_ascii_case(b"yes");
    (is_yes || value.eq_ignore_ascii_case(b"no")).then_some(SignalMeaning::Label(label, is_yes))
}

/// What a statement says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignalStatement {
    /// One for each label of [`Vocabulary::SIGNALS`], in its order.
    pub preferences: Vec<Preference>,
    /// The strictest level that is stated.
    pub use_level: Option<UseLevel>,
}

impl SignalStatement {
    /// Reads a statement. Of two items on one signal the stricter holds.
    #[must_use]
    pub fn read(statement: &[u8]) -> Self {
        let mut preferences = vec![Preference::Unknown; Vocabulary::SIGNALS.labels.len()];
        let mut use_level: Option<UseLevel> = None;
        for signal in signals(statement) {
            match signal.meaning {
                Some(SignalMeaning::Label(label, is_yes)) => {
                    let labels = Vocabulary::SIGNALS.labels.iter().zip(&mut preferences);
                    for (_, preference) in labels.filter(|(other, _)| other.name == label.name) {
                        *preference = preference.and(is_yes.into());
                    }
                }
                Some(SignalMeaning::Use(level)) => {
                    use_level = Some(use_level.map_or(level, |other| other.min(level)));
                }
                None => {}
            }
        }
        Self { preferences, use_level }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements() {
        for (statement, wanted) in [
            ("search=yes,ai-train=no", "no unknown yes -"),
            ("ai-train=yes, search=yes, ai-input=yes", "yes yes yes -"),
            ("Search = YES , AI-Input=No,", "unknown no yes -"),
            ("search=yes,ai-train=no,use=reference", "no unknown yes reference"),
            ("USE=Full, use=immediate, use=all", "unknown unknown unknown immediate"),
            ("search=no,search=yes", "unknown unknown no -"),
            ("search=yes,search=no", "unknown unknown no -"),
            ("search=yes, ai-train=maybe", "unknown unknown yes -"),
            ("ai-train=no; search=yes", "unknown unknown unknown -"),
            // What seems to be a path: nothing counts.
            ("*.png ai-train=no, search=yes", "unknown unknown unknown -"),
            ("blog/ ai-train=no, search=yes, use=full", "unknown unknown unknown -"),
            (", blog/\tai-train=no, search=yes", "unknown unknown unknown -"),
            // A blank elsewhere spoils its own item alone.
            ("ai-train=no x, search=yes", "unknown unknown yes -"),
            ("search=yes, x ai-train=no", "unknown unknown yes -"),
            ("search", "unknown unknown unknown -"),
            (",", "unknown unknown unknown -"),
            ("", "unknown unknown unknown -"),
        ] {
            let SignalStatement { preferences, use_level } = SignalStatement::read(statement.as_bytes());
            let shown: Vec<String> = preferences.iter().map(ToString::to_string).collect();
            let level = use_level.map_or("-", UseLevel::as_str);
            assert_eq!(format!("{} {level}", shown.join(" ")), wanted, "{statement}");
        }
    }
}
