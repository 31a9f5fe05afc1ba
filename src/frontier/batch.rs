//! Many URLs at once: so that the memory is asked for many origins before the first answer is needed.
//!
//! URLs are taken in blocks. First all of a block are split and their slots in the pack looked up, one after the other: these reads do not depend on one another, so
//! that the processor has several under way. Then each is answered, when its lines are near. Neighbours of one origin share a look-up.

use super::{Found, Frontier, FrontierVerdict, Tally};
use crate::fetch::Time;
use crate::origin::{self, OriginError};

/// URLs of a block: more than the processor can have reads under way, and few enough that what they brought stays in the first cache.
const BLOCK: usize = 64;

impl Frontier {
    /// The verdicts for URLs, in their order, put at the end of `verdicts`.
    ///
    /// They are those of [`verdict`](Self::verdict), one by one; how much sooner they come is in `benches/frontier.rs`.
    ///
    /// # Panics
    /// Never.
    pub fn verdicts(
        &self,
        urls: &[impl AsRef<[u8]>],
        now: Time,
        verdicts: &mut Vec<Result<FrontierVerdict, OriginError>>,
    ) {
        let mut tally = Tally::default();
        let mut split = Vec::with_capacity(BLOCK.min(urls.len()));
        verdicts.reserve(urls.len());
        for block in urls.chunks(BLOCK) {
            split.clear();
            let mut last: Option<usize> = None;
            for url in block {
                let url = origin::split(&self.options.dialect, url.as_ref());
                let known = match (&url, last) {
                    (Ok(url), Some(at)) => {
                        let (known, slot): &(Result<origin::SplitUrl<'_>, _>, _) = &split[at];
                        known.as_ref().is_ok_and(|known| known.origin == url.origin).then_some(*slot)
                    }
                    _ => None,
                };
                let slot = known.unwrap_or_else(|| self.slot(&url.as_ref().ok()?.origin));
                if url.is_ok() {
                    last = Some(split.len());
                }
                split.push((url, slot));
            }
            let mut found: Option<(&[u8], Found<'_>)> = None;
            for (url, slot) in &split {
                let verdict = match url {
                    Ok(url) => {
                        let known = match found.take() {
                            Some(known) if known.0 == &*url.origin => known.1,
                            _ => self.find_beside(&url.origin, *slot),
                        };
                        let verdict = self.answer_by(&known, url, now).verdict;
                        found = Some((&url.origin, known));
                        Ok(verdict)
                    }
                    Err(error) => Err(*error),
                };
                tally.count(verdict);
                verdicts.push(verdict);
            }
        }
        self.counters.add(tally);
    }
}
