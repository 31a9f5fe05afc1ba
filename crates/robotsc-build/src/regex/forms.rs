//! Reports whether a regular expression can match any path of a form.
//!
//! The reader normalizes path patterns and query names to the dialect's [`PathForm`]; an expression stays as it is
//! written. One that asks for `%c3`, where escapes have upper-case digits, would be a rule that never matches. It is
//! refused, like a path pattern that matches nothing.
//!
//! The paths of a form are an automaton of `robotsc-compiler`; a test compares it with `UrlPath::new` of the runtime.

use std::collections::BTreeSet;

use regex_automata::Anchored;
use regex_automata::dfa::{Automaton, dense};
use regex_automata::util::start;
use robotsc_compiler::PathForm;
use robotsc_compiler::url::possible::UrlState;

/// The maximum number of states, of automaton and form together, that are visited. An expression with more counts as
/// able to match.
const MAX_VISITED: usize = 1 << 16;

/// The forms that have a path that an expression matches, in the order of [`PathForm::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Forms([bool; 3]);

impl Forms {
    /// Returns the forms in which an expression can match a path.
    ///
    /// Cost: at most [`MAX_VISITED`] states for each form; mostly some dozens.
    pub(crate) fn of(automaton: &dense::DFA<Vec<u32>>) -> Self {
        Self(PathForm::ALL.map(|form| can_match(automaton, form)))
    }

    pub(crate) fn contains(self, form: PathForm) -> bool {
        PathForm::ALL.iter().zip(self.0).any(|(known, can)| *known == form && can)
    }
}

/// Describes the paths of a form for the author of an expression.
pub(crate) const fn help(form: PathForm) -> &'static str {
    match form {
        PathForm::Escaped => {
            "in the paths of this dialect, escapes have upper-case digits (`%C3`), a space is `%20`, controls, \
             non-ASCII bytes, `\"`, `<` and `>` are escaped, and so are `{`, `}` and `` ` `` before the query and `'` \
             in it; there is no `#`, and no segment `.` or `..`"
        }
        PathForm::Canonical { query_reserved: false } => {
            "in the paths of this dialect, escapes have upper-case digits (`%C3`), a space is `%20`, `*` is `%2A`, \
             `$` is `%24`, so are all characters that no URL holds, and `'` in the query; letters and digits are \
             never escaped; there is no `#`, and no segment `.` or `..`"
        }
        PathForm::Canonical { query_reserved: true } => {
            "in the paths of this dialect, escapes have upper-case digits (`%C3`), a space is `%20`, `*` is `%2A`, \
             `$` is `%24`, so are all characters that no URL holds; letters and digits are never escaped, nor in the \
             query `:`, `/` and other reserved bytes (`query_reserved: false` leaves their escapes as they are); \
             there is no `#`, and no segment `.` or `..`"
        }
    }
}

/// Reports whether an expression matches any path of a form.
fn can_match(automaton: &dense::DFA<Vec<u32>>, form: PathForm) -> bool {
    // An expression without a start state was refused before.
    let Ok(start) = automaton.start_state(&start::Config::new().anchored(Anchored::Yes)) else { return true };
    let Some(slash) = UrlState::START.step_in(b'/', form) else { return true };
    let first = (automaton.next_state(start, b'/'), slash);
    let mut seen = BTreeSet::from([first]);
    let mut pending = vec![first];
    while let Some((state, path)) = pending.pop() {
        // The automaton reports a match one byte late.
        let ends_here = path.is_whole() && automaton.is_match_state(automaton.next_eoi_state(state));
        if automaton.is_match_state(state) || ends_here || seen.len() > MAX_VISITED {
            return true;
        }
        for byte in 0..0x80 {
            let Some(path) = path.step_in(byte, form) else { continue };
            let next = (automaton.next_state(state, byte), path);
            if !automaton.is_dead_state(next.0) && seen.insert(next) {
                pending.push(next);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use robotsc_compiler::{Dialect, UrlPath};

    use super::*;
    use crate::limits::BuildLimits;
    use crate::regex::{self, Simulation};

    #[test]
    fn expressions_match_in_these_forms() {
        for (pattern, escaped, canonical, reserved) in [
            ("/caf%C3%A9", true, true, true),
            ("/caf%c3%a9", false, false, false),
            ("(?i)/caf%c3%a9", true, true, true),
            ("/a%c", true, true, true),
            ("/a%c$", true, true, true),
            ("/a%cz", true, true, true),
            ("/a b", false, false, false),
            (r"/a\?[^ ]* ", false, false, false),
            ("/a(?: |%20)b", true, true, true),
            ("/%7Euser", true, false, false),
            ("/~user", true, true, true),
            ("/a#b", false, false, false),
            (r"/a\*", true, false, false),
            (r"/a\$", true, false, false),
            (r"/a\|\^", true, false, false),
            (r"/\{x", false, false, false),
            (r"/[^?]*\?\{x", true, false, false),
            (r"/a\\", false, false, false),
            (r"/a\?\\", true, false, false),
            ("/[\"<>]", false, false, false),
            ("/it's", true, true, true),
            (r"/\?it's", false, false, true),
            ("/[\\x80-\\xFF]", false, false, false),
            ("/[^a]", true, true, true),
            (r"/a:b/\?", true, true, true),
            (r"[^?]*\?u=https:", true, true, true),
            (r"[^?]*\?u=https%3A", true, true, false),
            (r"[^?]*\?u=https(?::|%3A)", true, true, true),
            (r"[^?]*%3A.*\?u=%26", true, true, true),
            (r"[^?]*\?.*\?", true, true, true),
            (r"[^?]*\?(?:.*[&;])?sort=", true, true, true),
            ("/\u{1}", false, false, false),
            (r"[^?]*/\.\./", false, false, false),
            (r"[^?]*/\.\.(?:/|$)", false, false, false),
            (r"[^?]*/%2E\.?(?:/|\?|$)", false, false, false),
            (r"[^?]*/\.\.", true, true, true),
            (r"[^?]*/\.\.\.(?:/|$)", true, true, true),
            (r"[^?]*/\.%/", true, true, true),
            (r"[^?]*\?.*/\.\./", true, true, true),
        ] {
            let forms = Forms::of(&regex::dense(pattern, &BuildLimits::default()).unwrap());
            assert_eq!(forms, Forms([escaped, canonical, reserved]), "{pattern}");
        }
    }

    /// Reports whether a path is in a form, by the steps that `can_match` walks.
    fn is_in_form(path: &[u8], form: PathForm) -> bool {
        let end = path.iter().try_fold(UrlState::START, |state, byte| state.step_in(*byte, form));
        end.is_some_and(UrlState::is_whole)
    }

    proptest! {
        #[test]
        fn the_steps_accept_the_paths_that_the_runtime_accepts(
            path in "/([ab?:;~ *$'\"<>`{}^|#\\\\]|/|\\.|%2[EeF27]|%[0-7a-fA-F][0-9a-fA-F]|%|\u{e4}){0,9}"
        ) {
            prop_assume!(!path.starts_with("//") && !path.starts_with("/\\"));
            for form in PathForm::ALL {
                let is_accepted = UrlPath::new(path.as_bytes(), form).is_ok();
                prop_assert_eq!(is_in_form(path.as_bytes(), form), is_accepted, "{} {}", path, form);
            }
        }

        #[test]
        fn an_expression_that_matches_a_path_can_match_its_form(
            pattern in "(/|\\[\\^\\?\\]\\*)([ab/.?*+|$:;~ %#'\"<>]|%[0-7][1Cca]|\\(a|\\)|\\\\[?.{}]){0,8}",
            urls in prop::collection::vec("/([ab/.?:;~ *$'{}\"<>]|%[0-7a-fA-F][0-9a-fA-F]|%|\u{e4}){0,9}", 20),
        ) {
            let limits = BuildLimits::default();
            if let Ok(automaton) = regex::dense(&pattern, &limits) {
                let forms = Forms::of(&automaton);
                let simulation = Simulation::new(&pattern, &limits).unwrap();
                let bare = Dialect { query_reserved: false, ..Dialect::RFC9309 };
                for dialect in [&Dialect::GOOGLE, &Dialect::GOOGLE_2017, &Dialect::RFC9309, &bare] {
                    for url in &urls {
                        let Ok(path) = dialect.url_path(&url) else { continue };
                        let can = forms.contains(dialect.path_form());
                        prop_assert!(can || !simulation.matches(path.as_bytes()), "{pattern} {url} {path:?}");
                    }
                }
            }
        }
    }
}
