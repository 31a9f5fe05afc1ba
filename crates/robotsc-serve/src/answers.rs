//! Verdicts as JSON: one object for each URL and agent.

use std::sync::Arc;

use robotsc::{Dialect, Rule};
use robotsc_answers::check::{self, DecidingRule};
use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::shown;
use robotsc_answers::url_path::UrlReader;
use serde_json::{Map, Value};

use crate::files::{AgentRules, File};

/// A file and the agents that are asked for.
#[derive(Debug)]
pub(crate) struct Subject {
    dialect: &'static Dialect,
    file: Arc<File>,
    agents: Vec<(String, Arc<AgentRules>)>,
}

impl Subject {
    pub(crate) fn new(file: Arc<File>, dialect: &'static Dialect, agents: &[ChosenAgent]) -> Self {
        let agents = agents.iter().map(|agent| (agent.name.clone(), file.rules(agent))).collect();
        Self { dialect, file, agents }
    }

    /// Returns the number of agents.
    pub(crate) fn agents(&self) -> usize {
        self.agents.len()
    }

    /// Writes the answers for a URL, each after the text `before`, but not before the first of all.
    pub(crate) fn write(&self, url: &[u8], out: &mut Vec<u8>, before: &[u8]) {
        let path = UrlReader { dialect: self.dialect, raw: false }.path(url);
        for (name, rules) in &self.agents {
            if !out.is_empty() {
                out.extend_from_slice(before);
            }
            let answer = path.as_ref().map_err(Clone::clone).and_then(|path| {
                let rule = rules.decider.rule(path.as_path()).map_err(|error| error.to_string())?;
                Ok(self.answer((url, path.as_path().as_bytes()), name, rules, rule))
            });
            let answer = answer.unwrap_or_else(|error| mistake(url, name, &error));
            // Writing to memory does not fail.
            let _ = serde_json::to_writer(&mut *out, &answer);
        }
    }

    fn answer(&self, url: (&[u8], &[u8]), agent: &str, rules: &AgentRules, rule: Option<&Rule>) -> Map<String, Value> {
        let all = rules.decider.rules();
        let deciding = rule.map(|rule| DecidingRule {
            line: rule.line,
            length: shown::length(rule.length),
            pattern: Some(all.pattern(rule)),
        });
        let verdict = if rule.is_none_or(|rule| rule.verdict.is_allow()) { "allowed" } else { "disallowed" };
        let mut object = check::json(verdict, url, Some(agent), deciding);
        match rule {
            Some(rule) if rule.line > 0 => {
                let source = rule.source.of(self.file.robots.body());
                let mut text = format!("{}: ", rule.kind.as_str()).into_bytes();
                text.extend_from_slice(source);
                shown::put(&mut object, "rule", text.trim_ascii_end());
                object.insert("start".to_owned(), rule.source.start.into());
                object.insert("end".to_owned(), rule.source.end.into());
            }
            Some(_) => {
                object.insert("reason".to_owned(), "the dialect itself decides".into());
            }
            None => {
                object.insert("reason".to_owned(), rules.reason.into());
            }
        }
        object.insert("agent_lines".to_owned(), rules.agent_lines.as_slice().into());
        object
    }
}

/// Returns the answer for a URL that cannot be read.
fn mistake(url: &[u8], agent: &str, error: &str) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("type".to_owned(), "error".into());
    shown::put(&mut object, "url", url);
    object.insert("agent".to_owned(), agent.into());
    object.insert("error".to_owned(), error.into());
    object
}
