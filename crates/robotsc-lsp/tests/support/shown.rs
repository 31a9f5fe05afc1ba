//! Answers as lines of text.

use serde_json::Value;

use super::Model;

/// Returns a range as `line:character-line:character`, from 0, with the text that it covers.
fn range(model: &Model, range: &Value) -> String {
    let at = |position: &Value| format!("{}:{}", position["line"], position["character"]);
    let text = model.part(range).replace('\r', "␍").replace('\n', "␊");
    format!("{}-{} `{text}`", at(&range["start"]), at(&range["end"]))
}

/// Returns diagnostics, one on a line with its place, and what belongs to it below.
pub(crate) fn diagnostics(model: &Model, found: &Value) -> String {
    let mut lines = Vec::new();
    for diagnostic in found.as_array().expect("a list") {
        let severity =
            ["error", "warning", "info", "hint"][diagnostic["severity"].as_u64().expect("a number") as usize - 1];
        let tag = match diagnostic["tags"][0].as_u64() {
            Some(1) => " (unnecessary)",
            Some(2) => " (deprecated)",
            _ => "",
        };
        let code = diagnostic["code"].as_str().unwrap_or("-");
        lines.push(format!("{} {severity} {code}{tag}", range(model, &diagnostic["range"])));
        lines.extend(text(&diagnostic["message"]).lines().map(|line| format!("    {line}")));
        for related in diagnostic["relatedInformation"].as_array().into_iter().flatten() {
            range(model, &related["location"]["range"]);
            lines.push(format!("    see {}", text(&related["message"])));
        }
    }
    joined(lines)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn joined(lines: Vec<String>) -> String {
    if lines.is_empty() { "nothing".to_owned() } else { lines.join("\n") }
}

/// Returns the result of a request in a form that fits the method.
pub(crate) fn answer(model: &Model, method: &str, result: &Value) -> String {
    if result.is_null() {
        return "nothing".to_owned();
    }
    match method {
        "textDocument/hover" => {
            format!("{}\n{}", range(model, &result["range"]), text(&result["contents"]["value"]))
        }
        "textDocument/diagnostic" => diagnostics(model, &result["items"]),
        "textDocument/completion" => joined(list(&result["items"], |item| {
            let edit = &item["textEdit"];
            let tag = if item["tags"][0] == 1 { " (deprecated)" } else { "" };
            let place = range(model, &edit["range"]);
            format!(
                "{}{tag} | {} | {place} -> `{}`",
                text(&item["label"]),
                text(&item["detail"]),
                text(&edit["newText"])
            )
        })),
        "textDocument/prepareRename" => format!("{} {}", range(model, &result["range"]), text(&result["placeholder"])),
        "textDocument/rename" | "textDocument/formatting" => edited(model, result),
        "textDocument/codeAction" => joined(list(result, |action| {
            let preferred = if action["isPreferred"] == true { " *" } else { "" };
            let kind = text(&action["kind"]);
            match action.get("edit") {
                Some(edit) => {
                    format!("{}{preferred} [{kind}]\n{}", text(&action["title"]), indented(&edited(model, edit)))
                }
                None => format!("{}{preferred} [{kind}], resolved later", text(&action["title"])),
            }
        })),
        "codeAction/resolve" => edited(model, &result["edit"]),
        "textDocument/documentSymbol" => joined(symbols(model, result, "")),
        "textDocument/foldingRange" => joined(list(result, |fold| {
            format!("{}-{} {}", fold["startLine"], fold["endLine"], fold["kind"].as_str().unwrap_or("group"))
        })),
        "textDocument/semanticTokens/full" => joined(tokens(model, result)),
        _ => serde_json::to_string_pretty(result).expect("JSON"),
    }
}

fn list(items: &Value, shown: impl FnMut(&Value) -> String) -> Vec<String> {
    items.as_array().expect("a list").iter().map(shown).collect()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

/// Returns the text after edits.
fn edited(model: &Model, edit: &Value) -> String {
    let edits = if edit.is_array() {
        edit
    } else if let Some(change) = edit["documentChanges"].get(0) {
        &change["edits"]
    } else {
        &edit["changes"][super::URI]
    };
    model.edited(edits).text().replace('\r', "␍").trim_end_matches('\n').to_owned()
}

fn symbols(model: &Model, list: &Value, indent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for symbol in list.as_array().expect("a list") {
        let detail = symbol["detail"].as_str().map_or_else(String::new, |detail| format!(" ({detail})"));
        let range = symbol.get("range").unwrap_or(&symbol["location"]["range"]);
        model.part(range);
        let rows = format!("{}-{}", range["start"]["line"], range["end"]["line"]);
        lines.push(format!("{indent}{rows} {}{detail}", text(&symbol["name"])));
        if symbol["children"].is_array() {
            lines.extend(symbols(model, &symbol["children"], &format!("{indent}  ")));
        }
    }
    lines
}

fn tokens(model: &Model, result: &Value) -> Vec<String> {
    const KINDS: [&str; 8] = ["keyword", "class", "string", "operator", "number", "comment", "property", "enumMember"];
    let numbers: Vec<u64> =
        list(&result["data"], ToString::to_string).iter().map(|n| n.parse().expect("a number")).collect();
    let (mut line, mut start) = (0, 0);
    let mut lines = Vec::new();
    for token in numbers.chunks(5) {
        start = if token[0] == 0 { start + token[1] } else { token[1] };
        line += token[0];
        let at = |character: u64| serde_json::json!({ "line": line, "character": character });
        let range = serde_json::json!({ "start": at(start), "end": at(start + token[2]) });
        lines.push(format!("{line}:{start} {} `{}`", KINDS[token[3] as usize], model.part(&range)));
    }
    lines
}
