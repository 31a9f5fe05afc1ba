//! The command line of `serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueHint};

/// Serves the page and the HTTP API of robotsc: test, compare and explain robots.txt in a browser, or from other
/// programs.
///
/// Only this machine can reach the address unless --listen says otherwise. Then --token or --no-auth says who may ask.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 stopped by Ctrl-C or SIGTERM, 2 error.

Examples:
  robotsc serve
  robotsc serve --pack frontier.pack --listen 127.0.0.1:8080
  ROBOTSC_TOKEN=$(openssl rand -hex 16) robotsc serve --listen 0.0.0.0:7070 --host robots.example
  curl -H 'Content-Type: application/json' http://127.0.0.1:7070/v1/check -d @question.json")]
pub(crate) struct ServeArgs {
    /// The address and port to listen on; port 0 chooses one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7070")]
    pub(crate) listen: SocketAddr,

    /// A policy pack to answer from, too
    #[arg(long, value_name = "PACK", value_hint = ValueHint::FilePath)]
    pub(crate) pack: Option<PathBuf>,

    /// The secret that callers send as `Authorization: Bearer TOKEN` [default: ROBOTSC_TOKEN, if it is set]
    #[arg(long, value_name = "TOKEN", conflicts_with = "no_auth")]
    pub(crate) token: Option<String>,

    /// Answer every caller that reaches the address, also from other machines
    #[arg(long)]
    pub(crate) no_auth: bool,

    /// A name that the server is reached by, such as robots.example, besides its address and localhost; can be given
    /// more than once
    #[arg(id = "served_hosts", long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,

    /// Fetch robots.txt files for callers on other machines, too
    #[cfg(feature = "fetch")]
    #[arg(long)]
    pub(crate) allow_fetch: bool,

    #[cfg(feature = "fetch")]
    #[command(flatten)]
    pub(crate) network: crate::command_line::network::NetworkArgs,
}
