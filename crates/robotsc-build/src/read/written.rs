//! Rule sets as files hold them, with their places, before they are composed.

use std::sync::Arc;

use crate::diagnostic::{SourceFile, SourceSpan};
use crate::read::locate::Node;
use crate::read::schema;

/// A file that was read.
#[derive(Debug)]
pub(crate) struct ParsedFile {
    /// The number of its folder.
    pub(crate) folder: usize,
    pub(crate) source: Arc<SourceFile>,
    /// The places of its values.
    pub(crate) places: Node,
    pub(crate) file: schema::RulesFile,
    /// Whether its sets are wanted; those of other files are there to be extended.
    pub(crate) wanted: bool,
}

/// The robots.txt files that rule sets name.
pub(crate) trait RobotsFiles {
    /// Returns a robots.txt by its path from the folder with a number, or why it cannot be used.
    fn robots(&mut self, folder: usize, path: &str) -> Result<Arc<SourceFile>, String>;
}

/// A set as written, and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrittenSet<'f> {
    pub(crate) file: &'f ParsedFile,
    pub(crate) set: &'f schema::RuleSetEntry,
    pub(crate) node: &'f Node,
}

impl WrittenSet<'_> {
    /// The place of a value of this set.
    pub(crate) fn spot(&self, node: &Node) -> SourceSpan {
        SourceSpan::new(&self.file.source, node.span.clone())
    }

    /// The file's text. What the RON library took is UTF-8.
    pub(crate) fn text(&self) -> &str {
        str::from_utf8(&self.file.source.bytes).unwrap_or_default()
    }
}

/// The help for a wrong name.
pub(crate) const NAMES: &str =
    "names are lower case words and numbers joined by `-`, with a letter first, and at most 64 bytes";

/// Reports whether a text is a name of a rule set or a rule.
pub(crate) fn is_name(text: &str) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    text.len() <= 64 && text.starts_with(|first: char| first.is_ascii_lowercase()) && text.split('-').all(is_word)
}
