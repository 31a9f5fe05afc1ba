//! Columns that are added to the lines: verdicts, and what is known besides.
//!
//! A table gets columns at its end, JSON an object under the key [`KEY`], and a line that is a URL becomes a row
//! between tabs.

use std::io::Write as _;

use memchr::memmem;
use robotsc::pack::UseRefusal;
use robotsc_answers::{check, shown};
use serde_json::{Map, Value};

use super::answer::{Answer, Class};
use super::args::WithArg;
use super::policies::AgentAnswers;
use crate::lists::csv;
use crate::lists::json;
use crate::lists::layout::{Layout, cdxj_json, without_end};

/// The key of what is added to JSON.
pub(crate) const KEY: &str = "robotsc";

/// What is added to each line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// The names of the agents; none if one verdict is added.
    pub(crate) agents: Vec<String>,
    /// The name of the agent, if there is one.
    pub(crate) agent: Option<String>,
    pub(crate) with: Vec<WithArg>,
}

impl Columns {
    /// Returns the names of the columns that a table gets.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut each = |verdict: &str, prefix: &str| {
            names.push(verdict.to_owned());
            let with = [WithArg::Line, WithArg::Delay].into_iter().filter(|with| self.with.contains(with));
            names.extend(with.map(|with| format!("{prefix}{}", with.name())));
        };
        if self.agents.is_empty() {
            each("verdict", "");
        }
        for agent in &self.agents {
            each(agent, &format!("{agent} "));
        }
        if self.with.contains(&WithArg::Reason) {
            names.push(WithArg::Reason.name().to_owned());
        }
        names
    }

    /// Writes the header of a table.
    pub(crate) fn header(&self, out: &mut Vec<u8>, line: &[u8], layout: Layout) {
        let separator = separator(layout);
        out.extend_from_slice(without_end(line));
        for name in self.names() {
            out.push(separator);
            match layout {
                Layout::Csv { .. } => csv::push_field(out, name.as_bytes(), separator),
                _ => out.extend_from_slice(&shown::column(name.as_bytes())),
            }
        }
        out.extend_from_slice(end(line));
    }

    /// Writes a line with what is added. Not written is a line to which nothing can be added: JSON without a URL, and
    /// a record of a table with fewer or more fields than the first, whose own text would be below the names of
    /// verdicts.
    pub(crate) fn line(&self, out: &mut Vec<u8>, line: &[u8], layout: Layout, answer: &Answer, each: &AgentAnswers) {
        let one = std::slice::from_ref(answer);
        let answers = if self.agents.is_empty() { one } else { &each.answers };
        let content = without_end(line);
        match layout {
            Layout::Json(_) | Layout::Cdxj if answer.class == Class::Error => return,
            Layout::Json(_) | Layout::Cdxj => self.push_json(out, content, answers, each),
            Layout::Line => {
                out.extend_from_slice(&shown::column(content));
                self.push_fields(out, b'\t', answers, each);
            }
            Layout::Tsv { .. } | Layout::Csv { .. } if layout.misfit(content).is_some() => return,
            Layout::Tsv { .. } | Layout::Csv { .. } => {
                out.extend_from_slice(content);
                self.push_fields(out, separator(layout), answers, each);
            }
        }
        out.extend_from_slice(end(line));
    }

    fn push_fields(&self, out: &mut Vec<u8>, separator: u8, answers: &[Answer], each: &AgentAnswers) {
        for (number, answer) in answers.iter().enumerate() {
            out.push(separator);
            out.extend_from_slice(answer.class.word().as_bytes());
            if self.with.contains(&WithArg::Line) {
                out.push(separator);
                if let Some(line) = line_of(answer) {
                    let _ = write!(out, "{line}");
                }
            }
            if self.with.contains(&WithArg::Delay) {
                out.push(separator);
                if let Some(delay) = self.delay(number, each) {
                    let _ = write!(out, "{delay}");
                }
            }
        }
        if self.with.contains(&WithArg::Reason) {
            out.push(separator);
            out.extend_from_slice(reason(answers, each).unwrap_or_default().as_bytes());
        }
    }

    /// Writes an object with one more key. It holds a URL, so it is not empty.
    fn push_json(&self, out: &mut Vec<u8>, content: &[u8], answers: &[Answer], each: &AgentAnswers) {
        let open = content.trim_ascii_end();
        out.extend_from_slice(open.strip_suffix(b"}").unwrap_or(open));
        out.extend_from_slice(b",\"");
        out.extend_from_slice(KEY.as_bytes());
        out.extend_from_slice(b"\":");
        // Writing to memory does not fail.
        let _ = serde_json::to_writer(&mut *out, &self.json(answers, each));
        out.push(b'}');
    }

    fn json(&self, answers: &[Answer], each: &AgentAnswers) -> Value {
        let mut added = Map::new();
        let mut put = |one: &str, several: &str, value: &dyn Fn(usize, &Answer) -> Value| {
            if let ([answer], true) = (answers, self.agents.is_empty()) {
                added.insert(one.to_owned(), value(0, answer));
                return;
            }
            let each = self.agents.iter().zip(answers).enumerate();
            let each = each.map(|(number, (agent, answer))| (agent.clone(), value(number, answer)));
            added.insert(several.to_owned(), Value::Object(each.collect()));
        };
        put("verdict", "verdicts", &|_, answer| answer.class.word().into());
        if self.with.contains(&WithArg::Line) {
            put("line", "lines", &|_, answer| line_of(answer).into());
        }
        if self.with.contains(&WithArg::Delay) {
            put("delay", "delays", &|number, _| self.delay(number, each).into());
        }
        if self.with.contains(&WithArg::Reason) {
            added.insert(WithArg::Reason.name().to_owned(), reason(answers, each).into());
        }
        Value::Object(added)
    }

    /// Returns the crawl delay of an agent in seconds: of one verdict for several agents the longest.
    fn delay(&self, number: usize, each: &AgentAnswers) -> Option<f64> {
        let delay = match self.agents.is_empty() {
            true => each.delays.iter().copied().max().flatten(),
            false => each.delays.get(number).copied().flatten(),
        };
        delay.map(|delay| delay.as_secs_f64())
    }
}

/// Returns the line of the rule that decided, if one is known.
fn line_of(answer: &Answer) -> Option<u32> {
    answer.deciding_rule.and_then(|rule| check::deciding_line(rule.line))
}

/// Returns why the answers are unknown, if one is, or else why the use is refused.
fn reason(answers: &[Answer], each: &AgentAnswers) -> Option<&'static str> {
    let unknown = each.unknown.filter(|_| answers.iter().any(|answer| answer.class == Class::Unknown));
    unknown.or_else(|| answers.iter().find_map(|answer| answer.refusal).map(UseRefusal::name))
}

/// Returns the reason for a line of JSON to which nothing can be added.
pub(crate) fn taken_key(layout: Layout, line: &[u8]) -> Option<String> {
    let json = match layout {
        Layout::Json(_) => line,
        Layout::Cdxj => cdxj_json(line),
        _ => return None,
    };
    // The key could be written with escapes.
    if memmem::find(json, KEY.as_bytes()).is_none() && memmem::find(json, b"\\u").is_none() {
        return None;
    }
    json::has_key(json, KEY).then(|| format!("it has a key '{KEY}' already, where the verdicts would go: rename it"))
}

/// Returns what ends a line: a line feed if it has no end.
fn end(line: &[u8]) -> &[u8] {
    match &line[without_end(line).len()..] {
        [] => b"\n",
        end => end,
    }
}

fn separator(layout: Layout) -> u8 {
    layout.quoting().unwrap_or(b'\t')
}
