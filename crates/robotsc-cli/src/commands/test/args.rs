//! The command line of `test`.

use std::ffi::OsString;

use clap::{Args, ValueEnum, ValueHint};

use crate::command_line::options::RobotsArgs;

/// Tests a robots.txt against what robotsc.toml expects: verdicts on URLs, and properties of all paths.
///
/// A property that is not true is shown with a shortest path and the rule that decides it.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 all as expected, 1 something is not, 2 error.

Examples:
  robotsc test
  robotsc test new/robots.txt --config site/robotsc.toml
  robotsc test --emit junit > robots.xml

A robotsc.toml:
  [test]
  file = \"public/robots.txt\"

  [[test.expect]]
  agents = [\"Googlebot\", \"Bingbot\"]
  urls = [\"/\", \"/blog/\"]
  verdict = \"allowed\"

  [[test.property]]
  agents = \"purpose:search\"
  never-blocked = \"/assets/\"

  [[test.property]]
  agents = \"purpose:ai-training\"
  never-allowed = \"/members/\"

  [[test.property]]
  all-agents = true
  never-allowed = \"/members/\"
  for = \"train\"
  unknown-use = \"allow\"

  [[test.property]]
  agents = \"Bingbot\"
  same-as = \"Googlebot\"")]
pub(crate) struct TestArgs {
    /// The robots.txt, or `-` for standard input [default: `file` in the config; else robots.txt beside it]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) robots: Option<OsString>,

    /// The file with the expectations [default: robotsc.toml in the current directory, or in the nearest above it]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<OsString>,

    #[command(flatten)]
    pub(crate) read: RobotsArgs,

    /// How results are written
    #[arg(long, alias = "format", value_enum, default_value_t = TestFormat::Text, value_name = "FORMAT")]
    pub(crate) emit: TestFormat,
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestFormat {
    /// Failures with the lines that decide, for people
    Text,
    /// JSON Lines: one for each expectation
    #[value(alias = "jsonl")]
    Json,
    /// JUnit XML, for CI
    Junit,
}
