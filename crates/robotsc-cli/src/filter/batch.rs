//! The lines of a block, and what is said of each.
//!
//! The lines are taken in batches. In a batch first all lines are split and their origins looked for in the index, then
//! what holds for each origin is read, and then the paths are walked: so the cache misses of a step, which do not wait
//! for each other, are served together. A line of the same origin as the line before is recognised by its first octets.
//!
//! Nearly every line is plain: its URL stands in the block, and its path in the URL, as they are asked about. What else
//! lines hold is kept aside, so that of a plain line little has to be remembered.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hasher as _};
use std::ops::Range;
use std::sync::Arc;

use robotsc::Verdict;
use robotsc::origin::{self, OriginError};
use robotsc_runtime::url::PlainUrl;
use robotsc_runtime::{PathForm, UrlPath};

use super::answer::{Answer, Answers, BadLine, Class, Hit, OUTPUTS, Records, Route, STDOUT, Unknown};
use super::blocks::Carrier;
use super::layout::{self, Layout};
use super::lines::{Line, Lines, MAX_LINE_BYTES};
use super::overlay::Overlaid;
use super::policies::{Policies, Standing};
use super::record;

/// Lines that are answered together: enough to keep all loads that a core can wait for at once under way.
const BATCH: usize = 64;

/// Bad lines of a block that are told.
const MOST_TOLD: usize = 5;

/// A line and what was found in it.
struct Asked<'b> {
    /// The line with its end, in the block.
    line: Range<usize>,
    url: &'b [u8],
    path: &'b [u8],
    /// The origin by its number in the batch; from [`ODD`] on, which of the odd lines it is, and then the others are
    /// empty.
    origin: u32,
}

/// Above all numbers of origins.
const ODD: u32 = 1 << 31;

/// What few lines hold.
enum Odd<'b> {
    Url {
        url: Cow<'b, [u8]>,
        path: Cow<'b, [u8]>,
        origin: u32,
    },
    /// Nothing: it is no record, but counts as a line.
    Empty,
    /// More than any URL has.
    Long,
    /// No URL, and why.
    NoUrl(&'static str),
    /// What has no origin.
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

/// Answers for blocks.
#[derive(Debug)]
pub(crate) struct Answerer<P> {
    pub(crate) policies: Arc<P>,
    pub(crate) route: Route,
    /// A policy over all origins, which can only disallow more.
    pub(crate) overlay: Option<Arc<Overlaid>>,
}

impl<P> Clone for Answerer<P> {
    fn clone(&self) -> Self {
        Self { policies: Arc::clone(&self.policies), route: self.route, overlay: self.overlay.clone() }
    }
}

impl<P: Policies> Answerer<P> {
    /// Answers for the lines of a block.
    pub(crate) fn answer(&self, carrier: &mut Carrier) {
        let Carrier { bytes: octets, lines, header, layout, is_cut, answers, .. } = carrier;
        answers.clear();
        if header.start < header.end {
            answers.lines += 1;
            self.write_header(&octets[header.clone()], answers);
        }
        Block::new(self, &octets[..lines.end], lines.start, *layout, *is_cut, answers).answer();
    }

    /// The header goes wherever lines go.
    fn write_header(&self, header: &[u8], answers: &mut Answers) {
        let mut done = [false; OUTPUTS];
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

/// A block that is being answered.
pub(crate) struct Block<'b, 'p, P: Policies> {
    answerer: &'p Answerer<P>,
    octets: &'b [u8],
    layout: Layout,
    /// It is one line that is too long.
    is_cut: bool,
    /// The form that paths must have.
    form: PathForm,
    /// Whether a line without a sign needs no further look at its path.
    signs_tell: bool,
    lines: Lines<'b>,
    /// The number of the batch's first line.
    first_line: u64,
    asked: Vec<Asked<'b>>,
    odd: Vec<Odd<'b>>,
    /// The origins of the batch. The first may be the last of the batch before.
    known: Vec<Known<'b, 'p, P::Place>>,
    /// The plain URL before, whose origin is the last of `known`.
    last: Option<PlainUrl<'b>>,
    /// Lines that follow each other and go to the same output.
    run: Option<(usize, Range<usize>)>,
    answers: &'b mut Answers,
}

impl<'b, 'p, P: Policies> Block<'b, 'p, P> {
    pub(crate) fn new(
        answerer: &'p Answerer<P>,
        octets: &'b [u8],
        start: usize,
        layout: Layout,
        is_cut: bool,
        answers: &'b mut Answers,
    ) -> Self {
        let form = answerer.policies.dialect().path_form();
        Self {
            answerer,
            octets,
            layout,
            is_cut,
            form,
            signs_tell: form == PathForm::Escaped && layout == Layout::Line,
            lines: Lines::new(octets, start, layout.quoting()),
            first_line: answers.lines,
            asked: Vec::with_capacity(BATCH),
            odd: Vec::new(),
            known: Vec::with_capacity(BATCH),
            last: None,
            run: None,
            answers,
        }
    }

    /// Answers for all lines.
    pub(crate) fn answer(mut self) {
        while !self.lines.is_done() {
            self.split_batch();
            self.look_up();
            self.walk();
        }
        self.finish();
    }

    /// Finds the next lines, their URLs, origins and paths.
    fn split_batch(&mut self) {
        self.asked.clear();
        self.odd.clear();
        // The origin of the line before may go on.
        let kept = if self.last.is_some() { self.known.len() - 1 } else { self.known.len() };
        self.known.drain(..kept);
        while self.asked.len() < BATCH
            && let Some(line) = self.lines.next()
        {
            let asked = match self.plain(&line) {
                Ok(asked) => asked,
                Err(odd) => {
                    let origin = ODD + self.odd.len() as u32;
                    self.odd.push(odd);
                    Asked { line: line.place, url: b"", path: b"", origin }
                }
            };
            self.asked.push(asked);
        }
    }

    /// What a line holds, or that it is odd.
    #[inline(always)]
    fn plain(&mut self, line: &Line) -> Result<Asked<'b>, Odd<'b>> {
        let octets = self.octets;
        let text = layout::without_end(&octets[line.place.clone()]);
        if text.is_empty() {
            return Err(Odd::Empty);
        }
        if self.is_cut || text.len() > MAX_LINE_BYTES {
            return Err(Odd::Long);
        }
        let url = if matches!(self.layout, Layout::Line) {
            text
        } else {
            match self.layout.url(text) {
                Ok(Cow::Borrowed(url)) => url,
                Ok(Cow::Owned(url)) => return Err(self.owned(url)),
                Err(reason) => return Err(Odd::NoUrl(reason)),
            }
        };
        let behind = self.last.as_ref().and_then(|last| url.strip_prefix(last.origin));
        let (path, origin) = match behind {
            Some(path @ [b'/', ..]) => (path, self.known.len() - 1),
            _ => {
                self.last = PlainUrl::split(url);
                let Some(plain) = self.last else { return Err(self.any(url)) };
                (plain.path, self.origin(plain.origin, |_| Cow::Borrowed(plain.origin)))
            }
        };
        if !(self.signs_tell && !line.has_sign || self.form.is_normalized(path)) {
            return Err(self.any(url));
        }
        Ok(Asked { line: line.place.clone(), url, path, origin: origin as u32 })
    }

    /// The same for a URL whose path, or all of it, is not plain.
    #[inline(never)]
    fn any(&mut self, url: &'b [u8]) -> Odd<'b> {
        match origin::split(self.answerer.policies.dialect(), url) {
            Ok(split) => {
                let origin = self.origin(&split.origin, |_| split.origin.clone()) as u32;
                Odd::Url { url: Cow::Borrowed(url), path: split.path.into_cow(), origin }
            }
            Err(error) => {
                self.last = None;
                Odd::NoOrigin(Cow::Borrowed(url), error)
            }
        }
    }

    /// The same for a URL that does not stand in the block as it is.
    #[inline(never)]
    fn owned(&mut self, url: Vec<u8>) -> Odd<'b> {
        let split = match origin::split(self.answerer.policies.dialect(), &url) {
            Ok(split) => split,
            Err(error) => return Odd::NoOrigin(Cow::Owned(url), error),
        };
        let origin = self.origin(&split.origin, |text| Cow::Owned(text.to_vec())) as u32;
        self.last = None;
        let path = Cow::Owned(split.path.into_cow().into_owned());
        Odd::Url { url: Cow::Owned(url), path, origin }
    }

    /// The number of an origin in the batch.
    #[inline]
    fn origin(&mut self, text: &[u8], keep: impl FnOnce(&[u8]) -> Cow<'b, [u8]>) -> usize {
        if self.known.last().is_none_or(|known| *known.text != *text) {
            let place = self.answerer.policies.find(text);
            let is_overlaid = self.answerer.overlay.as_ref().is_some_and(|overlay| overlay.applies_to(text));
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
        let (asked, odd) = (std::mem::take(&mut self.asked), std::mem::take(&mut self.odd));
        for (number, Asked { line, url, path, origin }) in asked.iter().enumerate() {
            let (mut url, mut path, mut origin) = (*url, Some(*path), *origin);
            if origin >= ODD {
                match &odd[(origin - ODD) as usize] {
                    Odd::Url { url: its_url, path: its_path, origin: its_origin } => {
                        (url, path, origin) = (its_url, Some(&**its_path), *its_origin);
                    }
                    Odd::Empty => continue,
                    bad => {
                        (url, path) = (self.bad(self.first_line + number as u64, line, bad), None);
                    }
                }
            }
            let answer = match path {
                Some(path) => self.decide(url, path, origin),
                None => Answer::of(Class::Error),
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
            let out = &mut self.answers.outputs[STDOUT].own;
            match self.answerer.route.records {
                None => {}
                Some(Records::Verdicts) => record::verdict(out, answer.class, url),
                Some(Records::Json) => record::json(out, &answer, url, path),
            }
        }
        self.first_line += asked.len() as u64;
        self.answers.lines += asked.len() as u64;
        (self.asked, self.odd) = (asked, odd);
    }

    #[inline(always)]
    fn decide(&mut self, url: &[u8], path: &[u8], origin: u32) -> Answer {
        let known = &self.known[origin as usize];
        let route = &self.answerer.route;
        let answer = match &known.standing {
            // Nothing else can be known before, so this is allowed whatever is known.
            _ if path == b"/robots.txt" => Answer::of(Class::Allowed),
            // A path of another form than the program is never asked about; were it, nothing would be allowed.
            Standing::Rules(program) if !program.names_winner() => {
                let path = UrlPath::assume(path, self.form);
                Answer::of(program.verdict(path).unwrap_or(Verdict::Disallow).into())
            }
            // Of rules with names only who wins is said.
            Standing::Rules(program) => match program.winner(UrlPath::assume(path, self.form)) {
                Ok(winner) => {
                    Answer { winner, ..Answer::of(winner.map_or(Verdict::Allow, |winner| winner.verdict).into()) }
                }
                Err(_) => Answer::of(Class::Disallowed),
            },
            Standing::AllowAll => Answer::of(Class::Allowed),
            Standing::DisallowAll => Answer::of(Class::Disallowed),
            // Nothing else is an allow.
            _ => Answer::of(Class::Unknown),
        };
        if known.is_overlaid
            && answer.class != Class::Disallowed
            && self.answerer.overlay.as_ref().is_some_and(|overlay| !overlay.allows(url, path, self.form))
        {
            self.answers.overlaid += 1;
            return Answer { is_overlaid: true, ..Answer::of(Class::Disallowed) };
        }
        match answer.class {
            Class::Disallowed => self.hit(origin, &answer),
            Class::Allowed if route.hits => self.hit(origin, &answer),
            Class::Unknown => self.unknown(origin),
            _ => {}
        }
        answer
    }

    /// Counts what decided.
    #[inline(never)]
    fn hit(&mut self, origin: u32, answer: &Answer) {
        let text = &*self.known[origin as usize].text;
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
    fn unknown(&mut self, origin: u32) {
        let text = &*self.known[origin as usize].text;
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

    /// Keeps a bad line to be told, and says what there is of a URL.
    #[cold]
    fn bad<'o>(&mut self, number: u64, line: &Range<usize>, bad: &'o Odd<'b>) -> &'o [u8] {
        let octets = self.octets;
        let text = layout::without_end(&octets[line.clone()]);
        let (url, reason): (_, &dyn std::fmt::Display) = match bad {
            Odd::Long => (text, &format_args!("longer than {} KiB", MAX_LINE_BYTES >> 10)),
            Odd::NoUrl(reason) => (text, reason),
            Odd::NoOrigin(url, error) => (&**url, error),
            Odd::Url { .. } | Odd::Empty => return text,
        };
        if self.answers.bad.len() < MOST_TOLD {
            let text = url[..url.len().min(512)].to_vec();
            self.answers.bad.push(BadLine { line: number, text, reason: reason.to_string() });
        }
        url
    }

    /// Writes the lines that are held back.
    fn write_run(&mut self) {
        if let Some((output, run)) = self.run.take() {
            self.answers.outputs[output].add(self.octets, run);
        }
    }

    /// Writes what is held back. A file's last line gets the end that it lacks, so that the next file's first does not
    /// run into it.
    fn finish(&mut self) {
        let last = self.run.clone();
        self.write_run();
        if let Some((output, run)) = last
            && !self.octets[run].ends_with(b"\n")
        {
            self.answers.outputs[output].own.push(b'\n');
        }
    }
}
