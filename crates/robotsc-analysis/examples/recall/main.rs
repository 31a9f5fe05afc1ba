//! Puts one known slip into each of some real files, and counts how many lint finds by default.
//!
//! ```console
//! $ cargo run --release -p robotsc-analysis --example recall -- ../shared/corpus/robots-modern
//! ```
//! A slip is found if a finding with one of its codes is there that the file had not before. The table has the share
//! of the files, and the severities. `--files N` takes N files, `--missed` names those that were missed and what was
//! found in their place. `--counts` puts no slip into any file: it counts what is found in all files as they are, by
//! check and severity, and how long that takes.

mod file;
mod near_slips;
mod slips;

use std::collections::{BTreeMap, BTreeSet};

use file::File;
use robotsc_analysis::lint::{Finding, KnownName, Lint, LintCheck};
use robotsc_compiler::{RobotsTxt, Severity};
use slips::Slip;

/// The names that real files are compared with: `robotsc` has more.
const NAMES: [(&str, &str); 7] = [
    ("GPTBot", "OpenAI"),
    ("CCBot", "Common Crawl"),
    ("Googlebot", "Google"),
    ("bingbot", "Microsoft"),
    ("ClaudeBot", "Anthropic"),
    ("ChatGPT-User", "OpenAI"),
    ("OAI-SearchBot", "OpenAI"),
];

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (mut folder, mut count, mut names_missed, mut counts_all) = (None, 300, false, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--files" => count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(count),
            "--missed" => names_missed = true,
            "--counts" => counts_all = true,
            _ => folder = Some(argument),
        }
    }
    let folder = folder.unwrap_or_else(|| "../shared/corpus/robots-modern".to_owned());
    let mut paths: Vec<_> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.sort();
    let lint = Lint::new().known_names(
        NAMES.map(|(token, operator)| KnownName { operator: operator.to_owned(), ..KnownName::new(token) }),
    );
    if counts_all {
        return count_findings(&paths, &lint);
    }
    let step = (paths.len() / (4 * count)).max(1);
    let mut files = Vec::new();
    for path in paths.iter().step_by(step) {
        let body = std::fs::read(path)?;
        if let Some(file) = File::new(&body).filter(|_| body.len() < 20_000 && files.len() < count) {
            files.push((path.clone(), file));
        }
    }
    let run = |body: &[u8]| counts(&lint.run(&RobotsTxt::parse(body)));
    let before: Vec<_> = files.iter().map(|(_, file)| run(&File::joined(&file.lines))).collect();
    let (mut all, mut all_found) = (0, 0);
    println!("| slip | files | found | as |\n|---|---:|---:|---|");
    let slips = || slips::SLIPS.iter().chain(near_slips::NEAR_SLIPS);
    for slip in slips() {
        let (mut tried, mut found_in) = (0, 0);
        let mut severities: BTreeSet<Severity> = BTreeSet::new();
        let mut instead: BTreeMap<&str, usize> = BTreeMap::new();
        for ((path, file), before) in files.iter().zip(&before) {
            let Some(body) = (slip.put)(file) else { continue };
            tried += 1;
            let found = run(&body);
            let of = |counts: &Counts, check: LintCheck| counts.get(&check).map_or(0, |(count, _)| *count);
            let is_new = |check: LintCheck| of(&found, check) > of(before, check) || is_whole(slip, &body);
            let mut told = found.iter().filter(|(check, _)| slip.codes.contains(&check.code()) && is_new(**check));
            if let Some((_, (_, severity))) = told.next() {
                found_in += 1;
                severities.insert(*severity);
                continue;
            }
            let new = found.keys().filter(|check| of(&found, **check) > of(before, **check));
            new.for_each(|check| *instead.entry(check.code()).or_default() += 1);
            if names_missed && tried - found_in < 3 {
                eprintln!("{}: {}", slip.name, path.display());
            }
        }
        all += tried;
        all_found += found_in;
        let severities: Vec<&str> = severities.iter().map(|severity| severity.as_str()).collect();
        let share = 100.0 * f64::from(found_in) / f64::from(tried.max(1));
        println!("| {} | {tried} | {share:.1} % | {} |", slip.name, severities.join(", "));
        if names_missed && share < 95.0 {
            eprintln!("{}: {share:.1} %, in place of it: {instead:?}", slip.name);
        }
    }
    let share = 100.0 * f64::from(all_found) / f64::from(all.max(1));
    println!("| **all {} slips** | {all} | {share:.1} % | |", slips().count());
    Ok(())
}

/// Prints what is found in files as they are.
fn count_findings(paths: &[std::path::PathBuf], lint: &Lint) -> std::io::Result<()> {
    let mut of_code: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    let mut times = Vec::new();
    for path in paths {
        let body = std::fs::read(path)?;
        let start = std::time::Instant::now();
        let found = lint.run(&RobotsTxt::parse(&body));
        times.push(start.elapsed());
        for (check, (count, severity)) in counts(&found) {
            let of_code = of_code.entry((check.code(), severity.as_str())).or_default();
            *of_code = (of_code.0 + count, of_code.1 + 1);
        }
    }
    for ((code, severity), (count, files)) in of_code {
        println!("{code:28} {severity:8} {count:8} findings {files:6} files");
    }
    times.sort();
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
    println!(
        "{} files: p50 {:?}, p99 {:?}, all {:?}",
        times.len(),
        at(0.5),
        at(0.99),
        times.iter().sum::<std::time::Duration>()
    );
    Ok(())
}

/// How often each check found something, and the worst severity.
type Counts = BTreeMap<LintCheck, (usize, Severity)>;

fn counts(found: &[Finding]) -> Counts {
    let mut counts = Counts::new();
    for finding in found {
        let count = counts.entry(finding.check).or_insert((0, finding.severity));
        *count = (count.0 + 1, count.1.max(finding.severity));
    }
    counts
}

/// Reports whether a slip is about the whole file, so that what was found before does not count.
fn is_whole(slip: &Slip, body: &[u8]) -> bool {
    body.len() < 200 || slip.codes.iter().any(|code| ["not-robots-txt", "utf16-bom"].contains(code))
}
