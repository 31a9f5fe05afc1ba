//! What can come next: directives, crawlers, paths of the site, preferences, and codes of checks.

use std::ops::Range as Bytes;

use gen_lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTag, CompletionList, Documentation, Position, TextEdit,
};
use robotsc::analysis::lint::LintCheck;
use robotsc::analysis::preferences::{UseLevel, Vocabulary};
use robotsc::analysis::words::listed;
use robotsc::bundled;

use crate::document::Document;
use crate::hover::{Directive, content, describe_agent, level_in_words, use_in_words};
use crate::items::{LineParts, trimmed};
use crate::positions::Positions;

/// The maximum number of paths that are offered at once.
const MAX_PATHS: usize = 200;

/// Returns what can come next at a position.
///
/// Cost: linear in the file. Never panics.
pub(crate) fn completions(document: &Document, position: Position, has_markdown: bool) -> CompletionList {
    let positions = document.positions();
    let text = document.text.as_str();
    let offset = positions.offset(position);
    let parts = LineParts::new(text, &positions, positions.position(offset).line);
    let place = Place { text, positions: &positions, offset, has_markdown };
    let mut items = Vec::new();
    let mut is_incomplete = false;
    match (&parts.comment, parts.colon) {
        (Some(comment), _) if offset > comment.start => codes(&place, comment.clone(), &mut items),
        (_, Some(colon)) if offset > colon => {
            let value = colon + 1..parts.value.end.max(offset);
            let value = trimmed(text, value.clone()).start.min(offset)..parts.value.end.max(offset);
            match text[parts.key].to_ascii_lowercase().as_str() {
                "user-agent" => agents(&place, value, &mut items),
                "allow" | "disallow" => {
                    is_incomplete = true;
                    paths(document, &place, value, &mut items);
                }
                "content-signal" | "content-signals" => {
                    let words = UseLevel::ALL.map(|level| (level.as_str(), level_in_words(level)));
                    preferences(&place, value, Vocabulary::SIGNALS, ["yes", "no"], &words, &mut items);
                }
                "content-usage" => preferences(&place, value, Vocabulary::NEWEST, ["y", "n"], &[], &mut items),
                _ => {}
            }
        }
        _ => directives(&place, &parts, &mut items),
    }
    CompletionList { is_incomplete, item_defaults: None, apply_kind: None, items }
}

/// Where something is typed.
struct Place<'t> {
    text: &'t str,
    positions: &'t Positions<'t>,
    offset: usize,
    /// Whether the editor shows Markdown beside an item.
    has_markdown: bool,
}

impl Place<'_> {
    /// Returns an item that takes the place of some bytes.
    fn item(&self, label: &str, new_text: &str, replaced: Bytes<usize>, kind: CompletionItemKind) -> CompletionItem {
        let edit = TextEdit { range: self.positions.range(replaced), new_text: new_text.to_owned() };
        CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            filter_text: Some(new_text.to_owned()),
            text_edit: Some(edit.into()),
            ..CompletionItem::default()
        }
    }

    fn documentation(&self, text: String) -> Option<Documentation> {
        Some(content(text, self.has_markdown).into())
    }
}

fn directives(place: &Place<'_>, parts: &LineParts, items: &mut Vec<CompletionItem>) {
    // With a colon, the key alone is replaced.
    let (replaced, end) = match parts.colon {
        Some(_) => (parts.key.start.min(place.offset)..parts.key.end.max(place.offset), ""),
        None => (parts.key.start.min(place.offset)..place.offset, ": "),
    };
    for (number, directive) in Directive::COMMON.iter().enumerate() {
        let new_text = format!("{}{end}", directive.name);
        let mut item = place.item(directive.name, &new_text, replaced.clone(), CompletionItemKind::Keyword);
        item.sort_text = Some(format!("{number:02}"));
        item.documentation = place.documentation(directive.meaning.to_owned());
        items.push(item);
    }
}

fn agents(place: &Place<'_>, value: Bytes<usize>, items: &mut Vec<CompletionItem>) {
    let mut all = place.item("*", "*", value.clone(), CompletionItemKind::Class);
    all.detail = Some("all crawlers that no other group names".to_owned());
    all.sort_text = Some("!".to_owned());
    items.push(all);
    for agent in bundled::agents() {
        let mut item = place.item(agent.token, agent.token, value.clone(), CompletionItemKind::Class);
        let purposes: Vec<String> = agent.purposes.iter().map(ToString::to_string).collect();
        item.detail = Some(format!("{}: {}", agent.operator, listed(&purposes)));
        item.documentation = place.documentation(describe_agent(agent));
        item.tags = agent.retired.then(|| vec![CompletionItemTag::Deprecated]);
        items.push(item);
    }
}

fn paths(document: &Document, place: &Place<'_>, value: Bytes<usize>, items: &mut Vec<CompletionItem>) {
    let typed = &place.text[value.start..place.offset];
    for next in document.profile().site.continuations(typed, MAX_PATHS) {
        let is_folder = next.path.ends_with('/');
        let kind = if is_folder { CompletionItemKind::Folder } else { CompletionItemKind::File };
        let mut item = place.item(next.path, next.path, value.start..place.offset, kind);
        item.detail = Some(match next.pages {
            1 => "1 page of the sitemap".to_owned(),
            pages => format!("{pages} pages of the sitemap"),
        });
        items.push(item);
    }
}

/// Adds the labels of a vocabulary, or the values of the label before the cursor.
fn preferences(
    place: &Place<'_>,
    value: Bytes<usize>,
    vocabulary: &Vocabulary,
    [yes, no]: [&str; 2],
    levels: &[(&str, &str)],
    items: &mut Vec<CompletionItem>,
) {
    let typed = &place.text[value.start..place.offset];
    let start = typed.rfind([',', ' ', '\t']).map_or(value.start, |at| value.start + at + 1);
    let part = &place.text[start..place.offset];
    let Some((label, _)) = part.split_once('=') else {
        for label in vocabulary.labels {
            let new_text = format!("{}=", label.name);
            let mut item = place.item(label.name, &new_text, start..place.offset, CompletionItemKind::Property);
            item.detail = Some(use_in_words(label).to_owned());
            items.push(item);
        }
        if !levels.is_empty() {
            let mut item = place.item("use", "use=", start..place.offset, CompletionItemKind::Property);
            item.detail = Some("how far a use can go".to_owned());
            items.push(item);
        }
        return;
    };
    let replaced = start + label.len() + 1..place.offset;
    let known = vocabulary.label(label.trim().to_ascii_lowercase().as_bytes()).map(use_in_words);
    let values: Vec<(&str, String)> = match known {
        Some(what) => vec![(no, format!("no to {what}")), (yes, format!("yes to {what}"))],
        None if label.eq_ignore_ascii_case("use") => {
            levels.iter().map(|(word, what)| (*word, (*what).to_owned())).collect()
        }
        None => Vec::new(),
    };
    for (word, what) in values {
        let mut item = place.item(word, word, replaced.clone(), CompletionItemKind::EnumMember);
        item.detail = Some(what);
        items.push(item);
    }
}

/// Adds the codes of checks after `# robotsc: ignore `.
fn codes(place: &Place<'_>, comment: Bytes<usize>, items: &mut Vec<CompletionItem>) {
    let typed = place.text[comment.start..place.offset].trim_start_matches(['#', ' ', '\t']);
    let Some(after) = typed.strip_prefix("robotsc:") else { return };
    let mut words = after.split_ascii_whitespace();
    let is_first = matches!(words.next(), Some("ignore" | "ignore-file")) && words.clone().count() <= 1;
    let ends_word = after.ends_with([' ', '\t']);
    if !is_first || ends_word != (words.clone().count() == 0) {
        return;
    }
    let start = place.text[..place.offset].rfind([' ', '\t', ',']).map_or(place.offset, |at| at + 1);
    for check in LintCheck::ALL {
        let new_text = format!("{} ", check.code());
        let mut item = place.item(check.code(), &new_text, start..place.offset, CompletionItemKind::Constant);
        item.detail = Some(check.summary().to_owned());
        items.push(item);
    }
}
