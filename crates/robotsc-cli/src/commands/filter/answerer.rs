//! The lines of a block, and the answer to each.
//!
//! The lines are taken in [batches](robotsc::origin): first all URLs of a batch are split, then their origins are
//! looked up together, and then the paths are walked.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hasher as _};
use std::ops::Range;
use std::sync::Arc;

use robotsc::origin::{BATCH_URLS, Batch, BatchUrl, OriginLookup};
use robotsc::outcome::UnknownReason;
use robotsc_runtime::PathForm;

use super::answer::{Answer, Answers, BadLine, Class, Hit, OUTPUTS, Records, Route, STDOUT, Unknown};
use super::columns::{self, Columns};
use super::policies::{AgentAnswers, LineUrl, Policies};
use super::record;
use crate::lists::blocks::Block;
use crate::lists::layout::{self, Layout};
use crate::lists::lines::{Lines, MAX_LINE_BYTES};

/// The maximum number of bad lines of a block that are reported.
const MAX_REPORTED: usize = 5;

/// A line of a batch.
struct BatchLine {
    /// The line with its end, in the block.
    line: Range<usize>,
    content: Content,
}

/// What a line holds.
enum Content {
    /// The next URL of the batch.
    Url,
    /// Nothing: it is no record, but counts as a line.
    Empty,
    /// More than any URL has.
    Long,
    /// No URL; why is in a list of its own, so that a line of a batch has nothing to drop.
    NoUrl(u32),
}

/// Answers for blocks.
#[derive(Debug)]
pub(crate) struct Answerer<P> {
    pub(crate) policies: Arc<P>,
    pub(crate) route: Route,
    /// What is added to lines, and the names of the agents if each is answered.
    pub(crate) columns: Arc<Columns>,
}

impl<P> Clone for Answerer<P> {
    fn clone(&self) -> Self {
        let (policies, columns) = (Arc::clone(&self.policies), Arc::clone(&self.columns));
        Self { policies, route: self.route, columns }
    }
}

impl<P: Policies> Answerer<P> {
    /// Answers for the lines of a block.
    pub(crate) fn answer(&self, block: &mut Block<Answers>) {
        let Block { bytes, lines, header, layout, agent, is_cut, work: answers, .. } = block;
        answers.clear();
        answers.by_agent.resize(self.columns.agents.len(), [0; 4]);
        self.write_header(bytes, header, *layout, answers);
        let text = &bytes[..lines.end];
        let mut lines = Lines::new(text, lines.start, layout.quoting());
        let form = self.policies.dialect().path_form();
        // Whether a line without a sign needs no further look at its path.
        let signs_tell = form == PathForm::Escaped && *layout == Layout::Line;
        let adds = self.route.records == Some(Records::Columns);
        let adds_to_json = adds && matches!(layout, Layout::Json(_) | Layout::Cdxj);
        let mut asked = Vec::with_capacity(BATCH_URLS);
        let mut reasons = Vec::new();
        let mut batch = Batch::new(&*self.policies);
        let mut writer = Writer {
            policies: &*self.policies,
            route: self.route,
            columns: &self.columns,
            text,
            layout: *layout,
            agent: *agent,
            each: AgentAnswers::default(),
            run: None,
            unknown_reason: "",
            error_reason: String::new(),
            line: answers.lines,
            answers,
        };
        while !lines.is_done() {
            asked.clear();
            reasons.clear();
            batch.clear();
            while asked.len() < BATCH_URLS
                && let Some(line) = lines.next()
            {
                let text = layout::without_end(&text[line.place.clone()]);
                let content = if text.is_empty() {
                    Content::Empty
                } else if *is_cut || text.len() > MAX_LINE_BYTES {
                    Content::Long
                } else if *layout == Layout::Line && line.has_sign && layout::has_inner_tab(text) {
                    // A tab is a sign, so plain lines are not searched for one.
                    no_url(&mut reasons, Cow::Borrowed(layout::INNER_TAB))
                } else if *layout == Layout::Line
                    && line.has_sign
                    && let Some(reason) = layout::not_one_url(text)
                {
                    // What separates two URLs, and what is not ASCII, are signs.
                    no_url(&mut reasons, Cow::Borrowed(reason))
                } else if *layout == Layout::Line {
                    batch.push_looked_at(text, signs_tell && !line.has_sign);
                    Content::Url
                } else if adds_to_json && let Some(reason) = columns::taken_key(*layout, text) {
                    no_url(&mut reasons, reason.into())
                } else if adds && let Some(reason) = layout.misfit(text) {
                    no_url(&mut reasons, reason)
                } else {
                    push_field(&mut batch, *layout, text).unwrap_or_else(|reason| no_url(&mut reasons, reason))
                };
                asked.push(BatchLine { line: line.place, content });
            }
            batch.look_up();
            let mut urls = batch.urls();
            for BatchLine { line, content } in &asked {
                match content {
                    Content::Url => {
                        if let Some(url) = urls.next() {
                            writer.answer(line, &url);
                        }
                    }
                    Content::Empty => {}
                    Content::Long => writer.bad(line, &layout.too_long(&text[line.clone()], MAX_LINE_BYTES)),
                    Content::NoUrl(number) => writer.bad(line, &reasons[*number as usize]),
                }
                writer.line += 1;
            }
        }
        writer.finish();
    }

    /// Writes the header wherever lines go, if there is one.
    fn write_header(&self, bytes: &[u8], header: &Range<usize>, layout: Layout, answers: &mut Answers) {
        if header.is_empty() {
            return;
        }
        // The empty lines before the header are counted with it.
        answers.lines += memchr::memchr_iter(b'\n', &bytes[..header.start]).count() as u64 + 1;
        let header = &bytes[header.clone()];
        let mut done = [false; OUTPUTS];
        if self.route.records == Some(Records::Columns) {
            self.columns.header(&mut answers.outputs[STDOUT].own, header, layout);
        }
        for output in self.route.lines.into_iter().flatten() {
            if !std::mem::replace(&mut done[output], true) {
                answers.outputs[output].own.extend_from_slice(header);
                if !header.ends_with(b"\n") {
                    answers.outputs[output].own.push(b'\n');
                }
            }
        }
    }
}

/// Adds the URL of a line that holds more than a URL.
///
/// # Errors
/// Why it holds none.
#[inline(never)]
fn push_field<'b, 'p, P: Policies>(
    batch: &mut Batch<'b, 'p, P>,
    layout: Layout,
    line: &'b [u8],
) -> Result<Content, Cow<'static, str>> {
    match layout.url(line)? {
        Cow::Borrowed(url) => batch.push(url),
        Cow::Owned(url) => batch.push_owned(url),
    }
    Ok(Content::Url)
}

/// Keeps the reason for a line without a URL.
#[cold]
fn no_url(reasons: &mut Vec<Cow<'static, str>>, reason: Cow<'static, str>) -> Content {
    reasons.push(reason);
    Content::NoUrl(reasons.len() as u32 - 1)
}

/// Writes the answers for the lines of a block.
struct Writer<'b, P> {
    policies: &'b P,
    route: Route,
    columns: &'b Columns,
    text: &'b [u8],
    layout: Layout,
    /// Where the agent is in a line, if lines name one.
    agent: Option<Layout>,
    /// What is said to each of several agents.
    each: AgentAnswers,
    /// The number of the line.
    line: u64,
    /// Lines that follow each other and go to the same output.
    run: Option<(usize, Range<usize>)>,
    /// Why nothing is known of the last origin that is unknown.
    unknown_reason: &'static str,
    /// Why the last line that is an error is one, if records say so.
    error_reason: String,
    answers: &'b mut Answers,
}

/// A URL of a batch, and what policies keep of its origin.
type Split<'b, 'u, 'p, P> = BatchUrl<'b, 'u, <P as OriginLookup<'p>>::Place, <P as OriginLookup<'p>>::Policy>;

impl<'b, P: Policies> Writer<'b, P> {
    /// Writes the answer for a URL.
    #[inline(always)]
    fn answer(&mut self, line: &Range<usize>, url: &Split<'_, '_, 'b, P>) {
        match &url.split {
            Ok((origin, path)) => {
                let asked = LineUrl { url: url.url, path: *path, line: &self.text[line.clone()], agent: self.agent };
                let answer = match &origin.policy {
                    Some(held) => self.policies.decide(held, &asked, &mut self.each),
                    None => Answer::of(Class::Unknown),
                };
                if answer.class == Class::Error {
                    return self.bad(line, &self.policies.problem(&asked));
                }
                self.count(origin.name(), answer);
                self.write(line, answer, url.url, Some(path.as_bytes()));
            }
            Err(error) => {
                self.report(url.url, error);
                self.no_answers();
                self.write(line, Answer::of(Class::Error), url.url, None);
            }
        }
    }

    /// Writes a line that holds no URL.
    #[cold]
    fn bad(&mut self, line: &Range<usize>, reason: &dyn std::fmt::Display) {
        let text = layout::without_end(&self.text[line.clone()]);
        self.report(text, reason);
        self.no_answers();
        self.write(line, Answer::of(Class::Error), text, None);
    }

    /// Says the same to each agent: the line is an error.
    #[cold]
    fn no_answers(&mut self) {
        self.each.clear();
        self.each.answers.resize(self.columns.agents.len(), Answer::of(Class::Error));
    }

    /// Keeps a bad line to be reported.
    #[cold]
    fn report(&mut self, text: &[u8], reason: &dyn std::fmt::Display) {
        if self.route.records == Some(Records::Json) {
            self.error_reason = reason.to_string();
        }
        if self.answers.bad.len() < MAX_REPORTED {
            let (line, text) = (self.line, text[..text.len().min(512)].to_vec());
            self.answers.bad.push(BadLine { line, text, reason: reason.to_string() });
        }
    }

    #[inline(always)]
    fn write(&mut self, line: &Range<usize>, answer: Answer, url: &[u8], path: Option<&[u8]>) {
        self.answers.counts[answer.class as usize] += 1;
        if let Some(output) = self.route.lines[answer.class as usize] {
            match &mut self.run {
                Some((to, run)) if *to == output && run.end == line.start => run.end = line.end,
                _ => {
                    self.write_run();
                    self.run = Some((output, line.clone()));
                }
            }
        }
        if let Some(records) = self.route.records {
            self.write_records(records, line, answer, url, path);
        }
    }

    /// Writes a line that is made of the answers.
    #[inline]
    fn write_records(
        &mut self,
        records: Records,
        line: &Range<usize>,
        answer: Answer,
        url: &[u8],
        path: Option<&[u8]>,
    ) {
        let names = &self.columns.agents;
        let one = std::slice::from_ref(&answer);
        let answers = if names.is_empty() { one } else { &self.each.answers };
        for (counts, answer) in self.answers.by_agent.iter_mut().zip(answers) {
            counts[answer.class as usize] += 1;
        }
        let out = &mut self.answers.outputs[STDOUT].own;
        match records {
            Records::Verdicts => record::verdicts(out, answers.iter().map(|answer| answer.class), url),
            Records::Json => {
                let reason =
                    if answer.class == Class::Error { self.error_reason.as_str() } else { self.unknown_reason };
                for (number, answer) in answers.iter().enumerate() {
                    let agent = names.get(number).or(self.columns.agent.as_ref());
                    record::json(out, answer, agent.map(String::as_str), (url, path), reason);
                }
            }
            Records::Columns => {
                self.columns.line(out, &self.text[line.clone()], self.layout, &answer, &self.each);
            }
        }
    }

    /// Counts what decided.
    #[inline(always)]
    fn count(&mut self, origin: &[u8], answer: Answer) {
        let line = || answer.deciding_rule.map_or(0, |rule| rule.line);
        match answer.class {
            _ if answer.is_overlaid => self.answers.overlaid += 1,
            Class::Disallowed => match answer.refusal {
                None => self.hit(origin, line(), false),
                Some(refusal) => self.answers.refused_uses.count(refusal),
            },
            Class::Allowed if self.route.hits => self.hit(origin, line(), true),
            Class::Unknown => self.unknown(origin),
            _ => {}
        }
    }

    #[inline(never)]
    fn hit(&mut self, origin: &[u8], line: u32, is_allow: bool) {
        let Answers { hits, names, .. } = &mut *self.answers;
        if let Some(hit) = hits.last_mut()
            && (hit.line, hit.is_allow) == (line, is_allow)
            && names[hit.origin.clone()] == *origin
        {
            hit.count += 1;
            return;
        }
        let start = names.len();
        names.extend_from_slice(origin);
        hits.push(Hit { origin: start..names.len(), line, is_allow, count: 1 });
    }

    /// Notes an origin of which nothing is known.
    fn unknown(&mut self, origin: &[u8]) {
        let Answers { unknown, names, .. } = &mut *self.answers;
        if unknown.last().is_some_and(|last| names[last.origin.clone()] == *origin) {
            return;
        }
        let mut hasher = DefaultHasher::new();
        hasher.write(origin);
        let start = names.len();
        names.extend_from_slice(origin);
        let reason = self.policies.unknown_reason(origin);
        let is_expired = reason == Some(UnknownReason::Expired);
        unknown.push(Unknown { origin: start..names.len(), hash: hasher.finish(), is_expired });
        self.unknown_reason = reason.map_or("", UnknownReason::name);
    }

    /// Writes the lines that are held back.
    fn write_run(&mut self) {
        if let Some((output, run)) = self.run.take() {
            self.answers.outputs[output].add(self.text, run);
        }
    }

    /// Writes what is held back. A file's last line gets the end that it lacks, so that the next file's first does not
    /// run into it.
    fn finish(mut self) {
        self.answers.lines = self.line;
        let last = self.run.clone();
        self.write_run();
        if let Some((output, run)) = last
            && !self.text[run].ends_with(b"\n")
        {
            self.answers.outputs[output].own.push(b'\n');
        }
    }
}
