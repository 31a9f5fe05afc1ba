//! Declared rules that can never decide: an earlier rule matches whatever they match.
//!
//! The first rule that matches decides, so after `Deny(path: "/shop/")` a `Permit(path: "/shop/help")` has no effect.
//! The check finds rules that are stated twice, path patterns that start with an earlier literal one, and everything
//! after a rule that matches every path. Other coverings, of wildcards above all, go unnoticed.

use std::collections::BTreeMap;

use crate::diagnostic::SourceSpan;
use crate::model::Test;

/// The rules of a set so far, by what they cover.
#[derive(Debug, Default)]
pub(crate) struct EarlierRules {
    /// The first rule that matches every path.
    everything: Option<SourceSpan>,
    /// Path patterns without `*` and `$`: each matches every path that starts with it.
    prefixes: BTreeMap<Vec<u8>, SourceSpan>,
    tests: BTreeMap<Test, SourceSpan>,
}

impl EarlierRules {
    /// Adds a rule. `is_universal` says whether a regular expression matches every path.
    ///
    /// Returns an earlier rule that matches whatever this one matches, if one is found.
    ///
    /// Cost: a lookup for each byte of a path pattern.
    pub(crate) fn add(&mut self, test: &Test, is_universal: bool, spot: &SourceSpan) -> Option<SourceSpan> {
        let earlier = self.covering(test).cloned();
        self.tests.entry(test.clone()).or_insert_with(|| spot.clone());
        let is_universal = match test {
            Test::Path(pattern) => {
                if let Some(prefix) = literal(pattern) {
                    self.prefixes.entry(prefix.to_vec()).or_insert_with(|| spot.clone());
                }
                matches_everything(pattern)
            }
            Test::Regex(_) => is_universal,
            Test::Query(_) => false,
        };
        if is_universal {
            self.everything.get_or_insert_with(|| spot.clone());
        }
        earlier
    }

    /// Returns the first rule that matches every path.
    pub(crate) fn everything(&self) -> Option<&SourceSpan> {
        self.everything.as_ref()
    }

    fn covering(&self, test: &Test) -> Option<&SourceSpan> {
        let covering = self.everything.as_ref().or_else(|| self.tests.get(test));
        let Test::Path(pattern) = test else { return covering };
        covering.or_else(|| {
            let head = pattern.split(|byte| *byte == b'*').next().unwrap_or_default();
            let head = head.strip_suffix(b"$").unwrap_or(head);
            (1..=head.len()).find_map(|length| self.prefixes.get(head.get(..length)?))
        })
    }
}

/// Returns a path pattern that matches each path that starts with it, without the `*` at its end.
fn literal(pattern: &[u8]) -> Option<&[u8]> {
    let end = pattern.iter().rposition(|byte| *byte != b'*').map_or(0, |last| last + 1);
    let literal = pattern.get(..end)?;
    (!literal.is_empty() && !literal.contains(&b'*') && !literal.ends_with(b"$")).then_some(literal)
}

/// Reports whether a path pattern matches every path. Paths start with `/`.
pub(crate) fn matches_everything(pattern: &[u8]) -> bool {
    let body = match pattern {
        [body @ .., b'*', b'$'] => body,
        [.., b'$'] => return false,
        body => body,
    };
    let mut others = body.iter().filter(|byte| **byte != b'*');
    matches!((others.next(), others.next()), (None | Some(b'/'), None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::SourceFile;

    #[test]
    fn covered_rules_name_the_rule_that_covers_them() {
        let path = |pattern: &str| Test::Path(pattern.into());
        let regex = |pattern: &str| Test::Regex(pattern.into());
        let query = |name: &str| Test::Query(name.into());
        for (tests, covering) in [
            (
                vec![path("/a"), path("/a/b"), path("/ab$"), path("/a*c"), path("/b")],
                vec![None, Some(0), Some(0), Some(0), None],
            ),
            (vec![path("/a$"), path("/a"), path("/a$")], vec![None, None, Some(0)]),
            (vec![path("/a*"), path("/a*b")], vec![None, Some(0)]),
            (vec![path("/*a"), path("/*ab"), path("*a")], vec![None; 3]),
            (vec![path("/"), path("*.php"), regex("/a"), query("a")], vec![None, Some(0), Some(0), Some(0)]),
            (vec![path("*/*$"), query("a")], vec![None, Some(0)]),
            (vec![path("/$"), path("/a"), path("*//")], vec![None; 3]),
            (vec![regex("/a"), regex("/a"), query("a"), query("a")], vec![None, Some(0), None, Some(2)]),
            (vec![regex("/"), path("/a")], vec![None, Some(0)]),
        ] {
            let source = SourceFile::new("a", "a", vec![b'x'; tests.len()]);
            let mut shadow = EarlierRules::default();
            let found: Vec<_> = (0..)
                .zip(&tests)
                .map(|(at, test)| shadow.add(test, *test == regex("/"), &SourceSpan::new(&source, at..at + 1)))
                .map(|earlier| earlier.map(|spot| spot.span.start))
                .collect();
            assert_eq!(found, covering, "{tests:?}");
        }
    }
}
