//! Known crawlers: as JSON, and those whose names were meant.

use robotsc::RobotsTxt;
use robotsc::bundled::{self, KnownAgent, Purpose};
use robotsc::robots_txt::AgentLine;
use robotsc_analysis::lint::{Whom, whom};
use robotsc_analysis::near_name::is_near;
use robotsc_analysis::words::listed;
use serde_json::{Value, json};

use crate::lint::KNOWN;

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
        "user_agent": agent.user_agent,
        "user_agent_source": agent.user_agent_source,
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

/// Returns whom a name was meant for that no known crawler has, as a clause: a crawler whose name is like it, those of
/// a purpose, or those that a word stands for. `None` if it is known, or like no other.
///
/// ```
/// use robotsc_answers::known_agent::doubt;
///
/// assert_eq!(doubt("Gogglebot").as_deref(), Some("is Googlebot meant?"));
/// assert_eq!(doubt("Claude").as_deref(), Some("is ClaudeBot meant?"));
/// let crawlers = "its crawlers are GPTBot, ChatGPT-User and OAI-SearchBot";
/// assert_eq!(doubt("ChatGPT").as_deref(), Some(crawlers));
/// assert_eq!(doubt("preview").as_deref(), Some("it is a purpose: `purpose:preview` names its crawlers"));
/// assert_eq!(doubt("all").as_deref(), Some("`*` stands for all crawlers"));
/// assert_eq!([doubt("Googlebot"), doubt("FooBot")], [None, None]);
/// ```
#[must_use]
pub fn doubt(name: &str) -> Option<String> {
    if let Some(meant) = meant_by(name) {
        return Some(format!("is {meant} meant?"));
    }
    if let Ok(purpose) = name.to_ascii_lowercase().parse::<Purpose>() {
        return Some(format!("it is a purpose: `purpose:{}` names its crawlers", purpose.name()));
    }
    Some(match whom(name, &KNOWN)? {
        Whom::All => "`*` stands for all crawlers".to_owned(),
        Whom::Crawlers(names) => match names.as_slice() {
            [name] => format!("is {name} meant?"),
            names => format!("its crawlers are {}", listed(names)),
        },
        Whom::Kind(names) => format!("no crawler is called so: crawlers of this kind are {}", listed(&names)),
    })
}

/// Reports whether a `User-agent` line has a name as its whole value, whatever the case.
#[must_use]
pub fn is_named(robots: &RobotsTxt<'_>, name: &str) -> bool {
    let is_name = |agent: &AgentLine| agent.value.of(robots.body()).eq_ignore_ascii_case(name.as_bytes());
    robots.agents().iter().any(is_name)
}
