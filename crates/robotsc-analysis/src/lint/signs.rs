//! Patterns of another notation: lists, placeholders of a router, signs that were copied with a path.
//!
//! ```text
//! Disallow: /a,/b            path-list: one rule, for URLs that contain `,/b`
//! Disallow: /user/:id/edit   placeholder: `:id` is compared as it is
//! Disallow: '/a'             stray-sign: no URL ends so
//! Disallow: /.pdf$           ending-as-path: one file, and not all with this ending
//! ```

use robotsc_compiler::RuleKind;
use robotsc_compiler::notation::list_sign;

use super::addresses::is_own;
use super::check::LintCheck;
use super::context::{Context, quoted};
use super::odd_pattern::OddPattern;
use crate::text::part::find;
use crate::text::placeholder::without_placeholders;

/// Returns what is odd about the signs of a value.
pub(super) fn of_value(context: &Context<'_>, kind: RuleKind, value: &[u8]) -> Vec<OddPattern> {
    [
        path_list(context, kind, value),
        placeholder(value),
        stray_sign(value),
        double_slash(context, value),
        ending_as_path(value),
        star_dollar(value),
        robots_txt(kind, value),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns paths as a line for each, but for the key of the first.
pub(super) fn lines(context: &Context<'_>, kind: RuleKind, paths: &[&[u8]]) -> Vec<u8> {
    let key: &[u8] = if kind == RuleKind::Allow { b"Allow: " } else { b"Disallow: " };
    paths.join([context.lines.end_of_line(), key].concat().as_slice())
}

/// Several paths in one rule, separated by a sign.
fn path_list(context: &Context<'_>, kind: RuleKind, value: &[u8]) -> Option<OddPattern> {
    // A blank is a finding of its own.
    let sign = list_sign(value).filter(|_| !value.iter().any(|byte| matches!(byte, b' ' | b'\t')))?;
    let paths: Vec<&[u8]> = value.split(|byte| *byte == sign).collect();
    let message = format!("{} holds {} paths: a rule has one", quoted(value), paths.len());
    let odd = OddPattern::new(LintCheck::PathList, message);
    // With a rule for the whole site, the others would be for nothing: nobody knows what is meant.
    if paths.contains(&&b"/"[..]) {
        return Some(odd);
    }
    let fix = lines(context, kind, &paths);
    Some(odd.fix("write a rule for each", fix))
}

/// What a router or a manual writes for any segment.
pub(super) fn placeholder(value: &[u8]) -> Option<OddPattern> {
    let (first, with) = without_placeholders(value)?;
    let message = format!("{} in {} is compared as it is: `*` stands for any text", quoted(first), quoted(value));
    Some(OddPattern::new(LintCheck::Placeholder, message).fix("write `*` for it", with))
}

/// Returns a pattern without the signs at its end that were copied with the path, if it has any: `/a` of `/a",`.
pub(super) fn without_stray_signs(value: &[u8]) -> Option<&[u8]> {
    if !matches!(value, [b'/' | b'*', .., last] if b",;'| \t\"`>)]}".contains(last)) {
        return None;
    }
    // Once: a value can be as long as the file, and end in thousands of such signs.
    let [angle, round, square, curly] = [b'<', b'(', b'[', b'{'].map(|sign| value.contains(&sign));
    let is_entity = |rest: &[u8]| {
        let start = rest.iter().rposition(|byte| !byte.is_ascii_alphanumeric());
        start.is_some_and(|at| rest[at] == b'&' && at + 1 < rest.len())
    };
    let mut rest = value;
    loop {
        rest = match rest {
            [rest @ .., b';'] if is_entity(rest) => break,
            [rest @ .., b',' | b';' | b'\'' | b'|' | b' ' | b'\t'] => rest,
            // Two of a kind are quotes within the path.
            [rest @ .., sign @ (b'"' | b'`')] if !rest.contains(sign) => rest,
            [rest @ .., b'-' | b'=', b'>'] => rest,
            [rest @ .., b'>'] if !angle => rest,
            [rest @ .., b')'] if !round => rest,
            [rest @ .., b']'] if !square => rest,
            [rest @ .., b'}'] if !curly => rest,
            _ => break,
        };
    }
    // `/*,` and `/*?q="` are for URLs with such a sign: without it the rule would be for all. `/,` is for none.
    let is_separator = matches!(value.get(rest.len()), Some(b',' | b';'));
    let is_for_sign = !(rest == b"/" && is_separator) && rest.iter().all(|byte| b"/*".contains(byte))
        || rest.ends_with(b"*") && !is_separator
        // `/*.jsp;` is for addresses with a session, `/*/page,` for a list in a path.
        || rest.contains(&b'*') && value[rest.len()..].iter().all(|sign| matches!(sign, b',' | b';'))
        || value[rest.len()..] == *b";" && last_segment(rest).contains(&b'.')
        || rest.ends_with(b"=")
        || rest.ends_with(b"?");
    (rest.len() < value.len() && matches!(value, [b'/' | b'*', ..]) && !is_for_sign).then_some(rest)
}

fn last_segment(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}

/// A sign at the end that was copied with the path.
fn stray_sign(value: &[u8]) -> Option<OddPattern> {
    let rest = without_stray_signs(value)?;
    let message =
        format!("{} ends in a sign that few URLs contain, so the rule matches none without it", quoted(value));
    Some(OddPattern::new(LintCheck::StraySign, message).fix("remove the sign", rest.to_vec()))
}

/// Two slashes where URLs have one.
fn double_slash(context: &Context<'_>, value: &[u8]) -> Option<OddPattern> {
    let path = value.split(|byte| *byte == b'?').next().unwrap_or(value);
    let is_before_name =
        |window: &[u8]| matches!(window, [b'/', b'/', next] if next.is_ascii_alphanumeric() || *next == b'_');
    // `/*//` is for URLs that have two.
    let is_end = path.ends_with(b"//") && path.len() > 2 && path.len() == value.len() && !path.contains(&b'*');
    let at = path.windows(3).position(is_before_name).or_else(|| is_end.then(|| path.len() - 2))?;
    // A URL within a path, as an archive has it.
    if find(path, b"://").is_some() {
        return None;
    }
    let message = format!("{} contains `//`, and URLs have one slash there", quoted(value));
    let host = path[at + 2..].split(|byte| *byte == b'/').next().unwrap_or_default();
    let is_host = at == 0 && host.contains(&b'.') && host.len() + 2 < path.len();
    let odd = OddPattern::new(LintCheck::DoubleSlash, message);
    Some(match &value[2 + host.len()..] {
        // The host alone: nobody means all paths so.
        b"/" if is_host => odd,
        _ if is_host && !is_own(context, value) => odd,
        path if is_host => odd.fix("write the path without the host", path.to_vec()),
        _ => {
            let mut once = path.to_vec();
            once.dedup_by(|one, other| *one == b'/' && *other == b'/');
            odd.fix("write one slash", [&once, &value[path.len()..]].concat())
        }
    })
}

/// Endings of files. Files such as `/.env` have names that begin so.
pub(super) const ENDINGS: [&[u8]; 32] = [
    b"pdf", b"php", b"asp", b"aspx", b"jsp", b"html", b"htm", b"doc", b"docx", b"xls", b"xlsx", b"ppt", b"pptx",
    b"jpg", b"jpeg", b"png", b"gif", b"svg", b"webp", b"css", b"js", b"json", b"xml", b"txt", b"zip", b"gz", b"mp3",
    b"mp4", b"cgi", b"csv", b"swf", b"woff",
];

/// An ending of files as if it were a file of the root folder.
fn ending_as_path(value: &[u8]) -> Option<OddPattern> {
    let rest = value.strip_prefix(b"/.")?;
    let ending = rest.split(|byte| matches!(byte, b'$' | b'*')).next().unwrap_or(rest);
    ENDINGS.iter().find(|known| known.eq_ignore_ascii_case(ending))?;
    let message = format!("{} matches paths that begin so, and not files that end so", quoted(value));
    let with = [b"/*.", rest].concat();
    Some(OddPattern::new(LintCheck::EndingAsPath, message).fix("put a `*` before the ending", with))
}

/// `*$` at the end says nothing.
fn star_dollar(value: &[u8]) -> Option<OddPattern> {
    let shorter = value.strip_suffix(b"*$").filter(|shorter| shorter.len() > 1 && !shorter.ends_with(b"."))?;
    let message = format!("`*$` at the end of {} matches any end, as no sign does", quoted(value));
    let mut odd = OddPattern::new(LintCheck::StarDollar, message).fix("remove it", shorter.to_vec());
    odd.is_safe = true;
    Some(odd)
}

/// The robots.txt itself.
fn robots_txt(kind: RuleKind, value: &[u8]) -> Option<OddPattern> {
    (kind == RuleKind::Disallow && value.strip_suffix(b"$").unwrap_or(value) == b"/robots.txt").then(|| {
        let message = "crawlers fetch robots.txt whatever it says of itself".to_owned();
        OddPattern::new(LintCheck::RobotsTxtDisallowed, message)
    })
}
