//! Results for people: what is not as expected, with the line that decides.

use std::io::Write;

use super::subject::{Case, Mismatch, Outcome, of_line, who};
use crate::command_line::config::Config;
use crate::failure::Failure;
use crate::io::report::{Place, Report, Tone};

/// Writes what is not as expected, and how much is.
pub(super) fn write(out: &mut dyn Write, config: &Config, file: &str, cases: &[Case<'_>]) -> Result<(), Failure> {
    let (mut failed, mut undecided) = (0, 0);
    // What is wrong under several dialects is shown once.
    let mut all: Vec<(Vec<&str>, &Case<'_>, &Mismatch)> = Vec::new();
    for case in cases {
        match &case.outcome {
            Outcome::Passed => {}
            Outcome::Failed(of_case) => {
                failed += 1;
                for wrong in of_case {
                    let is_same = |(_, known, said): &&mut (Vec<&str>, &Case<'_>, &Mismatch)| {
                        (known.line, &known.name, &said.message) == (case.line, &case.name, &wrong.message)
                    };
                    match all.iter_mut().find(is_same) {
                        Some((dialects, ..)) => dialects.push(case.robots.dialect().name),
                        None => all.push((vec![case.robots.dialect().name], case, wrong)),
                    }
                }
            }
            Outcome::NotDecided(agents) => {
                undecided += 1;
                let report = Report {
                    tone: Tone::Warning,
                    name: "not decided",
                    code: None,
                    title: format!("the rules of {} are too complex for the work budget", who(agents)),
                    place: None,
                    notes: vec![expected(config, case, &[case.robots.dialect().name])],
                };
                writeln!(out, "{}\n", report.render())?;
            }
        }
    }
    for (dialects, case, wrong) in all {
        writeln!(out, "{}\n", report(config, file, case, wrong, &dialects).render())?;
    }
    let passed = cases.len() - failed - undecided;
    let mut parts = vec![format!("{passed} passed")];
    parts.extend((failed > 0).then(|| format!("{failed} failed")));
    parts.extend((undecided > 0).then(|| format!("{undecided} not decided")));
    Ok(writeln!(out, "{file}: {}", parts.join(", "))?)
}

fn report<'c>(
    config: &Config,
    file: &'c str,
    case: &'c Case<'_>,
    wrong: &'c Mismatch,
    dialects: &[&str],
) -> Report<'c> {
    let rule = of_line(wrong.rule);
    let place = rule.map(|rule| Place {
        file,
        body: case.robots.body(),
        line: rule.line,
        span: rule.source,
        label: String::new(),
    });
    let mut notes = vec![expected(config, case, dialects)];
    if let Some(other) = of_line(wrong.other_rule) {
        notes.push(("see", format!("line {}", other.line)));
    }
    Report { tone: Tone::Error, name: "failed", code: None, title: wrong.message.clone(), place, notes }
}

/// Returns a note that says what was expected, under which dialects, and where.
fn expected(config: &Config, case: &Case<'_>, dialects: &[&str]) -> (&'static str, String) {
    ("expected", format!("{} ({}, {}: line {})", case.name, dialects.join(" and "), config.name, case.line))
}
