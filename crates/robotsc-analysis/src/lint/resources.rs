//! Scripts, styles, fonts and images that search engines may not fetch, though they may fetch the pages.
//!
//! A table has the paths of such files as well-known systems have them. Each is asked for a verdict; a rule that blocks
//! one is reported if it names its folder or its ending.
//!
//! ```text
//! Disallow: /wp-content/plugins/     render-blocked: /wp-content/plugins/x/x.js
//! Disallow: /*?                      query-swallowed: /x/x.css?ver=1
//! ```

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{RuleKind, RuleLine, Severity};

use super::check::LintCheck;
use super::context::{Context, Obeyed, SEARCH_AGENTS, quoted};
use super::finding::{Finding, Fix};
use super::page_files::{ANYWHERE, BUILT, Kinds, PageFile, RESOURCES, files_within, folder_within};
use super::page_fixes::{Opening, opening};
use super::pattern_names::{FilePath, Names, is_common_word};
use crate::search::{LOOKS_PER_UNIT, NotDecided};
use crate::text::words;

/// Returns the crawlers of search engines with what they obey: of those that obey the same groups, the first.
fn searching<'a>(context: &'a Context<'_>) -> impl Iterator<Item = (&'static str, &'a Obeyed<'a>)> {
    let mut seen: Vec<&[_]> = Vec::new();
    SEARCH_AGENTS.into_iter().filter_map(move |agent| {
        let obeyed = context.obeyed_by(agent)?;
        let groups = obeyed.audience.groups.as_slice();
        (!seen.contains(&groups)).then(|| seen.push(groups))?;
        Some((agent, obeyed))
    })
}

/// Search engines may fetch the pages but not what they need to show them.
pub(super) fn resources(context: &Context<'_>, found: &mut Vec<Finding>) -> Result<(), NotDecided> {
    let Some(check) = context.check(LintCheck::RenderBlocked) else { return Ok(()) };
    let mut seen = BTreeSet::new();
    for (agent, obeyed) in searching(context) {
        if !obeyed.decide(b"/")?.0.is_allow() {
            continue;
        }
        for (line, files) in blocked_files(context, obeyed)? {
            let (Some(rule), Some(first)) = (context.rule_of_line(line), files.first()) else { continue };
            // The reference matcher is asked about the one that is shown.
            if !seen.insert(line) || !obeyed.is_disallowed_by(line, &first.path)? {
                continue;
            }
            let text = quoted(context.lines.text(line).trim_ascii());
            let mut names: Vec<&str> = Vec::new();
            for name in files.iter().map(|file| Kinds::name(file.ending)) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            let message =
                format!("{text} may block {} without which {agent} sees a broken page", words::listed(&names));
            let mut finding = Finding::new(check, line, rule.value, message).witness(&first.path);
            match opening(context, obeyed, rule, &files)? {
                Opening::Fix(fix, also) => {
                    finding.message.push_str(&also.unwrap_or_default());
                    finding.fix = Some(fix);
                }
                Opening::Advice(advice) => finding.message.push_str(&advice),
                Opening::Unknown => {}
            }
            found.push(finding);
        }
    }
    Ok(())
}

/// The maximum number of rules for a system in a folder of its own whose files are looked at: each has many.
const MAX_SYSTEMS: usize = 64;

/// Returns the files of the table that rules block which name them, by the lines of these rules.
fn blocked_files(context: &Context<'_>, obeyed: &Obeyed<'_>) -> Result<BTreeMap<u32, Vec<PageFile>>, NotDecided> {
    // The folder holds shell scripts there, or is on another host.
    let body = context.body();
    let contains = |mark: &[u8]| body.windows(mark.len()).any(|window| window.eq_ignore_ascii_case(mark));
    // Thousands of rules can name such folders, so the body is searched once.
    let is_drupal = LazyCell::new(|| contains(b"CHANGELOG.txt") || contains(b"/?q=admin"));
    let is_squarespace = LazyCell::new(|| contains(b"squarespace"));
    let is_elsewhere =
        |path: &[u8]| path.starts_with(b"/scripts/") && *is_drupal || path.starts_with(b"/static/") && *is_squarespace;
    let rules = obeyed.rules.rule_set().rules().iter().filter_map(|rule| context.rule_of_line(rule.line));
    let values = rules.filter(|rule| rule.kind == RuleKind::Disallow).map(|rule| context.value(rule));
    let values: Vec<&[u8]> = values.filter(|value| value.len() > 1).collect();
    let mut names: Vec<Names<'_>> = values.iter().map(|value| Names::of(value)).collect();
    // Most files name none of them.
    names.small_sort_by_key(Names::letter);
    let is_folder = |path: &[u8]| {
        let letter = path.get(1).copied();
        let from = names.partition_point(|names| names.letter() < letter);
        names[from..].iter().take_while(|names| names.letter() == letter).any(|names| names.folder(path))
    };
    let in_folders: Vec<bool> = RESOURCES.iter().map(|(path, _)| is_folder(path)).collect();
    names.retain(|names| !names.parts.is_empty());
    let is_part = |path: &[u8]| {
        let file = FilePath::of(path);
        names.iter().any(|names| names.part(&file)) && !is_common_word(path)
    };
    let is_named = |path: &[u8], in_folder: bool| in_folder || !names.is_empty() && is_part(path);
    let known = RESOURCES.iter().zip(in_folders).filter(|((path, _), in_folder)| is_named(path, *in_folder));
    let anywhere = [&ANYWHERE].into_iter().chain(&BUILT).filter(|_| !names.is_empty());
    let known: Vec<_> =
        known.map(|(known, _)| known).chain(anywhere).map(|(path, kinds)| (path.to_vec(), *kinds)).collect();
    // Thousands of rules can each name a folder of their own.
    let systems = values.iter().map(|value| files_within(value)).filter(|files| !files.is_empty()).take(MAX_SYSTEMS);
    let folders = values.iter().filter_map(|value| folder_within(value)).chain(systems.flatten());
    let folders: BTreeMap<Vec<u8>, Kinds> = folders.collect();
    let mut blocked: BTreeMap<u32, Vec<PageFile>> = BTreeMap::new();
    for (path, kinds) in known.into_iter().chain(folders).filter(|(path, _)| !is_elsewhere(path)) {
        let mut here: BTreeMap<u32, Vec<PageFile>> = BTreeMap::new();
        for ending in kinds.endings() {
            for query in ["", "?v=1"] {
                let file = [path.as_slice(), ending.as_bytes(), query.as_bytes()].concat();
                let Some((line, path)) = first_blocked(context, obeyed, &names, file)? else { continue };
                here.entry(line).or_default().push(PageFile { path, ending });
                break;
            }
        }
        drop_modules(context, &mut here);
        here.retain(|line, files| is_harm(context, *line, files, &path, kinds));
        here.into_iter().for_each(|(line, files)| blocked.entry(line).or_default().extend(files));
    }
    Ok(blocked)
}

/// Returns the line of a rule that blocks a file at its path, or in another folder, and names it; and that path.
///
/// Build systems add a version to such URLs, so they are looked at with a query, too. `starred` are the rules that name
/// something after a `*`.
fn first_blocked(
    context: &Context<'_>,
    obeyed: &Obeyed<'_>,
    starred: &[Names<'_>],
    path: Vec<u8>,
) -> Result<Option<(u32, Vec<u8>)>, NotDecided> {
    let is_anywhere = path.starts_with(ANYWHERE.0);
    let is_common = is_common_word(&path);
    // In any folder, only what a rule names after a star counts, and few files have such a rule.
    let deeper = (!starred.is_empty()).then(|| ([b"/x", path.as_slice()].concat(), false));
    for (path, is_at_root) in [(path, !is_anywhere)].into_iter().chain(deeper) {
        let file = FilePath::of(&path);
        let is_named = |names: &Names<'_>| is_at_root && names.folder(&path) || !is_common && names.part(&file);
        let parts: usize = starred.iter().map(|names| names.parts.len()).sum();
        obeyed.rules.budget.take(parts as u64 / LOOKS_PER_UNIT)?;
        if !is_at_root && !starred.iter().any(is_named) {
            continue;
        }
        let (verdict, line) = obeyed.decide(&path)?;
        let Some(rule) = context.rule_of_line(line).filter(|_| !verdict.is_allow()) else { continue };
        // The folder of a rule can be one that no URL names.
        if is_named(&Names::of(context.value(rule))) && obeyed.rules.paths.contains(&path) {
            return Ok(Some((line, path)));
        }
    }
    Ok(None)
}

/// Drops scripts that are modules, unless other scripts of the folder are blocked, or a rule names the ending. A site
/// that opens `*.js` in a closed folder has no others.
fn drop_modules(context: &Context<'_>, blocked: &mut BTreeMap<u32, Vec<PageFile>>) {
    let is_named = |line: u32| {
        let value = context.rule_of_line(line).map_or(&b""[..], |rule| context.value(rule));
        value.windows(4).any(|window| window == b".mjs")
    };
    if blocked.values().flatten().any(|file| file.ending == ".js") {
        return;
    }
    blocked.iter_mut().filter(|(line, _)| !is_named(**line)).for_each(|(_, files)| {
        files.retain(|file| file.ending != ".mjs");
    });
    blocked.retain(|_, files| !files.is_empty());
}

/// Reports whether a page lacks more than images of a folder, or the rule is for the whole folder: rules for images are
/// meant; one for the folder is for scripts, too.
fn is_harm(context: &Context<'_>, line: u32, files: &[PageFile], path: &[u8], kinds: Kinds) -> bool {
    let value = context.rule_of_line(line).map_or(&b""[..], |rule| context.value(rule));
    let value = value.strip_suffix(b"*").unwrap_or(value);
    let value = value.strip_suffix(b"/").unwrap_or(value);
    let is_whole = path.starts_with(value)
        && (value.starts_with(b"/_") || path.iter().skip(value.len() + 1).all(|byte| *byte != b'/'));
    kinds == Kinds::Image || is_whole || files.iter().any(|file| Kinds::name(file.ending) != "images")
}

/// Files with a version, as build systems write it.
const VERSIONED: [(&str, [&str; 3]); 4] = [
    ("/*.css", ["/x/x.css", "/x/x.css?ver=1", "/x/x.css?v=1"]),
    ("/*.js", ["/x/x.js", "/x/x.js?ver=1", "/x/x.js?v=1"]),
    ("/*.woff", ["/x/x.woff", "/x/x.woff?ver=1", "/x/x.woff?v=1"]),
    ("/*.woff2", ["/x/x.woff2", "/x/x.woff2?ver=1", "/x/x.woff2?v=1"]),
];

/// All URLs with a query, or with a version: scripts and styles among them.
pub(super) fn queries(context: &Context<'_>, found: &mut Vec<Finding>) -> Result<(), NotDecided> {
    let checks = [LintCheck::QuerySwallowed, LintCheck::RenderBlocked];
    if checks.into_iter().all(|check| context.check(check).is_none()) {
        return Ok(());
    }
    let is_general = |value: &[u8]| matches!(value, b"/*?" | b"/*?*" | b"*?" | b"*?*");
    // The patterns of the files that each line blocks, with one that shows it.
    let mut blocked: BTreeMap<u32, (BTreeSet<&str>, &[u8])> = BTreeMap::new();
    for (_, obeyed) in searching(context) {
        let is_open = obeyed.decide(b"/")?.0.is_allow();
        for (pattern, [path, with_versions @ ..]) in VERSIONED.iter().filter(|_| is_open) {
            if !obeyed.decide(path.as_bytes())?.0.is_allow() {
                continue;
            }
            for with in with_versions.iter().map(|path| path.as_bytes()) {
                let (verdict, line) = obeyed.decide(with)?;
                let Some(rule) = context.rule_of_line(line).filter(|_| !verdict.is_allow()) else { continue };
                // A rule for the ending is reported as one.
                if !Names::of(context.value(rule)).part(&FilePath::of(with)) {
                    blocked.entry(line).or_insert_with(|| (BTreeSet::new(), with)).0.insert(*pattern);
                }
            }
        }
    }
    let rules = context.robots.rules().iter().filter(|rule| rule.kind == RuleKind::Disallow);
    for rule in rules.filter(|rule| is_general(context.value(rule)) || blocked.contains_key(&rule.line)) {
        let value = context.value(rule);
        let shown = quoted(value);
        let (check, message) = if is_general(value) {
            let such = shown_query(context, rule, blocked.get(&rule.line).map(|(_, path)| *path))?;
            // Beside an `Allow` the rule blocks only what that leaves.
            let all = if such == Some(QUERY_EXAMPLES[0]) { "every URL" } else { "URLs" };
            let such = such.map(|path| format!(", such as {}", quoted(path))).unwrap_or_default();
            (LintCheck::QuerySwallowed, format!("{shown} blocks {all} with a query{such}"))
        } else {
            let message = format!("{shown} blocks scripts and styles that have a version in their query");
            (LintCheck::RenderBlocked, message)
        };
        let Some(check) = context.check(check) else { continue };
        let mut finding = Finding::new(check, rule.line, rule.value, message);
        if let Some((patterns, path)) = blocked.get(&rule.line) {
            let query = value.iter().position(|byte| *byte == b'?').map_or(&b"?"[..], |at| &value[at..]);
            let end = query.iter().rposition(|byte| !matches!(byte, b'*' | b'$')).map_or(0, |at| at + 1);
            let ending = context.lines.end_of_line();
            let lines = |pattern: &&str| [b"Allow: ", pattern.as_bytes(), &query[..end], ending].concat();
            let lines: Vec<u8> = patterns.iter().flat_map(lines).collect();
            let fix = Fix::insert("allow scripts, styles and fonts", context.lines.whole(rule.line).end, lines);
            finding = finding.severity(Severity::Warning).witness(path).fix(fix);
        }
        found.push(finding);
    }
    Ok(())
}

/// URLs with a query that show what a rule for all of them blocks.
const QUERY_EXAMPLES: [&[u8]; 3] = [b"/app.js?v=2", b"/shop?page=2", b"/?page=2"];

/// Returns a URL with a query that a rule blocks for some agents; one of those that pages need if there is one.
fn shown_query<'p>(
    context: &Context<'_>,
    rule: &RuleLine,
    needed: Option<&'p [u8]>,
) -> Result<Option<&'p [u8]>, NotDecided> {
    let [first, others @ ..] = QUERY_EXAMPLES;
    for path in [first].into_iter().chain(needed).chain(others) {
        for obeyed in &context.obeyed {
            if obeyed.is_disallowed_by(rule.line, path)? {
                return Ok(Some(path));
            }
        }
    }
    Ok(None)
}
