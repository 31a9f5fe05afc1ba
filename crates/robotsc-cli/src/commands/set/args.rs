//! The command line of `set`.

use std::ffi::OsString;

use clap::{Args, ValueHint};
use robotsc_answers::set::Declaration;

use crate::command_line::edit::EditArgs;

/// Writes a policy into a robots.txt: who may fetch nothing, by purpose, company or name, and what is for nobody.
///
/// The policy is a block between two comments, which is renewed when the policy, the file around it or the register of
/// known crawlers changes. It is proved that every other agent gets the verdicts that it got, under all dialects. If
/// that cannot be proved, nothing is written.
///
/// The policy is that of [set] in robotsc.toml, else that of the options, else the one that the block declares.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 written, or nothing to change, 1 the file would change (--check, --diff), 2 error.

Examples:
  robotsc set robots.txt --deny ai-training --allow search
  robotsc set robots.txt --deny ai-training,ai-search --disallow /members/ --content-usage train-ai=n
  robotsc set robots.txt --check
  robotsc set robots.txt --remove")]
pub(crate) struct SetArgs {
    /// The robots.txt, which is written in place; `-` is standard input, which is written to standard output [default:
    /// `file` of robotsc.toml, else robots.txt]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<OsString>,

    /// Who may fetch nothing: a purpose such as ai-training, operator:NAME, or the name of a crawler; several are
    /// separated by commas. A name decides before an operator, and an operator before a purpose
    #[arg(long, value_name = "WHO", value_delimiter = ',')]
    deny: Vec<String>,

    /// Who obeys what it obeys, but for rules that close the whole site
    #[arg(long, value_name = "WHO", value_delimiter = ',')]
    allow: Vec<String>,

    /// A pattern of paths that nobody may fetch, such as /members/; can be given more than once
    #[arg(long, value_name = "PATTERN")]
    disallow: Vec<String>,

    /// What Content-Usage says to every crawler, such as train-ai=n
    #[arg(long, value_name = "PREFERENCES")]
    content_usage: Option<String>,

    /// What Content-Signal says to every crawler, such as 'ai-train=no, search=yes'
    #[arg(long, value_name = "PREFERENCES")]
    content_signal: Option<String>,

    /// Take the block out
    #[arg(long, conflicts_with_all = ["deny", "allow", "disallow", "content_usage", "content_signal"])]
    pub(crate) remove: bool,

    #[command(flatten)]
    pub(crate) edit: EditArgs,

    /// Replace a block that was edited, and edit a file that looks like something else, such as an HTML page
    #[arg(long)]
    pub(crate) force: bool,

    /// The file with the policy in place of the nearest robotsc.toml
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<OsString>,
}

impl SetArgs {
    /// Returns the policy of the options; it is empty if none is given.
    pub(crate) fn declaration(&self) -> Declaration {
        Declaration {
            deny: self.deny.clone(),
            allow: self.allow.clone(),
            disallow: self.disallow.clone(),
            content_usage: self.content_usage.clone(),
            content_signal: self.content_signal.clone(),
        }
    }
}
