//! The columns of verdicts for several agents, row by row.

use crate::answers::NULL;
use crate::site::Site as OneSite;
use crate::table::Column;

pub(crate) const ALLOWED: u8 = 0;
pub(crate) const DISALLOWED: u8 = 1;
pub(crate) const UNKNOWN: u8 = 2;

/// The words of reasons, at the places of their codes.
const REASONS: &[&str] = &[
    "rule",
    "no-rule",
    "rules",
    "robots-txt",
    "unavailable",
    "redirects",
    "server-error",
    "unreachable",
    "not-held",
    "expired",
    "copy-not-held",
    "failed-once",
    "future",
    "use-refused",
    "use-unknown",
];

pub(crate) fn reason_code(word: &str) -> u8 {
    REASONS.iter().position(|known| *known == word).map_or(NULL, |place| place as u8)
}

/// Who must be allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Require {
    All,
    Any,
}

/// What is answered besides verdicts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) require: Option<Require>,
    pub(crate) reasons: bool,
    pub(crate) lines: bool,
}

impl Wanted {
    /// A verdict for each agent, and nothing else.
    pub(crate) const VERDICTS: Self = Self { require: None, reasons: false, lines: false };
}

/// The answer for an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct One {
    pub(crate) verdict: u8,
    pub(crate) reason: u8,
    pub(crate) line: u32,
}

impl Require {
    /// Returns the one answer that several amount to: of what decides it, the first. Unknown is neither: it has
    /// priority over the agents that agree.
    fn of(self, answers: &[One]) -> One {
        let decisive = if self == Self::All { DISALLOWED } else { ALLOWED };
        let first = |verdict: u8| answers.iter().find(|answer| answer.verdict == verdict);
        let found = first(decisive).or_else(|| first(UNKNOWN)).or_else(|| answers.first());
        found.copied().unwrap_or(One { verdict: UNKNOWN, reason: NULL, line: 0 })
    }
}

/// The columns of a call; those that are not wanted are empty.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    pub(crate) verdicts: Vec<Vec<u8>>,
    reasons: Vec<Vec<u8>>,
    lines: Vec<Vec<u32>>,
    pub(crate) site: OneSite,
}

impl Columns {
    /// Makes room for rows, which have no answer yet. Returns the first of them.
    pub(crate) fn grow(&mut self, columns: usize, rows: usize, wanted: Wanted) -> usize {
        fn grow<T: Clone>(all: &mut Vec<Vec<T>>, columns: usize, rows: usize, value: T) {
            all.resize_with(columns, Vec::new);
            for column in all {
                column.resize(column.len() + rows, value.clone());
            }
        }
        let first = self.verdicts.first().map_or(0, Vec::len);
        grow(&mut self.verdicts, columns, rows, NULL);
        if wanted.reasons {
            grow(&mut self.reasons, columns, rows, NULL);
        }
        if wanted.lines {
            grow(&mut self.lines, columns, rows, 0);
        }
        first
    }

    fn put(&mut self, column: usize, row: usize, one: One) {
        self.verdicts[column][row] = one.verdict;
        if let Some(reasons) = self.reasons.get_mut(column) {
            reasons[row] = one.reason;
        }
        if let Some(lines) = self.lines.get_mut(column) {
            lines[row] = one.line;
        }
    }

    /// Puts the answers for the agents of a row, or the one that they amount to. `index` says which answer is that of
    /// an agent.
    #[inline]
    pub(crate) fn put_row(
        &mut self,
        row: usize,
        agents: usize,
        distinct: &[One],
        index: impl Fn(usize) -> usize,
        wanted: Wanted,
    ) {
        if let Some(require) = wanted.require {
            // Answers that are equal for several agents decide as one: of what decides it, the first counts.
            return self.put(0, row, require.of(distinct));
        }
        if self.reasons.is_empty() && self.lines.is_empty() {
            if let [one] = distinct {
                for column in &mut self.verdicts {
                    column[row] = one.verdict;
                }
                return;
            }
            for (agent, column) in self.verdicts.iter_mut().enumerate() {
                column[row] = distinct[index(agent)].verdict;
            }
            return;
        }
        for agent in 0..agents {
            self.put(agent, row, distinct[index(agent)]);
        }
    }

    pub(crate) fn named(self, agents: &[String], wanted: Wanted) -> Vec<(String, Column)> {
        let one = ["verdict".to_owned()];
        let agents = if wanted.require.is_some() { &one } else { agents };
        let name = |at: usize, what: &str| match wanted.require {
            Some(_) => what.to_owned(),
            None => format!("{} {what}", agents[at]),
        };
        let mut columns = Vec::new();
        let (mut verdicts, mut reasons, mut lines) =
            (self.verdicts.into_iter(), self.reasons.into_iter(), self.lines.into_iter());
        for (at, agent) in agents.iter().enumerate() {
            // No URL at all: the columns were not made.
            columns.push((agent.clone(), Column::Verdicts(verdicts.next().unwrap_or_default())));
            if wanted.reasons {
                columns.push((name(at, "reason"), Column::Words(REASONS, reasons.next().unwrap_or_default())));
            }
            if wanted.lines {
                columns.push((name(at, "line"), Column::Lines(lines.next().unwrap_or_default())));
            }
        }
        columns
    }
}
