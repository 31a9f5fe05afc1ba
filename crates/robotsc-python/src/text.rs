//! Texts of callers: `str`, or `bytes` where a URL or a body can hold any bytes, and what stands for them.

use std::borrow::Cow;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};

use crate::errors::{RobotsError, url_error};

/// Returns the name of an object's type, for messages.
pub(crate) fn type_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "an object".to_owned(), |name| name.to_string())
}

/// Returns the bytes of a URL, borrowed from the object if it is `str` or `bytes`.
///
/// # Errors
/// `TypeError` if it is neither, nor a URL of another package; `UrlError` if it holds a lone surrogate.
#[inline]
pub(crate) fn url<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(text) = object.cast::<PyString>() {
        let text = text.to_str().map(|text| Cow::Borrowed(text.as_bytes()));
        return text.map_err(|_| url_error(object.py(), SURROGATE.to_owned(), None, None));
    }
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Cow::Borrowed(bytes.as_bytes()));
    }
    match other_text(object)? {
        Some(Text::Bytes(bytes)) => Ok(Cow::Owned(bytes.as_bytes().to_vec())),
        Some(Text::Text(text)) => Ok(Cow::Owned(text.to_str()?.as_bytes().to_vec())),
        None => Err(PyTypeError::new_err(format!("a URL is a str or bytes, not {}", type_name(object)))),
    }
}

/// What is said of a `str` that has no UTF-8 form.
pub(crate) const SURROGATE: &str =
    "the URL holds a lone surrogate, which has no UTF-8 form: pass the bytes that it was decoded from";

/// What stands for a text.
pub(crate) enum Text<'py> {
    /// The bytes of a `bytearray` or a `memoryview`.
    Bytes(Bound<'py, PyBytes>),
    /// The text of a URL of another package.
    Text(Bound<'py, PyString>),
}

/// Reads what stands for a URL and is neither `str` nor `bytes`: `bytearray`, `memoryview`, the results of
/// `urllib.parse`, and objects of a class that is called a URL, such as those of yarl, httpx and pydantic.
pub(crate) fn other_text<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Text<'py>>> {
    if let Some(bytes) = buffer(object)? {
        return Ok(Some(Text::Bytes(bytes)));
    }
    let class = object.get_type();
    let mut is_url = false;
    for base in class.mro() {
        let name = base.getattr("__name__")?.str()?.to_string_lossy().to_ascii_lowercase();
        if matches!(&*name, "splitresult" | "parseresult" | "splitresultbytes" | "parseresultbytes") {
            let url = object.call_method0("geturl")?;
            return Ok(match url.cast_into::<PyString>() {
                Ok(text) => Some(Text::Text(text)),
                Err(other) => other.into_inner().cast_into::<PyBytes>().ok().map(Text::Bytes),
            });
        }
        is_url |= name.ends_with("url") || name == "furl";
    }
    is_url.then(|| object.str().map(Text::Text)).transpose()
}

/// Returns the bytes of a `bytearray` or a `memoryview`.
fn buffer<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    if object.is_instance_of::<PyByteArray>() || object.is_instance_of::<PyMemoryView>() {
        let bytes = object.py().get_type::<PyBytes>().call1((object,))?;
        return Ok(Some(bytes.cast_into()?));
    }
    Ok(None)
}

/// Returns the bytes of a robots.txt.
///
/// # Errors
/// `TypeError` if it is neither `bytes` nor `str`, `RobotsError` if it holds a lone surrogate.
pub(crate) fn body<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Cow::Borrowed(bytes.as_bytes()));
    }
    if let Some(bytes) = buffer(object)? {
        return Ok(Cow::Owned(bytes.as_bytes().to_vec()));
    }
    let Ok(text) = object.cast::<PyString>() else {
        let name = type_name(object);
        let way_out = if object.hasattr("read_bytes")? {
            ": pass path.read_bytes()"
        } else if object.hasattr("read")? {
            ": pass file.read()"
        } else {
            ""
        };
        return Err(PyTypeError::new_err(format!("a robots.txt is bytes or a str, not {name}{way_out}")));
    };
    text.to_str().map(|text| Cow::Borrowed(text.as_bytes())).map_err(|_| {
        RobotsError::new_err(
            "the robots.txt holds a lone surrogate, which has no UTF-8 form: pass the bytes that were fetched",
        )
    })
}
