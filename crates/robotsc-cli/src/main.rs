//! The command `robotsc`: see [`robotsc_cli::run`].

use std::process::ExitCode;

fn main() -> ExitCode {
    robotsc_cli::run(std::env::args_os()).into()
}
