//! The command line of `check`.

use std::ffi::OsString;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use robotsc_analysis::preferences::Vocabulary;

use crate::command_line::options::{AgentArgs, Engine, ListArgs, RobotsArgs};

/// Answers whether a crawler may fetch URLs: a row of `allowed` or `disallowed` and the URL, separated by a tab.
///
/// With several --agent there is a row for each, with the agent in a third column. A URL that cannot be read is an
/// `error` row whose last column says why. URLs come from the command line, from --urls, or from standard input, which
/// is read if no URL is given; answers are written as soon as no more input is waiting.
#[derive(Args, Debug)]
#[command(
    override_usage = "robotsc check [OPTIONS] <ROBOTS> [URL]...\n       \
                      robotsc check [OPTIONS] --rules <RULES> [URL]...",
    after_help = "\
Exit codes: 0 all allowed, 1 any disallowed or outside, 2 any error.

Examples:
  robotsc check robots.txt --agent FooBot https://example.com/shop/cart
  robotsc check robots.txt --agent GPTBot --agent CCBot https://example.com/
  robotsc check robots.txt --agent FooBot < urls.txt > verdicts.tsv
  robotsc check robots.txt --agent FooBot --urls crawl.csv.gz --column url
  robotsc check robots.txt --agent FooBot --preferences https://example.com/blog/1
  robotsc check --rules bundled:crawl-hygiene --urls urls.txt
  robotsc check --rules rules/shop.ron#shop --robots robots.txt --agent FooBot https://shop.example/cart
  robotsc check site.robotsc --agent googlebot-image --agent googlebot --chain https://example.com/"
)]
pub(crate) struct CheckArgs {
    /// A robots.txt, a compiled program, or `-` for standard input; with --rules the first URL
    #[arg(value_name = "ROBOTS", value_hint = ValueHint::FilePath, required_unless_present = "rules")]
    pub(crate) robots: Option<OsString>,

    /// URLs, or paths that start with `/`; `-` reads more from standard input, one a line
    #[arg(value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) urls: Vec<OsString>,

    #[command(flatten)]
    pub(crate) agent: AgentArgs,

    #[command(flatten)]
    pub(crate) list: ListArgs,

    #[command(flatten)]
    pub(crate) read: RobotsArgs,

    /// A declared rule set: bundled:NAME, or FILE#NAME of rule sets in RON; a URL that it does not apply to is outside
    #[arg(long = "rules", alias = "policy", value_name = "RULES", conflicts_with = "raw_url")]
    pub(crate) rules: Option<OsString>,

    /// With --rules: a robots.txt or compiled program that must allow, too
    #[arg(long = "robots", value_name = "ROBOTS", value_hint = ValueHint::FilePath, requires = "rules")]
    pub(crate) beside: Option<OsString>,

    /// Also write what the robots.txt says may be done with each allowed page, by Content-Usage and by Content-Signal,
    /// with the lines that say so
    #[arg(long)]
    pub(crate) preferences: bool,

    /// With --preferences: the revision of draft-ietf-aipref-vocab whose labels Content-Usage has [default: the newest]
    #[arg(long, value_name = "REVISION", value_parser = vocabulary(), requires = "preferences")]
    pub(crate) vocabulary: Option<&'static Vocabulary>,

    /// With --preferences: the value of a Content-Usage header that the pages are sent with, such as `train-ai=n`;
    /// the most restrictive holds
    #[arg(long, value_name = "VALUE", requires = "preferences")]
    pub(crate) usage_header: Option<String>,

    /// Read the path of a URL as google/robotstxt does: any bytes, nothing escaped, nothing refused
    #[arg(long)]
    pub(crate) raw_url: bool,

    /// The engine that answers; all return the same verdicts
    #[arg(long, value_enum, default_value_t = Engine::Auto, value_name = "ENGINE")]
    pub(crate) engine: Engine,

    /// Answer in JSON Lines, with the rule that decided
    #[arg(long)]
    pub(crate) json: bool,

    /// Do not report the number of URLs and verdicts at the end
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Parses the number of a revision.
fn vocabulary() -> impl TypedValueParser<Value = &'static Vocabulary> {
    PossibleValuesParser::new(Vocabulary::REVISIONS.map(|revision| revision.name))
        .try_map(|name| Vocabulary::by_name(&name).ok_or("no such revision"))
}
