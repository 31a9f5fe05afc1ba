//! What the parser noticed, as findings.

use robotsc_compiler::DiagnosticCode;

use super::check::Check;
use super::context::Context;
use super::finding::{Finding, Fix};
use super::groups;

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>) {
    for noticed in context.robots.diagnostics() {
        let check = Check::of_diagnostic(noticed.code);
        let Some(check) = context.check(check.code) else { continue };
        let text = noticed.span.of(context.body());
        let mut finding = Finding::new(check, noticed.line, noticed.span, noticed.message(context.body()));
        finding.fix = match noticed.code {
            DiagnosticCode::DeadPattern => {
                Some(Fix::replace("put a `/` before it", noticed.span, [b"/", text].concat()))
            }
            DiagnosticCode::UrlPattern => {
                let path =
                    context.robots.dialect().split_url(text).ok().map(|parts| parts.path.into_cow().into_owned());
                path.map(|path| Fix::replace("write the path alone", noticed.span, path))
            }
            DiagnosticCode::RuleOutsideGroup => Some(groups::insert_star(context, noticed.line)),
            _ => None,
        };
        // A second finding says more of the same line.
        let is_list = matches!(noticed.code, DiagnosticCode::AgentNotToken | DiagnosticCode::AgentNamesNobody)
            && context.found.iter().any(|found| found.line == noticed.line && found.check.code.starts_with("agent-"));
        let is_syntax =
            matches!(noticed.code, DiagnosticCode::InvalidContentSignal | DiagnosticCode::InvalidContentUsage)
                && context
                    .found
                    .iter()
                    .any(|found| found.line == noticed.line && found.check.code.ends_with("-syntax"));
        if !is_list && !is_syntax {
            context.found.push(finding);
        }
    }
}
