//! A run over the sites of a source: they are read, answered on threads, and handed on in the order of the source.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use indicatif::HumanCount;
use robotsc::outcome::Time;

use super::{NoSite, Sites, SourceSite, Superseded};
use crate::command_line::time;
use crate::commands::pack::skipped::Skipped;
use crate::failure::{End, Failure, complain};
use crate::io::in_order::{Closed, Items, Take, in_order};
use crate::io::progress;
use crate::io::stop::Stop;

/// The bytes of bodies that a thread takes at a time, about, and the number of sites.
const BATCH_BYTES: usize = 1 << 18;
const BATCH_SITES: usize = 64;

/// How the sites of sources are read and answered.
#[derive(Clone)]
pub(in crate::commands) struct SiteRun {
    threads: NonZeroUsize,
    /// The time of captures without one.
    pub(in crate::commands) now: Time,
    stop: Stop,
    voice: Voice,
}

/// What a run writes to standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voice {
    /// What is wrong, and what a user may want to know.
    Full,
    /// What is wrong.
    Errors,
    /// Nothing: a program reads [`SiteEnd`].
    Silent,
}

/// How a source ended.
#[derive(Clone, Debug)]
pub(in crate::commands) struct SiteEnd {
    pub(in crate::commands) end: End,
    /// How many captures were damaged or could not be used.
    pub(in crate::commands) broken: u64,
    /// What is wrong with the first of them.
    pub(in crate::commands) first_broken: Option<String>,
}

/// Sites that a thread takes at a time.
struct Batch<A> {
    sites: Vec<SourceSite>,
    bytes: usize,
    answers: Vec<A>,
}

impl<A> Default for Batch<A> {
    fn default() -> Self {
        Self { sites: Vec::new(), bytes: 0, answers: Vec::new() }
    }
}

/// What takes the answers.
struct Answers<'t, A>(&'t mut dyn FnMut(A) -> Result<(), Failure>);

impl<A> Take<Batch<A>> for Answers<'_, A> {
    fn take(&mut self, batch: &mut Batch<A>) -> Result<(), Failure> {
        batch.sites.clear();
        batch.answers.drain(..).try_for_each(|answer| (self.0)(answer))
    }
}

impl SiteRun {
    /// Prepares a run that Ctrl-C stops. Without a number, there is a thread for each processor.
    pub(in crate::commands) fn new(threads: Option<NonZeroUsize>, quiet: bool) -> Result<Self, Failure> {
        let voice = if quiet { Voice::Errors } else { Voice::Full };
        Ok(Self { stop: Stop::on_ctrl_c()?, voice, ..Self::silent(threads, &Stop::default())? })
    }

    /// Prepares a run that writes nothing to standard error, and that its owner stops.
    pub(in crate::commands) fn silent(threads: Option<NonZeroUsize>, stop: &Stop) -> Result<Self, Failure> {
        Ok(Self {
            threads: threads.unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)),
            now: time::now(None)?,
            stop: stop.clone(),
            voice: Voice::Silent,
        })
    }

    /// Answers for each site of a source on threads, and hands the answers to `take` in the order of the source.
    pub(in crate::commands) fn each<A: Send + 'static>(
        &self,
        source: &Path,
        answer: impl Fn(&SourceSite) -> A + Send + Sync + 'static,
        take: &mut dyn FnMut(A) -> Result<(), Failure>,
    ) -> Result<SiteEnd, Failure> {
        let (reader, source) = (self.clone(), source.to_owned());
        let read = move |items| reader.read(&source, &items);
        let work = move |batch: &mut Batch<A>| batch.answers.extend(batch.sites.iter().map(&answer));
        // The reader waits for files alone, and stops between two sites.
        let end = in_order(self.threads, None, read, work, &mut Answers(take))?;
        Ok(end.unwrap_or(SiteEnd { end: End::Stopped, broken: 0, first_broken: None }))
    }

    /// Reads the sites of a source, in batches.
    fn read<A>(&self, source: &PathBuf, items: &Items<Batch<A>>) -> SiteEnd {
        let bar = || match self.voice {
            Voice::Silent => progress::Sources::silent(),
            _ => progress::sources(std::slice::from_ref(source)),
        };
        let superseded = Superseded::find(source, self.now, &self.stop, &bar());
        let bar = bar();
        let mut skipped = Skipped::default();
        // An error means that the run has ended, and says why itself.
        let _ = self.send(source, items, &superseded, &mut skipped, &bar);
        bar.clear();
        if self.voice != Voice::Silent {
            skipped.summarize();
        }
        if superseded.count() > 0 && self.voice == Voice::Full {
            complain(&format!(
                "{} captures of sites that have a newer one: the newest of each site counts",
                HumanCount(superseded.count())
            ));
        }
        let end = match (self.stop.is_requested(), skipped.broken) {
            (true, _) => End::Stopped,
            (false, 0) => End::Clean,
            (false, _) => End::Error,
        };
        SiteEnd { end, broken: skipped.broken, first_broken: skipped.first }
    }

    /// Sends the newest capture of each site.
    fn send<A>(
        &self,
        source: &Path,
        items: &Items<Batch<A>>,
        superseded: &Superseded,
        skipped: &mut Skipped,
        bar: &progress::Sources,
    ) -> Result<(), Closed> {
        let mut sites = Sites::new(source, self.now);
        let mut number = 0;
        let mut batch: Option<Box<Batch<A>>> = None;
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
            filling.bytes += site.body().len();
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
}
