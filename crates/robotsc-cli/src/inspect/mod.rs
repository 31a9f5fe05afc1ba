//! `inspect`: what is inside a file.

mod args;

use std::io::Write as _;

use robotsc::Compiler;

pub(crate) use self::args::InspectArgs;
use crate::contents::{self, Contents};
use crate::failure::{End, Failure};
use crate::identity::Identity;
use crate::output;
use crate::sheet::Sheet;
use crate::source::Source;

/// Runs the command.
pub(crate) fn inspect(args: &InspectArgs) -> Result<End, Failure> {
    let source = Source::read(&args.file)?;
    let sheet = match Contents::of(&source, &args.read)? {
        Contents::Robots(body) => {
            let robots = contents::parse(&source.name, body, &args.read)?;
            let compiler = Compiler::new().effort(args.effort.effort());
            Sheet::of_robots(&source.name, &robots, &compiler, args.agent.as_slice())
                .map_err(|error| Failure::new(format_args!("cannot compile: {}: {error}", source.name)))?
        }
        Contents::Program(program) => Sheet::of_program(&source.name, program),
        Contents::Policy(policy) => {
            contents::dialect_of(&policy, &args.read.dialect, &source.name)?;
            let mut sheet = Sheet::of_policy(&source.name, &policy);
            if let Some(agent) = &args.agent {
                let crawler = Identity::Token(agent.clone());
                sheet.keep_agent(agent, contents::program_of(&policy, &crawler, &source.name)?);
            }
            sheet
        }
    };
    let mut out = output::stdout();
    if args.json {
        sheet.write_json(&mut out)?;
    } else {
        sheet.write(&mut out, args.rules)?;
    }
    out.flush()?;
    Ok(End::Clean)
}
