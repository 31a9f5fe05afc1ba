//! `POST /v1/lint`: what is wrong with a file, and how to mend it; `GET /v1/lint/{code}`: the page of a check.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use robotsc_analysis::lint::LintCheck;
use robotsc_answers::lint;
use serde::Deserialize;
use serde_json::{Value, json};

use super::form::{self, RobotsForm};
use crate::app::App;
use crate::bad_json::object;
use crate::problem::Problem;
use crate::request::Asked;

/// A request for findings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Form {
    #[serde(deserialize_with = "object")]
    robots: RobotsForm,
    dialect: Option<String>,
}

/// Answers `POST /v1/lint`.
pub(crate) async fn post(
    State(app): State<App>,
    Asked { value: form, room }: Asked<Form>,
) -> Result<Json<Value>, Problem> {
    let dialect = form::dialect(form.dialect.as_deref(), "/dialect")?;
    let shared = app.clone();
    app.work
        .analyse(room, move || {
            let body = form.robots.body("/robots")?;
            let file = shared.files.parse(&body, dialect);
            let found = shared.lint.run(&file.robots);
            let undecided = found.iter().filter(|finding| finding.check.code() == "not-decided").count();
            let body = file.robots.body();
            let findings: Vec<Value> = found.iter().map(|found| lint::json_with_edits(body, found)).collect();
            Ok(Json(json!({ "findings": findings, "undecided": undecided })))
        })
        .await?
}

/// Answers `GET /v1/lint/{code}`.
pub(crate) async fn page(Path(code): Path<String>) -> Result<Json<Value>, Problem> {
    let check = LintCheck::by_code(&code).ok_or_else(|| {
        Problem::new(StatusCode::NOT_FOUND, "no check", "there is none of this code: GET /v1/about lists the checks")
    })?;
    Ok(Json(json!({
        "code": check.code(),
        "severity": lint::severity(check.severity()),
        "title": check.summary(),
        "markdown": check.page(),
    })))
}
