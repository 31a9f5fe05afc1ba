//! `lsp`: a language server over standard input and output.

mod args;
mod regular;
mod rewrites;

use std::path::Path;

use robotsc_answers::lint::default_lint;
use robotsc_lsp::{Checks, Exit, Host, Rewrite, serve_stdio};

pub(crate) use self::args::LspArgs;
use crate::command_line::config::Config;
use crate::commands::lint::LintArgs;
use crate::commands::lint::options::Options;
use crate::failure::{End, Failure, io_cause};
use crate::lists::sitemap;

/// The size up to which a robotsc.toml is read: far more than any.
const MAX_CONFIG_BYTES: u64 = 1 << 20;
/// The size up to which a sitemap is read: the protocol allows 50 MB.
const MAX_SITEMAP_BYTES: u64 = 64 << 20;

/// Runs the command. The exit codes are those of the protocol: 0 after a shutdown that the editor asked for, else 1.
pub(crate) fn lsp(_: &LspArgs) -> Result<End, Failure> {
    match serve_stdio(Command) {
        Ok(Exit::Clean) => Ok(End::Clean),
        Ok(Exit::Unclean) => Ok(End::Findings),
        Err(error) => Err(Failure::new(format_args!(
            "bad message: the editor: {}: an editor speaks the Language Server Protocol to this command",
            io_cause(&error)
        ))),
    }
}

/// Reads robotsc.toml and sitemaps as the other commands do.
struct Command;

impl Host for Command {
    fn default_checks(&self) -> Checks {
        Checks { lint: default_lint(), ..Checks::default() }
    }

    fn project_checks(&self, folder: &Path) -> Result<Option<Checks>, String> {
        let Some(config) = config(folder)? else { return Ok(None) };
        let options = Options::with(&LintArgs::default(), Some(&config)).map_err(message)?;
        Ok(Some(Checks { lint: options.lint, dialect: Some(options.dialect), warned: options.warned }))
    }

    fn sitemap_urls(&self, file: &Path) -> Result<Vec<Vec<u8>>, String> {
        let mut pages = Vec::new();
        let check = |file: &Path| regular::check(file, MAX_SITEMAP_BYTES).map_err(Failure::new);
        let add = |_: &str, urls| {
            pages.extend::<Vec<Vec<u8>>>(urls);
            Ok(())
        };
        sitemap::each(file.as_os_str(), check, add).map_err(message)?;
        Ok(pages)
    }

    fn rewrites(&self, folder: Option<&Path>, text: &str) -> Vec<Rewrite> {
        rewrites::offered(folder, text)
    }

    fn rewritten(&self, folder: Option<&Path>, text: &str, name: &str) -> Result<String, String> {
        rewrites::made(folder, text, name)
    }
}

/// Returns the robotsc.toml of a folder; `None` if it has none.
fn config(folder: &Path) -> Result<Option<Config>, String> {
    if let Some(file) = folder.ancestors().map(|folder| folder.join("robotsc.toml")).find(|file| file.exists()) {
        regular::check(&file, MAX_CONFIG_BYTES)?;
    }
    Config::of_folder(folder).map_err(message)
}

fn message(failure: Failure) -> String {
    match failure {
        Failure::Error(message) => message,
        Failure::PipeClosed => "cannot read: a pipe was closed: try again".to_owned(),
    }
}
