//! Every form of a declared rule set gives the answers of the reference matcher: files and text, compiled by rustc into
//! a package that has the runtime and nothing else, and the in-memory set.
//!
//! The sets are those of `rules/`, random ones, and those of real files where the shared data is; `ROBOTSC_FULL=1`
//! takes 300 of these.

mod questions;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use questions::{Questioned, corpus, large, many_regexes, random, shipped};
use robotsc_build::model::DeclaredSet;
use robotsc_build::reference_matcher::ReferenceMatcher;
use robotsc_build::{CompiledSet, Config};
use robotsc_runtime::{AgentName, UrlPath};

/// What an engine said: whether it is allowed, what the verdict is, which rule.
fn line(is_allowed: bool, verdict: bool, rule: Option<robotsc_runtime::embed::RuleSource<'_>>) -> String {
    let rule = rule.map(|rule| format!("{}:{}:{:?}:{:?}", rule.file, rule.line, rule.name, rule.text));
    format!("{is_allowed} {verdict} {}", rule.unwrap_or_default())
}

/// What the reference matcher says.
fn expected(set: &DeclaredSet, reference_matcher: &ReferenceMatcher<'_>, agent: &str, path: &[u8]) -> String {
    let path = UrlPath::assume(path, set.dialect.path_form());
    let decision = reference_matcher.decide_path(AgentName::new(agent).ok(), path).unwrap();
    let place = (decision.place as usize).checked_sub(1).and_then(|place| set.places.get(place));
    let name = decision.name.filter(|name| !name.is_empty());
    let rule = place.map(|place| robotsc_runtime::embed::RuleSource {
        file: &place.file,
        line: place.line,
        text: &place.text,
        name,
    });
    line(decision.verdict.is_allow(), decision.verdict.is_allow(), rule)
}

#[test]
fn every_form_answers_as_the_reference_matcher_does() {
    let mut all = shipped();
    all.push(large());
    all.push(many_regexes());
    all.extend(random(if full() { 400 } else { 60 }));
    all.extend(corpus(if full() { 300 } else { 25 }));
    for (number, asked) in all.iter_mut().enumerate() {
        asked.set.name = format!("set-{number}");
    }
    let sets: Vec<DeclaredSet> = all.iter().map(|asked| asked.set.clone()).collect();
    let config = || Config::new().names_rules(true);
    let package = Package::new();
    let mut one_program = 0;
    for (name, config) in [("table", config()), ("inline", config().inline_bytes(true))] {
        for file in config.file_name(name).generate_sets(&sets).unwrap() {
            if file.name.ends_with(".rs") {
                let text = String::from_utf8(file.contents.clone()).unwrap();
                one_program = one_program.max(text.matches("verdict: ::core::option::Option::None").count());
            }
            fs::write(package.directory.join("src").join(file.name), file.contents).unwrap();
        }
    }
    let answers = package.ask(&all);
    let mut answers = answers.lines();
    let mut wrong = Vec::new();
    let mut count = 0;
    for (number, Questioned { set, questions }) in all.iter().enumerate() {
        let reference_matcher = ReferenceMatcher::new(set).unwrap();
        let compiled = CompiledSet::of(set).unwrap();
        let tables = compiled.tables().unwrap();
        let in_memory = tables.set();
        for (agent, path) in questions {
            count += 1;
            let expected = expected(set, &reference_matcher, agent, path);
            let rules = AgentName::new(agent).map_or(in_memory.rules_for_others(), |agent| in_memory.rules_for(agent));
            let form_path = UrlPath::assume(path, in_memory.path_form());
            let answer = rules.verdict(form_path).unwrap();
            let is_allowed = rules.is_allowed(form_path).unwrap();
            let in_memory = line(is_allowed, answer.verdict.is_allow(), answer.rule);
            let mut given = vec![("in memory", in_memory)];
            given.extend(["table", "inline"].map(|home| (home, answers.next().unwrap_or("none").to_owned())));
            for (home, given) in given {
                if given != expected && wrong.len() < 20 {
                    let path = path.escape_ascii();
                    wrong.push(format!(
                        "set-{number} {agent} {path}: {home} says {given}, the reference_matcher {expected}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{} sets, {count} questions", all.len());
    assert!(one_program >= 2 && count > 2_000, "{one_program} {count}");
}

fn full() -> bool {
    std::env::var_os("ROBOTSC_FULL").is_some_and(|value| value != "0")
}

/// A package that includes generated code, as its user has it.
struct Package {
    directory: PathBuf,
}

impl Package {
    fn new() -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("embedded");
        fs::create_dir_all(directory.join("src")).unwrap();
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../robotsc-runtime");
        let manifest = format!(
            "[package]\nname = \"embedded\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
             robotsc-runtime = {{ path = {runtime:?} }}\n\n[profile.dev]\ndebug = false\n\n[workspace]\n"
        );
        fs::write(directory.join("Cargo.toml"), manifest).unwrap();
        fs::write(directory.join("src/lib.rs"), LIBRARY).unwrap();
        fs::write(directory.join("src/main.rs"), MAIN).unwrap();
        Self { directory }
    }

    /// Builds the package and asks its sets: two lines for each question.
    fn ask(&self, all: &[Questioned]) -> String {
        let mut questions = String::new();
        for (number, asked) in all.iter().enumerate() {
            for (agent, path) in &asked.questions {
                let path: String = path.iter().map(|byte| format!("{byte:02x}")).collect();
                questions.push_str(&format!("set-{number}\t{agent}\t{path}\n"));
            }
        }
        let mut asker = Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--offline"])
            .current_dir(&self.directory)
            .env("CARGO_TARGET_DIR", self.directory.join("target"))
            .env_remove("RUSTFLAGS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = asker.stdin.take().unwrap();
        let writer = std::thread::spawn(move || stdin.write_all(questions.as_bytes()));
        let output = asker.wait_with_output().unwrap();
        assert!(output.status.success(), "the package was not built, or did not answer");
        writer.join().unwrap().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }
}

/// Generated code must do with this.
const LIBRARY: &str = r#"//! Generated code.
#![no_std]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unreachable_pub, missing_debug_implementations)]

/// Tables.
pub mod table {
    include!("table.rs");
}
/// Tables in the text.
pub mod inline {
    include!("inline.rs");
}
"#;

const MAIN: &str = r#"use std::io::Write as _;

fn main() {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let mut fields = line.split('\t');
        let (set, agent, path) = (fields.next().unwrap(), fields.next().unwrap(), fields.next().unwrap());
        let path: Vec<u8> =
            (0..path.len() / 2).map(|at| u8::from_str_radix(&path[at * 2..at * 2 + 2], 16).unwrap()).collect();
        for sets in [&embedded::table::SETS, &embedded::inline::SETS] {
            let set = sets.by_name(set).unwrap();
            let rules = robotsc_runtime::AgentName::new(agent)
                .map_or(set.rules_for_others(), |agent| set.rules_for(agent));
            let path = robotsc_runtime::UrlPath::assume(&path, set.path_form());
            let answer = rules.verdict(path).unwrap();
            let rule = answer.rule.map(|rule| format!("{}:{}:{:?}:{:?}", rule.file, rule.line, rule.name, rule.text));
            let (is_allowed, verdict) = (rules.is_allowed(path).unwrap(), answer.verdict.is_allow());
            writeln!(out, "{is_allowed} {verdict} {}", rule.unwrap_or_default()).unwrap();
        }
    }
}
"#;
