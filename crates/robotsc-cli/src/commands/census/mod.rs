//! `census`: what many sites say to many crawlers.
//!
//! [`sites`] has each site of a source answered on threads, and [`tally`] counts. [`rows`] are written as they come;
//! [`table`] and [`html`] are written from the counts.

mod args;
mod changes;
mod html;
mod ranks;
mod rows;
mod table;
mod tally;

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use robotsc::Dialect;
use robotsc_answers::census::{Census, Site, Visit};
use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::mistake::Mistake;
use robotsc_answers::{lint, shown};
use robotsc_sources::SourceAnswer;

pub(crate) use self::args::CensusArgs;
use self::args::{Emit, RowsArg};
use self::changes::{Change, Changes};
use self::html::Page;
use self::ranks::Ranks;
use self::rows::Rows;
use self::tally::Tally;
use crate::command_line::crawlers;
use crate::commands::pack::capture;
use crate::commands::sites::older::OlderSites;
use crate::commands::sites::run::SiteRun;
use crate::commands::sites::{self, SourceSite};
use crate::failure::{End, Failure, complain};
use crate::io::output;

/// Runs the command.
pub(crate) fn census(args: &CensusArgs) -> Result<End, Failure> {
    args.check()?;
    let dialect = args.caution.of(args.dialect.of_robots());
    let agents = ChosenAgent::all(&args.agents, args.as_written)
        .map_err(|(_, Mistake { what, cause })| Failure::new(format_args!("{what}: --agent: {cause}")))?;
    crawlers::warn_of_near(agents.iter().map(|agent| agent.name.as_str()));
    let mut census = Census::new(agents, dialect);
    if args.findings {
        census = census.with_lint(lint::default_lint());
    }
    let names: Vec<String> =
        args.sources.iter().map(|source| shown::bytes(source.as_os_str().as_encoded_bytes())).collect();
    for (source, name) in args.sources.iter().zip(&names) {
        sites::check(source, name)?;
    }
    let ranks = args.ranks.as_deref().map(Ranks::read).transpose()?;
    let run = SiteRun::new(args.threads, args.quiet)?;
    let count = Count { census: Arc::new(census), dialect, run };
    let (newer, older) = match args.sources.as_slice() {
        [older, newer] => (newer, Some(older)),
        [newer, ..] => (newer, None),
        [] => return Err(Failure::new("no source: the command line: name a folder, a manifest, a tar or a WARC file")),
    };
    let (mut end, mut changes) = (End::Clean, None);
    if let Some(older) = older {
        let (end_of_older, before) = before(&count, older)?;
        if end_of_older == End::Stopped {
            complain(&format!("stopped in {}: nothing was compared", names[0]));
            return Ok(end_of_older);
        }
        (end, changes) = (end_of_older, Some(before));
    }
    let mut counted = Counted {
        census: &count.census,
        tally: Tally::new(&count.census),
        ranks,
        rows: rows(args, &count.census, changes.is_some()),
        changes,
    };
    if let Some(rows) = &mut counted.rows {
        rows.begin()?;
    }
    end = end.max(count.source(newer, &mut |site| counted.add(&site))?);
    let sites = counted.tally.sites;
    counted.write(args.form(), &names, dialect, end)?;
    if sites == 0 {
        complain(&format!("no sites: {}: it holds no robots.txt: see --help for what a source is", names.join(", ")));
        return Ok(End::Error);
    }
    Ok(end)
}

/// How sources are counted.
struct Count {
    census: Arc<Census>,
    dialect: &'static Dialect,
    run: SiteRun,
}

impl Count {
    /// Hands what each site of a source says to `take`, in the order of the source.
    fn source(&self, source: &Path, take: &mut dyn FnMut(Site) -> Result<(), Failure>) -> Result<End, Failure> {
        let (census, dialect, now) = (Arc::clone(&self.census), self.dialect, self.run.now);
        let answer = move |site: &SourceSite| {
            let capture = capture::fetched(&site.capture, dialect, now);
            let status = match &site.capture.answer {
                SourceAnswer::Response(response) => Some(response.status),
                _ => None,
            };
            census.site(&Visit { name: &site.name, capture: &capture, status, body: site.body() })
        };
        self.run.each(source, answer, take)
    }
}

/// Counts the older source.
fn before(count: &Count, source: &Path) -> Result<(End, Changes), Failure> {
    let agents = count.census.agents().len();
    let mut before = OlderSites::default();
    let end = count.source(source, &mut |site| {
        before.insert(&site.name, (0..agents).map(|agent| site.stated_access(agent)).collect());
        Ok(())
    })?;
    Ok((end, Changes::new(before, agents)))
}

/// Returns what writes rows, if the form has some.
fn rows<'c>(args: &CensusArgs, census: &'c Census, is_of_changes: bool) -> Option<Rows<'c>> {
    let form = args.form();
    matches!(form, Emit::Csv | Emit::Json).then(|| Rows {
        census,
        rows: args.rows.unwrap_or(RowsArg::Site),
        is_json: form == Emit::Json,
        has_findings: args.findings,
        is_of_changes,
        out: output::stdout(),
    })
}

/// What is counted of the newer source, or of the only one.
struct Counted<'c> {
    census: &'c Census,
    tally: Tally,
    ranks: Option<Ranks>,
    rows: Option<Rows<'c>>,
    /// What changed since the older source, if there are two.
    changes: Option<Changes>,
}

impl Counted<'_> {
    /// Adds a site, and writes its rows.
    fn add(&mut self, site: &Site) -> Result<(), Failure> {
        self.tally.add(site, self.ranks.as_ref());
        match (&mut self.changes, &mut self.rows) {
            (Some(changes), rows) => match (changes.add(site), rows) {
                (Some(change), Some(rows)) => rows.change(&site.name, &change),
                _ => Ok(()),
            },
            (None, Some(rows)) => rows.site(site),
            (None, None) => Ok(()),
        }
    }

    /// Writes what was counted, or the last rows.
    fn write(mut self, form: Emit, sources: &[String], dialect: &Dialect, end: End) -> Result<(), Failure> {
        // A site that was not reached, or not read, is not gone.
        let vanished = match &mut self.changes {
            Some(changes) if end == End::Clean => changes.vanished(),
            Some(_) => {
                complain("not everything was read: sites that are gone are not listed");
                Vec::new()
            }
            None => Vec::new(),
        };
        if let Some(mut rows) = self.rows {
            vanished.iter().try_for_each(|site| rows.change(site, &Change::Vanished))?;
            return rows.finish();
        }
        let mut out = output::stdout();
        if form != Emit::Html {
            return table::write(&mut out, self.census, &self.tally, self.changes.as_ref());
        }
        let page = Page {
            census: self.census,
            tally: &self.tally,
            changes: self.changes.as_ref(),
            sources,
            dialect: dialect.name,
            has_ranks: self.ranks.is_some(),
        };
        out.write_all(page.text().as_bytes())?;
        Ok(out.flush()?)
    }
}
