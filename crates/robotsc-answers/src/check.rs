//! The answer for one URL as JSON.

use serde_json::{Map, Value};

use crate::shown;

/// What is known of the rule that decided.
#[derive(Clone, Copy, Debug)]
pub struct AnswerRule<'r> {
    /// The line, from 1; 0 for a rule of the dialect itself.
    pub line: u32,
    /// The length that ranks it, in bytes; `None` if it has priority over all lengths.
    pub length: Option<u32>,
    /// Its pattern, normalized, if the engine knows it.
    pub pattern: Option<&'r [u8]>,
}

/// Returns an answer as JSON. `verdict` is a word such as `allowed`; `agent` is `None` if a compiled program answers,
/// which holds no names; `note` is what the register of known crawlers adds.
#[must_use]
pub fn json(
    verdict: &str,
    (url, path): (&[u8], &[u8]),
    agent: Option<&str>,
    rule: Option<AnswerRule<'_>>,
    note: Option<&str>,
) -> Map<String, Value> {
    let mut object = start(verdict, url, agent, rule.and_then(|rule| deciding_line(rule.line)), note);
    shown::put(&mut object, "path", path);
    if let Some(rule) = rule {
        object.insert("length".to_owned(), rule.length.into());
        if let Some(pattern) = rule.pattern {
            shown::put(&mut object, "pattern", pattern);
        }
    }
    object
}

/// Returns the fields that every verdict has.
pub(crate) fn start(
    verdict: &str,
    url: &[u8],
    agent: Option<&str>,
    line: Option<u32>,
    note: Option<&str>,
) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("type".to_owned(), "verdict".into());
    object.insert("verdict".to_owned(), verdict.into());
    shown::put(&mut object, "url", url);
    object.insert("agent".to_owned(), agent.into());
    object.insert("line".to_owned(), line.into());
    object.insert("note".to_owned(), note.into());
    object
}

/// Returns the line that decides; `None` for 0, a rule of the dialect itself.
#[must_use]
pub fn deciding_line(line: u32) -> Option<u32> {
    (line > 0).then_some(line)
}

/// Returns the answer for a URL that cannot be read, which docs/schema/error.json describes.
#[must_use]
pub fn error(url: &[u8], agent: Option<&str>, reason: &str) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("type".to_owned(), "error".into());
    shown::put(&mut object, "url", url);
    object.insert("agent".to_owned(), agent.into());
    object.insert("reason".to_owned(), reason.into());
    object
}
