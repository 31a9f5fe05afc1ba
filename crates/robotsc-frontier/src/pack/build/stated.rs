//! What the groups of one file state of the use of pages.

use std::collections::BTreeMap;

use robotsc_compiler::preferences::{CompiledPreferences, Reading, Vocabulary, compile_groups};
use robotsc_compiler::{Compiler, FileBudget, GroupId, RobotsTxt};

use super::sink::{Hash, Sink, hash};

/// The compiled preferences of one file. Agents with the same groups share them, so that each set of groups is compiled
/// once.
pub(crate) struct Stated<'m, 'r> {
    robots: &'m RobotsTxt<'r>,
    /// `None` if the pack holds no preferences.
    vocabulary: Option<&'static Vocabulary>,
    compiler: &'m Compiler,
    budget: FileBudget,
    of_groups: BTreeMap<Vec<GroupId>, Option<Hash>>,
}

impl<'m, 'r> Stated<'m, 'r> {
    pub(crate) fn new(
        robots: &'m RobotsTxt<'r>,
        vocabulary: Option<&'static Vocabulary>,
        compiler: &'m Compiler,
    ) -> Self {
        Self { robots, vocabulary, compiler, budget: FileBudget::default(), of_groups: BTreeMap::new() }
    }

    /// Returns what groups state, which is passed to `sink` when it is new; `None` if they state nothing, or the pack
    /// holds no preferences. What cannot be compiled refuses every use.
    pub(crate) fn of<S: Sink>(&mut self, ids: &[GroupId], sink: &mut S) -> Result<Option<Hash>, S::Error> {
        let Some(vocabulary) = self.vocabulary else { return Ok(None) };
        if let Some(known) = self.of_groups.get(ids) {
            return Ok(*known);
        }
        let groups = ids.iter().filter_map(|id| self.robots.groups().get(id.0 as usize));
        let reading = Reading { vocabulary, ..Reading::default() };
        let compiled = compile_groups(self.robots, groups, reading, self.compiler, &mut self.budget)
            .unwrap_or_else(|_| CompiledPreferences::refusal(self.robots.dialect().path_form()));
        let stated = if compiled.is_unknown() {
            None
        } else {
            let hash = hash(compiled.as_bytes());
            sink.preferences(hash, compiled.as_bytes())?;
            Some(hash)
        };
        self.of_groups.insert(ids.to_vec(), stated);
        Ok(stated)
    }
}
