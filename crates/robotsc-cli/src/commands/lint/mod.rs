//! `lint`: what is wrong with robots.txt files, and how to mend it.

mod args;
mod baseline;
mod evidence;
mod fix;
mod formats;
pub(crate) mod options;
mod sarif;
mod statistics;
mod text;

use std::ffi::OsStr;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{iter, thread};

use robotsc::RobotsTxt;
use robotsc_analysis::Lines;
use robotsc_analysis::lint::{Finding, LintCheck};
use robotsc_answers::shown;

pub(crate) use self::args::LintArgs;
use self::args::LintFormat;
use self::baseline::Baseline;
use self::options::Options;
#[cfg(feature = "fetch")]
pub(crate) use self::text::counted;
use crate::failure::{End, Failure, complain};
use crate::io::file_kind::FileKind;
use crate::io::files::is_stdin;
use crate::io::output;
use crate::io::source::Source;
use crate::io::table::Table;

/// A file that was linted.
pub(super) struct Linted<'s> {
    /// Its name.
    pub(super) name: &'s str,
    pub(super) robots: RobotsTxt<'s>,
    pub(super) found: Vec<Finding>,
}

impl<'s> Linted<'s> {
    /// Lints a body under the name of its source.
    fn new(source: &'s Source, body: &'s [u8], options: &Options) -> Self {
        let robots = RobotsTxt::parse_with(body, options.dialect);
        let found = options.findings(&robots);
        Self { name: &source.name, robots, found }
    }

    /// Returns where the lines of the file are. Cost: linear.
    pub(super) fn lines(&self) -> Lines<'_> {
        Lines::new(self.robots.body())
    }
}

/// Runs the command.
pub(crate) fn lint(args: &LintArgs) -> Result<End, Failure> {
    if let Some(code) = &args.explain {
        return explain(code);
    }
    let options = Options::new(args)?;
    evidence::check_args(args)?;
    let fixes = args.fix || args.unsafe_fixes;
    if args.diff && !fixes {
        return Err(Failure::new(
            "--diff without a fix: the command line: it shows what --fix or --unsafe-fixes change",
        ));
    }
    if fixes && args.emit != LintFormat::Text {
        fix::check_format(args)?;
    }
    // A file that cannot be read keeps no other from being linted. A baseline without it would not be whole.
    let mut sources: Vec<(&OsStr, Source)> = Vec::with_capacity(args.files.len());
    let mut missed = Vec::new();
    for file in &args.files {
        match read(args, file) {
            Ok(source) => sources.push((file, source)),
            Err(Failure::Error(message)) if args.files.len() > 1 && args.write_baseline.is_none() => {
                complain(&message);
                missed.push(message);
            }
            Err(failure) => return Err(failure),
        }
    }
    if sources.is_empty() && args.emit != LintFormat::Sarif {
        return Ok(End::Error);
    }
    if fixes {
        return fix::fix(args, &options, &sources, missed);
    }
    let mut files = all(&sources, &options);
    if let Some(path) = &args.write_baseline {
        let count: usize = files.iter().map(|file| file.found.len()).sum();
        Baseline::of(path, &files)?.write()?;
        let findings = if count == 1 { "1 finding is".to_owned() } else { format!("{count} findings are") };
        complain(&format!("{findings} in the baseline {}", shown::bytes(path.as_encoded_bytes())));
        return Ok(End::Clean);
    }
    if let Some(path) = &options.baseline {
        let mut known = Baseline::read(path)?;
        files.iter_mut().for_each(|file| known.drop_known(file));
    }
    if args.statistics {
        statistics::write(&files, args.quiet)?;
    } else {
        write(args, &files, &missed)?;
    }
    let mut severities = files.iter().flat_map(|file| &file.found).map(|finding| finding.severity);
    let is_clean = !severities.any(|severity| options.fail_on.includes(severity));
    let read = if missed.is_empty() { End::Clean } else { End::Error };
    Ok(read.max(if is_clean { End::Clean } else { End::Findings }))
}

/// Lints files on all processors. The results are in the order of the files.
fn all<'s>(sources: &'s [(&OsStr, Source)], options: &Options) -> Vec<Linted<'s>> {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get).min(sources.len());
    let work = || {
        let numbers = iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let taken = numbers.map_while(|number| Some((number, &sources.get(number)?.1)));
        taken.map(|(number, source)| (number, Linted::new(source, &source.bytes, options))).collect::<Vec<_>>()
    };
    let mut files: Vec<(usize, Linted<'s>)> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut files = work();
        for other in others {
            files.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        files
    });
    files.sort_by_key(|(number, _)| *number);
    files.into_iter().map(|(_, file)| file).collect()
}

/// Writes the findings of files to standard output; and what kept others from being linted, in a format for it.
pub(super) fn write(args: &LintArgs, files: &[Linted<'_>], missed: &[String]) -> Result<(), Failure> {
    let mut out = output::coloured();
    match args.emit {
        LintFormat::Text => text::write(&mut out, files, args.quiet)?,
        LintFormat::Line => formats::write_lines(&mut out, files)?,
        LintFormat::Json => formats::write_json(&mut out, files)?,
        LintFormat::Github => formats::write_github(&mut out, files)?,
        LintFormat::Sarif => sarif::write(&mut out, files, missed)?,
    }
    Ok(out.flush()?)
}

/// Reads a file that is to be linted: any text, but nothing that was compiled.
fn read(args: &LintArgs, file: &OsStr) -> Result<Source, Failure> {
    let is_replaced = (args.fix || args.unsafe_fixes) && !args.diff;
    let read = if is_replaced { Source::read_to_replace } else { Source::read };
    let source = read(file, &args.network, &[args.dialect.of_robots()])?;
    let kind = FileKind::of(&source.name, &source.bytes);
    if let FileKind::Program | FileKind::Policy | FileKind::Pack | FileKind::RuleSets | FileKind::Archive(_) = kind {
        kind.check_is_text(&source.name)?;
    }
    if source.bytes.is_empty() && is_stdin(file) {
        return Err(Failure::new(
            "not a robots.txt: standard input is empty: see whether the command before it failed",
        ));
    }
    Ok(source)
}

/// Shows the page of a check, or lists the checks.
fn explain(code: &str) -> Result<End, Failure> {
    let mut out = output::coloured();
    if code.is_empty() {
        let mut table = Table::new(&["code", "severity", "what it reports"]);
        for check in LintCheck::ALL {
            table.row([check.code().to_owned(), check.severity().to_string(), check.summary().to_owned()]);
        }
        table.write(&mut out, "")?;
    } else {
        out.write_all(options::check(code, "the command line")?.page().as_bytes())?;
    }
    out.flush()?;
    Ok(End::Clean)
}
