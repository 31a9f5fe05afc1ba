//! Answers for many URLs, in the form in which the URLs came.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, StringBuilder};
use arrow_array::{ArrayRef, BooleanArray};
use arrow_buffer::BooleanBuffer;
use arrow_schema::{DataType, Field};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyDict, PyList, PyTuple};
use pyo3_arrow::{PyArray, PyChunkedArray};

use crate::results::verdicts;

/// The code of a URL that has no answer.
pub(crate) const NULL: u8 = u8::MAX;

/// What the codes mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// 0 is `False`, 1 is `True`.
    Mask,
    /// Numbers in [`VERDICTS`].
    Verdicts,
}

/// The names of verdicts, at the places of their codes.
pub(crate) const VERDICTS: [&str; 3] = ["allowed", "disallowed", "unknown"];

/// What the URLs came in, and the answers go out in.
#[derive(Debug)]
pub(crate) enum Kind<'py> {
    List,
    Tuple,
    Numpy,
    /// With the index of the Series.
    Pandas(Bound<'py, PyAny>),
    /// With the name of the Series.
    Polars(Bound<'py, PyAny>),
    Arrow {
        is_chunked: bool,
        is_pyarrow: bool,
    },
}

/// A code for each URL.
#[derive(Debug)]
pub(crate) struct Answers {
    pub(crate) codes: Vec<u8>,
    /// Where each Arrow array ends.
    pub(crate) ends: Vec<usize>,
}

impl Answers {
    /// Returns the answers as Python has them.
    pub(crate) fn into_python<'py>(self, py: Python<'py>, kind: &Kind<'py>, form: Form) -> PyResult<Bound<'py, PyAny>> {
        match kind {
            Kind::List => Ok(self.list(py, form)?.into_any()),
            Kind::Tuple => Ok(PyTuple::new(py, self.list(py, form)?.iter())?.into_any()),
            Kind::Numpy => self.numpy(py, form),
            Kind::Pandas(index) => {
                let options = PyDict::new(py);
                options.set_item("index", index)?;
                let values = match form {
                    // The dtype of pandas that knows missing values; other masks are those of numpy.
                    Form::Mask if self.has_nulls() => {
                        options.set_item("dtype", "boolean")?;
                        self.list(py, form)?.into_any()
                    }
                    _ => self.numpy(py, form)?,
                };
                py.import("pandas")?.getattr("Series")?.call((values,), Some(&options))
            }
            Kind::Polars(name) => {
                let array = PyArray::from_array_ref(self.arrow(0, self.codes.len(), form));
                py.import("polars")?.getattr("Series")?.call1((array,))?.call_method1("rename", (name,))
            }
            Kind::Arrow { is_chunked: true, is_pyarrow } => {
                let mut start = 0;
                let mut chunks = Vec::with_capacity(self.ends.len());
                for end in &self.ends {
                    chunks.push(self.arrow(start, *end, form));
                    start = *end;
                }
                let field = Field::new("", form.data_type(), true);
                let array = PyChunkedArray::try_new(chunks, Arc::new(field))?;
                if *is_pyarrow { array.into_pyarrow(py) } else { Ok(array.into_pyobject(py)?.into_any()) }
            }
            Kind::Arrow { is_chunked: false, is_pyarrow } => {
                let array = PyArray::from_array_ref(self.arrow(0, self.codes.len(), form));
                if *is_pyarrow {
                    py.import("pyarrow")?.call_method1("array", (array,))
                } else {
                    Ok(array.into_pyobject(py)?.into_any())
                }
            }
        }
    }

    fn has_nulls(&self) -> bool {
        self.codes.contains(&NULL)
    }

    fn list<'py>(&self, py: Python<'py>, form: Form) -> PyResult<Bound<'py, PyList>> {
        let null = py.None().into_bound(py);
        let objects: Vec<Bound<'py, PyAny>> = match form {
            Form::Mask => [false, true].map(|answer| PyBool::new(py, answer).to_owned().into_any()).into(),
            Form::Verdicts => verdicts(py)?.iter().map(|verdict| verdict.bind(py).clone()).collect(),
        };
        PyList::new(py, self.codes.iter().map(|code| objects.get(usize::from(*code)).unwrap_or(&null)))
    }

    fn numpy<'py>(&self, py: Python<'py>, form: Form) -> PyResult<Bound<'py, PyAny>> {
        let numpy = py.import("numpy")?;
        if form == Form::Mask && !self.has_nulls() {
            return numpy.call_method1("frombuffer", (PyByteArray::new(py, &self.codes), "bool"));
        }
        numpy.call_method1("array", (self.list(py, form)?, "object"))
    }

    /// Returns a part of the answers as an Arrow array.
    fn arrow(&self, start: usize, end: usize, form: Form) -> ArrayRef {
        let codes = self.codes.get(start..end).unwrap_or_default();
        match form {
            Form::Mask if !codes.contains(&NULL) => {
                Arc::new(BooleanArray::new(BooleanBuffer::collect_bool(codes.len(), |at| codes[at] == 1), None))
            }
            Form::Mask => {
                let mut mask = BooleanBuilder::with_capacity(codes.len());
                for code in codes {
                    mask.append_option((*code != NULL).then_some(*code == 1));
                }
                Arc::new(mask.finish())
            }
            Form::Verdicts => {
                let mut names = StringBuilder::with_capacity(codes.len(), codes.len() * VERDICTS[0].len());
                for code in codes {
                    names.append_option(VERDICTS.get(usize::from(*code)));
                }
                Arc::new(names.finish())
            }
        }
    }
}

impl Form {
    const fn data_type(self) -> DataType {
        match self {
            Self::Mask => DataType::Boolean,
            Self::Verdicts => DataType::Utf8,
        }
    }
}
