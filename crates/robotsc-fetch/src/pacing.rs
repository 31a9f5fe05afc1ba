//! When a redirect is followed.

use std::future::{Future, ready};

use url::Url;

use crate::client::Fault;

/// Decides when a redirect is followed.
pub(crate) trait Pacing: Sync {
    /// Waits until a URL that a redirect leads to can be requested.
    fn turn(&self, url: &Url) -> impl Future<Output = Result<(), Fault>> + Send;
}

/// Follows redirects at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtOnce;

impl Pacing for AtOnce {
    fn turn(&self, _: &Url) -> impl Future<Output = Result<(), Fault>> + Send {
        ready(Ok(()))
    }
}
