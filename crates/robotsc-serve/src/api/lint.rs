//! `POST /v1/lint`: what is wrong with a file, and how to mend it; `GET /v1/lint/{code}`: the page of a check.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use robotsc_analysis::lint::{Finding, LintCheck};
use robotsc_answers::{lint, shown};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::form::{self, RobotsForm};
use crate::app::App;
use crate::problem::Problem;
use crate::request::Asked;

/// A request for findings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Form {
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
        .analyse(move || {
            let _room = room;
            let body = form.robots.body("/robots")?;
            let file = shared.files.parse(&body, dialect);
            let found = shared.lint.run(&file.robots);
            let undecided = found.iter().filter(|finding| finding.check.code() == "not-decided").count();
            let findings: Vec<Value> = found.iter().map(|found| finding(file.robots.body(), found)).collect();
            Ok(Json(json!({ "findings": findings, "undecided": undecided })))
        })
        .await?
}

/// Returns a finding as the command shows it, with its bytes and the edits of its fix.
fn finding(body: &[u8], finding: &Finding) -> Value {
    let mut object = lint::json(body, finding);
    object.insert("start".to_owned(), finding.span.start.into());
    object.insert("end".to_owned(), finding.span.end.into());
    if let (Some(fix), Some(Value::Object(shown))) = (&finding.fix, object.get_mut("fix")) {
        let edits: Vec<Value> = fix
            .edits
            .iter()
            .map(|edit| {
                let mut object = Map::new();
                object.insert("start".to_owned(), edit.range.start.into());
                object.insert("end".to_owned(), edit.range.end.into());
                shown::put(&mut object, "text", &edit.with);
                object.into()
            })
            .collect();
        shown.insert("edits".to_owned(), edits.into());
    }
    object.into()
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
