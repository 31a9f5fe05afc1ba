//! The commands that read one robots.txt.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::Answers;
use crate::sandbox::{NOW, Sandbox};
use crate::table::File;

/// Verdicts by agent and URL, from lines of JSON.
pub(crate) fn verdicts(lines: &str) -> BTreeMap<(String, String), bool> {
    let mut verdicts = BTreeMap::new();
    for line in lines.lines() {
        let object: Value = serde_json::from_str(line).expect("a line of JSON");
        if matches!(object["type"].as_str(), Some("verdict" | "explanation")) {
            let (agent, url) = (object["agent"].as_str().expect("an agent"), object["url"].as_str().expect("a URL"));
            let is_allowed = verdict(&object["verdict"]);
            let before = verdicts.insert((agent.to_ascii_lowercase(), url.to_owned()), is_allowed);
            assert_eq!(before, None, "two answers to one question: {line}");
        }
    }
    verdicts
}

/// Returns a verdict.
pub(crate) fn verdict(word: &Value) -> bool {
    match word.as_str() {
        Some("allowed") => true,
        Some("disallowed") => false,
        other => panic!("{other:?} is no verdict"),
    }
}

/// Runs a command with the file, its dialect and its agents.
fn run(sandbox: &Sandbox, file: &File, command: &str, more: &[&str]) -> String {
    let name = format!("{}.txt", file.name());
    let mut args = [command, &name, "--force", "--dialect", file.dialect.name].map(str::to_owned).to_vec();
    args.extend(file.agent_options());
    args.extend(more.iter().map(|arg| (*arg).to_owned()));
    sandbox.run(&args)
}

fn of_list(sandbox: &Sandbox, file: &File, command: &str, emit: &[&str]) -> Answers {
    let list = format!("{}.urls", file.name());
    let lines = run(sandbox, file, command, &[&["--urls", &list], emit].concat());
    let verdicts = verdicts(&lines);
    file.answers(|agent, url| {
        let answer = verdicts.get(&(agent.to_ascii_lowercase(), url.to_owned()));
        Some(*answer.unwrap_or_else(|| panic!("{command} {}: no answer for {agent}, {url}", file.source)))
    })
}

pub(crate) fn check(sandbox: &Sandbox, file: &File) -> Answers {
    of_list(sandbox, file, "check", &["--json"])
}

/// A program for the agents alone, and `check` of it.
pub(crate) fn compile(sandbox: &Sandbox, file: &File) -> Answers {
    let (name, list) = (file.name(), format!("{}.urls", file.name()));
    let output = format!("{name}-some.robotsc");
    let named: Vec<&str> = file.agents.iter().copied().filter(|agent| *agent != "*").collect();
    let options = || named.iter().flat_map(|agent| ["--agent", agent]);
    let source = format!("{name}.txt");
    let compile = ["compile", &source, "--force", "--dialect", file.dialect.name, "-o", &output];
    sandbox.run(&compile.into_iter().chain(options()).collect::<Vec<_>>());
    let check = ["check", &output, "--urls", &list, "--json"];
    let verdicts = verdicts(&sandbox.run(&check.into_iter().chain(options()).collect::<Vec<_>>()));
    file.answers(|agent, url| verdicts.get(&(agent.to_ascii_lowercase(), url.to_owned())).copied())
}

/// The file as a declared rule set. Of one that cannot be a set, nothing is asked.
pub(crate) fn check_rules(sandbox: &Sandbox, file: &File) -> Answers {
    let (name, list) = (file.name(), format!("{}.urls", file.name()));
    let folder = format!("{name}-rules");
    sandbox.folder(&folder);
    sandbox.write(&format!("{folder}/robots.txt"), &file.body);
    let declared = format!(
        "(version: 1, rule_sets: [(name: \"own\", description: \"the file\", dialect: \"{}\", origins: [\"*\"], \
         robots: [\"robots.txt\"])])\n",
        file.dialect.name
    );
    sandbox.write(&format!("{folder}/own.ron"), declared.as_bytes());
    let rules = format!("{folder}/own.ron#own");
    let mut args = ["check", "--rules", &rules, "--urls", &list, "--json"].map(str::to_owned).to_vec();
    args.extend(file.agent_options());
    let verdicts = sandbox.try_run(&args).map(|lines| verdicts(&lines)).unwrap_or_default();
    file.answers(|agent, url| verdicts.get(&(agent.to_ascii_lowercase(), url.to_owned())).copied())
}

pub(crate) fn matrix(sandbox: &Sandbox, file: &File) -> Answers {
    of_list(sandbox, file, "matrix", &["--emit", "json"])
}

/// One process for each URL.
pub(crate) fn explain(sandbox: &Sandbox, file: &File) -> Answers {
    let lines: String = file.urls.iter().take(6).map(|url| run(sandbox, file, "explain", &[url, "--json"])).collect();
    let verdicts = verdicts(&lines);
    file.answers(|agent, url| verdicts.get(&(agent.to_ascii_lowercase(), url.to_owned())).copied())
}

/// Expects what is right: what passes is so, and what fails is the other way round.
pub(crate) fn test(sandbox: &Sandbox, file: &File) -> Answers {
    let name = file.name();
    let quoted = |text: &str| Value::from(text).to_string();
    let mut config =
        format!("[test]\nfile = \"{name}.txt\"\ndialects = [\"{}\"]\nown-agents = [\"FooBot\"]\n", file.dialect.name);
    for (agent, row) in file.agents.iter().zip(&file.is_allowed) {
        for verdict in [true, false] {
            let urls = file.urls.iter().zip(row).filter(|(_, allowed)| **allowed == verdict);
            let urls: Vec<String> = urls.map(|(url, _)| quoted(url)).collect();
            if !urls.is_empty() {
                let word = if verdict { "allowed" } else { "disallowed" };
                config.push_str(&format!(
                    "[[test.expect]]\nagents = [{}]\nurls = [{}]\nverdict = \"{word}\"\n",
                    quoted(agent),
                    urls.join(", ")
                ));
            }
        }
    }
    sandbox.write(&format!("{name}.toml"), config.as_bytes());
    let lines = sandbox.run(&["test", "--config", &format!("{name}.toml"), "--emit", "json"]);
    let mut verdicts = BTreeMap::new();
    for line in lines.lines() {
        let object: Value = serde_json::from_str(line).expect("a line of JSON");
        let sentence = object["test"].as_str().expect("a sentence");
        let (rest, agent) = sentence.rsplit_once(" for ").expect("an agent");
        let (url, word) = rest.rsplit_once(" is ").expect("a verdict");
        let expected = verdict(&word.into());
        let is_allowed = match object["outcome"].as_str() {
            Some("passed") => expected,
            Some("failed") => !expected,
            _ => panic!("{line}"),
        };
        verdicts.insert((agent.to_ascii_lowercase(), url.to_owned()), is_allowed);
    }
    file.answers(|agent, url| verdicts.get(&(agent.to_ascii_lowercase(), url.to_owned())).copied())
}

/// An agent may fetch all URLs of an open site and none of a closed one; of another it may the one path that is shown,
/// and not the other.
pub(crate) fn census(sandbox: &Sandbox, file: &File) -> Answers {
    let (name, dialect) = (file.name(), file.dialect.name);
    let manifest = format!("{name}-census.tsv");
    sandbox.write(&manifest, format!("{}\t200\t{NOW}\t{name}.txt\n", file.origin).as_bytes());
    let mut args = ["census", &manifest, "--dialect", dialect, "--json", "--rows", "agent"].map(str::to_owned).to_vec();
    args.extend(file.agent_options());
    let lines = sandbox.run(&args);
    let cells = lines.lines().map(|line| {
        let cell: Value = serde_json::from_str(line).expect("a line of JSON");
        (cell["agent"].as_str().expect("an agent").to_ascii_lowercase(), cell)
    });
    let cells: BTreeMap<String, Value> = cells.collect();
    file.answers(|agent, url| {
        let cell = &cells[&agent.to_ascii_lowercase()];
        let is_at = |name: &str| cell[name].as_str().is_some_and(|path| format!("{}{path}", file.origin) == url);
        match cell["access"].as_str() {
            Some("open") => Some(true),
            Some("closed") => Some(false),
            _ if is_at("open_path") => Some(true),
            _ if is_at("closed_path") => Some(false),
            _ => None,
        }
    })
}

/// Against an empty file each URL that is disallowed is newly allowed.
pub(crate) fn diff(sandbox: &Sandbox, file: &File) -> Answers {
    let list = format!("{}.urls", file.name());
    let lines = run(sandbox, file, "diff", &["empty.txt", "--urls", &list, "--json"]);
    let mut opened = BTreeSet::new();
    for line in lines.lines() {
        let object: Value = serde_json::from_str(line).expect("a line of JSON");
        if object["type"] == "url" {
            assert_eq!(object["change"], "newly-allowed", "{line}");
            for agent in object["agents"].as_array().expect("agents").iter().filter_map(Value::as_str) {
                opened.insert((agent.to_ascii_lowercase(), object["url"].as_str().expect("a URL").to_owned()));
            }
        }
    }
    file.answers(|agent, url| Some(!opened.contains(&(agent.to_ascii_lowercase(), url.to_owned()))))
}
