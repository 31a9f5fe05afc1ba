//! `census`: what many sites say to many crawlers.
//!
//! [`count`] has each site of a source answered on threads, and [`tally`] counts, with what servers answered
//! ([`served`]) if that was asked. [`rows`] are written as they come;
//! [`table`] and [`html`] are written from the counts. [`open`] hands the rows to a program.

mod args;
mod changes;
mod count;
mod html;
pub(crate) mod open;
mod ranks;
mod rows;
mod served;
mod table;
mod tally;

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use robotsc_analysis::words::counted;
use robotsc_answers::census::Census;
use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::mistake::Mistake;
use robotsc_answers::{lint, shown};

pub(crate) use self::args::CensusArgs;
use self::args::{Emit, RowsArg};
use self::changes::Change;
use self::count::Count;
use self::html::Page;
use self::ranks::Ranks;
use self::rows::Rows;
use self::served::Served;
use self::tally::Tally;
use crate::command_line::crawlers;
use crate::commands::sites::run::SiteRun;
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
    count::check(args.sources.iter().map(PathBuf::as_path))?;
    let (newer, older) = match args.sources.as_slice() {
        [older, newer] => (newer, Some(older)),
        [newer, ..] => (newer, None),
        [] => return Err(Failure::new("no source: the command line: name a folder, a manifest, a tar or a WARC file")),
    };
    let ranks = args.ranks.as_deref().map(Ranks::read).transpose()?;
    let served = args.served.as_deref().map(|path| Served::read(path, &census)).transpose()?;
    let run = SiteRun::new(args.threads, args.quiet)?;
    let count = Count { census: Arc::new(census), dialect, run };
    let (mut tally, mut rows) = (Tally::new(&count.census), rows(args, &count.census, older.is_some()));
    if let Some(rows) = &mut rows {
        rows.begin()?;
    }
    let done = count.sources(newer, older.map(PathBuf::as_path), &mut |site, change| {
        let answers = served.as_ref().map_or_else(Vec::new, |served| served.of(&site.name));
        tally.add(site, ranks.as_ref(), &answers);
        match (&mut rows, change) {
            (None, _) => Ok(()),
            (Some(rows), None) if older.is_none() => rows.site(site, &answers),
            (Some(rows), Some(change)) => rows.change(&site.name, change),
            (Some(_), None) => Ok(()),
        }
    })?;
    let end = done.end();
    let empty = done.empty.as_ref().map(|source| {
        let source = shown::bytes(source.as_os_str().as_encoded_bytes());
        format!("no sites: {source}: it holds no robots.txt: see --help for what a source is")
    });
    if older.is_some() && done.changes.is_none() {
        if let Some(empty) = empty {
            return Err(Failure::new(empty));
        }
        complain(&format!("stopped in {}: nothing was compared", names[0]));
        return Ok(end);
    }
    // A site that was not reached, or not read, is not gone.
    if older.is_some() && end != End::Clean {
        complain("not everything was read: sites that are in the older source alone are not listed");
    }
    if let Some(rows) = &mut rows {
        done.vanished.iter().try_for_each(|site| rows.change(site, &Change::Vanished))?;
        rows.finish()?;
    } else {
        let page = Page {
            census: &count.census,
            tally: &tally,
            changes: done.changes.as_ref(),
            sources: &names,
            dialect: dialect.name,
            has_ranks: ranks.is_some(),
        };
        write(args.form(), &page)?;
    }
    let not_found = served.as_ref().map(Served::not_found).unwrap_or_default();
    if let (Some(first), End::Clean, None) = (not_found.first(), end, &empty) {
        complain(&format!(
            "not in the source: {} that --served has answers of, such as {first}",
            counted(not_found.len() as u64, "site")
        ));
    }
    empty.map_or(Ok(end), |empty| Err(Failure::new(empty)))
}

/// Writes what was counted, in a form without rows.
fn write(form: Emit, page: &Page<'_>) -> Result<(), Failure> {
    let mut out = output::stdout();
    if form != Emit::Html {
        return table::write(&mut out, page.census, page.tally, page.changes);
    }
    out.write_all(page.text().as_bytes())?;
    Ok(out.flush()?)
}

/// Returns what writes rows, if the form has some.
fn rows<'c>(args: &CensusArgs, census: &'c Census, is_of_changes: bool) -> Option<Rows<'c>> {
    let form = args.form();
    matches!(form, Emit::Csv | Emit::Json).then(|| Rows {
        census,
        rows: args.rows.unwrap_or(RowsArg::Site),
        is_json: form == Emit::Json,
        has_findings: args.findings,
        has_served: args.served.is_some(),
        is_of_changes,
        out: output::stdout(),
    })
}
