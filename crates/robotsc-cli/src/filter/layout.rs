//! Where the URL stands in a line.

use std::borrow::Cow;
use std::path::Path;

use serde::Deserialize;

use super::args::FormatArg;

/// The most columns of a line of CSV that are looked at.
const MOST_COLUMNS: usize = 4096;

/// Where the URL stands in each line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// The whole line.
    Line,
    /// A column, counted from 0, between tabs.
    Tsv(usize),
    /// A column, counted from 0, between commas.
    Csv(usize),
    /// The JSON of a CDXJ line.
    Cdxj,
}

impl FormatArg {
    /// The format that the name of a file tells.
    pub(crate) fn of_name(name: &Path) -> Self {
        let lower = name.as_os_str().to_string_lossy().to_ascii_lowercase();
        let plain = [".gz", ".zst", ".zstd"].iter().find_map(|end| lower.strip_suffix(end)).unwrap_or(&lower);
        let ends = |end: &str| plain.ends_with(end);
        if ends(".tsv") {
            Self::Tsv
        } else if ends(".csv") {
            Self::Csv
        } else if ends(".cdxj") {
            Self::Cdxj
        } else {
            Self::Lines
        }
    }

    /// The layout with the URL in this column.
    pub(crate) const fn with_column(self, column: usize) -> Layout {
        match self {
            Self::Lines => Layout::Line,
            Self::Tsv => Layout::Tsv(column),
            Self::Csv => Layout::Csv(column),
            Self::Cdxj => Layout::Cdxj,
        }
    }

    /// The number, from 0, of the column that a header gives this name.
    pub(crate) fn column_named(self, header: &[u8], name: &str) -> Option<usize> {
        let header = without_end(header);
        let header = header.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(header);
        for column in 0..MOST_COLUMNS {
            let found = match self {
                Self::Tsv => Layout::Tsv(column).url(header),
                Self::Csv => Layout::Csv(column).url(header),
                Self::Lines | Self::Cdxj => return None,
            };
            match found {
                Ok(found) if *found == *name.as_bytes() => return Some(column),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
        None
    }
}

/// A line without its line feed and the carriage return before it.
#[inline]
pub(crate) fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

impl Layout {
    /// The URL of a line, which has no line end; or why it holds none.
    #[inline]
    pub(crate) fn url(self, line: &[u8]) -> Result<Cow<'_, [u8]>, &'static str> {
        match self {
            Self::Line => Ok(Cow::Borrowed(line)),
            Self::Tsv(column) => separated(line, b'\t', column).map(Cow::Borrowed),
            Self::Csv(column) if memchr::memchr(b'"', line).is_none() => {
                separated(line, b',', column).map(Cow::Borrowed)
            }
            Self::Csv(column) => quoted(line, column).map(Cow::Owned),
            Self::Cdxj => json_url(line),
        }
    }
}

const NO_COLUMN: &str = "the line has no such column";

fn separated(line: &[u8], separator: u8, column: usize) -> Result<&[u8], &'static str> {
    let mut rest = line;
    for _ in 0..column {
        let at = memchr::memchr(separator, rest).ok_or(NO_COLUMN)?;
        rest = &rest[at + 1..];
    }
    Ok(&rest[..memchr::memchr(separator, rest).unwrap_or(rest.len())])
}

/// The column of a line of CSV that holds a quote.
fn quoted(line: &[u8], column: usize) -> Result<Vec<u8>, &'static str> {
    use csv_core::{ReadFieldResult, Reader};
    // No quote may be open at the end: that line goes on in the next, which is no record of ours.
    if memchr::memchr_iter(b'"', line).count() % 2 == 1 {
        return Err("a quote that does not end in its line");
    }
    let mut reader = Reader::new();
    let mut field = vec![0; line.len() + 1];
    let (mut rest, mut number, mut length) = (line, 0, 0);
    loop {
        let (result, read, written) = reader.read_field(rest, &mut field[length..]);
        rest = &rest[read..];
        length += written;
        match result {
            // The end of the input ends the field.
            ReadFieldResult::InputEmpty => {}
            ReadFieldResult::OutputFull => return Err(NO_COLUMN),
            ReadFieldResult::Field { record_end } => {
                if number == column {
                    field.truncate(length);
                    return Ok(field);
                }
                if record_end {
                    return Err(NO_COLUMN);
                }
                number += 1;
                length = 0;
            }
            ReadFieldResult::End => return Err(NO_COLUMN),
        }
    }
}

/// The part of a CDXJ record that matters.
#[derive(Deserialize)]
struct Record<'l> {
    #[serde(borrow)]
    url: Cow<'l, str>,
}

/// The URL of a CDXJ line: a key, a time and JSON, with one space between them; or the JSON alone. A brace in the key is no
/// JSON: who chose the URL has chosen the key, too.
fn json_url(line: &[u8]) -> Result<Cow<'_, [u8]>, &'static str> {
    let start = match line.first() {
        Some(b'{') => 0,
        _ => memchr::memchr_iter(b' ', line).nth(1).map_or(line.len(), |at| at + 1),
    };
    let json = &line[start..];
    if json.first() != Some(&b'{') {
        return Err("no JSON behind a key and a time");
    }
    // Common Crawl's records begin with the URL, and few URLs need an escape.
    for head in [&b"{\"url\": \""[..], b"{\"url\":\""] {
        if let Some(rest) = json.strip_prefix(head)
            && let Some(end) = memchr::memchr2(b'"', b'\\', rest)
            && rest[end] == b'"'
            && matches!(rest.get(end + 1), Some(b',' | b'}'))
            && line.ends_with(b"}")
            // Of two URLs another reader might take the other.
            && memchr::memmem::find(&rest[end..], b"\"url\"").is_none()
            && memchr::memchr(b'\\', &rest[end..]).is_none()
        {
            return Ok(Cow::Borrowed(&rest[..end]));
        }
    }
    match serde_json::from_slice::<Record<'_>>(json) {
        Ok(Record { url: Cow::Borrowed(url) }) => Ok(Cow::Borrowed(url.as_bytes())),
        Ok(Record { url: Cow::Owned(url) }) => Ok(Cow::Owned(url.into_bytes())),
        Err(_) => Err("no JSON object with one \"url\" that is text"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(layout: Layout, line: &str) -> Option<String> {
        layout.url(line.as_bytes()).ok().map(|url| String::from_utf8(url.into_owned()).unwrap())
    }

    #[test]
    fn columns_between_tabs() {
        assert_eq!(url(Layout::Tsv(0), "a\tb").as_deref(), Some("a"));
        assert_eq!(url(Layout::Tsv(1), "a\tb\tc").as_deref(), Some("b"));
        assert_eq!(url(Layout::Tsv(1), "a\t").as_deref(), Some(""));
        assert_eq!(url(Layout::Tsv(1), "a"), None);
    }

    #[test]
    fn columns_between_commas() {
        for (line, column, found) in [
            ("a,b", 1, Some("b")),
            ("\"a,\"\"b\"\"\",c", 0, Some("a,\"b\"")),
            ("\"a,\"\"b\"\"\",c", 1, Some("c")),
            ("x,\"http://h/?a,b\"", 1, Some("http://h/?a,b")),
            ("\"\",x", 0, Some("")),
            ("\"a\"", 1, None),
            ("\"a,b", 0, None),
            ("a,\"b", 0, None),
        ] {
            assert_eq!(url(Layout::Csv(column), line).as_deref(), found, "{line} {column}");
        }
    }

    #[test]
    fn urls_in_json() {
        for (json, found) in [
            (r#"{"url": "http://h/a", "mime": "x"}"#, Some("http://h/a")),
            (r#"{"url":"http://h/a"}"#, Some("http://h/a")),
            (r#"{"mime": "{\"url\": 1}", "url": "http://h/a"}"#, Some("http://h/a")),
            (r#"{"url": "http://h/\u0061\/b"}"#, Some("http://h/a/b")),
            (r#"{"mime": "x"}"#, None),
            (r#"{"url": 1}"#, None),
            (r#"{"url": "http://h/a"#, None),
            (r#"{"url": "http://h/a", "url": "http://h/b"}"#, None),
            (r#"{"url": "http://h/a", "\u0075rl": "http://h/b"}"#, None),
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

    #[test]
    fn formats_by_name() {
        for (name, format) in [
            ("a.tsv", FormatArg::Tsv),
            ("a.TSV.gz", FormatArg::Tsv),
            ("a.csv.zst", FormatArg::Csv),
            ("a.cdxj", FormatArg::Cdxj),
            ("a.txt.gz", FormatArg::Lines),
            ("-", FormatArg::Lines),
        ] {
            assert_eq!(FormatArg::of_name(Path::new(name)), format, "{name}");
        }
    }

    #[test]
    fn columns_by_name() {
        assert_eq!(FormatArg::Tsv.column_named(b"file\turl\r\n", "url"), Some(1));
        assert_eq!(FormatArg::Csv.column_named(b"\xEF\xBB\xBF\"a,b\",url\n", "url"), Some(1));
        assert_eq!(FormatArg::Csv.column_named(b"\xEF\xBB\xBFurl,x\n", "url"), Some(0));
        assert_eq!(FormatArg::Tsv.column_named(b"file\turl\n", "link"), None);
        assert_eq!(FormatArg::Lines.column_named(b"url\n", "url"), None);
    }
}
