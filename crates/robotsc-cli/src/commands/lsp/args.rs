//! The command line of `lsp`.

use clap::Args;

/// Runs a language server for robots.txt over standard input and output; an editor starts it.
///
/// It shows findings while you type, with fixes; what a rule matches and for whom; completion of crawlers and paths;
/// formatting, renaming, an outline, folds and colours. docs/editors.md has the configuration of VS Code, Neovim, Helix
/// and Emacs.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 the editor asked for a shutdown, 1 it ended without one, 2 error.

Example:
  robotsc lsp")]
pub(crate) struct LspArgs {
    /// Talk over standard input and output, which is the only way; some editors always give this option
    #[arg(long)]
    pub(crate) stdio: bool,
}
