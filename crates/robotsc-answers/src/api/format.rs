//! `POST /v1/format`: a file in one spelling, or as small as it can be.

use robotsc::Dialect;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::bad_json::object;
use super::form::RobotsForm;
use super::limits::Limits;
use super::problem::Problem;
use super::question::{Desk, Form, Question};
use crate::format::After;
use crate::shown;

/// A request to format.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormatForm {
    #[serde(deserialize_with = "object")]
    robots: RobotsForm,
    #[serde(default)]
    minify: bool,
}

impl Form for FormatForm {
    type Question = Self;

    fn question(self, _: &Limits) -> Result<Self, Problem> {
        Ok(self)
    }
}

impl Question for FormatForm {
    fn answer(self, desk: &dyn Desk) -> Result<Vec<u8>, Problem> {
        // Refuses what is no robots.txt; the text is formatted for all dialects.
        self.robots.parsed(desk, &Dialect::GOOGLE, "/robots")?;
        let before = self.robots.body("/robots")?;
        let after = After::of(&before, self.minify);
        let mut answer = Map::new();
        shown::put(&mut answer, "text", &after.body);
        answer.extend(after.json(&before));
        Ok(Value::Object(answer).to_string().into_bytes())
    }
}
