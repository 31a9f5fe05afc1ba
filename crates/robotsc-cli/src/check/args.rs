//! The command line of `check`.

use std::ffi::OsString;

use clap::{Args, ValueHint};

use crate::args::{AgentArgs, DialectArgs, Engine};

/// Answers for URLs: one `allowed` or `disallowed`, a tab and the URL a line.
///
/// Reads URLs from standard input where none is given, or where `-` is.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 all allowed, 1 any disallowed or outside, 2 any error.

Examples:
  robotsc check robots.txt --agent FooBot https://example.com/shop/cart
  robotsc check --policy bundled:crawl-hygiene < urls.txt
  robotsc check --policy rules/shop.ron#shop --robots robots.txt --agent FooBot https://shop.example/cart
  robotsc check robots.txt --agent FooBot < urls.txt > verdicts.tsv
  robotsc check site.robotsc --agent googlebot-image --agent googlebot --chain https://example.com/")]
pub(crate) struct CheckArgs {
    /// A robots.txt, a compiled program, or `-` for standard input; with --policy the first URL
    #[arg(value_name = "ROBOTS", value_hint = ValueHint::FilePath, required_unless_present = "policy")]
    pub(crate) robots: Option<OsString>,

    /// URLs; `-` reads more from standard input, one a line
    #[arg(value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) urls: Vec<OsString>,

    #[command(flatten)]
    pub(crate) agent: AgentArgs,

    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    /// A declared rule set: bundled:NAME, or FILE#NAME of rule sets in RON; a URL that it does not apply to is outside
    #[arg(long, value_name = "POLICY", conflicts_with = "raw_url")]
    pub(crate) policy: Option<OsString>,

    /// With --policy: a robots.txt or compiled program that must allow, too
    #[arg(long = "robots", value_name = "ROBOTS", value_hint = ValueHint::FilePath, requires = "policy")]
    pub(crate) beside: Option<OsString>,

    /// Take the path of a URL as google/robotstxt takes it: any octets, nothing escaped, nothing refused
    #[arg(long)]
    pub(crate) raw_url: bool,

    /// The engine that answers; all give the same verdicts
    #[arg(long, value_enum, default_value_t = Engine::Auto, value_name = "ENGINE")]
    pub(crate) engine: Engine,

    /// Answer in JSON Lines, with the rule that decided
    #[arg(long)]
    pub(crate) json: bool,
}
