//! A connection that a server can send only so many bytes through.
//!
//! The limits of the head and of the body count what is parsed. This one counts what arrives: interim responses without
//! end, frames of HTTP/2 that carry nothing, and anything else that a parser skips.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::connect::Stream;

/// The bytes that a server may still send.
#[derive(Clone, Debug)]
pub(crate) struct Allowance(Arc<AtomicUsize>);

impl Allowance {
    pub(crate) fn new(bytes: usize) -> Self {
        Self(Arc::new(AtomicUsize::new(bytes)))
    }

    /// Lets the server send more.
    pub(crate) fn add(&self, bytes: usize) {
        let more = |rest: usize| Some(rest.saturating_add(bytes));
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    }

    /// Takes bytes that arrived. Returns `false` if they are more than the rest.
    fn take(&self, bytes: usize) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |rest| rest.checked_sub(bytes)).is_ok()
    }
}

/// A connection with an allowance.
pub(crate) struct Metered {
    pub(crate) stream: Box<dyn Stream>,
    pub(crate) allowance: Allowance,
}

impl AsyncRead for Metered {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
        let arrived = buf.filled().len() - before;
        if !self.allowance.take(arrived) {
            return Poll::Ready(Err(io::Error::other("the server sent more than the limits allow")));
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Metered {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
