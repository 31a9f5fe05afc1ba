//! A column of robots.txt files beside a column of URLs.
//!
//! ```text
//! policies (dictionary)        urls
//! 0 → "User-agent: *…"         https://a.example/cart
//! 0                            https://a.example/mugs      each file is parsed once,
//! 1 → "User-agent: FooBot…"    https://b.example/          however many rows hold it
//! ```

use std::collections::HashMap;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array, ArrayRef, LargeBinaryArray};
use arrow_schema::DataType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use robotsc::Dialect;

use crate::answers::Form;
use crate::body::other_body;
use crate::errors::{RobotsError, agent_error};
use crate::judge::{Judge, OnError, Signals, push};
use crate::urls::{Urls, import, unpacked};
use crate::{agent, dialect};

/// The number of a row whose policy is null.
const MISSING: usize = usize::MAX;

/// Reports for each of many URLs whether the robots.txt of its row allows it.
///
/// Args:
///     policies: an Arrow array of robots.txt files, ``bytes`` or strings, one for each URL. Pass a dictionary array if
///         many rows hold one file: no file is copied for each row then.
///     urls: URLs, and paths, in the forms of ``Matcher.allowed``.
///     agent: the name of the crawler, or a ``Crawler``.
///     dialect: how the files are read.
///     errors: what becomes of a row without an answer: ``raise``, or ``null``.
///     force: read what is no robots.txt, too, as ``parse`` does.
///
/// Returns the mask, in the form of the URLs.
///
/// Raises ``UrlError`` that names the index of the first row without an answer: its file is null or no robots.txt, or
/// its URL has no answer. Raises ``RobotsError`` if the columns differ in length, and ``TypeError`` for what is no such
/// column.
///
/// Cost: each file is parsed once a call. Other threads run meanwhile, and Ctrl-C ends it.
///
/// >>> import pyarrow
/// >>> policies = pyarrow.array([b"User-agent: *\nDisallow: /cart\n", b""]).take(pyarrow.array([0, 0, 1]))
/// >>> robotsc.allowed_by(policies, ["https://a.example/", "https://a.example/cart", "/cart"], "FooBot")
/// [True, False, True]
#[pyfunction]
#[pyo3(signature = (policies, urls, agent, *, dialect = "google", errors = "raise", force = false))]
pub(crate) fn allowed_by<'py>(
    policies: &Bound<'py, PyAny>,
    urls: &Bound<'py, PyAny>,
    agent: &Bound<'py, PyAny>,
    dialect: &str,
    errors: &str,
    force: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = urls.py();
    let (crawler, dialect) = (agent::crawler(agent)?, dialect::by_name(dialect)?);
    let on_error = OnError::named(errors)?;
    let urls = Urls::extract(urls)?;
    let columns = columns(policies)?;
    let count: usize = columns.iter().map(Column::len).sum();
    if count != urls.len() {
        return Err(RobotsError::new_err(format!(
            "there are {count} policies and {} URLs: pass one policy for each URL",
            urls.len()
        )));
    }
    let policies = py.detach(|| Policies::parse(&columns, dialect, &crawler, force))?;
    urls.answer(py, &policies, Form::Mask, on_error)
}

/// An Arrow array of files.
#[derive(Debug)]
struct Column {
    /// The places of the rows in `files`; without them, row by row.
    places: Option<Vec<usize>>,
    files: LargeBinaryArray,
}

impl Column {
    fn len(&self) -> usize {
        self.places.as_ref().map_or(self.files.len(), Vec::len)
    }

    /// Returns the file of each row.
    fn rows(&self) -> impl Iterator<Item = Option<&[u8]>> {
        let file = |at: usize| (at < self.files.len() && self.files.is_valid(at)).then(|| self.files.value(at));
        (0..self.len()).map(move |row| file(self.places.as_ref().map_or(row, |places| places[row])))
    }
}

/// Reads the argument `policies`. A dictionary stays one, so that no file is copied for each of its rows.
fn columns(policies: &Bound<'_, PyAny>) -> PyResult<Vec<Column>> {
    if !policies.hasattr("__arrow_c_array__")? && !policies.hasattr("__arrow_c_stream__")? {
        let name = crate::text::type_name(policies);
        return Err(PyTypeError::new_err(format!(
            "policies are an Arrow array of robots.txt files, not {name}: use pyarrow.array"
        )));
    }
    import(policies)?.0.into_iter().map(column).collect()
}

fn column(array: ArrayRef) -> PyResult<Column> {
    let Some(dictionary) = array.as_any_dictionary_opt() else {
        return Ok(Column { places: None, files: files(array)? });
    };
    // Keys are checked when an array is imported, but those of null rows can be anything.
    let places = match dictionary.values().len() {
        0 => vec![MISSING; array.len()],
        _ => {
            let mut places = dictionary.normalized_keys();
            for (row, place) in places.iter_mut().enumerate() {
                if array.is_null(row) {
                    *place = MISSING;
                }
            }
            places
        }
    };
    Ok(Column { places: Some(places), files: files(dictionary.values().clone())? })
}

fn files(array: ArrayRef) -> PyResult<LargeBinaryArray> {
    let array = unpacked(array, "policies")?;
    let array = arrow_cast::cast(&array, &DataType::LargeBinary);
    Ok(array.map_err(|error| PyTypeError::new_err(error.to_string()))?.as_binary::<i64>().clone())
}

/// The rules of each row.
#[derive(Debug)]
struct Policies {
    /// Of each file its rules, or why it has none.
    matchers: Vec<Result<robotsc::Matcher, String>>,
    /// The matcher of each row, or [`MISSING`].
    rows: Vec<usize>,
}

impl Policies {
    /// Parses each file once.
    ///
    /// # Errors
    /// If the dialect does not know such agents, or if a handler of a signal raises.
    fn parse(columns: &[Column], dialect: &'static Dialect, crawler: &robotsc::Crawler, force: bool) -> PyResult<Self> {
        let mut parsed = Self { matchers: Vec::new(), rows: Vec::new() };
        let mut known: HashMap<&[u8], usize> = HashMap::new();
        let mut last: Option<(&[u8], usize)> = None;
        let mut signals = Signals::new();
        for file in columns.iter().flat_map(Column::rows) {
            let place = match (file, last) {
                (None, _) => MISSING,
                // Rows of one site usually follow each other. Equal slices of a dictionary are one slice.
                (Some(file), Some((before, place))) if std::ptr::eq(file, before) || file == before => place,
                (Some(file), _) => {
                    let place = match known.get(file) {
                        Some(place) => *place,
                        None => {
                            signals.check()?;
                            let robots = robotsc::RobotsTxt::parse_with(file, dialect);
                            parsed.matchers.push(match other_body(&robots) {
                                Some(wrong) if !force => Err(format!("no robots.txt beside it: {wrong}")),
                                _ => Ok(robots.matcher(crawler).map_err(agent_error)?),
                            });
                            known.insert(file, parsed.matchers.len() - 1);
                            parsed.matchers.len() - 1
                        }
                    };
                    last = Some((file, place));
                    place
                }
            };
            parsed.rows.push(place);
        }
        Ok(parsed)
    }
}

impl Judge for Policies {
    type Out = Vec<u8>;

    fn judge(&self, first: usize, urls: &[&[u8]], codes: &mut Vec<u8>) -> Option<(usize, String)> {
        let mut first_wrong = None;
        let rows = self.rows.get(first..).unwrap_or_default();
        for (index, (url, row)) in urls.iter().zip(rows).enumerate() {
            let answer = match self.matchers.get(*row) {
                Some(Ok(matcher)) => matcher.is_allowed(url).map(u8::from).map_err(|error| error.to_string()),
                Some(Err(wrong)) => Err(wrong.clone()),
                None => Err("there is no robots.txt beside it: drop such rows, or pass errors='null'".to_owned()),
            };
            push(codes, &mut first_wrong, index, answer);
        }
        first_wrong
    }
}
