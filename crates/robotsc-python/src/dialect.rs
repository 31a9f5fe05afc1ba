//! Dialects by their names.

use pyo3::PyResult;
use robotsc::Dialect;

use crate::errors::RobotsError;

/// Returns the dialect with a name.
///
/// # Errors
/// `RobotsError` with the known names.
pub(crate) fn by_name(name: &str) -> PyResult<&'static Dialect> {
    Dialect::by_name(name).ok_or_else(|| {
        let known: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name).collect();
        RobotsError::new_err(format!("no dialect is called {name:?}: use one of {}", known.join(", ")))
    })
}
