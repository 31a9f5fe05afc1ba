//! regex-automata's dense DFA over our rules: what a general engine makes of the same patterns.
//!
//! One anchored DFA holds all patterns of a group, with all matches reported. The walk keeps the best rank in a
//! register and ends in the dead state, as ours does. Groups over the limit have no DFA; they are counted and left out.

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::{Anchored, Input, MatchKind};
use robotsc::RuleSet;

use crate::engine::{Engine, EngineKind};
use crate::ours::rule_set;

/// What one DFA, and its making, may take.
const LIMIT: usize = 1 << 20;

/// The dense DFA.
pub(crate) enum DenseDfa {}

/// A DFA, its start state and the verdict of each pattern.
#[derive(Debug)]
pub(crate) struct Ranked {
    dfa: dense::DFA<Vec<u32>>,
    start: StateID,
    allow: Vec<bool>,
}

/// A normal pattern as a regular expression over bytes.
fn regex(pattern: &[u8]) -> String {
    let (pattern, anchored) = match pattern.split_last() {
        Some((b'$', rest)) => (rest, true),
        _ => (pattern, false),
    };
    let mut text = String::from("(?s-u)");
    for &byte in pattern {
        match byte {
            b'*' => text.push_str(".*"),
            byte => text.push_str(&format!("\\x{byte:02X}")),
        }
    }
    if anchored {
        text.push_str("\\z");
    }
    text
}

fn build(rules: &RuleSet) -> Option<Ranked> {
    let patterns: Vec<String> = rules.rules().iter().map(|rule| regex(rules.pattern(rule))).collect();
    let dfa = dense::Builder::new()
        .configure(
            dense::Config::new()
                .match_kind(MatchKind::All)
                .start_kind(StartKind::Anchored)
                .dfa_size_limit(Some(LIMIT))
                .determinize_size_limit(Some(LIMIT)),
        )
        .syntax(regex_automata::util::syntax::Config::new().unicode(false).utf8(false))
        .thompson(thompson::Config::new().utf8(false).shrink(false).nfa_size_limit(Some(8 * LIMIT)))
        .build_many(&patterns)
        .ok()?;
    let start = dfa.start_state_forward(&Input::new("").anchored(Anchored::Yes)).ok()?;
    Some(Ranked { dfa, start, allow: rules.rules().iter().map(|rule| rule.verdict.is_allow()).collect() })
}

impl Engine for DenseDfa {
    const NAME: &'static str = "dense-dfa";
    const KIND: EngineKind = EngineKind::Generic;
    const PREPARE_ONCE: bool = true;
    type Ready = Ranked;
    type Walk<'r> = &'r Ranked;

    fn prepare(body: &'static [u8], agent: &str) -> Option<Self::Ready> {
        build(&rule_set(body, agent))
    }

    fn walk(ready: &Self::Ready) -> Self::Walk<'_> {
        ready
    }

    fn path(walk: &Self::Walk<'_>, path: &str) -> bool {
        let mut best = usize::MAX;
        let mut state = walk.start;
        let mut note = |state| {
            // Patterns of a match state are in order, and the order is that of the ranks.
            best = best.min(walk.dfa.match_pattern(state, 0).as_usize());
        };
        let mut alive = true;
        for byte in path.bytes() {
            state = walk.dfa.next_state(state, byte);
            if walk.dfa.is_special_state(state) {
                if walk.dfa.is_dead_state(state) {
                    alive = false;
                    break;
                }
                if walk.dfa.is_match_state(state) {
                    note(state);
                }
            }
        }
        if alive {
            state = walk.dfa.next_eoi_state(state);
            if walk.dfa.is_match_state(state) {
                note(state);
            }
        }
        walk.allow.get(best).copied().unwrap_or(true)
    }

    fn url(walk: &Self::Walk<'_>, url: &str) -> bool {
        Self::path(walk, &crate::split::google_path(url))
    }

    fn program(_ready: &Self::Ready) -> Option<&[u8]> {
        None
    }
}
