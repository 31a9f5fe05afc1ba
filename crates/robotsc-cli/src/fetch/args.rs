//! The command line of `fetch`.

use std::ffi::OsString;
use std::time::Duration;

use clap::{Args, ValueHint};
use robotsc::fetcher::IpNet;

use crate::args::DialectArgs;

/// Fetches the robots.txt of sites and shows what happened: names, connections, redirects, status, how long it is kept,
/// and what it means.
///
/// `check`, `explain`, `lint`, `diff` and the other commands that read a robots.txt take a URL such as
/// https://shop.example in place of a file, too. They read the User-Agent from ROBOTSC_USER_AGENT, and networks that
/// are allowed from ROBOTSC_ALLOW_NET, with commas.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 there is a robots.txt or none, 1 a fetch failed, 2 error.

Examples:
  robotsc fetch https://shop.example --user-agent 'FooBot/1.0 (+https://foo.example/bot)'
  export ROBOTSC_USER_AGENT='FooBot/1.0 (+https://foo.example/bot)'
  robotsc fetch https://shop.example https://www.shop.example --json
  robotsc fetch http://127.0.0.1:8080 --allow-net 127.0.0.0/8
  robotsc fetch https://shop.example --warc shop.warc.gz && robotsc pack build shop.warc.gz -o shop.pack
  robotsc check https://shop.example --agent FooBot https://shop.example/cart
  robotsc diff https://shop.example robots-new.txt")]
pub(crate) struct FetchArgs {
    /// Sites: scheme, host and port, such as https://shop.example; the URL of a robots.txt, too; `-` reads them from
    /// standard input, one a line
    #[arg(value_name = "ORIGIN", required = true, value_hint = ValueHint::Url)]
    pub(crate) origins: Vec<OsString>,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,

    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    /// Write what came to this WARC file, compressed with gzip, for `robotsc pack build`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) warc: Option<OsString>,

    /// Write a JSON object for each fetch
    #[arg(long)]
    pub(crate) json: bool,
}

/// How the network is reached.
#[derive(Args, Debug, Default)]
pub(crate) struct NetworkArgs {
    /// The User-Agent to send, with a contact: a URL or a mail address [default: ROBOTSC_USER_AGENT]
    #[arg(long, value_name = "UA")]
    pub(crate) user_agent: Option<String>,

    /// A network that is not public and may be reached, such as 10.1.0.0/16; can be given more than once [default:
    /// ROBOTSC_ALLOW_NET]
    #[arg(long = "allow-net", value_name = "CIDR")]
    pub(crate) allowed: Vec<IpNet>,

    /// The time for a whole fetch, in seconds [default: 30]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
}

/// Parses a number of seconds.
fn seconds(given: &str) -> Result<Duration, String> {
    let seconds: f64 = given.parse().map_err(|_| "it is no number of seconds, such as 10 or 0.5".to_owned())?;
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| (1..=3_600_000).contains(&time.as_millis()));
    time.ok_or_else(|| "give more than 0 and at most 3600 seconds".to_owned())
}
