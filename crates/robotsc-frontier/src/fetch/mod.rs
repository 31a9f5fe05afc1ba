//! What a fetch of robots.txt came to, and what that means for the origin's URLs.
//!
//! A pure state machine: no network, no clock. The crawler tells what happened ([`FetchResult`]) and what it knew before; [`FetchRecord::after`] gives the record to keep, and
//! [`FetchRecord::in_force`] says at any later time which policy counts, until when, and what to do next.
//!
//! | result | `google` | `google-2019` | `google-2017` | `rfc9309`, `yandex` |
//! |---|---|---|---|---|
//! | 2xx, body whole | the rules | the rules | the rules | the rules |
//! | 304 | the rules that are held | same | same | same |
//! | redirects: more than 5, or a loop | all allowed | all allowed | all allowed | all allowed (MAY) |
//! | 4xx | all allowed, but 429 is a server error | all allowed | all allowed | all allowed (MAY) |
//! | 5xx, no answer, body broken off: at first | 12 hours: nothing allowed | 30 days: nothing allowed | nothing allowed | 30 days: nothing allowed |
//! | … later | up to 30 days: the last good copy, or all allowed; then all allowed if the site is [known to be up](Site::Up), else nothing | the last good copy, or all allowed | nothing allowed | the last good copy, or all allowed (MAY) |
//! | kept for | 24 hours, or `max-age` | same | same | same, but 24 hours at most |
//!
//! Sources: RFC 9309 section 2.3.1 and 2.4; the specifications that Google published in 2017, on 1 July 2019 and publishes today. They leave open what a redirect
//! is that was not followed, a part of a file (206), and any other status: here all are failures, since a failure allows nothing at first. Yandex says nothing on most of
//! it, so that the RFC counts.
//!
//! A missing file is no good copy, and it ends the copy before it: where the last good copy would count and there is none, all is allowed, so that failures behind a 404 and failures
//! of an origin that was never fetched before are the same to every dialect.
//!
//! What all dialects leave open is how long an answer counts after it [expired](FetchRecord::expires_at) and nobody fetched again. Here it counts for [`STALE_FOR`], with the
//! advice to [fetch](Next::Refetch); then nothing is known of the origin.
//!
//! ```
//! use robotsc_compiler::Dialect;
//! use robotsc_frontier::fetch::{Caching, FetchEnd, FetchRecord, FetchResult, Force, Next, Time};
//!
//! let google = &Dialect::GOOGLE;
//! let hours = |hours: u32| Time(1_790_000_000 + 3_600 * hours);
//! let result = |at, end| FetchResult { end, redirects: 0, caching: Caching::default(), at };
//!
//! let record = FetchRecord::after(None, &result(hours(0), FetchEnd::Status(200)), google);
//! assert_eq!(record.in_force(google, hours(23)).policy, Force::Rules);
//! assert_eq!(record.in_force(google, hours(24)).next, Next::Refetch);
//!
//! let record = FetchRecord::after(Some(&record), &result(hours(24), FetchEnd::Status(503)), google);
//! assert_eq!(record.in_force(google, hours(24)).policy, Force::DisallowAll);
//! // Twelve hours of failures later, the copy from before them counts.
//! assert_eq!(record.in_force(google, hours(36)).policy, Force::Rules);
//! ```

pub use caching::Caching;
pub use capture::{Capture, CaptureError};
pub use force::{Force, InForce, Next, STALE_FOR, Site};
pub use policy::{FailurePolicy, FetchPolicy};
pub use record::{FetchRecord, Outcome, Time};
pub use response::Response;
pub use result::{FetchEnd, FetchResult, NetworkError};

mod caching;
mod capture;
mod force;
mod policy;
mod record;
mod response;
mod result;
mod time;
