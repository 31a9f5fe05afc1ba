//! What an edit of a robots.txt changes, for whom: [`words`] says it in sentences, [`json`] in objects, and [`flips`]
//! finds the URLs of a list whose verdict flips. [`site`] compares what two fetches of a site brought.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use robotsc::bundled::{self, KnownAgent};
use robotsc::{Crawler, RobotsTxt};
use robotsc_analysis::{DiffOptions, Paths};

pub mod flips;
pub mod json;
pub mod site;
pub mod words;

/// The crawlers of the register that do not obey just the groups that name them, else those for `*`.
static KNOWN: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let known = bundled::agents().iter().filter(|known| !known.fallback.is_empty() || known.crawler().is_named_only());
    known.map(|known| known.token).collect()
});

/// One of the two files.
#[derive(Clone, Copy, Debug)]
pub struct Side<'s> {
    /// What the file is called.
    pub name: &'s str,
    /// The file, under a dialect.
    pub robots: &'s RobotsTxt<'s>,
}

/// Returns the options of a diff. `is_edit` means that two files are compared under one dialect, and not one file under
/// two. `as_written` means that agents have their names alone, whatever their operators document.
#[must_use]
pub fn options(agents: &[String], is_edit: bool, as_written: bool) -> DiffOptions<'_> {
    let documented: fn(&str) -> Option<Crawler> =
        if as_written { |_| None } else { |name| bundled::agent(name).map(KnownAgent::crawler) };
    DiffOptions {
        agents,
        documented,
        known: if as_written { &[] } else { &KNOWN },
        paths: if is_edit { Paths::Urls } else { Paths::Plain },
        ..DiffOptions::default()
    }
}

/// Returns options that allow a number of times the work of other options.
#[must_use]
pub fn with_work(options: DiffOptions<'_>, times: u32) -> DiffOptions<'_> {
    DiffOptions {
        work_per_search: options.work_per_search.saturating_mul(times.into()),
        work: options.work.saturating_mul(times.into()),
        ..options
    }
}

/// Returns the number of lines that only one of the bodies has: the larger of the two numbers.
#[must_use]
pub fn differing_lines(one: &[u8], other: &[u8]) -> usize {
    let lines = |body| <[u8]>::split(body, |byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let mut counts: BTreeMap<&[u8], i64> = BTreeMap::new();
    lines(one).for_each(|line| *counts.entry(line).or_default() += 1);
    lines(other).for_each(|line| *counts.entry(line).or_default() -= 1);
    counts.remove(&b""[..]);
    let sum = |sign: i64| counts.values().map(|count| (count * sign).max(0) as usize).sum::<usize>();
    sum(1).max(sum(-1))
}
