//! Records on their way to the file: those that are used, in the order of their hashes, and temporary files.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::super::PackError;
use super::super::error::PackErrorKind;
use super::super::format::{LINE, Section, UNIT, record_start};
use super::super::slot::MAX_PLACE;
use super::Phase;
use super::file::PackFile;
use super::places::{Places, PlacesWriter};
use super::sorter::{Merged, Sorter};

/// The number of records between two reports of progress.
pub(crate) const TELL: u64 = 1 << 14;

/// Records in the order of their hashes, each once, and only those that are used.
pub(crate) struct Kept {
    records: Merged,
    used: Merged,
    /// The next that is used.
    wanted: Vec<u8>,
    is_wanted: bool,
}

impl Kept {
    pub(crate) fn new(records: Vec<Sorter>, used: Sorter) -> Result<Self, PackError> {
        let mut used = Merged::new([used])?;
        let mut wanted = Vec::new();
        let is_wanted = used.next(&mut wanted)?;
        Ok(Self { records: Merged::new(records)?, used, wanted, is_wanted })
    }

    /// Reads the next record into `record`.
    pub(crate) fn next(&mut self, record: &mut Vec<u8>) -> Result<bool, PackError> {
        while self.is_wanted && self.records.next(record)? {
            let hash = record.get(..16).unwrap_or_default();
            if hash < &self.wanted[..] {
                continue;
            }
            if hash != &self.wanted[..] {
                break;
            }
            // Many origins can use the same.
            let before = std::mem::take(&mut self.wanted);
            while self.is_wanted && (self.wanted.is_empty() || self.wanted == before) {
                self.is_wanted = self.used.next(&mut self.wanted)?;
            }
            return Ok(true);
        }
        if self.is_wanted { Err(lost()) } else { Ok(false) }
    }
}

pub(crate) fn lost() -> PackError {
    PackErrorKind::Broken { what: "a temporary file was altered", number: 0 }.into()
}

/// Writes programs or lists in the order of their hashes. Returns their places and their number.
pub(crate) fn write_records(
    file: &mut PackFile,
    folder: &Path,
    section: Section,
    sorters: Vec<Sorter>,
    used: Sorter,
    tell: &mut dyn FnMut(Phase, u64, u64),
) -> Result<(Places, u64), PackError> {
    let mut kept = Kept::new(sorters, used)?;
    let mut places = PlacesWriter::new(folder)?;
    let (mut record, mut count) = (Vec::new(), 0);
    file.begin(section)?;
    while kept.next(&mut record)? {
        let (hash, bytes) = record.split_first_chunk::<16>().ok_or_else(lost)?;
        let length = u32::try_from(bytes.len()).map_err(|_| PackErrorKind::TooLarge("a program has 4 GiB or more"))?;
        let at = record_start(file.section_len(), 4 + u64::from(length));
        pad(file, at)?;
        if at / UNIT > MAX_PLACE {
            return Err(PackErrorKind::TooLarge("the programs have 512 GiB or more").into());
        }
        places.push(hash, at / UNIT)?;
        file.write(&length.to_le_bytes())?;
        file.write(bytes)?;
        count += 1;
        if count % TELL == 0 {
            tell(Phase::Programs, count, count);
        }
    }
    file.end();
    tell(Phase::Programs, count, count);
    Ok((places.finish()?, count))
}

/// Writes zeros up to a place in the section.
pub(crate) fn pad(file: &mut PackFile, at: u64) -> Result<(), PackError> {
    let zeros = at - file.section_len();
    file.write(&[0; LINE][..zeros as usize])
}

/// Writes preferences to a temporary file, as they will be in their section, in the order of their hashes. Returns the
/// file and their places.
pub(crate) fn keep_preferences(
    folder: &Path,
    sorters: Vec<Sorter>,
    used: Sorter,
) -> Result<(BufWriter<File>, Places), PackError> {
    let mut kept = Kept::new(sorters, used)?;
    let mut places = PlacesWriter::new(folder)?;
    let mut out = scratch(folder)?;
    let (mut record, mut end) = (Vec::new(), 0_u64);
    while kept.next(&mut record)? {
        let (hash, bytes) = record.split_first_chunk::<16>().ok_or_else(lost)?;
        let length =
            u32::try_from(bytes.len()).map_err(|_| PackErrorKind::TooLarge("preferences have 4 GiB or more"))?;
        let at = record_start(end, 4 + u64::from(length));
        append(&mut out, &[0; LINE][..(at - end) as usize])?;
        append(&mut out, &length.to_le_bytes())?;
        append(&mut out, bytes)?;
        places.push(hash, at / UNIT)?;
        end = at + 4 + u64::from(length);
    }
    Ok((out, places.finish()?))
}

/// Records in a temporary file, each after its length.
pub(crate) struct Scratch {
    file: BufReader<File>,
}

impl Scratch {
    pub(crate) fn new(file: BufWriter<File>) -> Result<Self, PackError> {
        let wrong = || PackError::io("read", "a temporary file");
        let mut file = file.into_inner().map_err(|error| wrong()(error.into_error()))?;
        file.seek(SeekFrom::Start(0)).map_err(wrong())?;
        Ok(Self { file: BufReader::with_capacity(1 << 18, file) })
    }

    pub(crate) fn next(&mut self, record: &mut Vec<u8>) -> Result<bool, PackError> {
        let wrong = || PackError::io("read", "a temporary file");
        if self.file.fill_buf().map_err(wrong())?.is_empty() {
            return Ok(false);
        }
        let mut length = [0; 4];
        self.file.read_exact(&mut length).map_err(wrong())?;
        record.resize(u32::from_le_bytes(length) as usize, 0);
        self.file.read_exact(record).map_err(wrong())?;
        Ok(true)
    }
}

/// Makes a temporary file.
pub(crate) fn scratch(folder: &Path) -> Result<BufWriter<File>, PackError> {
    let file = tempfile::tempfile_in(folder).map_err(PackError::io("make a temporary file in", folder))?;
    Ok(BufWriter::with_capacity(1 << 18, file))
}

pub(crate) fn append(out: &mut BufWriter<File>, bytes: &[u8]) -> Result<(), PackError> {
    out.write_all(bytes).map_err(PackError::io("write", "a temporary file"))
}
