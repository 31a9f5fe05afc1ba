//! Every answer beside enumeration: random rule sets over a small alphabet, all paths up to a length.
//!
//! By default some thousand questions are asked; `ROBOTSC_FULL=1` asks more than a million, best with `--release`.

mod random;

use robotsc_analysis::{
    BadPattern, PathPattern, Paths, Property, RuleAnalysis, SearchBudget, first_difference, regions,
};
use robotsc_compiler::url::possible::matches_any_path;
use robotsc_compiler::{DecidingRule, Dialect, RuleKind, RuleSet, UrlPath, UrlPathBuf, Verdict, reference};

use self::random::Random;

impl Random {
    /// A value: `/`, `*` or neither, then some parts.
    fn value(&mut self, parts: &[&str]) -> String {
        let mut value = (*self.choose(&["/", "/", "/", "/", "*", "*/", ""])).to_owned();
        for _ in 0..self.below(5) {
            value += *self.choose(parts);
        }
        if self.below(4) == 0 {
            value.push('$');
        }
        value
    }

    fn rules(&mut self, parts: &[&str]) -> Vec<(RuleKind, String, u32)> {
        let kind = |allow| if allow { RuleKind::Allow } else { RuleKind::Disallow };
        (1..=1 + self.below(7) as u32).map(|line| (kind(self.below(5) < 2), self.value(parts), line)).collect()
    }

    /// The rules after an edit.
    fn edited(&mut self, rules: &[(RuleKind, String, u32)], parts: &[&str]) -> Vec<(RuleKind, String, u32)> {
        let mut edited = rules.to_vec();
        let at = self.below(edited.len());
        match self.below(3) {
            0 => drop(edited.remove(at)),
            1 => edited[at].1 = self.value(parts),
            _ => edited.push((RuleKind::Allow, self.value(parts), 99)),
        }
        edited
    }
}

/// The parts of patterns, and the bytes of paths: those of the patterns, and one that is in none.
struct Alphabet {
    parts: &'static [&'static str],
    bytes: &'static [u8],
    length: u32,
}

const ALPHABETS: [Alphabet; 5] = [
    Alphabet { parts: &["a", "b", "*", "/", "ab"], bytes: b"ab/x", length: 6 },
    Alphabet { parts: &["a", "?", "*", "/", ".", "..", "$", "$*"], bytes: b"a?/.x$", length: 5 },
    Alphabet { parts: &["a", "*", "%2F", "%61", "%2f", "?", "F", "%"], bytes: b"a?/%2F6x1", length: 5 },
    Alphabet { parts: &["a", "*", " ", "{", "%7B", "?", "\u{e4}"], bytes: b"a?/{%7Bx", length: 5 },
    Alphabet { parts: &["a", "*", "'", "?", "?*'", "%27"], bytes: b"a?'%27", length: 5 },
];

/// All paths of a space over an alphabet, the shortest first.
fn all_paths(alphabet: &Alphabet, paths: Paths) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for length in 0..alphabet.length {
        for number in 0..alphabet.bytes.len().pow(length) {
            let digit = |place| alphabet.bytes[number / alphabet.bytes.len().pow(place) % alphabet.bytes.len()];
            let path: Vec<u8> = [b'/'].into_iter().chain((0..length).map(digit)).collect();
            let is_in = match paths {
                Paths::Urls | Paths::Plain => {
                    let url = [b"https://h", path.as_slice()].concat();
                    let is_plain = paths == Paths::Urls || !has_unreserved_escape(&path);
                    is_plain && Dialect::GOOGLE.url_path(&url).expect("a URL").as_bytes() == path
                }
                Paths::Raw => true,
            };
            assert_eq!(paths.contains(&path), is_in, "{}", path.escape_ascii());
            if is_in {
                all.push(path);
            }
        }
    }
    all
}

/// Reports whether a path has an escape of a letter, a digit, `-`, `.`, `_` or `~`.
fn has_unreserved_escape(path: &[u8]) -> bool {
    let mut at = 0;
    while at + 2 < path.len() {
        let digits = std::str::from_utf8(&path[at + 1..at + 3]).ok().filter(|_| path[at] == b'%');
        let value =
            digits.filter(|digits| !digits.contains('+')).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if value.is_some_and(|value| value.is_ascii_alphanumeric() || b"-._~".contains(&value)) {
            return true;
        }
        at += if value.is_some() { 3 } else { 1 };
    }
    false
}

fn form(dialect: &Dialect, paths: Paths, path: &[u8]) -> Vec<u8> {
    let url = [b"https://h", path].concat();
    let owned = |path: UrlPathBuf<'_>| path.into_cow().into_owned();
    match paths {
        Paths::Urls | Paths::Plain => owned(dialect.url_path(&url).expect("a URL")),
        Paths::Raw => owned(dialect.raw_url_path(&url)),
    }
}

/// Decides one path of an enumeration. The engine is compared with the reference matcher elsewhere.
fn decide(set: &RuleSet, seen: &[u8]) -> Option<DecidingRule> {
    set.deciding_rule(UrlPath::assume(seen, set.path_form())).expect("the form of the set")
}

/// Returns the verdict about a path.
fn verdict(rule: Option<DecidingRule>) -> Verdict {
    DecidingRule::verdict_of(rule)
}

/// Returns the index of a rule.
fn index(rule: Option<DecidingRule>) -> Option<u32> {
    rule.map(|rule| rule.rule)
}

/// Decides a path that was found.
fn judge(set: &RuleSet, seen: &[u8]) -> Option<DecidingRule> {
    reference::deciding_rule(set, UrlPath::assume(seen, set.path_form())).expect("the form of the set")
}

/// Returns the length of the first path that fits.
fn shortest(paths: &[Vec<u8>], fits: impl Fn(usize) -> bool) -> Option<&[u8]> {
    (0..paths.len()).find(|at| fits(*at)).map(|at| paths[at].as_slice())
}

/// Compares a path that was found with the shortest of all: equal in length, or not among them, since it is too long
/// or has other bytes.
fn assert_shortest(found: Option<&[u8]>, wanted: Option<&[u8]>, alphabet: &Alphabet, of: &dyn Fn() -> String) {
    let most = alphabet.length as usize;
    match (found, wanted) {
        (Some(found), _) if !found.iter().all(|byte| alphabet.bytes.contains(byte)) => {
            assert!(wanted.is_none_or(|wanted| wanted.len() >= found.len()), "{} {}", of(), found.escape_ascii());
        }
        (Some(found), Some(wanted)) => assert_eq!(found.len(), wanted.len(), "{} {found:?} {wanted:?}", of()),
        (None, Some(wanted)) => panic!("{} misses {}", of(), wanted.escape_ascii()),
        (Some(found), None) => assert!(found.len() > most, "{} {}", of(), found.escape_ascii()),
        (None, None) => {}
    }
}

/// Names the question that was not decided.
trait ExpectDecided<T> {
    fn expect_decided(self, of: &dyn Fn() -> String) -> T;
}

impl<T, E: std::fmt::Debug> ExpectDecided<T> for Result<T, E> {
    fn expect_decided(self, of: &dyn Fn() -> String) -> T {
        self.unwrap_or_else(|error| panic!("{error:?}: {}", of()))
    }
}

/// The default budget; for a million questions a larger one, since some random rules are far from real ones.
fn budget() -> SearchBudget {
    match std::env::var_os("ROBOTSC_FULL") {
        Some(_) => SearchBudget::new(1 << 34, 1 << 36),
        None => SearchBudget::default(),
    }
}

/// Reports whether a path is one of those that a search finds: one that its form leaves as it is. A `'` in a query is
/// always escaped in a URL, so paths with `%27` count if their form has a `'` there.
fn is_fixed(path: &[u8], seen: &[u8], paths: Paths) -> bool {
    paths == Paths::Raw || seen == path || !paths.contains(seen)
}

fn rounds() -> usize {
    match std::env::var_os("ROBOTSC_FULL") {
        Some(_) => 600,
        None if cfg!(debug_assertions) => 2,
        None => 8,
    }
}

fn check_one_set(
    dialect: &Dialect,
    paths: Paths,
    random: &mut Random,
    alphabet: &Alphabet,
    [all, seen]: [&[Vec<u8>]; 2],
) -> u64 {
    let mut questions = 0;
    for _ in 0..rounds() {
        let rules = random.rules(alphabet.parts);
        let set = RuleSet::from_rules(dialect, rules.clone());
        let budget = budget();
        let analysis = RuleAnalysis::new(&set, dialect, paths, &budget).expect("one dialect");
        let decided: Vec<Option<DecidingRule>> = seen.iter().map(|path| decide(&set, path)).collect();
        for at in 0..set.rules().len() as u32 {
            let of = || format!("{} {paths:?} rule {at} of {rules:?}", dialect.name);
            // A canonical form has other paths than those that it leaves as they are; these are the shorter ones.
            let is_fixed = |path: usize| is_fixed(&all[path], &seen[path], paths);
            let wanted = shortest(all, |path| decided[path].is_some_and(|rule| rule.rule == at) && is_fixed(path));
            let found = analysis.shortest_decided(at).expect_decided(&of);
            assert_shortest(found.as_deref(), wanted, alphabet, &of);
            assert_eq!(analysis.decides(at).expect_decided(&of), found.is_some(), "{}", of());
            questions += 2;
        }
        for (_, _, line) in &rules {
            let of = || format!("{} {paths:?} without line {line} of {rules:?}", dialect.name);
            let fewer = RuleSet::from_rules(dialect, rules.iter().filter(|rule| rule.2 != *line).cloned());
            let is_fixed = |path: usize| is_fixed(&all[path], &seen[path], paths);
            let wanted =
                shortest(all, |path| is_fixed(path) && verdict(decide(&fewer, &seen[path])) != verdict(decided[path]));
            let found = analysis.shortest_change(*line).expect_decided(&of);
            assert_shortest(found.as_ref().map(|change| change.path.as_slice()), wanted, alphabet, &of);
            let any = analysis.change_without(*line).expect_decided(&of);
            assert_eq!(any.is_some(), found.is_some(), "{}", of());
            for change in any.iter().chain(&found) {
                let seen = form(dialect, paths, &change.path);
                assert_eq!(judge(&set, &seen).map(|rule| rule.rule), Some(change.with), "{}", of());
                assert_ne!(verdict(judge(&set, &seen)), verdict(judge(&fewer, &seen)), "{}", of());
            }
            questions += 2;
        }
        let of = || format!("{} {paths:?} ties of {rules:?}", dialect.name);
        let ties = analysis.ties().expect_decided(&of);
        for (path, decision) in decided.iter().enumerate().filter(|(path, _)| seen[*path] == all[*path]) {
            let Some(at) = index(*decision) else { continue };
            let rule = &set.rules()[at as usize];
            let form = UrlPath::assume(&seen[path], set.path_form());
            let is_tied = |other: &robotsc_compiler::Rule| {
                other.length == rule.length && !other.verdict.is_allow() && set.matches(other, form) == Ok(true)
            };
            if rule.verdict.is_allow() && rule.line > 0 {
                let known = ties.iter().filter(|tie| tie.allow == at);
                let has = set.rules().iter().any(is_tied);
                assert!(!has || known.clone().any(|tie| tie.path.len() <= all[path].len()), "{rules:?}");
            }
        }
        questions += 1;
    }
    questions
}

fn check_two_sets(
    dialects: [&Dialect; 2],
    paths: Paths,
    random: &mut Random,
    alphabet: &Alphabet,
    all: &[Vec<u8>],
    seen: [&[Vec<u8>]; 2],
) -> u64 {
    let is_mixed = dialects[0].path_form() != dialects[1].path_form();
    let mut questions = 0;
    for _ in 0..rounds() {
        let rules = random.rules(alphabet.parts);
        let edited = match random.below(3) {
            0 => random.rules(alphabet.parts),
            1 => rules.clone(),
            _ => random.edited(&rules, alphabet.parts),
        };
        let sets = [RuleSet::from_rules(dialects[0], rules.clone()), RuleSet::from_rules(dialects[1], edited.clone())];
        let budget = budget();
        let old = RuleAnalysis::new(&sets[0], dialects[0], paths, &budget).expect("one dialect");
        let new = RuleAnalysis::new(&sets[1], dialects[1], paths, &budget).expect("one dialect");
        let of = || format!("{} {} {paths:?} {rules:?} {edited:?}", dialects[0].name, dialects[1].name);
        let found = regions(&old, &new).expect_decided(&of);
        assert_eq!(first_difference(&old, &new).expect_decided(&of).is_some(), !found.is_empty(), "{}", of());
        let mut wanted = std::collections::BTreeMap::new();
        for path in 0..all.len() {
            let is_fixed = is_mixed || is_fixed(&all[path], &seen[0][path], paths);
            let [before, after] = [0, 1].map(|side| decide(&sets[side], &seen[side][path]));
            if verdict(before) != verdict(after) && is_fixed {
                wanted.entry((index(before), index(after))).or_insert(path);
            }
        }
        for region in &found {
            let key = (region.old, region.new);
            let decided = [0, 1].map(|side| judge(&sets[side], &form(dialects[side], paths, &region.path)));
            assert_eq!((index(decided[0]), index(decided[1])), key, "{}", of());
            assert_ne!(verdict(decided[0]), verdict(decided[1]), "{}", of());
            let wanted = wanted.remove(&key).map(|path| all[path].as_slice());
            assert_shortest(Some(&region.path), wanted, alphabet, &of);
        }
        assert!(wanted.is_empty(), "{} misses {wanted:?}", of());
        questions += 2 + found.len() as u64;
    }
    questions
}

fn check_properties(dialect: &Dialect, random: &mut Random, alphabet: &Alphabet, [all, seen]: [&[Vec<u8>]; 2]) -> u64 {
    let mut questions = 0;
    for _ in 0..rounds() {
        let rules = random.rules(alphabet.parts);
        let others = random.edited(&rules, alphabet.parts);
        let text = random.value(alphabet.parts);
        let of = || format!("{} {text} of {rules:?} {others:?}", dialect.name);
        let region = RuleSet::from_rules(dialect, [(RuleKind::Disallow, &text, 1)]);
        let is_in = |path: usize| {
            let form = UrlPath::assume(&seen[path], region.path_form());
            let is_its = |rule: &robotsc_compiler::Rule| rule.line == 1 && region.matches(rule, form) == Ok(true);
            is_fixed(&all[path], &seen[path], Paths::Urls) && region.rules().iter().any(is_its)
        };
        let Ok(pattern) = PathPattern::new(dialect, &text) else {
            let has_slash = text.starts_with(['/', '*']);
            assert!(!has_slash || !(0..all.len()).any(is_in), "{}", of());
            questions += 1;
            continue;
        };
        let sets = [rules.clone(), others.clone()].map(|rules| RuleSet::from_rules(dialect, rules));
        let budget = budget();
        let [analysis, other] =
            sets.each_ref().map(|set| RuleAnalysis::new(set, dialect, Paths::Urls, &budget).expect("one dialect"));
        let allows = |set: usize, path: usize| verdict(decide(&sets[set], &seen[path])).is_allow();
        let cases: [(Property<'_, '_>, &dyn Fn(usize) -> bool); 3] = [
            (Property::NeverBlocked, &|path| !allows(0, path)),
            (Property::NeverAllowed, &|path| allows(0, path)),
            (Property::SameAs(&other), &|path| allows(0, path) != allows(1, path)),
        ];
        for (property, is_wrong) in cases {
            let wanted = shortest(all, |path| is_in(path) && is_wrong(path));
            let found = property.counterexample(&analysis, &pattern).expect_decided(&of);
            assert_shortest(found.as_ref().map(|found| found.path.as_slice()), wanted, alphabet, &of);
            if let Some(found) = found {
                let seen = form(dialect, Paths::Urls, &found.path);
                assert_eq!(index(judge(&sets[0], &seen)), found.rule, "{}", of());
            }
            questions += 1;
        }
    }
    questions
}

/// Compares all answers about the rule sets of an alphabet, and returns how many questions that are.
fn compare(seed: u64, alphabet: &Alphabet) -> u64 {
    let mut questions = 0;
    let random = |salt| Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ salt);
    for paths in [Paths::Urls, Paths::Plain, Paths::Raw] {
        if paths == Paths::Plain && !alphabet.bytes.contains(&b'%') {
            continue;
        }
        let all = all_paths(alphabet, paths);
        let in_form = |dialect: &&Dialect| all.iter().map(|path| form(dialect, paths, path)).collect();
        let seen: Vec<Vec<Vec<u8>>> = Dialect::ALL.iter().map(in_form).collect();
        for (one, dialect) in Dialect::ALL.into_iter().enumerate() {
            questions += check_one_set(dialect, paths, &mut random(1), alphabet, [&all, &seen[one]]);
            if paths == Paths::Urls {
                questions += check_properties(dialect, &mut random(3), alphabet, [&all, &seen[one]]);
            }
            for other in (0..=one).filter(|other| *other == one || paths != Paths::Raw) {
                let dialects = [dialect, Dialect::ALL[other]];
                let seen = [seen[one].as_slice(), &seen[other]];
                questions += check_two_sets(dialects, paths, &mut random(2), alphabet, &all, seen);
            }
        }
    }
    questions
}

#[test]
fn answers_are_those_of_enumeration() {
    // A thread for each alphabet.
    let questions = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (1_u64..).zip(&ALPHABETS).map(|(seed, alphabet)| scope.spawn(move || compare(seed, alphabet))).collect();
        threads.into_iter().map(|thread| thread.join().expect("equal answers")).sum::<u64>()
    });
    println!("{questions} questions");
}

/// The build step asks the automaton of possible paths directly; properties ask the search.
#[test]
fn both_know_which_patterns_match_no_path() {
    let mut random = Random(0x0BAD_5EED);
    let parts = ["/", ".", "..", "%2e", "%2E", "%", "a", "?", "*", "#", " ", "{", "'", "\u{e9}", "%41", "$"];
    let mut found = [0, 0];
    for _ in 0..6_000 {
        let dialect = *random.choose(&[&Dialect::GOOGLE, &Dialect::RFC9309, &Dialect::GOOGLE_2017]);
        let pattern = random.value(&parts);
        let normal = dialect.normalize_pattern(pattern.as_bytes());
        // `/%%41a` arrives as `/%Aa`, which is no normal path by itself: only the search, which reads the path as it
        // was before, knows that there is one.
        if !pattern.starts_with(['/', '*']) || !dialect.is_whole_pattern(&normal) || pattern.contains("%%") {
            continue;
        }
        let by_automaton = matches_any_path(&normal, dialect.path_form());
        let by_search = PathPattern::new(dialect, &pattern).map(|_| ());
        assert_eq!(by_search, if by_automaton { Ok(()) } else { Err(BadPattern::NoPath) }, "{pattern}");
        found[usize::from(by_automaton)] += 1;
    }
    assert!(found.iter().all(|count| *count > 500), "{found:?}");
}
