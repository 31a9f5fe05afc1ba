//! Crawlers, by one name or several.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use robotsc::agent::CrawlerKind;
use robotsc::bundled;

use crate::errors::{AgentError, agent_error, message};
use crate::text::type_name;

/// A crawler with several names, without one, or with a name as written. Else pass the name as a ``str``.
///
/// A name of the register of known crawlers means that crawler as its operator documents it: ``Googlebot-Image`` obeys
/// the groups of ``Googlebot`` where none names it, ``AdsBot-Google`` obeys only groups that name it.
///
/// Args:
///     name: the product token, such as ``FooBot``; no version, no header.
///     as_written: it obeys the groups that name it, else those for ``*``, whatever the register says.
///
/// Raises ``AgentError`` if the name is no agent name, ``TypeError`` if it is no ``str``.
///
/// >>> robots = robotsc.parse(b"User-agent: Googlebot\nDisallow: /cart\n")
/// >>> robots.is_allowed("Googlebot-Image", "/cart")
/// False
/// >>> robots.is_allowed(robotsc.Crawler("Googlebot-Image", as_written=True), "/cart")
/// True
#[pyclass(module = "robotsc", frozen, eq, hash, from_py_object)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Crawler(pub(crate) robotsc::Crawler);

#[pymethods]
impl Crawler {
    /// Returns the crawler with a name, as its operator documents it.
    #[new]
    #[pyo3(signature = (name, /, *, as_written = false))]
    fn new(name: &Bound<'_, PyAny>, as_written: bool) -> PyResult<Self> {
        if as_written { Self::_as_written(name) } else { documented(name_of(name)?).map(Self) }
    }

    /// Returns the crawler that has a name alone. For pickle.
    #[staticmethod]
    fn _as_written(name: &Bound<'_, PyAny>) -> PyResult<Self> {
        as_written(name).map(Self)
    }

    /// Returns a crawler with names in order: the first that the file has a group for decides.
    ///
    /// Raises ``AgentError`` without a name, and for what is no name.
    ///
    /// >>> robotsc.Crawler.chain("FooBot-Images", "FooBot")
    /// Crawler.chain('FooBot-Images', 'FooBot')
    #[staticmethod]
    #[pyo3(signature = (*names))]
    fn chain(names: &Bound<'_, PyTuple>) -> PyResult<Self> {
        robotsc::Crawler::chain(some_names(names)?).map(Self).map_err(agent_error)
    }

    /// Returns a crawler that obeys the groups of all its names.
    ///
    /// Raises ``AgentError`` without a name, and for what is no name. A pack does not answer for it.
    ///
    /// >>> robotsc.Crawler.pool("FooBot-Images", "FooBot").names
    /// ['FooBot-Images', 'FooBot']
    #[staticmethod]
    #[pyo3(signature = (*names))]
    fn pool(names: &Bound<'_, PyTuple>) -> PyResult<Self> {
        robotsc::Crawler::pool(some_names(names)?).map(Self).map_err(agent_error)
    }

    /// Returns the crawler that no file names: it obeys the groups for ``*``.
    ///
    /// >>> robotsc.parse(b"User-agent: *\nDisallow: /\n").is_allowed(robotsc.Crawler.others(), "/")
    /// False
    #[staticmethod]
    fn others() -> Self {
        Self(robotsc::Crawler::others())
    }

    /// The names, in order.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.names().map(|name| name.to_string()).collect()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        match self.one_name() {
            Some((name, false)) => return format!("Crawler('{name}')"),
            Some((name, true)) => return format!("Crawler('{name}', as_written=True)"),
            None => {}
        }
        let names: Vec<String> = self.names().iter().map(|name| format!("'{name}'")).collect();
        let names = names.join(", ");
        match self.0.kind() {
            CrawlerKind::Others => "Crawler.others()".to_owned(),
            CrawlerKind::Chain => format!("Crawler.chain({names})"),
            CrawlerKind::Pool => format!("Crawler.pool({names})"),
            _ => format!("Crawler({names})"),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let class = py.get_type::<Self>();
        if let Some((name, as_written)) = self.one_name() {
            let make = if as_written { class.getattr("_as_written")? } else { class.into_any() };
            return Ok((make, PyTuple::new(py, [name])?));
        }
        let make = match self.0.kind() {
            CrawlerKind::Others => class.getattr("others")?,
            CrawlerKind::Chain => class.getattr("chain")?,
            CrawlerKind::Pool => class.getattr("pool")?,
            _ => class.into_any(),
        };
        Ok((make, PyTuple::new(py, self.names())?))
    }
}

impl Crawler {
    /// Returns the name that it is made of, and whether that is taken as written. `None` if it takes more than a name.
    fn one_name(&self) -> Option<(String, bool)> {
        let name = self.0.names().next()?.to_string();
        if bundled::crawler(&name).is_ok_and(|documented| *documented.crawler() == self.0) {
            return Some((name, false));
        }
        (self.0.kind() == CrawlerKind::Named).then_some((name, true))
    }
}

/// Returns the crawler with a name, as its operator documents it.
///
/// # Errors
/// `AgentError` if it is no agent name.
pub(crate) fn documented(name: &str) -> PyResult<robotsc::Crawler> {
    let crawler = bundled::crawler(name).map(robotsc::Crawler::from);
    crawler.map_err(|error| match name.contains("://") || name.starts_with('/') {
        true => AgentError::new_err(format!("{}; it looks like a URL: are the arguments swapped?", message(&error))),
        false => agent_error(error),
    })
}

/// Returns the crawler that has a name alone.
///
/// # Errors
/// `TypeError` if it is no `str`, `AgentError` if it is no agent name.
pub(crate) fn as_written(name: &Bound<'_, PyAny>) -> PyResult<robotsc::Crawler> {
    robotsc::Crawler::new(name_of(name)?).map_err(agent_error)
}

/// Returns a name of an agent, unchecked.
pub(crate) fn name_of<'a>(name: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    if name.is_instance_of::<Crawler>() {
        return Err(PyTypeError::new_err("a name is a str, not a Crawler: pass one of its names"));
    }
    let Ok(name) = name.cast::<PyString>() else {
        return Err(PyTypeError::new_err(format!("an agent is a str or a Crawler, not {}", type_name(name))));
    };
    name.to_str().map_err(|_| AgentError::new_err("an agent name cannot contain a lone surrogate"))
}

/// The argument `agents`: a list of names.
#[derive(Debug)]
pub(crate) struct Names(pub(crate) Vec<String>);

impl<'py> FromPyObject<'_, 'py> for Names {
    type Error = PyErr;

    fn extract(names: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let names = each(&names)?;
        Ok(Self(names.iter().map(|name| name_of(name).map(str::to_owned)).collect::<PyResult<_>>()?))
    }
}

/// Returns the items of a list of agents. A text is none: its letters would be.
///
/// # Errors
/// `TypeError` that says what to pass.
pub(crate) fn each<'py>(agents: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if agents.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!("agents are a list of names, not str: pass [{}]", agents.repr()?)));
    }
    match agents.try_iter() {
        Ok(all) if !agents.is_instance_of::<PyBytes>() => all.collect(),
        _ => Err(PyTypeError::new_err(format!("agents are a list of names, not {}", type_name(agents)))),
    }
}

fn some_names(names: &Bound<'_, PyTuple>) -> PyResult<Vec<String>> {
    if names.is_empty() {
        return Err(AgentError::new_err("no agent name: for a crawler that no file names use Crawler.others()"));
    }
    names.iter().map(|name| name_of(&name).map(str::to_owned)).collect()
}

/// Returns the crawler that an argument names: a `str` is one name, of a crawler as its operator documents it.
///
/// # Errors
/// `TypeError` if it is neither a `str` nor a `Crawler`, `AgentError` if it is no agent name.
pub(crate) fn crawler(agent: &Bound<'_, PyAny>) -> PyResult<robotsc::Crawler> {
    if let Ok(crawler) = agent.cast::<Crawler>() {
        return Ok(crawler.get().0.clone());
    }
    documented(name_of(agent)?)
}
