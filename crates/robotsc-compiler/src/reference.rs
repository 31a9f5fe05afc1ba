//! The judge: rule by rule, position sets, deliberately naive. Shares no matching code with the other engines.

use std::cmp::Reverse;

use robotsc_runtime::Verdict;

use crate::robots_txt::RuleKind;
use crate::rule_set::{Decision, RuleOrigin, RuleSet};

/// Decides by trying every rule of the set, octet by octet, with a set of positions.
///
/// Of the rules that match, it looks for the highest by itself: their order in the set has no part in it, save to number them.
///
/// Cost: rules × pattern octets × path octets in the worst case. Use it in tests. Never panics.
///
/// ```
/// use robotsc_compiler::{Dialect, RuleKind, RuleSet, reference};
///
/// let rules = RuleSet::from_rules(&Dialect::GOOGLE, [(RuleKind::Disallow, "/", 1), (RuleKind::Allow, "/*.html$", 2)]);
/// assert_eq!(reference::decide(&rules, b"/a.html"), rules.decide(b"/a.html"));
/// ```
#[must_use]
pub fn decide(rules: &RuleSet, path: &[u8]) -> Decision {
    let winner =
        (0..).zip(rules.rules()).filter(|(_, rule)| matches(rules.pattern(rule), path)).max_by_key(|(index, rule)| {
            (
                rule.origin != RuleOrigin::EmptyLine,
                rule.length,
                rule.verdict.is_allow(),
                rule.origin == RuleOrigin::EmptyLine && rule.kind == RuleKind::Allow,
                Reverse((rule.line, *index)),
            )
        });
    match winner {
        Some((index, rule)) => Decision { verdict: rule.verdict, rule: Some(index), line: rule.line },
        None => Decision { verdict: Verdict::Allow, rule: None, line: 0 },
    }
}

/// Whether a normal pattern matches a path from its start.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    // reached[n]: what was read of the pattern can match the first n octets of the path.
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for (at, &octet) in pattern.iter().enumerate() {
        if octet == b'$' && at + 1 == pattern.len() {
            return reached[path.len()];
        }
        let mut next = vec![false; path.len() + 1];
        if octet == b'*' {
            let mut any = false;
            for (to, &from) in next.iter_mut().zip(&reached) {
                any |= from;
                *to = any;
            }
        } else {
            for taken in 0..path.len() {
                next[taken + 1] = reached[taken] && path[taken] == octet;
            }
        }
        if !next.contains(&true) {
            return false;
        }
        reached = next;
    }
    reached.contains(&true)
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
            assert_eq!(matches(pattern.as_bytes(), path.as_bytes()), wanted, "{pattern} {path}");
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
        let lines = |set: &RuleSet| [&b"/abc"[..], b"/ac", b"/x", b""].map(|path| decide(set, path).line);
        assert_eq!(lines(&set), [2, 4, 1, 5]);
        set.rules.reverse();
        assert_eq!(lines(&set), [2, 4, 1, 5]);
    }
}
