//! The requests of the HTTP API and what they answer, without HTTP: the server and the page without one ask here.
//!
//! A request is a [`Form`] of JSON. What can be checked without the file is checked at once, which
//! makes it a [`Question`]; that is answered with what a [`Desk`] has. An error is a [`Problem`].

pub mod about;
pub mod agents;
pub mod automaton;
pub mod bad_json;
pub mod check;
pub mod diff;
pub mod explain;
pub mod file;
pub mod form;
pub mod format;
pub mod limits;
pub mod lint;
pub mod matrix;
mod one_url;
pub mod problem;
pub mod question;
pub mod set;
pub mod template;
pub mod verdicts;

use problem::Problem;
use question::{Desk, Form, Question};

/// Answers the request of a path, which begins with `/v1/`, as JSON. A request that has no body is a `GET`.
///
/// # Errors
/// If the request is wrong, or there is no such path.
pub fn answer(path: &str, body: Option<&[u8]>, desk: &dyn Desk) -> Result<Vec<u8>, Problem> {
    match (path, body) {
        ("/v1/about", None) => Ok(about::json(desk.limits(), false, false).to_string().into_bytes()),
        ("/v1/agents", None) => Ok(agents::json().to_string().into_bytes()),
        ("/v1/automaton", Some(body)) => answer_form::<automaton::AutomatonForm>(body, desk),
        ("/v1/check", Some(body)) => answer_form::<check::CheckForm>(body, desk),
        ("/v1/diff", Some(body)) => answer_form::<diff::DiffForm>(body, desk),
        ("/v1/explain", Some(body)) => answer_form::<explain::ExplainForm>(body, desk),
        ("/v1/format", Some(body)) => answer_form::<format::FormatForm>(body, desk),
        ("/v1/lint", Some(body)) => answer_form::<lint::LintForm>(body, desk),
        ("/v1/matrix", Some(body)) => answer_form::<matrix::MatrixForm>(body, desk),
        ("/v1/set", Some(body)) => answer_form::<set::SetForm>(body, desk),
        (path, None) => match path.strip_prefix("/v1/lint/") {
            Some(code) => Ok(lint::page(code)?.to_string().into_bytes()),
            None => Err(not_here()),
        },
        _ => Err(not_here()),
    }
}

fn not_here() -> Problem {
    Problem::not_found("not here", "this page has no server: it fetches nothing, and holds no pack")
}

fn answer_form<F: Form>(body: &[u8], desk: &dyn Desk) -> Result<Vec<u8>, Problem> {
    let limit = desk.limits().body_bytes;
    if body.len() > limit {
        return Err(over(limit));
    }
    bad_json::parse_object::<F>(body)?.question(desk.limits())?.answer(desk)
}

/// Returns the problem of a request that is too large.
#[must_use]
pub fn over(limit: usize) -> Problem {
    Problem::too_large(format_args!("the request is over {limit} bytes: send a smaller robots.txt, or ask for less"))
}
