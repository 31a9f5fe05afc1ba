//! `lint`: what is wrong with robots.txt files, and how to mend it.

mod args;
mod baseline;
mod formats;
mod sarif;
mod text;

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;

use robotsc::{Dialect, RobotsTxt, Severity, bundled};
use robotsc_analysis::lint::{CHECKS, Check, Finding, Fixed, KnownName, Lint, fixed};

pub(crate) use self::args::LintArgs;
use self::args::{FailOn, LintFormat};
use self::baseline::Baseline;
#[cfg(feature = "fetch")]
pub(crate) use self::text::counted;
use crate::failure::{End, Failure, complain};
use crate::file_kind::FileKind;
use crate::output;
use crate::shown;
use crate::source::{Source, is_stdin, is_url};
use crate::table::Table;

/// A file that was linted.
pub(super) struct Linted<'s> {
    /// Its name.
    pub(super) name: &'s str,
    pub(super) robots: RobotsTxt<'s>,
    pub(super) found: Vec<Finding>,
}

/// Runs the command.
pub(crate) fn lint(args: &LintArgs) -> Result<End, Failure> {
    if let Some(code) = &args.explain {
        return explain(code);
    }
    let lint = lint_of(args)?;
    let warned = codes(&args.warn)?;
    let dialect = args.dialect.of_robots();
    let sources = args.files.iter().map(|file| read(file)).collect::<Result<Vec<Source>, Failure>>()?;
    if args.fix || args.unsafe_fixes {
        return fix(args, &lint, dialect, &sources);
    }
    if args.diff {
        return Err(Failure::new(
            "--diff without a fix: the command line: it shows what --fix or --unsafe-fixes change",
        ));
    }
    let mut files: Vec<Linted<'_>> = Vec::with_capacity(sources.len());
    for source in &sources {
        let robots = RobotsTxt::parse_with(&source.bytes, dialect);
        let mut found = lint.run(&robots);
        for finding in found.iter_mut().filter(|finding| warned.contains(&finding.check)) {
            finding.severity = Severity::Warning;
        }
        files.push(Linted { name: &source.name, robots, found });
    }
    if let Some(path) = &args.write_baseline {
        let count: usize = files.iter().map(|file| file.found.len()).sum();
        output::write_whole(Path::new(path), &Baseline::of(&files).to_bytes())?;
        complain(&format!("{count} findings are in the baseline {}", shown::bytes(path.as_encoded_bytes())));
        return Ok(End::Clean);
    }
    if let Some(path) = &args.baseline {
        Baseline::read(path)?.drop_known(&mut files);
    }
    let mut out = output::coloured();
    match args.format {
        LintFormat::Text => text::write(&mut out, &files)?,
        LintFormat::Line => formats::write_lines(&mut out, &files)?,
        LintFormat::Json => formats::write_json(&mut out, &files)?,
        LintFormat::Github => formats::write_github(&mut out, &files)?,
        LintFormat::Sarif => sarif::write(&mut out, &files)?,
    }
    out.flush()?;
    let mut severities = files.iter().flat_map(|file| &file.found).map(|finding| finding.severity);
    Ok(if severities.any(|severity| args.fail_on.includes(severity)) { End::Findings } else { End::Clean })
}

/// Reads a file that is to be linted: any text, but nothing that was compiled.
fn read(file: &OsStr) -> Result<Source, Failure> {
    let source = Source::read(file)?;
    let kind = FileKind::of(&source.name, &source.bytes);
    if let FileKind::Program | FileKind::Policy | FileKind::Pack | FileKind::RuleSets | FileKind::Archive(_) = kind {
        kind.check_is_text(&source.name)?;
    }
    if source.bytes.is_empty() && is_stdin(file) {
        return Err(Failure::new("no robots.txt: standard input is empty: see whether the command before it failed"));
    }
    Ok(source)
}

/// Returns the checks that run without options.
pub(crate) fn default_lint() -> Lint {
    let known = bundled::agents().iter().map(|agent| KnownName { token: agent.token.to_owned(), successor: None });
    Lint::new().known_names(known)
}

/// Returns the checks that run.
fn lint_of(args: &LintArgs) -> Result<Lint, Failure> {
    let mut lint = default_lint();
    if args.all {
        lint = lint.with_info();
    }
    if args.no_suppressions {
        lint = lint.without_suppressions();
    }
    let selected = codes(&args.select)?;
    if !selected.is_empty() {
        for check in CHECKS {
            lint = if selected.contains(&check) { lint.select(check) } else { lint.ignore(check) };
        }
    }
    for check in codes(&args.warn)? {
        lint = lint.select(check);
    }
    for check in codes(&args.ignore)? {
        lint = lint.ignore(check);
    }
    Ok(lint)
}

/// Returns the checks of some codes.
fn codes(given: &[String]) -> Result<Vec<&'static Check>, Failure> {
    let check = |code: &String| {
        Check::by_code(code).ok_or_else(|| {
            Failure::new(format_args!(
                "no check: {}: the command line: 'robotsc lint --explain' lists the checks",
                shown::line(code)
            ))
        })
    };
    given.iter().map(check).collect()
}

/// Shows the page of a check, or lists the checks.
fn explain(code: &str) -> Result<End, Failure> {
    let mut out = output::coloured();
    if code.is_empty() {
        let mut table = Table::new(&["code", "severity", "what it reports"]);
        for check in CHECKS {
            table.row([check.code.to_owned(), check.severity.to_string(), check.summary.to_owned()]);
        }
        table.write(&mut out, "")?;
    } else {
        let checks = codes(&[code.to_owned()])?;
        for check in checks {
            out.write_all(check.page().as_bytes())?;
        }
    }
    out.flush()?;
    Ok(End::Clean)
}

/// Applies fixes, or shows what they would change.
fn fix(args: &LintArgs, lint: &Lint, dialect: &Dialect, sources: &[Source]) -> Result<End, Failure> {
    let mut end = End::Clean;
    let mut out = output::coloured();
    for (file, source) in args.files.iter().zip(sources) {
        let Fixed { body, applied, refused } = fixed(&source.bytes, dialect, lint, args.unsafe_fixes);
        let is_changed = body != source.bytes;
        if args.diff {
            text::write_diff(&mut out, &source.name, &source.bytes, &body)?;
        } else if is_stdin(file) || is_url(file) {
            out.write_all(&body)?;
        } else if is_changed {
            if Source::read(file)?.bytes != source.bytes {
                return Err(Failure::new(format_args!(
                    "changed meanwhile: {}: it was edited while its fixes were proved: run the command again",
                    source.name
                )));
            }
            output::write_whole(Path::new(file), &body)?;
        }
        let what = if args.diff { "would be applied" } else { "applied" };
        let fixes = if applied == 1 { "1 fix".to_owned() } else { format!("{applied} fixes") };
        let (before, after) = (source.bytes.len(), body.len());
        let change = if after > before { "more" } else { "less" };
        complain(&format!("{}: {fixes} {what}, {} bytes {change}", source.name, before.abs_diff(after)));
        if refused > 0 {
            complain(&format!(
                "{}: {refused} safe fixes were not applied: that they keep the meaning was not proved",
                source.name
            ));
        }
        let left = lint.run(&RobotsTxt::parse_with(&body, dialect));
        let is_open = left.iter().any(|finding| args.fail_on.includes(finding.severity));
        if is_open || (args.diff && is_changed && args.fail_on != FailOn::Never) {
            end = End::Findings;
        }
    }
    out.flush()?;
    Ok(end)
}
