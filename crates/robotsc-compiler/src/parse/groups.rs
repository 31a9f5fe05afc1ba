//! From records to groups: `User-agent` lines, rules, and what stands between them.

use crate::dialect::{KeyMatch, LeadingSlash, Star, Typos};
use crate::parse::agent_value::token_length;
use crate::parse::diagnostic::DiagnosticCode;
use crate::parse::keys;
use crate::parse::record::{Record, RecordKind, RecordValue, is_absolute_url};
use crate::parse::{GroupState, Parser};
use crate::robots_txt::{AgentLine, Group, RuleKind, RuleLine};
use crate::span::ByteSpan;

impl Parser<'_> {
    /// Records a `User-agent` line. It joins the agents before it unless a rule has been read since (robots.cc:641).
    #[inline(always)]
    pub(crate) fn add_agent(&mut self, value: ByteSpan, line: u32) {
        if self.group_state == GroupState::Header {
            if self.record_in_header != 0 {
                let with = self.agents.last().map_or(0, |agent| agent.line);
                self.notice(DiagnosticCode::GroupMerge, value, line, with);
            }
        } else {
            self.close_group();
            let (agents, rules, records) = (count(&self.agents), count(&self.rules), count(&self.records));
            self.groups.push(Group { agents: agents..agents, rules: rules..rules, records: records..records });
            self.group_state = GroupState::Header;
        }
        self.record_in_header = 0;
        let text = value.of(self.body);
        let is_star = is_star(text, self.dialect.star);
        let length = if is_star { 0 } else { token_length(text, self.dialect.agent_value) };
        let named = if is_star { 1 } else { length };
        if named == 0 {
            self.notice(DiagnosticCode::AgentNamesNobody, value, line, 0);
        } else if named < text.len() {
            self.notice(DiagnosticCode::AgentNotToken, value, line, named as u32);
        }
        let token = ByteSpan { start: value.start, end: value.start + length as u32 };
        self.agents.push(AgentLine { value, token, is_star, line });
    }

    /// Records an `Allow` or `Disallow` line.
    #[inline(always)]
    pub(crate) fn add_rule(&mut self, kind: RuleKind, value: ByteSpan, line: u32) {
        if self.group_state == GroupState::Outside {
            self.notice(DiagnosticCode::RuleOutsideGroup, value, line, 0);
            return;
        }
        self.group_state = GroupState::Rules;
        match value.of(self.body) {
            [b'/' | b'*', ..] => {}
            [] => {
                if kind == RuleKind::Allow {
                    self.notice(DiagnosticCode::EmptyAllow, value, line, 0);
                }
            }
            text => {
                let code = match self.dialect.leading_slash {
                    LeadingSlash::Assumed => DiagnosticCode::AssumedSlash,
                    LeadingSlash::Required if is_absolute_url(text) => DiagnosticCode::UrlPattern,
                    LeadingSlash::Required => DiagnosticCode::DeadPattern,
                };
                self.notice(code, value, line, 0);
            }
        }
        self.rules.push(RuleLine { kind, value, line });
    }

    /// Records any other record.
    #[inline(always)]
    pub(crate) fn add_record(&mut self, record: Record) {
        let is_plain_sitemap = record.kind == RecordKind::Sitemap && is_absolute_url(record.value.of(self.body));
        if !is_plain_sitemap {
            self.notice_record(&record);
        }
        if self.group_state == GroupState::Header {
            self.record_in_header = record.line;
            if self.dialect.any_record_closes {
                self.group_state = GroupState::Rules;
            }
        }
        self.records.push(record);
    }

    /// Reports what is odd about a record's key or value.
    fn notice_record(&mut self, record: &Record) {
        let invalid = match record.kind {
            RecordKind::Sitemap => DiagnosticCode::InvalidSitemap,
            RecordKind::CrawlDelay => DiagnosticCode::InvalidCrawlDelay,
            RecordKind::RequestRate => DiagnosticCode::InvalidRequestRate,
            RecordKind::VisitTime => DiagnosticCode::InvalidVisitTime,
            RecordKind::Host => DiagnosticCode::InvalidHost,
            RecordKind::CleanParam => DiagnosticCode::InvalidCleanParam,
            RecordKind::ContentSignal => DiagnosticCode::InvalidContentSignal,
            RecordKind::ContentUsage => DiagnosticCode::InvalidContentUsage,
            RecordKind::Noindex | RecordKind::Unused => {
                return self.notice(DiagnosticCode::UnusedKey, record.key, record.line, 0);
            }
            RecordKind::Unknown if keys::is_of_others(record.key.of(self.body)) => return,
            RecordKind::Unknown => {
                let is_lenient = self.dialect.key_match == KeyMatch::Prefix && self.dialect.typos == Typos::Accepted;
                let code = match is_lenient || keys::is_unknown_everywhere(record.key.of(self.body)) {
                    true => DiagnosticCode::UnknownKey,
                    false => DiagnosticCode::RefusedKey,
                };
                return self.notice(code, record.key, record.line, 0);
            }
        };
        let is_valid = match record.value(self.body) {
            Some(RecordValue::ContentSignal(record) | RecordValue::ContentUsage(record)) => {
                !record.statement.is_empty()
            }
            value => value.is_some(),
        };
        if record.kind == RecordKind::Host {
            self.notice(DiagnosticCode::UnusedKey, record.key, record.line, 0);
        }
        if !is_valid {
            self.notice(invalid, record.value, record.line, 0);
        }
    }

    /// Ends the group that is open, if one is.
    pub(crate) fn close_group(&mut self) {
        if self.group_state != GroupState::Outside
            && let Some(group) = self.groups.last_mut()
        {
            group.agents.end = count(&self.agents);
            group.rules.end = count(&self.rules);
            group.records.end = count(&self.records);
        }
    }
}

/// Returns the number of items; there are fewer than bytes in a body.
fn count<T>(items: &[T]) -> u32 {
    items.len() as u32
}

/// Reports whether a `User-agent` value names every agent.
fn is_star(value: &[u8], star: Star) -> bool {
    match value {
        [b'*'] => true,
        // C's isspace; a value holds no line end
        [b'*', b' ' | b'\t' | 0x0B | 0x0C, ..] => star == Star::BeforeText,
        _ => false,
    }
}
