//! The command line of `pack`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

use crate::command_line::options::{CautionArgs, DialectArgs, ListArgs, token_alone};

/// Builds policy packs, and shows what is in them.
#[derive(Args, Debug)]
#[command(after_help = "\
A pack holds, for each origin, the result of the last fetch of its robots.txt and the compiled rules. A new pack \
replaces the old one by rename when it is complete; if building fails, the old one stays.

Exit codes: 0 done, 2 an error: then no pack is written. Records that are broken are reported, counted and left out: \
their origins are unknown. With --strict they are an error.")]
pub(crate) struct PackArgs {
    #[command(subcommand)]
    pub(crate) command: PackCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PackCommand {
    Build(BuildArgs),
    Update(UpdateArgs),
    Merge(MergeArgs),
    Remove(RemoveArgs),
    Verify(VerifyArgs),
    Dump(DumpArgs),
    Stats(StatsArgs),
    Get(GetArgs),
}

/// Where a pack is written, and with what memory and threads.
#[derive(Args, Debug)]
pub(crate) struct WriteArgs {
    /// The pack to write
    #[arg(short, long, value_name = "PACK", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,

    /// Memory for building, in MiB; the rest goes to temporary files beside the pack
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub(crate) memory: u32,

    /// Threads that compile [default: one per processor]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Write no pack if something has to be left out: a broken record, a redirect or revisit without a capture of its
    /// target, or rules that cannot be compiled
    #[arg(long)]
    pub(crate) strict: bool,

    /// Summarize in a line of JSON on standard output
    #[arg(long)]
    pub(crate) json: bool,
}

/// The current time, for captures.
#[derive(Args, Debug)]
pub(crate) struct ClockArgs {
    /// The current time: that of captures without one, and the latest that others can have, plus a day. In seconds
    /// since 1970, as a date (midnight in UTC) or in RFC 3339 [default: now]
    #[arg(long, value_name = "TIME")]
    pub(crate) now: Option<String>,
}

/// Builds a pack from captures of robots.txt.
///
/// A SOURCE is a folder of files named after hosts (`example.com.txt` for http and https, `https_example.com_8443.txt`
/// for one origin), a manifest (`manifest.tsv` in a folder, or any .tsv: origin, status, time, file), a tar archive of
/// either, or a WARC file; tar and WARC plain, gzip or zstd. Of several captures of one origin the newest counts.
#[derive(Args, Debug)]
#[command(after_help = "\
What is broken in a source is reported, counted and skipped. The old pack at --output stays until the new one is \
complete.

Exit codes: 0 the pack is written, 2 it is not: an error, or with --strict something would have been skipped.

Examples:
  robotsc pack build CC-MAIN-*.warc.gz --agent FooBot -o frontier.pack
  robotsc pack build captures/ --all-agents --now 2026-11-21T12:00:00Z -o frontier.pack")]
pub(crate) struct BuildArgs {
    /// Folders, manifests, tar and WARC files
    #[arg(value_name = "SOURCE", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) sources: Vec<PathBuf>,

    /// The product token of a crawler that the pack answers for; can be given more than once. The rules of a known
    /// crawler are those that it obeys as its operator documents it
    #[arg(
        long = "agent",
        value_name = "TOKEN",
        value_parser = token_alone,
        required_unless_present = "all_agents",
        conflicts_with = "all_agents"
    )]
    pub(crate) agents: Vec<String>,

    /// Answer for every agent: the largest pack
    #[arg(long)]
    pub(crate) all_agents: bool,

    /// Take the names of --agent as written, without what the register of known crawlers (`robotsc agents`) says of
    /// them
    #[arg(long, conflicts_with = "all_agents")]
    pub(crate) as_written: bool,

    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    #[command(flatten)]
    pub(crate) caution: CautionArgs,

    /// Record the line of each rule, for `robotsc filter --hits` and `robotsc filter --emit json`: a larger pack
    #[arg(long, alias = "winners")]
    pub(crate) deciding_rules: bool,

    /// Keep the sitemaps
    #[arg(long)]
    pub(crate) sitemaps: bool,

    /// Keep the preferences of Content-Usage and Content-Signal, for `robotsc filter --for`. A site that states none
    /// takes no more room
    #[arg(long)]
    pub(crate) preferences: bool,

    /// The seed of the keys; take another if two origins are reported to have the same key
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) clock: ClockArgs,

    #[command(flatten)]
    pub(crate) write: WriteArgs,
}

/// Adds captures to a pack: of each origin the newer one counts. Agents and dialect are those of the pack.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  robotsc pack update frontier.pack today.warc.gz -o frontier.pack")]
pub(crate) struct UpdateArgs {
    /// The pack
    #[arg(value_name = "PACK", value_hint = ValueHint::FilePath)]
    pub(crate) pack: PathBuf,

    /// Folders, manifests, tar and WARC files
    #[arg(value_name = "SOURCE", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) sources: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) caution: CautionArgs,

    #[command(flatten)]
    pub(crate) clock: ClockArgs,

    #[command(flatten)]
    pub(crate) write: WriteArgs,
}

/// Merges packs with the same agents, dialect and options: of each origin the newer record counts.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  robotsc pack merge monday.pack tuesday.pack -o frontier.pack")]
pub(crate) struct MergeArgs {
    /// The packs
    #[arg(value_name = "PACK", required = true, num_args = 1.., value_hint = ValueHint::FilePath)]
    pub(crate) packs: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) write: WriteArgs,
}

/// Writes a pack without some origins, which are unknown from then on: a site that is gone, or that asked for it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  robotsc pack remove frontier.pack https://shop.example -o frontier.pack
  robotsc pack remove frontier.pack --urls gone.txt -o frontier.pack")]
pub(crate) struct RemoveArgs {
    /// The pack
    #[arg(value_name = "PACK", value_hint = ValueHint::FilePath)]
    pub(crate) pack: PathBuf,

    /// The origins, or URLs of them; without any and without --urls they are read from standard input
    #[arg(value_name = "ORIGIN", value_hint = ValueHint::Url)]
    pub(crate) origins: Vec<OsString>,

    #[command(flatten)]
    pub(crate) list: ListArgs,

    #[command(flatten)]
    pub(crate) write: WriteArgs,
}

/// Checks every checksum and every record of packs.
#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// The packs
    #[arg(value_name = "PACK", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) packs: Vec<PathBuf>,
}

/// Lists the origins of a pack, in the order of its keys: a header line, then a line for each origin.
#[derive(Args, Debug)]
#[command(after_help = "\
Columns, between tabs; '-' if there is nothing to say:
  origin         scheme, host and port
  outcome        of the last fetch: rules, unavailable, redirects, server-error or unreachable
  fetched_at     when that was, in UTC
  expires_at     when it is to be fetched again
  good_at        when the rules were fetched that are kept
  failing_since  when fetches began to fail
  crawl_delay    of the agent, in seconds
  policy         equal for origins with equal rules; it means nothing in another pack
  preferences    what is stated of the use of pages to the agent: only of a pack that holds preferences

Example:
  robotsc pack dump frontier.pack | cut -f 1,2")]
pub(crate) struct DumpArgs {
    /// The pack
    #[arg(value_name = "PACK", value_hint = ValueHint::FilePath)]
    pub(crate) pack: PathBuf,

    /// Show the crawl delay and the preferences of this agent [default: the first that the pack was built for, or `*`]
    #[arg(long, value_name = "TOKEN", value_parser = token_alone)]
    pub(crate) agent: Option<String>,

    /// Take the name of --agent as written, without what the register of known crawlers (`robotsc agents`) says of it
    #[arg(long)]
    pub(crate) as_written: bool,

    /// Write JSON Lines
    #[arg(long)]
    pub(crate) json: bool,
}

/// Shows the size of the parts of a pack: bytes per origin, shared programs, the largest programs.
#[derive(Args, Debug)]
pub(crate) struct StatsArgs {
    /// The pack
    #[arg(value_name = "PACK", value_hint = ValueHint::FilePath)]
    pub(crate) pack: PathBuf,

    /// Write a line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Shows what a pack holds about one origin.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 the pack holds it, 1 it does not, 2 an error.

Example:
  robotsc pack get frontier.pack https://example.com")]
pub(crate) struct GetArgs {
    /// The pack
    #[arg(value_name = "PACK", value_hint = ValueHint::FilePath)]
    pub(crate) pack: PathBuf,

    /// The origin, or a URL of it
    #[arg(value_name = "ORIGIN", value_hint = ValueHint::Url)]
    pub(crate) origin: OsString,

    /// Show the rules of this agent [default: of all that the entry distinguishes]; can be given more than once
    #[arg(long = "agent", value_name = "TOKEN", value_parser = token_alone)]
    pub(crate) agents: Vec<String>,

    /// Take the names of --agent as written, without what the register of known crawlers (`robotsc agents`) says of
    /// them
    #[arg(long)]
    pub(crate) as_written: bool,

    /// The time to answer for: seconds since 1970, a date (midnight in UTC) or RFC 3339 [default: now]
    #[arg(long, value_name = "TIME")]
    pub(crate) now: Option<String>,

    /// Write a line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}
