//! The crawlers that a command line names by `--agent`, `--chain`, `--pool` and `--header`.

use robotsc_answers::identity::Identity;

use crate::args::AgentArgs;
use crate::failure::Failure;

/// Returns the crawlers that the arguments name: one for each `--agent`, unless they are chained or pooled.
pub(crate) fn all(args: &AgentArgs) -> Vec<Identity> {
    let tokens = args.agents.clone();
    match &args.header {
        Some(header) => vec![Identity::Header(header.clone())],
        None if tokens.len() > 1 && args.chain => vec![Identity::Chain(tokens)],
        None if tokens.len() > 1 && args.pool => vec![Identity::Pool(tokens)],
        None => tokens.into_iter().map(Identity::Token).collect(),
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
