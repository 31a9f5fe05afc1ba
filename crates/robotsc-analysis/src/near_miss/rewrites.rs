//! What a rule was perhaps meant to say: its pattern with one thing of it written otherwise.

use robotsc_compiler::small_sort::SmallSort as _;

use super::NearMissReason;
use super::folded::{Without, folded};
use super::letters::{escaped_once, in_letters_of, without_quotes, without_unseen};
use super::notation::without_notation;
use crate::lint::dead_pattern::is_address;
use crate::text::part::{INDEX_FILES, replaced};

/// The maximum number of reasons that a rule does not match. With more it is another rule.
pub(super) const MAX_REASONS: usize = 3;
/// The maximum number of forms of one pattern.
const MAX_FORMS: usize = 48;
/// The maximum number of parameters that are put in another order.
const MAX_PARAMETERS: usize = 32;

/// A form of a pattern, and what is written otherwise in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) pattern: Vec<u8>,
    pub(super) reasons: Vec<NearMissReason>,
    /// Whether a `/` at the end can be missing.
    pub(super) is_end_optional: bool,
}

/// A way to write a pattern otherwise.
type Rewrite = fn(&[u8], &[u8]) -> Vec<Vec<u8>>;

const REWRITES: [(NearMissReason, Rewrite); 16] = [
    (NearMissReason::Address, |pattern, _| without_address(pattern)),
    (NearMissReason::Quotes, |pattern, _| without_quotes(pattern)),
    (NearMissReason::Notation, |pattern, _| without_notation(pattern)),
    (NearMissReason::Unseen, |pattern, _| without_unseen(pattern)),
    (NearMissReason::Encoding, in_letters_of),
    (NearMissReason::Escapes, |pattern, _| escaped_once(pattern)),
    (NearMissReason::NoSlash, |pattern, _| with_slash(pattern)),
    (NearMissReason::Dots, |pattern, _| without_dots(pattern)),
    (NearMissReason::End, |pattern, _| without_end(pattern)),
    (NearMissReason::Order, in_order_of),
    (NearMissReason::Order, |pattern, _| as_first(pattern)),
    (NearMissReason::Separators, with_other_separator),
    (NearMissReason::Query, without_query),
    (NearMissReason::IndexPage, without_index_page),
    (NearMissReason::Slashes, |pattern, _| with_shared_slash(pattern)),
    (NearMissReason::Root, |pattern, path| [anywhere(pattern), parameter(pattern, path)].concat()),
];

/// Returns the forms of a pattern for a path, those that change least first. `first` are patterns that it was perhaps
/// meant to be as a whole, and why.
pub(super) fn forms(pattern: &[u8], first: Vec<(NearMissReason, Vec<u8>)>, path: &[u8]) -> Vec<Form> {
    let mut forms = vec![Form { pattern: pattern.to_vec(), reasons: Vec::new(), is_end_optional: false }];
    let one = |(reason, pattern)| Form { pattern, reasons: vec![reason], is_end_optional: false };
    forms.extend(first.into_iter().map(one));
    for (reason, rewrite) in REWRITES {
        for at in 0..forms.len() {
            if forms[at].reasons.len() >= MAX_REASONS || forms.len() >= MAX_FORMS {
                continue;
            }
            let reasons = [&forms[at].reasons[..], &[reason]].concat();
            let written = rewrite(&forms[at].pattern, path).into_iter();
            let new = written.map(|pattern| Form { pattern, reasons: reasons.clone(), is_end_optional: false });
            let new: Vec<Form> = new.filter(|new| forms.iter().all(|form| form.pattern != new.pattern)).collect();
            forms.extend(new);
        }
    }
    for at in 0..forms.len() {
        let form = &forms[at];
        if form.reasons.len() < MAX_REASONS && !form.reasons.contains(&NearMissReason::Slashes) {
            let body = form.pattern.strip_suffix(b"$").unwrap_or(&form.pattern);
            let body = &body[..body.iter().rposition(|byte| *byte != b'*').map_or(0, |last| last + 1)];
            if body.len() > 1 && body.ends_with(b"/") {
                let reasons = [&form.reasons[..], &[NearMissReason::Slashes]].concat();
                let end: &[u8] = if form.pattern.ends_with(b"/$") { b"$" } else { b"" };
                forms.push(Form { pattern: [body, end].concat(), reasons, is_end_optional: true });
            }
        }
    }
    forms.small_sort_by_key(|form| form.reasons.len());
    forms
}

/// `https://host/x` and `//host/x` are no paths.
fn without_address(pattern: &[u8]) -> Vec<Vec<u8>> {
    let start = pattern.strip_prefix(b"/").filter(|rest| rest.contains(&b':')).unwrap_or(pattern);
    let scheme = start.windows(3).position(|window| window == b"://");
    let rest = match scheme.filter(|at| start[..*at].iter().all(u8::is_ascii_alphabetic)) {
        Some(at) => &start[at + 3..],
        // A folder can have a name with a dot.
        None => match pattern {
            [b'/', b'/', rest @ ..] => rest,
            [b'/', rest @ ..] if rest.starts_with(b"www.") => rest,
            [b'/', ..] => return Vec::new(),
            _ => pattern,
        },
    };
    let host = rest.split(|byte| b"/*$?".contains(byte)).next().unwrap_or_default();
    let is_named = |host: &[u8]| host.first().is_some_and(u8::is_ascii_alphanumeric);
    let is_host = |host: &[u8]| is_named(host) && std::str::from_utf8(host).is_ok_and(is_address);
    let is_host = rest.len() < start.len() && scheme.is_some() || is_host(host);
    if host.is_empty() || !is_host || host.len() == rest.len() {
        return Vec::new();
    }
    vec![rest[host.len()..].to_vec()]
}

/// Without dot segments, which clients resolve. The last segment goes on.
fn without_dots(pattern: &[u8]) -> Vec<Vec<u8>> {
    let end = pattern.iter().position(|byte| *byte == b'?').unwrap_or(pattern.len());
    let mut segments: Vec<&[u8]> = pattern[..end].split(|byte| *byte == b'/').collect();
    let Some(last) = segments.pop().filter(|_| pattern.starts_with(b"/")) else { return Vec::new() };
    let mut kept: Vec<&[u8]> = Vec::with_capacity(segments.len());
    for segment in &segments {
        match *segment {
            b"." => {}
            // What a `*` stands for can be several segments.
            b".." if kept.last().is_some_and(|last| last.contains(&b'*')) => return Vec::new(),
            b".." => kept.truncate(kept.len().saturating_sub(1).max(1)),
            segment => kept.push(segment),
        }
    }
    if kept.len() == segments.len() {
        return Vec::new();
    }
    kept.push(last);
    vec![[&kept.join(&b'/'), &pattern[end..]].concat()]
}

/// A pattern that starts with neither `/` nor `*` matches nothing.
fn with_slash(pattern: &[u8]) -> Vec<Vec<u8>> {
    match pattern {
        [b'/' | b'*', ..] | [] => Vec::new(),
        _ => vec![[b"/", pattern].concat()],
    }
}

/// Without the `$` at the end, and without such as are compared as they are.
fn without_end(pattern: &[u8]) -> Vec<Vec<u8>> {
    let open = pattern.strip_suffix(b"$").filter(|rest| rest.len() > 1);
    let inside = || pattern.iter().copied().filter(|byte| *byte != b'$').collect::<Vec<u8>>();
    let has_inside = pattern.iter().filter(|byte| **byte == b'$').count() > usize::from(pattern.ends_with(b"$"));
    open.map(<[u8]>::to_vec).into_iter().chain(has_inside.then(inside)).filter(|text| !text.is_empty()).collect()
}

/// `/*/` needs two slashes. At the end, the folder is as near, and `/a*/` would be for others, too.
fn with_shared_slash(pattern: &[u8]) -> Vec<Vec<u8>> {
    // Stars at the end add nothing.
    let end = pattern.iter().rposition(|byte| *byte != b'*').map_or(0, |last| last + 1);
    let pattern = &pattern[..end];
    let Some(at) = pattern.windows(3).position(|window| window == b"/*/") else { return Vec::new() };
    match (at, at + 3 == pattern.len()) {
        (0, true) => Vec::new(),
        (_, true) => vec![pattern[..=at].to_vec()],
        // `/*/?q=` needs a folder.
        _ if pattern[at + 3] == b'?' => vec![[&pattern[..at + 2], &pattern[at + 3..]].concat()],
        _ => vec![[&pattern[..at], &pattern[at + 1..]].concat()],
    }
}

/// The pattern at any place of a path, in place of its start.
fn anywhere(pattern: &[u8]) -> Vec<Vec<u8>> {
    match pattern {
        [b'/', b'*' | b'$', ..] | [b'/'] | [] => Vec::new(),
        [b'/', next, rest @ ..] if !next.is_ascii_alphanumeric() && !b"%/".contains(next) => {
            vec![[b"/*", &[*next][..], rest].concat()]
        }
        [b'/', ..] => vec![[b"/*", pattern].concat()],
        _ => Vec::new(),
    }
}

/// A parameter without a path, `/sort=`, at any place of a query.
fn parameter(pattern: &[u8], path: &[u8]) -> Vec<Vec<u8>> {
    let name = pattern.strip_prefix(b"/").unwrap_or(pattern);
    let is_name = |name: &[u8]| name.len() > 1 && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    if !name.split_last().is_some_and(|(last, name)| *last == b'=' && is_name(name)) || !path.contains(&b'?') {
        return Vec::new();
    }
    vec![[b"/*?", name].concat(), [b"/*&", name].concat()]
}

/// A parameter that is after another, `/*&sort=`, as the first of a query.
fn as_first(pattern: &[u8]) -> Vec<Vec<u8>> {
    match pattern.windows(2).position(|pair| pair == b"*&") {
        Some(at) if !pattern.contains(&b'?') => vec![[&pattern[..=at], b"?", &pattern[at + 2..]].concat()],
        _ => Vec::new(),
    }
}

/// With the sign before parameters that a path has: `;` for `&`, or for the first `?`.
fn with_other_separator(pattern: &[u8], path: &[u8]) -> Vec<Vec<u8>> {
    let Some(at) = pattern.iter().position(|byte| *byte == b'?') else { return Vec::new() };
    let (start, query) = pattern.split_at(at);
    if query.contains(&b';') && path.contains(&b'&') {
        return vec![[start, &replaced(query, b";", b"&")].concat()];
    }
    let is_first = path.contains(&b';') && start.len() > 1 && !start.ends_with(b"*");
    if is_first { vec![[start, b";", &query[1..]].concat()] } else { Vec::new() }
}

/// `/search?` and `/search?*` beside the path without a query.
fn without_query(pattern: &[u8], path: &[u8]) -> Vec<Vec<u8>> {
    let end = pattern.iter().rposition(|byte| *byte != b'*').map_or(0, |last| last + 1);
    let page = pattern[..end].strip_suffix(b"?").filter(|page| *page == path && page.len() > 1);
    page.map(<[u8]>::to_vec).into_iter().collect()
}

/// `/a/index.html` beside the folder.
fn without_index_page(pattern: &[u8], path: &[u8]) -> Vec<Vec<u8>> {
    let is_page = |page: &&[u8]| INDEX_FILES.iter().any(|index| page.eq_ignore_ascii_case(&index[1..]));
    let page = pattern.strip_suffix(b"$").unwrap_or(pattern).strip_prefix(path).filter(is_page);
    if page.is_some() && path.len() > 1 { vec![[path, b"$"].concat()] } else { Vec::new() }
}

/// The parameters of a pattern in the order that a path has them.
fn in_order_of(pattern: &[u8], path: &[u8]) -> Vec<Vec<u8>> {
    let split = |text: &[u8]| text.iter().position(|byte| *byte == b'?');
    let (Some(at), Some(in_path)) = (split(pattern), split(path)) else { return Vec::new() };
    let plain = |text: &[u8]| folded(text, Without { case: true, escapes: true, slashes: false }).chars;
    let given: Vec<Vec<char>> = path[in_path + 1..].split(|byte| *byte == b'&').map(plain).collect();
    let query = pattern[at + 1..].strip_suffix(b"$").unwrap_or(&pattern[at + 1..]);
    // What a `*` follows can go on.
    let mut wanted: Vec<(&[u8], bool)> = Vec::new();
    for part in query.split_inclusive(|byte| b"&*".contains(byte)) {
        let (name, is_open) = match part {
            [name @ .., b'*'] => (name, true),
            [name @ .., b'&'] => (name, false),
            name => (name, true),
        };
        if !name.is_empty() {
            wanted.push((name, is_open));
        }
    }
    if wanted.len() > MAX_PARAMETERS {
        return Vec::new();
    }
    let mut placed: Vec<(usize, &[u8])> = Vec::with_capacity(wanted.len());
    for (name, is_open) in &wanted {
        let name_plain = plain(name);
        let is_cut = |given: &Vec<char>| {
            let next = given.get(name_plain.len());
            given.starts_with(&name_plain) && (*is_open || next.is_none() || !name.contains(&b'='))
        };
        let Some(at) = given.iter().position(is_cut) else { return Vec::new() };
        placed.push((at, name));
    }
    placed.small_sort_unstable();
    placed.dedup_by_key(|(at, _)| *at);
    if placed.len() != wanted.len() || placed.is_empty() {
        return Vec::new();
    }
    let mut written = pattern[..=at].to_vec();
    for (number, (at, name)) in placed.into_iter().enumerate() {
        match (number, at) {
            (0, 0) => {}
            _ => written.extend_from_slice(b"*&"),
        }
        written.extend_from_slice(name);
    }
    vec![written]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_written_otherwise() {
        let text = |found: Vec<Vec<u8>>| {
            found.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect::<Vec<_>>().join(" ")
        };
        for (found, wanted) in [
            (without_address(b"https://h.example/x/"), "/x/"),
            (without_address(b"//h.example/x/"), "/x/"),
            (without_address(b"/https://h.example/x/"), "/x/"),
            (without_address(b"h.example/x/"), "/x/"),
            (without_address(b"/x/"), ""),
            (without_address(b"/a.html"), ""),
            (without_address(b"/.*.pdf"), ""),
            (without_address(b"./x/"), ""),
            (without_address(b"../x/"), ""),
            (without_address(b"/v1.2/x"), ""),
            (without_address(b"/www.h.example/x"), "/x"),
            (without_address(b"index.php/x"), ""),
            (without_dots(b"/./x/"), "/x/"),
            (without_dots(b"/a/../x/"), "/x/"),
            (without_dots(b"/../x?/./"), "/x?/./"),
            (without_dots(b"/*/../x"), ""),
            (without_dots(b"/.x/..y/."), ""),
            (with_slash(b"x"), "/x"),
            (without_end(b"/x$"), "/x"),
            (without_end(b"/x$/y"), "/x/y"),
            (with_shared_slash(b"/a/*/b"), "/a*/b"),
            (with_shared_slash(b"/a/*/"), "/a/"),
            (with_shared_slash(b"/*/"), ""),
            (anywhere(b"/?b=9"), "/*?b=9"),
            (anywhere(b"/.php"), "/*.php"),
            (anywhere(b"/x/"), "/*/x/"),
            (anywhere(b"*x"), ""),
            (in_order_of(b"/x?a=1&b=2", b"/x?b=2&a=1"), "/x?b=2*&a=1"),
            (in_order_of(b"/x?a=", b"/x?c=3&a=1"), "/x?*&a="),
            (in_order_of(b"/*?a=", b"/x?c=3&a=1"), "/*?*&a="),
            (in_order_of(b"/x?a=1&b=2", b"/x?b=2"), ""),
            (in_order_of(b"/*?a=*&b=", b"/x?b=2&a=1"), "/*?b=*&a="),
            (as_first(b"/*&a="), "/*?a="),
            (as_first(b"/*?b*&a="), ""),
            (parameter(b"/a=", b"/x?a="), ""),
            (parameter(b"sort=", b"/x?sort="), "/*?sort= /*&sort="),
            (parameter(b"/sort=", b"/x"), ""),
            (with_other_separator(b"/*?a=1;b=2", b"/x?a=1&b=2"), "/*?a=1&b=2"),
            (with_other_separator(b"/x?s=", b"/x;s=1"), "/x;s="),
            (with_other_separator(b"/*?s=", b"/x;s=1"), ""),
            (without_query(b"/x?*", b"/x"), "/x"),
            (without_query(b"/x?", b"/x/y"), ""),
            (without_query(b"/?", b"/"), ""),
            (without_index_page(b"/a/index.html", b"/a/"), "/a/$"),
            (without_index_page(b"/a/index.html", b"/a/b"), ""),
            (with_shared_slash(b"/x/*/*"), "/x/"),
            (with_shared_slash(b"/*/?a="), "/*?a="),
            (in_order_of(b"/x?a=1&b=2", b"/x?b=2&a=12"), ""),
        ] {
            assert_eq!(text(found), wanted);
        }
        let many = |count: usize| (0..count).map(|at| format!("&{at}=1")).rev().collect::<String>();
        let ordered = |count| in_order_of(format!("/x?{}", &many(count)[1..]).as_bytes(), b"/x?0=1&1=1");
        assert!(ordered(2).len() == 1 && ordered(MAX_PARAMETERS + 1).is_empty());
    }
}
