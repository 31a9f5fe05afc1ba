//! A robots.txt as it was fetched: what the status, the failure and the age of a response mean.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyString;
use robotsc::origin::Origin;
use robotsc::outcome::{Access, Capture, FetchRecord, NetworkError, Next, Outcome, Response};

use crate::body::{Parsed, parse_body};
use crate::dialect;
use crate::errors::{RobotsError, UrlError};
use crate::matcher::Matcher;
use crate::robots::RobotsTxt;
use crate::text;
use crate::time::time;

/// The result of a fetch of an origin's robots.txt.
#[pyclass(module = "robotsc", frozen)]
#[derive(Debug)]
pub(crate) struct FetchedRobots {
    origin: Origin,
    dialect: &'static robotsc::Dialect,
    record: FetchRecord,
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
}

/// Returns how a fetch ended, in a word or two.
pub(crate) const fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Rules => "rules",
        Outcome::Unavailable => "missing",
        Outcome::TooManyRedirects => "too many redirects",
        Outcome::ServerError => "server error",
        Outcome::Unreachable => "unreachable",
        Outcome::NotModified => "not modified",
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
    /// Records how a fetch of an origin's robots.txt ended.
    #[new]
    #[pyo3(signature = (
        url, *, status = None, body = None, headers = None, redirects = 0, error = None, now = None, before = None,
        dialect = "google",
    ))]
    #[expect(clippy::too_many_arguments, reason = "all but the URL are keywords")]
    fn new(
        py: Python<'_>,
        url: &Bound<'_, PyAny>,
        status: Option<u16>,
        body: Option<&Bound<'_, PyAny>>,
        headers: Option<Vec<(String, String)>>,
        redirects: u8,
        error: Option<&str>,
        now: Option<f64>,
        before: Option<&Bound<'_, Self>>,
        dialect: &str,
    ) -> PyResult<Self> {
        let dialect = dialect::by_name(dialect)?;
        let origin = crate::origin::of_url(url)?;
        let before = before.map(Bound::get);
        if let Some(before) = before
            && (before.origin != origin || before.dialect != dialect)
        {
            return Err(RobotsError::new_err("the record before is of another origin or dialect"));
        }
        if body.is_none() && error.is_none() && status.is_some_and(|status| status / 100 == 2) {
            let message = "a status of success needs a body, which says what is allowed: an empty one is b\"\"";
            return Err(RobotsError::new_err(message));
        }
        let body = body.map_or(Ok(&b""[..]), text::body)?;
        let response =
            response(status, body, error)?.with_redirects(redirects).with_headers(headers.unwrap_or_default());
        let now = time(now)?;
        let capture = Capture::after(before.map(|before| &before.record), &response, now, dialect);
        let record = *capture.record();
        let robots = match (capture.body(), record.good_at, before) {
            (Some(body), _, _) => {
                let parsed = parse_body(body, dialect.name, Some(origin.as_str()))?;
                Some(Py::new(py, RobotsTxt::new(parsed))?)
            }
            (None, Some(_), Some(before)) => before.robots.as_ref().map(|robots| robots.clone_ref(py)),
            _ => None,
        };
        Ok(Self { origin, dialect, record, robots })
    }

    /// Returns which policy counts at a time: `rules`, `allow`, `disallow` or `unknown`.
    #[pyo3(signature = (now = None))]
    fn policy(&self, now: Option<f64>) -> PyResult<&'static str> {
        Ok(match self.record.effective(self.dialect, time(now)?).access {
            Access::Rules => "rules",
            Access::AllowAll => "allow",
            Access::DisallowAll => "disallow",
            Access::Unknown => "unknown",
        })
    }

    /// Returns the verdict for a URL of the origin at a time: `allowed`, `disallowed` or `unknown`.
    #[pyo3(signature = (agent, url, *, now = None))]
    fn verdict(&self, agent: &Bound<'_, PyAny>, url: &Bound<'_, PyAny>, now: Option<f64>) -> PyResult<&'static str> {
        // Checked under every policy, so that a mistake is an error at any time.
        let matcher = agent.cast::<Matcher>().ok().map(Bound::get);
        if matcher.is_none() {
            crate::agent::crawler(agent)?;
        }
        let url = text::url(url)?;
        let wrong = |error: robotsc::origin::OriginError| UrlError::new_err(error.to_string());
        let split = robotsc::origin::split(self.dialect, url).map_err(wrong)?;
        if *split.origin != *self.origin.as_bytes() {
            return Err(UrlError::new_err(format!("the URL is not of the origin {}", self.origin)));
        }
        if split.is_robots_txt() {
            return Ok("allowed");
        }
        Ok(match (self.record.effective(self.dialect, time(now)?).access, &self.robots) {
            (Access::Rules, Some(robots)) => {
                // The path alone: its origin is known to be right, whatever the spelling of the host.
                let path = split.path.as_path();
                let is_allowed = match matcher {
                    Some(matcher) => matcher.answer_path(&robots.get().parsed, path)?,
                    None => robots.get().answer_path(agent, path)?,
                };
                if is_allowed { "allowed" } else { "disallowed" }
            }
            (Access::AllowAll, _) => "allowed",
            (Access::DisallowAll, _) => "disallowed",
            (Access::Unknown | Access::Rules, _) => "unknown",
        })
    }

    /// Reports whether robots.txt should be fetched (again) at a time.
    #[pyo3(signature = (now = None))]
    fn needs_fetch(&self, now: Option<f64>) -> PyResult<bool> {
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

    /// How the fetch ended.
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

    fn __repr__(&self) -> String {
        format!("<robotsc.FetchedRobots of {}: {}>", self.origin, self.outcome())
    }
}
