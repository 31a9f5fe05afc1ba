//! Lints every file of some folders: findings a check with the share of files, times, and the slowest files.
//!
//! ```console
//! $ cargo run --release -p robotsc-analysis --example lint_corpus -- ../shared/corpus/robots
//! ```
//! `--all` runs the checks of notes too. `--show CODE` prints the findings of a check in place of the table.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use robotsc_analysis::lint::{Lint, LintCheck};
use robotsc_compiler::RobotsTxt;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (mut folders, mut shown, mut lint) = (Vec::new(), None, Lint::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--all" => lint = lint.with_info(),
            "--show" => {
                shown = arguments.next().as_deref().and_then(LintCheck::by_code);
                lint = shown.map_or(lint.clone(), |check| lint.select(check));
            }
            _ => folders.push(argument),
        }
    }
    let mut files = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            files.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), std::fs::read(&path)?));
        }
    }
    files.sort();
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(files.len()));
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((name, body)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let start = Instant::now();
                    let robots = RobotsTxt::parse(body);
                    let found = lint.run(&robots);
                    let time = start.elapsed();
                    if let Ok(mut results) = results.lock() {
                        results.push((time, name, found));
                    }
                }
            });
        }
    });
    let wall = start.elapsed();
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(_, name, _)| *name);
    if let Some(check) = shown {
        for (_, name, found) in &results {
            for finding in found.iter().filter(|finding| finding.check == check) {
                let witness = finding.witness.as_deref().unwrap_or_default();
                println!("{name}:{}: {}: {} {witness}", finding.line, finding.severity, finding.message);
            }
        }
        return Ok(());
    }
    let mut of_check: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (_, _, found) in &results {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for finding in found {
            *counts.entry(finding.check.code()).or_default() += 1;
        }
        for (code, count) in counts {
            let (findings, files) = of_check.entry(code).or_default();
            *findings += count;
            *files += 1;
        }
    }
    for check in LintCheck::ALL {
        if let Some((findings, with)) = of_check.get(check.code()) {
            let share = *with as f64 * 100.0 / files.len() as f64;
            println!(
                "{:28} {:8} {findings:8} findings {with:6} files {share:6.2} %",
                check.code(),
                check.severity().as_str()
            );
        }
    }
    results.sort_by_key(|(time, ..)| *time);
    let at =
        |share: f64| results.get((results.len() as f64 * share) as usize).map_or(Duration::ZERO, |result| result.0);
    println!("{} files in {wall:.2?}; p50 {:.1?}, p99 {:.1?}", results.len(), at(0.5), at(0.99));
    for (time, name, _) in results.iter().rev().take(5) {
        println!("{time:10.2?} {name}");
    }
    Ok(())
}
