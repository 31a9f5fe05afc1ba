//! `diff`: what an edit of a robots.txt changes, for whom.

mod args;
mod packs;
mod text;
mod urls;

use std::ffi::{OsStr, OsString};
use std::io::Write as _;

use robotsc::{Dialect, RobotsTxt};
use robotsc_analysis::{Diff, DiffOptions, Effect, Paths};
use robotsc_answers::diff::words::Words;
use robotsc_answers::diff::{self as compared, json};

pub(crate) use self::args::DiffArgs;
use self::args::{FailOn, MAX_WORK};
use self::urls::UrlList;
use crate::command_line::network::NetworkArgs;
use crate::command_line::options::{DialectArgs, RobotsArgs};
use crate::failure::{End, Failure, complain};
use crate::io::contents::{self, Contents};
use crate::io::file_kind::is_pack;
use crate::io::files;
use crate::io::output;
use crate::io::source::Source;
use crate::lists::urls::Urls;

/// One of the two files.
struct Side<'s> {
    name: String,
    robots: RobotsTxt<'s>,
}

/// Runs the command.
pub(crate) fn diff(args: &DiffArgs) -> Result<End, Failure> {
    args.list.check(!args.list.files.is_empty())?;
    if is_pack(&args.old) || args.new.as_deref().is_some_and(is_pack) {
        return packs::diff(args);
    }
    let dialects = dialects(args)?;
    let new_name = args.new.as_ref().unwrap_or(&args.old);
    check_stdin(args)?;
    let old_source = Source::read(&args.old, &args.read.network)?;
    let new_source = if args.new.is_some() { Some(Source::read(new_name, &args.read.network)?) } else { None };
    let sources = [&old_source, new_source.as_ref().unwrap_or(&old_source)];
    let old = read(sources[0], dialects[0], args.read.force)?;
    let new = read(sources[1], dialects[1], args.read.force)?;
    let is_edit = args.dialects.is_empty();

    let mut options: DiffOptions<'_> = compared::options(&args.agents, is_edit, args.as_written);
    if args.all_escapes {
        options.paths = Paths::Urls;
    }
    options.work_per_search = options.work_per_search.saturating_mul(args.work.into());
    options.work = options.work.saturating_mul(args.work.into());
    let diff = Diff::with(&old.robots, &new.robots, &options)
        .map_err(|error| Failure::new(format_args!("bad agent: {error}")))?;

    let words = Words::new(&diff, if is_edit { None } else { Some([dialects[0].name, dialects[1].name]) }, args.all);
    let mut out = output::coloured();
    let mut flips = None;
    if !args.list.files.is_empty() {
        flips = Some(UrlList::new(&diff, [&old.robots, &new.robots], Urls::new(Vec::new(), args.list.lists())?));
    }
    let is_complete = if args.json {
        let sides = [&old, &new].map(|side| compared::Side { name: &side.name, robots: &side.robots });
        for object in json::objects(&diff, &words, sides) {
            output::json_line(&mut out, &object)?;
        }
        flips.map_or(Ok(true), |flips| flips.write_json(&mut out))?
    } else {
        text::write(&mut out, &diff, &words, [&old, &new], args)?;
        flips.map_or(Ok(true), |flips| flips.write(&mut out, &words))?
    };
    out.flush()?;
    if !diff.is_decided() {
        let agents = diff.rules.iter().filter(|rules| rules.outcome.is_err()).map(|rules| words.who(&rules.agents));
        complain(&format!(
            "not decided: {} and {}: the rules are too complex for --work {}, for {}: {}compare them alone with \
             --agent, or URLs with --urls",
            old.name,
            new.name,
            args.work,
            agents.collect::<Vec<_>>().join("; "),
            more_work(args.work)
        ));
    }
    Ok(end(&diff, args.fail_on, is_complete))
}

/// Returns advice to allow more work, if more can be allowed.
fn more_work(work: u32) -> String {
    let more = work.saturating_mul(10).min(MAX_WORK);
    if more > work { format!("allow more, such as --work {more}, ") } else { String::new() }
}

fn end(diff: &Diff, fail_on: FailOn, is_complete: bool) -> End {
    let is_different = match fail_on {
        FailOn::NewlyBlocked => diff.has(Effect::Blocked),
        FailOn::NewlyAllowed => diff.has(Effect::Opened),
        FailOn::Any => !diff.is_same(),
    };
    match is_different {
        _ if !diff.is_decided() || !is_complete => End::Error,
        true => End::Findings,
        false => End::Clean,
    }
}

/// Returns the dialects of the two sides.
fn dialects(args: &DiffArgs) -> Result<[&'static Dialect; 2], Failure> {
    match args.dialects[..] {
        [] => Ok([args.read.dialect.of_robots(); 2]),
        [one, other] if one != other => Ok([one, other]),
        _ => Err(Failure::new("--dialects: the command line: it takes two dialects: write --dialects google,rfc9309")),
    }
}

/// Checks that standard input is read once.
fn check_stdin(args: &DiffArgs) -> Result<(), Failure> {
    let inputs = [Some(&args.old), args.new.as_ref()];
    let is_stdin = |name: &&OsString| files::is_stdin(OsStr::new(name));
    if inputs.into_iter().flatten().chain(&args.list.files).filter(is_stdin).count() > 1 {
        return Err(Failure::new("standard input twice: the command line: give one of the inputs as a file"));
    }
    Ok(())
}

/// Reads one side, as `check` reads a robots.txt.
fn read<'s>(source: &'s Source, dialect: &'static Dialect, force: bool) -> Result<Side<'s>, Failure> {
    let read = RobotsArgs { dialect: DialectArgs { named: Some(dialect) }, force, network: NetworkArgs::default() };
    let Contents::Robots(body) = Contents::of(source, &read)? else {
        return Err(Failure::new(format_args!(
            "nothing to compare: {}: a compiled program holds no lines: give the robots.txt that it came from",
            source.name
        )));
    };
    Ok(Side { name: source.name.clone(), robots: contents::parse(&source.name, body, &read)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_work_is_advised_up_to_the_maximum() {
        assert_eq!(more_work(60), "allow more, such as --work 600, ");
        assert_eq!(more_work(200_000), "allow more, such as --work 1000000, ");
        assert_eq!(more_work(MAX_WORK), "");
    }
}
