//! What the first line of an input says about all of its lines: which format they have, whether it is a header, and
//! which column holds the URL.
//!
//! A wrong guess could take a piece of a URL for a URL. So what the line leaves open is an error that says what to
//! write.

use std::borrow::Cow;
use std::path::Path;

use robotsc_answers::shown;

use super::csv;
use super::layout::Layout;
use super::text::Encoding;
use crate::lists::format::FormatArg;

/// What the command line says about the lines of all inputs.
#[derive(Clone, Debug)]
pub(crate) struct ListOptions {
    /// The format; `None` means by the name or the first line of each input.
    pub(crate) format: Option<FormatArg>,
    pub(crate) column: Column,
    /// The column that holds the agent of a line, if one does.
    pub(crate) agent: Column,
    /// The first line of each input is a header.
    pub(crate) header: bool,
    /// The separator of CSV.
    pub(crate) separator: Option<u8>,
    /// The encoding, if it is not UTF-8.
    pub(crate) encoding: Option<Encoding>,
    /// The names of the columns that a table gets.
    pub(crate) adds: Vec<String>,
}

/// Which column holds the URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// The command line does not say.
    Unsaid,
    /// By its number, from 0.
    Number(usize),
    /// By its name in the header; of JSON by its key.
    Named(&'static str),
}

impl Column {
    /// Returns the column that a command line names: by a number from 1, or by a name.
    ///
    /// # Errors
    /// If the number is 0.
    pub(crate) fn of(given: Option<&str>) -> Result<Self, String> {
        let Some(given) = given else { return Ok(Self::Unsaid) };
        match given.parse::<usize>() {
            Ok(0) => Err("no column 0: --column: the first is 1".to_owned()),
            Ok(number) => Ok(Self::Number(number - 1)),
            // Leaks a few bytes for each run of the command, so that a layout can be copied.
            Err(_) => Ok(Self::Named(Box::leak(given.to_owned().into_boxed_str()))),
        }
    }
}

/// How an input is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    pub(crate) layout: Layout,
    /// Where the agent is in a line, if lines name one.
    pub(crate) agent: Option<Layout>,
    /// The first line is a header.
    pub(crate) has_header: bool,
}

/// The name of the column or key that holds the URL, if the command line names none.
const URL: &str = "url";

impl ListOptions {
    /// Decides how the input `name` is read. `line` is its first line without its end, and empty if there is none.
    ///
    /// # Errors
    /// If the line leaves open where the URL is, or the command line says what cannot be: what, where, what to write.
    pub(crate) fn start(&self, name: &Path, line: &[u8]) -> Result<Start, String> {
        let start = self.start_of_urls(name, line)?;
        self.check_added(start, name, line)?;
        match &self.agent {
            Column::Unsaid => Ok(start),
            column => self.with_agent(column, start, name, line),
        }
    }

    /// Checks that no column has the name of one that is added: a reader could take the one for the other.
    fn check_added(&self, start: Start, name: &Path, line: &[u8]) -> Result<(), String> {
        let Some(separator) = start.layout.quoting().or(Some(b'\t')).filter(|_| start.has_header) else {
            return Ok(());
        };
        let fields = fields(line, separator);
        match self.adds.iter().find(|added| fields.iter().any(|field| **field == *added.as_bytes())) {
            None => Ok(()),
            Some(added) => Err(format!(
                "a second column '{added}': the first line of {} has one: rename it, or remove it first",
                shown::bytes(name.as_os_str().as_encoded_bytes())
            )),
        }
    }

    /// Adds where the agent is.
    fn with_agent(&self, column: &Column, start: Start, name: &Path, line: &[u8]) -> Result<Start, String> {
        let shown = shown::bytes(name.as_os_str().as_encoded_bytes());
        let agent = match (start.layout, column) {
            (Layout::Json(_), Column::Named(key)) => Some(Layout::Json(key)),
            (Layout::Tsv { .. } | Layout::Csv { .. }, _) => {
                let separator = start.layout.quoting().unwrap_or(b'\t');
                let fields = fields(line, separator);
                let number = match column {
                    Column::Number(number) => Some(*number),
                    Column::Named(name) => column_named(&fields, name, false).filter(|_| start.has_header),
                    Column::Unsaid => None,
                };
                let number = number.ok_or_else(|| {
                    format!(
                        "no such column: --agent-column: the first line of {shown} has {}: give one of its names, or a \
                         number",
                        names(&fields)
                    )
                })?;
                Some(layout(separator, number))
            }
            _ => None,
        };
        match agent {
            Some(agent) => Ok(Start { agent: Some(agent), ..start }),
            None => Err(format!(
                "no columns: {shown}: --agent-column is for tables and JSON: say --format tsv, csv or jsonl"
            )),
        }
    }

    /// Decides how the URLs of an input are read.
    fn start_of_urls(&self, name: &Path, line: &[u8]) -> Result<Start, String> {
        let names_column = self.column != Column::Unsaid || self.agent != Column::Unsaid;
        let wants_column = self.header || names_column || self.separator.is_some();
        let shown = shown::bytes(name.as_os_str().as_encoded_bytes());
        match self.format.or_else(|| FormatArg::of_name(name)) {
            Some(FormatArg::Tsv) => self.table(&shown, b"\t", line),
            Some(FormatArg::Csv) => self.csv(&shown, line),
            Some(FormatArg::Jsonl) => self.json(&shown),
            Some(FormatArg::Lines | FormatArg::Cdxj) if wants_column => Err(format!(
                "no columns: {shown}: --column, --separator and --has-header are for tables: say --format tsv, csv or \
                 jsonl"
            )),
            Some(FormatArg::Cdxj) => Ok(Start { layout: Layout::Cdxj, agent: None, has_header: false }),
            Some(FormatArg::Lines) => Ok(LINES),
            None if line.trim_ascii_start().starts_with(b"{") => self.json(&shown),
            None if self.separator.is_some_and(|separator| line.contains(&separator)) => self.csv(&shown, line),
            None if wants_column && line.contains(&b'\t') => self.table(&shown, b"\t", line),
            None if wants_column && line.iter().any(|byte| b",;".contains(byte)) => self.csv(&shown, line),
            None if wants_column && !line.is_empty() => Err(match self.separator {
                Some(separator) => format!(
                    "no columns: {shown}: its first line has no '{}': leave --separator out, or name another",
                    char::from(separator)
                ),
                None => format!(
                    "no columns: {shown}: its first line has no tab, comma or semicolon: say what a line is with \
                     --format"
                ),
            }),
            // No URL begins like a header, so a header alone shows that an input is a table.
            None => match header_of_any(line) {
                Some(start) => Ok(start),
                None => match TABLE_SIGNS.iter().find(|(sign, ..)| is_like_table(line, *sign)) {
                    Some((_, signs, way_out)) => {
                        Err(format!("columns between {signs}: the first line of {shown}: {way_out}"))
                    }
                    None => Ok(LINES),
                },
            },
        }
    }

    fn json(&self, shown: &str) -> Result<Start, String> {
        let key = match self.column {
            Column::Named(key) if !self.header => key,
            Column::Unsaid if !self.header => URL,
            _ => return Err(format!("no columns: {shown}: it is JSON: name the key of the URL with --column")),
        };
        Ok(Start { layout: Layout::Json(key), agent: None, has_header: false })
    }

    fn csv(&self, shown: &str, line: &[u8]) -> Result<Start, String> {
        match self.separator {
            Some(separator) => self.table(shown, &[separator], line),
            None => self.table(shown, b",;", line),
        }
    }

    /// Decides about a table with one of these separators, the more usual first.
    fn table(&self, shown: &str, separators: &[u8], line: &[u8]) -> Result<Start, String> {
        let rows: Vec<(u8, Vec<Cow<'_, [u8]>>)> =
            separators.iter().map(|separator| (*separator, fields(line, *separator))).collect();
        let named = |name: &str, any_case: bool| {
            rows.iter().find_map(|(separator, names)| Some(layout(*separator, column_named(names, name, any_case)?)))
        };
        // The separator that most likely is the right one: the first by which there are columns at all.
        let row = rows.iter().find(|(_, fields)| fields.len() > 1).or(rows.first());
        let Some((separator, fields)) = row else { return Ok(LINES) };
        let start =
            |column: usize, has_header: bool| Ok(Start { layout: layout(*separator, column), agent: None, has_header });
        if line.is_empty() {
            return start(0, false);
        }
        let url_column = if self.column == Column::Unsaid { named(URL, true) } else { None };
        let is_unsure = *separator == b';' && separators.len() > 1;
        match self.column {
            Column::Named(name) => match named(name, false) {
                Some(layout) => Ok(Start { layout, agent: None, has_header: true }),
                None => Err(format!(
                    "no such column: '{name}': the first line of {shown} has {}: give one of its names, or a number",
                    names(fields)
                )),
            },
            Column::Unsaid if url_column.is_some() => {
                Ok(Start { layout: url_column.unwrap_or(Layout::Line), agent: None, has_header: true })
            }
            // Semicolons may be part of the URL, which would be cut.
            Column::Number(0) | Column::Unsaid if is_unsure => Err(format!(
                "columns between semicolons: the first line of {shown}: write --separator ';', or --separator ',' if \
                 it is one column"
            )),
            Column::Number(column) => start(column, self.header),
            Column::Unsaid if self.header => start(0, true),
            Column::Unsaid => match fields.iter().position(|field| memchr::memmem::find(field, b"://").is_some()) {
                Some(0) => start(0, false),
                Some(column) => Err(format!(
                    "no URL in column 1: the first line of {shown}: column {0} holds one: write --column {0}",
                    column + 1
                )),
                None if fields.iter().filter(|name| name.eq_ignore_ascii_case(URL.as_bytes())).count() > 1 => {
                    Err(format!(
                        "several columns named url: the first line of {shown} has {}: give the number of one with \
                         --column",
                        names(fields)
                    ))
                }
                None => Err(format!(
                    "no column named url: the first line of {shown} has {}: name the column of the URL with --column",
                    names(fields)
                )),
            },
        }
    }
}

/// Returns a header with a column for the URL, and others beside it.
fn header_of_any(line: &[u8]) -> Option<Start> {
    let start = |separator: u8| {
        let names = fields(line, separator);
        let column = column_named(&names, URL, true)?;
        (names.len() > 1).then_some(Start { layout: layout(separator, column), agent: None, has_header: true })
    };
    b"\t,;".iter().find_map(|separator| start(*separator))
}

/// What separates columns, its name, and what to write if a first line without a header has some.
const TABLE_SIGNS: [(u8, &str, &str); 4] = [
    (b',', "commas", "write --format csv, or --format lines if a comma is part of the URL"),
    (b';', "semicolons", "write --format csv --separator ';', or --format lines if a semicolon is part of the URL"),
    (b'|', "bars", "write --format csv --separator '|', or --format lines if a bar is part of the URL"),
    (b' ', "blanks", "write a tab between the columns and --format tsv, or %20 for a blank in a URL"),
];

/// Reports whether a line is likely one of a table whose columns nothing names: `https://shop.example/a,200`, with a
/// status or a blank after the sign, or a header such as `Address,Status Code`.
fn is_like_table(line: &[u8], sign: u8) -> bool {
    let fields = fields(line, sign);
    let [first, others @ ..] = &*fields else { return false };
    let is_word = |field: &[u8]| field.iter().all(|byte| byte.is_ascii_alphanumeric() || b" \"_-".contains(byte));
    let is_status = |field: &[u8]| matches!(field, [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9']);
    let has_url = memchr::memmem::find(first, b"://").is_some();
    // Words without a URL are a header; but a sentence is none.
    let shows = |field: &[u8]| match sign {
        b' ' => has_url && is_status(field),
        _ => !has_url || is_status(field) || field.starts_with(b" ") || field.is_empty(),
    };
    (has_url || is_word(first)) && others.iter().all(|field| is_word(field)) && others.iter().any(|field| shows(field))
}

/// Returns the layout of a table: only columns between tabs are never quoted.
const fn layout(separator: u8, column: usize) -> Layout {
    match separator {
        b'\t' => Layout::Tsv { column, fields: 0 },
        _ => Layout::Csv { column, separator, fields: 0 },
    }
}

const LINES: Start = Start { layout: Layout::Line, agent: None, has_header: false };

/// Returns the fields of a line, up to one whose quotes do not end.
fn fields(line: &[u8], separator: u8) -> Vec<Cow<'_, [u8]>> {
    match separator {
        b'\t' => line.split(|byte| *byte == separator).map(Cow::Borrowed).collect(),
        _ => csv::fields(line, separator).map_while(Result::ok).collect(),
    }
}

/// Returns the one column with this name. Of two, either might be meant.
fn column_named(names: &[Cow<'_, [u8]>], name: &str, any_case: bool) -> Option<usize> {
    let is_it = |found: &Cow<'_, [u8]>| match any_case {
        true => found.eq_ignore_ascii_case(name.as_bytes()),
        false => **found == *name.as_bytes(),
    };
    let column = names.iter().position(is_it)?;
    (!names[column + 1..].iter().any(is_it)).then_some(column)
}

/// Returns the names of columns, for messages.
fn names(fields: &[Cow<'_, [u8]>]) -> String {
    let all = fields.join(&b", "[..]);
    shown::cut(&all, 160)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: ListOptions = ListOptions {
        format: None,
        column: Column::Unsaid,
        agent: Column::Unsaid,
        header: false,
        separator: None,
        encoding: None,
        adds: Vec::new(),
    };

    fn start(said: &ListOptions, name: &str, line: &str) -> (Option<(Layout, bool)>, String) {
        match said.start(Path::new(name), line.as_bytes()) {
            Ok(start) => (Some((start.layout, start.has_header)), String::new()),
            Err(error) => (None, error),
        }
    }

    const fn csv(column: usize, separator: u8) -> Layout {
        Layout::Csv { column, separator, fields: 0 }
    }

    #[test]
    fn a_first_line_decides_the_layout() {
        let (list, tsv, comma) = ("-", "x.tsv", "x.csv");
        let named = ListOptions { column: Column::Named("link"), ..ANY };
        let second = ListOptions { column: Column::Number(1), ..ANY };
        let header = ListOptions { header: true, ..ANY };
        let semicolon = ListOptions { separator: Some(b';'), ..ANY };
        for (said, name, line, layout, has_header) in [
            (&ANY, list, "https://h/", Layout::Line, false),
            (&ANY, list, "https://h/a,b;c", Layout::Line, false),
            (&ANY, list, "https://h/a;b", Layout::Line, false),
            (&ANY, list, "https://h/a b", Layout::Line, false),
            (&ANY, list, "https://h/a|b", Layout::Line, false),
            (&ANY, list, "https://h/story/0,2000.html", Layout::Line, false),
            (&ANY, list, "https://h/a,b", Layout::Line, false),
            (&ANY, list, "/a,200", Layout::Line, false),
            (&ANY, list, "", Layout::Line, false),
            (&ANY, list, "url", Layout::Line, false),
            (&ANY, list, "id\turl", Layout::Tsv { column: 1, fields: 0 }, true),
            (&ANY, list, "URL,id", csv(0, b','), true),
            (&ANY, list, "id;\"url\"", csv(1, b';'), true),
            (&ANY, list, " {\"url\": 1}", Layout::Json("url"), false),
            (&named, list, "{", Layout::Json("link"), false),
            (&named, "x.jsonl", "", Layout::Json("link"), false),
            (&ANY, "x.cdxj", "{}", Layout::Cdxj, false),
            (&ANY, tsv, "https://h/\tx", Layout::Tsv { column: 0, fields: 0 }, false),
            (&ANY, tsv, "id\tUrl\tx", Layout::Tsv { column: 1, fields: 0 }, true),
            (&ANY, tsv, "", Layout::Tsv { column: 0, fields: 0 }, false),
            (&ANY, comma, "https://h/,x", csv(0, b','), false),
            (&ANY, comma, "https://h/;y,x", csv(0, b','), false),
            (&ANY, comma, "https://h/", csv(0, b','), false),
            (&ANY, comma, "a;url", csv(1, b';'), true),
            (&semicolon, comma, "https://h/;a", csv(0, b';'), false),
            (&named, comma, "url,link", csv(1, b','), true),
            (&named, comma, "url;link", csv(1, b';'), true),
            (&named, list, "url\tlink", Layout::Tsv { column: 1, fields: 0 }, true),
            (&second, comma, "1;https://h/", csv(1, b';'), false),
            (&second, list, "1\thttps://h/", Layout::Tsv { column: 1, fields: 0 }, false),
            (&header, tsv, "a\tb", Layout::Tsv { column: 0, fields: 0 }, true),
            (&header, tsv, "a\turl", Layout::Tsv { column: 1, fields: 0 }, true),
        ] {
            assert_eq!(start(said, name, line), (Some((layout, has_header)), String::new()), "{line}");
        }
    }

    #[test]
    fn an_ambiguous_first_line_is_an_error() {
        let (list, tsv, comma) = ("-", "x.tsv", "x.csv");
        let named = ListOptions { column: Column::Named("link"), ..ANY };
        let first = ListOptions { column: Column::Number(0), ..ANY };
        let by_sign = ListOptions { separator: Some(b';'), ..ANY };
        for (said, name, line, expected) in [
            (
                &ANY,
                tsv,
                "1\thttps://h/",
                "no URL in column 1: the first line of x.tsv: column 2 holds one: write --column 2",
            ),
            (
                &ANY,
                tsv,
                "a\tb",
                "no column named url: the first line of x.tsv has a, b: name the column of the URL with --column",
            ),
            (&ANY, list, "https://h/a,200", "columns between commas: the first line of -: write --format csv, or "),
            (&ANY, list, "https://h/a,OK,", "columns between commas: the first line of -: "),
            (&ANY, list, "https://h/a;200", "columns between semicolons: the first line of -: write --format csv "),
            (&ANY, list, "Address;Status Code", "columns between semicolons: the first line of -: "),
            (&ANY, list, "https://h/a|200", "columns between bars: the first line of -: "),
            (&ANY, list, "https://h/a 200", "columns between blanks: the first line of -: write a tab "),
            (&ANY, list, "\"Address\",\"Status Code\"", "columns between commas: the first line of -: "),
            (&ANY, comma, "url,URL", "several columns named url: the first line of x.csv has url, URL: "),
            (
                &ANY,
                comma,
                "https://h/a;b",
                "columns between semicolons: the first line of x.csv: write --separator ';', or ",
            ),
            (
                &first,
                comma,
                "https://h/a;b",
                "columns between semicolons: the first line of x.csv: write --separator ';', or ",
            ),
            (
                &named,
                tsv,
                "url\tx",
                "no such column: 'link': the first line of x.tsv has url, x: give one of its names, or a number",
            ),
            (&by_sign, list, "https://h/", "no columns: -: its first line has no ';': leave --separator out, or name "),
            (&named, list, "https://h/", "no columns: -: its first line has no tab, comma or semicolon: "),
            (&first, "x.jsonl", "{}", "no columns: x.jsonl: it is JSON: name the key of the URL with --column"),
            (
                &named,
                "x.cdxj",
                "{}",
                "no columns: x.cdxj: --column, --separator and --has-header are for tables: say --format tsv, csv or ",
            ),
        ] {
            let (found, error) = start(said, name, line);
            assert!(found.is_none() && error.starts_with(expected), "{line}: {error}");
        }
    }
}
