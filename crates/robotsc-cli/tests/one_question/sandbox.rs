//! A folder with the files of the table, packs of them, and servers that answer from these.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use robotsc::Dialect;

use crate::server::Server;
use crate::table::{File, Table};
use crate::{Answers, packs};

/// The time of all captures, and of all questions.
pub(crate) const NOW: &str = "2026-11-21T12:00:00Z";

#[derive(Debug)]
pub(crate) struct Sandbox {
    folder: tempfile::TempDir,
    /// The servers, by the name of their dialect.
    servers: BTreeMap<&'static str, Server>,
    /// The answers of `filter`, by kind of pack, dialect, agent and URL.
    pub(crate) filtered: packs::Filtered,
}

impl Sandbox {
    pub(crate) fn new(table: &Table) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut sandbox = Self { folder, servers: BTreeMap::new(), filtered: packs::Filtered::default() };
        for file in &table.files {
            sandbox.write(&format!("{}.txt", file.name()), &file.body);
            sandbox.write(&format!("{}.urls", file.name()), file.urls.join("\n").as_bytes());
        }
        sandbox.write("empty.txt", b"");
        for dialect in Dialect::ALL {
            let files: Vec<&File> = table.files.iter().filter(|file| file.dialect.name == dialect.name).collect();
            if !files.is_empty() {
                packs::build(&sandbox, dialect, &files);
                let filtered = packs::filter(&sandbox, dialect, &files);
                sandbox.filtered.add(dialect, filtered);
                let pack = sandbox.path(&format!("{}-all.pack", dialect.name));
                sandbox.servers.insert(dialect.name, Server::start(&pack));
            }
        }
        sandbox
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("a file");
    }

    pub(crate) fn server(&self, file: &File) -> &Server {
        &self.servers[file.dialect.name]
    }

    pub(crate) fn folder(&self, name: &str) {
        fs::create_dir_all(self.path(name)).expect("a folder");
    }

    /// Runs the command; `None` if it refuses.
    pub(crate) fn try_run<A: AsRef<str>>(&self, args: &[A]) -> Option<String> {
        let output = run(self.folder.path(), args);
        matches!(output.status.code(), Some(0 | 1)).then(|| String::from_utf8(output.stdout).expect("UTF-8"))
    }

    /// Runs the command. It has to answer: its exit code is 0 or 1.
    pub(crate) fn run<A: AsRef<str>>(&self, args: &[A]) -> String {
        let output = run(self.folder.path(), args);
        let said = String::from_utf8_lossy(&output.stderr);
        let args: Vec<&str> = args.iter().map(AsRef::as_ref).collect();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {said}", args.join(" "));
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

/// Runs the command in a folder.
pub(crate) fn run<A: AsRef<str>>(folder: &Path, args: &[A]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
    command.args(args.iter().map(AsRef::as_ref)).current_dir(folder).stdin(Stdio::null());
    command.output().expect("the command starts")
}

impl File {
    /// Returns the name of the file in the sandbox.
    pub(crate) fn name(&self) -> &str {
        self.origin.trim_start_matches("https://").trim_end_matches(".example")
    }

    /// Returns the options that name all agents.
    pub(crate) fn agent_options(&self) -> Vec<String> {
        self.agents.iter().flat_map(|agent| ["--agent".to_owned(), (*agent).to_owned()]).collect()
    }

    /// Returns answers as a table, from those for pairs of an agent and a URL.
    pub(crate) fn answers(&self, mut of: impl FnMut(&str, &str) -> Option<bool>) -> Answers {
        self.agents.iter().map(|agent| self.urls.iter().map(|url| of(agent, url)).collect()).collect()
    }
}
