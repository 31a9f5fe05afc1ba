//! The command line of `inspect`.

use std::ffi::OsString;

use clap::{Args, ValueHint};

use crate::args::{EffortArg, RobotsArgs, token};

/// Shows what is inside a robots.txt or a compiled program: agents, programs, states, octets, limits hit, and the rules
/// in their order.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  robotsc inspect robots.txt
  robotsc inspect site.robotsc --json")]
pub(crate) struct InspectArgs {
    /// A robots.txt, a compiled program, or `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: OsString,

    #[command(flatten)]
    pub(crate) read: RobotsArgs,

    /// Show the programs and rules of this agent only
    #[arg(long, value_name = "TOKEN", value_parser = token)]
    pub(crate) agent: Option<String>,

    /// List every rule, however many
    #[arg(long)]
    pub(crate) rules: bool,

    /// The effort that a robots.txt is compiled with
    #[arg(long, value_enum, default_value_t = EffortArg::Small, value_name = "EFFORT")]
    pub(crate) effort: EffortArg,

    /// Write JSON Lines
    #[arg(long)]
    pub(crate) json: bool,
}
