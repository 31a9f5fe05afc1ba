//! The names that the server is reached by.

use std::net::IpAddr;

use crate::config::Config;

/// The names that requests may be sent to.
#[derive(Debug)]
pub(crate) struct Hosts {
    /// As `Host` has them: with the port, and without it if it is the default.
    allowed: Vec<String>,
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
        Self { allowed }
    }

    /// Reports whether a `Host` header names the server.
    pub(crate) fn allow(&self, host: &str) -> bool {
        self.allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(host))
    }

    /// Reports whether an origin is one of these hosts.
    pub(crate) fn allow_origin(&self, origin: &str, host: &str) -> bool {
        let name = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        name.is_some_and(|name| name.eq_ignore_ascii_case(host) && self.allow(name))
    }
}
