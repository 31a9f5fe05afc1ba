//! A folder in which a command runs as a process.

#![allow(dead_code, reason = "not every test uses all of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder, and the command that runs in it.
pub(crate) struct Sandbox {
    folder: tempfile::TempDir,
    command: &'static str,
}

/// What a run printed, and its exit code.
pub(crate) struct Ran {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: Option<i32>,
}

impl Sandbox {
    pub(crate) fn of(command: &'static str) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), command }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes files into a folder.
    pub(crate) fn folder(&self, name: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder = self.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        for (file, body) in files {
            fs::write(folder.join(file), body).unwrap();
        }
        folder
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
        let output = command.arg(self.command).args(args).current_dir(self.path()).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { out: text(output.stdout), err: text(output.stderr), code: output.status.code() }
    }

    /// Returns what a run without a message printed.
    #[track_caller]
    pub(crate) fn clean(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!((ran.err.as_str(), ran.code), ("", Some(0)));
        ran.out
    }
}
