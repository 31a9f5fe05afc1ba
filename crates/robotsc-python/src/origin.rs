//! Origins of URLs.

use pyo3::prelude::*;
use robotsc::origin::Origin;

use crate::errors::UrlError;
use crate::text;
use crate::urls::Urls;

/// Returns the canonical origin of a URL: scheme, host and port.
///
/// # Errors
/// `UrlError` if it is no http, https or ftp URL.
#[pyfunction]
#[pyo3(signature = (url, /))]
pub(crate) fn origin_of(url: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(of_url(url)?.to_string())
}

/// Returns the canonical origin of each of many URLs, as an Arrow array of strings; null for what has none.
#[pyfunction]
#[pyo3(signature = (urls, /))]
pub(crate) fn origins_of<'py>(urls: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    Urls::extract(urls)?.origins(urls.py())
}

/// Returns the origin of a URL.
pub(crate) fn of_url(url: &Bound<'_, PyAny>) -> PyResult<Origin> {
    let url = text::url(url)?;
    Origin::of_url(url).map_err(|error| UrlError::new_err(error.to_string()))
}
