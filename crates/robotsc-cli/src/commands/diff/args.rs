//! The command line of `diff`.

use std::ffi::OsString;
use std::num::NonZeroUsize;

use clap::{Args, ValueEnum, ValueHint};
use robotsc::Dialect;

use crate::command_line::options::{ListArgs, RobotsArgs, dialect, token_alone};

/// The maximum of `--work`.
pub(crate) const MAX_WORK: u32 = 1_000_000;

/// Shows what an edit of a robots.txt changes: which agents can no longer fetch which paths, and which they can fetch
/// now.
///
/// The answer is about all paths, and each change comes with a path as proof. Agents with the same change are one
/// group. Crawl delays, preferences and sitemaps are compared, too.
///
/// OLD and NEW can also be two folders, manifests, tar or WARC files of many sites, as `robotsc census` takes them:
/// then the answer is which sites appeared, vanished or mean something else, for whom, with a path each. Of two packs
/// it is which origins changed, and with --urls which URLs flip.
#[derive(Args, Debug)]
#[command(
    override_usage = "robotsc diff [OPTIONS] <OLD> <NEW>\n       \
                      robotsc diff [OPTIONS] --dialects <ONE,OTHER> <FILE>",
    after_help = "\
Exit codes: 0 same meaning, 1 different (see --fail-on), 2 error, or not decided or not compared; 130 stopped by Ctrl-C
after the sites that had been compared.

Examples:
  robotsc diff robots.txt robots-new.txt
  git show HEAD:robots.txt | robotsc diff - robots.txt --fail-on newly-blocked
  robotsc diff old.txt robots.txt --emit markdown >> \"$GITHUB_STEP_SUMMARY\"
  robotsc diff robots.txt robots-new.txt --agent Googlebot --urls sitemap-urls.txt
  robotsc diff robots.txt --dialects google,rfc9309
  robotsc diff robots.txt --dialects google,yandex --work 60
  robotsc diff 2026-10/ 2026-11/ --fail-on newly-blocked --agent Googlebot
  robotsc diff monday.pack tuesday.pack --urls frontier.txt"
)]
pub(crate) struct DiffArgs {
    /// The robots.txt before the edit, or `-` for standard input
    #[arg(value_name = "OLD", value_hint = ValueHint::FilePath)]
    pub(crate) old: OsString,

    /// The robots.txt after the edit, or `-` for standard input
    #[arg(
        value_name = "NEW",
        value_hint = ValueHint::FilePath,
        required_unless_present = "dialects",
        conflicts_with = "dialects"
    )]
    pub(crate) new: Option<OsString>,

    /// Compare what one file means under two dialects
    #[arg(
        long,
        value_name = "ONE,OTHER",
        value_parser = dialect(),
        value_delimiter = ',',
        conflicts_with = "named"
    )]
    pub(crate) dialects: Vec<&'static Dialect>,

    /// With --dialects: count paths with escapes that no client writes, such as /%61, too
    #[arg(long, requires = "dialects")]
    pub(crate) all_escapes: bool,

    /// Compare for this agent only, named by its product token, or `*` for agents that no group names; can be given
    /// more than once
    #[arg(long = "agent", value_name = "TOKEN", value_parser = token_alone)]
    pub(crate) agents: Vec<String>,

    /// Take the names of agents as written, without what the register of known crawlers (`robotsc agents`) says of them
    #[arg(long)]
    pub(crate) as_written: bool,

    /// How much work the comparison of a site may take, in units of what takes about two seconds; past it, it is not
    /// decided
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_WORK))
    )]
    pub(crate) work: u32,

    /// With many sites: how much work all of them together may take, in the same units; past it, sites are not decided
    /// [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) total_work: Option<u32>,

    /// With many sites: threads that compare [default: one per processor]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// What makes the exit code 1
    #[arg(long, value_enum, value_name = "CHANGE", default_value_t = FailOn::Any)]
    pub(crate) fail_on: FailOn,

    #[command(flatten)]
    pub(crate) list: ListArgs,

    #[command(flatten)]
    pub(crate) read: RobotsArgs,

    /// List every agent, rule and line, however many
    #[arg(long)]
    pub(crate) all: bool,

    /// What to write
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Emit::Text)]
    pub(crate) emit: Emit,

    /// The same as --emit json
    #[arg(long, conflicts_with = "emit")]
    pub(crate) json: bool,
}

impl DiffArgs {
    /// Returns what is written.
    pub(super) fn form(&self) -> Emit {
        if self.json { Emit::Json } else { self.emit }
    }
}

/// The form of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// Sentences, with the lines that decide
    Text,
    /// JSON Lines
    Json,
    /// A comment for a pull request on GitHub: a sentence, a table of crawlers and paths, the rest folded
    Markdown,
}

/// Which changes make the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// A path that some agent can no longer fetch
    NewlyBlocked,
    /// A path that some agent can fetch now
    NewlyAllowed,
    /// Any change: paths, crawl delays, preferences, sitemaps
    Any,
}
