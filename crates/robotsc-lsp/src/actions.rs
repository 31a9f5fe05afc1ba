//! Quick fixes, the fix of all that is safe, comments that suppress a finding, and rewrites of the file.

use gen_lsp_types::{CodeAction, CodeActionKind, CodeActionParams, CodeActionTriggerKind, Diagnostic, Range, TextEdit};
use lsp_server::{ErrorCode, ResponseError};
use robotsc::analysis::lint::{Finding, fixed};
use robotsc::analysis::words::capitalized;
use serde_json::{Value, json};

use crate::client::Client;
use crate::diagnostics::{self, Related};
use crate::document::Document;
use crate::edits;
use crate::positions::Positions;
use crate::worker::error;

/// The maximum number of findings that actions are offered for, and of proofs that a fix keeps the meaning: a request
/// for a whole file is about hundreds, and "fix all" is for them.
const MAX_FINDINGS: usize = 20;

/// Returns the actions for a range.
///
/// Cost: that of the lint if it has not run, and of a comparison of two files for each safe fix, all within work
/// budgets. Never panics.
pub(crate) fn actions(document: &Document, params: &CodeActionParams, client: &Client) -> Vec<CodeAction> {
    let positions = document.positions();
    let mut actions = Vec::new();
    if wants(params, &CodeActionKind::QuickFix) {
        let is_here = |finding: &&Finding| overlap(diagnostics::range(&positions, finding), params.range);
        let here: Vec<&Finding> = document.findings().iter().filter(is_here).take(MAX_FINDINGS).collect();
        actions.extend(here.iter().filter_map(|finding| fix(document, &positions, finding, client)));
        // A comment that suppresses nothing is deleted, not suppressed.
        let suppressed = here.iter().filter(|finding| finding.check.code() != "unused-suppression");
        actions.extend(suppressed.map(|finding| suppression(document, &positions, finding, client)));
    }
    if wants(params, &CodeActionKind::SourceFixAll) {
        actions.extend(fix_all(document, params, client));
    }
    // Where nothing is wrong, an editor that asks at each move of the cursor would show its sign for rewrites alone.
    // What a rewrite makes is proved, which takes longer than a person waits for a menu.
    let is_asked_for = params.context.trigger_kind != Some(CodeActionTriggerKind::Automatic);
    if is_asked_for && client.resolves_edits && wants(params, &CodeActionKind::RefactorRewrite) {
        actions.extend(document.lazy_profile.rewrites(&document.text).into_iter().map(|rewrite| CodeAction {
            title: rewrite.title,
            kind: Some(CodeActionKind::RefactorRewrite),
            data: Some(json!({ "uri": document.uri, "rewrite": rewrite.name })),
            ..CodeAction::default()
        }));
    }
    actions
}

/// Returns an action that was chosen, with its edit.
///
/// # Errors
/// If it is a rewrite that cannot be made, and why.
pub(crate) fn resolved(
    document: &Document,
    mut action: CodeAction,
    client: &Client,
) -> Result<CodeAction, ResponseError> {
    if action.edit.is_none() {
        let rewrite = action.data.as_ref().and_then(|data| data.get("rewrite")).and_then(Value::as_str);
        let edits = match rewrite {
            Some(name) => {
                let after = document.lazy_profile.rewritten(&document.text, name);
                let after = after.map_err(|message| error(ErrorCode::RequestFailed, &message))?;
                edits::between(&after, &document.positions())
            }
            None => safe_edits(document),
        };
        action.edit = Some(edits::of_document(document, edits, client.knows_versions));
    }
    Ok(action)
}

/// Reports whether the editor asks for actions of a kind, or of any.
fn wants(params: &CodeActionParams, kind: &CodeActionKind) -> bool {
    let name = String::from(kind.clone());
    let is_part = |only: &CodeActionKind| {
        let only = String::from(only.clone());
        only.is_empty() || name == only || name.starts_with(&format!("{only}."))
    };
    params.context.only.as_ref().is_none_or(|only| only.iter().any(is_part))
}

fn overlap(one: Range, other: Range) -> bool {
    one.start <= other.end && other.start <= one.end
}

/// Returns the fix of a finding, if there is one.
fn fix(document: &Document, positions: &Positions<'_>, finding: &Finding, client: &Client) -> Option<CodeAction> {
    let fix = finding.fix.as_ref()?;
    let (edits, after) = edits::of_fix(&document.text, fix, positions)?;
    let is_proved = fix.keeps_meaning(document.text.as_bytes(), after.as_bytes(), document.profile().dialect);
    let effect = match (is_proved, fix.is_safe) {
        (true, _) => "no verdict changes",
        (false, true) => "may change verdicts",
        (false, false) => "changes the meaning",
    };
    Some(CodeAction {
        title: format!("{} ({}: {effect})", capitalized(&fix.title), finding.check.code()),
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: Some(vec![diagnostic(document, positions, finding, client)]),
        is_preferred: is_proved.then_some(true),
        edit: Some(edits::of_document(document, edits, client.knows_versions)),
        ..CodeAction::default()
    })
}

/// The reason of a suppression, which the person replaces by a better one.
const REASON: &str = "kept on purpose";

/// Returns the action that inserts a comment. It is whole: a suppression without a reason is a finding.
fn suppression(document: &Document, positions: &Positions<'_>, finding: &Finding, client: &Client) -> CodeAction {
    let code = finding.check.code();
    let line = positions.line(finding.line.saturating_sub(1));
    let whole_file = finding.line == 0;
    let has_comment = document.text[line.clone()].contains('#');
    let ending = String::from_utf8_lossy(positions.lines.end_of_line()).into_owned();
    let after_mark = if document.text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let (at, new_text) = match whole_file {
        true => (after_mark, format!("# robotsc: ignore-file {code} {REASON}{ending}")),
        // A line that has a comment gets one above.
        false if has_comment => (line.start, format!("# robotsc: ignore {code} {REASON}{ending}")),
        false => (line.end, format!(" # robotsc: ignore {code} {REASON}")),
    };
    let place = if whole_file { "in this file" } else { "on this line" };
    let edit = TextEdit { range: positions.range(at..at), new_text };
    CodeAction {
        title: format!("Suppress {code} {place} (with a reason)"),
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: Some(vec![diagnostic(document, positions, finding, client)]),
        edit: Some(edits::of_document(document, vec![edit], client.knows_versions)),
        ..CodeAction::default()
    }
}

/// Returns the action that applies all safe fixes. It costs many proofs, so that an editor which asks for the edit
/// later gets it later.
fn fix_all(document: &Document, params: &CodeActionParams, client: &Client) -> Option<CodeAction> {
    let is_asked_for = params.context.only.is_some();
    if !document.findings().iter().any(|finding| finding.fix.as_ref().is_some_and(|fix| fix.is_safe)) {
        return None;
    }
    let mut action = CodeAction {
        title: "Apply all safe fixes (no verdict changes)".to_owned(),
        kind: Some(CodeActionKind::SourceFixAll),
        ..CodeAction::default()
    };
    if client.resolves_edits && !is_asked_for {
        action.data = Some(json!({ "uri": document.uri }));
        return Some(action);
    }
    let edits = safe_edits(document);
    if edits.is_empty() {
        return None;
    }
    action.edit = Some(edits::of_document(document, edits, client.knows_versions));
    Some(action)
}

/// Returns the edits of all safe fixes, which are proved.
fn safe_edits(document: &Document) -> Vec<TextEdit> {
    let profile = document.profile();
    let fixed = fixed(document.text.as_bytes(), profile.dialect, &profile.lint, false);
    let after = String::from_utf8(fixed.body).unwrap_or_else(|_| document.text.clone());
    edits::between(&after, &document.positions())
}

/// Returns the finding that an action is for.
fn diagnostic(document: &Document, positions: &Positions<'_>, finding: &Finding, client: &Client) -> Diagnostic {
    let mut related = Related::new(document, positions, client.shows_related);
    diagnostics::diagnostic(document, positions, finding, &mut related)
}
