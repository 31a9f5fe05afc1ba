//! Hostile inputs: every engine and every case in a process of its own, which is ended after a cap.

use std::hint::black_box;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::arguments::Arguments;
use crate::engine::{Engine, EngineKind};
use crate::hostile_cases::{self, Case};
use crate::ours::{raw, rule_set};
use crate::roster::{self, Visit};
use crate::table::{Table, number};
use crate::timing::{TimeBudget, shortest};

/// How long a child may run.
const CAP: Duration = Duration::from_secs(10);

/// Runs `hostile`: the table of all cases and engines.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let mut names = Names { arguments, names: Vec::new() };
    roster::visit(&mut names);
    let names = names.names;

    let mut times = Table::new(["case: ms to prepare / us a URL"].into_iter().chain(names.iter().copied()));
    let mut made = Table::new(["case", "form", "program bytes", "parts", "nodes", "work", "file bytes"]);
    for case in hostile_cases::NAMES.into_iter().filter(|case| arguments.wants("case", case)) {
        let input = hostile_cases::make(case).ok_or_else(|| format!("no case {case}"))?;
        let rules = rule_set(&input.body, "FooBot");
        let allowed = |path: &str| rules.verdict(raw(path.as_bytes())) == Ok(robotsc::Verdict::Allow);
        let mut expected = vec![allowed(&input.path)];
        expected.extend(input.probes().iter().map(|path| allowed(path)));
        let mut cells = vec![case.to_owned()];
        for &name in &names {
            eprintln!("{case}: {name}");
            let seen = ask(name, case)?;
            cells.push(seen.cell(&expected));
            if let [bytes, parts, nodes, work] = seen.figures.as_slice() {
                let body = input.body.len().to_string();
                made.row([case, name, bytes, parts, nodes, work, &body]);
            }
        }
        times.row(cells);
    }
    times.print();
    made.print();
    Ok(())
}

struct Names<'a> {
    arguments: &'a Arguments,
    names: Vec<&'static str>,
}

impl Visit for Names<'_> {
    fn visit<E: Engine + 'static>(&mut self) {
        if E::KIND != EngineKind::Limit && roster::wanted(self.arguments, E::NAME, E::KIND) {
            self.names.push(E::NAME);
        }
    }
}

/// What a child said before it ended or was ended.
#[derive(Default)]
struct Seen {
    prepare: Option<f64>,
    url: Option<f64>,
    /// The verdicts for the path and the probes.
    allowed: Vec<bool>,
    refused: bool,
    figures: Vec<String>,
    capped: bool,
}

impl Seen {
    fn cell(&self, expected: &[bool]) -> String {
        let ended = if self.capped { "> 10 s" } else { "died" };
        if self.refused {
            return "refused".to_owned();
        }
        let Some(prepare) = self.prepare else { return ended.to_owned() };
        let prepare = number(prepare / 1e6);
        let Some(url) = self.url else { return format!("{prepare} / {ended}") };
        let wrong = match self.allowed.iter().zip(expected).filter(|(said, expected)| said != expected).count() {
            0 => String::new(),
            wrong => format!(" ({wrong} of {} wrong)", expected.len()),
        };
        format!("{prepare} / {}{wrong}", number(url / 1e3))
    }
}

/// Runs one engine on one case in a child.
fn ask(engine: &str, case: &str) -> Result<Seen, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut child = Command::new(program)
        .args(["hostile-one", engine, case])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let capped = wait(&mut child)?;
    let mut said = String::new();
    if let Some(mut out) = child.stdout.take() {
        out.read_to_string(&mut said).map_err(|error| error.to_string())?;
    }
    let mut seen = Seen { capped, ..Seen::default() };
    for line in said.lines() {
        let mut words = line.split(' ');
        match (words.next(), words.next()) {
            (Some("prepare"), Some(value)) => seen.prepare = value.parse().ok(),
            (Some("url"), Some(value)) => seen.url = value.parse().ok(),
            (Some("allowed"), Some(value)) => seen.allowed.extend(value.parse::<bool>()),
            (Some("refused"), _) => seen.refused = true,
            (Some("figures"), Some(first)) => {
                seen.figures = std::iter::once(first).chain(words).map(str::to_owned).collect()
            }
            _ => {}
        }
    }
    Ok(seen)
}

/// Waits for a child until the cap; whether it had to be ended. What it says fits in the pipe.
fn wait(child: &mut Child) -> Result<bool, String> {
    let start = Instant::now();
    loop {
        if child.try_wait().map_err(|error| error.to_string())?.is_some() {
            return Ok(false);
        }
        if start.elapsed() > CAP {
            child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
            return Ok(true);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Runs `hostile-one`, the child's part.
pub(crate) fn run_one(arguments: &Arguments) -> Result<(), String> {
    let [_, engine, case] = arguments.words.as_slice() else {
        return Err("hostile-one needs an engine and a case".to_owned());
    };
    let case = hostile_cases::make(case).ok_or_else(|| format!("no case {case}"))?;
    let mut one = One { engine, case, found: Err(format!("no engine {engine}")) };
    roster::visit(&mut one);
    one.found
}

struct One<'a> {
    engine: &'a str,
    case: Case,
    found: Result<(), String>,
}

impl Visit for One<'_> {
    fn visit<E: Engine + 'static>(&mut self) {
        if E::NAME == self.engine {
            self.found = tell::<E>(&self.case);
        }
    }
}

/// Prepares, says how long it took, asks, and says how long that took: a child that is ended has said what it knew.
fn tell<E: Engine>(case: &Case) -> Result<(), String> {
    let say = |line: String| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|error| error.to_string())
    };
    let body: &'static [u8] = Vec::leak(case.body.clone());
    let start = Instant::now();
    let Some(ready) = E::prepare(body, "FooBot") else { return say("refused".to_owned()) };
    let mut prepare = start.elapsed().as_secs_f64() * 1e9;
    say(format!("prepare {prepare}"))?;
    if let Some(figures) = E::figures(&ready) {
        say(format!("figures {} {} {} {}", figures.bytes, figures.parts, figures.nodes, figures.work))?;
    }

    let budget = TimeBudget { passes: 5, time: Duration::from_millis(20), once: Duration::from_secs(1) };
    let url = format!("http://example.com{}", case.path);
    let walk = E::walk(&ready);
    let mut allowed = false;
    let time = shortest(budget, || {
        allowed = if E::TAKES_PATH {
            E::path(black_box(&walk), black_box(&case.path))
        } else {
            E::url(black_box(&walk), black_box(&url))
        };
        black_box(allowed);
    });
    say(format!("url {time}"))?;
    say(format!("allowed {allowed}"))?;
    for probe in case.probes() {
        let allowed =
            if E::TAKES_PATH { E::path(&walk, &probe) } else { E::url(&walk, &format!("http://example.com{probe}")) };
        say(format!("allowed {allowed}"))?;
    }
    if prepare < 1e9 {
        prepare = prepare.min(shortest(budget, || {
            black_box(E::prepare(black_box(body), "FooBot"));
        }));
        say(format!("prepare {prepare}"))?;
    }
    Ok(())
}
