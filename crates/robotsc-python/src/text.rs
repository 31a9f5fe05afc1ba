//! Texts of callers: `str`, or `bytes` where a URL or a body can hold any bytes.

use std::fmt::Write as _;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::errors::{RobotsError, UrlError};

/// The maximum number of bytes of a wrong URL that a message shows.
const SHOWN: usize = 80;

/// Returns the name of an object's type, for messages.
pub(crate) fn type_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "an object".to_owned(), |name| name.to_string())
}

/// Returns the bytes of a URL, borrowed from the object.
///
/// # Errors
/// `TypeError` if it is neither `str` nor `bytes`, `UrlError` if it holds a lone surrogate.
#[inline]
pub(crate) fn url<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<&'a [u8]> {
    if let Ok(text) = object.cast::<PyString>() {
        return text.to_str().map(str::as_bytes).map_err(|_| UrlError::new_err(SURROGATE));
    }
    match object.cast::<PyBytes>() {
        Ok(bytes) => Ok(bytes.as_bytes()),
        Err(_) => Err(PyTypeError::new_err(format!("a URL is a str or bytes, not {}", type_name(object)))),
    }
}

/// What is said of a `str` that has no UTF-8 form.
pub(crate) const SURROGATE: &str =
    "the URL holds a lone surrogate, which has no UTF-8 form: pass the bytes that it was decoded from";

/// Returns the bytes of a robots.txt.
///
/// # Errors
/// `TypeError` if it is neither `str` nor `bytes`, `RobotsError` if it holds a lone surrogate.
pub(crate) fn body<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<&'a [u8]> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(bytes.as_bytes());
    }
    let Ok(text) = object.cast::<PyString>() else {
        let name = type_name(object);
        return Err(PyTypeError::new_err(format!("a robots.txt is bytes or a str, not {name}")));
    };
    text.to_str().map(str::as_bytes).map_err(|_| {
        RobotsError::new_err(
            "the robots.txt holds a lone surrogate, which has no UTF-8 form: pass the bytes that were fetched",
        )
    })
}

/// Returns the beginning of a URL for a message, in quotes.
pub(crate) fn shown(url: &[u8]) -> String {
    let mut text = String::from("'");
    let end = url.len().min(SHOWN);
    // Writing to a string never fails.
    let _ = write!(text, "{}", url[..end].escape_ascii());
    text.push_str(if end < url.len() { "…'" } else { "'" });
    text
}
