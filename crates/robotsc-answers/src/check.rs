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

/// Returns an answer. `verdict` is a word such as `allowed`; `agent` is present if several are answered for.
#[must_use]
pub fn json(
    verdict: &str,
    (url, path): (&[u8], &[u8]),
    agent: Option<&str>,
    rule: Option<AnswerRule<'_>>,
) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("type".to_owned(), "verdict".into());
    object.insert("verdict".to_owned(), verdict.into());
    shown::put(&mut object, "url", url);
    object.extend(agent.map(|agent| ("agent".to_owned(), agent.into())));
    shown::put(&mut object, "path", path);
    if let Some(rule) = rule {
        object.insert("line".to_owned(), rule.line.into());
        object.insert("length".to_owned(), rule.length.into());
        if let Some(pattern) = rule.pattern {
            shown::put(&mut object, "pattern", pattern);
        }
    }
    object
}
