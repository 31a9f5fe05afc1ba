//! A known crawler as JSON.

use robotsc::bundled::KnownAgent;
use serde_json::{Value, json};

/// Returns an entry of the register of known crawlers.
#[must_use]
pub fn json(agent: &KnownAgent) -> Value {
    let purposes: Vec<&str> = agent.purposes.iter().map(|purpose| purpose.name()).collect();
    json!({
        "type": "agent",
        "token": agent.token,
        "operator": agent.operator,
        "purposes": purposes,
        "fallback": agent.fallback,
        "robots": agent.robots.name(),
        "control": agent.control,
        "retired": agent.retired,
        "successors": agent.successors,
        "source": agent.source,
        "checked": agent.checked,
        "note": agent.note,
    })
}
