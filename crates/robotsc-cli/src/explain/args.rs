//! The command line of `explain`.

use std::ffi::OsString;

use clap::{Args, ValueHint};

use crate::args::{AgentArgs, RobotsArgs};

/// Shows why a URL is allowed or disallowed: the group, the path as matched, the rule that decides, the other rules
/// that match, and what other dialects say.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 allowed, 1 disallowed, 2 error.

Example:
  robotsc explain robots.txt --agent FooBot 'https://example.com/shop/cart?item=7'")]
pub(crate) struct ExplainArgs {
    /// A robots.txt, or `-` for standard input
    #[arg(value_name = "ROBOTS", value_hint = ValueHint::FilePath)]
    pub(crate) robots: OsString,

    /// The URL
    #[arg(value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) url: OsString,

    #[command(flatten)]
    pub(crate) agent: AgentArgs,

    #[command(flatten)]
    pub(crate) read: RobotsArgs,

    /// Read the path of the URL as google/robotstxt does: any bytes, nothing escaped, nothing refused
    #[arg(long)]
    pub(crate) raw_url: bool,

    /// Explain in one line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}
