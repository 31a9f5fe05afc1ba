//! The command line of `matrix`.

use std::ffi::OsString;

use clap::{Args, ValueEnum, ValueHint};

use crate::command_line::options::{ListArgs, RobotsArgs};
use crate::command_line::uses::{UnknownUseArg, UseArg};

/// Shows which agents may fetch which URLs: a row for each URL, a column for each agent, with the line that decides.
///
/// An agent of the register (`robotsc agents`) is asked as its operator documents it: Googlebot-Image obeys the groups
/// for Googlebot if no group names it. URLs come from the command line, from --urls and --sitemap, or from standard
/// input.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 all allowed, 1 any disallowed, 2 any error.

Examples:
  robotsc matrix robots.txt --agent Googlebot,GPTBot https://shop.example/ https://shop.example/cart
  robotsc matrix robots.txt --agent Googlebot,Bingbot,GPTBot < urls.txt
  robotsc matrix robots.txt --agent purpose:search,purpose:ai-training --sitemap sitemap.xml.gz --share
  robotsc matrix robots.txt --agent purpose:ai-training --for train --unknown-use deny --sitemap sitemap.xml
  robotsc matrix robots.txt --agent Googlebot,'*' --urls urls.txt --emit html > matrix.html")]
pub(crate) struct MatrixArgs {
    /// A robots.txt, or `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) robots: OsString,

    /// URLs, or paths that start with `/`; `-` reads more from standard input, one a line
    #[arg(value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) urls: Vec<OsString>,

    /// The agents, separated by commas: product tokens, `*` for agents that no group names, and purpose:PURPOSE for the
    /// known agents with a purpose; can be given more than once
    #[arg(long = "agent", alias = "agents", value_name = "AGENT,...", value_delimiter = ',', required = true)]
    pub(crate) agents: Vec<String>,

    /// Take the names of agents as written, without what the register of known crawlers (`robotsc agents`) says of them
    #[arg(long)]
    pub(crate) as_written: bool,

    /// What the pages are wanted for: a URL is disallowed, too, if the file says no to this use
    #[arg(long = "for", value_enum, value_name = "USE", requires = "unknown_use")]
    pub(crate) wanted: Option<UseArg>,

    /// With --for: what to do with pages of which the file says neither yes nor no; there is no default
    #[arg(long, value_enum, value_name = "WHAT", requires = "wanted")]
    pub(crate) unknown_use: Option<UnknownUseArg>,

    #[command(flatten)]
    pub(crate) list: ListArgs,

    /// A sitemap: XML or one URL on each line, plain, gzip or zstd, or an index of such files beside it; can be given
    /// more than once
    #[arg(long = "sitemap", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) sitemaps: Vec<OsString>,

    #[command(flatten)]
    pub(crate) read: RobotsArgs,

    /// Show only how many of the URLs each agent may fetch
    #[arg(long)]
    pub(crate) share: bool,

    /// What to write; --format is about the files of URLs
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Emit::Table)]
    pub(crate) emit: Emit,

    /// The same as --emit json
    #[arg(long, conflicts_with = "emit")]
    pub(crate) json: bool,
}

/// The form of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// A table of plain text
    Table,
    /// CSV: for each agent a column with the verdict and one with the line
    Csv,
    /// JSON Lines: one for each URL and agent, then one for each agent
    #[value(alias = "jsonl")]
    Json,
    /// A page of HTML that needs no other file
    Html,
}
