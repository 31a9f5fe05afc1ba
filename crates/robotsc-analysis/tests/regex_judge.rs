//! Equality of rule sets against a test oracle that shares nothing with the search: every rule as a regular expression,
//! all rules of a set as one automaton of regex-automata, and the two automata of two sets walked side by side.
//!
//! Enumeration, in `brute_force.rs`, asks about short paths alone. The oracle has no such limit, so the patterns are
//! longer here. It goes level by level, so the first path that it finds is a shortest one, too.
//!
//! `ROBOTSC_FULL=1` asks about more rule sets.

use std::collections::{HashMap, VecDeque};

use proptest::collection::vec;
use proptest::prelude::*;
use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::util::{primitives::StateID, start, syntax};
use regex_automata::{Anchored, MatchKind};
use robotsc_analysis::{Paths, RuleAnalysis, SearchBudget, first_difference, regions};
use robotsc_compiler::{Dialect, RuleKind, RuleSet};

/// Whole paths that a pattern matches, as a regular expression.
fn expression(pattern: &[u8]) -> String {
    let (body, rest) = match pattern {
        [body @ .., b'$'] => (body, ""),
        body => (body, ".*"),
    };
    let part = |byte: &u8| if *byte == b'*' { ".*".to_owned() } else { format!("\\x{byte:02X}") };
    format!("\\A{}{rest}\\z", body.iter().map(part).collect::<String>())
}

/// The rules of a set as one automaton; the number of an expression is the rank of its rule.
struct Oracle<'r> {
    rules: &'r RuleSet,
    automaton: dense::DFA<Vec<u32>>,
}

impl<'r> Oracle<'r> {
    /// Returns `None` if the automaton would be too large.
    fn new(rules: &'r RuleSet) -> Option<Self> {
        const MAX_BYTES: usize = 8 << 20;
        let syntax = syntax::Config::new().unicode(false).utf8(false).dot_matches_new_line(true);
        let config = dense::Config::new()
            .match_kind(MatchKind::All)
            .start_kind(StartKind::Anchored)
            .dfa_size_limit(Some(MAX_BYTES))
            .determinize_size_limit(Some(MAX_BYTES));
        let expressions: Vec<String> = rules.rules().iter().map(|rule| expression(rules.pattern(rule))).collect();
        let automaton = dense::Builder::new().syntax(syntax).configure(config).build_many(&expressions).ok()?;
        Some(Self { rules, automaton })
    }

    fn start(&self) -> StateID {
        self.automaton.start_state(&start::Config::new().anchored(Anchored::Yes)).expect("an anchored start")
    }

    /// Reports whether the path that ends in a state is allowed.
    fn allows(&self, state: StateID) -> bool {
        let end = self.automaton.next_eoi_state(state);
        if !self.automaton.is_match_state(end) {
            return true;
        }
        let matching = (0..self.automaton.match_len(end)).map(|at| self.automaton.match_pattern(end, at).as_usize());
        let best = matching.min().expect("a match state has a match");
        self.rules.rules()[best].verdict.is_allow()
    }
}

/// Returns the length of a shortest path on which two sets answer otherwise.
fn shortest_difference(oracles: [&Oracle<'_>; 2], bytes: &[u8]) -> Option<usize> {
    let next = |states: [StateID; 2], byte| [0, 1].map(|side| oracles[side].automaton.next_state(states[side], byte));
    let first = next(oracles.map(Oracle::start), b'/');
    let mut lengths = HashMap::from([(first, 1)]);
    let mut open = VecDeque::from([first]);
    while let Some(states) = open.pop_front() {
        let length = lengths[&states];
        if oracles[0].allows(states[0]) != oracles[1].allows(states[1]) {
            return Some(length);
        }
        for byte in bytes {
            let to = next(states, *byte);
            lengths.entry(to).or_insert_with(|| {
                open.push_back(to);
                length + 1
            });
        }
    }
    None
}

/// The values of rules: words and wildcards.
fn value() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec!["shop", "s", "cart", "/", "/", "*", "*", "?", "=", "ar", ".pdf", "-"]);
    let end = prop::sample::select(vec!["", "", "", "$"]);
    (vec(part, 0..7), end).prop_map(|(parts, end)| format!("/{}{end}", parts.concat()))
}

fn rules() -> impl Strategy<Value = Vec<(RuleKind, String)>> {
    vec((prop::sample::select(vec![RuleKind::Allow, RuleKind::Disallow, RuleKind::Disallow]), value()), 1..8)
}

/// What an edit leaves of rules: one is lost, changed, doubled with more stars, or moved.
fn edited(rules: &[(RuleKind, String)], at: usize, how: usize, value: String) -> Vec<(RuleKind, String)> {
    let mut edited = rules.to_vec();
    let at = at % edited.len();
    match how {
        0 => drop(edited.remove(at)),
        1 => edited[at].1 = value,
        2 => edited.push((edited[at].0, format!("{}*", edited[at].1.trim_end_matches('$')))),
        _ => edited.reverse(),
    }
    edited
}

fn cases() -> u32 {
    if std::env::var_os("ROBOTSC_FULL").is_some() { 20_000 } else { 100 }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn equal_and_shortest_as_the_oracle_has_them(
        old in rules(), at in 0_usize..8, how in 0_usize..4, other in value(), dialect in 0..Dialect::ALL.len(),
    ) {
        let dialect = Dialect::ALL[dialect];
        let new = edited(&old, at, how, other);
        let set = |rules: &[(RuleKind, String)]| {
            RuleSet::from_rules(dialect, (1..).zip(rules).map(|(line, (kind, value))| (*kind, value.clone(), line)))
        };
        let sets = [set(&old), set(&new)];
        let oracles = sets.each_ref().map(Oracle::new);
        // Rules whose automaton is too large are drawn again.
        let [Some(old_oracle), Some(new_oracle)] = &oracles else { return Err(TestCaseError::reject("too large")) };
        // Escapes mean nothing to the oracle, so paths hold none; NUL and `#` are in no path.
        let is_asked = |byte: &u8| byte.is_ascii_alphanumeric() || b"/?=.-_".contains(byte);
        let bytes: Vec<u8> = (0..=u8::MAX).filter(is_asked).collect();
        let wanted = shortest_difference([old_oracle, new_oracle], &bytes);
        let budget = SearchBudget::new(1 << 34, 1 << 36);
        let analysis = |set| RuleAnalysis::new(set, dialect, Paths::Raw, &budget).expect("one dialect");
        let [before, after] = sets.each_ref().map(analysis);
        let found = regions(&before, &after).expect("decided").iter().map(|region| region.path.len()).min();
        prop_assert_eq!(found, wanted, "{} {:?} {:?}", dialect.name, old, new);
        let any = first_difference(&before, &after).expect("decided");
        prop_assert_eq!(any.is_some(), wanted.is_some(), "{} {:?} {:?}", dialect.name, old, new);
    }
}
