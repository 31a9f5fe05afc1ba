//! Agents that obey other groups than before.

/// Which groups an agent obeys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObeyedGroups {
    /// Those that name it.
    Own,
    /// Those of another name, as its operator documents it.
    Of(String),
    /// Those for all other agents.
    Others,
    /// None: it obeys only groups that name it, and none does.
    Nobody,
}

/// Agents that obey other groups than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentMove {
    /// Their names.
    pub names: Vec<String>,
    /// What they obeyed.
    pub from: ObeyedGroups,
    /// What they obey now.
    pub to: ObeyedGroups,
}
