//! Many URLs, as callers have them: lists, numpy arrays, Series, and anything that exports Arrow arrays.
//!
//! ```text
//! list of str          references to the strings   ┐
//! numpy, pandas        the same, through tolist()  ├─ 1,024 slices at a time → codes → an answer of the same kind
//! Arrow, polars        the arrays as they are      ┘
//! ```
//!
//! The interpreter lock is released once for a call, while the URLs are answered. Strings stay alive meanwhile, because
//! a reference to each is held; Arrow arrays are immutable.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, NullArray};
use arrow_schema::DataType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBytes, PyFloat, PyList, PyString, PyTuple};
use pyo3_arrow::input::AnyArray;

use crate::answers::{Answers, Form, Kind};
use crate::judge::{Judge, OnError, Run, Signals};
use crate::storage::{Item, Storage};
use crate::text::{self, type_name};

/// The URLs of a call.
#[derive(Debug)]
pub(crate) struct Urls<'py> {
    storage: Storage,
    kind: Kind<'py>,
}

impl<'py> Urls<'py> {
    /// Reads the argument of a batch.
    ///
    /// # Errors
    /// `TypeError` if it is no list, tuple, array, index or Series of URLs.
    pub(crate) fn extract(urls: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(list) = urls.cast::<PyList>() {
            return Ok(Self { storage: Storage::Items(items(list.iter())?), kind: Kind::List });
        }
        if let Ok(tuple) = urls.cast::<PyTuple>() {
            return Ok(Self { storage: Storage::Items(items(tuple.iter())?), kind: Kind::Tuple });
        }
        if is_a(urls, "numpy", "ndarray")? {
            let dimensions: usize = urls.getattr("ndim")?.extract()?;
            if dimensions != 1 {
                return Err(PyTypeError::new_err(format!("the array of URLs has {dimensions} dimensions, not one")));
            }
            return Self::of_list(urls, Kind::Numpy);
        }
        if is_a(urls, "pandas", "Series")? {
            let kind = Kind::Pandas(urls.getattr("index")?);
            let dtype = urls.getattr("dtype")?.str()?.to_string_lossy().into_owned();
            // A sparse column exports no array.
            if dtype == "object"
                || dtype.starts_with("Sparse")
                || !is_loaded(urls.py(), "pyarrow")?
                || !urls.hasattr("__arrow_c_stream__")?
            {
                return Self::of_list(urls, kind);
            }
            return Ok(Self { storage: Storage::Arrays(arrays(urls)?.0), kind });
        }
        // An index has no index, and `Series.array` has none either: a mask of numpy selects from both.
        if is_a(urls, "pandas", "Index")? || is_extension_array(urls)? {
            return Self::of_list(urls, Kind::Numpy);
        }
        // An array of objects of Python is none of Arrow.
        if is_a(urls, "polars", "Series")? && urls.getattr("dtype")?.str()? == "Object" {
            let list = urls.call_method0("to_list")?;
            let storage = Storage::Items(items(list.cast::<PyList>()?.iter())?);
            return Ok(Self { storage, kind: Kind::Polars(urls.getattr("name")?) });
        }
        if urls.hasattr("__arrow_c_array__")? || urls.hasattr("__arrow_c_stream__")? {
            let (arrays, is_chunked) = arrays(urls)?;
            let kind = if is_a(urls, "polars", "Series")? {
                Kind::Polars(urls.getattr("name")?)
            } else {
                Kind::Arrow { is_chunked, is_pyarrow: is_loaded(urls.py(), "pyarrow")? && is_of(urls, "pyarrow")? }
            };
            return Ok(Self { storage: Storage::Arrays(arrays), kind });
        }
        let name = type_name(urls);
        let is_one = matches!(&*name, "str" | "bytes" | "bytearray" | "memoryview") || name.ends_with("URL");
        let way_out = if is_one { "for one URL use is_allowed" } else { "make a list of it" };
        Err(PyTypeError::new_err(format!(
            "URLs are a list, a tuple, a numpy array, a Series, an Index or an Arrow array, not {name}: {way_out}"
        )))
    }

    fn of_list(urls: &Bound<'py, PyAny>, kind: Kind<'py>) -> PyResult<Self> {
        let list = urls.call_method0("tolist")?;
        Ok(Self { storage: Storage::Items(items(list.cast::<PyList>()?.iter())?), kind })
    }

    /// Returns the number of URLs.
    pub(crate) fn len(&self) -> usize {
        match &self.storage {
            Storage::Items(items) => items.len(),
            Storage::Arrays(arrays) => arrays.iter().map(|array| array.len()).sum(),
        }
    }

    /// Answers for all URLs, with the interpreter lock released. Returns what was collected, where each Arrow array
    /// ends, and what the URLs came in.
    ///
    /// # Errors
    /// `UrlError` that names the index of the first URL without an answer, unless they become null.
    pub(crate) fn judged<J: Judge + Sync>(
        self,
        py: Python<'py>,
        judge: &J,
        on_error: OnError,
    ) -> PyResult<(J::Out, Vec<usize>, Kind<'py>)> {
        let Self { storage, kind } = self;
        let (run, storage) = py.detach(move || {
            let run = Run::of(judge, &storage, on_error).map(|run| (run.out, run.ends));
            (run, storage)
        });
        drop(storage);
        let (out, ends) = run.map_err(|wrong| wrong.into_error(py))?;
        Ok((out, ends, kind))
    }

    /// As [`judged`](Self::judged), and returns codes as Python has them.
    pub(crate) fn answer<J: Judge<Out: Into<Vec<u8>>> + Sync>(
        self,
        py: Python<'py>,
        judge: &J,
        form: Form,
        on_error: OnError,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (codes, ends, kind) = self.judged(py, judge, on_error)?;
        Answers { codes: codes.into(), ends }.into_python(py, &kind, form)
    }
}

/// Reports whether a module is imported. None is imported here: an object of a module that is not cannot be passed.
pub(crate) fn is_loaded(py: Python<'_>, module: &str) -> PyResult<bool> {
    py.import("sys")?.getattr("modules")?.contains(module)
}

/// Reports whether an object is an instance of a class of a module that is imported.
pub(crate) fn is_a(object: &Bound<'_, PyAny>, module: &str, class: &str) -> PyResult<bool> {
    if !is_loaded(object.py(), module)? {
        return Ok(false);
    }
    match object.py().import(module)?.getattr(class) {
        Ok(class) => object.is_instance(&class),
        // A module of that name that is another one.
        Err(_) => Ok(false),
    }
}

/// Reports whether an object is what `Series.array` returns.
fn is_extension_array(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if !is_loaded(object.py(), "pandas.api.extensions")? {
        return Ok(false);
    }
    is_a(object, "pandas.api.extensions", "ExtensionArray")
}

/// Reports whether an object is of a class that a package defines.
fn is_of(object: &Bound<'_, PyAny>, package: &str) -> PyResult<bool> {
    let module = object.get_type().module()?;
    Ok(module.to_str()?.split('.').next() == Some(package))
}

fn items<'py>(objects: impl ExactSizeIterator<Item = Bound<'py, PyAny>>) -> PyResult<Vec<Item>> {
    let mut items = Vec::with_capacity(objects.len());
    let mut signals = Signals::new();
    for (index, object) in objects.enumerate() {
        if index % 4096 == 0 {
            signals.check()?;
        }
        items.push(match object.cast_into::<PyString>() {
            Ok(text) => PyBackedStr::try_from(text).map_or(Item::Surrogate, Item::Text),
            Err(other) => other_item(index, other.into_inner())?,
        });
    }
    Ok(items)
}

fn other_item(index: usize, object: Bound<'_, PyAny>) -> PyResult<Item> {
    if object.is_none() || object.cast::<PyFloat>().is_ok_and(|number| number.value().is_nan()) {
        return Ok(Item::Missing);
    }
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Item::Bytes(bytes.clone().into()));
    }
    // pandas.NA and pandas.NaT are not floats.
    if is_a(&object, "pandas", "NAType")? || matches!(&*type_name(&object), "NAType" | "NaTType") {
        return Ok(Item::Missing);
    }
    // Nor are the NaN of numpy's single precision and of decimals; all differ from themselves.
    if object.ne(&object).unwrap_or(false) {
        return Ok(Item::Missing);
    }
    match text::other_text(&object)? {
        Some(text::Text::Bytes(bytes)) => Ok(Item::Bytes(bytes.into())),
        Some(text::Text::Text(text)) => Ok(PyBackedStr::try_from(text).map_or(Item::Surrogate, Item::Text)),
        None => {
            Err(PyTypeError::new_err(format!("urls[{index}]: a URL is a str or bytes, not {}", type_name(&object))))
        }
    }
}

/// Imports what an object exports; strings in dictionaries are unpacked.
fn arrays(urls: &Bound<'_, PyAny>) -> PyResult<(Vec<ArrayRef>, bool)> {
    let (chunks, is_chunked) = import(urls)?;
    Ok((chunks.into_iter().map(|array| unpacked(array, "URLs")).collect::<PyResult<_>>()?, is_chunked))
}

/// Imports the arrays that an object exports, and reports whether it exports a stream of them.
///
/// # Errors
/// `TypeError` if it breaks the protocol.
pub(crate) fn import(urls: &Bound<'_, PyAny>) -> PyResult<(Vec<ArrayRef>, bool)> {
    // polars exports a column of nulls with a buffer, which the protocol does not have for them.
    let cast = match is_a(urls, "polars", "Series")? && urls.getattr("dtype")?.str()? == "Null" {
        true => Some(urls.call_method1("cast", (urls.py().import("polars")?.getattr("String")?,))?),
        false => None,
    };
    let urls = cast.as_ref().unwrap_or(urls);
    // The import panics on capsules that break the protocol, such as one that was consumed before.
    let imported = catch_unwind(AssertUnwindSafe(|| match urls.extract::<AnyArray>()? {
        AnyArray::Array(array) => Ok((vec![array.into_inner().0], false)),
        stream => Ok::<_, PyErr>((stream.into_chunked_array()?.into_inner().0, true)),
    }));
    let broken = |cause: &str| {
        let name = type_name(urls);
        PyTypeError::new_err(format!("{name} breaks the Arrow PyCapsule protocol: its array cannot be read{cause}"))
    };
    match imported {
        // What the import says has no class of its own; what the exporter raises has.
        Ok(Err(error)) if error.get_type(urls.py()).name()? == "Exception" => {
            Err(broken(&format!(": {}", error.value(urls.py()))))
        }
        Ok(imported) => imported,
        Err(_) => Err(broken("")),
    }
}

/// Reports whether no value of an array is there: all are null or NaN. Such a column has any type.
fn is_missing(array: &ArrayRef) -> PyResult<bool> {
    let missing = match array.data_type() {
        DataType::Float16 | DataType::Float32 | DataType::Float64 => {
            let numbers = arrow_cast::cast(array, &DataType::Float64);
            let numbers = numbers.map_err(|error| PyTypeError::new_err(error.to_string()))?;
            numbers.as_primitive::<Float64Type>().iter().flatten().all(f64::is_nan)
        }
        _ => array.logical_null_count() == array.len(),
    };
    Ok(missing)
}

/// Returns an array of strings, binary or nulls: dictionaries and runs are unpacked. A column of another type in which
/// all is missing is one of nulls.
///
/// # Errors
/// `TypeError` for other arrays; `what` is what they should hold.
pub(crate) fn unpacked(array: ArrayRef, what: &str) -> PyResult<ArrayRef> {
    let value = match array.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => return Ok(array),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => return Ok(array),
        _ if is_missing(&array)? => return Ok(Arc::new(NullArray::new(array.len()))),
        DataType::Dictionary(_, value) => &**value,
        DataType::RunEndEncoded(_, values) => values.data_type(),
        DataType::Struct(fields) => {
            let count = fields.len();
            return Err(PyTypeError::new_err(format!(
                "{what} are one column, not a table or a struct of {count}: pass the column that holds them"
            )));
        }
        other => {
            return Err(PyTypeError::new_err(format!(
                "{what} are an Arrow array of strings or binary, not of {other}: pass the column that holds them"
            )));
        }
    };
    unpacked(arrow_cast::cast(&array, value).map_err(|error| PyTypeError::new_err(error.to_string()))?, what)
}
