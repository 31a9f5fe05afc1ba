//! `fetch`: what happens when the robots.txt of a site is fetched, and what it means.

mod archive;
mod args;
mod bulk;
mod json;
mod network;
mod text;

use std::io::Write as _;

use robotsc::fetch::{Capture, Effective, FetchRecord, Outcome};
use robotsc::fetcher::Fetched;
use robotsc::origin::Origin;
use robotsc::{Dialect, RobotsTxt, Severity};

use self::archive::Archive;
pub(crate) use self::args::FetchArgs;
pub(crate) use self::network::Network;
use self::network::origin_of;
use crate::failure::{End, Failure};
use crate::{lint, output};

/// A fetch, and what a dialect makes of it.
pub(super) struct Judged<'f> {
    pub(super) fetched: &'f Fetched,
    pub(super) dialect: &'static Dialect,
    pub(super) record: FetchRecord,
    pub(super) effective: Effective,
    /// The severities of the findings, if there are rules.
    pub(super) findings: Option<Vec<Severity>>,
}

/// Runs the command.
pub(crate) fn fetch(args: &FetchArgs) -> Result<End, Failure> {
    if args.is_bulk() {
        return bulk::bulk(args);
    }
    let network = Network::of(&args.network)?;
    let dialect = args.dialect.of_robots();
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
        let record = record(&fetched, dialect);
        let findings = (record.outcome == Outcome::Rules).then(|| {
            let found = lint::default_lint().run(&RobotsTxt::parse_with(&fetched.body, dialect));
            found.iter().map(|finding| finding.severity).collect()
        });
        let effective = record.effective(dialect, fetched.at);
        let judged = Judged { fetched: &fetched, dialect, record, effective, findings };
        if args.json {
            json::write(&mut out, &judged)?;
        } else {
            if number > 0 {
                writeln!(out)?;
            }
            text::write(&mut out, &judged)?;
        }
        // Each is shown when it has ended: the next can take a while.
        out.flush()?;
        if matches!(record.outcome, Outcome::ServerError | Outcome::Unreachable | Outcome::NotModified) {
            end = End::Findings;
        }
    }
    if let Some(archive) = archive {
        archive.finish()?;
    }
    Ok(end)
}

/// Returns the record of a fetch of an origin of which nothing else is known.
fn record(fetched: &Fetched, dialect: &Dialect) -> FetchRecord {
    *Capture::after(None, &fetched.response(), fetched.at, dialect).record()
}
