//! The command line of `census`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use robotsc_answers::census::Census;

use crate::command_line::options::{CautionArgs, DialectArgs};
use crate::failure::Failure;

/// Counts what many sites say to many crawlers: which are open, which are closed, and for whom.
///
/// Reads a source of robots.txt files: a folder, a manifest, a tar or a WARC file, plain, gzip or zstd, as `pack build`
/// takes them. `robotsc fetch` writes such a folder from a list of sites. That a site is open or closed is proved for
/// all paths; a site that is neither is shown with a shortest path of each side. With two sources it shows what
/// changed.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 every site was counted, whatever it says; 2 something cannot be read: what was read is counted; 130 \
stopped by Ctrl-C after the sites that had been read.

Examples:
  robotsc census sites/
  robotsc census crawl.warc.gz --agent GPTBot,ClaudeBot,purpose:search --emit csv > sites.csv
  robotsc census 2019/ 2026/ --agent purpose:ai-training --emit html > changes.html
  robotsc census sites/ --rows agent --findings --json | duckdb -c \"from read_json('/dev/stdin')\"")]
pub(crate) struct CensusArgs {
    /// The source; before it an older one to compare with
    #[arg(value_name = "SOURCE", value_hint = ValueHint::AnyPath, num_args = 1..=2, required = true)]
    pub(crate) sources: Vec<PathBuf>,

    /// The crawlers, separated by commas: product tokens, `*` for agents that no group names, purpose:PURPOSE and
    /// operator:NAME for known crawlers; can be given more than once
    #[arg(
        long = "agent",
        value_name = "AGENT,...",
        value_delimiter = ',',
        default_values = Census::DEFAULT_AGENTS
    )]
    pub(crate) agents: Vec<String>,

    /// Take the names of agents as written, without what the register of known crawlers (`robotsc agents`) says of them
    #[arg(long)]
    pub(crate) as_written: bool,

    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    #[command(flatten)]
    pub(crate) caution: CautionArgs,

    /// What to write
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Emit::Table)]
    pub(crate) emit: Emit,

    /// The same as --emit json
    #[arg(long, conflicts_with = "emit")]
    pub(crate) json: bool,

    /// What a row of CSV or a line of JSON is about, if there is one source [default: site]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) rows: Option<RowsArg>,

    /// Count the findings of lint, too, by their codes; takes longer. Not for rows of changes
    #[arg(long)]
    pub(crate) findings: bool,

    /// Ranks of sites, for --emit html: a list of lines such as `1,example.com`, or a table with the columns rank and
    /// site
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) ranks: Option<PathBuf>,

    /// What servers answered to these names, as `robotsc fetch --as NAMES --json` wrote it: counted beside what
    /// robots.txt says
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) served: Option<PathBuf>,

    /// Threads that answer [default: one per processor]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Print only errors at the end
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl CensusArgs {
    /// Returns what is written.
    pub(super) fn form(&self) -> Emit {
        if self.json { Emit::Json } else { self.emit }
    }

    /// Checks that no option is without effect.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let form = self.form();
        let has_rows = matches!(form, Emit::Csv | Emit::Json);
        let is_of_changes = self.sources.len() > 1;
        let useless = if self.rows.is_some() && !has_rows {
            "--rows without rows: the command line: give --emit csv or --emit json"
        } else if self.rows.is_some() && is_of_changes {
            "--rows with two sources: the command line: each row is a change then: give one of them"
        } else if self.findings && has_rows && is_of_changes {
            "--findings with rows of changes: the command line: give one source, or --emit table or html"
        } else if self.ranks.is_some() && form != Emit::Html {
            "--ranks without a page: the command line: only a page shows them: give --emit html"
        } else if self.served.is_some() && is_of_changes {
            "--served with two sources: the command line: answers are of one date: give one source"
        } else if self.served.is_some() && form == Emit::Csv && self.rows != Some(RowsArg::Agent) {
            "--served with a row for each site: the command line: an answer is to one agent: give --rows agent"
        } else {
            return Ok(());
        };
        Err(Failure::new(useless))
    }
}

/// The form of a census.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// A summary in plain text; agents that every site answers alike share a row
    Table,
    /// CSV: a row for each site with a column for each agent, or as --rows says; with two sources one for each change
    Csv,
    /// JSON Lines: the same with all that is known
    #[value(alias = "jsonl")]
    Json,
    /// A page of HTML that needs no other file
    Html,
}

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowsArg {
    /// A site
    Site,
    /// A site and an agent
    Agent,
}
