//! The sites of a source, each once: its newest capture. [`run`] has each answered on threads, and [`other`] finds what
//! is known of them from elsewhere.

pub(in crate::commands) mod other;
pub(in crate::commands) mod run;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;

use robotsc::outcome::Time;
use robotsc_sources::{Broken, Captures, SourceAnswer, SourceCapture, SourceLimits};

use super::pack::capture::{self, Unusable};
use crate::failure::Failure;
use crate::io::file_kind::FileKind;
use crate::io::stop::Stop;
use crate::io::{files, progress};

/// A site by its canonical origin, or by its host alone, and what a source holds of it.
#[derive(Debug)]
pub(in crate::commands) struct SourceSite {
    pub(in crate::commands) name: String,
    pub(in crate::commands) capture: SourceCapture,
}

impl SourceSite {
    /// Returns the body that a source holds of it.
    pub(in crate::commands) fn body(&self) -> &[u8] {
        match &self.capture.answer {
            SourceAnswer::Response(response) => &response.body,
            _ => &[],
        }
    }
}

/// Something that is no site.
#[derive(Debug)]
pub(in crate::commands) enum NoSite {
    Broken(Broken),
    Unusable(Unusable),
}

/// The captures of a source, in its order, a bare host as one.
#[derive(Debug)]
pub(in crate::commands) struct Sites {
    captures: Captures,
    /// What was read ahead.
    next: Option<Result<SourceCapture, Broken>>,
    now: Time,
}

impl Sites {
    pub(in crate::commands) fn new(source: &Path, now: Time) -> Self {
        let mut captures = Captures::new(vec![source.to_owned()], &SourceLimits::default());
        let next = captures.next();
        Self { captures, next, now }
    }

    /// Returns how many bytes of the source were read so far.
    pub(in crate::commands) fn bytes_read(&self) -> u64 {
        self.captures.bytes_read()
    }
}

impl Iterator for Sites {
    type Item = Result<SourceSite, NoSite>;

    fn next(&mut self) -> Option<Self::Item> {
        let capture = self.next.take()?;
        self.next = self.captures.next();
        let capture = match capture {
            Ok(capture) => capture,
            Err(broken) => return Some(Err(NoSite::Broken(broken))),
        };
        // A bare host stands for two origins, with one body.
        let is_pair = |next: &Result<SourceCapture, Broken>| {
            next.as_ref().is_ok_and(|next| {
                next.spot == capture.spot
                    && next
                        .url
                        .strip_prefix(b"https://")
                        .is_some_and(|rest| capture.url.strip_prefix(b"http://").is_some_and(|own| own == rest))
            })
        };
        let is_host = self.next.as_ref().is_some_and(is_pair);
        if is_host {
            self.next = self.captures.next();
        }
        let origin = match capture::origin(&capture, self.now, "mend its time, or the clock of this machine") {
            Ok(origin) => origin,
            Err(unusable) => return Some(Err(NoSite::Unusable(unusable))),
        };
        // As in a pack, names of one origin are one site, however they are written.
        let name = origin.as_str();
        let name = if is_host { name.strip_prefix("http://").unwrap_or(name) } else { name };
        Some(Ok(SourceSite { name: name.to_owned(), capture }))
    }
}

/// The captures of a source that a newer one of the same site replaces: their numbers among [`Sites`], in order.
#[derive(Debug, Default)]
pub(in crate::commands) struct Superseded(Vec<u32>);

impl Superseded {
    /// Reads a source for the times of its captures alone. As in a pack, the newest of a site counts, and of several of
    /// one time the last. Memory: 16 bytes a site, by the hash of its name.
    pub(in crate::commands) fn find(source: &Path, now: Time, stop: &Stop, bar: &progress::Sources) -> Self {
        let mut newest: HashMap<u64, (Time, u32)> = HashMap::new();
        let mut superseded = Vec::new();
        let mut sites = Sites::new(source, now);
        // With random keys, so that nobody can make two names that have one hash.
        let hasher = RandomState::new();
        let mut number = 0;
        while let Some(site) = sites.next() {
            if stop.is_requested() {
                break;
            }
            bar.tick(u64::from(number), || sites.bytes_read());
            let Ok(site) = site else { continue };
            let this = (capture::time(&site.capture, now), number);
            match newest.entry(hasher.hash_one(&site.name)) {
                Entry::Occupied(mut known) => {
                    let known = known.get_mut();
                    superseded.push(this.min(*known).1);
                    *known = this.max(*known);
                }
                Entry::Vacant(entry) => {
                    entry.insert(this);
                }
            }
            number += 1;
        }
        bar.clear();
        superseded.sort_unstable();
        Self(superseded)
    }

    /// Reports whether the capture of a number is replaced.
    pub(in crate::commands) fn contains(&self, number: u32) -> bool {
        self.0.binary_search(&number).is_ok()
    }

    /// Returns how many captures are replaced.
    pub(in crate::commands) fn count(&self) -> u64 {
        self.0.len() as u64
    }
}

/// Checks that a source can be read, and is none that holds no bodies.
pub(in crate::commands) fn check(source: &Path, name: &str) -> Result<(), Failure> {
    let opened = files::open_source(source).map_err(|error| files::cannot_read(name, &error))?;
    let mut head = Vec::new();
    // A folder has no first bytes.
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
