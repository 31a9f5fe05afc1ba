//! Our filter beside what a user does today, in one run: each a process of its own, from a cold start, the answers to nowhere.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::arguments::Arguments;
use crate::filter_data::{self, FETCHED};
use crate::timing::median;

/// Runs all rows.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let folder = filter_data::folder(arguments);
    let rounds = arguments.number("rounds", 3)?;
    let binary = arguments.text("binary", "../target/release/robotsc");
    let itself = std::env::current_exe().map_err(|error| error.to_string())?;
    let agent = arguments.text("agent", "FooBot");
    println!("| order | program | seconds, median of {rounds} | million URLs a second | beside ours |");
    println!("|---|---|---|---|---|");
    for order in ["grouped", "shuffled"] {
        let file = folder.join(format!("{order}.txt"));
        let lines = count_lines(&file)?;
        let mut times: Vec<(String, Vec<f64>)> = Vec::new();
        for _ in 0..rounds {
            for name in ["robotsc filter", "robotsc filter --threads 1", "split", "robotxt", "texting_robots"] {
                if !arguments.wants("only", name) {
                    continue;
                }
                let mut command = if name.starts_with("robotsc") {
                    let mut command = Command::new(binary);
                    let now = (FETCHED + 60).to_string();
                    command.args(["filter", "--quiet", "--agent", agent, "--now", &now]);
                    command.args(name.split(' ').skip(2)).arg("--pack").arg(folder.join("corpus.pack")).arg(&file);
                    command
                } else {
                    let mut command = Command::new(&itself);
                    command.args(["filter-one", name]).arg(&file).args(["--agent", agent]).arg("--work").arg(&folder);
                    command
                };
                let seconds = time(&mut command)?;
                match times.iter_mut().find(|(known, _)| known == name) {
                    Some((_, all)) => all.push(seconds),
                    None => times.push((name.to_owned(), vec![seconds])),
                }
            }
        }
        let medians: Vec<(String, f64)> = times.into_iter().map(|(name, all)| (name, median(all))).collect();
        let ours = medians.first().map_or(f64::NAN, |(_, seconds)| *seconds);
        for (name, seconds) in &medians {
            let rate = lines as f64 / seconds / 1e6;
            println!("| {order} | {name} | {seconds:.2} | {rate:.2} | {:.2} |", seconds / ours);
        }
    }
    Ok(())
}

fn time(command: &mut Command) -> Result<f64, String> {
    let start = Instant::now();
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    let status = status.map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if !status.success() {
        return Err(format!("{}: {status}", command.get_program().display()));
    }
    Ok(start.elapsed().as_secs_f64())
}

fn count_lines(path: &Path) -> Result<usize, String> {
    let text = fs::read(path).map_err(|error| format!("{}: {error}: make it with filter-data", path.display()))?;
    Ok(memchr::memchr_iter(b'\n', &text).count())
}
