//! `completions` and `man`: written from the same definition as the help.

use std::io;

use clap::CommandFactory as _;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::failure::{End, Failure};
use crate::output;

/// Writes the completion script of a shell to standard output.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<End, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "robotsc", &mut script);
    output::write_whole("-".as_ref(), &script)?;
    Ok(End::Clean)
}

/// Writes `robotsc.1` and a page for each command into a directory, or the main page to standard output.
pub(crate) fn man(args: &ManArgs) -> Result<End, Failure> {
    let mut command = Cli::command();
    command.build();
    let Some(directory) = &args.output else {
        output::write_whole("-".as_ref(), &page(command)?)?;
        return Ok(End::Clean);
    };
    for subcommand in command.get_subcommands() {
        let name = format!("robotsc-{}", subcommand.get_name());
        let mut page = Vec::new();
        clap_mangen::Man::new(subcommand.clone()).title(&name).render(&mut page)?;
        output::write_whole(&directory.join(format!("{name}.1")), &page)?;
    }
    output::write_whole(&directory.join("robotsc.1"), &page(command)?)?;
    Ok(End::Clean)
}

fn page(command: clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(page)
}
