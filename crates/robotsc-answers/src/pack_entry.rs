//! What a pack holds about one origin.

use robotsc::AgentName;
use robotsc::outcome::{Access, Effective, Next, Time};
use robotsc::pack::{Pack, PackAgents, PackEntry};
use serde_json::{Value, json};

use crate::{outcome, shown, time};

/// What a policy holds for one agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Agent {
    /// Its token, or `*`.
    pub token: String,
    /// The bytes of its program; `None` if no rules are held.
    pub bytes: Option<usize>,
    /// Seconds.
    pub crawl_delay: Option<f64>,
}

/// Returns the agents that the entry distinguishes.
#[must_use]
pub fn agents(pack: &Pack, entry: &PackEntry<'_>) -> Vec<Agent> {
    let tokens: Vec<Vec<u8>> = match pack.agents() {
        PackAgents::All => entry.tokens().map(<[u8]>::to_vec).chain([b"*".to_vec()]).collect(),
        PackAgents::Some(tokens) => tokens.iter().map(|token| token.clone().into_bytes()).collect(),
    };
    let agents = tokens.into_iter().filter_map(|token| {
        let agent = match token.as_slice() {
            b"*" => pack.other_agents()?,
            name => pack.agent(AgentName::from_bytes(name).ok()?)?,
        };
        Some(Agent {
            token: shown::bytes(&token),
            bytes: entry.program(&agent).map(|program| program.as_bytes().len()),
            crawl_delay: entry.crawl_delay(&agent).map(|delay| delay.as_secs_f64()),
        })
    });
    agents.collect()
}

/// Returns what holds, in words.
#[must_use]
pub const fn force(force: Access) -> &'static str {
    match force {
        Access::Rules => "rules",
        Access::AllowAll => "all allowed",
        Access::DisallowAll => "nothing allowed",
        Access::Unknown => "unknown",
    }
}

/// Returns what a crawler does next, in words.
#[must_use]
pub fn next(in_force: &Effective) -> String {
    match in_force.next {
        Next::Use => "use".to_owned(),
        Next::Refetch => "fetch again".to_owned(),
        Next::Defer(time) => format!("defer to {}", time::shown(time)),
    }
}

/// Returns the entry of an origin as JSON, and what holds at a time: `effective`.
#[must_use]
pub fn json(pack: &Pack, origin: &str, entry: &PackEntry<'_>, effective: &Effective) -> Value {
    let agents: Vec<Value> = agents(pack, entry)
        .iter()
        .map(|agent| json!({"agent": agent.token, "bytes": agent.bytes, "crawl_delay": agent.crawl_delay}))
        .collect();
    let record = entry.record();
    let seconds = |time: Option<Time>| time.map(|time| time.0);
    json!({
        "type": "origin",
        "origin": origin,
        "outcome": outcome::name(record.outcome),
        "fetched_at": record.fetched_at.0,
        "expires_at": record.expires_at.0,
        "good_at": seconds(record.good_at),
        "failing_since": seconds(record.failing_since),
        "policy": entry.policy_id().map(|id| id.to_string()),
        "effective": force(effective.access),
        "until": (effective.until != Time::MAX).then_some(effective.until.0),
        "next": next(effective),
        "agents": agents,
        "sitemaps": entry.sitemaps().map(shown::bytes).collect::<Vec<_>>(),
    })
}
