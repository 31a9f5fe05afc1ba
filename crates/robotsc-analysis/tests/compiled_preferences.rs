//! Compiled preferences say what `Preferences` says, and what an evaluator says that shares no code with either.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use robotsc_analysis::preferences::{
    Category, EffectivePreferences, PathPreferences, Preference, PreferenceProgram, Preferences,
};
use robotsc_compiler::{Compiler, Dialect, RobotsTxt};

#[path = "../../../tests/shared_data/mod.rs"]
mod shared_data;

/// Returns what is said of a path, in the compiled form.
fn compiled_form(effective: &EffectivePreferences) -> PathPreferences {
    let usage = |category| effective.usage.of(category).map_or(Preference::Unknown, |stated| stated.preference);
    let signal = |category| effective.signals.of(category).map_or(Preference::Unknown, |stated| stated.preference);
    PathPreferences::of_usage(usage).and(PathPreferences::of_signals(signal, effective.signals.use_level))
}

/// Asks a file about paths, compiled and not. Returns the number of answers that say something.
fn agree(body: &[u8], dialect: &Dialect, agents: &[&str], paths: &[&[u8]]) -> usize {
    let robots = RobotsTxt::parse_with(body, dialect);
    let mut said = 0;
    for agent in agents {
        let Ok(read) = Preferences::of(&robots, *agent) else { continue };
        let compiled = read.compile(&Compiler::new()).expect("decided exactly");
        let program = PreferenceProgram::from_bytes(compiled.as_bytes()).expect("valid");
        assert_eq!(compiled.is_unknown(), program.as_bytes().starts_with(&[0, 0]) && program.as_bytes()[3] == 0);
        for path in paths {
            let Ok(path) = robots.url_path(path) else { continue };
            let Some(effective) = read.at_path(path.as_path()).unwrap() else { continue };
            let wanted = compiled_form(&effective);
            let context = || format!("{} {agent} {}", dialect.name, path.as_bytes().escape_ascii());
            assert_eq!(program.at(path.as_path()).unwrap(), wanted, "{}\n{}", context(), body.escape_ascii());
            said += usize::from(wanted != PathPreferences::UNKNOWN);
        }
    }
    said
}

const DIALECTS: [&Dialect; 5] =
    [&Dialect::GOOGLE, &Dialect::GOOGLE_2019, &Dialect::GOOGLE_2017, &Dialect::RFC9309, &Dialect::YANDEX];

/// Lines that are put into real files after each `User-agent` and each rule.
const LINES: [&str; 12] = [
    "Content-Signal: search=yes,ai-train=no,use=reference",
    "Content-Usage: train-ai=n, search=y",
    "Content-Usage: @ train-ai=y",
    "Content-Signal: @ ai-train=no, search=yes",
    "Content-Usage: @* ai-use=n",
    "Content-Usage: @",
    "Content-Usage: @$ search=n",
    "Content-Signal: /*? ai-input=no",
    "Content-Usage: Train-ai=n",
    "Content-Signal: use=immediate",
    "Content-Usage: /a%2Fb train-ai=n",
    "Content-Signal: @x ai-train=yes",
];

/// Puts preferences into a file: lines of `LINES` whose `@` is the value of a rule nearby.
fn with_preferences(body: &[u8], mut seed: usize) -> Vec<u8> {
    let mut mutated = Vec::new();
    for line in body.split(|byte| *byte == b'\n').take(400) {
        mutated.extend_from_slice(line);
        mutated.push(b'\n');
        let value = line.splitn(2, |byte| *byte == b':').nth(1).map(<[u8]>::trim_ascii);
        let Some(value) = value.filter(|value| value.starts_with(b"/")) else { continue };
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if seed >> 33 & 3 != 0 {
            continue;
        }
        let preference = LINES[(seed >> 40) % LINES.len()].as_bytes();
        let path = value.split(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
        match preference.iter().position(|byte| *byte == b'@') {
            Some(at) => mutated.extend([&preference[..at], path, &preference[at + 1..]].concat()),
            None => mutated.extend_from_slice(preference),
        }
        mutated.push(b'\n');
    }
    mutated
}

/// Returns paths that rules and preferences of a file are about, and near ones.
fn paths_of(body: &[u8]) -> Vec<Vec<u8>> {
    let values = body.split(|byte| *byte == b'\n').filter_map(|line| {
        let value = line.splitn(2, |byte| *byte == b':').nth(1)?.trim_ascii();
        value.split(|byte| byte.is_ascii_whitespace()).next().filter(|path| path.starts_with(b"/"))
    });
    let mut paths: Vec<Vec<u8>> = vec![b"/".to_vec(), b"/?q".to_vec(), b"/robots.txt".to_vec()];
    for value in values.take(60) {
        let path: Vec<u8> = value.iter().map(|byte| if *byte == b'*' { b'x' } else { *byte }).collect();
        let whole = path.strip_suffix(b"$").unwrap_or(&path).to_vec();
        paths.extend([[&whole[..], b"x"].concat(), [&whole[..], b"/y?z"].concat(), whole]);
    }
    paths
}

#[test]
fn real_and_mutated_files() {
    let Some(corpus) = shared_data::folder("corpus") else { return };
    let mut files: Vec<PathBuf> = Vec::new();
    for (folder, step) in [("robots", 100), ("robots-modern", 300)] {
        let mut all: Vec<PathBuf> =
            fs::read_dir(corpus.join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        all.sort();
        let step = if shared_data::full() { 1 } else { step };
        files.extend(all.into_iter().step_by(step));
    }
    let numbered: Vec<(usize, PathBuf)> = files.into_iter().enumerate().collect();
    let said: Vec<usize> = shared_data::in_parallel(&numbered, |(number, path)| {
        let body = fs::read(path).unwrap();
        let mutated = with_preferences(&body, *number);
        let agents = ["FooBot", "Googlebot", "GPTBot", "Googlebot-Image", "CCBot"];
        [&body, &mutated]
            .into_iter()
            .map(|body| {
                let paths = paths_of(body);
                let paths: Vec<&[u8]> = paths.iter().map(Vec::as_slice).collect();
                DIALECTS.iter().map(|dialect| agree(body, dialect, &agents, &paths)).sum::<usize>()
            })
            .sum()
    });
    let said: usize = said.iter().sum();
    assert!(said > 5_000, "{said} answers say something");
}

/// An evaluator of its own, for simple files: one group for `*`, ASCII, under `google`. It shares no code with the
/// library: it cuts the lines, reads the statements, and compares a path with each pattern by recursion.
mod naive {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Said {
        Nothing,
        Yes,
        No,
    }

    /// What is said of training, input and search in `Content-Usage`, the same in `Content-Signal`, and the level.
    pub(crate) type Answer = ([Said; 3], [Said; 3], u8);

    fn matches(pattern: &[u8], path: &[u8]) -> bool {
        match pattern {
            [] => true,
            [b'$'] => path.is_empty(),
            [b'*', rest @ ..] => (0..=path.len()).any(|start| matches(rest, &path[start..])),
            [first, rest @ ..] => path.first() == Some(first) && matches(rest, &path[1..]),
        }
    }

    /// Reads `key=value` by words: `None` if the statement is none that this evaluator knows, so that nothing is said.
    fn usage(statement: &str) -> Option<[Said; 3]> {
        let mut said = [Said::Nothing; 3];
        if statement.is_empty() {
            return Some(said);
        }
        for item in statement.split(',') {
            let (key, value) = item.trim_matches(' ').split_once('=')?;
            if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') {
                return None;
            }
            if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_alphabetic()) {
                return None;
            }
            if let Some(at) = ["train-ai", "ai-use", "search"].iter().position(|known| *known == key) {
                said[at] = match value {
                    "y" => Said::Yes,
                    "n" => Said::No,
                    _ => Said::Nothing,
                };
            }
        }
        Some(said)
    }

    fn restrict(said: Said, other: Said) -> Said {
        match (said, other) {
            (Said::No, _) | (_, Said::No) => Said::No,
            (Said::Yes, _) | (_, Said::Yes) => Said::Yes,
            _ => Said::Nothing,
        }
    }

    fn signal(statement: &str) -> ([Said; 3], u8) {
        let (mut said, mut level) = ([Said::Nothing; 3], 0);
        let statement = statement.to_ascii_lowercase();
        let items: Vec<&str> = statement.split(',').map(str::trim).filter(|item| !item.is_empty()).collect();
        if items.first().is_some_and(|first| first.split('=').next().is_some_and(|key| key.trim().contains(' '))) {
            return (said, level);
        }
        for item in items {
            let Some((key, value)) = item.split_once('=') else { continue };
            let (key, value) = (key.trim(), value.trim());
            if let Some(at) = ["ai-train", "ai-input", "search"].iter().position(|known| *known == key) {
                let stated = match value {
                    "yes" => Said::Yes,
                    "no" => Said::No,
                    _ => Said::Nothing,
                };
                said[at] = restrict(said[at], stated);
            }
            if key == "use" {
                let stated = ["full", "reference", "immediate"].iter().position(|known| *known == value);
                level = level.max(stated.map_or(0, |at| at as u8 + 1));
            }
        }
        (said, level)
    }

    pub(crate) fn at(body: &str, path: &str) -> Answer {
        let mut usages: Vec<(usize, [Said; 3], u8)> = Vec::new();
        let mut signals: Vec<(usize, [Said; 3], u8)> = Vec::new();
        for line in body.lines() {
            let Some((key, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            let (pattern, statement) = match value.strip_prefix('/') {
                Some(_) => value.split_once(' ').unwrap_or((value, "")),
                None => ("", value),
            };
            if !matches(pattern.as_bytes(), path.as_bytes()) {
                continue;
            }
            match key {
                "Content-Usage" => {
                    let said = usage(statement.trim()).unwrap_or([Said::Nothing; 3]);
                    usages.push((pattern.len(), said, 0));
                }
                "Content-Signal" => {
                    let (said, level) = signal(statement.trim());
                    signals.push((pattern.len(), said, level));
                }
                _ => {}
            }
        }
        let longest = |all: &[(usize, [Said; 3], u8)]| {
            let length = all.iter().map(|one| one.0).max();
            all.iter().filter(|one| Some(one.0) == length).fold(([Said::Nothing; 3], 0), |(mut said, level), one| {
                for (said, other) in said.iter_mut().zip(one.1) {
                    *said = restrict(*said, other);
                }
                (said, level.max(one.2))
            })
        };
        let (said_usage, (said_signals, level)) = (longest(&usages).0, longest(&signals));
        (said_usage, said_signals, level)
    }
}

/// Returns an answer of the library in the words of the other evaluator.
fn in_naive_words(said: PathPreferences) -> naive::Answer {
    let word = |preference: Preference| match preference {
        Preference::Unknown => naive::Said::Nothing,
        Preference::Yes => naive::Said::Yes,
        Preference::No => naive::Said::No,
    };
    let level = said.use_level().map_or(0, |level| match level.as_str() {
        "full" => 1,
        "reference" => 2,
        _ => 3,
    });
    let of = [Category::Training, Category::ModelInput, Category::Search];
    (of.map(|category| word(said.usage(category))), of.map(|category| word(said.signal(category))), level)
}

fn statement() -> impl Strategy<Value = String> {
    let usage = "(train-ai|ai-use|search|bots|Search)=(y|n|y|n|maybe)";
    let usage = prop::collection::vec(usage, 0..4).prop_map(|items| items.join(", "));
    let signal = "(ai-train|ai-input|search|Search|x y)=(yes|no|No|maybe)|use=(full|reference|immediate|all)";
    let signal = prop::collection::vec(signal, 0..4).prop_map(|items| items.join(","));
    let path = "(/([ab/?.]|[*]){0,4}[$]?)?";
    prop_oneof![
        (path, usage).prop_map(|(path, said)| format!("Content-Usage: {path} {said}")),
        (path, signal).prop_map(|(path, said)| format!("Content-Signal: {path} {said}")),
    ]
}

/// `ROBOTSC_FULL=1` asks for the long form.
fn cases() -> u32 {
    if std::env::var_os("ROBOTSC_FULL").is_some() { 4_000 } else { 1_000 }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn an_evaluator_that_shares_no_code_says_the_same(
        lines in prop::collection::vec(statement(), 0..9),
        paths in prop::collection::vec("/[ab/?.]{0,6}", 1..8),
    ) {
        let body = format!("User-agent: *\n{}\n", lines.join("\n"));
        let robots = RobotsTxt::parse(body.as_bytes());
        let compiled = Preferences::of(&robots, "Foo").unwrap().compile(&Compiler::new()).unwrap();
        let program = PreferenceProgram::from_bytes(compiled.as_bytes()).unwrap();
        for path in &paths {
            let asked = robots.dialect().raw_path(path.as_bytes());
            let said = program.at(asked.as_path()).unwrap();
            prop_assert_eq!(in_naive_words(said), naive::at(&body, path), "{} {}", path, body);
        }
    }

    #[test]
    fn all_dialects_agree_with_what_is_not_compiled(
        lines in prop::collection::vec(statement(), 0..9),
        paths in prop::collection::vec("/([ab/?.]|%2F|%61){0,6}", 1..8),
        rules in prop::collection::vec("(Allow|Disallow): /[ab*]{0,3}", 0..3),
    ) {
        let body = format!("User-agent: *\n{}\n{}\n", lines.join("\n").replace('.', "%61"), rules.join("\n"));
        let paths: Vec<&[u8]> = paths.iter().map(String::as_bytes).collect();
        for dialect in Dialect::ALL {
            agree(body.as_bytes(), dialect, &["Foo"], &paths);
        }
    }
}

/// Many patterns of one length that say different things of one path: an automaton for each meaning.
#[test]
fn equal_lengths_hold_together() {
    let mut body = "User-agent: *\n".to_owned();
    for (letter, said) in ('a'..='i').zip(["train-ai=y", "search=y", "ai-use=n"].into_iter().cycle()) {
        body += &format!("Content-Usage: /*{letter} {said}\nContent-Signal: /*{letter} use=full\n");
    }
    let paths: [&[u8]; 5] = [b"/abc", b"/a", b"/x", b"/ihgf", b"/ad"];
    assert_eq!(agree(body.as_bytes(), &Dialect::GOOGLE, &["Foo"], &paths), 4);
    let robots = RobotsTxt::parse(body.as_bytes());
    let compiled = Preferences::of(&robots, "Foo").unwrap().compile(&Compiler::new()).unwrap();
    assert_eq!(compiled.as_bytes()[3], 4, "three of usage, and one of the signals, which all say the same");
}

/// A file that says nothing costs four bytes, and says that.
#[test]
fn nothing_said_is_known_to_be_nothing() {
    for body in [
        "User-agent: *\nDisallow: /x\n",
        "User-agent: *\nContent-Usage: /a\n",
        "User-agent: *\nContent-Usage: Train-ai=n\nContent-Signal: /a x=y\n",
        "User-agent: Bar\nContent-Usage: train-ai=n\n",
    ] {
        let robots = RobotsTxt::parse(body.as_bytes());
        let compiled = Preferences::of(&robots, "Foo").unwrap().compile(&Compiler::new()).unwrap();
        assert!(compiled.is_unknown(), "{body}");
        assert_eq!(compiled.as_bytes(), [0, 0, 0, 0], "{body}");
    }
}

/// What the compiled form cannot say exactly is an error, never an answer.
#[test]
fn what_is_not_decided_exactly_is_refused() {
    let body = "User-agent: *\nContent-Usage: /*a*b*c*d*e*f*g*h*i%2Fp train-ai=n\n";
    let compile = |dialect| {
        let robots = RobotsTxt::parse_with(body.as_bytes(), dialect);
        Preferences::of(&robots, "Foo").unwrap().compile(&Compiler::new()).map(|compiled| compiled.as_bytes().len())
    };
    assert!(compile(&Dialect::GOOGLE).is_ok());
    let error = compile(&Dialect::RFC9309).unwrap_err();
    assert!(error.to_string().contains("more `*` before an escape"), "{error}");
}
