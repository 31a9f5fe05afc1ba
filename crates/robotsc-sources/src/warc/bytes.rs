//! The bytes of a file as they stand in it: buffered, with their offsets.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

/// How many bytes are read at once.
const BUFFER: usize = 64 << 10;

/// A file that is read in order and knows its offset.
#[derive(Debug)]
pub(crate) struct Bytes<R> {
    file: R,
    buffer: Box<[u8]>,
    at: usize,
    end: usize,
    /// The offset in the file of the end of the buffer.
    position: u64,
    /// The bytes of the file when it was opened.
    length: u64,
    /// Whether reading failed in the file itself, in contrast to what a decoder says about what it read.
    failed: bool,
}

impl<R: Read + Seek> Bytes<R> {
    pub(crate) fn new(mut file: R) -> io::Result<Self> {
        let length = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        Ok(Self { file, buffer: vec![0; BUFFER].into_boxed_slice(), at: 0, end: 0, position: 0, length, failed: false })
    }

    /// Returns the bytes of the file when it was opened.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Returns the offset of the next byte.
    pub(crate) fn offset(&self) -> u64 {
        self.position - (self.end - self.at) as u64
    }

    /// Reports whether reading the file failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Goes to an offset, at most to the end of the file; cheap where it lies in the buffer.
    pub(crate) fn go_to(&mut self, offset: u64) -> io::Result<()> {
        let offset = offset.min(self.length);
        let first = self.position - self.end as u64;
        if (first..=self.position).contains(&offset) {
            self.at = (offset - first) as usize;
            return Ok(());
        }
        self.position = self.file.seek(SeekFrom::Start(offset)).inspect_err(|_| self.failed = true)?;
        (self.at, self.end) = (0, 0);
        Ok(())
    }

    /// Goes on to the next `mark`; returns `false` at the end of the file.
    pub(crate) fn find(&mut self, mark: &[u8]) -> io::Result<bool> {
        let Some(first) = mark.first() else { return Ok(true) };
        loop {
            let chunk = self.fill_buf()?;
            if chunk.is_empty() {
                return Ok(false);
            }
            let Some(at) = chunk.iter().position(|byte| byte == first) else {
                let length = chunk.len();
                self.consume(length);
                continue;
            };
            self.consume(at);
            let here = self.offset();
            let mut seen = [0; 8];
            let seen = seen.get_mut(..mark.len()).unwrap_or_default();
            let whole = match self.read_exact(seen) {
                Ok(()) => true,
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => false,
                Err(error) => return Err(error),
            };
            if whole && seen == mark {
                self.go_to(here)?;
                return Ok(true);
            }
            self.go_to(here + 1)?;
        }
    }
}

impl<R: Read> Read for Bytes<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let length = available.len().min(into.len());
        if let (Some(into), Some(from)) = (into.get_mut(..length), available.get(..length)) {
            into.copy_from_slice(from);
        }
        self.consume(length);
        Ok(length)
    }
}

impl<R: Read> BufRead for Bytes<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.end {
            let read = loop {
                match self.file.read(&mut self.buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    read => break read,
                }
            };
            let read = read.inspect_err(|_| self.failed = true)?;
            (self.at, self.end) = (0, read);
            self.position += read as u64;
        }
        Ok(self.buffer.get(self.at..self.end).unwrap_or_default())
    }

    fn consume(&mut self, length: usize) {
        self.at = (self.at + length).min(self.end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_across_buffers() {
        for at in [0, 1, BUFFER - 3, BUFFER - 1, BUFFER, 2 * BUFFER - 2] {
            let mut bytes = vec![0x1f; at];
            bytes.extend([0x1f, 0x8b, 8, 0]);
            let mut bytes = Bytes::new(io::Cursor::new(bytes)).unwrap();
            assert!(bytes.find(&[0x1f, 0x8b, 8]).unwrap());
            assert_eq!(bytes.offset(), at as u64);
            bytes.go_to(at as u64 + 1).unwrap();
            assert!(!bytes.find(&[0x1f, 0x8b, 8]).unwrap());
            assert_eq!(bytes.offset(), at as u64 + 4);
        }
    }
}
