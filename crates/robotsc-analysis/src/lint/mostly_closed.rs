//! Rules that close most pages of a site and leave the start page open.
//!
//! ```text
//! Disallow: /*/              site-closed: all pages in folders, such as /blog/first-post
//! Disallow: /*.html$         site-closed: all pages that end in `.html`
//! ```

use std::collections::BTreeMap;

use robotsc_compiler::RuleKind;

use super::check::LintCheck;
use super::closed::{OTHERS, opens_other_pages};
use super::context::{Context, Obeyed, SEARCH_AGENTS, quoted};
use super::finding::Finding;
use crate::search::NotDecided;
use crate::text::words::listed;

/// Paths as pages of most sites have them.
const PAGES: [&str; 12] = [
    "/blog/first-post",
    "/products/shoes/42",
    "/about",
    "/contact",
    "/en/about",
    "/news/2024/05/a-story",
    "/category/toys/",
    "/shop/item-12345",
    "/docs/start/",
    "/team/",
    "/blog/",
    "/events/summer/tickets",
];

/// The number of these pages that a rule has to close.
const MIN_PAGES: usize = 8;

/// Paths of pages that have an ending, and the rules that are for it.
const ENDINGS: [(&str, &str); 2] = [(".html", "/blog/first-post.html"), (".htm", "/blog/first-post.htm")];

/// A rule, by what it is for, that closes most of a site.
pub(super) fn mostly_closed(context: &Context<'_>, found: &mut Vec<Finding>) -> Result<(), NotDecided> {
    let Some(check) = context.check(LintCheck::SiteClosed) else { return Ok(()) };
    let is_wide = |rule: &&robotsc_compiler::RuleLine| {
        rule.kind == RuleKind::Disallow && what_is_closed(context.value(rule)).is_some()
    };
    if !context.robots.rules().iter().any(|rule| is_wide(&rule)) {
        return Ok(());
    }
    // Who is closed out by each line, and a path that shows it.
    let mut closing: BTreeMap<u32, (Vec<&str>, &str)> = BTreeMap::new();
    let named = || SEARCH_AGENTS.iter().filter_map(|agent| Some((*agent, context.obeyed_by(agent)?)));
    let others = context.obeyed.iter().filter(|obeyed| obeyed.audience.has_others);
    for (who, obeyed) in others.map(|obeyed| (OTHERS, obeyed)).chain(named()) {
        // A site that is closed as a whole is a finding of its own.
        let is_of_others = obeyed.audience.has_others;
        // Search engines that have groups of their own are looked at by their names.
        let is_searched = named().any(|(_, named)| std::ptr::eq(named, obeyed));
        if !obeyed.decide(b"/")?.0.is_allow() || opens_other_pages(obeyed)? || is_of_others && !is_searched {
            continue;
        }
        for (line, path) in closed_lines(context, obeyed)? {
            let (names, _) = closing.entry(line).or_insert_with(|| (Vec::new(), path));
            if !names.contains(&OTHERS) {
                names.push(who);
            }
        }
    }
    for (line, (names, path)) in closing {
        let Some(rule) = context.rule_of_line(line) else { continue };
        let Some(what) = what_is_closed(context.value(rule)) else { continue };
        let text = quoted(context.lines.text(line).trim_ascii());
        let message = format!("{text} closes {what}, such as {}, to {}", quoted(path.as_bytes()), listed(&names));
        found.push(Finding::new(check, line, rule.value, message).witness(path.as_bytes()));
    }
    Ok(())
}

/// Returns the lines that close most pages to some agents, each with the first of these pages.
fn closed_lines(context: &Context<'_>, obeyed: &Obeyed<'_>) -> Result<Vec<(u32, &'static str)>, NotDecided> {
    let mut of_line: BTreeMap<u32, Vec<&'static str>> = BTreeMap::new();
    let endings = ENDINGS.iter().map(|(_, page)| *page);
    for page in PAGES.into_iter().chain(endings) {
        let (verdict, line) = obeyed.decide(page.as_bytes())?;
        if !verdict.is_allow() {
            of_line.entry(line).or_default().push(page);
        }
    }
    let is_closed = |line: u32, pages: &[&str]| {
        let value = context.rule_of_line(line).map_or(&b""[..], |rule| context.value(rule));
        let is_of_ending = ending(value).is_some();
        what_is_closed(value).is_some() && (is_of_ending || pages.len() >= MIN_PAGES)
    };
    let lines = of_line.into_iter().filter(|(line, pages)| is_closed(*line, pages));
    Ok(lines.filter_map(|(line, pages)| Some((line, *pages.first()?))).collect())
}

/// Returns the ending that a rule is for, if all pages can have it.
fn ending(value: &[u8]) -> Option<&'static str> {
    let end = value.strip_prefix(b"/*").or_else(|| value.strip_prefix(b"*"))?;
    let end = end.strip_suffix(b"$").or_else(|| end.strip_suffix(b"*")).unwrap_or(end);
    ENDINGS.iter().map(|(ending, _)| *ending).find(|ending| ending.as_bytes().eq_ignore_ascii_case(end))
}

/// Returns what a rule closes that names no folder and no word, but a sign that most URLs have.
fn what_is_closed(value: &[u8]) -> Option<String> {
    if let Some(ending) = ending(value) {
        return Some(format!("all pages that end in `{ending}`"));
    }
    let has_word = value.windows(2).any(|pair| pair.iter().all(u8::is_ascii_alphanumeric));
    let is_of_all = value.strip_prefix(b"/").unwrap_or(value).iter().all(|byte| *byte == b'*');
    let is_wide = value.contains(&b'*') && !has_word && !is_of_all;
    is_wide.then(|| {
        let is_of_folders = value.iter().all(|byte| b"*/$".contains(byte));
        if is_of_folders { "all pages in folders".to_owned() } else { "most pages of a site".to_owned() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_for_what_most_pages_have() {
        for (value, wanted) in [
            ("/*/", Some("all pages in folders")),
            ("*/", Some("all pages in folders")),
            ("/*/*/", Some("all pages in folders")),
            ("/*e", Some("most pages of a site")),
            ("/*.html$", Some("all pages that end in `.html`")),
            ("*.htm", Some("all pages that end in `.htm`")),
            ("/*.htmlx", None),
            ("/*/feed", None),
            ("/", None),
            ("*", None),
            ("/*", None),
            ("/**", None),
            ("/x", None),
        ] {
            assert_eq!(what_is_closed(value.as_bytes()).as_deref(), wanted, "{value}");
        }
    }
}
