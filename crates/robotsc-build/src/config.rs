//! The settings of a build.

use std::path::{Path, PathBuf};

use crate::Error;
use crate::diagnostic::Diagnostics;
use crate::generate::{self, Bytes, GeneratedFile, Style};
use crate::limits::BuildLimits;
use crate::load::{self, Loaded};
use crate::model::DeclaredSet;

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
    rule_dir: PathBuf,
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
            rule_dir: PathBuf::from("rules"),
            out_dir: None,
            limits: BuildLimits::default(),
            emit_rerun_if_changed: true,
            style: Style {
                module: None,
                visibility: "pub".to_owned(),
                runtime: "::robotsc_runtime".to_owned(),
                names_rules: true,
                bytes: Bytes::Beside,
                stem: "rule_sets".to_owned(),
                tracked: Vec::new(),
            },
        }
    }

    /// The folder of the rule sets, relative to the package; `rules` by default.
    #[must_use]
    pub fn rule_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.rule_dir = directory.into();
        self
    }

    /// The directory that is written to; the one that cargo names in `OUT_DIR` by default.
    #[must_use]
    pub fn out_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(directory.into());
        self
    }

    /// The name of the Rust file, without `.rs`; `rule_sets` by default. The files of bytes beside it start with it.
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

    /// Sets the path of the runtime: `::robotsc_runtime` by default, `::robotsc::runtime` for packages that depend on
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
        self.style.bytes = if inline { Bytes::Inside } else { Bytes::Beside };
        self
    }

    /// Compiles the rule sets and writes the files that changed.
    ///
    /// # Errors
    /// [`Error`] holds the rendered diagnostics of wrong rule sets, or names the file that could not be read or
    /// written.
    pub fn compile(&self) -> Result<(), Error> {
        let out_dir = match &self.out_dir {
            Some(directory) => directory.clone(),
            None => std::env::var_os("OUT_DIR").map(PathBuf::from).ok_or_else(|| {
                Error::new("OUT_DIR is not set: run from a build script, or name a directory with `out_dir`")
            })?,
        };
        if self.emit_rerun_if_changed {
            // A file that is added changes the folder.
            rerun_if_changed(&self.rule_dir);
        }
        let (files, loaded) = self.load()?;
        if self.emit_rerun_if_changed {
            loaded.inputs.iter().for_each(|input| rerun_if_changed(input));
            loaded.warnings.iter().for_each(|warning| println!("cargo::warning={}", warning.one_line()));
        }
        generate::write(&out_dir, &files).map_err(Error::new)
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
        generate::files(sets, &[], &self.style, &self.limits).map_err(Error::new)
    }

    fn load(&self) -> Result<(Vec<GeneratedFile>, Loaded), Error> {
        let loaded = load::load_dir(&self.rule_dir, &self.limits).map_err(|all| Error::new(all.render(false)))?;
        let folder = self.rule_dir.file_name().unwrap_or_default();
        let name = |input: &PathBuf| {
            let inside = input.strip_prefix(&self.rule_dir).unwrap_or(input);
            Path::new(folder).join(inside).display().to_string().replace('\\', "/")
        };
        let names: Vec<String> = loaded.inputs.iter().map(name).collect();
        let files = generate::files(&loaded.sets, &names, &self.style, &self.limits).map_err(Error::new)?;
        Ok((files, loaded))
    }
}

fn rerun_if_changed(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}
