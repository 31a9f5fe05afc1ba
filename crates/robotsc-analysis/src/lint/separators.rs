//! Records whose colon is missing, or is another sign.
//!
//! ```text
//! Disallow/x                            no colon
//! User-agent = GPTBot                   another sign
//! Disallow /wiki/Special:Search         the first colon is within the path: read as a rule `Search`
//! Sitemap https://h/sitemap.xml         the same
//! ```

use robotsc_compiler::{ByteSpan, Severity};

use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};
use super::keys::{is_switched_off, meant, offset, written};

/// Keys as they are written, and the directives that they are. A longer one comes before its start.
const KEYS: [(&str, &str); 12] = [
    ("user-agent", "User-agent"),
    ("user agent", "User-agent"),
    ("user_agent", "User-agent"),
    ("useragent", "User-agent"),
    ("disallowed", "Disallow"),
    ("disallow", "Disallow"),
    ("allowed", "Allow"),
    ("allow", "Allow"),
    ("sitemap", "Sitemap"),
    ("crawl-delay", "Crawl-delay"),
    ("crawl delay", "Crawl-delay"),
    ("crawldelay", "Crawl-delay"),
];

/// Finds lines whose first colon is within the value. Others are found by the parser, for which they have no colon.
pub(super) fn check(context: &mut Context<'_>) {
    let Some(check) = context.check(LintCheck::MissingColon) else { return };
    for line in 1..=context.lines.count() {
        let text = written(context, line);
        if !text.contains(&b':') || context.explained.contains(&line) {
            continue;
        }
        let Some(with) = mended(context, text) else { continue };
        let start = context.lines.whole(line).start + offset(context.lines.text(line));
        let span = ByteSpan::new(start, start + text.len());
        let key = text.split(|byte| *byte == b':').next().unwrap_or(text);
        let message = format!("{} has no colon after its key: crawlers read {} as the key", quoted(text), quoted(key));
        let finding = Finding::new(check, line, span, message).fix(Fix::replace("write the colon", span, with));
        let is_rule = context.rule_of_line(line).is_some();
        context.explained.insert(line);
        context.found.push(finding.severity(if is_rule { Severity::Error } else { check.severity() }));
    }
}

/// Returns the records that a line was meant to be: a known key, a sign that is no colon, and a value such as the key
/// has. `None` if the key has its colon.
pub(super) fn mended(context: &Context<'_>, text: &[u8]) -> Option<Vec<u8>> {
    let (key, rest) = split_key(text)?;
    let value = rest.trim_ascii_start();
    let signs = value.iter().position(|byte| !b"=->;| \t".contains(byte)).unwrap_or(value.len());
    let (signs, value) = (&rest[..rest.len() - value.len() + signs], value[signs..].trim_ascii_end());
    if value.is_empty() || signs.is_empty() && !value.starts_with(b"/") {
        return None;
    }
    let words: Vec<&[u8]> = value.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let is_path = |word: &&[u8]| matches!(word.first(), Some(b'/' | b'*')) && !word.ends_with(b":");
    let values: Vec<Vec<u8>> = match (key, words.as_slice()) {
        ("Allow" | "Disallow", [url]) if is_url(url) => {
            let url = context.robots.dialect().split_url(url).ok()?;
            let path = url.path.into_cow().into_owned();
            // A host alone is no path, and `/` would be for all of them.
            if path.len() < 2 {
                return None;
            }
            vec![path]
        }
        ("Allow" | "Disallow", words) if words.iter().all(is_path) => words.iter().map(|word| word.to_vec()).collect(),
        // A sentence can begin with such a word.
        ("User-agent", [name]) if *name == b"*" || is_name(name) => vec![name.to_vec()],
        ("Sitemap", [url]) if is_url(url) => vec![url.to_vec()],
        ("Crawl-delay", [number]) if number.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') => {
            vec![number.to_vec()]
        }
        _ => return None,
    };
    let lines: Vec<Vec<u8>> = values.iter().map(|value| [key.as_bytes(), b": ", value].concat()).collect();
    Some(lines.join(context.lines.end_of_line()))
}

/// Returns the directive that a line begins with, and what follows it.
fn split_key(text: &[u8]) -> Option<(&'static str, &[u8])> {
    let starts = |key: &str| text.get(..key.len()).is_some_and(|start| start.eq_ignore_ascii_case(key.as_bytes()));
    let ends = |rest: &[u8]| rest.first().is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    let known = KEYS.iter().find(|(key, _)| starts(key)).map(|(key, directive)| (*directive, &text[key.len()..]));
    if let Some((directive, rest)) = known.filter(|(_, rest)| ends(rest)) {
        return Some((directive, rest));
    }
    let end = text.iter().position(|byte| byte.is_ascii_whitespace() || b":=/*".contains(byte))?;
    let key = &text[..end];
    Some((meant(key).filter(|_| !is_switched_off(key))?, &text[end..]))
}

fn is_url(word: &[u8]) -> bool {
    let starts = |scheme: &&[u8]| word.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    [&b"http://"[..], b"https://"].iter().any(starts)
}

/// Reports whether a word can be the name of a crawler.
pub(super) fn is_name(word: &[u8]) -> bool {
    word.first().is_some_and(u8::is_ascii_alphanumeric)
        && word.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}
