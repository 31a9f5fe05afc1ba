//! The command `robotsc`. [`cli`] parses the command line; each command is a module that reads its [`source`],
//! calls the library and writes to [`output`]; [`failure`] defines how a run ends.

mod agents;
mod args;
mod check;
mod cli;
mod compile;
mod config;
mod conform;
mod contents;
mod decode;
mod diff;
mod embed;
mod explain;
mod failure;
#[cfg(feature = "fetch")]
mod fetch;
mod file_id;
mod file_kind;
mod filter;
mod fmt;
mod help;
mod identity;
mod inspect;
mod lint;
#[cfg(feature = "lsp")]
mod lsp;
mod manual;
mod matrix;
mod new_file;
mod output;
mod pack;
mod patch;
mod policy;
mod progress;
mod report;
mod rules;
#[cfg(feature = "serve")]
mod serve;
mod sheet;
mod sitemap;
mod source;
mod stop;
mod table;
mod test;
mod time;
mod urls;

use std::process::ExitCode;

use crate::cli::{Cli, Command};
use crate::failure::{End, Failure, complain, usage_line};

fn main() -> ExitCode {
    let cli = match Cli::from_command_line() {
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
    cli.color.apply();
    let answers_by_code = cli.command.answers_by_code();
    let end = match cli.command {
        Command::Check(args) => check::check(&args),
        Command::Diff(args) => diff::diff(&args),
        Command::Matrix(args) => matrix::matrix(&args),
        Command::Test(args) => test::test(&args),
        Command::Explain(args) => explain::explain(&args),
        Command::Compile(args) => compile::compile(&args),
        Command::Inspect(args) => inspect::inspect(&args),
        Command::Lint(args) => lint::lint(&args),
        Command::Fmt(args) => fmt::fmt(&args),
        Command::Conform(args) => conform::conform(&args),
        Command::Generate(args) => embed::generate(&args),
        Command::Rules(args) => rules::rules(&args),
        Command::Pack(args) => pack::pack(&args),
        Command::Filter(args) => filter::filter(&args),
        #[cfg(feature = "fetch")]
        Command::Fetch(args) => fetch::fetch(&args),
        #[cfg(feature = "lsp")]
        Command::Lsp(args) => lsp::lsp(&args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::serve(&args),
        Command::Agents(args) => agents::agents(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    };
    match end {
        Ok(end) => end.into(),
        // Who reads the exit code must not take an answer that was cut short for a good one.
        Err(Failure::PipeClosed) => if answers_by_code { End::Error } else { End::Clean }.into(),
        Err(Failure::Said(message)) => {
            complain(&message);
            End::Error.into()
        }
    }
}
