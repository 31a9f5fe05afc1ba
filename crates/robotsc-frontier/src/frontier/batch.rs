//! Verdicts for many URLs at once: the memory loads for many origins before the first verdict is needed.
//!
//! A block of URLs takes several passes, each of which needs what the one before it loaded: split all URLs and hash
//! their origins; find their slots in the pack; find what is held of them in memory; read the first bytes of their
//! rules; decide. Within a pass the reads do not depend on one another, so that the processor has many under way at
//! once. Adjacent URLs of one origin share a lookup.
//!
//! Taking a lock makes the processor wait for all reads before it. So the locks of all tables that a block needs are
//! taken first, and released before the first walk. If the lock of a table is not free, nobody waits for it: the
//! origins of that table are looked up one by one at the end.

use std::hint::black_box;
use std::sync::{RwLockReadGuard, TryLockError};

use super::shard::Shard;
use super::{Found, Frontier, FrontierVerdict, SHARDS, Tally, shard_of};
use crate::fetch::Time;
use crate::origin::{self, OriginError, SplitUrl};
use crate::pack::{PackKey, Slot};

/// The number of URLs of a block: more than the reads that a processor has under way, and few enough that what they
/// loaded stays in the first-level cache.
const BLOCK: usize = 64;
/// The number of URLs up to which the passes do not pay.
const FEW: usize = 3;
// Which tables a block needs is a word of bits.
const _: () = assert!(SHARDS <= 64);

/// A URL under way.
struct Asked<'f, 'u> {
    url: Result<SplitUrl<'u>, OriginError>,
    /// Whether the URL before it has the same origin.
    as_before: bool,
    /// Its origin, if that is looked up before the verdict.
    sought: Option<Sought<'f>>,
}

/// An origin that is looked up.
struct Sought<'f> {
    hash: u64,
    key: Option<PackKey>,
    slot: Option<Slot>,
    /// An entry in memory that may be its own.
    candidate: Option<u32>,
    found: Option<Found<'f>>,
}

impl<'u> Asked<'_, 'u> {
    fn new(url: Result<SplitUrl<'u>, OriginError>, before: Option<&Self>) -> Self {
        let before = before.and_then(|before| before.url.as_ref().ok());
        let as_before = matches!((before, &url), (Some(before), Ok(url)) if before.origin == url.origin);
        Self { url, as_before, sought: None }
    }
}

impl Frontier {
    /// Appends the verdicts for URLs to `verdicts`, in their order.
    ///
    /// They are those of [`check`](Self::check), one by one; `benches/frontier.rs` measures how much faster.
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
                let url = origin::split(&self.dialect, url.as_ref());
                asked.push(Asked::new(url, asked.last()));
            }
            if block.len() > FEW {
                self.seek(&mut asked);
                self.find_slots(&mut asked);
                self.find_held(&mut asked);
            }
            let mut found = Found::Nothing;
            for asked in &mut asked {
                let verdict = match &asked.url {
                    Ok(url) => {
                        if !asked.as_before {
                            let early = asked.sought.as_mut().and_then(|sought| sought.found.take());
                            found = early.unwrap_or_else(|| self.find(&url.origin));
                        }
                        Ok(self.decide(&found, url, now).verdict())
                    }
                    Err(error) => Err(*error),
                };
                tally.count(verdict);
                verdicts.push(verdict);
            }
        }
        self.counters.add(tally);
    }

    /// Hashes the origins of a block.
    fn seek(&self, asked: &mut [Asked<'_, '_>]) {
        for asked in asked.iter_mut().filter(|asked| !asked.as_before) {
            let Ok(url) = &asked.url else { continue };
            let key = self.pack.as_ref().map(|(pack, _)| pack.key(&url.origin));
            asked.sought = Some(Sought { hash: self.hash(&url.origin), key, slot: None, candidate: None, found: None });
        }
    }

    /// Finds the slots of a block.
    fn find_slots(&self, asked: &mut [Asked<'_, '_>]) {
        let Some((pack, _)) = &self.pack else { return };
        let mut read = 0;
        for key in asked.iter().filter_map(|asked| asked.sought.as_ref()?.key) {
            read += u32::from(pack.first_byte(key));
        }
        // Otherwise the compiler would omit the reads, since nothing depends on them.
        black_box(read);
        for sought in asked.iter_mut().filter_map(|asked| asked.sought.as_mut()) {
            sought.slot = sought.key.and_then(|key| pack.find(key));
        }
    }

    /// Finds what is known of the origins of a block, and reads what the answers will read first.
    fn find_held<'f>(&'f self, asked: &mut [Asked<'f, '_>]) {
        let mut tables = [const { None }; SHARDS];
        let mut wanted = 0_u64;
        for sought in asked.iter().filter_map(|asked| asked.sought.as_ref()) {
            wanted |= 1 << shard_of(sought.hash);
        }
        while wanted != 0 {
            let number = wanted.trailing_zeros() as usize;
            wanted &= wanted - 1;
            tables[number] = self.try_table(number);
        }
        let mut read = 0;
        for sought in asked.iter_mut().filter_map(|asked| asked.sought.as_mut()) {
            let table = tables[shard_of(sought.hash)].as_ref();
            sought.candidate = table.and_then(|table| table.candidate(sought.hash));
        }
        for sought in asked.iter().filter_map(|asked| asked.sought.as_ref()) {
            if let (Some(table), Some(number)) = (&tables[shard_of(sought.hash)], sought.candidate) {
                read ^= table.read_early(number);
            }
        }
        for asked in &mut *asked {
            if let (Ok(url), Some(sought)) = (&asked.url, &mut asked.sought)
                && let Some(table) = &tables[shard_of(sought.hash)]
            {
                sought.found = Some(self.find_in(table, sought.hash, &url.origin, sought.slot));
            }
        }
        drop(tables);
        for found in asked.iter().filter_map(|asked| asked.sought.as_ref()?.found.as_ref()) {
            read ^= match found {
                Found::Memory(held) => held.read_early(),
                Found::Pack(entry) => u64::from(entry.first_byte()),
                Found::Nothing => 0,
            };
        }
        black_box(read);
    }

    /// Returns a table to read, unless a thread writes it or waits to: a thread that holds other locks must not wait.
    fn try_table(&self, number: usize) -> Option<RwLockReadGuard<'_, Shard>> {
        match self.shards[number].try_read() {
            Ok(table) => Some(table),
            Err(TryLockError::Poisoned(table)) => Some(table.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}
