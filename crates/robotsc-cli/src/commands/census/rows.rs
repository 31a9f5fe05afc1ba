//! Rows of a census: CSV and JSON Lines.

use std::io::{self, Write};

use robotsc_analysis::preferences::Preference;
use robotsc_answers::census::{Cell, Census, ChosenBy, Site};
use robotsc_answers::shown;
use serde_json::{Value, json};

use super::args::RowsArg;
use super::changes::Change;
use super::served::Answer;
use crate::failure::Failure;
use crate::io::output;
use crate::lists::csv;

/// Writes rows.
pub(super) struct Rows<'c> {
    pub(super) census: &'c Census,
    pub(super) rows: RowsArg,
    pub(super) is_json: bool,
    pub(super) has_findings: bool,
    /// Whether rows about an agent say what the server answers to its name.
    pub(super) has_served: bool,
    /// Whether rows are changes, and not sites.
    pub(super) is_of_changes: bool,
    pub(super) out: Box<dyn Write>,
}

impl Rows<'_> {
    /// Writes the names of the columns.
    pub(super) fn begin(&mut self) -> Result<(), Failure> {
        if self.is_json {
            return Ok(());
        }
        if self.is_of_changes {
            return Ok(self.record(&Census::CHANGE_COLUMNS.map(str::to_owned))?);
        }
        let mut heads = Census::SITE_COLUMNS.map(str::to_owned).to_vec();
        if self.has_findings {
            heads.push("findings".to_owned());
        }
        match self.rows {
            RowsArg::Site => heads.extend(self.census.agents().iter().map(|agent| agent.name.clone())),
            RowsArg::Agent => {
                heads.extend(Census::AGENT_COLUMNS.map(str::to_owned));
                heads.extend(self.has_served.then_some(["server", "at_odds"]).into_iter().flatten().map(str::to_owned));
            }
        }
        Ok(self.record(&heads)?)
    }

    /// Writes the rows of a site, with what its server answered to which agents.
    pub(super) fn site(&mut self, site: &Site, answers: &[(u16, Answer)]) -> Result<(), Failure> {
        let agents = self.census.agents().len();
        match (self.is_json, self.rows) {
            (true, RowsArg::Site) => {
                let mut object = site.json(self.census);
                if self.has_served {
                    object.insert("servers".to_owned(), self.servers(answers));
                }
                output::json_line(&mut self.out, &object)
            }
            (true, RowsArg::Agent) => {
                for agent in 0..agents {
                    let mut object = site.json_of(self.census, agent);
                    if self.has_served {
                        let answer = answer_to(answers, agent);
                        object.insert("server".to_owned(), answer.map(|answer| answer.server.name()).into());
                        object.insert("at_odds".to_owned(), answer.map(|answer| answer.is_at_odds).into());
                    }
                    output::json_line(&mut self.out, &object)?;
                }
                Ok(())
            }
            (false, RowsArg::Site) => {
                let mut fields = self.fields_of(site);
                fields.extend((0..agents).map(|agent| site.of(agent).access.name().to_owned()));
                Ok(self.record(&fields)?)
            }
            (false, RowsArg::Agent) => {
                let start = self.fields_of(site);
                for (number, agent) in self.census.agents().iter().enumerate() {
                    let mut fields = start.clone();
                    fields.push(agent.name.clone());
                    fields.extend(fields_of_cell(site.of(number)));
                    if self.has_served {
                        let answer = answer_to(answers, number);
                        fields.push(answer.map(|answer| answer.server.name().to_owned()).unwrap_or_default());
                        fields.push(text(answer.map(|answer| answer.is_at_odds)));
                    }
                    self.record(&fields)?;
                }
                Ok(())
            }
        }
    }

    /// Writes the rows of a change.
    pub(super) fn change(&mut self, site: &str, change: &Change) -> Result<(), Failure> {
        if self.is_json {
            return output::json_line(&mut self.out, &change.json(self.census, site));
        }
        let start = [no_formula(site), change.name().to_owned()];
        let Change::Changed(changed) = change else {
            let [site, change] = start;
            return Ok(self.record(&[site, change, String::new(), String::new(), String::new()])?);
        };
        for (agent, before, after) in changed {
            let [site, change] = start.clone();
            let agent = self.census.agents()[*agent].name.clone();
            self.record(&[site, change, agent, before.name().to_owned(), after.name().to_owned()])?;
        }
        Ok(())
    }

    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// Returns what the server of a site answered to each name that it was asked under.
    fn servers(&self, answers: &[(u16, Answer)]) -> Value {
        let servers = answers.iter().filter_map(|(agent, answer)| {
            let agent = &self.census.agents().get(usize::from(*agent))?.name;
            Some(json!({ "agent": agent, "server": answer.server.name(), "at_odds": answer.is_at_odds }))
        });
        servers.collect()
    }

    fn fields_of(&self, site: &Site) -> Vec<String> {
        let mut fields = vec![
            no_formula(&site.name),
            site.class.name().to_owned(),
            site.outcome.as_str().to_owned(),
            text(site.status),
            site.body_kind.map(|kind| kind.name().to_owned()).unwrap_or_default(),
            site.bytes.to_string(),
            format!("{:032x}", site.hash),
            site.groups.to_string(),
            site.rules.to_string(),
            site.sitemaps.len().to_string(),
        ];
        if self.has_findings {
            let findings = site.findings.iter().map(|(code, count)| format!("{code}:{count}"));
            fields.push(findings.collect::<Vec<String>>().join(" "));
        }
        fields
    }

    fn record(&mut self, fields: &[String]) -> io::Result<()> {
        let mut record = Vec::new();
        for (number, field) in fields.iter().enumerate() {
            if number > 0 {
                record.push(b',');
            }
            csv::push_field(&mut record, field.as_bytes(), b',');
        }
        record.extend_from_slice(b"\r\n");
        self.out.write_all(&record)
    }
}

/// Returns the name of a site as a sheet takes it for no formula. No host that can be resolved begins so.
fn no_formula(site: &str) -> String {
    let quote = if site.starts_with(['=', '+']) { "'" } else { "" };
    format!("{quote}{site}")
}

/// Returns what the server answered to the name of an agent, if it was asked.
fn answer_to(answers: &[(u16, Answer)], agent: usize) -> Option<Answer> {
    answers.iter().find(|(number, _)| usize::from(*number) == agent).map(|(_, answer)| *answer)
}

fn fields_of_cell(cell: &Cell) -> Vec<String> {
    let path = |path: &Option<Vec<u8>>| path.as_ref().map(|path| shown::bytes(path)).unwrap_or_default();
    let fallback = match &cell.chosen_by {
        ChosenBy::Fallback(name) => name.clone(),
        _ => String::new(),
    };
    let mut fields = vec![
        cell.access.name().to_owned(),
        path(&cell.open_path),
        path(&cell.closed_path),
        cell.chosen_by.name().to_owned(),
        fallback,
        text(cell.line),
        cell.rules.to_string(),
        text(cell.crawl_delay),
    ];
    let stated = cell.stated.by_use();
    fields
        .extend(stated.iter().map(|stated| word(stated.usage)).chain(stated.iter().map(|stated| word(stated.signal))));
    fields
}

/// Returns a preference as a word; empty if nothing is stated.
fn word(preference: Preference) -> String {
    if preference == Preference::Unknown { String::new() } else { preference.to_string() }
}

fn text(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}
