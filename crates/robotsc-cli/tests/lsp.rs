//! `robotsc lsp` as an editor runs it: the real command, its standard input and output, its exit code.
#![cfg(feature = "lsp")]

#[path = "../../robotsc-lsp/tests/support/mod.rs"]
mod support;

use std::fs;
use std::io::{BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use lsp_server::Message;
use serde_json::{Value, json};
use support::{Channel, Editor, run_all};

/// The command, running.
struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
        command.args(["lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { input: child.stdin.take(), child, output }
    }

    fn write(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("open").write_all(bytes).expect("written");
    }

    /// Closes the input, and returns the exit code and standard error.
    fn end(mut self) -> (Option<i32>, String) {
        self.input = None;
        let mut said = String::new();
        self.child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
        (self.child.wait().expect("an end").code(), said)
    }
}

impl Channel for Server {
    fn send(&mut self, message: Message) {
        message.write(self.input.as_mut().expect("open")).expect("written");
    }

    fn receive(&mut self) -> Message {
        Message::read(&mut self.output).expect("a message").expect("a message before the end")
    }
}

fn framed(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

#[test]
fn transcripts() {
    run_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../robotsc-lsp/tests/transcripts"), Server::start);
}

#[test]
fn exit_codes() {
    let editor = Editor::new(Server::start(), &Value::Null, &Value::Null);
    assert_eq!(editor.close().end(), (Some(0), String::new()));

    let mut without_shutdown = Server::start();
    without_shutdown.write(&framed(r#"{"jsonrpc":"2.0","method":"exit"}"#));
    assert_eq!(without_shutdown.end(), (Some(1), String::new()));

    // The editor crashed.
    assert_eq!(Server::start().end(), (Some(1), String::new()));

    let mut other = Server::start();
    other.write(b"User-agent: *\nDisallow: /\n\n");
    let (code, said) = other.end();
    assert_eq!(code, Some(2), "{said}");
    assert!(said.starts_with("robotsc: bad message: the editor: "), "{said}");
}

#[test]
fn messages_that_cannot_be_read_are_answered() {
    let mut editor = Editor::new(Server::start(), &Value::Null, &Value::Null);
    // Half of a character, as an editor sends it that keeps text as UTF-16.
    editor.open("User-agent: *\nDisallow: /x\n");
    editor.diagnostics();
    editor.send_raw(|server| {
        server.write(&framed("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": "));
        let mut answer = Vec::new();
        while !answer.ends_with(b"}}") {
            let mut byte = [0];
            server.output.read_exact(&mut byte).expect("a byte");
            answer.push(byte[0]);
        }
        let answer = String::from_utf8(answer).expect("text");
        assert!(answer.contains("\"code\":-32700") && answer.contains("\"id\":null"), "{answer}");
        let place = r#"{"line":1,"character":12}"#;
        let change = format!(r#"{{"range":{{"start":{place},"end":{place}}},"text":"\ud834 y"}}"#);
        let document = r#"{"uri":"file:///srv/robots.txt","version":2}"#;
        server.write(&framed(&format!(
            r#"{{"jsonrpc":"2.0","method":"textDocument/didChange",
                 "params":{{"textDocument":{document},"contentChanges":[{change}]}}}}"#
        )));
    });
    editor.change_model(&json!({ "range": place(12), "text": "\u{FFFD} y" }));
    let found = editor.diagnostics();
    assert_eq!(found[0]["range"]["end"]["character"], 15);
    // The mark in place of a character, and the blank after it.
    let found: Vec<_> = found.as_array().expect("a list").iter().map(|found| &found["code"]).collect();
    assert_eq!(found, ["not-utf8", "space-in-pattern"]);
    assert_eq!(editor.close().end().0, Some(0));
}

fn place(character: u32) -> Value {
    json!({ "start": { "line": 1, "character": character }, "end": { "line": 1, "character": character } })
}

#[test]
fn options_of_the_project() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = folder.path().join("a site");
    fs::create_dir(&site).expect("a folder");
    let config = folder.path().join("robotsc.toml");
    let uri = format!("file://{}/robots.txt", site.display()).replace(' ', "%20");
    for (text, codes, message) in [
        ("", &["dead-pattern", "rule-duplicate"][..], None),
        ("[lint]\nignore = [\"dead-pattern\"]\n", &["rule-duplicate"], None),
        ("[lint]\ndialect = \"google-2017\"\n", &["rule-duplicate"], None),
        (
            "[lint]\nignore = [\"no-such\"]\n",
            &["dead-pattern", "rule-duplicate"],
            Some("robotsc.toml: line 2: 'robotsc lint --explain' lists the checks"),
        ),
        ("[lints]\n", &["dead-pattern", "rule-duplicate"], Some("robotsc.toml: line 1: unknown field `lints`")),
    ] {
        fs::write(&config, text).expect("written");
        let mut editor = Editor::new(Server::start(), &Value::Null, &Value::Null);
        editor.open_as(&uri, "User-agent: *\nDisallow: cart\nDisallow: /a\nDisallow: /a\n");
        let found = editor.diagnostics();
        let found: Vec<_> = found.as_array().expect("a list").iter().map(|found| found["code"].clone()).collect();
        assert_eq!(found, codes, "{text}");
        assert_eq!(editor.messages.len(), usize::from(message.is_some()), "{:?}", editor.messages);
        assert!(message.is_none_or(|message| editor.messages[0].contains(message)), "{:?}", editor.messages);
        editor.close().end();
    }
}

/// The actions that rewrite the file, and the text after one of them.
#[test]
fn what_set_writes_is_offered() {
    let folder = tempfile::tempdir().expect("a folder");
    let uri = format!("file://{}/robots.txt", folder.path().display());
    let resolves = json!({ "textDocument": { "codeAction": { "resolveSupport": { "properties": ["edit"] } } } });
    let start = place(0)["start"].clone();
    let actions = |text: &str, trigger: u32| {
        let mut editor = Editor::new(Server::start(), &resolves, &Value::Null);
        editor.open_as(&uri, text);
        let context = json!({ "diagnostics": [], "only": ["refactor"], "triggerKind": trigger });
        let range = json!({ "start": start, "end": start });
        let asked = json!({ "textDocument": { "uri": uri }, "range": range, "context": context });
        let found = editor.request("textDocument/codeAction", &asked).expect("an answer");
        (editor, found.as_array().cloned().unwrap_or_default())
    };
    let titles = |found: &[Value]| found.iter().map(|action| action["title"].clone()).collect::<Vec<_>>();
    let file = "User-agent: *\nDisallow: /cart\n";
    let (editor, found) = actions(file, 2);
    assert_eq!(titles(&found), [""; 0], "nobody asked");
    editor.close().end();

    let (mut editor, found) = actions(file, 1);
    let offered = ["Deny crawlers for AI training", "Deny crawlers for AI training and AI search"];
    assert_eq!(titles(&found), offered.map(|title| format!("{title} (robotsc set)")));
    let resolved = editor.request("codeAction/resolve", &found[0]).expect("an edit");
    let edits = resolved["edit"]["changes"][&uri].as_array().expect("edits").clone();
    let block = edits[0]["newText"].as_str().expect("text").to_owned();
    assert!(edits.len() == 1 && block.contains("# deny: ai-training\n") && block.contains("GPTBot"), "{block}");
    let gone = json!({ "title": "x", "data": { "uri": uri, "rewrite": "block" } });
    let error = editor.request("codeAction/resolve", &gone).expect_err("no block");
    assert_eq!(error["message"], "cannot set: the file has changed: choose the action again");
    editor.close().end();

    let written = format!("{file}{block}");
    let (editor, found) = actions(&written, 1);
    assert_eq!(titles(&found), ["Renew the policy of the block (robotsc set)"]);
    editor.close().end();
    // Somebody edited it.
    let (mut editor, found) = actions(&written.replace("User-agent: GPTBot\n", ""), 1);
    let error = editor.request("codeAction/resolve", &found[0]).expect_err("an edited block");
    assert!(
        error["message"].as_str().expect("text").starts_with("cannot set: line 4: the block was edited"),
        "{error}"
    );
    editor.close().end();

    fs::write(folder.path().join("robotsc.toml"), "[set]\ndisallow = [\"/members/\"]\n").expect("written");
    let (mut editor, found) = actions(file, 1);
    assert_eq!(titles(&found), ["Write the policy of robotsc.toml (robotsc set)"]);
    let resolved = editor.request("codeAction/resolve", &found[0]).expect("an edit");
    assert!(resolved.to_string().contains("Disallow: /members/"), "{resolved}");
    editor.close().end();
}
