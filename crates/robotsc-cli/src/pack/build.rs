//! `pack build`, `pack update` and `pack merge`.

use std::io::Write as _;
use std::path::PathBuf;

use indicatif::ProgressBar;
use robotsc::fetch::Outcome;
use robotsc::origin::Origin;
use robotsc::pack::{Capture, Pack, PackAgents, PackBuilder, PackOptions, PackReport};
use robotsc::{Dialect, pack};
use robotsc_sources::{BrokenKind, Captures, Limits};
use serde::Serialize;

use super::args::{BuildArgs, ClockArgs, MergeArgs, UpdateArgs, WriteArgs};
use super::{capture, failed, name, open};
use crate::failure::{End, Failure, complain};
use crate::{output, progress, shown, time};

/// How many broken records are told one by one.
const MOST_TOLD: u64 = 10;

/// How far clocks may differ, in seconds.
const DAY: u64 = 86_400;

/// What was met in the sources.
#[derive(Debug, Default)]
struct Met {
    broken: u64,
    unresolved: u64,
}

/// `pack build`.
pub(crate) fn build(args: &BuildArgs) -> Result<End, Failure> {
    let agents = if args.all_agents { PackAgents::All } else { PackAgents::only(&args.agents) };
    let dialect = args.dialect.of_robots();
    let options = PackOptions {
        agents,
        winners: args.winners,
        sitemaps: args.sitemaps,
        seed: args.seed,
        ..settings(PackOptions::new(dialect), &args.write)
    };
    let builder = PackBuilder::new(options, &args.write.output).map_err(|error| failed(&args.write.output, &error))?;
    fill(builder, &args.sources, dialect, &args.clock, &args.write)
}

/// `pack update`.
pub(crate) fn update(args: &UpdateArgs) -> Result<End, Failure> {
    let old = open(&args.pack)?;
    let options = settings(PackOptions::from(&old), &args.write);
    let mut builder =
        PackBuilder::new(options, &args.write.output).map_err(|error| failed(&args.write.output, &error))?;
    builder.push_pack(&old).map_err(|error| failed(&args.pack, &error))?;
    fill(builder, &args.sources, old.dialect(), &args.clock, &args.write)
}

/// `pack merge`.
pub(crate) fn merge(args: &MergeArgs) -> Result<End, Failure> {
    let packs = args.packs.iter().map(|path| open(path)).collect::<Result<Vec<Pack>, _>>()?;
    let Some(first) = packs.first() else { return Err(Failure::new("no packs: the command line: name one at least")) };
    let options = settings(PackOptions::from(first), &args.write);
    let packs: Vec<&Pack> = packs.iter().collect();
    let report =
        pack::merge(&packs, &options, &args.write.output).map_err(|error| failed(&args.write.output, &error))?;
    summarise(&report, &Met::default(), &args.write)
}

fn settings(options: PackOptions, args: &WriteArgs) -> PackOptions {
    let threads = args.threads.unwrap_or(options.threads);
    PackOptions { memory: args.memory as usize * (1 << 20), threads, ..options }
}

/// Puts the captures of the sources in, and ends the pack.
fn fill(
    mut builder: PackBuilder,
    sources: &[PathBuf],
    dialect: &Dialect,
    clock: &ClockArgs,
    args: &WriteArgs,
) -> Result<End, Failure> {
    let now = time::now(clock.now.as_deref())?;
    // A pack that lacks a whole source, or everything, must not take the place of a good one.
    for source in sources {
        let opened = std::fs::metadata(source).and_then(|_| std::fs::File::open(source));
        opened.map_err(|error| {
            Failure::io(
                "cannot read",
                &name(source),
                &error,
                "name folders and files that can be read: no pack was built",
            )
        })?;
    }
    let bar = progress::octets(sources);
    let mut met = Met::default();
    let mut captures = Captures::new(sources.to_vec(), &Limits::default());
    let (mut number, mut taken) = (0_u64, 0_u64);
    while let Some(capture) = captures.next() {
        number += 1;
        if number.is_multiple_of(256) {
            bar.set_position(captures.octets_read());
        }
        let capture = match capture {
            Ok(capture) => capture,
            Err(broken) => {
                if broken.kind == BrokenKind::Unresolved {
                    met.unresolved += 1;
                } else {
                    tell(&mut met, &bar, &broken.to_string());
                }
                continue;
            }
        };
        let origin = match Origin::of_url(&capture.url) {
            Ok(origin) => origin,
            Err(error) => {
                let url = shown::cut(&capture.url, 120);
                tell(&mut met, &bar, &format!("bad URL: {}: '{url}': {error}: skipped", capture.spot));
                continue;
            }
        };
        // The newest capture of an origin counts, so that one from the future would count for ever.
        if let Some(at) = capture.fetched_at.filter(|at| *at > u64::from(now.0) + DAY) {
            let ahead = (at - u64::from(now.0)).div_ceil(DAY);
            tell(&mut met, &bar, &format!("bad time: {}: {ahead} days ahead of now: skipped: see --now", capture.spot));
            continue;
        }
        let record = capture::record(&capture, dialect, now);
        let body = capture::body(&capture).filter(|_| record.outcome == Outcome::Rules);
        builder
            .push(Capture { origin: origin.as_bytes(), record, body })
            .map_err(|error| failed(&args.output, &error))?;
        taken += 1;
    }
    bar.finish_and_clear();
    if taken == 0 {
        let output = name(&args.output);
        return Err(Failure::new(format_args!(
            "no pack built: {output}: no capture in the sources: see --help for their forms"
        )));
    }
    let bar = progress::pack();
    let report = builder.finish_with(&mut |step| bar.show(step)).map_err(|error| failed(&args.output, &error))?;
    bar.clear();
    summarise(&report, &met, args)
}

fn tell(met: &mut Met, bar: &ProgressBar, what: &str) {
    met.broken += 1;
    if met.broken <= MOST_TOLD {
        bar.suspend(|| complain(what));
    }
}

#[derive(Serialize)]
struct Summary<'s> {
    r#type: &'static str,
    pack: &'s str,
    captures: u64,
    origins: u64,
    body_octets: u64,
    compiled: u64,
    programs: u64,
    octets: u64,
    index_octets: u64,
    broken: u64,
    unresolved: u64,
    refused: u64,
}

/// Says what was built; an error where something was broken, though the pack is written.
fn summarise(report: &PackReport, met: &Met, args: &WriteArgs) -> Result<End, Failure> {
    let name = name(&args.output);
    for (origin, why) in report.refused.iter().take(MOST_TOLD as usize) {
        complain(&format!("left out: {}: {why}", shown::octets(origin)));
    }
    if met.broken > MOST_TOLD {
        complain(&format!("broken records: {} in all, the first {MOST_TOLD} told above", met.broken));
    }
    if args.json {
        let summary = Summary {
            r#type: "pack",
            pack: &name,
            captures: report.captures,
            origins: report.origins,
            body_octets: report.body_octets,
            compiled: report.compiled,
            programs: report.programs,
            octets: report.octets,
            index_octets: report.index_octets,
            broken: met.broken,
            unresolved: met.unresolved,
            refused: report.refused_count,
        };
        let mut out = output::stdout();
        output::json_line(&mut out, &summary)?;
        out.flush()?;
    } else {
        complain(&format!(
            "{name}: {} origins of {} captures, {} programs, {} octets from {} of robots.txt; skipped: {} broken, {} \
             redirects or revisits without a capture of their target, {} refused",
            report.origins,
            report.captures,
            report.programs,
            report.octets,
            report.body_octets,
            met.broken,
            met.unresolved,
            report.refused_count
        ));
    }
    Ok(if met.broken > 0 || report.refused_count > 0 { End::Error } else { End::Clean })
}
