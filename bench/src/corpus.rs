//! The files, their URLs and the recorded verdicts, as they lie in the shared corpus.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::arguments::Arguments;
use crate::split::google_path;

/// One robots.txt and the URLs that are asked of it.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) name: String,
    /// The file, kept for the whole run: prepared engines borrow from it.
    pub(crate) body: &'static [u8],
    /// The URLs, as recorded.
    pub(crate) urls: Vec<String>,
    /// For each URL the path that google/robotstxt matches.
    pub(crate) paths: Vec<String>,
    /// For each URL whether google/robotstxt allows it.
    pub(crate) allowed: Vec<bool>,
}

/// All hosts of a run.
#[derive(Debug)]
pub(crate) struct Corpus {
    pub(crate) hosts: Vec<Host>,
    pub(crate) bytes: usize,
    pub(crate) urls: usize,
}

/// Which part of the corpus is read.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) dir: PathBuf,
    pub(crate) agent: String,
    /// Files of more bytes are left out.
    pub(crate) max_file: usize,
    /// Only every n-th host is read.
    pub(crate) every: usize,
}

impl Source {
    /// What the options say; the agent is FooBot unless they name another.
    pub(crate) fn read(arguments: &Arguments) -> Result<Self, String> {
        Ok(Self {
            dir: PathBuf::from(arguments.text("corpus", "../../shared/corpus")),
            agent: arguments.text("agent", "FooBot").to_owned(),
            max_file: arguments.number("max-file", 512_000)?,
            every: arguments.number("every", if arguments.flag("quick") { 10 } else { 1 })?,
        })
    }
}

impl Corpus {
    /// Reads `robots/` and `verdicts.tsv`, hosts in the order of their names.
    pub(crate) fn load(source: &Source) -> Result<Self, String> {
        let table = source.dir.join("verdicts.tsv");
        let text = fs::read_to_string(&table).map_err(|error| format!("{}: {error}", table.display()))?;
        let mut lines = text.lines();
        let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
        let column = header.iter().position(|name| name.eq_ignore_ascii_case(&source.agent)).ok_or_else(|| {
            format!("{}: no column for agent {}; there are {header:?}", table.display(), source.agent)
        })?;

        let mut asked: BTreeMap<&str, Vec<(&str, bool)>> = BTreeMap::new();
        for (number, line) in lines.enumerate() {
            let fields: Vec<&str> = line.split('\t').collect();
            let (Some(file), Some(url), Some(answer)) = (fields.first(), fields.get(1), fields.get(column)) else {
                return Err(format!("{}:{}: too few fields", table.display(), number + 2));
            };
            asked.entry(file).or_default().push((url, answer.starts_with('1')));
        }

        let mut hosts = Vec::new();
        for (name, rows) in asked.into_iter().step_by(source.every.max(1)) {
            let body = read_body(&source.dir, name)?;
            if body.len() > source.max_file {
                continue;
            }
            hosts.push(Host {
                name: name.to_owned(),
                body: Vec::leak(body),
                urls: rows.iter().map(|(url, _)| (*url).to_owned()).collect(),
                paths: rows.iter().map(|(url, _)| google_path(url).into_owned()).collect(),
                allowed: rows.iter().map(|(_, allowed)| *allowed).collect(),
            });
        }
        let bytes = hosts.iter().map(|host| host.body.len()).sum();
        let urls = hosts.iter().map(|host| host.urls.len()).sum();
        Ok(Self { hosts, bytes, urls })
    }
}

fn read_body(dir: &Path, name: &str) -> Result<Vec<u8>, String> {
    let path = dir.join("robots").join(format!("{name}.txt"));
    fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
}
