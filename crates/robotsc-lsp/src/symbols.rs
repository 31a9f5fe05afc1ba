//! The outline of a file: its groups with their rules, and the records of the whole file.

use gen_lsp_types::{DocumentSymbol, Location, SymbolInformation, SymbolKind};
use robotsc::RobotsTxt;
use robotsc::record::{Record, RecordKind};
use robotsc::robots_txt::Group;

use crate::document::Document;
use crate::excerpt::excerpt;
use crate::positions::Positions;

/// Returns the outline, as a tree.
pub(crate) fn tree(document: &Document) -> Vec<DocumentSymbol> {
    let positions = document.positions();
    let robots = document.robots();
    let mut symbols: Vec<DocumentSymbol> =
        robots.groups().iter().filter_map(|group| group_symbol(&robots, &positions, group)).collect();
    let of_file = robots.records().iter().filter(|record| is_of_file(record.kind));
    symbols.extend(of_file.map(|record| record_symbol(&robots, &positions, record)));
    symbols.sort_by_key(|symbol| symbol.range.start);
    symbols
}

/// Returns the outline as a list, for editors that know no trees.
pub(crate) fn list(document: &Document) -> Vec<SymbolInformation> {
    let mut list = Vec::new();
    for symbol in tree(document) {
        let container = symbol.children.is_some().then(|| symbol.name.clone());
        let children = symbol.children.clone().unwrap_or_default();
        list.push(information(document, symbol, None));
        list.extend(children.into_iter().map(|child| information(document, child, container.clone())));
    }
    list
}

fn information(document: &Document, symbol: DocumentSymbol, container_name: Option<String>) -> SymbolInformation {
    let location = Location { uri: document.uri.clone(), range: symbol.range };
    let base =
        gen_lsp_types::BaseSymbolInformation { name: symbol.name, kind: symbol.kind, container_name, tags: None };
    #[expect(deprecated, reason = "the field has no other way to be left out")]
    SymbolInformation { base_symbol_information: base, deprecated: None, location }
}

/// Reports whether a record applies to the whole file, wherever it is.
const fn is_of_file(kind: RecordKind) -> bool {
    matches!(kind, RecordKind::Sitemap | RecordKind::Host | RecordKind::CleanParam)
}

/// Returns the lines of a group, from 1: from its first `User-agent` line to its last rule or record.
pub(crate) fn lines_of(robots: &RobotsTxt<'_>, group: &Group) -> Option<(u32, u32)> {
    let agents = robots.agents_of(group);
    let mut records = robots.records_of(group).iter().filter(|record| !is_of_file(record.kind));
    let last = [
        agents.last().map(|agent| agent.line),
        robots.rules_of(group).last().map(|rule| rule.line),
        records.next_back().map(|record| record.line),
    ];
    Some((agents.first()?.line, last.into_iter().flatten().max()?))
}

fn group_symbol(robots: &RobotsTxt<'_>, positions: &Positions<'_>, group: &Group) -> Option<DocumentSymbol> {
    let (first, last) = lines_of(robots, group)?;
    let agents = robots.agents_of(group);
    let names: Vec<String> = agents.iter().take(3).map(|agent| excerpt(agent.value.of(robots.body()))).collect();
    let mut name = format!("User-agent: {}", names.join(", "));
    if agents.len() > names.len() {
        name.push_str(&format!(" and {} more", agents.len() - names.len()));
    }
    let rule = |rule: &robotsc::robots_txt::RuleLine| {
        let value = excerpt(rule.value.of(robots.body()));
        line_symbol(positions, rule.line, format!("{}: {value}", rule.kind.as_str()), SymbolKind::Key)
    };
    let mut children: Vec<DocumentSymbol> = robots.rules_of(group).iter().map(rule).collect();
    let records = robots.records_of(group).iter().filter(|record| !is_of_file(record.kind));
    children.extend(records.map(|record| record_symbol(robots, positions, record)));
    children.sort_by_key(|symbol| symbol.range.start);
    let mut symbol = line_symbol(positions, first, name, SymbolKind::Namespace);
    symbol.range.end = positions.of_line(last).end;
    symbol.detail = Some(match robots.rules_of(group).len() {
        1 => "1 rule".to_owned(),
        count => format!("{count} rules"),
    });
    symbol.children = Some(children);
    Some(symbol)
}

fn record_symbol(robots: &RobotsTxt<'_>, positions: &Positions<'_>, record: &Record) -> DocumentSymbol {
    let [key, value] = [record.key, record.value].map(|span| excerpt(span.of(robots.body())));
    let kind = if record.kind == RecordKind::Sitemap { SymbolKind::File } else { SymbolKind::Property };
    line_symbol(positions, record.line, format!("{key}: {value}"), kind)
}

fn line_symbol(positions: &Positions<'_>, line: u32, name: String, kind: SymbolKind) -> DocumentSymbol {
    let range = positions.of_line(line);
    #[expect(deprecated, reason = "the field has no other way to be left out")]
    DocumentSymbol {
        name,
        detail: None,
        kind,
        tags: None,
        deprecated: None,
        range,
        selection_range: range,
        children: None,
    }
}
