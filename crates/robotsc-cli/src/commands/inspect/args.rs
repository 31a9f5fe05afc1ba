//! The command line of `inspect`.

use std::ffi::OsString;

use clap::{Args, ValueHint};

use crate::command_line::options::{EffortArg, RobotsArgs, token_alone};

/// Shows what a robots.txt says: its groups, the crawlers that obey them, their rules in the order in which they
/// decide, and what is wrong with it.
///
/// Also reads compiled programs, declared rule sets, and the entry of an origin in a policy pack.
#[derive(Args, Debug)]
#[command(
    override_usage = "robotsc inspect [OPTIONS] <FILE>\n       robotsc inspect [OPTIONS] <PACK> [ORIGIN]\n       \
                      robotsc inspect [OPTIONS] --rules <RULES>",
    after_help = "\
Exit codes: 0 nothing is wrong, 1 errors or warnings were found in a robots.txt or the pack does not know the origin, \
2 error.

Examples:
  robotsc inspect robots.txt
  robotsc inspect robots.txt --agent GPTBot
  robotsc inspect site.robotsc --verbose
  robotsc inspect frontier.pack https://shop.example
  robotsc inspect --rules bundled:crawl-hygiene"
)]
pub(crate) struct InspectArgs {
    /// A robots.txt, a compiled program, a policy pack, or `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, required_unless_present = "rules")]
    pub(crate) file: Option<OsString>,

    /// With a policy pack: the origin, or a URL of it [default: figures of the whole pack]
    #[arg(value_name = "ORIGIN", value_hint = ValueHint::Url)]
    pub(crate) origin: Option<OsString>,

    /// A declared rule set: bundled:NAME, or FILE#NAME of rule sets in RON
    #[arg(long = "rules", alias = "policy", value_name = "RULES", conflicts_with_all = ["file", "origin"])]
    pub(crate) rules: Option<OsString>,

    #[command(flatten)]
    pub(crate) read: RobotsArgs,

    /// Show the rules of this agent only
    #[arg(long, value_name = "TOKEN", value_parser = token_alone)]
    pub(crate) agent: Option<String>,

    /// Take the name of --agent as written, without what the register of known crawlers (`robotsc agents`) says of it
    #[arg(long)]
    pub(crate) as_written: bool,

    /// List every rule, agent and diagnostic, however many
    #[arg(long)]
    pub(crate) all: bool,

    /// Show the compiled programs too: ranks, parts, nodes, bytes, limits that were hit
    #[arg(long, short)]
    pub(crate) verbose: bool,

    /// With --verbose or --json: the effort that a robots.txt is compiled with
    #[arg(long, value_enum, default_value_t = EffortArg::Small, value_name = "EFFORT")]
    pub(crate) effort: EffortArg,

    /// Write JSON Lines
    #[arg(long)]
    pub(crate) json: bool,
}
