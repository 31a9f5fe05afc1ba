//! Inputs that can be compressed: plain, gzip or zstd, whatever their name.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

/// Bytes that are read from a file at a time.
const BUFFER_BYTES: usize = 1 << 16;

const GZIP: &[u8] = &[0x1F, 0x8B];
const ZSTD: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];
/// The end of the mark of a frame that is skipped (RFC 8878, section 3.1); its first byte is 0x50 to 0x5F.
const ZSTD_SKIPPED: &[u8] = &[0x2A, 0x4D, 0x18];

/// How an input is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Gzip,
    Zstd,
}

/// What was read of the beginning, and the rest.
pub(crate) type AfterHead<R> = Chain<Cursor<Vec<u8>>, R>;

impl Coding {
    /// Returns its name, for messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// Recognizes the compression of `raw` by its first bytes, and returns a reader that still begins with them.
    ///
    /// Reads only as far as the bytes can still be a mark: a peer that waits for the answer to a short first line gets
    /// it.
    ///
    /// # Errors
    /// Those of the operating system.
    pub(crate) fn of<R: BufRead>(mut raw: R) -> io::Result<(Option<Self>, AfterHead<R>)> {
        let mut head = Vec::new();
        while head.len() < ZSTD.len() && can_be_mark(&head) {
            let byte = match raw.fill_buf() {
                Ok(bytes) => bytes.first().copied(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let Some(byte) = byte else { break };
            raw.consume(1);
            head.push(byte);
        }
        let coding = if head.starts_with(GZIP) {
            Some(Self::Gzip)
        } else if head.len() == ZSTD.len() && can_be_zstd(&head) {
            Some(Self::Zstd)
        } else {
            None
        };
        Ok((coding, Cursor::new(head).chain(raw)))
    }
}

/// Returns the decompressed text of `raw`.
///
/// # Errors
/// Those of the operating system; and if a zstd decoder gets no memory.
pub(crate) fn decoded(raw: impl Read + 'static) -> io::Result<Box<dyn Read>> {
    let (coding, whole) = Coding::of(BufReader::with_capacity(BUFFER_BYTES, raw))?;
    Ok(match coding {
        Some(Coding::Gzip) => Box::new(MultiGzDecoder::new(whole)),
        Some(Coding::Zstd) => Box::new(zstd::Decoder::with_buffer(whole)?),
        None => Box::new(whole),
    })
}

/// Whether the first bytes of a file are the beginning of a mark.
fn can_be_mark(head: &[u8]) -> bool {
    (head.len() < GZIP.len() && GZIP.starts_with(head)) || can_be_zstd(head)
}

fn can_be_zstd(head: &[u8]) -> bool {
    ZSTD.starts_with(head) || matches!(head, [0x50..=0x5F, rest @ ..] if ZSTD_SKIPPED.starts_with(rest))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Write as _;

    use super::*;

    fn read(raw: impl Read + 'static) -> Vec<u8> {
        let mut text = Vec::new();
        decoded(raw).unwrap().read_to_end(&mut text).unwrap();
        text
    }

    #[test]
    fn compressed_inputs_are_decoded_whatever_their_frames() {
        let text = b"http://h/a\nhttp://h/b\n";
        let mut gzip = Vec::new();
        let mut frames = b"\x50\x2A\x4D\x18\x01\0\0\0x".to_vec();
        for part in text.chunks(7) {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(part).unwrap();
            gzip.extend(encoder.finish().unwrap());
            frames.extend(zstd::encode_all(part, 1).unwrap());
        }
        let skipped_first = frames.clone();
        let zstd_first = frames.split_off(9);
        for bytes in [text.to_vec(), gzip, zstd_first, skipped_first] {
            assert_eq!(read(Cursor::new(bytes)), text);
        }
    }

    #[test]
    fn short_inputs_are_plain() {
        for text in [&b""[..], b"\x1F", b"a\n", b"\x28\xB5\x2F", b"P*", b"P*M\n"] {
            assert_eq!(read(text), text);
        }
    }

    /// A reader that fails where it would wait for its peer.
    pub(crate) struct Waiting(pub(crate) &'static [u8]);

    impl Read for Waiting {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.split_first() {
                Some((first, rest)) => {
                    buffer[0] = *first;
                    self.0 = rest;
                    Ok(1)
                }
                None => Err(io::ErrorKind::WouldBlock.into()),
            }
        }
    }

    #[test]
    fn a_short_first_line_is_read_without_waiting_for_more() {
        let mut first = [0; 2];
        decoded(Waiting(b"/\n")).unwrap().read_exact(&mut first).unwrap();
        assert_eq!(&first, b"/\n");
    }
}
