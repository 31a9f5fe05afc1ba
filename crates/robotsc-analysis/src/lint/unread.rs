//! Lines that no crawler reads, and that are no records by accident: switched off, left by a merge, or of a diff.
//!
//! ```text
//! // Disallow: /             a comment of another language
//! X-Disallow: /              switched off: a fix must not revive it
//! -Disallow: /               removed by a diff
//! <<<<<<< HEAD               a merge conflict: both versions are in the file
//! ```

use robotsc_compiler::{ByteSpan, Severity};

use super::comment_marks::comment_mark;
use super::context::{Context, quoted};
use super::finding::Fix;
use super::keys::{is_read, is_switched_off, meant, offset};
use super::one_slip::Parts;
use super::records::is_closing_meta_value;
use crate::text::part::find;

/// What ends a comment that is on several lines.
const COMMENT_ENDS: [&str; 2] = ["-->", "*/"];

/// What ends a comment of a template.
const TEMPLATE_ENDS: [&str; 6] = ["--}}", "#}", "%>", "#>", "}}", "?>"];

/// What begins a line that sets a header, in the configuration of a server or in a program.
const SET_HEADER: [&str; 5] = ["header ", "header(", "add_header ", "more_set_headers ", "<add "];

/// The names of tags of HTML, of the prefixes of such names in sitemaps, and of tags of sitemaps.
const TAGS: &str = "a b body br center code div em font footer form h1 h2 h3 h4 head header hr html i iframe img li \
    link main meta nav noscript ol p pre script section small span strong style table td th title tr ul changefreq \
    image lastmod loc news priority sitemap sitemapindex url urlset";

/// What a line is, which no crawler reads.
pub(super) struct Unread {
    pub(super) message: String,
    pub(super) severity: Severity,
    pub(super) fix: Option<Fix>,
}

/// The marks that version control leaves in a file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Versions {
    has_conflict: bool,
    is_diff: bool,
}

impl Versions {
    pub(super) fn of(context: &Context<'_>) -> Self {
        let mut versions = Self::default();
        for line in 1..=context.lines.count() {
            let text = context.lines.text(line);
            versions.has_conflict |= is_conflict(text, b'<') || is_conflict(text, b'>');
            versions.is_diff |= text.starts_with(b"diff -") || is_hunk(text);
        }
        versions
    }

    /// Reports whether version control left a line that is no record.
    pub(super) fn is_mark(self, text: &[u8]) -> bool {
        self.message(text).is_some_and(|(_, severity)| severity == Severity::Error)
    }

    /// Returns what is said of a line that version control left.
    fn message(self, text: &[u8]) -> Option<(String, Severity)> {
        let shown = quoted(text.trim_ascii());
        let is_mark = [b'<', b'>', b'|'].iter().any(|sign| is_conflict(text, *sign));
        if is_mark || self.has_conflict && is_conflict(text, b'=') {
            let message = format!("{shown} is a mark of a merge conflict: the file has both versions of what follows");
            return Some((message, Severity::Error));
        }
        let starts = |marks: &[&str]| marks.iter().any(|mark| text.starts_with(mark.as_bytes()));
        if starts(&["diff -"]) || is_hunk(text) || self.is_diff && starts(&["--- ", "+++ ", "index "]) {
            return Some((format!("{shown} is of a diff, and no robots.txt: write the file itself"), Severity::Error));
        }
        let (sign, rest) = text.split_first()?;
        let what = match sign {
            b'-' => "removes",
            b'+' => "adds",
            _ => return None,
        };
        let key = rest.split(|byte| *byte == b':').next().unwrap_or(rest);
        let is_changed = rest.first().is_some_and(u8::is_ascii_alphabetic) && meant(key).is_some();
        (self.is_diff || is_changed).then(|| {
            let sign = char::from(*sign);
            let message = format!("{shown} begins with `{sign}`, as a line that a diff {what}: crawlers skip it");
            (message, Severity::Warning)
        })
    }
}

/// Reports whether a line is a mark of a merge conflict: seven signs, and perhaps the name of a version.
fn is_conflict(text: &[u8], sign: u8) -> bool {
    let signs = text.iter().take_while(|byte| **byte == sign).count();
    let rest = &text[signs..];
    signs == 7 && (rest.is_empty() || sign != b'=' && rest[0] == b' ')
}

/// Reports whether a line begins a part of a diff: `@@ -1,3 +1,4 @@`.
fn is_hunk(text: &[u8]) -> bool {
    text.strip_prefix(b"@@ -").is_some_and(|rest| {
        rest.first().is_some_and(u8::is_ascii_digit) && rest.windows(3).any(|window| window == b" @@")
    })
}

/// Returns what a line is that is no record.
pub(super) fn of_line(context: &Context<'_>, versions: Versions, line: u32, has_colon: bool) -> Option<Unread> {
    if is_read(context, line) {
        return None;
    }
    let text = context.lines.text(line);
    if let Some((message, severity)) = versions.message(text) {
        return Some(Unread { message, severity, fix: None });
    }
    let written = text.trim_ascii();
    let shown = quoted(written);
    if let Some(end) = COMMENT_ENDS.into_iter().find(|end| written == end.as_bytes()) {
        let message = format!("`{end}` ends a comment of another language: the lines before it are read");
        return Some(Unread { message, severity: Severity::Warning, fix: None });
    }
    if let Some(mark) = comment_mark(written) {
        let is_open = match mark {
            "<!--" => !written.ends_with(b"-->"),
            "/*" => !written.ends_with(b"*/"),
            _ => false,
        };
        let (message, fix) = if is_open {
            (format!("{shown} is no comment, and the lines after it are read: a comment begins with `#`"), None)
        } else {
            let fix = as_comment(context, line, mark);
            // With a colon it is a record that some program could read.
            let fix = if has_colon { fix } else { fix.safe() };
            (format!("{shown} is no comment: a comment begins with `#`, not `{}`", mark.trim()), Some(fix))
        };
        return Some(Unread { message, severity: Severity::Warning, fix });
    }
    let key = written.split(|byte| *byte == b':').next().unwrap_or(written);
    if let Some(message) = line_of_another_format(written, key) {
        return Some(Unread { message, severity: Severity::Warning, fix: None });
    }
    if let Some(record) = of_list(written) {
        // The rules after it would be of another group.
        let is_agent = record.starts_with("User-agent");
        let start = context.lines.whole(line).start;
        let span = ByteSpan::new(start + offset(text), start + text.trim_ascii_end().len());
        return Some(Unread {
            message: format!(
                "{} is no directive, so that the line does nothing: write it without the mark",
                quoted(key)
            ),
            severity: Severity::Warning,
            fix: (!is_agent).then(|| Fix::replace("write the directive alone", span, record)),
        });
    }
    (has_colon && is_switched_off(key)).then(|| Unread {
        message: format!("{} is no directive, so that the line does nothing: a comment begins with `#`", quoted(key)),
        severity: Severity::Warning,
        fix: None,
    })
}

/// Returns the message for a line of HTML, of a sitemap in XML, or of the configuration of a server.
fn line_of_another_format(text: &[u8], key: &[u8]) -> Option<String> {
    let shown = quoted(text);
    let lower = text.to_ascii_lowercase();
    let is_for_search = || lower.split(|byte| !byte.is_ascii_alphabetic()).any(is_closing_meta_value);
    if SET_HEADER.iter().any(|start| lower.starts_with(start.as_bytes())) && find(&lower, b"x-robots-tag").is_some() {
        return Some(format!("{shown} sets a header in the configuration of a server, and does nothing in robots.txt"));
    }
    let name = text.strip_prefix(b"<").map(|rest| rest.strip_prefix(b"/").unwrap_or(rest))?;
    let end = name.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(name.len());
    let is_tag = TAGS.split(' ').any(|tag| tag.as_bytes().eq_ignore_ascii_case(&name[..end]));
    // A record can stand between tags.
    if !is_tag || !text.contains(&b'>') || meant(key).is_some() {
        return None;
    }
    Some(match () {
        () if lower.starts_with(b"<meta") && is_for_search() => {
            format!("{shown} is a meta tag of pages, and does nothing in robots.txt")
        }
        () if lower.starts_with(b"<loc>") => {
            format!(
                "{shown} is of a sitemap in XML, and does nothing here: write `Sitemap:` and the URL of the sitemap"
            )
        }
        () => format!("{shown} is of HTML or XML: crawlers skip it"),
    })
}

/// Returns the record of a line after the mark of a list: `- `, `* `, `1. `, or stars around its key. None if it closes
/// all, since the mark can have switched it off.
fn of_list(text: &[u8]) -> Option<String> {
    let parts = Parts::of(std::str::from_utf8(text).ok()?)?;
    let mark = parts.before.trim_ascii();
    let is_number = |mark: &str| {
        let digits = mark.strip_suffix(['.', ')']).unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let has_blank = parts.before.len() > mark.len();
    let is_list = has_blank && (matches!(mark, "-" | "*") || is_number(mark)) || matches!(mark, "**" | "- **" | "* **");
    let sign = parts.sign.trim_ascii();
    let is_all = parts.directive == "Disallow" && parts.value.bytes().all(|byte| b"/*$".contains(&byte));
    (is_list && matches!(sign, ":" | ":**" | "**:") && !is_all).then(|| format!("{}: {}", parts.directive, parts.value))
}

/// Returns a fix that makes a line the comment that it was meant to be. Nothing reads the line before or after.
fn as_comment(context: &Context<'_>, line: u32, mark: &str) -> Fix {
    let text = context.lines.text(line);
    let at = offset(text);
    let whole = text[at..].trim_ascii();
    let rest = whole.get(mark.len()..).unwrap_or_default();
    let rest = rest.strip_prefix(b"--").filter(|_| mark == "{{!").unwrap_or(rest);
    let mut ends = COMMENT_ENDS.iter().chain(&TEMPLATE_ENDS);
    let rest = ends.find_map(|end| rest.strip_suffix(end.as_bytes())).unwrap_or(rest).trim_ascii();
    let rest = if rest.iter().any(u8::is_ascii_alphanumeric) { rest } else { whole };
    let start = context.lines.whole(line).start;
    let span = ByteSpan::new(start + at, start + text.trim_ascii_end().len());
    Fix::replace("begin the comment with `#`", span, [b"# ", rest].concat())
}
