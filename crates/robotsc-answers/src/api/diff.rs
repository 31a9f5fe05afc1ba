//! `POST /v1/diff`: what an edit of a file changes, for whom; or what one file means under two dialects.

use robotsc::Dialect;
use robotsc_analysis::Diff;
use serde::Deserialize;
use serde_json::json;

use super::bad_json::object;
use super::form::{self, RobotsForm};
use super::limits::{Deadline, IN_PARTS, Limits};
use super::problem::Problem;
use super::question::{Desk, Form, Question};
use crate::diff::flips::{Flips, totals};
use crate::diff::words::Words;
use crate::diff::{self, Side, json as as_json};
use crate::known_agent::{doubt, is_named};
use crate::url_path::UrlReader;

/// A request to compare.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiffForm {
    #[serde(deserialize_with = "object")]
    old: RobotsForm,
    #[serde(deserialize_with = "object")]
    new: RobotsForm,
    /// None, one for both, or one for each.
    #[serde(default)]
    dialects: Vec<String>,
    #[serde(default)]
    agents: Vec<String>,
    #[serde(default)]
    as_written: bool,
    #[serde(default)]
    urls: Vec<String>,
}

/// See [`DiffForm`].
#[derive(Debug)]
pub struct DiffQuestion {
    form: DiffForm,
    dialects: [&'static Dialect; 2],
}

impl Form for DiffForm {
    type Question = DiffQuestion;

    fn question(self, limits: &Limits) -> Result<DiffQuestion, Problem> {
        let dialect = |number: usize| form::dialect(Some(&self.dialects[number]), &format!("/dialects/{number}"));
        let dialects = match self.dialects.len() {
            0 => [form::dialect(None, "")?; 2],
            1 => [dialect(0)?; 2],
            2 => [dialect(0)?, dialect(1)?],
            _ => return Err(Problem::bad("bad dialects", "give one for both files, or one for each", "/dialects")),
        };
        if !self.urls.is_empty() {
            form::check_urls(&self.urls, 1, limits, IN_PARTS)?;
        }
        if self.agents.len() > limits.agents {
            return Err(Problem::too_large("there are too many agents").at("/agents"));
        }
        Ok(DiffQuestion { form: self, dialects })
    }
}

impl Question for DiffQuestion {
    fn answer(self, desk: &dyn Desk) -> Result<Vec<u8>, Problem> {
        let Self { form, dialects } = &self;
        let is_edit = dialects[0] == dialects[1];
        let old = form.old.parsed(desk, dialects[0], "/old")?;
        let new = form.new.parsed(desk, dialects[1], "/new")?;
        self.check_sites()?;
        let compared = Diff::with(&old.robots, &new.robots, &diff::options(&form.agents, is_edit, form.as_written));
        let compared = compared.map_err(|error| Problem::bad("bad agent", error, "/agents"))?;
        let names = if is_edit { None } else { Some(dialects.map(|dialect| dialect.name)) };
        let words = Words::new(&compared, names, false);
        let sides = [Side { name: "old", robots: &old.robots }, Side { name: "new", robots: &new.robots }];
        let mut changes = as_json::objects(&compared, &words, sides);
        let summary = changes.pop();
        let flips = Flips::new(&compared, [&old.robots, &new.robots], None);
        let mut flipped = Vec::new();
        let mut count = 0;
        let deadline = Deadline::start(desk.limits());
        for (number, url) in form.urls.iter().enumerate() {
            let found = flips.of(url.as_bytes()).map_err(|error| bad_url(number, error))?;
            count += u64::from(!found.is_empty());
            deadline.check(IN_PARTS)?;
            flipped.extend(found.iter().map(|flip| flip.json(url.as_bytes())));
        }
        let mut answer = json!({ "changes": changes, "summary": summary });
        let files = [&old.robots, &new.robots];
        let unnamed = form.agents.iter().filter(|name| !files.iter().any(|robots| is_named(robots, name)));
        let notes: Vec<String> = unnamed.filter_map(|name| Some(format!("{name}: {}", doubt(name)?))).collect();
        if !notes.is_empty() {
            answer["notes"] = notes.into();
        }
        if !form.urls.is_empty() {
            answer["urls"] = json!({ "flips": flipped, "totals": totals(form.urls.len() as u64, count) });
        }
        Ok(answer.to_string().into_bytes())
    }
}

impl DiffQuestion {
    /// Checks that the URLs are such, and of the sites that the files are of.
    fn check_sites(&self) -> Result<(), Problem> {
        let sites = [self.form.old.site("/old")?, self.form.new.site("/new")?];
        for (number, url) in self.form.urls.iter().enumerate() {
            for (site, dialect) in sites.iter().zip(self.dialects) {
                let reader = UrlReader { site: site.as_ref(), ..UrlReader::new(dialect) };
                reader.path(url.as_bytes()).map_err(|error| bad_url(number, error))?;
            }
        }
        Ok(())
    }
}

fn bad_url(number: usize, error: String) -> Problem {
    Problem::bad("bad url", error, format!("/urls/{number}"))
}
