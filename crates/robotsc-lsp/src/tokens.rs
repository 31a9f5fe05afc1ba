//! Colours: what each part of a line is.
//!
//! ```text
//! Disallow: /a*.pdf$   # old
//! keyword   string operator string operator   comment
//! ```

use std::ops::Range as Bytes;

use gen_lsp_types::{SemanticToken, SemanticTokens, SemanticTokensLegend};
use robotsc::record::RecordKind;

use crate::document::Document;
use crate::items::{Item, LineParts, items, trimmed};
use crate::positions::{Positions, Walk, floored};

/// A kind of token: an index of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
enum Kind {
    Directive,
    Agent,
    Pattern,
    Wildcard,
    Number,
    Comment,
    Label,
    Value,
}

/// Returns the names of the kinds, which are of the protocol, so that every theme has a colour for them.
pub(crate) fn legend() -> SemanticTokensLegend {
    let names = ["keyword", "class", "string", "operator", "number", "comment", "property", "enumMember"];
    SemanticTokensLegend { token_types: names.map(str::to_owned).to_vec(), token_modifiers: Vec::new() }
}

/// Returns the tokens of a document. A line of which the dialect makes nothing has none but its comment.
///
/// Cost: linear.
pub(crate) fn tokens(document: &Document) -> SemanticTokens {
    let text = document.text.as_str();
    let positions = document.positions();
    let robots = document.robots();
    let items = items(&robots);
    let mut items = items.iter().peekable();
    let mut found: Vec<(Bytes<usize>, Kind)> = Vec::new();
    for line in 0..positions.lines.count() {
        let parts = LineParts::new(text, &positions, line);
        let mut item = None;
        while let Some(next) = items.next_if(|item| item.line() <= line + 1) {
            item = Some(next).filter(|item| item.line() == line + 1);
        }
        if let Some(item) = item.filter(|item| !is_unknown(item)) {
            // A dialect can cut a long value within a character.
            let [start, end] = [item.value().start, item.value().end].map(|at| floored(text, at as usize));
            let value = start..end;
            // Without a colon, the key ends before the value.
            let key = if parts.colon.is_some() { parts.key } else { trimmed(text, parts.key.start.min(start)..start) };
            found.push((key, Kind::Directive));
            of_value(text, item, value, &mut found);
        }
        found.extend(parts.comment.map(|comment| (comment, Kind::Comment)));
    }
    SemanticTokens { result_id: None, data: encoded(&positions, &found) }
}

/// Reports whether crawlers skip the line.
fn is_unknown(item: &Item<'_>) -> bool {
    matches!(item, Item::Record(record) if record.kind == RecordKind::Unknown)
}

/// Adds the tokens of a value.
fn of_value(text: &str, item: &Item<'_>, value: Bytes<usize>, found: &mut Vec<(Bytes<usize>, Kind)>) {
    match item {
        Item::Agent(agent) if agent.is_star => found.push((value, Kind::Wildcard)),
        Item::Agent(_) => found.push((value, Kind::Agent)),
        Item::Rule(_) => of_pattern(text, value, found),
        Item::Record(record) => match record.kind {
            RecordKind::CrawlDelay | RecordKind::RequestRate | RecordKind::VisitTime => {
                found.push((value, Kind::Number))
            }
            RecordKind::ContentSignal | RecordKind::ContentUsage => of_statement(text, value, found),
            RecordKind::Unknown | RecordKind::Unused | RecordKind::Noindex => {}
            _ => found.push((value, Kind::Pattern)),
        },
    }
}

/// Adds the tokens of a pattern: its wildcards, and the text between them.
fn of_pattern(text: &str, value: Bytes<usize>, found: &mut Vec<(Bytes<usize>, Kind)>) {
    let mut start = value.start;
    for (at, byte) in text.as_bytes()[value.clone()].iter().enumerate().map(|(at, byte)| (value.start + at, byte)) {
        if *byte == b'*' || (*byte == b'$' && at + 1 == value.end) {
            found.push((start..at, Kind::Pattern));
            found.push((at..at + 1, Kind::Wildcard));
            start = at + 1;
        }
    }
    found.push((start..value.end, Kind::Pattern));
}

/// Adds the tokens of preferences: `/blog/ train-ai=n, search=y`.
fn of_statement(text: &str, value: Bytes<usize>, found: &mut Vec<(Bytes<usize>, Kind)>) {
    let mut at = value.start;
    let statement = &text[value.clone()];
    if statement.starts_with(['/', '*']) {
        at = statement.find([' ', '\t']).map_or(value.end, |length| value.start + length);
        of_pattern(text, value.start..at, found);
    }
    for part in text[at..value.end].split(',') {
        let whole = trimmed(text, at..at + part.len());
        at += part.len() + 1;
        match text[whole.clone()].find('=') {
            Some(length) => {
                let equals = whole.start + length;
                found.push((trimmed(text, whole.start..equals), Kind::Label));
                found.push((trimmed(text, equals + 1..whole.end), Kind::Value));
            }
            None => found.push((whole, Kind::Label)),
        }
    }
}

/// Returns tokens as the protocol has them: each from the one before.
fn encoded(positions: &Positions<'_>, found: &[(Bytes<usize>, Kind)]) -> Vec<SemanticToken> {
    let mut walk = Walk::new(positions);
    let mut before = gen_lsp_types::Position::default();
    let mut data = Vec::with_capacity(found.len());
    for (bytes, kind) in found.iter().filter(|(bytes, _)| bytes.start < bytes.end) {
        let range = walk.range(bytes.clone());
        let (start, end) = (range.start, range.end);
        if start.line != end.line || end <= start || start < before {
            continue;
        }
        let delta_line = start.line - before.line;
        let delta_start = if delta_line == 0 { start.character - before.character } else { start.character };
        let length = end.character - start.character;
        data.push(SemanticToken {
            delta_line,
            delta_start,
            length,
            token_type: *kind as u32,
            token_modifiers_bitset: 0,
        });
        before = start;
    }
    data
}
