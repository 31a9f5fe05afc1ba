//! From a file to the programs of all its agents.

use std::collections::{BTreeMap, BTreeSet};

use robotsc_runtime::{POLICY_HEADER, POLICY_MARK, Policy, format};

use crate::agent::{Crawler, SelectionReason};
use crate::compile::{CompileError, Compiler, seal};
use crate::dialect::AgentMatch;
use crate::robots_txt::RobotsTxt;

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
    /// As [`Compiler::compile`], and where the policy would be longer than 4 GiB.
    pub fn compile_policy(&self, robots: &RobotsTxt<'_>) -> Result<CompiledPolicy, CompileError> {
        let tokens: BTreeSet<Vec<u8>> = robots
            .agents()
            .iter()
            .map(|agent| agent.token.of(robots.body()).to_ascii_lowercase())
            .filter(|token| !token.is_empty())
            .collect();
        self.policy_of(robots, tokens)
    }

    /// Compiles some tokens of a file only, and `*`. A token that the file does not name has no program of its own, and so that of `*`.
    ///
    /// # Errors
    /// As [`Compiler::compile_policy`].
    pub fn compile_policy_for<'t>(
        &self,
        robots: &RobotsTxt<'_>,
        tokens: impl IntoIterator<Item = &'t [u8]>,
    ) -> Result<CompiledPolicy, CompileError> {
        let mut named = BTreeSet::new();
        for token in tokens {
            // What the dialect takes for the token is what the index must hold.
            if let SelectionReason::Named(found) = robots.select(&Crawler::token(token)).reason {
                named.extend(found);
            }
        }
        self.policy_of(robots, named)
    }

    fn policy_of(&self, robots: &RobotsTxt<'_>, tokens: BTreeSet<Vec<u8>>) -> Result<CompiledPolicy, CompileError> {
        let mut programs: Vec<Vec<u8>> = Vec::new();
        let mut known: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
        // Agents with the same groups have the same rules; most files have many agents and few groups.
        let mut of_groups = BTreeMap::new();
        let mut program =
            |crawler: Crawler, wanted: fn(&SelectionReason) -> bool| -> Result<Option<u32>, CompileError> {
                let selection = robots.select(&crawler);
                if !wanted(&selection.reason) {
                    return Ok(None);
                }
                if let Some(&number) = of_groups.get(&selection.groups) {
                    return Ok(Some(number));
                }
                let bytes = self.compile(&robots.rule_set_of(&selection))?.into_bytes();
                let number = *known.entry(bytes).or_insert_with_key(|bytes| {
                    programs.push(bytes.clone());
                    programs.len() as u32 - 1
                });
                of_groups.insert(selection.groups, number);
                Ok(Some(number))
            };
        let mut index = Vec::with_capacity(tokens.len());
        for token in tokens {
            let named = |reason: &SelectionReason| matches!(reason, SelectionReason::Named(_));
            if let Some(number) = program(Crawler::token(token.clone()), named)? {
                index.push((token, number));
            }
        }
        // No token is empty, so that the empty one is named by no group.
        let star = program(Crawler::token(""), |reason| matches!(reason, SelectionReason::Star))?;
        let mode = match robots.dialect().agent_match {
            AgentMatch::Exact => 0,
            AgentMatch::LongestPrefixAtHyphen => 1,
            AgentMatch::LongestPrefix => 2,
        };
        let bytes = assemble(mode, robots.dialect().name.as_bytes(), &index, &programs, star)
            .ok_or(CompileError::POLICY_TOO_LARGE)?;
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
