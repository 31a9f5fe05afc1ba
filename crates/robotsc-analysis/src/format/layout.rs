//! Where the empty lines of a formatted file are.
//!
//! ```text
//! # shop                     a comment stays with the line after it
//! User-agent: *
//!                            removed: readers of 1994 end a group at an empty line
//! Disallow: /cart
//!                            inserted, or one of several kept: between groups
//! User-agent: FooBot
//! Disallow: /
//!                            inserted: the sitemaps are no part of the group
//! Sitemap: https://…
//! ```

use robotsc_compiler::record::RecordKind;

use super::reading::{Item, trimmed};

/// What a line is to the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// An empty line.
    Empty,
    /// A comment, or text that no dialect reads.
    Text,
    /// A `User-agent` line at which every dialect opens a group.
    Group,
    /// Any other `User-agent` line: some dialect adds its agents to the group before it.
    Agent,
    /// A rule, or a record that can belong to a group.
    Member,
    /// A sitemap.
    Sitemap,
}

/// Returns what a line is. `opens` is whether every dialect opens a group there.
pub(super) fn part(written: &[u8], items: &[Option<Item<'_>>], opens: bool) -> Part {
    match items.iter().flatten().next() {
        None if trimmed(written).is_empty() => Part::Empty,
        None => Part::Text,
        Some(Item::Agent(_)) if opens => Part::Group,
        Some(Item::Agent(_)) => Part::Agent,
        Some(Item::Record(RecordKind::Sitemap, ..)) => Part::Sitemap,
        Some(_) => Part::Member,
    }
}

/// What is between two lines that dialects read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Between {
    /// They belong together: no empty line.
    Together,
    /// Empty lines are where they are, each run as one.
    AsWritten,
    /// As written, and one if there is none.
    Apart,
}

/// Reports for each line whether an empty line is written before it. Empty lines of the file are never written
/// themselves.
pub(super) fn gaps(parts: &[Part]) -> Vec<bool> {
    let mut gaps = vec![false; parts.len()];
    let between = between(parts);
    // The lines since the last one that is read, and whether an empty line is before each.
    let mut run: Vec<(usize, bool)> = Vec::new();
    let mut is_gap = false;
    let mut reads = between.iter();
    let is_read = |part: Part| !matches!(part, Part::Empty | Part::Text);
    for (at, part) in parts.iter().enumerate() {
        if *part == Part::Empty {
            is_gap = true;
            continue;
        }
        run.push((at, std::mem::take(&mut is_gap)));
        if is_read(*part) {
            settle(&mut gaps, &run, reads.next().copied().unwrap_or(Between::AsWritten));
            run.clear();
        }
    }
    settle(&mut gaps, &run, Between::AsWritten);
    if let Some(first) = parts.iter().position(|part| *part != Part::Empty) {
        gaps[first] = false;
    }
    gaps
}

fn settle(gaps: &mut [bool], run: &[(usize, bool)], between: Between) {
    if between == Between::Together {
        return;
    }
    for (at, has_gap) in run {
        gaps[*at] = *has_gap;
    }
    if let Some((first, _)) = run.first()
        && between == Between::Apart
        && run.iter().all(|(_, has_gap)| !has_gap)
    {
        gaps[*first] = true;
    }
}

/// Returns what is before each line that is read.
fn between(parts: &[Part]) -> Vec<Between> {
    let read: Vec<Part> = parts.iter().copied().filter(|part| !matches!(part, Part::Empty | Part::Text)).collect();
    // The next line that is no sitemap: if it opens no group, sitemaps are in the middle of one.
    let mut follows = vec![Part::Group; read.len()];
    let mut next = Part::Group;
    for (at, part) in read.iter().enumerate().rev() {
        if *part != Part::Sitemap {
            next = *part;
        }
        follows[at] = next;
    }
    let mut all = Vec::with_capacity(read.len());
    let mut before: Option<Part> = None;
    for (at, part) in read.iter().copied().enumerate() {
        all.push(match (before, part) {
            (None, _) => Between::AsWritten,
            (Some(_), Part::Group) => Between::Apart,
            (Some(Part::Group | Part::Agent), Part::Agent) => Between::Together,
            // One group to some dialects, and two to others.
            (Some(_), Part::Agent) => Between::AsWritten,
            (Some(_), Part::Member) => Between::Together,
            (Some(_), Part::Sitemap) if follows[at] == Part::Member => Between::Together,
            (Some(_), Part::Sitemap) if follows[at] == Part::Agent => Between::AsWritten,
            (Some(Part::Sitemap), _) => Between::AsWritten,
            (Some(_), _) => Between::Apart,
        });
        before = Some(part);
    }
    all
}
