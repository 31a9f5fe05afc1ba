//! From bytes to a [`RobotsTxt`]: lines, records, groups.

pub(crate) mod agent_value;
pub(crate) mod body_kind;
pub mod diagnostic;
mod groups;
pub(crate) mod keys;
pub(crate) mod lines;
mod marks;
mod plain;
pub mod record;
mod trim;
mod utf16;

use std::borrow::Cow;

use self::lines::Content;
use crate::dialect::{Bom, Dialect, MAX_BODY_BYTES, MAX_BYTES_PAST_LIMIT};
use crate::parse::diagnostic::{Diagnostic, DiagnosticCode, UNKNOWN_RULES};
use crate::parse::keys::{Directive, Spelling};
use crate::parse::marks::Marks;
use crate::parse::record::Record;
use crate::robots_txt::{AgentLine, Group, RobotsTxt, RuleKind, RuleLine};
use crate::span::ByteSpan;

/// Places are counted in `u32`, also in the patterns of a rule set. Escapes make a pattern three times as long as its
/// value, a rule has up to nine patterns, and one for an index page has twice as many. So a body is cut here whatever
/// the dialect says.
const MAX_BODY: usize = 1 << 26;

/// Room is made for the rules of a usual file at once: a rule a line, of usual length, and no more than these.
const BODY_BYTES_PER_RULE: usize = 32;
const FIRST_RULES: usize = 128;

impl<'a> RobotsTxt<'a> {
    /// Parses a body as google/robotstxt does ([`Dialect::GOOGLE`]).
    ///
    /// Takes the bytes of a file, not its name: `parse("robots.txt")` does not compile. Of a body that was chosen by
    /// hand, ask [`has_no_directive`](Self::has_no_directive), too, since a page or a path parses, and allows
    /// everything.
    ///
    /// ```compile_fail,E0308
    /// let robots = robotsc::RobotsTxt::parse("robots.txt");
    /// ```
    ///
    /// Never fails and never panics, whatever the bytes; what could not be used is among the
    /// [`diagnostics`](Self::diagnostics).
    ///
    /// Cost: one pass, linear in the body; a few allocations, whatever the number of lines. Bytes beyond the dialect's
    /// limit are read only to count the rules among them, and those beyond 4 GiB not at all.
    ///
    /// ```
    /// use robotsc::RobotsTxt;
    ///
    /// let robots = RobotsTxt::parse(b"User-agent: *\nDisalow: /cart # later\n");
    /// let rule = robots.rules_of(&robots.groups()[0])[0];
    /// assert_eq!((rule.value.of(robots.body()), rule.line), (&b"/cart"[..], 2));
    /// assert_eq!(robots.diagnostics()[0].code.as_str(), "typo-key");
    /// ```
    #[must_use]
    pub fn parse(body: &'a [u8]) -> Self {
        Self::parse_with(body, &Dialect::GOOGLE)
    }

    /// Parses a body as a dialect does. See [`RobotsTxt::parse`].
    #[must_use]
    pub fn parse_with(body: &'a [u8], dialect: &Dialect) -> Self {
        parse(body, dialect)
    }
}

fn parse<'a>(body: &'a [u8], dialect: &Dialect) -> RobotsTxt<'a> {
    if dialect.decode_utf16
        && let Some(decoded) = utf16::decode(body)
    {
        let mut parser = Parser::new(&decoded.text, dialect);
        if decoded.invalid > 0 {
            parser.notice(DiagnosticCode::Utf16Invalid, ByteSpan::default(), 1, decoded.invalid);
        }
        let parsed = parser.parse();
        return RobotsTxt { body: Cow::Owned(decoded.text), ..parsed };
    }
    RobotsTxt { body: Cow::Borrowed(body), ..Parser::new(body, dialect).parse() }
}

/// Where the parser stands with respect to groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupState {
    /// In no group.
    Outside,
    /// Among the `User-agent` lines of a group: another one joins them.
    Header,
    /// After them: another `User-agent` line opens a new group.
    Rules,
}

/// The state of parsing. Lines are read here and in `plain`; what they mean for groups is in `groups`.
pub(crate) struct Parser<'p> {
    pub(crate) body: &'p [u8],
    pub(crate) dialect: &'p Dialect,
    /// Bytes of a line that are read.
    pub(crate) max_line: usize,
    pub(crate) group_state: GroupState,
    /// The line of a record that stands after the last `User-agent` line of the open header; 0 for none.
    pub(crate) record_in_header: u32,
    pub(crate) groups: Vec<Group>,
    pub(crate) agents: Vec<AgentLine>,
    pub(crate) rules: Vec<RuleLine>,
    pub(crate) records: Vec<Record>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl<'p> Parser<'p> {
    fn new(body: &'p [u8], dialect: &'p Dialect) -> Self {
        Self {
            body,
            dialect,
            max_line: dialect.max_line.map_or(usize::MAX, |limit| limit as usize),
            group_state: GroupState::Outside,
            record_in_header: 0,
            groups: Vec::new(),
            agents: Vec::new(),
            rules: Vec::with_capacity((body.len() / BODY_BYTES_PER_RULE).min(FIRST_RULES)),
            records: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// Parses the whole body. The body of the result is left empty, for the caller to put in.
    fn parse<'a>(mut self) -> RobotsTxt<'a> {
        self.read_lines(Self::read_line);
        self.into_robots_txt()
    }

    fn into_robots_txt<'a>(self) -> RobotsTxt<'a> {
        RobotsTxt {
            body: Cow::Borrowed(&[]),
            origin: None,
            dialect: self.dialect.clone(),
            groups: self.groups,
            agents: self.agents,
            rules: self.rules,
            records: self.records,
            diagnostics: self.diagnostics,
        }
    }

    /// Reads all lines with `read_line`, which takes where a line starts and its number and returns where the next one
    /// starts.
    fn read_lines(&mut self, mut read_line: impl FnMut(&mut Self, &[u8], &mut Marks<'_>, usize, u32) -> Option<usize>) {
        let start = self.skip_bom();
        let end = self.cut_file();
        let body = &self.body[..end];
        let mut marks = Marks::new(body);
        let mut at = Some(start.min(end));
        let mut number = 0;
        while let Some(start) = at {
            number += 1;
            at = read_line(self, body, &mut marks, start, number);
        }
        self.close_group();
        if end < self.body.len() {
            let rules = if self.is_cut() { UNKNOWN_RULES } else { self.count_rules(end) };
            self.notice(DiagnosticCode::FileCut, ByteSpan::new(end, self.body.len()), number, rules);
        }
    }

    pub(crate) fn notice(&mut self, code: DiagnosticCode, span: ByteSpan, line: u32, detail: u32) {
        self.diagnostics.push(Diagnostic::new(code, span, line, detail));
    }

    /// Skips a byte order mark, or what there is of one.
    fn skip_bom(&mut self) -> usize {
        const BOM: [u8; 3] = [0xEF, 0xBB, 0xBF];
        let present = self.body.iter().zip(BOM).take_while(|&(&byte, mark)| byte == mark).count();
        if (1..BOM.len()).contains(&present) && self.dialect.bom == Bom::WholeExpected {
            self.notice(DiagnosticCode::PartialBom, ByteSpan::new(0, present), 1, 0);
        }
        if self.body.starts_with(&[0xFF, 0xFE]) || self.body.starts_with(&[0xFE, 0xFF]) {
            self.notice(DiagnosticCode::Utf16Bom, ByteSpan::new(0, 2), 1, 0);
        }
        present
    }

    /// Returns where reading ends: at the end of the body, or at the first line end from the limit on.
    ///
    /// A line that crosses the limit and does not end within [`MAX_BYTES_PAST_LIMIT`] is dropped, since its value may
    /// go on. It is kept if the dialect reads no more of the line than there is.
    fn cut_file(&self) -> usize {
        let limit = self.dialect.max_file.map_or(MAX_BODY, |limit| (limit as usize).min(MAX_BODY));
        let length = self.body.len();
        if length <= limit {
            return length;
        }
        let start = memchr::memrchr2(b'\n', b'\r', &self.body[..limit]).map_or(0, |at| at + 1);
        if start == limit {
            return limit;
        }
        let reach = length.min(limit + MAX_BYTES_PAST_LIMIT);
        match lines::line_at(&self.body[..reach], start).next {
            Some(next) => next,
            None if reach == length || start.saturating_add(self.max_line) < reach => reach,
            None => start,
        }
    }

    /// Reports whether the caller passed what the limit asks to keep and the byte that shows that there is more: see
    /// [`MAX_BYTES_PAST_LIMIT`]. How much more there is is unknown then.
    fn is_cut(&self) -> bool {
        let of_dialect = self.dialect.max_file.map(|limit| limit as usize + MAX_BYTES_PAST_LIMIT);
        [of_dialect, Some(MAX_BODY_BYTES)].contains(&self.body.len().checked_sub(1))
    }

    /// Returns the number of `Allow` and `Disallow` lines from `start` on, as far as places can be counted.
    fn count_rules(&self, start: usize) -> u32 {
        let body = &self.body[..self.body.len().min(u32::MAX as usize)];
        let mut rules = 0;
        let mut at = Some(start);
        while let Some(start) = at {
            let line = lines::line_at(body, start);
            if let Content::Record { directive: Directive::Allow | Directive::Disallow, .. } =
                lines::parts(body, line, self.dialect).content
            {
                rules += 1;
            }
            at = line.next;
        }
        rules
    }

    /// Reads the line at `start`, and returns where the next one starts.
    #[inline(always)]
    fn read_line(&mut self, body: &[u8], marks: &mut Marks<'_>, start: usize, number: u32) -> Option<usize> {
        match self.read_plain_line(body, marks, start, number) {
            Some(next) => Some(next),
            None => self.read_any_line(body, marks, start, number),
        }
    }

    /// As [`read_line`](Self::read_line), for a line that may hold anything.
    #[inline(never)]
    fn read_any_line(&mut self, body: &[u8], marks: &mut Marks<'_>, start: usize, number: u32) -> Option<usize> {
        let line = lines::line_at(body, start);
        let parts = lines::parts(body, line, self.dialect);
        if let Some(span) = parts.cut {
            self.notice(DiagnosticCode::LineCut, span, number, 0);
        }
        if let Some(at) = parts.nul {
            self.notice(DiagnosticCode::Nul, ByteSpan::new(at, at + 1), number, 0);
        }
        self.apply(parts.content, number);
        if let Some(next) = line.next {
            marks.seek(next);
        }
        line.next
    }

    /// Applies what a line says to the groups.
    pub(crate) fn apply(&mut self, content: Content, number: u32) {
        match content {
            Content::Comment => {}
            Content::Blank => self.end_at_blank_line(),
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
                    Directive::UserAgent => self.add_agent(value, number),
                    Directive::Allow => self.add_rule(RuleKind::Allow, value, number),
                    Directive::Disallow => self.add_rule(RuleKind::Disallow, value, number),
                    Directive::Record(kind) => self.add_record(Record { kind, key, value, line: number }),
                }
            }
        }
    }

    #[inline(always)]
    pub(crate) fn end_at_blank_line(&mut self) {
        if self.dialect.blank_line_closes && self.group_state != GroupState::Outside {
            self.close_group();
            self.group_state = GroupState::Outside;
        }
    }
}

#[cfg(test)]
mod tests;
