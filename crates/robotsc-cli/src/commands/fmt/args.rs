//! The command line of `fmt`.

use std::ffi::OsString;

use clap::{Args, ValueHint};

use crate::command_line::edit::EditArgs;
use crate::command_line::network::NetworkArgs;
use crate::command_line::options::ROBOTS_TXT;

/// Writes robots.txt files in one spelling, or as small as they can be, without changing what they mean.
///
/// The meaning is that for every agent on every path, with all other records, in all five dialects. It is proved before
/// a file is written. With --minify, a crawler that obeys the groups of several names at once (`robotsc check --pool`)
/// is not covered: it can get other verdicts.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 written, or nothing to change, 1 a file would change (--check, --diff), 2 error.

Examples:
  robotsc fmt robots.txt
  robotsc fmt --check */robots.txt
  robotsc fmt --diff robots.txt
  robotsc fmt --minify - < robots.txt > public/robots.txt")]
pub(crate) struct FmtArgs {
    /// robots.txt files, which are written in place; `-` is standard input, which is written to standard output
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, default_value = ROBOTS_TXT)]
    pub(crate) files: Vec<OsString>,

    /// Make files as small as possible: no comments, no rules without which every verdict is the same, merged groups
    #[arg(long)]
    pub(crate) minify: bool,

    #[command(flatten)]
    pub(crate) edit: EditArgs,

    /// Write JSON Lines, one object for each file, in place of messages
    #[arg(long, conflicts_with = "diff")]
    pub(crate) json: bool,

    /// Format a file even if it looks like something else, such as an HTML page
    #[arg(long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,
}
