//! HTTP responses as archives keep them: the bytes of the connection, or what a crawler made of them.

use std::collections::BTreeMap;

use robotsc_frontier::outcome::coding::{self, DecodeLimits};
use robotsc_frontier::outcome::{BodyEnd, CHALLENGE_FIELDS};

use crate::capture::SourceResponse;
use crate::chunks;
use crate::limits::SourceLimits;

/// The header fields that are kept, beside [`CHALLENGE_FIELDS`].
const KEPT: [&str; 6] = ["age", "cache-control", "content-type", "date", "expires", "retry-after"];

/// The bytes that tell a content that is still encoded from one that was decoded.
const LEAST_ENCODED: usize = 4;

/// The most header fields of a response. Servers send tens.
const MAX_FIELDS: usize = 256;

/// A response, and where it redirects to.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) response: SourceResponse,
    /// The value of `Location`, where there is one.
    pub(crate) location: Option<Vec<u8>>,
}

/// Reads a response from the bytes of a record.
///
/// `whole` says that `bytes` is all that the server sent. Archives keep bodies in three ways, and the header does not
/// say which: as they were sent, without the encoding of the transfer, and without the encoding of the content as well.
/// So an encoding that the header names is decoded if the body has it; if not, the body is kept as it is.
///
/// # Errors
/// In words, where there is no header of a response, or an encoding is not supported.
pub(crate) fn parse(mut bytes: &[u8], whole: bool, limits: &SourceLimits) -> Result<Parsed, String> {
    loop {
        let head = Head::parse(bytes, limits)?;
        bytes = bytes.get(head.length..).unwrap_or_default();
        // An interim response is followed by another.
        if (100..200).contains(&head.status) && head.status != 101 {
            continue;
        }
        return head.with_body(bytes, whole, limits);
    }
}

/// What the header of a response says.
#[derive(Debug, Default)]
struct Head {
    length: usize,
    status: u16,
    location: Option<Vec<u8>>,
    kept: BTreeMap<&'static str, Vec<u8>>,
    /// `Err` where several differ or one is no number.
    content_length: Option<Result<u64, ()>>,
    chunked: bool,
    /// In the order in which they were applied.
    codings: Vec<String>,
    /// Those of the transfer but its chunks, which are around those of the content.
    transfer_codings: Vec<String>,
}

impl Head {
    fn parse(bytes: &[u8], limits: &SourceLimits) -> Result<Self, String> {
        let window = bytes.get(..bytes.len().min(limits.head)).unwrap_or_default();
        // Archives of HTTP/2 write a header in the older form with the newer version in front.
        let spelled;
        let (window, shift) = match window {
            [b'H', b'T', b'T', b'P', b'/', b'2' | b'3', rest @ ..] => {
                let rest = rest.strip_prefix(b".0").unwrap_or(rest);
                spelled = [b"HTTP/1.1", rest].concat();
                (spelled.as_slice(), spelled.len() as isize - window.len() as isize)
            }
            _ => (window, 0),
        };
        let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
        let mut parsed = httparse::Response::new(&mut fields);
        let mut config = httparse::ParserConfig::default();
        config
            .allow_spaces_after_header_name_in_responses(true)
            .allow_obsolete_multiline_headers_in_responses(true)
            .allow_multiple_spaces_in_response_status_delimiters(true)
            .ignore_invalid_headers_in_responses(true);
        let length = match config.parse_response(&mut parsed, window) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Err("the HTTP header has no end".to_owned()),
            Err(error) => return Err(format!("no HTTP header: {}", error.to_string().to_lowercase())),
        };
        let mut head = Self {
            length: length.checked_add_signed(-shift).unwrap_or_default(),
            status: parsed.code.unwrap_or_default(),
            ..Self::default()
        };
        for field in parsed.headers.iter() {
            head.take(field.name, field.value);
        }
        Ok(head)
    }

    fn take(&mut self, name: &str, value: &[u8]) {
        let value = value.trim_ascii();
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("location") {
            // Browsers and crawlers take the first.
            self.location.get_or_insert_with(|| value.to_owned());
        } else if is("content-length") {
            let length = str::from_utf8(value).ok().and_then(|text| text.parse().ok()).ok_or(());
            match self.content_length {
                Some(other) if other != length => self.content_length = Some(Err(())),
                _ => self.content_length = Some(length),
            }
        } else if is("transfer-encoding") {
            for word in coding::codings(value) {
                match word.as_str() {
                    "chunked" => self.chunked = true,
                    _ => self.transfer_codings.push(word),
                }
            }
        } else if is("content-encoding") {
            self.codings.extend(coding::codings(value));
        } else if let Some(kept) = KEPT.into_iter().chain(CHALLENGE_FIELDS).find(|kept| is(kept)) {
            let joined = self.kept.entry(kept).or_default();
            if !joined.is_empty() {
                joined.extend_from_slice(b", ");
            }
            joined.extend_from_slice(value);
        }
    }

    fn with_body(mut self, bytes: &[u8], whole: bool, limits: &SourceLimits) -> Result<Parsed, String> {
        self.codings.append(&mut self.transfer_codings);
        let mut end = if whole { BodyEnd::Whole } else { BodyEnd::Incomplete };
        let mut body = bytes.to_owned();
        if self.chunked && chunks::begins(bytes) {
            let ended;
            (body, ended) = chunks::join(bytes);
            // What follows the last chunk does not matter.
            end = if ended { BodyEnd::Whole } else { BodyEnd::Incomplete };
        } else if !self.chunked && (self.codings.is_empty() || coding::begins(&self.codings, bytes)) {
            match self.content_length {
                Some(Ok(length)) if length > bytes.len() as u64 => end = BodyEnd::Incomplete,
                // An answer to HEAD, and a 304, name a length and have no body; what is over is not of this response.
                Some(Ok(length)) => {
                    body.truncate(usize::try_from(length).unwrap_or(usize::MAX));
                    end = BodyEnd::Whole;
                }
                Some(Err(())) => end = BodyEnd::Incomplete,
                None => {}
            }
        }
        // So little of an encoded body does not tell whether it was decoded or never came: it is not taken for an empty
        // file.
        let began = !self.chunked || !matches!(httparse::parse_chunk_size(bytes), Ok(httparse::Status::Partial));
        let is_told = matches!(self.content_length, Some(Ok(length)) if !self.chunked && length == bytes.len() as u64);
        if !began || !self.codings.is_empty() && bytes.len() < LEAST_ENCODED && !is_told {
            end = BodyEnd::Incomplete;
        }
        if !self.codings.is_empty() {
            let decoded =
                coding::decode(&self.codings, body, &DecodeLimits { body: limits.body, encoded: limits.encoded })?;
            body = decoded.bytes;
            if !decoded.ended {
                end = BodyEnd::Incomplete;
            }
        }
        if body.len() > limits.body {
            body.truncate(limits.body + 1);
            end = BodyEnd::CutAtLimit;
        }
        let response =
            SourceResponse { status: self.status, headers: self.kept, body, end, ..SourceResponse::default() };
        Ok(Parsed { response, location: self.location })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn response(bytes: &[u8]) -> SourceResponse {
        parse(bytes, true, &SourceLimits::default()).unwrap().response
    }

    #[test]
    fn heads_of_many_kinds_are_read() {
        for head in [
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\r\n",
            "HTTP/1.0 200\r\nCACHE-CONTROL:max-age=60\r\n\r\n",
            "HTTP/2 200\r\ncache-control: max-age=60\r\n\r\n",
            "HTTP/2.0 200 OK\r\ncache-control: max-age=60\r\n\r\n",
            "HTTP/1.1 200 OK\ncache-control : max-age=60\n\n",
            "HTTP/1.1 200 Tr\u{e8}s bien\r\nno colon here\r\ncache-control: max-age=60\r\n\r\n",
            "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncache-control: max-age=60\r\n\r\n",
        ] {
            let got = response(&[head.as_bytes(), b"body"].concat());
            assert_eq!((got.status, got.body.as_slice(), got.end), (200, b"body".as_slice(), BodyEnd::Whole), "{head}");
            assert_eq!(got.headers["cache-control"], b"max-age=60", "{head}");
        }
    }

    #[test]
    fn fields_of_one_name_are_joined() {
        let got = response(b"HTTP/1.1 200 OK\r\nCache-Control: no-cache\r\ncache-control: max-age=1\r\n\r\n");
        assert_eq!(got.headers["cache-control"], b"no-cache, max-age=1");
    }

    #[test]
    fn a_body_that_is_shorter_than_its_length_is_incomplete() {
        let with = |length: &str, body: &str| {
            let got = response(format!("HTTP/1.1 200 OK\r\n{length}\r\n{body}").as_bytes());
            (String::from_utf8(got.body).unwrap(), got.end)
        };
        assert_eq!(with("Content-Length: 5\r\n", "1234"), ("1234".to_owned(), BodyEnd::Incomplete));
        assert_eq!(with("Content-Length: 3\r\n", "1234"), ("123".to_owned(), BodyEnd::Whole));
        assert_eq!(with("Content-Length: 4\r\ncontent-length: 4\r\n", "1234"), ("1234".to_owned(), BodyEnd::Whole));
        let differ = with("Content-Length: 4\r\ncontent-length: 3\r\n", "1234");
        assert_eq!(differ, ("1234".to_owned(), BodyEnd::Incomplete));
        // The name is Common Crawl's, for a field that no longer fits the body that it kept.
        assert_eq!(with("X-Crawl-Content-Length: 9\r\n", "1234"), ("1234".to_owned(), BodyEnd::Whole));
    }

    #[test]
    fn chunks_are_joined() {
        let with = |body: &str| {
            let got = response(format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{body}").as_bytes());
            (String::from_utf8(got.body).unwrap(), got.end)
        };
        assert_eq!(with("4\r\nwiki\r\n5;x=y\r\npedia\r\n0\r\n\r\n"), ("wikipedia".to_owned(), BodyEnd::Whole));
        assert_eq!(with("4\r\nwiki\r\n5\r\nped"), ("wikiped".to_owned(), BodyEnd::Incomplete));
        assert_eq!(with("4\r\nwiki\r\nzz\r\npedia"), ("wiki".to_owned(), BodyEnd::Incomplete));
        // A crawler may have joined them and kept the field.
        assert_eq!(with("User-agent: *\n"), ("User-agent: *\n".to_owned(), BodyEnd::Whole));
    }

    #[test]
    fn an_encoded_body_that_never_came_is_incomplete() {
        for (fields, body, end) in [
            ("Transfer-Encoding: chunked", "", BodyEnd::Incomplete),
            ("Transfer-Encoding: chunked", "1", BodyEnd::Incomplete),
            ("Transfer-Encoding: chunked\r\nContent-Length: 0", "", BodyEnd::Incomplete),
            ("Transfer-Encoding: chunked", "0\r\n\r\n", BodyEnd::Whole),
            ("Content-Encoding: gzip\r\nContent-Length: 345", "", BodyEnd::Incomplete),
            ("Content-Encoding: gzip\r\nContent-Length: 345", "\x1f", BodyEnd::Incomplete),
            ("Content-Encoding: gzip", "", BodyEnd::Incomplete),
            ("Content-Encoding: gzip\r\nContent-Length: 0", "", BodyEnd::Whole),
            ("Content-Encoding: gzip\r\nContent-Length: 345", "User-agent: *\n", BodyEnd::Whole),
            ("Content-Encoding: br\r\nContent-Length: 345", "User-agent: *\n", BodyEnd::Whole),
            ("Content-Encoding: br\r\nContent-Length: 345", "", BodyEnd::Incomplete),
            ("Content-Encoding: br\r\nContent-Length: 2", "\x0b\x02\x03", BodyEnd::Incomplete),
            ("Content-Encoding: br\r\nContent-Length: 1", ";", BodyEnd::Whole),
            ("Content-Encoding: br", ";", BodyEnd::Incomplete),
            ("Content-Length: 0", "", BodyEnd::Whole),
            ("Server: x", "", BodyEnd::Whole),
        ] {
            let got = response(format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n{body}").as_bytes());
            assert_eq!(got.end, end, "{fields} {body:?}");
        }
    }

    #[test]
    fn what_is_no_response_is_told() {
        for bytes in [&b""[..], b"GET / HTTP/1.1\r\n\r\n", b"HTTP/1.1 200 OK\r\nA: b\r\n", b"<html>", b"HTTP/1.1 2"] {
            parse(bytes, true, &SourceLimits::default()).unwrap_err();
        }
        let long = [b"HTTP/1.1 200 OK\r\n".as_slice(), &b"A: b\r\n".repeat(20_000), b"\r\n"].concat();
        parse(&long, true, &SourceLimits::default()).unwrap_err();
    }

    #[test]
    fn a_long_body_is_cut() {
        let bytes = [b"HTTP/1.1 200 OK\r\n\r\n".as_slice(), &[b'a'; 600_000]].concat();
        let got = response(&bytes);
        assert_eq!((got.body.len(), got.end), (528_665, BodyEnd::CutAtLimit));
    }
}
