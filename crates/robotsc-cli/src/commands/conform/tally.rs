//! The results of conformance cases: counts by suite and by class, and every difference.

use std::collections::BTreeMap;
use std::io::Write;

use robotsc_answers::shown;
use serde_json::json;

use super::case::Case;
use crate::failure::Failure;
use crate::io::output;
use crate::io::table::Table;

/// The outcome of a case.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The answer is the expected one.
    Agrees,
    /// It is another.
    Differs { said: String, expected: String, about: String },
    /// There was none.
    Fails { reason: String, about: String },
    /// The case expects nothing.
    Skipped,
    /// The case asks what this parser cannot answer.
    OtherKind,
}

/// Counts of outcomes.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    cases: u64,
    agree: u64,
    differ: u64,
    errors: u64,
    skipped: u64,
    other: u64,
}

impl Counts {
    fn add(&mut self, outcome: &Outcome) {
        self.cases += 1;
        *match outcome {
            Outcome::Agrees => &mut self.agree,
            Outcome::Differs { .. } => &mut self.differ,
            Outcome::Fails { .. } => &mut self.errors,
            Outcome::Skipped => &mut self.skipped,
            Outcome::OtherKind => &mut self.other,
        } += 1;
    }
}

/// A case that did not agree.
#[derive(Debug)]
struct Odd {
    suite: String,
    line: u64,
    name: String,
    class: Option<String>,
    outcome: Outcome,
}

/// The results of a run.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    suites: Vec<(String, Counts)>,
    classes: BTreeMap<String, Counts>,
    odd: Vec<Odd>,
}

impl Tally {
    /// Starts the next suite.
    pub(crate) fn start(&mut self, suite: &str) {
        self.suites.push((suite.to_owned(), Counts::default()));
    }

    /// Adds a case to the suite that was started last.
    pub(crate) fn add(&mut self, case: &Case, outcome: Outcome) {
        let Some((suite, counts)) = self.suites.last_mut() else { return };
        counts.add(&outcome);
        if let Some(class) = &case.class {
            self.classes.entry(class.clone()).or_default().add(&outcome);
        }
        if matches!(outcome, Outcome::Differs { .. } | Outcome::Fails { .. }) {
            let (name, class) = (case.name.clone(), case.class.clone());
            self.odd.push(Odd { suite: suite.clone(), line: case.line, name, class, outcome });
        }
    }

    /// Returns whether a case differs.
    pub(crate) fn differs(&self) -> bool {
        self.suites.iter().any(|(_, counts)| counts.differ > 0)
    }

    /// Returns whether any case was compared.
    pub(crate) fn compares(&self) -> bool {
        self.suites.iter().any(|(_, counts)| counts.agree + counts.differ + counts.errors > 0)
    }

    /// Returns whether a case had no answer.
    pub(crate) fn fails(&self) -> bool {
        self.suites.iter().any(|(_, counts)| counts.errors > 0)
    }

    /// Writes the tables and the differences.
    pub(crate) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        table("suite", self.suites.iter().map(|(suite, counts)| (suite.as_str(), counts)), self.suites.len() > 1)
            .write(out, "")?;
        if !self.classes.is_empty() {
            writeln!(out)?;
            let classes = self.classes.iter().map(|(class, counts)| (class.as_str(), counts));
            table("vs_google", classes, false).write(out, "")?;
        }
        if !self.odd.is_empty() {
            writeln!(out)?;
        }
        for odd in &self.odd {
            let (suite, line, name) = (&odd.suite, odd.line, shown::line(&odd.name));
            let class = odd.class.as_ref().map_or_else(String::new, |class| format!(" [{}]", shown::line(class)));
            match &odd.outcome {
                Outcome::Differs { said, expected, about } => {
                    writeln!(out, "differs: {suite}:{line}: {name}{class}: {said}, expected {expected}: {about}")?;
                }
                Outcome::Fails { reason, about } => {
                    writeln!(out, "error: {suite}:{line}: {name}{class}: {}: {about}", shown::line(reason))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Writes the same in JSON Lines.
    pub(crate) fn write_json(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let mut counts = |kind: &str, name: &str, counts: &Counts| {
            let Counts { cases, agree, differ, errors, skipped, other } = counts;
            output::json_line(
                out,
                &json!({
                    "type": kind, kind: name, "cases": cases, "agree": agree, "differ": differ, "errors": errors,
                    "skipped": skipped, "other_kind": other,
                }),
            )
        };
        for (suite, counted) in &self.suites {
            counts("suite", suite, counted)?;
        }
        for (class, counted) in &self.classes {
            counts("vs_google", class, counted)?;
        }
        for odd in &self.odd {
            let (suite, line, case, class) = (&odd.suite, odd.line, &odd.name, &odd.class);
            match &odd.outcome {
                Outcome::Differs { said, expected, about } => output::json_line(
                    out,
                    &json!({
                        "type": "difference", "suite": suite, "line": line, "case": case, "vs_google": class,
                        "said": said, "expected": expected, "about": about,
                    }),
                )?,
                Outcome::Fails { reason, about } => output::json_line(
                    out,
                    &json!({
                        "type": "error", "suite": suite, "line": line, "case": case, "vs_google": class,
                        "reason": reason, "about": about,
                    }),
                )?,
                _ => {}
            }
        }
        Ok(())
    }
}

fn table<'a>(head: &str, rows: impl Iterator<Item = (&'a str, &'a Counts)>, total: bool) -> Table {
    let mut table = Table::new(&[head, ">cases", ">agree", ">differ", ">errors", ">skipped", ">other kind"]);
    let mut sum = Counts::default();
    let mut row = |name: String, counts: &Counts| {
        let Counts { cases, agree, differ, errors, skipped, other } = counts;
        table.row([
            name,
            cases.to_string(),
            agree.to_string(),
            differ.to_string(),
            errors.to_string(),
            skipped.to_string(),
            other.to_string(),
        ]);
    };
    for (name, counts) in rows {
        row(shown::line(name), counts);
        sum.cases += counts.cases;
        sum.agree += counts.agree;
        sum.differ += counts.differ;
        sum.errors += counts.errors;
        sum.skipped += counts.skipped;
        sum.other += counts.other;
    }
    if total {
        row("all".to_owned(), &sum);
    }
    table
}
