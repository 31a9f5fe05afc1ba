//! Writes values shorter: `/cart*` as `/cart`, `FooBot/2.1` as `FooBot`, and an empty `Disallow:` for a rule that
//! decides nothing and is the last of its group.
//!
//! Which spelling a value has can matter: under google a `*` at the end makes a rule longer, and so ranks it higher.
//! So each value is proved.

use robotsc_compiler::{Dialect, RuleKind};

use super::edits::{LineEdit, edited};
use super::proof::Prover;
use super::reading::{Item, Source};
use crate::diff::meaning::Meaning;
use crate::patterns::stars::without_stars;
use crate::search::NotDecided;

/// How often lines that matter are taken back.
const ROUNDS: usize = 32;

/// Returns a body with shorter values. `idle` are lines that decide nothing.
pub(super) fn shorter(body: &[u8], idle: &[u32], prover: &mut Prover) -> Result<Vec<u8>, NotDecided> {
    let source = Source::new(body);
    let emptied = |line: u32| {
        let empty = b"Disallow:";
        let is_longer = idle.binary_search(&line).is_ok() && source.lines.text(line).len() > empty.len();
        is_longer.then(|| (line, Some(empty.to_vec())))
    };
    let mut edits: Vec<LineEdit> =
        (0..).zip(source.of_lines()).filter_map(|(line, items)| emptied(line).or_else(|| edit(line, &items))).collect();
    let agents = source.agents();
    let renamed = Source::new(&edited(body, &edits)).agents();
    edits.retain(|(line, _)| agents.get(line) == renamed.get(line));
    for _ in 0..ROUNDS {
        if edits.is_empty() {
            return Ok(body.to_vec());
        }
        let new = edited(body, &edits);
        match prover.compare(body, &new) {
            Meaning::Same => return Ok(new),
            Meaning::NotDecided => return Err(NotDecided),
            // A rule whose length matters. No line moved.
            Meaning::Different(lines) => {
                let before = edits.len();
                edits.retain(|(line, _)| lines.iter().all(|lines| !lines.contains(line)));
                if edits.len() == before {
                    return Err(NotDecided);
                }
            }
        }
    }
    Err(NotDecided)
}

/// Returns a shorter line, if all dialects read the same in it.
fn edit(line: u32, items: &[Option<Item<'_>>; Dialect::ALL.len()]) -> Option<LineEdit> {
    let [first, rest @ ..] = items;
    if !rest.iter().all(|item| item == first) {
        return None;
    }
    let (key, value, short) = match (*first)? {
        Item::Agent(value) => ("User-agent:", value, agent(value)),
        Item::Rule(RuleKind::Allow, value) => ("Allow:", value, pattern(value)),
        Item::Rule(RuleKind::Disallow, value) => ("Disallow:", value, pattern(value)),
        Item::Record(..) => return None,
    };
    (short.len() < value.len()).then(|| (line, Some([key.as_bytes(), &short].concat())))
}

/// Returns an agent without what no name includes.
fn agent(value: &[u8]) -> Vec<u8> {
    let end = value.iter().position(|byte| matches!(byte, b'/' | b' ' | b'\t')).filter(|end| *end > 0);
    value[..end.unwrap_or(value.len())].to_vec()
}

/// Returns a pattern that matches the same paths.
fn pattern(value: &[u8]) -> Vec<u8> {
    match without_stars(value).into_owned() {
        // An empty value means something else.
        short if short.is_empty() => b"/".to_vec(),
        short => short,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_values() {
        for (value, wanted) in [("/a*", "/a"), ("/*", "/"), ("**", "/"), ("", "/")] {
            assert_eq!(pattern(value.as_bytes()), wanted.as_bytes(), "{value}");
        }
        for (value, wanted) in [("FooBot/2.1 (x)", "FooBot"), ("a b", "a"), ("*", "*"), ("/x", "/x"), ("", "")] {
            assert_eq!(agent(value.as_bytes()), wanted.as_bytes(), "{value}");
        }
    }
}
