//! An open document: one version of its text, and what was found in it.
//!
//! A document never changes. An edit makes the next one and marks this one as stale, so that work on it is not begun,
//! and its results are not shown.

use std::ops::Range as Bytes;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use gen_lsp_types::{Position, Range, Uri};
use robotsc::RobotsTxt;
use robotsc::analysis::lint::Finding;
use serde::Deserialize;

use crate::lazy_profile::LazyProfile;
use crate::positions::{Encoding, Positions};
use crate::profile::Profile;

/// A version of a document.
pub(crate) struct Document {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) text: String,
    pub(crate) lazy_profile: Arc<LazyProfile>,
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
    pub(crate) fn new(
        uri: Uri,
        version: i32,
        text: String,
        lazy_profile: Arc<LazyProfile>,
        encoding: Encoding,
    ) -> Self {
        Self { uri, version, text, lazy_profile, encoding, is_stale: AtomicBool::new(false), found: OnceLock::new() }
    }

    /// Returns how the document is read. The first caller reads the files of its project.
    pub(crate) fn profile(&self) -> &Profile {
        self.lazy_profile.get()
    }

    pub(crate) fn robots(&self) -> RobotsTxt<'_> {
        RobotsTxt::parse_with(self.text.as_bytes(), self.profile().dialect)
    }

    pub(crate) fn positions(&self) -> Positions<'_> {
        Positions::new(&self.text, self.encoding)
    }

    /// Returns what is wrong with the document. The first caller computes it, others wait for it.
    pub(crate) fn findings(&self) -> &[Finding] {
        self.found.get_or_init(|| self.profile().findings(&self.robots()))
    }

    /// Reports whether a newer version is there, or the document is closed.
    pub(crate) fn is_stale(&self) -> bool {
        self.is_stale.load(Ordering::Acquire)
    }

    pub(crate) fn mark_stale(&self) {
        self.is_stale.store(true, Ordering::Release);
    }
}

/// Applies the changes of a notification to a text, in order.
///
/// ```text
/// line 9: replace    line 5: replace    line 2: replace        one run: none moves what is before it
/// ```
/// Editors send many changes from the end of a file towards its start. Such a run is applied in one pass.
///
/// Cost: linear in the text for each run, and in the line for each change.
pub(crate) fn edited(text: &str, changes: &[ContentChange], encoding: Encoding) -> String {
    let mut text = text.to_owned();
    let mut rest = changes;
    while let Some((first, after)) = rest.split_first() {
        if first.range.is_none() {
            text.clone_from(&first.text);
            rest = after;
            continue;
        }
        let positions = Positions::new(&text, encoding);
        let mut run: Vec<(Bytes<usize>, &str)> = Vec::new();
        let mut end = Position { line: u32::MAX, character: u32::MAX };
        while let Some((ContentChange { range: Some(range), text: with }, after)) = rest.split_first()
            && range.start.max(range.end) <= end
        {
            let bytes = positions.bytes(*range);
            // As it is in the text: a position beyond the end of a line means another place after an insertion there.
            end = positions.position(bytes.start);
            let is_after_cr = text[..bytes.start].ends_with('\r');
            run.push((bytes, with));
            rest = after;
            if is_after_cr {
                // An LF that is inserted here changes where the line before ends.
                break;
            }
        }
        let mut next = String::with_capacity(text.len());
        let mut at = 0;
        for (bytes, with) in run.into_iter().rev() {
            next.push_str(&text[at..bytes.start]);
            next.push_str(with);
            at = bytes.end;
        }
        next.push_str(&text[at..]);
        text = next;
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
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::time::Instant;

    fn change() -> impl Strategy<Value = ContentChange> {
        let position = || (0..5u32, 0..5u32).prop_map(|(line, character)| Position { line, character });
        let range = (position(), position()).prop_map(|(start, end)| Range { start, end });
        (proptest::option::weighted(0.9, range), "[a\u{1D11E}\r\n]{0,3}")
            .prop_map(|(range, text)| ContentChange { range, text })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn many_changes_are_applied_as_one_by_one(
            text in "[ab\u{1D11E}\r\n]{0,12}",
            mut changes in vec(change(), 0..5),
            is_descending in any::<bool>(),
        ) {
            if is_descending {
                changes.sort_by_key(|change| std::cmp::Reverse(change.range.map(|range| range.start)));
            }
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let one_by_one = changes.iter().fold(text.clone(), |text, change| {
                    let Some(range) = change.range else { return change.text.clone() };
                    let bytes = Positions::new(&text, encoding).bytes(range);
                    format!("{}{}{}", &text[..bytes.start], change.text, &text[bytes.end..])
                });
                prop_assert_eq!(edited(&text, &changes, encoding), one_by_one);
            }
        }
    }

    #[test]
    fn many_changes_of_a_long_text() {
        let text = "Disallow: /a\n".repeat(20_000);
        let at = |line| Position { line, character: 12 };
        let change = |line| ContentChange { range: Some(Range { start: at(line), end: at(line) }), text: "b".into() };
        let changes: Vec<_> = (0..20_000).rev().map(change).collect();
        let start = Instant::now();
        assert_eq!(edited(&text, &changes, Encoding::Utf16), "Disallow: /ab\n".repeat(20_000));
        assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
    }

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
