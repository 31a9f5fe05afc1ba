//! Gates: from several regular expressions to the table of `robotsc_runtime::embed::Prefilter`.
//!
//! What a match needs is found in an expression's parts ([`factors`]), and looked for by one automaton ([`automaton`]).
//! It never has to be all that is needed: a prefilter that lets too much through costs time, not truth. What it must
//! not do is to say no where an expression matches.

mod automaton;
mod counts;
mod encode;
mod factors;
mod graph;

use regex_syntax::hir::Hir;

use self::factors::Factor;
use self::graph::Graph;
use crate::limits::BuildLimits;
use crate::regex::{self, table};

/// The most expressions of a prefilter, and the most factors.
const MAX_PARTS: usize = 128;
/// How many bytes of a run are looked at, from the first try to the last.
const ROOMS: [usize; 4] = [8, 6, 4, 3];
/// Bytes of the union of those expressions that need nothing, before it is made small.
const UNION: usize = 1 << 17;

/// Some neighbours in a list of expressions, and what tells which of them may match.
#[derive(Clone, Debug)]
pub(crate) struct Prefiltered {
    pub(crate) regexes: u32,
    /// `None` where each is asked.
    pub(crate) prefilter: Option<Vec<u8>>,
    /// The table that matches where one of those does that need nothing; `None` where each is asked.
    pub(crate) rest: Option<Vec<u8>>,
}

/// Cuts a list of expressions that were accepted into prefilters, as few as may be by halving.
pub(crate) fn prefilters(patterns: &[&str], limits: &BuildLimits, found: &mut Vec<Prefiltered>) {
    if patterns.len() < 2 {
        found.extend(patterns.iter().map(|_| Prefiltered { regexes: 1, prefilter: None, rest: None }));
        return;
    }
    let Some(prefiltered) = prefiltered(patterns, limits) else {
        let (first, second) = patterns.split_at(patterns.len() / 2);
        prefilters(first, limits, found);
        prefilters(second, limits, found);
        return;
    };
    found.push(prefiltered);
}

/// One prefilter for all; `None` where it would be too large.
fn prefiltered(patterns: &[&str], limits: &BuildLimits) -> Option<Prefiltered> {
    let hirs: Option<Vec<Hir>> = patterns.iter().map(|pattern| regex::hir(pattern, limits).ok()).collect();
    let hirs = hirs?;
    if hirs.len() > MAX_PARTS {
        return None;
    }
    let (prefilter, always) = ROOMS.iter().find_map(|room| compiled(&hirs, *room))?;
    let always: Vec<&str> = always.into_iter().filter_map(|number| patterns.get(number).copied()).collect();
    let rest = if always.len() < 2 { None } else { regex::dense_union(&always, limits, UNION) };
    let rest = rest.and_then(|dfa| table::transcribe(&dfa).ok());
    Some(Prefiltered { regexes: patterns.len() as u32, prefilter: Some(prefilter), rest })
}

/// The bytes of a prefilter, and the expressions that need nothing for it to look for.
fn compiled(hirs: &[Hir], room: usize) -> Option<(Vec<u8>, Vec<usize>)> {
    let mut graph = Graph::new();
    let mut needs: Vec<u128> = (0..hirs.len()).map(|number| 1 << number).collect();
    let mut more = hirs.len();
    let mut always = Vec::new();
    let note = |graph: &mut Graph, factor: &Factor, number: usize| {
        factor.nodes.iter().for_each(|node| graph.nodes[*node].note |= 1 << number);
    };
    for (number, hir) in hirs.iter().enumerate() {
        let factors = factors::of(hir, room, &mut graph)?;
        match factors.split_first() {
            None => always.push(number),
            Some((rarest, others)) => {
                note(&mut graph, rarest, number);
                for factor in others.iter().take(MAX_PARTS - more) {
                    note(&mut graph, factor, more);
                    needs[number] |= 1 << more;
                    more += 1;
                }
            }
        }
    }
    graph.prune();
    let at_start = always.iter().fold(0, |seen, number| seen | 1 << number);
    let automaton = automaton::of(&graph, at_start)?;
    let counts: Vec<(u8, u16)> = hirs.iter().map(counts::of).collect();
    Some((encode::bytes(&automaton, &needs, &counts), always))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use robotsc_runtime::embed::{Dfa, Prefilter};

    use super::*;
    use crate::regex::Simulation;

    /// The expressions that a prefilter lets through, by number.
    #[track_caller]
    fn through(patterns: &[&str], path: &str) -> Vec<usize> {
        let prefiltered = prefiltered(patterns, &BuildLimits::default()).unwrap();
        let bytes = prefiltered.prefilter.unwrap();
        let candidates = Prefilter::from_bytes(&bytes).unwrap().candidates(path.as_bytes());
        (0..128).filter(|number| candidates >> number & 1 == 1).collect()
    }

    #[test]
    fn what_lacks_a_need_is_ruled_out() {
        for (pattern, path, wanted) in [
            ("/cart", "/cart", true),
            ("/cart", "/CART/x", true),
            ("/cart", "/shop/cart", false),
            ("[^?]*/cart", "/shop/cart", true),
            ("[^?]*/cart", "/shop?/cart", false),
            (".*/cart", "/shop?/cart", true),
            // After a `?`, at the start of a parameter.
            (r"[^?]*\?(?:.*[&;])?sid=", "/a?sid=1", true),
            (r"[^?]*\?(?:.*[&;])?sid=", "/a?b=2;sid=1", true),
            (r"[^?]*\?(?:.*[&;])?sid=", "/a?basid=1", false),
            (r"[^?]*\?(?:.*[&;])?sid=", "/a&sid=1", false),
            (r"/x\?+y", "/x?y", true),
            (r"/[a-z]*\?+xyz", "/x?xyz", true),
            // After a `?` of the same repetition.
            (r"/(?:[a-z]*\?xyz)+abc", "/?xyz?xyzabc", true),
            // Several runs: all are needed.
            ("[^?]*/ev[^?]*/da", "/ev/da", true),
            ("[^?]*/ev[^?]*/da", "/ev/d", false),
            ("[^?]*/ev[^?]*/da", "/e/da", false),
            // One of several, one of them unbounded.
            (r"[^?]*\?(?:phpsessid|aspsessionid[a-z]*)=", "/a?aspsessionidx=1", true),
            (r"[^?]*\?(?:phpsessid|aspsessionid[a-z]*)=", "/a?aspx=1", false),
            (r"/(?:[^/?]+/)+feed/?$", "/a/feed", true),
            (r"/(?:[^/?]+/)+feed/?$", "/a/feeding", false),
            (r"[^?]*/edit$", "/a/edit", true),
            (r"[^?]*/edit$", "/a/edit/b", false),
            (r"[^?]*\.(?:php|html?)/x", "/a.htm/x", true),
            (r"[^?]*\.(?:php|html?)/x", "/a.htm/y", false),
            (r"/(?:zoo){2,3}", "/zoozoo", true),
            (r"/(?:zoo){2,3}", "/zoo", false),
            // A character of several bytes.
            ("/(?u:[a\u{e9}])cart", "/\u{e9}cart", true),
            ("/(?u:.)cart", "/\u{20ac}cart", true),
            // A byte, often enough.
            ("/(?:[^/?]*/){5}", "/a/b/c/d/e/f", true),
            ("/(?:[^/?]*/){5}", "/a/b/c/d/e", false),
            ("/(?:[^/?]*/){5}|/[a-z]-.*", "/a/b/c/d/e", true),
        ] {
            assert_eq!(through(&["/never", pattern], path) == [1], wanted, "{pattern} {path}");
        }
    }

    #[test]
    fn what_needs_nothing_is_asked_always() {
        let patterns = ["/cart", "/(?:[^/?]*/){2}", "/[a-z]+x?", "/.*[0-9]"];
        assert_eq!(through(&patterns, "/x"), [1, 2, 3]);
        let prefiltered = prefiltered(&patterns, &BuildLimits::default()).unwrap();
        let rest = prefiltered.rest.unwrap();
        let rest = Dfa::from_bytes(&rest).unwrap();
        assert!(rest.matches(b"/a"));
        assert!(rest.matches(b"/-1"));
        assert!(!rest.matches(b"/-"));
    }

    #[test]
    fn long_lists_have_several_prefilters() {
        let patterns: Vec<String> = (0..300).map(|number| format!("[^?]*/word{number}x/")).collect();
        let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
        let mut found = Vec::new();
        prefilters(&patterns, &BuildLimits::default(), &mut found);
        assert_eq!(found.iter().map(|prefiltered| prefiltered.regexes).sum::<u32>(), 300);
        assert!((3..10).contains(&found.len()), "{}", found.len());
        let mut at = 0;
        for prefiltered in &found {
            let prefilter = Prefilter::from_bytes(prefiltered.prefilter.as_ref().unwrap()).unwrap();
            for number in 0..prefiltered.regexes {
                let path = format!("/a/word{}x/", at + number);
                assert!(prefilter.candidates(path.as_bytes()) >> number & 1 == 1, "{path}");
            }
            assert_eq!(prefilter.candidates(b"/a/ward"), 0);
            at += prefiltered.regexes;
        }
    }

    #[test]
    fn a_prefilter_holds_as_many_as_it_has_bits() {
        for count in 127..=129 {
            let patterns: Vec<String> = (0..count).map(|number| format!("[^?]*/{number}x/")).collect();
            let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
            let prefiltered = prefiltered(&patterns, &BuildLimits::default());
            assert_eq!(prefiltered.is_some(), count <= 128);
            for number in 0..count {
                if let Some(bytes) = prefiltered.as_ref().and_then(|prefiltered| prefiltered.prefilter.as_ref()) {
                    let path = format!("/a/{number}x/");
                    assert_eq!(
                        Prefilter::from_bytes(bytes).unwrap().candidates(path.as_bytes()),
                        1 << number,
                        "{path}"
                    );
                }
            }
        }
    }

    /// Expressions of the parts that rules are made of.
    fn expression() -> impl Strategy<Value = String> {
        let atom = prop::sample::select(vec![
            "a", "b", "/", "ab", "ba/", r"\?", "[^?]", "[ab]", "[^/]", ".", "=", "&", "$", "^", "[^?]*", ".*",
            "[a-z]+", r"\?+", "[a?]", "", "(?u:.)",
        ]);
        let part = atom.prop_map(str::to_owned).prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}{b}")),
                (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("{a}(?:{b}){c}")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(?:{a}|{b})")),
                (inner.clone(), prop::sample::select(vec!["?", "*", "+", "{2}", "{2,3}", "{0,2}", "{2,}"]))
                    .prop_map(|(a, times)| format!("(?:{a}){times}")),
                inner.prop_map(|a| format!("(?i:{a})")),
            ]
        });
        let start =
            prop::sample::select(vec!["/", "[^?]*", "(?i)[^?]*", "/(?:[^?]*/)?", r"[^?]*\?(?:.*[&;])?", ".*", ""]);
        (start, part).prop_map(|(start, part)| format!("{start}{part}"))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

        #[test]
        fn what_matches_is_let_through(
            patterns in prop::collection::vec(expression(), 2..5),
            paths in prop::collection::vec("/[abAB/?=&;c\u{e9}]{0,12}", 40),
            room in 1_usize..10,
        ) {
            let limits = BuildLimits::default();
            let patterns: Vec<String> =
                patterns.into_iter().filter(|pattern| regex::dense(pattern, &limits).is_ok()).collect();
            let hirs: Vec<Hir> = patterns.iter().map(|pattern| regex::hir(pattern, &limits).unwrap()).collect();
            let judges: Vec<Simulation> =
                patterns.iter().map(|pattern| Simulation::new(pattern, &limits).unwrap()).collect();
            if patterns.is_empty() {
                return Ok(());
            }
            if let Some((bytes, _)) = compiled(&hirs, room) {
                let prefilter = Prefilter::from_bytes(&bytes).unwrap();
                for path in &paths {
                    let candidates = prefilter.candidates(path.as_bytes());
                    for (number, reference_matcher) in judges.iter().enumerate() {
                        let is_let_through = candidates >> number & 1 == 1;
                        let matches = reference_matcher.matches(path.as_bytes());
                        prop_assert!(is_let_through || !matches, "{} {}", patterns[number], path);
                    }
                }
            }
        }
    }

    /// Every bit of a prefilter, turned: it is refused, and does no harm where it is not asked.
    #[test]
    fn altered_prefilters_are_refused_and_do_no_harm() {
        let prefiltered = prefiltered(&["/ab?$", r"[^?]*\?a="], &BuildLimits::default()).unwrap();
        let bytes = prefiltered.prefilter.unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut altered = bytes.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            assert!(Prefilter::from_bytes(&altered).is_err(), "bit {bit}");
            if let Ok(prefilter) = Prefilter::from_trusted(&altered) {
                for path in [&b"/"[..], b"", b"/ab", b"/a/b", b"/?a=\xff"] {
                    let _ = prefilter.candidates(path);
                }
            }
        }
        for length in 0..bytes.len() {
            assert!(Prefilter::from_bytes(&bytes[..length]).is_err());
        }
    }
}
