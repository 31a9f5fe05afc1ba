//! Verdicts for many URLs at once: the memory loads for many origins before the first verdict is needed.
//!
//! The [batch](crate::origin) splits the URLs and hashes their origins. Looking up takes several passes, each of which
//! needs what the one before it loaded: find the slots in the pack; find what is held in memory; read the first bytes
//! of the rules. Within a pass the reads do not depend on one another.
//!
//! Taking a lock makes the processor wait for all reads before it. So the locks of all tables that a batch needs are
//! taken first, and released before the first walk. If the lock of a table is not free, the origins of that table are
//! looked up one by one at the end.

use std::hint::black_box;
use std::sync::{RwLockReadGuard, TryLockError};

use robotsc_compiler::Dialect;

use super::shard::Shard;
use super::{Found, Frontier, FrontierVerdict, SHARDS, Tally, shard_of};
use crate::origin::{BATCH_URLS, Batch, BatchOrigin, OriginLookup};
use crate::origin::{OriginError, SplitUrl};
use crate::outcome::Time;
use crate::pack::{PackKey, Slot};

/// The number of origins up to which the passes do not pay.
const FEW: usize = 3;
// Which tables a batch needs is a word of bits.
const _: () = assert!(SHARDS <= 64);

/// Where an origin is looked for.
#[derive(Debug)]
struct Probe {
    hash: u64,
    key: Option<PackKey>,
    slot: Option<Slot>,
    /// An entry in memory that may be its own.
    candidate: Option<u32>,
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
        let known = Known(self);
        let mut batch = Batch::new(&known);
        verdicts.reserve(urls.len());
        for some in urls.chunks(BATCH_URLS) {
            batch.clear();
            for url in some {
                batch.push(url.as_ref());
            }
            batch.look_up();
            for url in batch.urls() {
                let verdict = url.split.map(|(origin, path)| {
                    let found = origin.policy.as_ref().unwrap_or(&Found::Nothing);
                    let url = SplitUrl { origin: origin.name().into(), path: path.into() };
                    self.decide(found, &url, now).verdict()
                });
                tally.count(verdict);
                verdicts.push(verdict);
            }
        }
        self.counters.add(tally);
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

/// What a frontier knows of origins.
struct Known<'f>(&'f Frontier);

impl<'f> OriginLookup<'_> for Known<'f> {
    type Place = Probe;
    type Policy = Found<'f>;

    fn dialect(&self) -> &Dialect {
        &self.0.dialect
    }

    #[inline]
    fn place(&self, origin: &[u8]) -> Probe {
        let key = self.0.pack.as_ref().map(|(pack, _)| pack.key(origin));
        Probe { hash: self.0.hash(origin), key, slot: None, candidate: None }
    }

    fn look_up(&self, origins: &mut [BatchOrigin<'_, Probe, Found<'f>>]) {
        // The rules of the last of the batch before may have been compiled since.
        for origin in &mut *origins {
            origin.policy = None;
        }
        if origins.len() > FEW {
            self.0.find_slots(origins);
            self.0.find_held(origins);
        }
        for origin in origins {
            if origin.policy.is_none() {
                let Probe { hash, key, slot, .. } = origin.place;
                let slot = slot.or_else(|| self.0.pack.as_ref()?.0.find(key?));
                origin.policy = Some(self.0.find_at(hash, origin.name(), slot));
            }
        }
    }
}

impl Frontier {
    /// Finds the slots of origins.
    fn find_slots(&self, origins: &mut [BatchOrigin<'_, Probe, Found<'_>>]) {
        let Some((pack, _)) = &self.pack else { return };
        let mut read = 0;
        for key in origins.iter().filter_map(|origin| origin.place.key) {
            read += u32::from(pack.first_byte(key));
        }
        // Otherwise the compiler would omit the reads, since nothing depends on them.
        black_box(read);
        for origin in origins {
            origin.place.slot = origin.place.key.and_then(|key| pack.find(key));
        }
    }

    /// Finds what is known of origins, and reads what the answers will read first.
    fn find_held<'f>(&'f self, origins: &mut [BatchOrigin<'_, Probe, Found<'f>>]) {
        let mut tables = [const { None }; SHARDS];
        let mut wanted = 0_u64;
        for origin in &*origins {
            wanted |= 1 << shard_of(origin.place.hash);
        }
        while wanted != 0 {
            let number = wanted.trailing_zeros() as usize;
            wanted &= wanted - 1;
            tables[number] = self.try_table(number);
        }
        let mut read = 0;
        for BatchOrigin { place, .. } in &mut *origins {
            let table = tables[shard_of(place.hash)].as_ref();
            place.candidate = table.and_then(|table| table.candidate(place.hash));
        }
        for BatchOrigin { place, .. } in &*origins {
            if let (Some(table), Some(number)) = (&tables[shard_of(place.hash)], place.candidate) {
                read ^= table.read_early(number);
            }
        }
        for origin in &mut *origins {
            if let Some(table) = &tables[shard_of(origin.place.hash)] {
                let found = self.find_in(table, origin.place.hash, origin.name(), origin.place.slot);
                origin.policy = Some(found);
            }
        }
        drop(tables);
        for found in origins.iter().filter_map(|origin| origin.policy.as_ref()) {
            read ^= match found {
                Found::Memory(held) => held.read_early(),
                Found::Pack(entry) => u64::from(entry.first_byte()),
                Found::Nothing => 0,
            };
        }
        black_box(read);
    }
}
