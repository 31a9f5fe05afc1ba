//! `completions` and `man`: written from the same definitions as the help.

use std::fs;
use std::io;

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;
use robotsc_answers::shown;
use roff::{Inline, Roff, bold, roman};

use crate::cli::{Cli, CompletionsArgs, ManArgs};
use crate::command_line::help::AfterHelp;
use crate::failure::{End, Failure};
use crate::io::output;

/// Writes the completion script of a shell to standard output.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<End, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "robotsc", &mut script);
    output::write_whole("-".as_ref(), &script)?;
    Ok(End::Clean)
}

/// Writes the page of one command, or all pages to a directory.
pub(crate) fn man(args: &ManArgs) -> Result<End, Failure> {
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    let mut command = &root;
    for name in &args.command {
        command = command.find_subcommand(name).ok_or_else(|| {
            let known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            let parent = command.get_bin_name().unwrap_or("robotsc");
            Failure::new(format_args!(
                "no such command: '{}': the commands of {parent} are: {known}",
                shown::line(name)
            ))
        })?;
    }
    let Some(directory) = &args.output else {
        output::write_whole("-".as_ref(), &page(command)?)?;
        return Ok(End::Clean);
    };
    if let Err(error) = fs::create_dir_all(directory) {
        let name = shown::bytes(directory.as_os_str().as_encoded_bytes());
        return Err(Failure::io("cannot write", &name, &error, "name a directory that can be written with -o"));
    }
    let mut pages = Vec::new();
    match args.command.is_empty() {
        true => collect(command, &mut pages),
        false => pages.push(command),
    }
    for command in pages {
        output::write_whole(&directory.join(format!("{}.1", title(command))), &page(command)?)?;
    }
    Ok(End::Clean)
}

/// Collects a command and all below it.
fn collect<'c>(command: &'c Command, pages: &mut Vec<&'c Command>) {
    pages.push(command);
    for subcommand in command.get_subcommands() {
        collect(subcommand, pages);
    }
}

/// Returns the name of a command's page: its words joined by hyphens.
fn title(command: &Command) -> String {
    command.get_bin_name().unwrap_or_else(|| command.get_name()).replace(' ', "-")
}

/// Renders the page of a command: the sections that people know from other pages, in the same order.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let man = Man::new(command.clone())
        .title(title(command).to_uppercase())
        .source(concat!("robotsc ", env!("CARGO_PKG_VERSION")))
        .manual("robotsc manual");
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    synopsis(command).to_writer(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    notes(&AfterHelp::of(command)).to_writer(&mut page)?;
    Ok(with_one_preamble(&page))
}

/// Drops the preamble of every section but the first: each is rendered as if it were a page of its own.
fn with_one_preamble(page: &[u8]) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = Vec::new();
    for line in page.split_inclusive(|byte| *byte == b'\n') {
        if !(line.starts_with(b".ie ") || line.starts_with(b".el ")) || !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.concat()
}

/// Writes the usage lines that the help shows: clap_mangen's own synopsis shows no values and no repetition.
fn synopsis(command: &Command) -> Roff {
    let usage = command.clone().render_usage().to_string();
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]);
    for (number, line) in usage.trim_start_matches("Usage:").lines().map(str::trim).enumerate() {
        if number > 0 {
            roff.control("br", []);
        }
        roff.text(match line.strip_prefix(name) {
            Some(rest) => vec![bold(name), roman(rest)],
            None => vec![roman(line)],
        });
    }
    roff
}

/// Writes the exit codes, other notes and examples.
fn notes(after: &AfterHelp) -> Roff {
    let mut roff = Roff::new();
    for paragraph in after.prose.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        match paragraph.strip_prefix("Exit codes: ") {
            Some(codes) => {
                roff.control("SH", ["EXIT STATUS"]);
                roff.text([roman(codes)]);
            }
            None => {
                roff.control("SH", ["NOTES"]);
                roff.text([roman(paragraph)]);
            }
        }
    }
    if let Some((_, examples)) = after.examples.split_once('\n') {
        roff.control("SH", ["EXAMPLES"]);
        roff.control("nf", []);
        for line in examples.lines() {
            roff.text([roman(line.trim_start())] as [Inline; 1]);
        }
        roff.control("fi", []);
    }
    roff
}
