//! Columns of answers for many URLs, in the form in which the URLs came.

use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{Array as _, ArrayRef, DictionaryArray, Int8Array, RecordBatch, StringArray, UInt32Array};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use arrow_schema::{Field, Schema};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyList, PyString, PyTuple};
use pyo3_arrow::{PyArray, PyTable};

use crate::answers::{Kind, NULL};
use crate::errors::RobotsError;
use crate::results::verdicts;

/// A column: codes of words, or numbers.
#[derive(Debug)]
pub(crate) enum Column {
    /// Codes of verdicts; [`NULL`] for none.
    Verdicts(Vec<u8>),
    /// Codes of these words; [`NULL`] for none.
    Words(&'static [&'static str], Vec<u8>),
    /// Numbers; 0 for none.
    Lines(Vec<u32>),
}

const VERDICTS: &[&str] = &crate::answers::VERDICTS;

impl Column {
    /// Returns the column as Python has it.
    fn into_python<'py>(self, py: Python<'py>, kind: &Kind<'py>) -> PyResult<Bound<'py, PyAny>> {
        match kind {
            Kind::List => Ok(self.list(py)?.into_any()),
            Kind::Tuple => Ok(PyTuple::new(py, self.list(py)?.iter())?.into_any()),
            Kind::Numpy => self.numpy(py),
            Kind::Pandas(_) => self.pandas(py),
            Kind::Polars(_) | Kind::Arrow { .. } => {
                Ok(PyArray::from_array_ref(self.arrow()).into_pyobject(py)?.into_any())
            }
        }
    }

    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let null = py.None().into_bound(py);
        let objects: Vec<Bound<'py, PyAny>> = match self {
            Self::Verdicts(_) => verdicts(py)?.iter().map(|verdict| verdict.bind(py).clone()).collect(),
            Self::Words(words, _) => words.iter().map(|word| PyString::intern(py, word).into_any()).collect(),
            Self::Lines(lines) => {
                return PyList::new(py, lines.iter().map(|line| (*line > 0).then_some(*line)));
            }
        };
        let (Self::Verdicts(codes) | Self::Words(_, codes)) = self else { return Ok(PyList::empty(py)) };
        PyList::new(py, codes.iter().map(|code| objects.get(usize::from(*code)).unwrap_or(&null)))
    }

    fn numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("numpy")?.call_method1("array", (self.list(py)?, "object"))
    }

    /// Returns a categorical column, or integers that know missing values: neither has an object for each row.
    fn pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pandas = py.import("pandas")?;
        let numpy = py.import("numpy")?;
        let (words, codes) = match self {
            Self::Verdicts(codes) => (VERDICTS, codes),
            Self::Words(words, codes) => (*words, codes),
            Self::Lines(lines) => {
                let options = PyDict::new(py);
                options.set_item("dtype", "UInt32")?;
                return match lines.contains(&0) {
                    true => pandas.call_method("array", (self.list(py)?,), Some(&options)),
                    false => pandas.call_method("array", (lines.clone(),), Some(&options)),
                };
            }
        };
        // A code that is no place is that of a missing value, which pandas writes -1: 255 as a signed byte.
        let codes = numpy.call_method1("frombuffer", (PyByteArray::new(py, codes), "int8"))?;
        let categories = PyList::new(py, words)?;
        pandas.getattr("Categorical")?.call_method1("from_codes", (codes, categories))
    }

    /// Returns the column as an Arrow array; words in a dictionary.
    fn arrow(self) -> ArrayRef {
        let (words, codes) = match self {
            Self::Verdicts(codes) => (VERDICTS, codes),
            Self::Words(words, codes) => (words, codes),
            Self::Lines(lines) => {
                let nulls = NullBuffer::from_iter(lines.iter().map(|line| *line > 0));
                return Arc::new(UInt32Array::new(ScalarBuffer::from(lines), Some(nulls)));
            }
        };
        let nulls = codes.contains(&NULL).then(|| NullBuffer::from_iter(codes.iter().map(|code| *code != NULL)));
        // Under a null there is any key.
        let keys: Vec<i8> = codes.into_iter().map(|code| if code == NULL { 0 } else { code as i8 }).collect();
        let keys = Int8Array::new(ScalarBuffer::from(keys), nulls);
        let words: ArrayRef = Arc::new(StringArray::from_iter_values(words));
        match DictionaryArray::<Int8Type>::try_new(keys, words.clone()) {
            Ok(array) => Arc::new(array),
            // Codes are places of words. If one were not, nothing would be known of any row.
            Err(error) => unreachable!("codes of words: {error}"),
        }
    }
}

/// Returns columns with names as Python has them: a `dict` of lists, tuples or numpy arrays, a `DataFrame`, or a table.
pub(crate) fn into_python<'py>(
    py: Python<'py>,
    columns: Vec<(String, Column)>,
    kind: &Kind<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Kind::Arrow { .. } | Kind::Polars(_) = kind {
        let table = table(columns)?;
        return match kind {
            Kind::Polars(_) => py.import("polars")?.getattr("DataFrame")?.call1((table,)),
            Kind::Arrow { is_pyarrow: true, .. } => table.into_pyarrow(py),
            _ => Ok(table.into_pyobject(py)?.into_any()),
        };
    }
    let all = PyDict::new(py);
    for (name, column) in columns {
        all.set_item(name, column.into_python(py, kind)?)?;
    }
    match kind {
        Kind::Pandas(index) => {
            let options = PyDict::new(py);
            options.set_item("index", index)?;
            py.import("pandas")?.getattr("DataFrame")?.call((all,), Some(&options))
        }
        _ => Ok(all.into_any()),
    }
}

fn table(columns: Vec<(String, Column)>) -> PyResult<PyTable> {
    let wrong = |error: arrow_schema::ArrowError| RobotsError::new_err(error.to_string());
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns
        .into_iter()
        .map(|(name, column)| {
            let array = column.arrow();
            (Field::new(name, array.data_type().clone(), true), array)
        })
        .unzip();
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(wrong)?;
    PyTable::try_new(vec![batch], schema)
}
