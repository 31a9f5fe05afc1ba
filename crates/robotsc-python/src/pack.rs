//! Policy packs: the policies of many origins in one file.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use robotsc::frontier::{By, Check, Frontier, FrontierVerdict};
use robotsc::outcome::{Capture, Next, Time};
use robotsc::pack::{PackAgents, PackBuilder, PackOptions};

use crate::agent;
use crate::answers::{Form, VERDICTS};
use crate::dialect;
use crate::errors::{AgentError, PackError, UrlError};
use crate::fetched::{FetchedRobots, outcome_name};
use crate::origin;
use crate::text;
use crate::time::time;
use crate::urls::{Judge, OnError, Urls, push};

/// The number of agents whose frontiers a pack keeps.
const KEPT: usize = 4;

/// A policy pack.
#[pyclass(module = "robotsc", frozen)]
#[derive(Debug)]
pub(crate) struct Pack {
    /// `None` if its bytes were given.
    path: Option<PathBuf>,
    /// `None` once it is closed.
    open: Mutex<Option<Open>>,
}

#[derive(Debug)]
struct Open {
    pack: Arc<robotsc::pack::Pack>,
    /// Of the agents that were asked for last.
    frontiers: Vec<(robotsc::Crawler, Arc<Frontier>)>,
}

/// Answers for URLs of any origin at a time. An unknown origin is never an allow.
struct AtTime {
    frontier: Arc<Frontier>,
    now: Time,
    form: Form,
}

impl Judge for AtTime {
    fn judge(&self, _: usize, urls: &[&[u8]], codes: &mut Vec<u8>) -> Option<(usize, String)> {
        let mut verdicts = Vec::with_capacity(urls.len());
        self.frontier.verdicts(urls, self.now, &mut verdicts);
        let mut first_wrong = None;
        for (index, verdict) in verdicts.into_iter().enumerate() {
            let code = verdict.map(|verdict| match self.form {
                Form::Mask => u8::from(verdict.is_allowed()),
                Form::Verdicts => match verdict {
                    FrontierVerdict::Allowed => 0,
                    FrontierVerdict::Disallowed => 1,
                    FrontierVerdict::Unknown => 2,
                },
            });
            push(codes, &mut first_wrong, index, code);
        }
        first_wrong
    }
}

impl Pack {
    fn pack(&self) -> PyResult<Arc<robotsc::pack::Pack>> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.as_ref().map(|open| open.pack.clone()).ok_or_else(closed)
    }

    fn frontier(&self, agent: &Bound<'_, PyAny>) -> PyResult<Arc<Frontier>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let open = open.as_mut().ok_or_else(closed)?;
        let crawler = agent::crawler(agent)?;
        if let Some((_, frontier)) = open.frontiers.iter().find(|(known, _)| *known == crawler) {
            return Ok(frontier.clone());
        }
        let dialect = open.pack.dialect();
        let frontier = Frontier::builder(crawler.clone()).dialect(dialect).pack(open.pack.clone()).build();
        let frontier = Arc::new(frontier.map_err(|error| AgentError::new_err(error.to_string()))?);
        if open.frontiers.len() == KEPT {
            open.frontiers.remove(0);
        }
        open.frontiers.push((crawler, frontier.clone()));
        Ok(frontier)
    }

    fn batch<'py>(
        &self,
        urls: &Bound<'py, PyAny>,
        agent: &Bound<'py, PyAny>,
        now: Option<f64>,
        errors: &str,
        form: Form,
    ) -> PyResult<Bound<'py, PyAny>> {
        let judge = AtTime { frontier: self.frontier(agent)?, now: time(now)?, form };
        let on_error = OnError::named(errors)?;
        Urls::extract(urls)?.answer(urls.py(), &judge, form, on_error)
    }
}

fn closed() -> PyErr {
    PackError::new_err("the pack is closed: open it again")
}

fn pack_error(error: robotsc::pack::PackError) -> PyErr {
    PackError::new_err(error.to_string())
}

#[pymethods]
impl Pack {
    /// Opens a pack.
    #[new]
    #[pyo3(signature = (path, *, verify = false))]
    fn new(py: Python<'_>, path: PathBuf, verify: bool) -> PyResult<Self> {
        let opened = py.detach(|| {
            let pack = robotsc::pack::Pack::open(&path)?;
            if verify {
                pack.check_sums()?;
            }
            Ok(pack)
        });
        let pack = Arc::new(opened.map_err(pack_error)?);
        Ok(Self { path: Some(path), open: Mutex::new(Some(Open { pack, frontiers: Vec::new() })) })
    }

    /// Opens a pack that is in memory.
    #[staticmethod]
    #[pyo3(signature = (data, /))]
    fn from_bytes(data: Vec<u8>) -> PyResult<Self> {
        let pack = Arc::new(robotsc::pack::Pack::from_bytes(data).map_err(pack_error)?);
        Ok(Self { path: None, open: Mutex::new(Some(Open { pack, frontiers: Vec::new() })) })
    }

    /// Returns the verdict for each of many URLs: `allowed`, `disallowed` or `unknown`.
    #[pyo3(signature = (urls, agent, *, now = None, errors = "raise"))]
    fn verdicts<'py>(
        &self,
        urls: &Bound<'py, PyAny>,
        agent: &Bound<'py, PyAny>,
        now: Option<f64>,
        errors: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.batch(urls, agent, now, errors, Form::Verdicts)
    }

    /// Reports for each of many URLs whether it is allowed.
    #[pyo3(signature = (urls, agent, *, now = None, errors = "raise"))]
    fn allowed<'py>(
        &self,
        urls: &Bound<'py, PyAny>,
        agent: &Bound<'py, PyAny>,
        now: Option<f64>,
        errors: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.batch(urls, agent, now, errors, Form::Mask)
    }

    /// Returns the verdict for one URL.
    #[pyo3(signature = (url, agent, *, now = None))]
    fn verdict(&self, url: &Bound<'_, PyAny>, agent: &Bound<'_, PyAny>, now: Option<f64>) -> PyResult<&'static str> {
        let check = self.frontier(agent)?.check(text::url(url)?, time(now)?);
        Ok(match check.map_err(|error| UrlError::new_err(error.to_string()))? {
            Check::Allowed => VERDICTS[0],
            Check::Disallowed(_) => VERDICTS[1],
            Check::Unknown(_) => VERDICTS[2],
        })
    }

    /// Returns the verdict for one URL, and what decided, as text.
    #[pyo3(signature = (url, agent, *, now = None))]
    fn explain(&self, url: &Bound<'_, PyAny>, agent: &Bound<'_, PyAny>, now: Option<f64>) -> PyResult<String> {
        let check = self.frontier(agent)?.explain(text::url(url)?, time(now)?);
        let check = check.map_err(|error| UrlError::new_err(error.to_string()))?;
        let by = match check.by {
            By::Rule { line } => format!("line {line}"),
            By::Rules => "the rules".to_owned(),
            By::RobotsTxt => "the URL being that of robots.txt".to_owned(),
            By::Unknown(reason) => return Ok(format!("unknown: {reason}")),
            By::Fetch(outcome) => format!("the last fetch of robots.txt: {}", outcome_name(outcome)),
            _ => "a policy for all origins".to_owned(),
        };
        Ok(format!("{} by {by}", check.verdict.name()))
    }

    /// Reports whether the robots.txt of a URL's origin should be fetched: it is not held, or it expired.
    #[pyo3(signature = (url, *, now = None))]
    fn needs_fetch(&self, url: &Bound<'_, PyAny>, now: Option<f64>) -> PyResult<bool> {
        let (pack, origin, now) = (self.pack()?, origin::of_url(url)?, time(now)?);
        let entry = pack.get(origin.as_bytes());
        Ok(entry.is_none_or(|entry| entry.record().effective(pack.dialect(), now).next == Next::Refetch))
    }

    /// Returns the longest crawl delay that the robots.txt of a URL's origin states for an agent, in seconds.
    #[pyo3(signature = (url, agent))]
    fn crawl_delay(&self, url: &Bound<'_, PyAny>, agent: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
        let delay = self.frontier(agent)?.crawl_delay(&origin::of_url(url)?);
        Ok(delay.map(|delay| delay.as_secs_f64()))
    }

    /// Returns the sitemaps that the robots.txt of a URL's origin names.
    fn sitemaps(&self, url: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let origin = origin::of_url(url)?;
        let pack = self.pack()?;
        let entry = pack.get(origin.as_bytes());
        let sitemaps = entry.iter().flat_map(|entry| entry.sitemaps());
        Ok(sitemaps.map(|url| String::from_utf8_lossy(url).into_owned()).collect())
    }

    /// Closes the pack. Batches that run go on; later calls raise `PackError`.
    fn close(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The name of the dialect that the files were read under.
    #[getter]
    fn dialect(&self) -> PyResult<&'static str> {
        Ok(self.pack()?.dialect().name)
    }

    /// The agents that it was built for; `None` for all.
    #[getter]
    fn agents(&self) -> PyResult<Option<Vec<String>>> {
        Ok(match self.pack()?.agents() {
            PackAgents::All => None,
            PackAgents::Some(names) => Some(names.iter().map(ToString::to_string).collect()),
        })
    }

    /// The file; `None` if its bytes were given.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.path.clone()
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.pack()?.len() as usize)
    }

    /// A pack is no container to test: without this, one without origins would be false.
    fn __bool__(&self) -> bool {
        true
    }

    fn __enter__(this: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        this.get().pack()?;
        Ok(this)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    fn __repr__(&self) -> String {
        let path = self.path.as_ref().map_or_else(|| "in memory".to_owned(), |path| path.display().to_string());
        match self.pack() {
            Ok(pack) => format!("<robotsc.Pack {path} of {} origins>", pack.len()),
            Err(_) => format!("<robotsc.Pack {path}, closed>"),
        }
    }

    /// Opens the file again, by its path: packs are not copied, unless they are in memory.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let pack = self.pack()?;
        let class = py.get_type::<Self>();
        Ok(match &self.path {
            Some(path) => (class.into_any(), PyTuple::new(py, [path])?),
            None => (class.getattr("from_bytes")?, PyTuple::new(py, [PyBytes::new(py, pack.as_bytes())])?),
        })
    }
}

/// Writes a pack of what was fetched, and returns the number of its origins.
#[pyfunction]
#[pyo3(signature = (path, fetched, *, agents = None, base = None, dialect = "google"))]
pub(crate) fn build_pack(
    py: Python<'_>,
    path: PathBuf,
    fetched: Vec<Bound<'_, FetchedRobots>>,
    agents: Option<Vec<String>>,
    base: Option<&Pack>,
    dialect: &str,
) -> PyResult<u64> {
    let base = base.map(Pack::pack).transpose()?;
    let mut options = match &base {
        // A pack is added to with the settings that it was built with.
        Some(base) => PackOptions::from(&**base),
        None => {
            let mut options = PackOptions::new(dialect::by_name(dialect)?);
            if let Some(agents) = agents {
                let crawlers = agents.iter().map(|name| agent::documented(name)).collect::<PyResult<Vec<_>>>()?;
                options.agents = PackAgents::of(crawlers).map_err(pack_error)?;
            }
            options.deciding_rules = true;
            options.sitemaps = true;
            options
        }
    };
    options.memory = MEMORY;
    let held: Vec<_> = fetched.iter().map(|fetched| fetched.get().held()).collect();
    if held.iter().any(|held| *held.dialect != options.dialect) {
        return Err(PackError::new_err(format!("the pack is of the dialect {}: fetch under it", options.dialect.name)));
    }
    let report = py.detach(|| {
        let mut builder = PackBuilder::new(options, &path)?;
        if let Some(base) = &base {
            builder.push_pack(base)?;
        }
        for held in &held {
            let body = held.parsed.as_ref().map(|parsed| parsed.robots.body());
            // A record and the rules that it promises, as they were taken from one response.
            if let Ok(capture) = Capture::restored(held.record, body) {
                builder.push(&held.origin, &capture)?;
            }
        }
        builder.finish()
    });
    Ok(report.map_err(pack_error)?.origins)
}

/// Bytes of memory that writing a pack uses: it is done at the end of a crawl, beside much else.
const MEMORY: usize = 64 << 20;
