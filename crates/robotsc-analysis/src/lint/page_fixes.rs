//! Rules that open the files which a page needs.
//!
//! ```text
//! Disallow: /static/         Allow: /static/*.js$ and /static/*.js?: two lines for each kind of file that is blocked
//! Disallow: /_next/          Allow: /_next/static/: the folders in it that have such files
//! Disallow: /assets/         a line for each of many kinds: said, and left to the owner
//! ```

use std::collections::BTreeSet;

use robotsc_compiler::{RuleKind, RuleLine, RuleSet};

use super::context::{Context, Obeyed, quoted};
use super::finding::Fix;
use super::groups;
use super::page_files::{Kinds, PageFile};
use crate::rules::{RuleAnalysis, RuleIndex};
use crate::search::{LOOKS_PER_UNIT, NotDecided};
use crate::text::part::replaced;
use crate::text::words::listed;

/// The maximum number of lines that a fix writes, so that an owner can check them.
const MAX_LINES: usize = 8;

/// How the files that a rule blocks can be opened.
pub(super) enum Opening {
    /// A fix, and an example of what it opens that is no file of a page.
    Fix(Fix, Option<String>),
    /// What is left to the owner, as the end of a message.
    Advice(String),
    /// No line opens them.
    Unknown,
}

/// Returns how the files that a rule blocks are opened: by lines that allow them, or for a rule that is for nothing
/// else by taking it away.
///
/// A folder has files of other kinds than those that show the harm. After the fix, the rule blocks none of any kind.
pub(super) fn opening(
    context: &Context<'_>,
    obeyed: &Obeyed<'_>,
    rule: &RuleLine,
    files: &[PageFile],
) -> Result<Opening, NotDecided> {
    let value = context.value(rule);
    let mut base = value;
    while let [shorter @ .., b'*' | b'$'] = base {
        base = shorter;
    }
    if is_for_them_alone(base, files) {
        // `/*.js` is for `.json` and `.jsp`, too.
        let other = files.iter().find_map(|file| Some([file.path.strip_suffix(b".js")?, b".json"].concat()));
        let also = also_opened(obeyed, rule, other)?;
        if groups::is_only_rule(context, rule.line) {
            return Ok(Opening::Fix(Fix::replace("remove the pattern", rule.value, ""), also));
        }
        let fix = Fix::remove(context.lines.whole(rule.line));
        return Ok(Opening::Fix(Fix { is_safe: false, ..fix }, also));
    }
    // `/*.*` is for the endings of all files.
    let base = base.strip_suffix(b"*.").unwrap_or(base);
    let folder = base.strip_suffix(b"/");
    let (is_folder, base) = (folder.is_some(), folder.unwrap_or(base));
    let mut blocked = Vec::new();
    let needed = needed_files(files);
    // Each was compared with each other.
    obeyed.rules.budget.take((needed.len() * needed.len()) as u64 / LOOKS_PER_UNIT)?;
    for file in &needed {
        let (verdict, line) = obeyed.decide(&file.path)?;
        if !verdict.is_allow() && line == rule.line {
            blocked.push(file);
        }
    }
    let kinds = allowed_kinds(base, is_folder, files, &blocked);
    let is_short = kinds.len() <= MAX_LINES;
    let patterns = if is_short { Some(kinds.clone()) } else { allowed_folders(base, &blocked) };
    if let Some(patterns) = patterns
        && opens(context, obeyed, rule, &patterns, &blocked, files)?
    {
        let ending = context.lines.end_of_line();
        let lines: Vec<u8> =
            patterns.iter().flat_map(|pattern| [b"Allow: ", pattern.as_slice(), ending].concat()).collect();
        let other = patterns.iter().filter(|pattern| pattern.ends_with(b"/"));
        let other = other.map(|folder| [&replaced(folder, b"*", b"x"), &b"x.json"[..]].concat()).next();
        let also = match also_opened(obeyed, rule, other)? {
            Some(also) => Some(also),
            None => queries_opened(obeyed, rule.line, &patterns)?.map(|what| format!("; the fix opens {what}")),
        };
        return Ok(Opening::Fix(Fix::insert("allow them", context.lines.whole(rule.line).end, lines), also));
    }
    let shown = shown_kind(&kinds, files);
    if is_short || shown.is_empty() {
        return Ok(Opening::Unknown);
    }
    let does = if shown.len() == 1 { "does" } else { "do" };
    let lines: Vec<String> = shown.iter().map(|kind| quoted(&[b"Allow: ", kind.as_slice()].concat())).collect();
    Ok(Opening::Advice(format!(
        ": remove the line, or allow each kind of file that pages need from there, as {} {does}",
        listed(&lines)
    )))
}

/// Returns the patterns for one kind of file that the message names: of URLs that end so, and of those with a query.
fn shown_kind<'k>(kinds: &'k [Vec<u8>], files: &[PageFile]) -> Vec<&'k Vec<u8>> {
    let of = |file: &PageFile| -> Vec<&'k Vec<u8>> {
        let ending = file.ending.as_bytes();
        let is_its = |kind: &&Vec<u8>| !ending.is_empty() && kind[..kind.len() - 1].ends_with(ending);
        kinds.iter().filter(is_its).collect()
    };
    files.iter().map(of).find(|found| !found.is_empty()).unwrap_or_default()
}

/// Returns what a message says of a path that a rule blocks and a fix opens, if it blocks it.
fn also_opened(obeyed: &Obeyed<'_>, rule: &RuleLine, path: Option<Vec<u8>>) -> Result<Option<String>, NotDecided> {
    let Some(path) = path else { return Ok(None) };
    let (verdict, line) = obeyed.decide(&path)?;
    let is_opened = !verdict.is_allow() && line == rule.line;
    Ok(is_opened.then(|| format!("; the fix opens other files, too, such as {}", quoted(&path))))
}

/// The pages of programs whose query names a file: on the whole site, and in a folder of files.
const PROGRAMS: [&[u8]; 2] = [b"admin/users.php?file=x", b"x.php?file=x"];

/// Returns the words for queries that a line blocks and patterns for endings open: these cannot tell the query of a
/// program from a file.
pub(super) fn queries_opened(
    obeyed: &Obeyed<'_>,
    line: u32,
    patterns: &[Vec<u8>],
) -> Result<Option<String>, NotDecided> {
    let of_ending = |pattern: &Vec<u8>| {
        let pattern = pattern.strip_suffix(b"$")?;
        let star = pattern.iter().rposition(|byte| *byte == b'*')?;
        let folder = replaced(&pattern[..star], b"*", b"x");
        let slash: &[u8] = if folder.ends_with(b"/") { b"" } else { b"/" };
        let program = PROGRAMS[usize::from(folder.len() > 1)];
        Some([&folder, slash, program, &pattern[star + 1..]].concat())
    };
    let Some(query) = patterns.iter().find_map(of_ending) else { return Ok(None) };
    let (verdict, decides) = obeyed.decide(&query)?;
    let is_opened = !verdict.is_allow() && decides == line;
    Ok(is_opened.then(|| format!("queries with that ending, such as {}", quoted(&query))))
}

/// Reports whether a rule, without the signs at its end, is for some files and for nothing else: their ending, or their
/// path.
fn is_for_them_alone(base: &[u8], files: &[PageFile]) -> bool {
    let plain = base.split(|byte| *byte == b'?').next().unwrap_or(base);
    let is_ending = |file: &PageFile| !file.ending.is_empty() && plain.ends_with(file.ending.as_bytes());
    let is_image_path = |file: &PageFile| file.ending.is_empty() && file.path.starts_with(plain);
    let is_same = files.iter().all(is_image_path) && files.iter().all(|file| !file.path[plain.len()..].contains(&b'/'));
    files.iter().any(is_ending) || plain.ends_with(b".woff") || is_same
}

/// Returns patterns for each kind of file below a rule's folder: of URLs that end so, and of those with a query, as far
/// as they are blocked. `/*.js` alone would open `/users.jsp`.
///
/// `is_folder` says that the rule has a `/` after its base.
fn allowed_kinds(base: &[u8], is_folder: bool, files: &[PageFile], blocked: &[&PageFile]) -> Vec<Vec<u8>> {
    // A `*` stands for any number of bytes.
    let ends_in_slash = |file: &PageFile| file.path.get(base.len()).is_none_or(|byte| *byte == b'/');
    let is_folder = is_folder || !base.contains(&b'*') && files.iter().all(ends_in_slash);
    let joint: &[u8] = if is_folder || base.is_empty() { b"/*" } else { b"*" };
    let mut patterns: Vec<Vec<u8>> = Vec::new();
    for file in blocked {
        let pattern = match file.ending {
            "" => image_path(file),
            ending => {
                let end: &[u8] = if file.path.contains(&b'?') { b"?" } else { b"$" };
                [base, joint, ending.as_bytes(), end].concat()
            }
        };
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    }
    patterns
}

/// Returns the folders of files within a rule's folder, in order and none within another; `None` if they are as wide as
/// the rule, or too many.
fn allowed_folders(base: &[u8], blocked: &[&PageFile]) -> Option<Vec<Vec<u8>>> {
    let mut folders = BTreeSet::new();
    for file in blocked {
        let rest = file.path.strip_prefix(base)?;
        if file.ending.is_empty() {
            folders.insert(image_path(file));
            continue;
        }
        let end = rest.iter().rposition(|byte| *byte == b'/')?;
        let mut inner = &rest[..=end];
        // An `x` stands for any name.
        while let Some(shorter) = inner.strip_suffix(b"/x/") {
            inner = &rest[..=shorter.len()];
        }
        if inner.len() < 2 {
            return None;
        }
        folders.insert([base, &replaced(inner, b"/x/", b"/*/")].concat());
    }
    let mut widest: Vec<Vec<u8>> = Vec::new();
    for folder in folders {
        if widest.last().is_none_or(|last| !folder.starts_with(last)) {
            widest.push(folder);
        }
    }
    (widest.len() <= MAX_LINES).then_some(widest)
}

/// Returns the path of an image that a query names, with the sign before the query.
fn image_path(file: &PageFile) -> Vec<u8> {
    let end = file.path.iter().position(|byte| *byte == b'?').map_or(file.path.len(), |at| at + 1);
    file.path[..end].to_vec()
}

/// Reports whether a rule blocks none of some files beside these patterns of Allow rules.
///
/// The rule decides on all of `blocked` and on the first of `files`, so that no other rule of the file counts.
fn opens(
    context: &Context<'_>,
    obeyed: &Obeyed<'_>,
    rule: &RuleLine,
    patterns: &[Vec<u8>],
    blocked: &[&PageFile],
    files: &[PageFile],
) -> Result<bool, NotDecided> {
    let allows = patterns.iter().map(|pattern| (RuleKind::Allow, pattern.as_slice(), rule.line));
    let own = (rule.kind, context.value(rule), rule.line);
    let set = RuleSet::from_rules(context.robots.dialect(), std::iter::once(own).chain(allows));
    let after = RuleAnalysis::of(&set, context.robots.dialect(), obeyed.rules.paths, obeyed.rules.budget);
    obeyed.rules.budget.take((set.rules().len() * blocked.len()) as u64)?;
    let is_blocked = |decided: Option<RuleIndex>| {
        !after.verdict(decided).is_allow() && decided.is_some_and(|at| after.rule(at).line == rule.line)
    };
    if blocked.iter().any(|file| is_blocked(after.first(&after.seen(&file.path), |_| false))) {
        return Ok(false);
    }
    // The reference matcher is asked about the one that is shown.
    Ok(match files.first() {
        Some(shown) => !is_blocked(after.reference(&shown.path)?),
        None => true,
    })
}

/// Returns files beside some files of a page, of each kind and with a version: a folder of scripts has images, too.
fn needed_files(files: &[PageFile]) -> Vec<PageFile> {
    let folder = |file: &PageFile| {
        let path = file.path.split(|byte| *byte == b'?').next().unwrap_or_default();
        let end = path.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
        path[..end].to_vec()
    };
    let mut needed: Vec<PageFile> = Vec::new();
    let mut add = |file: PageFile| {
        if needed.iter().all(|known| known.path != file.path) {
            needed.push(file);
        }
    };
    let folders: BTreeSet<Vec<u8>> = files.iter().filter(|file| !file.ending.is_empty()).map(folder).collect();
    for ending in Kinds::All.endings() {
        for (folder, rest) in folders.iter().flat_map(|folder| ["", "?v=1"].map(|rest| (folder, rest))) {
            add(PageFile { path: [folder.as_slice(), b"x", ending.as_bytes(), rest.as_bytes()].concat(), ending });
        }
    }
    for file in files {
        add(PageFile { path: file.path.clone(), ending: file.ending });
    }
    needed
}
