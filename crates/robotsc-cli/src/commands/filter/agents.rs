//! The agents that are answered for: names and groups of the command line, or of lines, as a pack knows them.

use robotsc::pack::{Pack, PackAgent, PackAgents, WantedUse};
use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::identity::Identity;
use robotsc_answers::mistake::Mistake;
use robotsc_answers::{pack_entry, shown};

use crate::command_line::crawlers;
use crate::failure::Failure;

/// How names become agents of a pack.
#[derive(Clone, Debug)]
pub(crate) struct Chooser {
    /// The pack, for messages.
    pub(crate) pack_name: String,
    /// Whether names are taken without what the register says of them.
    pub(crate) as_written: bool,
    /// What pages are wanted for.
    pub(crate) wanted: Option<WantedUse>,
}

impl Chooser {
    /// Returns the agents of a command line, each once, with their names.
    ///
    /// # Errors
    /// If a text is neither a name nor a group of known crawlers, or the pack was not built for one of them.
    pub(crate) fn all(&self, pack: &Pack, given: &[String]) -> Result<Vec<(String, PackAgent)>, Failure> {
        let chosen = ChosenAgent::all(given, self.as_written)
            .map_err(|(_, Mistake { what, cause })| Failure::new(format_args!("{what}: --agent: {cause}")))?;
        // A pack for some agents refuses all others.
        if matches!(pack.agents(), PackAgents::All) {
            crawlers::warn_of_near(chosen.iter().map(|chosen| chosen.name.as_str()));
        }
        chosen
            .into_iter()
            .map(|chosen| {
                let agent = self.of_pack(pack, &chosen)?;
                Ok((chosen.name, agent))
            })
            .collect()
    }

    /// Returns the agent that a line names.
    ///
    /// # Errors
    /// If it is no name of one agent, or the pack was not built for it.
    pub(crate) fn one(&self, pack: &Pack, name: &str) -> Result<PackAgent, String> {
        let text = |Mistake { what, cause }| format!("{what}: {cause}");
        let chosen = ChosenAgent::of(name, self.as_written).map_err(text)?;
        match &*chosen {
            [chosen] if !name.contains(':') => self.of_pack(pack, chosen).map_err(text),
            _ => Err(format!("bad agent: '{}': name one agent in a line", shown::cut(name.as_bytes(), 80))),
        }
    }

    fn of_pack(&self, pack: &Pack, chosen: &ChosenAgent) -> Result<PackAgent, Mistake> {
        let agent = pack_entry::agent(pack, &self.pack_name, &Identity::token(&chosen.name, self.as_written))?;
        let Some(wanted) = self.wanted else { return Ok(agent) };
        let name = &self.pack_name;
        let none = || Mistake::new("no preferences", format_args!("--for: {name} holds none"));
        pack.for_use(agent, wanted).ok_or_else(none)
    }
}
