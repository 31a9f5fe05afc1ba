//! The command line of `pack`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

use crate::args::{DialectArgs, token_alone};

/// Builds policy packs, and shows what is in them.
#[derive(Args, Debug)]
#[command(after_help = "\
A pack holds, for each origin, how the last fetch of its robots.txt ended and the compiled rules. It gets its name when it is \
whole; what stood there before stays until then, and for good where building fails.

Exit codes: 0 done; 2 an error. Where records of a source were broken they are told and counted, the pack is written, and the \
exit code is 2.")]
pub(crate) struct PackArgs {
    #[command(subcommand)]
    pub(crate) command: PackCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PackCommand {
    Build(BuildArgs),
    Update(UpdateArgs),
    Merge(MergeArgs),
    Verify(VerifyArgs),
    Dump(DumpArgs),
    Stats(StatsArgs),
    Get(GetArgs),
}

/// Where a pack is written, and with how much of the machine.
#[derive(Args, Debug)]
pub(crate) struct WriteArgs {
    /// The pack to write
    #[arg(short, long, value_name = "PACK", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,

    /// Memory for building, in MiB; what is over goes to files beside the pack
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub(crate) memory: u32,

    /// Threads that compile [default: the processors]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Summarise in a line of JSON on standard output
    #[arg(long)]
    pub(crate) json: bool,
}

/// The clock that sources are read by.
#[derive(Args, Debug)]
pub(crate) struct ClockArgs {
    /// The time of captures whose source says none, which no other may be ahead of by more than a day: seconds since 1970, a
    /// date (midnight in UTC) or RFC 3339 [default: now]
    #[arg(long, value_name = "TIME")]
    pub(crate) now: Option<String>,
}

/// Builds a pack from captures of robots.txt.
///
/// A SOURCE is a folder of files named after hosts (`example.com.txt` for http and https, `https_example.com_8443.txt` for one
/// origin), a manifest (`manifest.tsv` in a folder, or any .tsv: origin, status, time, file), a tar archive of either, or a
/// WARC file; tar and WARC plain, gzip or zstd. Of several captures of one origin the newest counts.
#[derive(Args, Debug)]
#[command(after_help = "\
What is broken in a source is told and left out, and the rest goes in. The pack that stood at --output stays until the new one \
is whole.

Exit codes: 0 all went in, 2 something was left out (the pack is written), or an error (it is not).

Examples:
  robotsc pack build CC-MAIN-*.warc.gz --agent FooBot -o frontier.pack
  robotsc pack build captures/ --all-agents --now 2026-11-21T12:00:00Z -o frontier.pack")]
pub(crate) struct BuildArgs {
    /// Folders, manifests, tar and WARC files
    #[arg(value_name = "SOURCE", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) sources: Vec<PathBuf>,

    /// The product token of a crawler that the pack answers for; may be given more than once
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

    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    /// Name the rules that decide, for `filter --hits` and the like: larger
    #[arg(long)]
    pub(crate) winners: bool,

    /// Keep the sitemaps
    #[arg(long)]
    pub(crate) sitemaps: bool,

    /// The seed of the keys; another one helps where two origins are said to have the same key
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) clock: ClockArgs,

    #[command(flatten)]
    pub(crate) write: WriteArgs,
}

/// Adds captures to a pack: of each origin the newer one counts. Agents and dialect stay as they are.
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
    pub(crate) clock: ClockArgs,

    #[command(flatten)]
    pub(crate) write: WriteArgs,
}

/// Makes one pack of several that were built alike: of each origin the newer one counts.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  robotsc pack merge monday.pack tuesday.pack -o frontier.pack")]
pub(crate) struct MergeArgs {
    /// The packs
    #[arg(value_name = "PACK", required = true, num_args = 1.., value_hint = ValueHint::FilePath)]
    pub(crate) packs: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) write: WriteArgs,
}

/// Checks every checksum and every place of packs.
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

Example:
  robotsc pack dump frontier.pack | cut -f 1,2")]
pub(crate) struct DumpArgs {
    /// The pack
    #[arg(value_name = "PACK", value_hint = ValueHint::FilePath)]
    pub(crate) pack: PathBuf,

    /// Show the crawl-delay of this agent [default: the first that the pack was built for, or `*`]
    #[arg(long, value_name = "TOKEN", value_parser = token_alone)]
    pub(crate) agent: Option<String>,

    /// Write JSON Lines
    #[arg(long)]
    pub(crate) json: bool,
}

/// Shows what a pack takes: octets an origin, how much is stored once, the largest programs.
#[derive(Args, Debug)]
pub(crate) struct StatsArgs {
    /// The pack
    #[arg(value_name = "PACK", value_hint = ValueHint::FilePath)]
    pub(crate) pack: PathBuf,

    /// Write a line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Shows what a pack holds of one origin.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 it is there, 1 the pack knows nothing of it, 2 an error.

Example:
  robotsc pack get frontier.pack https://example.com")]
pub(crate) struct GetArgs {
    /// The pack
    #[arg(value_name = "PACK", value_hint = ValueHint::FilePath)]
    pub(crate) pack: PathBuf,

    /// The origin, or a URL of it
    #[arg(value_name = "ORIGIN", value_hint = ValueHint::Url)]
    pub(crate) origin: OsString,

    /// When is asked: seconds since 1970, a date (midnight in UTC) or RFC 3339 [default: now]
    #[arg(long, value_name = "TIME")]
    pub(crate) now: Option<String>,

    /// Write a line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}
