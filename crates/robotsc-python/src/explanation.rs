//! What a file says, item by item: explanations, diagnostics and rates.

use pyo3::prelude::*;

/// Why a URL may or may not be fetched. Made by `RobotsTxt.explain`; `str()` writes it as a few lines of text.
#[pyclass(module = "robotsc", frozen)]
#[derive(Debug)]
pub(crate) struct Explanation(pub(crate) robotsc::Explanation);

#[pymethods]
impl Explanation {
    /// Whether the URL may be fetched.
    #[getter]
    fn allowed(&self) -> bool {
        self.0.verdict.is_allow()
    }

    /// The rule that decides; `None` if no rule matches.
    #[getter]
    fn rule(&self) -> Option<ExplainedRule> {
        self.0.deciding_rule().cloned().map(ExplainedRule)
    }

    /// The rules that match, from the top rank down.
    #[getter]
    fn matching(&self) -> Vec<ExplainedRule> {
        self.0.matching.iter().cloned().map(ExplainedRule).collect()
    }

    /// The path that was matched.
    #[getter]
    fn path(&self) -> &str {
        &self.0.path
    }

    /// The crawler, as text.
    #[getter]
    fn agent(&self) -> &str {
        &self.0.agent
    }

    /// The name of the dialect.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.0.dialect
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let text = self.0.to_string();
        format!("<robotsc.Explanation: {}>", text.lines().next().unwrap_or_default())
    }
}

/// A rule that matches.
#[pyclass(module = "robotsc", frozen)]
#[derive(Debug)]
pub(crate) struct ExplainedRule(robotsc::explain::ExplainedRule);

#[pymethods]
impl ExplainedRule {
    /// What it answers.
    #[getter]
    fn allowed(&self) -> bool {
        self.0.verdict.is_allow()
    }

    /// The line, from 1; 0 if the dialect states the rule, and no line.
    #[getter]
    fn line(&self) -> u32 {
        self.0.line
    }

    /// The rule as written.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    /// The pattern as it was matched.
    #[getter]
    fn pattern(&self) -> &str {
        &self.0.pattern
    }

    /// The length that ranks it, in bytes.
    #[getter]
    fn length(&self) -> u32 {
        self.0.length
    }

    fn __repr__(&self) -> String {
        format!("<robotsc.ExplainedRule line {}: {}>", self.0.line, self.0.text)
    }
}

/// What the parser noticed in a line.
#[pyclass(module = "robotsc", frozen, get_all)]
#[derive(Debug)]
pub(crate) struct Diagnostic {
    line: u32,
    code: &'static str,
    severity: &'static str,
    message: String,
}

impl Diagnostic {
    pub(crate) fn new(diagnostic: &robotsc::robots_txt::Diagnostic, body: &[u8]) -> Self {
        Self {
            line: diagnostic.line,
            code: diagnostic.code.as_str(),
            severity: diagnostic.severity.as_str(),
            message: diagnostic.message(body),
        }
    }
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> String {
        format!("line {}: {}: {}", self.line, self.severity, self.message)
    }

    fn __repr__(&self) -> String {
        format!("<robotsc.Diagnostic {} in line {}>", self.code, self.line)
    }
}

/// How many documents may be fetched in which time.
#[pyclass(module = "robotsc", frozen, eq)]
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RequestRate(pub(crate) robotsc::record::RequestRate);

#[pymethods]
impl RequestRate {
    /// The number of documents.
    #[getter]
    fn requests(&self) -> u32 {
        self.0.documents
    }

    /// The time in which they may be fetched, in seconds.
    #[getter]
    fn seconds(&self) -> u64 {
        self.0.period.as_secs()
    }

    /// When this holds, in minutes of the day, UTC; `None` for always.
    #[getter]
    fn window(&self) -> Option<(u16, u16)> {
        self.0.window.map(|window| (window.start, window.end))
    }

    fn __repr__(&self) -> String {
        format!("<robotsc.RequestRate {} requests in {} seconds>", self.requests(), self.seconds())
    }
}
