//! What a capture of a source says: of which origin, when, and the record and the body that go into a pack.

use robotsc::Dialect;
use robotsc::origin::Origin;
use robotsc::outcome::{BodyEnd, Capture, NetworkError, Response, Time, is_redirect};
use robotsc::robots_txt::BodyKind;
use robotsc_answers::shown;
use robotsc_sources::{SourceAnswer, SourceCapture};

/// How far clocks can differ, in seconds.
const DAY: u64 = 86_400;

/// Why a capture is skipped.
#[derive(Debug)]
pub(crate) struct Unusable {
    /// The same for all captures with this fault.
    pub(crate) reason: String,
    /// The message about this one.
    pub(crate) line: String,
}

/// Returns the origin of a capture.
///
/// # Errors
/// If its URL has none, or if it is from the future: the newest capture of an origin counts, so that this one would
/// count for ever. `way_out` says what to do then.
pub(crate) fn origin(capture: &SourceCapture, now: Time, way_out: &str) -> Result<Origin, Unusable> {
    let origin = Origin::of_url(&capture.url).map_err(|error| Unusable {
        reason: format!("bad URL: {error}"),
        line: format!("bad URL: {}: '{}': {error}: skipped", capture.spot, shown::cut(&capture.url, 120)),
    })?;
    let ahead = capture.fetched_at.unwrap_or_default().saturating_sub(u64::from(now.0));
    if ahead > DAY {
        return Err(Unusable {
            reason: "bad time: ahead of now".to_owned(),
            line: format!("bad time: {}: {} days ahead of now: skipped: {way_out}", capture.spot, ahead.div_ceil(DAY)),
        });
    }
    Ok(origin)
}

/// Returns when a capture was made: now if it does not say.
pub(crate) fn time(capture: &SourceCapture, now: Time) -> Time {
    capture.fetched_at.map_or(now, |seconds| Time(u32::try_from(seconds).unwrap_or(u32::MAX)))
}

/// Returns the record of a capture, with its body if that counts. It does not include earlier captures: the pack
/// builder merges those of an origin.
///
/// `now` is the time of a capture that has none.
pub(crate) fn fetched<'c>(capture: &'c SourceCapture, dialect: &Dialect, now: Time) -> Capture<'c> {
    let response = match &capture.answer {
        SourceAnswer::Response(response) => {
            let is_missing = response.missing_is_5xx
                && matches!(response.status, 500..=599)
                && dialect.fetch.server_error_can_mean_missing;
            let status = if is_missing { 404 } else { response.status };
            let ended = match response.end {
                // The sources follow a redirect that has a target.
                _ if is_redirect(response.status) => Response::lost_redirect(),
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
    Capture::after(None, &response, time(capture, now), dialect)
}

/// Returns what the body of a success is, if it is no robots.txt.
pub(crate) fn other_body(capture: &SourceCapture, dialect: &Dialect) -> Option<BodyKind> {
    let SourceAnswer::Response(response) = &capture.answer else { return None };
    let is_success = (200..300).contains(&response.status) && response.end != BodyEnd::Incomplete;
    Some(BodyKind::of(&response.body, dialect)).filter(|kind| is_success && !kind.is_robots())
}
