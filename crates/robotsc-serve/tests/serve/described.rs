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
                        body["site"] = format!("http://{}/@me/page?a=b@c", server.address).into();
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

/// The API writes the objects that the command writes: each has the schema that `robotsc schema` prints.
#[test]
fn objects_have_the_schemas_of_the_command() {
    let server = start(|config| config.pack = Some(pack()));
    let schemas = ["verdict", "error", "explanation", "agent-totals", "agent", "pack-origin"].map(|name| {
        let schema: Value = serde_json::from_str(robotsc_answers::schema::of(name).expect("a schema")).expect("JSON");
        (name, jsonschema::draft202012::new(&schema).expect("a schema"))
    });
    let check = |object: &Value, wanted: &[&str]| {
        let valid = schemas.iter().filter(|(name, schema)| wanted.contains(name) && schema.is_valid(object));
        assert_eq!(valid.count(), 1, "{wanted:?}: {object:#}");
    };
    let robots = json!({ "text": "User-agent: Googlebot\nDisallow: /cart\nAllow: /cart/help\n" });
    let agents = json!(["googlebot-image", "AdsBot-Google", "FooBot", "*"]);
    let urls = json!(["https://shop.example/cart/1", "/cart/help", "http://["]);
    let question = json!({ "robots": robots, "agents": agents, "urls": urls });
    let answers = server.post("/v1/check", &question).json()["answers"].clone();
    let matrix = server.post("/v1/matrix", &question).json();
    for list in [&answers, &matrix["verdicts"]] {
        assert_eq!(list.as_array().expect("a list").len(), 12);
        list.as_array().into_iter().flatten().for_each(|object| check(object, &["verdict", "error"]));
    }
    matrix["agents"].as_array().into_iter().flatten().for_each(|object| check(object, &["agent-totals"]));
    // What both say of one question is the same.
    for (one, other) in
        answers.as_array().into_iter().flatten().zip(matrix["verdicts"].as_array().into_iter().flatten())
    {
        for field in ["type", "url", "agent", "verdict", "line", "note"] {
            assert_eq!(one[field], other[field], "{field}: {one} {other}");
        }
    }
    let question = json!({ "robots": robots, "agent": "googlebot-image", "url": "/cart/1" });
    check(&server.post("/v1/explain", &question).json(), &["explanation"]);
    let known = server.get("/v1/agents").json();
    known["agents"].as_array().into_iter().flatten().for_each(|object| check(object, &["agent"]));
}
