//! The groups of a robots.txt that a set names.
//!
//! What a site serves can hold lines that no crawler obeys. A file that a build names was written to be obeyed, so a
//! line that loses a rule is an error. So is a file that states no rule.

use std::collections::BTreeSet;
use std::sync::Arc;

use robotsc_compiler::{AgentLine, AgentName, ByteSpan, DiagnosticCode, RobotsTxt, RuleKind, RuleLine, Severity};

use super::layer::{GroupAgents, Lowering, bad_path};
use crate::diagnostic::{Code, Diagnostic, SourceFile, SourceSpan, likely, quoted, shown};
use crate::normalize::{self, PathFault};
use crate::read::schema::RuleSetEntry;

/// The most warnings about one robots.txt that are kept; the others are counted.
const MAX_WARNINGS: usize = 20;

/// The directives of groups.
const DIRECTIVES: [&str; 3] = ["user-agent", "disallow", "allow"];

impl Lowering<'_> {
    /// Adds the groups of a robots.txt. Warnings are for the set that names the file: `own` is that set, unless it is
    /// only extended.
    pub(super) fn robots(&mut self, source: &Arc<SourceFile>, own: Option<&RuleSetEntry>) {
        let robots = RobotsTxt::parse_with(&source.bytes, self.dialect);
        // A body that was decoded is another text than the file's.
        let source = &if robots.body() == source.bytes {
            Arc::clone(source)
        } else {
            SourceFile::new(source.name.clone(), source.path.clone(), robots.body().to_vec())
        };
        self.notice(&robots, source, own.is_some());
        let mut count = 0;
        for group in robots.groups() {
            let (mut tokens, mut has_star) = (BTreeSet::new(), false);
            for agent in robots.agents_of(group) {
                self.agent_line(agent, source, own);
                has_star |= agent.is_star;
                let keys = robots.agent_keys(agent).filter_map(|key| String::from_utf8(key).ok());
                tokens.extend(keys);
            }
            let agents = GroupAgents { tokens, has_star };
            self.open(&agents);
            for line in robots.rules_of(group) {
                count += 1;
                if !self.rule_line(&agents, line, source) {
                    return;
                }
            }
        }
        if count == 0 {
            let (message, help) = match robots.body_kind().is_robots() {
                true => {
                    ("the robots.txt states no rule", "to allow everything on purpose, write `Allow: /` in a group")
                }
                false => (
                    "no line is a directive in a group, so that everything would be allowed",
                    "name the robots.txt itself, not an error page; rules follow a `User-agent` line",
                ),
            };
            let error = Diagnostic::error(Code::RobotsTxt, message).in_file(source.path.clone());
            self.found.push(error.help(help));
        }
    }

    /// Reports what the parser noticed.
    fn notice(&mut self, robots: &RobotsTxt<'_>, source: &Arc<SourceFile>, is_own: bool) {
        let mut warnings = 0;
        for noticed in robots.diagnostics() {
            let loses = loses_rule(noticed.code, noticed.span.of(robots.body()));
            let message = noticed.message(robots.body());
            let diagnostic = match noticed.severity {
                _ if loses => Diagnostic::error(Code::RobotsTxt, message),
                _ if noticed.code == DiagnosticCode::AgentNamesNobody => continue,
                Severity::Info => continue,
                _ if !is_own => continue,
                _ => {
                    warnings += 1;
                    if warnings > MAX_WARNINGS {
                        continue;
                    }
                    Diagnostic::warning(Code::RobotsTxt, message)
                }
            };
            self.found.push(diagnostic.at(spot(source, noticed.span), noticed.code.as_str()));
        }
        if warnings > MAX_WARNINGS {
            let message = format!("{} more lines that are not understood", warnings - MAX_WARNINGS);
            self.found.push(Diagnostic::warning(Code::RobotsTxt, message).in_file(source.path.clone()));
        }
    }

    /// Reports a `User-agent` line that names fewer crawlers than it seems to, or one that is nearly a known one.
    fn agent_line(&mut self, agent: &AgentLine, source: &Arc<SourceFile>, own: Option<&RuleSetEntry>) {
        if agent.is_star {
            return;
        }
        let value = String::from_utf8_lossy(agent.value.of(&source.bytes));
        let (name, version) = value.split_once('/').unwrap_or((&value, ""));
        if AgentName::new(name).is_ok() && name != "Mozilla" && !version.contains([' ', '\t', ',', ';']) {
            if let Some(own) = own {
                self.check_spelling(name, own, spot(source, agent.value));
            }
            return;
        }
        let token = String::from_utf8_lossy(agent.token.of(&source.bytes));
        let read = if token.is_empty() { "nobody".to_owned() } else { quoted(&token) };
        let message = format!("{} names {read}: the rest of the line is no part of a name", quoted(&value));
        let error = Diagnostic::error(Code::BadAgent, message).at(spot(source, agent.value), "not one agent name");
        self.found
            .push(error.help("write a `User-agent` line for each name, with nothing after the name, or `*` alone"));
    }

    /// Adds a rule; `false` if the set has too many.
    fn rule_line(&mut self, agents: &GroupAgents, line: &RuleLine, source: &Arc<SourceFile>) -> bool {
        let value = line.value.of(&source.bytes);
        let directive = match line.kind {
            RuleKind::Allow => "Allow",
            RuleKind::Disallow => "Disallow",
        };
        let spot = spot(source, line.value);
        if !self.count(&spot, agents.len()) {
            return false;
        }
        let Ok(text) = str::from_utf8(value) else {
            let escaped: String = value.iter().map(|byte| escaped(*byte)).collect();
            let message = format!("the value of `{directive}` is not UTF-8");
            let error = Diagnostic::error(Code::RobotsTxt, message).at(spot, "not UTF-8");
            let help = format!("write the file as UTF-8, or {} if URLs hold these bytes", quoted(&escaped));
            self.found.push(error.help(help));
            return true;
        };
        match normalize::path(self.dialect, value) {
            Err(fault @ (PathFault::WhiteSpace | PathFault::NoPath)) => self.found.push(bad_path(text, fault, &spot)),
            // The parser reports the first two, and splits a pattern of two meanings. An empty value has one, too. What
            // a robots.txt says in another notation is for lint.
            Err(PathFault::NoSlash | PathFault::Fragment | PathFault::TwoMeanings | PathFault::Empty) => {}
            Ok(_) | Err(PathFault::Regex | PathFault::List) => {}
        }
        let text = format!("{directive}: {}", shown(text));
        let place = self.place(spot, text.trim_end().to_owned());
        self.push(agents, line.kind, value, place);
        true
    }
}

fn spot(source: &Arc<SourceFile>, span: ByteSpan) -> SourceSpan {
    SourceSpan::new(source, span.start as usize..span.end as usize)
}

fn escaped(byte: u8) -> String {
    if byte.is_ascii() { char::from(byte).to_string() } else { format!("%{byte:02X}") }
}

/// Reports whether what was noticed can lose a rule; `text` is what it is about.
fn loses_rule(code: DiagnosticCode, text: &[u8]) -> bool {
    match code {
        DiagnosticCode::Utf16Bom
        | DiagnosticCode::Utf16Invalid
        | DiagnosticCode::FileCut
        | DiagnosticCode::LineCut
        | DiagnosticCode::RefusedKey
        | DiagnosticCode::RuleOutsideGroup
        | DiagnosticCode::DeadPattern
        | DiagnosticCode::UrlPattern => true,
        DiagnosticCode::NoColon | DiagnosticCode::UnknownKey => {
            let text = String::from_utf8_lossy(text);
            let first = text.split([' ', '\t', '=', ';', '/', '\u{ff1a}', '\u{a0}']).next().unwrap_or_default();
            first.len() > 3 && likely(first.trim_start_matches('\u{feff}'), DIRECTIVES).is_some()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_were_meant_as_directives() {
        for (text, meant) in [
            ("Disallow /x", true),
            ("Dissalow", true),
            ("disallow=/x", true),
            ("Disallow\u{ff1a}/x", true),
            ("User agent", false),
            ("UserAgents", true),
            ("line 1 of prose", false),
            ("Noindex", false),
            ("Host", false),
            ("Crawl-delay", false),
            ("Sitemaps", false),
            ("<html>", false),
            ("all", false),
        ] {
            for code in [DiagnosticCode::NoColon, DiagnosticCode::UnknownKey] {
                assert_eq!(loses_rule(code, text.as_bytes()), meant, "{text}");
            }
        }
    }
}
