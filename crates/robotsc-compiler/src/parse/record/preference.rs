//! `Content-signal` and `Content-usage`: what may be done with the content. Neither says what may be fetched.

use crate::dialect::Trim;
use crate::parse::trim::trim;

/// A `Content-signal` or `Content-usage` record, split into its path and what it states. What the statement means is
/// read elsewhere: its terms are a vocabulary of their own, which changes with each draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreferenceRecord<'b> {
    /// The pattern of the paths that it is about, as in Allow and Disallow; `None` for all.
    pub path: Option<&'b [u8]>,
    /// The statement as written, such as `train-ai=n` or `search=yes, ai-train=no`. It can be empty: such a record
    /// overrides those of shorter paths.
    pub statement: &'b [u8],
}

impl<'b> PreferenceRecord<'b> {
    /// Reads `[path 1*WS] statement`. There is a path exactly if the value starts with `/`; it ends at the first blank
    /// (draft-ietf-aipref-attach-05 section 3.1, which is about Content-Usage; Content-Signal lines are written alike).
    ///
    /// ```
    /// use robotsc::record::PreferenceRecord;
    ///
    /// let record = PreferenceRecord::split(b"/blog/ ai-train=no, search=yes");
    /// assert_eq!(record.path, Some(&b"/blog/"[..]));
    /// assert_eq!(record.statement, b"ai-train=no, search=yes");
    /// ```
    #[must_use]
    pub fn split(value: &'b [u8]) -> Self {
        if !value.starts_with(b"/") {
            return Self { path: None, statement: value };
        }
        let end = memchr::memchr2(b' ', b'\t', value).unwrap_or(value.len());
        // A form feed is no blank: in a dictionary of RFC 9651 it is an error.
        let statement = trim(value, end, value.len(), Trim::SpaceTab);
        Self { path: Some(&value[..end]), statement: statement.of(value) }
    }
}

#[cfg(test)]
mod tests {
    use super::PreferenceRecord;

    #[test]
    fn a_path_ends_at_the_first_blank() {
        for (value, path, statement) in [
            ("train-ai=n", None, "train-ai=n"),
            ("search=yes, ai-train=no", None, "search=yes, ai-train=no"),
            ("/ai-ok/ train-ai=y", Some("/ai-ok/"), "train-ai=y"),
            ("/a\t \tbots=n, train-ai=n", Some("/a"), "bots=n, train-ai=n"),
            ("/blog/ ai-train=no, search=yes", Some("/blog/"), "ai-train=no, search=yes"),
            ("/a \x0Ctrain-ai=n\x0C\t", Some("/a"), "\x0Ctrain-ai=n\x0C"),
            ("/a\x0Ctrain-ai=n", Some("/a\x0Ctrain-ai=n"), ""),
            ("/a \t", Some("/a"), ""),
            ("*.png train-ai=n", None, "*.png train-ai=n"),
            ("/path-only", Some("/path-only"), ""),
            ("", None, ""),
        ] {
            let wanted = PreferenceRecord { path: path.map(str::as_bytes), statement: statement.as_bytes() };
            assert_eq!(PreferenceRecord::split(value.as_bytes()), wanted, "{value}");
        }
    }
}
