//! The groups of a set, compiled, each once.
//!
//! A group whose rules are named has a program that numbers them. That program returns verdicts too, only more slowly:
//! it goes on when the verdict is known, until the rule is, which takes 20 to 50 % longer. So small groups keep a
//! program for verdicts beside it, and large ones do not.

use std::collections::BTreeMap;

use robotsc_compiler::{CompileError, Compiled, Compiler, Effort, Output, RuleSet};

/// The rules of some agents.
#[derive(Clone, Debug)]
pub(crate) struct CompiledGroup {
    /// `None` if the other program returns verdicts too.
    pub(crate) verdict: Option<Vec<u8>>,
    pub(crate) deciding_rule: Option<Vec<u8>>,
    /// How many rules the groups before it reach.
    pub(crate) rules_before: u32,
}

/// The groups of a set.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    names_rules: bool,
    pub(crate) groups: Vec<CompiledGroup>,
    /// The places of the rules that programs reach, group by group.
    pub(crate) reached: Vec<u32>,
    known: BTreeMap<GroupKey, u32>,
}

/// What tells groups apart: their programs, and the places that these reach.
type GroupKey = (Vec<u8>, Option<Vec<u8>>, Vec<u32>);

/// Bytes of a program for verdicts that is kept in any case.
const SMALL: usize = 64 << 10;

impl Groups {
    pub(crate) fn new(names_rules: bool) -> Self {
        Self { names_rules, ..Self::default() }
    }

    /// The number of the group with some rules.
    pub(crate) fn number(&mut self, rules: &RuleSet) -> Result<u32, CompileError> {
        let verdict = compiler(Output::Verdict).compile(rules)?;
        let (mut deciding_rule, mut places) = (None, Vec::new());
        if self.names_rules {
            // From the last rule up, since the first has the highest number.
            places = rules.rules().iter().rev().map(|rule| rule.line).collect();
            let numbers: Vec<u32> = (1..=places.len() as u32).rev().collect();
            deciding_rule = Some(compiler(Output::DecidingRule).compile_numbered(rules, &numbers)?);
        }
        let keeps_verdict = deciding_rule.as_ref().is_none_or(|program| !stands_in(program, &verdict));
        let key = (verdict.into_bytes(), deciding_rule.map(Compiled::into_bytes), places);
        let (groups, reached, count) = (&mut self.groups, &mut self.reached, self.known.len() as u32);
        Ok(*self.known.entry(key).or_insert_with_key(|(verdict, deciding_rule, places)| {
            groups.push(CompiledGroup {
                verdict: keeps_verdict.then(|| verdict.clone()),
                deciding_rule: deciding_rule.clone(),
                rules_before: reached.len() as u32,
            });
            reached.extend_from_slice(places);
            count
        }))
    }
}

/// Reports whether the program that names rules returns the verdicts too: the other would add a good part to the size,
/// and is not much quicker.
fn stands_in(naming: &Compiled, verdict: &Compiled) -> bool {
    let (bytes, adds) = (naming.as_bytes().len(), verdict.as_bytes().len());
    let (walks, spared) = (naming.stats(), verdict.stats());
    adds > SMALL && adds > bytes / 4 && walks.parts <= spared.parts && walks.listed <= spared.listed
}

/// Returns the compiler of declared rule sets: small programs, since they are part of a binary.
pub(crate) fn compiler(output: Output) -> Compiler {
    Compiler::new().effort(Effort::Small).output(output)
}

#[cfg(test)]
mod tests {
    use robotsc_compiler::{Dialect, RuleKind};

    use super::*;

    /// The same rules elsewhere are another group where rules are named, since its answers are others.
    #[test]
    fn groups_are_one_where_their_answers_are() {
        let rules = |line| RuleSet::from_rules(&Dialect::GOOGLE, [(RuleKind::Disallow, "/a", line)]);
        for (names_rules, numbers, reached) in [(true, [0, 1, 0], &[3, 7][..]), (false, [0, 0, 0], &[])] {
            let mut groups = Groups::new(names_rules);
            assert_eq!([3, 7, 3].map(|line| groups.number(&rules(line)).unwrap()), numbers);
            assert_eq!(groups.reached, reached);
        }
    }
}
