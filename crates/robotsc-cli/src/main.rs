//! The command `robotsc`. [`cli`] parses the command line; each of the [`commands`] reads its sources through [`io`]
//! and [`lists`], calls the library and writes; [`failure`] defines how a run ends.

mod cli;
mod command_line;
mod commands;
mod failure;
mod io;
mod lists;

use std::io::ErrorKind;
use std::process::ExitCode;

use crate::cli::{Cli, Command};
use crate::failure::{End, Failure, complain, io_cause, usage_line};

fn main() -> ExitCode {
    let cli = match Cli::from_command_line() {
        Ok(cli) => cli,
        // Help and the version, asked for: a closed pipe is no error here either.
        Err(error) if !error.use_stderr() => {
            return match error.print() {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    complain(&format!("cannot write: standard output: {}", io_cause(&error)));
                    End::Error.into()
                }
                _ => End::Clean.into(),
            };
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
    cli.color.apply();
    let answers_by_code = cli.command.answers_by_code();
    let end = match cli.command {
        Command::Check(args) => commands::check::check(&args),
        Command::Diff(args) => commands::diff::diff(&args),
        Command::Matrix(args) => commands::matrix::matrix(&args),
        Command::Test(args) => commands::test::test(&args),
        Command::Explain(args) => commands::explain::explain(&args),
        Command::Compile(args) => commands::compile::compile(&args),
        Command::Inspect(args) => commands::inspect::inspect(&args),
        Command::Lint(args) => commands::lint::lint(&args),
        Command::Fmt(args) => commands::fmt::fmt(&args),
        Command::Conform(args) => commands::conform::conform(&args),
        Command::Generate(args) => commands::generate::generate(&args),
        Command::Rules(args) => commands::rules::rules(&args),
        Command::Census(args) => commands::census::census(&args),
        Command::Pack(args) => commands::pack::pack(&args),
        Command::Filter(args) => commands::filter::filter(&args),
        #[cfg(feature = "fetch")]
        Command::Fetch(args) => commands::fetch::fetch(&args),
        #[cfg(feature = "lsp")]
        Command::Lsp(args) => commands::lsp::lsp(&args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => commands::serve::serve(&args),
        Command::Agents(args) => commands::agents::agents(&args),
        Command::Completions(args) => commands::manual::completions(&args),
        Command::Man(args) => commands::manual::man(&args),
    };
    match end {
        Ok(end) => end.into(),
        // Who reads the exit code must not take an answer that was cut short for a good one.
        Err(Failure::PipeClosed) => if answers_by_code { End::Error } else { End::Clean }.into(),
        Err(Failure::ListOptions(message)) => {
            complain(&message);
            End::Error.into()
        }
    }
}
