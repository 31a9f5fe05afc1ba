//! When a request of a fetch is sent that is not its first.

use std::future::{Future, ready};

use url::Url;

use crate::client::Fault;

/// Decides when a request is sent: one that follows a redirect, or a first one that
/// [waits](crate::order::Order::waits).
pub(crate) trait Pacing: Sync {
    /// Waits until a URL can be requested.
    fn turn(&self, url: &Url, is_redirect: bool) -> impl Future<Output = Result<(), Fault>> + Send;
}

/// Sends requests at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtOnce;

impl Pacing for AtOnce {
    fn turn(&self, _: &Url, _: bool) -> impl Future<Output = Result<(), Fault>> + Send {
        ready(Ok(()))
    }
}
