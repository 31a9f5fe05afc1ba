//! A site as JSON.

use serde_json::{Map, Value};

use super::{Cell, Census, ChosenBy, Site};
use crate::shown;

impl Site {
    /// Returns what is known of the site whatever the agent.
    fn start(&self) -> Map<String, Value> {
        let mut object = Map::new();
        let sitemaps = self.sitemaps.iter().map(|url| shown::bytes(url)).collect::<Vec<String>>();
        let findings = self.findings.iter().map(|(code, count)| ((*code).to_owned(), (*count).into()));
        for (name, value) in [
            ("type", "site".into()),
            ("site", self.name.as_str().into()),
            ("class", self.class.name().into()),
            ("outcome", self.outcome.as_str().into()),
            ("status", self.status.into()),
            ("body_kind", self.body_kind.map(|kind| kind.name()).into()),
            ("bytes", self.bytes.into()),
            ("hash", format!("{:032x}", self.hash).into()),
            ("groups", self.groups.into()),
            ("rules", self.rules.into()),
            ("sitemaps", sitemaps.into()),
            ("findings", Value::Object(findings.collect())),
        ] {
            object.insert(name.to_owned(), value);
        }
        object
    }

    /// Returns the site as JSON, with a cell for agents that it says the same to.
    #[must_use]
    pub fn json(&self, census: &Census) -> Map<String, Value> {
        let mut object = self.start();
        let names = |cell: &Cell| cell.agents.iter().map(|agent| census.agents()[*agent].name.as_str()).collect();
        let cells = self.cells.iter().map(|cell| {
            let names: Vec<&str> = names(cell);
            let mut object = Map::from_iter([("agents".to_owned(), names.into())]);
            object.extend(cell.json());
            Value::Object(object)
        });
        object.insert("cells".to_owned(), cells.collect());
        object
    }

    /// Returns what the site says to one agent as JSON.
    #[must_use]
    pub fn json_of(&self, census: &Census, agent: usize) -> Map<String, Value> {
        let mut object = self.start();
        object.insert("agent".to_owned(), census.agents()[agent].name.as_str().into());
        object.extend(self.of(agent).json());
        object
    }
}

impl Cell {
    /// Returns what is said as JSON, without the agents.
    fn json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        let fallback = match &self.chosen_by {
            ChosenBy::Fallback(name) => Some(name.as_str()),
            _ => None,
        };
        object.insert("access".to_owned(), self.access.name().into());
        for (name, path) in [("open_path", &self.open_path), ("closed_path", &self.closed_path)] {
            object.insert(name.to_owned(), path.as_ref().map(|path| shown::bytes(path)).into());
        }
        for (name, value) in [
            ("chosen_by", self.chosen_by.name().into()),
            ("fallback", fallback.into()),
            ("line", self.line.into()),
            ("rules_obeyed", self.rules.into()),
            ("crawl_delay", self.crawl_delay.into()),
        ] {
            object.insert(name.to_owned(), value);
        }
        if let Value::Object(stated) = self.stated.json() {
            object.extend(stated);
        }
        object
    }
}
