//! The agents that a diff is about, grouped by the lines that they obey on both sides.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;

use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{AgentError, AgentName, Crawler};
use robotsc_runtime::name_of_key;

use super::DiffOptions;
use super::moves::{AgentMove, ObeyedGroups};
use super::sides::Side;
use crate::agents::audience::{drop_repeated, listed};

/// Some agents: names, and perhaps all agents that no group names.
///
/// ```
/// use robotsc::analysis::Agents;
///
/// let agents = Agents { names: vec!["GPTBot".to_owned(), "CCBot".to_owned()], has_others: true };
/// assert_eq!(agents.to_string(), "GPTBot, CCBot and all other agents");
/// assert_eq!(agents.shortened(1), "GPTBot, 1 more and all other agents");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agents {
    /// The names, as first written in the files, in their order.
    pub names: Vec<String>,
    /// Whether all agents that no group names are among them.
    pub has_others: bool,
}

impl Agents {
    /// Reports whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.names.is_empty() && !self.has_others
    }

    /// Returns the agents as text, with at most `limit` names; the rest is counted.
    #[must_use]
    pub fn shortened(&self, limit: usize) -> String {
        listed(&self.names, self.has_others, limit)
    }
}

impl fmt::Display for Agents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shortened(usize::MAX))
    }
}

/// Who all other agents of a diff are: those that no group of either file names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OtherAgents {
    /// Whether they are all agents: no group of either file names one.
    pub are_all: bool,
    /// Whether the groups for `*` do not count for some known agent among them, since it obeys
    /// [only groups that name it](Crawler::named_only).
    pub has_named_only: bool,
}

impl OtherAgents {
    pub(super) fn of(sides: &[Side<'_, '_>; 2], options: &DiffOptions<'_>) -> Self {
        let is_named_only = |known: &&str| {
            let documented = (options.documented)(known);
            let obeyed = |side: &Side<'_, '_>| side.obeyed(known.as_bytes(), documented.as_ref()).1;
            sides.iter().all(|side| obeyed(side) == ObeyedGroups::Nobody)
        };
        Self {
            are_all: sides.iter().all(|side| named(side).next().is_none()),
            has_named_only: options.known.iter().any(is_named_only),
        }
    }
}

/// The agents that a diff compares.
#[derive(Debug)]
pub(super) struct ComparedAgents {
    /// Names as they are shown, and their bytes.
    names: Vec<(String, Vec<u8>)>,
    has_others: bool,
}

/// Agents that obey the same groups on both sides.
#[derive(Debug)]
pub(super) struct AgentClass {
    /// Their numbers.
    names: Vec<usize>,
    has_others: bool,
    /// The numbers of the lists of groups that they obey.
    pub(super) lists: [usize; 2],
    /// Which groups of each side these are.
    obeyed: [ObeyedGroups; 2],
}

impl ComparedAgents {
    /// Returns all names of either file, and all other agents.
    pub(super) fn all(sides: &[Side<'_, '_>; 2]) -> Self {
        let mut seen = BTreeSet::new();
        let mut names = Vec::new();
        for side in sides {
            let new = named(side).filter(|(_, name)| seen.insert(name.to_vec()));
            names.extend(new.map(|(shown, name)| (shown.to_owned(), name.to_vec())));
        }
        Self { names, has_others: true }
    }

    /// Adds the known agents that obey groups of another name on either side: they are none of all others.
    pub(super) fn with_fallbacks(mut self, sides: &[Side<'_, '_>; 2], options: &DiffOptions<'_>) -> Self {
        let named: HashSet<Vec<u8>> = self.names.iter().map(|(_, name)| name.to_ascii_lowercase()).collect();
        for known in options.known.iter().filter(|known| !named.contains(&known.to_ascii_lowercase().into_bytes())) {
            let documented = (options.documented)(known);
            let has_group = |side: &Side<'_, '_>| {
                let (_, obeyed) = side.obeyed(known.as_bytes(), documented.as_ref());
                matches!(obeyed, ObeyedGroups::Own | ObeyedGroups::Of(_))
            };
            if sides.iter().any(has_group) {
                self.names.push(((*known).to_owned(), known.as_bytes().to_vec()));
            }
        }
        self
    }

    /// Returns agents by their names; `*` stands for all others.
    pub(super) fn these(names: &[String]) -> Result<Self, AgentError> {
        let mut compared = Self { names: Vec::new(), has_others: false };
        for name in names {
            if name == "*" {
                compared.has_others = true;
            } else {
                AgentName::new(name)?;
                compared.names.push((name.clone(), name.as_bytes().to_vec()));
            }
        }
        Ok(compared)
    }

    /// Groups the agents by the groups that they obey on both sides.
    pub(super) fn pairs(
        &self,
        sides: &mut [Side<'_, '_>; 2],
        documented: fn(&str) -> Option<Crawler>,
    ) -> Vec<AgentClass> {
        let mut pairs: Vec<AgentClass> = Vec::new();
        let mut at = HashMap::new();
        let mut pair = |lists: [usize; 2], obeyed: [ObeyedGroups; 2]| {
            let number = *at.entry((lists, obeyed.clone())).or_insert(pairs.len());
            if number == pairs.len() {
                pairs.push(AgentClass { names: Vec::new(), has_others: false, lists, obeyed });
            }
            number
        };
        // The most important answer is decided first.
        let others = self
            .has_others
            .then(|| pair(sides.each_mut().map(Side::list_of_others), [ObeyedGroups::Others, ObeyedGroups::Others]));
        let of_names: Vec<usize> = self
            .names
            .iter()
            .map(|(shown, name)| {
                let documented = documented(shown);
                let [old, new] = sides.each_mut().map(|side| side.list_of(name, documented.as_ref()));
                pair([old.0, new.0], [old.1, new.1])
            })
            .collect();
        for (name, number) in of_names.into_iter().enumerate() {
            pairs[number].names.push(name);
        }
        if let Some(others) = others {
            pairs[others].has_others = true;
        }
        pairs
    }

    /// Returns the agents of some pairs.
    pub(super) fn agents<'p>(&self, pairs: impl Iterator<Item = &'p AgentClass>) -> Agents {
        let (mut numbers, mut has_others) = (Vec::new(), false);
        for pair in pairs {
            numbers.extend_from_slice(&pair.names);
            has_others |= pair.has_others;
        }
        Agents { names: self.shown(numbers), has_others }
    }

    /// Returns the names of some pairs that groups of just one side name: `[false, true]` are those that only the new
    /// file names.
    pub(super) fn named_by<'p>(&self, pairs: impl Iterator<Item = &'p AgentClass>, is_named: [bool; 2]) -> Vec<String> {
        let is_named_so =
            |pair: &&AgentClass| pair.obeyed.each_ref().map(|obeyed| *obeyed == ObeyedGroups::Own) == is_named;
        self.shown(pairs.filter(is_named_so).flat_map(|pair| pair.names.clone()).collect())
    }

    /// Returns the names of some pairs that obey other groups than before, by what they obeyed and obey.
    pub(super) fn moves<'p>(&self, pairs: impl Iterator<Item = &'p AgentClass>) -> Vec<AgentMove> {
        let mut moved: BTreeMap<[ObeyedGroups; 2], Vec<usize>> = BTreeMap::new();
        for pair in pairs.filter(|pair| pair.obeyed[0] != pair.obeyed[1] && !pair.names.is_empty()) {
            moved.entry(pair.obeyed.clone()).or_default().extend_from_slice(&pair.names);
        }
        let mut moves: Vec<([ObeyedGroups; 2], Vec<usize>)> = moved.into_iter().collect();
        moves.small_sort_by_key(|(_, names)| names.iter().min().copied());
        let named =
            |([from, to], names): ([ObeyedGroups; 2], Vec<usize>)| AgentMove { names: self.shown(names), from, to };
        moves.into_iter().map(named).collect()
    }

    fn shown(&self, mut numbers: Vec<usize>) -> Vec<String> {
        numbers.small_sort_unstable();
        let mut names: Vec<String> = numbers.into_iter().map(|number| self.names[number].0.clone()).collect();
        drop_repeated(&mut names);
        names
    }
}

/// Returns the names of a file that an agent can have, as they are written there, and their bytes.
fn named<'s>(side: &'s Side<'_, '_>) -> impl Iterator<Item = (&'s str, &'s [u8])> {
    side.index.names().into_iter().filter_map(|(key, named)| {
        let name = name_of_key(key).filter(|name| AgentName::of_group(name).is_ok())?;
        Some((named.name.as_str(), name))
    })
}
