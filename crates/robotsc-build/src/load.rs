//! From a folder, a file or a text to declared sets.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use ron::extensions::Extensions;

use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity, Source, Spot, listed, meant, quoted, shown};
use crate::limits::Limits;
use crate::lower::compose::Composer;
use crate::model::DeclaredSet;
use crate::read::locate::Node;
use crate::read::registry::{FILE_NAME, Registry};
use crate::read::schema;
use crate::read::written::{Folder, ParsedFile};

/// Declared sets, and what they were read from.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The sets, in the order of the files' names, then as they stand.
    pub sets: Vec<DeclaredSet>,
    /// Every file that was read, sorted: a change of any of them can change the sets. (So can a new file in the
    /// folder.)
    pub inputs: Vec<PathBuf>,
    /// What is no error, and worth a look: lines of robots.txt files that are not understood.
    pub warnings: Diagnostics,
}

/// Reads all rule sets of a folder: every `*.ron` file in it, sorted by name. `agents.ron` is the register of known
/// crawlers, whose tokens expectations may name; files whose name starts with a dot are left alone.
///
/// # Errors
/// All that is wrong, not only the first.
///
/// # Panics
/// Never, for any files.
pub fn load_dir(dir: &Path, limits: &Limits) -> Result<Loaded, Diagnostics> {
    let mut loading = Loading::new(Some(dir), limits);
    let names = loading.names();
    for name in &names {
        loading.file(name, true);
    }
    if names.is_empty() && loading.found.is_empty() && loading.known_agents.is_empty() {
        let message = "no rule sets: the folder holds no `*.ron` file";
        loading.found.push(Diagnostic::error(Code::Unreadable, message).in_file(dir.display().to_string()));
    }
    loading.finish()
}

/// Reads the rule sets of one file. Sets that they extend may stand in other files of its folder, which are read if
/// there are any that this file does not have.
///
/// # Errors
/// All that is wrong, not only the first.
///
/// # Panics
/// Never, for any files.
pub fn load_file(path: &Path, limits: &Limits) -> Result<Loaded, Diagnostics> {
    let dir = match path.parent() {
        Some(dir) if dir != Path::new("") => dir,
        _ => Path::new("."),
    };
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        let error = Diagnostic::error(Code::Unreadable, "not the name of a file");
        return Err(Diagnostics::new(vec![error.in_file(path.display().to_string())]));
    };
    let mut loading = Loading::new(Some(dir), limits);
    loading.register();
    loading.file(name, true);
    if loading.extends_others() {
        for other in loading.names() {
            if other != name {
                loading.file(&other, false);
            }
        }
    }
    loading.finish()
}

/// Reads the rule sets of a text; `name` is what errors call it. There are no files beside it.
///
/// # Errors
/// All that is wrong, not only the first.
///
/// # Panics
/// Never, for any text.
///
/// ```
/// use robotsc_build::{limits::Limits, load};
///
/// let text = r#"(version: 1, rule_sets: [(name: "a", rules: [Deny(path: "/x", nmae: "x")])])"#;
/// let errors = load::load_str("a.ron", text, &Limits::default()).unwrap_err();
/// assert_eq!(errors.iter().next().unwrap().position(), Some((1, 63)));
/// println!("{errors}");
/// ```
pub fn load_str(name: &str, text: &str, limits: &Limits) -> Result<Loaded, Diagnostics> {
    let mut loading = Loading::new(None, limits);
    loading.text(name, text.as_bytes().to_vec(), true);
    loading.finish()
}

/// How rule sets are read.
pub(crate) fn ron_options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

/// A folder while it is read.
struct Loading<'l> {
    dir: Option<&'l Path>,
    limits: &'l Limits,
    files: Vec<ParsedFile>,
    known_agents: BTreeSet<String>,
    robots: Robots<'l>,
    found: Vec<Diagnostic>,
}

/// The robots.txt files of a folder, and all that was read.
struct Robots<'l> {
    dir: Option<&'l Path>,
    limits: &'l Limits,
    read: BTreeMap<String, Result<Arc<Source>, String>>,
    inputs: BTreeSet<PathBuf>,
}

impl<'l> Loading<'l> {
    fn new(dir: Option<&'l Path>, limits: &'l Limits) -> Self {
        let robots = Robots { dir, limits, read: BTreeMap::new(), inputs: BTreeSet::new() };
        Self { dir, limits, files: Vec::new(), known_agents: BTreeSet::new(), robots, found: Vec::new() }
    }

    /// The names of the folder's files of rule sets, sorted. Reads the register on the way.
    fn names(&mut self) -> Vec<String> {
        let Some(dir) = self.dir else { return Vec::new() };
        let mut names = BTreeSet::new();
        let unreadable = |error: &std::io::Error| {
            let error = Diagnostic::error(Code::Unreadable, format!("the folder cannot be read: {error}"));
            error.in_file(dir.display().to_string())
        };
        let entries = match fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(error) => {
                self.found.push(unreadable(&error));
                return Vec::new();
            }
        };
        for entry in entries {
            let (name, is_folder) = match entry {
                Ok(entry) => (entry.file_name(), entry.file_type().is_ok_and(|kind| kind.is_dir())),
                Err(error) => {
                    self.found.push(unreadable(&error));
                    continue;
                }
            };
            if is_folder && !name.as_encoded_bytes().starts_with(b".") && holds_rule_sets(&dir.join(&name), 0) {
                let message = "the folder holds rule sets that would not be read: a folder is read without those in it";
                let error = Diagnostic::error(Code::Unreadable, message);
                let error = error.in_file(shown_path(self.dir, &name.to_string_lossy()));
                self.found
                    .push(error.help("move its `*.ron` files up beside the others, or read the folder by itself"));
                continue;
            }
            if !is_rule_file(Path::new(&name)) {
                continue;
            }
            match name.to_str() {
                Some(name) if !name.starts_with('.') && !name.ends_with(".ron") => {
                    let error =
                        Diagnostic::error(Code::Unreadable, "the file would not be read: its ending is not `.ron`");
                    let error = error.in_file(shown_path(self.dir, name));
                    self.found.push(error.help("write the ending in lower case"));
                }
                Some(name) if name.starts_with('.') || name == FILE_NAME => {}
                Some(name) => drop(names.insert(name.to_owned())),
                None => {
                    let error = Diagnostic::error(Code::Unreadable, "the name of the file is not UTF-8");
                    self.found.push(error.in_file(shown_path(self.dir, &name.to_string_lossy())));
                }
            }
        }
        self.register();
        if names.len() > self.limits.max_files {
            let message = format!("{} files of rule sets, and the limit is {}", names.len(), self.limits.max_files);
            let error = Diagnostic::error(Code::OverLimit, message).in_file(dir.display().to_string());
            self.found.push(error.help("raise `max_files`"));
            return Vec::new();
        }
        names.into_iter().collect()
    }

    /// Reads the register of known crawlers, where there is one.
    fn register(&mut self) {
        let Some(path) = self.dir.map(|dir| dir.join(FILE_NAME)).filter(|path| path.is_file()) else { return };
        if self.robots.inputs.insert(path.clone()) {
            match Registry::read(&path) {
                Ok(registry) => {
                    let tokens = registry.agents().iter().map(|agent| agent.token.to_ascii_lowercase());
                    self.known_agents.extend(tokens);
                }
                Err(error) => {
                    let error = Diagnostic::error(Code::Syntax, error.to_string());
                    self.found.push(error.in_file(shown_path(self.dir, FILE_NAME)));
                }
            }
        }
    }

    /// Reads a file of the folder.
    fn file(&mut self, name: &str, wanted: bool) {
        let Some(dir) = self.dir else { return };
        let path = dir.join(name);
        self.robots.inputs.insert(path.clone());
        match read(&path, self.limits) {
            Ok(bytes) => self.text(name, bytes, wanted),
            Err(Unread { code, reason }) => {
                let error = Diagnostic::error(code, format!("the file cannot be read: {reason}"));
                self.found.push(error.in_file(shown_path(self.dir, name)));
            }
        }
    }

    /// Reads what a file holds.
    fn text(&mut self, name: &str, mut bytes: Vec<u8>, wanted: bool) {
        // Some editors write a mark in front of UTF-8; it is no part of the text, and of no column.
        if bytes.starts_with("\u{FEFF}".as_bytes()) {
            bytes.drain(..3);
        }
        let source = Source::new(name, shown_path(self.dir, name), bytes);
        let text = match str::from_utf8(&source.bytes) {
            Ok(_) if source.bytes.len() > self.limits.max_file_bytes => {
                let limit = self.limits.max_file_bytes;
                let message = format!("{} bytes, and the limit is {limit}", source.bytes.len());
                let error = Diagnostic::error(Code::OverLimit, message).in_file(shown_path(self.dir, name));
                self.found.push(error.help("raise `max_file_bytes`"));
                return;
            }
            Ok(text) => text,
            Err(error) => {
                let at = error.valid_up_to();
                let spot = Spot::new(&source, at..at + error.error_len().unwrap_or(1));
                self.found.push(Diagnostic::error(Code::Syntax, "the file is not UTF-8").at(spot, "not UTF-8"));
                return;
            }
        };
        let places = Node::of(text);
        // A file of another version may have other fields; so this is asked first.
        if let Some(places) = &places
            && let Some(version) = places.text_of("version", text)
            && version.chars().all(|char| char.is_ascii_digit())
            && version.trim_start_matches('0') != schema::VERSION.to_string()
        {
            let spot = Spot::new(&source, places.field("version").span.clone());
            self.found.push(unknown_version(version, spot));
            return;
        }
        match ron_options().from_str::<schema::File>(text) {
            Ok(file) if file.version != schema::VERSION => {
                let spot = places.as_ref().map_or(0..0, |places| places.field("version").span.clone());
                self.found.push(unknown_version(&file.version.to_string(), Spot::new(&source, spot)));
            }
            Ok(file) => {
                let places = places.unwrap_or_default();
                self.files.push(ParsedFile { source, places, file, wanted });
            }
            Err(error) => self.found.push(syntax_error(&source, text, &error)),
        }
    }

    /// Whether a set extends one that no file so far has.
    fn extends_others(&self) -> bool {
        let sets = || self.files.iter().flat_map(|file| &file.file.rule_sets);
        let names: BTreeSet<&str> = sets().map(|set| set.name.as_str()).collect();
        sets().flat_map(|set| &set.extends).any(|name| !names.contains(name.as_str()))
    }

    fn finish(mut self) -> Result<Loaded, Diagnostics> {
        let mut composer = Composer::new(&self.files, self.limits, &self.known_agents);
        let sets = composer.compose(&mut self.robots);
        self.found.append(&mut composer.found);
        let found = Diagnostics::new(self.found);
        if found.iter().any(|diagnostic| diagnostic.severity() == Severity::Error) {
            return Err(found);
        }
        let inputs = self.robots.inputs.into_iter().collect();
        Ok(Loaded { sets, inputs, warnings: found })
    }
}

impl Folder for Robots<'_> {
    fn robots(&mut self, path: &str) -> Result<Arc<Source>, String> {
        if let Some(read) = self.read.get(path) {
            return read.clone();
        }
        let result = self.read_robots(path);
        self.read.insert(path.to_owned(), result.clone());
        result
    }
}

impl Robots<'_> {
    fn read_robots(&mut self, name: &str) -> Result<Arc<Source>, String> {
        let Some(dir) = self.dir else { return Err("there are no files beside this text".to_owned()) };
        let is_inside = !name.is_empty()
            && !name.contains(['\\', '\0'])
            && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !is_inside {
            return Err("it is outside the folder".to_owned());
        }
        if self.read.len() >= self.limits.max_files {
            return Err(format!("more files than the limit of {}; raise `max_files`", self.limits.max_files));
        }
        let path = dir.join(name);
        self.inputs.insert(path.clone());
        let bytes = read(&path, self.limits).map_err(|unread| unread.reason)?;
        Ok(Source::new(name, shown_path(self.dir, name), bytes))
    }
}

/// The path of a file of the folder, as errors show it: where the folder is one from here, a path that can be followed
/// from here.
fn shown_path(dir: Option<&Path>, name: &str) -> String {
    let path = dir.map_or(PathBuf::from(name), |dir| dir.join(name));
    let path = path.strip_prefix(".").unwrap_or(&path);
    shown(&path.display().to_string())
}

/// Reports whether a name ends as those of rule sets do, in any case.
fn is_rule_file(name: &Path) -> bool {
    name.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ron"))
}

/// Reports whether a folder inside the folder of rule sets holds a file of rule sets, at most eight folders down.
fn holds_rule_sets(folder: &Path, depth: usize) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| {
        let path = entry.path();
        match entry.file_type() {
            _ if entry.file_name().as_encoded_bytes().starts_with(b".") => false,
            Ok(kind) if kind.is_dir() => depth < 8 && holds_rule_sets(&path, depth + 1),
            Ok(_) => is_rule_file(&path),
            Err(_) => false,
        }
    })
}

/// Why a file was not read.
struct Unread {
    code: Code,
    reason: String,
}

/// The bytes of a file, which must be a plain one and within the limit.
fn read(path: &Path, limits: &Limits) -> Result<Vec<u8>, Unread> {
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

fn unknown_version(version: &str, spot: Spot) -> Diagnostic {
    // A number has ten digits at most; what has more is shown as text is, cut.
    let version = if version.len() <= 10 { version.to_owned() } else { quoted(version) };
    let help = format!("this library reads version {}; a newer one may read this file", schema::VERSION);
    let message = format!("version {version} of the format is not known");
    Diagnostic::error(Code::Version, message).at(spot, "not known").help(help)
}

/// What the RON library refused.
fn syntax_error(source: &Arc<Source>, text: &str, error: &ron::error::SpannedError) -> Diagnostic {
    let start = offset(text, error.span.start);
    let span = start..offset(text, error.span.end).max(start);
    let spot = Spot::new(source, span);
    let of = |outer: &Option<String>| outer.as_ref().map_or(String::new(), |outer| format!(" of {}", quoted(outer)));
    match &error.code {
        ron::Error::NoSuchStructField { expected, found, outer } => {
            let message = format!("no field{} is named {}", of(outer), quoted(found));
            let label = meant(found, expected.iter().copied(), "not a field");
            let fields = format!("the fields are {}", listed(expected.iter().copied()));
            Diagnostic::error(Code::UnknownField, message).at(spot, label).note(fields)
        }
        ron::Error::NoSuchEnumVariant { expected, found, .. } => {
            let label = meant(found, expected.iter().copied(), "not a choice");
            let choices = format!("the choices are {}", listed(expected.iter().copied()));
            let message = format!("{} is none of the choices here", quoted(found));
            Diagnostic::error(Code::UnknownField, message).at(spot, label).note(choices)
        }
        ron::Error::MissingStructField { field, outer } => {
            let message = format!("the field {}{} is missing", quoted(field), of(outer));
            Diagnostic::error(Code::MissingField, message).at(spot, "before this")
        }
        ron::Error::DuplicateStructField { field, outer } => {
            let message = format!("the field {}{} stands here twice", quoted(field), of(outer));
            Diagnostic::error(Code::Syntax, message).at(spot, "the second time")
        }
        other => {
            let message = other.to_string();
            let mut chars = message.chars();
            let first = chars.next().map(|first| first.to_ascii_lowercase());
            let message: String = first.into_iter().chain(chars).collect();
            Diagnostic::error(Code::Syntax, message).at(spot, "here")
        }
    }
}

/// The byte of a position in lines and characters, both from 1.
fn offset(text: &str, position: ron::error::Position) -> usize {
    let line_start = match position.line.checked_sub(2) {
        None => 0,
        Some(skipped) => text.match_indices('\n').nth(skipped).map_or(text.len(), |(at, _)| at + 1),
    };
    let line = &text[line_start..];
    let column = position.col.saturating_sub(1);
    line_start + line.char_indices().nth(column).map_or(line.len(), |(at, _)| at)
}
