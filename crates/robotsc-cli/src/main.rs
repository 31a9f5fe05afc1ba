//! The command `robotsc`. Its stages are its modules: the command line becomes [`args`], each command is a module that
//! reads its [`source`], asks the library, and writes to [`output`]; how a run ends is [`failure`].
#![forbid(unsafe_code)]

mod agents;
mod args;
mod asker;
mod check;
mod compile;
mod conform;
mod contents;
mod embed;
mod explain;
mod failure;
mod file_id;
mod filter;
mod generate;
mod inspect;
mod intake;
mod new_file;
mod output;
mod pack;
mod policy;
mod progress;
mod report;
mod sheet;
mod shown;
mod source;
mod table;
mod time;
mod urls;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Cli, Command};
use crate::failure::{End, Failure, complain, usage_line};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help and the version, asked for: a closed pipe is no error here either.
        Err(error) if !error.use_stderr() => {
            let _ = error.print();
            return End::Clean.into();
        }
        Err(error) if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            return End::Error.into();
        }
        Err(error) => {
            complain(&usage_line(&error));
            return End::Error.into();
        }
    };
    let end = match cli.command {
        Command::Check(args) => check::check(&args),
        Command::Explain(args) => explain::explain(&args),
        Command::Compile(args) => compile::compile(&args),
        Command::Inspect(args) => inspect::inspect(&args),
        Command::Conform(args) => conform::conform(&args),
        Command::Generate(args) => embed::generate(&args),
        Command::Pack(args) => pack::pack(&args),
        Command::Filter(args) => filter::filter(&args),
        Command::Agents(args) => agents::agents(&args),
        Command::Completions(args) => generate::completions(&args),
        Command::Man(args) => generate::man(&args),
    };
    match end {
        Ok(end) => end.into(),
        Err(Failure::PipeClosed) => End::Clean.into(),
        Err(Failure::Said(message)) => {
            complain(&message);
            End::Error.into()
        }
    }
}
