//! Collects what is fetched for a pack file.
//!
//! The frontier keeps rules and no bodies, so a pack cannot be made of it. A builder of a pack takes each capture when
//! it arrives, and holds it in bounded memory and in files beside the target. Saving adds the pack that is there.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use robotsc_compiler::{Crawler, Dialect};
use robotsc_frontier::origin::Origin;
use robotsc_frontier::outcome::Capture;
use robotsc_frontier::pack::{Pack, PackAgents, PackBuilder, PackError, PackOptions, PackReport};

/// Bytes of memory that the captures of a cache take before they go to files.
const MEMORY: usize = 16 << 20;

/// Collects captures for a pack file.
#[derive(Debug)]
pub(crate) struct Saver {
    path: PathBuf,
    options: PackOptions,
    builder: Mutex<PackBuilder>,
    /// Held while a pack is written: the next one adds to it.
    writing: Mutex<()>,
}

impl Saver {
    /// Makes a saver of packs like the one that the cache starts from; if there is none, for one crawler.
    ///
    /// # Errors
    /// [`PackError`] if no file can be made beside the target.
    pub(crate) fn new(
        path: &Path,
        pack: Option<&Pack>,
        crawler: &Crawler,
        dialect: &Dialect,
    ) -> Result<Self, PackError> {
        let mut options = match pack {
            Some(pack) => PackOptions::from(pack),
            None => PackOptions { agents: agents(crawler), sitemaps: true, ..PackOptions::new(dialect) },
        };
        options.memory = MEMORY;
        options.threads = std::num::NonZeroUsize::MIN;
        let builder = Mutex::new(PackBuilder::new(options.clone(), path)?);
        Ok(Self { path: path.to_owned(), options, builder, writing: Mutex::default() })
    }

    /// Adds a capture. Can wait for a thread that compiles.
    pub(crate) fn push(&self, origin: &Origin, capture: &Capture<'_>) -> Result<(), PackError> {
        self.builder.lock().unwrap_or_else(PoisonError::into_inner).push(origin, capture)
    }

    /// Writes the pack.
    pub(crate) fn save(&self) -> Result<PackReport, PackError> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let next = PackBuilder::new(self.options.clone(), &self.path)?;
        let mut builder = {
            let mut held = self.builder.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *held, next)
        };
        if self.path.exists() {
            builder.push_pack(&Pack::open(&self.path)?)?;
        }
        builder.finish()
    }
}

/// Returns the agents that a pack for a crawler is built for.
fn agents(crawler: &Crawler) -> PackAgents {
    PackAgents::of([crawler]).unwrap_or(PackAgents::All)
}
