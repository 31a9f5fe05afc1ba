//! `rules`: declared rule sets, checked without generating anything.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};
use robotsc_analysis::words::counted;
use robotsc_build::CompiledSet;
use robotsc_build::diagnostic::Code;
use robotsc_build::limits::BuildLimits;
use robotsc_build::load;

use crate::commands::generate::print_page;
use crate::failure::{End, Failure, complain};
use crate::io::output;

/// Works on declared rule sets.
#[derive(Args, Debug)]
pub(crate) struct RulesArgs {
    #[command(subcommand)]
    command: RulesCommand,
}

#[derive(Debug, Subcommand)]
enum RulesCommand {
    Check(RulesCheckArgs),
}

/// Reads declared rule sets, checks their expectations and compiles them, and writes nothing.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 nothing found, 1 errors or warnings in the rule sets, 2 the rule sets cannot be read.

Examples:
  robotsc rules check rules
  robotsc rules check rules/shop.ron")]
struct RulesCheckArgs {
    /// The folder of the rule sets (*.ron), or one file of them
    #[arg(value_name = "DIR", value_hint = ValueHint::AnyPath)]
    path: PathBuf,
}

/// Runs a subcommand of `rules`.
pub(crate) fn rules(args: &RulesArgs) -> Result<End, Failure> {
    match &args.command {
        RulesCommand::Check(args) => check(args),
    }
}

/// Prints what is wrong on standard error, as `generate` does, and the number of sound sets on standard output.
fn check(RulesCheckArgs { path }: &RulesCheckArgs) -> Result<End, Failure> {
    let limits = BuildLimits::default();
    let loaded = if path.is_file() { load::load_file(path, &limits) } else { load::load_dir(path, &limits) };
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(found) => {
            print_page(&found.render(false));
            let is_unreadable = found.iter().any(|found| found.code() == Code::Unreadable);
            return Ok(if is_unreadable { End::Error } else { End::Findings });
        }
    };
    let mut end = End::Clean;
    if !loaded.warnings.is_empty() {
        print_page(&loaded.warnings.render(false));
        end = End::Findings;
    }
    for set in &loaded.sets {
        if let Err(error) = CompiledSet::of(set) {
            complain(&error.to_string());
            end = End::Findings;
        }
    }
    if end == End::Clean {
        let line = format!("{}, nothing found\n", counted(loaded.sets.len(), "rule set"));
        output::write_whole("-".as_ref(), line.as_bytes())?;
    }
    Ok(end)
}
