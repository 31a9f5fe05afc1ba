//! A server in this process.

use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use lsp_server::{Connection, Message};
use robotsc::analysis::lint::{KnownName, Lint};
use robotsc::bundled;
use robotsc_lsp::{Checks, Exit, Host, serve};

use crate::support::Channel;

/// As the command, without projects: a sitemap is a file with one URL on each line.
struct Tests;

impl Host for Tests {
    fn default_checks(&self) -> Checks {
        let known = bundled::agents().iter().map(|agent| KnownName {
            is_retired: agent.retired,
            successors: agent.successors.iter().map(|token| (*token).to_owned()).collect(),
            ..KnownName::new(agent.token)
        });
        Checks { lint: Lint::new().known_names(known), ..Checks::default() }
    }

    fn project_checks(&self, _: &Path) -> Result<Option<Checks>, String> {
        Ok(None)
    }

    fn sitemap_urls(&self, file: &Path) -> Result<Vec<Vec<u8>>, String> {
        let text = std::fs::read_to_string(file).map_err(|_| "no sitemap: tests: missing: give one".to_owned())?;
        Ok(text.lines().map(|line| line.as_bytes().to_vec()).collect())
    }
}

/// A connection in memory, and the thread of the server.
pub(crate) struct Memory {
    pub(crate) connection: Connection,
    pub(crate) server: JoinHandle<Exit>,
}

impl Channel for Memory {
    fn send(&mut self, message: Message) {
        self.connection.sender.send(message).expect("a server");
    }

    fn receive(&mut self) -> Message {
        self.connection.receiver.recv_timeout(Duration::from_secs(60)).expect("a message")
    }
}

/// Starts a server.
pub(crate) fn connect() -> Memory {
    connect_to(Tests)
}

/// Starts a server of a program.
pub(crate) fn connect_to(host: impl Host) -> Memory {
    let (connection, server) = Connection::memory();
    Memory { connection, server: thread::spawn(move || serve(server, host)) }
}
