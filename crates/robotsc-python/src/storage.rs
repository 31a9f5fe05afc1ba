//! The texts of many URLs, kept alive while they are answered.

use arrow_array::ArrayRef;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};

/// A URL of a list, kept alive.
#[derive(Debug)]
pub(crate) enum Item {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
    /// `None`, or NaN, which pandas writes for it.
    Missing,
    /// A `str` with a lone surrogate.
    Surrogate,
}

#[derive(Debug)]
pub(crate) enum Storage {
    Items(Vec<Item>),
    Arrays(Vec<ArrayRef>),
}
