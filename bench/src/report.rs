//! The tables of a run.

use std::collections::BTreeMap;

use crate::corpus::Corpus;
use crate::engine::EngineKind;
use crate::rows::{Aim, ROWS, Row};
use crate::runner::{Runner, Survey};
use crate::table::{Table, number};
use crate::timing::{median, percentile};

/// The engines of a run.
pub(crate) type Runners<'c> = [Box<dyn Runner + 'c>];

/// For each engine, for each round, one value a host or a file.
pub(crate) type Rounds = BTreeMap<&'static str, Vec<Vec<f64>>>;

/// For each row, for each engine, one value a round.
#[derive(Default)]
pub(crate) struct Results(BTreeMap<&'static str, BTreeMap<&'static str, Vec<f64>>>);

impl Results {
    pub(crate) fn add(&mut self, row: &'static str, engine: &'static str, value: f64) {
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

fn is_better(row: &Row, value: f64, than: f64) -> bool {
    than.is_nan() || if row.unit == "%" { value > than } else { value < than }
}

/// The best value among some engines, and whose it is.
fn best<'r>(
    row: &Row,
    results: &Results,
    runners: &'r Runners<'_>,
    of: impl Fn(&dyn Runner) -> bool,
) -> Option<(f64, &'r str)> {
    let mut found = (f64::NAN, "");
    for runner in runners {
        let value = results.value(row.id, runner.name());
        if of(runner.as_ref()) && value.is_finite() && is_better(row, value, found.0) {
            found = (value, runner.name());
        }
    }
    found.0.is_finite().then_some(found)
}

/// Every measure: ours, the best peer, the ratio, the limit and the aim.
pub(crate) fn summary(results: &Results, runners: &Runners<'_>, corpus: &Corpus) {
    let mut table =
        Table::new(["measure", "unit", "robotsc", "best correct peer", "ratio", "limit, this run", "aim", "met"]);
    for row in ROWS.iter().filter(|row| results.has(row.id)) {
        let shown = |value: f64| if row.unit == "%" { format!("{value:.3}") } else { number(value) };
        let named = |found: Option<(f64, &str)>, note: &str| match found {
            Some((value, name)) => format!("{} ({name}{note})", shown(value)),
            None => "-".to_owned(),
        };
        // How often it is right stands beside each figure of a peer.
        let right_of = |found: Option<(f64, &str)>| match found.map(|(_, name)| results.value("agreement", name)) {
            Some(right) if right.is_finite() => format!(", {right:.2} % right"),
            _ => String::new(),
        };
        let ours = best(row, results, runners, |runner| row.ours.contains(&runner.name()));
        let right = best(row, results, runners, |runner| runner.kind() == EngineKind::Peer);
        // No peer that is right compiles, so there it is the best of the others.
        let wrong = best(row, results, runners, |runner| row.id == "compile" && runner.kind() == EngineKind::WrongPeer);
        let peer = right.or(wrong);
        let limit = results.value(row.id, row.limit);
        let limit = limit.is_finite().then_some((limit, row.limit));
        let aim = row.aim.figure(corpus.bytes);
        table.row([
            row.title.to_owned(),
            row.unit.to_owned(),
            named(ours, ""),
            named(peer, &right_of(peer)),
            match (ours, peer) {
                (Some((ours, _)), Some((peer, _))) if row.unit != "%" => number(peer / ours),
                _ => "-".to_owned(),
            },
            named(limit, ""),
            match (&row.aim, aim) {
                (Aim::Just(value), _) => shown(*value),
                (_, Some(most)) => format!("≤ {}", shown(most)),
                (_, None) => "-".to_owned(),
            },
            match (ours, aim) {
                (Some((ours, _)), Some(aim)) if ours == aim || (ours < aim && row.unit != "%") => "yes".to_owned(),
                (Some((ours, _)), Some(aim)) => format!("no: {:.2} x", ours / aim),
                _ => "-".to_owned(),
            },
        ]);
    }
    table.print();
}

/// Every row, every engine.
pub(crate) fn everything(results: &Results, runners: &Runners<'_>) {
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
pub(crate) fn per_file(files: &Rounds, runners: &Runners<'_>) {
    let mut table = Table::new(["prepare, us a file", "p50", "p90", "p99", "max", "MB/s"]);
    for runner in runners {
        let Some(rounds) = files.get(runner.name()) else { continue };
        let mut times: Vec<f64> = (0..rounds[0].len())
            .map(|file| median(rounds.iter().map(|round| round[file]).collect()))
            .filter(|time| time.is_finite())
            .collect();
        times.sort_by(f64::total_cmp);
        let sum: f64 = times.iter().sum();
        let at = |fraction| number(percentile(&times, fraction));
        let speed = runner.bytes_prepared() as f64 / sum;
        table.row([runner.name().to_owned(), at(0.5), at(0.9), at(0.99), at(1.0), number(speed)]);
    }
    table.print();
}

/// What each engine holds, refuses and gets wrong.
pub(crate) fn notes(runners: &Runners<'_>, surveys: &BTreeMap<(&str, &str), Survey>) {
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
    for runner in runners.iter().filter(|runner| runner.kind() != EngineKind::Limit) {
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

/// The hosts, or files, that take each engine longest.
pub(crate) fn worst(title: &str, unit: &str, rounds: &Rounds, runners: &Runners<'_>, corpus: &Corpus, count: usize) {
    let engines = runners.iter().filter(|runner| count > 0 && runner.kind() != EngineKind::Limit);
    for engine in engines.map(|runner| runner.name()) {
        let Some(rounds) = rounds.get(engine) else { continue };
        let mut times: Vec<(f64, &str)> = corpus
            .hosts
            .iter()
            .enumerate()
            .map(|(number, host)| (median(rounds.iter().map(|round| round[number]).collect()), host.name.as_str()))
            .filter(|(time, _)| time.is_finite())
            .collect();
        times.sort_by(|one, other| other.0.total_cmp(&one.0));
        let mut table = Table::new([format!("{engine}: {title}"), unit.to_owned()]);
        for (time, host) in times.into_iter().take(count) {
            table.row([host.to_owned(), number(time)]);
        }
        table.print();
    }
}
