//! The command line: one subcommand, `--name value` options and `--name` flags.

use std::collections::BTreeMap;

/// What was given on the command line.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    /// The words that are no options, in order.
    pub(crate) words: Vec<String>,
    options: BTreeMap<String, String>,
}

/// Options that take no value.
const FLAGS: [&str; 6] = ["quick", "help", "keep", "sitemaps", "all", "list"];

impl Arguments {
    /// Takes the words after the program's name apart; `known` are the options that the subcommands read.
    pub(crate) fn read(given: impl Iterator<Item = String>, known: &[&str]) -> Result<Self, String> {
        let mut given = given;
        let mut arguments = Self::default();
        while let Some(word) = given.next() {
            let Some(name) = word.strip_prefix("--") else {
                arguments.words.push(word);
                continue;
            };
            let (name, value) = match name.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (name, None),
            };
            let value = match value {
                Some(value) => value,
                None if FLAGS.contains(&name) => String::new(),
                None => given.next().ok_or_else(|| format!("--{name} needs a value"))?,
            };
            if !FLAGS.contains(&name) && !known.contains(&name) {
                return Err(format!("unknown option --{name}"));
            }
            arguments.options.insert(name.to_owned(), value);
        }
        Ok(arguments)
    }

    /// Whether a flag was given.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.options.contains_key(name)
    }

    /// The text of an option, or its default.
    pub(crate) fn text<'a>(&'a self, name: &str, default: &'a str) -> &'a str {
        self.options.get(name).map_or(default, String::as_str)
    }

    /// The number of an option, or its default.
    pub(crate) fn number(&self, name: &str, default: usize) -> Result<usize, String> {
        match self.options.get(name) {
            Some(text) => text.parse().map_err(|_| format!("--{name} {text}: not a number")),
            None => Ok(default),
        }
    }

    /// Whether a list option names `item`, or was not given.
    pub(crate) fn wants(&self, name: &str, item: &str) -> bool {
        self.options.get(name).is_none_or(|list| list.split(',').any(|one| one == item))
    }
}
