//! The text of a list: what kind of file it is, its encoding, and the ends of its lines.
//!
//! ```text
//! bytes, decompressed  ->  kind: a list, or refused  ->  UTF-8  ->  a CR alone becomes LF
//! ```
//! A file of another kind is refused once, with what to do: read as a list, each of its lines would be an error, or an
//! answer for what nobody asked.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

use clap::ValueEnum;

use crate::io::decode::AfterHead;
use crate::io::file_kind::FileKind;

/// Bytes that are decoded at a time.
const BUFFER_BYTES: usize = 1 << 16;

/// The bytes at the beginning of a file that show its kind.
const HEAD_BYTES: usize = 1024;

/// How the bytes of a list are read, if they are not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Encoding {
    /// ISO 8859-1: each byte is the character of that number
    #[value(name = "latin-1")]
    Latin1,
    /// The encoding of Windows in western Europe, which spreadsheets write
    #[value(name = "windows-1252")]
    Windows1252,
}

/// The characters of windows-1252 for the bytes from 0x80 to 0x9F; `\0` where it has none.
const WINDOWS_1252: [char; 32] = [
    '\u{20AC}', '\0', '\u{201A}', '\u{192}', '\u{201E}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2C6}', '\u{2030}',
    '\u{160}', '\u{2039}', '\u{152}', '\0', '\u{17D}', '\0', '\0', '\u{2018}', '\u{2019}', '\u{201C}', '\u{201D}',
    '\u{2022}', '\u{2013}', '\u{2014}', '\u{2DC}', '\u{2122}', '\u{161}', '\u{203A}', '\u{153}', '\0', '\u{17E}',
    '\u{178}',
];

/// A byte that is no UTF-8 anywhere. It stands for what has no character, so that its line is an error.
const NO_CHARACTER: u8 = 0xFF;

impl Encoding {
    /// Appends the UTF-8 of a byte.
    fn push(self, byte: u8, out: &mut Vec<u8>) {
        let character = match byte {
            0x80..=0x9F if self == Self::Windows1252 => WINDOWS_1252[usize::from(byte - 0x80)],
            _ => char::from(byte),
        };
        if character == '\0' && byte != 0 {
            out.push(NO_CHARACTER);
        } else {
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
}

/// Returns the text of a list in UTF-8, with a line feed at the end of each line.
///
/// # Errors
/// Those of the operating system, and if the file is no list: the text says what it is and what to do.
pub(crate) fn decoded(
    raw: impl BufRead + Send + 'static,
    encoding: Option<Encoding>,
) -> io::Result<Box<dyn Read + Send>> {
    let (head, whole) = head(raw);
    if let Some(why) = no_list(&head) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    if let Some(is_big_endian) = utf16(&head) {
        let text = Utf16 { inner: whole, is_big_endian, odd: None, high: None };
        return Ok(line_ends(BufReader::with_capacity(BUFFER_BYTES, Pieces::new(text))));
    }
    Ok(match encoding {
        Some(encoding) => {
            let text = Bytewise { inner: whole, encoding, start: Vec::new() };
            line_ends(BufReader::with_capacity(BUFFER_BYTES, Pieces::new(text)))
        }
        None => line_ends(whole),
    })
}

fn line_ends(text: impl BufRead + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(LineEnds { inner: text, is_after_cr: false })
}

/// Reads as far as the bytes can still show another kind of file: a peer that waits for the answer to a short first
/// line gets it. Returns them, and a reader that still begins with them.
///
/// An error comes again from the reader, after what was read.
fn head<R: BufRead>(mut raw: R) -> (Vec<u8>, Chain<AfterHead<Failing>, R>) {
    let mut head = Vec::new();
    let mut failing = Failing(None);
    while head.len() < HEAD_BYTES && (head.len() < 2 || can_be_other(&head)) {
        let bytes = match raw.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                failing = Failing(Some(error));
                break;
            }
        };
        if bytes.is_empty() {
            break;
        }
        let taken = bytes.len().min(HEAD_BYTES - head.len());
        head.extend_from_slice(&bytes[..taken]);
        raw.consume(taken);
    }
    (head.clone(), Cursor::new(head).chain(failing).chain(raw))
}

/// A reader that fails once, and then ends.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

impl BufRead for Failing {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.take().map_or(Ok(&[]), Err)
    }

    fn consume(&mut self, _: usize) {}
}

/// Whether more bytes can show that a file is no list.
fn can_be_other(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    FileKind::begins_as_other(head) || text.starts_with(b"<") || (text.is_empty() && !head.contains(&b'\n'))
}

/// Returns why a file that begins so is no list of URLs: what it is, and what to do.
fn no_list(head: &[u8]) -> Option<String> {
    let say = |what: &str, way_out: &str| Some(format!("it is no list of URLs but {what}: {way_out}"));
    match FileKind::of("", head) {
        FileKind::Compressed("zip", _) => {
            say("a zip archive, as XLSX files are", "save the sheet as CSV in UTF-8, or extract the list")
        }
        FileKind::Compressed(format @ ("gzip" | "zstd"), command) => {
            say(&format!("compressed twice ({format})"), &format!("decompress it once before: {command}"))
        }
        FileKind::Compressed(format, command) => {
            say(&format!("compressed with {format}"), &format!("decompress it before: {command}"))
        }
        FileKind::Archive(what) => say(what, "extract the list"),
        FileKind::Binary(what) => say(what, "give one URL on each line, or CSV"),
        FileKind::Program | FileKind::Policy => say("a compiled program", "give one URL on each line"),
        FileKind::Pack => say("a policy pack", "give one URL on each line"),
        FileKind::Markup => {
            let has = |tag: &[u8]| memchr::memmem::find(head, tag).is_some();
            if has(b"<urlset") || has(b"<sitemapindex") {
                say(
                    "a sitemap",
                    "write its URLs one on each line, as with: grep -o '<loc>[^<]*' sitemap.xml | cut -c6-",
                )
            } else {
                say("HTML or XML", "give one URL on each line")
            }
        }
        FileKind::Utf16 | FileKind::Wide(..) | FileKind::Text | FileKind::RuleSets | FileKind::Nul => None,
    }
}

/// Returns whether a file in UTF-16 is big-endian: by its byte order mark, or since the first two characters are of
/// ASCII. `None` if it is not in UTF-16.
fn utf16(head: &[u8]) -> Option<bool> {
    let is_ascii = |byte: u8| byte != 0 && byte < 0x80;
    match head {
        [0xFF, 0xFE, ..] => Some(false),
        [0xFE, 0xFF, ..] => Some(true),
        [low, 0, ..] if is_ascii(*low) => Some(false),
        [0, low, ..] if is_ascii(*low) => Some(true),
        _ => None,
    }
}

/// Turns bytes into UTF-8, piece by piece.
trait Decode {
    /// Appends the UTF-8 of the next bytes. Appends none at the end.
    fn next_piece(&mut self, out: &mut Vec<u8>) -> io::Result<()>;
}

/// Text in UTF-16.
struct Utf16<R> {
    inner: R,
    is_big_endian: bool,
    /// The first byte of a unit whose second is still to come.
    odd: Option<u8>,
    /// The first half of a character whose second is still to come.
    high: Option<u16>,
}

impl<R: BufRead> Decode for Utf16<R> {
    fn next_piece(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        while out.is_empty() {
            let bytes = self.inner.fill_buf()?;
            let length = bytes.len();
            if length == 0 {
                // What is cut short has no character.
                if self.odd.take().is_some() | self.high.take().is_some() {
                    out.push(NO_CHARACTER);
                }
                return Ok(());
            }
            for byte in bytes {
                let Some(first) = self.odd.take() else {
                    self.odd = Some(*byte);
                    continue;
                };
                let pair = [first, *byte];
                let unit = if self.is_big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) };
                let units: Vec<u16> = self.high.take().into_iter().chain([unit]).collect();
                if units.len() == 1 && (0xD800..0xDC00).contains(&unit) {
                    self.high = Some(unit);
                    continue;
                }
                for character in char::decode_utf16(units) {
                    match character {
                        Ok('\u{FEFF}') => {}
                        Ok(character) => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                        Err(_) => out.push(NO_CHARACTER),
                    }
                }
            }
            self.inner.consume(length);
        }
        Ok(())
    }
}

/// Text of which each byte is a character.
///
/// Bytes that are a character of UTF-8 are none here: of a list in UTF-8, `ü` would be read as `Ã¼`.
struct Bytewise<R> {
    inner: R,
    encoding: Encoding,
    /// What can be the start of a character of UTF-8.
    start: Vec<u8>,
}

impl<R: BufRead> Decode for Bytewise<R> {
    fn next_piece(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        while out.is_empty() {
            let bytes = self.inner.fill_buf()?;
            let length = bytes.len();
            if length == 0 {
                self.start.drain(..).for_each(|byte| self.encoding.push(byte, out));
                return Ok(());
            }
            for byte in bytes {
                if byte.is_ascii() && self.start.is_empty() {
                    out.push(*byte);
                    continue;
                }
                self.start.push(*byte);
                while let Err(error) = str::from_utf8(&self.start)
                    && error.error_len().is_some()
                {
                    self.encoding.push(self.start.remove(0), out);
                }
                if str::from_utf8(&self.start).is_ok() {
                    for byte in self.start.drain(..) {
                        out.push(if byte.is_ascii() { byte } else { NO_CHARACTER });
                    }
                }
            }
            self.inner.consume(length);
        }
        Ok(())
    }
}

/// Reads what is decoded.
struct Pieces<D> {
    decoder: D,
    piece: Vec<u8>,
    at: usize,
}

impl<D> Pieces<D> {
    const fn new(decoder: D) -> Self {
        Self { decoder, piece: Vec::new(), at: 0 }
    }
}

impl<D: Decode> Read for Pieces<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.piece.len() {
            self.piece.clear();
            self.at = 0;
            self.decoder.next_piece(&mut self.piece)?;
        }
        let mut rest = &self.piece[self.at..];
        let read = rest.read(buffer)?;
        self.at += read;
        Ok(read)
    }
}

/// Makes a carriage return that no line feed follows a line feed. One before a line feed stays.
struct LineEnds<R> {
    inner: R,
    /// A carriage return was taken from `inner`, and what follows it is not known yet.
    is_after_cr: bool,
}

impl<R: BufRead> Read for LineEnds<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let bytes = self.inner.fill_buf()?;
            if self.is_after_cr {
                buffer[0] = if bytes.first() == Some(&b'\n') { b'\r' } else { b'\n' };
                self.is_after_cr = false;
                return Ok(1);
            }
            let length = bytes.len().min(buffer.len());
            buffer[..length].copy_from_slice(&bytes[..length]);
            let mut end = length;
            for at in memchr::memchr_iter(b'\r', &bytes[..length]) {
                match bytes.get(at + 1) {
                    Some(b'\n') => {}
                    Some(_) => buffer[at] = b'\n',
                    None => end = at,
                }
            }
            if end > 0 || length == 0 {
                self.inner.consume(end);
                return Ok(end);
            }
            self.inner.consume(1);
            self.is_after_cr = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], encoding: Option<Encoding>) -> Result<Vec<u8>, String> {
        let mut all: Option<Vec<u8>> = None;
        // However many bytes come at a time.
        for capacity in [1, 2, 3, 7, 4096] {
            let raw = BufReader::with_capacity(capacity, Cursor::new(bytes.to_vec()));
            let mut reader = decoded(raw, encoding).map_err(|error| error.to_string())?;
            let (mut text, mut buffer) = (Vec::new(), [0; 5]);
            loop {
                match reader.read(&mut buffer).unwrap() {
                    0 => break,
                    read => text.extend_from_slice(&buffer[..read]),
                }
            }
            assert!(all.as_ref().is_none_or(|all| *all == text), "{}", bytes.escape_ascii());
            all = Some(text);
        }
        Ok(all.unwrap_or_default())
    }

    #[test]
    fn each_end_of_a_line_is_one() {
        for (bytes, text) in [
            (&b"a\rb\r"[..], &b"a\nb\n"[..]),
            (b"a\r\nb\r\n", b"a\r\nb\r\n"),
            (b"a\r\r\nb\n\rc", b"a\n\r\nb\n\nc"),
            (b"a\nb", b"a\nb"),
            (b"", b""),
            (b"\r", b"\n"),
        ] {
            assert_eq!(read(bytes, None).unwrap(), text, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn encodings_become_utf8() {
        let little = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
        let text = "https://h/f\u{fc}r\u{1F600}\nx\n";
        for bytes in [little(text), big(text), little(&format!("\u{FEFF}{text}")), big(&format!("\u{FEFF}{text}"))] {
            assert_eq!(read(&bytes, None).unwrap(), text.as_bytes());
        }
        assert_eq!(read(&little("\u{FEFF}a\rb\r\n"), None).unwrap(), b"a\nb\r\n");
        // Half a character is none.
        assert_eq!(read(b"\xFF\xFEa\0\x3D\xD8b\0", None).unwrap(), b"a\xFFb");
        assert_eq!(read(b"\xFF\xFEa\0b", None).unwrap(), b"a\xFF");
        assert_eq!(read(b"/f\xFCr/\x80", Some(Encoding::Windows1252)).unwrap(), "/f\u{fc}r/\u{20ac}".as_bytes());
        assert_eq!(read(b"/f\xFCr/\x80", Some(Encoding::Latin1)).unwrap(), "/f\u{fc}r/\u{80}".as_bytes());
        assert_eq!(read(b"/\x81", Some(Encoding::Windows1252)).unwrap(), b"/\xFF");
        // UTF-8 is not of the encoding, as are no bytes that only begin like it.
        for (bytes, text) in [
            ("/f\u{fc}r\n/a\n".as_bytes(), &b"/f\xFF\xFFr\n/a\n"[..]),
            ("/\u{20ac}".as_bytes(), b"/\xFF\xFF\xFF"),
            (b"/\xC3a\xE2\x82\n", "/\u{c3}a\u{e2}\u{82}\n".as_bytes()),
            (b"/\xE2\xC3\xBC", b"/\xC3\xA2\xFF\xFF"),
        ] {
            assert_eq!(read(bytes, Some(Encoding::Latin1)).unwrap(), text, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn other_files_are_refused_with_their_kind() {
        for (bytes, what) in [
            (&b"PK\x03\x04xl/workbook.xml"[..], "zip"),
            (b"%PDF-1.7\n", "PDF"),
            (b"BZh91AY", "bzip2"),
            (b"\xFD7zXZ\0", "xz"),
            (b"7z\xBC\xAF\x27\x1C", "7-Zip"),
            (b"Rar!\x1A\x07", "RAR"),
            (b"\x1F\x8B\x08", "twice"),
            (b"WARC/1.0\r\n", "WARC"),
            (b"<?xml version=\"1.0\"?>\n<urlset xmlns=\"x\">", "sitemap"),
            (b"\xEF\xBB\xBF\n <!DOCTYPE html>", "HTML"),
            (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "XLS"),
        ] {
            let error = read(bytes, None).unwrap_err();
            assert!(error.starts_with("it is no list of URLs but ") && error.contains(what), "{error}");
        }
        for bytes in [&b"https://h/<a>\n"[..], b"P\n", b"Rar\n", b"7\n", b"B\n"] {
            assert_eq!(read(bytes, None).unwrap(), bytes);
        }
    }
}
