//! What a census goes through: the sites of a source, or of two with what changed between them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use robotsc::Dialect;
use robotsc_answers::census::{Census, Site, Visit};
use robotsc_answers::shown;
use robotsc_sources::SourceAnswer;

use super::changes::{Change, Changes};
use crate::commands::pack::capture;
use crate::commands::sites::other::OtherSites;
use crate::commands::sites::run::{SiteEnd, SiteRun};
use crate::commands::sites::{self, SourceSite};
use crate::failure::{End, Failure};

/// How sources are counted.
pub(super) struct Count {
    pub(super) census: Arc<Census>,
    pub(super) dialect: &'static Dialect,
    pub(super) run: SiteRun,
}

/// What takes each site of the newer source, in its order, and what changed if there is an older one.
pub(super) type TakeSite<'t> = dyn FnMut(&Site, Option<&Change>) -> Result<(), Failure> + 't;

/// How a census ended.
pub(super) struct Counted {
    /// How each source ended that was read.
    pub(super) ends: Vec<SiteEnd>,
    /// What changed, if two sources were compared.
    pub(super) changes: Option<Changes>,
    /// The sites that are not in the newer source, if both were read whole: a site that was not reached, or not read,
    /// is not gone.
    pub(super) vanished: Vec<String>,
    /// The first source that was read and holds no site. If it is the older one, the newer is not read.
    pub(super) empty: Option<PathBuf>,
}

impl Counted {
    /// Returns how the census ended: as the source that ended worst.
    pub(super) fn end(&self) -> End {
        self.ends.iter().map(|source| source.end).max().unwrap_or(End::Clean)
    }
}

/// Checks that sources can be read, before one is.
pub(super) fn check<'s>(sources: impl IntoIterator<Item = &'s Path>) -> Result<(), Failure> {
    let check = |source: &Path| sites::check(source, &shown::bytes(source.as_os_str().as_encoded_bytes()));
    sources.into_iter().try_for_each(check)
}

impl Count {
    /// Counts a source, after an older one if there is one. If that is stopped or holds no site, the newer is not read.
    pub(super) fn sources(
        &self,
        newer: &Path,
        older: Option<&Path>,
        take: &mut TakeSite<'_>,
    ) -> Result<Counted, Failure> {
        let (mut ends, mut changes) = (Vec::new(), None);
        if let Some(older) = older {
            let (end, before, sites) = self.before(older)?;
            let empty = is_empty(&end, sites).then(|| older.to_owned());
            let is_stopped = end.end == End::Stopped;
            ends.push(end);
            if is_stopped || empty.is_some() {
                return Ok(Counted { ends, changes, vanished: Vec::new(), empty });
            }
            changes = Some(before);
        }
        let mut sites = 0;
        let end = self.source(newer, &mut |site| {
            sites += 1;
            match &mut changes {
                Some(changes) => take(&site, changes.add(&site).as_ref()),
                None => take(&site, None),
            }
        })?;
        let empty = is_empty(&end, sites).then(|| newer.to_owned());
        ends.push(end);
        let mut counted = Counted { ends, changes, vanished: Vec::new(), empty };
        if counted.end() == End::Clean {
            counted.vanished = counted.changes.as_mut().map(Changes::vanished).unwrap_or_default();
        }
        Ok(counted)
    }

    /// Hands what each site of a source says to `take`, in the order of the source.
    fn source(&self, source: &Path, take: &mut dyn FnMut(Site) -> Result<(), Failure>) -> Result<SiteEnd, Failure> {
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

    /// Counts the older source. Returns the number of its sites, too.
    fn before(&self, source: &Path) -> Result<(SiteEnd, Changes, u64), Failure> {
        let agents = self.census.agents().len();
        let (mut before, mut sites) = (OtherSites::default(), 0);
        let end = self.source(source, &mut |site| {
            sites += 1;
            before.insert(&site.name, (0..agents).map(|agent| site.stated_access(agent)).collect());
            Ok(())
        })?;
        Ok((end, Changes::new(before, agents), sites))
    }
}

/// Reports whether a source that was read holds no site.
fn is_empty(end: &SiteEnd, sites: u64) -> bool {
    sites == 0 && end.end != End::Stopped
}
