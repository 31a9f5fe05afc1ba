//! `compile`: robots.txt files to programs.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use robotsc::Compiler;
use robotsc::program::Output;
use robotsc_answers::draw::{Picture, dot, svg};
use robotsc_answers::identity::Identity;
use robotsc_answers::obeyed::Obeyed;
use robotsc_answers::shown;

use crate::command_line::crawlers;
use crate::command_line::options::{EffortArg, RobotsArgs, token_alone};
use crate::commands::inspect::sheet::{self, Sheet};
use crate::failure::{End, Failure};
use crate::io::contents::{self, Contents};
use crate::io::file_id::FileId;
use crate::io::file_kind::FileKind;
use crate::io::files;
use crate::io::output;
use crate::io::source::Source;

/// Compiles robots.txt files to programs, or draws them.
///
/// The file is written whole or not at all. With several ROBOTS, -o names a directory, and each gets a file there.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  robotsc compile robots.txt -o site.robotsc
  robotsc compile robots.txt --agent FooBot --effort small -o foobot.robotsc
  robotsc compile robots.txt --agent FooBot --emit svg -o automaton.svg
  robotsc compile robots.txt --emit dot -o automaton.dot")]
pub(crate) struct CompileArgs {
    /// robots.txt files, or one `-` for standard input
    #[arg(value_name = "ROBOTS", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) robots: Vec<OsString>,

    /// The file to write, `-` for standard output; with several ROBOTS a directory
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) output: PathBuf,

    /// Compile the groups of this crawler, and those for all (`*`), only; can be given more than once [default: all
    /// agents of the file]
    #[arg(long = "agent", value_name = "TOKEN", value_parser = token_alone)]
    pub(crate) agents: Vec<String>,

    #[command(flatten)]
    pub(crate) read: RobotsArgs,

    /// How hard to try to make the program small
    #[arg(long, value_enum, default_value_t = EffortArg::Small, value_name = "EFFORT")]
    pub(crate) effort: EffortArg,

    /// Compile programs that name the rule that decides; they are larger
    #[arg(long, alias = "winner")]
    pub(crate) deciding_rules: bool,

    /// What to write
    #[arg(long, value_enum, default_value_t = Emit::Program, value_name = "KIND")]
    pub(crate) emit: Emit,

    /// With --emit dot or svg: the edges beyond which a picture is refused, since nobody could read it
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) max_edges: usize,
}

/// What `compile` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// The program, for `check` and for the runtime library
    Program,
    /// Agents, rules and figures in JSON Lines
    #[value(alias = "jsonl")]
    Json,
    /// The automata, with the rules that they name, as Graphviz text
    Dot,
    /// The same as an SVG picture
    Svg,
}

/// Runs the command.
pub(crate) fn compile(args: &CompileArgs) -> Result<End, Failure> {
    if args.output.as_os_str() == "-" && args.emit == Emit::Program && std::io::stdout().is_terminal() {
        return Err(Failure::new(
            "a program to a terminal: standard output: it is no text: name a file with -o, or show it with --emit json",
        ));
    }
    if let [robots] = args.robots.as_slice() {
        check_apart(&[&args.output], &args.robots)?;
        check_replaceable(&args.output, args.emit)?;
        output::write_whole(&args.output, &compiled(args, robots)?)?;
        return Ok(End::Clean);
    }
    let paths = paths(args)?;
    check_apart(&paths.keys().map(PathBuf::as_path).collect::<Vec<_>>(), &args.robots)?;
    paths.keys().try_for_each(|path| check_replaceable(path, args.emit))?;
    for (path, robots) in paths {
        output::write_whole(&path, &compiled(args, robots)?)?;
    }
    Ok(End::Clean)
}

/// Returns the output of each of several files. Two files with one output are an error before anything is written.
fn paths(args: &CompileArgs) -> Result<BTreeMap<PathBuf, &OsStr>, Failure> {
    let mut paths = BTreeMap::new();
    for robots in &args.robots {
        if files::is_stdin(robots) {
            return Err(Failure::new("standard input among several ROBOTS: the command line: compile it alone"));
        }
        let ending = match args.emit {
            Emit::Program => "robotsc",
            Emit::Json => "jsonl",
            Emit::Dot => "dot",
            Emit::Svg => "svg",
        };
        let name = Path::new(robots).with_extension(ending);
        let path = args.output.join(name.file_name().unwrap_or(robots));
        if let Some(other) = paths.insert(path, robots.as_os_str()) {
            let (one, two) = (shown::bytes(other.as_encoded_bytes()), shown::bytes(robots.as_encoded_bytes()));
            return Err(Failure::new(format_args!("two files of one name: {one} and {two}: compile them one by one")));
        }
    }
    if args.output.as_os_str() == "-" {
        return Err(Failure::new("several ROBOTS to standard output: the command line: name a directory with -o"));
    }
    let folder = shown::bytes(args.output.as_os_str().as_encoded_bytes());
    let made = fs::create_dir_all(&args.output);
    made.map_err(|error| Failure::io("cannot write", &folder, &error, "with several ROBOTS -o names a directory"))?;
    Ok(paths)
}

/// Returns what is written for one file.
fn compiled(args: &CompileArgs, robots: &OsStr) -> Result<Vec<u8>, Failure> {
    let source = Source::read(robots, &args.read.network, &[args.read.dialect.of_robots()])?;
    let name = &source.name;
    let Contents::Robots(body) = Contents::of(&source, &args.read)? else {
        return Err(Failure::new(format_args!("compiled already: {name}: give a robots.txt")));
    };
    let robots = contents::parse(name, body, &args.read)?;
    let output = if args.deciding_rules { Output::DecidingRule } else { Output::Verdict };
    let compiler = Compiler::new().effort(args.effort.effort()).output(output);
    let cannot = |error| Failure::new(format_args!("cannot compile: {name}: {error}"));
    let agents: Vec<Identity> = args.agents.iter().map(|name| Identity::Token(name.clone())).collect();
    crawlers::warn_of_misspelt(&agents, &robots);
    match args.emit {
        Emit::Program => {
            let policy = sheet::compile_policy(name, &compiler, &robots, &agents)?;
            Ok(policy.as_bytes().to_owned())
        }
        Emit::Json => {
            let mut text = Vec::new();
            let sheet = Sheet::of_robots(name, &robots, &compiler, &agents)?;
            sheet.write_json(&mut text)?;
            Ok(text)
        }
        Emit::Dot | Emit::Svg => {
            let obeyed = Obeyed::all(&robots, &agents)?;
            let picture = Picture::of(name, &robots, &compiler, &obeyed).map_err(cannot)?;
            let edges = picture.edges();
            if edges > args.max_edges {
                return Err(Failure::new(format_args!(
                    "too large to draw: {name}: {edges} edges, over {}: draw one crawler with --agent, or raise \
                     --max-edges",
                    args.max_edges
                )));
            }
            Ok(if args.emit == Emit::Dot { dot::text(&picture) } else { svg::text(&picture) }.into_bytes())
        }
    }
}

/// Checks that a file that is there already begins as what this command writes, or is empty.
///
/// # Errors
/// If it is of another kind, such as a robots.txt, or cannot be read; nothing is written then.
fn check_replaceable(path: &Path, emit: Emit) -> Result<(), Failure> {
    if !path.is_file() {
        return Ok(());
    }
    let mut head = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(8).read_to_end(&mut head));
    read.map_err(|error| files::cannot_read(&shown::bytes(path.as_os_str().as_encoded_bytes()), &error))?;
    let is_ours = match emit {
        Emit::Program => matches!(FileKind::of("", &head), FileKind::Program | FileKind::Policy),
        Emit::Json => head.starts_with(b"{"),
        Emit::Dot => head.starts_with(b"digraph"),
        Emit::Svg => head.starts_with(b"<svg") || head.starts_with(b"<?xml"),
    };
    if head.is_empty() || is_ours {
        return Ok(());
    }
    Err(Failure::new(format_args!(
        "another file as the output: {}: it would be lost: name a new file with -o, or remove it",
        shown::bytes(path.as_os_str().as_encoded_bytes())
    )))
}

/// Checks that no output replaces a source.
///
/// # Errors
/// If one does; nothing is written then.
fn check_apart(outputs: &[&Path], sources: &[OsString]) -> Result<(), Failure> {
    for source in sources {
        let Some(file) = FileId::of_input(source) else { continue };
        let same = |output: &&&Path| match output.as_os_str() == "-" {
            true => FileId::of_stdout().is_some_and(|output| output == file),
            false => FileId::of_path(output).is_some_and(|output| output == file),
        };
        if let Some(output) = outputs.iter().find(same) {
            let output = shown::bytes(output.as_os_str().as_encoded_bytes());
            return Err(Failure::new(format_args!(
                "the source as an output: {output}: it would be replaced: name another file with -o"
            )));
        }
    }
    Ok(())
}
