//! The classes of answers, which `robotsc/_results.py` and `robotsc/_types.py` define.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Makes an answer: an object of a class of `robotsc._results`.
pub(crate) fn make<'py>(
    py: Python<'py>,
    class: &'static str,
    fields: impl PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("robotsc._results")?.getattr(class)?.call1(fields)
}

/// Returns the verdicts of Python: `allowed`, `disallowed` and `unknown`, at the places of their codes.
pub(crate) fn verdicts(py: Python<'_>) -> PyResult<&'static [Py<PyAny>; 3]> {
    static VERDICTS: PyOnceLock<[Py<PyAny>; 3]> = PyOnceLock::new();
    let verdicts = VERDICTS.get_or_try_init(py, || {
        let class = py.import("robotsc._types")?.getattr("Verdict")?;
        let one = |name: &str| class.getattr(name).map(Bound::unbind);
        Ok::<_, PyErr>([one("ALLOWED")?, one("DISALLOWED")?, one("UNKNOWN")?])
    })?;
    // They live as long as the process.
    Ok(verdicts)
}
