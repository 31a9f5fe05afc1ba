//! How the command reaches the network: who it says it is, and what it may connect to.

use std::env;
use std::ffi::OsStr;
use std::time::Duration;

use robotsc::Dialect;
use robotsc::fetch::{
    AddressGuard, Bulk, BulkLimits, CachedResolver, FetchLimits, Fetched, Fetcher, Hosts, HttpClient, IpNet,
    ProxyConnector, SystemResolver, UserAgent,
};
use robotsc::origin::Origin;
use robotsc::outcome::{FetchEnd, Outcome};
use robotsc_answers::scheme::other_than_of_sites;
use robotsc_answers::{fetched as answers, shown};

use crate::command_line::network::{NetworkArgs, net as parse_net};
use crate::failure::Failure;
use crate::io::files;
use crate::io::origin::no_origin;

const USER_AGENT: &str = "ROBOTSC_USER_AGENT";
const ALLOW_NET: &str = "ROBOTSC_ALLOW_NET";

/// Who asks if a person looks at a few sites and does not say: this program. A crawler has a name of its own.
const OWN_USER_AGENT: &str = concat!("robotsc/", env!("CARGO_PKG_VERSION"), " (+", env!("CARGO_PKG_REPOSITORY"), ")");

/// Fetches robots.txt files for a command.
pub(crate) struct Network {
    fetcher: Fetcher,
    resolver: CachedResolver<Hosts<SystemResolver>>,
    user_agent: UserAgent,
}

impl Network {
    /// Reads the settings from the options, and from the environment what they leave out.
    ///
    /// # Errors
    /// If there is no User-Agent with a contact, or a setting is not valid.
    pub(crate) fn of(args: &NetworkArgs) -> Result<Self, Failure> {
        Self::with(args, "")
    }

    /// The same, for a few sites that the command line names: without a User-Agent, this program asks under its own.
    ///
    /// # Errors
    /// If a setting is not valid.
    pub(crate) fn of_few_sites(args: &NetworkArgs) -> Result<Self, Failure> {
        Self::with(args, OWN_USER_AGENT)
    }

    fn with(args: &NetworkArgs, default: &str) -> Result<Self, Failure> {
        let (user_agent, place) = match &args.user_agent {
            Some(given) => (given.clone(), "--user-agent"),
            None => (variable(USER_AGENT)?.unwrap_or_else(|| default.to_owned()), USER_AGENT),
        };
        if user_agent.is_empty() {
            return Err(Failure::new(format_args!(
                "no User-Agent: {place}: say who asks and how to reach you, as in --user-agent \
                 'FooBot/1.0 (+https://foo.example/bot)', or set {USER_AGENT}"
            )));
        }
        let user_agent = UserAgent::new(&user_agent).map_err(|error| Failure::new(format_args!("{place}: {error}")))?;
        let mut builder = Fetcher::builder(user_agent.clone());
        for net in args.allowed.iter().copied().chain(allowed_by_environment(args)?) {
            builder = builder.allow_net(net);
        }
        let mut limits = FetchLimits::default();
        if let Some(total) = args.timeout {
            limits.total = total;
        }
        let resolver = CachedResolver::new(hosts(args)?);
        let proxy = args.proxy.as_deref().map(ProxyConnector::new).transpose();
        let proxy = proxy.map_err(|error| Failure::new(format_args!("{error}: --proxy")))?;
        let authorities = args.ca_file.as_deref().map(files::read).transpose()?;
        let mut bad_authorities = None;
        let fetcher = builder.limits(limits).build_http(|client| {
            let client = match &authorities {
                None => client,
                Some((name, pem)) => client.with_ca_pem(pem).unwrap_or_else(|why| {
                    bad_authorities = Some(format!("cannot use: --ca-file: {name}: {why}"));
                    HttpClient::new(AddressGuard::new([]), limits)
                }),
            };
            let client = client.with_resolver(resolver.clone());
            #[cfg(feature = "ftp")]
            let client = client.with_ftp();
            match proxy {
                Some(proxy) => client.with_connector(proxy),
                None => client,
            }
        });
        match bad_authorities {
            Some(why) => Err(Failure::new(why)),
            None => Ok(Self { fetcher, resolver, user_agent }),
        }
    }

    /// Returns the User-Agent of the caller.
    pub(crate) fn user_agent(&self) -> String {
        String::from_utf8_lossy(self.user_agent.header().as_bytes()).into_owned()
    }

    /// Returns a fetch of many origins.
    pub(crate) fn bulk(self, pace: BulkLimits) -> Bulk {
        Bulk::new(self.fetcher, self.resolver, pace)
    }

    /// Returns what a server fetches with; `None` if neither an option nor the environment has a User-Agent.
    ///
    /// # Errors
    /// If a setting is not valid.
    #[cfg(feature = "serve")]
    pub(crate) fn of_server(args: &NetworkArgs) -> Result<Option<Fetcher>, Failure> {
        if args.user_agent.is_none() && variable(USER_AGENT)?.is_none() {
            return Ok(None);
        }
        Self::of(args).map(|network| Some(network.fetcher))
    }

    /// Fetches the robots.txt of an origin.
    ///
    /// # Errors
    /// If the machine has no means to. A fetch that fails is a result.
    pub(crate) fn fetch(&self, origin: &Origin) -> Result<Fetched, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Failure::io("cannot fetch", origin.as_str(), &error, "try again"))?;
        let fetched = runtime.block_on(self.fetcher.fetch(origin, None));
        // A name that is still being resolved must not hold the command up.
        runtime.shutdown_timeout(Duration::ZERO);
        Ok(fetched)
    }
}

/// Fetches the robots.txt that a URL names, for a command that takes a file. Returns its origin and its body.
///
/// # Errors
/// If there is none, or it cannot be fetched: neither is taken for an empty file. If the answer is no file under one of
/// the dialects, such as a part of one (206).
pub(crate) fn read_site(url: &OsStr, args: &NetworkArgs, dialects: &[&Dialect]) -> Result<(Origin, Vec<u8>), Failure> {
    let origin = parse_origin(url.as_encoded_bytes()).map_err(|why| {
        Failure::new(format_args!("not a site: {why}: the robots.txt comes first, URLs to answer for come after it"))
    })?;
    let fetched = Network::of_few_sites(args)?.fetch(&origin)?;
    let is_rules = |dialect: &&Dialect| answers::record(&fetched, dialect).outcome == Outcome::Rules;
    // A challenge says nothing of the file, even if its body can be read as one.
    let is_challenge = fetched.challenge().is_some();
    if dialects.iter().all(is_rules) && !is_challenge {
        return Ok((origin, fetched.body));
    }
    let cause = fetched.problem.unwrap_or_else(|| in_words(fetched.end));
    // A missing file allows everything; one that could not be read says nothing.
    let is_missing = matches!(fetched.end, FetchEnd::Status(400..=428 | 430..=499)) && !is_challenge;
    let what = if is_missing { "no robots.txt" } else { "the robots.txt could not be read" };
    Err(Failure::new(format_args!(
        "{what}: {}: {}: 'robotsc fetch {origin}' shows what it means",
        origin.robots_url(),
        shown::line(&cause)
    )))
}

/// Returns the table of names of `--hosts`.
fn hosts(args: &NetworkArgs) -> Result<Hosts<SystemResolver>, Failure> {
    let Some(path) = &args.hosts else { return Ok(Hosts::empty(SystemResolver)) };
    let (name, bytes) = files::read(path)?;
    let table = String::from_utf8_lossy(&bytes);
    Hosts::parse(&table, SystemResolver)
        .map_err(|error| Failure::new(format_args!("not a table of names: {name}: {error}")))
}

/// Returns the origin that an argument names: an origin, or the URL of its robots.txt.
///
/// # Errors
/// If it is neither.
pub(crate) fn origin_of(bytes: &[u8]) -> Result<Origin, Failure> {
    parse_origin(bytes).map_err(|why| Failure::new(format_args!("not a site: {why}")))
}

/// As [`origin_of`], with the reason in words: where, why, what to do.
pub(crate) fn parse_origin(bytes: &[u8]) -> Result<Origin, String> {
    if let Some(scheme) = str::from_utf8(bytes).ok().and_then(other_than_of_sites) {
        return Err(format!("the URL: its scheme is {scheme}: give one such as https://shop.example"));
    }
    if bytes.contains(&b'@') {
        // It is not repeated: what precedes the `@` can be a password.
        return Err("the URL: it has user information, which is never sent: leave it out".to_owned());
    }
    let text = bytes.strip_suffix(b"/robots.txt").unwrap_or(bytes);
    Origin::parse(text).map_err(|error| {
        format!("{}: {}: give one such as https://shop.example", shown::bytes(bytes), no_origin(text, error))
    })
}

/// Returns how a fetch ended, in words.
pub(crate) fn in_words(end: FetchEnd) -> String {
    match end {
        FetchEnd::Status(status) => format!("the server answered {status}"),
        FetchEnd::BodyBroken(status) => format!("the body of the answer, {status}, broke off"),
        FetchEnd::RedirectLoop => "a redirect led back to a URL that was visited before".to_owned(),
        FetchEnd::LostRedirect => "a redirect without a Location".to_owned(),
        FetchEnd::Network(error) => format!("no answer: {}", format!("{error:?}").to_lowercase()),
    }
}

/// Returns the networks that the environment allows, if no option names one.
fn allowed_by_environment(args: &NetworkArgs) -> Result<Vec<IpNet>, Failure> {
    if !args.allowed.is_empty() {
        return Ok(Vec::new());
    }
    let given = variable(ALLOW_NET)?.unwrap_or_default();
    let nets = given.split(',').map(str::trim).filter(|net| !net.is_empty());
    nets.map(|net| {
        parse_net(net).map_err(|way_out| {
            Failure::new(format_args!("not a network: {ALLOW_NET}: {}: {way_out}", shown::line(net)))
        })
    })
    .collect()
}

/// Returns a variable of the environment.
fn variable(name: &str) -> Result<Option<String>, Failure> {
    match env::var(name) {
        Ok(value) => Ok(Some(value)),
        Err(env::VarError::NotPresent) => Ok(None),
        Err(env::VarError::NotUnicode(_)) => Err(Failure::new(format_args!("not UTF-8: {name}: set it anew"))),
    }
}
