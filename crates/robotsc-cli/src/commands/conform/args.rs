//! The command line of `conform`.

use std::ffi::OsString;

use clap::{Args, ValueEnum, ValueHint};

use crate::command_line::options::{DialectArgs, Engine};

/// Runs conformance cases against this parser, or against any other.
///
/// A case is a line of JSON: `robots` or `robots_b64`, `agents` (a list: their groups are pooled), `url` or `url_b64`,
/// `allowed` (null: no verdict, the case is skipped) and, if known, `google`. The path of a URL is read as
/// google/robotstxt reads it.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 every case agrees, 1 any differs, 2 any error.

Examples:
  robotsc conform suites/*.jsonl
  robotsc conform suites/google.jsonl.gz --cmd 'other-parser {robots} {agent} {url}'
  robotsc conform suites/*.jsonl --cmd 'robotsc check --quiet --pool --agent={each-agent} {robots} {url}'

The other parser gets the path of a file in {robots}, the agents with commas between them in {agent} \
and the URL in {url}. An argument with {each-agent} is repeated for each agent of the case. \
It exits with 0 for allowed and 1 for disallowed; anything else is an error, and counted.")]
pub(crate) struct ConformArgs {
    /// Files of cases, one JSON object a line; plain, gzip or zstd
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<OsString>,

    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    /// Run another parser: a command with {robots}, {agent} and {url}; no shell is used
    #[arg(long, value_name = "COMMAND")]
    pub(crate) cmd: Option<String>,

    /// The field that holds the expected verdict [default: google if present, else allowed]
    #[arg(long, value_enum, value_name = "FIELD")]
    pub(crate) expect: Option<Expect>,

    /// Read the path of a URL as google/robotstxt does; false: escape bytes that need it first, as `check` does
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_value_t = true,
        default_missing_value = "true",
        action = clap::ArgAction::Set
    )]
    pub(crate) raw_url: bool,

    /// The engine that answers; all return the same verdicts
    #[arg(long, value_enum, default_value_t = Engine::Compiled, value_name = "ENGINE")]
    pub(crate) engine: Engine,

    /// Commands that run at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), requires = "cmd")]
    pub(crate) jobs: Option<u16>,

    /// The seconds after which a command is ended
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=86_400),
        requires = "cmd"
    )]
    pub(crate) timeout: u64,

    /// Report in JSON Lines
    #[arg(long)]
    pub(crate) json: bool,
}

/// The field of a case that holds the expected verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Expect {
    /// What google/robotstxt says
    Google,
    /// What the suite says
    Allowed,
}
