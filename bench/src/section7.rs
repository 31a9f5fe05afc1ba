//! The rows of the aims table: every engine in one run, interleaved round by round.

use std::collections::BTreeMap;

use crate::arguments::Arguments;
use crate::classes::Classes;
use crate::corpus::{Corpus, Source};
use crate::engine::Kind;
use crate::roster;
use crate::runner::{Form, Runner, Survey};
use crate::table::{Table, number};
use crate::timing::{median, percentile};

/// One measure: what it is called, what it is compared with, and what is aimed at.
struct Row {
    id: &'static str,
    title: &'static str,
    unit: &'static str,
    /// The engine of [`Kind::Limit`] whose figure is the limit.
    limit: &'static str,
    /// The form of ours that the aim is about.
    ours: &'static [&'static str],
    aim: &'static str,
    /// The aim as a number in the row's unit, where it is one that any machine can be held to.
    most: f64,
}

const COMPILED: &[&str] = &["fast", "small"];

const ROWS: &[Row] = &[
    Row {
        id: "hot-path",
        title: "hot, path in hand, all hosts",
        unit: "ns/URL",
        limit: "memchr",
        ours: COMPILED,
        aim: "≥ 10 x faster: about 30 ns",
        most: 30.0,
    },
    Row {
        id: "hot-prefix",
        title: "hot, prefix-only groups",
        unit: "ns/URL",
        limit: "memchr",
        ours: COMPILED,
        aim: "≤ 12 ns",
        most: 12.0,
    },
    Row {
        id: "hot-wildcard",
        title: "hot, wildcard hosts",
        unit: "ns/URL",
        limit: "table-walk",
        ours: COMPILED,
        aim: "≤ 70 ns",
        most: 70.0,
    },
    Row {
        id: "hot-100-rules",
        title: "hot, hosts with ≥ 100 rules",
        unit: "ns/URL",
        limit: "table-walk",
        ours: COMPILED,
        aim: "≤ 60 ns",
        most: 60.0,
    },
    Row {
        id: "full-url",
        title: "full URL in, hot",
        unit: "ns/URL",
        limit: "slice",
        ours: COMPILED,
        aim: "≤ 55 ns",
        most: 55.0,
    },
    Row {
        id: "shuffled",
        title: "shuffled over all hosts (cold), path in hand",
        unit: "ns/URL",
        limit: "memchr",
        ours: COMPILED,
        aim: "≤ 300 ns",
        most: 300.0,
    },
    Row {
        id: "shuffled-url",
        title: "shuffled over all hosts (cold), full URL in",
        unit: "ns/URL",
        limit: "slice",
        ours: COMPILED,
        aim: "",
        most: f64::NAN,
    },
    Row {
        id: "rule-set",
        title: "parse + RuleSet for one agent, corpus",
        unit: "ms",
        limit: "memchr",
        ours: &["rule-set"],
        aim: "≤ 15 ms for 14.4 MB: 1 GB/s",
        most: f64::NAN,
    },
    Row {
        id: "compile",
        title: "parse + compile, corpus",
        unit: "ms",
        limit: "",
        ours: &["fast"],
        aim: "≤ 300 ms for 4,228 files",
        most: 300.0,
    },
    Row {
        id: "bytes",
        title: "bytes held, corpus (agent's group)",
        unit: "KB",
        limit: "",
        ours: COMPILED,
        aim: "≤ 2.5 MB for 4,228 files",
        most: 2500.0,
    },
    Row {
        id: "load",
        title: "load all stored programs, validated",
        unit: "ms",
        limit: "",
        ours: COMPILED,
        aim: "≤ 5 ms",
        most: 5.0,
    },
    Row {
        id: "load-trusted",
        title: "load all stored programs, trusted",
        unit: "ms",
        limit: "",
        ours: COMPILED,
        aim: "0",
        most: f64::NAN,
    },
    Row {
        id: "agreement",
        title: "agreement with Google's parser, path in hand",
        unit: "%",
        limit: "",
        ours: COMPILED,
        aim: "100.000 %",
        most: f64::NAN,
    },
];

/// For each row, for each engine, one value a round.
#[derive(Default)]
struct Results(BTreeMap<&'static str, BTreeMap<&'static str, Vec<f64>>>);

impl Results {
    fn add(&mut self, row: &'static str, engine: &'static str, value: f64) {
        self.0.entry(row).or_default().entry(engine).or_default().push(value);
    }

    fn value(&self, row: &str, engine: &str) -> f64 {
        let values = self.0.get(row).and_then(|engines| engines.get(engine));
        values.map_or(f64::NAN, |values| median(values.clone()))
    }

    fn has(&self, row: &str) -> bool {
        self.0.contains_key(row)
    }
}

/// Runs `section7`.
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
    let row = |id: &str| arguments.wants("row", id);
    let hot = ["hot-path", "hot-prefix", "hot-wildcard", "hot-100-rules"].into_iter().any(row);
    let path = hot || row("shuffled") || row("agreement");
    let url = row("full-url") || row("shuffled-url");

    let mut surveys: BTreeMap<(&str, &str), Survey> = BTreeMap::new();
    for runner in &mut runners {
        eprintln!("preparing {}", runner.name());
        runner.prepare();
        if runner.kind() == Kind::Ours && runner.held().panics > 0 {
            return Err(format!("{} panicked on {} files", runner.name(), runner.held().panics));
        }
        if path && runner.takes(Form::Path) {
            surveys.insert((runner.name(), "path"), runner.survey(Form::Path));
        }
        if url || (row("agreement") && !runner.takes(Form::Path)) {
            surveys.insert((runner.name(), "url"), runner.survey(Form::Url));
        }
    }

    let order = shuffled_order(&corpus);
    let mut results = Results::default();
    let mut files: BTreeMap<&'static str, Vec<Vec<f64>>> = BTreeMap::new();
    let mut hosts: BTreeMap<&'static str, Vec<Vec<f64>>> = BTreeMap::new();
    for round in 0..rounds {
        for runner in &runners {
            eprintln!("round {}: {}", round + 1, runner.name());
            let name = runner.name();
            if hot && runner.takes(Form::Path) {
                let times = runner.time_hot(Form::Path);
                results.add("hot-path", name, classes.mean(&times, |_| true));
                results.add("hot-prefix", name, classes.mean(&times, |class| class.has_rules && !class.has_wildcard));
                results.add("hot-wildcard", name, classes.mean(&times, |class| class.has_wildcard));
                results.add("hot-100-rules", name, classes.mean(&times, |class| class.rules >= 100));
                hosts.entry(name).or_default().push(times);
            }
            if row("full-url") {
                results.add("full-url", name, classes.mean(&runner.time_hot(Form::Url), |_| true));
            }
            if row("shuffled") && runner.takes(Form::Path) {
                results.add("shuffled", name, runner.time_shuffled(Form::Path, &order));
            }
            if row("shuffled-url") {
                results.add("shuffled-url", name, runner.time_shuffled(Form::Url, &order));
            }
            let timed = (row("rule-set") || row("compile")) && (round == 0 || !runner.prepares_once());
            if timed {
                let times = runner.time_prepare();
                let sum: f64 = times.iter().filter(|time| time.is_finite()).sum();
                results.add(prepare_row(runner.as_ref()), name, sum / 1e6);
                files.entry(name).or_default().push(times);
            }
            if row("load") && runner.held().stored > 0 {
                results.add("load", name, runner.time_load(false) / 1e6);
            }
            if row("load-trusted") && runner.held().stored > 0 {
                results.add("load-trusted", name, runner.time_load(true) / 1e6);
            }
        }
    }
    for runner in &runners {
        let held = runner.held();
        let bytes = if held.programs > 0 { held.programs } else { held.heap };
        if row("bytes") && runner.kind() != Kind::Limit {
            results.add("bytes", runner.name(), bytes as f64 / 1e3);
        }
        if row("agreement") && runner.kind() != Kind::Limit {
            let survey = surveys.get(&(runner.name(), "path")).or_else(|| surveys.get(&(runner.name(), "url")));
            if let Some(survey) = survey {
                let missed = survey.wrong + survey.panics;
                results.add("agreement", runner.name(), 100.0 * (1.0 - missed as f64 / survey.asked as f64));
            }
        }
    }

    summary(&results, &runners);
    everything(&results, &runners);
    if row("rule-set") || row("compile") {
        per_file(&files, &runners);
    }
    notes(&runners, &surveys);
    worst(&hosts, &corpus, arguments.number("worst", 0)?);
    Ok(())
}

fn prepare_row(runner: &dyn Runner) -> &'static str {
    match runner.name() {
        "fast" | "small" | "winner" | "cylon" | "dense-dfa" => "compile",
        _ => "rule-set",
    }
}

/// Every URL of every host once, in an order that is the same in every run.
fn shuffled_order(corpus: &Corpus) -> Vec<(u32, u32)> {
    let mut order: Vec<(u32, u32)> = Vec::with_capacity(corpus.urls);
    for (host, one) in corpus.hosts.iter().enumerate() {
        order.extend((0..one.urls.len()).map(|url| (host as u32, url as u32)));
    }
    let mut random = crate::random::SplitMix64::new(7);
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last as u64 + 1) as usize);
    }
    order
}

fn is_better(row: &Row, value: f64, than: f64) -> bool {
    than.is_nan() || if row.unit == "%" { value > than } else { value < than }
}

/// The best value among some engines, and whose it is.
fn best<'r>(
    row: &Row,
    results: &Results,
    runners: &'r [Box<dyn Runner + '_>],
    of: impl Fn(&dyn Runner) -> bool,
) -> (f64, &'r str) {
    let mut found = (f64::NAN, "");
    for runner in runners {
        let value = results.value(row.id, runner.name());
        if of(runner.as_ref()) && value.is_finite() && is_better(row, value, found.0) {
            found = (value, runner.name());
        }
    }
    found
}

fn summary(results: &Results, runners: &[Box<dyn Runner + '_>]) {
    let mut table =
        Table::new(["measure", "unit", "robotsc", "best correct peer", "ratio", "limit, this run", "aim", "met"]);
    for row in ROWS.iter().filter(|row| results.has(row.id)) {
        let (ours, form) = best(row, results, runners, |runner| row.ours.contains(&runner.name()));
        let (peer, peer_name) = best(row, results, runners, |runner| runner.kind() == Kind::Peer);
        let shown = |value: f64| if row.unit == "%" { format!("{value:.3}") } else { number(value) };
        let named = |value: f64, name: &str| {
            if name.is_empty() { "-".to_owned() } else { format!("{} ({name})", shown(value)) }
        };
        let met = match (ours, row.most) {
            (ours, most) if ours.is_nan() || most.is_nan() => String::new(),
            (ours, most) if ours <= most => "yes".to_owned(),
            (ours, most) => format!("no: {} x over", number(ours / most)),
        };
        let ratio = if row.unit == "%" { f64::NAN } else { peer / ours };
        table.row([
            row.title.to_owned(),
            row.unit.to_owned(),
            named(ours, form),
            named(peer, peer_name),
            number(ratio),
            named(
                results.value(row.id, row.limit),
                if results.value(row.id, row.limit).is_nan() { "" } else { row.limit },
            ),
            row.aim.to_owned(),
            met,
        ]);
    }
    table.print();
}

fn everything(results: &Results, runners: &[Box<dyn Runner + '_>]) {
    let names: Vec<&str> = runners.iter().map(|runner| runner.name()).collect();
    let mut table = Table::new(["row", "unit"].into_iter().chain(names.iter().copied()));
    for row in ROWS.iter().filter(|row| results.has(row.id)) {
        let cells = names.iter().map(|name| match results.value(row.id, name) {
            value if row.unit == "%" && value.is_finite() => format!("{value:.3}"),
            value => number(value),
        });
        table.row([row.id.to_owned(), row.unit.to_owned()].into_iter().chain(cells));
    }
    table.print();
}

/// Preparing by file: the median over the rounds of each file's shortest time.
fn per_file(files: &BTreeMap<&'static str, Vec<Vec<f64>>>, runners: &[Box<dyn Runner + '_>]) {
    let mut table = Table::new(["prepare, us a file", "p50", "p90", "p99", "max", "MB/s"]);
    for runner in runners {
        let Some(rounds) = files.get(runner.name()) else { continue };
        let mut times: Vec<f64> = (0..rounds[0].len())
            .map(|file| median(rounds.iter().map(|round| round[file]).collect()))
            .filter(|time| time.is_finite())
            .collect();
        times.sort_by(f64::total_cmp);
        let sum: f64 = times.iter().sum();
        let at = |fraction| number(percentile(&times, fraction) / 1e3);
        let speed = runner.bytes_prepared() as f64 / sum * 1e3;
        table.row([runner.name().to_owned(), at(0.5), at(0.9), at(0.99), at(1.0), number(speed)]);
    }
    table.print();
}

fn notes(runners: &[Box<dyn Runner + '_>], surveys: &BTreeMap<(&str, &str), Survey>) {
    let mut table = Table::new([
        "engine",
        "files",
        "refused",
        "panics",
        "heap KB",
        "program KB",
        "stored KB",
        "asked as",
        "wrong",
        "hosts wrong",
        "URL panics",
    ]);
    for runner in runners.iter().filter(|runner| runner.kind() != Kind::Limit) {
        let held = runner.held();
        let kilo = |bytes: usize| if bytes == 0 { "-".to_owned() } else { number(bytes as f64 / 1e3) };
        let fixed = [
            runner.name().to_owned(),
            held.files.to_string(),
            held.refused.to_string(),
            held.panics.to_string(),
            kilo(held.heap),
            kilo(held.programs),
            kilo(held.stored),
        ];
        let mut asked = false;
        for form in ["path", "url"] {
            if let Some(survey) = surveys.get(&(runner.name(), form)) {
                asked = true;
                table.row(fixed.clone().into_iter().chain([
                    form.to_owned(),
                    format!("{} of {}", survey.wrong, survey.asked),
                    survey.wrong_hosts.to_string(),
                    survey.panics.to_string(),
                ]));
            }
        }
        if !asked {
            table.row(fixed.into_iter().chain(["-"; 4].map(str::to_owned)));
        }
    }
    table.print();
}

/// The hosts that take longest, for each engine.
fn worst(hosts: &BTreeMap<&'static str, Vec<Vec<f64>>>, corpus: &Corpus, count: usize) {
    for (engine, rounds) in hosts.iter().filter(|_| count > 0) {
        let mut times: Vec<(f64, &str)> = corpus
            .hosts
            .iter()
            .enumerate()
            .map(|(number, host)| (median(rounds.iter().map(|round| round[number]).collect()), host.name.as_str()))
            .filter(|(time, _)| time.is_finite())
            .collect();
        times.sort_by(|one, other| other.0.total_cmp(&one.0));
        let mut table = Table::new([format!("{engine}: slowest hosts"), "ns/URL".to_owned()]);
        for (time, host) in times.into_iter().take(count) {
            table.row([host.to_owned(), number(time)]);
        }
        table.print();
    }
}
