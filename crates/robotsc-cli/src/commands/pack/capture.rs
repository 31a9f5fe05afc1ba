//! Converts a capture of a source to the record and the body that go into a pack.

use robotsc::Dialect;
use robotsc::outcome::{BodyEnd, Capture, NetworkError, Response, Time};
use robotsc::robots_txt::BodyKind;
use robotsc_sources::{SourceAnswer, SourceCapture};

/// Returns the record of a capture, with its body if that counts. It does not include earlier captures: the pack
/// builder merges those of an origin.
///
/// `now` is the time of a capture that has none.
pub(crate) fn fetched<'c>(capture: &'c SourceCapture, dialect: &Dialect, now: Time) -> Capture<'c> {
    let at = capture.fetched_at.map_or(now, |seconds| Time(u32::try_from(seconds).unwrap_or(u32::MAX)));
    let response = match &capture.answer {
        SourceAnswer::Response(response) => {
            let is_missing = response.missing_is_5xx
                && matches!(response.status, 500..=599)
                && dialect.fetch.server_error_can_mean_missing;
            let status = if is_missing { 404 } else { response.status };
            let ended = match response.end {
                // The sources follow a redirect that has a target.
                _ if matches!(response.status, 301 | 302 | 303 | 307 | 308) => Response::lost_redirect(),
                // All that a dialect reads of the body is there.
                BodyEnd::Whole | BodyEnd::CutAtLimit => Response::new(status, &response.body),
                BodyEnd::Incomplete => Response::incomplete(status),
            };
            ended.with_redirects(response.hops).with_headers(response.headers.iter())
        }
        SourceAnswer::TooManyRedirects => Response::redirect_loop(),
        // Not reached, or an answer of an unknown kind: neither allows anything.
        _ => Response::failed(NetworkError::Connect),
    };
    Capture::after(None, &response, at, dialect)
}

/// Returns what the body of a success is, if it is no robots.txt.
pub(crate) fn other_body(capture: &SourceCapture, dialect: &Dialect) -> Option<BodyKind> {
    let SourceAnswer::Response(response) = &capture.answer else { return None };
    let is_success = (200..300).contains(&response.status) && response.end != BodyEnd::Incomplete;
    Some(BodyKind::of(&response.body, dialect)).filter(|kind| is_success && !kind.is_robots())
}
