//! Whether a set can disallow anything.
//!
//! A set that disallows nothing allows everything, which is what a slip looks like too. So it is an error, unless the
//! set says so on purpose: by a rule that allows every path.

use std::collections::BTreeSet;

use robotsc_compiler::{RuleOrigin, RuleSet};

use super::never_decides::matches_everything;

/// What a set can answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Denial {
    /// Whether a rule says that it disallows something.
    pub(crate) is_stated: bool,
    /// Whether such a rule can decide.
    pub(crate) is_possible: bool,
    /// Whether a rule allows every path.
    pub(crate) allows_all: bool,
    /// Whether there is any rule.
    pub(crate) has_rules: bool,
}

impl Denial {
    /// Reports whether the set disallows something, or allows everything on purpose.
    pub(crate) const fn is_sound(self) -> bool {
        self.is_possible || (self.allows_all && !self.is_stated)
    }

    /// Adds the rules of a group. Those of declared rules are known; `is_reached` is whether groups can decide at all.
    pub(crate) fn add(&mut self, rules: &RuleSet, is_reached: bool) {
        let allows = || rules.rules().iter().filter(|rule| rule.verdict.is_allow());
        let universal = allows().filter(|rule| matches_everything(rules.pattern(rule))).map(|rule| rule.length).max();
        // An empty `Disallow` is how robots.txt allows everything.
        let is_empty = |origin| matches!(origin, RuleOrigin::EmptyLine | RuleOrigin::EmptyInverse);
        self.allows_all |= universal.is_some() || allows().any(|rule| is_empty(rule.origin));
        self.has_rules |= rules.rules().iter().any(|rule| rule.line > 0);
        // Of two rules as long, the one that allows decides.
        let allowed: BTreeSet<&[u8]> = allows().map(|rule| rules.pattern(rule)).collect();
        for rule in rules.rules().iter().filter(|rule| !rule.verdict.is_allow()) {
            self.is_stated = true;
            let is_dead =
                universal.is_some_and(|length| length >= rule.length) || allowed.contains(rules.pattern(rule));
            self.is_possible |= is_reached && !is_dead;
        }
    }
}

#[cfg(test)]
mod tests {
    use robotsc_compiler::{Dialect, RuleKind};

    use super::*;

    #[test]
    fn what_groups_can_disallow() {
        use RuleKind::{Allow, Disallow};
        for (dialect, lines, is_sound) in [
            (Dialect::GOOGLE, &[(Disallow, "/x")][..], true),
            (Dialect::GOOGLE, &[(Allow, "/"), (Disallow, "/x")], true),
            (Dialect::GOOGLE, &[(Allow, "/")], true),
            (Dialect::GOOGLE, &[(Allow, "*")], true),
            (Dialect::GOOGLE, &[(Disallow, "")], true),
            (Dialect::GOOGLE, &[(Allow, "/x")], false),
            (Dialect::GOOGLE, &[], false),
            (Dialect::GOOGLE, &[(Allow, "/"), (Disallow, "/")], false),
            (Dialect::GOOGLE, &[(Allow, "/x"), (Disallow, "/x")], false),
            (Dialect::GOOGLE, &[(Allow, "/**"), (Disallow, "/x")], false),
            (Dialect::YANDEX, &[(Allow, "")], true),
        ] {
            let rules = RuleSet::from_rules(&dialect, lines.iter().map(|(kind, value)| (*kind, *value, 1)));
            let mut denial = Denial::default();
            denial.add(&rules, true);
            assert_eq!(denial.is_sound(), is_sound, "{lines:?} {denial:?}");
            assert_eq!(denial.has_rules, !lines.is_empty(), "{lines:?}");
        }
    }
}
