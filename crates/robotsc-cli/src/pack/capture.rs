//! From a capture, as it stands in a source, to what goes into a pack.

use robotsc::Dialect;
use robotsc::fetch::{Caching, FetchEnd, FetchRecord, FetchResult, NetworkError, Time};
use robotsc_sources::{Answer, BodyEnd, Capture};

/// The record of a capture. What came before it is no part of it: the pack's builder puts the captures of an origin together.
///
/// `now` is the time of captures that have none.
pub(super) fn record(capture: &Capture, dialect: &Dialect, now: Time) -> FetchRecord {
    let at = capture.fetched_at.map_or(now, |seconds| Time(u32::try_from(seconds).unwrap_or(u32::MAX)));
    let (end, redirects, caching) = match &capture.answer {
        Answer::Response(response) => {
            let end = match response.end {
                // What a dialect reads of a body is there.
                BodyEnd::Whole | BodyEnd::CutAtLimit => FetchEnd::Status(response.status),
                BodyEnd::Incomplete => FetchEnd::BodyBroken(response.status),
            };
            (end, response.hops, Caching::from_headers(response.headers.iter()))
        }
        Answer::TooManyRedirects => (FetchEnd::RedirectLoop, 0, Caching::default()),
        // Not reached, or an answer of a kind that is not known here: neither allows anything.
        _ => (FetchEnd::Network(NetworkError::Connect), 0, Caching::default()),
    };
    FetchRecord::after(None, &FetchResult { end, redirects, caching, at }, dialect)
}

/// The body of a capture that may hold rules.
pub(super) fn body(capture: &Capture) -> Option<&[u8]> {
    match &capture.answer {
        Answer::Response(response) => Some(&response.body),
        _ => None,
    }
}
