//! Measures robotsc beside its peers, in one run, over the shared corpus.

mod aims;
mod allocator;
mod arguments;
mod break_even;
#[cfg(feature = "fetch")]
mod bulk_fetch;
mod classes;
mod corpus;
#[cfg(feature = "analysis")]
mod diff_files;
#[cfg(feature = "embed")]
mod embed_cost;
mod embedded;
mod engine;
#[cfg_attr(not(feature = "analysis"), allow(dead_code, reason = "most of it serves the rows of the analysis"))]
mod files;
#[cfg(feature = "filter")]
mod filter;
#[cfg(feature = "filter")]
mod filter_data;
#[cfg(feature = "filter")]
mod filter_one;
#[cfg(all(feature = "filter", feature = "peers"))]
mod filter_peers;
#[cfg(feature = "analysis")]
mod fix_files;
#[path = "../../benches/support/mod.rs"]
mod generated;
#[cfg(feature = "peers")]
mod generic;
mod hardest;
mod hostile;
mod hostile_cases;
mod limits;
#[cfg(feature = "analysis")]
mod lint_files;
#[cfg(feature = "analysis")]
mod minify_files;
mod ours;
#[cfg(feature = "indexes")]
mod pack_index;
mod pack_lines;
mod pack_scale;
mod pack_world;
mod parse_files;
#[cfg(feature = "peers")]
mod peers;
mod python;
mod report;
mod roster;
mod rows;
mod runner;
#[cfg(feature = "serve")]
mod serve_load;
mod split;
mod stages;
mod table;
mod timing;

use std::process::ExitCode;

use arguments::Arguments;

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

const USAGE: &str = "\
robotsc-bench: measures robotsc beside its peers

usage: robotsc-bench aims [options]          the aims table, row by row
       robotsc-bench hostile [options]       hostile inputs, each engine in a process of its own
       robotsc-bench hardest [options]       the hardest files of the corpus
       robotsc-bench break-even [options]    after how many URLs compiling pays
       robotsc-bench embedded                the first verdict of embedded policies, beside parsing their text
       robotsc-bench filter-data [options]   makes a pack of the corpus and lists of URLs
       robotsc-bench filter [options]        our filter beside others, on these
       robotsc-bench pack-scale [options]    policy packs of many origins: building, size, lookups
       robotsc-bench pack-index [options]    their index beside others (needs the feature `indexes`)
       robotsc-bench pack-lines [options]    the cache lines of a pack that a verdict reads (needs valgrind)
       robotsc-bench stages [options]        instructions of the hot stages (needs valgrind)
       robotsc-bench parse-files FOLDER [DIALECT]    how fast the files of a folder are parsed

with the feature `analysis`, on files of a folder; LIST has a file (without .txt) and a URL in its first two columns:
       robotsc-bench lint-files FOLDER...    findings of each check, and times; --all, --show CODE
       robotsc-bench fix-files FOLDER LIST   what safe fixes change, and whether they change a verdict
       robotsc-bench minify-files FOLDER LIST        the same for `fmt` and `fmt --minify`
       robotsc-bench diff-files FOLDER       each SOURCE__HOST.txt beside the next one of its host; --list
with the feature `fetch`:
       robotsc-bench bulk-fetch [--python COMMAND]   bulk fetches beside hyper and reqwest; `ulimit -n 8192` first
with the feature `serve`:
       robotsc-bench serve-load              the server under load (needs wrk); --rounds N, --seconds N
with the feature `embed`:
       robotsc-bench embed-cost [RULES...]   what embedded rule sets cost to build

options:
  --corpus DIR      the corpus (default ../../shared/corpus)
  --agent NAME      FooBot (default), Googlebot or GPTBot
  --rounds N        rounds, engines interleaved (default 5)
  --max-file N      leave out longer files (default 512000)
  --every N         only every n-th host
  --quick           every 10th host, 2 rounds
  --row LIST        only these rows, by the names in the second table
  --only LIST       only these engines: names, or robotsc, peers, limits
  --python COMMAND  aims: measures protego and robotparser too, with this Python
  --case LIST       only these hostile inputs
  --work DIR        filter: where the data is (default /tmp/robotsc-bench-filter)
  --lines N         filter-data: URLs of a list (default 10000000)
  --binary FILE     filter: our command (default ../target/dist/robotsc)
  --threads N       threads of the subcommands on files (default 2)
  --compare FILE    of stages: a table to compare with; --write FILE keeps one
  --worst N         list the N slowest hosts of each engine

options of pack-scale:
  --origins LIST    sizes in thousands (default 10,100)
  --out DIR         where packs are built (default .); --keep keeps them, and takes those that are there
  --agent LIST      product tokens, or all
  --memory N        MiB for building (default 512)
  --threads N       threads for building (default 2)
  --sitemaps        keep the sitemaps
  --pack FILE       of pack-lines: a pack that pack-scale kept
";

const OPTIONS: [&str; 22] = [
    "compare", "write", "pack", "corpus", "agent", "rounds", "max-file", "every", "row", "only", "case", "worst",
    "origins", "out", "memory", "threads", "work", "lines", "binary", "python", "show", "seconds",
];

fn main() -> ExitCode {
    let arguments = match Arguments::read(std::env::args().skip(1), &OPTIONS) {
        Ok(arguments) => arguments,
        Err(message) => return fail(&message),
    };
    // Peers that panic are counted; their messages would drown the tables.
    std::panic::set_hook(Box::new(|_| {}));
    let done = match arguments.words.first().map(String::as_str) {
        _ if arguments.flag("help") => {
            print!("{USAGE}");
            Ok(())
        }
        Some("aims") => aims::run(&arguments),
        Some("hostile") => hostile::run(&arguments),
        Some("hostile-one") => hostile::run_one(&arguments),
        Some("hardest") => hardest::run(&arguments),
        #[cfg(feature = "indexes")]
        Some("pack-index") => pack_index::run(&arguments),
        Some("pack-lines") => pack_lines::run(&arguments),
        Some("pack-lines-one") => pack_lines::run_one(&arguments),
        Some("pack-scale") => pack_scale::run(&arguments),
        #[cfg(feature = "filter")]
        Some("filter-data") => filter_data::run(&arguments),
        #[cfg(feature = "filter")]
        Some("filter") => filter::run(&arguments),
        #[cfg(feature = "filter")]
        Some("filter-one") => filter_one::run(&arguments),
        Some("stages") => stages::run(&arguments),
        Some("stages-one") => stages::run_one(&arguments),
        Some("embedded") => embedded::run(),
        Some("break-even") => break_even::run(&arguments),
        Some("parse-files") => parse_files::run(&arguments),
        #[cfg(feature = "analysis")]
        Some("lint-files") => lint_files::run(&arguments),
        #[cfg(feature = "analysis")]
        Some("fix-files") => fix_files::run(&arguments),
        #[cfg(feature = "analysis")]
        Some("minify-files") => minify_files::run(&arguments),
        #[cfg(feature = "analysis")]
        Some("diff-files") => diff_files::run(&arguments),
        #[cfg(feature = "fetch")]
        Some("bulk-fetch") => bulk_fetch::run(&arguments).map_err(|error| error.to_string()),
        #[cfg(feature = "fetch")]
        Some("bulk-fetch-server") => bulk_fetch::run_server().map_err(|error| error.to_string()),
        #[cfg(feature = "fetch")]
        Some("bulk-fetch-one") => bulk_fetch::run_one(&arguments).map_err(|error| error.to_string()),
        #[cfg(feature = "serve")]
        Some("serve-load") => serve_load::run(&arguments).map_err(|error| error.to_string()),
        #[cfg(feature = "embed")]
        Some("embed-cost") => embed_cost::run(&arguments).map_err(|error| error.to_string()),
        Some(other) => Err(format!("unknown subcommand {other}")),
        None => Err("no subcommand; see --help".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("robotsc-bench: {message}");
    ExitCode::from(2)
}
