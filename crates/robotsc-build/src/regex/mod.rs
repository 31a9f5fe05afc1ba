//! Regular expressions of declared rules: what is accepted, and the automaton of each.
//!
//! An expression is over bytes (no Unicode, no UTF-8), anchored at the path's first byte, and a match of any length
//! is a match; the dot is any byte. `^` and `$` are the ends of the text. Everything else that looks around is
//! refused, so that an automaton needs to know nothing of the bytes beside the match.
//!
//! Since only whether there is a match matters, not where it ends, greed has no meaning. The dense automaton is built
//! with greed turned round: after the first match it then has the least left to follow, and few states.

pub(crate) mod forms;
pub(crate) mod table;

use std::fmt;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson::{self, pikevm};
use regex_automata::util::{primitives::StateID, start};
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::ast::{self, AssertionKind, Ast};
use regex_syntax::hir::{Hir, HirKind, Look, LookSet};

use crate::limits::BuildLimits;

/// What makes an expression unusable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexError {
    message: String,
    /// Bytes of the expression.
    span: Option<Range<usize>>,
    help: Option<String>,
    is_limit: bool,
}

impl RegexError {
    fn new(message: impl Into<String>, span: Option<Range<usize>>, help: Option<&str>) -> Self {
        Self { message: message.into(), span, help: help.map(str::to_owned), is_limit: false }
    }

    fn over_limit(message: String, help: &str) -> Self {
        Self { message, span: None, help: Some(help.to_owned()), is_limit: true }
    }

    /// The bytes of the expression that it is about, where it is not all of it.
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// A way out, where one is known.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Whether the expression is over a limit, and a larger limit may do.
    #[must_use]
    pub const fn is_limit_exceeded(&self) -> bool {
        self.is_limit
    }
}

impl fmt::Display for RegexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RegexError {}

/// The dense automaton of an expression: it matches a path exactly where the expression does, if asked with
/// [`Anchored::Yes`] from the path's start.
///
/// Its matches come one byte late, or at the end-of-input symbol, as those of all dense automata of regex-automata do.
/// A path that has reached a match state matches whatever follows.
///
/// Cost: bounded by the limits; some milliseconds for most expressions.
///
/// # Errors
/// Where the expression cannot be read, looks around by other means than `^` and `$`, can match no path, or is over a
/// limit.
///
/// # Panics
/// Never, for any input.
///
/// ```
/// use regex_automata::{Anchored, Input, dfa::Automaton};
/// use robotsc_build::{limits::BuildLimits, regex};
///
/// let automaton = regex::dense("/[0-9]+/print$", &BuildLimits::default())?;
/// let input = Input::new(b"/17/print").anchored(Anchored::Yes);
/// assert!(automaton.try_search_fwd(&input).unwrap().is_some());
/// assert!(regex::dense(r"/\bprint", &BuildLimits::default()).is_err());
/// # Ok::<(), regex::RegexError>(())
/// ```
pub fn dense(pattern: &str, limits: &BuildLimits) -> Result<dense::DFA<Vec<u32>>, RegexError> {
    let hir = parse(pattern, limits, true)?;
    let nfa = nfa(&hir, limits)?;
    let over = |what: &str, bytes: usize| {
        RegexError::over_limit(
            format!("the automaton of the regular expression is over the limit of {bytes} bytes{what}"),
            "large bounded repeats and several `.*` make it grow; simplify it, split it in several rules, or raise \
                `max_regex_table`",
        )
    };
    let automaton = dense::Builder::new()
        .configure(dense_config(limits.max_regex_table))
        .build_from_nfa(&nfa)
        .map_err(|error| {
            if error.is_size_limit_exceeded() {
                over("", limits.max_regex_table)
            } else {
                RegexError::new(error.to_string(), None, None)
            }
        })?;
    // Paths start with a slash.
    let start = automaton.start_state(&start::Config::new().anchored(Anchored::Yes));
    let start = start.map_err(|error| RegexError::new(error.to_string(), None, None))?;
    if !can_match(&automaton, automaton.next_state(start, b'/')) {
        return Err(RegexError::new(
            "the regular expression can match no path: it is compared from the path's first byte, which is `/`",
            None,
            Some("`[^?]*` in front finds it anywhere in the path, `[^?]*\\?.*` anywhere in the query"),
        ));
    }
    Ok(automaton)
}

/// Returns the configuration of an automaton of at most `max_bytes`, which may take twice of that while it is built.
/// States are not accelerated: the tables that are generated from it have no place for what acceleration needs.
fn dense_config(max_bytes: usize) -> dense::Config {
    dense::Config::new()
        .start_kind(StartKind::Anchored)
        .match_kind(MatchKind::LeftmostFirst)
        .accelerate(false)
        .dfa_size_limit(Some(max_bytes))
        .determinize_size_limit(Some(max_bytes.saturating_mul(2)))
}

/// Returns the dense automaton of several expressions that were accepted: it matches where one of them does. `None`
/// where it would have more than `most` bytes.
pub(crate) fn dense_union(patterns: &[&str], limits: &BuildLimits, most: usize) -> Option<dense::DFA<Vec<u32>>> {
    let parts: Result<Vec<Hir>, RegexError> = patterns.iter().map(|pattern| parse(pattern, limits, true)).collect();
    let nfa = nfa(&Hir::alternation(parts.ok()?), limits).ok()?;
    dense::Builder::new().configure(dense_config(most)).build_from_nfa(&nfa).ok()
}

/// Reports whether an expression matches every path: whether no path that starts with `/` ends without a match.
///
/// Cost: one look at each state, of which the limits bound the number.
pub(crate) fn matches_every_path(automaton: &dense::DFA<Vec<u32>>) -> bool {
    let Ok(start) = automaton.start_state(&start::Config::new().anchored(Anchored::Yes)) else { return false };
    let slash = automaton.next_state(start, b'/');
    let mut seen = std::collections::BTreeSet::from([slash]);
    let mut left = vec![slash];
    while let Some(state) = left.pop() {
        if automaton.is_match_state(state) {
            continue;
        }
        if !automaton.is_match_state(automaton.next_eoi_state(state)) {
            return false;
        }
        let next = (0..=u8::MAX).map(|byte| automaton.next_state(state, byte));
        left.extend(next.filter(|next| seen.insert(*next)));
    }
    true
}

/// Whether a match state can be reached from `from`, itself included.
fn can_match(automaton: &dense::DFA<Vec<u32>>, from: StateID) -> bool {
    let mut seen = std::collections::BTreeSet::from([from]);
    let mut left = vec![from];
    while let Some(state) = left.pop() {
        if automaton.is_match_state(state) || automaton.is_match_state(automaton.next_eoi_state(state)) {
            return true;
        }
        for byte in 0..=u8::MAX {
            let next = automaton.next_state(state, byte);
            if !automaton.is_dead_state(next) && seen.insert(next) {
                left.push(next);
            }
        }
    }
    false
}

/// An expression that was accepted, as it was read.
pub(crate) fn hir(pattern: &str, limits: &BuildLimits) -> Result<Hir, RegexError> {
    parse(pattern, limits, false)
}

/// A simulation of an expression's states, without an automaton: the reference matcher.
#[derive(Debug)]
pub(crate) struct Simulation {
    vm: pikevm::PikeVM,
    /// Its scratch memory, which is expensive to make.
    scratch: Mutex<pikevm::Cache>,
}

impl Simulation {
    pub(crate) fn new(pattern: &str, limits: &BuildLimits) -> Result<Self, RegexError> {
        let nfa = nfa(&parse(pattern, limits, false)?, limits)?;
        let vm = pikevm::PikeVM::new_from_nfa(nfa);
        let vm = vm.map_err(|error| RegexError::new(error.to_string(), None, None))?;
        Ok(Self { scratch: Mutex::new(vm.create_cache()), vm })
    }

    pub(crate) fn matches(&self, path: &[u8]) -> bool {
        // A search starts by clearing it, so that one that panicked left nothing behind.
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        self.vm.is_match(&mut scratch, Input::new(path).anchored(Anchored::Yes))
    }
}

/// Reads an expression and refuses what no automaton of ours knows.
fn parse(pattern: &str, limits: &BuildLimits, swap_greed: bool) -> Result<Hir, RegexError> {
    if pattern.len() > limits.max_pattern_bytes {
        return Err(RegexError::over_limit(
            format!(
                "the regular expression has {} bytes, and the limit is {}",
                pattern.len(),
                limits.max_pattern_bytes
            ),
            "split it into several rules, or raise `max_pattern_bytes`",
        ));
    }
    let ast = ast::parse::ParserBuilder::new().nest_limit(64).build().parse(pattern).map_err(|error| {
        let message = error.kind().to_string();
        RegexError::new(message.trim_end_matches('.').to_owned(), Some(bytes(error.span())), None)
    })?;
    let translate = |swap_greed| {
        regex_syntax::hir::translate::TranslatorBuilder::new()
            .unicode(false)
            .utf8(false)
            .dot_matches_new_line(true)
            .swap_greed(swap_greed)
            .build()
            .translate(pattern, &ast)
    };
    let hir = translate(swap_greed).map_err(|error| {
        let message = error.kind().to_string();
        RegexError::new(message.trim_end_matches('.').to_owned(), Some(bytes(error.span())), None)
    })?;
    let ends = LookSet::singleton(Look::Start).insert(Look::End);
    if !hir.properties().look_set().subtract(ends).is_empty() {
        let span = ast::visit(&ast, LookAround::default()).unwrap_or(None);
        let help = "`^` and `$`, the ends of the text, are known; for the end of a word write what can follow it, \
            as in `(?:[^0-9A-Za-z_]|$)`";
        return Err(RegexError::new("the regular expression looks at what is beside the match", span, Some(help)));
    }
    if has_byte_from_0x80(&hir) {
        return Err(RegexError::new(
            "the regular expression holds a byte from 0x80, which is in no path: there it is escaped",
            pattern.char_indices().find(|(_, char)| !char.is_ascii()).map(|(at, char)| at..at + char.len_utf8()),
            Some("write the escapes of its bytes, such as `%C3%A9` for `\u{e9}`"),
        ));
    }
    Ok(hir)
}

fn nfa(hir: &Hir, limits: &BuildLimits) -> Result<thompson::NFA, RegexError> {
    let config = thompson::Config::new().utf8(false).nfa_size_limit(Some(limits.max_regex_table));
    thompson::Compiler::new().configure(config).build_from_hir(hir).map_err(|error| match error.size_limit() {
        Some(limit) => RegexError::over_limit(
            format!("the regular expression is over the limit of {limit} bytes"),
            "bounded repeats make it grow; simplify it, or raise `max_regex_table`",
        ),
        None => RegexError::new(error.to_string(), None, None),
    })
}

fn bytes(span: &ast::Span) -> Range<usize> {
    span.start.offset..span.end.offset
}

/// Whether a literal holds a byte that no path has in any dialect's form. (Classes, such as `[^/]`, may.)
fn has_byte_from_0x80(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => !literal.0.is_ascii(),
        HirKind::Repetition(repetition) => has_byte_from_0x80(&repetition.sub),
        HirKind::Capture(capture) => has_byte_from_0x80(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(has_byte_from_0x80),
        HirKind::Empty | HirKind::Class(_) | HirKind::Look(_) => false,
    }
}

/// Finds the first assertion that is refused.
#[derive(Default)]
struct LookAround {
    found: Option<Range<usize>>,
    first_line_anchor: Option<Range<usize>>,
}

impl ast::Visitor for LookAround {
    type Output = Option<Range<usize>>;
    type Err = ();

    fn finish(self) -> Result<Self::Output, ()> {
        Ok(self.found.or(self.first_line_anchor))
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), ()> {
        if let Ast::Assertion(assertion) = ast {
            let place = match assertion.kind {
                AssertionKind::StartText | AssertionKind::EndText => return Ok(()),
                // These are refused under `(?m)` only.
                AssertionKind::StartLine | AssertionKind::EndLine => &mut self.first_line_anchor,
                _ => &mut self.found,
            };
            place.get_or_insert(bytes(&assertion.span));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_match(pattern: &str, path: &str) -> bool {
        let automaton = dense(pattern, &BuildLimits::default()).unwrap();
        let input = Input::new(path).anchored(Anchored::Yes);
        let found = automaton.try_search_fwd(&input).unwrap().is_some();
        let simulation = Simulation::new(pattern, &BuildLimits::default()).unwrap();
        assert_eq!(simulation.matches(path.as_bytes()), found, "{pattern} {path}");
        found
    }

    #[test]
    fn anchored_at_the_start_only() {
        for (pattern, path, wanted) in [
            ("/a", "/abc", true),
            ("/a", "/x/a", false),
            ("/a$", "/abc", false),
            ("/a$", "/a", true),
            ("^/a$", "/a", true),
            ("[^?]*/a", "/x/a/y", true),
            ("[^?]*/a", "/x?/a", false),
            ("/.*b", "/\nb", true),
            ("/(?:a$|b)", "/bc", true),
            ("/(?:a$|b)", "/ac", false),
            ("(?i)/PRINT", "/print", true),
            (r"(?x) / \d+ # comment", "/17", true),
            (r"\A/a\z", "/a", true),
            ("/|x", "/", true),
        ] {
            assert_eq!(is_match(pattern, path), wanted, "{pattern} {path}");
        }
    }

    #[test]
    fn expressions_that_match_every_path_are_known() {
        for (pattern, expected) in [
            ("/", true),
            (".*", true),
            ("^/.*$", true),
            ("/?", true),
            ("/$|/a", false),
            ("/.", false),
            ("[^?]*$", false),
        ] {
            assert_eq!(matches_every_path(&dense(pattern, &BuildLimits::default()).unwrap()), expected, "{pattern}");
        }
    }

    #[track_caller]
    fn refused(pattern: &str, part: &str, message: &str) {
        let error = dense(pattern, &BuildLimits::default()).unwrap_err();
        assert_eq!(error.span().map_or("", |span| &pattern[span]), part, "{pattern}: {error}");
        assert!(error.to_string().contains(message), "{pattern}: {error}");
    }

    #[test]
    fn what_is_refused() {
        refused("/a(b", "(", "unclosed group");
        refused("/a(?=b)", "(?=", "look-around");
        refused(r"/(a)\1", r"\1", "backreference");
        refused(r"/a\b", r"\b", "beside the match");
        refused("(?m)/a$", "$", "beside the match");
        refused(r"/\pL", r"\pL", "Unicode");
        refused("/\u{e9}", "\u{e9}", "0x80");
        refused("a", "", "no path");
        refused("/a[^\\x00-\\xFF]", "", "no path");
        refused("/^a", "", "no path");
        refused("/a{100000}", "", "limit");
        refused("/[^?]*a.{200}", "", "limit of 1048576 bytes");
        refused(&"/a".repeat(5_000), "", "limit is 4096");
        let nested = "(".repeat(100) + "/" + &")".repeat(100);
        refused(&nested, &nested[64..137], "nested");
    }

    proptest! {
        #[test]
        fn automaton_and_simulation_agree(
            pattern in "(/|\\[\\^\\?\\]\\*)([ab/.?*+|$]|\\(a|\\)|\\[ab\\]|\\{2\\}|\\^){0,8}",
            paths in prop::collection::vec("/[ab/?\n]{0,8}", 1..8),
        ) {
            if let Ok(automaton) = dense(&pattern, &BuildLimits::default()) {
                let simulation = Simulation::new(&pattern, &BuildLimits::default()).unwrap();
                for path in paths {
                    let found = automaton.try_search_fwd(&Input::new(&path).anchored(Anchored::Yes)).unwrap();
                    prop_assert_eq!(simulation.matches(path.as_bytes()), found.is_some(), "{} {}", pattern, path);
                }
            }
        }
    }
}
