//! From folders, a file or a text to declared sets.

use std::path::{Path, PathBuf};

use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity, SourceSpan};
use crate::limits::BuildLimits;
use crate::lower::compose::Composer;
use crate::lower::never_decides::matches_everything;
use crate::model::DeclaredSet;
use crate::read::file;
use crate::read::folders::Folders;
use crate::read::known_names::KnownNames;
use crate::read::schema::{GroupEntry, GroupRule, RuleEntry};
use crate::read::written::ParsedFile;

/// Declared sets, and what they were read from.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The sets, in the order of the files' names, then as they stand.
    pub sets: Vec<DeclaredSet>,
    /// For each set, where the rules of its places stand.
    pub spots: Vec<Vec<SourceSpan>>,
    /// Every file that was read, sorted: a change of any of them can change the sets. (So can a new file in the
    /// folder.)
    pub inputs: Vec<PathBuf>,
    /// What is no error, and worth a look: lines of robots.txt files that are not understood.
    pub warnings: Diagnostics,
}

/// Reads all rule sets of a folder: every `*.ron` file in it, sorted by name. `agents.ron` is a register of crawlers,
/// whose tokens expectations may name beside the known ones; files whose name starts with a dot are left alone.
///
/// # Errors
/// All that is wrong, not only the first.
///
/// # Panics
/// Never, for any files.
pub fn load_dir(dir: &Path, limits: &BuildLimits) -> Result<Loaded, Diagnostics> {
    load_dirs(&[dir], limits)
}

/// Reads all rule sets of several folders, in order, as if their files lay in one. Sets can extend those of another
/// folder. Two files of one name are an error.
///
/// # Errors
/// All that is wrong, not only the first.
///
/// # Panics
/// Never, for any files.
pub fn load_dirs(dirs: &[impl AsRef<Path>], limits: &BuildLimits) -> Result<Loaded, Diagnostics> {
    let mut loading = Loading::new(dirs.iter().map(|dir| dir.as_ref().to_owned()).collect(), limits);
    loading.folders.check(&mut loading.found);
    if !loading.found.is_empty() {
        return loading.finish();
    }
    let mut has_files = false;
    for (folder, dir) in dirs.iter().enumerate() {
        let found = loading.found.len();
        let names = loading.folders.rule_files(folder, &mut loading.found);
        let has_register = loading.register(folder);
        for name in &names {
            loading.file(folder, name, true);
        }
        has_files |= !names.is_empty();
        // A register alone is for the sets of other folders.
        let needs_files = !has_register || (folder + 1 == dirs.len() && !has_files);
        if names.is_empty() && needs_files && loading.found.len() == found {
            let message = match has_register {
                true => "no rule sets: the folder holds a register of crawlers alone",
                false => "no rule sets: the folder holds no `*.ron` file",
            };
            let error = Diagnostic::error(Code::Unreadable, message);
            loading.found.push(error.in_file(dir.as_ref().display().to_string()));
        }
    }
    loading.finish()
}

/// Reads the rule sets of one file. Sets that they extend may stand in other files of its folder, which are read if
/// there are any that this file does not have, or if a set of it only permits, as one does that others extend.
///
/// # Errors
/// All that is wrong, not only the first.
///
/// # Panics
/// Never, for any files.
pub fn load_file(path: &Path, limits: &BuildLimits) -> Result<Loaded, Diagnostics> {
    let dir = match path.parent() {
        Some(dir) if dir != Path::new("") => dir,
        _ => Path::new("."),
    };
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        let error = Diagnostic::error(Code::Unreadable, "not the name of a file");
        return Err(Diagnostics::new(vec![error.in_file(path.display().to_string())]));
    };
    let mut loading = Loading::new(vec![dir.to_owned()], limits);
    loading.register(0);
    loading.file(0, name, true);
    if loading.extends_others() || loading.only_permits() {
        for other in loading.folders.rule_files(0, &mut loading.found) {
            if other != name {
                loading.file(0, &other, false);
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
/// use robotsc_build::{limits::BuildLimits, load};
///
/// let text = r#"(version: 1, rule_sets: [(name: "a", rules: [Deny(path: "/x", nmae: "x")])])"#;
/// let errors = load::load_str("a.ron", text, &BuildLimits::default()).unwrap_err();
/// assert_eq!(errors.iter().next().unwrap().position(), Some((1, 63)));
/// println!("{errors}");
/// ```
pub fn load_str(name: &str, text: &str, limits: &BuildLimits) -> Result<Loaded, Diagnostics> {
    let mut loading = Loading::new(Vec::new(), limits);
    loading.parse(0, name, text.as_bytes().to_vec(), true);
    loading.finish()
}

/// Folders while they are read.
struct Loading<'l> {
    limits: &'l BuildLimits,
    folders: Folders<'l>,
    files: Vec<ParsedFile>,
    known_names: KnownNames,
    found: Vec<Diagnostic>,
}

impl<'l> Loading<'l> {
    fn new(dirs: Vec<PathBuf>, limits: &'l BuildLimits) -> Self {
        Self {
            limits,
            folders: Folders::new(dirs, limits),
            files: Vec::new(),
            known_names: KnownNames::bundled(),
            found: Vec::new(),
        }
    }

    /// Reads the register of crawlers of a folder; `false` if there is none.
    fn register(&mut self, folder: usize) -> bool {
        match self.folders.register(folder) {
            None => return false,
            Some(Ok(registry)) => self.known_names.add(&registry),
            Some(Err(error)) => self.found.push(*error),
        }
        true
    }

    /// Reads a file of a folder.
    fn file(&mut self, folder: usize, name: &str, wanted: bool) {
        match self.folders.read(folder, name) {
            Ok(bytes) => self.parse(folder, name, bytes, wanted),
            Err(error) => self.found.push(*error),
        }
    }

    /// Parses what a file holds.
    fn parse(&mut self, folder: usize, name: &str, bytes: Vec<u8>, wanted: bool) {
        let shown = self.folders.shown_path(folder, name);
        match file::parse((folder, name, shown), bytes, wanted, self.limits) {
            Ok(file) => self.files.push(file),
            Err(error) => self.found.push(error),
        }
    }

    /// Reports whether a set extends one that no file so far has.
    fn extends_others(&self) -> bool {
        let sets = || self.files.iter().flat_map(|file| &file.file.rule_sets);
        let names: std::collections::BTreeSet<&str> = sets().map(|set| set.name.as_str()).collect();
        sets().flat_map(|set| &set.extends).any(|name| !names.contains(name.as_str()))
    }

    /// Reports whether a set only permits, and not everything, so that it is there for others to extend.
    fn only_permits(&self) -> bool {
        let is_part = |path: &str| !matches_everything(path.as_bytes());
        let permits = |rule: &RuleEntry| match rule {
            RuleEntry::Permit { path, .. } => path.as_deref().is_none_or(is_part),
            RuleEntry::Deny { .. } => false,
        };
        let allows =
            |group: &GroupEntry| group.rules.iter().all(|rule| matches!(rule, GroupRule::Allow(path) if is_part(path)));
        self.files.iter().flat_map(|file| &file.file.rule_sets).any(|set| {
            let has_rules = !set.rules.is_empty() || !set.groups.is_empty();
            has_rules && set.robots.is_empty() && set.rules.iter().all(permits) && set.groups.iter().all(allows)
        })
    }

    fn finish(mut self) -> Result<Loaded, Diagnostics> {
        let mut composer = Composer::new(&self.files, self.limits, &self.known_names);
        let sets = composer.compose(&mut self.folders);
        let spots = std::mem::take(&mut composer.spots);
        self.found.append(&mut composer.found);
        let found = Diagnostics::new(self.found);
        if found.iter().any(|diagnostic| diagnostic.severity() == Severity::Error) {
            return Err(found);
        }
        let inputs = self.folders.inputs.into_iter().collect();
        Ok(Loaded { sets, spots, inputs, warnings: found })
    }
}
