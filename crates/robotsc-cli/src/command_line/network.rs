//! The options of every command that accepts a site.

#[cfg(feature = "fetch")]
pub(crate) use self::with_network::{NetworkArgs, net};

/// Without the network there are none.
#[cfg(not(feature = "fetch"))]
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct NetworkArgs {}

#[cfg(feature = "fetch")]
mod with_network {
    use std::ffi::OsString;
    use std::net::IpAddr;
    use std::time::Duration;

    use clap::{Args, ValueHint};
    use robotsc::fetch::IpNet;

    const HEADING: &str = "Sites";

    /// How the network is reached.
    #[derive(Args, Clone, Debug, Default)]
    pub(crate) struct NetworkArgs {
        /// The User-Agent to send, with a contact: a URL or a mail address [default: ROBOTSC_USER_AGENT; of sites that
        /// the command line names, robotsc asks as itself]
        #[arg(help_heading = HEADING, long, value_name = "UA")]
        pub(crate) user_agent: Option<String>,

        /// A network that is not public and may be reached, such as 10.1.0.0/16; several with commas, or more than once
        /// [default: ROBOTSC_ALLOW_NET]
        #[arg(
            help_heading = HEADING,
            long = "allow-net",
            value_name = "CIDR,...",
            value_delimiter = ',',
            value_parser = net
        )]
        pub(crate) allowed: Vec<IpNet>,

        /// Resolve names by this table first, with lines such as '127.0.0.1 shop.example', as in /etc/hosts
        #[arg(help_heading = HEADING, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        pub(crate) hosts: Option<OsString>,

        /// Trust the certificate authorities of this PEM file, too, such as that of a company [default: those that
        /// Mozilla trusts]
        #[arg(help_heading = HEADING, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        pub(crate) ca_file: Option<OsString>,

        /// Connect through this HTTP proxy, such as http://proxy.example:3128. Names are resolved here, and no proxy is
        /// used without this option
        #[arg(help_heading = HEADING, long, value_name = "URL", value_hint = ValueHint::Url)]
        pub(crate) proxy: Option<String>,

        /// The time for a whole fetch, in seconds [default: 30]
        #[arg(help_heading = HEADING, long, value_name = "SECONDS", value_parser = seconds)]
        pub(crate) timeout: Option<Duration>,
    }

    /// Parses a number of seconds.
    fn seconds(given: &str) -> Result<Duration, String> {
        let seconds: f64 = given.parse().map_err(|_| "it is no number of seconds, such as 10 or 0.5".to_owned())?;
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| (1..=3_600_000).contains(&time.as_millis()));
        time.ok_or_else(|| "give more than 0 and at most 3600 seconds".to_owned())
    }

    /// Parses a network, or an address, which is a network of its own.
    ///
    /// # Errors
    /// If it is neither; says in words what to write.
    pub(crate) fn net(text: &str) -> Result<IpNet, &'static str> {
        let address = || text.parse::<IpAddr>().map(IpNet::from);
        text.parse().or_else(|_| address()).map_err(|_| "give a network such as 10.1.0.0/16, or an address")
    }
}
