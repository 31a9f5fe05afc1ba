//! Whether a body can be a robots.txt at all. One that is another file, such as an error page, has no rules, and
//! without rules everything is allowed: a mistake must not read as an answer.

use robotsc::RobotsTxt;
use robotsc::record::RecordKind;

/// Reports whether no line of a file is a directive, though it has more than blank lines and comments.
///
/// ```
/// use robotsc::RobotsTxt;
/// use robotsc_answers::no_directive::has_no_directive;
///
/// assert!(has_no_directive(&RobotsTxt::parse(b"<!doctype html><title>503</title>")));
/// assert!(!has_no_directive(&RobotsTxt::parse(b"# nothing yet\n")));
/// ```
#[must_use]
pub fn has_no_directive(robots: &RobotsTxt<'_>) -> bool {
    robots.groups().is_empty()
        && robots.rules().is_empty()
        && robots.records().iter().all(|record| record.kind == RecordKind::Unknown)
        && has_text(robots.body())
}

fn has_text(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    body.split(|byte| matches!(byte, b'\n' | b'\r'))
        .map(<[u8]>::trim_ascii)
        .any(|line| !matches!(line, [] | [b'#', ..]))
}
