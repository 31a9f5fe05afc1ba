//! The command `robotsc` as a function, for the packages that ship it: the binary of this crate and the Python wheel.
//! It has no stable API besides [`run`]; [`census`] is what the wheel counts with.
//!
//! `cli` parses the command line; each of the `commands` reads its sources through `io` and `lists`, calls the library
//! and writes; `failure` defines how a run ends.

mod cli;
mod command_line;
mod commands;
mod failure;
mod io;
mod lists;
mod version;

/// What `robotsc census` counts, row by row. No stable API.
pub mod census {
    pub use crate::commands::census::open::{Ended, Row, Sources, count};
    pub use crate::io::stop::Stop;
}

use std::ffi::OsString;
use std::io::ErrorKind;

use crate::cli::{Cli, Command};
use crate::failure::{End, Failure, complain, io_cause, usage_line};

/// Runs the command with the arguments of a command line, the name of the program first, and returns the exit code.
///
/// It reads standard input and writes standard output and standard error, and can be called again. `census`, `fetch`
/// and `filter` end early on Ctrl-C, with what they have answered until then. The first of them installs a handler that
/// stays: Ctrl-C then stops all runs of the process, and ends the process if none is left, or at the second time.
///
/// # Errors
/// None are returned: standard error has a line, and the code is 2. That is so, too, if the process has a handler of
/// Ctrl-C of its own and one of these commands is run.
///
/// # Panics
/// Never.
///
/// # Examples
/// ```
/// let code = robotsc_cli::run(["robotsc", "check", "--rules", "bundled:crawl-hygiene", "https://shop.example/cart"]);
/// assert_eq!(code, 1); // disallowed
/// ```
pub fn run<I, T>(arguments: I) -> u8
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    run_to_end(arguments).code()
}

fn run_to_end<I, T>(arguments: I) -> End
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    let cli = match Cli::parse_from_line(arguments) {
        Ok(cli) => cli,
        // Help and the version, asked for: a closed pipe is no error here either.
        Err(error) if !error.use_stderr() => {
            return match error.print() {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    complain(&format!("cannot write: standard output: {}", io_cause(&error)));
                    End::Error
                }
                _ => End::Clean,
            };
        }
        Err(error) if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            return End::Error;
        }
        Err(error) => {
            complain(&usage_line(&error));
            return End::Error;
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
        Command::Set(args) => commands::set::set(&args),
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
        Command::Schema(args) => commands::schema::schema(&args),
        Command::Agents(args) => commands::agents::agents(&args),
        Command::Completions(args) => commands::manual::completions(&args),
        Command::Man(args) => commands::manual::man(&args),
    };
    match end {
        Ok(end) => end,
        // Who reads the exit code must not take an answer that was cut short for a good one.
        Err(Failure::PipeClosed) => {
            if answers_by_code {
                End::Error
            } else {
                End::Clean
            }
        }
        Err(Failure::Error(message)) => {
            complain(&message);
            End::Error
        }
    }
}
