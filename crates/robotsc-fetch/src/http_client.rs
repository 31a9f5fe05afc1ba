//! The client with hyper and rustls: one connection a request, to an address that was judged.
//!
//! A fetch of robots.txt is one request to one host, so there is no pool. The connection is made here and not by a
//! ready-made connector, so that the address that the guard let through is the one that is connected to, and so that
//! every step can be timed and limited.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use http::header::{CONTENT_ENCODING, HOST, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderValue, Uri, Version};
use http_body_util::{BodyExt as _, Empty};
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioIo, TokioTimer};
use robotsc_frontier::outcome::BodyEnd;
use robotsc_frontier::outcome::{NetworkError, coding};
use rustls::RootCertStore;
use rustls::pki_types::ServerName;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_rustls::TlsConnector;
use url::{Host, Url};

use crate::client::{Client, ClientAnswer, Fault, Request, Timings};
use crate::connect::{Connect, Stream, TcpConnector};
#[cfg(feature = "ftp")]
use crate::ftp;
use crate::future::BoxFuture;
use crate::metered::{Allowance, Metered};
use crate::resolve::{Resolve, SystemResolver};
use crate::tasks::Tasks;
use crate::{AddressGuard, FetchLimits, tls};

/// The receive window of a stream of HTTP/2, in bytes: what can arrive before it is asked for.
const WINDOW: u32 = 64 << 10;

/// Why there is no connection if it took too long.
const LATE: &str = "no connection within the time limit";

/// The least head that hyper can limit HTTP/1 to.
const LEAST_HEAD: usize = 8 << 10;

/// Sends requests with hyper, over HTTP/1.1 or, if TLS negotiates it, HTTP/2.
#[derive(Clone)]
pub struct HttpClient {
    resolve: Arc<dyn Resolve>,
    connect: Arc<dyn Connect>,
    tls: TlsConnector,
    guard: AddressGuard,
    limits: FetchLimits,
    reads_ftp: bool,
}

impl std::fmt::Debug for HttpClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpClient")
            .field("resolve", &self.resolve)
            .field("connect", &self.connect)
            .field("guard", &self.guard)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl HttpClient {
    /// Makes a client over the resolver of the system and TCP. It trusts the certificate authorities that Mozilla
    /// trusts.
    #[must_use]
    pub fn new(guard: AddressGuard, limits: FetchLimits) -> Self {
        Self {
            resolve: Arc::new(SystemResolver),
            connect: Arc::new(TcpConnector),
            tls: tls::connector(tls::web_roots()),
            guard,
            limits: limits.clamped(),
            reads_ftp: false,
        }
    }

    /// Sets how names are resolved.
    #[must_use]
    pub fn with_resolver(mut self, resolve: impl Resolve) -> Self {
        self.resolve = Arc::new(resolve);
        self
    }

    /// Sets how connections are made.
    #[must_use]
    pub fn with_connector(mut self, connect: impl Connect) -> Self {
        self.connect = Arc::new(connect);
        self
    }

    /// Sets the certificate authorities that are trusted, in place of Mozilla's.
    #[must_use]
    pub fn with_roots(mut self, roots: RootCertStore) -> Self {
        self.tls = tls::connector(roots);
        self
    }

    /// Trusts the certificate authorities of a PEM file as well, such as that of a company.
    ///
    /// # Errors
    /// In words, if it holds no certificate, or one that cannot be read.
    pub fn with_ca_pem(mut self, pem: &[u8]) -> Result<Self, String> {
        self.tls = tls::connector(tls::roots_with(pem)?);
        Ok(self)
    }

    /// Reads `ftp` URLs, too: `/robots.txt` of a server, as `anonymous`.
    #[cfg(feature = "ftp")]
    #[must_use]
    pub fn with_ftp(mut self) -> Self {
        self.reads_ftp = true;
        self
    }

    /// Connects to the host of a URL, and negotiates TLS for `https`.
    async fn connection(&self, url: &Url, allowance: &Allowance, timings: &mut Timings) -> Result<Connection, Fault> {
        let deadline = Instant::now() + self.limits.connect;
        let stream = self.connected(url, deadline, timings, |address| self.connect.connect(address)).await?;
        let stream = Metered { stream, allowance: allowance.clone() };
        if url.scheme() != "https" {
            return Ok(Connection { stream: Box::new(stream), is_http2: false });
        }
        let started = Instant::now();
        let host = url.host_str().unwrap_or_default();
        let name = ServerName::try_from(host.trim_matches(['[', ']']).to_owned());
        let name = name.map_err(|error| Fault::new(NetworkError::Tls, error))?;
        let late = |_| Fault::new(NetworkError::Timeout, LATE);
        let tls_error = |error: io::Error| Fault::new(NetworkError::Tls, tls::describe(host, &error));
        let stream = timeout_at(deadline, self.tls.connect(name, stream)).await.map_err(late)?.map_err(tls_error)?;
        timings.tls = Some(started.elapsed());
        let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        Ok(Connection { stream: Box::new(stream), is_http2 })
    }

    /// Returns the addresses of a URL's host that can be connected to.
    async fn addresses(&self, url: &Url, timings: &mut Timings) -> Result<Vec<SocketAddr>, Fault> {
        let port = url.port_or_known_default().unwrap_or_default();
        let addresses = match url.host() {
            None => return Err(Fault::new(NetworkError::Protocol, "the URL has no host")),
            Some(Host::Ipv4(address)) => vec![IpAddr::V4(address)],
            Some(Host::Ipv6(address)) => vec![IpAddr::V6(address)],
            Some(Host::Domain(name)) => {
                let started = Instant::now();
                let resolved = self.resolve.resolve(name).await;
                timings.dns = Some(started.elapsed());
                resolved.map_err(|error| {
                    Fault::new(NetworkError::Dns, format_args!("the name was not resolved: {error}"))
                })?
            }
        };
        if addresses.is_empty() {
            return Err(Fault::new(NetworkError::Dns, "the name has no address"));
        }
        let judged: Vec<SocketAddr> = addresses
            .iter()
            .filter(|address| !self.guard.refuses(**address))
            .take(self.limits.addresses.max(1))
            .map(|address| SocketAddr::new(*address, port))
            .collect();
        if judged.is_empty() {
            let address = addresses.first().map(ToString::to_string).unwrap_or_default();
            let what =
                format_args!("{address} is not a public address: if this is meant, allow it (allow-net {address})");
            return Err(Fault::new(NetworkError::Refused, what));
        }
        Ok(judged)
    }

    /// Connects to the first address of a URL's host that answers. Each has an equal part of the time that is left.
    async fn connected<'c, S>(
        &self,
        url: &Url,
        deadline: Instant,
        timings: &mut Timings,
        connect: impl Fn(SocketAddr) -> BoxFuture<'c, io::Result<S>>,
    ) -> Result<S, Fault> {
        let late = |_| Fault::new(NetworkError::Timeout, LATE);
        let addresses = timeout_at(deadline, self.addresses(url, timings)).await.map_err(late)??;
        let started = Instant::now();
        let mut fault = Fault::new(NetworkError::Connect, "no address");
        for (tried, address) in addresses.iter().enumerate() {
            let rest = deadline.saturating_duration_since(Instant::now());
            let part = rest / u32::try_from(addresses.len() - tried).unwrap_or(u32::MAX).max(1);
            fault = match timeout(part, connect(*address)).await {
                Ok(Ok(stream)) => {
                    (timings.address, timings.connect) = (Some(*address), Some(started.elapsed()));
                    return Ok(stream);
                }
                Ok(Err(error)) => {
                    Fault::new(NetworkError::Connect, format_args!("no connection to {address}: {error}"))
                }
                Err(_) => Fault::new(NetworkError::Timeout, format_args!("{address} did not answer in time")),
            };
        }
        Err(fault)
    }

    /// Sends the request and reads the head of the response.
    async fn send(
        &self,
        connection: Connection,
        request: &Request<'_>,
        tasks: &Tasks,
    ) -> Result<http::Response<Incoming>, Fault> {
        let late = |_| Fault::new(NetworkError::Timeout, "no head of a response within the time limit");
        let io = TokioIo::new(connection.stream);
        let wait = self.limits.first_byte;
        if connection.is_http2 {
            let message = message(request, true)?;
            let exchange = async {
                let (mut sender, driver) = http2::Builder::new(tasks.spawner())
                    .timer(TokioTimer::new())
                    .max_header_list_size(u32::try_from(self.limits.head).unwrap_or(u32::MAX))
                    .initial_stream_window_size(WINDOW)
                    .initial_connection_window_size(WINDOW)
                    .handshake(io)
                    .await?;
                hyper::rt::Executor::execute(&tasks.spawner(), quiet(driver));
                sender.send_request(message).await
            };
            return timeout(wait, exchange).await.map_err(late)?.map_err(|error| fault(&error));
        }
        let message = message(request, false)?;
        let exchange = async {
            let (mut sender, driver) = http1::Builder::new()
                .max_buf_size(self.limits.head.max(LEAST_HEAD))
                .max_headers(self.limits.fields)
                .handshake(io)
                .await?;
            hyper::rt::Executor::execute(&tasks.spawner(), quiet(driver));
            sender.send_request(message).await
        };
        timeout(wait, exchange).await.map_err(late)?.map_err(|error| fault(&error))
    }
}

/// A connection, and what is spoken on it.
struct Connection {
    stream: Box<dyn Stream>,
    is_http2: bool,
}

/// Drives a connection to its end. Its errors come with the response, too.
async fn quiet(driver: impl Future<Output = hyper::Result<()>>) {
    let _ = driver.await;
}

impl Client for HttpClient {
    async fn get(&self, request: Request<'_>) -> Result<ClientAnswer, Fault> {
        let mut timings = Timings::default();
        let answered = match request.url.scheme() {
            #[cfg(feature = "ftp")]
            "ftp" if self.reads_ftp => self.answer_ftp(&request, &mut timings).await,
            _ => self.answer(&request, &mut timings).await,
        };
        match answered {
            Ok(answer) => Ok(ClientAnswer { timings, ..answer }),
            Err(fault) => Err(Fault { timings: Box::new(timings), ..fault }),
        }
    }

    fn reads_ftp(&self) -> bool {
        self.reads_ftp
    }
}

impl HttpClient {
    #[cfg(feature = "ftp")]
    async fn answer_ftp(&self, request: &Request<'_>, timings: &mut Timings) -> Result<ClientAnswer, Fault> {
        let deadline = Instant::now() + self.limits.connect;
        let stream =
            self.connected(request.url, deadline, timings, |address| self.connect.connect_tcp(address)).await?;
        let address = timings.address.ok_or_else(|| Fault::new(NetworkError::Connect, "no address"))?;
        let late = |_| Fault::new(NetworkError::Timeout, "the server did not open the file within the time limit");
        let started = Instant::now();
        let opened = timeout(self.limits.first_byte, ftp::open(stream, address, &self.connect, request)).await;
        let opened = opened.map_err(late)??;
        timings.head = Some(started.elapsed());
        let started = Instant::now();
        let answer = opened.read(request.max_body.saturating_add(1)).await;
        timings.body = Some(started.elapsed());
        Ok(answer)
    }

    async fn answer(&self, request: &Request<'_>, timings: &mut Timings) -> Result<ClientAnswer, Fault> {
        // Before the head is read: TLS, interim responses, frames, and a window of a body that nobody asked for yet.
        let allowance = Allowance::new(self.limits.head.saturating_mul(4).saturating_add(2 * WINDOW as usize));
        let tasks = Tasks::new();
        let connection = self.connection(request.url, &allowance, timings).await?;
        let started = Instant::now();
        let response = self.send(connection, request, &tasks).await?;
        timings.head = Some(started.elapsed());
        let (head, mut body) = response.into_parts();
        let mut answer = ClientAnswer {
            status: head.status.as_u16(),
            protocol: head.version.into(),
            headers: head.headers,
            body: Vec::new(),
            end: BodyEnd::Whole,
            timings: Timings::default(),
        };
        if head.status.is_success() {
            let started = Instant::now();
            let is_coded = |value: &HeaderValue| coding::codings(value.as_bytes()).any(|coding| coding != "chunked");
            let is_encoded = answer.headers.contains_key(CONTENT_ENCODING)
                || answer.headers.get_all(TRANSFER_ENCODING).iter().any(is_coded);
            let max = if is_encoded { request.max_encoded } else { request.max_body.saturating_add(1) };
            // An eighth more for chunks, frames and records of TLS.
            allowance.add(max.saturating_add(max / 8));
            (answer.body, answer.end) = read(&mut body, max, head.version).await;
            timings.body = Some(started.elapsed());
        }
        Ok(answer)
    }
}

/// Reads a body, up to some bytes.
///
/// hyper ends a body of HTTP/2 without an error if the stream is reset, or the connection left, for no error. So the
/// server must have ended the stream itself, and sent as much as it announced.
async fn read(body: &mut Incoming, max: usize, version: Version) -> (Vec<u8>, BodyEnd) {
    let mut bytes = Vec::new();
    loop {
        match body.frame().await {
            None => {
                let is_ended = version != Version::HTTP_2 || body.is_end_stream();
                let is_whole = is_ended && body.size_hint().lower() == 0;
                return (bytes, if is_whole { BodyEnd::Whole } else { BodyEnd::Incomplete });
            }
            Some(Err(_)) => return (bytes, BodyEnd::Incomplete),
            Some(Ok(frame)) => bytes.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data)),
        }
        if bytes.len() >= max {
            bytes.truncate(max);
            return (bytes, BodyEnd::CutAtLimit);
        }
    }
}

/// Returns the message of a request. HTTP/2 names the host in the URI, HTTP/1 in a header field.
fn message(request: &Request<'_>, is_http2: bool) -> Result<http::Request<Empty<Bytes>>, Fault> {
    let url = request.url;
    let unusable = |error: &dyn std::fmt::Display| {
        Fault::new(NetworkError::Protocol, format_args!("the URL cannot be requested: {error}"))
    };
    let mut path = url.path().to_owned();
    if let Some(query) = url.query() {
        path.push('?');
        path.push_str(query);
    }
    let mut authority = url.host_str().unwrap_or_default().to_owned();
    if let Some(port) = url.port() {
        authority.push_str(&format!(":{port}"));
    }
    let target = if is_http2 { format!("{}://{authority}{path}", url.scheme()) } else { path };
    let uri: Uri = target.parse().map_err(|error: http::uri::InvalidUri| unusable(&error))?;
    let mut message = http::Request::new(Empty::new());
    *message.uri_mut() = uri;
    let headers: &mut HeaderMap = message.headers_mut();
    if !is_http2 {
        let host = HeaderValue::from_str(&authority).map_err(|error| unusable(&error))?;
        headers.insert(HOST, host);
        headers.insert(http::header::CONNECTION, HeaderValue::from_static("close"));
    }
    headers.extend(request.headers.iter().map(|(name, value)| (name.clone(), value.clone())));
    *message.version_mut() = if is_http2 { Version::HTTP_2 } else { Version::HTTP_11 };
    Ok(message)
}

/// Returns what an error of hyper means.
fn fault(error: &hyper::Error) -> Fault {
    let mut causes = Vec::new();
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    let mut is_reset = error.is_incomplete_message() || error.is_closed() || error.is_canceled();
    while let Some(one) = cause {
        let is_io = one.downcast_ref::<io::Error>().is_some_and(|error| error.kind() != io::ErrorKind::Other);
        is_reset |= is_io;
        let text = one.to_string();
        if !causes.contains(&text) {
            causes.push(text);
        }
        cause = one.source();
    }
    let kind = if is_reset { NetworkError::Reset } else { NetworkError::Protocol };
    Fault::new(kind, format_args!("no response: {}", causes.join(": ")))
}
