//! What the result of a fetch of robots.txt means for the origin's URLs.
//!
//! A pure state machine: no network, no clock. The crawler reports the result ([`FetchResult`]) and the record that it
//! kept. [`FetchRecord::after`] returns the record to keep now, and [`FetchRecord::effective`] returns which policy is
//! effective at any later time, until when, and what to do next. What results mean is
//! [`Dialect::fetch`](robotsc_compiler::Dialect::fetch):
//!
//! | result | `google` | `google-2019` | `google-2017` | `rfc9309`, `yandex` |
//! |---|---|---|---|---|
//! | 2xx, body whole | rules; 202, 206: failure | rules | rules | rules; 202, 206: failure |
//! | 304 | the held rules; if none are held, unknown | same | same | same |
//! | more than 5 redirects, or a loop | all allowed | all allowed | all allowed | all allowed (MAY) |
//! | a redirect without `Location` | failure | all allowed | all allowed | failure |
//! | 4xx | all allowed; 429: failure | all allowed | all allowed | all allowed (MAY) |
//! | 5xx, [site answers missing pages so](Site::MissingIs5xx) | all allowed | all allowed | all allowed | failure |
//! | failure, at first | nothing allowed, 12 hours | nothing, 30 days | nothing allowed | nothing, 30 days |
//! | failure, later | copy up to 30 days, then see below | copy | nothing allowed | copy (MAY) |
//! | kept for | 24 hours, or `max-age` | same | same | same, but 24 hours at most |
//!
//! A failure is any other 5xx, no response, or a body that broke off or contradicts its header fields. A cautious
//! crawler [adds](robotsc_compiler::dialect::FetchRules::cautious) 401, 403 and bodies that are no robots.txt.
//! "Copy" is the last good copy, or all allowed if
//! there is none. After 30 days of failures `google` allows all if the site is [known to be up](Site::Up), else
//! nothing.
//!
//! "Later" needs an attempt that failed at that age. If nobody tried again, the record ends as
//! [`Access::Unknown`]: fetch robots.txt.
//!
//! Sources: RFC 9309 section 2.3.1 and 2.4; the specifications that Google published in 2017, on 1 July 2019 and
//! publishes today. They leave open what a redirect is that was not followed, and any other status: here all are
//! failures, since a failure allows nothing at first. Yandex says nothing on most of it, so that the RFC counts.
//!
//! A missing file is no good copy, and it ends the copy before it. So failures after a 404, and failures of an origin
//! that was never fetched before, are the same to every dialect.
//!
//! All dialects leave open how long a result counts after it [expired](FetchRecord::expires_at) and nobody fetched
//! again. Here it counts for [`STALE_FOR`], with the advice to [fetch](Next::Refetch); then nothing is known of the
//! origin.
//!
//! ```
//! use robotsc::Dialect;
//! use robotsc::outcome::{Caching, Access, FetchEnd, FetchRecord, FetchResult, Next, Time};
//!
//! let google = &Dialect::GOOGLE;
//! let hours = |hours: u32| Time(1_790_000_000 + 3_600 * hours);
//! let result = |at, end| FetchResult { end, redirects: 0, caching: Caching::default(), at };
//!
//! let record = FetchRecord::after(None, &result(hours(0), FetchEnd::Status(200)), google);
//! assert_eq!(record.effective(google, hours(23)).access, Access::Rules);
//! assert_eq!(record.effective(google, hours(24)).next, Next::Refetch);
//!
//! let record = FetchRecord::after(Some(&record), &result(hours(24), FetchEnd::Status(503)), google);
//! assert_eq!(record.effective(google, hours(24)).access, Access::DisallowAll);
//! // Twelve hours later nothing is known, unless an attempt failed again: then the copy from before counts.
//! assert_eq!(record.effective(google, hours(36)).access, Access::Unknown);
//! let record = FetchRecord::after(Some(&record), &result(hours(36), FetchEnd::Status(503)), google);
//! assert_eq!(record.effective(google, hours(36)).access, Access::Rules);
//! ```

pub use body_end::BodyEnd;
pub use caching::Caching;
pub use capture::{Capture, CaptureError};
pub use challenge::{CHALLENGE_FIELDS, challenge};
pub use effective::{Access, Effective, Next, STALE_FOR, Site, UnknownReason};
pub use record::{FetchRecord, Outcome, Time};
pub use response::Response;
pub use result::{FetchEnd, FetchResult, NetworkError, is_redirect};
pub use validators::Validators;

mod body_end;
mod caching;
mod capture;
mod challenge;
pub mod coding;
mod effective;
mod record;
mod response;
mod result;
mod time;
mod validators;
