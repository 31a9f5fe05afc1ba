//! What the pattern of a rule names: a folder at the root, or the name of a folder or an ending after a `*`.
//!
//! ```text
//! /_next/          the folder `/_next`
//! /*/static/*.js   the folder `/static/` anywhere, and the ending `.js`
//! ```

use crate::patterns::pairs::BytePairs;
use crate::text::part::find;

/// Folders of which many sites have sections with the same names, or that few sites have: a rule has to name them from
/// the root, and whole.
const COMMON_WORDS: [&[u8]; 21] = [
    b"/catalog/view",
    b"/skin/frontend",
    b"/static/frontend",
    b"/user/themes",
    b"/wp-content/cache/autoptimize",
    b"/wp-content/cache/min",
    b"/wp-content/cache/wp-rocket",
    b"/wp-content/et-cache",
    b"/wp-content/litespeed",
    b"/wp-content/plugins/elementor",
    b"/wp-content/uploads/elementor",
    b"/wp-includes/blocks",
    b"/themes/",
    b"/media/",
    b"/modules/",
    b"/templates/",
    b"/core/",
    b"/build/",
    b"/Content/",
    b"/sites/default",
    b"/sites/all",
];

/// Reports whether a file is in a folder of which many sites have sections with the same name.
pub(super) fn is_common_word(path: &[u8]) -> bool {
    COMMON_WORDS.iter().any(|word| path.starts_with(word))
}

/// What the pattern of a rule names, read once for all files.
#[derive(Debug)]
pub(super) struct Names<'v> {
    /// The text before the first `*` or `$`.
    head: &'v [u8],
    /// The head without a slash at its end.
    folder: &'v [u8],
    /// The parts after a `*` that can be the name of a folder, or an ending.
    pub(super) parts: Vec<NamePart<'v>>,
}

/// A part of a pattern after a `*`.
#[derive(Debug)]
pub(super) struct NamePart<'v> {
    text: &'v [u8],
    pairs: BytePairs,
    /// Whether it is a word alone.
    is_word: bool,
}

/// The path of a file, without its query, as it is compared with many [`Names`].
pub(super) struct FilePath<'p> {
    path: &'p [u8],
    pairs: BytePairs,
}

impl<'p> FilePath<'p> {
    pub(super) fn of(path: &'p [u8]) -> Self {
        let path = path.split(|byte| *byte == b'?').next().unwrap_or(path);
        Self { path, pairs: BytePairs::of_path(path) }
    }
}

impl<'v> Names<'v> {
    pub(super) fn of(value: &'v [u8]) -> Self {
        let head = value.split(|byte| matches!(byte, b'*' | b'$')).next().unwrap_or_default();
        let parts = value.strip_suffix(b"$").unwrap_or(value).split(|byte| *byte == b'*').skip(1);
        let parts = parts.map(|part| part.split(|byte| *byte == b'?').next().unwrap_or(part));
        // A dot alone is in the name of each file.
        let is_name = |part: &&[u8]| *part == b"." || part.iter().filter(|byte| byte.is_ascii_alphabetic()).count() > 1;
        let parts = parts.filter(is_name).filter(|part| !COMMON_WORDS.contains(part));
        let part = |text: &'v [u8]| NamePart {
            text,
            pairs: BytePairs::of_path(text),
            is_word: text.iter().all(u8::is_ascii_alphanumeric),
        };
        let folder = head.strip_suffix(b"/").unwrap_or(head);
        Self { head, folder, parts: parts.map(part).collect() }
    }

    /// Returns the first letter of the folder.
    pub(super) fn letter(&self) -> Option<u8> {
        self.folder.get(1).copied()
    }

    /// Reports whether a rule that matches a path does so by the name of its folder, from the root: `/_next` does,
    /// `/_n` does not. `/_` is for folders of frameworks alone, and `/wp-` for those of WordPress.
    pub(super) fn folder(&self, path: &[u8]) -> bool {
        let folder = self.folder;
        folder.len() > 1
            && path.starts_with(folder)
            && (matches!(folder, b"/_" | b"/wp-") || matches!(path.get(folder.len()), Some(b'/' | b'?')))
            && (!is_common_word(path) || is_common_word(self.head))
    }

    /// Reports whether a rule that matches a path does so by a part after a `*`: the name of a folder, or an ending. A
    /// word alone is one at the root or at the end: `/*static` is meant for `/static/`, `/*shop` is not meant for
    /// `/cdn/shop/`.
    pub(super) fn part(&self, FilePath { path, pairs }: &FilePath<'_>) -> bool {
        self.parts.iter().any(|part| {
            let is_at_root = || path.get(1..).is_some_and(|rest| rest.starts_with(part.text));
            part.pairs.are_in(*pairs)
                && (!part.is_word || is_at_root() || path.ends_with(part.text))
                && find(path, part.text).is_some()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_name_a_file() {
        for (value, path, wanted) in [
            ("/_", "/_next/static/x.css", (true, false)),
            ("/_next", "/_next/static/x.css", (true, false)),
            ("/_n", "/_next/static/x.css", (false, false)),
            ("/wp-", "/wp-content/themes/x/x.css", (true, false)),
            ("/wp-*", "/wp-content/themes/x/x.css", (true, false)),
            ("/w", "/wp-content/themes/x/x.css", (false, false)),
            ("/*.*", "/x/x.css", (false, true)),
            ("/*.", "/x/x.css", (false, true)),
            ("/*.p", "/x/x.css", (false, false)),
            ("/*/static/", "/x/static/x.css", (false, true)),
            ("/*_next", "/_next/static/x.css", (false, true)),
            ("/*static", "/static/x.css", (false, true)),
            ("/*shop", "/cdn/shop/t/1/assets/x.css", (false, false)),
            ("/*.mjs", "/x/x.mjs", (false, true)),
            ("/core/", "/core/misc/x.js", (true, false)),
            ("/core", "/core/misc/x.js", (false, false)),
            ("/static", "/static/x.css", (true, false)),
            ("/st", "/static/x.css", (false, false)),
            ("/*?", "/static/x.css?v=1", (false, false)),
            ("/*?ver=", "/x/x.css?ver=1", (false, false)),
            ("/*.css?", "/x/x.css?v=1", (false, true)),
            ("/", "/x/x.css", (false, false)),
        ] {
            let [value_bytes, path_bytes] = [value, path].map(str::as_bytes);
            let names = Names::of(value_bytes);
            let found = (names.folder(path_bytes), names.part(&FilePath::of(path_bytes)));
            assert_eq!(found, wanted, "{value} {path}");
        }
    }
}
