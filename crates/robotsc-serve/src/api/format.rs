//! `POST /v1/format`: a file in one spelling, or as small as it can be.

use axum::Json;
use axum::extract::State;
use robotsc_answers::format::After;
use robotsc_answers::shown;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::form::RobotsForm;
use crate::app::App;
use crate::bad_json::object;
use crate::problem::Problem;
use crate::request::Asked;

/// A request to format.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Form {
    #[serde(deserialize_with = "object")]
    robots: RobotsForm,
    #[serde(default)]
    minify: bool,
}

/// Answers `POST /v1/format`.
pub(crate) async fn post(
    State(app): State<App>,
    Asked { value: form, room }: Asked<Form>,
) -> Result<Json<Map<String, Value>>, Problem> {
    app.work
        .analyse(room, move || {
            let before = form.robots.body("/robots")?;
            let after = After::of(&before, form.minify);
            let mut answer = Map::new();
            shown::put(&mut answer, "text", &after.body);
            answer.extend(after.json(&before));
            Ok(Json(answer))
        })
        .await?
}
