//! The command line of `filter`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use robotsc::pack::WantedUse;

use crate::command_line::options::separator;
use crate::command_line::uses::{self, UnknownUseArg, UseArg};
use crate::lists::format::FormatArg;
use crate::lists::text::Encoding;

/// Filters URLs through a policy pack: writes those that are allowed.
///
/// Reads URLs from files or standard input, plain, gzip or zstd: one per line, or in a column of a table or a key of
/// JSON. Writes the lines that are allowed, unchanged and in their order. A URL whose origin is not in the pack is
/// `unknown`, a line without an http, https or ftp URL is an `error`: neither is allowed.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 every line is answered, whatever the verdicts; 2 a line holds no URL (unless --on-error drop), or \
something cannot be read or written: what was read is answered; 130 stopped by Ctrl-C after the \
lines that had been read.

A file that is written gets its name when the run ends; the old file stays until then, and if writing fails.

Examples:
  robotsc filter --pack frontier.pack --agent FooBot urls.txt.gz > allowed.txt
  zcat cdx-*.gz | robotsc filter --pack frontier.pack --agent FooBot --format cdxj --emit verdicts > verdicts.tsv
  robotsc filter --pack frontier.pack --agent FooBot --column link crawl.tsv --allowed fetch.tsv --unknown later.tsv
  robotsc filter --pack all.pack --agent purpose:ai-training --require all --column /metadata/url pages.jsonl.zst
  robotsc filter --pack all.pack --agent GPTBot,CCBot --emit columns --with line,reason pages.csv > judged.csv
  robotsc filter --pack frontier.pack --agent FooBot --for train --unknown-use deny pages.txt > training.txt")]
pub(crate) struct FilterArgs {
    /// Files of URLs; `-` is standard input [default: standard input]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<OsString>,

    /// The policy pack
    #[arg(long, value_name = "PACK", value_hint = ValueHint::FilePath)]
    pub(crate) pack: PathBuf,

    /// Do not check the checksums of the pack first, which reads all of it once: for a file that was checked before
    #[arg(long)]
    pub(crate) trusted: bool,

    /// The old spelling of what is done without it
    #[arg(long, hide = true, conflicts_with = "trusted")]
    pub(crate) verify: bool,

    /// The crawlers, separated by commas: product tokens, `*` for agents that no group names, purpose:PURPOSE and
    /// operator:NAME for known crawlers; can be given more than once. The pack must be built for them
    #[arg(long = "agent", value_name = "AGENT,...", value_delimiter = ',', required_unless_present = "agent_column")]
    pub(crate) agents: Vec<String>,

    /// The column or key that names the crawler of each line, as --column names that of the URL
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["agents", "rules"])]
    pub(crate) agent_column: Option<String>,

    /// With several crawlers: the verdict of a line is one, and these must allow
    #[arg(long, value_enum, value_name = "WHO", conflicts_with = "agent_column")]
    pub(crate) require: Option<RequireArg>,

    /// What --emit columns adds besides verdicts, separated by commas
    #[arg(long, value_enum, value_name = "WHAT,...", value_delimiter = ',')]
    pub(crate) with: Vec<WithArg>,

    /// What the pages are wanted for: lines are disallowed, too, if the site says no to this use. Needs a pack
    /// of `robotsc pack build --preferences`
    #[arg(long = "for", value_enum, value_name = "USE", requires = "unknown_use")]
    pub(crate) wanted: Option<UseArg>,

    /// With --for: what to do with pages of which the site says neither yes nor no; there is no default
    #[arg(long, value_enum, value_name = "WHAT", requires = "wanted")]
    pub(crate) unknown_use: Option<UnknownUseArg>,

    /// Take the name of --agent as written, without what the register of known crawlers (`robotsc agents`) says of it
    #[arg(long)]
    pub(crate) as_written: bool,

    /// A rule set that must allow, too, if it applies: `bundled:NAME`, a file of rule sets, or `FILE#NAME`; it can only
    /// disallow more
    #[arg(long = "rules", alias = "policy", value_name = "RULES")]
    pub(crate) rules: Option<OsString>,

    /// What a line is [default: by the name of the file: .tsv, .csv, .jsonl, .ndjson, .cdxj, before .gz or .zst; else
    /// by its first line: JSON, a header of columns with one named url, or lines]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<FormatArg>,

    /// The column that holds the URL: its number, from 1, or its name in the first line; of JSON the key, or a
    /// JSON Pointer such as /metadata/url [default: url, in any case, if the first line of a table names it, else 1]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) column: Option<String>,

    /// The first line of each file names its columns; that is so if --column is a name
    #[arg(long = "has-header", alias = "header")]
    pub(crate) header: bool,

    /// The separator of CSV [default: a comma, or a semicolon if the header shows it]
    #[arg(long, value_name = "CHAR", value_parser = separator)]
    pub(crate) separator: Option<u8>,

    /// The encoding of the files, if it is neither UTF-8 nor UTF-16
    #[arg(long, value_enum, value_name = "ENCODING")]
    pub(crate) encoding: Option<Encoding>,

    /// What to write to standard output
    #[arg(long, value_enum, default_value_t = EmitArg::Lines, value_name = "KIND")]
    pub(crate) emit: EmitArg,

    /// What to do with URLs whose origin has no effective policy
    #[arg(long, value_enum, default_value_t = OnUnknown::Drop, value_name = "WHAT")]
    pub(crate) on_unknown: OnUnknown,

    /// What to do about lines without an http, https or ftp URL, which are never allowed
    #[arg(long, value_enum, default_value_t = OnError::Fail, value_name = "WHAT")]
    pub(crate) on_error: OnError,

    /// Write allowed lines to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) allowed: Option<PathBuf>,

    /// Write disallowed lines to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) disallowed: Option<PathBuf>,

    /// Write lines whose origin is unknown to this file; with --on-unknown list the origins to fetch
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) unknown: Option<PathBuf>,

    /// Write lines without an http, https or ftp URL to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) errors: Option<PathBuf>,

    /// Write how often each rule decided to this file: origin, line, verdict, URLs; one row per origin and verdict if
    /// the pack was built without `robotsc pack build --deciding-rules`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) hits: Option<PathBuf>,

    /// Answer as of this time: seconds since 1970, a date (midnight in UTC), or RFC 3339 such as
    /// 2026-11-21T12:00:00Z [default: now]
    #[arg(long, value_name = "TIME")]
    pub(crate) now: Option<String>,

    /// What is known of all sites of the input, for robots.txt files that fail [default: nothing]
    #[arg(long, value_enum, value_name = "SITE")]
    pub(crate) site: Option<SiteArg>,

    /// Threads that answer [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Print only errors at the end
    #[arg(short, long, conflicts_with = "json")]
    pub(crate) quiet: bool,

    /// Print the summary as a line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl FilterArgs {
    /// Returns what the pages are wanted for.
    pub(crate) fn wanted_use(&self) -> Option<WantedUse> {
        uses::wanted(self.wanted, self.unknown_use)
    }
}

/// What is known of sites from their other pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SiteArg {
    /// The sites are up: google reads a robots.txt that fails for 30 days as missing
    Up,
    /// The sites are up and answer missing pages with 5xx: the google dialects read that as a 404
    #[value(name = "missing-5xx")]
    MissingIs5xx,
}

/// What goes to standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EmitArg {
    /// The allowed lines, unchanged
    Lines,
    /// For each line `allowed`, `disallowed`, `unknown` or `error` for each crawler, and the URL, between tabs
    Verdicts,
    /// The same as JSON Lines, one for each crawler, with the path, and the line of the rule if the pack was built with
    /// --deciding-rules
    #[value(alias = "jsonl")]
    Json,
    /// Each line with columns added: a verdict for each crawler, and what --with names. JSON gets them under the key
    /// robotsc
    Columns,
}

/// Who must allow, of several crawlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RequireArg {
    /// All: a line that any crawler is refused is disallowed
    All,
    /// Any: a line that one crawler may fetch is allowed
    Any,
}

/// What is added besides verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WithArg {
    /// The line of the rule that decided, if the pack was built with --deciding-rules
    Line,
    /// The crawl delay in seconds
    Delay,
    /// Why a URL is unknown: not-held, expired, copy-not-held, failed-once or future; with --for why its use is
    /// refused: use-refused or use-unknown
    Reason,
}

impl WithArg {
    /// Returns the name of its column.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Delay => "delay",
            Self::Reason => "reason",
        }
    }
}

/// What to do about lines without a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnError {
    /// Continue, and exit with code 2 at the end
    Fail,
    /// Count them, and do not change the exit code
    Drop,
}

/// What to do with URLs of unknown origins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnUnknown {
    /// Write them like allowed lines
    Keep,
    /// Skip them
    Drop,
    /// Write each of their origins once to the file of --unknown
    List,
}
