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

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray as _;
use arrow_array::types::GenericStringType;
use arrow_array::{Array, ArrayRef, OffsetSizeTrait};
use arrow_schema::DataType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyFloat, PyList, PyString, PyTuple};
use pyo3_arrow::PyArray;
use pyo3_arrow::input::AnyArray;
use robotsc::origin::Origin;

use crate::answers::{Answers, Form, Kind, NULL};
use crate::errors::UrlError;
use crate::text::{SURROGATE, shown, type_name};

/// The number of URLs that are answered together: their slices and codes stay in the first-level cache.
const CHUNK: usize = 1024;

/// Answers for many URLs.
pub(crate) trait Judge {
    /// Appends a code for each URL: [`NULL`] for one that has no answer. Returns the first of these, with the reason.
    ///
    /// `first` is the index of the first of these URLs in the call.
    fn judge(&self, first: usize, urls: &[&[u8]], codes: &mut Vec<u8>) -> Option<(usize, String)>;
}

/// What to do about a URL that has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnError {
    /// Raise, and name the index.
    Raise,
    /// Answer `None`, or null.
    Null,
}

impl OnError {
    /// Reads the argument `errors`.
    ///
    /// # Errors
    /// `ValueError` if it is neither `raise` nor `null`.
    pub(crate) fn named(name: &str) -> PyResult<Self> {
        match name {
            "raise" => Ok(Self::Raise),
            "null" => Ok(Self::Null),
            _ => Err(crate::errors::RobotsError::new_err(format!("errors is 'raise' or 'null', not {name:?}"))),
        }
    }
}

/// A URL of a list, kept alive.
#[derive(Debug)]
enum Item {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
    /// `None`, or NaN, which pandas writes for it.
    Missing,
    /// A `str` with a lone surrogate.
    Surrogate,
}

#[derive(Debug)]
enum Storage {
    Items(Vec<Item>),
    Arrays(Vec<ArrayRef>),
}

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
    /// `TypeError` if it is no list, tuple, array or Series of `str` or `bytes`.
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
            let is_object = urls.getattr("dtype")?.str()? == "object";
            if is_object || !is_loaded(urls.py(), "pyarrow")? || !urls.hasattr("__arrow_c_stream__")? {
                return Self::of_list(urls, kind);
            }
            return Ok(Self { storage: Storage::Arrays(arrays(urls)?.0), kind });
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
        let way_out = if name == "str" || name == "bytes" { "for one URL use is_allowed" } else { "make a list of it" };
        Err(PyTypeError::new_err(format!(
            "URLs are a list, a tuple, a numpy array, a Series or an Arrow array, not {name}: {way_out}"
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

    /// Answers for all URLs, with the interpreter lock released.
    ///
    /// # Errors
    /// `UrlError` that names the index of the first URL without an answer, unless they become null.
    pub(crate) fn answer(
        self,
        py: Python<'py>,
        judge: &(impl Judge + Sync),
        form: Form,
        on_error: OnError,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Self { storage, kind } = self;
        let (answers, storage) = py.detach(move || (judge_all(&storage, judge, on_error), storage));
        drop(storage);
        answers.map_err(UrlError::new_err)?.into_python(py, &kind, form)
    }
}

impl<'py> Urls<'py> {
    /// Returns the origins of all URLs, with the interpreter lock released; null for what has none.
    pub(crate) fn origins(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Self { storage, .. } = self;
        let (origins, storage) = py.detach(move || {
            let origins = Origins(RefCell::new(StringBuilder::new()));
            let mut run =
                Run { judge: &origins, on_error: OnError::Null, codes: Vec::new(), first: 0, ends: Vec::new() };
            // Under `Null` nothing is an error.
            let _ = run.storage(&storage);
            (Arc::new(origins.0.into_inner().finish()), storage)
        });
        drop(storage);
        if is_loaded(py, "pyarrow")? {
            return py.import("pyarrow")?.call_method1("array", (PyArray::from_array_ref(origins),));
        }
        Ok(PyArray::from_array_ref(origins).into_pyobject(py)?.into_any())
    }
}

/// Collects the origins of URLs.
struct Origins(RefCell<StringBuilder>);

impl Judge for Origins {
    fn judge(&self, _: usize, urls: &[&[u8]], _: &mut Vec<u8>) -> Option<(usize, String)> {
        let mut origins = self.0.borrow_mut();
        for url in urls {
            origins.append_option(Origin::of_url(url).ok().as_ref().map(Origin::as_str));
        }
        None
    }
}

/// Reports whether a module is imported. None is imported here: an object of a module that is not cannot be passed.
fn is_loaded(py: Python<'_>, module: &str) -> PyResult<bool> {
    py.import("sys")?.getattr("modules")?.contains(module)
}

/// Reports whether an object is an instance of a class of a module that is imported.
fn is_a(object: &Bound<'_, PyAny>, module: &str, class: &str) -> PyResult<bool> {
    if !is_loaded(object.py(), module)? {
        return Ok(false);
    }
    match object.py().import(module)?.getattr(class) {
        Ok(class) => object.is_instance(&class),
        // A module of that name that is another one.
        Err(_) => Ok(false),
    }
}

/// Reports whether an object is of a class that a package defines.
fn is_of(object: &Bound<'_, PyAny>, package: &str) -> PyResult<bool> {
    let module = object.get_type().module()?;
    Ok(module.to_str()?.split('.').next() == Some(package))
}

fn items<'py>(objects: impl ExactSizeIterator<Item = Bound<'py, PyAny>>) -> PyResult<Vec<Item>> {
    let mut items = Vec::with_capacity(objects.len());
    for (index, object) in objects.enumerate() {
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
    // pandas.NA is not a float.
    if is_a(&object, "pandas", "NAType")? || type_name(&object) == "NAType" {
        return Ok(Item::Missing);
    }
    Err(PyTypeError::new_err(format!("urls[{index}]: a URL is a str or bytes, not {}", type_name(&object))))
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
    // The import panics on capsules that break the protocol, such as one that was consumed before.
    let imported = catch_unwind(AssertUnwindSafe(|| match urls.extract::<AnyArray>()? {
        AnyArray::Array(array) => Ok((vec![array.into_inner().0], false)),
        stream => Ok::<_, PyErr>((stream.into_chunked_array()?.into_inner().0, true)),
    }));
    imported.unwrap_or_else(|_| {
        let name = type_name(urls);
        Err(PyTypeError::new_err(format!("{name} breaks the Arrow PyCapsule protocol: its array cannot be read")))
    })
}

/// Returns an array of strings, binary or nulls: dictionaries and runs are unpacked.
///
/// # Errors
/// `TypeError` for other arrays; `what` is what they should hold.
pub(crate) fn unpacked(array: ArrayRef, what: &str) -> PyResult<ArrayRef> {
    let value = match array.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => return Ok(array),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => return Ok(array),
        DataType::Dictionary(_, value) => &**value,
        DataType::RunEndEncoded(_, values) => values.data_type(),
        other => {
            return Err(PyTypeError::new_err(format!(
                "{what} are an Arrow array of strings or binary, not of {other}: pass the column that holds them"
            )));
        }
    };
    unpacked(arrow_cast::cast(&array, value).map_err(|error| PyTypeError::new_err(error.to_string()))?, what)
}

/// Answers for all URLs, or says which has no answer.
fn judge_all(storage: &Storage, judge: &impl Judge, on_error: OnError) -> Result<Answers, String> {
    let mut run = Run { judge, on_error, codes: Vec::new(), first: 0, ends: Vec::new() };
    run.storage(storage)?;
    Ok(Answers { codes: run.codes, ends: run.ends })
}

/// The state of a call.
struct Run<'j, J> {
    judge: &'j J,
    on_error: OnError,
    codes: Vec<u8>,
    /// The index of the first URL of the chunk.
    first: usize,
    /// Where each Arrow array ends.
    ends: Vec<usize>,
}

impl<J: Judge> Run<'_, J> {
    fn storage(&mut self, storage: &Storage) -> Result<(), String> {
        match storage {
            Storage::Items(items) => self.items(items),
            Storage::Arrays(arrays) => arrays.iter().try_for_each(|array| {
                self.array(array)?;
                self.ends.push(self.codes.len());
                Ok(())
            }),
        }
    }

    fn items(&mut self, items: &[Item]) -> Result<(), String> {
        self.codes.reserve_exact(items.len());
        let mut slices: Vec<&[u8]> = Vec::with_capacity(CHUNK);
        for chunk in items.chunks(CHUNK) {
            slices.clear();
            slices.extend(chunk.iter().map(|item| match item {
                Item::Text(text) => text.as_bytes(),
                Item::Bytes(bytes) => bytes,
                // No URL is empty: these have no answer.
                Item::Missing | Item::Surrogate => b"",
            }));
            self.chunk(&slices, |index| match chunk.get(index) {
                Some(Item::Missing) => Some(MISSING),
                Some(Item::Surrogate) => Some(SURROGATE),
                _ => None,
            })?;
        }
        Ok(())
    }

    fn array(&mut self, array: &ArrayRef) -> Result<(), String> {
        match array.data_type() {
            DataType::Utf8 => self.offsets(array.as_bytes::<GenericStringType<i32>>()),
            DataType::LargeUtf8 => self.offsets(array.as_bytes::<GenericStringType<i64>>()),
            DataType::Binary => self.offsets(array.as_binary::<i32>()),
            DataType::LargeBinary => self.offsets(array.as_binary::<i64>()),
            DataType::Utf8View => {
                let views = array.as_string_view();
                self.values(array, |index| views.value(index).as_bytes())
            }
            DataType::BinaryView => {
                let views = array.as_binary_view();
                self.values(array, |index| views.value(index))
            }
            // Of no other type than null: `arrays` refuses it.
            _ => self.values(array, |_| b""),
        }
    }

    fn offsets<T: arrow_array::types::ByteArrayType>(
        &mut self,
        array: &arrow_array::GenericByteArray<T>,
    ) -> Result<(), String>
    where
        T::Offset: OffsetSizeTrait,
    {
        self.values(array, |index| AsRef::<[u8]>::as_ref(array.value(index)))
    }

    fn values<'a>(&mut self, array: &dyn Array, value: impl Fn(usize) -> &'a [u8]) -> Result<(), String> {
        self.codes.reserve_exact(array.len());
        let nulls = array.logical_nulls();
        let is_null = |index: usize| nulls.as_ref().is_some_and(|nulls| nulls.is_null(index));
        let mut slices: Vec<&[u8]> = Vec::with_capacity(CHUNK);
        for start in (0..array.len()).step_by(CHUNK) {
            let end = array.len().min(start + CHUNK);
            slices.clear();
            // Whatever lies under a null is no URL.
            slices.extend((start..end).map(|index| if is_null(index) { b"" } else { value(index) }));
            self.chunk(&slices, |index| is_null(start + index).then_some(MISSING))?;
        }
        Ok(())
    }

    /// Answers for a chunk. `reason` says why a URL of it has no text.
    fn chunk(&mut self, urls: &[&[u8]], reason: impl Fn(usize) -> Option<&'static str>) -> Result<(), String> {
        let wrong = self.judge.judge(self.first, urls, &mut self.codes);
        if let (Some((index, message)), OnError::Raise) = (wrong, self.on_error) {
            let at = self.first + index;
            return Err(match reason(index) {
                Some(reason) => format!("urls[{at}]: {reason}"),
                None => format!("urls[{at}]: {}: {message}", shown(urls.get(index).copied().unwrap_or_default())),
            });
        }
        self.first += urls.len();
        Ok(())
    }
}

/// What is said of `None`, NaN and null.
const MISSING: &str = "there is no URL: drop missing values, or pass errors='null'";

/// Appends the code of an answer, or notes the first URL without one.
pub(crate) fn push<E: std::fmt::Display>(
    codes: &mut Vec<u8>,
    first_wrong: &mut Option<(usize, String)>,
    index: usize,
    code: Result<u8, E>,
) {
    codes.push(code.unwrap_or_else(|error| {
        first_wrong.get_or_insert_with(|| (index, error.to_string()));
        NULL
    }));
}
