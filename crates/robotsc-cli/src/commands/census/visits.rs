//! The sites of a source: each once.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;

use robotsc_sources::{Broken, Captures, SourceCapture, SourceLimits};

/// A site and what a source holds of it.
#[derive(Debug)]
pub(super) struct SourceSite {
    pub(super) name: String,
    pub(super) capture: SourceCapture,
}

/// The sites of a source, in its order.
#[derive(Debug)]
pub(super) struct Sites {
    captures: Captures,
    /// What was read ahead.
    next: Option<Result<SourceCapture, Broken>>,
    /// Hashes of the names of sites that came before: 8 bytes a site.
    seen: HashSet<u64>,
    /// How many captures were of sites that came before.
    pub(super) repeated: u64,
}

impl Sites {
    pub(super) fn new(source: PathBuf) -> Self {
        let mut captures = Captures::new(vec![source], &SourceLimits::default());
        let next = captures.next();
        Self { captures, next, seen: HashSet::new(), repeated: 0 }
    }
}

impl Sites {
    /// Returns how many bytes of the source were read so far.
    pub(super) fn bytes_read(&self) -> u64 {
        self.captures.bytes_read()
    }
}

impl Iterator for Sites {
    type Item = Result<SourceSite, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let capture = self.next.take()?;
            self.next = self.captures.next();
            let capture = match capture {
                Ok(capture) => capture,
                Err(broken) => return Some(Err(broken)),
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
            let origin = capture.url.strip_suffix(b"/robots.txt").unwrap_or(&capture.url);
            let name = if is_host { origin.strip_prefix(b"http://").unwrap_or(origin) } else { origin };
            let name = String::from_utf8_lossy(name).into_owned();
            let mut hasher = DefaultHasher::new();
            name.hash(&mut hasher);
            if !self.seen.insert(hasher.finish()) {
                self.repeated += 1;
                continue;
            }
            return Some(Ok(SourceSite { name, capture }));
        }
    }
}
