//! From a file to the programs of all its agents.

use std::collections::{BTreeMap, BTreeSet};

use robotsc_runtime::{PARTIAL, POLICY_HEADER, POLICY_MARK, Policy, format};

use crate::agent::{Crawler, Selection, SelectionReason};
use crate::compile::{CompileError, Compiler, seal};
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
    /// As [`Compiler::compile`]; where the agents together obey more than 2^20 rules, which takes a file that names the same agents in many groups; and where
    /// the policy would be longer than 4 GiB.
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

/// Rules that all programs of a policy may have together.
const RULES_MAX: usize = 1 << 20;

/// The programs of a policy under way.
struct Programs<'a> {
    compiler: &'a Compiler,
    robots: &'a RobotsTxt<'a>,
    bytes: Vec<Vec<u8>>,
    known: BTreeMap<Vec<u8>, u32>,
    /// Agents with the same groups have the same rules; most files have many agents and few groups.
    of_groups: BTreeMap<Vec<GroupId>, u32>,
    rules: usize,
}

impl<'a> Programs<'a> {
    fn new(compiler: &'a Compiler, robots: &'a RobotsTxt<'a>) -> Self {
        Self { compiler, robots, bytes: Vec::new(), known: BTreeMap::new(), of_groups: BTreeMap::new(), rules: 0 }
    }

    /// The number of the program for a selection, compiled where it is not known.
    fn number(&mut self, selection: Selection) -> Result<u32, CompileError> {
        if let Some(&number) = self.of_groups.get(&selection.groups) {
            return Ok(number);
        }
        let rules = self.robots.rule_set_of(&selection);
        self.rules += rules.rules().len();
        if self.rules > RULES_MAX {
            return Err(CompileError::POLICY_RULES);
        }
        let bytes = self.compiler.compile(&rules)?.into_bytes();
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
