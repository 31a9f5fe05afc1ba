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

/// Shows a rule set: its origins, its agents, its rules with their places.
pub(super) fn inspect(name: &OsStr, args: &InspectArgs) -> Result<End, Failure> {
    let policy = NamedRuleSet::read(name)?;
    let tables = policy.tables()?;
    let (set, dialect) = policy.set(tables.as_ref())?;
    let origins: Vec<String> = set.origins().iter().map(ToString::to_string).collect();
    let mut agents: Vec<&str> = set.agents().collect();
    agents.extend(set.has_star().then_some("*"));
    let mut out = output::stdout();
    if args.json {
        output::json_line(
            &mut out,
            &json!({
                "type": "policy", "set": set.name(), "description": set.description(), "dialect": dialect.name,
                "origins": origins, "agents": agents,
            }),
        )?;
        for rule in set.places().iter() {
            output::json_line(
                &mut out,
                &json!({
                    "type": "rule", "file": rule.file, "line": rule.line, "name": rule.name, "text": rule.text,
                }),
            )?;
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
    writeln!(out, "\nrules, in the order of the file")?;
    let rules: Vec<_> = set.places().iter().collect();
    let limit = if args.all { rules.len() } else { MAX_LISTED };
    let mut table = Table::new(&["", "", ""]);
    for rule in rules.iter().take(limit) {
        let name = rule.name.unwrap_or("-").to_owned();
        table.row([format!("{}:{}", rule.file, rule.line), name, shown::cut(rule.text.as_bytes(), MAX_TEXT_CHARS)]);
    }
    table.write_body(&mut out, "  ")?;
    if rules.len() > limit {
        writeln!(out, "  and {} more: --all lists all", rules.len() - limit)?;
    }
    out.flush()?;
    Ok(End::Clean)
}
