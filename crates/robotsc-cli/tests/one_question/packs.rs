//! `filter` by packs, for all agents and for some.

use std::collections::{BTreeMap, BTreeSet};

use robotsc::Dialect;

use crate::Answers;
use crate::command::{verdict, verdicts};
use crate::sandbox::{NOW, Sandbox};
use crate::table::File;

/// Whether a URL is allowed, by the kind of the pack and the agent.
type OfDialect = BTreeMap<(&'static str, &'static str), BTreeMap<String, bool>>;

#[derive(Debug, Default)]
pub(crate) struct Filtered(BTreeMap<&'static str, OfDialect>);

impl Filtered {
    pub(crate) fn add(&mut self, dialect: &Dialect, answers: OfDialect) {
        self.0.insert(dialect.name, answers);
    }

    fn answers(&self, file: &File, kind: &'static str) -> Answers {
        let of_dialect = &self.0[file.dialect.name];
        file.answers(|agent, url| {
            let (_, answers) = of_dialect.iter().find(|((of, name), _)| *of == kind && *name == agent)?;
            Some(*answers.get(url).unwrap_or_else(|| panic!("filter: no answer for {agent}, {url}")))
        })
    }
}

fn agents(files: &[&File]) -> BTreeSet<&'static str> {
    files.iter().flat_map(|file| file.agents.iter().copied()).collect()
}

/// Builds the packs of a dialect from a manifest.
pub(crate) fn build(sandbox: &Sandbox, dialect: &Dialect, files: &[&File]) {
    let mut manifest = "origin\tstatus\ttime\tfile\n".to_owned();
    for file in files {
        manifest.push_str(&format!("{}\t200\t{NOW}\t{}.txt\n", file.origin, file.name()));
    }
    let name = format!("{}.tsv", dialect.name);
    sandbox.write(&name, manifest.as_bytes());
    let urls: String = files.iter().flat_map(|file| &file.urls).map(|url| format!("{url}\n")).collect();
    sandbox.write(&format!("{}.urls", dialect.name), urls.as_bytes());
    let build = |kind: &str, agents: Vec<String>| {
        let pack = format!("{}-{kind}.pack", dialect.name);
        let mut args =
            ["pack", "build", &name, "-o", &pack, "--dialect", dialect.name, "--now", NOW].map(str::to_owned).to_vec();
        args.extend(agents);
        sandbox.run(&args);
    };
    build("all", vec!["--all-agents".to_owned()]);
    build("some", agents(files).into_iter().flat_map(|agent| ["--agent".to_owned(), agent.to_owned()]).collect());
}

/// Filters all URLs of a dialect for each agent.
pub(crate) fn filter(sandbox: &Sandbox, dialect: &Dialect, files: &[&File]) -> OfDialect {
    let mut all = OfDialect::new();
    let list = format!("{}.urls", dialect.name);
    for kind in ["all", "some"] {
        let pack = format!("{}-{kind}.pack", dialect.name);
        for agent in agents(files) {
            let args =
                ["filter", "--pack", &pack, "--agent", agent, "--emit", "verdicts", "--now", NOW, "--quiet", &list];
            let rows = sandbox.run(&args);
            let answers = rows.lines().map(|row| match row.split_once('\t') {
                Some(("allowed", url)) => (url.to_owned(), true),
                Some(("disallowed", url)) => (url.to_owned(), false),
                _ => panic!("{row}"),
            });
            all.insert((kind, agent), answers.collect());
        }
    }
    all
}

pub(crate) fn filter_all(sandbox: &Sandbox, file: &File) -> Answers {
    sandbox.filtered.answers(file, "all")
}

pub(crate) fn filter_some(sandbox: &Sandbox, file: &File) -> Answers {
    sandbox.filtered.answers(file, "some")
}

/// Runs `filter` with the pack for all agents.
fn run(sandbox: &Sandbox, file: &File, more: Vec<String>) -> String {
    let pack = format!("{}-all.pack", file.dialect.name);
    let args = ["filter", "--pack", &pack, "--now", NOW, "--quiet"].map(str::to_owned);
    sandbox.run(&[args.to_vec(), more].concat())
}

pub(crate) fn filter_several(sandbox: &Sandbox, file: &File) -> Answers {
    let mut more = file.agent_options();
    more.extend(["--emit", "json", &format!("{}.urls", file.name())].map(str::to_owned));
    let verdicts = verdicts(&run(sandbox, file, more));
    file.answers(|agent, url| verdicts.get(&(agent.to_ascii_lowercase(), url.to_owned())).copied())
}

pub(crate) fn filter_by_line(sandbox: &Sandbox, file: &File) -> Answers {
    let rows = file.agents.iter().flat_map(|agent| file.urls.iter().map(move |url| format!("{agent}\t{url}\n")));
    let table = format!("{}-agents.tsv", file.name());
    sandbox.write(&table, format!("crawler\turl\n{}", rows.collect::<String>()).as_bytes());
    let more = ["--agent-column", "crawler", "--emit", "columns", &table].map(str::to_owned).to_vec();
    let said = run(sandbox, file, more);
    let rows = said.lines().skip(1).map(|row| {
        let [agent, url, word] = row.split('\t').collect::<Vec<_>>().try_into().expect("three columns");
        ((agent, url), verdict(&word.into()))
    });
    let answers: BTreeMap<(&str, &str), bool> = rows.collect();
    file.answers(|agent, url| Some(answers[&(agent, url)]))
}
