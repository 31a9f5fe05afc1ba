//! A robots.txt as it was fetched: what the status, the failure and the age of a response mean.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use robotsc::origin::Origin;
use robotsc::outcome::{
    Access, Capture, FetchEnd, FetchRecord, NetworkError, Next, Outcome, Response, Site, Time, UnknownReason, challenge,
};
use robotsc::robots_txt::BodyKind;

use crate::agent::crawler;
use crate::arguments::{self, Now, Status};
use crate::body::{Parsed, parse_body, place_error};
use crate::dialect;
use crate::errors::{RobotsError, origin_error, query_error, url_error};
use crate::happened::{Answer, Happened, outcome_name, outcome_reason, unknown_text};
use crate::matcher::Matcher;
use crate::results::verdicts;
use crate::robots::RobotsTxt;
use crate::text::{self, type_name};
use crate::time::time;

/// The robots.txt of an origin as it was fetched, and what that means at any later time.
///
/// State how the fetch ended: a ``status`` with the ``body`` and the ``headers``, or the ``error``. The body of an
/// error page is never read as rules, and a body that contradicts its headers is a failure. A body that is no
/// robots.txt has no rules, so that everything is allowed, as the dialects have it: ``body_kind`` names it, and
/// ``cautious`` makes a failure of it.
///
/// Args:
///     url: any URL of the origin.
///     status: the status of the last response, redirects followed.
///     body: the bytes of the body. A status of success needs one.
///     headers: a mapping, or pairs of names and values.
///     redirects: the number of redirects that were followed.
///     error: ``connect``, ``dns``, ``protocol``, ``refused``, ``reset``, ``timeout``, ``tls``, ``incomplete`` (the
///         body broke off), ``redirect-loop`` or ``lost-redirect``.
///     now: the time of the response, in seconds since 1970; without it, the clock is read.
///     before: what was known before, and not later than ``now``: a failed fetch keeps a good copy for a while.
///     dialect: how files, statuses and failures are read.
///     cautious: 401, 403 and a body that is no robots.txt are failures: nothing is allowed at first.
///
/// Raises ``RobotsError`` if neither or both of status and error are stated, for a status of success without a body,
/// for a ``str`` that is a path or a URL, and if ``before`` is newer; ``UrlError`` if the URL has no origin.
///
/// >>> fetched = robotsc.FetchedRobots("https://shop.example", status=503, now=1_790_000_000)
/// >>> fetched.verdict("FooBot", "https://shop.example/", now=1_790_000_000)
/// <Verdict.DISALLOWED: 'disallowed'>
/// >>> fetched.summary
/// '503 Service Unavailable'
#[pyclass(module = "robotsc", frozen)]
#[derive(Debug)]
pub(crate) struct FetchedRobots {
    origin: Origin,
    dialect: &'static robotsc::Dialect,
    record: FetchRecord,
    happened: Happened,
    /// The rules that the record promises.
    robots: Option<Py<RobotsTxt>>,
}

/// What a pack takes of a fetched robots.txt, without Python's objects.
pub(crate) struct Held {
    pub(crate) origin: Origin,
    pub(crate) dialect: &'static robotsc::Dialect,
    pub(crate) record: FetchRecord,
    pub(crate) parsed: Option<Arc<Parsed>>,
}

impl FetchedRobots {
    /// Returns what a pack takes of it.
    pub(crate) fn held(&self) -> Held {
        Held {
            origin: self.origin.clone(),
            dialect: self.dialect,
            record: self.record,
            parsed: self.robots.as_ref().map(|robots| robots.get().parsed.clone()),
        }
    }

    /// Returns the path of a URL of the origin, and whether it is that of robots.txt.
    fn split<'u>(&self, py: Python<'_>, url: &'u [u8]) -> PyResult<robotsc::origin::SplitUrl<'u>> {
        let split = robotsc::origin::split(self.dialect, url).map_err(|error| origin_error(py, error, url))?;
        if *split.origin != *self.origin.as_bytes() {
            let message = format!("the URL is not of the origin {}", self.origin);
            return Err(url_error(py, message, None, Some(url)));
        }
        Ok(split)
    }

    /// Returns what happened and what follows from it, for a message.
    fn fetch_text(&self) -> String {
        let happened = self.happened.text(self.record.outcome);
        match self.record.outcome {
            Outcome::Rules => format!("robots.txt: {happened}"),
            Outcome::Unavailable | Outcome::TooManyRedirects => {
                format!("robots.txt: {happened}, which means that there is none")
            }
            Outcome::ServerError | Outcome::Unreachable => {
                format!("robots.txt: {happened}, which counts as a failure of the server")
            }
            Outcome::NotModified => format!("robots.txt: {happened}"),
        }
    }
}

/// The header fields of a response: pairs, or a mapping.
struct Headers(Vec<(Vec<u8>, Vec<u8>)>);

impl<'py> FromPyObject<'_, 'py> for Headers {
    type Error = PyErr;

    fn extract(headers: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let wrong = || {
            let name = type_name(&headers);
            PyTypeError::new_err(format!("headers are a mapping, or pairs of a name and a value, not {name}"))
        };
        if headers.is_instance_of::<PyString>() || headers.is_instance_of::<PyBytes>() {
            return Err(wrong());
        }
        let pairs = if headers.hasattr("items")? { headers.call_method0("items")? } else { headers.to_owned() };
        let mut fields = Vec::new();
        for pair in pairs.try_iter().map_err(|_| wrong())? {
            let (name, value) = pair?.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>().map_err(|_| wrong())?;
            fields.push((field(&name)?, field(&value)?));
        }
        Ok(Self(fields))
    }
}

fn field(text: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(text) = text.cast::<PyString>() {
        return Ok(text.to_string_lossy().into_owned().into_bytes());
    }
    match text.cast::<PyBytes>() {
        Ok(bytes) => Ok(bytes.as_bytes().to_vec()),
        Err(_) => Err(PyTypeError::new_err(format!("a header field is str or bytes, not {}", type_name(text)))),
    }
}

/// The failures that `error` can name.
const FAILURES: &str = "connect, dns, incomplete, lost-redirect, protocol, redirect-loop, refused, reset, timeout, tls";

fn response<'b>(status: Option<u16>, body: &'b [u8], error: Option<&str>) -> PyResult<Response<'b>> {
    Ok(match (status, error) {
        (Some(status), None) => Response::new(status, body),
        (status, Some("incomplete")) => Response::incomplete(status.unwrap_or(200)),
        (_, Some("redirect-loop")) => Response::redirect_loop(),
        (_, Some("lost-redirect")) => Response::lost_redirect(),
        (None, Some(name)) => match NetworkError::ALL.into_iter().find(|error| error.as_str() == name) {
            Some(error) => Response::failed(error),
            None => return Err(RobotsError::new_err(format!("no failure is called {name:?}: use one of {FAILURES}"))),
        },
        (None, None) => return Err(RobotsError::new_err("neither a status nor an error: state how the fetch ended")),
        (Some(_), Some(name)) => {
            return Err(RobotsError::new_err(format!("both a status and the error {name:?}: state one of them")));
        }
    })
}

#[pymethods]
impl FetchedRobots {
    #[new]
    #[pyo3(signature = (
        url, *, status = None, body = None, headers = None, redirects = 0, error = None, now = None, before = None,
        dialect = "google", cautious = false,
    ))]
    #[expect(clippy::too_many_arguments, reason = "all but the URL are keywords")]
    fn new(
        py: Python<'_>,
        url: &Bound<'_, PyAny>,
        status: Option<Status>,
        body: Option<&Bound<'_, PyAny>>,
        headers: Option<Headers>,
        #[pyo3(from_py_with = arguments::redirects)] redirects: u8,
        error: Option<&str>,
        now: Option<Now>,
        before: Option<&Bound<'_, Self>>,
        dialect: &str,
        cautious: bool,
    ) -> PyResult<Self> {
        let dialect = dialect::by_name(dialect)?;
        let origin = crate::origin::of_url(url)?;
        let (status, before, now) = (status.map(|status| status.0), before.map(Bound::get), time(now)?);
        if let Some(before) = before
            && (before.origin != origin || before.dialect != dialect)
        {
            return Err(RobotsError::new_err("the record before is of another origin or dialect"));
        }
        if let Some(before) = before
            && before.record.fetched_at > now
        {
            let (at, now) = (before.record.fetched_at.0, now.0);
            return Err(RobotsError::new_err(format!(
                "the record before is newer ({at}) than now ({now}): keep it: an older fetch never replaces a newer"
            )));
        }
        let is_success = status.is_some_and(|status| status / 100 == 2);
        if body.is_none() && error.is_none() && is_success {
            let message = "a status of success needs a body, which says what is allowed: an empty one is b\"\"";
            return Err(RobotsError::new_err(message));
        }
        if let Some(body) = body {
            place_error(body, dialect)?;
        }
        let body = body.map_or(Ok(b""[..].into()), text::body)?;
        let headers = headers.map_or_else(Vec::new, |headers| headers.0);
        let is_challenge = challenge(headers.iter().map(|(name, value)| (name, value))).is_some();
        let response = response(status, &body, error)?.with_redirects(redirects).with_headers(headers);
        let kind = (is_success && error.is_none()).then(|| BodyKind::of(&body, dialect));
        // A body that is still coded is named as such; what else the headers contradict is not whole.
        let is_cut =
            kind.is_some_and(BodyKind::is_robots) && matches!(response.result(now).end, FetchEnd::BodyBroken(_));
        let happened = Happened {
            status,
            error: error.or(is_cut.then_some("incomplete")).map(str::to_owned),
            body_kind: kind.filter(|_| !is_cut).map(|kind| (kind.name().to_owned(), kind.to_string())),
            is_challenge,
        };
        let read_as = if cautious { dialect::cautious(dialect) } else { dialect };
        let capture = Capture::after(before.map(|before| &before.record), &response, now, read_as);
        let record = *capture.record();
        let robots = match (capture.body(), record.good_at, before) {
            (Some(body), _, _) => {
                let parsed = parse_body(py, body, dialect, Some(origin.as_str()))?;
                Some(Py::new(py, RobotsTxt::new(parsed))?)
            }
            (None, Some(_), Some(before)) => before.robots.as_ref().map(|robots| robots.clone_ref(py)),
            _ => None,
        };
        Ok(Self { origin, dialect, record, happened, robots })
    }

    /// Returns which policy counts at a time.
    #[pyo3(signature = (now = None))]
    fn policy(&self, now: Option<Now>) -> PyResult<&'static str> {
        Ok(match self.record.effective(self.dialect, time(now)?).access {
            Access::Rules => "rules",
            Access::AllowAll => "allow",
            Access::DisallowAll => "disallow",
            Access::Unknown => "unknown",
        })
    }

    /// Returns the verdict for a URL of the origin at a time. That of robots.txt itself is always allowed.
    ///
    /// A ``Matcher`` must be one of ``robots``. Raises as ``RobotsTxt.is_allowed``.
    #[pyo3(signature = (agent, url, *, now = None))]
    fn verdict(&self, agent: &Bound<'_, PyAny>, url: &Bound<'_, PyAny>, now: Option<Now>) -> PyResult<Py<PyAny>> {
        let py = url.py();
        // Checked under every policy, so that a mistake is an error at any time.
        let matcher = agent.cast::<Matcher>().ok().map(Bound::get);
        if matcher.is_none() {
            crawler(agent)?;
        }
        let text = text::url(url)?;
        let split = self.split(py, &text)?;
        let access = self.record.effective(self.dialect, time(now)?).access;
        let code = match (access, &self.robots) {
            _ if split.is_robots_txt() => 0,
            (Access::Rules, Some(robots)) => {
                // The path alone: its origin is known to be right, whatever the spelling of the host.
                let path = split.path.as_path();
                let is_allowed = match matcher {
                    Some(matcher) => matcher.answer_path(&robots.get().parsed, path)?,
                    None => robots.get().answer_path(agent, path)?,
                };
                usize::from(!is_allowed)
            }
            (Access::AllowAll, _) => 0,
            (Access::DisallowAll, _) => 1,
            (Access::Unknown | Access::Rules, _) => 2,
        };
        Ok(verdicts(py)?[code].clone_ref(py))
    }

    /// Returns the verdict for a URL of the origin at a time, and what decided: a rule, or what happened.
    ///
    /// Raises as ``RobotsTxt.is_allowed``.
    ///
    /// >>> fetched = robotsc.FetchedRobots("https://shop.example", status=429, now=1_790_000_000)
    /// >>> print(fetched.explain("FooBot", "https://shop.example/", now=1_790_000_000))
    /// disallowed: robots.txt: 429 Too Many Requests, which counts as a failure of the server
    #[pyo3(signature = (agent, url, *, now = None))]
    fn explain<'py>(
        &self,
        agent: &Bound<'py, PyAny>,
        url: &Bound<'py, PyAny>,
        now: Option<Now>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = url.py();
        let crawler = match agent.cast::<Matcher>() {
            Ok(matcher) => matcher.get().asked().clone(),
            Err(_) => crawler(agent)?,
        };
        let (text, now) = (text::url(url)?, time(now)?);
        let split = self.split(py, &text)?;
        let record = &self.record;
        let mut answer = Answer {
            verdict: 0,
            reason: outcome_reason(record.outcome),
            line: None,
            rule: None,
            origin: self.origin.as_str(),
            happened: Some(&self.happened),
            record: Some(record),
            text: String::new(),
        };
        let access = record.effective(self.dialect, now).access;
        match (access, &self.robots) {
            _ if split.is_robots_txt() => {
                answer.reason = "robots-txt";
                answer.text = "allowed by the URL being that of robots.txt".to_owned();
            }
            (Access::Rules, Some(robots)) => {
                let explained = robots.get().parsed.robots.explain(&crawler, &text);
                let explained = explained.map_err(|error| query_error(py, error, &text))?;
                answer.verdict = usize::from(!explained.verdict.is_allow());
                answer.reason = "no-rule";
                answer.text = explained.to_string().lines().next().unwrap_or_default().to_owned();
                if let Some(rule) = explained.deciding_rule() {
                    answer.reason = "rule";
                    answer.line = (rule.line > 0).then_some(rule.line);
                    answer.rule = Some(rule.text.clone());
                }
                let is_other = self.happened.body_kind.as_ref().is_some_and(|(name, _)| name != "robots");
                if is_other {
                    answer.text = format!("{}; {}", answer.text, self.fetch_text());
                }
            }
            (Access::AllowAll, _) => answer.text = format!("allowed: {}", self.fetch_text()),
            (Access::DisallowAll, _) => {
                answer.verdict = 1;
                answer.text = format!("disallowed: {}", self.fetch_text());
            }
            (Access::Unknown | Access::Rules, _) => {
                let reason = record.unknown_reason(&self.dialect.fetch, Site::NotKnownUp, now);
                let reason = reason.unwrap_or(UnknownReason::CopyNotHeld);
                answer.verdict = 2;
                answer.reason = reason.name();
                answer.text = format!("unknown: {}; {}", unknown_text(reason, Some(record), now), self.fetch_text());
            }
        }
        answer.into_python(py)
    }

    /// Reports whether robots.txt should be fetched again.
    #[pyo3(signature = (now = None))]
    fn needs_fetch(&self, now: Option<Now>) -> PyResult<bool> {
        Ok(self.record.effective(self.dialect, time(now)?).next == Next::Refetch)
    }

    /// The origin.
    #[getter]
    fn origin(&self) -> &str {
        self.origin.as_str()
    }

    /// The rules that are held: those of this fetch, or of a good one before failures.
    #[getter]
    fn robots(&self, py: Python<'_>) -> Option<Py<RobotsTxt>> {
        self.robots.as_ref().map(|robots| robots.clone_ref(py))
    }

    /// How the fetch ended: ``rules``, ``missing``, ``server error``, ``unreachable``…
    #[getter]
    fn outcome(&self) -> &'static str {
        outcome_name(self.record.outcome)
    }

    /// When the fetch ended, in seconds since 1970.
    #[getter]
    fn fetched_at(&self) -> u32 {
        self.record.fetched_at.0
    }

    /// Until when the result counts without another fetch, in seconds since 1970.
    #[getter]
    fn expires_at(&self) -> u32 {
        self.record.expires_at.0
    }

    /// The name of the dialect.
    #[getter]
    fn dialect<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::intern(py, self.dialect.name)
    }

    /// The status of the response; ``None`` if there was none.
    #[getter]
    fn status(&self) -> Option<u16> {
        self.happened.status
    }

    /// What the body of a success is: ``robots``, or what came in its place; ``None`` without a success.
    #[getter]
    fn body_kind(&self) -> Option<&str> {
        self.happened.body_kind.as_ref().map(|(name, _)| name.as_str())
    }

    /// Whether the server marked the response as a challenge, by the header of Cloudflare or of AWS WAF.
    #[getter]
    fn is_challenge(&self) -> bool {
        self.happened.is_challenge
    }

    /// What happened, as words: ``429 Too Many Requests``, ``a timeout``.
    #[getter]
    fn summary(&self) -> String {
        self.happened.text(self.record.outcome)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Self>() else { return false };
        let other = other.get();
        let parsed = |fetched: &Self| fetched.robots.as_ref().map(|robots| robots.get().parsed.clone());
        (&self.origin, self.dialect.name, self.record, &self.happened)
            == (&other.origin, other.dialect.name, other.record, &other.happened)
            && parsed(self) == parsed(other)
    }

    fn __hash__(&self) -> u64 {
        crate::hash::hash(&(self.origin.as_str(), self.record))
    }

    fn __repr__(&self) -> String {
        let (outcome, summary) = (self.outcome(), self.summary());
        let more = if summary == outcome { String::new() } else { format!(" ({summary})") };
        format!("<robotsc.FetchedRobots of {}: {outcome}{more}>", self.origin)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let FetchRecord { fetched_at, expires_at, good_at, failing_since, .. } = self.record;
        let record =
            (self.outcome(), fetched_at.0, expires_at.0, good_at.map(|time| time.0), failing_since.map(|time| time.0));
        let Happened { status, error, body_kind, is_challenge } = self.happened.clone();
        let happened = (status, error, body_kind, is_challenge);
        let robots = self.robots.as_ref().map(|robots| robots.clone_ref(py));
        let state = (self.origin.as_str(), self.dialect.name, record, happened, robots);
        Ok((py.get_type::<Self>().getattr("_restore")?, state.into_pyobject(py)?.into_any()))
    }

    #[staticmethod]
    #[expect(clippy::type_complexity, reason = "what a pickle holds")]
    fn _restore(
        origin: &Bound<'_, PyAny>,
        dialect: &str,
        record: (String, u32, u32, Option<u32>, Option<u32>),
        happened: (Option<u16>, Option<String>, Option<(String, String)>, bool),
        robots: Option<Py<RobotsTxt>>,
    ) -> PyResult<Self> {
        let (outcome, fetched_at, expires_at, good_at, failing_since) = record;
        let (status, error, body_kind, is_challenge) = happened;
        let outcomes = [
            Outcome::Rules,
            Outcome::Unavailable,
            Outcome::TooManyRedirects,
            Outcome::ServerError,
            Outcome::Unreachable,
            Outcome::NotModified,
        ];
        let outcome = outcomes.into_iter().find(|known| outcome_name(*known) == outcome);
        let record = FetchRecord {
            // A pickle that was altered opens nothing.
            outcome: outcome.unwrap_or(Outcome::Unreachable),
            fetched_at: Time(fetched_at),
            expires_at: Time(expires_at),
            good_at: good_at.map(Time),
            failing_since: failing_since.map(Time),
        };
        Ok(Self {
            origin: crate::origin::of_url(origin)?,
            dialect: dialect::by_name(dialect)?,
            record,
            happened: Happened { status, error, body_kind, is_challenge },
            robots,
        })
    }
}
