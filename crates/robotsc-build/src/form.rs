//! Whether a regular expression can match a path as the rules of a dialect see it.
//!
//! Path patterns and query names are brought into the dialect's form when they are read; an expression stays as it is
//! written. One that asks for `%c3`, where escapes have upper-case digits, would be a rule that never holds: it is
//! refused, as a path pattern is that matches nothing.

use std::collections::BTreeSet;

use regex_automata::Anchored;
use regex_automata::dfa::{Automaton, dense};
use regex_automata::util::start;
use robotsc_compiler::Dialect;
use robotsc_compiler::dialect::Escapes;

/// The most states, of automaton and form together, that are looked at. What has more counts as able to match.
const MOST_SEEN: usize = 1 << 16;

/// The form of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Octets from 0x80 are escaped, the digits of escapes upper case.
    Escaped,
    /// The canonical form of RFC 9309.
    Canonical { query_reserved: bool },
}

/// In which forms there is a path that an expression matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Forms([bool; 3]);

impl Form {
    const ALL: [Self; 3] =
        [Self::Escaped, Self::Canonical { query_reserved: false }, Self::Canonical { query_reserved: true }];

    pub(crate) fn of(dialect: &Dialect) -> Self {
        match dialect.escapes {
            Escapes::PatternOnly | Escapes::HexAndNonAscii => Self::Escaped,
            Escapes::Canonical => Self::Canonical { query_reserved: dialect.query_reserved },
        }
    }

    /// What paths of this form look like, for whoever writes an expression for them.
    pub(crate) const fn help(self) -> &'static str {
        match self {
            Self::Escaped => {
                "in the paths of this dialect, octets from 0x80 are escapes with upper-case digits (`%C3`), and there \
                    is no `#`"
            }
            Self::Canonical { query_reserved: false } => {
                "in the paths of this dialect, escapes have upper-case digits (`%C3`), a space is `%20`, `*` is `%2A`, \
                    `$` is `%24`, letters and digits are never escaped, and there is no `#`"
            }
            Self::Canonical { query_reserved: true } => {
                "in the paths of this dialect, escapes have upper-case digits (`%C3`), a space is `%20`, `*` is `%2A`, \
                    `$` is `%24`, letters and digits are never escaped, there is no `#`, and in the query `:`, `/` and \
                    other reserved bytes are never escaped (`query_reserved: false` leaves them as they are)"
            }
        }
    }
}

impl Forms {
    /// Cost: at most [`MOST_SEEN`] states for each form; mostly some dozens.
    pub(crate) fn of(automaton: &dense::DFA<Vec<u32>>) -> Self {
        Self(Form::ALL.map(|form| can_match(automaton, form)))
    }

    pub(crate) fn hold(self, form: Form) -> bool {
        Form::ALL.iter().zip(self.0).any(|(known, can)| *known == form && can)
    }
}

/// What came before, as far as it says what may follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Before {
    /// The `%` of what may become an escape, and its first digit.
    escape: Option<Option<u8>>,
    in_query: bool,
}

impl Before {
    /// With one more octet; `None` where it cannot follow in a path of this form.
    fn with(self, octet: u8, form: Form) -> Option<Self> {
        let (is_canonical, query_reserved) = match form {
            Form::Escaped => (false, false),
            Form::Canonical { query_reserved } => (true, query_reserved),
        };
        if let Some(Some(first)) = self.escape
            && octet.is_ascii_hexdigit()
        {
            let value = (digit(first) << 4) | digit(octet);
            let is_unreserved = value.is_ascii_alphanumeric() || b"-._~".contains(&value);
            let is_lower = first.is_ascii_lowercase() || octet.is_ascii_lowercase();
            let is_decoded = query_reserved && self.in_query && b":/?@[]!'()+,;".contains(&value);
            let is_form = !(is_lower || is_canonical && is_unreserved || is_decoded);
            return is_form.then_some(Self { escape: None, ..self });
        }
        let is_escaped = match octet {
            0x80.. | b'#' => true,
            0..=b' ' | 0x7F => is_canonical,
            b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' | b'*' | b'$' => is_canonical,
            _ => false,
        };
        let escape = match (octet, self.escape) {
            (b'%', _) => Some(None),
            (digit, Some(None)) if digit.is_ascii_hexdigit() => Some(Some(digit)),
            _ => None,
        };
        (!is_escaped).then_some(Self { escape, in_query: self.in_query || octet == b'?' })
    }
}

/// The value of a hexadecimal digit.
const fn digit(octet: u8) -> u8 {
    match octet {
        b'0'..=b'9' => octet - b'0',
        _ => (octet | 0x20).wrapping_sub(b'a').wrapping_add(10),
    }
}

fn can_match(automaton: &dense::DFA<Vec<u32>>, form: Form) -> bool {
    // What has no start was refused before.
    let Ok(start) = automaton.start_state(&start::Config::new().anchored(Anchored::Yes)) else { return true };
    // Paths start with a slash.
    let first = (automaton.next_state(start, b'/'), Before::default());
    let mut seen = BTreeSet::from([first]);
    let mut left = vec![first];
    while let Some((state, before)) = left.pop() {
        // A match is told one octet late: any octet will do, for the path may end instead.
        let is_match = automaton.is_match_state(state) || automaton.is_match_state(automaton.next_eoi_state(state));
        if is_match || seen.len() > MOST_SEEN {
            return true;
        }
        for octet in 0..0x80 {
            let Some(before) = before.with(octet, form) else { continue };
            let next = (automaton.next_state(state, octet), before);
            if !automaton.is_dead_state(next.0) && seen.insert(next) {
                left.push(next);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::limits::Limits;
    use crate::regex::{self, Simulation};

    #[test]
    fn what_can_match_in_which_form() {
        for (pattern, escaped, canonical, reserved) in [
            ("/caf%C3%A9", true, true, true),
            ("/caf%c3%a9", false, false, false),
            ("/caf%C3%a9", false, false, false),
            ("(?i)/caf%c3%a9", true, true, true),
            ("/a%c", true, true, true),
            ("/a%c$", true, true, true),
            ("/a%cz", true, true, true),
            ("/a b", true, false, false),
            ("/a(?: |%20)b", true, true, true),
            ("/%7Euser", true, false, false),
            ("/~user", true, true, true),
            ("/a#b", false, false, false),
            (r"/a\*", true, false, false),
            (r"/a\$", true, false, false),
            (r"/\{x", true, false, false),
            ("/[\\x80-\\xFF]", false, false, false),
            ("/[^a]", true, true, true),
            (r"/a:b/\?", true, true, true),
            (r"[^?]*\?u=https:", true, true, true),
            (r"[^?]*\?u=https%3A", true, true, false),
            (r"[^?]*\?u=https(?::|%3A)", true, true, true),
            (r"[^?]*%3A.*\?u=%26", true, true, true),
            (r"[^?]*\?.*\?", true, true, true),
            (r"[^?]*\?(?:.*[&;])?sort=", true, true, true),
            ("/\u{1}", true, false, false),
        ] {
            let forms = Forms::of(&regex::dense(pattern, &Limits::default()).unwrap());
            assert_eq!(forms, Forms([escaped, canonical, reserved]), "{pattern}");
        }
    }

    proptest! {
        /// What matches a path of a form can match one.
        #[test]
        fn whatever_matches_can_match(
            pattern in "(/|\\[\\^\\?\\]\\*)([ab/.?*+|$:;~ %#]|%[0-7][1Cca]|\\(a|\\)|\\\\\\?){0,8}",
            urls in prop::collection::vec("/([ab/?:;~ *$]|%[0-7a-fA-F][0-9a-fA-F]|%|\u{e4}){0,9}", 20),
        ) {
            let limits = Limits::default();
            if let Ok(automaton) = regex::dense(&pattern, &limits) {
                let forms = Forms::of(&automaton);
                let simulation = Simulation::new(&pattern, &limits).unwrap();
                let bare = Dialect { query_reserved: false, ..Dialect::RFC9309 };
                for dialect in [&Dialect::GOOGLE, &Dialect::GOOGLE_2017, &Dialect::RFC9309, &bare] {
                    for url in &urls {
                        let Ok(path) = dialect.url_path(&url) else { continue };
                        let can = forms.hold(Form::of(dialect));
                        prop_assert!(can || !simulation.matches(path.as_bytes()), "{pattern} {url} {path:?}");
                    }
                }
            }
        }
    }
}
