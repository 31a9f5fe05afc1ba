//! Dialects by their names.

use std::sync::LazyLock;

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

/// Returns the dialect that takes refusals and bodies that are no robots.txt for failures, and is otherwise equal.
pub(crate) fn cautious(dialect: &'static Dialect) -> &'static Dialect {
    static CAUTIOUS: LazyLock<Vec<Dialect>> = LazyLock::new(|| {
        let all = Dialect::ALL.iter();
        all.map(|dialect| Dialect { fetch: dialect.fetch.cautious(), ..(*dialect).clone() }).collect()
    });
    CAUTIOUS.iter().find(|cautious| cautious.name == dialect.name).unwrap_or(dialect)
}
