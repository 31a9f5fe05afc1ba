//! The rules of one agent, for many URLs.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use robotsc::UrlPath;

use crate::agent::Crawler;
use crate::answers::Form;
use crate::body::{Parsed, parse_body};
use crate::errors::{RobotsError, query_error};
use crate::text;
use crate::urls::{Judge, OnError, Urls, push};

/// The rules of one agent on one site, ready for many URLs. Made by `RobotsTxt.matcher`.
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
        let verdict = self.matcher.verdict_for_path(path).map_err(|error| query_error(error.into()))?;
        Ok(verdict.is_allow())
    }
}

#[pymethods]
impl Matcher {
    /// Parses the file of a matcher again. For pickle.
    #[staticmethod]
    fn _restore(body: &Bound<'_, PyAny>, dialect: &str, origin: Option<&str>, crawler: &Crawler) -> PyResult<Self> {
        let parsed = parse_body(text::body(body)?, dialect, origin)?;
        Self::new(Arc::new(parsed), crawler.0.clone())
    }

    /// Reports whether the agent may fetch a URL.
    fn is_allowed(&self, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.matcher.is_allowed(text::url(url)?).map_err(query_error)
    }

    /// Reports for each of many URLs whether the agent may fetch it.
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

impl Judge for Matcher {
    fn judge(&self, _: usize, urls: &[&[u8]], codes: &mut Vec<u8>) -> Option<(usize, String)> {
        let mut first_wrong = None;
        for (index, url) in urls.iter().enumerate() {
            push(codes, &mut first_wrong, index, self.matcher.is_allowed(url).map(u8::from));
        }
        first_wrong
    }
}
