//! How RON is read, and what its errors look like here.

use std::sync::Arc;

use ron::extensions::Extensions;

use super::schema;
use crate::diagnostic::{Code, Diagnostic, SourceFile, SourceSpan, listed, meant, quoted};

/// Returns the settings of the RON library.
pub(crate) fn ron_options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

/// Returns the error for a version of the format that is not known.
pub(super) fn unknown_version(version: &str, spot: SourceSpan) -> Diagnostic {
    // A number has ten digits at most; what has more is shown as text is, cut.
    let version = if version.len() <= 10 { version.to_owned() } else { quoted(version) };
    let help = format!("this library reads version {}; a newer one may read this file", schema::VERSION);
    let message = format!("version {version} of the format is not known");
    Diagnostic::error(Code::Version, message).at(spot, "not known").help(help)
}

/// Returns the error for a text that the RON library refused.
pub(super) fn syntax_error(source: &Arc<SourceFile>, text: &str, error: &ron::error::SpannedError) -> Diagnostic {
    let start = offset(text, error.span.start);
    let span = start..offset(text, error.span.end).max(start);
    let spot = SourceSpan::new(source, span);
    let of = |outer: &Option<String>| outer.as_ref().map_or(String::new(), |outer| format!(" of {}", quoted(outer)));
    match &error.code {
        ron::Error::NoSuchStructField { expected, found, outer } => {
            let message = format!("no field{} is named {}", of(outer), quoted(found));
            let label = meant(found, expected.iter().copied(), "not a field");
            let fields = format!("the fields are {}", listed(expected.iter().copied()));
            Diagnostic::error(Code::UnknownField, message).at(spot, label).note(fields)
        }
        ron::Error::NoSuchEnumVariant { expected, found, .. } => {
            let label = meant(found, expected.iter().copied(), "not a choice");
            let choices = format!("the choices are {}", listed(expected.iter().copied()));
            let message = format!("{} is none of the choices here", quoted(found));
            Diagnostic::error(Code::UnknownField, message).at(spot, label).note(choices)
        }
        ron::Error::MissingStructField { field, outer } => {
            let message = format!("the field {}{} is missing", quoted(field), of(outer));
            Diagnostic::error(Code::MissingField, message).at(spot, "before this")
        }
        ron::Error::DuplicateStructField { field, outer } => {
            let message = format!("the field {}{} stands here twice", quoted(field), of(outer));
            Diagnostic::error(Code::Syntax, message).at(spot, "the second time")
        }
        ron::Error::ExpectedNamedStructLike(name) | ron::Error::ExpectedDifferentStructName { expected: name, .. } => {
            not_a_struct(name, text, spot)
        }
        ron::Error::ExpectedIdentifier => {
            let error =
                Diagnostic::error(Code::Syntax, "a word without quotes is expected here").at(spot, "not a word");
            error.help("a rule is written `Deny(path: \"/cart\")` or `Disallow(\"/cart\")`, a verdict `Disallow`")
        }
        other => {
            let message = other.to_string();
            let mut chars = message.chars();
            let first = chars.next().map(|first| first.to_ascii_lowercase());
            let message: String = first.into_iter().chain(chars).collect();
            Diagnostic::error(Code::Syntax, message).at(spot, "here")
        }
    }
}

/// How a file starts.
const START: &str = "a file of rule sets starts with `(version: 1, rule_sets: [`";

/// Returns the error for a text that has something else where the schema has a struct.
fn not_a_struct(name: &str, text: &str, spot: SourceSpan) -> Diagnostic {
    let error = |message: &str, label: &str| Diagnostic::error(Code::Syntax, message).at(spot.clone(), label);
    let form = match name {
        "File" if text.trim().is_empty() => return error("the file is empty", "nothing here").help(START),
        "File" if text.trim_start().starts_with('{') => {
            let error = error("the file is not RON: it looks like JSON", "not a `(`");
            return error.help("in RON a struct is in parentheses and its fields have no quotes: `(version: 1, …)`");
        }
        "File" => return error("the file does not hold rule sets", "not a `(`").help(START),
        "RuleSet" => "`(name: \"shop\", …)`",
        "Group" => "`(agents: [\"FooBot\"], rules: [Disallow(\"/cart\")])`",
        "Expectation" => "`(agent: \"FooBot\", url: \"/cart\", verdict: Disallow)`",
        _ => return error("a struct is expected here", "not a `(`").help("a struct is written `(field: value, …)`"),
    };
    let what = match name {
        "RuleSet" => "a rule set",
        "Group" => "a group",
        _ => "an expectation",
    };
    error(&format!("{what} is expected here"), "not a `(`").help(format!("{what} is written {form}"))
}

/// The byte of a position in lines and characters, both from 1.
fn offset(text: &str, position: ron::error::Position) -> usize {
    let line_start = match position.line.checked_sub(2) {
        None => 0,
        Some(skipped) => text.match_indices('\n').nth(skipped).map_or(text.len(), |(at, _)| at + 1),
    };
    let line = &text[line_start..];
    let column = position.col.saturating_sub(1);
    line_start + line.char_indices().nth(column).map_or(line.len(), |(at, _)| at)
}
