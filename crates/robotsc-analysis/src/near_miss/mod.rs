//! Rules that nearly match a path, and edits that would open a path which a rule blocks.
//!
//! ```text
//! Disallow: /?b=9      /shop/?b=9 is allowed   the rule begins at the root: `/*?b=9` would match
//! Disallow: /Img/      /img/a.png is allowed   case: `/img/` would match
//! Disallow: //x/       /x/1 is allowed         slashes: `/x/` would match
//! ```
//!
//! 1. Most rules are passed over by one look: a piece of theirs is not in the path, whatever its case, escapes and
//!    slashes are (`sieve.rs`).
//! 2. The pattern of a rule that is left is written otherwise, in one way or in several (`rewrites.rs`).
//! 3. Each form is compared with the path, with fewer and fewer differences counted (`aligned.rs`).
//! 4. The reference matcher checks each pattern before it is shown.

mod aligned;
mod folded;
mod letters;
mod notation;
mod openings;
mod rewrites;
mod sieve;

use std::cell::OnceCell;
use std::fmt;

use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{
    Dialect, PathFormError, RobotsTxt, Rule, RuleKind, RuleLine, RuleOrigin, RuleSet, Selection, UrlPath, reference,
};

use self::aligned::{Aligned, aligned};
use self::folded::{Folded, Without, folded};
use self::letters::without_entities;
use self::notation::{is_for_all, listed};
pub use self::openings::{OpeningEdit, also_opened, openings};
use self::rewrites::{Form, MAX_REASONS, forms};
pub(crate) use self::sieve::{Pieces, Sieve};
use crate::lint::meant_values::meant_values;
use crate::rules::RuleIndex;
use crate::search::{NotDecided, SearchBudget};
use crate::text::hash::cut_by_hash;
use crate::text::hosts::{Hosts, host_of_rule};

/// The maximum number of rules that are found.
pub const MAX_FOUND: usize = 5;
/// The maximum number of rules that are looked at closely, the longest first.
const MAX_TRIED: usize = 128;
/// The maximum number of bytes of a path.
pub(crate) const MAX_PATH_BYTES: usize = 4096;
/// The maximum number of bytes of a pattern.
const MAX_PATTERN_BYTES: usize = 1024;
/// The work of one path.
const WORK: u64 = 1 << 24;
/// The characters that are compared in the time of a unit of [`SearchBudget`].
const CHARS_PER_UNIT: usize = 4;
/// How often a pattern and a path are read for the forms of the pattern, or so.
const FORM_READS: usize = 16;

/// Why a rule does not match a path that is near it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NearMissReason {
    /// Letters are in upper case in one of them, and in lower case in the other.
    Case,
    /// A slash is doubled or missing in one of them.
    Slashes,
    /// A character is escaped in one of them.
    Escapes,
    /// The parameters of the query are others before these, or in another order.
    Order,
    /// The rule begins at the root, and the path has what it names further on.
    Root,
    /// The rule ends with a `$`, or contains one.
    End,
    /// The rule starts with neither `/` nor `*`.
    NoSlash,
    /// The rule contains a blank or a character that cannot be seen, or one that only looks like a sign.
    Unseen,
    /// The rule contains an address, and not only a path.
    Address,
    /// The rule has quotes or brackets around it.
    Quotes,
    /// The rule has letters that are not in UTF-8, or that were encoded twice.
    Encoding,
    /// The rule contains a dot segment, which clients resolve.
    Dots,
    /// The rule holds several paths.
    List,
    /// The rule is written in another notation, such as a regular expression.
    Notation,
    /// The rule goes on with a comment of another language.
    Comment,
    /// Another sign is before a parameter in one of them.
    Separators,
    /// The rule asks for a query, and the path has none.
    Query,
    /// The rule names the page of a folder, and the path is the folder.
    IndexPage,
}

impl NearMissReason {
    /// Returns the name: lower case, words joined by `-`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Case => "case",
            Self::Slashes => "slashes",
            Self::Escapes => "escapes",
            Self::Order => "order",
            Self::Root => "root",
            Self::End => "end",
            Self::NoSlash => "no-slash",
            Self::Unseen => "unseen",
            Self::Address => "address",
            Self::Quotes => "quotes",
            Self::Encoding => "encoding",
            Self::Dots => "dots",
            Self::List => "list",
            Self::Notation => "notation",
            Self::Comment => "comment",
            Self::Separators => "separators",
            Self::Query => "query",
            Self::IndexPage => "index-page",
        }
    }
}

impl NearMissReason {
    /// Reports whether the rule says what it means, in a way that robots.txt does not know.
    const fn is_of_writing(self) -> bool {
        matches!(self, Self::List | Self::Notation | Self::Quotes | Self::Dots | Self::Encoding | Self::Comment)
    }
}

impl fmt::Display for NearMissReason {
    /// Writes why, as a clause: "upper and lower case differ".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Case => "upper and lower case differ",
            Self::Slashes => "the slashes differ",
            Self::Escapes => "a character is escaped in only one of them",
            Self::Order => "its parameters are at other places of the query",
            Self::Root => "it begins at the root, and the path does not begin with it",
            Self::End => "its `$` stands for the end, or for itself within a pattern",
            Self::NoSlash => "it starts with neither `/` nor `*`",
            Self::Unseen => "it contains a blank, or a character that is not what it seems",
            Self::Address => "it contains an address, and rules are compared with paths",
            Self::Quotes => "it has quotes or brackets around it, and is compared with them",
            Self::Encoding => "its letters are in another encoding than those of the URL",
            Self::Dots => "it contains a dot segment, which clients resolve before they send a request",
            Self::List => "it holds several paths, and a rule has one",
            Self::Notation => {
                "it is written in another notation, such as a regular expression, and matched as it is written"
            }
            Self::Comment => "a comment begins with `#`, and what follows the blank is matched, too",
            Self::Separators => "the sign before a parameter differs: `?`, `&` or `;`",
            Self::Query => "it asks for a query, and the URL has none",
            Self::IndexPage => "it names the page of a folder, and the URL is the folder itself",
        })
    }
}

/// A rule that nearly matches a path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NearMiss {
    /// The line of the rule, from 1.
    pub line: u32,
    /// The directive.
    pub kind: RuleKind,
    /// Its value, as written.
    pub value: Vec<u8>,
    /// Why it does not match, at most three reasons.
    pub reasons: Vec<NearMissReason>,
    /// What to write in its place: a pattern that matches the path, which the reference matcher has checked.
    pub pattern: Vec<u8>,
    /// A path near this one that the rule matches as it is; `None` if it matches none.
    pub path: Option<Vec<u8>>,
    /// The rule that would still decide, since it is longer; `None` if the rule with this pattern would decide.
    pub decided_by: Option<RuleIndex>,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NearMisses {
    /// The rules, those with the fewest reasons first, and of these the longest; at most [`MAX_FOUND`].
    pub found: Vec<NearMiss>,
    /// Whether all rules that could be near were looked at, and all that are near are here.
    pub is_complete: bool,
}

/// Finds the rules of some groups that nearly match a path, and that would change its verdict. `rules` are those of the
/// groups.
///
/// Cost: linear in the rules for a first look, and a bounded work for those that it leaves. Paths of more than 4,096
/// bytes and patterns of more than 1,024 are not compared. Never panics.
///
/// # Errors
/// [`PathFormError`] if the path is in another form than the rules.
///
/// ```
/// use robotsc::analysis::near_miss::near_misses;
/// use robotsc::{Crawler, Dialect, RobotsTxt};
///
/// let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /?b=9\nDisallow: /Img/\n");
/// let groups = robots.select(&Crawler::new("FooBot")?);
/// let rules = robots.rule_set_of(&groups);
/// for (url, pattern) in [("/shop/?b=9", "/*?b=9"), ("/img/a.png", "/img/")] {
///     let near = near_misses(&robots, &groups, &rules, Dialect::GOOGLE.url_path(url)?.as_path())?;
///     assert_eq!(near.found[0].pattern, pattern.as_bytes());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn near_misses(
    robots: &RobotsTxt<'_>,
    groups: &Selection,
    rules: &RuleSet,
    path: UrlPath<'_>,
) -> Result<NearMisses, PathFormError> {
    let decided = rules.deciding_rule(path)?;
    let kind = if decided.is_none_or(|rule| rule.verdict.is_allow()) { RuleKind::Disallow } else { RuleKind::Allow };
    let bytes = path.in_form(rules.path_form())?;
    if bytes.len() > MAX_PATH_BYTES {
        return Ok(NearMisses::default());
    }
    let budget = SearchBudget::new(WORK, WORK);
    let Ok(miss) = Miss::new(robots.dialect(), path, bytes, &budget) else { return Ok(NearMisses::default()) };
    let value = |line: &RuleLine| line.value.of(robots.body());
    let groups = groups.groups.iter().filter_map(|id| robots.groups().get(id.0 as usize));
    let lines = groups.flat_map(|group| robots.rules_of(group)).filter(|line| line.kind == kind);
    let cut = |line: &RuleLine| cut_by_hash(robots.body(), line.value).filter(|_| value(line).ends_with(b"&"));
    let is_near = |line: &&RuleLine| cut(line).is_some() || miss.sieve.may_be_near(&Pieces::of(value(line)));
    let mut lines: Vec<&RuleLine> = lines.filter(is_near).collect();
    lines.small_sort_by_key(|line| std::cmp::Reverse(line.value.len()));
    let mut near = NearMisses { found: Vec::new(), is_complete: lines.len() <= MAX_TRIED };
    let hosts = OnceCell::new();
    for line in lines.into_iter().take(MAX_TRIED) {
        let found = match cut(line) {
            Some(whole) => miss.of_cut_entity(kind, whole),
            None => miss.of_rule(kind, value(line)),
        };
        let Ok(found) = found else {
            near.is_complete = false;
            continue;
        };
        let Some(found) =
            found.filter(|found| found.is_of_host(value(line), || hosts.get_or_init(|| Hosts::of(robots))))
        else {
            continue;
        };
        if near.found.iter().any(|known| known.pattern == found.pattern) {
            continue;
        }
        let decided_by = decided.map(|rule| rule.rule).filter(|at| is_above(rules, *at, found.length, kind));
        let Found { reasons, pattern, path, .. } = found;
        let value = cut(line).unwrap_or(value(line)).to_vec();
        near.found.push(NearMiss { line: line.line, kind, value, reasons, pattern, path, decided_by });
    }
    near.is_complete &= near.found.len() <= MAX_FOUND;
    // The longest are first already.
    near.found.small_sort_by_key(|found| found.reasons.len());
    near.found.truncate(MAX_FOUND);
    Ok(near)
}

/// Reports whether a rule of a set ranks above one of a length that is not in it.
fn is_above(rules: &RuleSet, at: RuleIndex, length: u32, kind: RuleKind) -> bool {
    let above = |rule: &&Rule| rule.origin != RuleOrigin::EmptyLine;
    let rule = rules.rules().get(at as usize).filter(above);
    rule.is_some_and(|rule| (rule.length, rule.verdict.is_allow()) > (length, kind == RuleKind::Allow))
}

/// How a rule is near a path.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) reasons: Vec<NearMissReason>,
    /// A pattern that matches the path, and the length that ranks it.
    pub(crate) pattern: Vec<u8>,
    length: u32,
    path: Option<Vec<u8>>,
}

impl Found {
    /// Reports whether the address of a rule, if it has one, is of the host of its file.
    pub(crate) fn is_of_host<'h>(&self, value: &[u8], hosts: impl FnOnce() -> &'h Hosts) -> bool {
        let has_address = self.reasons.contains(&NearMissReason::Address);
        !has_address || host_of_rule(value).is_none_or(|host| hosts().is_own(&host))
    }
}

/// A path that rules can be near.
pub(crate) struct Miss<'m> {
    dialect: &'m Dialect,
    path: UrlPath<'m>,
    bytes: &'m [u8],
    sieve: Sieve,
    folded: Vec<(Without, Folded)>,
    budget: &'m SearchBudget,
}

impl<'m> Miss<'m> {
    /// # Errors
    /// If the budget is spent.
    pub(crate) fn new(
        dialect: &'m Dialect,
        path: UrlPath<'m>,
        bytes: &'m [u8],
        budget: &'m SearchBudget,
    ) -> Result<Self, NotDecided> {
        let all = Without::all();
        take_chars(budget, all.len() * bytes.len())?;
        let folded = all.map(|without| (without, folded(bytes, without))).to_vec();
        Ok(Self { dialect, path, bytes, sieve: Sieve::new(bytes), folded, budget })
    }

    /// Returns how a rule is near the path.
    ///
    /// # Errors
    /// If the budget is spent, or if the pattern is too long to be compared.
    pub(crate) fn of_rule(&self, kind: RuleKind, value: &[u8]) -> Result<Option<Found>, NotDecided> {
        let pattern = self.dialect.normalize_pattern(value);
        if value.is_empty() || pattern.is_empty() {
            return Ok(None);
        }
        if pattern.len() > MAX_PATTERN_BYTES {
            return Err(NotDecided);
        }
        // The reference matcher goes through the path for each byte of a pattern, quickly.
        let to_match = pattern.len() * self.bytes.len() / 8;
        take_chars(self.budget, to_match)?;
        if self.length_of(kind, &pattern)?.is_some() {
            return Ok(None);
        }
        take_chars(self.budget, FORM_READS * (pattern.len() + self.bytes.len()))?;
        let listed = listed(value, self.bytes).into_iter().map(|value| (NearMissReason::List, value.to_vec()));
        let meant = self.meant(kind, value).into_iter();
        let first = listed.chain(meant).map(|(reason, value)| (reason, self.dialect.normalize_pattern(&value)));
        let forms = forms(&pattern, first.collect(), self.bytes);
        for count in 1..=MAX_REASONS {
            for form in forms.iter().take_while(|form| form.reasons.len() <= count) {
                for (without, folded) in &self.folded {
                    let reasons = reasons(form, *without);
                    if reasons.len() != count {
                        continue;
                    }
                    let mut compared = form.pattern.len();
                    let found =
                        aligned(&form.pattern, self.bytes, folded, *without, form.is_end_optional, &mut compared);
                    take_chars(self.budget, compared)?;
                    // What is written in another way alone matches as it is, also in the middle of a name.
                    let is_as_meant =
                        *without == Without::default() && form.reasons.iter().all(|reason| reason.is_of_writing());
                    let as_meant = || Aligned { pattern: form.pattern.clone(), path: Vec::new() };
                    let found = found.or_else(|| is_as_meant.then(as_meant));
                    let says = |pattern: &[u8]| says_something(pattern) || is_for_all(value);
                    let Some(found) = found.filter(|found| says(&found.pattern)) else { continue };
                    take_chars(self.budget, to_match)?;
                    let Some(length) = self.length_of(kind, &found.pattern)? else { continue };
                    let other = if form.pattern == pattern { found.path } else { instance(&pattern) };
                    let path = self.is_matched(kind, &pattern, &other)?.then_some(other);
                    return Ok(Some(Found { reasons, pattern: found.pattern, length, path }));
                }
            }
        }
        Ok(None)
    }

    /// Returns what lint would write in place of a value with a comment in it, or with a colon before the path. What
    /// else is odd has a form of its own.
    fn meant(&self, kind: RuleKind, value: &[u8]) -> Vec<(NearMissReason, Vec<u8>)> {
        let has_colon = value.starts_with(b":");
        if !has_colon && !value.iter().any(|byte| matches!(byte, b' ' | b'\t')) {
            return Vec::new();
        }
        let reason = |is_comment| match is_comment {
            true => Some(NearMissReason::Comment),
            false => has_colon.then_some(NearMissReason::Notation),
        };
        let found = meant_values(self.dialect, kind, value).into_iter();
        found.filter_map(|(value, is_comment)| Some((reason(is_comment)?, value))).collect()
    }

    /// Returns how a rule is near the path whose value a `#` cuts, which belongs to an entity of HTML: `/m&#252;ller/`.
    fn of_cut_entity(&self, kind: RuleKind, whole: &[u8]) -> Result<Option<Found>, NotDecided> {
        if whole.len() > MAX_PATTERN_BYTES {
            return Err(NotDecided);
        }
        if let Some(pattern) = without_entities(whole) {
            take_chars(self.budget, pattern.len() * self.bytes.len() / 8)?;
            if let Some(length) = self.length_of(kind, &pattern)? {
                return Ok(Some(Found { reasons: vec![NearMissReason::Encoding], pattern, length, path: None }));
            }
        }
        Ok(None)
    }

    /// Returns the length of a rule with a pattern, if the reference matcher finds that it matches the path.
    fn length_of(&self, kind: RuleKind, pattern: &[u8]) -> Result<Option<u32>, NotDecided> {
        let set = RuleSet::from_rules(self.dialect, [(kind, pattern, 1)]);
        let found = reference::deciding_rule(&set, self.path).map_err(|_| NotDecided)?;
        let found = found.filter(|found| found.line == 1);
        Ok(found.and_then(|found| set.rules().get(found.rule as usize)).map(|rule| rule.length))
    }

    /// Reports whether a rule matches a path, which is one of a URL.
    fn is_matched(&self, kind: RuleKind, pattern: &[u8], path: &[u8]) -> Result<bool, NotDecided> {
        let url = [b"https://h", path].concat();
        let Some(url) = self.dialect.url_path(&url).ok().filter(|url| url.as_bytes() == path) else {
            return Ok(false);
        };
        let set = RuleSet::from_rules(self.dialect, [(kind, pattern, 1)]);
        let found = reference::deciding_rule(&set, url.as_path()).map_err(|_| NotDecided)?;
        Ok(found.is_some_and(|rule| rule.line == 1))
    }
}

/// Takes the work of comparing some characters.
fn take_chars(budget: &SearchBudget, chars: usize) -> Result<(), NotDecided> {
    budget.take((chars / CHARS_PER_UNIT) as u64)
}

/// Reports whether a pattern is more than `/*`, which is near every path.
fn says_something(pattern: &[u8]) -> bool {
    pattern.iter().any(|byte| !b"/*$".contains(byte))
}

/// Returns all reasons of a form that is found in a path without some differences.
fn reasons(form: &Form, without: Without) -> Vec<NearMissReason> {
    let mut reasons = form.reasons.clone();
    reasons.extend(without.case.then_some(NearMissReason::Case));
    reasons.extend(without.escapes.then_some(NearMissReason::Escapes));
    reasons.extend(without.slashes.then_some(NearMissReason::Slashes));
    reasons.small_sort_unstable();
    reasons.dedup();
    reasons
}

/// Returns a path that a pattern matches, if any does.
fn instance(pattern: &[u8]) -> Vec<u8> {
    let body = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let mut path = Vec::with_capacity(body.len() + 1);
    for (at, byte) in body.iter().enumerate() {
        match byte {
            b'*' if at == 0 && body.get(1) == Some(&b'/') => {}
            b'*' if at == 0 => path.push(b'/'),
            // Two slashes are seldom a path that somebody can ask for.
            b'*' if path.ends_with(b"/") && body.get(at + 1) == Some(&b'/') => path.push(b'x'),
            b'*' => {}
            byte => path.push(*byte),
        }
    }
    path
}

#[cfg(test)]
mod tests;
