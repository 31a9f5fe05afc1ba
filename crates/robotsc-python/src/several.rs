//! Verdicts for several agents at once: each URL is split once, its origin is looked up once, and agents with the same
//! rules share a walk.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use robotsc::origin::{BATCH_URLS, Batch};
use robotsc::outcome::{Access, Site, Time, UnknownReason};
use robotsc::pack::{Pack as RustPack, PackAccess, PackAgent, PackCrawlers, PackEntry, PackLookup, WantedUse};
use robotsc::program::DecidingRule;
use robotsc::UrlPath;
use robotsc_analysis::preferences::Preferences;

use crate::agent;
use crate::analysis::file;
use crate::answers::{Form, NULL};
use crate::arguments::Now;
use crate::body::Parsed;
use crate::errors::{AgentError, RobotsError, agent_error};
use crate::happened::outcome_reason;
use crate::judge::{Judge, OnError};
use crate::pack::Pack;
use crate::site::Site as OneSite;
use crate::table::{self, Column};
use crate::time::time;
use crate::urls::Urls;
use crate::wanted_use::{pack_agent, wanted_use};

const ALLOWED: u8 = 0;
const DISALLOWED: u8 = 1;
const UNKNOWN: u8 = 2;

/// The words of reasons, at the places of their codes.
const REASONS: &[&str] = &[
    "rule",
    "no-rule",
    "rules",
    "robots-txt",
    "unavailable",
    "redirects",
    "server-error",
    "unreachable",
    "not-held",
    "expired",
    "copy-not-held",
    "failed-once",
    "future",
    "use-refused",
    "use-unknown",
];

fn reason_code(word: &str) -> u8 {
    REASONS.iter().position(|known| *known == word).map_or(NULL, |place| place as u8)
}

/// Who must be allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Require {
    All,
    Any,
}

/// What is answered besides verdicts.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    require: Option<Require>,
    reasons: bool,
    lines: bool,
}

impl Wanted {
    /// A verdict for each agent, and nothing else.
    const VERDICTS: Self = Self { require: None, reasons: false, lines: false };
}

/// The answer for an agent.
#[derive(Clone, Copy, Debug)]
struct One {
    verdict: u8,
    reason: u8,
    line: u32,
}

impl Require {
    /// Returns the one answer that several amount to: of what decides it, the first. Unknown is neither: it has
    /// priority over the agents that agree.
    fn of(self, answers: &[One]) -> One {
        let decisive = if self == Self::All { DISALLOWED } else { ALLOWED };
        let first = |verdict: u8| answers.iter().find(|answer| answer.verdict == verdict);
        let found = first(decisive).or_else(|| first(UNKNOWN)).or_else(|| answers.first());
        found.copied().unwrap_or(One { verdict: UNKNOWN, reason: NULL, line: 0 })
    }
}

/// The columns of a call; those that are not wanted are empty.
#[derive(Debug, Default)]
struct Columns {
    verdicts: Vec<Vec<u8>>,
    reasons: Vec<Vec<u8>>,
    lines: Vec<Vec<u32>>,
    site: OneSite,
}

impl Columns {
    /// Makes room for rows, which have no answer yet. Returns the first of them.
    fn grow(&mut self, columns: usize, rows: usize, wanted: Wanted) -> usize {
        fn grow<T: Clone>(all: &mut Vec<Vec<T>>, columns: usize, rows: usize, value: T) {
            all.resize_with(columns, Vec::new);
            for column in all {
                column.resize(column.len() + rows, value.clone());
            }
        }
        let first = self.verdicts.first().map_or(0, Vec::len);
        grow(&mut self.verdicts, columns, rows, NULL);
        if wanted.reasons {
            grow(&mut self.reasons, columns, rows, NULL);
        }
        if wanted.lines {
            grow(&mut self.lines, columns, rows, 0);
        }
        first
    }

    fn put(&mut self, column: usize, row: usize, one: One) {
        self.verdicts[column][row] = one.verdict;
        if let Some(reasons) = self.reasons.get_mut(column) {
            reasons[row] = one.reason;
        }
        if let Some(lines) = self.lines.get_mut(column) {
            lines[row] = one.line;
        }
    }

    /// Puts the answers for the agents of a row, or the one that they amount to. `index` says which answer is that of
    /// an agent.
    #[inline]
    fn put_row(&mut self, row: usize, agents: usize, distinct: &[One], index: impl Fn(usize) -> usize, wanted: Wanted) {
        if let Some(require) = wanted.require {
            // Answers that are equal for several agents decide as one: of what decides it, the first counts.
            return self.put(0, row, require.of(distinct));
        }
        if self.reasons.is_empty() && self.lines.is_empty() {
            if let [one] = distinct {
                for column in &mut self.verdicts {
                    column[row] = one.verdict;
                }
                return;
            }
            for (agent, column) in self.verdicts.iter_mut().enumerate() {
                column[row] = distinct[index(agent)].verdict;
            }
            return;
        }
        for agent in 0..agents {
            self.put(agent, row, distinct[index(agent)]);
        }
    }

    fn named(self, agents: &[String], wanted: Wanted) -> Vec<(String, Column)> {
        let one = ["verdict".to_owned()];
        let agents = if wanted.require.is_some() { &one } else { agents };
        let name = |at: usize, what: &str| match wanted.require {
            Some(_) => what.to_owned(),
            None => format!("{} {what}", agents[at]),
        };
        let mut columns = Vec::new();
        let (mut verdicts, mut reasons, mut lines) =
            (self.verdicts.into_iter(), self.reasons.into_iter(), self.lines.into_iter());
        for (at, agent) in agents.iter().enumerate() {
            // No URL at all: the columns were not made.
            columns.push((agent.clone(), Column::Verdicts(verdicts.next().unwrap_or_default())));
            if wanted.reasons {
                columns.push((name(at, "reason"), Column::Words(REASONS, reasons.next().unwrap_or_default())));
            }
            if wanted.lines {
                columns.push((name(at, "line"), Column::Lines(lines.next().unwrap_or_default())));
            }
        }
        columns
    }
}

/// Answers of a pack.
struct ByPack {
    pack: Arc<RustPack>,
    crawlers: PackCrawlers,
    now: Time,
    wanted: Wanted,
}

impl ByPack {
    fn columns(&self) -> usize {
        if self.wanted.require.is_some() { 1 } else { self.crawlers.agents().len() }
    }

    fn answer(&self, access: &PackAccess<'_>, path: UrlPath<'_>, entry: Option<PackEntry<'_>>) -> One {
        let decided = access.decide_with_refusal(path);
        let verdict = match decided {
            Some((verdict, ..)) => u8::from(!verdict.is_allow()),
            None => UNKNOWN,
        };
        if !self.wanted.reasons && !self.wanted.lines {
            return One { verdict, reason: NULL, line: 0 };
        }
        let rule = decided.and_then(|(_, rule, _)| rule);
        let reason = match decided {
            Some((_, _, Some(refusal))) => refusal.name(),
            _ => self.reason(access, path, entry, rule),
        };
        One { verdict, reason: reason_code(reason), line: rule.map_or(0, |rule| rule.line) }
    }

    fn reason(
        &self,
        access: &PackAccess<'_>,
        path: UrlPath<'_>,
        entry: Option<PackEntry<'_>>,
        rule: Option<DecidingRule>,
    ) -> &'static str {
        if path.as_bytes() == b"/robots.txt" {
            return "robots-txt";
        }
        let Some(entry) = entry else { return UnknownReason::NotHeld.name() };
        if !matches!(access, PackAccess::Rules(_)) {
            match entry.record().effective(self.pack.dialect(), self.now).access {
                Access::Rules => {}
                Access::Unknown => {
                    return entry.unknown_reason(Site::NotKnownUp, self.now).unwrap_or(UnknownReason::NotHeld).name();
                }
                _ => return outcome_reason(entry.record().outcome),
            }
        }
        match rule {
            _ if !self.pack.names_deciding_rules() => "rules",
            Some(_) => "rule",
            None => "no-rule",
        }
    }
}

impl Judge for ByPack {
    type Out = Columns;

    fn judge(&self, _: usize, urls: &[&[u8]], out: &mut Columns) -> Option<(usize, String)> {
        let lookup = PackLookup::new(&self.pack, &self.crawlers, Site::NotKnownUp, self.now);
        let mut batch = Batch::new(&lookup);
        let mut row = out.grow(self.columns(), urls.len(), self.wanted);
        let (mut first_wrong, mut index) = (None, 0);
        let mut distinct = Vec::with_capacity(self.crawlers.agents().len());
        for some in urls.chunks(BATCH_URLS) {
            batch.clear();
            for url in some {
                batch.push(url);
            }
            batch.look_up();
            for url in batch.urls() {
                match url.split {
                    Ok((origin, path)) => {
                        if let Some(accesses) = &origin.policy {
                            let entry = origin.place.map(|slot| self.pack.entry(slot));
                            distinct.clear();
                            distinct.extend(accesses.distinct().iter().map(|access| self.answer(access, path, entry)));
                            out.put_row(row, accesses.crawlers(), &distinct, |at| accesses.index(at), self.wanted);
                        }
                    }
                    Err(error) => {
                        first_wrong.get_or_insert_with(|| (index, error.to_string()));
                    }
                }
                row += 1;
                index += 1;
            }
        }
        first_wrong
    }
}

/// Answers of a pack for one agent, as the form of the call has them.
pub(crate) struct ForUse {
    by: ByPack,
    form: Form,
}

impl ForUse {
    pub(crate) fn new(pack: Arc<RustPack>, agent: PackAgent, now: Time, form: Form) -> Self {
        let crawlers = PackCrawlers::from_iter([agent]);
        Self { by: ByPack { pack, crawlers, now, wanted: Wanted::VERDICTS }, form }
    }
}

impl Judge for ForUse {
    type Out = Vec<u8>;

    fn judge(&self, first: usize, urls: &[&[u8]], codes: &mut Vec<u8>) -> Option<(usize, String)> {
        let mut columns = Columns::default();
        let first_wrong = self.by.judge(first, urls, &mut columns);
        codes.extend(columns.verdicts.into_iter().flatten().map(|verdict| match self.form {
            Form::Mask if verdict != NULL => u8::from(verdict == ALLOWED),
            _ => verdict,
        }));
        first_wrong
    }
}

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
