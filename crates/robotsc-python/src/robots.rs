//! A parsed robots.txt.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use robotsc::UrlPath;
use robotsc::agent::KnownAgents;
use robotsc::record::RecordValue;

use crate::agent::{self, Crawler};
use crate::body::{Parsed, parse_body};
use crate::errors::{AgentError, RobotsError, agent_error, query_error};
use crate::explanation::{Diagnostic, Explanation, RequestRate};
use crate::matcher::Matcher;
use crate::preferences::{self, Preferences};
use crate::text;

/// The number of agents whose matchers a file keeps for `is_allowed`.
const KEPT: usize = 4;

/// A parsed robots.txt. Made by `robotsc.parse`.
#[pyclass(module = "robotsc", frozen)]
#[derive(Debug)]
pub(crate) struct RobotsTxt {
    pub(crate) parsed: Arc<Parsed>,
    /// The names that were asked for last, so that their groups are not searched for again.
    matchers: Mutex<Vec<(String, robotsc::Matcher)>>,
}

/// Parses a robots.txt.
#[pyfunction]
#[pyo3(signature = (body, dialect = "google", *, origin = None))]
pub(crate) fn parse(body: &Bound<'_, PyAny>, dialect: &str, origin: Option<&str>) -> PyResult<RobotsTxt> {
    let parsed = parse_body(text::body(body)?, dialect, origin)?;
    // A path or a URL in place of the text would allow everything.
    if let Ok(line) = body.cast::<PyString>()
        && !parsed.robots.body_kind().is_robots()
        && !line.to_str()?.trim().contains(['\n', '\r'])
    {
        let given = text::shown(line.to_str()?.as_bytes());
        return Err(RobotsError::new_err(format!(
            "no robots.txt: {given} has no directive: pass the text, not its place"
        )));
    }
    Ok(RobotsTxt::new(parsed))
}

impl RobotsTxt {
    pub(crate) fn new(parsed: Parsed) -> Self {
        Self { parsed: Arc::new(parsed), matchers: Mutex::default() }
    }

    /// Answers for one URL.
    pub(crate) fn answer(&self, agent: &Bound<'_, PyAny>, url: &[u8]) -> PyResult<bool> {
        self.with_matcher(agent, |matcher| matcher.is_allowed(url).map_err(query_error))
    }

    /// Answers for one path in the form of the dialect.
    pub(crate) fn answer_path(&self, agent: &Bound<'_, PyAny>, path: UrlPath<'_>) -> PyResult<bool> {
        self.with_matcher(agent, |matcher| {
            let verdict = matcher.verdict_for_path(path).map_err(|error| query_error(error.into()))?;
            Ok(verdict.is_allow())
        })
    }

    /// Calls a function with the matcher of an agent; that of a name is kept.
    fn with_matcher<T>(
        &self,
        agent: &Bound<'_, PyAny>,
        ask: impl FnOnce(&robotsc::Matcher) -> PyResult<T>,
    ) -> PyResult<T> {
        if agent.cast::<PyString>().is_err() {
            return ask(&self.parsed.robots.matcher(&agent::crawler(agent)?).map_err(agent_error)?);
        }
        let name = agent::name_of(agent)?;
        let mut matchers = self.matchers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, matcher)) = matchers.iter().find(|(known, _)| known == name) {
            return ask(matcher);
        }
        let matcher = self.parsed.robots.matcher(&agent::documented(name)?).map_err(agent_error)?;
        if matchers.len() == KEPT {
            matchers.remove(0);
        }
        matchers.push((name.to_owned(), matcher.clone()));
        ask(&matcher)
    }

    fn selection(&self, agent: &Bound<'_, PyAny>) -> PyResult<robotsc::agent::Selection> {
        Ok(self.parsed.robots.select(&agent::crawler(agent)?))
    }

    /// Returns the crawler that a `User-Agent` header names in this file: a header that is a name is that name.
    pub(crate) fn crawler_of(&self, header: &str) -> PyResult<robotsc::Crawler> {
        if let Ok(name) = robotsc::Crawler::new(header) {
            return Ok(name);
        }
        let known = KnownAgents::of(&self.parsed.robots).map_err(|error| RobotsError::new_err(error.to_string()))?;
        Ok(known.crawler(header.as_bytes()))
    }
}

/// Returns bytes as text; what is no UTF-8 is replaced.
fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[pymethods]
impl RobotsTxt {
    /// Reports whether an agent may fetch a URL.
    fn is_allowed(&self, agent: &Bound<'_, PyAny>, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.answer(agent, text::url(url)?)
    }

    /// Returns a matcher for an agent, for many URLs.
    fn matcher(&self, agent: &Bound<'_, PyAny>) -> PyResult<Matcher> {
        Matcher::new(self.parsed.clone(), agent::crawler(agent)?)
    }

    /// Explains whether an agent may fetch a URL.
    fn explain(&self, agent: &Bound<'_, PyAny>, url: &Bound<'_, PyAny>) -> PyResult<Explanation> {
        let crawler = agent::crawler(agent)?;
        self.parsed.robots.explain(&crawler, text::url(url)?).map(Explanation).map_err(query_error)
    }

    /// Returns the crawler that a `User-Agent` header names in this file.
    fn crawler(&self, user_agent: &Bound<'_, PyAny>) -> PyResult<Crawler> {
        let header = agent::name_of(user_agent)?;
        if header.trim_ascii().is_empty() {
            return Err(AgentError::new_err(
                "the User-Agent is empty: for a crawler without a name use Crawler.others()",
            ));
        }
        self.crawler_of(header).map(Crawler)
    }

    /// Returns the longest crawl delay that the file states for an agent, in seconds.
    fn crawl_delay(&self, agent: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
        let delay = self.parsed.robots.crawl_delay(&agent::crawler(agent)?).map_err(agent_error)?;
        Ok(delay.map(|delay| delay.as_secs_f64()))
    }

    /// Returns the slowest request rate that the file states for an agent.
    fn request_rate(&self, agent: &Bound<'_, PyAny>) -> PyResult<Option<RequestRate>> {
        let selection = self.selection(agent)?;
        let rates = self.parsed.robots.values_for(&selection).filter_map(|value| match value {
            RecordValue::RequestRate(rate) => Some(rate),
            _ => None,
        });
        let per_second = |rate: &robotsc::record::RequestRate| f64::from(rate.documents) / rate.period.as_secs_f64();
        Ok(rates.min_by(|a, b| per_second(a).total_cmp(&per_second(b))).map(RequestRate))
    }

    /// Returns the first visit time that the file states for an agent, in minutes of the day, UTC.
    fn visit_time(&self, agent: &Bound<'_, PyAny>) -> PyResult<Option<(u16, u16)>> {
        let selection = self.selection(agent)?;
        let first = self.parsed.robots.values_for(&selection).find_map(|value| match value {
            RecordValue::VisitTime(window) => Some((window.start, window.end)),
            _ => None,
        });
        Ok(first)
    }

    /// Returns what may be done with a page; `None` if the agent may not fetch it.
    #[pyo3(signature = (agent, url, *, usage_header = None, vocabulary = None))]
    fn preferences(
        &self,
        agent: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
        usage_header: Option<&str>,
        vocabulary: Option<&str>,
    ) -> PyResult<Option<Preferences>> {
        let crawler = agent::crawler(agent)?;
        let reading = preferences::reading(vocabulary)?;
        let read = robotsc_analysis::preferences::Preferences::read(&self.parsed.robots, &crawler, reading);
        let effective = read.map_err(agent_error)?.at(text::url(url)?).map_err(query_error)?;
        let effective = effective.map(|effective| match usage_header {
            Some(header) => effective.combine(header),
            None => effective,
        });
        Ok(effective.map(Preferences))
    }

    /// The sitemaps, in file order, each once.
    #[getter]
    fn sitemaps(&self) -> Vec<String> {
        self.parsed.robots.sitemaps().into_iter().map(lossy).collect()
    }

    /// The hosts that `Host` records name, in file order.
    #[getter]
    fn hosts(&self) -> Vec<String> {
        let hosts = self.parsed.robots.hosts();
        hosts
            .map(|host| match host.scheme {
                Some(scheme) => format!("{}://{}", lossy(scheme), lossy(host.name)),
                None => lossy(host.name),
            })
            .collect()
    }

    /// What the parser noticed, in file order.
    #[getter]
    fn diagnostics(&self) -> Vec<Diagnostic> {
        let robots = &self.parsed.robots;
        robots.diagnostics().iter().map(|diagnostic| Diagnostic::new(diagnostic, robots.body())).collect()
    }

    /// The body that was parsed.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.parsed.robots.body())
    }

    /// The name of the dialect.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.parsed.robots.dialect().name
    }

    /// The origin that it was parsed for, if one was named.
    #[getter]
    fn origin(&self) -> Option<&str> {
        self.parsed.origin.as_deref()
    }

    fn __repr__(&self) -> String {
        let robots = &self.parsed.robots;
        let (groups, rules) = (robots.groups().len(), robots.rules().len());
        format!("<robotsc.RobotsTxt of {groups} groups and {rules} rules, dialect {}>", self.dialect())
    }

    #[expect(clippy::type_complexity, reason = "what pickle takes: a function and its arguments")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>, &'static str, Option<&str>))> {
        let state = (self.body(py), self.dialect(), self.origin());
        Ok((py.get_type::<Self>().getattr("_restore")?, state))
    }

    /// Parses the file again. For pickle.
    #[staticmethod]
    fn _restore(body: &Bound<'_, PyAny>, dialect: &str, origin: Option<&str>) -> PyResult<Self> {
        parse(body, dialect, origin)
    }
}
