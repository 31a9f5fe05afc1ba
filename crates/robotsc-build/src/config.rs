//! The settings of a build.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostics;
use crate::error::{Error, ErrorKind};
use crate::generate::{self, BytesIn, GeneratedFile, Style};
use crate::limits::BuildLimits;
use crate::load::{self, Loaded};
use crate::model::DeclaredSet;
use crate::outputs;

/// What a folder of rule sets compiles to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Generated {
    /// The files, the Rust text first.
    pub files: Vec<GeneratedFile>,
    /// What is no error, and worth a look.
    pub warnings: Diagnostics,
}

/// Compiles a folder of rule sets to Rust, from a build script.
///
/// ```no_run
/// // build.rs
/// fn main() -> Result<(), robotsc_build::Error> {
///     robotsc_build::Config::new().rule_dir("rules").compile()
/// }
/// ```
///
/// and, in the package itself, which needs only `robotsc-runtime`:
///
/// ```ignore
/// use robotsc_runtime::AgentName;
///
/// include!(concat!(env!("OUT_DIR"), "/rule_sets.rs"));
///
/// fn may_fetch(agent: AgentName<'_>, url: &str) -> bool {
///     matches!(CRAWL_HYGIENE.verdict_url(agent, url.as_bytes()), Ok(Some(answer)) if answer.verdict.is_allow())
/// }
/// ```
///
/// A set `crawl-hygiene` becomes the `static` `CRAWL_HYGIENE`, a [`Set`](robotsc_runtime::embed::Set); `SETS` holds all
/// of them. The same rule sets and settings generate the same text, byte for byte.
#[derive(Clone, Debug)]
pub struct Config {
    /// None: `rules`.
    rule_dirs: Vec<PathBuf>,
    out_dir: Option<PathBuf>,
    limits: BuildLimits,
    emit_rerun_if_changed: bool,
    style: Style,
}

impl Default for Config {
    fn default() -> Self {
        Self::new()
    }
}

impl Config {
    /// Rule sets from `rules`, to `OUT_DIR`; every other setting as its setter says.
    #[must_use]
    pub fn new() -> Self {
        Self {
            rule_dirs: Vec::new(),
            out_dir: None,
            limits: BuildLimits::default(),
            emit_rerun_if_changed: true,
            style: Style {
                module: None,
                visibility: "pub".to_owned(),
                runtime: "::robotsc_runtime".to_owned(),
                names_rules: true,
                bytes: BytesIn::Beside,
                stem: "rule_sets".to_owned(),
                tracked: Vec::new(),
            },
        }
    }

    /// Adds a folder of rule sets, relative to the package; `rules` is read if none is named. Several are read as if
    /// their files lay in one folder: sets can extend those of another, and two files of one name are an error.
    ///
    /// ```no_run
    /// // build.rs
    /// fn main() -> Result<(), robotsc_build::Error> {
    ///     robotsc_build::Config::new().rule_dir("rules").rule_dir("rules-of-partners").compile()
    /// }
    /// ```
    #[must_use]
    pub fn rule_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.rule_dirs.push(directory.into());
        self
    }

    /// The directory that is written to; the one that cargo names in `OUT_DIR` by default. It must be there.
    #[must_use]
    pub fn out_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(directory.into());
        self
    }

    /// The name of the Rust file, without `.rs`; `rule_sets` by default. The files of bytes beside it start with it.
    /// It is letters, digits, `_`, `-` and `.`: a name with a separator is an error.
    #[must_use]
    pub fn file_name(mut self, name: impl Into<String>) -> Self {
        self.style.stem = name.into();
        self
    }

    /// Puts everything into a module of this name; by default it stands where the file is included.
    #[must_use]
    pub fn module(mut self, name: impl Into<String>) -> Self {
        self.style.module = Some(name.into());
        self
    }

    /// The visibility of the statics, and of the module; `pub` by default. Empty: private.
    #[must_use]
    pub fn visibility(mut self, visibility: impl Into<String>) -> Self {
        self.style.visibility = visibility.into();
        self
    }

    /// What rule sets may hold.
    #[must_use]
    pub const fn limits(mut self, limits: BuildLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the path of the runtime: `::robotsc_runtime` by default, `::robotsc` for packages that depend on
    /// `robotsc` alone.
    #[must_use]
    pub fn runtime_path(mut self, path: impl Into<String>) -> Self {
        self.style.runtime = path.into();
        self
    }

    /// Sets whether to report the inputs to cargo, so that it runs the build script again if one changes; on by
    /// default. Cargo then watches nothing else: a build script with other inputs has to report them too.
    #[must_use]
    pub const fn emit_rerun_if_changed(mut self, emit: bool) -> Self {
        self.emit_rerun_if_changed = emit;
        self
    }

    /// Sets whether answers name the rule that decided, with its file, line and text; on by default. Without, the
    /// embedded set is about a quarter as large.
    #[must_use]
    pub const fn names_rules(mut self, names: bool) -> Self {
        self.style.names_rules = names;
        self
    }

    /// Sets whether programs and tables are literals in the text, which makes it one file that can be checked in, or
    /// files beside it, which compile faster. Off by default: files.
    #[must_use]
    pub const fn inline_bytes(mut self, inline: bool) -> Self {
        self.style.bytes = if inline { BytesIn::Inside } else { BytesIn::Beside };
        self
    }

    /// Compiles the rule sets and writes the files that changed. In a build script, files that an earlier build wrote
    /// and this one does not are removed.
    ///
    /// # Errors
    /// [`Error`] holds the rendered diagnostics of wrong rule sets, or names the file that could not be read or
    /// written. A file that another configuration wrote in this process is not written again.
    pub fn compile(&self) -> Result<(), Error> {
        let cargo_out_dir = std::env::var_os("OUT_DIR").filter(|path| !path.is_empty()).map(PathBuf::from);
        let Some(directory) = self.out_dir.as_ref().or(cargo_out_dir.as_ref()) else {
            let message = "OUT_DIR is not set: run from a build script, or name a directory with `out_dir`";
            return Err(Error::new(ErrorKind::Output, message));
        };
        if self.emit_rerun_if_changed {
            // A file that is added changes the folder.
            self.folders().iter().for_each(|folder| rerun_if_changed(folder));
        }
        let (files, loaded) = self.load()?;
        if self.emit_rerun_if_changed {
            loaded.inputs.iter().for_each(|input| rerun_if_changed(input));
            loaded.warnings.iter().for_each(|warning| println!("cargo::warning={}", warning.one_line()));
        }
        outputs::write(directory, &files, &self.description(), cargo_out_dir.as_deref())
    }

    /// Compiles the rule sets and returns the files and the warnings, without writing anything.
    ///
    /// # Errors
    /// As [`Config::compile`].
    pub fn generate(&self) -> Result<Generated, Error> {
        self.load().map(|(files, loaded)| Generated { files, warnings: loaded.warnings })
    }

    /// Returns the files for sets that were declared in code, the Rust text first.
    ///
    /// # Errors
    /// [`Error`] says which set is over a limit of the compiler, or which setting is no Rust.
    pub fn generate_sets(&self, sets: &[DeclaredSet]) -> Result<Vec<GeneratedFile>, Error> {
        Ok(generate::files(sets, &[], &self.style, &self.limits)?)
    }

    fn folders(&self) -> Vec<PathBuf> {
        if self.rule_dirs.is_empty() { vec![PathBuf::from("rules")] } else { self.rule_dirs.clone() }
    }

    /// Returns what tells this configuration from others: its folders, and its settings.
    fn description(&self) -> String {
        let mut folders = String::new();
        for folder in self.folders() {
            let folder = std::fs::canonicalize(&folder).unwrap_or(folder);
            let separator = if folders.is_empty() { "" } else { ", " };
            let _ = write!(folders, "{separator}{}", folder.display());
        }
        let Style { module, visibility, runtime, names_rules, bytes, .. } = &self.style;
        let plain = Self::new().style;
        let is_plain = (module, visibility, runtime, names_rules, bytes)
            == (&plain.module, &plain.visibility, &plain.runtime, &plain.names_rules, &plain.bytes);
        if is_plain {
            return folders;
        }
        format!("{folders} ({module:?}, {visibility:?}, {runtime:?}, {names_rules}, {bytes:?})")
    }

    fn load(&self) -> Result<(Vec<GeneratedFile>, Loaded), Error> {
        let folders = self.folders();
        let loaded = load::load_dirs(&folders, &self.limits)
            .map_err(|all| Error::new(ErrorKind::RuleSets, all.render(false)))?;
        let name = |input: &PathBuf| {
            let inside = folders.iter().find_map(|folder| Some((folder, input.strip_prefix(folder).ok()?)));
            let name = match inside {
                Some((folder, inside)) => Path::new(folder.file_name().unwrap_or_default()).join(inside),
                None => input.clone(),
            };
            name.display().to_string().replace('\\', "/")
        };
        let names: Vec<String> = loaded.inputs.iter().map(name).collect();
        let files = generate::files(&loaded.sets, &names, &self.style, &self.limits)?;
        Ok((files, loaded))
    }
}

fn rerun_if_changed(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}
