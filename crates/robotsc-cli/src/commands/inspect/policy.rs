//! What a declared rule set says.

use std::ffi::OsStr;
use std::io::Write as _;

use robotsc_answers::shown;
use serde_json::json;

use super::InspectArgs;
use crate::command_line::rule_sets::NamedRuleSet;
use crate::failure::{End, Failure};
use crate::io::output;
use crate::io::table::Table;

/// The rules that are shown if not all are asked for.
const MAX_LISTED: usize = 40;
/// The characters of a rule that are shown.
const MAX_TEXT_CHARS: usize = 120;

/// The characters of the agents of a rule that are shown.
const MAX_AGENTS_CHARS: usize = 60;

/// Reports whether a rule as written is one of a group.
fn is_of_group(text: &str) -> bool {
    !text.starts_with("Deny(") && !text.starts_with("Permit(")
}

/// Shows a rule set: its origins, its agents, its rules with their places.
pub(super) fn inspect(name: &OsStr, args: &InspectArgs) -> Result<End, Failure> {
    let policy = NamedRuleSet::read(name)?;
    let tables = policy.tables()?;
    let (set, dialect) = policy.set(tables.as_ref())?;
    args.read.dialect.check_rule_set(set.name(), &dialect)?;
    let origins: Vec<String> = set.origins().iter().map(ToString::to_string).collect();
    let mut agents: Vec<&str> = set.agents().collect();
    agents.extend(set.has_star().then_some("*"));
    let whose = policy.agents_of_rules();
    let mut out = output::stdout();
    if args.json {
        output::json_line(
            &mut out,
            &json!({
                "type": "policy", "set": set.name(), "description": set.description(), "dialect": dialect.name,
                "origins": origins, "agents": agents,
            }),
        )?;
        for (number, rule) in set.places().iter().enumerate() {
            let mut object = json!({
                "type": "rule", "file": rule.file, "line": rule.line, "name": rule.name, "text": rule.text,
            });
            if let Some(agents) = whose.as_ref().and_then(|whose| whose.get(number)) {
                object["agents"] = agents.clone().into();
            }
            output::json_line(&mut out, &object)?;
        }
        out.flush()?;
        return Ok(End::Clean);
    }
    writeln!(out, "{}: a declared rule set; dialect {}", set.name(), dialect.name)?;
    if !set.description().is_empty() {
        writeln!(out, "{}", set.description())?;
    }
    let all = |names: Vec<String>, everything: &str| match names.is_empty() {
        true => everything.to_owned(),
        false => names.join(", "),
    };
    writeln!(out, "\norigins: {}", all(origins, "all"))?;
    let agents = agents.into_iter().map(str::to_owned).collect();
    writeln!(out, "agents: {}", all(agents, "the rules are the same for all"))?;
    let has_groups = set.agents().next().is_some() || set.has_star();
    match has_groups {
        true => writeln!(out, "\nrules, in the order of the file; those for all decide before those of groups")?,
        false => writeln!(out, "\nrules, in the order of the file")?,
    }
    let rules: Vec<_> = set.places().iter().collect();
    let limit = if args.all { rules.len() } else { MAX_LISTED };
    let mut table = Table::new(if has_groups { &["", "", "", ""] } else { &["", "", ""] });
    for (number, rule) in rules.iter().enumerate().take(limit) {
        let agents = match whose.as_ref().and_then(|whose| whose.get(number)) {
            Some(Some(names)) => shown::cut(names.join(", ").as_bytes(), MAX_AGENTS_CHARS),
            None if is_of_group(rule.text) => "a group".to_owned(),
            Some(None) | None => "all".to_owned(),
        };
        let name = rule.name.unwrap_or("-").to_owned();
        let text = shown::cut(rule.text.as_bytes(), MAX_TEXT_CHARS);
        let mut cells = vec![format!("{}:{}", rule.file, rule.line), name, agents, text];
        if !has_groups {
            cells.remove(2);
        }
        table.row_of(cells);
    }
    table.write_body(&mut out, "  ")?;
    if rules.len() > limit {
        writeln!(out, "  and {} more: --all lists all", rules.len() - limit)?;
    }
    out.flush()?;
    Ok(End::Clean)
}
