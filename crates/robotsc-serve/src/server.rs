//! The connections: accepted up to a number, with limits on the time of a head and of a write, and ended in good order.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulConnection, GracefulShutdown};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt as _;

use crate::app::App;
use crate::config::Config;
use crate::guard::Peer;
use crate::routes;

/// The maximum size of the head of a request.
const MAX_HEAD_BYTES: usize = 64 << 10;

/// A server that has its address and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
    app: App,
    stopping: watch::Sender<bool>,
}

impl Server {
    /// Takes the address.
    ///
    /// # Errors
    /// If it cannot be listened on.
    pub async fn bind(config: Config) -> io::Result<Self> {
        let listener = TcpListener::bind(config.listen).await?;
        let address = listener.local_addr()?;
        let (stopping, stops) = watch::channel(false);
        let app = App::new(config, address.port(), stops);
        Ok(Self { listener, address, router: routes::router(&app), app, stopping })
    }

    /// Returns the address, with the port that was chosen.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop` is ready. Then no new connection is accepted, requests that are being answered have a time
    /// to end, and streams end with a line that says so.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Self { listener, router, app, stopping, .. } = self;
        let limits = &app.config.limits;
        let connections = Arc::new(Semaphore::new(limits.connections.clamp(1, Semaphore::MAX_PERMITS)));
        let graceful = GracefulShutdown::new();
        let mut stop = pin!(stop);
        loop {
            let accept = async {
                // Never closed. Who comes when all are taken waits in the queue of the system.
                let permit = connections.clone().acquire_owned().await;
                (permit, listener.accept().await)
            };
            let (permit, accepted) = tokio::select! {
                biased;
                () = &mut stop => break,
                accepted = accept => accepted,
            };
            let Ok((stream, peer)) = accepted else {
                // A connection that broke at once, or no file descriptor left.
                sleep(Duration::from_millis(10)).await;
                continue;
            };
            let serving = graceful.watch(connection(stream, peer, &app, router.clone()));
            let app = app.clone();
            tokio::spawn(async move {
                app.metrics.connections.inc();
                // A connection that breaks is the matter of its client.
                let _ = serving.await;
                app.metrics.connections.dec();
                drop(permit);
            });
        }
        drop(listener);
        stopping.send_replace(true);
        let _ = timeout(limits.stop_time, graceful.shutdown()).await;
    }
}

/// Returns the future that serves a connection.
fn connection(stream: TcpStream, peer: SocketAddr, app: &App, router: Router) -> impl GracefulConnection + use<> {
    // Answers are small, and wait for no others.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(app.config.limits.write_time));
    let service = router.map_request(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer));
        request.map(Body::new)
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(app.config.limits.head_time)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(service))
}
