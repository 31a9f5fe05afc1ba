//! Where captures stand, by a hash of their URL: for redirects to find their target. What is over the memory that it
//! may take is sorted and goes to temporary files.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};

/// The bytes of an item in a file.
const ITEM: usize = 36;

/// One item in this many is kept in memory to find the others.
const STEP: usize = 128;

/// The position of a capture in the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Item {
    /// The hash of its URL. Two URLs may share one: who reads the capture compares them.
    pub(crate) hash: u64,
    /// When it was fetched; 0 where that is not known.
    pub(crate) time: u64,
    /// The number of the source.
    pub(crate) source: u32,
    /// The offset of its member in the file, and its offset in the member; of a plain file the offset and 0.
    pub(crate) member: u64,
    pub(crate) byte: u64,
}

/// Returns the hash of a URL in its normal form.
pub(crate) fn hash(url: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    url.hash(&mut hasher);
    hasher.finish()
}

/// Items in no order, found by their hash.
#[derive(Debug)]
pub(crate) struct Index {
    items: Vec<Item>,
    max: usize,
    runs: Vec<Run>,
    sorted: bool,
}

/// Sorted items in a file.
#[derive(Debug)]
struct Run {
    file: File,
    length: usize,
    /// The hash of every [`STEP`]th item.
    fences: Vec<u64>,
}

impl Index {
    /// Returns an index that holds up to `memory` bytes of items in memory.
    pub(crate) fn new(memory: usize) -> Self {
        Self { items: Vec::new(), max: (memory / size_of::<Item>()).max(1024), runs: Vec::new(), sorted: true }
    }

    /// Adds an item.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub(crate) fn push(&mut self, item: Item) -> io::Result<()> {
        if self.items.len() >= self.max {
            self.items.sort_unstable();
            self.runs.push(Run::write(&self.items)?);
            self.items.clear();
        }
        self.items.push(item);
        self.sorted = false;
        Ok(())
    }

    /// Returns the items of a hash, in order.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub(crate) fn find(&mut self, hash: u64) -> io::Result<Vec<Item>> {
        if !self.sorted {
            self.items.sort_unstable();
            self.sorted = true;
        }
        let start = self.items.partition_point(|item| item.hash < hash);
        let here = self.items.get(start..).unwrap_or_default();
        let mut found: Vec<Item> = here.iter().take_while(|item| item.hash == hash).copied().collect();
        for run in &mut self.runs {
            run.find(hash, &mut found)?;
        }
        found.sort_unstable();
        Ok(found)
    }
}

impl Run {
    fn write(items: &[Item]) -> io::Result<Self> {
        let mut out = BufWriter::with_capacity(1 << 16, tempfile::tempfile()?);
        for item in items {
            out.write_all(&item.hash.to_le_bytes())?;
            out.write_all(&item.time.to_le_bytes())?;
            out.write_all(&item.source.to_le_bytes())?;
            out.write_all(&item.member.to_le_bytes())?;
            out.write_all(&item.byte.to_le_bytes())?;
        }
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        let fences = items.iter().step_by(STEP).map(|item| item.hash).collect();
        Ok(Self { file, length: items.len(), fences })
    }

    fn find(&mut self, hash: u64, found: &mut Vec<Item>) -> io::Result<()> {
        // Items of one hash may begin in the step before the first fence that is not under it.
        let mut step = self.fences.partition_point(|fence| *fence < hash).saturating_sub(1);
        let mut bytes = [0; ITEM * STEP];
        while step * STEP < self.length {
            let items = STEP.min(self.length - step * STEP);
            let bytes = bytes.get_mut(..items * ITEM).unwrap_or_default();
            self.file.seek(SeekFrom::Start((step * STEP * ITEM) as u64))?;
            self.file.read_exact(bytes)?;
            for item in bytes.chunks_exact(ITEM).map(Item::read) {
                match item.hash.cmp(&hash) {
                    std::cmp::Ordering::Less => {}
                    std::cmp::Ordering::Equal => found.push(item),
                    std::cmp::Ordering::Greater => return Ok(()),
                }
            }
            step += 1;
        }
        Ok(())
    }
}

impl Item {
    fn read(bytes: &[u8]) -> Self {
        let long = |at: usize| {
            let bytes = bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
            u64::from_le_bytes(bytes.unwrap_or_default())
        };
        let source = bytes.get(16..20).and_then(|bytes| bytes.try_into().ok());
        let source = u32::from_le_bytes(source.unwrap_or_default());
        Self { hash: long(0), time: long(8), source, member: long(20), byte: long(28) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_found_in_memory_and_in_files() {
        let mut index = Index::new(0);
        let item = |n: u64| Item { hash: (n % 700) * 97, time: n, source: n as u32, member: n * 3, byte: n % 2 };
        for n in 0..10_000 {
            index.push(item(n)).unwrap();
        }
        assert!(index.runs.len() > 5);
        for n in 0..700 {
            let want: Vec<Item> = (0..10_000).filter(|other| other % 700 == n).map(item).collect();
            assert_eq!(index.find(n * 97).unwrap(), want);
            assert!(index.find(n * 97 + 1).unwrap().is_empty());
        }
    }
}
