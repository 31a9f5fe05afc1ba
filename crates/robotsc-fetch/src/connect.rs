//! How connections are made.

use std::fmt;
use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use crate::future::BoxFuture;

/// A connection: bytes in both directions.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Connects to addresses. The [guard](crate::AddressGuard) has let them through. Tests bring their own.
pub trait Connect: fmt::Debug + Send + Sync + 'static {
    /// Connects to an address.
    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Stream>>>;

    /// Connects to an address with a socket of the system, which FTP needs. An error unless it is implemented.
    fn connect_tcp(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<TcpStream>> {
        let why = format!("nothing here connects to {address} for FTP: implement Connect::connect_tcp");
        Box::pin(std::future::ready(Err(io::Error::new(io::ErrorKind::Unsupported, why))))
    }
}

/// Connects by TCP.
#[derive(Clone, Copy, Debug, Default)]
pub struct TcpConnector;

impl Connect for TcpConnector {
    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Stream>>> {
        Box::pin(async move { Ok(Box::new(self.connect_tcp(address).await?) as Box<dyn Stream>) })
    }

    fn connect_tcp(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<TcpStream>> {
        Box::pin(async move {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            Ok(stream)
        })
    }
}
