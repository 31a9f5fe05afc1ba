//! The reference matcher: what a declared rule set answers, decided rule by rule, by no automaton that is shipped.
//!
//! Deliberately naive. It shares no matching code with generated matchers: groups go through the compiler's reference
//! engine, regular expressions through a simulation of their states, query names through a split. Expectations are
//! checked with it, and every other engine is compared with it.

use robotsc_compiler::{
    AgentMatch, AgentName, DecidingRule, PathForm, PathFormError, QueryError, RuleKind, RuleSet, UrlPath, Verdict,
    reference,
};

use crate::limits::BuildLimits;
use crate::model::{DeclaredSet, Test};
use crate::regex::{RegexError, Simulation};

/// What a declared set decided, and by which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetDecision<'s> {
    /// The verdict.
    pub verdict: Verdict,
    /// The number of the place of the rule that decided, from 1; 0 where no rule matched, or the dialect's own rule for
    /// `/robots.txt` did.
    pub place: u32,
    /// The name of the declared rule that decided, where it has one.
    pub name: Option<&'s str>,
}

/// A declared set, ready to be asked.
#[derive(Debug)]
pub struct ReferenceMatcher<'s> {
    set: &'s DeclaredSet,
    tests: Vec<PreparedTest>,
}

/// What one declared rule looks at.
#[derive(Debug)]
enum PreparedTest {
    /// A set of one rule, for the reference engine.
    Path(RuleSet),
    Regex(Simulation),
    Query(Vec<u8>),
}

impl<'s> ReferenceMatcher<'s> {
    /// Prepares a set to be asked.
    ///
    /// # Errors
    /// Where a regular expression of the set cannot be read; those of a set that was loaded can.
    pub fn new(set: &'s DeclaredSet) -> Result<Self, RegexError> {
        // What was loaded was held to its limits then.
        let limits = BuildLimits::default().max_pattern_bytes(usize::MAX).max_regex_table(usize::MAX);
        let matcher = |test: &Test| {
            Ok(match test {
                // A normal pattern is its own normal form.
                Test::Path(pattern) => {
                    PreparedTest::Path(RuleSet::from_rules(&PLAIN, [(RuleKind::Disallow, pattern.as_slice(), 1)]))
                }
                Test::Regex(pattern) => PreparedTest::Regex(Simulation::new(pattern, &limits)?),
                Test::Query(name) => PreparedTest::Query(name.clone()),
            })
        };
        let tests = set.rules.iter().map(|rule| matcher(&rule.test)).collect::<Result<_, _>>()?;
        Ok(Self { set, tests })
    }

    /// Decides for a URL, or a path that starts with `/`. Whether the set applies to the URL's origin is not checked.
    /// Without an agent: for agents that the set does not name.
    ///
    /// # Errors
    /// [`QueryError`] if the URL has no path.
    pub fn decide(&self, agent: Option<AgentName<'_>>, url: &str) -> Result<SetDecision<'s>, QueryError> {
        let path = self.set.dialect.url_path(url)?;
        Ok(self.decide_path(agent, path.as_path())?)
    }

    /// Decides for a path.
    ///
    /// Cost: the set's rules × their bytes × the path's bytes. Never panics.
    ///
    /// # Errors
    /// [`PathFormError`] if the path is in another form than the set's.
    pub fn decide_path(
        &self,
        agent: Option<AgentName<'_>>,
        path: UrlPath<'_>,
    ) -> Result<SetDecision<'s>, PathFormError> {
        let bytes = path.in_form(self.set.dialect.path_form())?;
        let declared = self.set.rules.iter().zip(&self.tests).find(|(_, test)| test.matches(bytes));
        if let Some((rule, _)) = declared {
            return Ok(SetDecision { verdict: rule.verdict, place: rule.place, name: rule.name.as_deref() });
        }
        let Some(rules) = rules_of(self.set, agent) else {
            return Ok(SetDecision { verdict: Verdict::Allow, place: 0, name: None });
        };
        let rule = reference::deciding_rule(rules, path)?;
        let place = rule.map_or(0, |rule| rule.line);
        Ok(SetDecision { verdict: DecidingRule::verdict_of(rule), place, name: None })
    }
}

/// A dialect under which patterns stay as they are.
const PLAIN: robotsc_compiler::Dialect =
    robotsc_compiler::Dialect { index_htm: false, ..robotsc_compiler::Dialect::GOOGLE };

impl PreparedTest {
    fn matches(&self, path: &[u8]) -> bool {
        match self {
            // The dialect of these rules is one of escaped paths; a normal pattern means the same in every form.
            Self::Path(rules) => reference::deciding_rule(rules, UrlPath::assume(path, PathForm::Escaped))
                .is_ok_and(|rule| !DecidingRule::verdict_of(rule).is_allow()),
            Self::Regex(simulation) => simulation.matches(path),
            Self::Query(name) => {
                let mut parts = path.splitn(2, |&byte| byte == b'?');
                let query = parts.nth(1).unwrap_or_default();
                let has_query = path.contains(&b'?');
                let parameters = query.split(|byte| matches!(byte, b'&' | b';'));
                let mut names = parameters.map(|parameter| parameter.split(|&byte| byte == b'=').next());
                has_query && names.any(|found| found == Some(name.as_slice()))
            }
        }
    }
}

/// Returns the merged rules of the groups that a set has for an agent.
fn rules_of<'s>(set: &'s DeclaredSet, agent: Option<AgentName<'_>>) -> Option<&'s RuleSet> {
    agent.and_then(|agent| named_agent(set, agent)).or(set.star.as_ref())
}

/// Returns the rules that a set has for an agent by its name.
pub(crate) fn named_agent<'s>(set: &'s DeclaredSet, agent: AgentName<'_>) -> Option<&'s RuleSet> {
    // The keys of the set: product tokens, and names as written after a `/`.
    let mark = if agent.is_product_token() { "" } else { "/" };
    let agent = format!("{mark}{}", String::from_utf8_lossy(agent.as_bytes()).to_ascii_lowercase());
    let follows = |key: &str| match set.dialect.agent_match {
        AgentMatch::Exact => key == agent,
        AgentMatch::LongestPrefixAtHyphen => {
            agent.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        }
        AgentMatch::LongestPrefix => agent.starts_with(key),
    };
    let named = set.agents.iter().filter(|(key, _)| follows(key)).max_by_key(|(key, _)| key.len());
    named.map(|(_, rules)| rules)
}

impl DeclaredSet {
    /// Decides for one URL or path; who asks more than once keeps a [`ReferenceMatcher`].
    ///
    /// # Errors
    /// If the agent is neither an agent name nor `*`, the URL has no path, or a regular expression of the set cannot be
    /// read.
    pub fn decide(&self, agent: &str, url: &str) -> Result<SetDecision<'_>, Box<dyn std::error::Error>> {
        let agent = if agent == "*" { None } else { Some(AgentName::new(agent)?) };
        Ok(ReferenceMatcher::new(self)?.decide(agent, url)?)
    }
}

#[cfg(test)]
mod tests {
    use robotsc_compiler::Dialect;

    use super::*;
    use crate::model::DeclaredRule;

    fn set(dialect: Dialect, agents: &[&str], tests: Vec<(Verdict, Test)>) -> DeclaredSet {
        let rules = |path: &str, line| RuleSet::from_rules(&dialect, [(RuleKind::Disallow, path, line)]);
        DeclaredSet {
            name: "a".into(),
            description: String::new(),
            origins: Vec::new(),
            agents: agents.iter().map(|token| ((*token).to_owned(), rules(&format!("/{token}"), 1))).collect(),
            star: Some(rules("/star", 2)),
            rules: (3..)
                .zip(tests)
                .map(|(place, (verdict, test))| DeclaredRule { verdict, test, name: None, place })
                .collect(),
            places: Vec::new(),
            dialect,
        }
    }

    #[test]
    fn names_of_parameters() {
        let query = |name: &str| vec![(Verdict::Disallow, Test::Query(name.into()))];
        for (name, path, wanted) in [
            ("a", "/?a", true),
            ("a", "/?a=1", true),
            ("a", "/?b&a", true),
            ("a", "/?b=c;a=", true),
            ("a", "/?&&a&", true),
            ("a", "/x?b?a", false),
            ("b?a", "/x?b?a", true),
            ("a", "/a", false),
            ("a", "/a=1&a", false),
            ("a", "/?ab=1", false),
            ("a", "/?A=1", false),
            ("a", "/?b=a", false),
            ("a", "/?b=c=a", false),
            ("a", "/?", false),
        ] {
            let set = set(Dialect::GOOGLE, &[], query(name));
            let decision = ReferenceMatcher::new(&set)
                .unwrap()
                .decide_path(None, UrlPath::assume(path.as_bytes(), PathForm::Escaped))
                .unwrap();
            assert_eq!(!decision.verdict.is_allow(), wanted, "{name} {path}");
            assert_eq!(decision.place == 3, wanted, "{name} {path}");
        }
    }

    #[test]
    fn the_first_declared_rule_decides_whatever_the_groups_say() {
        let tests = vec![
            (Verdict::Allow, Test::Path(b"/star$".to_vec())),
            (Verdict::Disallow, Test::Path(b"/*s".to_vec())),
            (Verdict::Allow, Test::Regex("/.*".into())),
        ];
        let set = set(Dialect::RFC9309, &[], tests);
        let reference_matcher = ReferenceMatcher::new(&set).unwrap();
        for (path, place) in [("/star", 3), ("/stars", 4), ("/s/t", 4), ("/x", 5), ("/robots.txt", 4)] {
            assert_eq!(reference_matcher.decide(None, path).unwrap().place, place, "{path}");
        }
    }

    #[test]
    fn agents_follow_tokens_as_the_dialect_says() {
        let tokens = ["foo", "foo-image"];
        for (dialect, agent, followed) in [
            (Dialect::GOOGLE, "FOO", "foo"),
            (Dialect::GOOGLE, "foo-image-x", "star"),
            (Dialect::GOOGLE, "*", "star"),
            (Dialect::GOOGLE_2019, "foo-images", "foo"),
            (Dialect::GOOGLE_2019, "foo-image-x", "foo-image"),
            (Dialect::GOOGLE_2019, "foobar", "star"),
            (Dialect::YANDEX, "foobar", "foo"),
            (Dialect::YANDEX, "foo-images", "foo-image"),
            (Dialect::YANDEX, "fo", "star"),
        ] {
            let set = set(dialect, &tokens, Vec::new());
            let reference_matcher = ReferenceMatcher::new(&set).unwrap();
            for token in ["foo$", "foo-image$", "star$"] {
                let path = format!("/{}", token.trim_end_matches('$'));
                let denied = !reference_matcher.decide(AgentName::new(agent).ok(), &path).unwrap().verdict.is_allow();
                // `/foo-image` begins with `/foo`.
                let wanted = path[1..].starts_with(followed);
                assert_eq!(denied, wanted, "{} {agent} {path}", set.dialect.name);
            }
        }
    }

    #[test]
    fn a_url_without_a_path_is_an_error() {
        let set = set(Dialect::RFC9309, &[], Vec::new());
        assert!(set.decide("x", "mailto:x@y").is_err());
        assert_eq!(set.decide("x", "https://a.example/star?").unwrap().place, 2);
    }
}
