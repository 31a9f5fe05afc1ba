//! Sessions as text files: what an editor sends, and what comes back.
//!
//! ```text
//! == a rule
//! -- open
//! User-agent: *
//! Disallow: /ca‸rt
//! -- request textDocument/hover
//! 1:10-1:15 `/cart`
//! **Disallow** …
//! ```
//! `‸` is the cursor, `␍` a CR, `␄` the end of the text. `UPDATE_GOLDEN=1` writes the answers anew.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{Channel, Editor, shown};

/// A step of a session: a line that starts with `-- `, and the lines below it.
struct Step {
    command: String,
    text: String,
}

/// Runs all transcripts, each case in a session of its own.
pub(crate) fn run_all<C: Channel>(folder: &Path, mut connect: impl FnMut() -> C) {
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let mut wrong = String::new();
    for file in &files {
        let before = fs::read_to_string(file).expect("text");
        let mut after = String::new();
        for case in before.split("\n== ") {
            let (title, steps) = case.split_once('\n').unwrap_or((case, ""));
            let title = title.strip_prefix("== ").unwrap_or(title);
            let _ = write!(after, "{}== {title}\n{}", if after.is_empty() { "" } else { "\n" }, run(steps, connect()));
        }
        if after.trim_end() == before.trim_end() {
            continue;
        }
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(file, after).expect("written");
        } else {
            let _ = writeln!(wrong, "{}: wanted\n{before}\nfound\n{after}", file.display());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Runs the steps of a case, and returns them with the answers.
fn run<C: Channel>(steps: &str, channel: C) -> String {
    let mut channel = Some(channel);
    let mut editor: Option<Editor<C>> = None;
    let (mut capabilities, mut settings) = (Value::Null, Value::Null);
    let mut out = String::new();
    for Step { command, text } in read(steps) {
        let (name, rest) = command.split_once(' ').unwrap_or((&command, ""));
        let json = || serde_json::from_str::<Value>(rest).unwrap_or_else(|error| panic!("{command}: {error}"));
        let _ = writeln!(out, "-- {command}");
        match name {
            "client" => capabilities = json(),
            "settings" => settings = json(),
            "open" => {
                let editor = editor
                    .get_or_insert_with(|| Editor::new(channel.take().expect("one session"), &capabilities, &settings));
                editor.open(&text);
                out.push_str(&text);
            }
            _ => {
                let editor = editor.as_mut().expect("`-- open` comes first");
                let answer = match name {
                    "change" => {
                        editor.change(&json());
                        editor.model.text().replace('\r', "␍").trim_end_matches('\n').to_owned()
                    }
                    "diagnostics" => {
                        let found = editor.diagnostics();
                        shown::diagnostics(&editor.model, &found)
                    }
                    "messages" => editor.messages.join("\n"),
                    "request" => {
                        let (method, more) = rest.split_once(' ').unwrap_or((rest, "{}"));
                        let more = serde_json::from_str(more).unwrap_or_else(|error| panic!("{command}: {error}"));
                        request(editor, method, &more)
                    }
                    other => panic!("no such step: {other}"),
                };
                let _ = writeln!(out, "{answer}");
            }
        }
    }
    if let Some(editor) = editor {
        editor.close();
    }
    out
}

fn request<C: Channel>(editor: &mut Editor<C>, method: &str, more: &Value) -> String {
    let mut params = editor.at_cursor(more);
    if method == "textDocument/codeAction" {
        let at = &editor.cursor.position;
        params["range"] = serde_json::json!({ "start": at, "end": at });
        if params["context"].is_null() {
            params["context"] = serde_json::json!({ "diagnostics": [] });
        }
    }
    match editor.request(method, &params) {
        Ok(result) => shown::answer(&editor.model, method, &result),
        Err(error) => format!("error {}: {}", error["code"], error["message"].as_str().unwrap_or_default()),
    }
}

/// Reads the steps of a case.
fn read(case: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in case.lines() {
        match (line.strip_prefix("-- "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step { command: command.to_owned(), text: String::new() }),
            (None, Some(step)) => {
                step.text.push_str(line);
                step.text.push('\n');
            }
            (None, None) => {}
        }
    }
    steps
}
