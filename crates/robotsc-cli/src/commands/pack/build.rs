//! `pack build`, `pack update` and `pack merge`.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use robotsc::Dialect;
use robotsc::pack::{Pack, PackAgents, PackBuilder, PackOptions, PackReport, Vocabulary};
use robotsc_analysis::words::counted;
use robotsc_answers::identity::Identity;
use robotsc_answers::shown;
use robotsc_sources::{Captures, SourceLimits};
use serde::Serialize;

use super::args::{BuildArgs, ClockArgs, MergeArgs, UpdateArgs, WriteArgs};
use super::skipped::{MAX_REPORTED, Skipped};
use super::{capture, failed, name, open};
use crate::command_line::crawlers;
use crate::command_line::time;
use crate::failure::{End, Failure, complain};
use crate::io::file_id::FileId;
use crate::io::file_kind::FileKind;
use crate::io::files;
use crate::io::output;
use crate::io::progress;

/// `pack build`.
pub(crate) fn build(args: &BuildArgs) -> Result<End, Failure> {
    let agents = if args.all_agents { PackAgents::All } else { agents(args)? };
    let dialect = args.caution.of(args.dialect.of_robots());
    let options = PackOptions {
        agents,
        deciding_rules: args.deciding_rules,
        sitemaps: args.sitemaps,
        preferences: args.preferences.then_some(Vocabulary::NEWEST),
        seed: args.seed,
        ..settings(PackOptions::new(dialect), &args.write)
    };
    check_output(&args.sources, &args.write)?;
    let builder = PackBuilder::new(options, &args.write.output).map_err(|error| failed(&args.write.output, &error))?;
    fill(builder, &args.sources, dialect, &args.clock, &args.write)
}

/// Returns the crawlers of `--agent`: as their operators document them, or as they are written.
fn agents(args: &BuildArgs) -> Result<PackAgents, Failure> {
    crawlers::warn_of_near(args.agents.iter().map(String::as_str));
    let crawlers = args.agents.iter().map(|name| Identity::token(name, args.as_written).named_crawler());
    let crawlers = crawlers.collect::<Result<Vec<_>, _>>()?;
    PackAgents::of(crawlers).map_err(|error| Failure::new(format_args!("bad agent: {error}")))
}

/// `pack update`.
pub(crate) fn update(args: &UpdateArgs) -> Result<End, Failure> {
    let old = open(&args.pack)?;
    let dialect = args.caution.of(old.dialect());
    let options = PackOptions { dialect: dialect.clone(), ..settings(PackOptions::from(&old), &args.write) };
    check_output(&args.sources, &args.write)?;
    let mut builder =
        PackBuilder::new(options, &args.write.output).map_err(|error| failed(&args.write.output, &error))?;
    let pushed = builder.push_pack(&old).and_then(|()| old.check_unchanged());
    pushed.map_err(|error| failed(&args.pack, &error))?;
    fill(builder, &args.sources, dialect, &args.clock, &args.write)
}

/// `pack merge`.
pub(crate) fn merge(args: &MergeArgs) -> Result<End, Failure> {
    check_output(&[], &args.write)?;
    let packs = args.packs.iter().map(|path| open(path)).collect::<Result<Vec<Pack>, _>>()?;
    let Some(first) = packs.first() else { return Err(Failure::new("no packs: the command line: name one at least")) };
    let options = settings(PackOptions::from(first), &args.write);
    let output = &args.write.output;
    let mut builder = PackBuilder::new(options, &args.write.output).map_err(|error| failed(output, &error))?;
    for (path, pack) in args.packs.iter().zip(&packs) {
        let pushed = builder.push_pack(pack).and_then(|()| pack.check_unchanged());
        pushed.map_err(|error| failed(path, &error))?;
    }
    finish(builder, &Skipped::default(), &args.write)
}

/// Checks that the output is a file of its own: not standard output, and none of the sources under another name.
pub(super) fn check_output(sources: &[PathBuf], args: &WriteArgs) -> Result<(), Failure> {
    if args.output.as_os_str() == "-" {
        return Err(Failure::new(
            "standard output as the pack: -: a pack is written out of order: name a file, such as -o frontier.pack",
        ));
    }
    let Some(output) = FileId::of_path(&args.output) else { return Ok(()) };
    match sources.iter().find(|source| FileId::of_path(source).is_some_and(|source| source == output)) {
        // A robots.txt in a folder of sources, for example.
        None if args.output.is_file() && !is_pack_or_empty(&args.output) => Err(Failure::new(format_args!(
            "no pack as the output: {}: it is another file, and would be lost: name a new file, or remove it",
            name(&args.output)
        ))),
        None => Ok(()),
        Some(source) => Err(Failure::new(format_args!(
            "a source as the output: {}: it would be lost: give the pack a file of its own",
            name(source)
        ))),
    }
}

/// Returns whether a file begins as a pack does, or has nothing to lose. One that cannot be read is none.
fn is_pack_or_empty(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(8).read_to_end(&mut head));
    read.is_ok() && (head.is_empty() || FileKind::of("", &head) == FileKind::Pack)
}

pub(super) fn settings(options: PackOptions, args: &WriteArgs) -> PackOptions {
    let threads = args.threads.unwrap_or(options.threads);
    PackOptions { memory: args.memory as usize * (1 << 20), threads, ..options }
}

/// Checks that all sources can be read: a pack that lacks one must not take the place of a good one.
fn check_sources(sources: &[PathBuf]) -> Result<(), Failure> {
    for source in sources {
        files::open_source(source).map_err(|error| {
            Failure::io(
                "cannot read",
                &name(source),
                &error,
                "name folders and files that can be read: no pack was built",
            )
        })?;
    }
    Ok(())
}

/// Inserts the captures of the sources, and finishes the pack.
fn fill(
    mut builder: PackBuilder,
    sources: &[PathBuf],
    dialect: &Dialect,
    clock: &ClockArgs,
    args: &WriteArgs,
) -> Result<End, Failure> {
    let now = time::now(clock.now.as_deref())?;
    check_sources(sources)?;
    let bar = progress::sources(sources);
    let mut skipped = Skipped::default();
    let mut captures = Captures::new(sources.to_vec(), &SourceLimits::default());
    let (mut number, mut taken) = (0_u64, 0_u64);
    while let Some(capture) = captures.next() {
        number += 1;
        bar.tick(number, || captures.bytes_read());
        let capture = match capture {
            Ok(capture) => capture,
            Err(broken) => {
                skipped.insert(&broken, &bar);
                continue;
            }
        };
        let origin = match capture::origin(&capture, now, "'robotsc pack build --now' sets it") {
            Ok(origin) => origin,
            Err(unusable) => {
                skipped.unusable(&unusable, &bar);
                continue;
            }
        };
        let fetched = capture::fetched(&capture, dialect, now);
        // A failure by caution brings no body, so that the builder cannot count it.
        if dialect.fetch.other_body_is_failure
            && let Some(kind) = capture::other_body(&capture, dialect)
        {
            skipped.other_bodies += 1;
            if skipped.other_bodies <= MAX_REPORTED {
                bar.say(&format!("no robots.txt: {}: the body is {kind}, which counts as a failure", origin.as_str()));
            }
        }
        builder.push(&origin, &fetched).map_err(|error| failed(&args.output, &error))?;
        taken += 1;
    }
    bar.clear();
    skipped.ignored = captures.passed_over();
    if taken == 0 {
        skipped.summarize();
        let output = name(&args.output);
        return Err(Failure::new(format_args!(
            "no pack built: {output}: no capture in the sources: see --help for their forms"
        )));
    }
    finish(builder, &skipped, args)
}

/// Finishes the pack, with `--strict` if nothing is left out.
pub(super) fn finish(builder: PackBuilder, skipped: &Skipped, args: &WriteArgs) -> Result<End, Failure> {
    let bar = progress::pack();
    let mut left_out = skipped.broken + skipped.unresolved;
    let mut accepts = |report: &PackReport| {
        bar.suspend(|| {
            complain_of(report);
            skipped.summarize();
        });
        left_out += report.refused_count;
        left_out == 0 || !args.strict
    };
    let written = builder.finish_if(&mut |step| bar.show(step), &mut accepts);
    bar.clear();
    match written.map_err(|error| failed(&args.output, &error))? {
        Some(report) => summarize(&report, skipped, args),
        None => Err(not_written(args, left_out)),
    }
}

/// Reports the origins that get no entry, and those whose body is no robots.txt.
fn complain_of(report: &PackReport) {
    for (origin, why) in report.refused.iter().take(MAX_REPORTED as usize) {
        complain(&format!("refused: {}: {why}", shown::bytes(origin)));
    }
    for (origin, kind) in report.other_bodies.iter().take(MAX_REPORTED as usize) {
        complain(&format!(
            "no robots.txt: {}: the body is {kind}, so that everything is allowed",
            shown::bytes(origin)
        ));
    }
}

#[derive(Serialize)]
struct Summary<'s> {
    r#type: &'static str,
    pack: &'s str,
    captures: u64,
    origins: u64,
    body_bytes: u64,
    compiled: u64,
    programs: u64,
    bytes: u64,
    index_bytes: u64,
    broken: u64,
    unresolved: u64,
    refused: u64,
    ignored: u64,
    other_bodies: u64,
}

fn not_written(args: &WriteArgs, count: u64) -> Failure {
    Failure::new(format_args!(
        "not written: {}: {} would be left out: mend the sources, or build without --strict",
        name(&args.output),
        counted(count, "record")
    ))
}

/// Reports what was built. What was left out is counted: its origins are unknown, and nothing is allowed there.
fn summarize(report: &PackReport, skipped: &Skipped, args: &WriteArgs) -> Result<End, Failure> {
    let name = name(&args.output);
    let other_bodies = report.other_body_count + skipped.other_bodies;
    if args.json {
        let summary = Summary {
            r#type: "pack",
            pack: &name,
            captures: report.captures,
            origins: report.origins,
            body_bytes: report.body_bytes,
            compiled: report.compiled,
            programs: report.programs,
            bytes: report.bytes,
            index_bytes: report.index_bytes,
            broken: skipped.broken,
            unresolved: skipped.unresolved,
            refused: report.refused_count,
            ignored: skipped.ignored,
            other_bodies,
        };
        let mut out = output::stdout();
        output::json_line(&mut out, &summary)?;
        out.flush()?;
    } else {
        let ignored = match skipped.ignored {
            0 => String::new(),
            number => format!("; ignored: {number} files or records of another kind, such as requests"),
        };
        let others = match other_bodies {
            0 => String::new(),
            number => format!("; bodies that are no robots.txt: {number}"),
        };
        complain(&format!(
            "{name}: {} of {}, {}, {} from {} of robots.txt; skipped: {} broken, {} \
             redirects or revisits without a capture of their target, {} refused{ignored}{others}",
            counted(report.origins, "origin"),
            counted(report.captures, "capture"),
            counted(report.programs, "program"),
            counted(report.bytes, "byte"),
            report.body_bytes,
            skipped.broken,
            skipped.unresolved,
            report.refused_count
        ));
    }
    Ok(End::Clean)
}
