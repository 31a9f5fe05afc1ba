//! What `set` says on standard error: what was done, and what robots.txt cannot do.

use robotsc_analysis::words::counted;
use robotsc_answers::set::{After, Block, Limit, lost_with};

use super::{SetArgs, crawlers, named};
use crate::failure::complain;
use crate::io::source::Source;

/// The lines that went and are shown.
const MAX_LINES: usize = 5;

/// Says what was done.
pub(super) fn report(args: &SetArgs, source: &Source, body: &[u8], after: Option<&After>) {
    let name = &source.name;
    let would = if args.edit.writes() { "" } else { "would be " };
    let is_changed = body != source.bytes;
    let Some(after) = after else {
        let was = if args.edit.writes() { "was" } else { "would be" };
        let said = if is_changed { format!("the block {was} taken out") } else { "there is no block".to_owned() };
        complain(&format!("{name}: {said}"));
        if let Some(note) = Block::find(&source.bytes).ok().flatten().as_ref().and_then(lost_with) {
            complain(&format!("note: {note}"));
        }
        return;
    };
    let said = if is_changed { format!("{would}written") } else { "as the policy says".to_owned() };
    let choice = &after.choice;
    let mut parts = Vec::new();
    for (names, what) in [
        (choice.denied.len(), "denied"),
        (choice.allowed.len(), "allowed"),
        (after.kept.len(), "kept as before with a group"),
    ] {
        if names > 0 {
            parts.push(format!("{} {what}", counted(names, "crawler")));
        }
    }
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    complain(&format!("{name}: {said}{parts}"));
    if is_changed {
        let (old, new) = (named(&source.bytes), named(body));
        let only = |one: &[String], other: &[String]| -> Vec<String> {
            one.iter().filter(|name| !other.contains(name)).cloned().collect()
        };
        let is_renewed = !old.is_empty();
        for (names, what) in [(only(&new, &old), "new in the block"), (only(&old, &new), "no longer in the block")] {
            if is_renewed && !names.is_empty() {
                complain(&format!("{name}: {what}: {}", crawlers(&names)));
            }
        }
    }
    let (shown, rest) = after.moved.split_at(after.moved.len().min(MAX_LINES));
    for line in shown {
        complain(&format!("{name}: a line outside the block {would}removed: {line}"));
    }
    if !rest.is_empty() {
        complain(&format!("{name}: {} more {would}removed", counted(rest.len(), "line")));
    }
    for Limit { agents, what } in after.limits() {
        complain(&format!("note: {}: {what}", crawlers(&agents)));
    }
}
