//! Answers the requests of the page as the server does, from a few files that it keeps parsed.

use std::cell::RefCell;
use std::sync::Arc;

use robotsc::Dialect;
use robotsc_analysis::lint::Lint;
use robotsc_answers::api;
use robotsc_answers::api::file::File;
use robotsc_answers::api::limits::Limits;
use robotsc_answers::api::question::Desk;
use robotsc_answers::lint;
use serde_json::Value;

use crate::mistake::{Kind, Mistake};
use crate::object::Answer;

/// The files that are kept: the file under each dialect, and the version that it is compared with.
const KEPT: usize = 8;

/// What one request may ask for: what the server lets one ask, except for the time. The page ends what takes too long.
const LIMITS: Limits = Limits {
    body_bytes: 2 << 20,
    url_bytes: 64 << 10,
    urls: 10_000,
    agents: 300,
    answers: 100_000,
    answer_bytes: 32 << 20,
    drawn_edges: 200,
    answer_time: None,
};

thread_local! {
    static PAGE: Page = Page { limits: LIMITS, lint: lint::default_lint(), files: RefCell::default() };
}

/// What requests are answered with.
#[derive(Debug)]
struct Page {
    limits: Limits,
    lint: Lint,
    /// Files by their bytes and dialect, the latest last.
    files: RefCell<Vec<Arc<File>>>,
}

impl Desk for Page {
    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn lint(&self) -> &Lint {
        &self.lint
    }

    fn file(&self, body: &[u8], dialect: &'static Dialect) -> Arc<File> {
        let mut files = self.files.borrow_mut();
        let is_it = |file: &Arc<File>| file.robots.dialect() == dialect && file.robots.body() == body;
        let found = files.iter().position(is_it).map(|at| files.remove(at));
        let file = found.unwrap_or_else(|| Arc::new(File::parse(body, dialect)));
        if files.len() == KEPT {
            files.remove(0);
        }
        files.push(file.clone());
        file
    }
}

/// Answers a request of the HTTP API as JSON; a mistake is a problem as JSON. Without a body it is a `GET`.
pub(crate) fn ask(path: &[u8], body: Option<&[u8]>) -> Result<Answer, Mistake> {
    let path = str::from_utf8(path).map_err(Mistake::call)?;
    let answer = PAGE.with(|page| api::answer(path, body, page));
    let answer = answer.map_err(|problem| Mistake::new(Kind::Request, Value::Object(problem.json())))?;
    Ok(Answer::Bytes(answer))
}
