//! Inputs: files and standard input, plain, gzip or zstd, recognized by their first bytes, whatever their name.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use robotsc_answers::shown;

use super::layout;
use super::pipe::Pipe;
use super::text::{self, Encoding};
use crate::failure::Failure;
use crate::io::decode::Coding;
use crate::io::files;

/// Bytes that are read from a file at a time.
const READ_BYTES: usize = 1 << 18;

/// The mark that a text in UTF-8 can begin with.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// An input that is open.
pub(crate) struct Input {
    /// Its name, for messages.
    pub(crate) name: String,
    /// Its text, decompressed.
    pub(crate) reader: Box<dyn Read + Send>,
    /// How it is compressed; `None` if it is not.
    pub(crate) coding: Option<&'static str>,
    /// Bytes that were taken from the file.
    pub(crate) taken: Arc<AtomicU64>,
    /// What it is read from, if that is no regular file.
    pub(crate) pipe: Option<Pipe>,
}

impl Input {
    /// Reads ahead to the end of the first line that is not empty, without waiting for more, and returns what was read.
    /// The reader still begins with it, but for a byte order mark. If no such line ends in the first `max` bytes,
    /// returns those.
    pub(crate) fn head(&mut self, max: usize) -> Vec<u8> {
        let mut head = Vec::new();
        let mut end: Box<dyn Read + Send> = Box::new(io::empty());
        // The bytes of the mark and of empty lines.
        let mut skipped = 0;
        while head.len() < max {
            if skipped == 0 && head.starts_with(BYTE_ORDER_MARK) {
                skipped = BYTE_ORDER_MARK.len();
            }
            skipped += layout::empty_lines(&head[skipped..]);
            if memchr::memchr(b'\n', &head[skipped..]).is_some() {
                break;
            }
            let start = head.len();
            head.resize((start + READ_BYTES).min(max), 0);
            let read = self.reader.read(&mut head[start..]);
            head.truncate(start + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => {
                    self.reader = Box::new(io::empty());
                    break;
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The reader returns it again, after what was read.
                Err(error) => {
                    self.reader = Box::new(Failing(Some(error)));
                    break;
                }
            }
        }
        std::mem::swap(&mut end, &mut self.reader);
        if head.starts_with(BYTE_ORDER_MARK) {
            head.drain(..BYTE_ORDER_MARK.len());
        }
        self.reader = Box::new(Cursor::new(head.clone()).chain(end));
        head
    }
}

/// A reader that fails once, and then ends.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _buffer: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Opens a file, or standard input if the name is `-`.
///
/// # Errors
/// Those of the operating system; if there is no memory for a zstd decoder;
/// and if it is no list, such as a spreadsheet or a page.
pub(crate) fn open(name: &OsStr, encoding: Option<Encoding>) -> Result<Input, Failure> {
    let (name, opened) = if files::is_stdin(name) {
        let pipe = Pipe::of(&io::stdin());
        let decoded = decode(files::STDIN_NAME.to_owned(), io::stdin(), encoding);
        (files::STDIN_NAME.to_owned(), decoded.map(|input| Input { pipe, ..input }))
    } else {
        let shown = shown_name(name);
        let opened = files::open(Path::new(name)).and_then(|file| {
            let pipe = Pipe::of(&file);
            Ok(Input { pipe, ..decode(shown.clone(), file, encoding)? })
        });
        (shown, opened)
    };
    opened.map_err(|error| match error.kind() {
        // The whole text comes from the reader of lists.
        io::ErrorKind::InvalidInput if error.get_ref().is_some() => {
            Failure::new(format_args!("cannot read: {name}: {error}"))
        }
        _ => files::cannot_read(&name, &error),
    })
}

/// Checks that a file can be read, so that a mistyped name is reported before hours of work are done.
///
/// A pipe is not opened: its writer would see a reader that goes away, and then wait for the next.
///
/// # Errors
/// Those of the operating system; and if `path` is a directory.
pub(crate) fn check(path: &Path) -> io::Result<()> {
    let metadata = fs::metadata(path)?;
    if metadata.is_file() || metadata.is_dir() {
        files::open(path)?;
    }
    Ok(())
}

/// Returns the name of an input for messages.
pub(crate) fn shown_name(name: &OsStr) -> String {
    shown::bytes(name.as_encoded_bytes())
}

/// Returns the sum of the sizes of all inputs, in bytes; `None` if one is no regular file.
pub(crate) fn total(names: &[OsString]) -> Option<u64> {
    let mut total = 0_u64;
    for name in names {
        let metadata = fs::metadata(name).ok().filter(|_| !files::is_stdin(name))?;
        total += metadata.is_file().then_some(metadata.len())?;
    }
    (!names.is_empty()).then_some(total)
}

/// Decompresses `raw`, whose first bytes show how it is compressed.
pub(crate) fn decode(name: String, raw: impl Read + Send + 'static, encoding: Option<Encoding>) -> io::Result<Input> {
    let (coding, whole) = Coding::of(BufReader::with_capacity(READ_BYTES, raw))?;
    let taken = Arc::new(AtomicU64::new(0));
    let all = Counted { inner: whole, taken: Arc::clone(&taken) };
    let reader: Box<dyn Read + Send> = match coding {
        Some(Coding::Gzip) => text::decoded(buffered(flate2::bufread::MultiGzDecoder::new(all)), encoding)?,
        Some(Coding::Zstd) => text::decoded(buffered(zstd::Decoder::with_buffer(all)?), encoding)?,
        None => text::decoded(all, encoding)?,
    };
    Ok(Input { name, reader, coding: coding.map(Coding::name), taken, pipe: None })
}

fn buffered<R: Read>(reader: R) -> BufReader<R> {
    BufReader::with_capacity(READ_BYTES, reader)
}

/// A reader that counts the bytes that are taken from it, not those that are only buffered.
struct Counted<R> {
    inner: R,
    taken: Arc<AtomicU64>,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.taken.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.inner.consume(bytes);
        self.taken.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::decode::tests::Waiting;

    #[test]
    fn codings_are_recognised() {
        let text = b"http://h/a\nhttp://h/b\n";
        let gzip = {
            use std::io::Write as _;
            let mut members = Vec::new();
            for part in text.chunks(7) {
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                encoder.write_all(part).unwrap();
                members.extend(encoder.finish().unwrap());
            }
            members
        };
        let zstd = text.chunks(7).flat_map(|part| zstd::encode_all(part, 1).unwrap()).collect();
        for (bytes, coding) in [(text.to_vec(), None), (gzip, Some("gzip")), (zstd, Some("zstd"))] {
            let length = bytes.len() as u64;
            let mut input = decode("x".to_owned(), Cursor::new(bytes), None).unwrap();
            let mut read = Vec::new();
            input.reader.read_to_end(&mut read).unwrap();
            assert_eq!((read.as_slice(), input.coding), (text.as_slice(), coding));
            assert_eq!(input.taken.load(Ordering::Relaxed), length);
        }
    }

    #[test]
    fn a_short_first_line_is_read_without_waiting_for_more() {
        for text in [&b"/\n"[..], b"P\n", b"\n/\n"] {
            let mut input = decode("x".to_owned(), Waiting(text), None).unwrap();
            assert_eq!(input.head(1 << 20), text);
        }
    }

    #[test]
    fn short_inputs_are_plain() {
        for text in [&b""[..], b"\x1F", b"a\n", b"\x28\xB5\x2F"] {
            let mut input = decode("x".to_owned(), text, None).unwrap();
            let mut read = Vec::new();
            input.reader.read_to_end(&mut read).unwrap();
            assert_eq!((read.as_slice(), input.coding), (text, None));
        }
    }
}
