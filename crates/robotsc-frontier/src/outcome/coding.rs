//! Decodes content encodings (RFC 9110, section 8.4.1), with a limit on the result: those of archives, and those of a
//! response that was just fetched, so that both have the same outcome.

#[cfg(feature = "coding")]
use std::borrow::Cow;
#[cfg(feature = "coding")]
use std::io::Read;

/// The maximum number of encodings on top of each other. Servers use one.
#[cfg(feature = "coding")]
const MAX_CODINGS: usize = 3;

/// How much is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeLimits {
    /// The maximum number of bytes of a decoded body, and one more that shows that there are more. No dialect reads
    /// more than the default: 512,000, and 16,664 in which the line that crosses this limit ends.
    pub body: usize,
    /// The maximum number of bytes between two encodings.
    pub encoded: usize,
}

impl Default for DecodeLimits {
    fn default() -> Self {
        Self { body: robotsc_compiler::dialect::MAX_BODY_BYTES, encoded: 4 << 20 }
    }
}

/// A decoded body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The bytes, up to the limit for a body and one more.
    pub bytes: Vec<u8>,
    /// Whether the encoded bytes were good up to their end, or to the limit.
    pub ended: bool,
}

/// Returns the encodings that values of `Content-Encoding` name, in lower case and in the order in which they were
/// applied; without `identity`, which is none.
///
/// ```
/// let codings: Vec<String> = robotsc::outcome::coding::codings(b"GZIP, identity").collect();
/// assert_eq!(codings, ["gzip"]);
/// ```
pub fn codings(value: &[u8]) -> impl Iterator<Item = String> {
    words(value).filter(|word| word != "identity")
}

/// Returns the words of a list with commas, in lower case.
pub fn words(value: &[u8]) -> impl Iterator<Item = String> {
    value
        .split(|byte| *byte == b',')
        .map(|word| String::from_utf8_lossy(word.trim_ascii()).to_ascii_lowercase())
        .filter(|word| !word.is_empty())
}

/// Reports whether bytes begin as the outermost encoding has it.
pub fn begins(codings: &[String], bytes: &[u8]) -> bool {
    codings.last().is_some_and(|coding| begins_as(coding, bytes))
}

/// Brotli, and deflate without zlib's header, have no mark of their own: what is no text may be either.
fn begins_as(coding: &str, bytes: &[u8]) -> bool {
    match coding {
        "gzip" | "x-gzip" => bytes.starts_with(&[0x1f, 0x8b]),
        "zstd" => bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]),
        "deflate" => is_zlib(bytes) || !is_text(bytes),
        _ => !is_text(bytes),
    }
}

#[cfg(feature = "coding")]
fn is_known(coding: &str) -> bool {
    matches!(coding, "gzip" | "x-gzip" | "deflate" | "br") || (cfg!(feature = "zstd") && coding == "zstd")
}

/// Reports whether bytes begin as zlib's format has it (RFC 1950, section 2.2).
fn is_zlib(bytes: &[u8]) -> bool {
    matches!(bytes, [method, flags, ..] if method & 15 == 8 && u16::from_be_bytes([*method, *flags]).is_multiple_of(31))
}

/// Removes the encodings, the last applied first. A body that does not begin as its encoding has it was decoded by the
/// crawler that kept it, or never encoded by its server, and is returned as it is. One that is no text in any character
/// set is reported as incomplete.
///
/// Bytes that are borrowed are copied only if nothing is decoded. In `robotsc` this needs the feature `fetch`.
///
/// Cost: linear in what is read, which [`DecodeLimits`] bounds. Never panics.
///
/// # Errors
/// In words, if an encoding is not supported.
///
/// ```
/// use robotsc::outcome::coding;
/// use robotsc::outcome::coding::DecodeLimits;
///
/// let decoded = coding::decode(&["gzip".to_owned()], b"User-agent: *\n".to_vec(), &DecodeLimits::default())?;
/// assert!(decoded.ended && decoded.bytes == b"User-agent: *\n");
/// # Ok::<(), String>(())
/// ```
#[cfg(feature = "coding")]
pub fn decode<'b>(
    codings: &[String],
    bytes: impl Into<Cow<'b, [u8]>>,
    limits: &DecodeLimits,
) -> Result<Decoded, String> {
    decode_as(codings, bytes.into(), limits, BodySource::Archive)
}

/// As [`decode`], for a body as a server sent it: what does not begin as its encoding has it is no whole body. In
/// `robotsc` this needs the feature `fetch`.
///
/// # Errors
/// As [`decode`].
///
/// ```
/// use robotsc::outcome::coding::{self, DecodeLimits};
///
/// let decoded = coding::decode_sent(&["gzip".to_owned()], b"User-agent: *\n".to_vec(), &DecodeLimits::default())?;
/// assert!(!decoded.ended);
/// # Ok::<(), String>(())
/// ```
#[cfg(feature = "coding")]
pub fn decode_sent<'b>(
    codings: &[String],
    bytes: impl Into<Cow<'b, [u8]>>,
    limits: &DecodeLimits,
) -> Result<Decoded, String> {
    decode_as(codings, bytes.into(), limits, BodySource::Server)
}

/// Who passes on a body.
#[cfg(feature = "coding")]
#[derive(Clone, Copy, PartialEq, Eq)]
enum BodySource {
    /// A crawler that kept it, decoded or not.
    Archive,
    /// The server.
    Server,
}

#[cfg(feature = "coding")]
fn decode_as(
    codings: &[String],
    mut bytes: Cow<'_, [u8]>,
    limits: &DecodeLimits,
    source: BodySource,
) -> Result<Decoded, String> {
    if codings.len() > MAX_CODINGS {
        return Err(format!("{} content encodings on top of each other, over {MAX_CODINGS}", codings.len()));
    }
    let mut ended = true;
    let mut is_cut = false;
    for (left, coding) in codings.iter().enumerate().rev() {
        if !is_known(coding) {
            // Text was decoded by who kept it; other bytes are what cannot be read here.
            if source == BodySource::Archive && is_text(&bytes) {
                break;
            }
            let coding: String = coding.chars().take(20).collect();
            return Err(format!("the content encoding '{}' is not supported", coding.escape_default()));
        }
        // Between two encodings the limit is that of what is encoded.
        let max = if left == 0 { limits.body.saturating_add(1) } else { limits.encoded };
        let mut decoded = Vec::new();
        let input = &*bytes;
        if !begins_as(coding, input) {
            // A few bytes of brotli may look like text; text is not brotli to its very end.
            if coding == "br" && !input.is_empty() && brotli(input, max, &mut decoded) {
                is_cut |= left > 0 && decoded.len() == max;
                bytes = decoded.into();
                continue;
            }
            // Neither what the mark promises nor the result: nothing in it can be read as rules, so it is no whole
            // file.
            ended &= !has_controls(input) && (source == BodySource::Archive || input.is_empty());
            break;
        }
        let good = match coding.as_str() {
            "br" => brotli(input, max, &mut decoded),
            "deflate" if is_zlib(input) => read(flate2::bufread::ZlibDecoder::new(input), max, &mut decoded),
            // Some servers send it without the header that the name stands for.
            "deflate" => bare_deflate(input, max, &mut decoded),
            #[cfg(feature = "zstd")]
            "zstd" => match zstd::stream::read::Decoder::with_buffer(input) {
                Ok(decoder) => read(decoder, max, &mut decoded),
                Err(_) => false,
            },
            _ => read(flate2::bufread::MultiGzDecoder::new(input), max, &mut decoded),
        };
        ended &= good;
        is_cut |= left > 0 && decoded.len() == max;
        bytes = decoded.into();
    }
    // What the limit of an encoding cut counts only if the limit for a body would have cut it, too.
    ended &= !is_cut || bytes.len() > limits.body;
    Ok(Decoded { bytes: bytes.into_owned(), ended })
}

/// Reads up to `max` bytes; `false` where the encoded bytes are bad or break off before that.
#[cfg(feature = "coding")]
fn read(decoder: impl Read, max: usize, decoded: &mut Vec<u8>) -> bool {
    decoder.take(max as u64).read_to_end(decoded).is_ok()
}

/// As [`read`], for brotli. It has no checksum, so that it is good only where it takes all bytes.
#[cfg(feature = "coding")]
fn brotli(input: &[u8], max: usize, decoded: &mut Vec<u8>) -> bool {
    const BUFFER: usize = 4 << 10;
    let mut decoder = brotli_decompressor::Decompressor::new(input, BUFFER);
    // No server may send these (RFC 9841, section 5), and their window may take a gibibyte.
    decoder.set_parameter(brotli_decompressor::BrotliDecoderParameter::BROTLI_DECODER_PARAM_LARGE_WINDOW, 0);
    if !read(&mut decoder, max, decoded) {
        return false;
    }
    // After the end, the decoder complains of what it has in its buffer.
    decoded.len() == max || decoder.get_ref().is_empty() && matches!(decoder.read(&mut [0]), Ok(0))
}

/// As [`read`], for deflate without header and checksum: good only where it takes all bytes.
#[cfg(feature = "coding")]
fn bare_deflate(input: &[u8], max: usize, decoded: &mut Vec<u8>) -> bool {
    let mut decoder = flate2::bufread::DeflateDecoder::new(input);
    read(&mut decoder, max, decoded) && (decoded.len() == max || decoder.get_ref().is_empty())
}

/// Reports whether the first bytes are text as robots.txt files are: UTF-8 without controls but line ends and tabs.
fn is_text(bytes: &[u8]) -> bool {
    let first = bytes.get(..bytes.len().min(64)).unwrap_or_default();
    let text = match str::from_utf8(first) {
        Ok(text) => text,
        // A character that the 64 bytes cut is none that is wrong.
        Err(error) if error.error_len().is_none() && bytes.len() > first.len() => {
            str::from_utf8(first.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default()
        }
        Err(_) => return false,
    };
    text.chars().all(|char| !char.is_control() || matches!(char, '\t' | '\r' | '\n'))
}

/// Reports whether the first bytes hold controls that no character set of one byte a letter, and no UTF-8, has in a
/// text.
pub(crate) fn has_controls(bytes: &[u8]) -> bool {
    let first = bytes.get(..bytes.len().min(64)).unwrap_or_default();
    first.iter().any(|byte| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\r' | b'\n'))
}

#[cfg(all(test, feature = "coding"))]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// `User-agent: *\nDisallow: /x\n` ten times, as the encoder of Google writes it at its levels 0, 5 and 11.
    const BROTLI: [&[u8]; 3] = [
        b"\x8b\x86\x00\x00\x80\xaa\xaa\xaa\xea\xff\x2e\x97\x93\x9c\x15\x40\x40\xee\x72\xd6\xc3\x55\xe0\x2e\x07\x01\
          \x01\x01\x10\x50\x05\x50\x51\x00\xd5\xff\xbb\xea\xdf\x73\x6f\x75\xcf\xa8\x2e\x6f\x63\xb8\x2b\x5e\x2c\x2c\
          \x2c\x6c\x6c\xac\xea\x65\x46\x75\xf0\xe1\xc3\x8f\xc1\x60\x30\x8e\x33\x59\x55\x83\xc1\x60\x30\x18\x0c\xe6\
          \x50\x67\x44\x2a\x4a\xa3\x70\x58\x68\x27\xd9\x7b\x82\x6f\xd1\xf6\x43\x16\xbe\xae\xe0\x80\x99\x6d\x55\xfb\
          \x09\xf2\x87\xdb\x3f\xaf\xdc",
        b"\x1b\x0d\x01\x00\x44\x27\xe7\x17\x3a\xb7\xb5\xfc\x1c\x68\x80\x41\x5a\x52\xae\x32\xcb\x6a\x55\x71\xea\x7a\
          \x7d\xb6\xa2\x21\xe7\xb2\x6e\x89\xf1\x60",
        b"\x1b\x0d\x01\xe0\x9d\x07\xb6\x5b\x34\x12\x3d\xeb\xd2\x59\xb2\xd1\xaf\x15\xaa\xe6\xf0\xb4\xca\x0b\x51\x9a\
          \x04\x29\x93\xab\x16\x9d\x5c\x65\x96\xd5\x4a\xb4\x62\xad\xb2\x41\xb7\x73\x2b\xc7",
    ];

    /// 64 MiB of `a` in brotli, with a window of 16 MiB.
    const BROTLI_BOMB: &[u8] =
        b"\xcf\xff\xff\x7f\xf8\x25\xc2\xe2\xb1\x40\x20\xf7\xfe\x9f\xff\xff\xff\xf0\x4b\x00\xc4\x61\x01\x80\xee\xfd\
          \x3f\xff\xff\xff\xe1\x97\x00\x88\xc3\x22\x00\xdd\xfb\x7f\xfe\xff\xff\xc3\x2f\x01\x10\x87\x05\x00\xba\xf7\
          \xff\x03";

    #[track_caller]
    fn decoded(codings: &[&str], bytes: Vec<u8>) -> (Vec<u8>, bool) {
        let codings: Vec<String> = codings.iter().map(|coding| (*coding).to_owned()).collect();
        let decoded = decode(&codings, bytes, &DecodeLimits::default()).unwrap();
        (decoded.bytes, decoded.ended)
    }

    #[test]
    fn encodings_are_taken_off() {
        let body = b"User-agent: *\nDisallow: /x\n".repeat(10);
        assert_eq!(decoded(&["gzip"], gzip(&body)), (body.clone(), true));
        assert_eq!(decoded(&["gzip", "x-gzip"], gzip(&gzip(&body))), (body.clone(), true));
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        zlib.write_all(&body).unwrap();
        assert_eq!(decoded(&["deflate"], zlib.finish().unwrap()), (body.clone(), true));
        let mut bare = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        bare.write_all(&body).unwrap();
        assert_eq!(decoded(&["deflate"], bare.finish().unwrap()), (body.clone(), true));
        #[cfg(feature = "zstd")]
        assert_eq!(decoded(&["zstd"], zstd::encode_all(body.as_slice(), 3).unwrap()), (body.clone(), true));
        for brotli in BROTLI {
            assert_eq!(decoded(&["br"], brotli.to_owned()), (body.clone(), true));
            assert_eq!(decoded(&["br", "gzip"], gzip(brotli)), (body.clone(), true));
        }
    }

    /// Archives keep what came, or the result, under the same header.
    #[test]
    fn a_body_that_was_decoded_is_kept() {
        for body in [
            "User-agent: *\nDisallow: /x\n",
            "# Правила для роботов, которые приходят на этот сайт\nUser-agent: *\n",
            "\u{feff}User-agent: *\n",
            "; a comment of another kind\n",
            ";\n",
            "",
        ] {
            for coding in ["gzip", "deflate", "zstd", "br", "odd"] {
                let body = body.as_bytes().to_owned();
                assert_eq!(decoded(&[coding], body.clone()), (body, true), "{coding}");
            }
        }
    }

    /// `;` is brotli for nothing, and so can any text of a few bytes be.
    #[test]
    fn encodings_without_a_mark_end_where_the_bytes_do() {
        assert_eq!(decoded(&["br"], b";".to_vec()), (Vec::new(), true));
        let latin = b"; f\xfcr alle\nUser-agent: *\nDisallow: /\n";
        assert!(!decoded(&["br"], latin.to_vec()).1);
        let mut bare = vec![3, 0];
        assert_eq!(decoded(&["deflate"], bare.clone()), (Vec::new(), true));
        bare.extend_from_slice(latin);
        assert!(!decoded(&["deflate"], bare).1);
        let mut longer = BROTLI[1].to_vec();
        longer.push(0);
        assert!(!decoded(&["br"], longer.clone()).1);
        longer.resize(10_000, 0);
        assert!(!decoded(&["br"], longer).1);
    }

    /// gzip whose first bytes were lost, or another encoding under its name: nobody could read a rule in it.
    #[test]
    fn what_is_neither_encoded_nor_text_is_no_whole_file() {
        let whole = gzip(&b"User-agent: *\nDisallow: /x\n".repeat(10));
        for coding in ["gzip", "x-gzip", "zstd"] {
            assert!(!decoded(&[coding], whole[1..].to_owned()).1, "{coding}");
            assert!(!decoded(&[coding], BROTLI[1].to_owned()).1, "{coding}");
            let latin = b"# f\xfcr alle\nUser-agent: *\nDisallow: /\n";
            assert_eq!(decoded(&[coding], latin.to_vec()), (latin.to_vec(), true), "{coding}");
        }
    }

    #[test]
    fn a_cut_encoding_is_told() {
        let body = b"User-agent: *\nDisallow: /x\n".repeat(10);
        let whole = gzip(&body);
        for length in 2..whole.len() {
            let (bytes, ended) = decoded(&["gzip"], whole[..length].to_owned());
            assert!(!ended && body.starts_with(&bytes), "{length}");
        }
        for whole in BROTLI {
            for length in 1..whole.len() {
                let (bytes, ended) = decoded(&["br"], whole[..length].to_owned());
                assert!(!ended && body.starts_with(&bytes), "{length}");
            }
        }
        #[cfg(feature = "zstd")]
        {
            let whole = zstd::encode_all(body.as_slice(), 3).unwrap();
            for length in 4..whole.len() {
                let (bytes, ended) = decoded(&["zstd"], whole[..length].to_owned());
                assert!(!ended && body.starts_with(&bytes), "{length}");
            }
        }
    }

    /// It has no checksum: an altered byte can result in another body, and never more than the limit, nor a panic.
    #[test]
    fn altered_brotli_is_read_to_an_end() {
        for whole in BROTLI {
            for at in 0..whole.len() {
                for mask in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
                    let mut altered = whole.to_owned();
                    altered[at] ^= mask;
                    assert!(decoded(&["br"], altered).0.len() <= 528_665);
                }
            }
        }
    }

    #[test]
    fn a_bomb_stops_at_the_limit() {
        let bomb = gzip(&vec![b'a'; 3 << 20]);
        assert_eq!(decoded(&["gzip"], bomb.clone()).0.len(), 528_665);
        assert_eq!(decoded(&["gzip", "gzip"], gzip(&bomb)).0.len(), 528_665);
        assert_eq!(decoded(&["br"], BROTLI_BOMB.to_owned()), (vec![b'a'; 528_665], true));
        assert_eq!(decoded(&["br", "gzip"], gzip(BROTLI_BOMB)).0.len(), 528_665);
        #[cfg(feature = "zstd")]
        assert_eq!(decoded(&["zstd"], zstd::encode_all([b'a'; 3 << 20].as_slice(), 3).unwrap()).0.len(), 528_665);
    }

    /// Text under two encodings of which it has one: cut between them, it looks like text that is whole.
    #[test]
    fn what_is_cut_between_two_encodings_is_not_whole() {
        let text = b"User-agent: *\n".repeat(100);
        let codings = ["gzip".to_owned(), "gzip".to_owned()];
        for (body, encoded, ended) in [
            (2_000, 4_000, true),
            (2_000, 1_000, false),
            (900, 1_000, true),
            (1_000, 1_000, false),
            (usize::MAX, 4_000, true),
        ] {
            let limits = DecodeLimits { body, encoded };
            let decoded = decode(&codings, gzip(&text), &limits).unwrap();
            assert_eq!((decoded.ended, decoded.bytes.len()), (ended, text.len().min(encoded)), "{body} {encoded}");
        }
        let limits = DecodeLimits { body: usize::MAX, ..DecodeLimits::default() };
        assert_eq!(decode(&["gzip".to_owned()], gzip(&text), &limits).unwrap(), Decoded { bytes: text, ended: true });
    }

    /// A header that claims the larger windows of another format, with nothing after it.
    #[test]
    fn no_window_is_larger_than_servers_may_use() {
        assert_eq!(decoded(&["br"], b"\x11\xde".to_vec()), (Vec::new(), false));
    }

    #[test]
    fn what_cannot_be_decoded_is_an_error() {
        let limits = DecodeLimits::default();
        decode(&["compress".to_owned()], b"\x1f\x9d\x90\x00".to_vec(), &limits).unwrap_err();
        decode(&["gzip".to_owned(), "gzip".to_owned(), "gzip".to_owned(), "gzip".to_owned()], Vec::new(), &limits)
            .unwrap_err();
    }
}
