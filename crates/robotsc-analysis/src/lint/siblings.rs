//! Crawlers that are named, while others of their operator are not; and those that do not obey.
//!
//! ```text
//! User-agent: GPTBot
//! Disallow: /                agent-siblings: OAI-SearchBot and ChatGPT-User obey the group of `*`
//! ```

use std::collections::HashSet;

use robotsc_compiler::{ByteSpan, RuleKind};

use super::check::LintCheck;
use super::context::Context;
use super::finding::Finding;
use super::known_name::KnownName;
use crate::search::NotDecided;
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
    let are_others_open = are_others_open(context);
    let mut is_decided = true;
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
                let message = format!(
                    "{} does not always obey robots.txt: its operator says so, or it was observed not to obey",
                    known.token
                );
                found.push(Finding::new(check, agent.line, agent.value, message));
            }
            let may_be_open = are_others_open != Ok(false);
            let Some(check) = siblings.filter(|_| is_closed && may_be_open && !known.operator.is_empty()) else {
                continue;
            };
            let is_open = |token: &&String| !named.contains(&token.as_bytes().to_ascii_lowercase());
            let open: Vec<&String> = known.siblings.iter().filter(is_open).collect();
            if !open.is_empty() && are_others_open.is_err() {
                is_decided = false;
            } else if !open.is_empty() && operators.insert(&known.operator) {
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
    if !is_decided {
        let message = "whether others of the operators whose crawlers are closed out may fetch `/` was not decided";
        context.report(LintCheck::NotDecided, 0, ByteSpan::default(), message);
    }
}

/// Reports whether the agents that no group names can fetch `/`.
fn are_others_open(context: &Context<'_>) -> Result<bool, NotDecided> {
    let mut others = context.obeyed.iter().filter(|obeyed| obeyed.audience.has_others);
    others.try_fold(false, |is_open, obeyed| Ok(is_open || obeyed.is_allowed(b"/")?))
}

#[cfg(test)]
mod tests {
    use robotsc_compiler::RobotsTxt;

    use super::*;
    use crate::lint::Lint;
    use crate::search::SearchBudget;

    #[test]
    fn whether_others_are_open_is_decided_within_the_budget() {
        let known = KnownName {
            operator: "OpenAI".to_owned(),
            siblings: vec!["ChatGPT-User".to_owned()],
            ..KnownName::new("GPTBot")
        };
        let lint = LintCheck::ALL.iter().fold(Lint::new(), |lint, check| lint.ignore(*check));
        let lint = lint.select(LintCheck::AgentSiblings).select(LintCheck::NotDecided).known_names([known]);
        for (others, work, wanted) in [
            ("", SearchBudget::IN_ALL, &["agent-siblings"][..]),
            ("User-agent: *\nDisallow: /\n", SearchBudget::IN_ALL, &[]),
            ("", 0, &["not-decided"]),
            ("User-agent: *\nDisallow: /\n", 0, &["not-decided"]),
            ("User-agent: ChatGPT-User\nDisallow: /\n", 0, &[]),
        ] {
            let body = format!("User-agent: GPTBot\nDisallow: /\n{others}");
            let found = lint.run_within(&RobotsTxt::parse(body.as_bytes()), &SearchBudget::new(work, work));
            // Other checks are not decided, either.
            let own = found.iter().filter(|finding| {
                finding.check != LintCheck::NotDecided || finding.message.starts_with("whether others of")
            });
            let codes: Vec<&str> = own.map(|finding| finding.check.code()).collect();
            assert_eq!(codes, wanted, "{others} {work}");
        }
    }
}
