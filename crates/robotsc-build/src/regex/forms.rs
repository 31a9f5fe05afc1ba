//! Reports whether a regular expression can match any path of a form.
//!
//! The reader normalizes path patterns and query names to the dialect's [`PathForm`]; an expression stays as it is
//! written. One that asks for `%c3`, where escapes have upper-case digits, would be a rule that never matches. It is
//! refused, like a path pattern that matches nothing.
//!
//! The bytes that can follow each other are those that `UrlPath::new` of the runtime accepts; a test compares the two.

use std::collections::BTreeSet;

use regex_automata::Anchored;
use regex_automata::dfa::{Automaton, dense};
use regex_automata::util::start;
use robotsc_compiler::PathForm;
use robotsc_runtime::{is_query_data, is_unreserved};

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

/// The part of the path read so far that restricts what can follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Before {
    /// The `%` of what may become an escape, and its first digit.
    escape: Option<Option<u8>>,
    /// The dots that the segment consists of so far, escaped ones included, or `None` if it holds something else.
    dots: Option<u8>,
    in_query: bool,
}

impl Before {
    /// The state after the slash that a path starts with.
    const SLASH: Self = Self { escape: None, dots: Some(0), in_query: false };

    /// Returns the state after one more byte, or `None` if the byte cannot follow in a path of this form.
    fn with(self, byte: u8, form: PathForm) -> Option<Self> {
        let (canonical, decodes_query) = match form {
            PathForm::Escaped => (false, false),
            PathForm::Canonical { query_reserved } => (true, query_reserved),
        };
        if let Some(Some(first)) = self.escape
            && byte.is_ascii_hexdigit()
        {
            let value = (digit(first) << 4) | digit(byte);
            let is_lower = first.is_ascii_lowercase() || byte.is_ascii_lowercase();
            let is_decoded = decodes_query && self.in_query && is_query_data(value);
            let stays = !(is_lower || (canonical && is_unreserved(value)) || is_decoded);
            return stays.then_some(Self { escape: None, dots: self.dots_after(value), ..self });
        }
        let stays = match byte {
            0..=b' ' | 0x7F.. | b'"' | b'<' | b'>' | b'#' => false,
            b'`' | b'{' | b'}' | b'\\' => self.in_query && !canonical,
            b'\'' => !self.in_query || decodes_query,
            b'^' | b'|' | b'*' | b'$' => !canonical,
            b'/' | b'?' => !self.is_dot_segment(),
            _ => true,
        };
        let escape = match (byte, self.escape) {
            (b'%', _) => Some(None),
            (digit, Some(None)) if digit.is_ascii_hexdigit() => Some(Some(digit)),
            _ => None,
        };
        let in_query = self.in_query || byte == b'?';
        let dots = match byte {
            _ if in_query => None,
            b'/' => Some(0),
            // What this starts or continues is an escape, perhaps that of a dot.
            _ if escape.is_some() && (self.escape.is_none() || byte != b'%') => self.dots,
            _ if self.escape.is_some() => None,
            _ => self.dots_after(byte),
        };
        stays.then_some(Self { escape, dots, in_query })
    }

    /// Returns the dots of the segment after a byte, which was escaped or not.
    fn dots_after(self, byte: u8) -> Option<u8> {
        self.dots.filter(|dots| byte == b'.' && *dots < 2).map(|dots| dots + 1)
    }

    /// Reports whether the segment would be `.` or `..` if it ended here.
    fn is_dot_segment(self) -> bool {
        self.escape.is_none() && self.dots.is_some_and(|dots| dots > 0)
    }
}

/// Returns the value of a hexadecimal digit.
const fn digit(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => byte - b'0',
        _ => (byte | 0x20).wrapping_sub(b'a').wrapping_add(10),
    }
}

/// Reports whether an expression matches any path of a form.
fn can_match(automaton: &dense::DFA<Vec<u32>>, form: PathForm) -> bool {
    // An expression without a start state was refused before.
    let Ok(start) = automaton.start_state(&start::Config::new().anchored(Anchored::Yes)) else { return true };
    let first = (automaton.next_state(start, b'/'), Before::SLASH);
    let mut seen = BTreeSet::from([first]);
    let mut pending = vec![first];
    while let Some((state, before)) = pending.pop() {
        // The automaton reports a match one byte late.
        let ends_here = !before.is_dot_segment() && automaton.is_match_state(automaton.next_eoi_state(state));
        if automaton.is_match_state(state) || ends_here || seen.len() > MAX_VISITED {
            return true;
        }
        for byte in 0..0x80 {
            let Some(before) = before.with(byte, form) else { continue };
            let next = (automaton.next_state(state, byte), before);
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
        let (b'/', rest) = path.split_first().unwrap() else { return false };
        let end = rest.iter().try_fold(Before::SLASH, |before, byte| before.with(*byte, form));
        end.is_some_and(|end| !end.is_dot_segment())
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
