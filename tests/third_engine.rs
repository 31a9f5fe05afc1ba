//! A third engine that shares nothing with ours: every normal pattern as an anchored regular expression for
//! regex-automata, the best rule by (length, verdict).

mod engines;
mod generate;
mod shared_data;

use std::fs;

use generate::{body, dialect, lines, path, starry_value, value};
use proptest::collection::vec;
use proptest::prelude::*;
use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};
use robotsc::internal::reference;
use robotsc::program::{Effort, Output};
use robotsc::robots_txt::RuleKind;
use robotsc::rules::{Rule, RuleOrigin};
use robotsc::{Compiler, Crawler, Dialect, RobotsTxt, RuleSet, Verdict};

/// The rules of a set, each as a regular expression.
struct Regexes<'r> {
    rules: Vec<(&'r Rule, Regex)>,
}

impl<'r> Regexes<'r> {
    fn new(rules: &'r RuleSet) -> Self {
        let regex = |rule: &'r Rule| {
            let syntax = syntax::Config::new().unicode(false).utf8(false).dot_matches_new_line(true);
            let config = Regex::config().utf8_empty(false).nfa_size_limit(None).onepass(false);
            let text = regex_of(rules.pattern(rule));
            (rule, Regex::builder().syntax(syntax).configure(config).build(&text).expect("a valid expression"))
        };
        Self { rules: rules.rules().iter().map(regex).collect() }
    }

    /// The verdict and the line of the best of the rules that match, whatever their order in the set.
    fn decide(&self, path: &[u8]) -> (Verdict, u32) {
        let input = Input::new(path).anchored(Anchored::Yes).earliest(true);
        let matching = self.rules.iter().filter(|(_, regex)| regex.is_match(input.clone())).map(|(rule, _)| *rule);
        let rank = |rule: &&Rule| {
            let origin = match rule.origin {
                RuleOrigin::RobotsTxtPath => 2,
                RuleOrigin::Line | RuleOrigin::IndexHtm | RuleOrigin::EmptyInverse => 1,
                RuleOrigin::EmptyLine => 0,
            };
            // Of empty values that decide nothing, robots.cc names the Allow.
            let named = origin == 0 && rule.kind == RuleKind::Allow;
            (origin, rule.length, rule.verdict.is_allow(), named, std::cmp::Reverse(rule.line))
        };
        matching.max_by_key(rank).map_or((Verdict::Allow, 0), |rule| (rule.verdict, rule.line))
    }
}

/// `*` is any bytes, `$` at the end the end; every other byte is itself.
fn regex_of(pattern: &[u8]) -> String {
    let (pattern, end) = match pattern {
        [pattern @ .., b'$'] => (pattern, r"\z"),
        pattern => (pattern, ""),
    };
    let mut text = String::from(r"\A");
    for byte in pattern {
        match byte {
            b'*' => text.push_str(".*"),
            byte => text.push_str(&format!("\\x{byte:02X}")),
        }
    }
    text + end
}

fn compare(robots: &RobotsTxt<'_>, token: &str, paths: &[Vec<u8>]) -> Vec<String> {
    let rules = robots.rule_set(&Crawler::raw(vec![token.into()]));
    let regexes = Regexes::new(&rules);
    let compiled =
        Compiler::new().effort(Effort::Small).output(Output::DecidingRule).compile(&rules).expect("compiles");
    let program = compiled.program();
    let mut found = Vec::new();
    for path in paths {
        let path = robots.dialect().raw_path(path);
        let (verdict, line) = regexes.decide(path.as_bytes());
        let judged = reference::deciding_rule(&rules, path.as_path()).expect("a path of the dialect");
        let named = program.deciding_rule(path.as_path()).expect("a path of the dialect");
        let named = named.map_or((Verdict::Allow, 0), |rule| (rule.verdict, rule.line));
        let judged = judged.map_or((Verdict::Allow, 0), |rule| (rule.verdict, rule.line));
        if judged != (verdict, line) || named != (verdict, line) {
            found.push(format!(
                "{} {token} {}: regular expressions {:?}, reference {judged:?}, program {named:?}",
                robots.dialect().name,
                path.as_bytes().escape_ascii(),
                (verdict, line)
            ));
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn agrees_on_random_rules(rules in lines(value(7), 10), paths in vec(path(), 1..20), dialect in dialect()) {
        let paths: Vec<Vec<u8>> = paths.iter().map(|path| path.bytes(&rules)).collect();
        let found = compare(&RobotsTxt::parse_with(&body(&rules), dialect), "bot", &paths);
        prop_assert!(found.is_empty(), "{}\n{}", body(&rules).escape_ascii(), found.join("\n"));
    }

    #[test]
    fn agrees_on_many_stars(rules in lines(starry_value(10), 8), paths in vec(path(), 1..20)) {
        let paths: Vec<Vec<u8>> = paths.iter().map(|path| path.bytes(&rules)).collect();
        let found = compare(&RobotsTxt::parse(&body(&rules)), "bot", &paths);
        prop_assert!(found.is_empty(), "{}\n{}", body(&rules).escape_ascii(), found.join("\n"));
    }
}

/// A sample of the real files, asked about paths that are made of their own patterns, and about nothing else.
#[test]
fn agrees_on_real_files() {
    let Some(corpus) = shared_data::folder("corpus/robots") else { return };
    let mut files: Vec<_> =
        fs::read_dir(corpus).expect("bodies").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let sample: Vec<_> = files.into_iter().step_by(if shared_data::full() { 1 } else { 80 }).collect();
    let found = shared_data::in_parallel(&sample, |file| {
        let body = fs::read(file).expect("the body is readable");
        let mut found = Vec::new();
        let mut asked = 0;
        for dialect in Dialect::ALL {
            let robots = RobotsTxt::parse_with(&body, dialect);
            let rules = robots.rule_set(&Crawler::raw(vec!["FooBot".into()]));
            // An expression costs thousands of times what the rule's own matching does.
            if rules.rules().len() > 400 {
                continue;
            }
            let mut paths = vec![b"/".to_vec(), b"/robots.txt".to_vec(), b"/index.html?a=b".to_vec()];
            for rule in rules.rules().iter().step_by(rules.rules().len() / 40 + 1) {
                let pattern = rules.pattern(rule);
                let pattern = pattern.strip_suffix(b"$").unwrap_or(pattern);
                let filled = |fill: &[u8]| pattern.split(|byte| *byte == b'*').collect::<Vec<_>>().join(fill);
                paths.extend([filled(b""), filled(b"x/y"), [&filled(b"z")[..], b"/more?x"].concat()]);
            }
            asked += paths.len();
            found.extend(compare(&robots, "FooBot", &paths));
        }
        (asked, found)
    });
    let asked: usize = found.iter().map(|(asked, _)| asked).sum();
    let found: Vec<String> = found.into_iter().flat_map(|(_, found)| found).collect();
    println!("{} files, {asked} questions, {} differences", sample.len(), found.len());
    assert!(found.is_empty(), "{} differences:\n{}", found.len(), found[..found.len().min(25)].join("\n"));
    assert!(asked > 0, "nothing was asked");
}
