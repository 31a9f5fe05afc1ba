//! Known crawlers: as JSON, and those whose names were meant.

use robotsc::bundled::{self, KnownAgent};
use robotsc_analysis::near_name::is_near;
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
        "report": agent.report,
        "note": agent.note,
    })
}

/// Returns the known crawler that a misspelt name stands for; `None` if it is known, or like no other.
///
/// ```
/// use robotsc_answers::known_agent::meant_by;
///
/// assert_eq!(meant_by("Gogglebot"), Some("Googlebot"));
/// assert_eq!([meant_by("Googlebot"), meant_by("FooBot")], [None, None]);
/// ```
#[must_use]
pub fn meant_by(name: &str) -> Option<&'static str> {
    if bundled::agent(name).is_some() {
        return None;
    }
    let tokens = bundled::agents().iter().filter(|agent| !agent.retired).map(|agent| agent.token);
    tokens.into_iter().find(|token| is_near(token, name))
}
