//! Compares each file of a folder with the next one of the same host, and prints what that costs.
//!
//! ```console
//! $ cargo run --release -p robotsc-analysis --example diff_corpus -- FOLDER [--list]
//! ```
//!
//! The files are named `SOURCE__HOST.txt`; those of one host are compared in the order of their sources. A source is a
//! name and a month, such as `news202503`. With `--list`, a line for each pair says what changed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use robotsc_analysis::{Diff, Effect};
use robotsc_compiler::{Dialect, RobotsTxt};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or("usage: diff_corpus FOLDER [--list]")?;
    let lists = args.next().is_some();
    let mut hosts: BTreeMap<String, Vec<(String, PathBuf)>> = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let Some((source, host)) = name.split_once("__") else { continue };
        let month = source.trim_start_matches(|char: char| !char.is_ascii_digit());
        hosts.entry(host.to_owned()).or_default().push((month.to_owned(), path.clone()));
    }
    for (dialect, prints) in [(&Dialect::GOOGLE, lists), (&Dialect::RFC9309, false)] {
        let mut times = Vec::new();
        let (mut equal_text, mut equal_meaning, mut changed, mut undecided) = (0, 0, 0, 0);
        for (host, files) in &mut hosts {
            files.sort();
            for pair in files.windows(2) {
                let bodies = [std::fs::read(&pair[0].1)?, std::fs::read(&pair[1].1)?];
                let start = Instant::now();
                let robots = bodies.each_ref().map(|body| RobotsTxt::parse_with(body, dialect));
                let diff = Diff::new(&robots[0], &robots[1]);
                times.push((start.elapsed(), format!("{host} {} {}", pair[0].0, pair[1].0)));
                if !diff.is_decided() {
                    undecided += 1;
                    println!("  not decided: {host} {} {}", pair[0].0, pair[1].0);
                }
                match (bodies[0] == bodies[1], diff.is_same()) {
                    (true, true) => equal_text += 1,
                    (true, false) => return Err(format!("{host}: a file differs from itself").into()),
                    (false, true) => equal_meaning += 1,
                    (false, false) => changed += 1,
                }
                if prints && bodies[0] != bodies[1] {
                    let changes = |effect| {
                        let changes = diff.rules.iter().flat_map(|rules| rules.changes());
                        changes.filter(|change| change.effect == effect).count()
                    };
                    println!(
                        "{host} {} {}: {} groups, {} newly blocked, {} newly open, {} records",
                        pair[0].0,
                        pair[1].0,
                        diff.rules.len(),
                        changes(Effect::Blocked),
                        changes(Effect::Opened),
                        diff.records.len() + diff.file_records.len(),
                    );
                }
            }
        }
        times.sort_unstable();
        let at = |share: usize| times.get((times.len() * share / 1000).min(times.len().saturating_sub(1)));
        println!("{}: {} pairs of neighbours", dialect.name, times.len());
        println!("  equal text {equal_text}, equal meaning under another text {equal_meaning}, changed {changed}");
        println!("  not decided {undecided}");
        for (name, share) in [("p50", 500), ("p90", 900), ("p99", 990), ("max", 1000)] {
            if let Some((time, pair)) = at(share) {
                println!("  {name} {:.3} ms ({pair})", time.as_secs_f64() * 1e3);
            }
        }
        println!("  in all {:.1} ms", times.iter().map(|(time, _)| time.as_secs_f64() * 1e3).sum::<f64>());
    }
    Ok(())
}
