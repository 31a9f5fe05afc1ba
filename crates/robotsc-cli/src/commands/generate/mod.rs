//! `generate`: declared rule sets as Rust source that is checked in.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use robotsc_answers::shown;
use robotsc_build::Config;

use crate::failure::{End, Failure, complain};
use crate::io::file_kind::FileKind;
use crate::io::files;
use crate::io::output;

/// Compiles a folder of declared rule sets to Rust source: one file that needs `robotsc-runtime` and nothing else.
///
/// For packages that check the file in; others call `robotsc-build` from a build script.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 written, or with --check as it should be; 1 with --check: stale or missing; 2 error.

Examples:
  robotsc generate rules -o src/rules.rs
  robotsc generate rules -o src/rules.rs --check")]
pub(crate) struct GenerateArgs {
    /// The folder of the rule sets (*.ron)
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    directory: PathBuf,

    /// The file to write, `-` for standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,

    /// Write nothing: tell whether the file is what would be written
    #[arg(long)]
    check: bool,

    /// Put everything into a module of this name
    #[arg(long, value_name = "NAME")]
    module: Option<String>,

    /// The visibility of what is declared
    #[arg(long, value_name = "VISIBILITY", default_value = "pub")]
    visibility: String,

    /// The path of the runtime in the package
    #[arg(long, value_name = "PATH", default_value = "::robotsc_runtime")]
    runtime_path: String,

    /// Leave the rules' places and texts out: less than half as large, and no answer names its rule
    #[arg(long)]
    verdicts_only: bool,
}

/// Writes the source, or with `--check` compares it.
pub(crate) fn generate(args: &GenerateArgs) -> Result<End, Failure> {
    let mut config = Config::new()
        .rule_dir(&args.directory)
        .inline_bytes(true)
        .visibility(&args.visibility)
        .runtime_path(&args.runtime_path)
        .names_rules(!args.verdicts_only);
    if let Some(module) = &args.module {
        config = config.module(module);
    }
    let generated = match config.generate() {
        Ok(generated) => generated,
        Err(error) => {
            // Diagnostics are a page of their own, as a compiler's are.
            let text = error.to_string();
            if text.contains('\n') {
                print_page(&text);
                return Ok(End::Error);
            }
            return Err(Failure::new(text));
        }
    };
    if !generated.warnings.is_empty() {
        print_page(&generated.warnings.render(false));
    }
    if !args.check && is_rule_sets(&args.output) {
        let name = shown::bytes(args.output.as_os_str().as_encoded_bytes());
        return Err(Failure::new(format_args!(
            "rule sets as the output: {name}: they would be lost: name a file of Rust, such as -o src/rules.rs"
        )));
    }
    // With the bytes inside there is one file.
    let text = generated.files.into_iter().next().map(|file| file.contents).unwrap_or_default();
    if !args.check {
        output::write_whole(&args.output, &text)?;
        return Ok(End::Clean);
    }
    let name = shown::bytes(args.output.as_os_str().as_encoded_bytes());
    match files::check_is_file(&args.output).and_then(|()| fs::read(&args.output)) {
        Ok(there) if same_lines(&there, &text) => Ok(End::Clean),
        Ok(_) => {
            complain(&format!("stale: {name}: it is not what the rule sets give: {}", again(args)));
            Ok(End::Findings)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            complain(&format!("missing: {name}: {}", again(args)));
            Ok(End::Findings)
        }
        Err(error) => Err(Failure::io("cannot read", &name, &error, "name the generated file with -o")),
    }
}

/// Returns whether a file declares rule sets.
fn is_rule_sets(path: &Path) -> bool {
    path.is_file()
        && fs::read(path).is_ok_and(|body| FileKind::of(&path.to_string_lossy(), &body) == FileKind::RuleSets)
}

/// The command that makes the file.
fn again(args: &GenerateArgs) -> String {
    let shown = |name: &OsString| shown::bytes(name.as_encoded_bytes());
    let (directory, output) = (args.directory.clone().into_os_string(), args.output.clone().into_os_string());
    format!("run 'robotsc generate {} -o {}' without --check", shown(&directory), shown(&output))
}

/// Writes diagnostics of several lines to standard error. If that is closed, the exit code says enough.
pub(crate) fn print_page(text: &str) {
    use io::Write as _;
    let _ = writeln!(io::stderr(), "{text}");
}

/// Whether two texts are the same but for the ends of their lines, which a checkout may turn.
fn same_lines(one: &[u8], other: &[u8]) -> bool {
    let lines = |text: &[u8]| -> Vec<u8> {
        text.split(|byte| *byte == b'\n')
            .flat_map(|line| [line.strip_suffix(b"\r").unwrap_or(line), b"\n"].concat())
            .collect()
    };
    lines(one) == lines(other)
}
