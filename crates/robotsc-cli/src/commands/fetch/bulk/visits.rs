//! `fetch --as`: what sites answer to the names of known crawlers.
//!
//! Sites that the command line names are shown as tables, in their order; those of lists as rows, as they come.

use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::thread;

use robotsc::fetch::{Visit, Visited};
use robotsc::outcome::FetchEnd;
use robotsc_answers::shown;
use robotsc_answers::visit::{Compared, Names, Row, check_page};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::block_in_place;

use super::input::{Counts, Feeder, Seen};
use super::{AHEAD, inputs, pace, sockets};
use crate::commands::fetch::args::FetchArgs;
use crate::failure::{End, Failure, complain};
use crate::io::network::Network;
use crate::io::output;
use crate::io::stop::Stop;
use crate::io::table::Table;

/// The first line of the rows of many sites.
const HEADER: &str = "origin\tagent\trobots.txt\tcompared\tsays\tpage\tserver\tat odds";

/// A cell that says nothing.
const NONE: &str = "-";

/// How the caller's own name is shown among those of crawlers.
const OWN: &str = "(your own)";

/// Runs the command.
pub(in super::super) fn visits(args: &FetchArgs) -> Result<End, Failure> {
    let names = Names::of(&args.names)?;
    let dialect = args.caution.of(args.dialect.of_robots());
    let page = check_page(&args.page, dialect)
        .map_err(|why| Failure::new(format_args!("bad page: {}: {why}", shown::line(&args.page))))?;
    let network = Network::of(&args.network)?;
    sockets::check(args.pace.concurrency)?;
    let (origins, files) = inputs(args)?;
    if !names.left_out.is_empty() {
        complain(&format!("not asked as {}: their User-Agent is not on record", names.left_out.join(", ")));
    }
    let visit = Visit { names: names.user_agents()?, page: page.clone() };
    let form = match (args.json, args.is_bulk()) {
        (true, _) => Form::Json,
        (false, true) => Form::Rows,
        (false, false) => Form::Table,
    };
    let order = if args.is_bulk() { None } else { Some(origins.iter().map(ToString::to_string).collect()) };
    let mut out = output::stdout();
    if form == Form::Rows {
        writeln!(out, "{HEADER}")?;
    }
    let asked = names.known.len() + 1;
    let head = page.clone();
    let mut sheet = Sheet { out, form, head, asked, order, early: HashMap::new() };
    let (mut written, mut done) = (Ok(()), 0_u64);
    let own = network.user_agent();
    let note = move |number: usize, base: &Visited, visited: &Visited| {
        let name = number.checked_sub(1).and_then(|number| names.known.get(number));
        let of_row = |row: Row<'_>| Answer::of(&row, &page, form);
        // Comparing two large files takes up to a second, in which other answers come.
        block_in_place(|| Row::of([base, visited], (&own, name), &page, dialect).map(of_row).map_err(Failure::from))
    };
    let stop = Stop::on_ctrl_c()?;
    let counts = Arc::new(Counts::default());
    let (targets, receiver) = mpsc::channel(AHEAD);
    let (fetched, refresh) = (Seen::default(), None);
    let feeder = Feeder { origins, files, refresh, fetched, counts: Arc::clone(&counts), targets };
    // It ends with its input, or when the run takes no more; one that waits for input ends with the process.
    thread::spawn(move || feeder.run());
    let each = |answers: Vec<Result<Answer, Failure>>| {
        done += 1;
        written = answers.into_iter().collect::<Result<_, _>>().and_then(|answers| sheet.take(answers));
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::io("cannot fetch", "threads", &error, "try again"))?;
    runtime.block_on(network.bulk(pace(args)).visit(receiver, visit, note, each, |_| !stop.is_requested()));
    // A name that is still being resolved must not hold the command up.
    runtime.shutdown_background();
    written?;
    sheet.show_rest()?;
    finish(&counts, done, stop.is_requested())
}

/// Reports what was not asked.
fn finish(counts: &Counts, done: u64, is_stopped: bool) -> Result<End, Failure> {
    let (origins, bad) = (counts.origins.load(Ordering::Relaxed), counts.bad.load(Ordering::Relaxed));
    let failures = std::mem::take(&mut *counts.failures.lock().unwrap_or_else(PoisonError::into_inner));
    for failure in &failures {
        complain(failure);
    }
    if is_stopped {
        complain(&format!("stopped: {} sites have no answer", origins.saturating_sub(done)));
        return Ok(End::Stopped);
    }
    if origins == 0 && bad == 0 && failures.is_empty() {
        return Err(Failure::new("no site: the input is empty: name a site"));
    }
    if bad > 0 {
        complain(&format!("no site: {bad} lines: they were skipped, and all others read"));
    }
    Ok(if bad > 0 || !failures.is_empty() { End::Error } else { End::Clean })
}

/// In which form answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Json,
    /// A row for each, between tabs.
    Rows,
    /// A table for each site.
    Table,
}

/// What is kept of an answer: what is written of it.
struct Answer {
    origin: String,
    /// The object of JSON, if that is written; else its cells.
    json: Option<Value>,
    cells: [String; 7],
    /// Whether the server asks to come back later.
    is_limited: bool,
    /// What is said below a table.
    notes: Vec<String>,
}

impl Answer {
    fn of(row: &Row<'_>, page: &str, form: Form) -> Self {
        Self {
            origin: row.visited.robots.origin.to_string(),
            json: (form == Form::Json).then(|| row.json(page)),
            cells: cells(row),
            is_limited: row.visited.is_limited(),
            notes: if form == Form::Table { notes(row) } else { Vec::new() },
        }
    }
}

/// What is written.
struct Sheet {
    out: Box<dyn Write>,
    form: Form,
    /// The page.
    head: String,
    /// The number of names.
    asked: usize,
    /// The sites that are not shown yet, in order, if that counts; the next one comes first.
    order: Option<Vec<String>>,
    /// What came before its turn.
    early: HashMap<String, Vec<Answer>>,
}

impl Sheet {
    /// Takes what a site answered.
    fn take(&mut self, answers: Vec<Answer>) -> Result<(), Failure> {
        let Some(first) = answers.first() else { return Ok(()) };
        if self.order.is_none() {
            return self.show(&answers);
        }
        self.early.insert(first.origin.clone(), answers);
        self.show_next()
    }

    /// Shows what came before its turn, if what is before it did not come before the run was stopped.
    fn show_rest(&mut self) -> Result<(), Failure> {
        if let Some(order) = &mut self.order {
            order.retain(|origin| self.early.contains_key(origin));
        }
        self.show_next()
    }

    /// Shows the sites whose turn it is.
    fn show_next(&mut self) -> Result<(), Failure> {
        while let Some(next) = self.order.as_ref().and_then(|order| order.first().cloned())
            && let Some(answers) = self.early.remove(&next)
        {
            // A site that is named twice is asked and shown once.
            self.order.iter_mut().for_each(|order| order.retain(|origin| *origin != next));
            self.show(&answers)?;
        }
        Ok(())
    }

    fn show(&mut self, answers: &[Answer]) -> Result<(), Failure> {
        match self.form {
            Form::Json => {
                for json in answers.iter().filter_map(|answer| answer.json.as_ref()) {
                    output::json_line(&mut self.out, json)?;
                }
            }
            Form::Rows => {
                for answer in answers {
                    writeln!(self.out, "{}\t{}", answer.origin, answer.cells.join("\t"))?;
                }
            }
            Form::Table => self.table(answers)?,
        }
        Ok(self.out.flush()?)
    }

    fn table(&mut self, answers: &[Answer]) -> Result<(), Failure> {
        let out = &mut self.out;
        let origin = answers.first().map_or("", |answer| &answer.origin);
        writeln!(out, "{origin}{}", self.head)?;
        let mut table = Table::new(&["agent", "robots.txt", "says", ">page", "server", ""]);
        for answer in answers {
            let [agent, robots, compared, says, page, server, odds] = answer.cells.clone();
            let agent = if agent == NONE { OWN.to_owned() } else { agent };
            let robots = if compared == NONE { robots } else { format!("{robots} {compared}") };
            let odds = if odds == NONE { String::new() } else { odds };
            table.row([agent, robots, says, page, server, odds]);
        }
        table.style(|cell| match cell {
            "allowed" | "served" => Some(output::ALLOWED),
            "disallowed" | "refused" | "payment" | "challenge" => Some(output::DISALLOWED),
            _ => None,
        });
        table.write(out, "")?;
        for note in answers.iter().flat_map(|answer| &answer.notes) {
            writeln!(out, "{note}")?;
        }
        if answers.len() < self.asked {
            let is_limited = answers.first().is_some_and(|own| own.is_limited);
            let why = if is_limited { "asks to come back later" } else { "cannot be reached" };
            writeln!(out, "not asked under other names: the site {why}")?;
        }
        if self.order.as_ref().is_some_and(|order| !order.is_empty()) {
            writeln!(out)?;
        }
        Ok(())
    }
}

/// Returns what a table has no room for: what differs, what went wrong, and what the register says.
fn notes(row: &Row<'_>) -> Vec<String> {
    let agent = row.name.map_or(OWN, |name| &name.agent.name);
    let mut notes = Vec::new();
    if let Some(Compared::Differs(difference)) = &row.compared {
        let clauses = difference.clauses().join(", ");
        notes.push(format!("{agent}: another robots.txt than under your own name: {clauses}"));
    }
    let problems = [&row.visited.robots.problem, &row.visited.page.problem];
    for (what, problem) in ["robots.txt", "the page"].into_iter().zip(problems) {
        notes.extend(problem.as_ref().map(|problem| format!("{agent}: {what}: {}", shown::line(problem))));
    }
    notes.extend(row.verdict.note.as_ref().map(|note| shown::line(note)));
    notes
}

/// Returns the cells of a row.
fn cells(row: &Row<'_>) -> [String; 7] {
    let odds = match (row.is_at_odds(), row.verdict.is_allowed) {
        (false, _) => NONE,
        (true, Some(true)) => "allowed, but not served",
        (true, _) => "disallowed, but served",
    };
    [
        row.name.map_or(NONE, |name| &name.agent.name).to_owned(),
        end(row.visited.robots.end),
        row.compared.as_ref().map_or(NONE, Compared::name).to_owned(),
        row.verdict.name().unwrap_or(NONE).to_owned(),
        end(row.visited.page.end),
        row.server.name().to_owned(),
        odds.to_owned(),
    ]
}

/// Returns the status, or why there is none.
fn end(end: FetchEnd) -> String {
    match end {
        FetchEnd::Status(status) => status.to_string(),
        end => end.as_str().to_owned(),
    }
}
