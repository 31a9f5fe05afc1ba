//! Crawlers that are named, while others of their operator are not; and those that do not obey.
//!
//! ```text
//! User-agent: GPTBot
//! Disallow: /                agent-siblings: OAI-SearchBot and ChatGPT-User obey the group of `*`
//! ```

use std::collections::HashSet;

use robotsc_compiler::RuleKind;

use super::check::LintCheck;
use super::context::Context;
use super::finding::Finding;
use super::known_name::KnownName;
use crate::text::words::listed;

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>, known: &[KnownName]) {
    let (siblings, unenforceable) =
        (context.check(LintCheck::AgentSiblings), context.check(LintCheck::AgentUnenforceable));
    if siblings.is_none() && unenforceable.is_none() {
        return;
    }
    let (robots, body) = (context.robots, context.body());
    let named: HashSet<Vec<u8>> =
        robots.agents().iter().map(|agent| agent.written(body).to_ascii_lowercase()).collect();
    // The others obey the group for `*`, which can close them out, too.
    let others = context.obeyed.iter().filter(|obeyed| obeyed.audience.has_others);
    let are_others_open = others.map(|obeyed| obeyed.is_allowed(b"/")).any(|allowed| allowed == Ok(true));
    let (mut tokens, mut operators): (HashSet<&str>, HashSet<&str>) = Default::default();
    let mut found = Vec::new();
    for group in robots.groups() {
        let is_closed = robots
            .rules_of(group)
            .iter()
            .any(|rule| rule.kind == RuleKind::Disallow && matches!(rule.value.of(body), b"/" | b"/*" | b"*"));
        for agent in robots.agents_of(group).iter().filter(|agent| !agent.is_star) {
            let written = agent.written(body);
            let Some(known) = known.iter().find(|known| known.token.as_bytes().eq_ignore_ascii_case(written)) else {
                continue;
            };
            if let Some(check) = unenforceable.filter(|_| known.may_ignore && tokens.insert(&known.token)) {
                let message =
                    format!("{} does not always obey robots.txt: its operator says so, or it was seen", known.token);
                found.push(Finding::new(check, agent.line, agent.value, message));
            }
            let Some(check) = siblings.filter(|_| is_closed && are_others_open && !known.operator.is_empty()) else {
                continue;
            };
            let is_open = |token: &&String| !named.contains(&token.as_bytes().to_ascii_lowercase());
            let open: Vec<&String> = known.siblings.iter().filter(is_open).collect();
            if !open.is_empty() && operators.insert(&known.operator) {
                let message = format!(
                    "{} is closed out, and no group names {} of {}",
                    known.token,
                    listed(&open),
                    known.operator
                );
                found.push(Finding::new(check, agent.line, agent.value, message));
            }
        }
    }
    context.found.extend(found);
}
