//! What a run of `lint` does: the command line, and robotsc.toml for what the command line does not say.

use std::ffi::OsString;

use clap::ValueEnum as _;
use robotsc::robots_txt::Severity;
use robotsc::{Dialect, RobotsTxt};
use robotsc_analysis::lint::{Finding, Lint, LintCheck};
use robotsc_analysis::near_name::is_near;
use robotsc_answers::lint::default_lint;
use robotsc_answers::shown;
use toml::Spanned;

use super::args::{FailOn, LintArgs};
use super::evidence;
use crate::command_line::config::Config;
use crate::failure::Failure;

/// How files are linted.
pub(crate) struct Options {
    pub(crate) lint: Lint,
    pub(crate) dialect: &'static Dialect,
    pub(super) fail_on: FailOn,
    /// The list of known findings.
    pub(super) baseline: Option<OsString>,
    /// The checks whose findings are warnings, whatever they are.
    pub(crate) warned: Vec<LintCheck>,
}

impl Options {
    /// Reads the options.
    ///
    /// # Errors
    /// If one of them names nothing that is known.
    pub(super) fn new(args: &LintArgs) -> Result<Self, Failure> {
        let config = if args.no_config { None } else { Config::find(args.config.as_deref())? };
        Self::with(args, config.as_ref())
    }

    /// As [`Options::new`], with a robotsc.toml that was read.
    pub(crate) fn with(args: &LintArgs, config: Option<&Config>) -> Result<Self, Failure> {
        let table = config.map(|config| (config, &config.tables.lint));
        let codes =
            |given: &[String], of_table: fn(&crate::command_line::config::LintTable) -> &[Spanned<String>]| match table
            {
                // What is selected on the command line is not mixed with the selections of the file.
                Some((config, table)) if given.is_empty() && args.select.is_empty() => {
                    let code = |code: &Spanned<String>| checks(code.get_ref(), &config.place_of(code));
                    all(of_table(table).iter().map(code))
                }
                _ => all(given.iter().map(|code| checks(code, "the command line"))),
            };
        let selected = codes(&args.select, |table| &table.select)?;
        let ignored = codes(&args.ignore, |table| &table.ignore)?;
        let warned = codes(&args.warn, |table| &table.warn)?;
        let mut lint = default_lint();
        if args.all || table.is_some_and(|(_, table)| table.all == Some(true)) {
            lint = lint.with_info();
        }
        if args.no_suppressions {
            lint = lint.without_suppressions();
        }
        if !selected.is_empty() {
            for &check in LintCheck::ALL {
                lint = if selected.contains(&check) { lint.select(check) } else { lint.ignore(check) };
            }
        }
        let is_left = |check: &LintCheck| !ignored.contains(check);
        if !selected.is_empty() && !selected.iter().chain(&warned).any(is_left) {
            return Err(Failure::new("no check: the command line: all that are selected are ignored: select others"));
        }
        lint = evidence::read(args, lint)?;
        lint = warned.iter().fold(lint, |lint, check| lint.select(*check));
        lint = ignored.iter().fold(lint, |lint, check| lint.ignore(*check));
        let dialect = match (args.dialect.named, table) {
            (None, Some((config, table))) => {
                table.dialect.as_ref().map(|name| config.dialect(name, name.get_ref())).transpose()?
            }
            (named, _) => named,
        };
        let fail_on = match (args.fail_on, table) {
            (None, Some((config, table))) => table.fail_on.as_ref().map(|value| fail_on(config, value)).transpose()?,
            (given, _) => given,
        };
        let baseline = match (&args.baseline, table) {
            (None, Some((config, table))) => table.baseline.as_ref().map(|path| config.path(path.get_ref())),
            (given, _) => given.clone(),
        };
        Ok(Self {
            lint,
            dialect: dialect.unwrap_or(&Dialect::GOOGLE),
            fail_on: fail_on.unwrap_or(FailOn::Warning),
            baseline,
            warned,
        })
    }

    /// Returns what is wrong with a file.
    pub(super) fn findings(&self, robots: &RobotsTxt<'_>) -> Vec<Finding> {
        let mut found = self.lint.run(robots);
        for finding in found.iter_mut().filter(|finding| self.warned.contains(&finding.check)) {
            finding.severity = Severity::Warning;
        }
        found
    }
}

fn fail_on(config: &Config, value: &Spanned<String>) -> Result<FailOn, Failure> {
    FailOn::from_str(value.get_ref(), false).map_err(|_| {
        let name = shown::line(value.get_ref());
        config.bad(value, &format!("no severity is called {name}: write error, warning, note or never"))
    })
}

/// Returns the checks of several names.
fn all(found: impl Iterator<Item = Result<Vec<LintCheck>, Failure>>) -> Result<Vec<LintCheck>, Failure> {
    Ok(found.collect::<Result<Vec<_>, Failure>>()?.concat())
}

/// Returns the check with a code, or those whose codes begin with some words, such as `param` or `param-`. `place` says
/// where that stands.
fn checks(name: &str, place: &str) -> Result<Vec<LintCheck>, Failure> {
    let words = name.strip_suffix('-').unwrap_or(name);
    let begins = |check: &LintCheck| check.code().strip_prefix(words).is_some_and(|rest| rest.starts_with('-'));
    let found: Vec<LintCheck> = LintCheck::ALL.iter().copied().filter(begins).collect();
    if LintCheck::by_code(name).is_some() || words.is_empty() || found.is_empty() {
        return check(name, place).map(|check| vec![check]);
    }
    Ok(found)
}

/// Returns the check with a code. `place` says where the code stands.
pub(super) fn check(code: &str, place: &str) -> Result<LintCheck, Failure> {
    LintCheck::by_code(code).ok_or_else(|| {
        let near = LintCheck::ALL.iter().find(|check| is_near(check.code(), code));
        let meant = near.map_or_else(String::new, |check| format!("did you mean '{}'? ", check.code()));
        Failure::new(format_args!(
            "no check: {}: {place}: {meant}'robotsc lint --explain' lists the checks",
            if code.is_empty() { "an empty code".into() } else { shown::line(code) }
        ))
    })
}
