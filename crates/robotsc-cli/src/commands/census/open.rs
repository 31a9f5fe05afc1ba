//! A census for a program: the rows of `robotsc census`, and nothing on standard error.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use robotsc::Dialect;
use robotsc_answers::census::{Census, Openness, Site};

use super::changes::Change;
use super::count::{Count, check};
use crate::commands::sites::run::SiteRun;
use crate::failure::{End, Failure};
use crate::io::stop::Stop;

/// What is counted.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'s> {
    /// The source.
    pub source: &'s Path,
    /// An older one that it is compared with.
    pub older: Option<&'s Path>,
    /// The dialect that files are read under.
    pub dialect: &'static Dialect,
    /// The threads that answer; one per processor without a number.
    pub threads: Option<NonZeroUsize>,
}

/// What comes of a site.
#[derive(Clone, Copy, Debug)]
pub enum Row<'r> {
    /// A site, if there is one source.
    Site(&'r Site),
    /// A site that is not as it was.
    Change {
        /// Its name.
        site: &'r str,
        /// `appeared`, `vanished` or `changed`.
        change: &'static str,
        /// The numbers of the agents for which it changed, with what was before and what is after.
        agents: &'r [(usize, Openness, Openness)],
    },
}

/// How a census ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The first source that was read and holds no site. If it is the older one, there are no rows.
    pub empty: Option<PathBuf>,
    /// Whether it was stopped.
    pub is_stopped: bool,
    /// How many captures were damaged or could not be used. If there are some, no site has vanished.
    pub broken: u64,
    /// What is wrong with the first of them.
    pub first_broken: Option<String>,
}

/// Hands the rows of a census to `take`, in the order of the source, the sites that vanished last.
///
/// Memory: as that of the command.
///
/// # Errors
/// What the command writes to standard error if it cannot read a source.
pub fn count(
    census: Census,
    sources: &Sources<'_>,
    stop: &Stop,
    take: &mut dyn FnMut(Row<'_>),
) -> Result<Ended, String> {
    rows(census, sources, stop, take).map_err(|failure| match failure {
        Failure::Error(message) => message,
        Failure::PipeClosed => "standard output is closed".to_owned(),
    })
}

fn rows(census: Census, sources: &Sources<'_>, stop: &Stop, take: &mut dyn FnMut(Row<'_>)) -> Result<Ended, Failure> {
    check(sources.older.into_iter().chain([sources.source]))?;
    let run = SiteRun::silent(sources.threads, stop)?;
    let count = Count { census: Arc::new(census), dialect: sources.dialect, run };
    let counted = count.sources(sources.source, sources.older, &mut |site, change| {
        match (sources.older, change) {
            (None, _) => take(Row::Site(site)),
            (Some(_), Some(change)) => take(row(&site.name, change)),
            (Some(_), None) => {}
        }
        Ok(())
    })?;
    counted.vanished.iter().for_each(|site| take(row(site, &Change::Vanished)));
    Ok(Ended {
        is_stopped: counted.end() == End::Stopped,
        empty: counted.empty,
        broken: counted.ends.iter().map(|source| source.broken).sum(),
        first_broken: counted.ends.into_iter().find_map(|source| source.first_broken),
    })
}

fn row<'r>(site: &'r str, change: &'r Change) -> Row<'r> {
    let agents = match change {
        Change::Changed(agents) => agents.as_slice(),
        Change::Appeared | Change::Vanished => &[],
    };
    Row::Change { site, change: change.name(), agents }
}
