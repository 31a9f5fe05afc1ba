//! Agents that a person chooses, by name or by purpose.

use robotsc::Crawler;
use robotsc::bundled::{self, Obedience, Purpose};

use crate::args::token_alone;
use crate::failure::Failure;
use crate::identity::{OTHERS, agent_name};

/// An agent that was chosen.
#[derive(Clone, Debug)]
pub(crate) struct ChosenAgent {
    pub(crate) name: String,
    pub(crate) crawler: Crawler,
    /// What else is known of it.
    pub(crate) note: Option<String>,
}

impl ChosenAgent {
    /// Returns the agents of a list, each once: product tokens, `*` for agents that no group names, and
    /// `purpose:PURPOSE` for the known agents with a purpose. `place` is the place of the list, for errors.
    ///
    /// # Errors
    /// If one is neither a name nor a purpose.
    pub(crate) fn all(given: &[String], place: &str) -> Result<Vec<Self>, Failure> {
        let mut agents: Vec<Self> = Vec::new();
        let mut add = |agent: Self| {
            if !agents.iter().any(|known| known.name.eq_ignore_ascii_case(&agent.name)) {
                agents.push(agent);
            }
        };
        for text in given {
            match text.strip_prefix("purpose:") {
                Some(purpose) => {
                    let wanted: Purpose = purpose.parse().map_err(|error| {
                        Failure::new(format_args!("bad purpose: {place}: {}: {error}", crate::shown::line(text)))
                    })?;
                    let known = bundled::agents().iter();
                    let known = known.filter(|agent| !agent.retired && agent.purposes.contains(&wanted));
                    for agent in known {
                        add(Self::named(agent.token)?);
                    }
                }
                None => {
                    let name = token_alone(text)
                        .map_err(|error| Failure::new(format_args!("bad agent: {place}: '{text}': {error}")))?;
                    add(Self::named(&name)?);
                }
            }
        }
        Ok(agents)
    }

    fn named(name: &str) -> Result<Self, Failure> {
        if name == OTHERS {
            return Ok(Self { name: name.to_owned(), crawler: Crawler::others(), note: None });
        }
        let Some(known) = bundled::agent(name) else {
            return Ok(Self { name: name.to_owned(), crawler: Crawler::from(agent_name(name)?), note: None });
        };
        let note = match known.robots {
            _ if known.retired => Some("no crawler has this name any more".to_owned()),
            _ if known.control => Some("controls the use of what another crawler fetched".to_owned()),
            Obedience::ObeyedByName => Some("obeys only groups that name it, says its operator".to_owned()),
            Obedience::MayBeIgnored => Some("can ignore robots.txt, says its operator".to_owned()),
            Obedience::Ignored => Some("ignores robots.txt, says its operator".to_owned()),
            _ if !known.fallback.is_empty() => Some(format!("falls back on {}", known.fallback.join(", "))),
            _ => None,
        };
        Ok(Self { name: known.token.to_owned(), crawler: known.crawler(), note })
    }
}
