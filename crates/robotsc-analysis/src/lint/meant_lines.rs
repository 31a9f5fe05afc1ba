//! Lines that crawlers do not read as they were meant, and the records that they were meant to be.
//!
//! ```text
//! Disallow = /s                      Disallow: /s
//! - Disallow: /s                     Disallow: /s
//! User-agent: * Disallow: /s         User-agent: *    and    Disallow: /s
//! Disallow:                          as it is
//! /s                                 Disallow: /s
//! ```
//!
//! What has a fix is written as the fix does it. What has none, since the line can be switched off on purpose, is shown
//! as it would be read: whoever asks why a URL is allowed wants to know of it. A comment of any language is none.

use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{Dialect, RobotsTxt, Severity};

use super::check::{CheckChoice, LintCheck};
use super::comment_marks::comment_mark;
use super::context::{Context, Parts};
use super::finding::{Finding, Fix};
use super::keys::{is_read, is_switched_off, meant, written};
use super::path_lines::{is_for_crawlers, path_lines};
use super::unread::Versions;
use super::{characters, joined, notices, patterns, separators, templates};
use crate::search::SearchBudget;
use crate::text::edit::{Edit, edited};

/// A line that crawlers do not read as it was meant.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeantLine {
    /// Its number, from 1.
    pub line: u32,
    /// The change that writes the records that were meant in its place, each on a line.
    pub edit: Edit,
}

/// The group that a line is read in by itself.
const GROUP: &[u8] = b"User-agent: *\n";
/// The maximum number of lines: each takes as much as a file of one line.
const MAX_LINES: usize = 2048;
/// The maximum number of fixes of one line.
const MAX_ROUNDS: usize = 4;

/// Finds the lines that crawlers do not read as they were meant, at most 2,048, in the order of the file.
///
/// Cost: linear in the file. Never panics.
#[doc(hidden)]
#[must_use]
pub fn meant_lines(robots: &RobotsTxt<'_>) -> Vec<MeantLine> {
    let mut choice = CheckChoice::default();
    // These ask about groups and paths.
    choice.set(LintCheck::GroupMerge, false);
    choice.set(LintCheck::RuleOutsideGroup, false);
    let parts = Parts::default();
    let budget = SearchBudget::new(0, 0);
    let mut context = Context::new(robots, &parts, &budget, &choice);
    find(&mut context);
    let mut fixed: Vec<(u32, Vec<u8>)> = Vec::new();
    let found = std::mem::take(&mut context.found);
    for finding in &found {
        if let Some(with) = of_fix(&context, finding) {
            fixed.push((finding.line, with));
        }
    }
    fixed.extend(without_fix(&context));
    // Of two fixes of a line the first is that of the cause: the checks run in this order.
    fixed.small_sort_by_key(|(line, _)| *line);
    fixed.dedup_by_key(|(line, _)| *line);
    let meant = |(line, with): (u32, Vec<u8>)| {
        let (start, text) = text_of(&context, line);
        let with = mended(&with, robots.dialect());
        let is_record = has_record(&with, robots.dialect());
        (is_record && with != text).then(|| MeantLine { line, edit: Edit { range: start..start + text.len(), with } })
    };
    fixed.into_iter().take(MAX_LINES).filter_map(meant).collect()
}

/// Runs the checks that say why a line is not read as it was meant.
fn find(context: &mut Context<'_>) {
    joined::check(context);
    characters::check(context, &[]);
    templates::check(context);
    separators::check(context);
    notices::check(context, &[]);
}

/// Returns where the text of a line begins, and the text, without a byte order mark.
fn text_of<'c>(context: &Context<'c>, line: u32) -> (usize, &'c [u8]) {
    let (start, text) = (context.lines.whole(line).start, context.lines.text(line));
    match text.strip_prefix(b"\xEF\xBB\xBF").filter(|_| line == 1) {
        Some(rest) => (start + 3, rest),
        None => (start, text),
    }
}

/// Returns a line with the fix of a finding, if the finding says that the line is not read as it was meant. What is
/// wrong with the value of a rule or an agent alone is not of this kind.
fn of_fix(context: &Context<'_>, finding: &Finding) -> Option<Vec<u8>> {
    let is_unread = match finding.check {
        LintCheck::JoinedLines | LintCheck::MissingColon => true,
        LintCheck::InvisibleCharacter
        | LintCheck::NoColon
        | LintCheck::TypoKey
        | LintCheck::PrefixKey
        | LintCheck::RefusedKey
        | LintCheck::UnknownKey
        | LintCheck::EmptyKey => !is_read(context, finding.line),
        _ => false,
    };
    let fix = finding.fix.as_ref().filter(|_| is_unread)?;
    let (start, text) = text_of(context, finding.line);
    with_fix(text, start, fix)
}

/// Returns a text with a fix, if the fix changes nothing else.
fn with_fix(text: &[u8], start: usize, fix: &Fix) -> Option<Vec<u8>> {
    let [edit] = fix.edits.as_slice() else { return None };
    let range = edit.range.start.checked_sub(start)?..edit.range.end.checked_sub(start)?;
    edited(text, &[Edit { range, with: edit.with.clone() }])
}

/// Returns the lines that have no fix, and what they would be: after the mark of a list, and a path alone after a rule.
fn without_fix(context: &Context<'_>) -> Vec<(u32, Vec<u8>)> {
    let versions = Versions::of(context);
    let alone = path_lines(context, versions).into_iter().filter(|alone| !is_for_crawlers(alone.path));
    let mut found: Vec<(u32, Vec<u8>)> =
        alone.map(|alone| (alone.line, [alone.kind.as_str().as_bytes(), b": ", alone.path].concat())).collect();
    for line in 1..=context.lines.count() {
        let text = written(context, line);
        let is_record = is_read(context, line) || comment_mark(text).is_some() || versions.is_mark(text);
        if !is_record
            // `X-Disallow` is switched off on purpose.
            && text.first().is_some_and(|byte| !byte.is_ascii_alphabetic())
            && let Some(colon) = text.iter().position(|byte| *byte == b':').filter(|at| is_switched_off(&text[..*at]))
            && let Some(key) = meant(&text[..colon])
        {
            found.push((line, [key.as_bytes(), b": ", text[colon + 1..].trim_ascii()].concat()));
        }
    }
    found
}

/// Returns records with what else is wrong with them written as it was meant.
fn mended(records: &[u8], dialect: &Dialect) -> Vec<u8> {
    let mut body = [GROUP, records].concat();
    for _ in 0..MAX_ROUNDS {
        let robots = RobotsTxt::parse_with(&body, dialect);
        let (parts, budget, choice) = (Parts::default(), SearchBudget::new(0, 0), CheckChoice::default());
        let mut context = Context::new(&robots, &parts, &budget, &choice);
        find(&mut context);
        patterns::values(&mut context);
        let is_wrong = |finding: &&Finding| finding.severity >= Severity::Warning && finding.line > 1;
        let fixed = context.found.iter().filter(is_wrong).find_map(|finding| {
            let fix = finding.fix.as_ref()?;
            with_fix(&body[GROUP.len()..], GROUP.len(), fix)
        });
        let Some(fixed) = fixed else { break };
        body = [GROUP, &fixed].concat();
    }
    body.split_off(GROUP.len())
}

/// Reports whether records have an agent or a rule.
fn has_record(records: &[u8], dialect: &Dialect) -> bool {
    let body = [GROUP, records].concat();
    let robots = RobotsTxt::parse_with(&body, dialect);
    robots.agents().len() > 1 || !robots.rules().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_as_they_were_meant() {
        let mut wrong = Vec::new();
        for (text, wanted) in [
            ("Disallow=/s", "Disallow: /s"),
            ("Disallow = /s", "Disallow: /s"),
            ("- Disallow: /s", "Disallow: /s"),
            ("1. Disallow: /s", "Disallow: /s"),
            ("Deny: /s", "Disallow: /s"),
            ("\"Disallow: /s\"", "Disallow: /s"),
            ("\u{200B}Disallow: /s", "Disallow: /s"),
            ("Disallow:|/s", "|Disallow: /s"),
            ("Disallow: /a|/b|/c", "|Disallow: /b|Disallow: /c"),
            ("Disallow:|- /b", "|Disallow: /b"),
            ("Allow:|/s", "|Allow: /s"),
            ("<br>Disallow: /s<br>", "Disallow: /s"),
            ("Disallow: /a Disallow: /s", "Disallow: /a+Disallow: /s"),
            (r"Disallow: /a\nDisallow: /s\n", "Disallow: /a+Disallow: /s"),
            ("Disallow: /a\u{2028}Disallow: /s", "Disallow: /a+Disallow: /s"),
            ("User-agent: b Disallow: /s", "User-agent: b+Disallow: /s"),
            ("Disallow: /a\\n", "Disallow: /a"),
            ("User-agent = b", "User-agent: b"),
            ("- User-agent: b", "User-agent: b"),
            // A comment of another language, a switch, text, a value that is read, and what no crawler should read.
            ("// Disallow: /s", ""),
            ("; Disallow: /s", ""),
            ("-- Disallow: /s", ""),
            ("X-Disallow: /s", ""),
            ("/s", ""),
            ("Disallow: /a||/s", ""),
            ("Disallow: x", ""),
            ("Disallow\u{FF1A} /s", ""),
            ("Sitemap: https://h/s|/s", ""),
            ("We disallow: all", ""),
            ("# Disallow: /s", ""),
            ("Disallow: /s", ""),
        ] {
            let body = format!("User-agent: *\n{}\n", text.replace('|', "\n"));
            let robots = RobotsTxt::parse(body.as_bytes());
            let found = meant_lines(&robots);
            let mut lines = vec![String::new(); text.matches('|').count() + 1];
            for meant in found {
                let with = String::from_utf8_lossy(&meant.edit.with).replace('\n', "+");
                lines[meant.line as usize - 2] = with;
            }
            let shown = lines.join("|");
            if shown != wanted && !(wanted.is_empty() && lines.iter().all(String::is_empty)) {
                wrong.push(format!("{text:?}: {shown:?}"));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
