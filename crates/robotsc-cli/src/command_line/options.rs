//! The options that several commands share. Help, completions and man pages come from these definitions.

use std::ffi::OsString;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use robotsc::Dialect;
use robotsc::program::Effort;

use crate::command_line::network::NetworkArgs;
use crate::failure::Failure;
use crate::lists::format::FormatArg;
use crate::lists::text::Encoding;
use crate::lists::urls::Lists;

/// The file that is meant if none is named: that of the current directory.
pub(crate) const ROBOTS_TXT: &str = "robots.txt";

/// The crawler.
#[derive(Args, Debug)]
pub(crate) struct AgentArgs {
    /// The product token of a crawler, such as FooBot, or `*` for crawlers that no group names; several are answered
    /// for one by one
    #[arg(long = "agent", value_name = "TOKEN", value_parser = token)]
    pub(crate) agents: Vec<String>,

    /// One crawler with several --agent, in order: the first that a group of the file names decides
    #[arg(long, requires = "agents", conflicts_with = "pool")]
    pub(crate) chain: bool,

    /// One crawler with several --agent at once: it obeys the groups of all of them
    #[arg(long, requires = "agents")]
    pub(crate) pool: bool,

    /// Take the names of --agent as written, without what the register of known crawlers (`robotsc agents`) says of
    /// them
    #[arg(long)]
    pub(crate) as_written: bool,

    /// A whole User-Agent header: the crawler has every token of the file that the header contains
    #[arg(long, value_name = "UA", value_parser = header, conflicts_with_all = ["agents", "chain", "pool"])]
    pub(crate) header: Option<String>,
}

/// How a robots.txt is read.
#[derive(Args, Debug)]
pub(crate) struct RobotsArgs {
    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    /// Read the file as a robots.txt even if it looks like something else, such as an HTML page
    #[arg(long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) network: NetworkArgs,
}

/// Files of URLs.
#[derive(Args, Debug, Default)]
pub(crate) struct ListArgs {
    /// A file of URLs, plain, gzip or zstd; `-` is standard input; can be given more than once
    #[arg(id = "lists", long = "urls", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<OsString>,

    /// The format of the files of URLs [default: by the name of the file: .tsv, .csv, .jsonl, .ndjson, .cdxj; else by
    /// its first line: JSON, a header of columns with one named url, or lines]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<FormatArg>,

    /// The column that holds the URL: its number, from 1, or its name in the first line; of JSON the key [default: url,
    /// if the first line of a table names it, else 1]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) column: Option<String>,

    /// The first line of each file of URLs names its columns; that is so if --column is a name
    #[arg(long = "has-header")]
    pub(crate) has_header: bool,

    /// The separator of CSV [default: a comma, or a semicolon if the header shows it]
    #[arg(long, value_name = "CHAR", value_parser = separator)]
    pub(crate) separator: Option<u8>,

    /// The encoding of the files of URLs, if it is neither UTF-8 nor UTF-16
    #[arg(long, value_enum, value_name = "ENCODING")]
    pub(crate) encoding: Option<Encoding>,
}

/// Parses a separator of CSV: one ASCII character that is no quote and ends no line.
pub(crate) fn separator(given: &str) -> Result<u8, String> {
    match given.as_bytes() {
        [byte] if byte.is_ascii() && !b"\"\r\n".contains(byte) => Ok(*byte),
        _ => Err("give one ASCII character, such as ';'".to_owned()),
    }
}

impl ListArgs {
    /// Returns the files, and where the URL is in their lines.
    pub(crate) fn lists(&self) -> Lists {
        Lists {
            files: self.files.clone(),
            format: self.format,
            column: self.column.clone(),
            header: self.has_header,
            separator: self.separator,
            encoding: self.encoding,
            raw: false,
        }
    }

    /// Checks that there is a list, if an option is about one.
    ///
    /// # Errors
    /// If an option is given and there is no list.
    pub(crate) fn check(&self, has_list: bool) -> Result<(), Failure> {
        for (option, is_given) in [
            ("--column", self.column.is_some()),
            ("--format", self.format.is_some()),
            ("--encoding", self.encoding.is_some()),
            ("--has-header", self.has_header),
            ("--separator", self.separator.is_some()),
        ] {
            if is_given && !has_list {
                return Err(Failure::new(format_args!(
                    "{option} without a list: the command line: it is about files of URLs: give one with --urls, or -"
                )));
            }
        }
        Ok(())
    }
}

/// The dialect of a robots.txt.
#[derive(Args, Debug, Default)]
pub(crate) struct DialectArgs {
    /// The dialect of the robots exclusion protocol [default: google; a compiled program keeps its own]
    #[arg(long = "dialect", value_name = "DIALECT", value_parser = dialect())]
    pub(crate) named: Option<&'static Dialect>,
}

impl DialectArgs {
    /// Returns the dialect that a robots.txt is parsed under.
    pub(crate) fn of_robots(&self) -> &'static Dialect {
        self.named.unwrap_or(&Dialect::GOOGLE)
    }

    /// Checks that no other dialect is named than that of a rule set, which keeps its own.
    ///
    /// # Errors
    /// If one is: it would count for nothing.
    pub(crate) fn check_rule_set(&self, name: &str, own: &Dialect) -> Result<(), Failure> {
        match self.named.filter(|named| named.name != own.name) {
            Some(named) => Err(Failure::new(format_args!(
                "wrong dialect: {name}: the rule set is of {}, not {}: leave --dialect out",
                own.name, named.name
            ))),
            None => Ok(()),
        }
    }
}

/// What is a failure by caution.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct CautionArgs {
    /// Take a refusal (401, 403) and a body that is no robots.txt, such as a page of HTML, for a failure, after which
    /// nothing is allowed at first
    #[arg(long)]
    pub(crate) cautious: bool,
}

impl CautionArgs {
    /// Returns a dialect with the failures that the user asks for.
    pub(crate) fn of(self, dialect: &'static Dialect) -> &'static Dialect {
        if !self.cautious {
            return dialect;
        }
        // Once in a process.
        Box::leak(Box::new(Dialect { fetch: dialect.fetch.cautious(), ..dialect.clone() }))
    }
}

/// The engines that answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// The rules for a few URLs, the compiled automaton for many
    Auto,
    /// The reference matcher, one rule after another: slow
    Reference,
    /// The ranked rules, without compiling
    Rules,
    /// The compiled automaton
    Compiled,
}

/// How hard the compiler tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EffortArg {
    /// As soon as possible
    Fast,
    /// As small as possible
    Small,
}

impl EffortArg {
    /// Returns the compiler's value.
    pub(crate) fn effort(self) -> Effort {
        match self {
            Self::Fast => Effort::Fast,
            Self::Small => Effort::Small,
        }
    }
}

/// Parses a product token: letters, digits, `. _ - + ! ~` and everything outside ASCII; or a `*` alone.
pub(crate) fn token(given: &str) -> Result<String, String> {
    robotsc_answers::token::checked(given, "give it with --header", "or a whole User-Agent header with --header")
}

/// Parses a product token for a command without `--header`.
pub(crate) use robotsc_answers::token::alone as token_alone;

/// Parses a `User-Agent` header.
pub(crate) fn header(given: &str) -> Result<String, String> {
    if given.trim().is_empty() {
        return Err("it is empty; give the whole header that the crawler sends".to_owned());
    }
    Ok(given.to_owned())
}

/// Parses one of the five named dialects.
pub(crate) fn dialect() -> impl TypedValueParser<Value = &'static Dialect> {
    PossibleValuesParser::new(
        robotsc_answers::dialect::all().map(|(dialect, meaning)| PossibleValue::new(dialect.name).help(meaning)),
    )
    .try_map(|name| Dialect::by_name(&name).ok_or("no such dialect"))
}
