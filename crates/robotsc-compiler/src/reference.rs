//! The judge: rule by rule, position sets, deliberately naive. Shares no matching code with the other engines.

use crate::rule_set::{Decision, RuleSet};

/// Decides by trying every rule of the set, octet by octet, with a set of positions.
///
/// Cost: rules × pattern octets × path octets in the worst case. Use it in tests.
#[must_use]
pub fn decide(_rules: &RuleSet, _path: &[u8]) -> Decision {
    todo!()
}
