//! Who may ask: the page itself, and programs. A web page of another site may not, even in the browser of a person who
//! can reach the server.
//!
//! - **Host** names the server. A page whose own name was rebound to `127.0.0.1` sends its own name instead.
//! - **Origin**, which browsers send with requests of scripts and forms, is that of the server.
//! - **Sec-Fetch-Site**, which browsers send with all requests, is the server's own for the API, also for GET.
//! - **Content-Type** of a POST is JSON. No form can send that, and a script only after a preflight request, which
//!   gets no permission here: no response has a CORS header.
//! - **Authorization** has the token, if there is one, for all but the files of the page.
//!
//! What passes gets headers that keep a browser from running, framing or guessing anything.

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderName, ORIGIN,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq as _;

use crate::app::App;
use crate::config::ApiAccess;
use crate::problem::{MEDIA_TYPE, Problem};
use crate::request::{JSON, NDJSON, media_type};

/// The address of the caller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Lets requests through that may be answered, and adds headers to the responses.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = match check(&app, &request) {
        Ok(()) => next.run(request).await,
        Err((reason, problem)) => {
            app.metrics.refused(reason);
            problem.into_response()
        }
    };
    if is_bare_error(&response) {
        response = of_status(response.status()).into_response();
    }
    protect(response.headers_mut());
    response
}

fn check(app: &App, request: &Request) -> Result<(), (&'static str, Problem)> {
    let headers = request.headers();
    let host = host(request).filter(|host| app.hosts.allow(host)).ok_or_else(|| {
        let detail = "the Host header names another server than this: use its address, or start it with --host NAME";
        ("host", Problem::new(StatusCode::MISDIRECTED_REQUEST, "wrong host", detail))
    })?;
    let cross_site = |detail: &str| ("origin", Problem::new(StatusCode::FORBIDDEN, "cross site", detail));
    for origin in headers.get_all(ORIGIN) {
        if !origin.to_str().is_ok_and(|origin| app.hosts.allow_origin(origin, host)) {
            return Err(cross_site("the request comes from a page of another site"));
        }
    }
    // Without CORS a page cannot read what it gets from another site, and can still make the server work for it.
    let sites = headers.get_all("sec-fetch-site");
    let is_own = sites.iter().all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"));
    if !is_own && (request.method() == Method::POST || is_api(request.uri())) {
        return Err(cross_site("the browser says that the request comes from another site"));
    }
    if request.method() == Method::POST && !matches!(media_type(headers), Some(JSON | NDJSON)) {
        let detail = "send JSON as Content-Type: application/json, or a stream as application/x-ndjson";
        return Err(("media type", Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "no json", detail)));
    }
    // A decoder of zstd keeps as much as the body asks for, up to 128 MiB, as long as the stream goes on.
    if media_type(headers) == Some(NDJSON) && headers.get_all(CONTENT_ENCODING).iter().any(has_zstd) {
        let detail = "a stream cannot be compressed with zstd: compress it with gzip, or not at all";
        return Err(("coding", Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "wrong coding", detail)));
    }
    match &app.config.access {
        ApiAccess::Token(token) if !is_public(request.uri()) && !has_token(headers, token) => {
            let detail = "send the token that the server was started with: Authorization: Bearer TOKEN";
            Err(("token", Problem::new(StatusCode::UNAUTHORIZED, "no token", detail)))
        }
        _ => Ok(()),
    }
}

/// Reports whether a list of codings holds zstd.
fn has_zstd(codings: &HeaderValue) -> bool {
    codings.as_bytes().split(|byte| *byte == b',').any(|coding| coding.trim_ascii().eq_ignore_ascii_case(b"zstd"))
}

/// Returns the host that a request is sent to: one, and the same in the request line if that has one.
fn host(request: &Request) -> Option<&str> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let host = hosts.next()?.to_str().ok()?;
    let target = request.uri().authority().map(|authority| authority.as_str());
    (hosts.next().is_none() && target.is_none_or(|target| target == host)).then_some(host)
}

/// Reports whether a path is one that programs use, and that a link of another site has no reason to open.
fn is_api(uri: &Uri) -> bool {
    uri.path().starts_with("/v1/") || uri.path() == "/metrics"
}

/// Reports whether a path is part of the page, which holds nothing secret, or shows that the server is up.
fn is_public(uri: &Uri) -> bool {
    let path = uri.path();
    matches!(path, "/" | "/healthz" | "/openapi.json") || path.starts_with("/assets/")
}

fn has_token(headers: &HeaderMap, token: &str) -> bool {
    let given = headers.get(AUTHORIZATION).map(HeaderValue::as_bytes).unwrap_or_default();
    let Some((scheme, given)) = given.split_at_checked("Bearer ".len()) else { return false };
    scheme.eq_ignore_ascii_case(b"Bearer ") && bool::from(given.ct_eq(token.as_bytes()))
}

/// Reports whether a response is an error of a library, without problem details.
fn is_bare_error(response: &Response) -> bool {
    let status = response.status();
    (status.is_client_error() || status.is_server_error())
        && response.headers().get(CONTENT_TYPE).is_none_or(|found| found != MEDIA_TYPE)
}

/// Returns the problem of a status without details.
fn of_status(status: StatusCode) -> Problem {
    let (title, detail) = match status {
        StatusCode::NOT_FOUND => ("not found", "there is nothing of this name: GET /openapi.json lists what there is"),
        StatusCode::METHOD_NOT_ALLOWED => ("wrong method", "GET /openapi.json lists the methods of each path"),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ("wrong coding", "compress requests with gzip or zstd, or not at all"),
        _ => ("bad request", status.canonical_reason().unwrap_or("the request cannot be answered")),
    };
    Problem::new(status, title, detail)
}

/// Adds the headers that every response has. A page brings its own policy.
fn protect(headers: &mut HeaderMap) {
    const NONE: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(NONE));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    for (name, value) in [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// Reports whether a request comes from this machine, and not through a proxy on it. If the server has other names, a
/// proxy can be on this machine that adds no header, so no caller counts as local.
pub(crate) fn is_local(app: &App, peer: Option<&Peer>, headers: &HeaderMap) -> bool {
    let through_proxy = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];
    app.config.hosts.is_empty()
        && peer.is_some_and(|peer| peer.0.ip().to_canonical().is_loopback())
        && !through_proxy.iter().any(|name| headers.contains_key(*name))
}
