//! The command line as a whole: the commands and the options of all of them.

use std::ffi::OsString;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};

use crate::command_line::help;
use crate::commands::agents::AgentsArgs;
use crate::commands::census::CensusArgs;
use crate::commands::check::CheckArgs;
use crate::commands::compile::CompileArgs;
use crate::commands::conform::ConformArgs;
use crate::commands::diff::DiffArgs;
use crate::commands::explain::ExplainArgs;
#[cfg(feature = "fetch")]
use crate::commands::fetch::FetchArgs;
use crate::commands::filter::FilterArgs;
use crate::commands::fmt::FmtArgs;
use crate::commands::generate::GenerateArgs;
use crate::commands::inspect::InspectArgs;
use crate::commands::lint::LintArgs;
#[cfg(feature = "lsp")]
use crate::commands::lsp::LspArgs;
use crate::commands::matrix::MatrixArgs;
use crate::commands::pack::args::PackArgs;
use crate::commands::rules::RulesArgs;
use crate::commands::schema::SchemaArgs;
#[cfg(feature = "serve")]
use crate::commands::serve::ServeArgs;
use crate::commands::set::SetArgs;
use crate::commands::test::TestArgs;
use crate::version;

/// Reads robots.txt: who may fetch what, which line decides, what is wrong with it, and what an edit changes.
#[derive(Debug, Parser)]
#[command(
    name = "robotsc",
    version,
    long_version = version::LONG.as_str(),
    max_term_width = 100,
    after_help = "\
Examples:
  robotsc check robots.txt --agent GPTBot https://shop.example/cart
  robotsc explain https://shop.example --agent Googlebot https://shop.example/cart
  robotsc lint robots.txt

Exit codes: 0 allowed or clean, 1 disallowed or findings, 2 error (reported on standard error).",
    subcommand_required = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to colour text for people
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(CheckArgs),
    Explain(ExplainArgs),
    Diff(DiffArgs),
    Matrix(MatrixArgs),
    Compile(CompileArgs),
    Inspect(InspectArgs),
    Lint(LintArgs),
    Test(TestArgs),
    Fmt(FmtArgs),
    Set(SetArgs),
    Conform(ConformArgs),
    Generate(GenerateArgs),
    Rules(RulesArgs),
    Pack(PackArgs),
    Filter(FilterArgs),
    Census(CensusArgs),
    #[cfg(feature = "fetch")]
    Fetch(FetchArgs),
    #[cfg(feature = "lsp")]
    Lsp(LspArgs),
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
    Agents(AgentsArgs),
    Schema(SchemaArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

impl Command {
    /// Reports whether the exit code is an answer: a verdict, or whether something was found.
    pub(crate) fn answers_by_code(&self) -> bool {
        match self {
            Self::Check(_)
            | Self::Explain(_)
            | Self::Diff(_)
            | Self::Matrix(_)
            | Self::Inspect(_)
            | Self::Lint(_)
            | Self::Test(_)
            | Self::Fmt(_)
            | Self::Set(_)
            | Self::Conform(_)
            | Self::Rules(_) => true,
            #[cfg(feature = "fetch")]
            Self::Fetch(_) => true,
            #[cfg(feature = "lsp")]
            Self::Lsp(_) => false,
            #[cfg(feature = "serve")]
            Self::Serve(_) => false,
            Self::Compile(_)
            | Self::Generate(_)
            | Self::Pack(_)
            | Self::Filter(_)
            | Self::Census(_)
            | Self::Agents(_)
            | Self::Schema(_)
            | Self::Completions(_)
            | Self::Man(_) => false,
        }
    }
}

/// When text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Applies the choice to everything that this process writes through anstream.
    pub(crate) fn apply(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// Writes a completion script for a shell.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Example:
  robotsc completions bash > ~/.local/share/bash-completion/completions/robotsc")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Writes man pages: the page of one command to standard output, or all pages to a directory.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  robotsc man -o ~/.local/share/man/man1
  robotsc man pack build | man -l -")]
pub(crate) struct ManArgs {
    /// The command, such as `check` or `pack build` [default: the page of robotsc; with -o all pages]
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,

    /// The directory to write the pages to, one file a command; it is created if it does not exist
    #[arg(short, long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(crate) output: Option<std::path::PathBuf>,
}

impl Cli {
    /// Parses a command line, the name of the program first.
    ///
    /// # Errors
    /// If it is no valid command line, or asks for help or the version.
    pub(crate) fn parse_from_line<I, T>(arguments: I) -> Result<Self, clap::Error>
    where
        I: IntoIterator<Item = T>,
        T: Into<OsString> + Clone,
    {
        let matches = help::with_verbatim_examples(Self::command()).try_get_matches_from(arguments)?;
        Self::from_arg_matches(&matches)
    }
}
