//! The command line of `explain`.

use std::ffi::OsString;

use clap::{Args, ValueHint};

use crate::command_line::options::{AgentArgs, RobotsArgs};

/// Explains why a URL is allowed or disallowed: the group, the path as matched, the rule that decides, the other rules
/// that match, and where other dialects differ.
///
/// With several --agent there is an explanation for each.
#[derive(Args, Debug)]
#[command(
    override_usage = "robotsc explain [OPTIONS] <ROBOTS> <URL>\n       \
                      robotsc explain [OPTIONS] --rules <RULES> <URL>",
    after_help = "\
Exit codes: 0 allowed, 1 disallowed or outside, 2 error.

Examples:
  robotsc explain robots.txt --agent FooBot 'https://example.com/shop/cart?item=7'
  robotsc explain --rules bundled:crawl-hygiene https://example.com/cart"
)]
pub(crate) struct ExplainArgs {
    /// A robots.txt, or `-` for standard input; with --rules the URL
    #[arg(value_name = "ROBOTS", value_hint = ValueHint::FilePath)]
    pub(crate) robots: OsString,

    /// The URL
    #[arg(value_name = "URL", value_hint = ValueHint::Url, required_unless_present = "rules")]
    pub(crate) url: Option<OsString>,

    #[command(flatten)]
    pub(crate) agent: AgentArgs,

    #[command(flatten)]
    pub(crate) read: RobotsArgs,

    /// Explain the answer of a declared rule set: bundled:NAME, or FILE#NAME of rule sets in RON
    #[arg(long = "rules", alias = "policy", value_name = "RULES", conflicts_with = "raw_url")]
    pub(crate) rules: Option<OsString>,

    /// Read the path of the URL as google/robotstxt does: any bytes, nothing escaped, nothing refused
    #[arg(long)]
    pub(crate) raw_url: bool,

    /// Explain in one line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}
