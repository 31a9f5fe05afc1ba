//! A language server for robots.txt: what is wrong while one types, fixes, what a rule means and for whom, completion
//! of crawlers and paths, formatting, renaming, an outline, folds and colours.
//!
//! The command `robotsc lsp` runs it over standard input and output. Another program can run it over any channel:
//!
//! ```
//! use std::path::Path;
//!
//! use lsp_server::{Connection, Message, Notification, Request};
//! use robotsc_lsp::{Checks, Exit, Host, serve};
//!
//! struct NoProjects;
//!
//! impl Host for NoProjects {
//!     fn default_checks(&self) -> Checks {
//!         Checks::default()
//!     }
//!     fn project_checks(&self, _: &Path) -> Result<Option<Checks>, String> {
//!         Ok(None)
//!     }
//!     fn sitemap_urls(&self, file: &Path) -> Result<Vec<Vec<u8>>, String> {
//!         Err(format!("no sitemap: {}: this program reads none", file.display()))
//!     }
//! }
//!
//! let (editor, server) = Connection::memory();
//! for (id, method) in [(1, "initialize"), (2, "shutdown")] {
//!     editor.sender.send(Request::new(id.into(), method.to_owned(), serde_json::json!({})).into())?;
//! }
//! editor.sender.send(Notification::new("exit".to_owned(), ()).into())?;
//! assert_eq!(serve(server, NoProjects), Exit::Clean);
//! assert!(matches!(editor.receiver.recv()?, Message::Response(_)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod actions;
mod client;
mod completion;
mod diagnostics;
mod document;
mod edits;
mod excerpt;
mod file_uri;
mod folding;
mod formatting;
mod host;
mod hover;
mod items;
mod lazy_profile;
mod positions;
mod profile;
mod rename;
mod requests;
mod server;
mod settings;
mod site_paths;
mod surrogates;
mod symbols;
mod tokens;
mod transport;
mod worker;

use std::io;

pub use host::{Checks, Host, Rewrite};
pub use server::{Exit, serve};

/// Talks to an editor over standard input and output, until it ends the session or goes away.
///
/// A message that cannot be read is answered with an error, and the session goes on.
///
/// # Errors
/// If a message header cannot be read, since the next message is not found then, or if output cannot be written.
pub fn serve_stdio(host: impl Host) -> io::Result<Exit> {
    let (connection, threads) = transport::connect(io::BufReader::new(io::stdin()), io::stdout());
    let exit = serve(connection, host);
    threads.join()?;
    Ok(exit)
}
