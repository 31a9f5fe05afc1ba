//! What a crawler knows of sites: the frontier, and when it fetches. The caller fetches.

use std::cell::RefCell;
use std::time::Duration;

use robotsc::Dialect;
use robotsc::frontier::{By, Frontier, FrontierExplanation, FrontierVerdict};
use robotsc::origin::Origin;
use robotsc::outcome::{
    Capture, FetchEnd, FetchRecord, NetworkError, Outcome, Response, Time, UnknownReason, Validators, coding,
};
use robotsc::robots_txt::BodyKind;
use robotsc_frontier::schedule::{Due, Schedule, retry_at};

use crate::matching::{dialect, text};
use crate::mistake::{Kind, Mistake};
use crate::object::{Answer, Object};
use crate::sites::{After, Ending, Note, Notes, Sites, Wait};
use crate::words::{self, AnswerText};

/// How long before its expiry a file is fetched again.
const AHEAD: Duration = Duration::from_secs(3_600);

/// The shortest and the longest wait after a fetch that failed, in seconds.
const WAIT: [u32; 2] = [300, 24 * 3_600];

/// Bytes of the budget for each note.
const BYTES_A_NOTE: usize = 1024;

/// The number of an end that says nothing of the site.
const OWN: u32 = 11;

/// Makes a cache for a crawler, which keeps about `memory` bytes.
pub(crate) fn make(crawler: &Object, name: &[u8], memory: usize, is_cautious: bool) -> Result<Answer, Mistake> {
    let named = dialect(name)?;
    let fetch = if is_cautious { named.fetch.cautious() } else { named.fetch };
    let dialect = Dialect { fetch, ..named.clone() };
    let builder = Frontier::builder(crawler.crawler()?.crawler.clone()).dialect(&dialect).memory(memory - memory / 8);
    let frontier = builder.build().map_err(|error| Mistake::new(Kind::Agent, error))?;
    let schedule = Schedule::new(AHEAD, Duration::ZERO, &dialect.fetch);
    let notes = RefCell::new(Notes::new(memory / BYTES_A_NOTE));
    Ok(Answer::Object(Object::Sites(Box::new(Sites { frontier, schedule, notes }))))
}

fn wrong(error: impl std::fmt::Display) -> Mistake {
    Mistake::new(Kind::Url, error)
}

/// Answers for a URL at a time in seconds since 1970, in lines: the verdict, what to do besides, the word of the
/// reason, the line of the rule, how the last fetch ended, its status, what its body was, when a failed site is asked
/// again, all this in words, the URL of robots.txt, and what a conditional request sends: the URL that answered, its
/// `ETag`, its `Last-Modified`.
pub(crate) fn check(cache: &Object, url: &[u8], now: u32) -> Result<Answer, Mistake> {
    let (sites, now) = (cache.sites()?, Time(now));
    let origin = Origin::of_url(url).map_err(wrong)?;
    let note = sites.notes.borrow().get(&origin).cloned().unwrap_or_default();
    let (mut explained, mut due) = sites.look_up(url, now)?;
    let mut ended = note.ended;
    let mut unrecorded = None;
    if let Some(wait) = note.wait.filter(|wait| wait.until > now) {
        match (due, wait.after) {
            // There is time left until the copy expires.
            (Due::Refresh, _) => due = Due::Nothing,
            (Due::Fetch, After::Refusal(refusal)) => {
                // What the server answered counts from then on, unless something newer is known.
                if sites.frontier.record(&origin, &refusal, wait.ended.at).is_some() {
                    ended = Some(wait.ended);
                    let note = Note { ended: ended.clone(), wait: None };
                    *sites.notes.borrow_mut().entry(&origin, &sites.frontier, now) = note;
                    (explained, due) = sites.look_up(url, now)?;
                }
            }
            (Due::Fetch, After::Unknown) => {
                due = Due::Nothing;
                explained.verdict = FrontierVerdict::Unknown;
                unrecorded = Some(wait.until);
                ended = Some(wait.ended);
            }
            (Due::Fetch, After::Fetch) | (Due::Nothing, _) => {}
        }
    }
    let ended = ended
        .filter(|ended| unrecorded.is_some() || explained.record.is_some_and(|record| record.fetched_at == ended.at));
    let retry = unrecorded.or_else(|| explained.record.as_ref().map(retry_at)).filter(|at| *at > now);
    let robots = origin.robots_url();
    // What has expired is no answer.
    let is_expired = due == Due::Fetch && explained.verdict != FrontierVerdict::Unknown;
    if is_expired {
        explained.verdict = FrontierVerdict::Unknown;
        explained.by = By::Unknown(UnknownReason::Expired);
    }
    let line = if let By::Rule { line } = explained.by { Some(line) } else { None };
    let answer = AnswerText {
        explained: &explained,
        ended: ended.as_ref(),
        is_unrecorded: unrecorded.is_some(),
        robots: &robots,
    };
    let number = |number: Option<u32>| number.map_or_else(String::new, |number| number.to_string());
    let due = match due {
        Due::Nothing => "nothing",
        Due::Refresh => "refresh",
        Due::Fetch => "fetch",
    };
    let held = explained.record.is_some_and(|record| record.good_at.is_some());
    let validators = sites.frontier.validators(&origin).filter(|_| held);
    let sent = validators.as_deref();
    let lines = [
        explained.verdict.name(),
        due,
        answer.reason(),
        &number(line.filter(|_| unrecorded.is_none())),
        ended.as_ref().map_or("", |ended| ended.end.as_str()),
        &number(ended.as_ref().and_then(|ended| ended.end.status()).map(u32::from)),
        ended.as_ref().and_then(|ended| ended.kind).map_or("", BodyKind::name),
        &number(retry.map(|at| at.0)),
        &answer.text(),
        &robots,
        sent.map_or("", Validators::url),
    ];
    let lines = lines.map(str::as_bytes).into_iter().chain([
        sent.and_then(Validators::etag).unwrap_or_default(),
        sent.and_then(Validators::last_modified).unwrap_or_default(),
    ]);
    Ok(Answer::Bytes(lines.collect::<Vec<&[u8]>>().join(&b'\n')))
}

/// Returns what the held file of a URL's site says besides rules, in lines: the crawl delay in seconds, empty if there
/// is none, then the sitemaps. Nothing, not even a line, if no file is held.
pub(crate) fn held(cache: &Object, url: &[u8]) -> Result<Answer, Mistake> {
    let frontier = &cache.sites()?.frontier;
    let origin = Origin::of_url(url).map_err(wrong)?;
    if frontier.fetch_record(&origin).is_none_or(|record| record.good_at.is_none()) {
        return Ok(Answer::Bytes(Vec::new()));
    }
    let delay = frontier.crawl_delay(&origin).map(|delay| delay.as_secs_f64().to_string());
    let mut lines = vec![delay.unwrap_or_default().into_bytes()];
    lines.extend(frontier.sitemaps(&origin));
    lines.push(Vec::new());
    Ok(Answer::Bytes(lines.join(&b'\n')))
}

impl Sites {
    fn look_up(&self, url: &[u8], now: Time) -> Result<(FrontierExplanation, Due), Mistake> {
        let explained = self.frontier.explain(url, now).map_err(wrong)?;
        let is_unknown = explained.verdict == FrontierVerdict::Unknown;
        let due = match explained.by {
            // No fetch changes that.
            By::RobotsTxt => Due::Nothing,
            _ => self.schedule.due(is_unknown, explained.record.as_ref(), now),
        };
        Ok((explained, due))
    }
}

/// How a fetch ended: `end` is 0 for a status, 1 for a body that broke off, 2 for a loop of redirects, 3 for a redirect
/// that leads nowhere, from 4 on an error of the network, and 11 for what says nothing of the site: the caller's own
/// fetch failed, or hides the answer.
#[derive(Debug)]
pub(crate) struct Ended<'b> {
    pub(crate) end: u32,
    pub(crate) status: u32,
    pub(crate) redirects: u32,
    /// Names and values in turn, each on a line.
    pub(crate) headers: &'b [u8],
    pub(crate) body: &'b [u8],
    /// The URL that answered; of an end that says nothing of the site, what is wrong.
    pub(crate) answered: &'b [u8],
}

/// Records how a fetch of the robots.txt of a URL's site ended.
pub(crate) fn record(cache: &Object, url: &[u8], now: u32, ended: &Ended<'_>) -> Result<Answer, Mistake> {
    let (sites, now) = (cache.sites()?, Time(now));
    let frontier = &sites.frontier;
    let origin = Origin::of_url(url).map_err(wrong)?;
    let status = u16::try_from(ended.status).map_err(Mistake::call)?;
    let response = match ended.end {
        0 => Response::new(status, ended.body),
        1 => Response::incomplete(status),
        2 => Response::redirect_loop(),
        3 => Response::lost_redirect(),
        OWN => Response::failed(NetworkError::Refused),
        error => match NetworkError::ALL.get(error as usize - 4) {
            Some(error) => Response::failed(*error),
            None => return Err(Mistake::call("a fetch does not end so")),
        },
    };
    let lines: Vec<&[u8]> = ended.headers.split(|byte| *byte == b'\n').collect();
    let fields = || lines.chunks_exact(2).map(|field| (field[0], field[1]));
    let answered = text(ended.answered)?;
    let validators = Validators::from_headers(answered, fields());
    let redirects = u8::try_from(ended.redirects).unwrap_or(u8::MAX);
    let response = response.with_redirects(redirects).with_headers(fields()).with_validators(validators.as_ref());

    let result = response.result(now);
    // `fetch` decodes, and of some encodings it does not say that they broke off: the missing part can disallow.
    let is_coded = matches!(result.end, FetchEnd::Status(200..=299))
        && fields().any(|(name, value)| {
            name.eq_ignore_ascii_case(b"content-encoding") && coding::codings(value).next().is_some()
        });
    let problem = match ended.end {
        OWN => words::one_line(answered),
        _ if is_coded => "the body came with a Content-Encoding, and fetch does not say whether it is whole".into(),
        _ => "".into(),
    };
    let end = if is_coded { FetchEnd::BodyBroken(status) } else { result.end };
    let kind = response.body_kind(frontier.dialect()).filter(|_| !is_coded);
    let ending = Ending { at: now, end, kind, problem };

    let held = frontier.fetch_record(&origin);
    // A clock was wrong when it was stored, and nothing that is recorded now would be newer.
    let is_from_future = held.is_some_and(|held| held.is_from_future(now));
    let known = held.filter(|_| !is_from_future);
    let capture = Capture::after(known.as_ref(), &response, now, frontier.dialect());
    let (next, is_challenge) = (*capture.record(), capture.is_challenge());
    let is_failure = is_failed(&next);
    let is_fresh = known.is_some_and(|known| now < known.expires_at && !is_failed(&known));
    let asked_to_wait = result.caching.retry_after.filter(|_| matches!(result.end, FetchEnd::Status(_)));
    let mut notes = sites.notes.borrow_mut();
    let note = notes.entry(&origin, frontier, now);
    if ended.end == OWN || is_coded {
        let since =
            note.wait.as_ref().filter(|wait| matches!(wait.after, After::Unknown)).map_or(now, |wait| wait.since);
        let [least, most] = WAIT;
        let until = Time(now.0.saturating_add((now.0.saturating_sub(since.0) / 2).clamp(least, most)));
        note.wait = Some(Wait { ended: ending, since, until, after: After::Unknown });
    } else if is_failure && is_fresh {
        // The copy counts until it expires. Then a failure counts.
        // Its body is not kept: as a whole one, it would be an empty file.
        let refusal = Response::incomplete(status).with_redirects(redirects).with_caching(result.caching);
        let refusal = refusal.with_challenge(is_challenge);
        let after = asked_to_wait.map_or(After::Fetch, |_| After::Refusal(refusal));
        note.wait = Some(Wait { ended: ending, since: now, until: next.expires_at, after });
    } else {
        // An answer that is no failure can say when to come back, too: no refresh is before.
        note.wait = asked_to_wait.filter(|_| !is_failure).map(|seconds| Wait {
            ended: ending.clone(),
            since: now,
            until: Time(now.0.saturating_add(seconds.min(WAIT[1]))),
            after: After::Fetch,
        });
        note.ended = Some(ending);
        if is_from_future {
            frontier.forget(&origin);
        }
        frontier.record(&origin, &response, now);
    }
    Ok(Answer::Bytes(Vec::new()))
}

/// Reports whether the last fetch says nothing of the rules.
fn is_failed(record: &FetchRecord) -> bool {
    matches!(record.outcome, Outcome::ServerError | Outcome::Unreachable | Outcome::NotModified)
}
