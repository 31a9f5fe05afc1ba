//! Help texts whose examples can be copied: clap wraps everything after the options at the terminal's width, also
//! inside a command. An example that is wrapped is no command any more.

use clap::Command;

/// The parts of a text after the options.
pub(crate) struct AfterHelp {
    /// The prose before the examples.
    pub(crate) prose: String,
    /// The examples with their heading, or nothing.
    pub(crate) examples: String,
}

impl AfterHelp {
    /// Splits the text after the options of a command at its heading `Example:` or `Examples:`.
    pub(crate) fn of(command: &Command) -> Self {
        let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let heading = ["Examples:\n", "Example:\n"].iter().filter_map(|heading| text.find(heading)).min();
        let Some(start) = heading else { return Self { prose: text, examples: String::new() } };
        // Prose can follow the examples after a blank line.
        let (before, rest) = text.split_at(start);
        let (examples, after) = rest.split_once("\n\n").unwrap_or((rest, ""));
        let prose = [before.trim_end(), after].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
        Self { prose: prose.join("\n\n"), examples: examples.to_owned() }
    }
}

/// Keeps the examples of a command and of all its subcommands as they are written, whatever the terminal's width.
pub(crate) fn with_verbatim_examples(command: Command) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let mut command = command;
    for name in names {
        command = command.mut_subcommand(name, with_verbatim_examples);
    }
    let parts = AfterHelp::of(&command);
    if parts.examples.is_empty() {
        return command;
    }
    // clap writes the text of a template unchanged, including braces that hold no tag of its own. It drops what is
    // between two braces that open.
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{{all-args}}{{after-help}}\n\n{}\n",
        parts.examples
    );
    command.after_help(parts.prose).help_template(template)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn examples_are_shown_as_written() {
        fn check(written: &Command, mut shown: Command) -> usize {
            let examples = AfterHelp::of(written).examples;
            let help = shown.render_long_help().to_string();
            assert!(help.contains(&examples), "{}: {examples}\n{help}", written.get_name());
            let mut count = usize::from(!examples.is_empty());
            for part in written.get_subcommands() {
                count += check(part, shown.find_subcommand(part.get_name()).expect("it is there").clone());
            }
            count
        }
        assert!(check(&Cli::command(), with_verbatim_examples(Cli::command())) > 10);
    }
}
