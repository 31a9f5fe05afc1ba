//! From a dense DFA of regex-automata to the table of `robotsc_runtime::embed::Dfa`.
//!
//! Two things are different there. A match is told one byte late, or at the end by a symbol of its own, so that
//! assertions can look at what follows; here the byte that makes it certain leads to the state that has matched, and
//! states that match at the end stand first. And nothing is known of bytes after a match, since they do not matter:
//! all that has matched is one state.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use regex_automata::Anchored;
use regex_automata::dfa::{Automaton as _, dense};
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;
use robotsc_runtime::{PathForm, checksum};

use crate::limits::BuildLimits;
use crate::regex;
use crate::regex::forms::{self, Forms};

/// Why a regular expression has no table.
#[derive(Debug)]
pub(crate) struct TableError {
    message: String,
    is_limit: bool,
}

impl TableError {
    fn new(message: String) -> Self {
        Self { message, is_limit: false }
    }

    pub(crate) const fn is_limit_exceeded(&self) -> bool {
        self.is_limit
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

const DEAD: u32 = 0;
const MATCHED: u32 = 1;

/// The table of a regular expression that is anchored at the path's first byte.
///
/// # Errors
/// [`TableError`] if the expression is refused, or can match no path of the form.
pub(crate) fn of(pattern: &str, form: PathForm, limits: &BuildLimits) -> Result<Vec<u8>, TableError> {
    let automaton = regex::dense(pattern, limits)
        .map_err(|error| TableError { message: error.to_string(), is_limit: error.is_limit_exceeded() })?;
    if !Forms::of(&automaton).contains(form) {
        return Err(TableError::new(format!("it can match no path: {}", forms::help(form))));
    }
    transcribe(&automaton)
}

/// A state on the way.
struct TableRow {
    next: Vec<u32>,
    at_end: bool,
}

/// The table of a DFA that looks from the start of a text.
pub(crate) fn transcribe<T: AsRef<[u32]>>(dfa: &dense::DFA<T>) -> Result<Vec<u8>, TableError> {
    let start = dfa.start_state(&start::Config::new().anchored(Anchored::Yes));
    let start = start.map_err(|error| TableError::new(error.to_string()))?;
    let mut numbers: BTreeMap<StateID, u32> = BTreeMap::new();
    let mut waiting = VecDeque::new();
    let mut number = |state: StateID, waiting: &mut VecDeque<StateID>| {
        if dfa.is_dead_state(state) {
            return DEAD;
        }
        let count = numbers.len() as u32 + 2;
        *numbers.entry(state).or_insert_with(|| {
            waiting.push_back(state);
            count
        })
    };
    number(start, &mut waiting);
    let mut rows = Vec::new();
    while let Some(state) = waiting.pop_front() {
        let mut next = Vec::with_capacity(256);
        for byte in 0..=255 {
            let to = dfa.next_state(state, byte);
            if dfa.is_quit_state(to) {
                return Err(TableError::new("it looks at more than bytes".to_owned()));
            }
            next.push(if dfa.is_match_state(to) { MATCHED } else { number(to, &mut waiting) });
        }
        rows.push(TableRow { next, at_end: dfa.is_match_state(dfa.next_eoi_state(state)) });
    }
    let (rows, start) = ordered(settled(rows));
    Ok(encoded(&rows, start))
}

/// A state that matches whatever follows is the state that has matched; one from which no way leads to a match is dead.
/// Gives the start as well.
///
/// Cost: linear in the ways: what is settled is told to the states before it, so that long chains cost no more than
/// short ones.
fn settled(mut rows: Vec<TableRow>) -> (Vec<TableRow>, u32) {
    let mut same: Vec<u32> = (0..rows.len() as u32 + 2).collect();
    // For each state the states before it, and by how many bytes; and how many of its own ways have not been settled
    // as is needed.
    let mut before: Vec<Vec<(usize, usize)>> = vec![Vec::new(); same.len()];
    let mut left = Vec::with_capacity(rows.len());
    let mut waiting = Vec::new();
    for (row, number) in rows.iter().zip(2_usize..) {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        row.next.iter().for_each(|next| *counts.entry(*next).or_default() += 1);
        let wanted = wanted(row);
        let is_there = |next: u32| next == wanted || (wanted == DEAD && next as usize == number);
        let others = || counts.iter().filter(|(next, _)| !is_there(**next));
        others().for_each(|(next, count)| before[*next as usize].push((number, *count)));
        left.push(others().map(|(_, count)| count).sum::<usize>());
        if left.last() == Some(&0) {
            waiting.push(number);
        }
    }
    while let Some(number) = waiting.pop() {
        same[number] = wanted(&rows[number - 2]);
        for (earlier, count) in std::mem::take(&mut before[number]) {
            if wanted(&rows[earlier - 2]) == same[number] {
                left[earlier - 2] -= count;
                if left[earlier - 2] == 0 {
                    waiting.push(earlier);
                }
            }
        }
    }
    rows.iter_mut().flat_map(|row| &mut row.next).for_each(|next| *next = same[*next as usize]);
    (rows, same[2])
}

/// Where all ways of a state have to lead for it to be the same as that.
const fn wanted(row: &TableRow) -> u32 {
    if row.at_end { MATCHED } else { DEAD }
}

/// Only states that can be reached, those first that match at the end.
fn ordered((rows, start): (Vec<TableRow>, u32)) -> (Vec<TableRow>, u32) {
    let mut is_reached = vec![false; rows.len() + 2];
    let mut waiting = vec![start];
    while let Some(state) = waiting.pop() {
        if state >= 2 && !std::mem::replace(&mut is_reached[state as usize], true) {
            waiting.extend_from_slice(&rows[state as usize - 2].next);
        }
    }
    let mut order: Vec<usize> = (2..rows.len() + 2).filter(|state| is_reached[*state]).collect();
    order.sort_by_key(|state| !rows[state - 2].at_end);
    let mut number = vec![DEAD; rows.len() + 2];
    number[1] = MATCHED;
    for (new, old) in (2..).zip(&order) {
        number[*old] = new;
    }
    let renumbered = |state: &usize| {
        let row = &rows[state - 2];
        TableRow { next: row.next.iter().map(|next| number[*next as usize]).collect(), at_end: row.at_end }
    };
    (order.iter().map(renumbered).collect(), number[start as usize])
}

/// The bytes, as `robotsc_runtime::embed` describes them.
fn encoded(rows: &[TableRow], start: u32) -> Vec<u8> {
    // Bytes that lead everywhere to the same are one class, numbered by their first.
    let mut known: BTreeMap<Vec<u32>, u8> = BTreeMap::new();
    let mut firsts = Vec::new();
    let classes: Vec<u8> = (0..256_usize)
        .map(|byte| {
            let column = rows.iter().map(|row| row.next[byte]).collect();
            *known.entry(column).or_insert_with(|| {
                firsts.push(byte);
                (firsts.len() - 1) as u8
            })
        })
        .collect();
    let states = rows.len() as u32 + 2;
    let width: u8 = if states <= 1 << 16 { 2 } else { 4 };
    let mut bytes = vec![b'R', b'X', robotsc_runtime::format::VERSION];
    bytes.push(width);
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(&states.to_le_bytes());
    bytes.extend_from_slice(&start.to_le_bytes());
    let at_end = rows.iter().filter(|row| row.at_end).count() as u32;
    bytes.extend_from_slice(&(2 + at_end).to_le_bytes());
    bytes.extend_from_slice(&(firsts.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&classes);
    for next in rows.iter().flat_map(|row| firsts.iter().map(|byte| row.next[*byte])) {
        bytes.extend_from_slice(&next.to_le_bytes()[..usize::from(width)]);
    }
    let sum = checksum(&bytes).to_le_bytes();
    bytes[4..8].copy_from_slice(&sum);
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use robotsc_runtime::embed::Dfa;

    use super::*;
    use crate::regex::Simulation;

    fn table(pattern: &str) -> Result<Vec<u8>, TableError> {
        transcribe(&regex::dense(pattern, &BuildLimits::default()).map_err(|error| TableError::new(error.to_string()))?)
    }

    const PATTERNS: &[&str] = &[
        "/",
        "/$",
        "/a",
        "/a$",
        "/a|/ab$",
        "/(a|b)*c",
        "/.*/a/.*/a/",
        "/[^/]*b$",
        "^/a",
        "/a{3,5}$",
        "(?i)/ab?$",
        "/(?:a|ab)(?:c|bcx)$",
        "x*/",
        "",
        "/(a$|b)*",
        "/[^a]b|/ca*$",
    ];

    #[test]
    fn tables_say_what_the_expressions_say() {
        let alphabet = b"/abcx\n\xff";
        for pattern in PATTERNS {
            let reference_matcher = Simulation::new(pattern, &BuildLimits::default()).unwrap();
            let bytes = table(pattern).unwrap();
            let dfa = Dfa::from_bytes(&bytes).unwrap();
            for number in 0..7_usize.pow(4) {
                let length = number % 5;
                let path: Vec<u8> = (0..length as u32).map(|at| alphabet[number / 7_usize.pow(at) % 7]).collect();
                let path = [b"/", &path[..]].concat();
                assert_eq!(dfa.matches(&path), reference_matcher.matches(&path), "{pattern} {}", path.escape_ascii());
            }
        }
    }

    proptest! {
        #[test]
        fn random_expressions(
            pattern in "(/|\\[\\^\\?\\]\\*)([ab/.?*+|$]|\\(a|\\)|\\[ab\\]|\\{2\\}|\\^){0,8}",
            paths in prop::collection::vec("/[ab/?\n]{0,9}", 20),
        ) {
            if let Ok(bytes) = table(&pattern) {
                let dfa = Dfa::from_bytes(&bytes).unwrap();
                let reference_matcher = Simulation::new(&pattern, &BuildLimits::default()).unwrap();
                for path in paths {
                    let path = path.as_bytes();
                    let expected = reference_matcher.matches(path);
                    prop_assert_eq!(dfa.matches(path), expected, "{} {}", pattern, path.escape_ascii());
                }
            }
        }
    }

    /// Each state of such a chain was once settled by a pass over all of them, which took minutes.
    #[test]
    fn long_chains_that_match_nothing_or_all_are_left_out() {
        for (pattern, short) in [(r"/b|/a{20000}[^\x00-\xff]", "/b"), ("/(?:$|.){2000}", "/")] {
            assert!(table(pattern).unwrap() == table(short).unwrap(), "{pattern}");
        }
    }

    /// Every bit of a table, turned: it is refused, and does no harm where it is not asked.
    #[test]
    fn altered_tables_are_refused_and_do_no_harm() {
        let bytes = table("/[^/]*b$|/a").unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut altered = bytes.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            assert!(Dfa::from_bytes(&altered).is_err(), "bit {bit}");
            if let Ok(dfa) = Dfa::from_trusted(&altered) {
                for path in [&b"/"[..], b"", b"/ab", b"/a/b", b"/bbbbbbbbbb\xff"] {
                    let _ = dfa.matches(path);
                }
            }
        }
        for length in 0..bytes.len() {
            assert!(Dfa::from_bytes(&bytes[..length]).is_err());
        }
    }
}
