//! Policy packs: the policies of many origins in one file.

use std::borrow::Cow;
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use robotsc::frontier::{By, Check, Frontier, FrontierVerdict};
use robotsc::outcome::{Capture, Next, Outcome, Time};
use robotsc::pack::{PackAgents, PackBuilder, PackOptions, PackReport, Vocabulary, WantedUse};

use crate::agent;
use crate::answers::Form;
use crate::arguments::{Now, PackPath};
use crate::by_pack::ForUse;
use crate::dialect;
use crate::errors::{PackError, frontier_error, message, origin_error};
use crate::fetched::FetchedRobots;
use crate::happened::{Answer, outcome_name, outcome_reason, unknown_text};
use crate::judge::{Judge, OnError, Signals, push};
use crate::origin;
use crate::results::verdicts;
use crate::text;
use crate::time::time;
use crate::urls::Urls;
use crate::wanted_use::{pack_agent, wanted_use};

/// The number of agents whose frontiers a pack keeps.
const KEPT: usize = 4;

/// A policy pack, as ``robotsc pack build`` writes it: the policies of many origins in one file.
///
/// The file is mapped, and verified when it is opened: all its checksums are compared, at the speed of reading it. With
/// ``trusted``, only its header is, in constant time: a byte that changed since can allow what is disallowed. Use the
/// pack in a ``with`` statement, or call ``close``. A pickle holds the absolute path, and opens the file again in the
/// same way; processes share the memory of the file.
///
/// Replace a pack by rename, never in place: an open pack then goes on with the old file.
///
/// Args:
///     path: the file.
///     trusted: the file was checked before, and cannot have changed since.
///
/// Raises ``PackError`` if the file cannot be read, is no pack, or was altered.
///
/// >>> with robotsc.Pack("sites.pack") as pack:
/// ...     pack.verdicts(["https://shop.example/", "https://other.example/"], agent="FooBot")
/// [<Verdict.ALLOWED: 'allowed'>, <Verdict.UNKNOWN: 'unknown'>]
#[pyclass(module = "robotsc", frozen)]
#[derive(Debug)]
pub(crate) struct Pack {
    /// Absolute, so that another process finds it; `None` if its bytes were given.
    path: Option<PathBuf>,
    /// Whether it was opened unverified.
    is_trusted: bool,
    /// `None` once it is closed.
    open: Mutex<Option<Open>>,
    /// Whether a batch looked at the age of what it holds.
    is_age_known: AtomicBool,
}

#[derive(Debug)]
struct Open {
    pack: Arc<robotsc::pack::Pack>,
    /// Of the agents that were asked for last.
    frontiers: Vec<(robotsc::Crawler, Arc<Frontier>)>,
}

/// What a call for many URLs asks for.
#[derive(Clone, Copy, Debug)]
struct Call<'c> {
    now: Option<Now>,
    errors: &'c str,
    form: Form,
}

/// Answers for URLs of any origin at a time. An unknown origin is never an allow.
struct AtTime {
    frontier: Arc<Frontier>,
    now: Time,
    form: Form,
}

impl Judge for AtTime {
    type Out = Vec<u8>;

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
    pub(crate) fn pack(&self) -> PyResult<Arc<robotsc::pack::Pack>> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.as_ref().map(|open| open.pack.clone()).ok_or_else(closed)
    }

    /// Warns, at the first batch, if most of the pack expired: it is then unknown, whatever its files say.
    ///
    /// # Errors
    /// The warning, if warnings are errors.
    pub(crate) fn warn_of_age(&self, py: Python<'_>, now: Time) -> PyResult<()> {
        if self.is_age_known.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        let expired = self.pack()?.expired_part(now);
        if expired <= 0.5 {
            return Ok(());
        }
        let percent = (expired * 100.0).floor();
        let text = format!("about {percent} % of the origins of the pack expired, and are unknown: fetch them again");
        let text = CString::new(text).unwrap_or_default();
        PyErr::warn(py, py.get_type::<PyUserWarning>().as_any(), &text, 1)
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
        let frontier = Arc::new(frontier.map_err(|error| frontier_error(&error))?);
        if open.frontiers.len() == KEPT {
            open.frontiers.remove(0);
        }
        open.frontiers.push((crawler, frontier.clone()));
        Ok(frontier)
    }

    /// Returns what answers for an agent that wants pages for a use.
    fn for_use(&self, agent: &Bound<'_, PyAny>, wanted: WantedUse, now: Time, form: Form) -> PyResult<ForUse> {
        let (pack, crawler) = (self.pack()?, agent::crawler(agent)?);
        let agent = pack_agent(&pack, &crawler, &crawler.to_string(), Some(wanted))?;
        Ok(ForUse::new(pack, agent, now, form))
    }

    fn batch<'py>(
        &self,
        urls: &Bound<'py, PyAny>,
        agent: &Bound<'py, PyAny>,
        wanted: Option<WantedUse>,
        call: Call<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let now = time(call.now)?;
        match wanted {
            Some(wanted) => self.judged(urls, &self.for_use(agent, wanted, now, call.form)?, now, call),
            None => self.judged(urls, &AtTime { frontier: self.frontier(agent)?, now, form: call.form }, now, call),
        }
    }

    fn judged<'py, J: Judge<Out = Vec<u8>> + Sync>(
        &self,
        urls: &Bound<'py, PyAny>,
        judge: &J,
        now: Time,
        call: Call<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.warn_of_age(urls.py(), now)?;
        let on_error = OnError::named(call.errors)?;
        Urls::extract(urls)?.answer(urls.py(), judge, call.form, on_error)
    }
}

impl Pack {
    fn opened(pack: robotsc::pack::Pack, path: Option<PathBuf>, is_trusted: bool) -> Self {
        let open = Open { pack: Arc::new(pack), frontiers: Vec::new() };
        Self { path, is_trusted, open: Mutex::new(Some(open)), is_age_known: AtomicBool::new(false) }
    }
}

fn closed() -> PyErr {
    PackError::new_err("the pack is closed: open it again")
}

fn pack_error(error: robotsc::pack::PackError) -> PyErr {
    PackError::new_err(message(&error))
}

#[pymethods]
impl Pack {
    #[new]
    #[pyo3(signature = (path, *, trusted = false))]
    fn new(py: Python<'_>, path: PackPath, trusted: bool) -> PyResult<Self> {
        let path = std::path::absolute(&path.0)
            .map_err(|error| PackError::new_err(format!("cannot open {}: {error}", path.0.display())))?;
        if path.is_dir() {
            return Err(PackError::new_err(format!("cannot open {}: it is a folder, and no pack", path.display())));
        }
        let opened = py.detach(|| match trusted {
            false => robotsc::pack::Pack::open(&path),
            true => robotsc::pack::Pack::open_trusted(&path),
        });
        Ok(Self::opened(opened.map_err(pack_error)?, Some(path), trusted))
    }

    /// Opens a pack that is in memory, and verifies it, unless it is ``trusted``. Copies it.
    ///
    /// Raises ``PackError`` if it is no pack, or was altered.
    #[staticmethod]
    #[pyo3(signature = (data, /, *, trusted = false))]
    fn from_bytes(data: &Bound<'_, PyAny>, trusted: bool) -> PyResult<Self> {
        let bytes = data.cast::<PyString>().is_err().then(|| text::body(data)).transpose().ok().flatten();
        let Some(bytes) = bytes.map(Cow::into_owned) else {
            let name = text::type_name(data);
            return Err(PyTypeError::new_err(format!("the data of a pack is bytes, not {name}")));
        };
        let opened = data.py().detach(|| match trusted {
            false => robotsc::pack::Pack::from_bytes(bytes),
            true => robotsc::pack::Pack::from_trusted_bytes(bytes),
        });
        Ok(Self::opened(opened.map_err(pack_error)?, None, trusted))
    }

    #[staticmethod]
    fn _restore(py: Python<'_>, path: PackPath, trusted: bool) -> PyResult<Self> {
        Self::new(py, path, trusted)
    }

    /// Returns the verdict for each of many URLs: ``allowed``, ``disallowed`` or ``unknown``.
    ///
    /// A URL is unknown if the pack does not hold its origin, or nothing that still counts ``now``. URLs and answers
    /// have the forms of ``Matcher.allowed``, and ``errors`` means the same. For several agents, or for reasons and
    /// lines, call ``robotsc.verdicts``, where ``use`` and ``unknown_use`` mean the same, too.
    ///
    /// Raises ``UrlError`` as ``Matcher.allowed``, ``AgentError`` if the pack was not built for the agent, and
    /// ``PackError`` if a use is asked for and the pack holds no preferences.
    ///
    /// Cost: about 190 ns a URL. Other threads run meanwhile, and Ctrl-C ends it.
    #[pyo3(signature = (urls, agent, *, r#use = None, unknown_use = None, now = None, errors = "raise"))]
    fn verdicts<'py>(
        &self,
        urls: &Bound<'py, PyAny>,
        agent: &Bound<'py, PyAny>,
        r#use: Option<&str>,
        unknown_use: Option<&str>,
        now: Option<Now>,
        errors: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.batch(urls, agent, wanted_use(r#use, unknown_use)?, Call { now, errors, form: Form::Verdicts })
    }

    /// Reports for each of many URLs whether it is allowed: ``False`` also if its origin is unknown.
    ///
    /// See ``verdicts``.
    #[pyo3(signature = (urls, agent, *, r#use = None, unknown_use = None, now = None, errors = "raise"))]
    fn allowed<'py>(
        &self,
        urls: &Bound<'py, PyAny>,
        agent: &Bound<'py, PyAny>,
        r#use: Option<&str>,
        unknown_use: Option<&str>,
        now: Option<Now>,
        errors: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.batch(urls, agent, wanted_use(r#use, unknown_use)?, Call { now, errors, form: Form::Mask })
    }

    /// Returns the verdict for one URL.
    ///
    /// Raises ``UrlError`` if it has no origin, ``AgentError`` if the pack was not built for the agent.
    #[pyo3(signature = (url, agent, *, now = None))]
    fn verdict(&self, url: &Bound<'_, PyAny>, agent: &Bound<'_, PyAny>, now: Option<Now>) -> PyResult<Py<PyAny>> {
        let (py, frontier, text) = (url.py(), self.frontier(agent)?, text::url(url)?);
        let check = frontier.check(&text, time(now)?).map_err(|error| origin_error(py, error, &text))?;
        let code = match check {
            Check::Allowed => 0,
            Check::Disallowed(_) => 1,
            Check::Unknown(_) => 2,
        };
        Ok(verdicts(py)?[code].clone_ref(py))
    }

    /// Returns the verdict for one URL and what decided. For many URLs, call ``robotsc.verdicts`` with ``reasons``.
    ///
    /// Raises as ``verdict``.
    ///
    /// >>> with robotsc.Pack("sites.pack") as pack:
    /// ...     print(pack.explain("https://other.example/", "FooBot"))
    /// unknown: its robots.txt is not held: fetch it
    #[pyo3(signature = (url, agent, *, now = None))]
    fn explain<'py>(
        &self,
        url: &Bound<'py, PyAny>,
        agent: &Bound<'py, PyAny>,
        now: Option<Now>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, frontier, text, now) = (url.py(), self.frontier(agent)?, text::url(url)?, time(now)?);
        let check = frontier.explain(&text, now).map_err(|error| origin_error(py, error, &text))?;
        let origin = origin::of_url(url)?;
        let names_rules = self.pack()?.names_deciding_rules();
        let (reason, line, by) = match check.by {
            By::Rule { line } => ("rule", Some(line), format!("line {line}")),
            By::Rules if names_rules => ("no-rule", None, "the rules, none of which matches".to_owned()),
            By::Rules => ("rules", None, "the rules".to_owned()),
            By::RobotsTxt => ("robots-txt", None, "the URL being that of robots.txt".to_owned()),
            By::Unknown(reason) => (reason.name(), None, unknown_text(reason, check.record.as_ref(), now)),
            By::Fetch(outcome) => {
                // A pack keeps no status.
                let more = match outcome {
                    Outcome::Unreachable => ", or a status such as 429 that counts as a failure",
                    _ => "",
                };
                let by = format!("the last fetch of robots.txt: {}{more}", outcome_name(outcome));
                (outcome_reason(outcome), None, by)
            }
            _ => ("rules", None, "a policy for all origins".to_owned()),
        };
        let (verdict, joint) = match check.verdict {
            FrontierVerdict::Allowed => (0, " by "),
            FrontierVerdict::Disallowed => (1, " by "),
            FrontierVerdict::Unknown => (2, ": "),
        };
        let answer = Answer {
            verdict,
            reason,
            line,
            rule: None,
            origin: origin.as_str(),
            happened: None,
            record: check.record.as_ref(),
            text: format!("{}{joint}{by}", check.verdict.name()),
        };
        answer.into_python(py)
    }

    /// Reports whether the last fetch of the robots.txt of a URL's origin failed.
    fn _has_failed(&self, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (pack, origin) = (self.pack()?, origin::of_url(url)?);
        let entry = pack.get(origin.as_bytes());
        Ok(entry.is_some_and(|entry| entry.record().failing_since.is_some()))
    }

    /// Reports whether the robots.txt of a URL's origin has a rule for an agent, as far as the pack names rules.
    fn _has_rules(&self, url: &Bound<'_, PyAny>, agent: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (pack, origin, crawler) = (self.pack()?, origin::of_url(url)?, agent::crawler(agent)?);
        let program = pack.crawler(&crawler).and_then(|agent| pack.get(origin.as_bytes())?.program(&agent));
        Ok(program.is_some_and(|program| program.rules().next().is_some()))
    }

    /// Reports whether the robots.txt of a URL's origin should be fetched: it is not held, or it expired.
    #[pyo3(signature = (url, *, now = None))]
    fn needs_fetch(&self, url: &Bound<'_, PyAny>, now: Option<Now>) -> PyResult<bool> {
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

    /// Returns the sitemaps that the robots.txt of a URL's origin names; none if the pack was built without.
    fn sitemaps(&self, url: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let origin = origin::of_url(url)?;
        let pack = self.pack()?;
        let entry = pack.get(origin.as_bytes());
        let sitemaps = entry.iter().flat_map(|entry| entry.sitemaps());
        Ok(sitemaps.map(|url| String::from_utf8_lossy(url).into_owned()).collect())
    }

    /// Closes the pack. Batches that run go on; later calls raise ``PackError``.
    fn close(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The name of the dialect that the files were read under.
    #[getter]
    fn dialect(&self) -> PyResult<&'static str> {
        Ok(self.pack()?.dialect().name)
    }

    /// The agents that it was built for; ``None`` for all.
    #[getter]
    fn agents(&self) -> PyResult<Option<Vec<String>>> {
        Ok(match self.pack()?.agents() {
            PackAgents::All => None,
            PackAgents::Some(names) => Some(names.iter().map(ToString::to_string).collect()),
        })
    }

    /// The file, with an absolute path; ``None`` if its bytes were given.
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
            Some(path) => (class.getattr("_restore")?, (path, self.is_trusted).into_pyobject(py)?),
            None => (class.getattr("from_bytes")?, PyTuple::new(py, [PyBytes::new(py, pack.as_bytes())])?),
        })
    }
}

/// Writes a pack of what was fetched, and returns the number of its origins.
///
/// Args:
///     path: the file. It is written beside it and renamed when it is complete, so that it can be that of ``base``.
///     fetched: of several records of an origin the newest counts; of several of one second the last in this list.
///     agents: the pack is for these; without them, for all, or for those of ``base``.
///     base: all that this pack holds is written too, and its agents and dialect count.
///     dialect: that of all records; without it, that of ``base``, or ``google``.
///     preferences: keep what files state of the use of pages; without it, as ``base`` does, or not.
///
/// Raises ``PackError`` if the file cannot be written, if a record is of another dialect, if ``base`` is of other
/// agents or another dialect than these arguments, or holds preferences and they say not to, or the other way round,
/// and if there is neither a record nor a ``base``; ``AgentError`` if an agent is no name. Ctrl-C ends it, and leaves
/// the file as it was.
///
/// >>> fetched = robotsc.FetchedRobots("https://shop.example", status=200, body=b"User-agent: *\nDisallow: /cart\n")
/// >>> robotsc.build_pack("sites.pack", [fetched], agents=["FooBot"])
/// 1
#[pyfunction]
#[pyo3(signature = (path, fetched, *, agents = None, base = None, dialect = None, preferences = None))]
pub(crate) fn build_pack(
    py: Python<'_>,
    path: PackPath,
    fetched: &Bound<'_, PyAny>,
    agents: Option<&Bound<'_, PyAny>>,
    base: Option<&Pack>,
    dialect: Option<&str>,
    preferences: Option<bool>,
) -> PyResult<u64> {
    let path = path.0;
    let base = base.map(Pack::pack).transpose()?;
    let mut options = options(base.as_deref(), agents, dialect, preferences)?;
    options.memory = MEMORY;
    let wrong = |object: &Bound<'_, PyAny>| {
        let name = text::type_name(object);
        PyTypeError::new_err(format!("what was fetched is a list of FetchedRobots, not {name}"))
    };
    let mut held = Vec::new();
    let mut signals = Signals::new();
    for one in fetched.try_iter().map_err(|_| wrong(fetched))? {
        signals.check()?;
        let one = one?;
        held.push(one.cast::<FetchedRobots>().map_err(|_| wrong(&one))?.get().held());
    }
    if held.is_empty() && base.is_none() {
        return Err(PackError::new_err(
            "no pack built: there is no record, and no base: it would answer for no origin",
        ));
    }
    if held.iter().any(|held| *held.dialect != options.dialect) {
        return Err(PackError::new_err(format!("the pack is of the dialect {}: fetch under it", options.dialect.name)));
    }
    let mut raised = None;
    let report = py.detach(|| {
        let mut builder = PackBuilder::new(options, &path).map_err(pack_error)?;
        if let Some(base) = &base {
            builder.push_pack(base).map_err(pack_error)?;
        }
        for held in &held {
            signals.check()?;
            let body = held.parsed.as_ref().map(|parsed| parsed.robots.body());
            // A record and the rules that it promises, as they were taken from one response.
            if let Ok(capture) = Capture::restored(held.record, body) {
                builder.push(&held.origin, &capture).map_err(pack_error)?;
            }
        }
        // The last look before anything is written.
        let mut goes_on = |_: &PackReport| {
            raised = Python::attach(|py| py.check_signals()).err();
            raised.is_none()
        };
        builder.finish_if(&mut |_| {}, &mut goes_on).map_err(pack_error)
    })?;
    match (report, raised) {
        (Some(report), None) => Ok(report.origins),
        (_, raised) => Err(raised.unwrap_or_else(|| PackError::new_err("no pack built"))),
    }
}

/// Returns the settings of a pack. One is added to with those that it was built with, so that others are an error.
fn options(
    base: Option<&robotsc::pack::Pack>,
    agents: Option<&Bound<'_, PyAny>>,
    dialect: Option<&str>,
    preferences: Option<bool>,
) -> PyResult<PackOptions> {
    let dialect = dialect.map(dialect::by_name).transpose()?;
    let crawlers = |all| agent::each(all)?.iter().map(agent::crawler).collect::<PyResult<Vec<_>>>();
    let agents = agents.map(crawlers).transpose()?;
    let agents = agents.map(|crawlers| PackAgents::of(crawlers).map_err(pack_error)).transpose()?;
    let Some(base) = base else {
        let mut options = PackOptions::new(dialect.unwrap_or(&robotsc::Dialect::GOOGLE));
        options.agents = agents.unwrap_or(PackAgents::All);
        options.deciding_rules = true;
        options.sitemaps = true;
        options.preferences = preferences.unwrap_or_default().then_some(Vocabulary::NEWEST);
        return Ok(options);
    };
    if let Some(dialect) = dialect
        && dialect != base.dialect()
    {
        let (of, wanted) = (base.dialect().name, dialect.name);
        return Err(PackError::new_err(format!("base is of the dialect {of}, not of {wanted}: leave dialect= out")));
    }
    if agents.is_some_and(|agents| agents != *base.agents()) {
        return Err(PackError::new_err(
            "base was built for other agents: leave agents= out, or build a pack without base=",
        ));
    }
    match (preferences, base.preferences()) {
        (Some(true), None) => {
            Err(PackError::new_err("base holds no preferences: leave preferences= out, or build a pack without base="))
        }
        (Some(false), Some(_)) => {
            Err(PackError::new_err("base holds preferences: leave preferences= out, or build a pack without base="))
        }
        _ => Ok(PackOptions::from(base)),
    }
}

/// Bytes of memory that writing a pack uses: it is done at the end of a crawl, beside much else.
const MEMORY: usize = 64 << 20;
