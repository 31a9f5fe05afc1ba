//! What a person reads about the text under the pointer.

mod agent;
mod directive;
mod markdown;
mod name;
mod pattern;
mod record;
mod register;
mod rule;

use gen_lsp_types::{Contents, Hover, Position};

use crate::document::Document;
use crate::items::{Item, LineParts, item};

/// Returns what is known about a position, or `None`.
///
/// Cost: linear in the file, and for a rule the searches that a budget of some 50 ms allows. Never panics.
pub(crate) fn hover(document: &Document, position: Position, has_markdown: bool) -> Option<Hover> {
    let positions = document.positions();
    let offset = positions.offset(position);
    let line = positions.position(offset).line;
    let parts = LineParts::new(&document.text, &positions, line);
    let robots = document.robots();
    let item = item(&robots, line + 1);
    let (bytes, text) =
        if parts.value.start < parts.value.end && parts.value.start <= offset && offset <= parts.value.end {
            let text = match item? {
                Item::Agent(agent) => agent::hover(&robots, agent),
                Item::Rule(rule) => rule::hover(&robots, rule),
                Item::Record(record) => record::hover(&robots, record)?,
            };
            (parts.value, text)
        } else if parts.key.start < parts.key.end && parts.key.start <= offset && offset <= parts.key.end {
            (parts.key.clone(), directive::hover(document, item, &document.text[parts.key], line + 1)?)
        } else {
            return None;
        };
    let contents = Contents::MarkupContent(content(text, has_markdown));
    Some(Hover { contents, range: Some(positions.range(bytes)) })
}

pub(crate) use agent::describe as describe_agent;
pub(crate) use directive::Directive;
pub(crate) use markdown::content;
pub(crate) use record::{level_in_words, use_in_words};
