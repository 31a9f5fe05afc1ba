//! From a file to the programs of all its agents.

use std::collections::{BTreeMap, BTreeSet};

use robotsc_runtime::{PARTIAL, POLICY_HEADER, POLICY_MARK, Policy, format};

use crate::agent::{Crawler, Selection, SelectionReason};
use crate::compile::{CompileError, Compiler, Limits, seal};
use crate::dialect::AgentMatch;
use crate::robots_txt::{GroupId, RobotsTxt};

/// A compiled policy (all agents of a file, or some) that owns its bytes.
#[derive(Clone, Debug)]
pub struct CompiledPolicy {
    bytes: Vec<u8>,
}

impl CompiledPolicy {
    /// The policy bytes: the same for the same file and settings, on every machine.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Takes the bytes out.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The policy, ready to use. Reads the header only.
    ///
    /// # Panics
    /// Never: what the compiler writes has a valid header.
    #[must_use]
    pub fn policy(&self) -> Policy<'_> {
        Policy::from_trusted(&self.bytes).expect("the compiler writes valid headers")
    }
}

impl Compiler {
    /// Compiles all agents of a file into one policy: an index of the product tokens that it names, `*`, and one program for all agents with equal rules.
    ///
    /// # Errors
    /// As [`Compiler::compile`]; and where the patterns of all programs together have more than 2^24 octets, which takes a file that names many agents in a long group and
    /// each in a group of its own.
    pub fn compile_policy(&self, robots: &RobotsTxt<'_>) -> Result<CompiledPolicy, CompileError> {
        // A token of the file is the longest of its own prefixes, so that under every dialect it obeys just the groups that name it.
        let mut of_token: BTreeMap<Vec<u8>, Vec<GroupId>> = BTreeMap::new();
        let mut of_star = Vec::new();
        for (id, group) in (0..).map(GroupId).zip(robots.groups()) {
            for agent in robots.agents_of(group) {
                let token = agent.token.of(robots.body()).to_ascii_lowercase();
                let groups = match (agent.is_star, token.is_empty()) {
                    (true, _) => &mut of_star,
                    (false, true) => continue,
                    (false, false) => of_token.entry(token).or_default(),
                };
                if groups.last() != Some(&id) {
                    groups.push(id);
                }
            }
        }
        let mut programs = Programs::new(self, robots);
        let mut index = Vec::with_capacity(of_token.len());
        for (token, groups) in of_token {
            let reason = SelectionReason::Named(vec![token.clone()]);
            index.push((token, programs.number(Selection { groups, reason })?));
        }
        let star = Selection { groups: of_star, reason: SelectionReason::Star };
        let star = if star.groups.is_empty() { None } else { Some(programs.number(star)?) };
        let mode = match robots.dialect().agent_match {
            AgentMatch::Exact => 0,
            AgentMatch::LongestPrefixAtHyphen => 1,
            AgentMatch::LongestPrefix => 2,
        };
        programs.policy(mode, &index, star)
    }

    /// Compiles some crawlers' tokens only. The policy is partial: it answers for just these tokens, and knows nothing of others.
    ///
    /// # Errors
    /// As [`Compiler::compile_policy`].
    pub fn compile_policy_for<'t>(
        &self,
        robots: &RobotsTxt<'_>,
        tokens: impl IntoIterator<Item = &'t [u8]>,
    ) -> Result<CompiledPolicy, CompileError> {
        let tokens: BTreeSet<Vec<u8>> = tokens.into_iter().map(<[u8]>::to_ascii_lowercase).collect();
        let mut programs = Programs::new(self, robots);
        let mut index = Vec::with_capacity(tokens.len());
        for token in tokens.into_iter().filter(|token| !token.is_empty()) {
            let selection = robots.select(&Crawler::token(token.clone()));
            index.push((token, programs.number(selection)?));
        }
        programs.policy(PARTIAL, &index, None)
    }
}

/// Octets of patterns that all programs of a policy may have together.
const OCTETS_MAX: usize = 1 << 24;
/// How often the work that one rule set may cost is there for all programs of a policy; the rules of those that come after are tried one by one.
const WORK_TIMES: u64 = 4;

/// The programs of a policy under way.
struct Programs<'a> {
    compiler: &'a Compiler,
    robots: &'a RobotsTxt<'a>,
    bytes: Vec<Vec<u8>>,
    known: BTreeMap<Vec<u8>, u32>,
    /// Agents with the same groups have the same rules; most files have many agents and few groups.
    of_groups: BTreeMap<Vec<GroupId>, u32>,
    octets: usize,
    work: u64,
}

impl<'a> Programs<'a> {
    fn new(compiler: &'a Compiler, robots: &'a RobotsTxt<'a>) -> Self {
        Self {
            compiler,
            robots,
            bytes: Vec::new(),
            known: BTreeMap::new(),
            of_groups: BTreeMap::new(),
            octets: 0,
            work: 0,
        }
    }

    /// The number of the program for a selection, compiled where it is not known.
    fn number(&mut self, selection: Selection) -> Result<u32, CompileError> {
        if let Some(&number) = self.of_groups.get(&selection.groups) {
            return Ok(number);
        }
        let rules = self.robots.rule_set_of(&selection);
        self.octets += rules.rules().iter().map(|rule| rules.pattern(rule).len()).sum::<usize>();
        if self.octets > OCTETS_MAX {
            return Err(CompileError::POLICY_TOO_LARGE);
        }
        let spent = self.work > self.compiler.work_limit().saturating_mul(WORK_TIMES);
        let compiled = if spent {
            self.compiler.clone().limits(Limits::NONE).compile(&rules)?
        } else {
            self.compiler.compile(&rules)?
        };
        self.work += compiled.stats().work;
        let bytes = compiled.into_bytes();
        let number = *self.known.entry(bytes).or_insert_with_key(|bytes| {
            self.bytes.push(bytes.clone());
            self.bytes.len() as u32 - 1
        });
        self.of_groups.insert(selection.groups, number);
        Ok(number)
    }

    fn policy(&self, mode: u8, index: &[(Vec<u8>, u32)], star: Option<u32>) -> Result<CompiledPolicy, CompileError> {
        let label = self.robots.dialect().name.as_bytes();
        let bytes = assemble(mode, label, index, &self.bytes, star).ok_or(CompileError::POLICY_TOO_LARGE)?;
        Ok(CompiledPolicy { bytes })
    }
}

/// Puts a policy together, as `robotsc_runtime::policy` describes it. `None` where a place does not fit 32 bits.
fn assemble(
    mode: u8,
    label: &[u8],
    index: &[(Vec<u8>, u32)],
    programs: &[Vec<u8>],
    star: Option<u32>,
) -> Option<Vec<u8>> {
    let word = |number: usize| u32::try_from(number).ok().map(u32::to_le_bytes);
    let mut bytes = Vec::with_capacity(POLICY_HEADER + 12 * index.len());
    bytes.extend_from_slice(&POLICY_MARK);
    bytes.extend_from_slice(&[format::VERSION, mode, 0, 0, 0, 0]);
    bytes.extend_from_slice(&word(index.len())?);
    bytes.extend_from_slice(&word(programs.len())?);
    bytes.extend_from_slice(&star.map_or(0, |star| star + 1).to_le_bytes());
    bytes.extend_from_slice(&word(label.len())?);
    let mut text = label.to_vec();
    for (token, program) in index {
        bytes.extend_from_slice(&word(text.len())?);
        bytes.extend_from_slice(&word(token.len())?);
        bytes.extend_from_slice(&program.to_le_bytes());
        text.extend_from_slice(token);
    }
    for program in programs {
        bytes.extend_from_slice(&word(text.len())?);
        bytes.extend_from_slice(&word(program.len())?);
        text.extend_from_slice(program);
    }
    bytes.extend_from_slice(&text);
    seal(&mut bytes);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;

    /// Many agents, each with a rule of its own, then one long group for all of them.
    fn hostile(agents: usize, rule: impl Fn(usize) -> String, rules: usize) -> Vec<u8> {
        let own = (0..agents).map(|agent| format!("User-agent: a-{}\nDisallow: /{agent}\n", name(agent)));
        let all = (0..agents).map(|agent| format!("User-agent: a-{}\n", name(agent)));
        let shared = (0..rules).map(|number| format!("Disallow: {}\n", rule(number)));
        own.chain(all).chain(shared).collect::<String>().into_bytes()
    }

    /// A product token for a number: it may hold no digits.
    fn name(number: usize) -> String {
        number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
    }

    #[test]
    fn a_policy_has_a_bound() {
        let body = hostile(2_000, |number| format!("/{number}/some/longer/path"), 1_000);
        let robots = RobotsTxt::parse(&body, &Dialect::GOOGLE);
        assert!(Compiler::new().compile_policy(&robots).is_err());
        // One of them is no matter.
        let policy = Compiler::new().compile_policy_for(&robots, [&b"a-b"[..]]).unwrap();
        assert!(policy.policy().is_partial());
        assert!(!policy.policy().program(b"A-B").unwrap().verdict(b"/7/some/longer/path").is_allow());
        assert!(policy.policy().program(b"a-c").is_none());
    }

    #[test]
    fn dear_programs_end_as_lists() {
        let body = hostile(60, |number| format!("/*x{number}x*y{number}y"), 700);
        let robots = RobotsTxt::parse(&body, &Dialect::GOOGLE);
        let policy = Compiler::new().compile_policy(&robots).unwrap();
        for (token, own) in [("a-a", "/0"), ("a-fj", "/59")] {
            let program = policy.policy().program(token.as_bytes()).unwrap();
            assert!(!program.verdict(own.as_bytes()).is_allow(), "{token}");
            assert!(!program.verdict(b"/ax699x-y699y").is_allow(), "{token}");
            assert!(program.verdict(b"/ax699x-y698y").is_allow(), "{token}");
        }
    }
}
