//! Patterns that do not mean what they seem to: signs of regular expressions, blanks, escapes, stars at the end.

use std::collections::{BTreeMap, BTreeSet};

use robotsc_compiler::notation::is_like_regex;
use robotsc_compiler::{ByteSpan, RuleKind, RuleLine, Severity};

use super::blanks::{blank, has_record};
use super::check::LintCheck;
use super::context::{Context, quoted};
use super::escapes::{escapes, unescaped};
use super::finding::{Finding, Fix};
use super::odd_pattern::OddPattern;
use super::{addresses, dead_pattern, signs, trailing_stars};
use crate::search::NotDecided;
use crate::text::hash::cut_by_hash;
use crate::text::part::{find, replaced};

/// Finds odd patterns.
pub(super) fn check(context: &mut Context<'_>) {
    values(context);
    case_variants(context);
    trailing_stars::trailing_stars(context);
}

/// Finds what is odd about single patterns.
pub(super) fn values(context: &mut Context<'_>) {
    let mut closing = None;
    for rule in context.robots.rules() {
        let value = context.value(rule);
        if context.explained.contains(&rule.line) {
            continue;
        }
        if value.is_empty() {
            hash_alone(context, rule);
            continue;
        }
        let mut odd = Vec::new();
        odd.extend(hash(context, rule, &mut closing));
        odd.extend(of_value(context, rule.kind, value));
        drop_findings_that_the_fix_removes(context, rule.kind, value, &mut odd);
        for odd in odd {
            let Some(check) = context.check(odd.check) else { continue };
            let mut finding = Finding::new(check, rule.line, rule.value, odd.message);
            finding.severity = odd.severity.unwrap_or(check.severity());
            let fix = odd.fix.map(|(title, with)| Fix::replace(title, rule.value, with));
            finding.fix = if odd.is_safe { fix.map(Fix::safe) } else { fix };
            context.found.push(finding);
        }
    }
    if closing == Some(Err(NotDecided)) {
        let message = "whether a rule that a `#` cuts closes the whole site was not decided";
        context.report(LintCheck::NotDecided, 0, ByteSpan::default(), message);
    }
}

/// A value that begins with a `#` and a path, so that all of it is a comment: `#/cart` of an address with a fragment.
fn hash_alone(context: &mut Context<'_>, rule: &RuleLine) {
    let text = context.lines.text(rule.line);
    let value = text.split(|byte| *byte == b':').nth(1).unwrap_or_default().trim_ascii();
    if value.starts_with(b"#/") && value.len() > 2 {
        let message = format!("{} is a comment, so that the line has no value: `#` begins one", quoted(value));
        context.report(LintCheck::HashCutsRule, rule.line, rule.value, message);
    }
}

/// Drops what is odd about a value that begins with neither `/` nor `*`, if that goes with its fix: quotes and colons
/// around a path.
fn drop_findings_that_the_fix_removes(context: &Context<'_>, kind: RuleKind, value: &[u8], odd: &mut Vec<OddPattern>) {
    const SIGNS: [LintCheck; 3] = [LintCheck::SpaceInPattern, LintCheck::DotSegment, LintCheck::UnescapedByte];
    let is_sign = |odd: &OddPattern| SIGNS.contains(&odd.check) && odd.fix.is_none();
    if matches!(value.first(), Some(b'/' | b'*')) || !odd.iter().any(is_sign) {
        return;
    }
    if let Some((_, meant)) = dead_pattern::mended(value) {
        let left = of_value(context, kind, &meant);
        odd.retain(|odd| !is_sign(odd) || left.iter().any(|left| left.check == odd.check));
    }
}

/// Reports whether a check of the pattern says why no URL has such a path.
pub(super) fn explains_no_url(context: &Context<'_>, rule: &RuleLine) -> bool {
    let value = context.value(rule);
    context.explained.contains(&rule.line)
        // `not-utf8` does.
        || std::str::from_utf8(value).is_err()
        || of_value(context, rule.kind, value).iter().any(|odd| {
            matches!(
                odd.check,
                LintCheck::SpaceInPattern
                    | LintCheck::DotSegment
                    | LintCheck::UnescapedByte
                    | LintCheck::Placeholder
                    | LintCheck::StraySign
                    | LintCheck::UrlPattern
            )
        })
}

/// Returns what is odd about a value.
pub(super) fn of_value(context: &Context<'_>, kind: RuleKind, value: &[u8]) -> Vec<OddPattern> {
    // What follows an HTML comment's mark is no part of the pattern.
    if find(value, b" <!--").is_some()
        && let Some(odd) = blank(context, kind, value, value)
    {
        return vec![odd];
    }
    let is_placeholder = signs::placeholder(value).is_some();
    let regex = if is_placeholder { None } else { regex(value) };
    // A backslash of a regular expression is no slash, and a bracket of a placeholder no bracket.
    // What is after the path is another finding.
    let path = signs::without_stray_signs(value).unwrap_or(value);
    let unescaped = if regex.is_some() || is_placeholder { None } else { unescaped(context, path) };
    let has_record = has_record(value);
    let is_explained = has_record || regex.is_some();
    let signs = if is_explained { Vec::new() } else { signs::of_value(context, kind, value) };
    [
        addresses::after_slash(context, value),
        if is_explained { None } else { dollar(value) },
        regex,
        blank(context, kind, value, path),
        entity(value),
        dots(value),
        unescaped,
        escapes(context, value),
        double_star(value),
    ]
    .into_iter()
    .flatten()
    .chain(signs)
    .collect()
}

/// Reports whether what is odd about a value has a fix, if anything is.
pub(super) fn are_mendable(context: &Context<'_>, kind: RuleKind, value: &[u8]) -> bool {
    let is_left =
        |odd: &OddPattern| odd.fix.is_none() && odd.severity.unwrap_or(odd.check.severity()) >= Severity::Warning;
    !of_value(context, kind, value).iter().any(is_left)
}

/// A `$` before the end is a byte like others.
fn dollar(value: &[u8]) -> Option<OddPattern> {
    let (_, before) = value.split_last()?;
    // `$$` and `$*` at the end are slips of the same kind. A `%24` in its place would not match `$` under google.
    let at = before.iter().position(|byte| *byte == b'$')?;
    let message = format!("the `$` in {} is not at the end: it stands for itself, not for the end", quoted(value));
    // Names such as `$price` occur in paths.
    let is_slip = matches!(value.get(at + 1), Some(b'*' | b'$' | b',' | b';' | b' ' | b')' | b'/' | b'|'));
    let severity = (!is_slip).then_some(Severity::Info);
    Some(OddPattern { severity, ..OddPattern::new(LintCheck::DollarInside, message) })
}

/// Signs that only make sense in a regular expression.
fn regex(value: &[u8]) -> Option<OddPattern> {
    (is_like_regex(value) || has_dot_star(value)).then_some(())?;
    let message = format!(
        "{} looks like a regular expression: only `*` and a `$` at the end have a meaning, all else is literal",
        quoted(value)
    );
    let with = replaced(&replaced(value, b"(.*)", b"*"), b".*", b"*");
    // What has other signs would still be for no URL that was meant.
    let is_plain = !with.iter().any(|byte| b"()[]{}^\\+|".contains(byte));
    let fix = (with != value && is_plain).then_some(("write `*` for `.*`", with));
    Some(OddPattern { fix, ..OddPattern::new(LintCheck::RegexSyntax, message) })
}

/// Reports whether a pattern has a `.*` after a slash, and goes on as a regular expression for a file or a parameter
/// does: `/.*.pdf$`, `/.*sort=`. Names that begin with a dot seldom do.
fn has_dot_star(value: &[u8]) -> bool {
    let Some(at) = find(value, b"/.*") else { return false };
    let rest = &value[at + 3..];
    let ending = || rest.strip_prefix(b".").map(|rest| rest.split(|byte| b"$*".contains(byte)).next().unwrap_or(rest));
    let is_of_file = || ending().is_some_and(|ending| signs::ENDINGS.contains(&ending));
    rest.iter().any(|byte| b"=?".contains(byte)) || is_of_file()
}

/// Characters that HTML writes as entities, and how URLs contain them. A `#` would begin a comment.
const ENTITIES: [(&[u8], &[u8]); 6] =
    [(b"&amp;", b"&"), (b"&lt;", b"<"), (b"&gt;", b">"), (b"&quot;", b"%22"), (b"&apos;", b"'"), (b"&nbsp;", b"%20")];

/// Returns the first entity of a letter, such as `&eacute;`.
fn letter_entity(value: &[u8]) -> Option<&[u8]> {
    const MARKS: [&[u8]; 9] = [b"acute", b"grave", b"circ", b"tilde", b"uml", b"cedil", b"ring", b"slash", b"lig"];
    value.split_inclusive(|byte| *byte == b';').find_map(|part| {
        let entity = &part[part.iter().rposition(|byte| *byte == b'&')?..];
        let name = entity.strip_prefix(b"&")?.strip_suffix(b";")?;
        MARKS.iter().any(|mark| name.len() <= mark.len() + 2 && name.ends_with(mark)).then_some(entity)
    })
}

fn entity(value: &[u8]) -> Option<OddPattern> {
    value.contains(&b'&').then_some(())?;
    let Some((first, _)) = ENTITIES.iter().find(|(entity, _)| find(value, entity).is_some()) else {
        let entity = letter_entity(value)?;
        let message = format!("{} contains {}: write the letter itself", quoted(value), quoted(entity));
        return Some(OddPattern::new(LintCheck::HtmlEntity, message));
    };
    let message = format!("{} contains {}: robots.txt has no entities of HTML", quoted(value), quoted(first));
    // Around a value, quotes and blanks are of the page that it was copied from.
    let mut inner = value;
    let around: [&[u8]; 3] = [b"&quot;", b"&apos;", b"&nbsp;"];
    while let Some(rest) =
        around.iter().find_map(|entity| inner.strip_prefix(*entity).or_else(|| inner.strip_suffix(*entity)))
    {
        inner = rest;
    }
    let with = ENTITIES.iter().fold(inner.to_vec(), |text, (entity, meant)| replaced(&text, entity, meant));
    Some(OddPattern::new(LintCheck::HtmlEntity, message).fix("write the sign itself", with))
}

/// Dot segments of the path never arrive.
fn dots(value: &[u8]) -> Option<OddPattern> {
    let path = value.split(|byte| *byte == b'?').next()?;
    let is_dots = |segment: &&[u8]| *segment == b"." || *segment == b"..";
    // The last segment goes on, unless it is anchored.
    let mut segments = path.split(|byte| *byte == b'/');
    let last = segments.next_back()?;
    let anchored = last.strip_suffix(b"$").filter(|_| path.len() == value.len());
    let found = anchored.as_ref().is_some_and(is_dots) || segments.any(|segment| is_dots(&segment));
    found.then(|| {
        let message =
            format!("{} contains a dot segment: clients resolve it before they send a request", quoted(value));
        OddPattern::new(LintCheck::DotSegment, message)
    })
}

fn double_star(value: &[u8]) -> Option<OddPattern> {
    find(value, b"**")?;
    let message = format!("`**` in {} means `*`, and makes the rule longer", quoted(value));
    let mut with = value.to_vec();
    with.dedup_by(|one, other| *one == b'*' && *other == b'*');
    Some(OddPattern::new(LintCheck::DoubleStar, message).fix("write `*`", with))
}

/// A `#` right after the value cuts a rule that was meant to be longer.
///
/// `closing` are the lines that close the whole site, once they were asked for.
fn hash(context: &Context<'_>, rule: &RuleLine, closing: &mut Option<ClosingLines>) -> Option<OddPattern> {
    let whole = cut_by_hash(context.body(), rule.value)?;
    let value = context.value(rule);
    let closes = rule.kind == RuleKind::Disallow
        && context.check(LintCheck::HashCutsRule).is_some()
        && closing.get_or_insert_with(|| closing_lines(context)).as_ref().is_ok_and(|lines| lines.contains(&rule.line));
    let message = if closes {
        format!("{} is read as {}, which closes the whole site: `#` begins a comment", quoted(whole), quoted(value))
    } else {
        format!(
            "{} is read as {}: `#` begins a comment, and no URL that is fetched contains it",
            quoted(whole),
            quoted(value)
        )
    };
    let severity = closes.then_some(Severity::Error);
    Some(OddPattern { severity, ..OddPattern::new(LintCheck::HashCutsRule, message) })
}

/// The lines that close the whole site to some agents.
type ClosingLines = Result<BTreeSet<u32>, NotDecided>;

fn closing_lines(context: &Context<'_>) -> ClosingLines {
    let mut lines = BTreeSet::new();
    for obeyed in &context.obeyed {
        let (verdict, line) = obeyed.decide(b"/")?;
        if !verdict.is_allow() && obeyed.decide(b"/x/y")? == (verdict, line) {
            lines.insert(line);
        }
    }
    Ok(lines)
}

/// A path in two spellings: a third is open.
fn case_variants(context: &mut Context<'_>) {
    let Some(check) = context.check(LintCheck::CaseVariants) else { return };
    let mut found = Vec::new();
    for group in context.robots.groups() {
        let mut first: BTreeMap<Vec<u8>, &RuleLine> = BTreeMap::new();
        let rules = context.robots.rules_of(group).iter();
        for rule in rules.filter(|rule| rule.kind == RuleKind::Disallow) {
            let value = context.value(rule);
            let other = *first.entry(value.to_ascii_lowercase()).or_insert(rule);
            if context.value(other) != value {
                let message = format!(
                    "{} is another spelling of line {}: paths are compared with their case, and other spellings are \
                     open",
                    quoted(value),
                    other.line
                );
                found.push(Finding::new(check, rule.line, rule.value, message).related([other.line]));
            }
        }
    }
    context.found.extend(found);
}
