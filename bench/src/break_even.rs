//! After how many URLs of a host compiling its rules has paid, by the number of rules.

use std::hint::black_box;

use robotsc::{Compiler, PathFormError, RuleSet, UrlPath, Verdict};

use crate::arguments::Arguments;
use crate::corpus::{Corpus, Host, Source};
use crate::ours::{raw, rule_set};
use crate::table::{Table, number};
use crate::timing::{TimeBudget, median, shortest};

/// The percentiles of the number of rules that are shown.
const PERCENTILES: [f64; 8] = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0];

/// The share of the hosts around a percentile that stands for it.
const SHARE: f64 = 0.02;

/// What one host costs, in nanoseconds.
#[derive(Clone, Copy)]
struct Cost {
    build: f64,
    compile: f64,
    rules_url: f64,
    program_url: f64,
}

/// Runs `break-even`.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let source = Source::read(arguments)?;
    let corpus = Corpus::load(&source)?;
    let mut hosts: Vec<(&Host, RuleSet)> =
        corpus.hosts.iter().map(|host| (host, rule_set(host.body, &source.agent))).collect();
    hosts.retain(|(_, set)| !set.rules().is_empty());
    hosts.sort_by_key(|(_, set)| set.rules().len());
    if hosts.is_empty() {
        return Err("no host has rules for this agent".to_owned());
    }

    let mut table = Table::new([
        "rules, percentile",
        "rules",
        "hosts",
        "parse + RuleSet us",
        "compile Fast us",
        "RuleSet ns/URL",
        "compiled ns/URL",
        "compiling pays after, URLs",
    ]);
    let share = ((hosts.len() as f64 * SHARE) as usize).max(1);
    for percentile in PERCENTILES {
        let middle = ((hosts.len() - 1) as f64 * percentile).round() as usize;
        let first = middle.saturating_sub(share / 2);
        let band =
            if percentile == 1.0 { &hosts[hosts.len() - 1..] } else { &hosts[first..(first + share).min(hosts.len())] };
        let mut costs = Vec::new();
        for (host, set) in band {
            costs.push(cost(host, set, &source.agent)?);
        }
        let of = |part: fn(&Cost) -> f64| median(costs.iter().map(part).collect());
        let mean = |part: fn(&Cost) -> f64| costs.iter().map(part).sum::<f64>() / costs.len() as f64;
        let saved = mean(|cost| cost.rules_url) - mean(|cost| cost.program_url);
        let pays = if saved > 0.0 { number((mean(|cost| cost.compile) / saved).ceil()) } else { "never".to_owned() };
        table.row([
            if percentile == 1.0 { "max".to_owned() } else { format!("p{:.0}", percentile * 100.0) },
            hosts[middle].1.rules().len().to_string(),
            band.len().to_string(),
            number(of(|cost| cost.build) / 1e3),
            number(of(|cost| cost.compile) / 1e3),
            number(of(|cost| cost.rules_url)),
            number(of(|cost| cost.program_url)),
            pays,
        ]);
    }
    table.print();
    println!("Times are medians over the hosts of a band; the last column is from their means.\n");
    Ok(())
}

fn cost(host: &Host, set: &RuleSet, agent: &str) -> Result<Cost, String> {
    let compiler = Compiler::new();
    let compiled = compiler.compile(set).map_err(|error| format!("{}: {error}", host.name))?;
    let program = compiled.program();
    let urls = host.paths.len() as f64;
    let ask = |verdict: &dyn Fn(UrlPath<'_>) -> Result<Verdict, PathFormError>| {
        let pass = || {
            for path in &host.paths {
                let _ = black_box(verdict(raw(path.as_bytes())));
            }
        };
        shortest(TimeBudget::HOT, pass) / urls
    };
    Ok(Cost {
        build: shortest(TimeBudget::PREPARE, || drop(black_box(rule_set(black_box(host.body), agent)))),
        compile: shortest(TimeBudget::PREPARE, || drop(black_box(compiler.compile(black_box(set))))),
        rules_url: ask(&|path| set.verdict(path)),
        program_url: ask(&|path| program.verdict(path)),
    })
}
