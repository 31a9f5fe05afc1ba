//! `POST /v1/fetch`: the robots.txt of a site, as the guards of `robotsc-fetch` let it be fetched.

use axum::Json;
use axum::extract::{FromRequest as _, Request, State};
use axum::http::StatusCode;
use robotsc::Dialect;
use robotsc::origin::Origin;
use robotsc_answers::fetched::Judged;
use robotsc_answers::scheme::other_than_of_sites;
use robotsc_answers::shown;
use serde::Deserialize;
use serde_json::Value;

use crate::app::App;
use crate::guard::{Peer, is_local};
use crate::problem::Problem;
use crate::request::Asked;

/// A request to fetch.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Form {
    site: String,
}

/// Answers `POST /v1/fetch`.
pub(crate) async fn post(State(app): State<App>, request: Request) -> Result<Json<Value>, Problem> {
    let off = |detail| Problem::new(StatusCode::FORBIDDEN, "no fetching", detail);
    let Some(fetcher) = &app.config.fetcher else {
        return Err(off("start the server with --user-agent 'FooBot/1.0 (+https://foo.example/bot)'"));
    };
    if !app.config.allow_fetch && !is_local(&app, request.extensions().get::<Peer>(), request.headers()) {
        return Err(off(
            "the server fetches for its own machine only, and with --host for none: start it with --allow-fetch",
        ));
    }
    let Asked { value: form, room } = Asked::<Form>::from_request(request, &app).await?;
    if let Some(scheme) = other_than_of_sites(&form.site) {
        let what = format_args!("its scheme is {scheme}: give one such as https://shop.example, or a page of it");
        return Err(Problem::bad("bad site", what, "/site"));
    }
    if has_user(&form.site) {
        // It is not repeated: what precedes the `@` can be a password.
        return Err(Problem::bad("bad site", "it has user information, which is never sent: leave it out", "/site"));
    }
    let origin = Origin::of_url(form.site.as_bytes()).map_err(|error| {
        Problem::bad(
            "bad site",
            format_args!("{error}: give one such as https://shop.example, or a page of it"),
            "/site",
        )
    })?;
    let permit = app.work.fetch().await?;
    let fetched = fetcher.fetch(&origin, None).await;
    drop(permit);
    app.work
        .analyse(room, move || {
            let mut answer = Judged::new(&fetched, &Dialect::GOOGLE).json();
            if let Value::Object(answer) = &mut answer {
                shown::put(answer, "body", &fetched.body);
            }
            Json(answer)
        })
        .await
}

/// Reports whether a URL has user information. Its path can hold an `@`.
fn has_user(url: &str) -> bool {
    let (_, rest) = url.split_once(':').unwrap_or(("", url));
    let host = rest.trim_start_matches(['/', '\\', '\t', '\n', '\r']);
    url.split(['/', '\\']).next().is_some_and(|start| start.contains('@'))
        || host.split(['/', '\\', '?', '#']).next().is_some_and(|host| host.contains('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_information_is_found_before_the_path_alone() {
        for url in [
            "https://me:secret@shop.example",
            "https:\\\\me@shop.example/a",
            "https:me@shop.example",
            "me:secret@shop.example/a",
            "me@shop.example",
            "https:///me@shop.example/",
        ] {
            assert!(has_user(url), "{url}");
        }
        for url in ["https://shop.example/@me", "https://shop.example?mail=a@b.example", "https://shop.example#@"] {
            assert!(!has_user(url), "{url}");
        }
    }
}
