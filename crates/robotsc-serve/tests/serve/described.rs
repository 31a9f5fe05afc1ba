//! The server answers as its description says: each example of `/openapi.json`, each answer with its schema.

use robotsc::fetch::{Fetcher, UserAgent};
use serde_json::{Value, json};

use crate::server::{pack, start};

/// Returns a schema of the description that can be validated with.
fn validator(api: &Value, schema: &Value) -> jsonschema::Validator {
    let mut whole = schema.clone();
    whole["components"] = api["components"].clone();
    jsonschema::options().with_draft(jsonschema::Draft::Draft202012).build(&whole).expect("a schema")
}

fn check(api: &Value, schema: &Value, value: &Value, what: &str) {
    let validator = validator(api, schema);
    let errors: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{what}: {errors:#?}\n{value:#}");
}

#[test]
fn each_documented_route_answers_with_its_schema() {
    let mut server = start(|config| {
        config.pack = Some(pack());
        let agent = UserAgent::new("FooBot/1.0 (+https://foo.example/bot)").unwrap();
        config.fetcher = Some(Fetcher::new(agent));
    });
    let api = server.get("/openapi.json").json();
    let mut answered = 0;
    for (path, methods) in api["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let what = format!("{method} {path}");
            let mut target = path.clone();
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let example = parameter["example"].as_str().unwrap_or("page.js");
                target = target.replace(&format!("{{{}}}", parameter["name"].as_str().unwrap()), example);
            }
            let request = &operation["requestBody"]["content"]["application/json"];
            let response = match method.as_str() {
                "get" => server.get(&target),
                _ => {
                    check(&api, &request["schema"], &request["example"], &format!("{what}: the example"));
                    let mut body = request["example"].clone();
                    if path == "/v1/fetch" {
                        // This machine, which the guard refuses to connect to: an answer without a network.
                        body["site"] = format!("http://{}", server.address).into();
                    }
                    server.post(&target, &body)
                }
            };
            let documented = &operation["responses"][response.status.to_string()]["content"];
            let media_type = response.header("content-type").unwrap().split(';').next().unwrap();
            assert!(documented.is_object(), "{what}: {} is not documented: {}", response.status, response.text());
            let schema =
                &documented[if path == "/assets/{name}" && response.status == 200 { "*/*" } else { media_type }];
            assert!(schema.is_object(), "{what}: {media_type} is not documented");
            if media_type.ends_with("json") {
                check(&api, &schema["schema"], &response.json(), &what);
            }
            // A file of the page has its checksum in its name.
            if path != "/assets/{name}" {
                assert_eq!(response.status, 200, "{what}: {}", response.text());
            }
            answered += 1;
        }
    }
    assert!(answered >= 18, "{answered}");
    server.join();
}

#[test]
fn the_example_of_a_stream_is_answered() {
    let server = start(|_| ());
    let api = server.get("/openapi.json").json();
    let content = &api["paths"]["/v1/check"]["post"]["requestBody"]["content"]["application/x-ndjson"];
    let example = content["example"].as_str().unwrap();
    let response = server.send("POST", "/v1/check", &[("Content-Type", "application/x-ndjson")], example.as_bytes());
    assert_eq!((response.status, response.is_complete), (200, true));
    let verdicts: Vec<Value> = response.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for verdict in &verdicts {
        check(&api, &json!({ "$ref": "#/components/schemas/Answer" }), verdict, "a line");
    }
    let verdicts: Vec<&str> = verdicts.iter().map(|verdict| verdict["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["disallowed", "allowed"]);
}
