//! `fmt`: robots.txt files in one spelling, or as small as they can be.

mod args;

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use robotsc::Dialect;
use robotsc_analysis::words::counted;
use robotsc_answers::format::After;
use serde_json::Map;

pub(crate) use self::args::FmtArgs;
use crate::failure::{End, Failure, complain};
use crate::io::files::{is_stdin, is_url};
use crate::io::output;
use crate::io::patch;
use crate::io::source::Source;

/// Runs the command. A file that fails does not stop those after it.
pub(crate) fn fmt(args: &FmtArgs) -> Result<End, Failure> {
    if args.json && !args.edit.check && args.files.iter().any(|file| has_no_file(file)) {
        return Err(Failure::new(
            "--json with -: the command line: standard output cannot hold the file, too: give --check, or name a file",
        ));
    }
    let mut out = output::coloured();
    let mut end = End::Clean;
    for file in &args.files {
        match one(args, file, &mut out) {
            Ok(found) => end = end.max(found),
            Err(Failure::Error(message)) => {
                complain(&message);
                end = End::Error;
            }
            Err(Failure::PipeClosed) => return Err(Failure::PipeClosed),
        }
    }
    out.flush()?;
    Ok(end)
}

/// Reports whether a formatted text goes to standard output: there is no file to replace.
fn has_no_file(name: &OsStr) -> bool {
    is_stdin(name) || is_url(name)
}

/// Formats one file.
fn one(args: &FmtArgs, file: &OsStr, out: &mut dyn Write) -> Result<End, Failure> {
    let source = read(args, file)?;
    let after = After::of(&source.bytes, args.minify);
    let is_changed = after.body != source.bytes;
    if args.edit.diff {
        patch::write_diff(out, &source.name, &source.bytes, &after.body)?;
    } else if args.edit.writes() && has_no_file(file) {
        // Not through `out`, which drops escape sequences.
        output::write_whole(Path::new("-"), &after.body)?;
    } else if args.edit.writes() && is_changed {
        source.replace(file, &after.body)?;
    }
    if args.json {
        write_json(out, &source, &after)?;
    } else if !args.edit.quiet {
        report(args, &source, &after);
    }
    Ok(if is_changed && !args.edit.writes() { End::Findings } else { End::Clean })
}

/// Reads a file that can be formatted.
fn read(args: &FmtArgs, file: &OsStr) -> Result<Source, Failure> {
    let read = if args.edit.writes() { Source::read_to_replace } else { Source::read };
    let source = read(file, &args.network, &Dialect::ALL)?;
    source.check_can_be_edited(file, args.force, "format")?;
    Ok(source)
}

fn write_json(out: &mut dyn Write, source: &Source, after: &After) -> Result<(), Failure> {
    let mut report = Map::new();
    report.insert("type".to_owned(), "file".into());
    report.insert("file".to_owned(), source.name.as_str().into());
    report.extend(after.json(&source.bytes));
    output::json_line(out, &report)
}

/// Says on standard error what was done.
fn report(args: &FmtArgs, source: &Source, after: &After) {
    let name = &source.name;
    if let Some(left) = after.left {
        complain(&format!("{name}: left as it is: {left}"));
        return;
    }
    let is_changed = after.body != source.bytes;
    let would = if args.edit.writes() { "" } else { "would be " };
    match after.small {
        None if is_changed => complain(&format!("{name}: {would}formatted")),
        None => {}
        Some(([before, rules], is_decided)) => {
            if is_changed {
                let bytes = source.bytes.len() - after.body.len().min(source.bytes.len());
                let share = bytes * 100 / source.bytes.len().max(1);
                complain(&format!(
                    "{name}: {would}minified: {} ({share} %) and {} less",
                    counted(bytes, "byte"),
                    counted(before.saturating_sub(rules), "rule")
                ));
            } else {
                complain(&format!("{name}: nothing to remove"));
            }
            if !is_decided {
                complain(&format!("{name}: not decided: the work limit was reached: more than this can be possible"));
            }
        }
    }
}
