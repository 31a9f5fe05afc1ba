//! The rules of one agent, for many URLs.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use robotsc::UrlPath;

use crate::agent::Crawler;
use crate::answers::Form;
use crate::body::{Parsed, parse_body};
use crate::dialect;
use crate::errors::{RobotsError, message, query_error};
use crate::judge::{Judge, OnError, push};
use crate::site::Site;
use crate::text;
use crate::urls::Urls;

/// The rules of one agent on one site, ready for many URLs. Made by ``RobotsTxt.matcher``.
///
/// It compiles the rules after 350 questions, when that pays. It never changes otherwise, threads can share it, and it
/// can be pickled: a pickle holds the body of the robots.txt, which is parsed again.
#[pyclass(module = "robotsc", frozen)]
#[derive(Debug)]
pub(crate) struct Matcher {
    /// What it was made from: a pickle is made of it.
    parsed: Arc<Parsed>,
    crawler: robotsc::Crawler,
    matcher: robotsc::Matcher,
}

impl Matcher {
    pub(crate) fn new(parsed: Arc<Parsed>, crawler: robotsc::Crawler) -> PyResult<Self> {
        let matcher = parsed.robots.matcher(&crawler).map_err(crate::errors::agent_error)?;
        Ok(Self { parsed, crawler, matcher })
    }

    /// Answers for one path in the form of the dialect.
    ///
    /// # Errors
    /// `RobotsError` if it is the matcher of another file than `parsed`.
    pub(crate) fn answer_path(&self, parsed: &Arc<Parsed>, path: UrlPath<'_>) -> PyResult<bool> {
        if !Arc::ptr_eq(&self.parsed, parsed) {
            return Err(RobotsError::new_err("the matcher is of another robots.txt: make one of this"));
        }
        let verdict = self.matcher.verdict_for_path(path);
        Ok(verdict.map_err(|error| RobotsError::new_err(message(&error)))?.is_allow())
    }

    /// Returns the crawler.
    pub(crate) const fn asked(&self) -> &robotsc::Crawler {
        &self.crawler
    }
}

#[pymethods]
impl Matcher {
    #[staticmethod]
    fn _restore(body: &Bound<'_, PyAny>, dialect: &str, origin: Option<&str>, crawler: &Crawler) -> PyResult<Self> {
        let parsed = parse_body(body.py(), &text::body(body)?, dialect::by_name(dialect)?, origin)?;
        Self::new(Arc::new(parsed), crawler.0.clone())
    }

    /// Reports whether the agent may fetch a URL, or a path that starts with one ``/``.
    ///
    /// Raises ``UrlError`` if it has no path on this site.
    fn is_allowed(&self, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        let text = text::url(url)?;
        self.matcher.is_allowed(&text).map_err(|error| query_error(url.py(), error, &text))
    }

    /// Reports for each of many URLs whether the agent may fetch it.
    ///
    /// | URLs | mask |
    /// |---|---|
    /// | list, tuple of ``str`` or ``bytes`` | list, tuple of ``bool`` |
    /// | numpy array of objects or strings | numpy array of ``bool`` |
    /// | pandas Series | Series with the same index |
    /// | pandas Index, ``Series.array`` | numpy array |
    /// | polars Series | Series with the same name |
    /// | pyarrow Array, ChunkedArray | BooleanArray, ChunkedArray |
    /// | any other object with ``__arrow_c_array__`` or ``__arrow_c_stream__`` | such an object |
    ///
    /// Args:
    ///     urls: URLs of one site, and paths.
    ///     errors: what becomes of a URL without an answer: ``raise``, or ``null`` for ``None`` or null in its place.
    ///
    /// Raises ``UrlError``, whose ``index`` and ``url`` are those of the first URL without an answer: a missing value,
    /// what is no URL, and a URL of another origin than the URLs before it. Raises ``TypeError`` for what can be no
    /// URL at all, such as a number.
    ///
    /// Cost: 64 to 117 ns a URL (docs/python.md). Other threads run meanwhile, and Ctrl-C ends it.
    ///
    /// >>> matcher = robotsc.parse(b"User-agent: *\nDisallow: /cart\n").matcher("FooBot")
    /// >>> matcher.allowed(["https://shop.example/", "https://shop.example/cart"])
    /// [True, False]
    /// >>> matcher.allowed(["/", "mailto:me@shop.example"], errors="null")
    /// [True, None]
    #[pyo3(signature = (urls, *, errors = "raise"))]
    fn allowed<'py>(&self, urls: &Bound<'py, PyAny>, errors: &str) -> PyResult<Bound<'py, PyAny>> {
        let on_error = OnError::named(errors)?;
        Urls::extract(urls)?.answer(urls.py(), self, Form::Mask, on_error)
    }

    /// Whether the rules are compiled.
    #[getter]
    fn is_compiled(&self) -> bool {
        self.matcher.is_compiled()
    }

    /// The name of the dialect.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.parsed.robots.dialect().name
    }

    /// The crawler that it answers for.
    #[getter]
    fn crawler(&self) -> Crawler {
        Crawler(self.crawler.clone())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.crawler == other.crawler && self.parsed == other.parsed
        })
    }

    fn __hash__(&self) -> u64 {
        crate::hash::hash(&(self.parsed.robots.body(), &self.crawler))
    }

    fn __repr__(&self) -> String {
        format!("<robotsc.Matcher for {}, dialect {}>", self.crawler, self.dialect())
    }

    #[expect(clippy::type_complexity, reason = "what pickle takes: a function and its arguments")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>, &'static str, Option<String>, Crawler))> {
        let parsed = &self.parsed;
        let body = PyBytes::new(py, parsed.robots.body());
        let state = (body, self.dialect(), parsed.origin.clone(), self.crawler());
        Ok((py.get_type::<Self>().getattr("_restore")?, state))
    }
}

/// The answers of a batch, and the site that they are of.
#[derive(Debug, Default)]
pub(crate) struct SiteCodes {
    codes: Vec<u8>,
    site: Site,
}

impl From<SiteCodes> for Vec<u8> {
    fn from(answers: SiteCodes) -> Self {
        answers.codes
    }
}

impl Judge for Matcher {
    type Out = SiteCodes;

    fn judge(&self, _: usize, urls: &[&[u8]], out: &mut SiteCodes) -> Option<(usize, String)> {
        let mut first_wrong = None;
        for (index, url) in urls.iter().enumerate() {
            let is_other_site = self.parsed.origin.is_none().then(|| out.site.check(url).err()).flatten();
            let code = match is_other_site {
                Some(message) => Err(message),
                None => self.matcher.is_allowed(url).map(u8::from).map_err(|error| error.to_string()),
            };
            push(&mut out.codes, &mut first_wrong, index, code);
        }
        first_wrong
    }
}
