//! The options of commands that write a file in place.

use clap::Args;

/// Whether a file is written, and what is said of it.
#[derive(Args, Debug)]
pub(crate) struct EditArgs {
    /// Write no file; report whether one would change
    #[arg(long)]
    pub(crate) check: bool,

    /// Write no file; show what would change
    #[arg(long)]
    pub(crate) diff: bool,

    /// Report errors alone, not what was done
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl EditArgs {
    /// Reports whether files are written, and not only what would change.
    pub(crate) fn writes(&self) -> bool {
        !self.check && !self.diff
    }
}
