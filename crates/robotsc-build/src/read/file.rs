//! One file of rule sets: from its bytes to its values and their places.

use super::locate::Node;
use super::schema;
use super::syntax::{ron_options, syntax_error, unknown_version};
use super::written::ParsedFile;
use crate::diagnostic::{Code, Diagnostic, SourceFile, SourceSpan};
use crate::limits::BuildLimits;

/// Parses a file of the folder with a number. `name` is relative to the folder, `shown` is the path for errors.
pub(crate) fn parse(
    (folder, name, shown): (usize, &str, String),
    mut bytes: Vec<u8>,
    wanted: bool,
    limits: &BuildLimits,
) -> Result<ParsedFile, Diagnostic> {
    // Some editors write a mark in front of UTF-8; it is no part of the text, and of no column.
    if bytes.starts_with("\u{FEFF}".as_bytes()) {
        bytes.drain(..3);
    }
    let source = SourceFile::new(name, shown.clone(), bytes);
    let text = match str::from_utf8(&source.bytes) {
        Ok(_) if source.bytes.len() > limits.max_file_bytes => {
            let message = format!("{} bytes, and the limit is {}", source.bytes.len(), limits.max_file_bytes);
            let error = Diagnostic::error(Code::OverLimit, message).in_file(shown);
            return Err(error.help("raise `max_file_bytes`"));
        }
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            let spot = SourceSpan::new(&source, at..at + error.error_len().unwrap_or(1));
            return Err(Diagnostic::error(Code::Syntax, "the file is not UTF-8").at(spot, "not UTF-8"));
        }
    };
    let places = Node::of(text);
    // A file of another version can have other fields, so the version is checked first.
    if let Some(places) = &places
        && let Some(version) = places.text_of("version", text)
        && version.chars().all(|char| char.is_ascii_digit())
        && version.trim_start_matches('0') != schema::VERSION.to_string()
    {
        let spot = SourceSpan::new(&source, places.field("version").span.clone());
        return Err(unknown_version(version, spot));
    }
    let file =
        ron_options().from_str::<schema::RulesFile>(text).map_err(|error| syntax_error(&source, text, &error))?;
    if file.version != schema::VERSION {
        let span = places.as_ref().map_or(0..0, |places| places.field("version").span.clone());
        return Err(unknown_version(&file.version.to_string(), SourceSpan::new(&source, span)));
    }
    Ok(ParsedFile { folder, source, places: places.unwrap_or_default(), file, wanted })
}
