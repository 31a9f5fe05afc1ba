//! Names of known crawlers where the key of a line stands.
//!
//! ```text
//! Bingbot: Disallow:           no crawler reads the line: a name stands in a `User-agent` line of its own
//! Googlebot Disallow: /x/      so here
//! Yandex: https://h.example/   not a rule by any reading
//! ```

use robotsc_compiler::{ByteSpan, Diagnostic};

use super::context::{Context, quoted};
use super::finding::Fix;
use super::keys::{is_directive_name, meant, offset, written};
use super::known_name::KnownName;

/// What stands between a name and what it shall obey.
const BETWEEN: [char; 6] = [' ', '\t', '-', '=', '>', '/'];

/// What separates names.
const SEPARATORS: [char; 5] = [' ', '\t', ',', ';', '|'];

/// Returns what is said of a line whose key is a crawler and whose value is a rule, and a fix if it is sure.
pub(super) fn rule_of_name(
    context: &Context<'_>,
    noticed: &Diagnostic,
    known: &[KnownName],
) -> Option<(String, Option<Fix>)> {
    let key = std::str::from_utf8(noticed.span.of(context.body())).ok()?;
    let line = std::str::from_utf8(written(context, noticed.line)).ok()?;
    let (_, value) = line.split_once(':')?;
    let is_known = |name: &str| known.iter().any(|known| known.token.eq_ignore_ascii_case(name));
    let (names, rule) = if is_known(key) {
        (vec![key], of_value(value.trim())?)
    } else {
        let at = key.char_indices().find(|(at, char)| SEPARATORS.contains(char) && is_known(&key[..*at]))?.0;
        let rest = key[at..].trim_matches(BETWEEN);
        let names: Vec<&str> = key.split(SEPARATORS).filter(|name| !name.is_empty()).collect();
        if names.iter().all(|name| is_known(name)) {
            (names, of_value(value.trim())?)
        } else {
            let directive = meant(rest.as_bytes()).filter(|_| is_directive(rest))?;
            (vec![&key[..at]], Some(format!("{directive}: {}", value.trim())))
        }
    };
    let shown = quoted(key.as_bytes());
    let one = match names.as_slice() {
        [name] => format!("write `User-agent: {name}`"),
        _ => "write a `User-agent` line for each".to_owned(),
    };
    let next = match &rule {
        Some(rule) => format!("{} below it", quoted(rule.trim_end().as_bytes())),
        None => "what it may not fetch below it".to_owned(),
    };
    let message = format!("{shown} is no directive, so that no crawler reads the line: {one}, and {next}");
    let fix = match (names.as_slice(), rule) {
        ([name], Some(rule)) if is_apart(context, noticed.line, name) => {
            let start = context.lines.whole(noticed.line).start + offset(context.lines.text(noticed.line));
            let span = ByteSpan::new(start, start + line.len());
            let ending = context.lines.end_of_line();
            let lines = [b"User-agent: ", name.as_bytes(), ending, rule.trim_end().as_bytes()].concat();
            Some(Fix::replace("write a group for it", span, lines))
        }
        _ => None,
    };
    Some((message, fix))
}

/// Reports whether a text is a directive that rules have, however it is spelt.
fn is_directive(text: &str) -> bool {
    is_directive_name(&text.replace(['-', '_', ' '], ""))
}

/// Returns the line that a value is, if it is a rule; `Some(None)` for a path, of which nobody knows whether it is
/// allowed.
fn of_value(value: &str) -> Option<Option<String>> {
    if value.starts_with(['/', '*']) && !value.starts_with("//") {
        return Some(None);
    }
    let at = value.find([':', ' ', '\t', '=']).unwrap_or(value.len());
    let directive = meant(&value.as_bytes()[..at]).filter(|_| is_directive(&value[..at]))?;
    let rest = value[at..].trim_start_matches([':', ' ', '\t', '=']);
    Some((directive != "User-agent" && directive != "Sitemap").then(|| format!("{directive}: {rest}")))
}

/// Reports whether a group in place of a line takes no rule from another group, and adds none to one: rules are before
/// it in its group, none is after it, and no group names the crawler.
fn is_apart(context: &Context<'_>, line: u32, name: &str) -> bool {
    let (agents, rules) = (context.robots.agents(), context.robots.rules());
    let after = agents.partition_point(|agent| agent.line < line);
    let before = rules.partition_point(|rule| rule.line < line);
    let begins = after.checked_sub(1).map(|at| agents[at].line);
    let ends = agents.get(after).map(|agent| agent.line);
    let has_rules = begins.is_none_or(|begins| before.checked_sub(1).is_some_and(|at| rules[at].line > begins));
    let takes_rules = rules.get(before).is_some_and(|rule| ends.is_none_or(|ends| rule.line < ends));
    let is_named = agents.iter().any(|agent| agent.token.of(context.body()).eq_ignore_ascii_case(name.as_bytes()));
    has_rules && !takes_rules && !is_named
}
