//! Results as JSON Lines.

use std::io::Write;

use robotsc::rules::Rule;
use serde_json::{Value, json};

use super::subject::{Case, Mismatch, Outcome, of_line};
use crate::failure::Failure;
use crate::io::output;

/// Writes an object for each expectation.
pub(super) fn write(out: &mut dyn Write, cases: &[Case<'_>]) -> Result<(), Failure> {
    for case in cases {
        let (outcome, failures, undecided) = match &case.outcome {
            Outcome::Passed => ("passed", &[][..], &[][..]),
            Outcome::Failed(all) => ("failed", all.as_slice(), &[][..]),
            Outcome::NotDecided(agents) => ("not-decided", &[][..], agents.as_slice()),
        };
        let failures: Vec<Value> = failures.iter().map(failure).collect();
        output::json_line(
            out,
            &json!({
                "type": "test", "test": case.name, "dialect": case.robots.dialect().name, "line": case.line,
                "outcome": outcome,
                "failures": failures, "not_decided": undecided,
            }),
        )?;
    }
    Ok(())
}

fn failure(wrong: &Mismatch) -> Value {
    let line = |rule: Option<Rule>| of_line(rule).map(|rule| rule.line);
    json!({
        "agents": wrong.agents, "message": wrong.message, "example": wrong.example, "line": line(wrong.rule),
        "other_line": line(wrong.other_rule),
    })
}
