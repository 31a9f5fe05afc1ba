//! Agents that a person chooses, by name or by purpose.

use robotsc::Crawler;
use robotsc::bundled::{self, Obedience, Purpose};

use crate::identity::{OTHERS, agent_name};
use crate::known_agent::meant_by;
use crate::mistake::Mistake;
use crate::{shown, token};

/// An agent that was chosen.
#[derive(Clone, Debug)]
pub struct ChosenAgent {
    /// Its name, as its operator writes it if it is known.
    pub name: String,
    /// How it finds its groups.
    pub crawler: Crawler,
    /// What else is known of it.
    pub note: Option<String>,
}

impl ChosenAgent {
    /// Returns the agents that one text stands for: a product token, `*` for agents that no group names, or
    /// `purpose:PURPOSE` for the known agents with a purpose.
    ///
    /// # Errors
    /// If it is neither a name nor a purpose.
    pub fn of(text: &str) -> Result<Vec<Self>, Mistake> {
        let Some(purpose) = text.strip_prefix("purpose:") else {
            let name = token::alone(text)
                .map_err(|error| Mistake::new("bad agent", format_args!("'{}': {error}", shown::line(text))))?;
            return Ok(vec![Self::named(&name)?]);
        };
        let wanted: Purpose = purpose
            .parse()
            .map_err(|error| Mistake::new("bad purpose", format_args!("{}: {error}", shown::line(text))))?;
        let known = bundled::agents().iter();
        let known = known.filter(|agent| !agent.retired && agent.purposes.contains(&wanted));
        known.map(|agent| Self::named(agent.token)).collect()
    }

    /// Adds agents that are not in a list already.
    pub fn add(list: &mut Vec<Self>, agents: impl IntoIterator<Item = Self>) {
        for agent in agents {
            if !list.iter().any(|known| known.name.eq_ignore_ascii_case(&agent.name)) {
                list.push(agent);
            }
        }
    }

    /// Returns the agents of a list of texts, each once.
    ///
    /// # Errors
    /// The number of the first text that is neither a name nor a purpose, from 0, and what is wrong with it.
    pub fn all(given: &[String]) -> Result<Vec<Self>, (usize, Mistake)> {
        let mut agents: Vec<Self> = Vec::new();
        for (number, text) in given.iter().enumerate() {
            Self::add(&mut agents, Self::of(text).map_err(|mistake| (number, mistake))?);
        }
        Ok(agents)
    }

    fn named(name: &str) -> Result<Self, Mistake> {
        if name == OTHERS {
            return Ok(Self { name: name.to_owned(), crawler: Crawler::others(), note: None });
        }
        let Some(known) = bundled::agent(name) else {
            let note = meant_by(name).map(|meant| format!("no known crawler: is {meant} meant?"));
            return Ok(Self { name: name.to_owned(), crawler: Crawler::from(agent_name(name)?), note });
        };
        let note = match known.robots {
            _ if known.retired => Some("no crawler has this name any more".to_owned()),
            _ if known.control => Some("controls the use of what another crawler fetched".to_owned()),
            Obedience::ObeyedByName => Some("obeys only groups that name it, says its operator".to_owned()),
            Obedience::MayBeIgnored => Some("can ignore robots.txt, says its operator".to_owned()),
            Obedience::Ignored => Some("ignores robots.txt, says its operator".to_owned()),
            Obedience::Disobeyed => Some("does not obey robots.txt, say others".to_owned()),
            _ if !known.fallback.is_empty() => Some(format!("falls back on {}", known.fallback.join(", "))),
            _ => None,
        };
        Ok(Self { name: known.token.to_owned(), crawler: known.crawler(), note })
    }
}
