//! Answers with the page and its files.

use axum::extract::{Path, State};
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;

use crate::app::App;
use crate::assets::NONCE;
use crate::problem::Problem;

/// Answers `GET /`.
pub(crate) async fn index(State(app): State<App>) -> Result<Response, Problem> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| {
        let detail = format!("the system has no random numbers: {error}");
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "no nonce", detail)
    })?;
    let nonce = base64::engine::general_purpose::STANDARD.encode(random);
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; \
         font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    );
    let mut response = app.assets.index.replace(NONCE, &nonce).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}

/// Answers `GET /assets/{name}`.
pub(crate) async fn file(State(app): State<App>, Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(asset) = app.assets.file(&name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let takes_gzip = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let takes_gzip = takes_gzip.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        name.trim().eq_ignore_ascii_case("gzip") && !matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
    });
    // The files live as long as the server: a copy is made of the compressed bytes alone.
    let mut response = if takes_gzip { asset.gzip().to_vec().into_response() } else { asset.bytes.into_response() };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(asset.media_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if takes_gzip {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}
