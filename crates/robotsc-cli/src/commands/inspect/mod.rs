//! `inspect`: what is inside a file.

mod args;
mod findings;
mod groups;
mod pack;
mod policy;
pub(crate) mod sheet;

use std::ffi::OsStr;
use std::io::Write as _;

use robotsc::Compiler;
use robotsc_answers::identity::Identity;
use robotsc_answers::shown;

pub(crate) use self::args::InspectArgs;
use self::groups::Groups;
use crate::command_line::crawlers;
use crate::commands::inspect::sheet::Sheet;
use crate::failure::{End, Failure};
use crate::io::contents::{self, Contents};
use crate::io::file_kind::is_pack;
use crate::io::output;
use crate::io::source::Source;

/// Runs the command.
pub(crate) fn inspect(args: &InspectArgs) -> Result<End, Failure> {
    if let Some(name) = &args.rules {
        return policy::inspect(name, args);
    }
    let Some(file) = &args.file else {
        return Err(Failure::new("no file: the command line: give FILE, or a rule set with --rules"));
    };
    if is_pack(file) {
        if args.read.dialect.named.is_some() {
            let file = shown::bytes(file.as_encoded_bytes());
            return Err(Failure::new(format_args!(
                "a dialect for a pack: {file}: it has its own: leave --dialect out"
            )));
        }
        return pack::inspect(file, args);
    }
    if let Some(origin) = &args.origin {
        let (file, origin) = (shown::bytes(file.as_encoded_bytes()), shown::bytes(origin.as_encoded_bytes()));
        return Err(Failure::new(format_args!(
            "an origin without a pack: {origin}: {file} is no policy pack: leave the origin out"
        )));
    }
    of_file(file, args)
}

/// Inspects a robots.txt or a compiled program.
fn of_file(file: &OsStr, args: &InspectArgs) -> Result<End, Failure> {
    let source = Source::read(file, &args.read.network, &[args.read.dialect.of_robots()])?;
    let agent = args.agent.as_ref().map(|name| Identity::token(name, args.as_written));
    let sheet = match Contents::of(&source, &args.read)? {
        Contents::Robots(body) => {
            let robots = contents::parse(&source.name, body, &args.read)?;
            crawlers::warn_of_misspelt(agent.as_slice(), &robots);
            let compile = || {
                let compiler = Compiler::new().effort(args.effort.effort());
                Sheet::of_robots(&source.name, &robots, &compiler, agent.as_slice())
            };
            let mut out = output::coloured();
            if args.json {
                compile()?.write_json(&mut out)?;
                findings::write_json(&mut out, &robots)?;
            } else {
                Groups::of(&robots, agent.as_ref())?.write(&mut out, &source.name, args.all)?;
                if args.verbose {
                    writeln!(out)?;
                    compile()?.write_programs(&mut out, args.all)?;
                }
                findings::write(&mut out, &source.name, &robots, args.all)?;
            }
            out.flush()?;
            return Ok(findings::end(&robots));
        }
        Contents::Program(program) => Sheet::of_program(&source.name, program),
        Contents::Policy(policy) => {
            contents::dialect_of(&policy, &args.read.dialect, &source.name)?;
            let mut sheet = Sheet::of_policy(&source.name, &policy);
            if let Some(crawler) = &agent {
                sheet.keep_agent(&crawler.name(), contents::program_of(&policy, crawler, &source.name)?);
            }
            sheet
        }
    };
    let mut out = output::stdout();
    if args.json {
        sheet.write_json(&mut out)?;
    } else {
        sheet.write(&mut out, args.all)?;
    }
    out.flush()?;
    Ok(End::Clean)
}
