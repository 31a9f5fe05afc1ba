//! The crawlers that a command line names by `--agent`, `--chain`, `--pool` and `--header`.

use robotsc::{AgentName, Policy, RobotsTxt};
use robotsc_answers::identity::Identity;
use robotsc_answers::known_agent::{doubt, is_named};

use crate::command_line::options::AgentArgs;
use crate::failure::{Failure, complain};

/// Returns the crawlers that the arguments name: one for each `--agent`, unless they are chained or pooled.
pub(crate) fn all(args: &AgentArgs) -> Vec<Identity> {
    let tokens = args.agents.clone();
    match &args.header {
        Some(header) => vec![Identity::Header(header.clone())],
        None if tokens.len() > 1 && args.chain => vec![Identity::Chain(tokens)],
        None if tokens.len() > 1 && args.pool => vec![Identity::Pool(tokens)],
        None => tokens.into_iter().map(|token| Identity::token(token, args.as_written)).collect(),
    }
}

/// Returns the crawlers that the arguments name.
///
/// # Errors
/// If they name none.
pub(crate) fn required(args: &AgentArgs) -> Result<Vec<Identity>, Failure> {
    let all = all(args);
    if all.is_empty() { Err(missing()) } else { Ok(all) }
}

/// Returns the error for a command line without a crawler where one is needed.
pub(crate) fn missing() -> Failure {
    Failure::new("no agent: the command line: name the crawler with --agent TOKEN or --header UA")
}

/// Warns of names that no group has and that are nearly those of known crawlers: what a misspelt name may fetch says
/// nothing about the crawler that was meant.
pub(crate) fn warn_of_misspelt(crawlers: &[Identity], robots: &RobotsTxt<'_>) {
    warn_of_unnamed(tokens(crawlers), &[robots]);
}

/// As [`warn_of_misspelt`], for a compiled file.
pub(crate) fn warn_of_misspelt_in(crawlers: &[Identity], policy: &Policy<'_>) {
    let is_unnamed = |name: &&str| AgentName::new(name).is_ok_and(|name| !policy.has_name(name));
    warn_of_near(tokens(crawlers).map(String::as_str).filter(is_unnamed));
}

/// Returns the names of crawlers that were given as names.
fn tokens(crawlers: &[Identity]) -> impl Iterator<Item = &String> {
    crawlers.iter().flat_map(|crawler| match crawler {
        Identity::Token(token) | Identity::Written(token) => std::slice::from_ref(token),
        Identity::Chain(tokens) | Identity::Pool(tokens) => tokens,
        Identity::Header(_) => &[],
    })
}

/// Warns of names that no group of these files has and that are nearly those of known crawlers.
pub(crate) fn warn_of_unnamed<'n>(names: impl IntoIterator<Item = &'n String>, files: &[&RobotsTxt<'_>]) {
    let is_unnamed = |name: &&str| !files.iter().any(|robots| is_named(robots, name));
    warn_of_near(names.into_iter().map(String::as_str).filter(is_unnamed));
}

/// Warns of names that no group is known to have and that are nearly those of known crawlers.
pub(crate) fn warn_of_near<'n>(names: impl IntoIterator<Item = &'n str>) {
    for name in names {
        if let Some(doubt) = doubt(name) {
            complain(&format!("warning: {name}: no group and no known crawler has this name: {doubt}"));
        }
    }
}
