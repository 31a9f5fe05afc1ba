//! What a build writes: every file by one writer, and no file that an earlier build left.
//!
//! A build script can compile several configurations. Two that write one file would leave the rules of one out, so the
//! second is an error. A list in `OUT_DIR` names the files of the last build; those that this build did not write are
//! removed, since a program that still includes one would answer by old rules.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::{Error, ErrorKind};
use crate::generate::{GeneratedFile, HEADER};

/// The name of the list of written files, in `OUT_DIR`.
const LIST: &str = "robotsc-build.outputs";

/// What this process wrote.
static WRITTEN: Mutex<Outputs> = Mutex::new(Outputs { files: BTreeMap::new(), lists: BTreeMap::new() });

#[derive(Debug)]
struct Outputs {
    /// The path and the writer of each file, by its path with the name in lower case: not every system tells names
    /// apart by case.
    files: BTreeMap<PathBuf, (PathBuf, String)>,
    /// For each list, the files of the last build that were not removed yet.
    lists: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
}

/// Writes files into a directory, each only if it differs from what is there. `writer` says what they are made from;
/// the same writer can write them again. `out_dir` is the one of cargo, if there is one.
pub(crate) fn write(
    directory: &Path,
    files: &[GeneratedFile],
    writer: &str,
    out_dir: Option<&Path>,
) -> Result<(), Error> {
    let failed = |what: &str, path: &Path, error: &std::io::Error| {
        Error::new(ErrorKind::Output, format!("cannot {what} {}: {error}", path.display()))
    };
    let directory = fs::canonicalize(directory).map_err(|error| failed("write into", directory, &error))?;
    let mut outputs = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    for file in files {
        outputs.claim(&directory.join(&file.name), writer)?;
    }
    for file in files {
        let path = directory.join(&file.name);
        if fs::read(&path).is_ok_and(|there| there == file.contents) {
            continue;
        }
        fs::write(&path, &file.contents).map_err(|error| failed("write", &path, &error))?;
    }
    match out_dir {
        Some(out_dir) => {
            let list = out_dir.join(LIST);
            outputs.remove_stale(&list).map_err(|(path, error)| failed("remove the stale", &path, &error))?;
            outputs.write_list(&list).map_err(|error| failed("write", &list, &error))
        }
        None => Ok(()),
    }
}

impl Outputs {
    /// Notes that a writer writes a file.
    fn claim(&mut self, path: &Path, writer: &str) -> Result<(), Error> {
        let (_, first) =
            self.files.entry(in_lower_case(path)).or_insert_with(|| (path.to_owned(), writer.to_owned())).clone();
        if first == writer {
            return Ok(());
        }
        let message = format!(
            "{} is written twice in this build, from {first} and from {writer}: give each configuration a `file_name`, \
             or name all folders in one with `rule_dir`",
            path.display()
        );
        Err(Error::new(ErrorKind::Output, message))
    }

    /// Removes what the last build wrote and this one did not.
    fn remove_stale(&mut self, list: &Path) -> Result<(), (PathBuf, std::io::Error)> {
        let last = self.lists.entry(list.to_owned()).or_insert_with(|| {
            let text = fs::read_to_string(list).unwrap_or_default();
            text.lines().map(PathBuf::from).collect()
        });
        for path in std::mem::take(last) {
            if self.files.contains_key(&in_lower_case(&path)) || !is_generated(&path) {
                continue;
            }
            fs::remove_file(&path).map_err(|error| (path, error))?;
        }
        Ok(())
    }

    fn write_list(&self, list: &Path) -> std::io::Result<()> {
        let mut text = String::new();
        for path in self.files.values().filter_map(|(path, _)| path.to_str()).filter(|path| !path.contains('\n')) {
            text.push_str(path);
            text.push('\n');
        }
        if fs::read_to_string(list).is_ok_and(|there| there == text) { Ok(()) } else { fs::write(list, text) }
    }
}

fn in_lower_case(path: &Path) -> PathBuf {
    match path.file_name().and_then(|name| name.to_str()) {
        Some(name) => path.with_file_name(name.to_lowercase()),
        None => path.to_owned(),
    }
}

/// Reports whether a file is one that this crate writes: Rust text under its header, or bytes.
fn is_generated(path: &Path) -> bool {
    let has_header = || fs::read(path).is_ok_and(|bytes| bytes.starts_with(HEADER.as_bytes()));
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("bin") => path.is_file(),
        Some("rs") => has_header(),
        _ => false,
    }
}
