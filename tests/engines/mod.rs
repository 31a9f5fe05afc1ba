//! Every way to get an answer from the same rules: engines, efforts, outputs, limits and homes.
//!
//! The reference engine is the judge. [`Engines::differences`] asks all others and says where one of them does not
//! agree with what is expected.
#![allow(dead_code, reason = "each test crate uses a part of this")]

use robotsc::internal::reference;
use robotsc::program::{Compiled, DecidingRule, Effort, Limits, Output, PolicyBuf};
use robotsc::{AgentName, Compiler, Crawler, Dialect, PathForm, Policy, Program, RobotsTxt, RuleSet, UrlPath};

/// Limits so low that rule sets of a few rules are cut in parts at once, and what is left is tried one by one.
pub(crate) fn tiny() -> Limits {
    Limits::NONE
}

/// The same, but with work enough for as many parts as it takes.
pub(crate) fn cut() -> Limits {
    Limits { max_nodes: 0, work_per_byte: 0, ..Limits::default() }
}

/// Limits that cut rule sets of some dozens of rules.
pub(crate) fn low() -> Limits {
    Limits { max_nodes: 16, work_per_byte: 2, ..Limits::default() }
}

/// How a rule set is compiled.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    pub(crate) name: &'static str,
    pub(crate) effort: Effort,
    pub(crate) output: Output,
    pub(crate) limits: Limits,
}

impl Way {
    pub(crate) fn compiler(&self) -> Compiler {
        Compiler::new().effort(self.effort).output(self.output).limits(self.limits)
    }
}

/// The four ways with default limits.
pub(crate) fn ways() -> Vec<Way> {
    let limits = Limits::default();
    vec![
        Way { name: "fast verdict", effort: Effort::Fast, output: Output::Verdict, limits },
        Way { name: "small verdict", effort: Effort::Small, output: Output::Verdict, limits },
        Way { name: "fast deciding rule", effort: Effort::Fast, output: Output::DecidingRule, limits },
        Way { name: "small deciding rule", effort: Effort::Small, output: Output::DecidingRule, limits },
    ]
}

/// The same with limits that force a partition.
pub(crate) fn partitioned_ways() -> Vec<Way> {
    let way = |name, effort, output, limits| Way { name, effort, output, limits };
    vec![
        way("fast verdict, cut", Effort::Fast, Output::Verdict, cut()),
        way("small deciding rule, cut", Effort::Small, Output::DecidingRule, cut()),
        way("fast verdict, tiny limits", Effort::Fast, Output::Verdict, tiny()),
        way("small verdict, tiny limits", Effort::Small, Output::Verdict, tiny()),
        way("fast deciding rule, tiny limits", Effort::Fast, Output::DecidingRule, tiny()),
        way("small deciding rule, tiny limits", Effort::Small, Output::DecidingRule, tiny()),
        way("small verdict, low limits", Effort::Small, Output::Verdict, low()),
        way("fast deciding rule, low limits", Effort::Fast, Output::DecidingRule, low()),
    ]
}

/// One rule set, compiled in several ways, and the policies of the file that it comes from.
pub(crate) struct Engines<'r> {
    rules: &'r RuleSet,
    compiled: Vec<(Way, Compiled)>,
    policies: Vec<(Way, Vec<u8>, PolicyBuf)>,
    agent: Option<AgentName<'r>>,
}

impl<'r> Engines<'r> {
    /// Compiles `rules` in every one of `ways`.
    pub(crate) fn compile(rules: &'r RuleSet, ways: &[Way]) -> Self {
        let compile = |way: &Way| (*way, way.compiler().compile(rules).expect(way.name));
        Self { rules, compiled: ways.iter().map(compile).collect(), policies: Vec::new(), agent: None }
    }

    /// Compiles the whole file too, so that the policy's choice of the program for `agent` is asked.
    pub(crate) fn with_policies(mut self, robots: &RobotsTxt<'_>, agent: AgentName<'r>, ways: &[Way]) -> Self {
        let compile = |way: &Way| {
            let policy = way.compiler().compile_policy(robots).expect(way.name);
            (*way, policy.as_bytes().to_vec(), policy)
        };
        self.policies = ways.iter().map(compile).collect();
        self.agent = Some(agent);
        self
    }

    /// Every compiled engine at every home.
    ///
    /// # Errors
    /// What the runtime says of bytes that the compiler made.
    pub(crate) fn homes(&self) -> Result<Vec<Home<'_>>, String> {
        let mut homes = Vec::new();
        for (way, compiled) in &self.compiled {
            let names_deciding_rule = way.output == Output::DecidingRule && !self.rules.rules().is_empty();
            let in_memory = compiled.program();
            let read = Program::from_bytes(compiled.as_bytes())
                .map_err(|error| format!("{}: its bytes are refused: {error}", way.name))?;
            for (home, program) in [("in memory", in_memory), ("from bytes", read)] {
                let name = format!("{}, {home}", way.name);
                if program.names_deciding_rule() != names_deciding_rule {
                    return Err(format!("{name}: names_deciding_rule is {}", program.names_deciding_rule()));
                }
                homes.push(Home { name, program, names_deciding_rule });
            }
        }
        for (way, bytes, policy) in &self.policies {
            let read =
                Policy::from_bytes(bytes).map_err(|error| format!("policy {}: bytes refused: {error}", way.name))?;
            for (home, policy) in [("in memory", policy.policy()), ("from bytes", read)] {
                let program = policy.program(self.agent).expect("the policy is not partial");
                let name = format!("policy {}, {home}", way.name);
                homes.push(Home { name, program, names_deciding_rule: program.names_deciding_rule() });
            }
        }
        Ok(homes)
    }
}

/// A program, and where it was taken from.
pub(crate) struct Home<'p> {
    pub(crate) name: String,
    pub(crate) program: Program<'p>,
    pub(crate) names_deciding_rule: bool,
}

impl Home<'_> {
    /// What this engine answers otherwise than `expected`, or `None`.
    pub(crate) fn difference(
        &self,
        rules: &RuleSet,
        path: UrlPath<'_>,
        expected: Option<DecidingRule>,
    ) -> Option<String> {
        let verdict = self.program.verdict(path).expect("a path in the form of the rules");
        let expected_verdict = DecidingRule::verdict_of(expected);
        if verdict != expected_verdict {
            return Some(format!("{}: {verdict}, expected {expected_verdict}", self.name));
        }
        if !self.names_deciding_rule {
            return None;
        }
        let found = self.program.deciding_rule(path).expect("a path in the form of the rules");
        let index = expected.map(|rule| rule.rule as usize);
        let rule = index.and_then(|index| rules.rules().get(index));
        (found != expected).then(|| format!("{}: names {found:?}, expected {expected:?}: {rule:?}", self.name))
    }
}

/// Decides by the reference matcher, for bytes that are taken as a path in the form of the rules.
pub(crate) fn reference_decision(rules: &RuleSet, path: &[u8]) -> Option<DecidingRule> {
    reference::deciding_rule(rules, in_form(path, rules.path_form())).expect("a path in the form of the rules")
}

/// Takes bytes as a path in a form.
pub(crate) fn in_form(path: &[u8], form: PathForm) -> UrlPath<'_> {
    UrlPath::assume(path, form)
}

/// Asks the reference, the rule set and every home about a path in the form of the rules. Empty if all agree with the
/// reference.
pub(crate) fn differences(rules: &RuleSet, homes: &[Home<'_>], path: &[u8]) -> Vec<String> {
    let expected = reference_decision(rules, path);
    differences_from(expected, rules, homes, path)
}

/// As [`differences`], with the reference's answer given.
pub(crate) fn differences_from(
    expected: Option<DecidingRule>,
    rules: &RuleSet,
    homes: &[Home<'_>],
    path: &[u8],
) -> Vec<String> {
    let mut found = Vec::new();
    let path = in_form(path, rules.path_form());
    let direct = rules.deciding_rule(path).expect("a path in the form of the rules");
    if direct != expected {
        found.push(format!("rule set: {direct:?}, reference: {expected:?}"));
    }
    if rules.verdict(path) != Ok(DecidingRule::verdict_of(expected)) {
        found.push(format!("rule set's verdict: {:?}, reference: {expected:?}", rules.verdict(path)));
    }
    found.extend(homes.iter().filter_map(|home| home.difference(rules, path, expected)));
    found
}

/// Parses, selects, compiles in every way and home, and asks all about every path: what one of them answers otherwise
/// than the reference.
pub(crate) fn differences_of_file(
    body: &[u8],
    dialect: &Dialect,
    token: &[u8],
    paths: &[Vec<u8>],
    ways: &[Way],
) -> Vec<String> {
    let robots = RobotsTxt::parse_with(body, dialect);
    // A raw name is compared with product tokens alone. A policy finds names beyond RFC 9309 as they are written, so
    // these are asked as crawlers ask.
    let (crawler, name) = match AgentName::of_group(token) {
        Ok(name) if !name.is_product_token() => (Crawler::from(name), name),
        _ => (Crawler::raw(vec![token.to_vec()]), AgentName::assume_token(token)),
    };
    let rules = robots.rule_set(&crawler);
    let engines = Engines::compile(&rules, ways).with_policies(&robots, name, ways);
    let homes = match engines.homes() {
        Ok(homes) => homes,
        Err(refused) => return vec![refused],
    };
    let mut found = Vec::new();
    for path in paths {
        let path = dialect.raw_path(path).into_cow();
        for difference in differences(&rules, &homes, &path) {
            found.push(format!("{} {} {}: {difference}", dialect.name, token.escape_ascii(), path.escape_ascii()));
        }
    }
    found
}
