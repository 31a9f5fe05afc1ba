//! What a site answered to a name as JSON, which docs/schema/fetch-as.json describes.

use serde_json::{Map, Value, json};

use super::{Compared, Row, page_url};
use crate::shown;

impl Row<'_> {
    /// Returns the row as JSON.
    #[must_use]
    pub fn json(&self, page: &str) -> Value {
        let robots = &self.visited.robots;
        let fetched_page = &self.visited.page;
        let (robots_end, robots_status) = (robots.end.as_str(), robots.end.status());
        let (page_end, page_status) = (fetched_page.end.as_str(), fetched_page.end.status());
        json!({
            "type": "fetch-as",
            "origin": robots.origin.as_str(),
            "agent": self.name.map(|name| name.agent.name.as_str()),
            "user_agent": self.user_agent,
            "robots_end": robots_end,
            "robots_status": robots_status,
            "robots_problem": robots.problem,
            "outcome": self.record.outcome.as_str(),
            "compared": self.compared.as_ref().map(Compared::name),
            "difference": self.difference(),
            "page": page,
            "verdict": self.verdict.name(),
            "line": self.verdict.line,
            "note": self.verdict.note,
            "page_end": page_end,
            "page_status": page_status,
            "page_url": page_url(fetched_page),
            "page_problem": fetched_page.problem,
            "server": self.server.name(),
            "at_odds": self.is_at_odds(),
        })
    }

    fn difference(&self) -> Value {
        let Some(Compared::Differs(difference)) = &self.compared else { return Value::Null };
        let mut object = Map::new();
        for (name, path) in [("closed_path", &difference.closed_path), ("open_path", &difference.open_path)] {
            match path {
                Some(path) => shown::put(&mut object, name, path),
                None => _ = object.insert(name.to_owned(), Value::Null),
            }
        }
        object.insert("others".to_owned(), difference.others.clone().into());
        object.into()
    }
}
