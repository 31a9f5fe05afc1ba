//! Origins of URLs.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use pyo3::prelude::*;
use pyo3_arrow::PyArray;
use robotsc::origin::Origin;

use crate::errors::origin_error;
use crate::judge::{Judge, OnError};
use crate::text;
use crate::urls::{Urls, is_loaded};

/// Returns the canonical origin of a URL: scheme, host and port. A robots.txt is that of an origin.
///
/// Raises ``UrlError`` if it is no http, https or ftp URL.
///
/// >>> robotsc.origin_of("HTTPS://Shop.example:443/cart")
/// 'https://shop.example'
#[pyfunction]
#[pyo3(signature = (url, /))]
pub(crate) fn origin_of(url: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(of_url(url)?.to_string())
}

/// Returns the canonical origin of each of many URLs, as an Arrow array of strings; null for what has none.
///
/// Takes the forms of ``Matcher.allowed``. The array is pyarrow's if pyarrow is imported. Raises ``TypeError`` for what
/// is no column of URLs. Other threads run meanwhile.
///
/// >>> import pyarrow
/// >>> robotsc.origins_of(["https://shop.example/cart", "mailto:me@shop.example"]).to_pylist()
/// ['https://shop.example', None]
#[pyfunction]
#[pyo3(signature = (urls, /))]
pub(crate) fn origins_of<'py>(urls: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = urls.py();
    // Under `Null` nothing is an error.
    let (mut origins, _, _) = Urls::extract(urls)?.judged(py, &Origins, OnError::Null)?;
    let origins = PyArray::from_array_ref(Arc::new(origins.finish()));
    if is_loaded(py, "pyarrow")? {
        return py.import("pyarrow")?.call_method1("array", (origins,));
    }
    Ok(origins.into_pyobject(py)?.into_any())
}

/// Returns the origin of a URL.
pub(crate) fn of_url(url: &Bound<'_, PyAny>) -> PyResult<Origin> {
    let text = text::url(url)?;
    Origin::of_url(&text).map_err(|error| origin_error(url.py(), error, &text))
}

/// Collects the origins of URLs.
struct Origins;

impl Judge for Origins {
    type Out = StringBuilder;

    fn judge(&self, _: usize, urls: &[&[u8]], origins: &mut StringBuilder) -> Option<(usize, String)> {
        for url in urls {
            origins.append_option(Origin::of_url(url).ok().as_ref().map(Origin::as_str));
        }
        None
    }
}
