//! Futures of traits that are used as objects.

use std::future::Future;
use std::pin::Pin;

/// A future in a box.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
