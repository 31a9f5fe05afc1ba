//! Reads `/robots.txt` of an FTP server (RFC 959) as `anonymous`, over connections to one address that was judged.
//!
//! ```text
//! 220 hello                      USER anonymous
//! 331 say who you are            PASS FooBot/1.0 (+https://foo.example/bot)
//! 230 come in                    TYPE I
//! 200                            EPSV
//! 229 (|||50123|)                connects to port 50123 of the same address; RETR robots.txt
//! 150, the file, 226             200: the file is whole
//! 550 no such file               404
//! ```
//!
//! - Only the reply 550 to the request for the file means that there is none. Every other refusal is a failure: a
//!   server that lets nobody in has not said that it has no rules.
//! - A file counts as whole only if the server says so after its last byte.
//! - A server names the port of the second connection, and an address in the older form of the reply. The address is
//!   not used: it could lead anywhere.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http::HeaderMap;
use http::header::USER_AGENT;
use robotsc_frontier::outcome::BodyEnd;
use robotsc_frontier::outcome::NetworkError;
use suppaftp::tokio::{AsyncFtpStream, AsyncNoTlsStream, TransferStream};
use suppaftp::types::{FileType, Response};
use suppaftp::{FtpError, Mode, Status};
use sync_wrapper::SyncFuture;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;

use crate::client::{ClientAnswer, Fault, Protocol, Request, Timings};
use crate::connect::Connect;

/// The path that is read.
const PATH: &str = "/robots.txt";

/// The maximum number of characters of a server's reply that are repeated.
const MAX_SHOWN: usize = 200;

/// The answer to a request for the file.
pub(crate) enum Opened {
    /// The file can be read.
    File(TransferStream<AsyncNoTlsStream>),
    /// There is no such file.
    Missing,
}

/// Logs in and asks for the file. `stream` is a connection to `address`, which `connect` made.
///
/// # Errors
/// If the server does not open the file, and does not say that there is none.
pub(crate) async fn open(
    stream: TcpStream,
    address: SocketAddr,
    connect: &Arc<dyn Connect>,
    request: &Request<'_>,
) -> Result<Opened, Fault> {
    if request.url.path() != PATH || request.url.query().is_some() {
        return Err(Fault::new(NetworkError::Refused, format_args!("over FTP only {PATH} is read")));
    }
    let password = request.headers.get(USER_AGENT).and_then(|name| name.to_str().ok()).unwrap_or("anonymous");
    let is_reached = Arc::new(AtomicBool::new(false));
    let (connect, reached) = (Arc::clone(connect), Arc::clone(&is_reached));
    let mut server = AsyncFtpStream::connect_with_stream(stream).await.map_err(|error| fault(&error))?;
    server = server.passive_stream_builder(move |named| {
        let (connect, reached) = (Arc::clone(&connect), Arc::clone(&reached));
        let address = SocketAddr::new(address.ip(), named.port());
        Box::pin(SyncFuture::new(async move {
            let stream = connect.connect_tcp(address).await.map_err(FtpError::ConnectionError)?;
            reached.store(true, Ordering::Relaxed);
            Ok(stream)
        }))
    });
    // The address that the older form of the reply names is not used, so it does not matter either.
    server.set_passive_nat_workaround(true);
    server.login("anonymous", password).await.map_err(|error| fault(&error))?;
    server.transfer_type(FileType::Binary).await.map_err(|error| fault(&error))?;
    let name = PATH.trim_start_matches('/');
    server.set_mode(Mode::ExtendedPassive);
    let mut opened = server.retr_as_stream(name).await;
    let is_refused = matches!(opened, Err(FtpError::UnexpectedResponse(_))) && !is_reached.load(Ordering::Relaxed);
    if is_refused {
        // A server that is older than the extended form.
        server.set_mode(Mode::Passive);
        opened = server.retr_as_stream(name).await;
    }
    match opened {
        Ok(file) => Ok(Opened::File(file)),
        // Only with a second connection was the file asked for.
        Err(FtpError::UnexpectedResponse(reply)) if is_missing(&reply) && is_reached.load(Ordering::Relaxed) => {
            Ok(Opened::Missing)
        }
        Err(error) => Err(fault(&error)),
    }
}

impl Opened {
    /// Reads the file, up to some bytes.
    pub(crate) async fn read(self, max: usize) -> ClientAnswer {
        let answer = |status, reply, body, end| ClientAnswer {
            status,
            protocol: Protocol::Ftp(reply),
            headers: HeaderMap::new(),
            body,
            end,
            timings: Timings::default(),
        };
        let Self::File(mut file) = self else {
            return answer(404, Status::FileUnavailable.code(), Vec::new(), BodyEnd::Whole);
        };
        let opened = Status::AboutToSend.code();
        let mut body = Vec::new();
        if (&mut file).take(max as u64).read_to_end(&mut body).await.is_err() {
            return answer(200, opened, body, BodyEnd::Incomplete);
        }
        if body.len() >= max {
            return answer(200, opened, body, BodyEnd::CutAtLimit);
        }
        match file.finish().await {
            Ok(()) => answer(200, Status::ClosingDataConnection.code(), body, BodyEnd::Whole),
            Err(_) => answer(200, opened, body, BodyEnd::Incomplete),
        }
    }
}

/// Reports whether a reply says that there is no such file, from its first line on.
fn is_missing(reply: &Response) -> bool {
    reply.status == Status::FileUnavailable && reply.body.starts_with(b"550")
}

/// Returns what an error means.
fn fault(error: &FtpError) -> Fault {
    match error {
        FtpError::ConnectionError(error) => {
            let kind = match error.kind() {
                io::ErrorKind::ConnectionRefused | io::ErrorKind::Unsupported => NetworkError::Connect,
                io::ErrorKind::TimedOut => NetworkError::Timeout,
                io::ErrorKind::InvalidData => NetworkError::Protocol,
                _ => NetworkError::Reset,
            };
            Fault::new(kind, format_args!("the FTP connection broke off: {error}"))
        }
        FtpError::UnexpectedResponse(reply) => {
            // A reply that begins with 4 is for now.
            let kind = if reply.body.starts_with(b"4") { NetworkError::Reset } else { NetworkError::Protocol };
            let text: String = String::from_utf8_lossy(&reply.body).trim_end().chars().take(MAX_SHOWN).collect();
            Fault::new(kind, format_args!("the FTP server refused: {text}"))
        }
        error => Fault::new(NetworkError::Protocol, format_args!("the server does not speak FTP: {error}")),
    }
}
