//! A list of known findings, so that an old file can be linted for new ones alone.
//!
//! A finding is known by its check and the text of its line, not by its number: lines that move stay known. One line of
//! the list is a count, a code, the file and the text of the line, with tabs between.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use super::{Linted, text};
use crate::failure::Failure;
use crate::shown;
use crate::source::Source;

/// The first line of the list.
const HEADER: &str = "# robotsc lint baseline 1";

/// What a finding is known by: its code, the file, and the text of its line.
type Known = (String, String, String);

/// Known findings, and how often each is known.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    counts: BTreeMap<Known, usize>,
}

fn known(file: &Linted<'_>, finding: &robotsc_analysis::lint::Finding) -> Known {
    let line = text::line_of(file.robots.body(), finding.line).trim_ascii();
    (finding.check.code.to_owned(), shown::line(file.name), shown::bytes(line))
}

impl Baseline {
    /// Returns the findings of some files.
    pub(super) fn of(files: &[Linted<'_>]) -> Self {
        let mut counts = BTreeMap::new();
        for file in files {
            for finding in &file.found {
                *counts.entry(known(file, finding)).or_default() += 1;
            }
        }
        Self { counts }
    }

    /// Reads a list.
    ///
    /// # Errors
    /// If it cannot be read, or is no such list.
    pub(super) fn read(path: &OsStr) -> Result<Self, Failure> {
        let source = Source::read(path)?;
        let bad = |line: usize, what: &str| {
            Failure::new(format_args!(
                "bad baseline: {}: line {line}: {what}: write it anew with --write-baseline",
                source.name
            ))
        };
        let text = std::str::from_utf8(&source.bytes).map_err(|_| bad(1, "it is no UTF-8"))?;
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, line)| line != HEADER) {
            return Err(bad(1, "it does not begin as a baseline does"));
        }
        let mut counts = BTreeMap::new();
        for (at, line) in lines {
            let mut fields = line.splitn(4, '\t');
            let count = fields.next().and_then(|count| count.parse::<usize>().ok());
            let (Some(count), Some(code), Some(file), Some(line)) =
                (count, fields.next(), fields.next(), fields.next())
            else {
                return Err(bad(at + 1, "it has not four columns"));
            };
            *counts.entry((code.to_owned(), file.to_owned(), line.to_owned())).or_default() += count;
        }
        Ok(Self { counts })
    }

    /// Returns the list as it is written.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut list = format!("{HEADER}\n");
        for ((code, file, line), count) in &self.counts {
            list.push_str(&format!("{count}\t{code}\t{file}\t{line}\n"));
        }
        list.into_bytes()
    }

    /// Drops the findings that are known.
    pub(super) fn drop_known(mut self, files: &mut [Linted<'_>]) {
        for file in files {
            let found = std::mem::take(&mut file.found);
            for finding in found {
                match self.counts.get_mut(&known(file, &finding)) {
                    Some(count) if *count > 0 => *count -= 1,
                    _ => file.found.push(finding),
                }
            }
        }
    }
}
