//! The rows that `check` writes, and their number.

use std::fmt::Write as _;
use std::io::{self, Write};

use anstyle::Style;
use robotsc::Verdict;
use robotsc_analysis::preferences::EffectivePreferences;
use robotsc_analysis::words::counted;
use robotsc_answers::check::{self, AnswerRule};
use robotsc_answers::preferences::json as preferences_json;
use robotsc_answers::shown;
use robotsc_runtime::embed;
use serde_json::{Map, Value};

use super::preferences;
use crate::command_line::rule_sets::Overlay;
use crate::failure::{End, Failure};
use crate::io::{fit, output};
use crate::lists::urls::Problem;

/// The answer of a robots.txt or a program to one URL.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer<'r> {
    pub(super) verdict: Verdict,
    /// The rule that decided, if the engine names it.
    pub(super) rule: Option<AnswerRule<'r>>,
}

impl Answer<'_> {
    /// The answer if no robots.txt is consulted.
    pub(super) const ALLOWED: Self = Self { verdict: Verdict::Allow, rule: None };
}

/// The answer of a rule set: `None` if it does not apply to the URL.
pub(super) type PolicyAnswer<'p> = Option<embed::SetVerdict<'p>>;

/// The word that a row starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Allowed,
    Disallowed,
    Outside,
    Error,
}

impl Outcome {
    const NAMES: [&'static str; 4] = ["allowed", "disallowed", "outside", "error"];

    /// Combines a robots.txt and a rule set: both must allow. `alone` means that there is no robots.txt, so that a URL
    /// that the rule set does not apply to has no answer.
    pub(super) fn of(answer: Answer<'_>, policy: Option<PolicyAnswer<'_>>, alone: bool) -> Self {
        match policy {
            Some(None) if alone => Self::Outside,
            Some(Some(said)) if !said.verdict.is_allow() => Self::Disallowed,
            _ if answer.verdict.is_allow() => Self::Allowed,
            _ => Self::Disallowed,
        }
    }

    const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    const fn style(self) -> Option<Style> {
        match self {
            Self::Allowed => Some(output::ALLOWED),
            Self::Disallowed | Self::Error => Some(output::DISALLOWED),
            Self::Outside => None,
        }
    }

    const fn end(self) -> End {
        match self {
            Self::Allowed => End::Clean,
            Self::Disallowed | Self::Outside => End::Findings,
            Self::Error => End::Error,
        }
    }
}

/// The agent that a row is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Agent<'n> {
    /// Its name; `None` if a compiled program answers, which holds no names.
    pub(super) name: Option<&'n str>,
    /// What the register of known crawlers adds for this file.
    pub(super) note: Option<&'n str>,
    /// Whether it is one of several, so that each row names its own.
    pub(super) is_one_of_several: bool,
}

impl<'n> Agent<'n> {
    /// Returns its column, if rows have one.
    fn column(self) -> Option<&'n [u8]> {
        self.name.filter(|_| self.is_one_of_several).map(str::as_bytes)
    }
}

/// Rows on standard output.
pub(super) struct Rows {
    out: Box<dyn Write>,
    json: bool,
    has_colours: bool,
    /// The width of the terminal, if rows go to one.
    width: Option<usize>,
    counts: [u64; 4],
    end: End,
}

impl Rows {
    pub(super) fn new(json: bool) -> Self {
        Self {
            out: output::stdout(),
            json,
            has_colours: !json && output::has_colours(),
            width: output::width().filter(|_| !json),
            counts: [0; 4],
            end: End::Clean,
        }
    }

    /// Writes the row of a URL that was answered. `stated` is present if preferences are asked for.
    pub(super) fn answered(
        &mut self,
        (url, path): (&[u8], &[u8]),
        agent: Agent<'_>,
        outcome: Outcome,
        (answer, policy): (Answer<'_>, Option<(&Overlay<'_>, PolicyAnswer<'_>)>),
        stated: Option<Option<&EffectivePreferences>>,
    ) -> Result<(), Failure> {
        self.count(outcome);
        if self.json {
            let mut object = json(outcome, (url, path), agent, answer, policy);
            object.extend(stated.map(|stated| ("preferences".to_owned(), stated.map(preferences_json).into())));
            return output::json_line(&mut self.out, &object);
        }
        let url = shown::column(url);
        let columns = stated.flatten().map(preferences::columns);
        let [usage, signals] = columns.as_ref().map_or([None; 2], |columns| columns.each_ref().map(Some));
        let stated = [usage, signals].map(|column| column.map(String::as_bytes));
        let note = agent.note.map(str::as_bytes);
        Ok(self.row(outcome, &[Some(&*url), agent.column(), stated[0], stated[1], note])?)
    }

    /// Writes the row of a URL that cannot be read.
    pub(super) fn error(&mut self, url: &[u8], agent: Agent<'_>, problem: &Problem) -> Result<(), Failure> {
        self.count(Outcome::Error);
        if self.json {
            let mut object = check::error(url, agent.name, &problem.reason);
            object.extend(problem.input.as_ref().map(|input| ("input".to_owned(), input.as_str().into())));
            object.extend(problem.line.map(|line| ("input_line".to_owned(), line.into())));
            return output::json_line(&mut self.out, &object);
        }
        // What could break the row's columns is escaped.
        let is_plain = !url.iter().any(u8::is_ascii_control);
        let shown = if is_plain { url.to_vec() } else { shown::bytes(url).into_bytes() };
        let reason = problem.to_string();
        Ok(self.row(Outcome::Error, &[Some(&shown), agent.column(), Some(reason.as_bytes())])?)
    }

    fn count(&mut self, outcome: Outcome) {
        self.counts[outcome as usize] += 1;
        self.end = self.end.max(outcome.end());
    }

    fn row(&mut self, outcome: Outcome, columns: &[Option<&[u8]>]) -> io::Result<()> {
        match outcome.style().filter(|_| self.has_colours) {
            Some(style) => write!(self.out, "{style}{}{style:#}", outcome.name())?,
            None => self.out.write_all(outcome.name().as_bytes())?,
        }
        if let Some(width) = self.width {
            return self.out.write_all(fitted(outcome.name(), columns, width).as_bytes());
        }
        for column in columns.iter().flatten() {
            self.out.write_all(b"\t")?;
            self.out.write_all(column)?;
        }
        self.out.write_all(b"\n")
    }

    /// Writes out what is buffered.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// Returns how the run ends.
    pub(super) fn end(&self) -> End {
        self.end
    }

    /// Returns the number of URLs and of each outcome in words.
    pub(super) fn summary(&self, urls: u64, agents: usize) -> String {
        let mut text = counted(urls, "URL");
        if agents > 1 {
            let _ = write!(text, ", {agents} agents");
        }
        let outcomes = self.counts.iter().zip(Outcome::NAMES).filter(|(count, _)| **count > 0);
        let outcomes: Vec<String> = outcomes.map(|(count, name)| format!("{count} {name}")).collect();
        if !outcomes.is_empty() {
            let _ = write!(text, ": {}", outcomes.join(", "));
        }
        text
    }
}

/// Returns the rest of a row for a terminal: what is wider than a line goes on below it.
fn fitted(name: &str, columns: &[Option<&[u8]>], width: usize) -> String {
    let indent = Outcome::NAMES.iter().map(|name| name.len()).max().unwrap_or_default() + fit::GAP;
    let columns: Vec<_> = columns.iter().flatten().map(|column| String::from_utf8_lossy(column)).collect();
    let text = columns.join(&" ".repeat(fit::GAP));
    let mut row = " ".repeat(indent - name.len());
    for (number, line) in fit::lines(&text, width.saturating_sub(indent)).iter().enumerate() {
        if number > 0 {
            row.push_str(&" ".repeat(indent));
        }
        row.push_str(line.trim_end());
        row.push('\n');
    }
    row
}

/// Returns a row in JSON.
fn json(
    outcome: Outcome,
    (url, path): (&[u8], &[u8]),
    agent: Agent<'_>,
    answer: Answer<'_>,
    policy: Option<(&Overlay<'_>, PolicyAnswer<'_>)>,
) -> Map<String, Value> {
    let mut object = check::json(outcome.name(), (url, path), agent.name, answer.rule, agent.note);
    if let Some((overlay, said)) = policy {
        object.insert("policy".to_owned(), overlay.json(said));
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_fit_a_terminal() {
        let columns =
            [Some(&b"https://shop.example/cart"[..]), Some(b"FooBot"), None, Some(b"obeys the groups of BarBot")];
        let row = |name, width| format!("{name}{}", fitted(name, &columns, width));
        assert_eq!(row("allowed", 80), "allowed     https://shop.example/cart  FooBot  obeys the groups of BarBot\n");
        assert_eq!(
            row("disallowed", 40),
            "disallowed  https://shop.example/cart\n            FooBot  obeys the groups of\n            BarBot\n"
        );
        assert_eq!(
            row("error", 30),
            "error       https://shop.examp\n            le/cart  FooBot\n            \
             obeys the groups\n            of BarBot\n"
        );
    }
}
