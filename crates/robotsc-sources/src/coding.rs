//! The encodings of a content (RFC 9110, section 8.4.1), taken off, with a limit on what comes out.

use std::io::Read;

use crate::limits::Limits;

/// The most encodings on top of each other. Servers use one.
const MOST_CODINGS: usize = 3;

/// What came out.
#[derive(Debug)]
pub(crate) struct Decoded {
    /// The octets, up to the limit for a body and one more.
    pub(crate) octets: Vec<u8>,
    /// Whether the encoded octets were good up to their end, or to the limit.
    pub(crate) ended: bool,
}

/// Whether octets begin as the outermost encoding has it.
pub(crate) fn begins(codings: &[String], octets: &[u8]) -> bool {
    codings.last().is_some_and(|coding| begins_as(coding, octets))
}

fn begins_as(coding: &str, octets: &[u8]) -> bool {
    match coding {
        "gzip" | "x-gzip" => octets.starts_with(&[0x1f, 0x8b]),
        "zstd" => octets.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]),
        _ => is_zlib(octets),
    }
}

/// Whether octets begin as zlib's format has it (RFC 1950, section 2.2).
fn is_zlib(octets: &[u8]) -> bool {
    matches!(octets, [method, flags, ..] if method & 15 == 8 && u16::from_be_bytes([*method, *flags]).is_multiple_of(31))
}

/// Takes the encodings off, the last applied first. A body that does not begin as its encoding has it was decoded by
/// who kept it, and stands as it is.
///
/// # Errors
/// In words, where an encoding is not supported.
pub(crate) fn decode(codings: &[String], mut octets: Vec<u8>, limits: &Limits) -> Result<Decoded, String> {
    if codings.len() > MOST_CODINGS {
        return Err(format!("{} content encodings on top of each other, over {MOST_CODINGS}", codings.len()));
    }
    let mut ended = true;
    for (left, coding) in codings.iter().enumerate().rev() {
        let known =
            matches!(coding.as_str(), "gzip" | "x-gzip" | "deflate") || (cfg!(feature = "zstd") && coding == "zstd");
        if !known {
            // Text was decoded by who kept it; other octets are what cannot be read here.
            if is_text(&octets) {
                break;
            }
            let coding: String = coding.chars().take(20).collect();
            return Err(format!("the content encoding '{}' is not supported", coding.escape_default()));
        }
        if !begins_as(coding, &octets) && (coding != "deflate" || is_text(&octets)) {
            break;
        }
        // Between two encodings the limit is that of what is encoded.
        let most = if left == 0 { limits.body + 1 } else { limits.encoded };
        let mut decoded = Vec::new();
        let input = octets.as_slice();
        let good = match coding.as_str() {
            "deflate" if is_zlib(input) => read(flate2::bufread::ZlibDecoder::new(input), most, &mut decoded),
            // Some servers send it without the head that the name stands for.
            "deflate" => read(flate2::bufread::DeflateDecoder::new(input), most, &mut decoded),
            #[cfg(feature = "zstd")]
            "zstd" => match zstd::stream::read::Decoder::with_buffer(input) {
                Ok(decoder) => read(decoder, most, &mut decoded),
                Err(_) => false,
            },
            _ => read(flate2::bufread::MultiGzDecoder::new(input), most, &mut decoded),
        };
        ended &= good;
        octets = decoded;
    }
    Ok(Decoded { octets, ended })
}

/// Reads up to `most` octets; `false` where the encoded octets are bad or break off before that.
fn read(decoder: impl Read, most: usize, decoded: &mut Vec<u8>) -> bool {
    decoder.take(most as u64).read_to_end(decoded).is_ok()
}

/// Whether the first octets are text as robots.txt files are: no controls but line ends and tabs.
fn is_text(octets: &[u8]) -> bool {
    let first = octets.get(..octets.len().min(64)).unwrap_or_default();
    first.iter().all(|octet| *octet >= b' ' && *octet < 0x7f || matches!(octet, b'\t' | b'\r' | b'\n'))
        || first.starts_with(b"\xef\xbb\xbf")
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn gzip(octets: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(octets).unwrap();
        encoder.finish().unwrap()
    }

    #[track_caller]
    fn decoded(codings: &[&str], octets: Vec<u8>) -> (Vec<u8>, bool) {
        let codings: Vec<String> = codings.iter().map(|coding| (*coding).to_owned()).collect();
        let decoded = decode(&codings, octets, &Limits::default()).unwrap();
        (decoded.octets, decoded.ended)
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
        for coding in ["gzip", "deflate", "zstd", "br", "odd"] {
            assert_eq!(decoded(&[coding], body.clone()), (body.clone(), true), "{coding}");
        }
    }

    #[test]
    fn a_cut_encoding_is_told() {
        let body = b"User-agent: *\nDisallow: /x\n".repeat(10);
        let whole = gzip(&body);
        for length in 2..whole.len() {
            let (octets, ended) = decoded(&["gzip"], whole[..length].to_owned());
            assert!(!ended && body.starts_with(&octets), "{length}");
        }
    }

    #[test]
    fn a_bomb_stops_at_the_limit() {
        let bomb = gzip(&vec![b'a'; 3 << 20]);
        assert_eq!(decoded(&["gzip"], bomb.clone()).0.len(), 512_001);
        assert_eq!(decoded(&["gzip", "gzip"], gzip(&bomb)).0.len(), 512_001);
    }

    #[test]
    fn what_cannot_be_decoded_is_an_error() {
        let limits = Limits::default();
        decode(&["br".to_owned()], b"\x1b\x03\x00\xf8".to_vec(), &limits).unwrap_err();
        decode(&["gzip".to_owned(), "gzip".to_owned(), "gzip".to_owned(), "gzip".to_owned()], Vec::new(), &limits)
            .unwrap_err();
    }
}
