//! The reference matcher, the oracle of all tests: rule by rule, with position sets, deliberately naive. It shares no
//! matching code with the other engines.

use std::cmp::Reverse;

use robotsc_runtime::{DecidingRule, PathFormError, UrlPath};

use crate::robots_txt::RuleKind;
use crate::rules::rule_set::{RuleOrigin, RuleSet};

/// Returns the rule that decides, found by trying every rule of the set, byte by byte, with a set of positions.
///
/// Of the rules that match, it looks for the highest by itself: their order in the set has no part in it, except to
/// number them.
///
/// Cost: rules × pattern bytes × path bytes in the worst case. Use it in tests. Never panics.
///
/// # Errors
/// [`PathFormError`] if the path is in another form than the set.
///
/// ```
/// use robotsc::internal::reference;
/// use robotsc::robots_txt::RuleKind;
/// use robotsc::{Dialect, RuleSet};
///
/// let google = &Dialect::GOOGLE;
/// let rules = RuleSet::from_rules(google, [(RuleKind::Disallow, "/", 1), (RuleKind::Allow, "/*.html$", 2)]);
/// let path = google.url_path("/a.html")?;
/// assert_eq!(reference::deciding_rule(&rules, path.as_path())?, rules.deciding_rule(path.as_path())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn deciding_rule(rules: &RuleSet, path: UrlPath<'_>) -> Result<Option<DecidingRule>, PathFormError> {
    let path = path.in_form(rules.path_form())?;
    let mut reached = Vec::new();
    let matching = (0..).zip(rules.rules()).filter(|(_, rule)| matches(rules.pattern(rule), path, &mut reached));
    let highest = matching.max_by_key(|(index, rule)| {
        (
            rule.origin != RuleOrigin::EmptyLine,
            rule.length,
            rule.verdict.is_allow(),
            rule.origin == RuleOrigin::EmptyLine && rule.kind == RuleKind::Allow,
            Reverse((rule.line, *index)),
        )
    });
    Ok(highest.map(|(index, rule)| {
        DecidingRule::new(rule.verdict, index, rule.line, rule.length, rule.kind == RuleKind::Allow)
    }))
}

/// Reports whether a normal pattern matches a path from its start. `reached` is room to work in.
fn matches(pattern: &[u8], path: &[u8], reached: &mut Vec<bool>) -> bool {
    // reached[n]: the part of the pattern that was read can match the first n bytes of the path. Nothing is reached
    // before `low` and after `high`: most patterns differ from most paths in the first bytes, where one place is.
    reached.clear();
    reached.resize(path.len() + 1, false);
    reached[0] = true;
    let (mut low, mut high) = (0, 0);
    for (at, &byte) in pattern.iter().enumerate() {
        if byte == b'$' && at + 1 == pattern.len() {
            return reached[path.len()];
        }
        if byte == b'*' {
            high = path.len();
            let mut any = false;
            for place in &mut reached[low..] {
                any |= *place;
                *place = any;
            }
        } else {
            // From the end, so that each place is read before it is written.
            for taken in (low..path.len().min(high + 1)).rev() {
                reached[taken + 1] = reached[taken] && path[taken] == byte;
            }
            reached[low] = false;
            (low, high) = (low + 1, path.len().min(high + 1));
        }
        if low > path.len() || !reached[low..=high].contains(&true) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;

    #[test]
    fn position_sets() {
        for (pattern, path, wanted) in [
            ("", "", true),
            ("/", "", false),
            ("/fish", "/fishheads", true),
            ("/fish$", "/fishheads", false),
            ("*.php$", "/a.php.php", true),
            ("/*ab", "/a/ab", true),
            ("/*ab$", "/ab/", false),
            ("/a$b", "/a$bc", true),
            ("/a*", "/a", true),
            ("/a*$", "/a", true),
            ("*/b", "/b", true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), path.as_bytes(), &mut Vec::new()), wanted, "{pattern} {path}");
        }
    }

    #[test]
    fn the_order_in_the_set_has_no_part_in_the_choice() {
        let rules = [
            (RuleKind::Disallow, "/", 1),
            (RuleKind::Allow, "/ab", 2),
            (RuleKind::Disallow, "/ab", 3),
            (RuleKind::Allow, "/a*", 4),
            (RuleKind::Allow, "", 5),
        ];
        let mut set = RuleSet::from_rules(&Dialect::GOOGLE, rules);
        let lines = |set: &RuleSet| {
            [&b"/abc"[..], b"/ac", b"/x", b""]
                .map(|path| deciding_rule(set, UrlPath::assume(path, set.path_form())).unwrap().map(|rule| rule.line))
        };
        assert_eq!(lines(&set), [2, 4, 1, 5].map(Some));
        set.rules.reverse();
        assert_eq!(lines(&set), [2, 4, 1, 5].map(Some));
    }
}
