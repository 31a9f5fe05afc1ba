//! The names of known crawlers: those of the register that ships, and of the folder's own.

use std::collections::{BTreeMap, BTreeSet};

use robotsc_compiler::near_name::is_near;

use super::registry::Registry;

/// Names of crawlers, without regard to case.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownNames {
    /// Each name by its lower case.
    names: BTreeMap<String, String>,
    /// Those that no crawler has any more, in lower case: nobody means one of them.
    retired: BTreeSet<String>,
}

impl KnownNames {
    /// Returns the names of the register that ships with this crate.
    pub(crate) fn bundled() -> Self {
        let mut names = Self::default();
        names.add(Registry::bundled());
        names
    }

    pub(crate) fn add(&mut self, registry: &Registry) {
        let retired = registry.agents().iter().filter(|agent| agent.retired);
        self.retired.extend(retired.map(|agent| agent.token.to_ascii_lowercase()));
        let tokens = registry.agents().iter().map(|agent| &agent.token);
        self.names.extend(tokens.map(|token| (token.to_ascii_lowercase(), token.clone())));
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.names.contains_key(&name.to_ascii_lowercase())
    }

    /// Returns the names as their operators write them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.values().map(String::as_str)
    }

    /// Returns the name that a misspelt one stands for; `None` if it is known, or like no other.
    pub(crate) fn meant_by(&self, name: &str) -> Option<&str> {
        if self.contains(name) {
            return None;
        }
        let known = self.names.iter().filter(|(key, _)| !self.retired.contains(*key));
        known.map(|(_, known)| known.as_str()).find(|known| is_near(known, name))
    }
}
