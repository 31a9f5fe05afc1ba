//! Where each content was written, by its hash: a table in a mapped file without a name. The system chooses what of it
//! is in memory.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::super::PackError;
use super::super::format::{PLACE, place};
use super::super::map::Bytes;
use super::sink::Hash;

const ENTRY: usize = 16 + PLACE;

/// Hashes in order, each with a place, being written.
#[derive(Debug)]
pub(crate) struct PlacesWriter {
    out: BufWriter<File>,
}

impl PlacesWriter {
    pub(crate) fn new(folder: &Path) -> Result<Self, PackError> {
        let file = tempfile::tempfile_in(folder).map_err(PackError::io("make a temporary file in", folder))?;
        Ok(Self { out: BufWriter::with_capacity(1 << 18, file) })
    }

    /// Adds a place; hashes come in order.
    pub(crate) fn push(&mut self, hash: &Hash, place: u64) -> Result<(), PackError> {
        let done = self.out.write_all(hash).and_then(|()| self.out.write_all(&place.to_le_bytes()[..PLACE]));
        done.map_err(PackError::io("write", "a temporary file"))
    }

    pub(crate) fn finish(self) -> Result<Places, PackError> {
        let file = self.out.into_inner().map_err(|error| error.into_error());
        let bytes = file.and_then(|file| Bytes::map(&file));
        Ok(Places { bytes: bytes.map_err(PackError::io("write", "a temporary file"))? })
    }
}

/// Hashes in order, each with a place.
#[derive(Debug)]
pub(crate) struct Places {
    bytes: Bytes,
}

impl Places {
    /// Returns the place of a hash. Hashes are evenly spread, so that a few steps find it.
    pub(crate) fn get(&self, hash: &Hash) -> Option<u64> {
        let (entries, _) = self.bytes.all().as_chunks::<ENTRY>();
        let value = |hash: &[u8]| hash.first_chunk().map_or(0, |first| u64::from_be_bytes(*first));
        let wanted = value(hash);
        let (mut low, mut high) = (0, entries.len());
        let (mut floor, mut ceiling) = (0_u64, u64::MAX);
        let mut step = 0;
        while low < high {
            // Three guesses by value, then halves, whatever the spread is.
            let share = u128::from(wanted.saturating_sub(floor)) * (high - low) as u128;
            let guess = (share / (u128::from(ceiling - floor) + 1)) as usize;
            let middle = if step < 3 { low + guess.min(high - low - 1) } else { low + (high - low) / 2 };
            step += 1;
            let entry = &entries[middle];
            match entry[..16].cmp(hash) {
                std::cmp::Ordering::Less => (low, floor) = (middle + 1, value(entry)),
                std::cmp::Ordering::Greater => (high, ceiling) = (middle, value(entry)),
                std::cmp::Ordering::Equal => return place(entry, 16),
            }
            if ceiling < floor {
                return None;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::sink::hash;
    use super::*;

    #[test]
    fn every_hash_is_found() {
        let folder = tempfile::tempdir().unwrap();
        for count in [0_u32, 1, 2, 1000] {
            let mut hashes: Vec<Hash> = (0..count).map(|number| hash(&number.to_le_bytes())).collect();
            hashes.sort_unstable();
            let mut writer = PlacesWriter::new(folder.path()).unwrap();
            for (number, hash) in hashes.iter().enumerate() {
                writer.push(hash, (1 << 39) + number as u64).unwrap();
            }
            let places = writer.finish().unwrap();
            for (number, hash) in hashes.iter().enumerate() {
                assert_eq!(places.get(hash), Some((1 << 39) + number as u64));
            }
            assert_eq!(places.get(&hash(b"other")), None);
            assert_eq!(places.get(&[0; 16]), None);
            assert_eq!(places.get(&[255; 16]), None);
        }
    }
}
