//! A parsed robots.txt.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use robotsc::UrlPath;
use robotsc::agent::HeaderNames;
use robotsc::record::RecordValue;

use crate::agent::{self, Crawler};
use crate::body::{Parsed, parse_given};
use crate::dialect;
use crate::errors::{AgentError, RobotsError, agent_error, message, query_error};
use crate::explanation::{diagnostic, explanation, request_rate};
use crate::hash::hash;
use crate::matcher::Matcher;
use crate::preferences;
use crate::text;

/// The number of agents whose matchers a file keeps for `is_allowed`.
const KEPT: usize = 4;

/// A parsed robots.txt. Made by ``parse``.
///
/// It never changes, threads can share it, it can be compared, and pickled.
#[pyclass(module = "robotsc", frozen)]
#[derive(Debug)]
pub(crate) struct RobotsTxt {
    pub(crate) parsed: Arc<Parsed>,
    /// The names that were asked for last, so that their groups are not searched for again.
    matchers: Mutex<Vec<(String, robotsc::Matcher)>>,
}

/// Parses a robots.txt.
///
/// Args:
///     body: what was fetched: ``bytes``, ``bytearray``, ``memoryview`` or ``str``. Not its place.
///     dialect: ``google``, ``rfc9309``, ``google-2017``, ``google-2019`` or ``yandex``.
///     origin: such as ``https://shop.example``; then URLs of other origins are errors.
///     force: read what is no robots.txt, too, as the dialect does: a file without rules, which allows everything.
///
/// Returns the file. ``RobotsTxt.diagnostics`` says what was noticed in it.
///
/// Raises ``RobotsError`` for what is no robots.txt, unless forced: a path or a URL, HTML, gzip data, UTF-16, a file
/// on one line, rules without a group. It is an answer that a server gives instead of a robots.txt, or a mistake; it
/// has no rule, so that everything would be allowed. An empty body and one of comments are fine. Also raises
/// ``RobotsError`` for an unknown dialect and for a ``str`` with lone surrogates, ``UrlError`` for a wrong origin,
/// ``TypeError`` for what holds no text.
///
/// Cost: linear in the body, at most about 530 kB of it.
///
/// >>> robots = robotsc.parse(b"User-agent: *\nDisallow: /cart\n")
/// >>> robots.is_allowed("FooBot", "https://shop.example/cart")
/// False
/// >>> robotsc.parse("robots.txt")
/// Traceback (most recent call last):
/// robotsc.RobotsError: no robots.txt: 'robots.txt' has no directive: pass the text, not its place
#[pyfunction]
#[pyo3(signature = (body, dialect = "google", *, origin = None, force = false))]
pub(crate) fn parse(body: &Bound<'_, PyAny>, dialect: &str, origin: Option<&str>, force: bool) -> PyResult<RobotsTxt> {
    Ok(RobotsTxt::new(parse_given(body, dialect::by_name(dialect)?, origin, force)?))
}

impl RobotsTxt {
    pub(crate) fn new(parsed: Parsed) -> Self {
        Self { parsed: Arc::new(parsed), matchers: Mutex::default() }
    }

    /// Answers for one URL.
    fn answer(&self, agent: &Bound<'_, PyAny>, url: &[u8]) -> PyResult<bool> {
        self.with_matcher(agent, |matcher| matcher.is_allowed(url).map_err(|error| query_error(agent.py(), error, url)))
    }

    /// Answers for one path in the form of the dialect.
    pub(crate) fn answer_path(&self, agent: &Bound<'_, PyAny>, path: UrlPath<'_>) -> PyResult<bool> {
        self.with_matcher(agent, |matcher| {
            let verdict = matcher.verdict_for_path(path);
            Ok(verdict.map_err(|error| RobotsError::new_err(message(&error)))?.is_allow())
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
        let known = HeaderNames::of(&self.parsed.robots).map_err(|error| RobotsError::new_err(message(&error)))?;
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
    ///
    /// Args:
    ///     agent: the name of the crawler, or a ``Crawler``.
    ///     url: a URL, or a path that starts with one ``/``.
    ///
    /// Raises ``AgentError`` if the agent is no agent name, ``UrlError`` if the URL has no path on this site.
    ///
    /// Cost: the first question for an agent ranks the rules of its groups; those of the last four names are kept.
    ///
    /// >>> robots = robotsc.parse(b"User-agent: *\nDisallow: /cart\nAllow: /cart/help\n")
    /// >>> robots.is_allowed("FooBot", "https://shop.example/cart/help")
    /// True
    fn is_allowed(&self, agent: &Bound<'_, PyAny>, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.answer(agent, &text::url(url)?)
    }

    /// Returns a matcher for an agent, for many URLs.
    ///
    /// Raises ``AgentError`` if the agent is no agent name. Cost: ranks the rules of its groups.
    ///
    /// >>> robotsc.parse(b"User-agent: *\nDisallow: /cart\n").matcher("FooBot").is_allowed("/cart")
    /// False
    fn matcher(&self, agent: &Bound<'_, PyAny>) -> PyResult<Matcher> {
        Matcher::new(self.parsed.clone(), agent::crawler(agent)?)
    }

    /// Explains whether an agent may fetch a URL: the rule that decides, its line, and what else matches.
    ///
    /// Raises as ``is_allowed``. Cost: compares the path with each rule of the agent.
    ///
    /// >>> robots = robotsc.parse(b"User-agent: *\nDisallow: /cart\n")
    /// >>> robots.explain("FooBot", "https://shop.example/cart").rule.line
    /// 2
    fn explain<'py>(&self, agent: &Bound<'py, PyAny>, url: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = url.py();
        let (crawler, text) = (agent::crawler(agent)?, text::url(url)?);
        let explained = self.parsed.robots.explain(&crawler, &text);
        explanation(py, &explained.map_err(|error| query_error(py, error, &text))?)
    }

    /// Returns the crawler that a ``User-Agent`` header names in this file, as ``robotsc check --header`` does.
    ///
    /// A header that is a name is that name. In any other, the names of the file are looked for as whole products;
    /// if there is none, it is a crawler that no file names.
    ///
    /// Raises ``AgentError`` if the header is empty.
    ///
    /// >>> robots = robotsc.parse(b"User-agent: FooBot\nDisallow: /\n")
    /// >>> robots.crawler("Mozilla/5.0 (compatible; FooBot/2.1; +https://foo.example/)").names
    /// ['FooBot']
    fn crawler(&self, user_agent: &Bound<'_, PyAny>) -> PyResult<Crawler> {
        let header = agent::name_of(user_agent)?;
        if header.trim_ascii().is_empty() {
            return Err(AgentError::new_err(
                "the User-Agent is empty: for a crawler without a name use Crawler.others()",
            ));
        }
        self.crawler_of(header).map(Crawler)
    }

    /// Returns the longest crawl delay that is stated for an agent, in seconds; ``None`` if there is none.
    ///
    /// There is no highest value: set a limit. Raises ``AgentError`` if the agent is no agent name.
    fn crawl_delay(&self, agent: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
        let delay = self.parsed.robots.crawl_delay(&agent::crawler(agent)?).map_err(agent_error)?;
        Ok(delay.map(|delay| delay.as_secs_f64()))
    }

    /// Returns the slowest request rate that is stated for an agent; ``None`` if there is none.
    ///
    /// Raises ``AgentError`` if the agent is no agent name.
    fn request_rate<'py>(&self, agent: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let selection = self.selection(agent)?;
        let rates = self.parsed.robots.values_for(&selection).filter_map(|value| match value {
            RecordValue::RequestRate(rate) => Some(rate),
            _ => None,
        });
        let per_second = |rate: &robotsc::record::RequestRate| f64::from(rate.documents) / rate.period.as_secs_f64();
        let slowest = rates.min_by(|a, b| per_second(a).total_cmp(&per_second(b)));
        slowest.map(|rate| request_rate(agent.py(), rate)).transpose()
    }

    /// Returns the first visit time that is stated for an agent: start and end, in minutes of the day, UTC.
    ///
    /// Raises ``AgentError`` if the agent is no agent name.
    fn visit_time(&self, agent: &Bound<'_, PyAny>) -> PyResult<Option<(u16, u16)>> {
        let selection = self.selection(agent)?;
        let first = self.parsed.robots.values_for(&selection).find_map(|value| match value {
            RecordValue::VisitTime(window) => Some((window.start, window.end)),
            _ => None,
        });
        Ok(first)
    }

    /// Returns what the file says may be done with a page; ``None`` if the agent may not fetch it.
    ///
    /// Args:
    ///     agent: the name of the crawler, or a ``Crawler``.
    ///     url: a URL, or a path that starts with one ``/``.
    ///     usage_header: the ``Content-Usage`` header of the response, which is combined: the most restrictive holds.
    ///         A value that cannot be read says nothing, as the draft has it for received headers: nothing is raised,
    ///         and the answer is that of the file alone.
    ///     vocabulary: the number of a revision of draft-ietf-aipref-vocab, such as ``"07"``; the newest by default.
    ///
    /// Raises as ``is_allowed``, and ``RobotsError`` for a revision that there is not.
    ///
    /// >>> body = b"User-agent: *\nContent-Usage: train-ai=n\nContent-Signal: /blog/ ai-train=no, use=reference\n"
    /// >>> robots = robotsc.parse(body)
    /// >>> said = robots.preferences("FooBot", "https://shop.example/blog/1")
    /// >>> said.content_usage["train-ai"].preference, said.content_usage["train-ai"].lines
    /// (False, [2])
    /// >>> said.content_signal["search"].preference, said.use_level
    /// (None, 'reference')
    #[pyo3(signature = (agent, url, *, usage_header = None, vocabulary = None))]
    fn preferences<'py>(
        &self,
        agent: &Bound<'py, PyAny>,
        url: &Bound<'py, PyAny>,
        usage_header: Option<&str>,
        vocabulary: Option<&str>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (py, text) = (url.py(), text::url(url)?);
        let crawler = agent::crawler(agent)?;
        let reading = preferences::reading(vocabulary)?;
        let read = robotsc_analysis::preferences::Preferences::read(&self.parsed.robots, &crawler, reading);
        let effective = read.map_err(agent_error)?.at(&text).map_err(|error| query_error(py, error, &text))?;
        let effective = effective.map(|effective| match usage_header {
            Some(header) => effective.combine(header),
            None => effective,
        });
        effective.map(|effective| preferences::preferences(py, &effective)).transpose()
    }

    /// The sitemaps, in file order, each once.
    #[getter]
    fn sitemaps(&self) -> Vec<String> {
        self.parsed.robots.sitemaps().into_iter().map(lossy).collect()
    }

    /// The hosts that ``Host`` records name, in file order.
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
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let robots = &self.parsed.robots;
        robots.diagnostics().iter().map(|one| diagnostic(py, one, robots.body())).collect()
    }

    /// What the body is: ``robots``, or what came in its place. Only ``force`` lets such a body be parsed.
    #[getter]
    fn body_kind(&self) -> &'static str {
        self.parsed.robots.body_kind().name()
    }

    /// The body that was parsed, up to the dialect's limit.
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

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.parsed == other.get().parsed)
    }

    fn __hash__(&self) -> u64 {
        hash(&(self.parsed.robots.body(), self.dialect()))
    }

    /// Returns the file for a notebook, with what was noticed.
    fn _repr_html_(this: &Bound<'_, Self>) -> PyResult<String> {
        this.py().import("robotsc._results")?.call_method1("_file_html", (this,))?.extract()
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
        parse(body, dialect, origin, true)
    }
}
