//! `diff`: what an edit of a robots.txt changes, for whom.

mod args;
mod markdown;
mod packs;
mod sites;
mod text;
mod urls;

use std::ffi::{OsStr, OsString};
use std::io::Write as _;

use robotsc::{Dialect, RobotsTxt};
use robotsc_analysis::{Diff, DiffOptions, Effect, Paths};
use robotsc_answers::diff::words::Words;
use robotsc_answers::diff::{self as compared, json};
use robotsc_answers::shown;

pub(crate) use self::args::DiffArgs;
use self::args::{Emit, FailOn, MAX_WORK};
use self::urls::UrlList;
use crate::command_line::crawlers;
use crate::command_line::network::NetworkArgs;
use crate::command_line::options::{DialectArgs, RobotsArgs};
use crate::failure::{End, Failure, complain};
use crate::io::contents::{self, Contents};
use crate::io::file_kind::is_pack;
use crate::io::files;
use crate::io::output;
use crate::io::source::Source;
use crate::lists::urls::Urls;

/// The most groups of agents that the message about what was not decided names; the others are counted.
const MAX_UNDECIDED: usize = 5;

/// One of the two files.
struct Side<'s> {
    name: String,
    robots: RobotsTxt<'s>,
}

/// Runs the command.
pub(crate) fn diff(args: &DiffArgs) -> Result<End, Failure> {
    args.list.check(!args.list.files.is_empty())?;
    let sides = [Some(&args.old), args.new.as_ref()];
    let (packs, sites) = (
        sides.into_iter().flatten().any(|side| is_pack(side)),
        sides.into_iter().flatten().find(|side| is_sites(side)),
    );
    if let (true, Some(sites)) = (packs, sites) {
        return Err(Failure::new(format_args!(
            "a pack and files: {}: it holds files as they were fetched: give two packs, or two folders or archives",
            shown::bytes(sites.as_encoded_bytes())
        )));
    }
    if packs {
        return packs::diff(args);
    }
    if let Some(new) = &args.new
        && (is_sites(&args.old) || is_sites(new))
    {
        return sites::diff(args, [args.old.as_ref(), new.as_ref()]);
    }
    for (option, is_given) in [("--total-work", args.total_work.is_some()), ("--threads", args.threads.is_some())] {
        if is_given {
            return Err(Failure::new(format_args!(
                "{option} with one site: the command line: it is about folders and archives of many sites"
            )));
        }
    }
    // clap waives what an option requires if that conflicts with what is given.
    if args.all_escapes && args.dialects.is_empty() {
        return Err(Failure::new(
            "--all-escapes with two files: the command line: it is about two dialects of one file: see --dialects",
        ));
    }
    let dialects = dialects(args)?;
    let new_name = args.new.as_ref().unwrap_or(&args.old);
    check_stdin(args)?;
    let site = |name| Source::read(name, &args.read.network, &dialects);
    let old_source = site(&args.old)?;
    let new_source = if args.new.is_some() { Some(site(new_name)?) } else { None };
    let sources = [&old_source, new_source.as_ref().unwrap_or(&old_source)];
    let old = read(sources[0], dialects[0], args.read.force)?;
    let new = read(sources[1], dialects[1], args.read.force)?;
    let is_edit = args.dialects.is_empty();

    let mut options: DiffOptions<'_> = compared::options(&args.agents, is_edit, args.as_written);
    if args.all_escapes {
        options.paths = Paths::Urls;
    }
    let options = compared::with_work(options, args.work);
    let diff = Diff::with(&old.robots, &new.robots, &options)
        .map_err(|error| Failure::new(format_args!("bad agent: {error}")))?;

    let dialects = if is_edit { None } else { Some([dialects[0].name, dialects[1].name]) };
    crawlers::warn_of_unnamed(&args.agents, &[&old.robots, &new.robots]);
    let words = Words::new(&diff, dialects, args.all);
    let mut flips = None;
    if !args.list.files.is_empty() {
        // Of two sites, the URLs can be those of either.
        let site = match sources.map(|source| source.site.as_ref()) {
            [Some(old), Some(new)] => (old == new).then_some(new),
            [old, new] => old.or(new),
        };
        flips = Some(UrlList::new(&diff, [&old.robots, &new.robots], site, Urls::new(Vec::new(), args.list.lists())?));
    }
    let is_complete = Compared { args, diff: &diff, words: &words, sides: [&old, &new], dialects }.write(flips)?;
    if !diff.is_decided() {
        let agents = diff.rules.iter().filter(|rules| rules.outcome.is_err()).map(|rules| words.who(&rules.agents));
        let mut agents: Vec<String> = agents.collect();
        if agents.len() > MAX_UNDECIDED {
            let more = agents.len() - MAX_UNDECIDED;
            agents.truncate(MAX_UNDECIDED);
            agents.push(format!("{more} more groups of agents"));
        }
        complain(&format!(
            "not decided: {} and {}: the rules are too complex for --work {}, for {}: {}compare them alone with \
             --agent, or URLs with --urls",
            old.name,
            new.name,
            args.work,
            agents.join("; "),
            more_work(args.work)
        ));
    }
    Ok(end(&diff, args.fail_on, is_complete))
}

/// Reports whether a path names a source of many sites: a folder, a manifest, a tar or a WARC file.
fn is_sites(path: &OsStr) -> bool {
    !files::is_stdin(path) && robotsc_sources::is_of_many(path.as_ref())
}

/// What is written of two files.
struct Compared<'c> {
    args: &'c DiffArgs,
    diff: &'c Diff,
    words: &'c Words,
    sides: [&'c Side<'c>; 2],
    /// The dialects, if they are compared.
    dialects: Option<[&'static str; 2]>,
}

impl Compared<'_> {
    /// Writes the changes, and the URLs that flip. Returns whether all URLs could be read.
    fn write(&self, flips: Option<UrlList<'_>>) -> Result<bool, Failure> {
        let Self { args, diff, words, sides, .. } = *self;
        let mut out = output::coloured();
        let is_complete = match args.form() {
            Emit::Text => {
                text::write(&mut out, diff, words, sides, args)?;
                flips.map_or(Ok(true), |flips| flips.write(&mut out, words))?
            }
            Emit::Json => {
                let sides = sides.map(|side| compared::Side { name: &side.name, robots: &side.robots });
                for object in json::objects(diff, words, sides) {
                    output::json_line(&mut out, &object)?;
                }
                flips.map_or(Ok(true), |flips| flips.write_json(&mut out))?
            }
            Emit::Markdown => {
                let mut changes = anstream::StripStream::new(Vec::new());
                text::write(&mut changes, diff, words, sides, args)?;
                markdown::write(&mut out, diff, words, &String::from_utf8_lossy(&changes.into_inner()), self.dialects)?;
                match flips {
                    None => true,
                    Some(flips) => {
                        let mut listed = Vec::new();
                        let is_complete = flips.write(&mut listed, words)?;
                        markdown::fold(&mut out, "URLs", &String::from_utf8_lossy(&listed), args.all)?;
                        is_complete
                    }
                }
            }
        };
        out.flush()?;
        Ok(is_complete)
    }
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
