//! What a server is started with.

use std::net::SocketAddr;
use std::time::Duration;

use robotsc::pack::Pack;
use robotsc_answers::api::limits;

/// What a server is started with.
#[derive(Debug)]
#[non_exhaustive]
pub struct Config {
    /// The address to listen on; port 0 chooses one.
    pub listen: SocketAddr,
    /// Who may ask.
    pub access: ApiAccess,
    /// The names that the server is reached by, besides its address, such as `robots.example`.
    pub hosts: Vec<String>,
    /// A pack to answer from.
    pub pack: Option<Pack>,
    /// Fetches robots.txt files. Without it there is no `POST /v1/fetch`.
    #[cfg(feature = "fetch")]
    pub fetcher: Option<robotsc::fetch::Fetcher>,
    /// Whether callers from other machines may have sites fetched, too.
    pub allow_fetch: bool,
    /// What one caller can make the server do.
    pub limits: Limits,
}

impl Config {
    /// Returns the configuration of a server for this machine, without a pack and without fetching.
    #[must_use]
    pub fn new(listen: SocketAddr) -> Self {
        Self {
            listen,
            access: ApiAccess::Anyone,
            hosts: Vec::new(),
            pack: None,
            #[cfg(feature = "fetch")]
            fetcher: None,
            allow_fetch: false,
            limits: Limits::default(),
        }
    }
}

/// Who may ask.
#[derive(Clone, PartialEq, Eq)]
pub enum ApiAccess {
    /// Whoever reaches the address.
    Anyone,
    /// Whoever sends this token, as `Authorization: Bearer TOKEN`.
    Token(String),
}

impl std::fmt::Debug for ApiAccess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Anyone => "Anyone",
            Self::Token(_) => "Token(..)",
        })
    }
}

/// What one caller can make the server do. All are bounds of time or memory.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum size of a request that is not streamed, decompressed; also of the first line of a stream.
    pub body_bytes: usize,
    /// The maximum size of all such requests that are in memory at a time; as much again for answers that are not read
    /// yet, and twice as much for streams.
    pub memory_bytes: usize,
    /// The maximum length of a URL.
    pub url_bytes: usize,
    /// The maximum number of URLs of a request that is not streamed.
    pub urls: usize,
    /// The maximum number of agents of a request.
    pub agents: usize,
    /// The maximum number of answers, URLs times agents, of a request that is not streamed.
    pub answers: usize,
    /// The maximum size of a response that is not streamed.
    pub answer_bytes: usize,
    /// The maximum size of all parsed files that are kept for the next request.
    pub cache_bytes: u64,
    /// The maximum number of connections.
    pub connections: usize,
    /// The maximum number of analyses at a time, such as lint and diff.
    pub analyses: usize,
    /// The maximum number of fetches at a time.
    pub fetches: usize,
    /// The maximum number of edges of an automaton that is drawn.
    pub drawn_edges: usize,
    /// The time for the head of a request.
    pub head_time: Duration,
    /// The time for the body of a request; of a stream, for its next whole line.
    pub body_time: Duration,
    /// The time for the answers of a request that is not streamed.
    pub answer_time: Duration,
    /// The time that a client can leave a part of a response unread.
    pub write_time: Duration,
    /// The time that a client has to read a large response that is not streamed.
    pub read_time: Duration,
    /// The time that a request waits for room and for its turn, together.
    pub wait_time: Duration,
    /// The time that requests have to end when the server stops.
    pub stop_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 2 << 20,
            memory_bytes: 128 << 20,
            url_bytes: 64 << 10,
            urls: 10_000,
            agents: 300,
            answers: 100_000,
            answer_bytes: 32 << 20,
            cache_bytes: 128 << 20,
            connections: 4096,
            analyses: std::thread::available_parallelism().map_or(2, usize::from),
            fetches: 8,
            drawn_edges: 200,
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            answer_time: Duration::from_secs(20),
            write_time: Duration::from_secs(30),
            read_time: Duration::from_secs(300),
            wait_time: Duration::from_secs(10),
            stop_time: Duration::from_secs(10),
        }
    }
}

impl Limits {
    /// Returns those of what one request asks for.
    pub(crate) const fn of_request(&self) -> limits::Limits {
        limits::Limits {
            body_bytes: self.body_bytes,
            url_bytes: self.url_bytes,
            urls: self.urls,
            agents: self.agents,
            answers: self.answers,
            answer_bytes: self.answer_bytes,
            drawn_edges: self.drawn_edges,
            answer_time: Some(self.answer_time),
        }
    }
}
