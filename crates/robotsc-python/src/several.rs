//! Verdicts for several agents at once: each URL is split once, its origin is looked up once, and agents with the same
//! rules share a walk.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use robotsc::UrlPath;
use robotsc::pack::{PackCrawlers, WantedUse};
use robotsc::program::DecidingRule;
use robotsc_analysis::preferences::Preferences;

use crate::agent;
use crate::analysis::file;
use crate::answers::NULL;
use crate::arguments::Now;
use crate::body::Parsed;
use crate::by_pack::ByPack;
use crate::errors::{AgentError, RobotsError, agent_error};
use crate::judge::{Judge, OnError};
use crate::pack::Pack;
use crate::several_columns::{Columns, DISALLOWED, One, Require, Wanted, reason_code};
use crate::site::Site as OneSite;
use crate::table;
use crate::time::time;
use crate::urls::Urls;
use crate::wanted_use::{pack_agent, wanted_use};

/// Answers of one robots.txt.
struct ByRobots {
    parsed: Arc<Parsed>,
    /// Each agent, and its matcher.
    agents: Vec<(robotsc::Crawler, robotsc::Matcher)>,
    wanted: Wanted,
    /// What the pages are wanted for.
    wanted_use: Option<WantedUse>,
}

impl ByRobots {
    /// Returns the answer of the rules, and then that of the preferences if pages are wanted for a use.
    fn answer(
        &self,
        matcher: &robotsc::Matcher,
        preferences: Option<&Preferences<'_>>,
        path: UrlPath<'_>,
    ) -> Result<One, String> {
        let answer = self.answer_by_rules(matcher, path)?;
        let (Some(preferences), Some(wanted)) = (preferences, self.wanted_use) else { return Ok(answer) };
        let Some(stated) = preferences.at_path(path).map_err(|error| error.to_string())? else { return Ok(answer) };
        Ok(match wanted.refusal(stated.of(wanted.category)) {
            Some(refusal) => One { verdict: DISALLOWED, reason: reason_code(refusal.name()), line: 0 },
            None => answer,
        })
    }

    fn answer_by_rules(&self, matcher: &robotsc::Matcher, path: UrlPath<'_>) -> Result<One, String> {
        if !self.wanted.reasons && !self.wanted.lines {
            let verdict = matcher.verdict_for_path(path).map_err(|error| error.to_string())?;
            return Ok(One { verdict: u8::from(!verdict.is_allow()), reason: NULL, line: 0 });
        }
        let rule = matcher.rules().deciding_rule(path).map_err(|error| error.to_string())?;
        let verdict = DecidingRule::verdict_of(rule);
        let rule = rule.filter(|rule| !rule.is_empty_line());
        let reason = reason_code(if rule.is_some() { "rule" } else { "no-rule" });
        Ok(One { verdict: u8::from(!verdict.is_allow()), reason, line: rule.map_or(0, |rule| rule.line) })
    }

    fn answers(
        &self,
        preferences: &[Preferences<'_>],
        url: &[u8],
        site: &mut OneSite,
        answers: &mut Vec<One>,
    ) -> Result<(), String> {
        if self.parsed.origin.is_none() {
            site.check(url)?;
        }
        let path = self.parsed.robots.url_path(url).map_err(|error| error.to_string())?;
        answers.clear();
        for (at, (_, matcher)) in self.agents.iter().enumerate() {
            answers.push(self.answer(matcher, preferences.get(at), path.as_path())?);
        }
        Ok(())
    }
}

impl Judge for ByRobots {
    type Out = Columns;

    fn judge(&self, _: usize, urls: &[&[u8]], out: &mut Columns) -> Option<(usize, String)> {
        let agents = self.agents.len();
        let columns = if self.wanted.require.is_some() { 1 } else { agents };
        let first = out.grow(columns, urls.len(), self.wanted);
        let mut first_wrong = None;
        let mut answers = Vec::with_capacity(agents);
        let stated = |crawler: &robotsc::Crawler| Preferences::of(&self.parsed.robots, crawler.clone());
        let asked = self.agents.iter().filter(|_| self.wanted_use.is_some());
        let preferences = match asked.map(|(crawler, _)| stated(crawler)).collect::<Result<Vec<_>, _>>() {
            Ok(preferences) => preferences,
            Err(error) => return Some((0, crate::errors::message(&error))),
        };
        for (index, url) in urls.iter().enumerate() {
            match self.answers(&preferences, url, &mut out.site, &mut answers) {
                Ok(()) => out.put_row(first + index, agents, &answers, |at| at, self.wanted),
                Err(message) => {
                    first_wrong.get_or_insert_with(|| (index, crate::errors::message(&message)));
                }
            }
        }
        first_wrong
    }
}

/// Returns the verdict of each of many URLs for each of several agents: a column for each agent.
///
/// | URLs | columns |
/// |---|---|
/// | list, tuple, numpy array | ``dict`` of lists, tuples, numpy arrays |
/// | pandas Series | DataFrame with the same index; words are categories |
/// | polars Series | DataFrame; words are categories |
/// | pyarrow Array, ChunkedArray | Table; words are dictionaries |
/// | any other object that exports Arrow | such an object |
///
/// Args:
///     urls: URLs; with ``robots`` those of one site, and paths.
///     agents: names, or ``Crawler`` objects, each once. A column has the name of its agent.
///     pack: answers for URLs of any origin. Either this or ``robots``.
///     robots: a robots.txt, or its body.
///     require: ``all`` or ``any`` of the agents; then there is one column, ``verdict``. What decides it has priority
///         over ``unknown``, and ``unknown`` over the rest.
///     reasons: add a column ``FooBot reason`` for each agent, or ``reason``: see ``Reason``.
///     lines: add a column ``FooBot line``, or ``line``: the line of the rule that decided, missing if no rule did.
///     use: what the pages are wanted for: ``train``, ``input`` (of a model that answers) or ``search``. A page is
///         disallowed, too, if the site says no to this use. A pack needs preferences: see ``build_pack``.
///     unknown_use: with ``use``, whether to ``allow`` or ``deny`` pages of which the site says neither yes nor no.
///     now: the time to answer for, in seconds since 1970; the clock's without it. A robots.txt has no time.
///     errors: what becomes of a URL without an answer: ``raise``, or ``null``.
///
/// Raises ``UrlError`` as ``Matcher.allowed``, ``AgentError`` for what is no agent and for one that the pack was not
/// built for, ``PackError`` if it holds no preferences, ``TypeError`` without a pack and a robots.txt, and for ``use``
/// without ``unknown_use``: there is no default.
///
/// Cost: each URL is split once, its origin looked up once, and agents with the same rules share a walk
/// (docs/python.md has figures). Other threads run meanwhile, and Ctrl-C ends it.
///
/// >>> robots = b"User-agent: GPTBot\nDisallow: /\n"
/// >>> robotsc.verdicts(["/", "/cart"], ["GPTBot", "FooBot"], robots=robots)["GPTBot"]
/// [<Verdict.DISALLOWED: 'disallowed'>, <Verdict.DISALLOWED: 'disallowed'>]
/// >>> robotsc.verdicts(["/"], ["GPTBot", "FooBot"], robots=robots, require="all", lines=True)["line"]
/// [2]
/// >>> body = b"User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /press/ train-ai=y\n"
/// >>> robotsc.verdicts(["/", "/press/"], ["FooBot"], robots=body, use="train", unknown_use="deny")["FooBot"]
/// [<Verdict.DISALLOWED: 'disallowed'>, <Verdict.ALLOWED: 'allowed'>]
#[pyfunction]
#[pyo3(signature = (
    urls, agents, *, pack = None, robots = None, require = None, reasons = false, lines = false, r#use = None,
    unknown_use = None, now = None, errors = "raise",
))]
#[expect(clippy::too_many_arguments, reason = "all but two are keywords")]
pub(crate) fn verdicts<'py>(
    urls: &Bound<'py, PyAny>,
    agents: &Bound<'py, PyAny>,
    pack: Option<&Bound<'py, PyAny>>,
    robots: Option<&Bound<'py, PyAny>>,
    require: Option<&str>,
    reasons: bool,
    lines: bool,
    r#use: Option<&str>,
    unknown_use: Option<&str>,
    now: Option<Now>,
    errors: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = urls.py();
    let require = match require {
        None => None,
        Some("all") => Some(Require::All),
        Some("any") => Some(Require::Any),
        Some(other) => return Err(RobotsError::new_err(format!("require is 'all' or 'any', not {other:?}"))),
    };
    let wanted = Wanted { require, reasons, lines };
    let (on_error, now, wanted_use) = (OnError::named(errors)?, time(now)?, wanted_use(r#use, unknown_use)?);
    let (names, crawlers) = asked(agents)?;
    let (columns, kind) = match (pack, robots) {
        (Some(pack), None) => {
            let Ok(pack) = pack.cast::<Pack>() else {
                let name = crate::text::type_name(pack);
                return Err(PyTypeError::new_err(format!("pack is a Pack, not {name}: open it with robotsc.Pack")));
            };
            pack.get().warn_of_age(py, now)?;
            let pack = pack.get().pack()?;
            let crawlers = crawlers.iter().zip(&names);
            let crawlers = crawlers.map(|(crawler, name)| pack_agent(&pack, crawler, name, wanted_use));
            let crawlers = crawlers.collect::<PyResult<PackCrawlers>>()?;
            let (columns, _, kind) =
                Urls::extract(urls)?.judged(py, &ByPack { pack, crawlers, now, wanted }, on_error)?;
            (columns, kind)
        }
        (None, Some(robots)) => {
            let parsed = file(robots, "google", false)?;
            let agents = crawlers.into_iter().map(|crawler| {
                let matcher = parsed.robots.matcher(&crawler).map_err(agent_error)?;
                Ok((crawler, matcher))
            });
            let agents = agents.collect::<PyResult<_>>()?;
            let by = ByRobots { agents, parsed: parsed.clone(), wanted, wanted_use };
            let (columns, _, kind) = Urls::extract(urls)?.judged(py, &by, on_error)?;
            (columns, kind)
        }
        _ => return Err(PyTypeError::new_err("who says what is allowed: pass either pack= or robots=")),
    };
    table::into_python(py, columns.named(&names, wanted), &kind)
}

/// Returns the agents of the argument, each with the name of its column.
fn asked(agents: &Bound<'_, PyAny>) -> PyResult<(Vec<String>, Vec<robotsc::Crawler>)> {
    let (mut names, mut crawlers) = (Vec::new(), Vec::new());
    for agent in agent::each(agents)? {
        let crawler = agent::crawler(&agent)?;
        // Of a member of an enumeration of `str`, `str()` is another text than the name.
        let name = match agent.is_instance_of::<PyString>() {
            true => agent::name_of(&agent)?.to_owned(),
            false => agent.str()?.to_string_lossy().into_owned(),
        };
        if names.contains(&name) {
            return Err(AgentError::new_err(format!("the agent {name} is named twice: name each once")));
        }
        names.push(name);
        crawlers.push(crawler);
    }
    if names.is_empty() {
        return Err(AgentError::new_err("there is no agent: name at least one"));
    }
    Ok((names, crawlers))
}
