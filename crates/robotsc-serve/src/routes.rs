//! The paths and what answers them.

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, get, post};
use robotsc_answers::api::{automaton, diff, explain, format, lint, matrix, set};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate as _, SizeAbove};
use tower_http::decompression::RequestDecompressionLayer;

use crate::app::App;
use crate::{api, guard, held, measure, page, refused};

/// The size from which responses are compressed: below, a packet holds them anyway.
const COMPRESS_FROM_BYTES: u64 = 1024;

/// Returns each path with its method.
pub(crate) fn routes() -> Vec<(&'static str, &'static str, MethodRouter<App>)> {
    #[cfg_attr(not(feature = "fetch"), expect(unused_mut, reason = "without fetching there is nothing to add"))]
    let mut routes = vec![
        ("get", "/", get(page::index)),
        ("get", "/assets/{name}", get(page::file)),
        ("get", "/healthz", get(async || "ok\n")),
        ("get", "/metrics", get(measure::get)),
        ("get", "/openapi.json", get(api::openapi::get)),
        ("get", "/v1/about", get(api::about::get)),
        ("get", "/v1/agents", get(api::agents::get)),
        ("get", "/v1/lint/{code}", get(api::lint::page)),
        ("post", "/v1/check", post(api::check::post)),
        ("post", "/v1/explain", post(api::answer::post::<explain::ExplainForm>)),
        ("post", "/v1/lint", post(api::answer::post::<lint::LintForm>)),
        ("post", "/v1/diff", post(api::answer::post::<diff::DiffForm>)),
        ("post", "/v1/matrix", post(api::answer::post::<matrix::MatrixForm>)),
        ("post", "/v1/format", post(api::answer::post::<format::FormatForm>)),
        ("post", "/v1/set", post(api::answer::post::<set::SetForm>)),
        ("post", "/v1/automaton", post(api::answer::post::<automaton::AutomatonForm>)),
        ("get", "/v1/pack", get(api::pack::search)),
        ("post", "/v1/pack/origin", post(api::pack::origin)),
    ];
    #[cfg(feature = "fetch")]
    routes.push(("post", "/v1/fetch", post(api::fetch::post)));
    routes
}

/// Returns the service: what requests go through from the outside in, and the routes.
pub(crate) fn router(app: &App) -> Router {
    let mut router = Router::new();
    for (_, path, route) in routes() {
        router = router.route(path, route);
    }
    let compress = SizeAbove::new(COMPRESS_FROM_BYTES).and(NotForContentType::IMAGES);
    router
        .route_layer(from_fn_with_state(app.clone(), measure::measure))
        .fallback(async || StatusCode::NOT_FOUND)
        .layer(RequestDecompressionLayer::new())
        .layer(from_fn_with_state(app.clone(), held::hold))
        .layer(CompressionLayer::new().compress_when(compress))
        .layer(from_fn_with_state(app.clone(), refused::drop_rest))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app.clone())
}

#[cfg(all(test, feature = "fetch"))]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;
    use crate::api::openapi::OPENAPI;

    #[test]
    fn each_route_is_documented_and_no_other() {
        let api: Value = serde_json::from_str(OPENAPI).unwrap();
        let paths = api["paths"].as_object().unwrap().iter();
        let documented: BTreeSet<(&str, &str)> = paths
            .flat_map(|(path, methods)| {
                methods.as_object().unwrap().keys().map(|method| (method.as_str(), path.as_str()))
            })
            .collect();
        let routes: BTreeSet<(&str, &str)> = routes().into_iter().map(|(method, path, _)| (method, path)).collect();
        assert_eq!(documented, routes);
    }
}
