//! Whether two programs have one verdict for every path: what is decided from their states is what the rules say.

mod engines;
mod generate;
mod shared_data;

use std::fs;

use engines::{partitioned_ways, ways};
use generate::{body, lines, starry_value, value};
use proptest::prelude::*;
use robotsc::analysis::{Paths, RuleAnalysis, SearchBudget, first_difference};
use robotsc::program::Output;
use robotsc::{Compiler, Crawler, Dialect, Program, RobotsTxt, RuleSet, UrlPath, Verdict};
use robotsc_compiler::have_same_verdicts;

const LIMIT: u64 = 1 << 22;

fn rules(text: &[u8]) -> RuleSet {
    RobotsTxt::parse(text).rule_set(&Crawler::raw(vec!["bot".into()]))
}

/// Compiles rules in all ways that have no list of rules.
fn compiled(rules: &RuleSet) -> Vec<Vec<u8>> {
    let all = [ways(), partitioned_ways()].concat();
    let all = all.iter().map(|way| way.compiler().compile(rules).expect("small rules").into_bytes());
    all.filter(|bytes| Program::from_bytes(bytes).expect("valid").listed_rules() == 0).collect()
}

/// Returns the verdict of a program, byte by byte.
fn stepped(program: &Program<'_>, path: &[u8]) -> Verdict {
    let mut states: Vec<_> = program.first_states().expect("no list").collect();
    for byte in path {
        for state in &mut states {
            *state = program.next_state(*state, *byte);
        }
    }
    program.verdict_at(states)
}

/// All paths of a few letters.
fn short_paths() -> Vec<Vec<u8>> {
    let mut paths = vec![b"/".to_vec()];
    let mut last = paths.clone();
    for _ in 0..5 {
        last = last.iter().flat_map(|path| b"ab/z".map(|letter| [path.as_slice(), &[letter]].concat())).collect();
        paths.extend_from_slice(&last);
    }
    paths
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn programs_of_one_rule_set_are_the_same(text in lines(starry_value(8), 8)) {
        let programs = compiled(&rules(&body(&text)));
        let programs: Vec<Program<'_>> = programs.iter().map(|bytes| Program::from_bytes(bytes).unwrap()).collect();
        prop_assert!(programs.len() > 3);
        for other in &programs {
            prop_assert_eq!(have_same_verdicts([&programs[0], other], &mut { LIMIT }), Some(true));
        }
        for path in short_paths() {
            let walked = programs[0].verdict(UrlPath::assume(&path, programs[0].path_form())).unwrap();
            for program in &programs {
                prop_assert_eq!(stepped(program, &path), walked, "{}", path.escape_ascii());
            }
        }
    }

    #[test]
    fn what_differs_is_found(
        one in lines(value(4), 4), more in lines(value(3), 2),
        drops in any::<bool>(), at in any::<prop::sample::Index>(),
    ) {
        // Sets that differ in one line are often the same.
        let mut other = one.clone();
        match drops && !other.is_empty() {
            true => drop(other.remove(at.index(one.len()))),
            false => other.extend(more),
        }
        let sets = [rules(&body(&one)), rules(&body(&other))];
        let programs = sets.each_ref().map(compiled);
        let budget = SearchBudget::default();
        let [old, new] = sets.each_ref().map(|set| {
            RuleAnalysis::new(set, &Dialect::GOOGLE, Paths::Raw, &budget).unwrap()
        });
        let wanted = first_difference(&old, &new).expect("decided").is_none();
        for one in &programs[0] {
            for other in &programs[1] {
                let pair = [one, other].map(|bytes| Program::from_bytes(bytes).unwrap());
                prop_assert_eq!(have_same_verdicts(pair.each_ref(), &mut { LIMIT }), Some(wanted));
            }
        }
    }
}

/// Programs of real files, by verdict and by rule. `diff` of two packs takes this many steps.
#[test]
fn real_files() {
    let Some(corpus) = shared_data::folder("corpus") else { return };
    let mut files: Vec<_> = fs::read_dir(corpus.join("robots")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let files: Vec<_> = files.into_iter().step_by(if shared_data::full() { 1 } else { 40 }).collect();
    let decided = shared_data::in_parallel(&files, |file| {
        let robots = RobotsTxt::parse(&fs::read(file).unwrap()).into_owned();
        let rules = robots.rule_set(&Crawler::others());
        let [one, other] = [Output::Verdict, Output::DecidingRule]
            .map(|output| Compiler::new().output(output).compile(&rules).expect("small rules").into_bytes());
        let pair = [&one, &other].map(|bytes| Program::from_bytes(bytes).unwrap());
        let same = have_same_verdicts(pair.each_ref(), &mut (1 << 22));
        assert_ne!(same, Some(false), "{}", file.display());
        same.is_some()
    });
    let undecided = decided.iter().filter(|is_decided| !**is_decided).count();
    println!("{undecided} of {} are not decided", decided.len());
    assert!(undecided * 100 <= decided.len(), "{undecided} of {} are not decided", decided.len());
}

#[test]
fn what_takes_too_long_is_not_decided() {
    let sets = ["Disallow: /*a\nAllow: /*a*c\n", "Disallow: /*a\nAllow: /*a*d\n", "Allow: /\n"];
    let programs = sets.map(|text| {
        let rules = rules(format!("User-agent: *\n{text}").as_bytes());
        Compiler::new().compile(&rules).expect("small rules").into_bytes()
    });
    let programs = programs.each_ref().map(|bytes| Program::from_bytes(bytes).unwrap());
    let [one, other, open] = programs.each_ref();
    assert_eq!(have_same_verdicts([one, one], &mut 5), None);
    assert_eq!(have_same_verdicts([one, other], &mut { LIMIT }), Some(false));
    assert_eq!(have_same_verdicts([open, &Program::allow_all(open.path_form())], &mut { LIMIT }), Some(true));
    assert_eq!(have_same_verdicts([one, &Program::disallow_all(one.path_form())], &mut { LIMIT }), Some(false));
}
