//! `GET /openapi.json`: the description of the API.

use axum::response::Response;

use crate::request::json;

/// The description, which is kept by hand and compared with the routes and their answers by the tests.
const OPENAPI: &str = include_str!("openapi.json");

/// Answers `GET /openapi.json`.
pub(crate) async fn get() -> Response {
    json(OPENAPI)
}

#[cfg(all(test, feature = "fetch"))]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;
    use crate::routes::routes;

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
