//! Answers the requests that range over all paths of a file: each waits for its turn, and runs where it holds up no
//! other.

use axum::extract::State;
use axum::response::Response;
use robotsc_answers::api::question::{Form, Question as _};

use crate::app::App;
use crate::problem::Problem;
use crate::request::{Asked, json};

/// Answers a request of one form.
pub(crate) async fn post<F: Form>(
    State(app): State<App>,
    Asked { value: form, room }: Asked<F>,
) -> Result<Response, Problem> {
    let question = form.question(&app.limits)?;
    app.metrics.answers.inc_by(question.verdicts());
    let shared = app.clone();
    let answer = app.work.analyse(room, move || question.answer(&*shared)).await??;
    Ok(json(answer))
}
