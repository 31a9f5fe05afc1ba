//! Answers for the lines of a block.
//!
//! The lines are taken in batches. In a batch first all lines are split, then all origins are looked up, then all programs
//! are found, and then the paths are walked: so the cache misses of a step, which do not wait for each other, are
//! served together. A line of the same origin as the line before is recognised by its first octets.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hasher as _};
use std::ops::Range;
use std::sync::Arc;

use robotsc::origin::{self, Origin, OriginError};
use robotsc::{Program, Verdict, Winner};
use robotsc_runtime::url::{PathForm, PlainUrl};

use super::blocks::{Carrier, MOST_LINE};
use super::layout::{self, Layout};
use super::policies::{Policies, Standing};
use super::record;
use crate::policy::Overlay;

/// Lines that are answered together: enough to keep all loads that a core can wait for at once under way.
const BATCH: usize = 64;

/// Bad lines of a block that are told.
const MOST_TOLD: usize = 5;

/// What is said of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Allowed,
    Disallowed,
    Unknown,
    Error,
}

impl Class {
    /// The word for it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Disallowed => "disallowed",
            Self::Unknown => "unknown",
            Self::Error => "error",
        }
    }
}

impl From<Verdict> for Class {
    fn from(verdict: Verdict) -> Self {
        if verdict.is_allow() { Self::Allowed } else { Self::Disallowed }
    }
}

/// Where output goes: standard output, or a file of a class.
pub(crate) const OUTPUTS: usize = 5;
pub(crate) const STDOUT: usize = 0;

/// What is written where.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Route {
    /// For each class the output that gets its lines.
    pub(crate) lines: [Option<usize>; 4],
    /// The records that standard output gets of every line, in place of lines.
    pub(crate) records: Option<Records>,
    /// Hits of all rules are wanted, not of those that disallow alone.
    pub(crate) hits: bool,
}

/// The form of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Records {
    Verdicts,
    Json,
}

/// What is said of a block.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// What each output gets.
    pub(crate) outputs: [Vec<u8>; OUTPUTS],
    /// Lines by class.
    pub(crate) counts: [u64; 4],
    /// Lines that the policy over all origins disallowed, and nothing else.
    pub(crate) overlaid: u64,
    /// Lines, empty ones too.
    pub(crate) lines: u64,
    /// The text of origins that `hits` and `unknown` name.
    pub(crate) names: Vec<u8>,
    /// What decided, by runs of lines.
    pub(crate) hits: Vec<Hit>,
    /// Origins of which nothing is known, by runs of lines.
    pub(crate) unknown: Vec<Unknown>,
    /// The first bad lines.
    pub(crate) bad: Vec<BadLine>,
}

/// What decided about some lines.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    /// The origin, in the names.
    pub(crate) origin: Range<usize>,
    /// The line of the rule; 0 where the pack names none, or no rule decided.
    pub(crate) line: u32,
    pub(crate) is_allow: bool,
    pub(crate) count: u64,
}

/// An origin of which nothing is known.
#[derive(Clone, Debug)]
pub(crate) struct Unknown {
    /// The origin, in the names.
    pub(crate) origin: Range<usize>,
    /// A hash of it.
    pub(crate) hash: u64,
}

/// A line that is no URL.
#[derive(Debug)]
pub(crate) struct BadLine {
    /// Its number in the block, from 0.
    pub(crate) line: u64,
    /// Its start.
    pub(crate) text: Vec<u8>,
    pub(crate) reason: String,
}

impl Answers {
    fn clear(&mut self) {
        self.outputs.iter_mut().for_each(Vec::clear);
        self.counts = [0; 4];
        self.lines = 0;
        self.overlaid = 0;
        self.names.clear();
        self.hits.clear();
        self.unknown.clear();
        self.bad.clear();
    }
}

/// Answers for blocks.
#[derive(Debug)]
pub(crate) struct Answerer<P> {
    pub(crate) policies: Arc<P>,
    pub(crate) route: Route,
    /// A policy over all origins, which can only disallow more.
    pub(crate) overlay: Option<Arc<Overlay<'static>>>,
}

impl<P> Clone for Answerer<P> {
    fn clone(&self) -> Self {
        Self { policies: Arc::clone(&self.policies), route: self.route, overlay: self.overlay.clone() }
    }
}

/// A line and what was found in it.
struct Asked<'b> {
    /// The line with its end, in the block.
    line: Range<usize>,
    found: Found<'b>,
}

enum Found<'b> {
    Url {
        url: Cow<'b, [u8]>,
        path: Cow<'b, [u8]>,
        /// Its origin, by its number in the batch.
        origin: usize,
    },
    Bad(Bad<'b>),
}

/// Why a line is no URL.
enum Bad<'b> {
    /// It is longer than any.
    Long,
    /// It holds none.
    NoUrl(&'static str),
    /// What it holds has no origin.
    NoOrigin(Cow<'b, [u8]>, OriginError),
}

/// What the batch knows of an origin.
struct Known<'b, 'p, L> {
    text: Cow<'b, [u8]>,
    place: L,
    standing: Standing<'p>,
    /// Whether the policy over all origins applies to it.
    is_overlaid: bool,
}

/// What is said of a URL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) class: Class,
    /// The rule that decided, where it is asked for and known.
    pub(crate) winner: Option<Winner>,
    /// The policy over all origins decided.
    pub(crate) is_overlaid: bool,
}

impl<P: Policies> Answerer<P> {
    /// Answers for the lines of a block.
    pub(crate) fn answer(&self, carrier: &mut Carrier) {
        let Carrier { octets, lines, header, layout, is_cut, answers, .. } = carrier;
        answers.clear();
        let octets = &octets[..lines.end];
        if header.start < header.end {
            answers.lines += 1;
            self.write_header(&octets[header.clone()], answers);
        }
        let mut block = Block {
            answerer: self,
            octets,
            layout: *layout,
            is_cut: *is_cut,
            next: lines.start,
            first_line: answers.lines,
            asked: Vec::with_capacity(BATCH),
            known: Vec::with_capacity(BATCH),
            last: None,
            run: None,
            answers,
        };
        while block.next < octets.len() {
            block.split_batch();
            block.look_up();
            block.walk();
        }
        block.finish();
    }

    /// The header goes wherever lines go.
    fn write_header(&self, header: &[u8], answers: &mut Answers) {
        let mut done = [false; OUTPUTS];
        for output in self.route.lines.into_iter().flatten() {
            if !std::mem::replace(&mut done[output], true) {
                answers.outputs[output].extend_from_slice(header);
                if !header.ends_with(b"\n") {
                    answers.outputs[output].push(b'\n');
                }
            }
        }
    }
}

/// A block that is being answered.
struct Block<'b, 'p, P: Policies> {
    answerer: &'p Answerer<P>,
    octets: &'b [u8],
    layout: Layout,
    is_cut: bool,
    /// Where the next line starts.
    next: usize,
    /// The number of the batch's first line.
    first_line: u64,
    asked: Vec<Asked<'b>>,
    /// The origins of the batch. The first may be the last of the batch before.
    known: Vec<Known<'b, 'p, P::Place>>,
    /// The plain URL before, whose origin is the last of `known`.
    last: Option<PlainUrl<'b>>,
    /// Lines that follow each other and go to the same output.
    run: Option<(usize, Range<usize>)>,
    answers: &'b mut Answers,
}

impl<'b, 'p, P: Policies> Block<'b, 'p, P> {
    /// Finds the next lines, their URLs, origins and paths.
    fn split_batch(&mut self) {
        self.asked.clear();
        // The origin of the line before may go on.
        let kept = if self.last.is_some() { self.known.len() - 1 } else { self.known.len() };
        self.known.drain(..kept);
        let form = origin::path_form(self.answerer.policies.dialect());
        while self.asked.len() < BATCH && self.next < self.octets.len() {
            let start = self.next;
            let rest = &self.octets[start..];
            let end = start + memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            self.next = end;
            let line = layout::without_end(&self.octets[start..end]);
            let found = if line.is_empty() {
                // It is no record, but counts as a line.
                Found::Bad(Bad::NoUrl(""))
            } else if self.is_cut || line.len() > MOST_LINE {
                Found::Bad(Bad::Long)
            } else {
                match self.layout.url(line) {
                    Ok(Cow::Borrowed(url)) => self.split(url, form),
                    Ok(Cow::Owned(url)) => self.split_owned(url),
                    Err(reason) => Found::Bad(Bad::NoUrl(reason)),
                }
            };
            self.asked.push(Asked { line: start..end, found });
        }
    }

    #[inline]
    fn split(&mut self, url: &'b [u8], form: PathForm) -> Found<'b> {
        if let Some(last) = &self.last
            && let Some(path) = url.strip_prefix(last.origin)
            && path.first() == Some(&b'/')
            && (PlainUrl { path, ..*last }).path_is_plain(form)
        {
            return Found::Url { url: Cow::Borrowed(url), path: Cow::Borrowed(path), origin: self.known.len() - 1 };
        }
        self.last = PlainUrl::split(url);
        if let Some(plain) = self.last
            && plain.path_is_plain(form)
        {
            let origin = self.origin(plain.origin, |_| Cow::Borrowed(plain.origin));
            return Found::Url { url: Cow::Borrowed(url), path: Cow::Borrowed(plain.path), origin };
        }
        match origin::split(self.answerer.policies.dialect(), url) {
            Ok(split) => {
                let origin = self.origin(&split.origin, |_| split.origin.clone());
                Found::Url { url: Cow::Borrowed(url), path: split.path, origin }
            }
            Err(error) => {
                self.last = None;
                Found::Bad(Bad::NoOrigin(Cow::Borrowed(url), error))
            }
        }
    }

    /// The same for a URL that does not stand in the block as it is.
    #[inline(never)]
    fn split_owned(&mut self, url: Vec<u8>) -> Found<'b> {
        let split = match origin::split(self.answerer.policies.dialect(), &url) {
            Ok(split) => split,
            Err(error) => return Found::Bad(Bad::NoOrigin(Cow::Owned(url), error)),
        };
        let origin = self.origin(&split.origin, |text| Cow::Owned(text.to_vec()));
        self.last = None;
        let path = Cow::Owned(split.path.into_owned());
        Found::Url { url: Cow::Owned(url), path, origin }
    }

    /// The number of an origin in the batch.
    #[inline]
    fn origin(&mut self, text: &[u8], keep: impl FnOnce(&[u8]) -> Cow<'b, [u8]>) -> usize {
        if self.known.last().is_none_or(|known| *known.text != *text) {
            let place = self.answerer.policies.find(text);
            let is_overlaid = self.answerer.overlay.as_ref().is_some_and(|overlay| applies(overlay, text));
            self.known.push(Known { text: keep(text), place, standing: Standing::Unknown, is_overlaid });
        }
        self.known.len() - 1
    }

    /// Finds what holds for the batch's origins.
    fn look_up(&mut self) {
        for known in &mut self.known {
            known.standing = self.answerer.policies.standing(known.place);
        }
    }

    /// Answers for the batch's lines.
    fn walk(&mut self) {
        let asked = std::mem::take(&mut self.asked);
        for (number, Asked { line, found }) in asked.iter().enumerate() {
            let answer = match found {
                Found::Url { url, path, origin } => self.decide(url, path, *origin),
                // An empty line.
                Found::Bad(Bad::NoUrl("")) => continue,
                Found::Bad(bad) => {
                    if self.answers.bad.len() < MOST_TOLD {
                        self.tell(self.first_line + number as u64, line, bad);
                    }
                    Answer { class: Class::Error, winner: None, is_overlaid: false }
                }
            };
            self.answers.counts[answer.class as usize] += 1;
            if let Some(output) = self.answerer.route.lines[answer.class as usize] {
                match &mut self.run {
                    Some((to, run)) if *to == output && run.end == line.start => run.end = line.end,
                    _ => {
                        self.write_run();
                        self.run = Some((output, line.clone()));
                    }
                }
            }
            if let Some(records) = self.answerer.route.records {
                self.write_record(records, line, found, answer);
            }
        }
        self.first_line += asked.len() as u64;
        self.answers.lines += asked.len() as u64;
        self.asked = asked;
    }

    #[inline]
    fn decide(&mut self, url: &[u8], path: &[u8], origin: usize) -> Answer {
        let known = &self.known[origin];
        let plainly = |class| Answer { class, winner: None, is_overlaid: false };
        let route = &self.answerer.route;
        let answer = match known.standing {
            // Nothing else can be known before, so this is allowed whatever is known.
            _ if path == b"/robots.txt" => plainly(Class::Allowed),
            Standing::Rules(program) if route.hits || route.records == Some(Records::Json) => by_winner(program, path),
            Standing::Rules(program) => match program.verdict(path) {
                Verdict::Allow => plainly(Class::Allowed),
                Verdict::Disallow => by_winner(program, path),
            },
            Standing::AllowAll => plainly(Class::Allowed),
            Standing::DisallowAll => plainly(Class::Disallowed),
            Standing::Unknown => plainly(Class::Unknown),
        };
        if let Some(overlay) = &self.answerer.overlay
            && known.is_overlaid
            && answer.class != Class::Disallowed
            && !self.overlay_allows(overlay, url, path)
        {
            self.answers.overlaid += 1;
            return Answer { is_overlaid: true, ..plainly(Class::Disallowed) };
        }
        match answer.class {
            Class::Disallowed => self.hit(origin, answer),
            Class::Allowed if route.hits => self.hit(origin, answer),
            Class::Unknown => self.unknown(origin),
            _ => {}
        }
        answer
    }

    /// What the policy over all origins says. What it cannot take in is not allowed.
    fn overlay_allows(&self, overlay: &Overlay<'_>, url: &[u8], path: &[u8]) -> bool {
        let allows = |path: &[u8]| overlay.answer(path).is_none_or(|answer| answer.verdict.is_allow());
        if origin::path_form(&overlay.dialect) == origin::path_form(self.answerer.policies.dialect()) {
            return allows(path);
        }
        overlay.dialect.intake(url).is_ok_and(|path| allows(path.as_bytes()))
    }

    /// Counts what decided.
    fn hit(&mut self, origin: usize, answer: Answer) {
        let text = &*self.known[origin].text;
        let line = answer.winner.map_or(0, |winner| winner.line);
        let is_allow = answer.class == Class::Allowed;
        let Answers { hits, names, .. } = &mut *self.answers;
        if let Some(hit) = hits.last_mut()
            && (hit.line, hit.is_allow) == (line, is_allow)
            && names[hit.origin.clone()] == *text
        {
            hit.count += 1;
            return;
        }
        let start = names.len();
        names.extend_from_slice(text);
        hits.push(Hit { origin: start..names.len(), line, is_allow, count: 1 });
    }

    /// Notes an origin of which nothing is known.
    fn unknown(&mut self, origin: usize) {
        let text = &*self.known[origin].text;
        let Answers { unknown, names, .. } = &mut *self.answers;
        if unknown.last().is_some_and(|last| names[last.origin.clone()] == *text) {
            return;
        }
        let mut hasher = DefaultHasher::new();
        hasher.write(text);
        let start = names.len();
        names.extend_from_slice(text);
        unknown.push(Unknown { origin: start..names.len(), hash: hasher.finish() });
    }

    #[cold]
    fn tell(&mut self, number: u64, line: &Range<usize>, bad: &Bad<'_>) {
        let (text, reason) = match bad {
            Bad::Long => (&self.octets[line.clone()], format!("longer than {} KiB", MOST_LINE >> 10)),
            Bad::NoUrl(reason) => (layout::without_end(&self.octets[line.clone()]), (*reason).to_owned()),
            Bad::NoOrigin(url, error) => (&**url, error.to_string()),
        };
        let text = text[..text.len().min(512)].to_vec();
        self.answers.bad.push(BadLine { line: number, text, reason });
    }

    /// Writes the lines that are held back.
    fn write_run(&mut self) {
        if let Some((output, run)) = self.run.take() {
            self.answers.outputs[output].extend_from_slice(&self.octets[run]);
        }
    }

    fn write_record(&mut self, records: Records, line: &Range<usize>, found: &Found<'_>, answer: Answer) {
        let out = &mut self.answers.outputs[STDOUT];
        let (url, path): (&[u8], _) = match found {
            Found::Url { url, path, .. } => (url, Some(&**path)),
            Found::Bad(Bad::NoOrigin(url, _)) => (url, None),
            Found::Bad(_) => (layout::without_end(&self.octets[line.clone()]), None),
        };
        match records {
            Records::Verdicts => record::verdict(out, answer.class, url),
            Records::Json => record::json(out, &answer, url, path),
        }
    }

    /// Writes what is held back. A file's last line gets the end that it lacks, so that the next file's first does not run into it.
    fn finish(&mut self) {
        let last = self.run.clone();
        self.write_run();
        if let Some((output, run)) = last
            && !self.octets[run].ends_with(b"\n")
        {
            self.answers.outputs[output].push(b'\n');
        }
    }
}

/// The answer of rules, with the one that decided where they name it.
fn by_winner(program: Program<'_>, path: &[u8]) -> Answer {
    match program.winner(path) {
        Some(winner) => Answer { class: winner.verdict.into(), winner: Some(winner), is_overlaid: false },
        None => Answer { class: program.verdict(path).into(), winner: None, is_overlaid: false },
    }
}

/// Whether a policy over all origins applies to a canonical origin. Where that cannot be told it does, since it can only disallow more.
fn applies(overlay: &Overlay<'_>, origin: &[u8]) -> bool {
    Origin::parse(origin).map_or(true, |origin| overlay.applies_to(&origin))
}
