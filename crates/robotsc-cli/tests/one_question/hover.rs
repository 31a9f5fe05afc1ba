//! What an editor says of the rule that decides: which known crawlers obey it though no group names them, and for which
//! it does not count.

use std::io::BufReader;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use lsp_server::{Message, Notification, Request, RequestId, Response};
use robotsc::agent::SelectionReason;
use robotsc::{AgentName, Crawler, RobotsTxt, bundled};
use serde_json::{Value, json};

use crate::table::{File, Table};

/// The rules of a file that are asked about.
const RULES: usize = 4;

struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: i32,
}

impl Editor {
    fn start(dialect: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
        command.args(["lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the command starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut editor = Self { input: child.stdin.take(), child, output, next: 0 };
        let options = json!({ "dialect": dialect });
        let params =
            json!({ "processId": null, "rootUri": null, "capabilities": {}, "initializationOptions": options });
        editor.ask("initialize", params);
        editor.notify("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: Message) {
        message.write(self.input.as_mut().expect("open")).expect("it reads");
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params }.into());
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Request { id: id.clone(), method: method.to_owned(), params }.into());
        loop {
            match Message::read(&mut self.output).expect("a message").expect("a message before the end") {
                Message::Response(answer) if answer.id == id => return answer.response_result.expect("an answer"),
                Message::Request(asked) => {
                    self.send(Response { id: asked.id, response_result: Ok(Value::Null) }.into());
                }
                _ => {}
            }
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.wait();
    }
}

/// Asks about some rules of each file.
pub(crate) fn check(table: &Table) {
    let mut asked = 0;
    for file in &table.files {
        // An editor keeps text.
        let Ok(text) = str::from_utf8(&file.body) else { continue };
        if text.contains('\r') || text.contains('\u{feff}') {
            continue;
        }
        let mut editor = Editor::start(file.dialect.name);
        let document =
            json!({ "uri": "file:///srv/robots.txt", "languageId": "robots-txt", "version": 1, "text": text });
        editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
        asked += ask_about_rules(&mut editor, file, text);
    }
    assert!(asked > 10, "{asked} rules were asked about");
    eprintln!("lsp: {asked} rules of {} files, 0 differences", table.files.len());
}

fn ask_about_rules(editor: &mut Editor, file: &File, text: &str) -> usize {
    let robots = RobotsTxt::parse_with(text.as_bytes(), file.dialect);
    let rules = robots.rules();
    let mut asked = 0;
    for rule in rules.iter().step_by(rules.len().div_ceil(RULES).max(1)) {
        let line_start = text[..rule.value.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let line = &text[line_start..rule.value.start as usize];
        let place = json!({ "line": rule.line - 1, "character": line.encode_utf16().count() });
        let params = json!({ "textDocument": { "uri": "file:///srv/robots.txt" }, "position": place });
        let said =
            editor.ask("textDocument/hover", params)["contents"]["value"].as_str().unwrap_or_default().to_owned();
        if said.contains("has no effect") || said.contains("matches no path") || said.is_empty() {
            continue;
        }
        asked += 1;
        let has_rule = |crawler: &Crawler| {
            let groups = robots.select(crawler).groups;
            groups
                .iter()
                .any(|id| robots.rules_of(&robots.groups()[id.0 as usize]).iter().any(|own| own.line == rule.line))
        };
        let paragraph = |end: &str| said.split("\n\n").find(|paragraph| paragraph.contains(end)).unwrap_or_default();
        let [followers, exceptions] = ["since no group names", "It does not count for"].map(paragraph);
        for known in bundled::agents().iter().filter(|known| !known.retired) {
            let (documented, name) = (known.crawler(), AgentName::new(known.token).expect("a name"));
            let alone = robots.select(&Crawler::from(name));
            let is_named = matches!(alone.reason, SelectionReason::Named(_));
            let listed = |list: &str| {
                let is_in = |char: char| char.is_ascii_alphanumeric() || "-_.!+~".contains(char);
                list.split(|char| !is_in(char)).any(|word| word.trim_end_matches('.') == known.token)
            };
            // By a fallback; what `*` says of agents that no group names is said without their names.
            let follows = !is_named && matches!(robots.select(&documented).reason, SelectionReason::Named(_));
            let is_exception = !is_named && documented.is_named_only() && has_rule(&Crawler::others());
            assert_eq!(listed(followers), follows && has_rule(&documented), "{}: {}: {said}", file.source, known.token);
            assert_eq!(listed(exceptions), is_exception, "{}: {}: {said}", file.source, known.token);
        }
    }
    asked
}
