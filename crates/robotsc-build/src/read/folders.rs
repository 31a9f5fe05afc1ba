//! The folders of rule sets: which files are in them, and their bytes.
//!
//! No file is left out without a word: a folder inside the folder, a name in another case and a second file of a name
//! are errors.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::registry::{FILE_NAME, Registry};
use super::written::RobotsFiles;
use crate::diagnostic::{Code, Diagnostic, SourceFile, quoted, shown};
use crate::limits::BuildLimits;

/// The number of folders inside one another that are searched for files that would not be read.
const MAX_DEPTH: usize = 8;

/// The folders that rule sets are read from, in order; none for a text without a folder.
pub(crate) struct Folders<'l> {
    folders: Vec<PathBuf>,
    /// The folders without symbolic links, where they are known.
    canonical: Vec<PathBuf>,
    limits: &'l BuildLimits,
    /// The folder that each file was taken from, by its name in lower case.
    taken: BTreeMap<String, (usize, String)>,
    robots: BTreeMap<(usize, String), Result<Arc<SourceFile>, String>>,
    /// All files that were read.
    pub(crate) inputs: BTreeSet<PathBuf>,
}

impl<'l> Folders<'l> {
    pub(crate) fn new(folders: impl IntoIterator<Item = PathBuf>, limits: &'l BuildLimits) -> Self {
        let folders: Vec<PathBuf> = folders.into_iter().collect();
        let canonical = folders.iter().filter_map(|folder| fs::canonicalize(folder).ok()).collect();
        Self { folders, canonical, limits, taken: BTreeMap::new(), robots: BTreeMap::new(), inputs: BTreeSet::new() }
    }

    /// Returns the path of a file of a folder, as errors show it: a path that can be followed from here, if the folder
    /// is one.
    pub(crate) fn shown_path(&self, folder: usize, name: &str) -> String {
        let path = self.folders.get(folder).map_or(PathBuf::from(name), |folder| folder.join(name));
        let path = path.strip_prefix(".").unwrap_or(&path);
        shown(&path.display().to_string())
    }

    /// Finds folders that are named twice.
    pub(crate) fn check(&self, found: &mut Vec<Diagnostic>) {
        let mut seen = BTreeSet::new();
        for folder in &self.folders {
            let canonical = fs::canonicalize(folder).unwrap_or_else(|_| folder.clone());
            if !seen.insert(canonical) {
                let error = Diagnostic::error(Code::DuplicateName, "the folder of rule sets is named twice");
                found.push(error.in_file(folder.display().to_string()).help("name each folder once"));
            }
        }
    }

    /// Returns the names of a folder's files of rule sets, sorted. A file or folder that would not be read is an error.
    pub(crate) fn rule_files(&self, folder: usize, found: &mut Vec<Diagnostic>) -> Vec<String> {
        let Some(path) = self.folders.get(folder) else { return Vec::new() };
        if path.is_file() {
            let error = Diagnostic::error(Code::Unreadable, "rule sets are read from a folder, and this is a file");
            let parent = path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
            let help = format!("name the folder of the file: {}", quoted(&parent.display().to_string()));
            found.push(error.in_file(path.display().to_string()).help(help));
            return Vec::new();
        }
        let unreadable = |error: &std::io::Error| {
            let error = Diagnostic::error(Code::Unreadable, format!("the folder cannot be read: {error}"));
            error.in_file(path.display().to_string())
        };
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) => {
                found.push(unreadable(&error));
                return Vec::new();
            }
        };
        let mut names = BTreeSet::new();
        for entry in entries {
            match entry.map(|entry| self.rule_file(folder, path, &entry.file_name())) {
                Ok(Ok(name)) => names.extend(name),
                Ok(Err(error)) => found.push(*error),
                Err(error) => found.push(unreadable(&error)),
            }
        }
        if names.len() > self.limits.max_files {
            let message = format!("{} files of rule sets, and the limit is {}", names.len(), self.limits.max_files);
            let error = Diagnostic::error(Code::OverLimit, message).in_file(path.display().to_string());
            found.push(error.help("raise `max_files`"));
            return Vec::new();
        }
        names.into_iter().collect()
    }

    /// Returns the name of an entry of a folder if it is a file of rule sets.
    fn rule_file(&self, folder: usize, path: &Path, name: &std::ffi::OsStr) -> Result<Option<String>, Box<Diagnostic>> {
        let refused = |message: &str, help: &str| {
            let error = Diagnostic::error(Code::Unreadable, message);
            Err(Box::new(error.in_file(self.shown_path(folder, &name.to_string_lossy())).help(help)))
        };
        if name.as_encoded_bytes().starts_with(b".") {
            return Ok(None);
        }
        // A symbolic link counts as what it leads to.
        if path.join(name).is_dir() {
            return match self.holds_unread(&path.join(name), 0) {
                true => refused(
                    "the folder holds rule sets that would not be read: a folder is read without those in it",
                    "move its `*.ron` files up beside the others, or name the folder too",
                ),
                false => Ok(None),
            };
        }
        if !is_rule_file(Path::new(name)) {
            return Ok(None);
        }
        match name.to_str() {
            None => refused("the name of the file is not UTF-8", "rename it"),
            Some(name) if !name.ends_with(".ron") => {
                refused("the file would not be read: its ending is not `.ron`", "write the ending in lower case")
            }
            Some(FILE_NAME) => Ok(None),
            Some(name) if name.eq_ignore_ascii_case(FILE_NAME) => {
                refused("the register of crawlers would not be read", "write its name in lower case: `agents.ron`")
            }
            Some(name) => Ok(Some(name.to_owned())),
        }
    }

    /// Reports whether a folder, which is not read, holds a file of rule sets, at most eight folders down.
    fn holds_unread(&self, folder: &Path, depth: usize) -> bool {
        if fs::canonicalize(folder).is_ok_and(|folder| self.canonical.contains(&folder)) {
            return false;
        }
        let Ok(entries) = fs::read_dir(folder) else { return false };
        entries.flatten().any(|entry| {
            let path = entry.path();
            match path.is_dir() {
                _ if entry.file_name().as_encoded_bytes().starts_with(b".") => false,
                true => depth < MAX_DEPTH && self.holds_unread(&path, depth + 1),
                false => is_rule_file(&path),
            }
        })
    }

    /// Reads the register of crawlers of a folder; `None` if there is none, or it was read before.
    pub(crate) fn register(&mut self, folder: usize) -> Option<Result<Registry, Box<Diagnostic>>> {
        let path = self.folders.get(folder)?.join(FILE_NAME);
        if !path.is_file() || !self.inputs.insert(path.clone()) {
            return None;
        }
        Some(Registry::read(&path).map_err(|error| {
            let error = Diagnostic::error(Code::Syntax, error.to_string());
            Box::new(error.in_file(self.shown_path(folder, FILE_NAME)))
        }))
    }

    /// Reads a file of rule sets.
    pub(crate) fn read(&mut self, folder: usize, name: &str) -> Result<Vec<u8>, Box<Diagnostic>> {
        self.take(folder, name).map_err(|message| {
            let error = Diagnostic::error(Code::DuplicateName, message).in_file(self.shown_path(folder, name));
            Box::new(error.help("rename one of them"))
        })?;
        let path = self.folders.get(folder).map_or(PathBuf::from(name), |folder| folder.join(name));
        self.inputs.insert(path.clone());
        read(&path, self.limits).map_err(|Unread { code, reason }| {
            let error = Diagnostic::error(code, format!("the file cannot be read: {reason}"));
            Box::new(error.in_file(self.shown_path(folder, name)))
        })
    }

    /// Notes that a file is used. Places name a file by its name, and not every system tells names apart by case: so a
    /// second file of such a name is an error.
    fn take(&mut self, folder: usize, name: &str) -> Result<(), String> {
        let (first, first_name) =
            self.taken.entry(name.to_lowercase()).or_insert_with(|| (folder, name.to_owned())).clone();
        if (first, first_name.as_str()) == (folder, name) {
            return Ok(());
        }
        let other = quoted(&self.shown_path(first, &first_name));
        Err(match first_name == name {
            true => format!("two folders hold a file of this name: the other is {other}"),
            false => format!("two files have names that differ in case only: the other is {other}"),
        })
    }

    fn read_robots(&mut self, folder: usize, name: &str) -> Result<Arc<SourceFile>, String> {
        let Some(path) = self.folders.get(folder) else {
            return Err("there are no files beside this text".to_owned());
        };
        let is_inside = !name.is_empty()
            && !name.contains(['\\', '\0'])
            && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !is_inside {
            return Err("it is outside the folder".to_owned());
        }
        if self.robots.len() >= self.limits.max_files {
            return Err(format!("more files than the limit of {}; raise `max_files`", self.limits.max_files));
        }
        let path = path.join(name);
        self.take(folder, name)?;
        self.inputs.insert(path.clone());
        let bytes = read(&path, self.limits).map_err(|unread| unread.reason)?;
        Ok(SourceFile::new(name, self.shown_path(folder, name), bytes))
    }
}

impl RobotsFiles for Folders<'_> {
    fn robots(&mut self, folder: usize, path: &str) -> Result<Arc<SourceFile>, String> {
        let key = (folder, path.to_owned());
        if let Some(read) = self.robots.get(&key) {
            return read.clone();
        }
        let result = self.read_robots(folder, path);
        self.robots.insert(key, result.clone());
        result
    }
}

/// Reports whether a name ends as those of rule sets do, in any case.
fn is_rule_file(name: &Path) -> bool {
    name.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ron"))
}

/// Why a file was not read.
struct Unread {
    code: Code,
    reason: String,
}

/// The bytes of a file, which must be a plain one and within the limit.
fn read(path: &Path, limits: &BuildLimits) -> Result<Vec<u8>, Unread> {
    let unreadable = |error: std::io::Error| {
        let reason = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
            _ => error.to_string(),
        };
        Unread { code: Code::Unreadable, reason }
    };
    // Before it is opened: opening a pipe would wait.
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(Unread { code: Code::Unreadable, reason: "it is not a file".to_owned() });
    }
    let most = u64::try_from(limits.max_file_bytes).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(unreadable)?;
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() > limits.max_file_bytes {
        let reason = format!("it has more bytes than the limit of {most}; raise `max_file_bytes`");
        return Err(Unread { code: Code::OverLimit, reason });
    }
    Ok(bytes)
}
