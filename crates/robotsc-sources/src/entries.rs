//! The regular files of a tar archive, read in order. The `tar` crate reads the headers; its own iterator would borrow
//! the archive and hold long names of any length.

use std::io::{self, Read};

/// The bytes of a block. All parts of an archive are padded to whole blocks.
const BLOCK: usize = 512;

/// The maximum number of bytes of a long name or of extended attributes.
const MAX_ATTRIBUTE_BYTES: u64 = 1 << 20;

/// A regular file of an archive, or what is there instead.
#[derive(Debug)]
pub(crate) enum Entry {
    /// A regular file: its name, its size and the offset of its header, in bytes.
    File { name: Vec<u8>, size: u64 },
    /// A link, a device or the like: its name.
    Other { name: Vec<u8> },
    /// There is no header of an entry at this offset of the unpacked archive: in words, what is wrong.
    Broken { offset: u64, what: String },
}

/// Reads entries.
pub(crate) struct Entries {
    stream: Box<dyn Read>,
    offset: u64,
    /// What is left of the entry, and of the blocks that it is padded to.
    left: u64,
    padded: u64,
    /// Whether the end was met, or reported to be missing.
    ended: bool,
}

impl std::fmt::Debug for Entries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entries").field("offset", &self.offset).finish_non_exhaustive()
    }
}

impl Entries {
    pub(crate) fn new(stream: Box<dyn Read>) -> Self {
        Self { stream, offset: 0, left: 0, padded: 0, ended: false }
    }

    /// Returns the next entry. After a broken header the next whole one is looked for.
    ///
    /// # Errors
    /// If the archive cannot be read or ends inside an entry.
    pub(crate) fn next(&mut self) -> io::Result<Option<Entry>> {
        self.skip(self.padded)?;
        let mut long_name = None;
        let mut broken = None;
        loop {
            let start = self.offset;
            let Some(block) = self.block()? else {
                (self.left, self.padded) = (0, 0);
                if broken.is_none() && !self.ended {
                    self.ended = true;
                    let what = "no empty block ends the archive, so that it may be cut short: what there is was read";
                    return Ok(Some(Entry::Broken { offset: start, what: what.to_owned() }));
                }
                return Ok(broken);
            };
            let is_end = block.iter().all(|byte| *byte == 0);
            if broken.is_none() && is_end {
                self.ended = true;
                // Two empty blocks end an archive; after them there is padding of any length.
                return Ok(None);
            }
            let header = tar::Header::from_byte_slice(&block);
            if !is_whole(header, &block) {
                let what = "it is not the header of an entry; the reader goes on at the next".to_owned();
                broken.get_or_insert(Entry::Broken { offset: start, what });
                continue;
            }
            let size = header.entry_size()?;
            let padded = size.checked_next_multiple_of(BLOCK as u64);
            let padded = padded.ok_or_else(|| io::Error::other("an entry of impossible size"))?;
            (self.left, self.padded) = (size, padded);
            if broken.is_some() {
                // The entry after what was broken: what is in it comes next, so its header is kept for then.
                self.stream =
                    Box::new(io::Cursor::new(block).chain(std::mem::replace(&mut self.stream, Box::new(io::empty()))));
                self.offset -= BLOCK as u64;
                (self.left, self.padded) = (0, 0);
                return Ok(broken);
            }
            let kind = header.entry_type();
            if kind.is_gnu_longname() || kind.is_pax_local_extensions() {
                if size > MAX_ATTRIBUTE_BYTES {
                    let what = format!("attributes of {size} bytes, over {MAX_ATTRIBUTE_BYTES}");
                    return Ok(Some(Entry::Broken { offset: start, what }));
                }
                let mut attributes = Vec::new();
                self.read_to(&mut attributes)?;
                self.skip(self.padded)?;
                let name = if kind.is_gnu_longname() {
                    Some(attributes.split(|byte| *byte == 0).next().unwrap_or_default().to_owned())
                } else {
                    let mut pairs = tar::PaxExtensions::new(&attributes).flatten();
                    pairs.find(|pair| pair.key_bytes() == b"path").map(|pair| pair.value_bytes().to_owned())
                };
                long_name = name.or(long_name);
                continue;
            }
            let name = long_name.take().unwrap_or_else(|| header.path_bytes().into_owned());
            if kind.is_file() || kind.is_contiguous() {
                return Ok(Some(Entry::File { name, size }));
            }
            let passed = kind.is_dir() || kind.is_pax_global_extensions() || kind.is_gnu_longlink();
            if !passed {
                return Ok(Some(Entry::Other { name }));
            }
            self.skip(self.padded)?;
        }
    }

    /// Reads what is left of the entry.
    ///
    /// # Errors
    /// If the archive cannot be read or ends before.
    pub(crate) fn read_to(&mut self, into: &mut Vec<u8>) -> io::Result<()> {
        let left = self.left;
        let read = (&mut *self).take(left).read_to_end(into)?;
        if (read as u64) < left { Err(cut()) } else { Ok(()) }
    }

    fn skip(&mut self, length: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.take(length), &mut io::sink())?;
        if skipped < length { Err(cut()) } else { Ok(()) }
    }

    /// Returns the next block, none at the end of the archive.
    fn block(&mut self) -> io::Result<Option<[u8; BLOCK]>> {
        let mut block = [0; BLOCK];
        (self.left, self.padded) = (BLOCK as u64, BLOCK as u64);
        let mut filled = 0;
        while let Some(rest) = block.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.read(rest) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => return Err(cut()),
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Some(block))
    }
}

impl Read for Entries {
    /// Reads on in the archive, over the end of the entry.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(into)?;
        self.offset += read as u64;
        self.left = self.left.saturating_sub(read as u64);
        self.padded = self.padded.saturating_sub(read as u64);
        Ok(read)
    }
}

fn cut() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the archive is cut short")
}

/// Reports whether the checksum of a header is right: the sum of its bytes, with blanks for the checksum's own.
fn is_whole(header: &tar::Header, block: &[u8; BLOCK]) -> bool {
    let own = 148..156;
    let byte = |(at, byte): (usize, &u8)| if own.contains(&at) { u32::from(b' ') } else { u32::from(*byte) };
    let sum: u32 = block.iter().enumerate().map(byte).sum();
    header.cksum().is_ok_and(|written| written == sum) && header.entry_size().is_ok()
}
