//! Which hosts have rules, wildcards that matter, and many rules.

use crate::corpus::Corpus;
use crate::ours::rule_set;

/// What the agent's group of one host is like.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Class {
    pub(crate) rules: usize,
    /// At least one rule with a pattern.
    pub(crate) has_rules: bool,
    /// A `*` that is not last, or a `$` that is: a trailing `*` changes nothing.
    pub(crate) has_wildcard: bool,
}

/// The class of every host.
#[derive(Debug)]
pub(crate) struct Classes {
    of: Vec<Class>,
    pattern_bytes: usize,
}

fn is_wild(pattern: &[u8]) -> bool {
    let end = pattern.iter().rposition(|&byte| byte != b'*').map_or(0, |at| at + 1);
    let inner = &pattern[..end];
    inner.contains(&b'*') || inner.last() == Some(&b'$')
}

impl Classes {
    pub(crate) fn of(corpus: &Corpus, agent: &str) -> Self {
        let mut pattern_bytes = 0;
        let of = corpus
            .hosts
            .iter()
            .map(|host| {
                let set = rule_set(host.body, agent);
                let patterns: Vec<&[u8]> =
                    set.rules().iter().map(|rule| set.pattern(rule)).filter(|pattern| !pattern.is_empty()).collect();
                pattern_bytes += patterns.iter().map(|pattern| pattern.len()).sum::<usize>();
                Class {
                    rules: patterns.len(),
                    has_rules: !patterns.is_empty(),
                    has_wildcard: patterns.iter().any(|pattern| is_wild(pattern)),
                }
            })
            .collect();
        Self { of, pattern_bytes }
    }

    /// The mean over the hosts of a class that have a value; hosts have the same number of URLs each.
    pub(crate) fn mean(&self, values: &[f64], holds: impl Fn(&Class) -> bool) -> f64 {
        let chosen = || values.iter().zip(&self.of).filter(|(value, class)| value.is_finite() && holds(class));
        chosen().map(|(value, _)| value).sum::<f64>() / chosen().count() as f64
    }

    /// The bytes of all normal patterns: what a compiled form would hold if it were nothing but them.
    pub(crate) fn pattern_bytes(&self) -> usize {
        self.pattern_bytes
    }

    /// How many hosts are in each class, for the heading.
    pub(crate) fn describe(&self) -> String {
        let count = |holds: &dyn Fn(&Class) -> bool| self.of.iter().filter(|class| holds(class)).count();
        format!(
            "{} hosts with rules, {} with wildcards, {} with ≥ 100 rules",
            count(&|class| class.has_rules),
            count(&|class| class.has_wildcard),
            count(&|class| class.rules >= 100),
        )
    }
}
