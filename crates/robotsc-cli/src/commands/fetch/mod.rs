//! `fetch`: what happens when the robots.txt of a site is fetched, and what it means.

mod archive;
mod args;
mod bulk;
mod text;

use std::io::Write as _;

use robotsc::origin::Origin;
use robotsc::outcome::Outcome;
use robotsc_answers::fetched::Judged;

use self::archive::Archive;
pub(crate) use self::args::FetchArgs;
use crate::failure::{End, Failure};
use crate::io::network::{Network, origin_of};
use crate::io::output;

/// Runs the command.
pub(crate) fn fetch(args: &FetchArgs) -> Result<End, Failure> {
    if !args.names.is_empty() {
        return bulk::visits(args);
    }
    if args.is_bulk() {
        return bulk::bulk(args);
    }
    let network = Network::of_few_sites(&args.network)?;
    let dialect = args.caution.of(args.dialect.of_robots());
    let mut archive = args.warc.as_deref().map(Archive::create).transpose()?;
    let mut out = output::stdout();
    let mut end = End::Clean;
    let origins = args.origins.iter().map(|given| origin_of(given.as_encoded_bytes()));
    let origins = origins.collect::<Result<Vec<Origin>, Failure>>()?;
    for (number, origin) in origins.iter().enumerate() {
        let fetched = network.fetch(origin)?;
        if let Some(archive) = &mut archive {
            archive.write(&fetched)?;
        }
        let judged = Judged::new(&fetched, dialect);
        if args.json {
            output::json_line(&mut out, &judged.json())?;
        } else {
            if number > 0 {
                writeln!(out)?;
            }
            text::write(&mut out, &judged)?;
        }
        // Each is shown when it has ended: the next can take a while.
        out.flush()?;
        if matches!(judged.record.outcome, Outcome::ServerError | Outcome::Unreachable | Outcome::NotModified) {
            end = End::Findings;
        }
    }
    if let Some(archive) = archive {
        archive.finish()?;
    }
    Ok(end)
}
