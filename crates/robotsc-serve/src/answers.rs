//! Verdicts as JSON: one object for each URL and agent.
//!
//! Millions of answers differ in their URL and path alone. So an answer is written once as an object, and kept as a
//! [`Template`] for the next URL that the same rule decides.

use std::collections::HashMap;
use std::sync::Arc;

use robotsc::origin::Origin;
use robotsc::pack::PackPolicy;
use robotsc::{Dialect, Rule};
use robotsc_answers::check::{self, DecidingRule};
use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::shown;
use robotsc_answers::url_path::{UrlReader, is_path};
use serde_json::{Map, Value};

use crate::files::{AgentRules, File};

/// The maximum number of templates of a request.
const MAX_TEMPLATES: usize = 4096;
/// The maximum size of a template.
const MAX_TEMPLATE_BYTES: usize = 2048;

/// A file and the agents that are asked for.
#[derive(Debug)]
pub(crate) struct Subject {
    dialect: &'static Dialect,
    file: Arc<File>,
    agents: Vec<(String, Arc<AgentRules>)>,
    /// By the number of the agent and the index of the rule that decides.
    templates: HashMap<(usize, Option<usize>), Template>,
}

/// An answer without its URL and its path.
#[derive(Debug)]
struct Template {
    before_url: Box<[u8]>,
    before_path: Box<[u8]>,
    after_path: Box<[u8]>,
}

/// What stands for a URL and a path when a template is made. No agent has such a name.
const BLANK: &str = "\0";
/// The same in JSON.
const BLANK_JSON: &[u8] = br#""\u0000""#;

impl Template {
    /// Cuts the JSON of an answer whose URL and path are [`BLANK`].
    fn cut(json: &[u8]) -> Option<Self> {
        let url = memchr::memmem::find(json, BLANK_JSON)?;
        let after_url = url + BLANK_JSON.len();
        let path = after_url + memchr::memmem::find(&json[after_url..], BLANK_JSON)?;
        Some(Self {
            before_url: json[..url].into(),
            before_path: json[after_url..path].into(),
            after_path: json[path + BLANK_JSON.len()..].into(),
        })
    }

    fn write(&self, url: &str, path: &str, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.before_url);
        write_json(&url, out);
        out.extend_from_slice(&self.before_path);
        write_json(&path, out);
        out.extend_from_slice(&self.after_path);
    }
}

fn write_json(value: &impl serde::Serialize, out: &mut Vec<u8>) {
    // Writing to memory does not fail.
    let _ = serde_json::to_writer(out, value);
}

impl Subject {
    pub(crate) fn new(file: Arc<File>, dialect: &'static Dialect, agents: &[ChosenAgent]) -> Self {
        let agents = agents.iter().map(|agent| (agent.name.clone(), file.rules(agent))).collect();
        Self { dialect, file, agents, templates: HashMap::new() }
    }

    /// Returns the number of agents.
    pub(crate) fn agents(&self) -> usize {
        self.agents.len()
    }

    /// Writes the answers for a URL, each with `after` after it: those of the agents from the number `first`, at least
    /// one and as long as `goes_on` with what is written. Returns the number of the next agent, or `None` after the
    /// last.
    pub(crate) fn write(
        &mut self,
        url: &[u8],
        first: usize,
        out: &mut Vec<u8>,
        after: &[u8],
        goes_on: impl Fn(&[u8]) -> bool,
    ) -> Option<usize> {
        let path = UrlReader { dialect: self.dialect, raw: false }.path(url);
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
                Err(error) => write_json(&mistake(url, name, &error), out),
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
        let blank = (BLANK.as_bytes(), BLANK.as_bytes());
        let json = Value::Object(self.answer(blank, name, rules, rule)).to_string();
        match Template::cut(json.as_bytes()) {
            Some(template) => {
                template.write(url, path, out);
                if self.templates.len() < MAX_TEMPLATES && json.len() <= MAX_TEMPLATE_BYTES {
                    self.templates.insert((agent, rule), template);
                }
            }
            None => write_json(&self.answer((url.as_bytes(), path.as_bytes()), name, rules, rule), out),
        }
    }

    fn answer(&self, url: (&[u8], &[u8]), agent: &str, rules: &AgentRules, rule: Option<usize>) -> Map<String, Value> {
        let all = rules.decider.rules();
        let rule: Option<&Rule> = rule.and_then(|index| all.rules().get(index));
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
pub(crate) fn mistake(url: &[u8], agent: &str, error: &str) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("type".to_owned(), "error".into());
    shown::put(&mut object, "url", url);
    object.insert("agent".to_owned(), agent.into());
    object.insert("error".to_owned(), error.into());
    object
}

/// Writes the answers of an origin of a pack for a URL, each with `after` after it, as long as `goes_on` with what is
/// written. A URL of another origin is a
/// mistake: other rules count there.
pub(crate) fn write_of_pack(
    origin: &Origin,
    policies: &[(&str, PackPolicy<'_>)],
    reader: UrlReader<'_>,
    url: &[u8],
    out: &mut Vec<u8>,
    after: &[u8],
    goes_on: impl Fn(&[u8]) -> bool,
) {
    let is_other = !is_path(url) && Origin::of_url(url).is_ok_and(|own| own != *origin);
    let path = match is_other {
        true => Err(format!("it is of another origin than {origin}")),
        false => reader.path(url),
    };
    for (agent, policy) in policies {
        if !goes_on(out) {
            return;
        }
        let object = path.as_ref().map_err(Clone::clone).and_then(|path| {
            let path = path.as_path();
            let (verdict, winner) = policy.decide(path).ok_or("what the pack holds is too old: fetch it again")?;
            let rule = winner.map(|winner| DecidingRule {
                line: winner.line,
                length: shown::length(winner.length),
                pattern: None,
            });
            let mut object = check::json(&verdict.to_string(), (url, path.as_bytes()), Some(agent), rule);
            let reason = match policy {
                PackPolicy::AllowAll => Some("there is no robots.txt: everything is allowed"),
                PackPolicy::DisallowAll => Some("the robots.txt could not be fetched: nothing is allowed"),
                _ if winner.is_none() => Some("the compiled rules decide; the pack holds no lines"),
                _ => None,
            };
            object.extend(reason.map(|reason| ("reason".to_owned(), reason.into())));
            Ok(object)
        });
        write_json(&object.unwrap_or_else(|error: String| mistake(url, agent, &error)), out);
        out.extend_from_slice(after);
    }
}
