//! The address that the limit by address counts a request for: the first of a name that the guard lets pass, to which
//! the fetch connects first. If there is no connection, the fetch goes on to the next address, which is not counted.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use url::{Host, Url};

use crate::{AddressGuard, Resolve};

/// Looks addresses up.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    pub(crate) resolver: Arc<dyn Resolve>,
    /// Judges the addresses of names, as the fetch does.
    pub(crate) guard: AddressGuard,
    /// The longest time for a name.
    pub(crate) wait: Duration,
}

impl Lookup {
    /// Returns the address that a request of a URL counts for, as it is if the URL itself holds it; `None` if the name
    /// is not resolved in time, or to none that may be connected to: the fetch reports the error.
    pub(crate) async fn address(&self, url: &Url) -> Option<IpAddr> {
        match url.host()? {
            Host::Ipv4(address) => Some(IpAddr::V4(address)),
            Host::Ipv6(address) => Some(IpAddr::V6(address)),
            Host::Domain(name) => {
                let resolved = tokio::time::timeout(self.wait, self.resolver.resolve(name)).await.ok()?;
                resolved.ok()?.into_iter().find(|address| !self.guard.refuses(*address))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::future::BoxFuture;

    #[derive(Debug)]
    struct Names;

    impl Resolve for Names {
        fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
            Box::pin(async move {
                match host {
                    "both.example" => Ok(vec![[10, 0, 0, 1].into(), [93, 184, 216, 34].into()]),
                    "private.example" => Ok(vec![[10, 0, 0, 1].into()]),
                    "slow.example" => std::future::pending().await,
                    _ => Err(io::Error::other("no such name")),
                }
            })
        }
    }

    #[tokio::test]
    async fn the_first_address_that_passes_counts() {
        let lookup =
            Lookup { resolver: Arc::new(Names), guard: AddressGuard::default(), wait: Duration::from_millis(1) };
        for (host, expected) in [
            ("both.example", Some([93, 184, 216, 34].into())),
            ("private.example", None),
            ("none.example", None),
            ("slow.example", None),
            ("8.8.8.8", Some([8, 8, 8, 8].into())),
        ] {
            let url = Url::parse(&format!("http://{host}/robots.txt")).unwrap();
            assert_eq!(lookup.address(&url).await, expected, "{host}");
        }
    }
}
