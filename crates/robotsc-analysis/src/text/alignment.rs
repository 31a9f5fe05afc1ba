//! Which lines of one file are lines of another.
//!
//! ```text
//! User-agent: Foo         User-agent: Foo       kept
//! Disallow: /             User-agent: *         moved, from line 3
//!                         Disallow: /           kept
//! User-agent: *
//! Disallow: /cart         Disallow: /cart       kept
//! ```
//!
//! The lines that are kept are those of a minimal line diff: as many as keep their order. Of two that would be as many,
//! those with more rules are. A line that is not kept, and that the other file has once more elsewhere, moved there.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use robotsc_compiler::small_sort::SmallSort as _;

use super::lines::Lines;

/// The pairs of lines that are compared one by one.
const MAX_PAIRS: usize = 1 << 22;
/// The lines that are not kept, of files with more pairs. Beyond that, only equal ends are kept between lines that each
/// file has once.
const MAX_EDITS: usize = 1_000;
/// What a kept line counts, beside what it weighs.
const LINE: u64 = 1 << 32;

/// Lines of two files, and which of one are lines of the other.
#[derive(Debug)]
pub(crate) struct Alignment {
    /// For each line of either file, from 1, the same line in the other; 0 if it has none.
    kept: [Vec<u32>; 2],
    /// The same for lines that moved.
    moved: [Vec<u32>; 2],
    /// The lines of either file that are kept, in order.
    in_order: [Vec<u32>; 2],
}

impl Alignment {
    /// Aligns the lines of two files. `weight` says which of two equal numbers of lines is better to keep, unless the
    /// files have very many.
    ///
    /// Cost: n log n in the lines, what [`MAX_PAIRS`] takes, and [`MAX_EDITS`] for each line.
    pub(crate) fn new(texts: [&[&[u8]]; 2], weight: impl Fn(&[u8]) -> u32) -> Self {
        let mut numbers: HashMap<&[u8], u32> = HashMap::new();
        let mut weights = Vec::new();
        let lines = texts.map(|texts| {
            let mut line_numbers = Vec::with_capacity(texts.len());
            for text in texts {
                let next = numbers.len() as u32;
                line_numbers.push(*numbers.entry(text).or_insert_with(|| {
                    weights.push(LINE + u64::from(weight(text)));
                    next
                }));
            }
            line_numbers
        });
        let kept = [0, 1].map(|side: usize| vec![0; lines[side].len() + 1]);
        let mut aligner = Aligner { lines: &lines, weights: &weights, kept, left: MAX_PAIRS, edits_left: MAX_EDITS };
        aligner.align();
        let kept = aligner.kept;
        let moved = moved(&lines, &kept, |side, at| !matches!(texts[side][at], [] | [b'#', ..]));
        let in_order = kept
            .each_ref()
            .map(|kept| (0..).zip(kept).filter(|(_, other)| **other > 0).map(|(line, _)| line).collect());
        Self { kept, moved, in_order }
    }

    /// Returns the same line of the other file, if it kept its place among the others.
    pub(crate) fn kept(&self, side: usize, line: u32) -> Option<u32> {
        self.kept[side].get(line as usize).copied().filter(|other| *other > 0)
    }

    /// Returns the same line of the other file, if it is at another place there.
    pub(crate) fn moved(&self, side: usize, line: u32) -> Option<u32> {
        self.moved[side].get(line as usize).copied().filter(|other| *other > 0)
    }

    /// Returns the same line of the other file.
    pub(crate) fn other(&self, side: usize, line: u32) -> Option<u32> {
        self.kept(side, line).or_else(|| self.moved(side, line))
    }

    /// Returns the lines of the other file that are in the place of a line which is not kept: from the one after the
    /// last kept line before it, to the one before the next.
    pub(crate) fn place(&self, side: usize, line: u32) -> Range<u32> {
        let kept = &self.in_order[side];
        let next = kept.partition_point(|kept| *kept < line);
        let other = |line: &u32| self.kept[side][*line as usize];
        let from = next.checked_sub(1).and_then(|at| kept.get(at)).map_or(1, |line| other(line) + 1);
        let to = kept.get(next).map_or(self.kept[1 - side].len() as u32, other);
        from..to
    }
}

/// Returns the runs of lines that differ between two texts, each as lines of the old and of the new, from 1. What is
/// between two runs is equal, line ends too. Of texts of some thousand lines that differ in most, runs can be longer
/// than they need to be.
///
/// Cost: n log n in the lines, and at most a thousand steps for each. Panics: never.
///
/// ```
/// use robotsc::analysis::{Lines, changed_lines};
///
/// let [old, new] = [b"a\nb\nc\n", b"a\nx\nc\n"].map(|text| Lines::new(text));
/// assert_eq!(changed_lines(&old, &new), [[2..3, 2..3]]);
/// ```
#[must_use]
pub fn changed_lines(old: &Lines<'_>, new: &Lines<'_>) -> Vec<[Range<u32>; 2]> {
    let texts = [old, new].map(|lines| (1..=lines.count()).map(|line| lines.whole_text(line)).collect::<Vec<_>>());
    let aligned = Alignment::new(texts.each_ref().map(Vec::as_slice), |_| 0);
    let kept = aligned.in_order[0].iter().map(|line| [*line, aligned.kept[0][*line as usize]]);
    let ends = [old, new].map(|lines| lines.count() + 1);
    let mut from = [1, 1];
    let mut runs = Vec::new();
    for at in kept.chain([ends]) {
        if from != at {
            runs.push([from[0]..at[0], from[1]..at[1]]);
        }
        from = at.map(|line| line + 1);
    }
    runs
}

/// Finds the lines that are kept.
struct Aligner<'l> {
    /// The lines, as numbers of their texts.
    lines: &'l [Vec<u32>; 2],
    /// What each text counts.
    weights: &'l [u64],
    kept: [Vec<u32>; 2],
    /// The pairs of lines that can still be compared.
    left: usize,
    /// The lines that can still be found to be not kept.
    edits_left: usize,
}

impl Aligner<'_> {
    fn align(&mut self) {
        let [start, end] = self.keep_ends([0, 0], self.lines.each_ref().map(Vec::len));
        if self.keep_most(start, end) || self.keep_all_but_few(start, end) {
            return;
        }
        // Lines that each file has once, in one order, cut what is too long.
        let [old, new] = [0, 1].map(|side| &self.lines[side][start[side]..end[side]]);
        let pairs = unique_pairs(old, new).into_iter().map(|[one, two]| [one + start[0], two + start[1]]);
        let mut from = start;
        for at in pairs.chain([end]) {
            let [inner, outer] = self.keep_ends(from, at);
            let _ = self.keep_most(inner, outer) || self.keep_all_but_few(inner, outer);
            // The next part begins with the line itself.
            from = at;
        }
    }

    fn keep(&mut self, at: [usize; 2]) {
        self.kept[0][at[0] + 1] = at[1] as u32 + 1;
        self.kept[1][at[1] + 1] = at[0] as u32 + 1;
    }

    /// Keeps what is equal at both ends of a part, and returns what is left.
    fn keep_ends(&mut self, mut start: [usize; 2], mut end: [usize; 2]) -> [[usize; 2]; 2] {
        let lines = self.lines;
        while start[0] < end[0] && start[1] < end[1] && lines[0][start[0]] == lines[1][start[1]] {
            self.keep(start);
            start = start.map(|at| at + 1);
        }
        while start[0] < end[0] && start[1] < end[1] && lines[0][end[0] - 1] == lines[1][end[1] - 1] {
            end = end.map(|at| at - 1);
            self.keep(end);
        }
        [start, end]
    }

    /// Keeps as many lines of a part as possible, unless it has too many pairs.
    fn keep_most(&mut self, start: [usize; 2], end: [usize; 2]) -> bool {
        let [old, new] = [0, 1].map(|side| &self.lines[side][start[side]..end[side]]);
        let pairs = old.len().saturating_mul(new.len());
        if pairs > self.left {
            return false;
        }
        self.left -= pairs;
        if pairs == 0 {
            return true;
        }
        // What the rest from a line on counts, for each line of the new file: a row for a line of the old one.
        let mut below = vec![0_u64; new.len() + 1];
        let mut steps = vec![Step::Keep; pairs];
        for (row, one) in old.iter().enumerate().rev() {
            let mut current = vec![0_u64; new.len() + 1];
            for (column, two) in new.iter().enumerate().rev() {
                let kept = if one == two { below[column + 1] + self.weights[*one as usize] } else { 0 };
                let (skipped, added) = (below[column], current[column + 1]);
                let best = kept.max(skipped).max(added);
                current[column] = best;
                steps[row * new.len() + column] = match () {
                    () if one == two && kept == best => Step::Keep,
                    () if skipped == best => Step::SkipOld,
                    () => Step::SkipNew,
                };
            }
            below = current;
        }
        let (mut row, mut column) = (0, 0);
        while row < old.len() && column < new.len() {
            match steps[row * new.len() + column] {
                Step::Keep => {
                    self.kept[0][start[0] + row + 1] = (start[1] + column) as u32 + 1;
                    self.kept[1][start[1] + column + 1] = (start[0] + row) as u32 + 1;
                    (row, column) = (row + 1, column + 1);
                }
                Step::SkipOld => row += 1,
                Step::SkipNew => column += 1,
            }
        }
        true
    }

    /// Keeps as many lines of a part as possible if few are left out, however many pairs there are: of all paths with
    /// the same number of lines left out, the one that comes furthest is followed (Myers, 1986).
    fn keep_all_but_few(&mut self, start: [usize; 2], end: [usize; 2]) -> bool {
        let [old, new] = [0, 1].map(|side| &self.lines[side][start[side]..end[side]]);
        let ends = [old.len(), new.len()];
        let last = ends[0] as isize - ends[1] as isize;
        let new_at = |old: usize, difference: isize| old.checked_add_signed(-difference);
        let along = |mut at: usize, difference: isize| {
            while let Some(other) = new_at(at, difference)
                && at < ends[0]
                && other < ends[1]
                && old[at] == new[other]
            {
                at += 1;
            }
            at
        };
        let mut reached = vec![Reached(vec![Some(along(0, 0))])];
        while let Some(before) = reached.last() {
            let edits = reached.len() as isize - 1;
            if last.abs() <= edits && before.0[(last + edits) as usize] == Some(ends[0]) {
                break;
            }
            if reached.len() > self.edits_left {
                self.edits_left = 0;
                return false;
            }
            let differences = -edits - 1..=edits + 1;
            let next = differences.map(|by| before.next(by, ends).map(|(at, _)| along(at, by)));
            reached.push(Reached(next.collect()));
        }
        self.edits_left -= reached.len() - 1;
        // Back from the end: between two lines that are left out, all are kept.
        let (mut at, mut by) = (ends[0], last);
        while reached.pop().is_some() {
            let from = reached.last().map_or(Some((0, Step::Keep)), |before| before.next(by, ends));
            let Some((from, step)) = from else { return false };
            for one in from..at {
                let Some(two) = new_at(one, by) else { return false };
                self.keep([start[0] + one, start[1] + two]);
            }
            (at, by) = match step {
                Step::Keep => break,
                Step::SkipOld => (from - 1, by - 1),
                Step::SkipNew => (from, by + 1),
            };
        }
        true
    }
}

/// How far paths come along the old file that leave the same number of lines out: for each difference of the two
/// places, from the least on. `None` where no path comes.
struct Reached(Vec<Option<usize>>);

impl Reached {
    /// Returns where the path of a difference goes on from the paths with one line less left out: at the same line of
    /// the old file if a new one is left out, else one further. The one that is further wins.
    fn next(&self, difference: isize, ends: [usize; 2]) -> Option<(usize, Step)> {
        let edits = self.0.len() as isize / 2;
        let at = |other: isize| self.0.get(usize::try_from(other + edits).ok()?).copied().flatten();
        let skips_new =
            at(difference + 1).filter(|old| old.checked_add_signed(-difference).is_some_and(|new| new <= ends[1]));
        let skips_old = at(difference - 1).map(|old| old + 1).filter(|old| *old <= ends[0]);
        match (skips_new, skips_old) {
            (Some(one), Some(other)) if other > one => Some((other, Step::SkipOld)),
            (Some(one), _) => Some((one, Step::SkipNew)),
            (None, other) => other.map(|old| (old, Step::SkipOld)),
        }
    }
}

/// The next step along two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Keep,
    SkipOld,
    SkipNew,
}

/// Returns for each line that is not kept the line of the other file that it is now: the first that is not kept either.
fn moved(lines: &[Vec<u32>; 2], kept: &[Vec<u32>; 2], can_move: impl Fn(usize, usize) -> bool) -> [Vec<u32>; 2] {
    let mut moved = [0, 1].map(|side: usize| vec![0; lines[side].len() + 1]);
    let is_left = |side: usize, at: usize| kept[side][at + 1] == 0 && can_move(side, at);
    let mut places: HashMap<u32, VecDeque<usize>> = HashMap::new();
    for (at, text) in lines[1].iter().enumerate().filter(|(at, _)| is_left(1, *at)) {
        places.entry(*text).or_default().push_back(at);
    }
    for (one, text) in lines[0].iter().enumerate().filter(|(at, _)| is_left(0, *at)) {
        if let Some(two) = places.get_mut(text).and_then(VecDeque::pop_front) {
            moved[0][one + 1] = two as u32 + 1;
            moved[1][two + 1] = one as u32 + 1;
        }
    }
    moved
}

/// Returns the places of lines that each file has once, as many as keep their order.
fn unique_pairs(old: &[u32], new: &[u32]) -> Vec<[usize; 2]> {
    let once = |lines: &[u32]| {
        let mut at: HashMap<u32, Option<usize>> = HashMap::new();
        for (number, line) in lines.iter().enumerate() {
            at.entry(*line).and_modify(|at| *at = None).or_insert(Some(number));
        }
        at
    };
    let (in_old, in_new) = (once(old), once(new));
    let mut pairs: Vec<[usize; 2]> =
        in_old.iter().filter_map(|(line, one)| Some([(*one)?, (*in_new.get(line)?)?])).collect();
    pairs.small_sort_unstable();
    // The longest row of pairs whose second numbers rise.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (number, [_, two]) in pairs.iter().enumerate() {
        let place = ends.partition_point(|end| pairs[*end][1] < *two);
        before.push(place.checked_sub(1).map(|place| ends[place]));
        match ends.get_mut(place) {
            Some(end) => *end = number,
            None => ends.push(number),
        }
    }
    let mut row = Vec::new();
    let mut at = ends.last().copied();
    while let Some(number) = at {
        row.push(pairs[number]);
        at = before[number];
    }
    row.reverse();
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the line of the new file for each line of the old: with `~` if it moved, `-` if there is none.
    fn shown(old: &str, new: &str) -> String {
        let texts = [old, new].map(|text| text.split(' ').map(str::as_bytes).collect::<Vec<_>>());
        let aligned = Alignment::new(texts.each_ref().map(Vec::as_slice), |text| u32::from(text.starts_with(b"d")));
        let line = |line: u32| match (aligned.kept(0, line), aligned.moved(0, line)) {
            (Some(line), None) => line.to_string(),
            (None, Some(line)) => format!("~{line}"),
            found => {
                assert_eq!(found, (None, None));
                "-".to_owned()
            }
        };
        (1..=texts[0].len() as u32).map(line).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lines_that_are_kept_and_moved() {
        for (old, new, wanted) in [
            ("a b c", "a b c", "1 2 3"),
            ("a b c", "a c", "1 - 2"),
            ("a b c", "b c a", "~3 1 2"),
            // Of two that are as many, the one with a rule.
            ("u d", "d u", "~2 1"),
            ("d u", "u d", "2 ~1"),
            // The first of equal lines.
            ("a d", "a d b d", "1 2"),
            ("b d", "a d b d", "3 4"),
            ("x y x y", "y x y x", "~4 1 2 3"),
            // Nothing is moved twice.
            ("a a b", "b a", "~2 - 1"),
            ("# x #", "x", "- 1 -"),
        ] {
            assert_eq!(shown(old, new), wanted, "{old} > {new}");
        }
    }

    #[test]
    fn runs_of_lines_that_differ() {
        for (old, new, wanted) in [
            ("", "", vec![]),
            ("a\nb\n", "a\nb\n", vec![]),
            ("", "a\n", vec![[1..1, 1..2]]),
            ("a\nb", "a\n", vec![[2..3, 2..2]]),
            // An end of a line is a part of it.
            ("a\nb", "a\nb\n", vec![[2..3, 2..3]]),
            ("a\r\nb\n", "a\nb\n", vec![[1..2, 1..2]]),
            ("a\nb\nc\n", "b\nc\nd\n", vec![[1..2, 1..1], [4..4, 3..4]]),
        ] {
            let [before, after] = [old, new].map(|text| Lines::new(text.as_bytes()));
            assert_eq!(changed_lines(&before, &after), wanted, "{old:?} > {new:?}");
        }
    }

    #[test]
    fn few_lines_are_left_out_of_long_files_without_lines_of_their_own() {
        let old: Vec<String> = (0..6_000).map(|at| ["a", "b", "a", "#"][at % 4].to_owned()).collect();
        let mut new = old.clone();
        (new[1_000], new[4_000]) = ("x".to_owned(), "y".to_owned());
        new.remove(2_000);
        let found = shown(&old.join(" "), &new.join(" "));
        let left_out = (1..).zip(found.split(' ')).filter(|(_, line)| *line == "-" || line.starts_with('~'));
        assert_eq!(left_out.map(|(line, _)| line).collect::<Vec<u32>>(), [1_001, 2_001, 4_001]);
    }

    /// Both ways to compare find as many lines, whatever the texts.
    #[test]
    fn few_left_out_are_as_few_as_pair_by_pair() {
        let mut seed = 1_u32;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % below
        };
        for _ in 0..2_000 {
            let lines = [0, 1].map(|_| (0..random(12)).map(|_| random(3)).collect::<Vec<u32>>());
            let ends = lines.each_ref().map(Vec::len);
            let kept = [true, false].map(|is_by_pairs| {
                let kept = ends.map(|end| vec![0; end + 1]);
                let weights = [LINE; 3];
                let mut aligner =
                    Aligner { lines: &lines, weights: &weights, kept, left: MAX_PAIRS, edits_left: MAX_EDITS };
                let done =
                    if is_by_pairs { aligner.keep_most([0; 2], ends) } else { aligner.keep_all_but_few([0; 2], ends) };
                assert!(done, "{lines:?}");
                let pairs: Vec<[u32; 2]> = (1..)
                    .zip(&aligner.kept[0][1..])
                    .filter(|(_, two)| **two > 0)
                    .map(|(one, two)| [one, *two])
                    .collect();
                assert!(pairs.windows(2).all(|two| two[0][1] < two[1][1]), "{lines:?}");
                assert!(pairs.iter().all(|[one, two]| lines[0][*one as usize - 1] == lines[1][*two as usize - 1]));
                pairs.len()
            });
            assert_eq!(kept[0], kept[1], "{lines:?}");
        }
    }

    #[test]
    fn long_files_are_cut_at_lines_that_each_has_once() {
        let lines = |from: usize, to: usize| (from..to).map(|at| format!("d{at}")).collect::<Vec<_>>();
        let (mut old, mut new) = (lines(0, 3000), lines(0, 3000));
        old[0] = "x".to_owned();
        new[2999] = "y".to_owned();
        new.swap(10, 11);
        let found = shown(&old.join(" "), &new.join(" "));
        let found: Vec<&str> = found.split(' ').collect();
        assert_eq!((&found[..3], &found[2997..]), (&["-", "2", "3"][..], &["2998", "2999", "-"][..]));
        assert_eq!(found.iter().filter(|line| line.starts_with('~')).count(), 1);
    }
}
