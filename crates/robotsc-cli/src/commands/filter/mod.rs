//! `filter`: sends the URLs of a frontier through a policy pack.
//!
//! `first_line` decides how an input is read, `blocks` reads the inputs and cuts them at line ends, [`answerer`]
//! answers for each line, and [`pipeline`] runs these stages on threads and writes in the order of the input.
//!
//! Whom lines are answered for is a kind of [`Policies`]: one agent, [several](several) or [one of each line](by_line).

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use std::time::Instant;

use robotsc::outcome::{Site, Time};
use robotsc::pack::Pack;
use robotsc_answers::identity::Identity;
use robotsc_answers::shown;

use self::agents::Chooser;
use self::answer::{Class, Records, Route, STDOUT};
use self::answerer::Answerer;
pub(crate) use self::args::FilterArgs;
use self::args::{EmitArg, OnError, OnUnknown, RequireArg, SiteArg, WithArg};
use self::by_line::LinePolicies;
use self::columns::Columns;
use self::loading::Loading;
use self::overlay::FilterOverlay;
use self::pipeline::Run;
use self::policies::{PackPolicies, PackQuery, Policies};
use self::several::SeveralPolicies;
use self::sinks::{Sink, Sinks};
use self::summary::Summary;
use crate::command_line::rule_sets::NamedRuleSet;
use crate::commands::pack;
use crate::failure::{End, Failure, complain};
use crate::io::file_id::FileId;
use crate::io::files;
use crate::io::output;
use crate::io::progress;
use crate::io::stop::Stop;
use crate::lists::blocks::Cut;
use crate::lists::first_line::{Column, ListOptions};
use crate::lists::format::FormatArg;
use crate::lists::input;

mod agents;
mod answer;
mod answerer;
mod args;
mod by_line;
mod columns;
mod loading;
mod overlay;
mod pieces;
mod pipeline;
mod policies;
mod record;
mod several;
mod sinks;
mod summary;
mod tally;
#[cfg(test)]
mod tests;
mod totals;

/// The size of a block in bytes, some ten thousand lines. A thread that waits for a block sleeps and is woken for the
/// next: with blocks of 256 KiB, which stay in a core's own cache, zstd input took 20 % longer, and plain lines no
/// less.
const BLOCK_BYTES: usize = 1 << 20;

/// Runs the command.
pub(crate) fn filter(args: &FilterArgs) -> Result<End, Failure> {
    let since = Instant::now();
    if !args.with.is_empty() && args.emit != EmitArg::Columns {
        return Err(Failure::new("--with without columns: the command line: it adds columns: give --emit columns"));
    }
    let cut = cut(args)?;
    let now = crate::command_line::time::now(args.now.as_deref())?;
    let at = open_pack(args, now)?;
    if args.with.contains(&WithArg::Line) && !at.pack.names_deciding_rules() {
        let name = shown::bytes(args.pack.as_os_str().as_encoded_bytes());
        return Err(Failure::new(format_args!(
            "no lines: --with line: {name} does not name the rule that decides: build it with --deciding-rules"
        )));
    }
    if args.wanted.is_some() && at.pack.preferences().is_none() {
        let name = shown::bytes(args.pack.as_os_str().as_encoded_bytes());
        return Err(Failure::new(format_args!(
            "no preferences: --for: {name} holds none: build it with `robotsc pack build --preferences`"
        )));
    }
    let pack_name = shown::bytes(args.pack.as_os_str().as_encoded_bytes());
    let chooser = Chooser { pack_name, as_written: args.as_written, wanted: args.wanted_use() };
    if args.agent_column.is_some() {
        let columns = Columns { with: args.with.clone(), ..Columns::default() };
        let policies = LinePolicies { at, chooser, with: args.with.clone(), known: RwLock::default(), asked: 0.into() };
        return run(args, since, cut, policies, columns);
    }
    let (names, agents): (Vec<String>, Vec<_>) = chooser.all(&at.pack, &args.agents)?.into_iter().unzip();
    if names.len() == 1 && args.require.is_some() {
        return Err(Failure::new(
            "--require with one agent: the command line: it joins the verdicts of several: leave it out",
        ));
    }
    let wants_each = names.len() > 1 && args.require.is_none();
    if wants_each && needs_one_verdict(args) {
        return Err(Failure::new(format_args!(
            "{} agents: the command line: say whether --require all or any of them makes a line allowed, or write each \
             verdict with --emit columns",
            names.len()
        )));
    }
    let columns = Columns {
        agents: if wants_each { names.clone() } else { Vec::new() },
        agent: names.first().filter(|_| names.len() == 1).cloned(),
        with: args.with.clone(),
    };
    match &*agents {
        [agent] if args.with.is_empty() => {
            let (agent, overlay) = (agent.clone(), overlays(args, &names)?.pop());
            run(args, since, cut, PackPolicies { at, agent, overlay }, columns)
        }
        _ => {
            let policies = SeveralPolicies {
                at,
                crawlers: agents.into_iter().collect(),
                require: args.require.unwrap_or(RequireArg::All),
                wants_each: wants_each || !args.with.is_empty(),
                with: args.with.clone(),
                overlays: overlays(args, &names)?,
            };
            run(args, since, cut, policies, columns)
        }
    }
}

/// Reports whether lines are written by one verdict, whoever is asked.
const fn needs_one_verdict(args: &FilterArgs) -> bool {
    matches!(args.emit, EmitArg::Lines) || args.allowed.is_some() || args.disallowed.is_some() || args.unknown.is_some()
}

/// Answers for all lines by some policies.
fn run<P: Policies + HasPack>(
    args: &FilterArgs,
    since: Instant,
    mut cut: Cut,
    policies: P,
    columns: Columns,
) -> Result<End, Failure> {
    let names = if args.files.is_empty() { vec![OsString::from("-")] } else { args.files.clone() };
    if names.iter().filter(|name| files::is_stdin(name)).count() > 1 {
        return Err(Failure::new("standard input twice: the command line: give - once"));
    }
    for name in names.iter().filter(|name| !files::is_stdin(name)) {
        input::check(Path::new(name)).map_err(|error| files::cannot_read(&input::shown_name(name), &error))?;
    }
    check_apart(args, &names)?;
    let (route, origins, mut sinks) = outputs(args)?;
    let stop = Stop::on_ctrl_c()?;
    let mut bar = progress::frontier(input::total(&names));
    let pack = Arc::clone(policies.pack());
    if args.emit == EmitArg::Columns {
        cut.said.adds = columns.names();
    }
    let columns = Arc::new(columns);
    let mut loading = Loading::new(&pack);
    let run = Run {
        cut,
        answerer: Answerer { policies: Arc::new(policies), route, columns: Arc::clone(&columns) },
        threads: threads(args),
        stop,
        origins,
        tick: Box::new(move |taken, answered| {
            loading.tick(answered);
            bar.tick(taken, answered);
        }),
        quiet: args.quiet,
    };
    let mut ended = run.run(names, &mut sinks)?;
    // Before any file takes its name: answers from a pack that was changed meanwhile can be wrong.
    pack.check_unchanged().map_err(|error| pack::failed(&args.pack, &error))?;
    if let Some(path) = &args.hits {
        output::write_whole(path, &summary::hits(&mut ended.totals))?;
    }
    sinks.finish()?;
    for failure in &ended.failures {
        complain(failure);
    }
    let (errors, all) = (ended.totals.of(Class::Error), ended.totals.answered());
    if !args.quiet {
        Summary::new(ended.totals, &columns.agents, since.elapsed(), ended.is_stopped).print(args.json)?;
    }
    let is_error = errors > 0 && args.on_error == OnError::Fail;
    if is_error && !args.json {
        complain(&no_url(errors, all));
    }
    Ok(if ended.is_stopped {
        End::Stopped
    } else if is_error || !ended.failures.is_empty() {
        End::Error
    } else {
        End::Clean
    })
}

/// Returns the message for lines without a URL, with what to write.
fn no_url(errors: u64, all: u64) -> String {
    let way_out = match errors == all {
        true => "say what a line is with --format and --column",
        false => "keep them with --errors FILE, or drop them with --on-error drop",
    };
    format!("no URL: {errors} of {all} lines: {way_out}")
}

fn threads(args: &FilterArgs) -> NonZeroUsize {
    match args.threads.and_then(|threads| NonZeroUsize::new(usize::from(threads))) {
        Some(threads) => threads,
        None => std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
    }
}

/// Returns how the inputs are cut.
fn cut(args: &FilterArgs) -> Result<Cut, Failure> {
    let column = Column::of(args.column.as_deref()).map_err(Failure::new)?;
    let said = ListOptions {
        format: args.format,
        column,
        agent: Column::of(args.agent_column.as_deref()).map_err(Failure::new)?,
        header: args.header,
        separator: args.separator,
        encoding: args.encoding,
        adds: Vec::new(),
    };
    if matches!(args.format, Some(FormatArg::Lines | FormatArg::Cdxj)) {
        // The error is known before anything is read.
        said.start(Path::new("--format"), b"").map_err(Failure::new)?;
    }
    Ok(Cut { block: BLOCK_BYTES, said })
}

/// Opens the pack.
fn open_pack(args: &FilterArgs, now: Time) -> Result<PackQuery, Failure> {
    let name = shown::bytes(args.pack.as_os_str().as_encoded_bytes());
    files::check_is_file(&args.pack)
        .map_err(|error| Failure::io("cannot read", &name, &error, "give a policy pack with --pack"))?;
    let pack = if args.trusted { pack::open_trusted(&args.pack)? } else { pack::open(&args.pack)? };
    pack::warn_of_expired(&args.pack, &pack, now);
    let site = match args.site {
        None => Site::NotKnownUp,
        Some(SiteArg::Up) => Site::Up,
        Some(SiteArg::MissingIs5xx) => Site::MissingIs5xx,
    };
    Ok(PackQuery { pack: Arc::new(pack), now, site })
}

/// Policies of a pack.
trait HasPack {
    /// Returns the pack.
    fn pack(&self) -> &Arc<Pack>;
}

impl HasPack for PackPolicies {
    fn pack(&self) -> &Arc<Pack> {
        &self.at.pack
    }
}

impl HasPack for SeveralPolicies {
    fn pack(&self) -> &Arc<Pack> {
        &self.at.pack
    }
}

impl HasPack for LinePolicies {
    fn pack(&self) -> &Arc<Pack> {
        &self.at.pack
    }
}

/// Returns the rule set that applies to all origins, for each agent; nothing if there is none.
fn overlays(args: &FilterArgs, agents: &[String]) -> Result<Vec<Arc<FilterOverlay>>, Failure> {
    let Some(named) = &args.rules else { return Ok(Vec::new()) };
    // Threads use it until the process ends.
    let policy: &'static NamedRuleSet = Box::leak(Box::new(NamedRuleSet::read(named)?));
    let tables = policy.tables()?.map(|tables| &*Box::leak(Box::new(tables)));
    let overlay = |agent: &String| {
        let crawler = Identity::token(agent, args.as_written);
        let overlay = Box::leak(Box::new(policy.overlay(tables, Some(&crawler))?));
        Ok(Arc::new(FilterOverlay::new(overlay)))
    };
    agents.iter().map(overlay).collect()
}

/// Checks that no output is an input or the pack, under whatever name: it would be lost, or read while it grows.
fn check_apart(args: &FilterArgs, names: &[OsString]) -> Result<(), Failure> {
    let input = |name: &OsString| Some((FileId::of_input(name)?, format!("the input {}", input::shown_name(name))));
    let mut read: Vec<(FileId, String)> = names.iter().filter_map(input).collect();
    read.extend(FileId::of_path(&args.pack).map(|id| (id, "the pack".to_owned())));
    let rules = args.rules.as_deref().and_then(|named| FileId::of_path(NamedRuleSet::path(named)?));
    read.extend(rules.map(|id| (id, "the file of --rules".to_owned())));
    let files = [&args.allowed, &args.disallowed, &args.unknown, &args.errors, &args.hits];
    let files = files.into_iter().flatten().filter(|path| path.as_os_str() != "-");
    let written =
        files.filter_map(|path| Some((FileId::of_path(path)?, shown::bytes(path.as_os_str().as_encoded_bytes()))));
    for (output, name) in written.chain(FileId::of_stdout().map(|id| (id, "standard output".to_owned()))) {
        if let Some((_, what)) = read.iter().find(|(id, _)| *id == output) {
            return Err(Failure::new(format_args!("{what} as an output: {name}: give the lines a file of their own")));
        }
    }
    Ok(())
}

/// Returns the path of a file that exists or will, in one spelling.
fn place(path: &Path) -> PathBuf {
    let in_folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(in_folder).unwrap_or_else(|| path.to_path_buf())
}

/// Returns what is written where: the route, the output that gets origins to fetch, and the outputs.
fn outputs(args: &FilterArgs) -> Result<(Route, Option<usize>, Sinks), Failure> {
    let mut route = Route { hits: args.hits.is_some(), ..Route::default() };
    let mut sinks = Sinks::default();
    let files = [&args.allowed, &args.disallowed, &args.unknown, &args.errors];
    let mut taken: Vec<PathBuf> =
        args.hits.iter().filter(|path| path.as_os_str() != "-").map(|path| place(path)).collect();
    for (class, path) in files.into_iter().enumerate() {
        let Some(path) = path else { continue };
        if path.as_os_str() == "-" {
            route.lines[class] = Some(STDOUT);
            continue;
        }
        let place = place(path);
        if taken.contains(&place) {
            let name = shown::bytes(path.as_os_str().as_encoded_bytes());
            return Err(Failure::new(format_args!("two outputs: {name}: give each a file of its own")));
        }
        taken.push(place);
        sinks.add(class + 1, Sink::file(path)?);
        route.lines[class] = Some(class + 1);
    }
    match args.emit {
        EmitArg::Lines => {
            route.lines[Class::Allowed as usize].get_or_insert(STDOUT);
        }
        EmitArg::Verdicts => route.records = Some(Records::Verdicts),
        EmitArg::Json => route.records = Some(Records::Json),
        EmitArg::Columns => route.records = Some(Records::Columns),
    }
    let mut origins = None;
    match args.on_unknown {
        OnUnknown::Drop => {}
        OnUnknown::Keep if args.unknown.is_some() => {
            return Err(Failure::new("--on-unknown keep and --unknown: the command line: give one of them"));
        }
        OnUnknown::Keep => route.lines[Class::Unknown as usize] = route.lines[Class::Allowed as usize],
        OnUnknown::List => {
            origins = route.lines[Class::Unknown as usize].take();
            if origins.is_none() {
                return Err(Failure::new("no file for the origins: --on-unknown list: name one with --unknown, or -"));
            }
        }
    }
    let to_stdout = [
        route.lines.contains(&Some(STDOUT)),
        route.records.is_some(),
        origins == Some(STDOUT),
        args.hits.as_ref().is_some_and(|path| path.as_os_str() == "-"),
    ];
    if to_stdout.into_iter().filter(|is_wanted| *is_wanted).count() > 1 {
        return Err(Failure::new(
            "two things to standard output: the command line: give files for the lines, such as with --allowed",
        ));
    }
    sinks.add(STDOUT, Sink::Stream(output::stdout()));
    Ok((route, origins, sinks))
}
