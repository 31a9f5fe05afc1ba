//! How host names become addresses.

use std::fmt;
use std::io;
use std::net::IpAddr;

use crate::future::BoxFuture;

/// Resolves host names. Tests and bulk fetches bring their own.
pub trait Resolve: fmt::Debug + Send + Sync + 'static {
    /// Returns the addresses of a host, in the order in which they are tried. The host is a name, never an address.
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>>;
}

/// The resolver of the operating system, which knows `/etc/hosts` and the search order of the machine. Each look-up
/// takes a blocking thread of tokio while it lasts.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move { Ok(tokio::net::lookup_host((host, 0)).await?.map(|address| address.ip()).collect()) })
    }
}
