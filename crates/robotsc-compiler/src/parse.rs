//! From octets to a [`RobotsTxt`]: lines, records, groups.

use std::borrow::Cow;

use crate::diagnostic::{Diagnostic, DiagnosticCode};
use crate::dialect::{AgentValue, Bom, Dialect, LeadingSlash, Star};
use crate::keys::{Directive, Spelling};
use crate::lines::{self, Content, Line};
use crate::record::{Record, RecordKind};
use crate::robots_txt::{AgentLine, Group, RobotsTxt, RuleKind, RuleLine};
use crate::span::ByteSpan;

/// Places are counted in `u32`; a body is cut there whatever the dialect says.
const MAX_BODY: usize = u32::MAX as usize - 1;

pub(crate) fn parse<'a>(body: &'a [u8], dialect: &Dialect) -> RobotsTxt<'a> {
    let mut parser = Parser::new(body, dialect);
    parser.run();
    RobotsTxt {
        body: Cow::Borrowed(body),
        dialect: dialect.clone(),
        groups: parser.groups,
        agents: parser.agents,
        rules: parser.rules,
        records: parser.records,
        diagnostics: parser.diagnostics,
    }
}

/// Where the parser stands with respect to groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In no group.
    Outside,
    /// Among the `User-agent` lines of a group: another one joins them.
    Header,
    /// Behind them: another `User-agent` line opens a new group.
    Rules,
}

pub(crate) struct Parser<'p> {
    body: &'p [u8],
    pub(crate) dialect: &'p Dialect,
    /// Octets of a line that are read.
    pub(crate) max_line: usize,
    /// Whether the part of the body that is read holds neither CR nor NUL; looked up when it is first wanted.
    pub(crate) has_no_cr_nor_nul: Option<bool>,
    place: Place,
    /// The line of a record that stands behind the last `User-agent` line of the open header; 0 for none.
    record_in_header: u32,
    groups: Vec<Group>,
    agents: Vec<AgentLine>,
    rules: Vec<RuleLine>,
    records: Vec<Record>,
    diagnostics: Vec<Diagnostic>,
}

impl<'p> Parser<'p> {
    fn new(body: &'p [u8], dialect: &'p Dialect) -> Self {
        Self {
            body,
            dialect,
            max_line: dialect.max_line.map_or(usize::MAX, |limit| limit as usize),
            has_no_cr_nor_nul: None,
            place: Place::Outside,
            record_in_header: 0,
            groups: Vec::new(),
            agents: Vec::new(),
            rules: Vec::new(),
            records: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    fn run(&mut self) {
        let start = self.skip_bom();
        let end = self.cut_file(start);
        let body = &self.body[..end];
        let mut at = Some(start);
        let mut number = 0;
        while let Some(start) = at {
            number += 1;
            if let Some(next) = self.plain_line(body, start, number) {
                at = Some(next);
                continue;
            }
            let line = lines::line_at(body, start);
            self.line(line, number);
            at = line.next;
        }
        self.close_group();
        if end < self.body.len() {
            let rules = self.count_rules(end);
            self.notice(DiagnosticCode::FileCut, ByteSpan::new(end, self.body.len()), number, rules);
        }
    }

    fn notice(&mut self, code: DiagnosticCode, span: ByteSpan, line: u32, detail: u32) {
        self.diagnostics.push(Diagnostic::new(code, span, line, detail));
    }

    /// Skips a byte order mark, or what there is of one.
    fn skip_bom(&mut self) -> usize {
        const BOM: [u8; 3] = [0xEF, 0xBB, 0xBF];
        let present = self.body.iter().zip(BOM).take_while(|&(&octet, mark)| octet == mark).count();
        if (1..BOM.len()).contains(&present) && self.dialect.bom == Bom::WholeExpected {
            self.notice(DiagnosticCode::PartialBom, ByteSpan::new(0, present), 1, 0);
        }
        if self.body.starts_with(&[0xFF, 0xFE]) || self.body.starts_with(&[0xFE, 0xFF]) {
            self.notice(DiagnosticCode::Utf16Bom, ByteSpan::new(0, 2), 1, 0);
        }
        present
    }

    /// Where reading ends: at the end of the body, or behind the last line end within the limit.
    fn cut_file(&self, start: usize) -> usize {
        let limit = self.dialect.max_file.map_or(MAX_BODY, |limit| (limit as usize).min(MAX_BODY));
        if self.body.len() <= limit {
            return self.body.len();
        }
        memchr::memrchr2(b'\n', b'\r', &self.body[..limit]).map_or(start.min(limit), |at| at + 1)
    }

    /// The `Allow` and `Disallow` lines from `start` on.
    fn count_rules(&self, start: usize) -> u32 {
        let mut rules = 0;
        let mut at = Some(start);
        while let Some(start) = at {
            let line = lines::line_at(self.body, start);
            if let Content::Record { directive: Directive::Allow | Directive::Disallow, .. } =
                lines::parts(self.body, line, self.dialect).content
            {
                rules += 1;
            }
            at = line.next;
        }
        rules
    }

    fn line(&mut self, line: Line, number: u32) {
        let parts = lines::parts(self.body, line, self.dialect);
        if let Some(span) = parts.cut {
            self.notice(DiagnosticCode::LineCut, span, number, 0);
        }
        if let Some(at) = parts.nul {
            self.notice(DiagnosticCode::Nul, ByteSpan::new(at, at + 1), number, 0);
        }
        self.content(parts.content, number);
    }

    pub(crate) fn content(&mut self, content: Content, number: u32) {
        match content {
            Content::Comment => {}
            Content::Blank => {
                if self.dialect.blank_line_closes && self.place != Place::Outside {
                    self.close_group();
                    self.place = Place::Outside;
                }
            }
            Content::NoRecord(span) => self.notice(DiagnosticCode::NoColon, span, number, 0),
            Content::NoKey(span) => self.notice(DiagnosticCode::EmptyKey, span, number, 0),
            Content::Record { directive, spelling, key, value, has_colon } => {
                if !has_colon {
                    self.notice(DiagnosticCode::MissingColon, key, number, 0);
                }
                match spelling {
                    Spelling::Exact => {}
                    Spelling::Longer => self.notice(DiagnosticCode::PrefixKey, key, number, 0),
                    Spelling::Typo => self.notice(DiagnosticCode::TypoKey, key, number, 0),
                }
                match directive {
                    Directive::UserAgent => self.agent(value, number),
                    Directive::Allow => self.rule(RuleKind::Allow, value, number),
                    Directive::Disallow => self.rule(RuleKind::Disallow, value, number),
                    Directive::Record(kind) => self.record(Record { kind, key, value, line: number }),
                }
            }
        }
    }

    pub(crate) fn agent(&mut self, value: ByteSpan, line: u32) {
        if self.place == Place::Header {
            if self.record_in_header != 0 {
                let with = self.agents.last().map_or(0, |agent| agent.line);
                self.notice(DiagnosticCode::GroupMerge, value, line, with);
            }
        } else {
            self.close_group();
            let (agents, rules, records) = (count(&self.agents), count(&self.rules), count(&self.records));
            self.groups.push(Group { agents: agents..agents, rules: rules..rules, records: records..records });
            self.place = Place::Header;
        }
        self.record_in_header = 0;
        let text = value.of(self.body);
        let is_star = is_star(text, self.dialect.star);
        let length = if is_star { 0 } else { token_length(text, self.dialect.agent_value) };
        if !is_star && length == 0 {
            self.notice(DiagnosticCode::AgentNamesNobody, value, line, 0);
        } else if length < text.len() && !is_star {
            self.notice(DiagnosticCode::AgentNotToken, value, line, 0);
        }
        let token = ByteSpan { start: value.start, end: value.start + length as u32 };
        self.agents.push(AgentLine { value, token, is_star, line });
    }

    pub(crate) fn rule(&mut self, kind: RuleKind, value: ByteSpan, line: u32) {
        if self.place == Place::Outside {
            self.notice(DiagnosticCode::RuleOutsideGroup, value, line, 0);
            return;
        }
        self.place = Place::Rules;
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
                    LeadingSlash::Required if memchr::memmem::find(text, b"://").is_some() => {
                        DiagnosticCode::UrlPattern
                    }
                    LeadingSlash::Required => DiagnosticCode::DeadPattern,
                };
                self.notice(code, value, line, 0);
            }
        }
        self.rules.push(RuleLine { kind, value, line });
    }

    pub(crate) fn record(&mut self, record: Record) {
        if record.kind == RecordKind::Unknown {
            self.notice(DiagnosticCode::UnknownKey, record.key, record.line, 0);
        }
        if self.place == Place::Header {
            self.record_in_header = record.line;
            if self.dialect.any_record_closes {
                self.place = Place::Rules;
            }
        }
        self.records.push(record);
    }

    /// Ends the group that is open, if one is.
    fn close_group(&mut self) {
        if self.place != Place::Outside
            && let Some(group) = self.groups.last_mut()
        {
            group.agents.end = count(&self.agents);
            group.rules.end = count(&self.rules);
            group.records.end = count(&self.records);
        }
    }
}

/// The number of items; there are fewer than octets in a body.
fn count<T>(items: &[T]) -> u32 {
    items.len() as u32
}

/// Whether a `User-agent` value names every agent.
fn is_star(value: &[u8], star: Star) -> bool {
    match value {
        [b'*'] => true,
        // C's isspace; a value holds no line end
        [b'*', b' ' | b'\t' | 0x0B | 0x0C, ..] => star == Star::BeforeText,
        _ => false,
    }
}

/// The length of the product token that a `User-agent` value starts with, or is.
fn token_length(value: &[u8], rule: AgentValue) -> usize {
    let length = value
        .iter()
        .position(|&octet| !(octet.is_ascii_alphabetic() || octet == b'-' || octet == b'_'))
        .unwrap_or(value.len());
    match rule {
        AgentValue::UpToNonToken => length,
        AgentValue::WholeToken if length == value.len() => length,
        AgentValue::WholeToken => 0,
    }
}
