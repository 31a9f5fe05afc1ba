//! Properties of all paths that a pattern matches: never blocked, never allowed, the same verdicts as other rules.
//!
//! ```text
//! Disallow: /assets/private        is "/assets/ is never blocked" true?     no: /assets/private
//! Allow: /assets/private/logo      is "/a is never allowed" true?           no: /a
//! ```
//!
//! A property that does not hold is shown by a shortest path. For a verdict, each rule with that verdict is tried: the
//! shortest path that the pattern and the rule match, and no rule of higher rank.

mod uses;

use std::fmt;

use robotsc_compiler::{Dialect, RuleKind, RuleOrigin, RuleSet, Verdict};

use crate::rules::compare::shortest_difference;
use crate::rules::{DialectMismatch, RuleAnalysis, RuleIndex};
use crate::search::{NotDecided, SearchBudget, Term};
use crate::space::Paths;

pub use uses::path_for_use;

/// The paths that a pattern matches, which is written as that of a rule: `/assets/`, `/*.pdf$`.
///
/// ```
/// use robotsc::Dialect;
/// use robotsc::analysis::{BadPattern, PathPattern};
///
/// assert!(PathPattern::new(&Dialect::GOOGLE, "/assets/").is_ok());
/// assert_eq!(PathPattern::new(&Dialect::GOOGLE, "assets/").unwrap_err(), BadPattern::NoSlash);
/// assert_eq!(PathPattern::new(&Dialect::GOOGLE, "/my files/").unwrap_err(), BadPattern::NoPath);
/// ```
#[derive(Clone, Debug)]
pub struct PathPattern {
    /// The pattern as a rule, which normalizes it. Some dialects make several of one: for paths and for queries.
    set: RuleSet,
    rules: Vec<RuleIndex>,
}

/// Why a text is no pattern that a property can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadPattern {
    /// It starts with neither `/` nor `*`.
    NoSlash,
    /// No URL has a path that it matches, so that every property would hold.
    NoPath,
    /// It is too long to be decided.
    TooLong,
}

impl fmt::Display for BadPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSlash => "a pattern starts with `/` or `*`",
            Self::NoPath => "no URL has a path that it matches",
            Self::TooLong => "it is too long to be decided",
        })
    }
}

impl std::error::Error for BadPattern {}

impl PathPattern {
    /// Reads a pattern as a dialect reads that of a rule. So `/a,/b` is one path with a comma in it, and `[a-z]` is no
    /// class: a property about it holds for nothing. `robotsc test` refuses such texts, which people mean for more.
    ///
    /// # Errors
    /// If a rule with it would match no URL path.
    pub fn new(dialect: &Dialect, pattern: &str) -> Result<Self, BadPattern> {
        if !pattern.starts_with(['/', '*']) {
            return Err(BadPattern::NoSlash);
        }
        let set = RuleSet::from_rules(dialect, [(RuleKind::Disallow, pattern, 1)]);
        let is_its = |rule: &robotsc_compiler::Rule| rule.origin == RuleOrigin::Line && rule.line == 1;
        let rules = (0..).zip(set.rules()).filter(|(_, rule)| is_its(rule)).map(|(at, _)| at).collect::<Vec<_>>();
        let budget = SearchBudget::default();
        let analysis = RuleAnalysis::of(&set, dialect, Paths::Urls, &budget);
        let shortest = |rule: &RuleIndex| analysis.shortest(&[analysis.term(*rule)], &[]);
        match rules.iter().map(shortest).collect::<Result<Vec<_>, NotDecided>>() {
            Ok(paths) if paths.iter().any(Option::is_some) => Ok(Self { set, rules }),
            Ok(_) => Err(BadPattern::NoPath),
            Err(NotDecided) => Err(BadPattern::TooLong),
        }
    }

    /// Returns the pattern as the rules of a set see it.
    fn terms(&self, rules: &RuleAnalysis<'_>) -> impl Iterator<Item = Term<'_>> {
        let reader = rules.reader;
        self.rules.iter().map(move |at| Term::new(self.set.pattern(&self.set.rules()[*at as usize]), reader))
    }
}

/// Why a property of some rules got no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PropertyError {
    /// The budget was spent.
    NotDecided,
    /// The pattern or the other rules are of another dialect than the rules, or of another space of paths.
    DialectMismatch,
}

impl fmt::Display for PropertyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotDecided => NotDecided.fmt(f),
            Self::DialectMismatch => DialectMismatch.fmt(f),
        }
    }
}

impl std::error::Error for PropertyError {}

impl From<NotDecided> for PropertyError {
    fn from(_: NotDecided) -> Self {
        Self::NotDecided
    }
}

/// Something that can be true of all paths of a pattern.
#[derive(Clone, Copy, Debug)]
pub enum Property<'p, 'r> {
    /// Each path is allowed.
    NeverBlocked,
    /// No path is allowed. That of robots.txt itself, which a dialect always allows, does not count.
    NeverAllowed,
    /// Each path has the verdict that these rules give it.
    SameAs(&'p RuleAnalysis<'r>),
}

/// A path for which a property is not true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// A shortest such path.
    pub path: Vec<u8>,
    /// The rule that decides it, if one does.
    pub rule: Option<RuleIndex>,
    /// For [`Property::SameAs`] the rule of the other set that decides it, if one does.
    pub other: Option<RuleIndex>,
}

impl Property<'_, '_> {
    /// Returns a path that shows that the property is not true; `None` if it is true of all paths that `within`
    /// matches.
    ///
    /// Cost: at most a search for each rule; bounded by the budget of the rules. The path is checked by the reference
    /// matcher.
    ///
    /// # Errors
    /// [`PropertyError::NotDecided`] if the budget is spent before a path is found. If it is spent later, the path is
    /// perhaps not a shortest one. [`PropertyError::DialectMismatch`] if the pattern or the other rules are of another
    /// dialect, or of another space of paths.
    ///
    /// ```
    /// use robotsc::analysis::{PathPattern, Paths, Property, RuleAnalysis, SearchBudget};
    /// use robotsc::{Crawler, Dialect, RobotsTxt};
    ///
    /// let google = &Dialect::GOOGLE;
    /// let robots = RobotsTxt::parse_with(b"User-agent: *\nDisallow: /*private\n", google);
    /// let (rules, budget) = (robots.rule_set(&Crawler::new("Googlebot")?), SearchBudget::default());
    /// let rules = RuleAnalysis::new(&rules, google, Paths::Urls, &budget)?;
    /// let found = Property::NeverBlocked.counterexample(&rules, &PathPattern::new(google, "/assets/")?)?;
    /// assert_eq!(found.unwrap().path, b"/assets/private");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn counterexample(
        self,
        rules: &RuleAnalysis<'_>,
        within: &PathPattern,
    ) -> Result<Option<Counterexample>, PropertyError> {
        let is_other = match self {
            Self::SameAs(others) => others.set.path_form() != rules.set.path_form() || others.paths != rules.paths,
            Self::NeverBlocked | Self::NeverAllowed => false,
        };
        if is_other || within.set.path_form() != rules.set.path_form() {
            return Err(PropertyError::DialectMismatch);
        }
        let of_term = |term| match self {
            Self::NeverBlocked => rules.shortest_with(term, Verdict::Disallow),
            Self::NeverAllowed => rules.shortest_with(term, Verdict::Allow),
            Self::SameAs(others) => {
                let region = shortest_difference(others, rules, Some(term))?;
                Ok(region.map(|region| Counterexample { path: region.path, rule: region.new, other: region.old }))
            }
        };
        let mut found: Vec<Counterexample> = Vec::new();
        let mut is_decided = true;
        for term in within.terms(rules) {
            match of_term(term) {
                Ok(one) => found.extend(one),
                Err(NotDecided) => is_decided = false,
            }
        }
        match found.into_iter().min_by_key(|found| found.path.len()) {
            None if !is_decided => Err(PropertyError::NotDecided),
            shortest => Ok(shortest),
        }
    }
}

impl RuleAnalysis<'_> {
    /// Returns a shortest path with a verdict, of those that a pattern matches.
    fn shortest_with(&self, within: Term<'_>, verdict: Verdict) -> Result<Option<Counterexample>, NotDecided> {
        let related = self.related(within.pattern)?;
        // The dialect's own rule does not count, but has priority over the others.
        let is_such =
            |at: RuleIndex| self.verdict(Some(at)) == verdict && self.rule(at).origin != RuleOrigin::RobotsTxtPath;
        let mut candidates: Vec<(usize, Option<RuleIndex>)> =
            related.iter().enumerate().filter(|(_, at)| is_such(**at)).map(|(count, at)| (count, Some(*at))).collect();
        if self.verdict(None) == verdict {
            candidates.push((related.len(), None));
        }
        // Of paths as short the one that the first line decides.
        let mut shortest: Option<((usize, u32), Counterexample)> = None;
        let mut is_decided = true;
        for (count, rule) in candidates {
            if self.budget.take(count as u64 + 1).is_err() {
                is_decided = false;
                break;
            }
            let must: Vec<_> = [within].into_iter().chain(rule.map(|rule| self.term(rule))).collect();
            let must_not: Vec<_> = related[..count].iter().map(|at| self.term(*at)).collect();
            let path = match self.shortest(&must, &must_not) {
                Ok(Some(path)) => path,
                Ok(None) => continue,
                Err(NotDecided) => {
                    is_decided = false;
                    continue;
                }
            };
            let key = (path.len(), rule.map_or(u32::MAX, |rule| self.rule(rule).line));
            if shortest.as_ref().is_none_or(|(known, ..)| key < *known) {
                match self.checked(path, |decided| decided == rule) {
                    Ok(path) => shortest = Some((key, Counterexample { rule, path, other: None })),
                    Err(NotDecided) => is_decided = false,
                }
            }
        }
        match shortest {
            // What is found is a counterexample, whatever was not decided.
            Some((_, found)) => Ok(Some(found)),
            None if is_decided => Ok(None),
            None => Err(NotDecided),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the path and the line that show that a property of a file is not true.
    fn shown(
        dialect: &Dialect,
        lines: &[(RuleKind, &str)],
        pattern: &str,
        property: Property<'_, '_>,
    ) -> Option<(String, u32)> {
        let rules = RuleSet::from_rules(dialect, (1..).zip(lines).map(|(line, (kind, value))| (*kind, *value, line)));
        let budget = SearchBudget::default();
        let rules = RuleAnalysis::of(&rules, dialect, Paths::Urls, &budget);
        let pattern = PathPattern::new(dialect, pattern).expect("a pattern");
        let found = property.counterexample(&rules, &pattern).expect("decided")?;
        let line = found.rule.map_or(0, |rule| rules.rule(rule).line);
        Some((String::from_utf8(found.path).expect("ASCII"), line))
    }

    #[test]
    fn verdicts_of_all_paths() {
        use RuleKind::{Allow, Disallow};
        let rules = [(Disallow, "/a"), (Allow, "/a/b"), (Disallow, "/a/b/*x$"), (Disallow, "/c$")];
        for (pattern, blocked, allowed) in [
            ("/", Some(("/a", 1)), Some(("/", 0))),
            ("/a/b", Some(("/a/b/x", 3)), Some(("/a/b", 2))),
            ("/a/c", Some(("/a/c", 1)), None),
            ("/b", None, Some(("/b", 0))),
            ("/c", Some(("/c", 4)), Some(("/cx", 0))),
            ("/c$", Some(("/c", 4)), None),
            ("*.pdf$", Some(("/a.pdf", 1)), Some(("/.pdf", 0))),
        ] {
            let wanted = |wanted: Option<(&str, u32)>| wanted.map(|(path, line)| (path.to_owned(), line));
            for dialect in [&Dialect::GOOGLE, &Dialect::RFC9309] {
                let found = [Property::NeverBlocked, Property::NeverAllowed]
                    .map(|property| shown(dialect, &rules, pattern, property));
                assert_eq!(found[0], wanted(blocked), "{} {pattern}", dialect.name);
                assert_eq!(found[1], wanted(allowed), "{} {pattern}", dialect.name);
            }
        }
    }

    #[test]
    fn a_pattern_for_paths_and_queries() {
        let rules = [(RuleKind::Disallow, "/?")];
        let found = shown(&Dialect::RFC9309, &rules, "*%27", Property::NeverBlocked);
        assert_eq!(found, Some(("/?%27".to_owned(), 1)));
    }

    #[test]
    fn robots_txt_itself_is_always_allowed() {
        for dialect in Dialect::ALL {
            let rules = [(RuleKind::Disallow, "/")];
            assert_eq!(shown(dialect, &rules, "/", Property::NeverAllowed), None, "{}", dialect.name);
            let found = shown(dialect, &rules, "/", Property::NeverBlocked);
            assert_eq!(found, Some(("/".to_owned(), 1)), "{}", dialect.name);
        }
    }

    #[test]
    fn what_is_the_same_within_a_pattern() {
        let google = &Dialect::GOOGLE;
        let budget = SearchBudget::default();
        let set = |values: &[&str]| {
            RuleSet::from_rules(google, (1..).zip(values).map(|(line, value)| (RuleKind::Disallow, *value, line)))
        };
        let (one, other) = (set(&["/a", "/b"]), set(&["/a/x", "/b"]));
        let [one, other] = [&one, &other].map(|set| RuleAnalysis::of(set, google, Paths::Urls, &budget));
        for (pattern, wanted) in [("/", Some("/a")), ("/a/", Some("/a/")), ("/a/x", None), ("/b", None)] {
            let pattern = PathPattern::new(google, pattern).expect("a pattern");
            let found = Property::SameAs(&other).counterexample(&one, &pattern).expect("decided");
            assert_eq!(found.map(|found| found.path), wanted.map(|path| path.as_bytes().to_vec()));
        }
    }

    #[test]
    fn what_is_of_another_dialect_is_refused() {
        let (google, rfc) = (&Dialect::GOOGLE, &Dialect::RFC9309);
        let budget = SearchBudget::default();
        let sets = [google, rfc].map(|dialect| RuleSet::from_rules(dialect, [(RuleKind::Disallow, "/a", 1)]));
        assert_eq!(RuleAnalysis::new(&sets[1], google, Paths::Urls, &budget).err(), Some(DialectMismatch));
        let rules = RuleAnalysis::of(&sets[0], google, Paths::Urls, &budget);
        let of_rfc = PathPattern::new(rfc, "/a").expect("a pattern");
        let found = Property::NeverBlocked.counterexample(&rules, &of_rfc);
        assert_eq!(found, Err(PropertyError::DialectMismatch));
        let others = RuleAnalysis::of(&sets[1], rfc, Paths::Urls, &budget);
        let own = PathPattern::new(google, "/a").expect("a pattern");
        assert_eq!(Property::SameAs(&others).counterexample(&rules, &own), Err(PropertyError::DialectMismatch));
    }

    #[test]
    fn patterns_that_are_none() {
        for (pattern, wanted) in [
            ("", BadPattern::NoSlash),
            ("a", BadPattern::NoSlash),
            ("/a b", BadPattern::NoPath),
            ("/a/../b", BadPattern::NoPath),
        ] {
            assert_eq!(PathPattern::new(&Dialect::GOOGLE, pattern).err(), Some(wanted), "{pattern}");
        }
    }
}
