//! The rows of the aims table: every engine in one run, interleaved round by round.

use std::collections::BTreeMap;

use crate::arguments::Arguments;
use crate::classes::Classes;
use crate::corpus::{Corpus, Source};
use crate::engine::EngineKind;
use crate::python;
use crate::report::{self, Results, Rounds};
use crate::roster;
use crate::runner::{AskedBy, Runner, Survey};

/// Runs `aims`.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let quick = arguments.flag("quick");
    let source = Source::read(arguments)?;
    let rounds = arguments.number("rounds", if quick { 2 } else { 5 })?.max(1);
    let corpus = Corpus::load(&source)?;
    let classes = Classes::of(&corpus, &source.agent);
    println!(
        "agent {}, {} files of {:.2} MB, {} URLs, {rounds} rounds; {}\n",
        source.agent,
        corpus.hosts.len(),
        corpus.bytes as f64 / 1e6,
        corpus.urls,
        classes.describe(),
    );

    let mut runners = roster::runners(&corpus, &source.agent, arguments);
    runners.extend(python::runners(&corpus, &source, arguments)?);
    let row = |id: &str| arguments.wants("row", id);
    let hot = ["hot-path", "hot-prefix", "hot-wildcard", "hot-100-rules", "not-compiled"].into_iter().any(row);
    let path = hot || row("shuffled") || row("agreement");
    let url = row("full-url") || row("shuffled-url");

    let mut surveys: BTreeMap<(&str, &str), Survey> = BTreeMap::new();
    for runner in &mut runners {
        eprintln!("preparing {}", runner.name());
        runner.prepare();
        if runner.kind() == EngineKind::Ours && runner.held().panics > 0 {
            return Err(format!("{} panicked on {} files", runner.name(), runner.held().panics));
        }
        if path && runner.takes(AskedBy::Path) {
            surveys.insert((runner.name(), "path"), runner.survey(AskedBy::Path));
        }
        if url || (row("agreement") && !runner.takes(AskedBy::Path)) {
            surveys.insert((runner.name(), "url"), runner.survey(AskedBy::Url));
        }
    }

    let order = shuffled_order(&corpus);
    let mut results = Results::default();
    let mut files: Rounds = BTreeMap::new();
    let mut hosts: Rounds = BTreeMap::new();
    for round in 0..rounds {
        for runner in &runners {
            eprintln!("round {}: {}", round + 1, runner.name());
            let name = runner.name();
            if hot && runner.takes(AskedBy::Path) {
                let times = runner.time_hot(AskedBy::Path);
                results.add("hot-path", name, classes.mean(&times, |_| true));
                results.add("hot-prefix", name, classes.mean(&times, |class| class.has_rules && !class.has_wildcard));
                results.add("hot-wildcard", name, classes.mean(&times, |class| class.has_wildcard));
                let many = classes.mean(&times, |class| class.rules >= 100);
                results.add("hot-100-rules", name, many);
                if prepare_row(runner.as_ref()) == "rule-set" {
                    results.add("not-compiled", name, many);
                }
                hosts.entry(name).or_default().push(times);
            }
            if row("full-url") {
                results.add("full-url", name, classes.mean(&runner.time_hot(AskedBy::Url), |_| true));
            }
            if row("shuffled") && runner.takes(AskedBy::Path) {
                results.add("shuffled", name, runner.time_shuffled(AskedBy::Path, &order));
            }
            if row("shuffled-url") {
                results.add("shuffled-url", name, runner.time_shuffled(AskedBy::Url, &order));
            }
            let timed = (row("rule-set") || row("compile")) && (round == 0 || !runner.prepares_once());
            if timed {
                let times = runner.time_prepare();
                let sum: f64 = times.iter().filter(|time| time.is_finite()).sum();
                results.add(prepare_row(runner.as_ref()), name, sum / 1e6);
                files.entry(name).or_default().push(times.into_iter().map(|time| time / 1e3).collect());
            }
            if row("load") && runner.held().stored > 0 {
                results.add("load", name, runner.time_load(false) / 1e6);
            }
            if row("load-trusted") && runner.held().stored > 0 {
                results.add("load-trusted", name, runner.time_load(true) / 1e6);
            }
        }
    }
    if row("bytes") {
        results.add("bytes", "patterns", classes.pattern_bytes() as f64 / 1e3);
    }
    for runner in &runners {
        let held = runner.held();
        let bytes = if held.programs > 0 { held.programs } else { held.heap };
        if row("bytes") && runner.kind() != EngineKind::Limit && bytes > 0 {
            results.add("bytes", runner.name(), bytes as f64 / 1e3);
        }
        if row("agreement") && runner.kind() != EngineKind::Limit {
            let survey = surveys.get(&(runner.name(), "path")).or_else(|| surveys.get(&(runner.name(), "url")));
            if let Some(survey) = survey {
                let missed = survey.wrong + survey.panics;
                results.add("agreement", runner.name(), 100.0 * (1.0 - missed as f64 / survey.asked as f64));
            }
        }
    }

    report::summary(&results, &runners, &corpus);
    report::everything(&results, &runners);
    if row("rule-set") || row("compile") {
        report::per_file(&files, &runners);
    }
    report::notes(&runners, &surveys);
    let count = arguments.number("worst", 0)?;
    report::worst("slowest hosts", "ns/URL", &hosts, &runners, &corpus, count);
    report::worst("slowest files to prepare", "us", &files, &runners, &corpus, count);
    Ok(())
}

fn prepare_row(runner: &dyn Runner) -> &'static str {
    match runner.name() {
        "fast" | "small" | "naming" | "cylon" | "fast-robots-indexed" | "dense-dfa" => "compile",
        _ => "rule-set",
    }
}

/// Every URL of every host once, in an order that is the same in every run.
fn shuffled_order(corpus: &Corpus) -> Vec<(u32, u32)> {
    let mut order: Vec<(u32, u32)> = Vec::with_capacity(corpus.urls);
    for (host, one) in corpus.hosts.iter().enumerate() {
        order.extend((0..one.urls.len()).map(|url| (host as u32, url as u32)));
    }
    let mut random = crate::generated::random::SplitMix64::new(7);
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last as u64 + 1) as usize);
    }
    order
}
