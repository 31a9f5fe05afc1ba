//! `fetch` of many sites: origins in, at a pace; a table out, a WARC file, a log, and a pack.
//!
//! ```text
//! arguments, files, pack --refresh  ->  feeder  ->  Bulk  ->  WARC and log  ->  table
//!       (a thread reads them when there is room)          (they agree: journal)
//! at the end: WARC  ->  pack update
//! ```

mod input;
mod journal;
mod log;
mod refresh;
mod sockets;
mod tally;
mod visits;

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use robotsc::Dialect;
use robotsc::fetch::{BulkLimits, Fetched};
use robotsc::origin::Origin;
use robotsc::outcome::Outcome;
use robotsc_answers::fetched::{self, Judged};
use tokio::sync::mpsc;

use self::input::{Counts, Feeder, Seen};
use self::journal::Journal;
use self::refresh::Refresh;
use self::tally::Tally;
pub(super) use self::visits::visits;
use super::archive::Archive;
use super::args::FetchArgs;
use crate::command_line::options::CautionArgs;
use crate::command_line::time;
use crate::commands::pack;
use crate::commands::pack::args::{ClockArgs, UpdateArgs, WriteArgs};
use crate::failure::{End, Failure, complain};
use crate::io::file_id::FileId;
use crate::io::files;
use crate::io::network::{Network, origin_of};
use crate::io::output;
use crate::io::progress;
use crate::io::stop::Stop;
use crate::lists::input as lists;

/// The number of origins that the feeder may be ahead of the run, besides those that wait in it.
const AHEAD: usize = 1024;

/// How often the table is written out while it grows slowly.
const FLUSH_AFTER: Duration = Duration::from_secs(1);

/// How long a run can be without a line of its log while it asks: its fetches take this long at most.
const LONGEST_FETCH: Duration = Duration::from_secs(300);

/// Memory for the pack that is updated, in MiB.
const PACK_MEMORY: u32 = 512;

/// The first line of the table. The help of the command says what the columns hold.
const HEADER: &str = "origin\toutcome\tend\tredirects\tbytes\tms\tproblem";

/// Runs the command.
pub(super) fn bulk(args: &FetchArgs) -> Result<End, Failure> {
    let network = Network::of(&args.network)?;
    sockets::check(args.pace.concurrency)?;
    let (origins, files) = inputs(args)?;
    check_apart(args, &files)?;
    let pack = args.pack.as_deref().map(pack::open).transpose()?;
    let dialect = pack.as_ref().and_then(|pack| Dialect::by_name(pack.dialect().name));
    let dialect = args.caution.of(dialect.unwrap_or_else(|| args.dialect.of_robots()));
    let now = time::now(None)?;
    let (mut refresh, pack) = match (args.refresh, pack) {
        (Some(within), Some(pack)) => (Some(Refresh::new(pack, now, within)), None),
        (_, pack) => (None, pack),
    };
    let (mut fetched, mut resumes_warc) = (Seen::default(), false);
    let mut out = output::stdout();
    if !args.json {
        writeln!(out, "{HEADER}")?;
    }
    // A run that was killed can have lost rows of its table: what its log holds is written again.
    let mut shown = Ok(());
    let last = args.log.as_ref().and_then(|log| std::fs::metadata(log).ok()?.modified().ok());
    let kept = Kept::open(args, |done, is_here| {
        resumes_warc |= is_here;
        if let Some(row) = done.row().filter(|_| is_here && !args.json && shown.is_ok()) {
            shown = writeln!(out, "{row}");
        }
        let is_known = match (&mut refresh, &pack) {
            (Some(refresh), _) => refresh.learn(done, is_here),
            // What is in an earlier WARC file, and was not added to the pack, is asked again.
            (None, Some(pack)) => is_here || refresh::holds(pack, done),
            (None, None) => true,
        };
        if is_known {
            fetched.insert(&done.origin);
        }
    })?;
    drop(pack);
    shown.and_then(|()| out.flush())?;
    let stop = Stop::on_ctrl_c()?;
    wait_out(args, last, &stop);
    let counts = Arc::new(Counts::default());
    let is_refresh = refresh.is_some();
    let total = lists::total(&files);
    let (targets, receiver) = mpsc::channel(AHEAD);
    let feeder = Feeder { origins, files, refresh, fetched, counts: Arc::clone(&counts), targets };
    // It ends with its input, or when the run takes no more; one that waits for input ends with the process.
    thread::spawn(move || feeder.run());

    let run = Run {
        out,
        json: args.json,
        dialect,
        kept,
        tally: Tally::default(),
        bar: progress::fetches(total),
        flushed: Instant::now(),
        failure: None,
        keeps: true,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::io("cannot fetch", "threads", &error, "try again"))?;
    let run = RefCell::new(run);
    let each = |fetched: Fetched| run.borrow_mut().take(&fetched);
    let go_on = |underway| run.borrow_mut().go_on(underway, &counts) && !stop.is_requested();
    runtime.block_on(network.bulk(pace(args)).run_channel(receiver, each, go_on));
    // A name that is still being resolved must not hold the command up.
    runtime.shutdown_background();
    let began = Began { is_refresh, resumes_warc };
    finish(args, run.into_inner(), &counts, stop.is_requested(), began)
}

/// Waits if an earlier run of the log can just have asked. What it had in flight when it was killed is not in the log,
/// so that nothing is asked before the time between two requests is over. `last` is when the log was written last.
fn wait_out(args: &FetchArgs, last: Option<SystemTime>, stop: &Stop) {
    let interval = args.pace.domain_interval.max(args.pace.address_interval);
    let age = last.map(|last| last.elapsed().unwrap_or_default());
    if age.is_none_or(|age| age > interval + LONGEST_FETCH) {
        return;
    }
    let until = Instant::now() + interval;
    while !stop.is_requested() && Instant::now() < until {
        thread::sleep((until - Instant::now()).min(Duration::from_millis(50)));
    }
}

/// How a run began.
#[derive(Clone, Copy)]
struct Began {
    is_refresh: bool,
    /// Whether the WARC file had fetches already.
    resumes_warc: bool,
}

/// Completes what is written, and reports.
fn finish(args: &FetchArgs, run: Run, counts: &Counts, is_stopped: bool, began: Began) -> Result<End, Failure> {
    let Run { mut out, kept, tally, bar, failure, .. } = run;
    drop(bar);
    let is_closed = match failure {
        Some(Failure::PipeClosed) => true,
        Some(failure) => return Err(failure),
        None => match out.flush().map_err(Failure::from) {
            Ok(()) => false,
            Err(Failure::PipeClosed) => true,
            Err(failure) => return Err(failure),
        },
    };
    let read = |number: &std::sync::atomic::AtomicU64| number.load(Ordering::Relaxed);
    let (origins, known, bad) = (read(&counts.origins), read(&counts.known), read(&counts.bad));
    let failures = std::mem::take(&mut *counts.failures.lock().unwrap_or_else(PoisonError::into_inner));
    for failure in &failures {
        complain(failure);
    }
    if origins == 0 && bad == 0 && failures.is_empty() && !began.is_refresh && !is_stopped {
        return Err(Failure::new(
            "no site: the input is empty: see whether the command before it failed, or name a site",
        ));
    }
    let warc = kept.finish()?;
    let mut end = End::Clean;
    if let (Some(path), Some(warc)) = (&args.pack, &warc)
        && (tally.all() > 0 || began.resumes_warc)
    {
        end = update(path, warc.path(), args.caution, args.json && !is_closed)?;
    }
    tally.print(args.json, origins, known, bad, is_stopped)?;
    if bad > 0 {
        complain(&format!("no site: {bad} lines: they were skipped, and all others read"));
    }
    let is_cut_short = is_closed && (!counts.is_ended.load(Ordering::Relaxed) || known + tally.all() < origins);
    if is_cut_short && !is_stopped {
        complain("not all sites were asked: standard output: its reader closed it: write the table to a file");
    }
    Ok(if is_stopped {
        End::Stopped
    } else if bad > 0 || !failures.is_empty() || is_cut_short {
        End::Error
    } else {
        end
    })
}

/// Adds what was fetched to the pack.
fn update(path: &Path, warc: &Path, caution: CautionArgs, json: bool) -> Result<End, Failure> {
    pack::update(&UpdateArgs {
        caution,
        pack: path.to_owned(),
        sources: vec![warc.to_owned()],
        clock: ClockArgs { now: None },
        write: WriteArgs { output: path.to_owned(), memory: PACK_MEMORY, threads: None, strict: false, json },
    })
}

/// A run: what is written, and what was counted.
struct Run {
    out: Box<dyn Write>,
    json: bool,
    dialect: &'static Dialect,
    kept: Kept,
    tally: Tally,
    bar: progress::Fetches,
    flushed: Instant,
    /// Why the run ends early.
    failure: Option<Failure>,
    /// Whether results are still kept: they are if the table alone cannot be written.
    keeps: bool,
}

impl Run {
    /// Writes a result.
    fn take(&mut self, fetched: &Fetched) -> ControlFlow<()> {
        if self.keeps {
            let outcome = fetched::record(fetched, self.dialect).outcome;
            let kept = self.kept.write(fetched, outcome);
            if kept.is_ok() {
                self.tally.add(outcome, fetched);
                if self.failure.is_none() {
                    self.failure = self.show(fetched, outcome).err();
                }
            }
            self.note(kept);
        }
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Notes whether results could be kept.
    fn note(&mut self, kept: Result<(), Failure>) {
        if let Err(failure) = kept {
            // It matters more than a table that nobody reads.
            (self.keeps, self.failure) = (false, Some(failure));
        }
    }

    fn show(&mut self, fetched: &Fetched, outcome: Outcome) -> Result<(), Failure> {
        if self.json {
            output::json_line(&mut self.out, &Judged::unread(fetched, self.dialect).json())?;
            return Ok(self.out.flush()?);
        }
        if let Some(row) = log::Done::of(fetched, outcome, 0).row() {
            writeln!(self.out, "{row}")?;
        }
        // The log has the fetch now: a run that is killed must not have lost its row.
        Ok(self.out.flush()?)
    }

    /// Shows the progress. Returns `false` if the run cannot go on.
    fn go_on(&mut self, underway: robotsc::fetch::Underway, counts: &Counts) -> bool {
        self.bar.tick(
            &progress::Fetching {
                done: self.tally.all(),
                in_flight: underway.in_flight as u64,
                origins: counts.origins.load(Ordering::Relaxed) - counts.known.load(Ordering::Relaxed),
                bytes: counts.bytes.load(Ordering::Relaxed),
                is_ended: counts.is_ended.load(Ordering::Relaxed),
            },
            || self.tally.errors(),
        );
        if self.failure.is_none() && self.flushed.elapsed() > FLUSH_AFTER {
            self.flushed = Instant::now();
            self.failure = self.out.flush().map_err(Failure::from).err();
            let synced = self.kept.sync();
            self.note(synced);
        }
        self.failure.is_none()
    }
}

/// Where results are kept.
enum Kept {
    Nowhere,
    Archive(Archive),
    Journal(Box<Journal>, PathBuf),
}

/// The WARC file of a run.
enum Warc {
    Archive(super::archive::Complete),
    Journal(PathBuf),
}

impl Warc {
    fn path(&self) -> &Path {
        match self {
            Self::Archive(complete) => complete.path(),
            Self::Journal(path) => path,
        }
    }
}

impl Kept {
    fn open(args: &FetchArgs, each: impl FnMut(&log::Done<'_>, bool)) -> Result<Self, Failure> {
        Ok(match (&args.warc, &args.log, &args.pack) {
            (Some(warc), Some(log), _) => Self::Journal(Box::new(Journal::open(log, warc, each)?), warc.into()),
            (Some(warc), None, _) => Self::Archive(Archive::create(warc)?),
            (None, _, Some(pack)) => Self::Archive(Archive::temporary(pack)?),
            (None, _, None) => Self::Nowhere,
        })
    }

    fn write(&mut self, fetched: &Fetched, outcome: Outcome) -> Result<(), Failure> {
        match self {
            Self::Nowhere => Ok(()),
            Self::Archive(archive) => archive.write(fetched),
            Self::Journal(journal, _) => journal.write(fetched, outcome),
        }
    }

    fn sync(&mut self) -> Result<(), Failure> {
        match self {
            Self::Journal(journal, _) => journal.sync_after(journal::SYNC_AFTER),
            Self::Nowhere | Self::Archive(_) => Ok(()),
        }
    }

    fn finish(self) -> Result<Option<Warc>, Failure> {
        Ok(match self {
            Self::Nowhere => None,
            Self::Archive(archive) => Some(Warc::Archive(archive.finish()?)),
            Self::Journal(mut journal, path) => {
                journal.sync_after(Duration::ZERO)?;
                Some(Warc::Journal(path))
            }
        })
    }
}

/// Returns the origins and the files of the command line.
///
/// # Errors
/// If one is no origin, a file cannot be read, or standard input is named twice: before the first fetch.
fn inputs(args: &FetchArgs) -> Result<(Vec<Origin>, Vec<OsString>), Failure> {
    let (mut origins, mut files) = (Vec::new(), args.files.clone());
    for given in &args.origins {
        match files::is_stdin(given) {
            true => files.push(given.clone()),
            false => origins.push(origin_of(given.as_encoded_bytes())?),
        }
    }
    if files.iter().filter(|name| files::is_stdin(name)).count() > 1 {
        return Err(Failure::new("standard input twice: the command line: give - once"));
    }
    for name in files.iter().filter(|name| !files::is_stdin(name)) {
        lists::check(Path::new(name)).map_err(|error| files::cannot_read(&lists::shown_name(name), &error))?;
    }
    Ok((origins, files))
}

/// Checks that no output is an input or another output, under whatever name: it would be lost.
fn check_apart(args: &FetchArgs, files: &[OsString]) -> Result<(), Failure> {
    let path = |name: &OsString| FileId::of_path(Path::new(name));
    let mut taken: Vec<(FileId, String)> = Vec::new();
    let named = files.iter().filter_map(|name| Some((FileId::of_input(name)?, lists::shown_name(name))));
    taken.extend(named);
    if let Some(hosts) = &args.network.hosts {
        taken.extend(path(hosts).map(|id| (id, lists::shown_name(hosts))));
    }
    let pack = args.pack.as_ref().map(|pack| pack.clone().into_os_string());
    for output in [&args.warc, &args.log, &pack].into_iter().flatten() {
        let Some(id) = path(output) else { continue };
        let name = lists::shown_name(output);
        if let Some((_, other)) = taken.iter().find(|(other, _)| *other == id) {
            return Err(Failure::new(format_args!("one file twice: {name}: it is {other}, too: give each its own")));
        }
        // A pipe or a device can be both.
        if Path::new(output).is_file() {
            taken.push((id, name));
        }
    }
    Ok(())
}

fn pace(args: &FetchArgs) -> BulkLimits {
    BulkLimits {
        in_flight: args.pace.concurrency as usize,
        per_domain: args.pace.per_domain as usize,
        domain_interval: args.pace.domain_interval,
        per_address: args.pace.per_address as usize,
        address_interval: args.pace.address_interval,
        ..BulkLimits::default()
    }
}
