//! Connections through an HTTP proxy.

use std::fmt;
use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use url::{Position, Url};

use crate::connect::{Connect, Stream};
use crate::future::BoxFuture;

/// The maximum number of bytes of the head of a proxy's answer.
const MAX_HEAD_BYTES: usize = 8 << 10;

/// Connects through an HTTP proxy, with `CONNECT` (RFC 9110 section 9.3.6). The proxy is named an address, and never a
/// host: names are resolved and judged here, so that a proxy leads to no address that the guard refuses.
#[derive(Clone, Debug)]
pub struct ProxyConnector {
    /// Host and port.
    proxy: Box<str>,
}

impl ProxyConnector {
    /// Makes a connector from the URL of a proxy, such as `http://proxy.example:3128`.
    ///
    /// # Errors
    /// [`ProxyError`] if it is no such URL. Proxies that want credentials are not supported.
    pub fn new(url: &str) -> Result<Self, ProxyError> {
        let wrong = Err(ProxyError("give a URL such as http://proxy.example:3128"));
        let Ok(url) = Url::parse(url) else { return wrong };
        if url.scheme() != "http" || url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
            return wrong;
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(ProxyError("it has user information, which is never sent: leave it out"));
        }
        let Some(port) = url.port_or_known_default() else { return wrong };
        let host = &url[Position::BeforeHost..Position::AfterHost];
        Ok(Self { proxy: format!("{host}:{port}").into() })
    }
}

impl Connect for ProxyConnector {
    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Stream>>> {
        Box::pin(async move { Ok(Box::new(self.connect_tcp(address).await?) as Box<dyn Stream>) })
    }

    fn connect_tcp(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<TcpStream>> {
        Box::pin(async move {
            let mut stream = TcpStream::connect(&*self.proxy).await?;
            stream.set_nodelay(true)?;
            let request = format!("CONNECT {address} HTTP/1.1\r\nHost: {address}\r\n\r\n");
            stream.write_all(request.as_bytes()).await?;
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                if head.len() == MAX_HEAD_BYTES {
                    return Err(io::Error::other("the proxy answered with a head without end"));
                }
                // By byte: what follows the head belongs to the tunnel.
                head.push(stream.read_u8().await?);
            }
            let status = head.split(|byte| *byte == b' ').nth(1).unwrap_or_default();
            if !head.starts_with(b"HTTP/1.") || status.len() != 3 || !status.starts_with(b"2") {
                let line = head.split(|byte| *byte == b'\r').next().unwrap_or_default();
                return Err(io::Error::other(format!("the proxy answered '{}'", line.escape_ascii())));
            }
            Ok(stream)
        })
    }
}

/// Why a text does not name a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProxyError(&'static str);

impl fmt::Display for ProxyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a proxy: {}", self.0)
    }
}

impl std::error::Error for ProxyError {}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn a_proxy_is_a_url_without_path_and_credentials() {
        for (url, proxy) in [
            ("http://proxy.example:3128", Some("proxy.example:3128")),
            ("http://proxy.example", Some("proxy.example:80")),
            ("http://[::1]:8080/", Some("[::1]:8080")),
            ("https://proxy.example:3128", None),
            ("socks5://proxy.example:1080", None),
            ("proxy.example:3128", None),
            ("http://me:secret@proxy.example:3128", None),
            ("http://proxy.example/path", None),
        ] {
            let made = ProxyConnector::new(url);
            assert_eq!(made.as_ref().ok().map(|made| &*made.proxy), proxy, "{url}");
            assert!(made.err().is_none_or(|error| !error.to_string().contains("secret")));
        }
    }

    #[tokio::test]
    async fn the_proxy_is_asked_for_the_address() {
        for (answer, is_open) in [
            ("HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\nhello", true),
            ("HTTP/1.1 403 Forbidden\r\n\r\n", false),
            ("SSH-2.0-OpenSSH\r\n\r\n", false),
            ("HTTP/1.1 200 OK\r\n", false),
        ] {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let proxy = ProxyConnector::new(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
            let serving = tokio::spawn(async move {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut request = vec![0; 64];
                let length = stream.read(&mut request).await.unwrap();
                stream.write_all(answer.as_bytes()).await.unwrap();
                request.truncate(length);
                String::from_utf8(request).unwrap()
            });
            let connected = proxy.connect("93.184.216.34:443".parse().unwrap()).await;
            assert_eq!(connected.is_ok(), is_open, "{answer}");
            let request = serving.await.unwrap();
            assert_eq!(request, "CONNECT 93.184.216.34:443 HTTP/1.1\r\nHost: 93.184.216.34:443\r\n\r\n");
            if let Ok(mut stream) = connected {
                let mut text = String::new();
                stream.read_to_string(&mut text).await.unwrap();
                assert_eq!(text, "hello", "nothing of the tunnel is lost");
            }
        }
    }
}
