//! What the program that runs the server provides: the checks of a project, and its files.

use std::path::Path;

use robotsc::Dialect;
use robotsc::analysis::lint::{Lint, LintCheck};

/// How the files of a project are linted, before the editor's settings are applied.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// The checks that run, and what they know.
    pub lint: Lint,
    /// The dialect that the files are read under; `google` if there is none.
    pub dialect: Option<&'static Dialect>,
    /// The checks whose findings are warnings, whatever they are.
    pub warned: Vec<LintCheck>,
}

/// A rewrite of a whole file that a person may want, such as a policy for crawlers of one purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// What the program knows it by.
    pub name: String,
    /// What the editor's menu says.
    pub title: String,
}

/// The program that runs the server. It reads the files that a language server cannot know the form of.
///
/// Errors are messages for a person: what happened, where, what to do. The editor shows them.
pub trait Host: Send + Sync + 'static {
    /// Returns the checks that run if no project says otherwise.
    fn default_checks(&self) -> Checks;

    /// Returns the checks of the project that a folder is in, or `None` if it is in no project.
    ///
    /// # Errors
    /// If the project's options cannot be read.
    fn project_checks(&self, folder: &Path) -> Result<Option<Checks>, String>;

    /// Returns the URLs of a sitemap file.
    ///
    /// # Errors
    /// If it cannot be read, or is no sitemap.
    fn sitemap_urls(&self, file: &Path) -> Result<Vec<Vec<u8>>, String>;

    /// Returns the rewrites that are offered for a file of a folder; none if the program does not say.
    fn rewrites(&self, folder: Option<&Path>, text: &str) -> Vec<Rewrite> {
        let _ = (folder, text);
        Vec::new()
    }

    /// Returns the text after a rewrite of that name.
    ///
    /// # Errors
    /// If none of that name is offered, or it cannot be made.
    fn rewritten(&self, folder: Option<&Path>, text: &str, name: &str) -> Result<String, String> {
        let _ = (folder, text);
        Err(format!("not rewritten: no rewrite is called {name}"))
    }
}
