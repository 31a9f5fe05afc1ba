//! `set`: policies by purpose, in a block of a robots.txt.

mod args;
mod report;

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::Path;

use robotsc_answers::set::{self, Block, Declaration, Options, Refusal, Why};

pub(crate) use self::args::SetArgs;
use crate::command_line::config::{Config, NAME};
use crate::command_line::options::ROBOTS_TXT;
use crate::failure::{End, Failure};
use crate::io::files::is_stdin;
use crate::io::source::Source;
use crate::io::{output, patch};

/// Runs the command.
pub(crate) fn set(args: &SetArgs) -> Result<End, Failure> {
    let config = Config::find(args.config.as_deref())?;
    let config = config.as_ref();
    let file = file(args, config);
    let source = read(args, &file)?;
    let refused = |place: &str, refusal: &Refusal| Failure::new(format_args!("cannot set: {place}: {refusal}"));
    let options = Options { replace_edited: args.force };
    let (body, after) = if args.remove {
        (set::remove(&source.bytes, options).map_err(|refusal| refused(&source.name, &refusal))?, None)
    } else {
        let declared = declared(args, config, &source)?;
        let after = set::set(&source.bytes, &declared.declaration, options).map_err(|refusal| match refusal.why {
            Why::Declaration => {
                let table = config.and_then(|config| Some((config, config.tables.set.as_ref()?)));
                let place = table.map_or(declared.place, |(config, table)| config.place_of_wrong(table));
                refused(&place, &refusal)
            }
            _ => refused(&source.name, &refusal),
        })?;
        (after.body.clone(), Some(after))
    };
    write(args, &file, &source, &body)?;
    if !args.edit.quiet {
        report::report(args, &source, &body, after.as_ref());
    }
    let is_changed = body != source.bytes;
    Ok(if is_changed && !args.edit.writes() { End::Findings } else { End::Clean })
}

/// Writes the new body, or shows it.
fn write(args: &SetArgs, file: &OsStr, source: &Source, body: &[u8]) -> Result<(), Failure> {
    if args.edit.diff {
        let mut out = output::coloured();
        patch::write_diff(&mut out, &source.name, &source.bytes, body)?;
        out.flush()?;
    } else if args.edit.writes() && is_stdin(file) {
        output::write_whole(Path::new("-"), body)?;
    } else if args.edit.writes() && body != source.bytes {
        source.replace(file, body)?;
    }
    Ok(())
}

/// A policy, and where it is declared.
struct Declared {
    declaration: Declaration,
    place: String,
}

/// Returns the policy: of robotsc.toml, else of the options, else of the block.
fn declared(args: &SetArgs, config: Option<&Config>, source: &Source) -> Result<Declared, Failure> {
    let given = args.declaration();
    if let Some((config, table)) = config.and_then(|config| Some((config, config.tables.set.as_ref()?))) {
        let place = config.place_of(table);
        if !given.is_empty() {
            return Err(Failure::new(format_args!(
                "two policies: the command line: [set] of {place} declares one: change it there"
            )));
        }
        return Ok(Declared { declaration: table.get_ref().declaration(), place });
    }
    if !given.is_empty() {
        return Ok(Declared { declaration: given, place: "the command line".to_owned() });
    }
    let block = Block::find(&source.bytes)
        .map_err(|refusal| Failure::new(format_args!("cannot set: {}: {refusal}", source.name)))?;
    match block {
        Some(block) => Ok(Declared {
            place: format!("{}: line {}", source.name, block.lines.start),
            declaration: block.declaration,
        }),
        None => Err(Failure::new(format_args!(
            "no policy: {}: it has no block: say what is asked, such as --deny ai-training, or in [set] of {NAME}",
            source.name
        ))),
    }
}

/// Returns the robots.txt to write.
fn file(args: &SetArgs, config: Option<&Config>) -> OsString {
    let of_config = || {
        let config = config?;
        Some(config.path(config.tables.set.as_ref()?.get_ref().file.as_ref()?))
    };
    args.file.clone().or_else(of_config).unwrap_or_else(|| ROBOTS_TXT.into())
}

/// Reads a file that can have a block.
fn read(args: &SetArgs, file: &OsStr) -> Result<Source, Failure> {
    let source = Source::read_file_to_edit(file, args.edit.writes())?;
    source.check_can_be_edited(file, args.force, "edit")?;
    Ok(source)
}

/// Returns the crawlers that a block of a body names.
fn named(body: &[u8]) -> Vec<String> {
    Block::find(body).ok().flatten().map_or_else(Vec::new, |block| block.agents(body))
}

/// Returns a number of crawlers with their names, the first ones if they are many.
fn crawlers(names: &[String]) -> String {
    const SHOWN: usize = 10;
    let shown = &names[..names.len().min(SHOWN)];
    match names.len() - shown.len() {
        0 => robotsc_analysis::words::listed(shown),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
