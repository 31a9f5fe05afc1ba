//! Properties that hold of all rules, paths, bodies and program bytes.

mod engines;
mod generate;

use engines::{Engines, differences, differences_of_file, partitioned_ways, ways};
use generate::{body, dialect, lines, path, starry_value, text, token, value};
use proptest::collection::vec;
use proptest::prelude::*;
use robotsc::program::{Effort, Output};
use robotsc::robots_txt::ByteSpan;
use robotsc::rules::RuleOrigin;
use robotsc::{AgentName, Compiler, Crawler, Dialect, Policy, Program, RobotsTxt, UrlPath};

fn all_ways() -> Vec<engines::Way> {
    [ways(), partitioned_ways()].concat()
}

/// `PROPTEST_CASES` sets the number of cases; without it there are enough to find a fault within seconds.
fn cases(default: u32) -> ProptestConfig {
    let given = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { failure_persistence: None, cases: given.unwrap_or(default), ..ProptestConfig::default() }
}

/// Walks a program of unknown worth: nothing is expected of the answers but that they come.
fn walk(program: &Program<'_>) {
    let long = vec![b'a'; 300];
    for path in [&b"/"[..], b"", b"/a", b"/ab*$/b%61?", b"/\xff\x00", b"/aaaaaaaaaaaaaaaaaaaaab", &long] {
        let path = UrlPath::assume(path, program.path_form());
        let _ = program.verdict(path);
        if let Ok(Some(deciding_rule)) = program.deciding_rule(path) {
            assert!((deciding_rule.rule as usize) < program.rules().count(), "a deciding rule is one of the rules");
        }
    }
    let _ = (program.parts(), program.nodes(), program.code_len());
}

/// Reads bytes as a program and as a policy, checked and unchecked, and walks whatever is not refused.
fn read_and_walk(bytes: &[u8], tokens: &[&[u8]]) {
    if let Ok(program) = Program::from_bytes(bytes) {
        walk(&program);
    }
    if let Ok(program) = Program::from_trusted(bytes) {
        walk(&program);
    }
    if let Ok(policy) = Policy::from_bytes(bytes) {
        for name in tokens.iter().copied().chain(policy.names()) {
            if let Some(program) = policy.program(Some(AgentName::assume_token(name))) {
                walk(&program);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn all_engines_agree_on_random_rules(
        rules in lines(value(7), 12), paths in vec(path(), 1..20), dialect in dialect(),
    ) {
        let paths: Vec<Vec<u8>> = paths.iter().map(|path| path.bytes(&rules)).collect();
        let found = differences_of_file(&body(&rules), dialect, b"bot", &paths, &all_ways());
        prop_assert!(found.is_empty(), "{}\n{}", body(&rules).escape_ascii(), found.join("\n"));
    }

    #[test]
    fn all_engines_agree_on_many_stars(rules in lines(starry_value(10), 10), paths in vec(path(), 1..20)) {
        let paths: Vec<Vec<u8>> = paths.iter().map(|path| path.bytes(&rules)).collect();
        let found = differences_of_file(&body(&rules), &Dialect::GOOGLE, b"bot", &paths, &all_ways());
        prop_assert!(found.is_empty(), "{}\n{}", body(&rules).escape_ascii(), found.join("\n"));
    }

    #[test]
    fn all_engines_agree_on_every_short_path(rules in lines(starry_value(6), 6)) {
        let mut paths: Vec<Vec<u8>> = vec![b"/".to_vec()];
        for length in 1..=6u32 {
            paths.extend((0..1u32 << length).map(|bits| {
                let letters = (0..length).map(|bit| if bits >> bit & 1 == 1 { b'a' } else { b'b' });
                std::iter::once(b'/').chain(letters).collect()
            }));
        }
        let robots = body(&rules);
        let robots = RobotsTxt::parse(&robots);
        let rule_set = robots.rule_set(&Crawler::raw(vec!["bot".into()]));
        let ways = all_ways();
        let engines = Engines::compile(&rule_set, &ways);
        let homes = engines.homes().map_err(TestCaseError::fail)?;
        for path in &paths {
            let found = differences(&rule_set, &homes, path);
            let (body, path) = (body(&rules), path.escape_ascii());
            prop_assert!(found.is_empty(), "{}\n{}\n{}", body.escape_ascii(), path, found.join("\n"));
        }
    }

    #[test]
    fn all_engines_agree_on_random_files(
        text in text(24), paths in vec(path(), 1..8), dialect in dialect(), token in token(),
    ) {
        let paths: Vec<Vec<u8>> = paths.iter().map(|path| path.bytes(&[])).chain([b"/robots.txt".to_vec()]).collect();
        let found = differences_of_file(&text, dialect, token.as_bytes(), &paths, &ways());
        prop_assert!(found.is_empty(), "{}\n{}", text.escape_ascii(), found.join("\n"));
    }

    #[test]
    fn bytes_are_the_same_from_run_to_run(text in text(24), dialect in dialect(), token in token()) {
        let compile = || {
            let robots = RobotsTxt::parse_with(&text, dialect);
            let rules = robots.rule_set(&Crawler::raw(vec![token.into()]));
            let compiled = |way: &engines::Way| {
                let program = way.compiler().compile(&rules).expect(way.name);
                let policy = way.compiler().compile_policy(&robots).expect(way.name);
                (program.as_bytes().to_vec(), policy.as_bytes().to_vec(), *program.stats())
            };
            all_ways().iter().map(compiled).collect::<Vec<_>>()
        };
        prop_assert_eq!(compile(), compile());
    }

    #[test]
    fn spans_lie_in_the_body(text in text(24), dialect in dialect()) {
        let robots = RobotsTxt::parse_with(&text, dialect);
        let inside = |span: ByteSpan| span.start <= span.end && span.end as usize <= robots.body().len();
        for agent in robots.agents() {
            prop_assert!(inside(agent.value) && inside(agent.token) && agent.line > 0, "{agent:?}");
        }
        for rule in robots.rules() {
            prop_assert!(inside(rule.value) && rule.line > 0, "{rule:?}");
        }
        for record in robots.records() {
            prop_assert!(inside(record.key) && inside(record.value) && record.line > 0, "{record:?}");
        }
        for diagnostic in robots.diagnostics() {
            prop_assert!(inside(diagnostic.span), "{diagnostic:?}");
        }
        let mut end = (0, 0, 0);
        for group in robots.groups() {
            prop_assert_eq!((group.agents.start, group.rules.start), (end.0, end.1), "{:?}", group);
            prop_assert!(group.records.start >= end.2, "{group:?}");
            end = (group.agents.end, group.rules.end, group.records.end);
        }
        prop_assert_eq!((end.0 as usize, end.1 as usize), (robots.agents().len(), robots.rules().len()));
        prop_assert!(end.2 as usize <= robots.records().len());
    }

    /// What a rule set promises of its order.
    #[test]
    fn rules_are_sorted_and_told_apart(text in text(24), dialect in dialect(), token in token()) {
        let robots = RobotsTxt::parse_with(&text, dialect);
        let rules = robots.rule_set(&Crawler::raw(vec![token.into()]));
        for pair in rules.rules().windows(2) {
            let [above, below] = pair else { continue };
            if above.origin == RuleOrigin::RobotsTxtPath || below.origin == RuleOrigin::EmptyLine {
                continue;
            }
            let rank = |rule: &robotsc::rules::Rule| (rule.length, rule.verdict.is_allow());
            prop_assert!(rank(above) >= rank(below), "{above:?} before {below:?}");
        }
        for rule in rules.rules() {
            let pattern = rules.pattern(rule);
            prop_assert!(matches!(pattern.first(), None | Some(b'/' | b'*')), "{}", pattern.escape_ascii());
        }
    }

    #[test]
    fn random_bytes_are_refused_or_harmless(
        mark in prop::sample::select(vec![&b""[..], b"RP", b"RP\x01", b"RP\x01\x00", b"RO", b"RO\x01"]),
        bytes in vec(any::<u8>(), 0..200),
    ) {
        read_and_walk(&[mark, &bytes].concat(), &[b"a", b""]);
    }

    #[test]
    fn altered_bytes_are_refused_or_harmless(
        text in text(16),
        small in any::<bool>(),
        deciding_rule in any::<bool>(),
        low in any::<bool>(),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in any::<Option<prop::sample::Index>>(),
        reseal in any::<bool>(),
    ) {
        let robots = RobotsTxt::parse(&text);
        let compiler = Compiler::new()
            .effort(if small { Effort::Small } else { Effort::Fast })
            .output(if deciding_rule { Output::DecidingRule } else { Output::Verdict })
            .limits(if low { engines::tiny() } else { robotsc::program::Limits::default() });
        let rules = robots.rule_set(&Crawler::raw(vec!["a".into()]));
        let program = compiler.compile(&rules).expect("compiles").as_bytes().to_vec();
        let policy = compiler.compile_policy(&robots).expect("compiles").as_bytes().to_vec();
        for mut bytes in [program, policy] {
            prop_assert!(Program::from_bytes(&bytes).is_ok() || Policy::from_bytes(&bytes).is_ok());
            for (place, value) in &changes {
                let place = place.index(bytes.len());
                bytes[place] = *value;
            }
            if let Some(cut) = &cut {
                bytes.truncate(cut.index(bytes.len() + 1));
            }
            if reseal && bytes.len() > 8 {
                // As an enemy would: the checksum is right, what it covers is not.
                let sum = robotsc_runtime::checksum(&bytes);
                bytes[4..8].copy_from_slice(&sum.to_le_bytes());
            }
            read_and_walk(&bytes, &[b"a", b"", b"a-b"]);
        }
    }
}

/// Every byte of a program set to every value of interest, with the checksum made right again.
#[test]
fn every_byte_of_a_program_can_be_altered() {
    let text = b"User-agent: *\nDisallow: /*a*b$\nAllow: /ab/*c\nDisallow: /abc/def/ghi\nAllow: /x*y*z\nDisallow: /\n";
    let robots = RobotsTxt::parse(text);
    let mut programs = Vec::new();
    for way in all_ways() {
        programs.push(
            way.compiler()
                .compile(&robots.rule_set(&Crawler::raw(vec!["a".into()])))
                .expect(way.name)
                .as_bytes()
                .to_vec(),
        );
        programs.push(way.compiler().compile_policy(&robots).expect(way.name).as_bytes().to_vec());
    }
    for program in programs {
        for place in 0..program.len() {
            let old = program[place];
            for new in [
                0,
                1,
                2,
                3,
                0x0f,
                0x10,
                0x7f,
                0x80,
                0xf0,
                0xfe,
                0xff,
                old ^ 1,
                old ^ 0x80,
                old.wrapping_add(1),
                old.wrapping_sub(1),
            ] {
                let mut bytes = program.clone();
                bytes[place] = new;
                read_and_walk(&bytes, &[b"a"]);
                let sum = robotsc_runtime::checksum(&bytes);
                bytes[4..8].copy_from_slice(&sum.to_le_bytes());
                read_and_walk(&bytes, &[b"a"]);
            }
        }
        for length in 0..program.len() {
            assert!(Program::from_bytes(&program[..length]).is_err(), "cut to {length} bytes");
            assert!(Policy::from_bytes(&program[..length]).is_err(), "cut to {length} bytes");
        }
    }
}

/// The properties above say nothing of parts and lists unless the limits make some.
#[test]
fn low_limits_make_parts_and_lists() {
    let mut text = b"User-agent: *\n".to_vec();
    for (first, second) in (b'a'..=b'z').zip(b"qwertyuiopasdfghjklzxcvbnm") {
        let (first, second) = (char::from(first), char::from(*second));
        let kind = if first < second { "Allow" } else { "Disallow" };
        text.extend_from_slice(format!("{kind}: /*{first}{second}*x*{second}$\n").as_bytes());
    }
    let robots = RobotsTxt::parse(&text);
    let rules = robots.rule_set(&Crawler::raw(vec!["a".into()]));
    for (limits, parts, listed) in
        [(engines::tiny(), false, true), (engines::cut(), true, false), (engines::low(), true, false)]
    {
        let compiled = Compiler::new().limits(limits).compile(&rules).expect("compiles");
        let stats = compiled.stats();
        assert!(!parts || stats.parts > 1, "{limits:?}: {stats:?}");
        assert!(!listed || stats.listed > 0, "{limits:?}: {stats:?}");
    }
}
