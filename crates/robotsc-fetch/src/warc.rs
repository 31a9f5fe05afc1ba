//! Writes fetches as WARC (ISO 28500, version 1.1), so that a pack can be built of them later with the same outcome.
//!
//! ```text
//! the fetch                                          records
//! 301, then 200 at another URL                       request, response, request, response
//! 404                                                request, response
//! a timeout, a body that breaks off, five redirects  metadata: fetch-result: timeout
//! a file over FTP                                    resource
//! a 550 over FTP                                     metadata: fetch-result: missing
//! ```
//!
//! A response is written as HTTP/1.1, whatever version it came in: WARC has no form for the others. Its body is as it
//! was sent, but without the encoding of the transfer, and `Content-Length` is that of what is there. The body of a
//! response that is not 2xx is not read by a fetch, so it is empty here. A head or a body that is longer than readers
//! of archives read is written without what means nothing for a robots.txt.

use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use http::HeaderName;
use http::header::{
    AGE, CACHE_CONTROL, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, DATE, ETAG, EXPIRES, LAST_MODIFIED,
    LOCATION, RETRY_AFTER, TRANSFER_ENCODING,
};
use robotsc_frontier::outcome::BodyEnd;
use robotsc_frontier::outcome::coding::DecodeLimits;
use robotsc_frontier::outcome::{FetchEnd, Time, is_redirect};
use url::Url;

use crate::fetcher::words_of;
use crate::{Fetched, Hop, Protocol};

/// The maximum number of bytes of the head of a response that readers of archives read.
const READABLE_HEAD: usize = 64 << 10;

/// The number of header fields from which only those that matter are written. Readers of archives read 256.
const MAX_FIELDS: usize = 250;

/// The header fields of a response that say what it means, and until when it counts.
const MATTERING: [HeaderName; 10] =
    [AGE, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, DATE, ETAG, EXPIRES, LAST_MODIFIED, LOCATION, RETRY_AFTER];

/// Writes a gzip WARC file, a member a record. What is written until an error can be read.
///
/// ```
/// use robotsc::fetch::WarcWriter;
///
/// let mut file = Vec::new();
/// let mut writer = WarcWriter::new(&mut file, "FooBot/1.0")?;
/// // writer.write(&fetcher.fetch(&origin, None).await)?;
/// writer.flush()?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct WarcWriter<W> {
    out: W,
    ids: RandomState,
    records: u64,
}

impl<W: Write> WarcWriter<W> {
    /// Makes a writer, and writes the record about the file: the software that made it.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(out: W, software: &str) -> io::Result<Self> {
        let mut writer = Self { out, ids: RandomState::new(), records: 0 };
        let software: String = software.chars().filter(|char| !char.is_control()).collect();
        let content = format!("software: {software}\r\nformat: WARC File Format 1.1\r\n");
        let at = Time::from(std::time::SystemTime::now());
        writer.record("warcinfo", None, at, "application/warc-fields", &[], &[content.as_bytes()])?;
        Ok(writer)
    }

    /// Writes a fetch.
    ///
    /// # Errors
    /// Those of the file.
    pub fn write(&mut self, fetched: &Fetched) -> io::Result<()> {
        if let Some(word) = fetch_result(fetched) {
            let mut content = format!("fetch-result: {word}\r\n");
            if let Some(problem) = &fetched.problem {
                let problem: String = problem.chars().filter(|char| !char.is_control()).collect();
                content.push_str(&format!("fetch-problem: {problem}\r\n"));
            }
            let url = fetched.origin.robots_url();
            let kind = "application/warc-fields";
            return self.record("metadata", Some(&url), fetched.at, kind, &[], &[content.as_bytes()]);
        }
        for (number, hop) in fetched.hops.iter().enumerate() {
            let is_last = number + 1 == fetched.hops.len();
            self.write_hop(hop, fetched, is_last)?;
        }
        Ok(())
    }

    /// Returns what it writes to. Between two calls of [`write`](Self::write) there are whole records.
    pub const fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Writes what the file holds back.
    ///
    /// # Errors
    /// Those of the file.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn write_hop(&mut self, hop: &Hop, fetched: &Fetched, is_last: bool) -> io::Result<()> {
        let Some((status, protocol)) = hop.status else { return Ok(()) };
        let sent = if is_last { Sent::of(fetched) } else { Sent::NOTHING };
        let url = Some(hop.url.as_str());
        let mut fields = Vec::new();
        if let Some(address) = hop.timings.address {
            fields.push(format!("WARC-IP-Address: {}", address.ip()));
        }
        if let Protocol::Ftp(_) = protocol {
            fields.extend(sent.truncated());
            return self.record("resource", url, fetched.at, "application/octet-stream", &fields, &[sent.body]);
        }
        let mut request = Vec::new();
        if let Ok(url) = Url::parse(&hop.url) {
            let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
            let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
            let host = url.host_str().unwrap_or_default();
            write!(request, "GET {}{query} HTTP/1.1\r\nHost: {host}{port}\r\n", url.path())?;
        }
        for (name, value) in &hop.request {
            write_field(&mut request, name.as_str(), value.as_bytes())?;
        }
        request.extend_from_slice(b"\r\n");
        self.record("request", url, fetched.at, "application/http; msgtype=request", &fields, &[&request])?;

        fields.extend(sent.truncated());
        let reason = http::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
        let first = format!("HTTP/1.1 {status} {}\r\n", reason.unwrap_or("Unknown"));
        let last = format!("content-length: {}\r\n\r\n", sent.body.len());
        let written = |is_kept: &dyn Fn(&HeaderName) -> bool| -> io::Result<Vec<u8>> {
            let mut head = first.clone().into_bytes();
            let is_kept = |name: &HeaderName| {
                ![CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING].contains(name)
                    && (!sent.is_decoded || name != CONTENT_ENCODING)
                    && is_kept(name)
            };
            for (name, value) in hop.headers.iter().filter(|(name, _)| is_kept(name)) {
                write_field(&mut head, name.as_str(), value.as_bytes())?;
            }
            head.extend_from_slice(last.as_bytes());
            Ok(head)
        };
        let mut head = written(&|_| true)?;
        if head.len() > READABLE_HEAD || hop.headers.len() >= MAX_FIELDS {
            head = written(&|name| MATTERING.contains(name))?;
        }
        let body = sent.body;
        self.record("response", url, fetched.at, "application/http; msgtype=response", &fields, &[&head, body])
    }

    fn record(
        &mut self,
        kind: &str,
        url: Option<&str>,
        at: Time,
        content_type: &str,
        fields: &[String],
        content: &[&[u8]],
    ) -> io::Result<()> {
        self.records += 1;
        let mut head = format!("WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{}>\r\n", self.uuid());
        let date = jiff::Timestamp::from_second(i64::from(at.0)).map_err(io::Error::other)?;
        head.push_str(&format!("WARC-Date: {date}\r\n"));
        if let Some(url) = url {
            head.push_str(&format!("WARC-Target-URI: {url}\r\n"));
        }
        for field in fields {
            head.push_str(&format!("{field}\r\n"));
        }
        let length: usize = content.iter().map(|part| part.len()).sum();
        head.push_str(&format!("Content-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n"));
        // In one piece: what is written is whole records, if the file takes all of it.
        let mut member = GzEncoder::new(Vec::new(), Compression::default());
        member.write_all(head.as_bytes())?;
        for part in content {
            member.write_all(part)?;
        }
        member.write_all(b"\r\n\r\n")?;
        self.out.write_all(&member.finish()?)
    }

    /// Returns an identifier of a record: random, version 4 (RFC 9562).
    fn uuid(&self) -> String {
        let high = self.ids.hash_one((self.records, 0_u8)) & !0xF000 | 0x4000;
        let low = self.ids.hash_one((self.records, 1_u8)) & !(3 << 62) | 1 << 63;
        let (a, b, c) = (high >> 32, high >> 16 & 0xFFFF, high & 0xFFFF);
        format!("{a:08x}-{b:04x}-{c:04x}-{:04x}-{:012x}", low >> 48, low & 0xFFFF_FFFF_FFFF)
    }
}

/// A body as it is written.
struct Sent<'f> {
    body: &'f [u8],
    end: BodyEnd,
    /// Whether its encoding was removed.
    is_decoded: bool,
}

impl<'f> Sent<'f> {
    const NOTHING: Self = Self { body: &[], end: BodyEnd::Whole, is_decoded: false };

    /// Returns the body of a fetch as it was sent. If the transfer encoded it, of which the record does not tell, it is
    /// decoded. If it is longer than readers of archives read, by limits of the caller, it is decoded, and cut after
    /// what dialects read.
    fn of(fetched: &'f Fetched) -> Self {
        let readable = DecodeLimits::default();
        let sent = Self { body: fetched.sent_body(), end: fetched.sent_end, is_decoded: false };
        let transfer = fetched.hops.last().map(|hop| words_of(&hop.headers, &TRANSFER_ENCODING));
        let is_encoded = transfer.into_iter().flatten().any(|coding| coding != "chunked");
        if !is_encoded && sent.body.len() <= readable.encoded {
            return sent;
        }
        match fetched.body.get(..=readable.body) {
            Some(body) => Self { body, end: BodyEnd::CutAtLimit, is_decoded: true },
            None => Self { body: &fetched.body, end: fetched.body_end, is_decoded: true },
        }
    }

    /// Returns the field that says that it was cut, if it was.
    fn truncated(&self) -> Option<String> {
        (self.end == BodyEnd::CutAtLimit).then(|| "WARC-Truncated: length".to_owned())
    }
}

fn write_field(out: &mut Vec<u8>, name: &str, value: &[u8]) -> io::Result<()> {
    write!(out, "{name}: ")?;
    out.extend_from_slice(value);
    out.extend_from_slice(b"\r\n");
    Ok(())
}

/// Reports whether the last server that answered spoke FTP.
fn is_ftp(fetched: &Fetched) -> bool {
    matches!(fetched.hops.last(), Some(Hop { status: Some((_, Protocol::Ftp(_))), .. }))
}

/// Returns the word for a fetch that did not end with a response that a pack reads; `None` if it did.
fn fetch_result(fetched: &Fetched) -> Option<&'static str> {
    let is_over = fetched.redirects >= crate::limits::MAX_REDIRECTS;
    Some(match fetched.end {
        FetchEnd::Status(status) if is_redirect(status) && is_over => "redirects",
        // A redirect that was not followed, by a lower limit.
        FetchEnd::Status(status) if is_redirect(status) => "unreachable",
        // No response has such a status, and readers refuse it.
        FetchEnd::Status(0..=199 | 600..) => "protocol",
        FetchEnd::Status(404) if is_ftp(fetched) => "missing",
        FetchEnd::Status(_) => return None,
        FetchEnd::BodyBroken(_) => "incomplete",
        FetchEnd::RedirectLoop => "redirects",
        FetchEnd::LostRedirect if is_over => "redirects",
        // Readers see in the response that it has no `Location`.
        FetchEnd::LostRedirect => return None,
        FetchEnd::Network(error) => error.as_str(),
    })
}
