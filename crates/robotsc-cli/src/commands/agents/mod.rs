//! `agents`: the register of known crawlers, as a table or as JSON Lines.

use std::collections::BTreeSet;
use std::io::Write as _;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use robotsc::agent::HeaderNames;
use robotsc::bundled::{self, KnownAgent, Purpose};
use robotsc_answers::known_agent;

use crate::command_line::options::header;
use crate::failure::{End, Failure, complain};
use crate::io::output;
use crate::io::table::Table;

/// Lists known crawlers: product token, operator, purposes, what each does with robots.txt, and the tokens whose groups
/// it obeys if no group names it.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 listed, 1 no crawler found, 2 error.

Examples:
  robotsc agents --purpose ai-training
  robotsc agents google --sources
  robotsc agents --header 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)' --json")]
pub(crate) struct AgentsArgs {
    /// Only crawlers whose token or operator contains this text, in any case
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Only crawlers that fetch for this purpose; with several, for any of them
    #[arg(long = "purpose", value_name = "PURPOSE", value_parser = purpose())]
    pub(crate) purposes: Vec<Purpose>,

    /// Only crawlers whose token is in this User-Agent header
    #[arg(long, value_name = "UA", value_parser = header)]
    pub(crate) header: Option<String>,

    /// Show the page that states the facts, and the day when it was last read
    #[arg(long)]
    pub(crate) sources: bool,

    /// Write JSON Lines, with the sources
    #[arg(long)]
    pub(crate) json: bool,
}

/// Parses the purpose of a crawler.
fn purpose() -> impl TypedValueParser<Value = Purpose> {
    PossibleValuesParser::new(Purpose::ALL.map(Purpose::name)).try_map(|name| name.parse::<Purpose>())
}

/// Runs the command.
pub(crate) fn agents(args: &AgentsArgs) -> Result<End, Failure> {
    let in_header = args.header.as_deref().map(tokens_in).transpose()?;
    let listed: Vec<&KnownAgent> = bundled::agents()
        .iter()
        .filter(|agent| args.name.as_deref().is_none_or(|name| is_called(agent, name)))
        .filter(|agent| args.purposes.is_empty() || agent.purposes.iter().any(|own| args.purposes.contains(own)))
        .filter(|agent| in_header.as_ref().is_none_or(|tokens| tokens.contains(agent.token)))
        .collect();
    let mut out = output::stdout();
    if args.json {
        for agent in &listed {
            output::json_line(&mut out, &known_agent::json(agent))?;
        }
    } else if !listed.is_empty() {
        table(&listed, args.sources).write(&mut out, "")?;
    }
    out.flush()?;
    if listed.is_empty() {
        complain("no crawler found: the register: see all of it with 'robotsc agents'");
    }
    Ok(if listed.is_empty() { End::Findings } else { End::Clean })
}

/// Returns the registered tokens that a header contains.
fn tokens_in(header: &str) -> Result<BTreeSet<String>, Failure> {
    let known = HeaderNames::new(bundled::agents().iter().map(|agent| agent.token))
        .map_err(|error| Failure::new(format_args!("cannot use --header: {error}")))?;
    Ok(known.find(header.as_bytes()).map(|token| String::from_utf8_lossy(token).into_owned()).collect())
}

/// Returns whether the token or the operator of a crawler contains a name, in any case.
fn is_called(agent: &KnownAgent, name: &str) -> bool {
    let name = name.to_lowercase();
    [agent.token, agent.operator].iter().any(|own| own.to_lowercase().contains(&name))
}

fn table(agents: &[&KnownAgent], sources: bool) -> Table {
    if sources {
        let mut table = Table::new(&["token", "source", "read"]);
        for agent in agents {
            table.row([agent.token.to_owned(), agent.source.to_owned(), agent.checked.to_owned()]);
        }
        return table;
    }
    let mut table = Table::new(&["token", "operator", "purposes", "robots.txt", "fallback"]);
    for agent in agents {
        let robots = match agent.robots {
            _ if agent.retired => "retired".to_owned(),
            _ if agent.control => "control only".to_owned(),
            robots => robots.to_string(),
        };
        let purposes: Vec<&str> = agent.purposes.iter().map(|purpose| purpose.name()).collect();
        table.row([
            agent.token.to_owned(),
            agent.operator.to_owned(),
            purposes.join(", "),
            robots,
            agent.fallback.join(", "),
        ]);
    }
    table.style(|cell| match cell {
        "obeyed" | "obeyed-by-name" => Some(output::ALLOWED),
        "ignored" | "disobeyed" | "may-be-ignored" => Some(output::DISALLOWED),
        _ => None,
    });
    table
}
