//! A network of tables: names resolve to public addresses, which lead to servers on loopback. An address that no table
//! names is not connected to, and remembered.
#![allow(dead_code, reason = "each file of tests uses a part of it")]

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use robotsc_compiler::Dialect;
use robotsc_fetch::{BoxFuture, Connect, FetchLimits, Fetched, Fetcher, FetcherBuilder, Resolve, Stream, UserAgent};
use robotsc_frontier::outcome::{Access, Capture};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

pub(crate) mod http2;
pub(crate) mod tls;

/// A public address, which nothing here ever connects to.
pub(crate) const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::new(93, 184, 216, 34));

/// Names and addresses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Net(Arc<Tables>);

#[derive(Debug, Default)]
struct Tables {
    names: Mutex<BTreeMap<String, Vec<IpAddr>>>,
    servers: Mutex<BTreeMap<SocketAddr, u16>>,
    strays: Mutex<Vec<SocketAddr>>,
}

impl Net {
    /// Lets a name resolve to addresses.
    pub(crate) fn name(&self, name: &str, addresses: &[IpAddr]) {
        self.0.names.lock().unwrap().insert(name.to_owned(), addresses.to_vec());
    }

    /// Lets an address lead to a server on loopback.
    pub(crate) fn route(&self, address: IpAddr, port: u16, server: SocketAddr) {
        assert!(server.ip().is_loopback());
        self.0.servers.lock().unwrap().insert(SocketAddr::new(address, port), server.port());
    }

    /// Returns the addresses that a fetch wanted to connect to although no server has them.
    pub(crate) fn strays(&self) -> Vec<SocketAddr> {
        self.0.strays.lock().unwrap().clone()
    }

    /// Returns a fetcher that knows this network only.
    pub(crate) fn fetcher(&self, limits: FetchLimits) -> Fetcher {
        self.build(Fetcher::builder(user_agent()).limits(limits))
    }

    /// Returns a fetcher with more settings.
    pub(crate) fn build(&self, builder: FetcherBuilder) -> Fetcher {
        builder.build_http(|client| client.with_resolver(self.clone()).with_connector(self.clone()))
    }
}

pub(crate) fn user_agent() -> UserAgent {
    UserAgent::new("TestBot/1.0 (+https://bot.example/)").unwrap()
}

/// FetchLimits that tests reach soon.
pub(crate) fn short_limits() -> FetchLimits {
    FetchLimits {
        connect: Duration::from_millis(400),
        first_byte: Duration::from_millis(400),
        total: Duration::from_millis(1_500),
        ..FetchLimits::default()
    }
}

impl Resolve for Net {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        let found = self.0.names.lock().unwrap().get(host).cloned();
        Box::pin(async move { found.ok_or_else(|| io::Error::other("no such name")) })
    }
}

impl Connect for Net {
    fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Stream>>> {
        Box::pin(async move { Ok(Box::new(self.connect_tcp(address).await?) as Box<dyn Stream>) })
    }

    fn connect_tcp(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<TcpStream>> {
        let port = self.0.servers.lock().unwrap().get(&address).copied();
        if port.is_none() {
            self.0.strays.lock().unwrap().push(address);
        }
        Box::pin(async move {
            let port = port.ok_or(io::ErrorKind::ConnectionRefused)?;
            TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await
        })
    }
}

/// What a server does after it read a request.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Sends bytes.
    Send(Vec<u8>),
    /// Sends bytes again and again, up to a gibibyte.
    SendForever(Vec<u8>),
    /// Waits.
    Wait(Duration),
    /// Ends the connection with a reset.
    Reset,
}

pub(crate) fn send(text: impl AsRef<[u8]>) -> Step {
    Step::Send(text.as_ref().to_vec())
}

/// A server of scripts on loopback.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    /// The heads of the requests.
    pub(crate) requests: Arc<Mutex<Vec<String>>>,
    /// Bytes that were sent.
    pub(crate) sent: Arc<AtomicUsize>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// Starts a server that answers each request as `script` says for the head of the request.
    pub(crate) async fn start(script: impl Fn(&str) -> Vec<Step> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (requests, sent) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicUsize::new(0)));
        let (script, heads, count) = (Arc::new(script), Arc::clone(&requests), Arc::clone(&sent));
        let task = tokio::spawn(async move {
            loop {
                let Ok((mut stream, _)) = listener.accept().await else { continue };
                let (script, heads, count) = (Arc::clone(&script), Arc::clone(&heads), Arc::clone(&count));
                tokio::spawn(async move {
                    let Some(head) = read_head(&mut stream).await else { return };
                    let steps = script(&head);
                    heads.lock().unwrap().push(head);
                    if play(&mut stream, steps, &count).await {
                        let _ = socket_reset(&stream);
                    } else {
                        let _ = stream.shutdown().await;
                    }
                });
            }
        });
        Self { address, requests, sent, task }
    }

    /// Starts a server that always does the same.
    pub(crate) async fn always(steps: Vec<Step>) -> Self {
        Self::start(move |_| steps.clone()).await
    }
}

fn socket_reset(stream: &TcpStream) -> io::Result<()> {
    stream.set_zero_linger()
}

/// Reads the head of a request; `None` if it never ends.
pub(crate) async fn read_head(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    Some(String::from_utf8_lossy(&head).into_owned())
}

/// Plays a script. Returns `true` if it ends with a reset.
pub(crate) async fn play(stream: &mut (impl AsyncWrite + Unpin), steps: Vec<Step>, sent: &AtomicUsize) -> bool {
    for step in steps {
        match step {
            Step::Send(bytes) => {
                if stream.write_all(&bytes).await.is_err() || stream.flush().await.is_err() {
                    return false;
                }
                sent.fetch_add(bytes.len(), Ordering::Relaxed);
            }
            Step::SendForever(bytes) => {
                let mut total = 0;
                while total < 1 << 30 && stream.write_all(&bytes).await.is_ok() {
                    total += bytes.len();
                    sent.fetch_add(bytes.len(), Ordering::Relaxed);
                }
                return false;
            }
            Step::Wait(time) => tokio::time::sleep(time).await,
            Step::Reset => return true,
        }
    }
    false
}

/// Returns what counts for the origin in each dialect, a letter each in the order of [`Dialect::ALL`]: rules, allowed,
/// disallowed, unknown.
pub(crate) fn policies(fetched: &Fetched) -> String {
    Dialect::ALL
        .iter()
        .map(|dialect| {
            let capture = Capture::after(None, &fetched.response(), fetched.at, dialect);
            match capture.record().effective(dialect, fetched.at).access {
                Access::Rules => 'R',
                Access::AllowAll => 'A',
                Access::DisallowAll => 'D',
                Access::Unknown => 'U',
            }
        })
        .collect()
}

/// Returns a whole response.
pub(crate) fn response(status: &str, fields: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let head = format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}
