//! Peers written in Python, each measurement in a process of its own: `--python COMMAND` names the interpreter.
//!
//! `python_peers.py` reads the same files and URLs, and prints one line for each host. The time of the process to start
//! and to read the corpus is not counted.

use std::process::Command;

use crate::arguments::Arguments;
use crate::corpus::{Corpus, Source};
use crate::engine::EngineKind;
use crate::roster::wanted;
use crate::runner::{AskedBy, Held, Runner, Survey};

/// Where the script is, wherever the command runs.
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/python_peers.py");

/// A parser that `python_peers.py` knows.
struct Peer<'c> {
    corpus: &'c Corpus,
    python: String,
    /// What the script calls it.
    engine: &'static str,
    /// With its version and Python's.
    name: &'static str,
    source: Source,
    held: Held,
    /// The files that it does not refuse.
    accepted: Vec<bool>,
}

/// The peers in Python that are wanted: none without `--python`.
pub(crate) fn runners<'c>(
    corpus: &'c Corpus,
    source: &Source,
    arguments: &Arguments,
) -> Result<Vec<Box<dyn Runner + 'c>>, String> {
    let python = arguments.text("python", "");
    let mut runners: Vec<Box<dyn Runner + 'c>> = Vec::new();
    for engine in ["protego", "robotparser"] {
        if python.is_empty() || !wanted(arguments, engine, EngineKind::Peer) {
            continue;
        }
        let mut peer = Peer {
            corpus,
            python: python.to_owned(),
            engine,
            name: engine,
            source: source.clone(),
            held: Held::default(),
            accepted: Vec::new(),
        };
        let names = peer.lines("name", 1)?;
        peer.name = names.into_iter().next().ok_or("python_peers.py: no name")?.leak();
        runners.push(Box::new(peer));
    }
    Ok(runners)
}

impl Peer<'_> {
    /// What the script prints.
    fn lines(&self, mode: &str, rounds: u32) -> Result<Vec<String>, String> {
        let Source { dir, agent, max_file, every } = &self.source;
        let output = Command::new(&self.python)
            .args([SCRIPT, self.engine, mode])
            .arg(dir)
            .args([agent.clone(), every.to_string(), max_file.to_string(), rounds.to_string()])
            .output()
            .map_err(|error| format!("--python {}: {error}", self.python))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().last().unwrap_or_default();
            return Err(format!("--python {}: {} {mode}: {last}: is the package installed?", self.python, self.engine));
        }
        let text = String::from_utf8(output.stdout).map_err(|error| format!("python_peers.py: {error}"))?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// One figure for each host; NaN for all where the script fails.
    fn figures(&self, mode: &str) -> Vec<f64> {
        let hosts = self.corpus.hosts.len();
        let lines = self.lines(mode, 3).and_then(|lines| match lines.len() {
            count if count == hosts => Ok(lines),
            count => Err(format!("{} {mode}: {count} figures for {hosts} hosts", self.engine)),
        });
        match lines {
            Ok(lines) => lines.iter().map(|line| line.parse().unwrap_or(f64::NAN)).collect(),
            Err(message) => {
                eprintln!("{message}");
                vec![f64::NAN; hosts]
            }
        }
    }
}

impl Runner for Peer<'_> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> EngineKind {
        // robotparser knows no wildcards.
        if self.engine == "protego" { EngineKind::Peer } else { EngineKind::WrongPeer }
    }

    fn takes(&self, form: AskedBy) -> bool {
        form == AskedBy::Url
    }

    fn prepares_once(&self) -> bool {
        true
    }

    fn prepare(&mut self) {
        self.accepted = self.figures("prepare").into_iter().map(f64::is_finite).collect();
        let files = self.accepted.len();
        self.held =
            Held { files, refused: self.accepted.iter().filter(|accepted| !**accepted).count(), ..Held::default() };
    }

    fn bytes_prepared(&self) -> usize {
        let accepted = self.corpus.hosts.iter().zip(&self.accepted).filter(|(_, accepted)| **accepted);
        accepted.map(|(host, _)| host.body.len()).sum()
    }

    fn held(&self) -> &Held {
        &self.held
    }

    fn survey(&mut self, _: AskedBy) -> Survey {
        let mut survey = Survey::default();
        let lines = self.lines("survey", 1).unwrap_or_else(|message| {
            eprintln!("{message}");
            Vec::new()
        });
        for line in lines {
            let mut numbers = line.split(' ').map_while(|number| number.parse::<usize>().ok());
            let (Some(asked), Some(wrong), Some(failed)) = (numbers.next(), numbers.next(), numbers.next()) else {
                continue;
            };
            survey.asked += asked;
            survey.wrong += wrong;
            survey.wrong_hosts += usize::from(wrong > 0);
            survey.panics += failed;
        }
        survey
    }

    fn time_prepare(&self) -> Vec<f64> {
        self.figures("prepare")
    }

    fn time_hot(&self, _: AskedBy) -> Vec<f64> {
        self.figures("hot")
    }

    fn time_shuffled(&self, _: AskedBy, _: &[(u32, u32)]) -> f64 {
        f64::NAN
    }

    fn time_load(&self, _: bool) -> f64 {
        f64::NAN
    }
}
