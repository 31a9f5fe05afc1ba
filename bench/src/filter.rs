//! Our filter beside what a user does today, in one run: each a process of its own, from a cold start, the answers to
//! nowhere.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::arguments::Arguments;
use crate::filter_data::{self, FETCHED};
use crate::timing::median;

/// The programs, and the end of the input's name that each reads.
const ROWS: [(&str, &str); 9] = [
    ("robotsc filter", "txt"),
    ("robotsc filter --threads 1", "txt"),
    ("split", "txt"),
    ("robotxt", "txt"),
    ("texting_robots", "txt"),
    ("robotsc filter", "txt.gz"),
    ("gunzip", "txt.gz"),
    ("robotsc filter", "txt.zst"),
    ("unzstd", "txt.zst"),
];

/// A row of one order: where its lines come from, and what its runs took.
struct FilterRow {
    name: &'static str,
    input: &'static str,
    seconds: Vec<f64>,
    /// Of all its threads.
    processor: Vec<f64>,
}

/// Runs all rows whose input is there.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let folder = filter_data::folder(arguments);
    let rounds = arguments.number("rounds", 3)?;
    println!("| order | program | input | seconds | million URLs a second | processor seconds |");
    println!("|---|---|---|---|---|---|");
    for order in ["grouped", "shuffled"] {
        let lines = count_lines(&folder.join(format!("{order}.txt")))?;
        let is_there = |input: &str| folder.join(format!("{order}.{input}")).exists();
        let mut rows: Vec<FilterRow> = ROWS
            .into_iter()
            .filter(|(name, input)| arguments.wants("only", name) && is_there(input))
            .map(|(name, input)| FilterRow { name, input, seconds: Vec::new(), processor: Vec::new() })
            .collect();
        for _ in 0..rounds {
            for row in &mut rows {
                let file = folder.join(format!("{order}.{}", row.input));
                let (seconds, processor) = time(&mut command(arguments, &folder, row.name, &file)?)?;
                row.seconds.push(seconds);
                row.processor.push(processor);
            }
        }
        for row in rows {
            let (seconds, processor) = (median(row.seconds), median(row.processor));
            let rate = lines as f64 / seconds / 1e6;
            println!("| {order} | {} | {} | {seconds:.2} | {rate:.2} | {processor:.2} |", row.name, row.input);
        }
    }
    Ok(())
}

fn command(arguments: &Arguments, folder: &Path, name: &str, file: &Path) -> Result<Command, String> {
    let agent = arguments.text("agent", "FooBot");
    if !name.starts_with("robotsc") {
        let mut command = Command::new(std::env::current_exe().map_err(|error| error.to_string())?);
        command.args(["filter-one", name]).arg(file).args(["--agent", agent]).arg("--work").arg(folder);
        return Ok(command);
    }
    let mut command = Command::new(arguments.text("binary", "../target/dist/robotsc"));
    let now = (FETCHED + 60).to_string();
    command.args(["filter", "--quiet", "--agent", agent, "--now", &now]).args(name.split(' ').skip(2));
    command.arg("--pack").arg(folder.join("corpus.pack")).arg(file);
    Ok(command)
}

/// Seconds on the clock, and of processors.
fn time(command: &mut Command) -> Result<(f64, f64), String> {
    let before = processor_seconds();
    let start = Instant::now();
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    let status = status.map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if !status.success() {
        return Err(format!("{}: {status}", command.get_program().display()));
    }
    Ok((start.elapsed().as_secs_f64(), processor_seconds() - before))
}

/// What all children so far took of the processors, from Linux; NaN elsewhere.
fn processor_seconds() -> f64 {
    let read = || {
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        // After the name, which may hold spaces; in ticks of 10 ms.
        let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
        let ticks = fields.get(13)?.parse::<f64>().ok()? + fields.get(14)?.parse::<f64>().ok()?;
        Some(ticks / 100.0)
    };
    read().unwrap_or(f64::NAN)
}

fn count_lines(path: &Path) -> Result<usize, String> {
    let text = fs::read(path).map_err(|error| format!("{}: {error}: make it with filter-data", path.display()))?;
    Ok(memchr::memchr_iter(b'\n', &text).count())
}
