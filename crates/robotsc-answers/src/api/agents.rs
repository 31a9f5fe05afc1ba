//! `GET /v1/agents`: the register of known crawlers.

use robotsc::bundled;
use serde_json::{Value, json};

use crate::known_agent;

/// Returns the answer.
#[must_use]
pub fn json() -> Value {
    let agents: Vec<Value> = bundled::agents().iter().map(known_agent::json).collect();
    json!({ "agents": agents })
}
