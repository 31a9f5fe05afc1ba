//! The command line, as it is typed. Help, completions and man pages come from here.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use robotsc::bundled::Purpose;
use robotsc::{Dialect, Effort};

/// Compiles robots.txt to small automata and answers "may my agent fetch this URL?" by walking them.
#[derive(Debug, Parser)]
#[command(
    name = "robotsc",
    version,
    max_term_width = 100,
    after_help = "Exit codes: 0 allowed or clean, 1 disallowed or findings, 2 error (told on standard error).",
    subcommand_required = true,
    disable_help_subcommand = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(CheckArgs),
    Explain(ExplainArgs),
    Compile(CompileArgs),
    Inspect(InspectArgs),
    Conform(ConformArgs),
    Generate(crate::embed::GenerateArgs),
    Pack(crate::pack::args::PackArgs),
    Filter(crate::filter::FilterArgs),
    Agents(AgentsArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Who asks.
#[derive(Args, Debug)]
pub(crate) struct AgentArgs {
    /// A product token of the crawler, such as FooBot; the groups of several are pooled
    #[arg(long = "agent", value_name = "TOKEN", value_parser = token)]
    pub(crate) agents: Vec<String>,

    /// Take several --agent in order: the first that the file has a group for decides
    #[arg(long, requires = "agents")]
    pub(crate) chain: bool,

    /// A whole User-Agent header: the tokens of the file that it holds are the crawler's
    #[arg(long, value_name = "UA", value_parser = token, conflicts_with_all = ["agents", "chain"])]
    pub(crate) header: Option<String>,
}

/// How robots.txt and URLs are read.
#[derive(Args, Debug)]
pub(crate) struct DialectArgs {
    /// The dialect of the robots exclusion protocol [default: google; a compiled program keeps its own]
    #[arg(long = "dialect", value_name = "DIALECT", value_parser = dialect())]
    pub(crate) named: Option<&'static Dialect>,
}

impl DialectArgs {
    /// The dialect of a robots.txt.
    pub(crate) fn of_robots(&self) -> &'static Dialect {
        self.named.unwrap_or(&Dialect::GOOGLE)
    }
}

/// Answers for URLs: one `allowed` or `disallowed`, a tab and the URL a line.
///
/// Reads URLs from standard input where none is given, or where `-` is.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 all allowed, 1 any disallowed or outside, 2 any error.

Examples:
  robotsc check robots.txt --agent FooBot https://example.com/shop/cart
  robotsc check --policy bundled:crawl-hygiene < urls.txt
  robotsc check --policy rules/shop.ron#shop --robots robots.txt --agent FooBot https://shop.example/cart
  robotsc check robots.txt --agent FooBot < urls.txt > verdicts.tsv
  robotsc check site.robotsc --agent googlebot-image --agent googlebot --chain https://example.com/")]
pub(crate) struct CheckArgs {
    /// A robots.txt, a compiled program, or `-` for standard input; with --policy the first URL
    #[arg(value_name = "ROBOTS", value_hint = ValueHint::FilePath, required_unless_present = "policy")]
    pub(crate) robots: Option<OsString>,

    /// URLs; `-` reads more from standard input, one a line
    #[arg(value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) urls: Vec<OsString>,

    #[command(flatten)]
    pub(crate) agent: AgentArgs,

    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    /// A declared rule set: bundled:NAME, or FILE#NAME of rule sets in RON; a URL that it does not apply to is outside
    #[arg(long, value_name = "POLICY", conflicts_with = "raw_url")]
    pub(crate) policy: Option<OsString>,

    /// With --policy: a robots.txt or compiled program that must allow, too
    #[arg(long = "robots", value_name = "ROBOTS", value_hint = ValueHint::FilePath, requires = "policy")]
    pub(crate) beside: Option<OsString>,

    /// Take the path of a URL as google/robotstxt takes it: any octets, nothing escaped, nothing refused
    #[arg(long)]
    pub(crate) raw_url: bool,

    /// The engine that answers; all give the same verdicts
    #[arg(long, value_enum, default_value_t = Engine::Auto, value_name = "ENGINE")]
    pub(crate) engine: Engine,

    /// Answer in JSON Lines, with the rule that decided
    #[arg(long)]
    pub(crate) json: bool,
}

/// The engines that can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// The rules themselves for a few URLs, the compiled automaton for many
    Auto,
    /// The naive judge, rule by rule: slow
    Reference,
    /// The ranked rules, without compiling
    Rules,
    /// The compiled automaton
    Compiled,
}

/// Shows why a URL is allowed or disallowed: the group, the path as matched, the rule that decides, the other rules
/// that match, and what other dialects say.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 allowed, 1 disallowed, 2 error.

Example:
  robotsc explain robots.txt --agent FooBot 'https://example.com/shop/cart?item=7'")]
pub(crate) struct ExplainArgs {
    /// A robots.txt, or `-` for standard input
    #[arg(value_name = "ROBOTS", value_hint = ValueHint::FilePath)]
    pub(crate) robots: OsString,

    /// The URL
    #[arg(value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) url: OsString,

    #[command(flatten)]
    pub(crate) agent: AgentArgs,

    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    /// Take the path of the URL as google/robotstxt takes it: any octets, nothing escaped, nothing refused
    #[arg(long)]
    pub(crate) raw_url: bool,

    /// Explain in one line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Compiles robots.txt files to programs.
///
/// The file is written whole or not at all. Of several ROBOTS each becomes a file of its own in the directory that -o
/// names.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  robotsc compile robots.txt -o site.robotsc
  robotsc compile robots.txt --agent FooBot --effort small -o foobot.robotsc
  robotsc compile robots.txt --agent FooBot --emit dot -o - | dot -Tsvg > automaton.svg")]
pub(crate) struct CompileArgs {
    /// robots.txt files, or one `-` for standard input
    #[arg(value_name = "ROBOTS", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) robots: Vec<OsString>,

    /// The file to write, `-` for standard output; with several ROBOTS a directory
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) output: PathBuf,

    /// Compile the groups of this crawler, and those for all (`*`), only; may be given more than once [default: all
    /// agents of the file]
    #[arg(long = "agent", value_name = "TOKEN", value_parser = token)]
    pub(crate) agents: Vec<String>,

    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    /// How hard to try to make the program small
    #[arg(long, value_enum, default_value_t = EffortArg::Small, value_name = "EFFORT")]
    pub(crate) effort: EffortArg,

    /// Let the program name the rule that decides, too: larger
    #[arg(long)]
    pub(crate) winner: bool,

    /// What to write
    #[arg(long, value_enum, default_value_t = Emit::Program, value_name = "KIND")]
    pub(crate) emit: Emit,
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
    /// The compiler's name for it.
    pub(crate) fn effort(self) -> Effort {
        match self {
            Self::Fast => Effort::Fast,
            Self::Small => Effort::Small,
        }
    }
}

/// What `compile` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// The program, for `check` and for the runtime library
    Program,
    /// Agents, rules and figures in JSON Lines
    Json,
    /// The automata as Graphviz text
    Dot,
}

/// Shows what is inside a robots.txt or a compiled program: agents, programs, states, octets, limits hit, and the rules
/// in their order.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  robotsc inspect robots.txt
  robotsc inspect site.robotsc --json")]
pub(crate) struct InspectArgs {
    /// A robots.txt, a compiled program, or `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: OsString,

    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    /// Show the programs and rules of this agent only
    #[arg(long, value_name = "TOKEN", value_parser = token)]
    pub(crate) agent: Option<String>,

    /// List every rule, however many
    #[arg(long)]
    pub(crate) rules: bool,

    /// The effort that a robots.txt is compiled with
    #[arg(long, value_enum, default_value_t = EffortArg::Small, value_name = "EFFORT")]
    pub(crate) effort: EffortArg,

    /// Write JSON Lines
    #[arg(long)]
    pub(crate) json: bool,
}

/// Runs conformance cases against this parser, or against any other.
///
/// A case is a line of JSON: `robots` or `robots_b64`, `agents` (a list: their groups are pooled), `url` or `url_b64`,
/// `allowed` (null: no verdict, the case is skipped) and, where known, `google`. The path of a URL is taken as
/// google/robotstxt takes it.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 every case agrees, 1 any differs, 2 any error.

Examples:
  robotsc conform suites/*.jsonl
  robotsc conform suites/google.jsonl.gz --cmd 'other-parser {robots} {agent} {url}'

The other parser gets the path of a file in {robots}, the agents with commas between them in {agent} \
and the URL in {url}. It exits with 0 for allowed and 1 for disallowed; anything else is an error, and counted.")]
pub(crate) struct ConformArgs {
    /// Files of cases, one JSON object a line; gzip is recognised
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<OsString>,

    #[command(flatten)]
    pub(crate) dialect: DialectArgs,

    /// Ask another parser: a command with {robots}, {agent} and {url}; no shell is used
    #[arg(long, value_name = "COMMAND")]
    pub(crate) cmd: Option<String>,

    /// The field that holds the expected verdict [default: google where present, else allowed]
    #[arg(long, value_enum, value_name = "FIELD")]
    pub(crate) expect: Option<Expect>,

    /// Take the path of a URL as google/robotstxt takes it; false: escape octets that need it first, as `check` does
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_value_t = true,
        default_missing_value = "true",
        action = clap::ArgAction::Set
    )]
    pub(crate) raw_url: bool,

    /// The engine that answers; all give the same verdicts
    #[arg(long, value_enum, default_value_t = Engine::Compiled, value_name = "ENGINE")]
    pub(crate) engine: Engine,

    /// Commands that run at the same time [default: the processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), requires = "cmd")]
    pub(crate) jobs: Option<u16>,

    /// Seconds that a command may take for one case
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=86_400),
        requires = "cmd"
    )]
    pub(crate) timeout: u64,

    /// Report in JSON Lines
    #[arg(long)]
    pub(crate) json: bool,
}

/// The field of a case that holds the expected verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Expect {
    /// What google/robotstxt says
    Google,
    /// What the suite says
    Allowed,
}

/// Lists the known crawlers: product token, operator, purposes, what each does with robots.txt, and the tokens whose
/// groups it falls back on.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 listed, 1 none is known by that, 2 error.

Examples:
  robotsc agents --purpose ai-training
  robotsc agents google --sources
  robotsc agents --header 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)' --json")]
pub(crate) struct AgentsArgs {
    /// Those whose token or operator holds this text, in any case
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Those that fetch for this purpose; of several for any of them
    #[arg(long = "purpose", value_name = "PURPOSE", value_parser = purpose())]
    pub(crate) purposes: Vec<Purpose>,

    /// Those whose token stands in this User-Agent header
    #[arg(long, value_name = "UA", value_parser = token)]
    pub(crate) header: Option<String>,

    /// Show the page that states the facts, and the day on which it was last read
    #[arg(long)]
    pub(crate) sources: bool,

    /// Write JSON Lines, with the sources
    #[arg(long)]
    pub(crate) json: bool,
}

/// Writes a completion script for a shell.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  robotsc completions bash > ~/.local/share/bash-completion/completions/robotsc")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Writes the man pages.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  robotsc man -o ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// The directory that gets one page a command; without it the main page goes to standard output
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: Option<PathBuf>,
}

/// A product token or header: anything but nothing.
pub(crate) fn token(given: &str) -> Result<String, String> {
    if given.trim().is_empty() {
        return Err("it is empty; give a product token such as FooBot".to_owned());
    }
    Ok(given.to_owned())
}

/// The purposes of crawlers.
fn purpose() -> impl TypedValueParser<Value = Purpose> {
    PossibleValuesParser::new(Purpose::ALL.map(Purpose::name)).try_map(|name| name.parse::<Purpose>())
}

/// The five named dialects.
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
