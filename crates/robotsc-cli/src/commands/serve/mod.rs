//! `serve`: the page and the HTTP API.

mod args;

use std::env;
use std::ffi::OsString;
use std::io::Write as _;

use robotsc_serve::{ApiAccess, Config, Server};
use tokio::sync::mpsc::unbounded_channel;

pub(crate) use self::args::ServeArgs;
use crate::command_line::time;
use crate::commands::pack;
use crate::failure::{End, Failure, complain};
use crate::io::output;

/// The variable of the environment that holds the token.
const TOKEN: &str = "ROBOTSC_TOKEN";

/// The shortest token that other machines cannot guess.
const MIN_TOKEN_CHARS: usize = 16;

/// Runs the command.
pub(crate) fn serve(args: &ServeArgs) -> Result<End, Failure> {
    let config = config(args)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::io("cannot serve", "the system", &error, "try again"))?;
    let (stop, mut stops) = unbounded_channel();
    // The second signal ends the process at once.
    let mut is_first = true;
    let handled = ctrlc::set_handler(move || {
        if !std::mem::take(&mut is_first) {
            std::process::exit(End::Stopped as i32);
        }
        let _ = stop.send(());
    });
    handled.map_err(|error| Failure::new(format_args!("cannot handle Ctrl-C: the system: {error}: try again")))?;
    runtime
        .block_on(async {
            let listen = config.listen;
            let server = Server::bind(config).await.map_err(|error| {
                let way_out = "another program may use the port: choose one with --listen ADDRESS:PORT";
                Failure::io("cannot listen", &listen.to_string(), &error, way_out)
            })?;
            let mut out = output::stdout();
            writeln!(out, "http://{}/", server.address())?;
            out.flush()?;
            drop(out);
            server
                .run(async {
                    stops.recv().await;
                    complain("stopping: requests have 10 s to end; press Ctrl-C again to end at once");
                })
                .await;
            Ok(())
        })
        .map(|()| End::Clean)
}

/// Returns what the server is started with.
fn config(args: &ServeArgs) -> Result<Config, Failure> {
    let mut config = Config::new(args.listen);
    config.access = access(args, env::var_os(TOKEN))?;
    config.hosts.clone_from(&args.hosts);
    if let Some(path) = &args.pack {
        let pack = pack::open(path)?;
        pack::warn_of_expired(path, &pack, time::now(None)?);
        config.pack = Some(pack);
    }
    #[cfg(feature = "fetch")]
    {
        config.allow_fetch = args.allow_fetch;
        config.fetcher = crate::io::network::Network::of_server(&args.network)?;
        if args.allow_fetch && config.fetcher.is_none() {
            return Err(Failure::new(
                "no User-Agent: --allow-fetch: say who asks and how to reach you with --user-agent or \
                 ROBOTSC_USER_AGENT",
            ));
        }
    }
    Ok(config)
}

/// Returns who may ask. `variable` is the token of the environment.
fn access(args: &ServeArgs, variable: Option<OsString>) -> Result<ApiAccess, Failure> {
    if args.no_auth {
        return Ok(ApiAccess::Anyone);
    }
    let (token, place) = match &args.token {
        Some(token) => (Some(token.clone()), "--token"),
        // If it is empty or not Unicode, it is refused below: a token that is set never means that anyone may ask.
        None => (variable.map(|token| token.into_string().unwrap_or_default()), TOKEN),
    };
    match token {
        Some(token)
            if token.chars().count() < MIN_TOKEN_CHARS || !token.bytes().all(|byte| byte.is_ascii_graphic()) =>
        {
            Err(Failure::new(format_args!(
                "bad token: {place}: give at least {MIN_TOKEN_CHARS} letters, digits and signs, such as from 'openssl \
                 rand -hex 16'"
            )))
        }
        Some(token) => Ok(ApiAccess::Token(token)),
        None if args.listen.ip().is_loopback() => match args.hosts.first() {
            None => Ok(ApiAccess::Anyone),
            // A proxy passes on what others send to this name.
            Some(host) => Err(Failure::new(format_args!(
                "no token: --host {host}: other machines can reach this name: give a secret with --token or {TOKEN}, \
                 or answer all of them with --no-auth"
            ))),
        },
        None => Err(Failure::new(format_args!(
            "no token: --listen {}: other machines can reach this address: give a secret with --token or {TOKEN}, or \
             answer all of them with --no-auth",
            args.listen
        ))),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: ServeArgs,
    }

    #[test]
    fn nobody_is_answered_by_oversight() {
        let secret = "0123456789abcdef";
        for (line, variable, expected) in [
            (&["serve"][..], None, Some(ApiAccess::Anyone)),
            (&["serve", "--host", "robots.example"], None, None),
            (&["serve", "--host", "robots.example", "--no-auth"], None, Some(ApiAccess::Anyone)),
            (&["serve", "--host", "robots.example"], Some(secret), Some(ApiAccess::Token(secret.to_owned()))),
            (&["serve", "--listen", "0.0.0.0:0"], None, None),
            (&["serve"], Some(""), None),
            (&["serve"], Some("short"), None),
            (&["serve"], Some(secret), Some(ApiAccess::Token(secret.to_owned()))),
        ] {
            let args = Line::parse_from(line).args;
            assert_eq!(access(&args, variable.map(OsString::from)).ok(), expected, "{line:?} {variable:?}");
        }
    }
}
