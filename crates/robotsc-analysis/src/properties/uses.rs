//! Which paths of a pattern are allowed for a use: the rules and both vocabularies of preferences at once.
//!
//! ```text
//! Disallow: /cart                       is "/ is never allowed for training" true?
//! Content-Usage: train-ai=n             no: /press/, which no rule disallows, and for which line 3 holds
//! Content-Usage: /press/ train-ai=y
//! ```
//!
//! What decides a path is a rule or none, a statement of `Content-Usage`, and one of `Content-Signal`. Each such triple
//! with the verdict in question is tried: the shortest path that the pattern and these three match, and nothing of
//! higher rank.

use robotsc_compiler::preferences::{Preference, Preferences, RankedPreferences, WantedUse};
use robotsc_compiler::{RuleOrigin, UrlPath, Verdict};

use super::{PathPattern, PropertyError};
use crate::rules::{RuleAnalysis, RuleIndex};
use crate::search::{NotDecided, SearchBudget, Term};
use crate::space::Paths;

/// Returns a shortest path with a verdict, of those that a pattern matches; `None` if there is none. A path is allowed
/// if the agent may fetch it and the use is not refused.
///
/// As for [`Property::NeverAllowed`](super::Property::NeverAllowed), the path of robots.txt itself, which a dialect
/// always allows, does not count.
///
/// Cost: at most a search for each rule with each pair of statements; bounded by the budget. The path is checked by
/// [`Preferences::at_path`].
///
/// # Errors
/// [`PropertyError::NotDecided`] if the budget is spent before a path is found, or a pattern of a statement is not
/// decided exactly. [`PropertyError::DialectMismatch`] if the pattern is of another dialect than the file.
///
/// ```
/// use robotsc::analysis::preferences::{Category, Preferences, WantedUse};
/// use robotsc::analysis::{PathPattern, SearchBudget, path_for_use};
/// use robotsc::{Dialect, RobotsTxt, Verdict};
///
/// let robots = RobotsTxt::parse(b"User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /press/ train-ai=y\n");
/// let preferences = Preferences::of(&robots, "FooBot")?;
/// let wanted = WantedUse { category: Category::Training, if_unknown: Verdict::Allow };
/// let limits = SearchBudget::default();
/// let allowed = |pattern: &str| {
///     let pattern = PathPattern::new(&Dialect::GOOGLE, pattern).expect("a pattern");
///     path_for_use(&preferences, wanted, Verdict::Allow, &pattern, &limits)
/// };
/// assert_eq!(allowed("/members/")?, None);
/// assert_eq!(allowed("/")?.unwrap(), b"/press/");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn path_for_use(
    preferences: &Preferences<'_>,
    wanted: WantedUse,
    verdict: Verdict,
    within: &PathPattern,
    budget: &SearchBudget,
) -> Result<Option<Vec<u8>>, PropertyError> {
    let dialect = preferences.robots().dialect();
    if within.set.path_form() != dialect.path_form() {
        return Err(PropertyError::DialectMismatch);
    }
    let Some(ranked) = preferences.ranked(wanted.category) else { return Err(PropertyError::NotDecided) };
    let analysis = |set| RuleAnalysis::of(set, dialect, Paths::Urls, budget);
    let stated = [&ranked[0], &ranked[1]].map(|ranked| (analysis(&ranked.rules), ranked));
    let asked = Asked { preferences, rules: analysis(preferences.rule_set()), stated, wanted };
    let mut found: Vec<Vec<u8>> = Vec::new();
    let mut is_decided = true;
    for term in within.terms(&asked.rules) {
        if !verdict.is_allow() {
            match asked.rules.shortest_with(term, Verdict::Disallow) {
                Ok(disallowed) => found.extend(disallowed.map(|disallowed| disallowed.path)),
                Err(NotDecided) => is_decided = false,
            }
        }
        is_decided &= asked.add_shortest(term, verdict, &mut found);
    }
    match found.into_iter().min_by_key(Vec::len) {
        None if !is_decided => Err(PropertyError::NotDecided),
        shortest => Ok(shortest),
    }
}

/// The rules and the statements that are asked.
struct Asked<'a, 'r> {
    preferences: &'a Preferences<'a>,
    rules: RuleAnalysis<'r>,
    stated: [(RuleAnalysis<'r>, &'r RankedPreferences); 2],
    wanted: WantedUse,
}

impl Asked<'_, '_> {
    /// Adds paths that can be fetched and have a verdict, a shortest one among them. Returns whether all was decided.
    fn add_shortest(&self, within: Term<'_>, verdict: Verdict, found: &mut Vec<Vec<u8>>) -> bool {
        let related = |set: &RuleAnalysis<'_>| set.related(within.pattern);
        let [of_usage, of_signals] = [&self.stated[0].0, &self.stated[1].0];
        let (Ok(rules), Ok(usage), Ok(signals)) = (related(&self.rules), related(of_usage), related(of_signals)) else {
            return false;
        };
        let is_allow = |(_, at): &(usize, Option<RuleIndex>)| {
            let rule = at.map(|at| self.rules.rule(at));
            // The dialect's own rule does not count, but has priority over the others.
            rule.is_none_or(|rule| rule.verdict.is_allow() && rule.origin != RuleOrigin::RobotsTxtPath)
        };
        let allows = rules.iter().copied().map(Some).chain([None]).enumerate().filter(is_allow);
        let mut is_decided = true;
        for (above_rule, rule) in allows {
            for above_usage in 0..usage.len() {
                for above_signal in 0..signals.len() {
                    if !self.has_verdict(verdict, usage[above_usage], signals[above_signal]) {
                        continue;
                    }
                    let sides = [
                        (&self.rules, rule, &rules[..above_rule]),
                        (of_usage, Some(usage[above_usage]), &usage[..above_usage]),
                        (of_signals, Some(signals[above_signal]), &signals[..above_signal]),
                    ];
                    match self.shortest(within, sides, verdict) {
                        Ok(path) => found.extend(path),
                        Err(NotDecided) => is_decided = false,
                    }
                }
            }
        }
        is_decided
    }

    fn has_verdict(&self, verdict: Verdict, usage: RuleIndex, signal: RuleIndex) -> bool {
        let [usage, signal] =
            [(0, usage), (1, signal)].map(|(at, rule): (usize, RuleIndex)| self.stated[at].1.said[rule as usize]);
        self.is_refused(usage.and(signal)) != verdict.is_allow()
    }

    fn is_refused(&self, preference: Preference) -> bool {
        self.wanted.refusal(preference).is_some()
    }

    /// Returns a shortest path that each side decides by its rule, below those that are above it.
    fn shortest(
        &self,
        within: Term<'_>,
        sides: [(&RuleAnalysis<'_>, Option<RuleIndex>, &[RuleIndex]); 3],
        verdict: Verdict,
    ) -> Result<Option<Vec<u8>>, NotDecided> {
        let work: usize = sides.iter().map(|(.., above)| above.len() + 1).sum();
        self.rules.budget.take(work as u64)?;
        let of_sides = sides.iter().filter_map(|(set, rule, _)| Some(set.term((*rule)?)));
        // What holds where no pattern matches has an empty one.
        let must: Vec<Term<'_>> =
            [within].into_iter().chain(of_sides.filter(|term| !term.pattern.is_empty())).collect();
        let above = sides.iter().flat_map(|(set, _, above)| above.iter().map(|at| set.term(*at)));
        let must_not: Vec<Term<'_>> = above.collect();
        let Some(path) = self.rules.shortest(&must, &must_not)? else { return Ok(None) };
        let path = self.rules.checked(path, |decided| decided == sides[0].1)?;
        let is_right = self.verdict(&path) == Some(verdict);
        debug_assert!(is_right, "a wrong path was found: {}", path.escape_ascii());
        if is_right { Ok(Some(path)) } else { Err(NotDecided) }
    }

    /// Returns the verdict for a path, as the file itself answers.
    fn verdict(&self, path: &[u8]) -> Option<Verdict> {
        let seen = self.rules.seen(path);
        let stated = self.preferences.at_path(UrlPath::assume(&seen, self.rules.set.path_form())).ok()?;
        let is_allowed = stated.is_some_and(|stated| !self.is_refused(stated.of(self.wanted.category)));
        Some(if is_allowed { Verdict::Allow } else { Verdict::Disallow })
    }
}

#[cfg(test)]
mod tests {
    use robotsc_compiler::preferences::Category;
    use robotsc_compiler::{Dialect, RobotsTxt};

    use super::*;

    /// Paths of some letters, the shortest first.
    fn paths(longest: usize) -> Vec<Vec<u8>> {
        let mut all = vec![b"/".to_vec()];
        let mut last = all.clone();
        for _ in 1..longest {
            last = last.iter().flat_map(|path| b"abz".map(|letter| [path.as_slice(), &[letter]].concat())).collect();
            all.extend_from_slice(&last);
        }
        all
    }

    fn verdict(preferences: &Preferences<'_>, wanted: WantedUse, path: &[u8]) -> Verdict {
        let path = UrlPath::assume(path, preferences.rule_set().path_form());
        match preferences.at_path(path).expect("the form of the file") {
            Some(stated) if wanted.refusal(stated.of(wanted.category)).is_none() => Verdict::Allow,
            _ => Verdict::Disallow,
        }
    }

    /// A file with rules and statements that meet in few letters.
    fn file(mut seed: u64) -> String {
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let patterns = ["/", "/a", "/b", "/ab", "/*b", "/a*b", "/*a$", "/$", "/ba", "/*ab"];
        let mut text = "User-agent: *\n".to_owned();
        for _ in 0..next(6) + 2 {
            let pattern = patterns[next(10) as usize];
            let said = ["y", "n", "x"][next(3) as usize];
            text += &match next(6) {
                0 => format!("Disallow: {pattern}\n"),
                1 => format!("Allow: {pattern}\n"),
                2 => format!("Content-Usage: train-ai={said}\n"),
                3 => format!("Content-Signal: {pattern} ai-train={}\n", ["yes", "no", "x"][next(3) as usize]),
                _ => format!("Content-Usage: {pattern} train-ai={said}\n"),
            };
        }
        text
    }

    #[test]
    fn paths_are_those_of_enumeration() {
        const LONGEST: usize = 6;
        let paths = paths(LONGEST);
        let (mut found, mut none) = (0, 0);
        for seed in 0..400 {
            let text = file(seed);
            let dialect = [&Dialect::GOOGLE, &Dialect::RFC9309, &Dialect::YANDEX][seed as usize % 3];
            let robots = RobotsTxt::parse_with(text.as_bytes(), dialect);
            let preferences = Preferences::of(&robots, "FooBot").expect("a name");
            for if_unknown in [Verdict::Allow, Verdict::Disallow] {
                let wanted = WantedUse { category: Category::Training, if_unknown };
                for (pattern, start) in [("/", "/"), ("/a", "/a"), ("/ba", "/ba")] {
                    let within = PathPattern::new(dialect, pattern).expect("a pattern");
                    for asked in [Verdict::Allow, Verdict::Disallow] {
                        let budget = SearchBudget::default();
                        let shortest = path_for_use(&preferences, wanted, asked, &within, &budget).expect("decided");
                        let is_such = |path: &&Vec<u8>| {
                            path.starts_with(start.as_bytes()) && verdict(&preferences, wanted, path) == asked
                        };
                        let context = || format!("{} {pattern} {if_unknown:?} {asked:?}\n{text}", dialect.name);
                        match (paths.iter().find(is_such), &shortest) {
                            (Some(wanted), Some(shortest)) => assert_eq!(wanted.len(), shortest.len(), "{}", context()),
                            (None, Some(shortest)) => assert!(shortest.len() > LONGEST, "{}", context()),
                            (wanted, None) => assert_eq!(wanted, None, "{}", context()),
                        }
                        *(if shortest.is_some() { &mut found } else { &mut none }) += 1;
                    }
                }
            }
        }
        assert!(found > 2_000 && none > 800, "{found} found, {none} have no path");
    }

    #[test]
    fn what_is_not_decided_exactly_is_not_decided() {
        let body = b"User-agent: *\nContent-Usage: /*a*b*c*d*e*f*g*h*i%2Fp train-ai=n\n";
        let robots = RobotsTxt::parse_with(body, &Dialect::RFC9309);
        let preferences = Preferences::of(&robots, "FooBot").expect("a name");
        let wanted = WantedUse { category: Category::Training, if_unknown: Verdict::Allow };
        let within = PathPattern::new(&Dialect::RFC9309, "/").expect("a pattern");
        let budget = SearchBudget::default();
        let ask = |within: &PathPattern| path_for_use(&preferences, wanted, Verdict::Allow, within, &budget);
        assert_eq!(ask(&within), Err(PropertyError::NotDecided));
        let other = PathPattern::new(&Dialect::GOOGLE, "/").expect("a pattern");
        assert_eq!(ask(&other), Err(PropertyError::DialectMismatch));
    }
}
