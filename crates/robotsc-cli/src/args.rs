//! The options that several commands share. Help, completions and man pages come from these definitions.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use robotsc::{Dialect, Effort};

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
}

/// The dialect of a robots.txt.
#[derive(Args, Debug)]
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
    checked_token(given, "give it with --header", "or a whole User-Agent header with --header")
}

/// Parses a product token for a command without `--header`.
pub(crate) fn token_alone(given: &str) -> Result<String, String> {
    let way_out = "'robotsc agents --header' lists the tokens of a User-Agent header";
    checked_token(given, "'robotsc agents --header' lists its product tokens", &format!("and {way_out}"))
}

fn checked_token(given: &str, if_header: &str, if_other: &str) -> Result<String, String> {
    if given.is_empty() {
        return Err("it is empty; give a product token such as FooBot".to_owned());
    }
    let is_part = |char: &char| char.is_ascii_alphanumeric() || "._-+!~".contains(*char) || !char.is_ascii();
    let other = given.chars().find(|char| !is_part(char));
    match other {
        None => Ok(given.to_owned()),
        Some('*') if given == "*" => Ok(given.to_owned()),
        Some(_) if given.trim().contains(char::is_whitespace) && given.contains('/') => {
            Err(format!("this is a whole User-Agent header; {if_header}"))
        }
        Some(',') => Err("a product token has no comma; give --agent once for each crawler".to_owned()),
        Some(other) => {
            let start: String = given.chars().take_while(is_part).collect();
            let start = if start.is_empty() { "FooBot" } else { start.as_str() };
            Err(format!("a product token has no {other:?}; give the name alone, such as '{start}', {if_other}"))
        }
    }
}

/// Parses a `User-Agent` header.
pub(crate) fn header(given: &str) -> Result<String, String> {
    if given.trim().is_empty() {
        return Err("it is empty; give the whole header that the crawler sends".to_owned());
    }
    Ok(given.to_owned())
}

/// Parses one of the five named dialects.
fn dialect() -> impl TypedValueParser<Value = &'static Dialect> {
    let meanings = [
        "google/robotstxt, bug for bug",
        "RFC 9309, the standard",
        "the specification that Google published in 2017-18",
        "the specification that Google published on 1 July 2019",
        "Yandex's page on Allow and Disallow",
    ];
    PossibleValuesParser::new(
        Dialect::ALL.iter().zip(meanings).map(|(dialect, meaning)| PossibleValue::new(dialect.name).help(meaning)),
    )
    .try_map(|name| Dialect::by_name(&name).ok_or("no such dialect"))
}
