//! `tie-decides`: paths whose verdict depends on the rule that a tie goes to Allow.

use std::collections::BTreeSet;

use robotsc_compiler::ByteSpan;

use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::Finding;

/// Runs the check.
pub(super) fn check(context: &mut Context<'_>) {
    let Some(check) = context.check(LintCheck::TieDecides) else { return };
    let mut seen = BTreeSet::new();
    let mut undecided = false;
    let mut found = Vec::new();
    for obeyed in &context.obeyed {
        let Ok(ties) = obeyed.rules.ties() else {
            undecided = true;
            continue;
        };
        for tie in ties {
            let (allow, disallow) = (obeyed.rules.rule(tie.allow).line, obeyed.rules.rule(tie.disallow).line);
            let Some(rule) = context.rule_of_line(allow).filter(|_| seen.insert((allow, disallow))) else { continue };
            let message = format!(
                "{} and line {disallow} are equally long and match the same path: Allow decides",
                quoted(context.lines.text(allow).trim_ascii())
            );
            found.push(Finding::new(check, allow, rule.value, message).witness(&tie.path).related([disallow]));
        }
    }
    context.found.extend(found);
    if undecided {
        context.report(
            LintCheck::NotDecided,
            0,
            ByteSpan::default(),
            "whether rules of equal length meet was not decided",
        );
    }
}
