//! `fetch`: what happens when the robots.txt of a site is fetched, and what it means.

mod archive;
mod args;
mod network;
mod text;

use std::ffi::OsString;
use std::io::Write as _;

use robotsc::fetch::Outcome;
use robotsc::origin::Origin;
use robotsc_answers::fetched::Judged;

use self::archive::Archive;
pub(crate) use self::args::FetchArgs;
#[cfg(feature = "serve")]
pub(crate) use self::args::NetworkArgs;
pub(crate) use self::network::Network;
use self::network::origin_of;
use crate::failure::{End, Failure};
use crate::output;
use crate::source::{self, Source};

/// Runs the command.
pub(crate) fn fetch(args: &FetchArgs) -> Result<End, Failure> {
    let network = Network::of(&args.network)?;
    let dialect = args.dialect.of_robots();
    let mut archive = args.warc.as_deref().map(Archive::create).transpose()?;
    let mut out = output::stdout();
    let mut end = End::Clean;
    for (number, origin) in origins(&args.origins)?.iter().enumerate() {
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

/// Returns the origins of the command line, and for `-` those of standard input, one a line.
///
/// # Errors
/// If one is none, or there is none at all: before the first is fetched.
fn origins(given: &[OsString]) -> Result<Vec<Origin>, Failure> {
    let mut origins = Vec::new();
    for given in given {
        if !source::is_stdin(given) {
            origins.push(origin_of(given.as_encoded_bytes())?);
            continue;
        }
        let list = Source::read(given)?;
        let lines = list.bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
        for line in lines {
            origins.push(origin_of(line)?);
        }
    }
    if origins.is_empty() {
        return Err(Failure::new(
            "no site: standard input is empty: see whether the command before it failed, or name a site",
        ));
    }
    Ok(origins)
}
