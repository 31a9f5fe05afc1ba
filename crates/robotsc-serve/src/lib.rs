//! The workbench of robotsc over HTTP: a page for people, and an API for programs.
//!
//! ```no_run
//! use robotsc_serve::{Config, Server};
//!
//! # async fn run() -> std::io::Result<()> {
//! let server = Server::bind(Config::new("127.0.0.1:7070".parse().unwrap())).await?;
//! println!("http://{}/", server.address());
//! server.run(std::future::pending()).await;
//! # Ok(())
//! # }
//! ```
//!
//! # How a request is processed
//! 1. `server` accepts the connection and limits the time of its head and of each write.
//! 2. `guard` refuses it unless it comes from the page itself or from a program: other hosts, other origins, a wrong
//!    token and forms of other sites get no answer.
//! 3. `routes` names the function of `api` that answers. It reads the request with the limits of `request`.
//! 4. `files` parses the robots.txt, or finds it parsed: a page that sends the file with each key that is typed waits
//!    for nothing else. What ranges over all paths runs in `work`, a few at a time.
//! 5. An error is a `problem`.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod answers;
mod api;
mod app;
mod assets;
mod config;
mod files;
mod guard;
mod held;
mod hosts;
mod measure;
mod metrics;
mod page;
mod problem;
mod refused;
mod request;
mod room;
mod routes;
mod server;
mod work;

pub use config::{ApiAccess, Config, Limits};
pub use server::Server;
