//! Arguments that are numbers or paths: each error names the argument and what to pass.

use std::path::PathBuf;

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::errors::RobotsError;
use crate::text::type_name;

/// The argument `now`: seconds since 1970.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now(pub(crate) f64);

impl<'py> FromPyObject<'_, 'py> for Now {
    type Error = PyErr;

    fn extract(now: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match now.extract::<f64>() {
            Ok(seconds) => Ok(Self(seconds)),
            // As any other time that is too late.
            Err(error) if error.is_instance_of::<PyOverflowError>(now.py()) => Ok(Self(f64::INFINITY)),
            Err(_) => {
                let name = type_name(&now);
                let way_out = if now.hasattr("timestamp")? { ": pass timestamp() of a time with a zone" } else { "" };
                Err(PyTypeError::new_err(format!("now is a number of seconds since 1970, not {name}{way_out}")))
            }
        }
    }
}

/// The argument `status`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Status(pub(crate) u16);

impl<'py> FromPyObject<'_, 'py> for Status {
    type Error = PyErr;

    fn extract(status: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let number = whole(&status, "status")?;
        match number.and_then(|number| u16::try_from(number).ok()) {
            Some(number @ 100..=999) => Ok(Self(number)),
            _ => Err(RobotsError::new_err(format!("status is from 100 to 999, not {}", status.str()?))),
        }
    }
}

/// Reads the argument `redirects`: more than 255 are as many as no dialect follows.
///
/// # Errors
/// `TypeError` if it is no integer, `RobotsError` if it is negative.
pub(crate) fn redirects(redirects: &Bound<'_, PyAny>) -> PyResult<u8> {
    match whole(redirects, "redirects")? {
        Some(number) if number >= 0 => Ok(number.min(u8::MAX.into()) as u8),
        _ => Err(RobotsError::new_err(format!("redirects is a number from 0, not {}", redirects.str()?))),
    }
}

/// Returns an integer; `None` if it has more than 64 bits.
fn whole(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<i64>> {
    match object.extract::<i64>() {
        Ok(number) => Ok(Some(number)),
        Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => Ok(None),
        Err(_) => Err(PyTypeError::new_err(format!("{name} is an int, not {}", type_name(object)))),
    }
}

/// The argument `path`.
#[derive(Debug)]
pub(crate) struct PackPath(pub(crate) PathBuf);

impl<'py> FromPyObject<'_, 'py> for PackPath {
    type Error = PyErr;

    fn extract(path: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        path.extract().map(Self).map_err(|_| {
            PyTypeError::new_err(format!("path is a str or an os.PathLike of str, not {}", type_name(&path)))
        })
    }
}
