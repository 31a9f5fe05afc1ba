//! The questions: files, agents of the register, and URLs from the rules of the files.

use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use robotsc::bundled::{self, Obedience};
use robotsc::{Dialect, RobotsTxt};
use serde_json::json;

use crate::{Answers, shared_data};

/// The agents and the URLs of a file, in the short form and in the full one.
const AGENTS: [usize; 2] = [36, 60];
const URLS: [usize; 2] = [6, 20];
/// Real files.
const FILES: [usize; 2] = [3, 300];

/// A file, and what is asked about it.
#[derive(Debug)]
pub(crate) struct File {
    /// Where it is from.
    pub(crate) source: String,
    pub(crate) origin: String,
    pub(crate) body: Vec<u8>,
    pub(crate) dialect: &'static Dialect,
    pub(crate) agents: Vec<&'static str>,
    pub(crate) urls: Vec<String>,
    /// Whether an agent may fetch a URL: for each agent, for each URL.
    pub(crate) is_allowed: Vec<Vec<bool>>,
}

#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) files: Vec<File>,
}

impl Table {
    /// Makes the table: the files of the tests, and real ones.
    pub(crate) fn new() -> Self {
        let mut files = Self::own();
        let number = files.len();
        files.extend(
            real_files().into_iter().enumerate().filter_map(|(at, (source, body))| {
                File::new(source, body, number + at, usize::from(shared_data::full()))
            }),
        );
        Self { files }
    }

    /// Returns the files of the tests alone, each under one dialect after the other.
    pub(crate) fn own() -> Vec<File> {
        let bodies = include_str!("files.txt").split("---\n");
        let files = bodies.enumerate().map(|(number, body)| {
            let source = format!("file {number} of files.txt");
            File::new(source, body.as_bytes().to_vec(), number, 0).expect("a robots.txt")
        });
        files.collect()
    }
}

/// Returns real files from all over the corpus, if it is there.
fn real_files() -> Vec<(String, Vec<u8>)> {
    let Some(folder) = shared_data::folder("corpus/robots-modern") else { return Vec::new() };
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    paths.sort_unstable();
    let wanted = FILES[usize::from(shared_data::full())];
    let step = (paths.len() / (2 * wanted)).max(1);
    let files = paths.iter().step_by(step).filter_map(|path| {
        let body = fs::read(path).ok().filter(|body| body.len() < 100_000)?;
        let robots = RobotsTxt::parse(&body);
        let is_worth_asking = robots.rules().len() > 2 && !robots.has_no_directive() && robots.body_kind().is_robots();
        is_worth_asking.then(|| (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), body))
    });
    files.take(wanted).collect()
}

impl File {
    fn new(source: String, body: Vec<u8>, number: usize, size: usize) -> Option<Self> {
        let dialect = Dialect::ALL[number % Dialect::ALL.len()];
        let origin = format!("https://f{number}.example");
        let robots = RobotsTxt::parse_with(&body, dialect);
        let agents = agents(&robots, AGENTS[size]);
        let urls = urls(&robots, &origin, URLS[size]);
        if urls.is_empty() {
            return None;
        }
        let is_allowed = agents.iter().map(|name| {
            let crawler = bundled::crawler(name).expect("a name");
            urls.iter().map(|url| robots.is_allowed(&crawler, url.as_str()).expect("a URL")).collect()
        });
        let is_allowed = is_allowed.collect();
        Some(Self { source, origin, dialect, agents, urls, is_allowed, body })
    }

    /// Returns the agents, with the expected answers and those of a door.
    pub(crate) fn compared<'f>(
        &'f self,
        answers: &'f Answers,
    ) -> impl Iterator<Item = (&'static str, &'f [bool], &'f [Option<bool>])> {
        assert_eq!(answers.len(), self.agents.len(), "{}", self.source);
        self.agents.iter().zip(&self.is_allowed).zip(answers).map(|((agent, wanted), found)| {
            assert_eq!(wanted.len(), found.len(), "{}: {agent}", self.source);
            (*agent, &**wanted, &**found)
        })
    }

    /// Returns the file and its answers as a line of JSON: of each agent a letter for each URL.
    pub(crate) fn to_json(&self) -> String {
        let letters = |row: &Vec<bool>| row.iter().map(|allowed| if *allowed { 'a' } else { 'd' }).collect::<String>();
        let answers: serde_json::Map<_, _> = self
            .agents
            .iter()
            .zip(&self.is_allowed)
            .map(|(agent, row)| ((*agent).to_owned(), letters(row).into()))
            .collect();
        let line = json!({
            "source": self.source, "body": STANDARD.encode(&self.body), "dialect": self.dialect.name,
            "origin": self.origin, "urls": self.urls, "answers": answers,
        });
        format!("{line}\n")
    }
}

/// Returns agents: all that obey more or less than the groups of their name, some that people trigger, those of the
/// file, and others from all over the register.
fn agents(robots: &RobotsTxt<'_>, wanted: usize) -> Vec<&'static str> {
    let known = bundled::agents();
    let differs = |agent: &&bundled::KnownAgent| !agent.fallback.is_empty() || agent.robots == Obedience::ObeyedByName;
    let mut agents: Vec<&'static str> = known.iter().filter(differs).map(|agent| agent.token).collect();
    let named = |agent: &&bundled::KnownAgent| {
        robots.agents().iter().any(|line| line.token.of(robots.body()).eq_ignore_ascii_case(agent.token.as_bytes()))
    };
    let mut add = |more: &mut dyn Iterator<Item = &'static str>, limit: usize| {
        for agent in more.take(limit) {
            if !agents.contains(&agent) {
                agents.push(agent);
            }
        }
    };
    add(&mut ["FooBot"].into_iter(), 1);
    add(&mut known.iter().filter(named).map(|agent| agent.token), wanted / 6);
    let triggered = known.iter().filter(|agent| agent.is_beyond_robots_txt());
    add(&mut triggered.map(|agent| agent.token), wanted / 10);
    add(&mut known.iter().step_by(7).map(|agent| agent.token), wanted);
    agents.truncate(wanted);
    agents
}

/// Returns URLs on an origin that the rules of a file are about.
fn urls(robots: &RobotsTxt<'_>, origin: &str, wanted: usize) -> Vec<String> {
    let rules = robots.rules();
    let step = (2 * rules.len()).div_ceil(wanted).max(1);
    let mut urls = vec![format!("{origin}/")];
    for rule in rules.iter().step_by(step) {
        let path = path_of(rule.value.of(robots.body()));
        for url in
            [format!("{origin}{path}"), format!("{origin}{path}x"), format!("{origin}{}", &path[..path.len() - 1])]
        {
            // What a path of another file would be is asked elsewhere: the fetch of a robots.txt is always allowed.
            let is_own =
                url.len() > origin.len() && url[origin.len()..].starts_with('/') && !url.ends_with("/robots.txt");
            let is_url = robots.is_allowed("FooBot", url.as_str()).is_ok();
            if is_own && is_url && url.len() < 500 && !urls.contains(&url) {
                urls.push(url);
            }
        }
    }
    urls.truncate(wanted);
    urls
}

/// Returns a path that a pattern matches, escaped so that it is one URL.
fn path_of(pattern: &[u8]) -> String {
    let pattern = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let mut path = String::from(if pattern.first() == Some(&b'/') { "" } else { "/" });
    for byte in pattern {
        match byte {
            b'*' => path.push('q'),
            b'#' => path.push_str("%23"),
            0x21..=0x7E => path.push(char::from(*byte)),
            byte => path.push_str(&format!("%{byte:02X}")),
        }
    }
    path
}
