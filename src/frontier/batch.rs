//! Many URLs at once: so that the memory is asked for many origins before the first answer is needed.
//!
//! URLs are taken in blocks, and a block in passes, each of which needs what the one before it asked the memory for: split all and make their keys; read the first octet of
//! the slot where each origin should be; find the slots and read the first octet of each program; answer. Within a pass the reads do not depend
//! on one another, so that the processor has many under way at once. Neighbours of one origin share a look-up.

use std::hint::black_box;

use super::{Found, Frontier, FrontierVerdict, Tally};
use crate::fetch::Time;
use crate::origin::{self, OriginError, SplitUrl};
use crate::pack::{PackKey, Slot};

/// URLs of a block: more than the processor can have reads under way, and few enough that what they brought stays in the first cache.
const BLOCK: usize = 64;

/// A URL under way.
struct Asked<'u> {
    url: Result<SplitUrl<'u>, OriginError>,
    /// Whether the URL before it has the same origin.
    as_before: bool,
    key: Option<PackKey>,
    slot: Option<Slot>,
}

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
        let mut asked = Vec::with_capacity(BLOCK.min(urls.len()));
        verdicts.reserve(urls.len());
        for block in urls.chunks(BLOCK) {
            asked.clear();
            for url in block {
                let url = origin::split(&self.options.dialect, url.as_ref());
                asked.push(self.ask(url, asked.last()));
            }
            self.find_slots(&mut asked);
            let mut found = Found::Nothing;
            for asked in &asked {
                let verdict = match &asked.url {
                    Ok(url) => {
                        if !asked.as_before {
                            found = self.find_beside(&url.origin, asked.slot);
                        }
                        Ok(self.answer_by(&found, url, now).verdict)
                    }
                    Err(error) => Err(*error),
                };
                tally.count(verdict);
                verdicts.push(verdict);
            }
        }
        self.counters.add(tally);
    }

    fn ask<'u>(&self, url: Result<SplitUrl<'u>, OriginError>, before: Option<&Asked<'u>>) -> Asked<'u> {
        let Ok(split) = &url else { return Asked { url, as_before: false, key: None, slot: None } };
        let as_before = matches!(before, Some(Asked { url: Ok(before), .. }) if before.origin == split.origin);
        let pack = self.pack.as_ref().filter(|_| !as_before);
        let key = pack.map(|(pack, _)| pack.key(&split.origin));
        Asked { url, as_before, key, slot: None }
    }

    /// Finds the slots of a block, and reads what the answers will read first.
    fn find_slots(&self, asked: &mut [Asked<'_>]) {
        let Some((pack, _)) = &self.pack else { return };
        let mut read = 0;
        for key in asked.iter().filter_map(|asked| asked.key) {
            read += u32::from(pack.first_octet(key));
        }
        for asked in &mut *asked {
            asked.slot = asked.key.and_then(|key| pack.find(key));
        }
        for slot in asked.iter().filter_map(|asked| asked.slot) {
            read += u32::from(pack.entry(slot).first_octet());
        }
        // Else the reads would be left out, since nothing depends on them.
        black_box(read);
    }
}
