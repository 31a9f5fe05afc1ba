//! Agents that a person chooses, by name, by purpose or by operator.

use robotsc::bundled::{self, DocumentedCrawler, KnownAgent, Purpose};
use robotsc::{Crawler, RobotsTxt};
use robotsc_analysis::near_name::is_near;

use crate::identity::{OTHERS, agent_name};
use crate::known_agent::{doubt, is_named};
use crate::mistake::Mistake;
use crate::{shown, token};

/// An agent that was chosen.
#[derive(Clone, Debug)]
pub struct ChosenAgent {
    /// Its name, as its operator writes it if it is known.
    pub name: String,
    /// How it finds its groups.
    pub crawler: Crawler,
    /// What its operator documents, or which known crawler was meant.
    pub note: Option<String>,
    /// As its operator documents it, if that counts.
    documented: Option<DocumentedCrawler>,
}

impl ChosenAgent {
    /// Returns the agents that one text stands for: a product token, `*` for agents that no group names, or
    /// `purpose:PURPOSE` and `operator:NAME` for known agents. Known agents obey what their operators document, unless
    /// they are taken `as_written`.
    ///
    /// # Errors
    /// If it is no name, and no purpose or operator of the register.
    pub fn of(text: &str, as_written: bool) -> Result<Vec<Self>, Mistake> {
        if let Some(operator) = text.strip_prefix("operator:") {
            return Self::of_operator(operator, as_written);
        }
        let Some(purpose) = text.strip_prefix("purpose:") else {
            let name = token::alone(text)
                .map_err(|error| Mistake::new("bad agent", format_args!("'{}': {error}", shown::line(text))))?;
            return Ok(vec![Self::named(&name, as_written)?]);
        };
        let wanted: Purpose = purpose
            .parse()
            .map_err(|error| Mistake::new("bad purpose", format_args!("{}: {error}", shown::line(text))))?;
        let known = bundled::agents().iter();
        let known = known.filter(|agent| !agent.retired && agent.purposes.contains(&wanted));
        known.map(|agent| Self::named(agent.token, as_written)).collect()
    }

    fn of_operator(operator: &str, as_written: bool) -> Result<Vec<Self>, Mistake> {
        let is_its = |known: &&KnownAgent| !known.retired && known.operator.eq_ignore_ascii_case(operator);
        let agents = bundled::agents().iter().filter(is_its).map(|known| Self::named(known.token, as_written));
        let agents = agents.collect::<Result<Vec<Self>, Mistake>>()?;
        if agents.is_empty() {
            let shown = shown::line(operator);
            let near = bundled::agents().iter().find(|known| is_near(known.operator, operator));
            let way_out = near.map_or_else(
                || "'robotsc agents' lists them".to_owned(),
                |known| format!("is 'operator:{}' meant?", known.operator),
            );
            return Err(Mistake::new(
                "bad operator",
                format_args!("'{shown}': no known crawler is of that company: {way_out}"),
            ));
        }
        Ok(agents)
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
    pub fn all(given: &[String], as_written: bool) -> Result<Vec<Self>, (usize, Mistake)> {
        let mut agents: Vec<Self> = Vec::new();
        for (number, text) in given.iter().enumerate() {
            Self::add(&mut agents, Self::of(text, as_written).map_err(|mistake| (number, mistake))?);
        }
        Ok(agents)
    }

    /// Returns the clause of the register that bears on the answers of a file, if one does: see
    /// [`DocumentedCrawler::clause_for`]. That a name is like that of a known crawler is noted unless a group has it.
    #[must_use]
    pub fn note_for(&self, robots: &RobotsTxt<'_>) -> Option<String> {
        let documented = self.documented.as_ref()?;
        if documented.known().is_some() {
            return documented.clause_for(robots);
        }
        self.note.clone().filter(|_| !is_named(robots, &self.name))
    }

    /// Returns the agent with the note that bears on a file: see [`note_for`](Self::note_for).
    #[must_use]
    pub fn for_file(self, robots: &RobotsTxt<'_>) -> Self {
        Self { note: self.note_for(robots), ..self }
    }

    fn named(name: &str, as_written: bool) -> Result<Self, Mistake> {
        if name == OTHERS {
            return Ok(Self { name: name.to_owned(), crawler: Crawler::others(), note: None, documented: None });
        }
        let checked = agent_name(name)?;
        if as_written {
            let crawler = Crawler::from(checked);
            return Ok(Self { name: name.to_owned(), crawler, note: None, documented: None });
        }
        let documented = bundled::crawler(name).map_err(|error| Mistake::new("bad agent", error))?;
        let (name, note) = match documented.known() {
            Some(known) => (known.token, known.clause()),
            None => (name, doubt(name).map(|doubt| format!("no known crawler: {doubt}"))),
        };
        Ok(Self { name: name.to_owned(), note, crawler: (&documented).into(), documented: Some(documented) })
    }
}
