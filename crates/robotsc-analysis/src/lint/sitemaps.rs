//! `Sitemap` lines whose URL is not that of a sitemap.
//!
//! ```text
//! Sitemap: https://h/a.xml https://h/b.xml     invalid-sitemap: one URL, which is none
//! Sitemap: http://localhost/a.xml              sitemap-form: no crawler can fetch it
//! ```

use std::collections::HashMap;

use robotsc_compiler::Severity;
use robotsc_compiler::record::Record;

use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};

/// Finds what is wrong with the URL of a `Sitemap` line. `seen` are the URLs so far, with their lines.
pub(super) fn check<'c>(
    context: &mut Context<'c>,
    record: &Record,
    value: &'c [u8],
    seen: &mut HashMap<&'c [u8], u32>,
) {
    several(context, record, value);
    if !context.explained.contains(&record.line) && !odd_url(context, record, value) {
        form(context, record, value, seen);
    }
}

/// Schemes of URLs of sitemaps.
const SCHEMES: [&[u8]; 2] = [b"http://", b"https://"];

/// Returns the length of the scheme that a text starts with; zero if it starts with none.
fn scheme_length(text: &[u8]) -> usize {
    let starts = |scheme: &&&[u8]| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    SCHEMES.iter().find(starts).map_or(0, |scheme| scheme.len())
}

/// Reports whether a text is a URL with more than a scheme.
fn is_url(text: &[u8]) -> bool {
    let length = scheme_length(text);
    length > 0 && text.len() > length
}

/// Splits a text before each scheme, but for one that follows another at once or is the value of a parameter.
fn split_at_schemes(text: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 1..text.len() {
        let before = &text[start..at];
        let is_start = scheme_length(&text[at..]) > 0 && is_url(before) && scheme_length(before) < before.len();
        if is_start && before.contains(&b'.') && before.last().is_some_and(u8::is_ascii_alphanumeric) {
            parts.push(before);
            start = at;
        }
    }
    parts.push(&text[start..]);
    parts
}

/// What is wrong with a URL: a message about it, and the URL that is meant.
type OddUrl = (String, Option<(&'static str, Vec<u8>)>);

/// A URL that no crawler can fetch, or that is not the one that is meant. Returns whether it was reported.
fn odd_url(context: &mut Context<'_>, record: &Record, value: &[u8]) -> bool {
    let after = context.body().get(record.value.end as usize..).unwrap_or_default();
    let Some((message, meant)) = fragment(value, after)
        .or_else(|| scheme_twice(value))
        .or_else(|| entity(value))
        .or_else(|| sign_at_end(value))
        .or_else(|| blank(value))
        .or_else(|| unreachable_host(value))
    else {
        return false;
    };
    let Some(check) = context.check(LintCheck::SitemapForm) else { return false };
    let mut finding = Finding::new(check, record.line, record.value, message).severity(Severity::Warning);
    finding.fix = meant.map(|(title, with)| Fix::replace(title, record.value, with));
    context.explained.insert(record.line);
    context.found.push(finding);
    true
}

/// A `#` within a URL, which begins a comment.
fn fragment(value: &[u8], after: &[u8]) -> Option<OddUrl> {
    let rest = after.strip_prefix(b"#")?;
    let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
    let is_path = end > 0 && is_url(value) && !value.ends_with(b".xml");
    let whole = [value, b"#", &rest[..end]].concat();
    is_path.then(|| (format!("{} is read as {}: `#` begins a comment", quoted(&whole), quoted(value)), None))
}

/// `https://https://`.
fn scheme_twice(value: &[u8]) -> Option<OddUrl> {
    let first = scheme_length(value);
    let mut rest = value.get(first..).filter(|_| first > 0)?;
    let second = scheme_length(rest);
    while scheme_length(rest.get(scheme_length(rest)..)?) > 0 {
        rest = &rest[scheme_length(rest)..];
    }
    // A slash or the colon can be missing.
    let bare = [&b"https:"[..], b"https/", b"http:", b"http/"]
        .into_iter()
        .find(|start| second == 0 && rest.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start)));
    let host =
        bare.map(|bare| rest[bare.len()..].iter().position(|byte| !b":/".contains(byte)).unwrap_or(0) + bare.len());
    let with = match (second, host) {
        (0, None) => return None,
        (0, Some(host)) => [&value[..first], &rest[host..]].concat(),
        _ => rest.to_vec(),
    };
    let message = format!("{} has two schemes, so that its host is called {}", quoted(value), quoted(b"https"));
    Some((message, Some(("write one scheme", with))))
}

/// `&amp;`.
fn entity(value: &[u8]) -> Option<OddUrl> {
    const ENTITY: &[u8] = b"&amp;";
    let text = String::from_utf8_lossy(value);
    let is_there = value.windows(ENTITY.len()).any(|window| window.eq_ignore_ascii_case(ENTITY));
    is_there.then(|| {
        let with = text.replace("&amp;", "&").replace("&AMP;", "&").into_bytes();
        let message = format!("{} contains `&amp;`: robots.txt has no entities of HTML", quoted(value));
        (message, Some(("write the sign itself", with)))
    })
}

/// A sign at the end that was copied with the URL.
fn sign_at_end(value: &[u8]) -> Option<OddUrl> {
    let end = value.iter().rposition(|byte| !b",;.|*".contains(byte))? + 1;
    (is_url(value) && end < value.len()).then(|| {
        let message = format!("{} ends in a sign that no URL of a sitemap ends in", quoted(value));
        (message, Some(("remove the sign", value[..end].to_vec())))
    })
}

/// Endings of sitemaps.
const ENDINGS: [&[u8]; 3] = [b".xml", b".gz", b".txt"];

/// Reports whether a text ends as the path of a sitemap does.
fn is_map(text: &[u8]) -> bool {
    let lower = text.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| lower.ends_with(ending))
}

/// Reports whether what follows a URL and a blank says something of it: it has the mark of a comment, or the URL ends
/// as that of a sitemap, and no other follows.
fn is_remark(url: &[u8], rest: &[u8]) -> bool {
    const MARKS: [&[u8]; 8] = [b"(", b"[", b"//", b"<!--", b"/*", b"--", b"- ", b";"];
    MARKS.iter().any(|mark| rest.starts_with(mark))
        || is_map(url) && !rest.iter().any(|byte| b"/:".contains(byte)) && !is_map(rest)
}

/// Returns the URL of a sitemap that a word after another names: itself, or its path or file on the same host.
fn resolved(first: &[u8], word: &[u8]) -> Option<Vec<u8>> {
    if is_url(word) {
        return Some(word.to_vec());
    }
    let host = scheme_length(first);
    let host = host + first[host..].iter().position(|byte| *byte == b'/')?;
    let folder = first.iter().rposition(|byte| *byte == b'/').filter(|at| *at >= host)?;
    match word {
        _ if !is_map(first) || !is_map(word) || word.contains(&b':') => None,
        [b'/', b'/', ..] => None,
        [b'/', ..] => Some([&first[..host], word].concat()),
        _ => Some([&first[..=folder], word].concat()),
    }
}

/// A blank within a URL.
fn blank(value: &[u8]) -> Option<OddUrl> {
    let at = value.iter().position(|byte| matches!(byte, b' ' | b'\t'))?;
    let rest = value[at..].trim_ascii();
    // A remark after the URL, or another record.
    let is_path = rest.iter().any(|byte| matches!(byte, b'.' | b'/')) && scheme_length(rest) == 0;
    let has_more = rest.iter().any(|byte| byte.is_ascii_whitespace() || *byte == b':');
    is_url(&value[..at]).then(|| {
        if is_remark(&value[..at], rest) {
            let message = format!("{} is read as one URL: a comment begins with `#`", quoted(value));
            return (message, Some(("begin the comment with `#`", [&value[..at], b" # ", rest].concat())));
        }
        let message = format!("{} contains a blank, and no URL does", quoted(value));
        let with = String::from_utf8_lossy(value).replace(' ', "%20").replace('\t', "%09").into_bytes();
        (message, (is_path && !has_more).then_some(("write the blank as `%20`", with)))
    })
}

/// A host that only the machine of the author knows, or that a program left empty.
fn unreachable_host(value: &[u8]) -> Option<OddUrl> {
    let length = scheme_length(value);
    let rest = value.get(length..).filter(|_| length > 0)?;
    let host = rest.split(|byte| matches!(byte, b'/' | b'?' | b'#')).next()?;
    let host = host.rsplit(|byte| *byte == b'@').next()?;
    let is_ipv6 = host.starts_with(b"[");
    let host = if is_ipv6 { host } else { host.split(|byte| *byte == b':').next()? }.to_ascii_lowercase();
    let text = String::from_utf8_lossy(&host);
    let is_private = match text.parse::<std::net::Ipv4Addr>() {
        Ok(address) => {
            address.is_private() || address.is_loopback() || address.is_link_local() || address.is_unspecified()
        }
        Err(_) => matches!(&*text, "[::1]" | "[::]"),
    };
    let is_word =
        matches!(&*text, "localhost" | "undefined" | "null" | "none" | "false" | "nan" | "localhost.localdomain");
    let is_local =
        [".local", ".localhost", ".internal", ".test", ".invalid", ".lan"].iter().any(|end| text.ends_with(end));
    (is_private || is_word || is_local || host.is_empty()).then(|| {
        let message = match host.is_empty() {
            true => format!("{} has no host", quoted(value)),
            false => format!("no crawler can reach {}: write the host of the site", quoted(&host)),
        };
        (message, None)
    })
}

/// Several sitemaps on one line, of which crawlers read one URL that is none.
fn several(context: &mut Context<'_>, record: &Record, value: &[u8]) {
    let is_joint = |byte: &u8| matches!(byte, b' ' | b'\t' | b',' | b';' | b'|');
    let urls: Vec<&[u8]> = value.split(is_joint).filter(|url| !url.is_empty()).collect();
    // A line end can be lost between them, too.
    let urls: Vec<&[u8]> = urls.into_iter().flat_map(split_at_schemes).collect();
    let is_word = |url: &&[u8]| [&b"and"[..], b"or", b"&", b"+"].iter().any(|word| word.eq_ignore_ascii_case(url));
    let urls: Vec<&[u8]> = urls.into_iter().filter(|url| !is_word(url)).collect();
    if urls.len() < 2 || context.explained.contains(&record.line) || !is_url(urls[0]) {
        return;
    }
    let Some(urls) = urls.iter().map(|url| resolved(urls[0], url)).collect::<Option<Vec<_>>>() else { return };
    let Some(check) = context.check(LintCheck::InvalidSitemap) else { return };
    let message = format!("{} URLs in one `Sitemap` line: crawlers read them as one, which is no sitemap", urls.len());
    let joint = [context.lines.end_of_line(), b"Sitemap: "].concat();
    let fix = Fix::replace("write a line for each", record.value, urls.join(joint.as_slice()));
    context.explained.insert(record.line);
    context.found.push(Finding::new(check, record.line, record.value, message).fix(fix));
}

/// A sitemap of which the scheme is none of the web, or that is listed twice.
fn form<'c>(context: &mut Context<'c>, record: &Record, value: &'c [u8], seen: &mut HashMap<&'c [u8], u32>) {
    let scheme = value.windows(3).position(|window| window == b"://").map(|at| &value[..at]);
    let is_web =
        |scheme: &[u8]| [&b"http"[..], b"https", b"ftp"].iter().any(|known| known.eq_ignore_ascii_case(scheme));
    let is_word = |scheme: &&[u8]| !scheme.is_empty() && scheme.iter().all(u8::is_ascii_alphanumeric);
    if let Some(scheme) = scheme.filter(is_word).filter(|scheme| !is_web(scheme)) {
        let Some(check) = context.check(LintCheck::SitemapForm) else { return };
        let message = format!("no URL of the web begins with {}: write `https://`", quoted(&[scheme, b"://"].concat()));
        // A slip of `https`: the same letters, such as `htps`.
        let is_near = scheme.len() > 2 && scheme.iter().all(|byte| b"htpsHTPS".contains(byte));
        let with = [b"https", &value[scheme.len()..]].concat();
        let fix = is_near.then(|| Fix::replace("write `https`", record.value, with));
        let mut finding = Finding::new(check, record.line, record.value, message).severity(Severity::Warning);
        finding.fix = fix;
        context.found.push(finding);
    } else if let Some(first) = seen.get(value).copied() {
        if let Some(check) = context.check(LintCheck::SitemapForm) {
            let message = format!("line {first} lists this sitemap already");
            let fix = Fix::remove(context.lines.whole(record.line));
            let fix = Fix { is_safe: false, ..fix };
            context.found.push(Finding::new(check, record.line, record.value, message).related([first]).fix(fix));
        }
    } else {
        seen.insert(value, record.line);
    }
}
