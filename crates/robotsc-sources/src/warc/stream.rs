//! What a file holds, decompressed, with the place of every byte: plain, gzip or zstd.
//!
//! A compressed archive is a row of members (gzip) or frames (zstd). Archives have one a record, so that a record can
//! be read alone; some tools make one of the whole file. No buffer holds bytes of two members, which is how a place is
//! known. After a fault, reading goes on at the next member.

use std::io::{self, BufRead as _, Read, Seek};

use super::bytes::Bytes;
use crate::capture::PlaceInFile;

/// How many decompressed bytes are held.
const BUFFER: usize = 64 << 10;

const GZIP: [u8; 3] = [0x1f, 0x8b, 8];
#[cfg(feature = "zstd")]
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    Gzip,
    #[cfg(feature = "zstd")]
    Zstd,
}

impl Packing {
    /// Returns what the first bytes of a file say.
    pub(crate) fn of(first: &[u8]) -> Self {
        if first.starts_with(&GZIP) {
            return Self::Gzip;
        }
        #[cfg(feature = "zstd")]
        if first.starts_with(&ZSTD) || matches!(first, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]) {
            return Self::Zstd;
        }
        Self::Plain
    }

    /// Returns what the ending of a file's name says.
    pub(crate) fn of_name(path: &std::path::Path) -> Self {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("gz" | "tgz") => Self::Gzip,
            #[cfg(feature = "zstd")]
            Some("zst") => Self::Zstd,
            _ => Self::Plain,
        }
    }

    fn mark(self) -> &'static [u8] {
        match self {
            Self::Plain => &[],
            Self::Gzip => &GZIP,
            #[cfg(feature = "zstd")]
            Self::Zstd => &ZSTD,
        }
    }
}

/// Why no bytes came.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The file cannot be read.
    File(io::Error),
    /// A member is damaged or cut: where it begins, and what is wrong.
    Member(u64, String),
}

/// The decompressed bytes of a file.
pub(crate) struct Stream<R: Read> {
    packing: Packing,
    /// The bytes of the file.
    length: u64,
    state: State<R>,
    buffer: Box<[u8]>,
    at: usize,
    end: usize,
    /// Where the member of the buffer's bytes begins; of a plain file, where the buffer does.
    member: u64,
    /// How many bytes of the member came before the buffer's.
    before: u64,
    /// Bytes that were looked at more than once, and all.
    again: u64,
    all: u64,
}

enum State<R: Read> {
    Between(Bytes<R>),
    Gzip(Box<flate2::bufread::GzDecoder<Bytes<R>>>),
    #[cfg(feature = "zstd")]
    Zstd(Box<zstd::stream::read::Decoder<'static, Bytes<R>>>),
    /// While one becomes another, and after a decoder could not be made.
    Gone,
}

impl<R: Read> std::fmt::Debug for Stream<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").field("packing", &self.packing).field("member", &self.member).finish_non_exhaustive()
    }
}

impl<R: Read + Seek> Stream<R> {
    pub(crate) fn new(file: R, packing: Packing) -> io::Result<Self> {
        let bytes = Bytes::new(file)?;
        Ok(Self {
            packing,
            length: bytes.length(),
            state: State::Between(bytes),
            buffer: vec![0; BUFFER].into_boxed_slice(),
            at: 0,
            end: 0,
            member: 0,
            before: 0,
            again: 0,
            all: 0,
        })
    }

    /// Returns how the file is packed.
    pub(crate) fn packing(&self) -> Packing {
        self.packing
    }

    /// Goes back to the start of the file.
    pub(crate) fn restart(&mut self) -> Result<(), Fault> {
        self.all = 0;
        self.go_to_raw(0)
    }

    /// Returns how far the file was read, in bytes.
    pub(crate) fn offset(&self) -> u64 {
        match &self.state {
            State::Between(bytes) => bytes.offset(),
            State::Gzip(decoder) => decoder.get_ref().offset(),
            #[cfg(feature = "zstd")]
            State::Zstd(decoder) => decoder.get_ref().offset(),
            State::Gone => self.member,
        }
    }

    /// Returns the place of the next byte.
    pub(crate) fn place(&self) -> PlaceInFile {
        match self.packing {
            Packing::Plain => PlaceInFile::Byte(self.member + self.at as u64),
            _ => PlaceInFile::Inside { member: self.member, byte: self.before + self.at as u64 },
        }
    }

    /// Returns where the member of the next byte begins; of a plain file, the byte itself.
    pub(crate) fn member(&self) -> u64 {
        match self.packing {
            Packing::Plain => self.member + self.at as u64,
            _ => self.member,
        }
    }

    /// Returns the next bytes, none at the end of the file. At the end of a member the next is begun.
    ///
    /// # Errors
    /// If the file cannot be read, or a member is damaged: its checksum is looked at before the first byte after
    /// it is given. [`Self::next_member`] goes on.
    pub(crate) fn fill(&mut self) -> Result<&[u8], Fault> {
        while self.at == self.end {
            if !self.refill()? {
                return Ok(&[]);
            }
        }
        Ok(self.buffer.get(self.at..self.end).unwrap_or_default())
    }

    /// Takes bytes that [`Self::fill`] gave.
    pub(crate) fn consume(&mut self, length: usize) {
        self.at = (self.at + length).min(self.end);
    }

    /// Goes on by `length` bytes, or to the end of the file; returns how many there were.
    pub(crate) fn skip(&mut self, length: u64) -> Result<u64, Fault> {
        if self.packing == Packing::Plain {
            // No reading needed.
            let here = self.member + self.at as u64;
            let step = length.min(self.length.saturating_sub(here));
            self.go_to_raw(here + step)?;
            return Ok(step);
        }
        let mut left = length;
        while left > 0 {
            let here = self.fill()?.len();
            if here == 0 {
                break;
            }
            let step = left.min(here as u64);
            self.consume(step as usize);
            left -= step;
        }
        Ok(length - left)
    }

    /// Goes to a place that [`Self::place`] gave. Forward inside the current member is cheaper than back.
    pub(crate) fn go_to(&mut self, place: &PlaceInFile) -> Result<(), Fault> {
        let (member, byte) = match *place {
            PlaceInFile::Byte(offset) => return self.go_to_raw(offset),
            PlaceInFile::Inside { member, byte } => (member, byte),
            _ => return Ok(()),
        };
        let here = self.before + self.at as u64;
        if matches!(self.state, State::Between(_) | State::Gone) || member != self.member || byte < here {
            self.go_to_raw(member)?;
            self.begin_member(member)?;
        }
        let left = byte.saturating_sub(self.before + self.at as u64);
        self.skip(left).map(drop)
    }

    /// Goes on to what may be the next member after one that is damaged; `false` where there is none.
    ///
    /// A damaged member may have swallowed the ones after it, so the search begins right after its first byte. That
    /// reads bytes again; where they are many, as in a file made for that, it begins where reading came to.
    pub(crate) fn next_member(&mut self, damaged: u64) -> Result<bool, Fault> {
        let reached = self.offset();
        let from =
            if self.may_repeat(reached.saturating_sub(damaged)) { damaged + 1 } else { reached.max(damaged + 1) };
        self.go_to_raw(from)?;
        let mark = self.packing.mark();
        let State::Between(bytes) = &mut self.state else { return Ok(false) };
        bytes.find(mark).map_err(Fault::File)
    }

    /// Reports whether `length` bytes may be looked at again: the sum over a file stays in proportion to the file.
    pub(crate) fn may_repeat(&mut self, length: u64) -> bool {
        const FREE: u64 = 64 << 20;
        if self.again.saturating_add(length) > self.all.saturating_mul(2).saturating_add(FREE) {
            return false;
        }
        self.again += length;
        true
    }

    /// Goes to an offset in the file and leaves the member.
    fn go_to_raw(&mut self, offset: u64) -> Result<(), Fault> {
        if self.packing == Packing::Plain && (self.member..=self.member + self.end as u64).contains(&offset) {
            self.at = (offset - self.member) as usize;
            return Ok(());
        }
        let mut bytes = match std::mem::replace(&mut self.state, State::Gone) {
            State::Between(bytes) => bytes,
            State::Gzip(decoder) => decoder.into_inner(),
            #[cfg(feature = "zstd")]
            State::Zstd(decoder) => decoder.finish(),
            State::Gone => return Err(Fault::File(io::Error::other("no decoder could be made"))),
        };
        let went = bytes.go_to(offset);
        self.state = State::Between(bytes);
        (self.at, self.end, self.member, self.before) = (0, 0, offset, 0);
        went.map_err(Fault::File)
    }

    /// Makes a decoder for the member that begins here.
    fn begin_member(&mut self, member: u64) -> Result<(), Fault> {
        (self.at, self.end, self.member, self.before) = (0, 0, member, 0);
        self.state = match std::mem::replace(&mut self.state, State::Gone) {
            State::Between(bytes) if self.packing == Packing::Gzip => {
                State::Gzip(Box::new(flate2::bufread::GzDecoder::new(bytes)))
            }
            #[cfg(feature = "zstd")]
            State::Between(bytes) if self.packing == Packing::Zstd => {
                match zstd::stream::read::Decoder::with_buffer(bytes) {
                    Ok(decoder) => State::Zstd(Box::new(decoder.single_frame())),
                    Err(error) => return Err(Fault::File(error)),
                }
            }
            other => other,
        };
        Ok(())
    }

    /// Fills the empty buffer; `false` at the end of the file.
    fn refill(&mut self) -> Result<bool, Fault> {
        loop {
            let read = match &mut self.state {
                State::Between(bytes) => {
                    let start = bytes.offset();
                    if bytes.fill_buf().map_err(Fault::File)?.is_empty() {
                        (self.at, self.end, self.member, self.before) = (0, 0, start, 0);
                        return Ok(false);
                    }
                    if self.packing != Packing::Plain {
                        self.begin_member(start)?;
                        continue;
                    }
                    (self.at, self.end, self.member) = (0, 0, start);
                    bytes.read(&mut self.buffer).map_err(Fault::File)?
                }
                State::Gzip(decoder) => match decoder.read(&mut self.buffer) {
                    Ok(read) => read,
                    Err(error) if decoder.get_ref().has_failed() => return Err(Fault::File(error)),
                    Err(error) => return Err(damaged("gzip member", self.member, &error)),
                },
                #[cfg(feature = "zstd")]
                State::Zstd(decoder) => match decoder.read(&mut self.buffer) {
                    Ok(read) => read,
                    Err(error) if decoder.get_ref().has_failed() => return Err(Fault::File(error)),
                    Err(error) => return Err(damaged("zstd frame", self.member, &error)),
                },
                State::Gone => return Ok(false),
            };
            self.all += read as u64;
            if read > 0 {
                self.before += self.end as u64;
                (self.at, self.end) = (0, read);
                return Ok(true);
            }
            // The member is at its end, and its checksum is right.
            let offset = self.offset();
            self.go_to_raw(offset)?;
        }
    }
}

fn damaged(what: &str, member: u64, error: &io::Error) -> Fault {
    let how = match error.kind() {
        io::ErrorKind::UnexpectedEof => "is cut short".to_owned(),
        _ => format!("is damaged ({})", error.to_string().to_lowercase()),
    };
    Fault::Member(member, format!("the {what} at byte {member} {how}"))
}
