//! Sorts more records than memory holds: sorted runs go to a file, and are merged when read.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::super::PackError;

/// Bytes of a run that are read at a time.
const CHUNK: usize = 64 << 10;

/// Sorts records in the order of their bytes. Equal records can be pushed several times.
#[derive(Debug)]
pub(crate) struct Sorter {
    /// The maximum bytes of the records in memory.
    limit: usize,
    bytes: Vec<u8>,
    /// The first eight bytes of each record as a number, and where it is.
    index: Vec<(u64, u32, u32)>,
    file: Option<File>,
    /// Where the runs are in the file.
    runs: Vec<(u64, u64)>,
    end: u64,
}

impl Sorter {
    pub(crate) const fn new(limit: usize) -> Self {
        Self { limit, bytes: Vec::new(), index: Vec::new(), file: None, runs: Vec::new(), end: 0 }
    }

    /// Adds a record of at least 16 bytes. If memory is full, writes a run into a file in `folder`.
    pub(crate) fn push(&mut self, folder: &Path, record: &[u8]) -> Result<(), PackError> {
        let entry = size_of::<(u64, u32, u32)>();
        let taken = self.bytes.len() + record.len() + entry * (self.index.len() + 1);
        if !self.index.is_empty() && (taken > self.limit || self.bytes.len() + record.len() > u32::MAX as usize) {
            self.spill(folder)?;
        }
        let first = record.first_chunk().map_or(0, |first| u64::from_be_bytes(*first));
        self.index.push((first, self.bytes.len() as u32, record.len() as u32));
        self.bytes.extend_from_slice(record);
        Ok(())
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        let record = |start: u32, length: u32| &bytes[start as usize..start as usize + length as usize];
        self.index.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| record(a.1, a.2).cmp(record(b.1, b.2))));
    }

    fn spill(&mut self, folder: &Path) -> Result<(), PackError> {
        self.sort();
        // A file without a name: whatever ends the process, nothing is left of it.
        let file = match self.file.take() {
            Some(file) => file,
            None => tempfile::tempfile_in(folder).map_err(PackError::io("make a temporary file in", folder))?,
        };
        let start = self.end;
        let wrong = || PackError::io("write a temporary file in", folder);
        let mut out = BufWriter::with_capacity(1 << 20, &file);
        let mut before: &[u8] = &[];
        for &(_, at, length) in &self.index {
            let record = &self.bytes[at as usize..at as usize + length as usize];
            if record == before {
                continue;
            }
            before = record;
            out.write_all(&length.to_le_bytes()).and_then(|()| out.write_all(record)).map_err(wrong())?;
            self.end += 4 + u64::from(length);
        }
        out.flush().map_err(wrong())?;
        drop(out);
        self.file = Some(file);
        self.runs.push((start, self.end));
        self.bytes.clear();
        self.index.clear();
        Ok(())
    }
}

/// The records of some sorters, in order.
#[derive(Debug)]
pub(crate) struct Merged {
    runs: Vec<Run>,
    heap: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
}

impl Merged {
    pub(crate) fn new(sorters: impl IntoIterator<Item = Sorter>) -> Result<Self, PackError> {
        let mut runs = Vec::new();
        for mut sorter in sorters {
            sorter.sort();
            if let Some(file) = sorter.file {
                let file = std::rc::Rc::new(RefCell::new(file));
                for (start, end) in sorter.runs {
                    runs.push(Run::File { file: file.clone(), at: start, end, chunk: Vec::new(), next: 0 });
                }
            }
            runs.push(Run::Memory { bytes: sorter.bytes, index: sorter.index.into_iter() });
        }
        let mut merged = Self { runs, heap: BinaryHeap::new() };
        for number in 0..merged.runs.len() {
            let mut record = Vec::new();
            if merged.runs[number].next(&mut record)? {
                merged.heap.push(Reverse((record, number)));
            }
        }
        Ok(merged)
    }

    /// Reads the next record into `record`; `false` if there is none.
    pub(crate) fn next(&mut self, record: &mut Vec<u8>) -> Result<bool, PackError> {
        let Some(mut top) = self.heap.peek_mut() else { return Ok(false) };
        let Reverse((least, number)) = &mut *top;
        std::mem::swap(least, record);
        // The vector of the caller is used again.
        if !self.runs[*number].next(least)? {
            std::collections::binary_heap::PeekMut::pop(top);
        }
        Ok(true)
    }
}

/// Sorted records.
#[derive(Debug)]
enum Run {
    Memory { bytes: Vec<u8>, index: std::vec::IntoIter<(u64, u32, u32)> },
    File { file: std::rc::Rc<RefCell<File>>, at: u64, end: u64, chunk: Vec<u8>, next: usize },
}

impl Run {
    fn next(&mut self, record: &mut Vec<u8>) -> Result<bool, PackError> {
        record.clear();
        match self {
            Self::Memory { bytes, index } => match index.next() {
                Some((_, at, length)) => {
                    record.extend_from_slice(&bytes[at as usize..at as usize + length as usize]);
                    Ok(true)
                }
                None => {
                    *bytes = Vec::new();
                    Ok(false)
                }
            },
            Self::File { file, at, end, chunk, next } => {
                if *at == *end && *next == chunk.len() {
                    return Ok(false);
                }
                let mut take = |wanted: usize, into: &mut Vec<u8>| -> io::Result<()> {
                    let mut wanted = wanted;
                    while wanted > 0 {
                        if *next == chunk.len() {
                            let size = usize::try_from((*end - *at).min(CHUNK as u64)).unwrap_or(CHUNK);
                            chunk.resize(size, 0);
                            let mut file = file.borrow_mut();
                            file.seek(SeekFrom::Start(*at))?;
                            file.read_exact(chunk)?;
                            *at += size as u64;
                            *next = 0;
                            if size == 0 {
                                return Err(io::ErrorKind::UnexpectedEof.into());
                            }
                        }
                        let taken = wanted.min(chunk.len() - *next);
                        into.extend_from_slice(&chunk[*next..*next + taken]);
                        *next += taken;
                        wanted -= taken;
                    }
                    Ok(())
                };
                let wrong = || PackError::io("read", "a temporary file");
                let mut length = Vec::with_capacity(4);
                take(4, &mut length).map_err(wrong())?;
                let length = length.first_chunk().map_or(0, |length| u32::from_le_bytes(*length));
                take(length as usize, record).map_err(wrong())?;
                Ok(true)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_in_order_from_memory_and_files() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = 1_u64;
        let mut records: Vec<Vec<u8>> = Vec::new();
        for _ in 0..5_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let hash = (state >> 33) % 2_000;
            let mut record =
                u128::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835).to_be_bytes().to_vec();
            record.resize(16 + (hash % 40) as usize, 7);
            records.push(record);
        }
        for limit in [1 << 10, 50 << 10, 1 << 30] {
            let mut sorters = [Sorter::new(limit), Sorter::new(limit)];
            for (number, record) in records.iter().enumerate() {
                sorters[number % 2].push(folder.path(), record).unwrap();
            }
            let mut merged = Merged::new(sorters).unwrap();
            let (mut found, mut record) = (Vec::new(), Vec::new());
            while merged.next(&mut record).unwrap() {
                found.push(record.clone());
            }
            found.dedup();
            let mut expected = records.clone();
            expected.sort();
            expected.dedup();
            assert!(found == expected, "{limit}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
