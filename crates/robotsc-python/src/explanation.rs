//! What a file says, item by item: explanations, diagnostics and rates.

use pyo3::prelude::*;

use crate::results::make;

/// Returns the explanation of the library as Python has it.
pub(crate) fn explanation<'py>(py: Python<'py>, explanation: &robotsc::Explanation) -> PyResult<Bound<'py, PyAny>> {
    let matching: Vec<_> = explanation.matching.iter().map(|one| rule(py, one)).collect::<PyResult<_>>()?;
    let deciding = explanation.deciding_rule().map(|one| rule(py, one)).transpose()?;
    let allowed = explanation.verdict.is_allow();
    let (path, agent) = (&*explanation.path, &*explanation.agent);
    let fields = (allowed, matching, deciding, path, agent, explanation.dialect, explanation.to_string());
    make(py, "Explanation", fields)
}

fn rule<'py>(py: Python<'py>, rule: &robotsc::explain::ExplainedRule) -> PyResult<Bound<'py, PyAny>> {
    let fields = (rule.verdict.is_allow(), rule.line, &*rule.text, &*rule.pattern, rule.length);
    make(py, "ExplainedRule", fields)
}

/// Returns a diagnostic of the library as Python has it.
pub(crate) fn diagnostic<'py>(
    py: Python<'py>,
    diagnostic: &robotsc::robots_txt::Diagnostic,
    body: &[u8],
) -> PyResult<Bound<'py, PyAny>> {
    let (code, severity) = (diagnostic.code.as_str(), diagnostic.severity.as_str());
    make(py, "Diagnostic", (diagnostic.line, code, severity, diagnostic.message(body)))
}

/// Returns a request rate as Python has it.
pub(crate) fn request_rate<'py>(py: Python<'py>, rate: robotsc::record::RequestRate) -> PyResult<Bound<'py, PyAny>> {
    let window = rate.window.map(|window| (window.start, window.end));
    make(py, "RequestRate", (rate.documents, rate.period.as_secs(), window))
}
