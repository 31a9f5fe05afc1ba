//! What a cache answers, in words.

use robotsc::frontier::{By, FrontierExplanation};
use robotsc::outcome::{FetchEnd, Outcome, UnknownReason};

use crate::sites::Ending;

/// The longest message of a caller's fetch that is kept.
const MAX_MESSAGE: usize = 200;

/// An answer of a cache, to be put in words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnswerText<'a> {
    pub(crate) explained: &'a FrontierExplanation,
    /// How the fetch ended that the answer rests on, if that is known.
    pub(crate) ended: Option<&'a Ending>,
    /// Whether that fetch says nothing of the site.
    pub(crate) is_unrecorded: bool,
    pub(crate) robots: &'a str,
}

impl AnswerText<'_> {
    /// Returns the word for what decided.
    pub(crate) fn reason(&self) -> &'static str {
        if self.is_unrecorded {
            return Outcome::Unreachable.as_str();
        }
        match self.explained.by {
            By::Rule { .. } => "rule",
            By::Rules => "no-rule",
            By::RobotsTxt => "robots-txt",
            By::Fetch(outcome) => outcome.as_str(),
            By::Unknown(reason) => reason.name(),
            // There is no overlay.
            _ => "overlay",
        }
    }

    /// Returns the verdict and what it rests on.
    pub(crate) fn text(&self) -> String {
        let Self { explained, robots, .. } = self;
        let why = match explained.by {
            _ if self.is_unrecorded => format!("{robots}: {}", self.happened(Outcome::Unreachable)),
            By::Rule { line } => format!("line {line} of {robots}"),
            By::Rules => match self.ended.and_then(|ended| ended.kind).filter(|kind| !kind.is_robots()) {
                Some(kind) => format!("no rule of {robots}, where {kind} came in place of a robots.txt"),
                None => format!("no rule of {robots} matches"),
            },
            By::RobotsTxt => "the URL is that of robots.txt itself".to_owned(),
            By::Fetch(outcome @ (Outcome::ServerError | Outcome::Unreachable)) if explained.verdict.is_allowed() => {
                format!("{robots} has failed for so long that it no longer counts: {}", self.happened(outcome))
            }
            By::Fetch(outcome) => format!("{robots}: {}", self.happened(outcome)),
            By::Unknown(UnknownReason::NotHeld) => format!("{robots} was not fetched yet"),
            By::Unknown(UnknownReason::Expired) => format!("the last fetch of {robots} expired"),
            By::Unknown(UnknownReason::CopyNotHeld) => format!("{robots}: {}", Outcome::NotModified),
            By::Unknown(UnknownReason::FailedOnce) => format!("the last fetch of {robots} failed, and is too old"),
            By::Unknown(UnknownReason::Future) => format!("the last fetch of {robots} is in the future: set the clock"),
            _ => self.reason().to_owned(),
        };
        format!("{}: {why}", explained.verdict)
    }

    /// Returns how a fetch ended.
    fn happened(&self, outcome: Outcome) -> String {
        let Some(ended) = self.ended else { return outcome.to_string() };
        let mut parts = Vec::new();
        parts.extend(ended.end.status().map(|status| status.to_string()));
        parts.extend((!matches!(ended.end, FetchEnd::Status(_))).then(|| ended.end.as_str().to_owned()));
        parts
            .extend(ended.kind.filter(|kind| !kind.is_robots()).map(|kind| format!("{kind} in place of a robots.txt")));
        parts.extend((!ended.problem.is_empty()).then(|| ended.problem.to_string()));
        format!("{outcome} ({})", parts.join(", "))
    }
}

/// Returns a message as one line, cut if it is long.
pub(crate) fn one_line(message: &str) -> Box<str> {
    message.chars().map(|char| if char.is_control() { ' ' } else { char }).take(MAX_MESSAGE).collect()
}
