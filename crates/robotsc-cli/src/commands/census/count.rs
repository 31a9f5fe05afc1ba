//! Counts a source: its sites are read, answered on threads, and handed on in the order of the source.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::HumanCount;
use robotsc::Dialect;
use robotsc::outcome::Time;
use robotsc_answers::census::{Census, Site, Visit};
use robotsc_sources::SourceAnswer;

use super::visits::{NoSite, Sites, SourceSite, Superseded};
use crate::commands::pack::{capture, skipped::Skipped};
use crate::failure::{End, Failure, complain};
use crate::io::in_order::{Closed, Items, Take, in_order};
use crate::io::progress;
use crate::io::stop::Stop;

/// The bytes of bodies that a thread takes at a time, about, and the number of sites.
const BATCH_BYTES: usize = 1 << 18;
const BATCH_SITES: usize = 64;

/// How sources are counted.
#[derive(Clone)]
pub(super) struct Count {
    pub(super) census: Arc<Census>,
    pub(super) dialect: &'static Dialect,
    pub(super) threads: NonZeroUsize,
    /// The time of captures without one.
    pub(super) now: Time,
    pub(super) stop: Stop,
    pub(super) quiet: bool,
}

/// Sites that a thread takes at a time.
#[derive(Default)]
struct Batch {
    sites: Vec<SourceSite>,
    bytes: usize,
    answers: Vec<Site>,
}

/// What takes the answers.
struct Answers<'t>(&'t mut dyn FnMut(&Site) -> Result<(), Failure>);

impl Take<Batch> for Answers<'_> {
    fn take(&mut self, batch: &mut Batch) -> Result<(), Failure> {
        batch.sites.clear();
        batch.answers.drain(..).try_for_each(|site| (self.0)(&site))
    }
}

impl Count {
    /// Hands each site of a source to `take`, in the order of the source.
    pub(super) fn source(
        &self,
        source: &Path,
        take: &mut dyn FnMut(&Site) -> Result<(), Failure>,
    ) -> Result<End, Failure> {
        let (reader, worker, source) = (self.clone(), self.clone(), source.to_owned());
        let read = move |items| reader.read(&source, &items);
        let work = move |batch: &mut Batch| {
            batch.answers.extend(batch.sites.iter().map(|site| worker.answer(site)));
        };
        // The reader waits for files alone, and stops between two sites.
        let end = in_order(self.threads, None, read, work, &mut Answers(take))?;
        Ok(end.unwrap_or(End::Stopped))
    }

    /// Reads the sites of a source, in batches.
    fn read(&self, source: &PathBuf, items: &Items<Batch>) -> End {
        let superseded = Superseded::find(source, self.now, &self.stop);
        let bar = progress::sources(std::slice::from_ref(source));
        let mut skipped = Skipped::default();
        // An error means that the run has ended, and says why itself.
        let _ = self.send(source, items, &superseded, &mut skipped, &bar);
        bar.clear();
        skipped.summarize();
        if superseded.count() > 0 && !self.quiet {
            complain(&format!(
                "{} captures of sites that have a newer one: the newest of each site was counted",
                HumanCount(superseded.count())
            ));
        }
        match (self.stop.is_requested(), skipped.broken) {
            (true, _) => End::Stopped,
            (false, 0) => End::Clean,
            (false, _) => End::Error,
        }
    }

    /// Sends the newest capture of each site.
    fn send(
        &self,
        source: &Path,
        items: &Items<Batch>,
        superseded: &Superseded,
        skipped: &mut Skipped,
        bar: &progress::Sources,
    ) -> Result<(), Closed> {
        let mut sites = Sites::new(source, self.now);
        let mut number = 0;
        let mut batch: Option<Box<Batch>> = None;
        while let Some(site) = sites.next() {
            if self.stop.is_requested() {
                break;
            }
            bar.tick(u64::from(number), || sites.bytes_read());
            let site = match site {
                Ok(site) => site,
                Err(NoSite::Broken(broken)) => {
                    skipped.insert(&broken, bar);
                    continue;
                }
                Err(NoSite::Unusable(unusable)) => {
                    skipped.unusable(&unusable, bar);
                    continue;
                }
            };
            number += 1;
            if superseded.contains(number - 1) {
                continue;
            }
            let mut filling = match batch.take() {
                Some(batch) => batch,
                None => items.next()?,
            };
            filling.bytes += body(&site).len();
            filling.sites.push(site);
            if filling.bytes >= BATCH_BYTES || filling.sites.len() >= BATCH_SITES {
                filling.bytes = 0;
                items.send(filling)?;
            } else {
                batch = Some(filling);
            }
        }
        batch.map_or(Ok(()), |batch| items.send(batch))
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
