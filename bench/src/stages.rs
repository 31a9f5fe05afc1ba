//! Instructions of the hot stages, counted by valgrind: the same on every run, whatever else the machine does.
//!
//! Each stage runs once over all files, in a process of its own, and only [`measured`] is counted. The files are made
//! as those of `benches/` are, so that a table can be kept and compared; `--corpus DIR` takes real ones.

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::process::Command;

use robotsc::program::Compiled;
use robotsc::{Dialect, Program, RobotsTxt};

use crate::arguments::Arguments;
use crate::corpus::{Corpus, Source};
use crate::engine::Engine;
use crate::generated;
use crate::ours::{Fast, Naming, RankedRules, Small, rule_set};

/// What a stage reads: files, and what is asked of each.
struct Input {
    body: &'static [u8],
    urls: Vec<String>,
    paths: Vec<String>,
}

/// A stage: its name, what it is counted over, and how it runs.
struct Stage {
    name: &'static str,
    /// What one count is of.
    each: Each,
    run: fn(&[Input]) -> u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Each {
    File,
    Url,
}

const AGENT: &str = "FooBot";

const STAGES: [Stage; 10] = [
    Stage { name: "parse", each: Each::File, run: |inputs| measured(inputs, |input| RobotsTxt::parse(input.body)) },
    Stage { name: "parse-rank", each: Each::File, run: |inputs| measured(inputs, |input| rule_set(input.body, AGENT)) },
    Stage { name: "compile-fast", each: Each::File, run: compile::<Fast> },
    Stage { name: "compile-small", each: Each::File, run: compile::<Small> },
    Stage { name: "compile-naming", each: Each::File, run: compile::<Naming> },
    Stage { name: "load", each: Each::File, run: load },
    Stage { name: "url-path", each: Each::Url, run: url_path },
    Stage { name: "rule-set", each: Each::Url, run: ask::<RankedRules> },
    Stage { name: "walk-fast", each: Each::Url, run: ask::<Fast> },
    Stage { name: "walk-naming", each: Each::Url, run: ask::<Naming> },
];

/// What `--compare` lets pass, in percent.
const TOLERANCE: f64 = 5.0;

/// Runs the part that is counted. Valgrind finds it by its name.
#[inline(never)]
fn measured<I, T>(inputs: &[I], stage: impl Fn(&I) -> T) -> u64 {
    for input in inputs {
        black_box(stage(black_box(input)));
    }
    inputs.len() as u64
}

fn compile<E: Engine>(inputs: &[Input]) -> u64 {
    measured(inputs, |input| E::prepare(input.body, AGENT).is_some())
}

fn prepared<E: Engine>(inputs: &[Input]) -> Vec<(E::Ready, &[String])> {
    inputs.iter().filter_map(|input| Some((E::prepare(input.body, AGENT)?, input.paths.as_slice()))).collect()
}

fn ask<E: Engine>(inputs: &[Input]) -> u64 {
    let prepared = prepared::<E>(inputs);
    measured(&prepared, |(ready, paths)| {
        let walk = E::walk(ready);
        paths.iter().filter(|path| E::path(&walk, black_box(path))).count()
    });
    paths_of(inputs)
}

fn load(inputs: &[Input]) -> u64 {
    let prepared: Vec<(Compiled, _)> = prepared::<Small>(inputs);
    measured(&prepared, |(compiled, _)| Program::from_bytes(compiled.as_bytes()).is_ok())
}

fn url_path(inputs: &[Input]) -> u64 {
    measured(inputs, |input| input.urls.iter().filter(|url| Dialect::GOOGLE.url_path(black_box(url)).is_ok()).count());
    paths_of(inputs)
}

fn paths_of(inputs: &[Input]) -> u64 {
    inputs.iter().map(|input| input.paths.len() as u64).sum()
}

fn inputs(arguments: &Arguments) -> Result<Vec<Input>, String> {
    if arguments.text("corpus", "").is_empty() {
        let sites = generated::sites(400, 7).into_iter();
        return Ok(sites
            .map(|site| Input { body: Vec::leak(site.body), urls: site.urls, paths: site.paths })
            .collect());
    }
    let corpus = Corpus::load(&Source::read(arguments)?)?;
    let hosts = corpus.hosts.into_iter();
    Ok(hosts.map(|host| Input { body: host.body, urls: host.urls, paths: host.paths }).collect())
}

/// Runs one stage.
pub(crate) fn run_one(arguments: &Arguments) -> Result<(), String> {
    let name = arguments.text("row", "");
    let stage = STAGES.iter().find(|stage| stage.name == name).ok_or_else(|| format!("no stage {name}"))?;
    println!("{}", (stage.run)(&inputs(arguments)?));
    Ok(())
}

/// Counts all stages and prints them; `--compare FILE` compares them with a table, `--write FILE` keeps them as one.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let before = match arguments.text("compare", "") {
        "" => Vec::new(),
        file => read_table(file)?,
    };
    let wanted: Vec<&str> = arguments.text("row", "").split(',').filter(|name| !name.is_empty()).collect();
    if let Some(unknown) = wanted.iter().find(|name| STAGES.iter().all(|stage| stage.name != **name)) {
        return Err(format!("no stage {unknown}"));
    }
    let mut table = String::from("stage\tof each\tinstructions\n");
    println!("| stage | instructions | of each |{}", if before.is_empty() { "" } else { " before | change |" });
    println!("| --- | --- | --- |{}", if before.is_empty() { "" } else { " --- | --- |" });
    let mut moved = Vec::new();
    for stage in STAGES.iter().filter(|stage| wanted.is_empty() || wanted.contains(&stage.name)) {
        let count = count(stage, arguments)?;
        let each = if stage.each == Each::File { "file" } else { "URL" };
        print!("| {} | {count} | {each} |", stage.name);
        if let Some((_, old)) = before.iter().find(|(name, _)| name == stage.name) {
            let change = (count as f64 / *old as f64 - 1.0) * 100.0;
            print!(" {old} | {change:+.1} % |");
            if change.abs() > TOLERANCE {
                moved.push(format!("{} {change:+.1} %", stage.name));
            }
        }
        println!();
        writeln!(table, "{}\t{each}\t{count}", stage.name).map_err(|error| error.to_string())?;
    }
    if !moved.is_empty() {
        println!("\nmoved by more than {TOLERANCE} %: {}", moved.join(", "));
    }
    match arguments.text("write", "") {
        "" => Ok(()),
        file => fs::write(file, table).map_err(|error| format!("{file}: {error}")),
    }
}

/// Returns the instructions of a stage for each file or URL.
fn count(stage: &Stage, arguments: &Arguments) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*stages::measured*"]);
    command.arg(program).args(["stages-one", "--row", stage.name]);
    for option in ["corpus", "every", "max-file"] {
        if !arguments.text(option, "").is_empty() {
            command.args([format!("--{option}"), arguments.text(option, "").to_owned()]);
        }
    }
    let output = command.output().map_err(|error| format!("valgrind: {error}"))?;
    let log = String::from_utf8_lossy(&output.stderr);
    let collected = log.lines().find_map(|line| line.split_once("Collected : "));
    let units = String::from_utf8_lossy(&output.stdout).trim().parse::<u64>();
    match (collected.and_then(|(_, count)| count.trim().parse::<u64>().ok()), units) {
        (Some(count), Ok(units)) if units > 0 && count > 0 => Ok(count.div_ceil(units)),
        _ => Err(format!("{}: valgrind counted nothing\n{log}", stage.name)),
    }
}

fn read_table(file: &str) -> Result<Vec<(String, u64)>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let row = |line: &str| {
        let mut fields = line.split('\t');
        Some((fields.next()?.to_owned(), fields.nth(1)?.parse().ok()?))
    };
    let rows = text.lines().skip(1).map(|line| row(line).ok_or_else(|| format!("{file}: {line}: no stage and count")));
    rows.collect()
}
