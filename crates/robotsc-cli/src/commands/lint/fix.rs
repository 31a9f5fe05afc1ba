//! Applies fixes to files, or shows what they would change. With `--emit`, what is left is written to standard
//! output.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use robotsc_analysis::lint::{Fixed, fixed};
use robotsc_analysis::words::counted;

use super::args::{FailOn, LintArgs, LintFormat};
use super::baseline::Baseline;
use super::options::Options;
use super::{Linted, write};
use crate::failure::{End, Failure, complain};
use crate::io::files::{is_stdin, is_url};
use crate::io::output;
use crate::io::patch;
use crate::io::source::Source;

/// Fixes each file. One that cannot be written does not keep the others from being fixed; the run ends with an error
/// then.
pub(super) fn fix(
    args: &LintArgs,
    options: &Options,
    sources: &[(&OsStr, Source)],
    mut missed: Vec<String>,
) -> Result<End, Failure> {
    let mut end = End::Clean;
    let mut known = options.baseline.as_ref().map(|path| Baseline::read(path)).transpose()?;
    let mut out = output::coloured();
    let fixed = |source: &Source| fixed(&source.bytes, options.dialect, &options.lint, args.unsafe_fixes);
    // Each file is written as soon as it is fixed: whoever stops a long run keeps what was done.
    let mut written: Vec<(&Source, Fixed)> = Vec::with_capacity(sources.len());
    for (file, source) in sources {
        let fixed = fixed(source);
        if args.diff {
            patch::write_diff(&mut out, &source.name, &source.bytes, &fixed.body)?;
        } else if is_stdin(file) || is_url(file) {
            // Not through `out`, which drops escape sequences.
            output::write_whole(Path::new("-"), &fixed.body)?;
        } else if fixed.body != source.bytes
            && let Err(failure) = source.replace(file, &fixed.body)
        {
            let Failure::Error(message) = failure else { return Err(failure) };
            complain(&message);
            missed.push(message);
            continue;
        }
        written.push((source, fixed));
    }
    if !missed.is_empty() {
        end = End::Error;
    }
    let mut files = Vec::with_capacity(written.len());
    for (source, Fixed { body, applied, refused }) in &written {
        let is_changed = *body != source.bytes;
        let mut left = Linted::new(source, body, options);
        if let Some(known) = &mut known {
            known.drop_known(&mut left);
        }
        let open = left.found.iter().filter(|finding| options.fail_on.includes(finding.severity)).count();
        if !args.quiet {
            complain(&summary(args, source, body, *applied));
        }
        if *refused > 0 {
            complain(&format!(
                "{}: {refused} safe fixes were not applied: that they keep the meaning was not proved",
                source.name
            ));
        }
        if open > 0 && args.emit == LintFormat::Text && !args.quiet {
            let findings = if open == 1 { "1 finding is".to_owned() } else { format!("{open} findings are") };
            complain(&format!("{}: {findings} left: robotsc lint shows them", source.name));
        }
        if open > 0 || (args.diff && is_changed && options.fail_on != FailOn::Never) {
            end = end.max(End::Findings);
        }
        files.push(left);
    }
    out.flush()?;
    if args.emit != LintFormat::Text {
        write(args, &files, &missed)?;
    }
    Ok(end)
}

/// Checks that standard output is free for the findings that are left.
///
/// # Errors
/// If a patch or a body is written there.
pub(super) fn check_format(args: &LintArgs) -> Result<(), Failure> {
    if args.diff {
        return Err(Failure::new(
            "both --diff and --emit: the command line: a patch has no other form: give one of them",
        ));
    }
    if args.files.iter().any(|file| is_stdin(file) || is_url(file)) {
        return Err(Failure::new(
            "--emit with a fix: the command line: standard output has the fixed body: lint it in a second run",
        ));
    }
    Ok(())
}

/// Returns what the fixes of a file did.
fn summary(args: &LintArgs, source: &Source, body: &[u8], applied: usize) -> String {
    let what = if args.diff { "would be applied" } else { "applied" };
    let fixes = if applied == 1 { "1 fix".to_owned() } else { format!("{applied} fixes") };
    let (before, after) = (source.bytes.len(), body.len());
    let change = if after > before { "more" } else { "less" };
    format!("{}: {fixes} {what}, {} {change}", source.name, counted(before.abs_diff(after), "byte"))
}
