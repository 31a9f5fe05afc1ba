//! The command line of `fetch`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};

use crate::command_line::network::NetworkArgs;
use crate::command_line::options::{CautionArgs, DialectArgs};
use crate::io::files;

/// Fetches the robots.txt of sites: of a few as a timeline, of millions at a pace, into WARC files and packs.
///
/// Sites that the command line names are fetched one after the other, and shown with names, connections, redirects,
/// status, how long the file is kept, and what it means. With --origins, `-`, --log, --pack or --refresh, many are
/// fetched at a time, few at a time from one domain and one address, and each is a line of a table.
///
/// `check`, `explain`, `lint`, `diff` and the other commands that read a robots.txt take a URL such as
/// https://shop.example in place of a file, too. They read the User-Agent from ROBOTSC_USER_AGENT, and networks that
/// are allowed from ROBOTSC_ALLOW_NET, with commas. Many sites are asked only under a User-Agent of yours.
#[derive(Args, Debug)]
#[command(after_help = "\
With --warc and --log, a run that was killed, also by `kill -9` or a power cut, goes on if the same command is run \
again: what the log has is not asked again. Ctrl-C ends a run when the requests that were sent are answered; press it \
twice to end at once.

Columns of the table, between tabs; '-' if there is nothing to say:
  origin     scheme, host and port
  outcome    under the dialect: rules, unavailable, redirects, server-error, unreachable or not-modified
  end        the status, or why there is none, such as dns, connect, tls, timeout, reset or refused
  redirects  that were followed
  bytes      of the body, decoded
  ms         that the fetch took
  problem    in words

With --as, a request follows the one before after --domain-interval, and a table shows for each crawler:
  robots.txt  the status, and whether it means the same for the crawler as yours
  says        what that robots.txt says of the page: allowed, disallowed, or '-' if it did not come
  page        the status of the page, or why there is none
  server      served, redirected (elsewhere than you), refused, payment, challenge,
              limited, missing or failed
The last column says if robots.txt and the server are at odds. Of many sites, there is a row for each site and \
crawler, between tabs. Servers know crawlers by their addresses, too: that you are refused under a name is no proof \
that the crawler is.

Exit codes: 0 there is a robots.txt or none, 1 a fetch failed, 2 error. Of many sites: 0 each has a result, whatever \
it is; 2 a line is no site, a file cannot be read, or an error; 130 Ctrl-C stopped the run, what was fetched is kept. \
With --as: 0 the sites were asked, whatever they answered; 2 and 130 as of many sites.

Examples:
  robotsc fetch https://shop.example
  export ROBOTSC_USER_AGENT='FooBot/1.0 (+https://foo.example/bot)'
  robotsc fetch https://shop.example https://www.shop.example --json
  robotsc fetch http://127.0.0.1:8080 --allow-net 127.0.0.0/8
  robotsc fetch --origins unknown.txt --warc new.warc.gz --log new.log --concurrency 500 > outcomes.tsv
  robotsc fetch --origins unknown.txt --pack sites.pack > outcomes.tsv
  robotsc fetch --refresh 6h --pack sites.pack --warc today.warc.gz --log sites.log > outcomes.tsv
  robotsc fetch https://shop.example --as GPTBot,ClaudeBot,Googlebot --page /about
  robotsc check https://shop.example --agent FooBot https://shop.example/cart
  robotsc diff https://shop.example robots-new.txt")]
pub(crate) struct FetchArgs {
    /// Sites: scheme, host and port, such as https://shop.example; the URL of a robots.txt, too; `-` reads them from
    /// standard input, one a line
    #[arg(
        value_name = "ORIGIN",
        required_unless_present_any = ["files", "refresh"],
        value_hint = ValueHint::Url
    )]
    pub(crate) origins: Vec<OsString>,

    /// Read sites from this file, one a line, plain, gzip or zstd; can be given more than once; `-` is standard
    /// input
    #[arg(long = "origins", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<OsString>,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,

    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    #[command(flatten)]
    pub(crate) caution: CautionArgs,

    /// Write the answers to this WARC file, compressed with gzip, for `robotsc pack build`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) warc: Option<OsString>,

    /// Append each result to this log, and do not ask again what it has; --warc is appended to as well
    #[arg(long, value_name = "FILE", requires = "warc", value_hint = ValueHint::FilePath)]
    pub(crate) log: Option<OsString>,

    /// Add the answers to this pack, which is replaced when the new one is complete, as `robotsc pack update` does; its
    /// dialect counts
    #[arg(long, value_name = "PACK", value_hint = ValueHint::FilePath, conflicts_with = "named")]
    pub(crate) pack: Option<PathBuf>,

    /// Ask again what expires in the pack within this time, such as 30m, 6h or 2d; only whether it changed, if the log
    /// has its ETag or Last-Modified
    #[arg(long, value_name = "TIME", requires = "pack", value_parser = span)]
    pub(crate) refresh: Option<Duration>,

    /// Ask as known crawlers, too, one after the other: for robots.txt and for a page, whatever robots.txt says of it,
    /// first under your own User-Agent, then under theirs; product tokens, purpose:PURPOSE and operator:NAME, separated
    /// by commas
    #[arg(
        long = "as",
        value_name = "AGENT,...",
        value_delimiter = ',',
        conflicts_with_all = ["warc", "log", "pack", "refresh"]
    )]
    pub(crate) names: Vec<String>,

    /// The page that --as asks each site for: a path
    #[arg(long, value_name = "PATH", requires = "names", default_value = "/")]
    pub(crate) page: String,

    /// Write a JSON object for each fetch; with --as for each site and crawler
    #[arg(long)]
    pub(crate) json: bool,

    // Last, since its heading goes on to the end.
    #[command(flatten)]
    pub(crate) pace: PaceArgs,
}

impl FetchArgs {
    /// Reports whether many sites are fetched at a time.
    pub(crate) fn is_bulk(&self) -> bool {
        let is_listed = !self.files.is_empty() || self.origins.iter().any(|origin| files::is_stdin(origin));
        is_listed || self.log.is_some() || self.pack.is_some() || self.refresh.is_some()
    }
}

/// How fast many sites are fetched.
#[derive(Args, Debug)]
#[command(next_help_heading = "Many sites")]
pub(crate) struct PaceArgs {
    /// Fetches at the same time
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) concurrency: u32,

    /// Fetches at the same time of one registrable domain, such as shop.example with all subdomains
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) per_domain: u32,

    /// Seconds between the starts of two requests to one domain
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = pause)]
    pub(crate) domain_interval: Duration,

    /// Fetches at the same time at one IP address
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) per_address: u32,

    /// Seconds between the starts of two requests to one address
    #[arg(long, value_name = "SECONDS", default_value = "0.1", value_parser = pause)]
    pub(crate) address_interval: Duration,
}

/// Parses a number of seconds that can be none.
fn pause(given: &str) -> Result<Duration, String> {
    let seconds: f64 = given.parse().map_err(|_| "it is no number of seconds, such as 1 or 0.5".to_owned())?;
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| time.as_secs() <= 3_600);
    time.ok_or_else(|| "give at least 0 and at most 3600 seconds".to_owned())
}

/// Parses a time with its unit.
fn span(given: &str) -> Result<Duration, String> {
    let wrong = || "give a number and a unit: s, m, h or d, such as 6h".to_owned();
    let unit = given.chars().next_back().ok_or_else(wrong)?;
    let number: u32 = given.strip_suffix(unit).and_then(|number| number.parse().ok()).ok_or_else(wrong)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return Err(wrong()),
    };
    Ok(Duration::from_secs(u64::from(number) * seconds))
}
