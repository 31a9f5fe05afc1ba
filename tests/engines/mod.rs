//! Every way to get an answer from the same rules: engines, efforts, outputs, limits and homes.
//!
//! The reference engine is the judge. [`Engines::differences`] asks all others and says where one of them does not
//! agree with what is expected.
#![allow(dead_code, reason = "each test crate uses a part of this")]

use robotsc::{
    AgentName, Compiled, Compiler, Crawler, Decision, Dialect, Effort, Limits, Output, PathForm, Policy, PolicyBuf,
    Program, RobotsTxt, RuleSet, UrlPath, reference,
};

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
        Way { name: "fast winner", effort: Effort::Fast, output: Output::Winner, limits },
        Way { name: "small winner", effort: Effort::Small, output: Output::Winner, limits },
    ]
}

/// The same with limits that force a partition.
pub(crate) fn partitioned_ways() -> Vec<Way> {
    let way = |name, effort, output, limits| Way { name, effort, output, limits };
    vec![
        way("fast verdict, cut", Effort::Fast, Output::Verdict, cut()),
        way("small winner, cut", Effort::Small, Output::Winner, cut()),
        way("fast verdict, tiny limits", Effort::Fast, Output::Verdict, tiny()),
        way("small verdict, tiny limits", Effort::Small, Output::Verdict, tiny()),
        way("fast winner, tiny limits", Effort::Fast, Output::Winner, tiny()),
        way("small winner, tiny limits", Effort::Small, Output::Winner, tiny()),
        way("small verdict, low limits", Effort::Small, Output::Verdict, low()),
        way("fast winner, low limits", Effort::Fast, Output::Winner, low()),
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
            let names_winner = way.output == Output::Winner && !self.rules.rules().is_empty();
            let in_memory = compiled.program();
            let read = Program::from_bytes(compiled.as_bytes())
                .map_err(|error| format!("{}: its bytes are refused: {error}", way.name))?;
            for (home, program) in [("in memory", in_memory), ("from bytes", read)] {
                let name = format!("{}, {home}", way.name);
                if program.names_winner() != names_winner {
                    return Err(format!("{name}: names_winner is {}", program.names_winner()));
                }
                homes.push(Home { name, program, names_winner });
            }
        }
        for (way, bytes, policy) in &self.policies {
            let read =
                Policy::from_bytes(bytes).map_err(|error| format!("policy {}: bytes refused: {error}", way.name))?;
            for (home, policy) in [("in memory", policy.policy()), ("from bytes", read)] {
                let program = policy.program(self.agent).expect("the policy is not partial");
                let name = format!("policy {}, {home}", way.name);
                homes.push(Home { name, program, names_winner: program.names_winner() });
            }
        }
        Ok(homes)
    }
}

/// A program, and where it was taken from.
pub(crate) struct Home<'p> {
    pub(crate) name: String,
    pub(crate) program: Program<'p>,
    pub(crate) names_winner: bool,
}

impl Home<'_> {
    /// What this engine answers otherwise than `expected`, or `None`.
    pub(crate) fn difference(&self, rules: &RuleSet, path: UrlPath<'_>, expected: Decision) -> Option<String> {
        let verdict = self.program.verdict(path).expect("a path in the form of the rules");
        if verdict != expected.verdict {
            return Some(format!("{}: {verdict}, expected {}", self.name, expected.verdict));
        }
        if !self.names_winner {
            return None;
        }
        let winner = self.program.winner(path).expect("a path in the form of the rules");
        let index = expected.rule.map(|index| index as usize);
        let rule = index.and_then(|index| rules.rules().get(index));
        let agrees = match (winner, rule) {
            (None, None) => true,
            (Some(winner), Some(rule)) => {
                winner.verdict == rule.verdict
                    && Some(winner.rule) == expected.rule
                    && winner.line == rule.line
                    // The program's table holds 30 bits of it; the rule for `/robots.txt` has more.
                    && winner.length == rule.length.min((1 << 30) - 1)
                    && winner.is_allow_line == (rule.kind == robotsc::RuleKind::Allow)
            }
            _ => false,
        };
        (!agrees).then(|| format!("{}: names {winner:?}, expected rule {:?}: {rule:?}", self.name, expected.rule))
    }
}

/// Decides by the reference matcher, for bytes that are taken as a path in the form of the rules.
pub(crate) fn reference_decision(rules: &RuleSet, path: &[u8]) -> Decision {
    reference::decide(rules, in_form(path, rules.path_form())).expect("a path in the form of the rules")
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
pub(crate) fn differences_from(expected: Decision, rules: &RuleSet, homes: &[Home<'_>], path: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let path = in_form(path, rules.path_form());
    let direct = rules.decide(path).expect("a path in the form of the rules");
    if direct != expected {
        found.push(format!("rule set: {direct:?}, reference: {expected:?}"));
    }
    if rules.verdict(path) != Ok(expected.verdict) {
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
    let (crawler, name) = match AgentName::from_bytes(token) {
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
