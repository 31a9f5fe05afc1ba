//! Sites that are closed to search engines: the whole of them, or all but a list of what is allowed.
//!
//! ```text
//! Disallow: /
//! Allow: /*.css              site-closed: no page is open
//! ```

use std::collections::{BTreeMap, BTreeSet};

use robotsc_compiler::{RuleOrigin, Verdict};

use super::check::LintCheck;
use super::context::{Context, Obeyed, SEARCH_AGENTS, quoted};
use super::finding::{Finding, Fix};
use super::page_fixes::queries_opened;
use crate::search::NotDecided;
use crate::text::words::listed;

/// What agents are called that no group names.
pub(super) const OTHERS: &str = "all crawlers that are not named";

/// The whole site is closed.
pub(super) fn closed(context: &Context<'_>, found: &mut Vec<Finding>) -> Result<(), NotDecided> {
    let Some(check) = context.check(LintCheck::SiteClosed) else { return Ok(()) };
    let mut starts = BTreeSet::new();
    // Who is closed out by each line, and whether Allow rules are beside it.
    let mut closing: BTreeMap<u32, (Vec<String>, bool)> = BTreeMap::new();
    let named: Vec<_> = SEARCH_AGENTS.iter().filter_map(|agent| Some((*agent, context.obeyed_by(agent)?))).collect();
    let others = context.obeyed.iter().filter(|obeyed| obeyed.audience.has_others);
    for (who, obeyed) in others.map(|obeyed| (OTHERS, obeyed)).chain(named) {
        let (verdict, line) = obeyed.decide(b"/")?;
        let is_start = context.rule_of_line(line).is_some_and(|rule| context.value(rule) == b"/$");
        if !verdict.is_allow() && is_start && starts.insert(line) {
            let Some(rule) = context.rule_of_line(line) else { continue };
            let text = quoted(context.lines.text(line).trim_ascii());
            let message = format!("{text} closes the start page to {who}: it ends at the first slash");
            found.push(Finding::new(check, line, rule.value, message).witness(b"/"));
            continue;
        }
        if verdict.is_allow() || obeyed.decide(b"/x/y")?.0.is_allow() || opens_pages(obeyed)? {
            continue;
        }
        let (names, has_allows) = closing.entry(line).or_default();
        *has_allows |= allows(obeyed).next().is_some();
        if is_list(context, obeyed)? {
            continue;
        }
        if who == OTHERS {
            names.extend(shown_names(&obeyed.audience.names));
            names.push(OTHERS.to_owned());
        } else if !obeyed.audience.has_others {
            names.push(who.to_owned());
        }
    }
    for (line, (names, has_allows)) in closing.into_iter().filter(|(_, (names, _))| !names.is_empty()) {
        let Some(rule) = context.rule_of_line(line) else { continue };
        let text = quoted(context.lines.text(line).trim_ascii());
        let beside = if has_allows { ": what is allowed beside it is no page" } else { "" };
        let message = format!("{text} closes the whole site to {}{beside}", listed(&names));
        found.push(Finding::new(check, line, rule.value, message).witness(b"/"));
    }
    Ok(())
}

/// The maximum number of agents that a message names beside all others.
const MAX_NAMED: usize = 3;

/// Returns names for a message: the first of them, and how many more there are.
fn shown_names(names: &[String]) -> impl Iterator<Item = String> {
    let more = names.len().saturating_sub(MAX_NAMED);
    names.iter().take(MAX_NAMED).cloned().chain((more > 0).then(|| format!("{more} more")))
}

/// Reports whether a file closes all agents that it does not name, and lets both search engines in by name: a list.
fn is_list(context: &Context<'_>, obeyed: &Obeyed<'_>) -> Result<bool, NotDecided> {
    if !obeyed.audience.has_others {
        return Ok(false);
    }
    for agent in SEARCH_AGENTS {
        match context.obeyed_by(agent) {
            Some(named) if named.decide(b"/")?.0.is_allow() => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// Returns the rules that allow something, each with its place. An empty value opens nothing.
fn allows<'o>(obeyed: &'o Obeyed<'_>) -> impl Iterator<Item = (u32, &'o [u8])> {
    let set = obeyed.rules.rule_set();
    let is_allow = |rule: &robotsc_compiler::Rule| {
        rule.verdict.is_allow() && rule.line > 0 && rule.origin != RuleOrigin::EmptyLine
    };
    (0..).zip(set.rules()).filter(move |(_, rule)| is_allow(rule)).map(|(at, rule)| (at, set.pattern(rule)))
}

/// Reports whether an Allow decides any path of a page.
pub(super) fn opens_pages(obeyed: &Obeyed<'_>) -> Result<bool, NotDecided> {
    opens(obeyed, is_of_pages)
}

/// Reports whether an Allow decides any path of a page that is not the start page.
pub(super) fn opens_other_pages(obeyed: &Obeyed<'_>) -> Result<bool, NotDecided> {
    opens(obeyed, |pattern| is_of_pages(pattern) && !matches!(pattern, b"/" | b"/$"))
}

/// Reports whether an Allow decides any path, of those with such a pattern.
fn opens(obeyed: &Obeyed<'_>, is_such: impl Fn(&[u8]) -> bool) -> Result<bool, NotDecided> {
    for (at, pattern) in allows(obeyed) {
        if is_such(pattern) && obeyed.rules.decides(at)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Paths that files for programs have: a site that allows these alone is closed.
const NO_PAGES: [&[u8]; 8] = [
    b"/robots.txt",
    b"/sitemap",
    b"/ads.txt",
    b"/app-ads.txt",
    b"/favicon",
    b"/apple-touch-icon",
    b"/.well-known/",
    b"/wp-json",
];

/// Endings of files that are no pages: those that pages need, and those for programs.
const NO_PAGE_ENDINGS: [&[u8]; 27] = [
    b"css",
    b"js",
    b"mjs",
    b"map",
    b"json",
    b"xml",
    b"gz",
    b"txt",
    b"ico",
    b"png",
    b"jpg",
    b"jpeg",
    b"gif",
    b"svg",
    b"webp",
    b"avif",
    b"bmp",
    b"woff",
    b"woff2",
    b"ttf",
    b"otf",
    b"eot",
    b"webmanifest",
    b"rss",
    b"atom",
    b"mp4",
    b"mp3",
];

/// Folders of files that pages need.
const NO_PAGE_FOLDERS: [&[u8]; 35] = [
    b"images",
    b"image",
    b"img",
    b"imgs",
    b"icons",
    b"css",
    b"js",
    b"scripts",
    b"javascript",
    b"javascripts",
    b"styles",
    b"stylesheets",
    b"fonts",
    b"font",
    b"webfonts",
    b"assets",
    b"static",
    b"dist",
    b"cdn",
    b"cdn-cgi",
    b"skin",
    b"uploads",
    b"upload",
    b"bundles",
    b"packs",
    b"wp-content",
    b"wp-includes",
    b"wp-admin",
    b"_next",
    b"_nuxt",
    b"_astro",
    b"_app",
    b"etc.clientlibs",
    b"typo3temp",
    b"typo3conf",
];

/// Reports whether a pattern can be about pages, and not about files alone that pages or programs need.
fn is_of_pages(pattern: &[u8]) -> bool {
    let lower = pattern.to_ascii_lowercase();
    let path = lower.split(|byte| *byte == b'?').next().unwrap_or(&lower);
    let has_query = path.len() < lower.len();
    let has_star = path.contains(&b'*');
    let end = path.iter().rposition(|byte| !matches!(byte, b'*' | b'$')).map_or(0, |at| at + 1);
    let path = &path[..end];
    let ending = path.rsplit(|byte| *byte == b'.').next().filter(|ending| ending.len() < path.len());
    // The start page by another name, or with a parameter: search engines list it as `/`.
    let is_start = matches!(path, b"/" | b"") && has_query && !has_star
        || path.strip_prefix(b"/index.").is_some_and(|rest| rest.iter().all(u8::is_ascii_alphanumeric));
    !is_start
        && !NO_PAGES.iter().any(|start| path.starts_with(start))
        && !ending.is_some_and(|ending| NO_PAGE_ENDINGS.contains(&ending))
        && !path.split(|byte| matches!(byte, b'/' | b'*')).any(|segment| NO_PAGE_FOLDERS.contains(&segment))
}

/// What a page needs and what campaigns add to its URL.
struct BesidePage {
    /// It is hidden if none of these can be fetched.
    paths: &'static [&'static [u8]],
    /// The rules that allow it: `/*.js` would open `/users.jsp`. They match a query that ends so, too.
    patterns: &'static [&'static str],
}

/// What the start page needs and what campaigns add to it, each with the rules that allow it.
const BESIDE_PAGES: [BesidePage; 10] = [
    // Its owner can have closed it.
    BesidePage { paths: &[b"/"], patterns: &[] },
    BesidePage { paths: &[b"/_next/static/x.css"], patterns: &["/*.css$", "/*.css?"] },
    BesidePage { paths: &[b"/assets/x.css"], patterns: &["/*.css$", "/*.css?"] },
    BesidePage { paths: &[b"/_next/static/x.js"], patterns: &["/*.js$", "/*.js?"] },
    BesidePage { paths: &[b"/assets/x.js"], patterns: &["/*.js$", "/*.js?", "/*.mjs$", "/*.mjs?"] },
    BesidePage { paths: &[b"/assets/x.woff2"], patterns: &["/*.woff2$", "/*.woff2?"] },
    BesidePage {
        // Sites have them in one folder of their own.
        paths: &[
            b"/images/x.jpg",
            b"/assets/x.jpg",
            b"/img/x.jpg",
            b"/media/x.jpg",
            b"/static/x.jpg",
            b"/uploads/x.jpg",
            b"/wp-content/uploads/x.jpg",
            b"/_next/image?url=x",
        ],
        patterns: &["/*.jpg$", "/*.jpeg$", "/*.png$", "/*.gif$", "/*.svg$", "/*.webp$", "/*.avif$"],
    },
    BesidePage { paths: &[b"/?utm_source=x"], patterns: &["/?utm_"] },
    BesidePage { paths: &[b"/?gclid=x"], patterns: &["/?gclid="] },
    BesidePage { paths: &[b"/?fbclid=x"], patterns: &["/?fbclid="] },
];

/// An image that is of no page: who allows all images opens it.
const PRIVATE_IMAGE: &[u8] = b"/account/scan.jpg";

/// What campaigns add to the URL of a page.
const CAMPAIGNS: [&str; 3] = ["?utm_", "?gclid=", "?fbclid="];

/// The maximum number of pages of a list whose parameters are looked at. A longer list was made by a program.
const MAX_ANCHORED: usize = 8;

/// A site that is closed but for a list: what the pages of the list need is not on it.
pub(super) fn allow_list(context: &Context<'_>, found: &mut Vec<Finding>) -> Result<(), NotDecided> {
    let Some(check) = context.check(LintCheck::AllowListHides) else { return Ok(()) };
    let mut seen = BTreeSet::new();
    for agent in SEARCH_AGENTS {
        let Some(obeyed) = context.obeyed_by(agent) else { continue };
        let (verdict, line) = obeyed.decide(b"/x/y")?;
        let Some(rule) = context.rule_of_line(line) else { continue };
        let is_list = !verdict.is_allow() && matches!(context.value(rule), b"/" | b"/*" | b"*");
        // `site-closed` reports a list without a page.
        let opens_start = obeyed.decide(b"/")?.0.is_allow();
        let is_open = opens_start || is_list && opens_pages(obeyed)?;
        if !is_list || !is_open || !seen.insert(line) {
            continue;
        }
        let mut hidden: Vec<&BesidePage> = Vec::new();
        for beside in &BESIDE_PAGES {
            let mut is_hidden = true;
            for path in beside.paths {
                is_hidden = is_hidden && obeyed.decide(path)? == (verdict, line);
            }
            hidden.extend(is_hidden.then_some(beside));
        }
        // While the start page is closed, its parameters say nothing new.
        hidden.retain(|beside| opens_start || !beside.paths[0].starts_with(b"/?"));
        let pages = anchored_pages(obeyed, (verdict, line))?;
        if pages.is_empty() && hidden.iter().all(|beside| beside.patterns.is_empty()) {
            continue;
        }
        let mut paths: Vec<Vec<u8>> = hidden.iter().map(|beside| beside.paths[0].to_vec()).collect();
        paths.extend(pages.first().map(|page| [page, &b"?utm_source=x"[..]].concat()));
        let Some(first) = paths.first() else { continue };
        let shown: Vec<String> = paths.iter().map(|path| quoted(path)).collect();
        let mut message = format!(
            "{} hides what the allowed pages need or are linked with: {agent} may not fetch {}",
            quoted(context.lines.text(line).trim_ascii()),
            listed(&shown)
        );
        let mut patterns: Vec<Vec<u8>> = Vec::new();
        for pattern in hidden.iter().flat_map(|beside| beside.patterns).map(|pattern| pattern.as_bytes().to_vec()) {
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
        let mut opened: Vec<String> = Vec::new();
        if patterns.contains(&b"/*.jpg$".to_vec()) && obeyed.decide(PRIVATE_IMAGE)? == (verdict, line) {
            opened.push(format!("all such files, {} among them", quoted(PRIVATE_IMAGE)));
        }
        opened.extend(queries_opened(obeyed, line, &patterns)?);
        if !opened.is_empty() {
            message.push_str(&format!("; the fix opens {}", opened.join(", and ")));
        }
        let with_campaigns = |page: &Vec<u8>| CAMPAIGNS.map(|end| [page, end.as_bytes()].concat());
        patterns.extend(pages.iter().flat_map(with_campaigns));
        let ending = context.lines.end_of_line();
        let lines: Vec<u8> =
            patterns.iter().flat_map(|pattern| [b"Allow: ", pattern.as_slice(), ending].concat()).collect();
        let fix = Fix::insert("allow them", context.lines.whole(line).end, lines);
        found.push(Finding::new(check, line, rule.value, message).witness(first).fix(fix));
    }
    Ok(())
}

/// Returns the paths of pages that a list allows with a `$`, so that their URLs with a parameter are hidden; none of a
/// long list. `hidden` is what decides a path that the list does not have.
fn anchored_pages(obeyed: &Obeyed<'_>, hidden: (Verdict, u32)) -> Result<Vec<Vec<u8>>, NotDecided> {
    let pages = allows(obeyed).map(|(_, pattern)| pattern).filter(|pattern| is_of_pages(pattern));
    let pages = pages.filter_map(|pattern| pattern.strip_suffix(b"$"));
    let pages: BTreeSet<&[u8]> =
        pages.filter(|page| page.len() > 1 && !page.iter().any(|byte| b"*?".contains(byte))).collect();
    let mut found = Vec::new();
    for page in pages.iter().filter(|_| pages.len() <= MAX_ANCHORED) {
        if obeyed.decide(page)?.0.is_allow() && obeyed.decide(&[page, &b"?utm_source=x"[..]].concat())? == hidden {
            found.push(page.to_vec());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_pages_and_of_files() {
        for (pattern, wanted) in [
            ("/en/", true),
            ("/blog", true),
            ("/$", true),
            ("/*.html$", true),
            ("/*?page=", true),
            ("/index.php/shop", true),
            ("/imagesearch", true),
            ("/*.css", false),
            ("/*.js$", false),
            ("/*.css?", false),
            ("/*.PNG", false),
            ("/images/", false),
            ("/en/img", false),
            ("/wp-content/uploads/", false),
            ("/?", false),
            ("/?lang=en", false),
            ("/index.php", false),
            ("/llms.txt", false),
            ("/*/assets/*", false),
            ("/sitemap.xml", false),
        ] {
            assert_eq!(is_of_pages(pattern.as_bytes()), wanted, "{pattern}");
        }
    }
}
