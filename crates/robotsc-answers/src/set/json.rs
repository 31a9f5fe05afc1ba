//! A file with a block as JSON: the text, what is proved of it, and what robots.txt cannot do.

use robotsc_analysis::words::{counted, listed};
use serde_json::{Map, Value, json};

use super::{After, Block, Declaration, lost_with};
use crate::shown;

/// Returns a file with the block of a policy, and what was done.
#[must_use]
pub fn after(before: &[u8], after: &After) -> Map<String, Value> {
    let mut object = body(before, &after.body);
    let names = |members: &[super::Member]| members.iter().map(|member| member.name.as_str()).collect::<Value>();
    let notes = after.limits();
    let notes = notes.iter().map(|limit| json!({ "agents": limit.agents, "note": limit.what }));
    object.insert("policy".to_owned(), of_declaration(&after.declaration));
    object.insert("denied".to_owned(), names(&after.choice.denied));
    object.insert("allowed".to_owned(), names(&after.choice.allowed));
    object.insert("opened".to_owned(), json!(after.opened));
    object.insert("kept".to_owned(), json!(after.kept));
    object.insert("removed_lines".to_owned(), json!(after.moved));
    object.insert("proved".to_owned(), proved(after).into());
    object.insert("notes".to_owned(), notes.collect());
    object
}

/// Returns a file without its block.
#[must_use]
pub fn removed(before: &[u8], after: &[u8]) -> Map<String, Value> {
    let mut object = body(before, after);
    object.insert("policy".to_owned(), Value::Null);
    for list in ["denied", "allowed", "opened", "kept", "removed_lines", "proved"] {
        object.insert(list.to_owned(), json!([]));
    }
    let notes = Block::find(before).ok().flatten().as_ref().and_then(lost_with);
    object.insert("notes".to_owned(), notes.into_iter().map(|note| json!({ "agents": [], "note": note })).collect());
    object
}

/// Returns the text of a file, and where its block is.
fn body(before: &[u8], after: &[u8]) -> Map<String, Value> {
    let mut object = Map::new();
    let block = Block::find(after).ok().flatten();
    shown::put(&mut object, "text", after);
    object.insert("changed".to_owned(), (before != after).into());
    let lines = block.map(|block| json!({ "first": block.lines.start, "last": block.lines.end - 1 }));
    object.insert("block".to_owned(), lines.into());
    object
}

fn of_declaration(declaration: &Declaration) -> Value {
    let Declaration { deny, allow, disallow, content_usage, content_signal } = declaration;
    json!({
        "deny": deny,
        "allow": allow,
        "disallow": disallow,
        "content_usage": content_usage,
        "content_signal": content_signal,
    })
}

/// Returns what is proved of a file with a block, as sentences. All hold for every path under every dialect.
#[must_use]
pub fn proved(after: &After) -> Vec<String> {
    let After { declaration, choice, .. } = after;
    let mut proved = Vec::new();
    let verb = |number: usize, one: &'static str, more: &'static str| if number == 1 { one } else { more };
    let number = choice.denied.len();
    if number > 0 {
        proved.push(format!(
            "{} that {} denied may fetch nothing",
            counted(number, "crawler"),
            verb(number, "is", "are")
        ));
    }
    let number = choice.allowed.len();
    if number > 0 {
        proved.push(format!(
            "{} that {} allowed {} what {}, without rules that close the whole site",
            counted(number, "crawler"),
            verb(number, "is", "are"),
            verb(number, "obeys", "obey"),
            verb(number, "it obeyed", "they obeyed"),
        ));
    }
    if !declaration.disallow.is_empty() {
        proved.push(format!("nobody may fetch {}", listed(&declaration.disallow)));
    }
    let stated: Vec<String> =
        [&declaration.content_usage, &declaration.content_signal].into_iter().flatten().cloned().collect();
    if !stated.is_empty() {
        proved.push(format!("`{}` reaches every crawler", stated.join("` and `")));
    }
    let rest =
        if declaration.disallow.is_empty() && stated.is_empty() { "" } else { " but for what is for every crawler" };
    proved.push(format!(
        "nothing else changes{rest}: all other crawlers and names keep their verdicts, crawl delays and preferences"
    ));
    proved
}
