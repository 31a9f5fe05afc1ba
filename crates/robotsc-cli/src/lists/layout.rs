//! Where the URL is in a line.

use robotsc_analysis::words::counted;
use std::borrow::Cow;

use super::{csv, json};

/// Where the URL is in each line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// The whole line.
    Line,
    /// A column, counted from 0, between tabs. `fields` is the number of fields of the first line; 0 means that it is
    /// not known.
    Tsv { column: usize, fields: usize },
    /// A column, counted from 0, of records that can be quoted, between separators. `fields` is the number of fields of
    /// the first record, which all records must have; 0 means that it is not known.
    Csv { column: usize, separator: u8, fields: usize },
    /// The text under a key of a JSON object.
    Json(&'static str),
    /// The JSON of a CDXJ line.
    Cdxj,
}

/// Returns a line without its line feed and the carriage return before it.
#[inline]
pub(crate) fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns the length of the empty lines that a text begins with.
pub(crate) fn empty_lines(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at += match &text[at..] {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => return at,
        };
    }
}

/// The reason for a line with a tab inside.
pub(crate) const INNER_TAB: &str = "a tab in a URL: for a table say --format tsv";

/// Reports whether a line has a tab inside. At both ends tabs, like blanks, are no part of a URL. Inside of it the
/// reader of URLs would remove them, and so join two columns to another URL.
pub(crate) fn has_inner_tab(line: &[u8]) -> bool {
    let is_content = |byte: &u8| *byte > b' ';
    let Some(tab) = memchr::memchr(b'\t', line) else { return false };
    let Some(start) = line.iter().position(is_content) else { return false };
    let end = line.iter().rposition(is_content).unwrap_or(start);
    if start < tab { tab < end } else { memchr::memchr(b'\t', &line[start..end]).is_some() }
}

/// Returns why a line, or the field of a table, holds no one URL; `None` if nothing shows it.
///
/// A tab inside is checked by [`has_inner_tab`], since a field has none.
pub(crate) fn not_one_url(text: &[u8]) -> Option<&'static str> {
    if !text.is_ascii() && str::from_utf8(text).is_err() {
        return Some(OTHER_ENCODING);
    }
    robotsc_answers::url_path::not_one_url(text)
}

/// The reason for a line that is not UTF-8, or not of the encoding that was named.
const OTHER_ENCODING: &str = "it is of another encoding: save the list as UTF-8, or name its --encoding";

impl Layout {
    /// Returns the separator of records that can be quoted, and so can go on over line ends.
    pub(crate) const fn quoting(self) -> Option<u8> {
        match self {
            Self::Csv { separator, .. } => Some(separator),
            _ => None,
        }
    }

    /// Returns the layout of an input whose first record is this one, header or not, without its line end.
    pub(crate) fn with_first(self, record: &[u8]) -> Self {
        match self {
            Self::Csv { column, separator, .. } => {
                let fields = csv::count(record, separator).unwrap_or(0);
                Self::Csv { column, separator, fields }
            }
            Self::Tsv { column, .. } => Self::Tsv { column, fields: memchr::memchr_iter(b'\t', record).count() + 1 },
            _ => self,
        }
    }

    /// Returns why columns that are added to a record would not be below their names; `None` if they are.
    pub(crate) fn misfit(self, record: &[u8]) -> Option<Cow<'static, str>> {
        match self {
            Self::Tsv { fields, .. } => check_count(memchr::memchr_iter(b'\t', record).count() + 1, fields).err(),
            Self::Csv { separator, fields, .. } => match csv::count(record, separator) {
                Ok(count) => check_count(count, fields).err(),
                Err(reason) => Some(reason.into()),
            },
            _ => None,
        }
    }

    /// Returns the reason for a line or record that is longer than `max` bytes, and begins so.
    pub(crate) fn too_long(self, start: &[u8], max: usize) -> String {
        let has_quote = self.quoting().is_some() && memchr::memchr(b'"', start).is_some();
        let way_out = if has_quote { ": look for a quote in it that does not end" } else { "" };
        format!("longer than {} KiB{way_out}", max >> 10)
    }

    /// Returns the URL of a line, which has no line end.
    ///
    /// # Errors
    /// Why the line holds no URL.
    #[inline]
    pub(crate) fn url(self, line: &[u8]) -> Result<Cow<'_, [u8]>, Cow<'static, str>> {
        let url = self.field(line)?;
        match not_one_url(&url) {
            Some(reason) => Err(reason.into()),
            None => Ok(url),
        }
    }

    /// Returns the text of the column or key in a line, which has no line end.
    ///
    /// # Errors
    /// Why the line holds none.
    #[inline]
    pub(crate) fn field(self, line: &[u8]) -> Result<Cow<'_, [u8]>, Cow<'static, str>> {
        match self {
            Self::Line if has_inner_tab(line) => Err(INNER_TAB.into()),
            Self::Line => Ok(Cow::Borrowed(line)),
            Self::Tsv { column, .. } => Ok(Cow::Borrowed(separated(line, b'\t', column)?)),
            Self::Csv { column, separator, fields } => {
                if memchr::memchr(b'"', line).is_none() {
                    let (field, count) = separated_counted(line, separator, column);
                    check_count(count, fields)?;
                    return Ok(Cow::Borrowed(field.ok_or(csv::NO_COLUMN)?));
                }
                check_count(csv::count(line, separator)?, fields)?;
                Ok(csv::field(line, separator, column)?)
            }
            Self::Json(key) => json::text(line, key).map_err(|_| "no JSON object with one text under that key".into()),
            Self::Cdxj => Ok(json_url(line)?),
        }
    }
}

fn separated(line: &[u8], separator: u8, column: usize) -> Result<&[u8], &'static str> {
    let mut rest = line;
    for _ in 0..column {
        let at = memchr::memchr(separator, rest).ok_or(csv::NO_COLUMN)?;
        rest = &rest[at + 1..];
    }
    Ok(&rest[..memchr::memchr(separator, rest).unwrap_or(rest.len())])
}

/// Returns a column of a record without quotes, if there is one, and the number of its columns.
fn separated_counted(line: &[u8], separator: u8, column: usize) -> (Option<&[u8]>, usize) {
    let (mut field, mut count, mut start) = (None, 0, 0);
    for end in memchr::memchr_iter(separator, line).chain([line.len()]) {
        if count == column {
            field = line.get(start..end);
        }
        count += 1;
        start = end + 1;
    }
    (field, count)
}

/// Checks that a record has as many fields as the first, if that is known; 0 if not. If it has more, a separator can be
/// a part of the URL, which would be cut.
fn check_count(count: usize, first: usize) -> Result<(), Cow<'static, str>> {
    if count == first || first == 0 {
        return Ok(());
    }
    let way_out = if count > first { ": put a field that holds a separator in quotes" } else { "" };
    Err(format!("this record has {}, the first has {first}{way_out}", counted(count, "field")).into())
}

/// Returns the URL of a CDXJ line: a key, a time and JSON, with one space between them; or the JSON alone. A brace in
/// the key is not JSON: whoever chose the URL chose the key, too.
fn json_url(line: &[u8]) -> Result<Cow<'_, [u8]>, &'static str> {
    let json = cdxj_json(line);
    if json.first() != Some(&b'{') {
        return Err("no JSON after a key and a time");
    }
    json::text(json, "url").map_err(|_| "no JSON object with one \"url\" that is text")
}

/// Returns the JSON of a CDXJ line.
pub(crate) fn cdxj_json(line: &[u8]) -> &[u8] {
    let start = match line.first() {
        Some(b'{') => 0,
        _ => memchr::memchr_iter(b' ', line).nth(1).map_or(line.len(), |at| at + 1),
    };
    &line[start..]
}

#[cfg(test)]
mod tests {
    use robotsc_answers::url_path::{TEXT_FIRST, TWO_URLS};

    use super::*;

    #[test]
    fn a_line_holds_one_url() {
        for (line, reason) in [
            (&b"https://h/a"[..], None),
            (b"https://h/?u=https://other/", None),
            (b"https://h/a b", None),
            (b" https://h/a ", None),
            ("https://h/f\u{fc}r".as_bytes(), None),
            (b"https://h/a https://h/b", Some(TWO_URLS)),
            (b"/a http://h/b", Some(TWO_URLS)),
            (b"https://h/a,https://h/b", Some(TWO_URLS)),
            (b"https://h/a;http://h/b", Some(TWO_URLS)),
            (b"https://h/?a=1,https://h/b", None),
            (b"- https://h/a", Some(TEXT_FIRST)),
            (b"# https://h/a", Some(TEXT_FIRST)),
            (b"Sitemap: https://h/a", Some(TEXT_FIRST)),
            (b"https://h/a   ftp://h/b", Some(TWO_URLS)),
            ("https://h/a\u{a0}https://h/b".as_bytes(), Some(TWO_URLS)),
            (b"https://h/f\xFCr", Some(OTHER_ENCODING)),
        ] {
            assert_eq!(not_one_url(line), reason, "{}", line.escape_ascii());
        }
    }

    fn url(layout: Layout, line: &str) -> Option<String> {
        layout.url(line.as_bytes()).ok().map(|url| String::from_utf8(url.into_owned()).unwrap())
    }

    #[test]
    fn lines_have_no_tab_inside() {
        for (line, is_url) in [
            ("a", true),
            ("", true),
            ("\t", true),
            (" \t \t", true),
            ("\ta\t", true),
            ("\t \tab\t \t", true),
            ("a b,c", true),
            ("a\tb", false),
            ("a\tb\t", false),
            ("\ta\tb", false),
            (" \ta\t \tb", false),
        ] {
            assert_eq!(url(Layout::Line, line).is_some(), is_url, "{line:?}");
        }
    }

    #[test]
    fn columns_between_tabs() {
        assert_eq!(url(Layout::Tsv { column: 0, fields: 0 }, "a\tb").as_deref(), Some("a"));
        assert_eq!(url(Layout::Tsv { column: 1, fields: 0 }, "a\tb\tc").as_deref(), Some("b"));
        assert_eq!(url(Layout::Tsv { column: 1, fields: 0 }, "a\t").as_deref(), Some(""));
        assert_eq!(url(Layout::Tsv { column: 1, fields: 0 }, "a"), None);
    }

    #[test]
    fn columns_between_separators() {
        for (line, separator, column, found) in [
            ("a,b;c", b',', 1, Some("b;c")),
            ("a,b;c", b';', 1, Some("c")),
            ("\"a,\"\"b\"\"\",c", b',', 1, Some("c")),
            ("\"a;b\";c", b';', 1, Some("c")),
            ("a,\"b\nc\"", b',', 1, None),
            ("\"a\"", b',', 1, None),
            ("a,\"b", b',', 1, None),
        ] {
            let layout = Layout::Csv { column, separator, fields: 0 };
            assert_eq!(url(layout, line).as_deref(), found, "{line} {column}");
        }
    }

    #[test]
    fn all_records_have_as_many_fields_as_the_first() {
        let layout = Layout::Csv { column: 0, separator: b',', fields: 0 };
        for (first, line, found) in [
            ("url", "a,b", None),
            ("url", "\"a,b\"", Some("a,b")),
            ("url,x", "a", None),
            ("url,x", "a,", Some("a")),
            ("url,x", "a,\"b,\nc\"", Some("a")),
            ("url,x", "a,\"b\",c", None),
            ("\"u,v\",\"x\ny\"", "a,b", Some("a")),
        ] {
            assert_eq!(url(layout.with_first(first.as_bytes()), line).as_deref(), found, "{first} {line}");
        }
    }

    #[test]
    fn urls_in_json() {
        for (json, found) in [
            (r#"{"url": "http://h/a", "mime": "x"}"#, Some("http://h/a")),
            (r#"{"mime": "x"}"#, None),
            (r#"{"url": "http://h/a"#, None),
            ("", None),
        ] {
            let line = format!("com,example)/ 20261121000000 {json}");
            assert_eq!(url(Layout::Cdxj, &line).as_deref(), found, "{json}");
            assert_eq!(url(Layout::Cdxj, json).as_deref(), found, "{json}");
        }
        // Keys hold braces and quotes as the URL has them.
        let line = r#"com,example)/{"url":"http://h/"} 20261121000000 {"url": "http://example.com/{"}"#;
        assert_eq!(url(Layout::Cdxj, line).as_deref(), Some("http://example.com/{"));
        for line in [r#"com,example)/{"url":"http://h/"}"#, r#"com,example)/ {"url":"http://h/"}"#] {
            assert_eq!(url(Layout::Cdxj, line), None);
        }
    }
}
