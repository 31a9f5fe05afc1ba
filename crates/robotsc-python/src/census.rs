//! A census: what many sites say to many crawlers, as a table.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;

use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3_arrow::PyTable;
use robotsc_answers::census::Census;
use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_cli::census::{Ended, Row, Sources, Stop, count};

use crate::agent::Names;
use crate::census_rows::{AgentRows, Batches, ChangeRows};
use crate::dialect;
use crate::errors::{AgentError, RobotsError, message};
use crate::judge::Signals;
use crate::text::type_name;
use crate::urls::is_loaded;

/// The argument `source` or `older`.
#[derive(Debug)]
pub(crate) struct SourcePath(PathBuf);

impl<'py> FromPyObject<'_, 'py> for SourcePath {
    type Error = PyErr;

    fn extract(path: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        path.extract().map(Self).map_err(|_| {
            PyTypeError::new_err(format!("a source is a str or an os.PathLike of str, not {}", type_name(&path)))
        })
    }
}

/// Returns what many sites say to many crawlers, as ``robotsc census`` counts it: a row for each site and agent.
///
/// A source is what the command takes: a folder of files that are named after hosts, a manifest, a tar or a WARC file.
/// The columns are those of ``--emit csv --rows agent``. With ``older`` rows are changes: ``site``, ``change``
/// (``appeared``, ``vanished``, ``changed``), and ``agent``, ``before`` and ``after`` for each agent of a site that
/// changed.
///
/// Args:
///     source: its path.
///     agents: names, ``*`` for agents that no group names, ``purpose:PURPOSE`` and ``operator:NAME`` for known
///         crawlers. Without it: search engines, AI training and AI search, and ``*``.
///     older: the path of an older source, to compare with.
///     dialect: how files and failed fetches are read.
///     cautious: whether refusals and bodies that are no robots.txt are failures.
///     as_written: take names of agents as written, without what the register of known crawlers says of them.
///     threads: how many threads answer; one per processor without it.
///     errors: what becomes of captures that are damaged: ``raise``, or ``warn`` to skip them with a ``UserWarning``.
///         No site has vanished then, since it may not have been read.
///
/// Returns an Arrow table, of pyarrow if that is imported; else any library of Arrow takes it. Words are dictionaries.
///
/// Raises ``RobotsError`` for what is no source, for one without a site, and for damaged captures; ``AgentError`` for
/// what is no agent; ``TypeError`` for a path that is none.
///
/// Cost: docs/census.md has figures. Other threads run meanwhile, and Ctrl-C ends it. Sources are read a part at a
/// time, so that only the rows take memory.
///
/// >>> import pathlib, pyarrow
/// >>> pathlib.Path("sites").mkdir()
/// >>> path = pathlib.Path("sites/shop.example.txt")
/// >>> _ = path.write_text("User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart\n")
/// >>> table = robotsc.census("sites", agents=["GPTBot", "FooBot"])
/// >>> table.select(["site", "agent", "access", "closed_path"]).to_pylist()[1]
/// {'site': 'shop.example', 'agent': 'FooBot', 'access': 'partly', 'closed_path': '/cart'}
#[pyfunction]
#[pyo3(signature = (
    source, *, agents = None, older = None, dialect = "google", cautious = false, as_written = false, threads = None,
    errors = "raise",
))]
#[expect(clippy::too_many_arguments, reason = "all but one are keywords")]
pub(crate) fn census<'py>(
    py: Python<'py>,
    source: SourcePath,
    agents: Option<Names>,
    older: Option<SourcePath>,
    dialect: &str,
    cautious: bool,
    as_written: bool,
    threads: Option<usize>,
    errors: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let warns = match errors {
        "raise" => false,
        "warn" => true,
        _ => return Err(RobotsError::new_err(format!("errors is 'raise' or 'warn', not {errors:?}"))),
    };
    let threads = match threads.map(NonZeroUsize::new) {
        Some(None) => return Err(RobotsError::new_err("threads is a number from 1, not 0")),
        threads => threads.flatten(),
    };
    let dialect = dialect::by_name(dialect)?;
    let dialect = if cautious { dialect::cautious(dialect) } else { dialect };
    let names = agents.map_or_else(|| Census::DEFAULT_AGENTS.map(str::to_owned).to_vec(), |names| names.0);
    if names.is_empty() {
        return Err(AgentError::new_err("there is no agent: name at least one"));
    }
    let agents = ChosenAgent::all(&names, as_written).map_err(|(_, mistake)| AgentError::new_err(message(&mistake)))?;
    let sources = Sources { source: &source.0, older: older.as_ref().map(|older| older.0.as_path()), dialect, threads };
    let (ended, Batches { schema, batches }) = py.detach(|| counted(agents, &sources))?;
    check(py, &ended, warns)?;
    let table = PyTable::try_new(batches, schema)?;
    if is_loaded(py, "pyarrow")? {
        return table.into_pyarrow(py);
    }
    Ok(table.into_pyobject(py)?.into_any())
}

/// Counts on a thread of its own, while this one looks for signals.
fn counted(agents: Vec<ChosenAgent>, sources: &Sources<'_>) -> PyResult<(Ended, Batches)> {
    let names: Vec<String> = agents.iter().map(|agent| agent.name.clone()).collect();
    let (stop, mut signals) = (Stop::default(), Signals::new());
    let (done, is_done) = sync_channel::<()>(1);
    thread::scope(|scope| {
        let counting = scope.spawn(|| {
            // Whatever happens here, the other thread does not wait for it.
            let _done = done;
            let (mut rows, mut changes) = (AgentRows::new(&names), ChangeRows::new(&names));
            let census = Census::new(agents, sources.dialect);
            let ended = count(census, sources, &stop, &mut |row| match row {
                Row::Site(site) => rows.push(site),
                Row::Change { site, change, agents } => changes.push(site, change, agents),
            });
            let batches = if sources.older.is_some() { changes.finish() } else { rows.finish() };
            (ended, batches)
        });
        let mut interrupted = None;
        while is_done.recv_timeout(Signals::EVERY) == Err(RecvTimeoutError::Timeout) {
            if let Err(error) = signals.check() {
                stop.request();
                interrupted.get_or_insert(error);
            }
        }
        let (ended, batches) =
            counting.join().map_err(|_| RobotsError::new_err("the census panicked: this is a bug of robotsc"))?;
        match interrupted {
            Some(error) => Err(error),
            None => Ok((ended.map_err(RobotsError::new_err)?, batches)),
        }
    })
}

/// Raises if a census is not what was asked for, or warns.
fn check(py: Python<'_>, ended: &Ended, warns: bool) -> PyResult<()> {
    if let Some(first) = &ended.first_broken {
        let what = match ended.broken {
            1 => first.clone(),
            count => format!("{first}; {} more captures cannot be read", count - 1),
        };
        // If nothing was read, a warning would leave nothing.
        if !warns || ended.empty.is_some() {
            let way_out = if ended.empty.is_some() { "" } else { ": pass errors='warn' to count the others" };
            return Err(RobotsError::new_err(format!("{what}{way_out}")));
        }
        let what = std::ffi::CString::new(what)?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &what, 1)?;
    }
    if let Some(source) = &ended.empty {
        let source = source.display();
        return Err(RobotsError::new_err(format!(
            "no sites: {source}: it holds no robots.txt: pass a folder of files such as shop.example.txt, a manifest, \
             a tar or a WARC file"
        )));
    }
    Ok(())
}
