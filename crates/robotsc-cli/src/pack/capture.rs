//! Converts a capture of a source to the record and the body that go into a pack.

use robotsc::Dialect;
use robotsc::fetch::{Caching, FetchEnd, FetchRecord, FetchResult, NetworkError, Time};
use robotsc_sources::{Answer, BodyEnd, Capture};

/// Returns the record of a capture. It does not include earlier captures: the pack builder merges those of an origin.
///
/// `now` is the time of a capture that has none.
pub(super) fn record(capture: &Capture, dialect: &Dialect, now: Time) -> FetchRecord {
    let at = capture.fetched_at.map_or(now, |seconds| Time(u32::try_from(seconds).unwrap_or(u32::MAX)));
    let (end, redirects, caching) = match &capture.answer {
        Answer::Response(response) => {
            let end = match response.end {
                // A dialect reads no more of a body than is kept.
                BodyEnd::Whole | BodyEnd::CutAtLimit => FetchEnd::Status(response.status),
                BodyEnd::Incomplete => FetchEnd::BodyBroken(response.status),
            };
            (end, response.hops, Caching::from_headers(response.headers.iter()))
        }
        Answer::TooManyRedirects => (FetchEnd::RedirectLoop, 0, Caching::default()),
        // Not reached, or an answer of an unknown kind: neither allows anything.
        _ => (FetchEnd::Network(NetworkError::Connect), 0, Caching::default()),
    };
    FetchRecord::after(None, &FetchResult { end, redirects, caching, at }, dialect)
}

/// Returns the body of a capture, which can hold rules.
pub(super) fn body(capture: &Capture) -> Option<&[u8]> {
    match &capture.answer {
        Answer::Response(response) => Some(&response.body),
        _ => None,
    }
}
