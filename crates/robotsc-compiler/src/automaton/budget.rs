//! What one construction can cost, and that it cost more.

/// What the construction of one part can cost. Past either, the rules are cut into parts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PartBudget {
    /// Nodes.
    pub(crate) nodes: usize,
    /// Items moved: what the time goes with.
    pub(crate) work: u64,
}

/// A construction that exceeded its budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exceeded {
    /// The work done until then.
    pub(crate) work: u64,
}

/// Ends a construction, from the step that found the budget spent.
pub(super) struct BudgetSpent;
