//! Known crawlers that obey other groups than their name alone would: the register says which.

use robotsc::agent::{Selection, SelectionReason};
use robotsc::analysis::words::listed;
use robotsc::bundled;
use robotsc::{AgentName, Crawler, RobotsTxt};

use super::markdown::code;

/// Returns the sentences about the known crawlers that obey a rule of `groups` though no group names them, and those
/// that do not obey it though it is for `*`.
pub(super) fn of_rule(robots: &RobotsTxt<'_>, groups: &[u32]) -> Vec<String> {
    let has_rule = |selection: &Selection| selection.groups.iter().any(|group| groups.contains(&group.0));
    let is_for_star = has_rule(&robots.select(&Crawler::others()));
    let (mut followers, mut exceptions) = (Vec::new(), Vec::new());
    for known in bundled::agents().iter().filter(|known| !known.retired) {
        let selection = robots.select(&known.crawler());
        match selection.reason {
            SelectionReason::StarIgnored if is_for_star => exceptions.push(code(known.token.as_bytes())),
            SelectionReason::Named(_)
                if !known.fallback.is_empty() && has_rule(&selection) && !is_named(robots, known.token) =>
            {
                followers.push(code(known.token.as_bytes()));
            }
            _ => {}
        }
    }
    let mut text = Vec::new();
    if !followers.is_empty() {
        let (verb, them) = if followers.len() == 1 { ("obeys", "it") } else { ("obey", "them") };
        text.push(format!("{} {verb} it, too, since no group names {them}.", listed(&followers)));
    }
    if !exceptions.is_empty() {
        let (verb, them) = if exceptions.len() == 1 { ("obeys", "it") } else { ("obey", "them") };
        text.push(format!("It does not count for {}, which {verb} only groups that name {them}.", listed(&exceptions)));
    }
    text
}

/// Reports whether a group of the file names a crawler.
fn is_named(robots: &RobotsTxt<'_>, token: &str) -> bool {
    let Ok(name) = AgentName::new(token) else { return false };
    matches!(robots.select(&Crawler::from(name)).reason, SelectionReason::Named(_))
}
