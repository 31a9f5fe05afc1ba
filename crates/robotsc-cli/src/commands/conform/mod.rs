//! `conform`: runs recorded cases against this parser, or against any other.

mod args;
mod case;
mod external;
mod internal;
mod tally;

use std::io::Write as _;
use std::num::NonZero;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use indicatif::ProgressBar;
use robotsc_answers::shown;
use robotsc_answers::url_path::UrlReader;

pub(crate) use self::args::ConformArgs;
use self::case::{Case, Cases, Question};
use self::external::Command;
use self::internal::Internal;
use self::tally::{Outcome, Tally};
use crate::failure::{End, Failure, complain};
use crate::io::output;
use crate::io::progress;

/// The cases that are read before they are answered: enough for every worker, in little memory.
const CASES_AT_ONCE: usize = 4096;

/// Runs the command.
pub(crate) fn conform(args: &ConformArgs) -> Result<End, Failure> {
    let reader = UrlReader { raw: args.raw_url, ..UrlReader::new(args.dialect.of_robots()) };
    let parser = match &args.cmd {
        Some(command) => {
            let jobs = args.jobs.map_or_else(|| thread::available_parallelism().map_or(1, NonZero::get), usize::from);
            let command = Command::parse(command, Duration::from_secs(args.timeout))?;
            let folder = tempfile::Builder::new().prefix("robotsc-").tempdir();
            let folder = folder.map_err(|error| {
                Failure::io(
                    "cannot write",
                    "the folder for temporary files",
                    &error,
                    "set TMPDIR to one that can be written",
                )
            })?;
            Parser::External { command, jobs, folder }
        }
        None => Parser::Internal(Internal { reader, engine: args.engine }),
    };
    let mut tally = Tally::default();
    let mut end = End::Clean;
    for file in &args.files {
        let mut cases = match Cases::open(file, args.expect) {
            Ok(cases) => cases,
            Err(Failure::Error(message)) => {
                complain(&message);
                end = End::Error;
                continue;
            }
            Err(closed) => return Err(closed),
        };
        tally.start(cases.suite());
        loop {
            let mut chunk = Vec::new();
            while chunk.len() < CASES_AT_ONCE
                && let Some(case) = cases.next_case()
            {
                match case {
                    Ok(case) => chunk.push(case),
                    Err(message) => {
                        complain(&message);
                        end = End::Error;
                    }
                }
            }
            if chunk.is_empty() {
                break;
            }
            for (case, outcome) in chunk.iter().zip(parser.outcomes(&chunk)) {
                tally.add(case, outcome);
            }
        }
    }
    let mut out = output::stdout();
    if args.json {
        tally.write_json(&mut out)?;
    } else {
        tally.write(&mut out)?;
    }
    out.flush()?;
    if tally.fails() {
        end = End::Error;
    }
    if !tally.compares() {
        complain("nothing was compared: the suites: give files of cases that this parser can answer");
        end = End::Error;
    }
    Ok(if tally.differs() { end.max(End::Findings) } else { end })
}

/// The parser under test.
enum Parser {
    Internal(Internal),
    External { command: Command, jobs: usize, folder: tempfile::TempDir },
}

impl Parser {
    /// Returns the outcome of each case, in order.
    fn outcomes(&self, cases: &[Case]) -> Vec<Outcome> {
        match self {
            Self::Internal(internal) => cases.iter().map(|case| internal.outcome(&case.question)).collect(),
            Self::External { command, jobs, folder } => in_parallel(cases, *jobs, command, folder.path()),
        }
    }
}

/// Runs a command for all cases, several at a time. Each worker has its own file for the robots.txt.
fn in_parallel(cases: &[Case], jobs: usize, command: &Command, folder: &Path) -> Vec<Outcome> {
    let bar = progress::cases(cases.len() as u64);
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Vec::with_capacity(cases.len()));
    thread::scope(|scope| {
        for worker in 0..jobs.min(cases.len()) {
            let (bar, next, outcomes) = (&bar, &next, &outcomes);
            scope
                .spawn(move || work(cases, command, &folder.join(format!("robots-{worker}.txt")), next, bar, outcomes));
        }
    });
    bar.finish_and_clear();
    let mut outcomes = outcomes.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    outcomes.sort_unstable_by_key(|(index, _)| *index);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

fn work(
    cases: &[Case],
    command: &Command,
    file: &Path,
    next: &AtomicUsize,
    bar: &ProgressBar,
    outcomes: &Mutex<Vec<(usize, Outcome)>>,
) {
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(case) = cases.get(index) else { return };
        let outcome = match &case.question {
            Question::Verdict { robots, agents, url, expected } => {
                verdict_outcome(command.ask(file, robots, agents, url), *expected, agents, url)
            }
            Question::NoVerdict => Outcome::Skipped,
            _ => Outcome::OtherKind,
        };
        bar.inc(1);
        outcomes.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((index, outcome));
    }
}

/// Compares a verdict with the expected one.
fn verdict_outcome(said: Result<bool, String>, expected: bool, agents: &[String], url: &[u8]) -> Outcome {
    let about = || format!("agent {}, URL {}", shown::bytes(agents.join(",").as_bytes()), shown::cut(url, 160));
    let word = |allowed: bool| if allowed { "allowed" } else { "disallowed" }.to_owned();
    match said {
        Ok(said) if said == expected => Outcome::Agrees,
        Ok(said) => Outcome::Differs { said: word(said), expected: word(expected), about: about() },
        Err(reason) => Outcome::Fails { reason, about: about() },
    }
}
