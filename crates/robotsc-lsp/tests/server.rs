//! Sessions with the server, over channels in memory.

#[path = "support/memory.rs"]
mod memory;
mod support;

use std::path::Path;
use std::time::Instant;

use lsp_server::Notification;
use memory::{Memory, connect, connect_to};
use proptest::collection::vec;
use proptest::prelude::*;
use robotsc::analysis::format::formatted;
use robotsc_lsp::{Checks, Exit, Host};
use serde_json::{Value, json};
use support::{Channel, Editor, URI, run_all};

#[test]
fn transcripts() {
    run_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts"), connect);
}

fn editor(capabilities: &Value) -> Editor<Memory> {
    Editor::new(connect(), capabilities, &Value::Null)
}

fn notification(method: &str) -> lsp_server::Message {
    Notification { method: method.to_owned(), params: Value::Null }.into()
}

#[test]
fn how_a_session_ends() {
    let mut early = connect();
    early.send(notification("exit"));
    assert_eq!(early.server.join().expect("no panic"), Exit::Unclean);

    let gone = connect();
    drop(gone.connection);
    assert_eq!(gone.server.join().expect("no panic"), Exit::Unclean);

    let memory = editor(&Value::Null).close();
    assert_eq!(memory.server.join().expect("no panic"), Exit::Clean);

    let mut without_shutdown = editor(&Value::Null);
    without_shutdown.notify("exit", &Value::Null);
    let mut memory = editor(&Value::Null);
    assert!(memory.request("shutdown", &Value::Null).is_ok());
    let refused = memory.request("textDocument/hover", &Value::Null).expect_err("an error");
    assert_eq!(refused["code"], -32600);
}

#[test]
fn requests_before_the_session_are_refused() {
    let mut memory = connect();
    let request = lsp_server::Request { id: 7.into(), method: "textDocument/hover".to_owned(), params: Value::Null };
    memory.send(notification("textDocument/didOpen"));
    memory.send(request.into());
    let lsp_server::Message::Response(response) = memory.receive() else { panic!("no answer") };
    assert_eq!(response.response_result.expect_err("an error").code, -32002);
}

#[test]
fn the_encoding_of_positions_is_agreed() {
    for (encodings, wanted, character) in [
        (json!(null), "utf-16", 14),
        (json!(["utf-16"]), "utf-16", 14),
        (json!(["utf-32", "utf-8"]), "utf-8", 17),
        (json!("utf-8"), "utf-16", 14),
    ] {
        let mut editor = editor(&json!({ "general": { "positionEncodings": encodings } }));
        assert_eq!(editor.offered["capabilities"]["positionEncoding"], wanted);
        editor.open("User-agent: *\nDisallow: /é𝄞 b\n");
        let found = editor.diagnostics();
        let start = found[0]["range"]["start"]["character"].as_u64().expect("a number");
        let end = found[0]["range"]["end"]["character"].as_u64().expect("a number");
        assert_eq!((start, end - 2), (10, character), "{encodings}");
    }
}

#[test]
fn only_the_last_of_many_versions_is_analysed() {
    let mut editor = editor(&Value::Null);
    editor.open("User-agent: *\nDisallow: cart\n");
    for _ in 0..50 {
        editor.change(&json!([{ "range": range(1, 10, 1, 10), "text": "x" }]));
    }
    let found = editor.diagnostics();
    assert!(found[0]["message"].as_str().expect("text").contains(&format!("{}cart", "x".repeat(50))));
    let published = editor.published();
    assert!(published.len() <= 2 && published.last() == Some(&51), "{published:?}");
}

fn range(line: u32, start: u32, end_line: u32, end: u32) -> Value {
    json!({ "start": { "line": line, "character": start }, "end": { "line": end_line, "character": end } })
}

#[test]
fn a_closed_document_has_no_findings_and_no_answers() {
    let mut editor = editor(&Value::Null);
    editor.open("User-agent: *\nDisallow: cart\n");
    assert_ne!(editor.diagnostics(), json!([]));
    editor.notify("textDocument/didClose", &json!({ "textDocument": { "uri": URI } }));
    let refused = editor.request("textDocument/hover", &editor.at_cursor(&Value::Null)).expect_err("an error");
    assert_eq!(refused["code"], -32602);
    assert_eq!(editor.published(), [-1, 1]);
}

#[test]
fn other_documents_are_left_alone() {
    let mut editor = editor(&Value::Null);
    let uri = "file:///srv/notes.txt";
    let item = json!({ "uri": uri, "languageId": "plaintext", "version": 1, "text": "Disallow: cart\n" });
    editor.notify("textDocument/didOpen", &json!({ "textDocument": item }));
    let params =
        editor.at_cursor(&json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 0 } }));
    assert_eq!(editor.request("textDocument/hover", &params), Ok(Value::Null));
    let report = editor.request("textDocument/diagnostic", &params);
    assert_eq!(report, Ok(json!({ "kind": "full", "items": [] })));
    assert!(editor.published().is_empty());
}

#[test]
fn an_editor_that_cannot_be_told_to_ask_again_is_sent_diagnostics() {
    let mut editor = editor(&json!({ "textDocument": { "diagnostic": {} } }));
    assert_eq!(editor.offered["capabilities"]["diagnosticProvider"], Value::Null);
    editor.open("User-agent: *\nDisallow: cart\n");
    assert_ne!(editor.diagnostics(), json!([]));
    editor.forget_published();
    let settings = json!({ "robotsc": { "severity": { "dead-pattern": "off" } } });
    editor.notify("workspace/didChangeConfiguration", &json!({ "settings": settings }));
    assert_eq!(editor.diagnostics(), json!([]));
}

#[test]
fn a_request_is_cancelled_or_stale() {
    let mut editor = editor(&Value::Null);
    let rules: String = (0..4000).map(|number| format!("Disallow: /*a{number}*b\n")).collect();
    editor.open(&format!("User-agent: *\n{rules}"));
    let params = editor.at_cursor(&json!({ "options": { "tabSize": 4, "insertSpaces": true } }));
    // The first keeps the thread busy while the others wait.
    let ids: Vec<_> = (0..3).map(|_| editor.begin("textDocument/formatting", &params)).collect();
    editor.notify("$/cancelRequest", &json!({ "id": 3 }));
    editor.change(&json!([{ "range": range(0, 0, 0, 0), "text": "# x\n" }]));
    let codes: Vec<_> = ids.iter().map(|id| editor.wait(id).map_err(|error| error["code"].as_i64())).collect();
    // Initialize was request 1, so that the second of these is 3.
    assert_eq!(codes[1], Err(Some(-32800)));
    assert_eq!(codes[2], Err(Some(-32801)));
}

#[test]
fn stale_findings_are_no_empty_findings() {
    let mut editor = editor(&json!({
        "textDocument": { "diagnostic": {} }, "workspace": { "diagnostics": { "refreshSupport": true } },
    }));
    let rules: String = (0..4000).map(|number| format!("Disallow: /*a{number}*b\n")).collect();
    editor.open(&format!("User-agent: *\n{rules}"));
    let params = editor.at_cursor(&json!({ "options": { "tabSize": 4, "insertSpaces": true } }));
    editor.begin("textDocument/formatting", &params);
    let id = editor.begin("textDocument/diagnostic", &params);
    editor.change(&json!([{ "range": range(0, 0, 0, 0), "text": "# x\n" }]));
    let refused = editor.wait_past(&id).expect_err("an error");
    assert_eq!((&refused["code"], &refused["data"]), (&json!(-32802), &json!({ "retriggerRequest": true })));
    assert!(editor.published().is_empty(), "the editor asks, so that nothing is sent");
}

#[test]
fn notifications_that_are_wrong_are_shown() {
    let mut editor = editor(&Value::Null);
    editor.open("User-agent: *\n");
    editor.notify("textDocument/didOpen", &json!({ "textDocument": 7 }));
    editor.notify("textDocument/didChange", &json!({ "contentChanges": [{ "range": 1, "text": "x" }] }));
    editor.notify("no/such/method", &json!([1, 2]));
    editor.notify("$/cancelRequest", &json!({ "id": { "x": 1 } }));
    assert!(editor.request("textDocument/foldingRange", &editor.at_cursor(&Value::Null)).is_ok());
    assert_eq!(editor.messages.len(), 2, "{:?}", editor.messages);
    assert!(editor.messages[0].starts_with("bad message: textDocument/didOpen: "), "{:?}", editor.messages);
}

#[test]
fn crawlers_and_codes_are_completed() {
    let mut editor = editor(&Value::Null);
    for (text, label, detail, replaced) in [
        ("User-agent: GPT‸Bo # x\n", "GPTBot", "OpenAI: ai-training", range(0, 12, 0, 17)),
        ("User-agent:‸\n", "*", "all crawlers that no other group names", range(0, 11, 0, 11)),
        (
            "# é robotsc: ignore\n# robotsc: ignore dead‸\n",
            "dead-pattern",
            "a pattern that starts with",
            range(1, 18, 1, 22),
        ),
    ] {
        editor.open(text);
        let list = editor.request("textDocument/completion", &editor.at_cursor(&Value::Null)).expect("a list");
        let items = list["items"].as_array().expect("a list");
        let item = items.iter().find(|item| item["label"] == label).expect(label);
        assert!(item["detail"].as_str().is_some_and(|text| text.starts_with(detail)), "{item}");
        assert_eq!(item["textEdit"]["range"], replaced);
    }
    editor.open("# robotsc: ignore dead-pattern rea‸\n");
    let list = editor.request("textDocument/completion", &editor.at_cursor(&Value::Null)).expect("a list");
    assert_eq!(list["items"], json!([]));
}

#[test]
fn tokens_of_long_lines() {
    let mut editor = editor(&Value::Null);
    // Each pair is two tokens. To count each from the start of the line took minutes.
    editor.open(&format!("User-agent: *\nDisallow: /{}\n", "*a".repeat(20_000)));
    let start = Instant::now();
    let tokens = editor.request("textDocument/semanticTokens/full", &editor.at_cursor(&Value::Null)).expect("tokens");
    assert!(tokens["data"].as_array().is_some_and(|data| data.len() > 5 * 15_000));
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    // Google cuts a long value, here within a character.
    for shift in ["", "x"] {
        for line in ["Content-Usage: x", "Content-Usage: /", "Disallow: /", "Sitemap: /", "User-agent: x"] {
            editor.open(&format!("User-agent: *\n{line}{shift}{}\n", "é".repeat(9000)));
            let params = editor.at_cursor(&Value::Null);
            let tokens = editor.request("textDocument/semanticTokens/full", &params).expect("tokens");
            support::shown_answer(&editor, "textDocument/semanticTokens/full", &tokens);
        }
    }
}

#[test]
fn answers_are_not_much_longer_than_the_file() {
    let mut editor = editor(&json!({ "textDocument": { "publishDiagnostics": { "relatedInformation": true } } }));
    let (long, rules) = ("/x".repeat(4000), "Disallow: /a\nAllow: /a\n".repeat(500));
    editor.open(&format!("User-agent: {}\nDisallow: {long}\nDisallow: {long}\n{rules}", "x".repeat(4000)));
    let found = editor.diagnostics().to_string();
    assert!(found.contains("relatedInformation") && found.len() < 2_000_000, "{}", found.len());
    let symbols = editor.request("textDocument/documentSymbol", &editor.at_cursor(&Value::Null)).expect("a list");
    assert!(symbols.to_string().len() < 500_000, "{}", symbols.to_string().len());
}

/// A program whose files never come, as a named pipe without a writer.
struct Stuck;

impl Host for Stuck {
    fn default_checks(&self) -> Checks {
        Checks::default()
    }

    fn project_checks(&self, _: &Path) -> Result<Option<Checks>, String> {
        loop {
            std::thread::park();
        }
    }

    fn sitemap_urls(&self, _: &Path) -> Result<Vec<Vec<u8>>, String> {
        self.project_checks(Path::new("")).map(|_| Vec::new())
    }
}

#[test]
fn a_file_that_cannot_be_read_to_its_end_does_not_stop_the_session() {
    let mut editor = Editor::new(connect_to(Stuck), &Value::Null, &json!({ "sitemaps": ["x.xml"] }));
    editor.open("User-agent: *\nDisallow: /a\n");
    editor.begin("textDocument/hover", &editor.at_cursor(&Value::Null));
    editor.begin("textDocument/completion", &editor.at_cursor(&Value::Null));
    editor.change(&json!([{ "range": range(0, 0, 0, 0), "text": "# x\n" }]));
    editor.notify("textDocument/didSave", &json!({ "textDocument": { "uri": "file:///srv/robotsc.toml" } }));
    assert_eq!(editor.close().server.join().expect("no panic"), Exit::Clean);
}

#[test]
fn only_a_saved_configuration_is_read_anew() {
    for (file, is_read) in [("robots.txt", false), ("robotsc.toml", true), ("site.txt", true), ("site.xml", false)] {
        let settings = json!({ "sitemaps": ["tests/site.txt"] });
        let mut editor = Editor::new(connect(), &Value::Null, &settings);
        editor.open("User-agent: *\nDisallow: cart\n");
        editor.diagnostics();
        editor.forget_published();
        editor.notify("textDocument/didSave", &json!({ "textDocument": { "uri": format!("file:///srv/{file}") } }));
        if is_read {
            assert_ne!(editor.diagnostics(), json!([]));
        } else {
            assert!(editor.request("textDocument/foldingRange", &editor.at_cursor(&Value::Null)).is_ok());
            assert!(editor.published().is_empty(), "{file}");
        }
    }
}

/// Parts of lines, some of them odd.
const PARTS: [&str; 22] = [
    "User-agent: ",
    "Disallow: ",
    "Allow:",
    "Sitemap: https://h/",
    "Content-Signal: ai-train=no,",
    "Content-Usage: ",
    "/",
    "*",
    "$",
    "é",
    "𝄞",
    "\n",
    "\r\n",
    "\r",
    "#",
    ":",
    " ",
    "FooBot",
    "=",
    "\u{0}",
    "\u{FFFD}",
    "crawl-delay: 1",
];

fn text() -> impl Strategy<Value = String> {
    vec(prop::sample::select(PARTS.to_vec()), 0..30).prop_map(|parts| parts.concat())
}

const METHODS: [&str; 9] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/codeAction",
    "textDocument/formatting",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// The server's document is that of the editor after any edits, and every range that it sends is inside.
    #[test]
    fn any_edits_and_requests(
        first in text(),
        edits in vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), text(), any::<bool>()), 0..12),
        requests in vec((prop::sample::select(METHODS.to_vec()), 0..9u32, 0..60u32), 0..12),
    ) {
        let mut editor = editor(&json!({ "textDocument": { "publishDiagnostics": { "relatedInformation": true } } }));
        editor.open(&first);
        for (one, other, text, is_whole) in edits {
            let boundaries = editor.model.boundaries();
            let (one, other) = (*one.get(&boundaries), *other.get(&boundaries));
            let [start, end] = [one.min(other), one.max(other)].map(|at| editor.model.position(at));
            let range = json!({ "start": start, "end": end });
            let mut change = json!({ "text": text });
            if !(is_whole && one == 0) {
                change["range"] = range;
            }
            editor.change(&json!([change]));
        }
        for (method, line, character) in requests {
            let position = json!({ "line": line, "character": character });
            let params = editor.at_cursor(&json!({
                "position": position, "range": { "start": position, "end": position }, "newName": "BarBot",
                "context": { "diagnostics": [], "triggerKind": 1 }, "options": { "tabSize": 4, "insertSpaces": true },
            }));
            match editor.request(method, &params) {
                Ok(result) => drop(support::shown_answer(&editor, method, &result)),
                // What cannot be renamed or formatted.
                Err(error) => prop_assert_eq!(&error["code"], &json!(-32803), "{}", error),
            }
        }
        let found = editor.diagnostics();
        for diagnostic in found.as_array().expect("a list") {
            editor.model.part(&diagnostic["range"]);
        }
        let options = editor.at_cursor(&json!({ "options": { "tabSize": 4, "insertSpaces": true } }));
        if let Ok(edits) = editor.request("textDocument/formatting", &options) {
            let wanted = formatted(editor.model.text().as_bytes()).body;
            prop_assert_eq!(editor.model.edited(&edits).text(), String::from_utf8(wanted).expect("text"));
        }
        prop_assert_eq!(editor.close().server.join().expect("no panic"), Exit::Clean);
    }
}

/// Prints how long it takes from a keystroke to diagnostics: `cargo test --release -p robotsc-lsp --test server -- \
/// --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn time_from_a_keystroke_to_diagnostics() {
    for kilobytes in [10, 100, 500] {
        let mut text = String::from("User-agent: *\n");
        let mut number = 0;
        while text.len() < kilobytes * 1000 {
            number += 1;
            text.push_str(&format!("Disallow: /shop/{number}/*?page={number}\nAllow: /shop/{number}/help\n"));
        }
        let mut editor = editor(&Value::Null);
        editor.open(&text);
        editor.diagnostics();
        let mut times: Vec<u128> = (0..20)
            .map(|_| {
                let start = Instant::now();
                editor.change(&json!([{ "range": range(1, 10, 1, 10), "text": "/x" }]));
                editor.diagnostics();
                start.elapsed().as_millis()
            })
            .collect();
        times.sort_unstable();
        println!("{kilobytes} kB: median {} ms, maximum {} ms", times[times.len() / 2], times[times.len() - 1]);
    }
}
