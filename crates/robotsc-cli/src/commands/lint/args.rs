//! The command line of `lint`.

use std::ffi::OsString;

use clap::{Args, ValueEnum, ValueHint};
use robotsc::robots_txt::Severity;

use crate::command_line::network::NetworkArgs;
use crate::command_line::options::{DialectArgs, ListArgs, ROBOTS_TXT};

/// Finds what is wrong with robots.txt files: rules that decide nothing, parameters that are missed, groups that
/// replace each other, lines that are not understood.
///
/// What depends on paths is decided for all paths, and shown with a path as proof.
#[derive(Args, Debug, Default)]
#[command(after_help = "\
Exit codes: 0 clean, 1 findings at or above --fail-on, 2 error.

Examples:
  robotsc lint robots.txt
  robotsc lint robots.txt --fix --diff
  robotsc lint --explain rule-never-decides
  robotsc lint */robots.txt --statistics
  robotsc lint */robots.txt --emit sarif > findings.sarif
  robotsc lint robots.txt --write-baseline known.txt
  robotsc lint robots.txt --baseline known.txt")]
pub(crate) struct LintArgs {
    /// robots.txt files; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, default_value = ROBOTS_TXT)]
    pub(crate) files: Vec<OsString>,

    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,

    /// Run the checks of notes, too: opinions and details
    #[arg(long)]
    pub(crate) all: bool,

    /// Run these checks only, by code, or by the first words of several codes, such as `param`; with commas, or several
    /// times
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) select: Vec<String>,

    /// Do not run these checks
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) ignore: Vec<String>,

    /// Report findings of these checks as warnings, whatever they are
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) warn: Vec<String>,

    #[command(flatten)]
    pub(crate) list: ListArgs,

    /// A sitemap of the site, as evidence: XML or one URL on each line, plain, gzip or zstd, or an index of such files
    /// beside it; can be given more than once
    #[arg(long = "sitemap", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) sitemaps: Vec<OsString>,

    /// Apply the fixes that keep the meaning of the file, which is proved first
    #[arg(long, conflicts_with_all = ["baseline", "write_baseline"])]
    pub(crate) fix: bool,

    /// Apply all fixes, also those that change what the file means
    #[arg(long, conflicts_with_all = ["baseline", "write_baseline"])]
    pub(crate) unsafe_fixes: bool,

    /// Show what fixes would change, and write no file
    #[arg(long)]
    pub(crate) diff: bool,

    /// Report findings that comments in the files suppress, too
    #[arg(long)]
    pub(crate) no_suppressions: bool,

    /// Report only findings that this file does not list
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) baseline: Option<OsString>,

    /// Write all findings to this file, for --baseline
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "baseline")]
    pub(crate) write_baseline: Option<OsString>,

    /// How findings are written; with --fix, those that are left
    #[arg(long, value_enum, default_value_t = LintFormat::Text, value_name = "FORMAT")]
    pub(crate) emit: LintFormat,

    /// Show how often each check reported something, in place of the findings
    #[arg(long, conflicts_with_all = ["fix", "unsafe_fixes", "write_baseline", "emit"])]
    pub(crate) statistics: bool,

    /// Do not say how many findings there are, or what fixes did
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// The severity from which findings end the run with exit code 1 [default: warning]
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub(crate) fail_on: Option<FailOn>,

    /// The file with options under [lint] that the command line does not give [default: robotsc.toml in the current
    /// directory, or in the nearest above it]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<OsString>,

    /// Read no robotsc.toml
    #[arg(long, conflicts_with = "config")]
    pub(crate) no_config: bool,

    /// Show the page of a check, and lint nothing; without a code list the checks
    #[arg(long, value_name = "CODE", num_args = 0..=1, default_missing_value = "", conflicts_with = "files")]
    pub(crate) explain: Option<String>,
}

/// How findings are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LintFormat {
    /// Lines of the file with carets, for people
    #[default]
    Text,
    /// One line each: path:line:column: severity: message
    Line,
    /// JSON Lines
    #[value(alias = "jsonl")]
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
}

/// The severity from which findings matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Errors
    Error,
    /// Warnings and errors
    Warning,
    /// All findings
    #[value(alias = "info")]
    Note,
    /// Nothing
    Never,
}

impl FailOn {
    /// Reports whether a finding of this severity ends the run with exit code 1.
    pub(crate) fn includes(self, severity: Severity) -> bool {
        match self {
            Self::Error => severity >= Severity::Error,
            Self::Warning => severity >= Severity::Warning,
            Self::Note => true,
            Self::Never => false,
        }
    }
}
