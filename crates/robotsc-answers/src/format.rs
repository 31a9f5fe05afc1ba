//! A robots.txt after formatting, and what changed, as JSON.

use robotsc_analysis::format::{Formatted, Minified, WhyUnchanged, formatted, minified};
use serde_json::{Map, Value};

/// A file after formatting.
#[derive(Clone, Debug)]
pub struct After {
    /// The new body.
    pub body: Vec<u8>,
    /// Why the file was left as it is, if it was.
    pub left: Option<WhyUnchanged>,
    /// If it was minified: the numbers of rules before and after, and whether all was decided.
    pub small: Option<([usize; 2], bool)>,
}

impl After {
    /// Formats a body; `minify` makes it as small as it can be.
    #[must_use]
    pub fn of(body: &[u8], minify: bool) -> Self {
        if minify {
            let Minified { body, rules_before, rules, is_decided, left } = minified(body);
            Self { body, left, small: Some(([rules_before, rules], is_decided)) }
        } else {
            let Formatted { body, left } = formatted(body);
            Self { body, left, small: None }
        }
    }

    /// Returns what changed.
    #[must_use]
    pub fn json(&self, before: &[u8]) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("changed".to_owned(), (self.body != before).into());
        object.insert("bytes_before".to_owned(), before.len().into());
        object.insert("bytes".to_owned(), self.body.len().into());
        object.insert("left".to_owned(), self.left.map(|left| left.to_string()).into());
        if let Some(([before, rules], is_decided)) = self.small {
            object.insert("rules_before".to_owned(), before.into());
            object.insert("rules".to_owned(), rules.into());
            object.insert("decided".to_owned(), is_decided.into());
        }
        object
    }
}
