//! `census`: what many sites say to many crawlers.
//!
//! [`visits`] reads the sites of a source, [`pipeline`] has each answered on threads and keeps their order, and
//! [`tally`] counts. [`rows`] are written as they come; [`table`] and [`html`] are written from the counts.

mod args;
mod changes;
mod html;
mod pipeline;
mod ranks;
mod rows;
mod table;
mod tally;
mod visits;

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use indicatif::HumanCount;
use robotsc::outcome::Time;
use robotsc::{Dialect, origin::Origin};
use robotsc_answers::census::{Census, Site, Visit};
use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::mistake::Mistake;
use robotsc_answers::{lint, shown};
use robotsc_sources::SourceAnswer;

pub(crate) use self::args::CensusArgs;
use self::args::Emit;
use self::changes::{Before, Change, Changes};
use self::html::Page;
use self::ranks::Ranks;
use self::rows::Rows;
use self::tally::Tally;
use self::visits::{Sites, SourceSite};
use crate::command_line::time;
use crate::commands::pack::{capture, skipped::Skipped};
use crate::failure::{End, Failure, complain};
use crate::io::file_kind::FileKind;
use crate::io::files;
use crate::io::output;
use crate::io::progress;
use crate::io::stop::Stop;

/// The bytes of bodies that a thread takes at a time, about, and the number of sites.
const BATCH_BYTES: usize = 1 << 18;
const BATCH_SITES: usize = 64;

/// Runs the command.
pub(crate) fn census(args: &CensusArgs) -> Result<End, Failure> {
    let dialect = args.caution.of(args.dialect.of_robots());
    let agents = ChosenAgent::all(&args.agents, args.as_written)
        .map_err(|(_, Mistake { what, cause })| Failure::new(format_args!("{what}: --agent: {cause}")))?;
    let mut census = Census::new(agents, dialect);
    if args.findings {
        census = census.with_lint(lint::default_lint());
    }
    let names: Vec<String> =
        args.sources.iter().map(|source| shown::bytes(source.as_os_str().as_encoded_bytes())).collect();
    for (source, name) in args.sources.iter().zip(&names) {
        check(source, name)?;
    }
    let ranks = args.ranks.as_deref().map(Ranks::read).transpose()?;
    let count = Count {
        census: &census,
        dialect,
        threads: args.threads.unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)),
        // Captures without a time are of now.
        now: time::now(None)?,
        stop: Stop::on_ctrl_c()?,
        quiet: args.quiet,
    };
    let (newer, older) = match args.sources.as_slice() {
        [older, newer] => (newer, Some(older)),
        [newer, ..] => (newer, None),
        [] => return Err(Failure::new("no source: the command line: name a folder, a manifest, a tar or a WARC file")),
    };
    let mut end = End::Clean;
    let mut changes = None;
    if let Some(older) = older {
        let mut before = Before::default();
        end = end.max(count.source(older, |site| {
            before.add(site, census.agents().len());
            Ok(())
        })?);
        if end == End::Stopped {
            complain(&format!("stopped in {}: nothing was compared", names[0]));
            return Ok(end);
        }
        changes = Some(Changes::new(before, census.agents().len()));
    }
    let mut tally = Tally::new(&census);
    let emit = if args.json { Emit::Jsonl } else { args.emit };
    let mut rows = matches!(emit, Emit::Csv | Emit::Jsonl).then(|| Rows {
        census: &census,
        rows: args.rows,
        is_json: emit == Emit::Jsonl,
        has_findings: args.findings,
        is_of_changes: changes.is_some(),
        out: output::stdout(),
    });
    if let Some(rows) = &mut rows {
        rows.begin()?;
    }
    end = end.max(count.source(newer, |site| {
        tally.add(site, ranks.as_ref());
        match (&mut changes, &mut rows) {
            (Some(changes), rows) => match (changes.add(site), rows) {
                (Some(change), Some(rows)) => rows.change(&site.name, &change),
                _ => Ok(()),
            },
            (None, Some(rows)) => rows.site(site),
            (None, None) => Ok(()),
        }
    })?);
    // A site that was not reached, or not read, is not gone.
    let vanished = match &mut changes {
        Some(changes) if end == End::Clean => changes.vanished(),
        Some(_) => {
            complain("not everything was read: sites that are gone are not listed");
            Vec::new()
        }
        None => Vec::new(),
    };
    let mut out = output::stdout();
    match (emit, rows) {
        (_, Some(mut rows)) => {
            vanished.iter().try_for_each(|site| rows.change(site, &Change::Vanished))?;
            rows.finish()?;
        }
        (Emit::Html, None) => {
            let page = Page {
                census: &census,
                tally: &tally,
                changes: changes.as_ref(),
                sources: &names,
                dialect: dialect.name,
                has_ranks: ranks.is_some(),
            };
            out.write_all(page.text().as_bytes())?;
            out.flush()?;
        }
        (_, None) => table::write(&mut out, &census, &tally, changes.as_ref())?,
    }
    if tally.sites == 0 {
        complain(&format!("no sites: {}: it holds no robots.txt: see --help for what a source is", names.join(", ")));
        return Ok(End::Error);
    }
    Ok(end)
}

/// Checks that a source can be read, and is none that holds no bodies.
fn check(source: &Path, name: &str) -> Result<(), Failure> {
    let opened = std::fs::metadata(source).and_then(|metadata| {
        // Opening a pipe would wait for a writer.
        if metadata.is_file() { std::fs::File::open(source).map(Some) } else { Ok(None) }
    });
    let opened = opened.map_err(|error| files::cannot_read(name, &error))?;
    let mut head = Vec::new();
    if let Some(file) = opened {
        let _ = std::io::Read::read_to_end(&mut std::io::Read::take(file, 8), &mut head);
    }
    if !head.is_empty() && FileKind::of("", &head) == FileKind::Pack {
        return Err(Failure::new(format_args!(
            "no bodies: {name}: a policy pack holds programs, and not the files that they came from: give the source \
             that it was built from"
        )));
    }
    Ok(())
}

/// How sources are counted.
struct Count<'c> {
    census: &'c Census,
    dialect: &'static Dialect,
    threads: NonZeroUsize,
    now: Time,
    stop: Stop,
    quiet: bool,
}

impl Count<'_> {
    /// Hands each site of a source to `take`, in the order of the source.
    fn source(&self, source: &PathBuf, mut take: impl FnMut(&Site) -> Result<(), Failure>) -> Result<End, Failure> {
        let read = |send: &mut dyn FnMut(Vec<SourceSite>) -> bool| self.read(source, send);
        let work = |sites: Vec<SourceSite>| sites.iter().map(|site| self.answer(site)).collect::<Vec<Site>>();
        pipeline::in_order(self.threads, read, work, |sites| sites.iter().try_for_each(&mut take))
    }

    /// Reads the sites of a source, in batches.
    fn read(&self, source: &PathBuf, send: &mut dyn FnMut(Vec<SourceSite>) -> bool) -> End {
        let bar = progress::sources(std::slice::from_ref(source));
        let mut skipped = Skipped::default();
        let mut sites = Sites::new(source.clone());
        let (mut number, mut bytes) = (0, 0);
        let mut batch = Vec::new();
        while let Some(site) = sites.next() {
            if self.stop.is_requested() {
                break;
            }
            number += 1;
            bar.tick(number, || sites.bytes_read());
            let site = match site {
                Ok(site) => site,
                Err(broken) => {
                    skipped.insert(&broken, &bar);
                    continue;
                }
            };
            if let Err(error) = Origin::of_url(&site.capture.url) {
                let url = shown::cut(&site.capture.url, 120);
                let line = format!("bad URL: {}: '{url}': {error}: skipped", site.capture.spot);
                skipped.report(&format!("bad URL: {error}"), &line, &bar);
                continue;
            }
            bytes += body(&site).len();
            batch.push(site);
            if bytes >= BATCH_BYTES || batch.len() >= BATCH_SITES {
                bytes = 0;
                if !send(std::mem::take(&mut batch)) {
                    break;
                }
            }
        }
        if !batch.is_empty() {
            send(batch);
        }
        bar.clear();
        skipped.summarize();
        if sites.repeated > 0 && !self.quiet {
            complain(&format!(
                "{} captures of sites that came before: the first of each site was counted",
                HumanCount(sites.repeated)
            ));
        }
        match (self.stop.is_requested(), skipped.broken) {
            (true, _) => End::Stopped,
            (false, 0) => End::Clean,
            (false, _) => End::Error,
        }
    }

    /// Answers for a site.
    fn answer(&self, site: &SourceSite) -> Site {
        let capture = capture::fetched(&site.capture, self.dialect, self.now);
        let status = match &site.capture.answer {
            SourceAnswer::Response(response) => Some(response.status),
            _ => None,
        };
        self.census.site(&Visit { name: &site.name, capture: &capture, status, body: body(site) })
    }
}

/// Returns the body that a source holds of a site.
fn body(site: &SourceSite) -> &[u8] {
    match &site.capture.answer {
        SourceAnswer::Response(response) => &response.body,
        _ => &[],
    }
}
