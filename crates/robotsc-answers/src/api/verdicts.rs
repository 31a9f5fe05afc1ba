//! Verdicts as JSON: one object for each URL and agent. It is written by the template of the rule that decides.

use std::collections::HashMap;
use std::sync::Arc;

use crate::check::{self, AnswerRule};
use crate::chosen_agent::ChosenAgent;
use crate::shown;
use crate::url_path::UrlReader;
use robotsc::Dialect;
use robotsc::origin::Origin;
use robotsc::rules::Rule;
use serde_json::{Map, Value};

use super::file::{AgentRules, File, SharedRules};
use super::template::{BLANK, Template, write_json};

/// The maximum number of templates of a request.
const MAX_TEMPLATES: usize = 4096;

/// A file and the agents that are asked for.
#[derive(Debug)]
pub struct Verdicts {
    dialect: &'static Dialect,
    /// The site that the file is of, if it is known.
    site: Option<Origin>,
    file: Arc<File>,
    agents: Vec<(String, Arc<AgentRules>)>,
    /// By the number of the agent and the index of the rule that decides.
    templates: HashMap<(usize, Option<usize>), Arc<Template>>,
}

impl Verdicts {
    /// Creates the answers of some agents.
    #[must_use]
    pub fn new(file: Arc<File>, dialect: &'static Dialect, agents: &[ChosenAgent], site: Option<Origin>) -> Self {
        let mut shared = SharedRules::new();
        let agents = agents.iter().map(|agent| (agent.name.clone(), file.rules(agent, &mut shared))).collect();
        Self { dialect, site, file, agents, templates: HashMap::new() }
    }

    /// Writes the answers for a URL, each with `after` after it: those of the agents from the number `first`, at least
    /// one and as long as `goes_on` with what is written. Returns the number of the next agent, or `None` after the
    /// last.
    pub fn write(
        &mut self,
        url: &[u8],
        first: usize,
        out: &mut Vec<u8>,
        after: &[u8],
        goes_on: impl Fn(&[u8]) -> bool,
    ) -> Option<usize> {
        let path = UrlReader { site: self.site.as_ref(), ..UrlReader::new(self.dialect) }.path(url);
        for number in first..self.agents.len() {
            if number > first && !goes_on(out) {
                return Some(number);
            }
            let (name, rules) = &self.agents[number];
            let answered = path.as_ref().map_err(Clone::clone).and_then(|path| {
                let path = path.as_path();
                let rule = rules.decider.index(path).map_err(|error| error.to_string())?;
                Ok((path.as_bytes(), rule))
            });
            match answered {
                Ok((path, rule)) => match (str::from_utf8(url), str::from_utf8(path)) {
                    (Ok(url), Ok(path)) => self.write_text(number, rule, (url, path), out),
                    _ => write_json(&self.answer((url, path), name, rules, rule), out),
                },
                Err(error) => write_json(&check::error(url, Some(name), &error), out),
            }
            out.extend_from_slice(after);
        }
        None
    }

    /// Writes the answer for a URL that is text, as nearly all are.
    fn write_text(&mut self, agent: usize, rule: Option<usize>, (url, path): (&str, &str), out: &mut Vec<u8>) {
        if let Some(template) = self.templates.get(&(agent, rule)) {
            return template.write(url, path, out);
        }
        let (name, rules) = &self.agents[agent];
        let template = self.file.template(rules, name, rule, || {
            Template::cut(
                &Value::Object(self.answer((BLANK.as_bytes(), BLANK.as_bytes()), name, rules, rule)).to_string(),
            )
        });
        let Some(template) = template else {
            return write_json(&self.answer((url.as_bytes(), path.as_bytes()), name, rules, rule), out);
        };
        template.write(url, path, out);
        if self.templates.len() < MAX_TEMPLATES {
            self.templates.insert((agent, rule), template);
        }
    }

    fn answer(&self, url: (&[u8], &[u8]), agent: &str, rules: &AgentRules, rule: Option<usize>) -> Map<String, Value> {
        let all = rules.decider.rules();
        let rule: Option<&Rule> = rule.and_then(|index| all.rules().get(index));
        let deciding = rule.map(|rule| AnswerRule {
            line: rule.line,
            length: shown::length(rule.length),
            pattern: Some(all.pattern(rule)),
        });
        let verdict = if rule.is_none_or(|rule| rule.verdict.is_allow()) { "allowed" } else { "disallowed" };
        let mut object = check::json(verdict, url, Some(agent), deciding, rules.note.as_deref());
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
