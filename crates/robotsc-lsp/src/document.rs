//! An open document: one version of its text, and what was found in it.
//!
//! A document never changes. An edit makes the next one and marks this one as stale, so that work on it is not begun,
//! and its results are not shown.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use gen_lsp_types::{Range, Uri};
use robotsc::RobotsTxt;
use robotsc::analysis::lint::Finding;
use serde::Deserialize;

use crate::positions::{Encoding, Positions};
use crate::profile::Profile;

/// A version of a document.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) text: String,
    pub(crate) profile: Arc<Profile>,
    pub(crate) encoding: Encoding,
    is_stale: AtomicBool,
    found: OnceLock<Vec<Finding>>,
}

/// A change of a text: of a range, or of all of it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ContentChange {
    pub(crate) range: Option<Range>,
    pub(crate) text: String,
}

impl Document {
    pub(crate) fn new(uri: Uri, version: i32, text: String, profile: Arc<Profile>, encoding: Encoding) -> Self {
        Self { uri, version, text, profile, encoding, is_stale: AtomicBool::new(false), found: OnceLock::new() }
    }

    pub(crate) fn robots(&self) -> RobotsTxt<'_> {
        RobotsTxt::parse_with(self.text.as_bytes(), self.profile.dialect)
    }

    pub(crate) fn positions(&self) -> Positions<'_> {
        Positions::new(&self.text, self.encoding)
    }

    /// Returns what is wrong with the document. The first caller computes it, others wait for it.
    pub(crate) fn findings(&self) -> &[Finding] {
        self.found.get_or_init(|| self.profile.findings(&self.robots()))
    }

    /// Reports whether a newer version is there, or the document is closed.
    pub(crate) fn is_stale(&self) -> bool {
        self.is_stale.load(Ordering::Acquire)
    }

    pub(crate) fn mark_stale(&self) {
        self.is_stale.store(true, Ordering::Release);
    }
}

/// Applies the changes of a notification to a text, in order. Cost: linear in the text for each.
pub(crate) fn edited(text: &str, changes: &[ContentChange], encoding: Encoding) -> String {
    let mut text = text.to_owned();
    for change in changes {
        match change.range {
            None => text.clone_from(&change.text),
            Some(range) => {
                let bytes = Positions::new(&text, encoding).bytes(range);
                text.replace_range(bytes, &change.text);
            }
        }
    }
    text
}

/// Reports whether a document is a robots.txt: by the language that the editor calls it, or by its name.
pub(crate) fn is_robots_txt(language: &str, uri: &str) -> bool {
    let path = uri.split(['?', '#']).next().unwrap_or(uri);
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(language, "robots-txt" | "robots.txt" | "robotstxt" | "robots")
        || name.eq_ignore_ascii_case("robots.txt")
        || name.to_ascii_lowercase().ends_with(".robots.txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_that_are_robots_txt() {
        for (language, uri, wanted) in [
            ("plaintext", "file:///srv/robots.txt", true),
            ("plaintext", "file:///srv/ROBOTS.TXT", true),
            ("plaintext", "git:/srv/robots.txt?ref=HEAD", true),
            ("plaintext", "file:///srv/shop.robots.txt", true),
            ("robots-txt", "untitled:Untitled-1", true),
            ("robots", "file:///x", true),
            ("plaintext", "file:///srv/notes.txt", false),
            ("plaintext", "file:///srv/myrobots.txt", false),
            ("", "", false),
        ] {
            assert_eq!(is_robots_txt(language, uri), wanted, "{language} {uri}");
        }
    }
}
