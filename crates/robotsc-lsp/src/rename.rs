//! Another name for a crawler, on all lines that name it.
//!
//! ```text
//! User-agent: FooBot/2.1        User-agent: BarBot/2.1      the version stays
//! User-agent: foobot            User-agent: BarBot          one name in any case
//! ```

use std::collections::BTreeSet;
use std::ops::Range as Bytes;

use gen_lsp_types::{Position, PrepareRenamePlaceholder, PrepareRenameResult, TextEdit, WorkspaceEdit};
use lsp_server::{ErrorCode, ResponseError};
use robotsc::robots_txt::AgentLine;
use robotsc::{AgentName, RobotsTxt};

use crate::client::Client;
use crate::document::Document;
use crate::edits;
use crate::items::{Item, item};
use crate::positions::Positions;
use crate::worker::error;

/// Returns the name at a position, or `None` if no crawler is named there.
pub(crate) fn prepared(document: &Document, position: Position) -> Option<PrepareRenameResult> {
    let positions = document.positions();
    let robots = document.robots();
    let agent = agent_at(&robots, &positions, position)?;
    let bytes = name(&robots, agent)?;
    let placeholder = document.text.get(bytes.clone())?.to_owned();
    Some(PrepareRenamePlaceholder { range: positions.range(bytes), placeholder }.into())
}

/// Returns the edit that renames the crawler at a position.
///
/// # Errors
/// If none is named there, or the new name is none, or is in the file already.
pub(crate) fn renamed(
    document: &Document,
    position: Position,
    new_name: &str,
    client: &Client,
) -> Result<WorkspaceEdit, ResponseError> {
    let failed = |message: String| error(ErrorCode::RequestFailed, &message);
    let positions = document.positions();
    let robots = document.robots();
    let agent = agent_at(&robots, &positions, position)
        .ok_or_else(|| failed("nothing to rename: the line names no crawler: choose a `User-agent` line".to_owned()))?;
    if agent.is_star {
        return Err(failed("cannot rename `*`: it means all other crawlers: write a `User-agent` line".to_owned()));
    }
    if AgentName::new(new_name).is_err() {
        return Err(failed(format!("bad name: {new_name:?}: write one word without a version, such as `FooBot`")));
    }
    let text = |agent: &AgentLine| Some(robots.body()[name(&robots, agent)?].to_ascii_lowercase());
    let old_name = text(agent).ok_or_else(|| {
        failed("nothing to rename: the line names no crawler: write a name that starts with a letter".to_owned())
    })?;
    let is_same = |other: &&AgentLine| text(other).as_ref() == Some(&old_name);
    // The file with the new name alone: what its line has for keys, any other line must not have.
    let probe = format!("User-agent: {new_name}\n");
    let probe = RobotsTxt::parse_with(probe.as_bytes(), robots.dialect());
    let new_keys: BTreeSet<Vec<u8>> = probe.agents().iter().flat_map(|agent| probe.agent_keys(agent)).collect();
    if new_keys.is_empty() {
        return Err(failed(format!(
            "bad name: {new_name:?}: under {} a `User-agent` line with it names no crawler",
            robots.dialect().name
        )));
    }
    let is_taken = |other: &&AgentLine| !is_same(other) && robots.agent_keys(other).any(|key| new_keys.contains(&key));
    if let Some(taken) = robots.agents().iter().find(is_taken) {
        return Err(failed(format!(
            "cannot rename to {new_name:?}: line {} names it already, and its rules would be merged with these: edit \
             the lines",
            taken.line
        )));
    }
    let names = robots.agents().iter().filter(is_same).filter_map(|agent| name(&robots, agent));
    let edit = |bytes: Bytes<usize>| TextEdit { range: positions.range(bytes), new_text: new_name.to_owned() };
    Ok(edits::of_document(document, names.map(edit).collect(), client.knows_versions))
}

fn agent_at<'r>(robots: &'r RobotsTxt<'_>, positions: &Positions<'_>, position: Position) -> Option<&'r AgentLine> {
    let offset = positions.offset(position);
    match item(robots, positions.position(offset).line + 1)? {
        Item::Agent(agent) if (agent.value.start as usize..=agent.value.end as usize).contains(&offset) => Some(agent),
        _ => None,
    }
}

/// Returns where the name of a line is: without a version or a comment after it.
fn name(robots: &RobotsTxt<'_>, agent: &AgentLine) -> Option<Bytes<usize>> {
    if agent.is_star {
        return None;
    }
    let written = agent.written(robots.body());
    let start = agent.value.start as usize;
    let is_name = AgentName::of_group(written).is_ok();
    match agent.token.is_empty() {
        // `MJ12bot` is a name as well, though some dialects read `MJ` alone.
        _ if is_name => Some(start..start + written.len()),
        false => Some(agent.token.start as usize..agent.token.end as usize),
        true => None,
    }
}
