//! The names that the server is reached by.

use std::net::{IpAddr, SocketAddr};

use crate::config::Config;

/// The names that requests may be sent to.
#[derive(Debug)]
pub(crate) struct Hosts {
    /// As `Host` has them: with the port, and without it if it is the default.
    allowed: Vec<String>,
    /// The port, if the server listens on every address of the machine: then each of them names it. No page can be
    /// rebound to an address, only to a name.
    any_address: Option<u16>,
}

impl Hosts {
    pub(crate) fn new(config: &Config, port: u16) -> Self {
        let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned()];
        let ip = config.listen.ip();
        if !ip.is_unspecified() {
            names.push(match ip {
                IpAddr::V4(ip) => ip.to_string(),
                IpAddr::V6(ip) => format!("[{ip}]"),
            });
        }
        let with_port = names.iter().map(|name| format!("{name}:{port}"));
        let mut allowed: Vec<String> = with_port.collect();
        if port == 80 {
            allowed.extend(names);
        }
        for name in &config.hosts {
            // Before a proxy that speaks TLS the port is another one, or none.
            let name = name.to_ascii_lowercase();
            allowed.push(format!("{name}:{port}"));
            allowed.push(name);
        }
        Self { allowed, any_address: ip.is_unspecified().then_some(port) }
    }

    /// Reports whether a `Host` header names the server.
    pub(crate) fn allow(&self, host: &str) -> bool {
        let is_address = |port: u16| match host.parse::<SocketAddr>() {
            Ok(address) => address.port() == port,
            Err(_) => port == 80 && host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok(),
        };
        self.allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(host))
            || self.any_address.is_some_and(is_address)
    }

    /// Reports whether an origin is one of these hosts.
    pub(crate) fn allow_origin(&self, origin: &str, host: &str) -> bool {
        let name = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        name.is_some_and(|name| name.eq_ignore_ascii_case(host) && self.allow(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_server_that_listens_on_all() {
        let hosts = |listen: &str, port| Hosts::new(&Config::new(listen.parse().expect("an address")), port);
        let all = hosts("0.0.0.0:7070", 7070);
        for (host, is_own) in [
            ("192.0.2.2:7070", true),
            ("[2001:db8::1]:7070", true),
            ("127.0.0.1:7070", true),
            ("localhost:7070", true),
            ("192.0.2.2:7071", false),
            ("192.0.2.2", false),
            ("evil.example:7070", false),
            ("192.0.2.2.evil.example:7070", false),
        ] {
            assert_eq!(all.allow(host), is_own, "{host}");
        }
        assert!(hosts("0.0.0.0:80", 80).allow("192.0.2.2") && hosts("[::]:80", 80).allow("[2001:db8::1]"));
        assert!(!hosts("127.0.0.1:7070", 7070).allow("192.0.2.2:7070"));
    }
}
