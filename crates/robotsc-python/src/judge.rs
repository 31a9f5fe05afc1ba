//! Answers for many URLs, a chunk at a time, with the interpreter lock released.

use std::time::{Duration, Instant};

use arrow_array::cast::AsArray as _;
use arrow_array::types::GenericStringType;
use arrow_array::{Array, ArrayRef, OffsetSizeTrait};
use arrow_schema::DataType;
use pyo3::prelude::*;

use crate::answers::NULL;
use crate::errors::{RobotsError, url_error};
use crate::shown::shown;
use crate::storage::{Item, Storage};
use crate::text::SURROGATE;

/// The number of URLs that are answered together: their slices and codes stay in the first-level cache.
const CHUNK: usize = 1024;

/// Answers for many URLs.
pub(crate) trait Judge {
    /// What is collected.
    type Out: Default + Send;

    /// Appends the answer for each URL: [`NULL`] for one that has none. Returns the first of these, with the reason.
    ///
    /// `first` is the index of the first of these URLs in the call.
    fn judge(&self, first: usize, urls: &[&[u8]], out: &mut Self::Out) -> Option<(usize, String)>;
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
            _ => Err(RobotsError::new_err(format!("errors is 'raise' or 'null', not {name:?}"))),
        }
    }
}

/// Why a call ends without answers.
#[derive(Debug)]
pub(crate) enum Wrong {
    /// A URL has no answer.
    Url {
        /// Its place in the call.
        index: usize,
        message: String,
        /// Its bytes, if there are any.
        url: Option<Vec<u8>>,
    },
    /// A handler of a signal raised.
    Signal(PyErr),
}

impl Wrong {
    /// Returns the exception.
    pub(crate) fn into_error(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Url { index, message, url } => url_error(py, message, Some(index), url.as_deref()),
            Self::Signal(error) => error,
        }
    }
}

/// Looks for signals, such as Ctrl-C, now and then.
#[derive(Debug)]
pub(crate) struct Signals(Instant);

impl Signals {
    /// Handlers run this much after a signal at most, and the lock is taken no more often.
    pub(crate) const EVERY: Duration = Duration::from_millis(50);

    pub(crate) fn new() -> Self {
        Self(Instant::now())
    }

    /// Calls the handlers of signals that arrived, if it is time to look. The lock is taken for that.
    ///
    /// # Errors
    /// What a handler raises: `KeyboardInterrupt`.
    #[inline]
    pub(crate) fn check(&mut self) -> PyResult<()> {
        if self.0.elapsed() < Self::EVERY {
            return Ok(());
        }
        self.0 = Instant::now();
        Python::attach(|py| py.check_signals())
    }
}

/// The state of a call.
pub(crate) struct Run<'j, J: Judge> {
    judge: &'j J,
    on_error: OnError,
    pub(crate) out: J::Out,
    /// The index of the first URL of the chunk.
    first: usize,
    /// Where each Arrow array ends.
    pub(crate) ends: Vec<usize>,
    signals: Signals,
}

impl<'j, J: Judge> Run<'j, J> {
    /// Answers for all URLs, or says which has no answer.
    pub(crate) fn of(judge: &'j J, storage: &Storage, on_error: OnError) -> Result<Self, Wrong> {
        let (out, signals) = (J::Out::default(), Signals::new());
        let mut run = Self { judge, on_error, out, first: 0, ends: Vec::new(), signals };
        match storage {
            Storage::Items(items) => run.items(items)?,
            Storage::Arrays(arrays) => {
                for array in arrays {
                    run.array(array)?;
                    run.ends.push(run.first);
                }
            }
        }
        Ok(run)
    }

    fn items(&mut self, items: &[Item]) -> Result<(), Wrong> {
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

    fn array(&mut self, array: &ArrayRef) -> Result<(), Wrong> {
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
    ) -> Result<(), Wrong>
    where
        T::Offset: OffsetSizeTrait,
    {
        self.values(array, |index| AsRef::<[u8]>::as_ref(array.value(index)))
    }

    fn values<'a>(&mut self, array: &dyn Array, value: impl Fn(usize) -> &'a [u8]) -> Result<(), Wrong> {
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
    fn chunk(&mut self, urls: &[&[u8]], reason: impl Fn(usize) -> Option<&'static str>) -> Result<(), Wrong> {
        let wrong = self.judge.judge(self.first, urls, &mut self.out);
        if let (Some((at, message)), OnError::Raise) = (wrong, self.on_error) {
            let index = self.first + at;
            let url = urls.get(at).copied().unwrap_or_default();
            return Err(match reason(at) {
                Some(reason) => Wrong::Url { index, message: format!("urls[{index}]: {reason}"), url: None },
                None => {
                    let message = format!("urls[{index}]: {}: {message}", shown(url));
                    Wrong::Url { index, message, url: Some(url.to_vec()) }
                }
            });
        }
        self.first += urls.len();
        self.signals.check().map_err(Wrong::Signal)
    }
}

/// What is said of `None`, NaN and null.
const MISSING: &str = "there is no URL: drop missing values, or pass errors='null'";

/// Appends the code of an answer, or notes the first URL without one.
pub(crate) fn push<E: ToString>(
    codes: &mut Vec<u8>,
    first_wrong: &mut Option<(usize, String)>,
    index: usize,
    code: Result<u8, E>,
) {
    codes.push(code.unwrap_or_else(|error| {
        first_wrong.get_or_insert_with(|| (index, crate::errors::message(&error)));
        NULL
    }));
}
