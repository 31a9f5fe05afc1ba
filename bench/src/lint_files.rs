//! Lints every file of some folders: findings of each check with the share of files, times, and the slowest files.

use std::collections::BTreeMap;
use std::time::Instant;

use robotsc::RobotsTxt;
use robotsc::analysis::lint::{Finding, Lint, LintCheck};

use crate::arguments::Arguments;
use crate::files::{self, percent, print_times};

/// Runs `lint-files FOLDER…`.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let files = files::read(&arguments.words[1..])?;
    let mut lint = if arguments.flag("all") { Lint::new().with_info() } else { Lint::new() };
    let shown = match arguments.text("show", "") {
        "" => None,
        code => Some(LintCheck::by_code(code).ok_or_else(|| format!("--show {code}: no such check"))?),
    };
    if let Some(check) = shown {
        lint = lint.select(check);
    }
    let results = files::on_threads(&files, arguments, |file, found: &mut Vec<_>| {
        let start = Instant::now();
        let findings = lint.run(&RobotsTxt::parse(&file.body));
        found.push((start.elapsed(), file.name.clone(), findings));
    })?;
    let mut results: Vec<_> = results.into_iter().flatten().collect();
    results.sort_by(|one, other| one.1.cmp(&other.1));
    if let Some(check) = shown {
        for (_, name, findings) in &results {
            for finding in findings.iter().filter(|finding| finding.check == check) {
                let witness = finding.witness.as_deref().unwrap_or_default();
                println!("{name}:{}: {}: {} {witness}", finding.line, finding.severity, finding.message);
            }
        }
        return Ok(());
    }
    print_checks(results.iter().map(|(_, _, findings)| findings.as_slice()), files.len());
    let mut times = results.into_iter().map(|(time, name, _)| (time, name)).collect();
    print_times(&format!("{} files", files.len()), &mut times);
    Ok(())
}

/// Prints the findings of each check, and the share of files that have one.
fn print_checks<'a>(all: impl Iterator<Item = &'a [Finding]>, files: usize) {
    let mut by_check: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for findings in all {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for finding in findings {
            *counts.entry(finding.check.code()).or_default() += 1;
        }
        for (code, count) in counts {
            let (findings, files) = by_check.entry(code).or_default();
            *findings += count;
            *files += 1;
        }
    }
    for check in LintCheck::ALL {
        if let Some((findings, with)) = by_check.get(check.code()) {
            let (code, severity, share) = (check.code(), check.severity().as_str(), percent(*with, files));
            println!("{code:28} {severity:8} {findings:8} findings {with:6} files {share:6.2} %");
        }
    }
}
