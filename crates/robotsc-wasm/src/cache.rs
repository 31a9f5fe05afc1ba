//! What a crawler knows of sites: the frontier, and when it fetches. The caller fetches.

use std::time::Duration;

use robotsc::Dialect;
use robotsc::frontier::{Check, Frontier};
use robotsc::origin::Origin;
use robotsc::outcome::{NetworkError, Response, Time, Validators};
use robotsc_frontier::schedule::{Due, Schedule};

use crate::mistake::{Kind, Mistake};
use crate::object::{Answer, Object};
use crate::sites::Sites;

/// How long before its expiry a file is fetched again.
const AHEAD: Duration = Duration::from_secs(3_600);

/// Makes a cache for a crawler, which keeps about `memory` bytes.
pub(crate) fn make(crawler: &Object, dialect: &[u8], memory: usize) -> Result<Answer, Mistake> {
    let name = text(dialect)?;
    let dialect = Dialect::by_name(name).ok_or_else(|| Mistake::call(format_args!("no dialect is called {name}")))?;
    let builder = Frontier::builder(crawler.crawler()?.crawler.clone()).dialect(dialect).memory(memory);
    let frontier = builder.build().map_err(|error| Mistake::new(Kind::Agent, error))?;
    let schedule = Schedule::new(AHEAD, Duration::ZERO, &dialect.fetch);
    Ok(Answer::Object(Object::Sites(Sites { frontier, schedule })))
}

/// Answers for a URL at a time in seconds since 1970, in lines: the verdict, what to do besides, both in words, the URL
/// of robots.txt, and what a conditional request sends: the URL that answered, its `ETag`, its `Last-Modified`.
pub(crate) fn check(cache: &Object, url: &[u8], now: u32) -> Result<Answer, Mistake> {
    let Sites { frontier, schedule } = cache.sites()?;
    let wrong = |error| Mistake::new(Kind::Url, error);
    let (check, record) = frontier.check_with_record(url, Time(now)).map_err(wrong)?;
    let origin = Origin::of_url(url).map_err(wrong)?;
    let due = match schedule.due(matches!(check, Check::Unknown(_)), record.as_ref(), Time(now)) {
        Due::Nothing => "nothing",
        Due::Refresh => "refresh",
        Due::Fetch => "fetch",
    };
    let verdict = match check {
        Check::Allowed => "allowed",
        Check::Disallowed(_) => "disallowed",
        Check::Unknown(_) => "unknown",
    };
    let held = record.is_some_and(|record| record.good_at.is_some());
    let validators = frontier.validators(&origin).filter(|_| held);
    let (url, etag, modified) = match validators.as_deref() {
        Some(sent) => {
            (sent.url().as_bytes(), sent.etag().unwrap_or_default(), sent.last_modified().unwrap_or_default())
        }
        None => Default::default(),
    };
    let (said, robots) = (check.to_string(), origin.robots_url());
    let lines = [verdict.as_bytes(), due.as_bytes(), said.as_bytes(), robots.as_bytes(), url, etag, modified];
    Ok(Answer::Bytes(lines.join(&b'\n')))
}

/// How a fetch ended: `end` is 0 for a status, 1 for a body that broke off, 2 for a loop of redirects, 3 for a redirect
/// that leads nowhere, and from 4 on an error of the network.
#[derive(Debug)]
pub(crate) struct Ended<'b> {
    pub(crate) end: u32,
    pub(crate) status: u32,
    pub(crate) redirects: u32,
    /// Names and values in turn, each on a line.
    pub(crate) headers: &'b [u8],
    pub(crate) body: &'b [u8],
    /// The URL that answered.
    pub(crate) answered: &'b [u8],
}

/// Records how a fetch of the robots.txt of a URL's site ended. Returns what it means, in words; nothing if something
/// newer is known.
pub(crate) fn record(cache: &Object, url: &[u8], now: u32, ended: &Ended<'_>) -> Result<Answer, Mistake> {
    let Sites { frontier, .. } = cache.sites()?;
    let origin = Origin::of_url(url).map_err(|error| Mistake::new(Kind::Url, error))?;
    let status = u16::try_from(ended.status).map_err(Mistake::call)?;
    let response = match ended.end {
        0 => Response::new(status, ended.body),
        1 => Response::incomplete(status),
        2 => Response::redirect_loop(),
        3 => Response::lost_redirect(),
        error => match NetworkError::ALL.get(error as usize - 4) {
            Some(error) => Response::failed(*error),
            None => return Err(Mistake::call("a fetch does not end so")),
        },
    };
    let lines: Vec<&[u8]> = ended.headers.split(|byte| *byte == b'\n').collect();
    let fields = || lines.chunks_exact(2).map(|field| (field[0], field[1]));
    let validators = Validators::from_headers(text(ended.answered)?, fields());
    let redirects = u8::try_from(ended.redirects).unwrap_or(u8::MAX);
    let response = response.with_redirects(redirects).with_headers(fields()).with_validators(validators.as_ref());
    let record = frontier.record(&origin, &response, Time(now));
    Ok(Answer::Bytes(record.map_or_else(Vec::new, |record| record.outcome.to_string().into_bytes())))
}

fn text(bytes: &[u8]) -> Result<&str, Mistake> {
    str::from_utf8(bytes).map_err(Mistake::call)
}
