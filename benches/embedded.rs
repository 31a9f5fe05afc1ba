//! Embedded rule sets, hot: with the agent looked up once, and with it looked up for each path. With `--features
//! bundled-rules` also the bundled rule sets, which are regular expressions for the most part, over real URLs if
//! there are some.
//!
//! The rule sets are sites of `support`, written down as `benches/rule-sets` since the macro reads
//! files. If `support` changes, `ROBOTSC_WRITE_RULE_SETS=1 cargo bench --bench embedded` writes them anew.

mod support;

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use robotsc::embed::{Set, Sets};
use robotsc::{AgentName, UrlPath};
use robotsc_macros::include_rules;
use support::{AGENT, Site, sites_with_rules};

static RULE_SETS: &Sets<'static> = include_rules!("benches/rule-sets");

const RULES: [usize; 6] = [5, 20, 50, 100, 200, 500];

/// The rule sets: what they are called, and what they are made from.
fn rule_sets() -> impl Iterator<Item = (String, Site)> {
    let kinds = [("prefixes", false), ("wildcards", true)];
    kinds.into_iter().flat_map(|(kind, wild)| {
        RULES.into_iter().map(move |rules| {
            let site = sites_with_rules(1, rules, wild, 7).pop().expect("one site");
            (format!("{kind}-{rules}"), site)
        })
    })
}

/// Writes the rule sets where they are asked for.
fn write() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/rule-sets");
    let mut sets = String::from("// Written by benches/embedded.rs.\n(\n    version: 1,\n    rule_sets: [\n");
    for (name, site) in rule_sets() {
        let file = format!("{name}.robots.txt");
        std::fs::write(folder.join(&file), &site.body).expect("the folder can be written");
        let _ = writeln!(sets, "        (name: \"{name}\", robots: [\"{file}\"]),");
    }
    sets.push_str("    ],\n)\n");
    std::fs::write(folder.join("rule-sets.ron"), sets).expect("the folder can be written");
}

/// Asks every path and counts what is allowed.
fn ask(set: &'static Set<'static>, site: &Site) -> usize {
    let rules = set.rules_for(AgentName::new(AGENT).expect("a name"));
    site.paths
        .iter()
        .filter(|path| rules.is_allowed(UrlPath::assume(path.as_bytes(), set.path_form())) == Ok(true))
        .count()
}

fn embedded(criterion: &mut Criterion) {
    if std::env::var_os("ROBOTSC_WRITE_RULE_SETS").is_some() {
        write();
        return;
    }
    let mut group = criterion.benchmark_group("embedded");
    for (name, site) in rule_sets() {
        group.throughput(Throughput::Elements(site.paths.len() as u64));
        let set = RULE_SETS.by_name(&name).expect("it was written");
        group.bench_with_input(BenchmarkId::new("agent once", &name), &site, |bencher, site| {
            bencher.iter(|| black_box(ask(black_box(set), site)));
        });
        group.bench_with_input(BenchmarkId::new("agent each time", &name), &site, |bencher, site| {
            bencher.iter(|| {
                let name = AgentName::new(AGENT).expect("a name");
                let allowed = |path: &&String| {
                    let path = UrlPath::assume(path.as_bytes(), set.path_form());
                    black_box(set).is_allowed(name, path) == Ok(true)
                };
                black_box(site.paths.iter().filter(allowed).count())
            });
        });
    }
    group.finish();
}

/// The bundled rule sets that a crawler asks, for each URL of a sample; what share of them they disallow is in the
/// name.
#[cfg(feature = "bundled-rules")]
fn bundled(criterion: &mut Criterion) {
    let shared = std::env::var_os("ROBOTSC_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        |folder| Path::new(&folder).to_owned(),
    );
    let file = shared.join("corpus/urls.txt");
    let Ok(urls) = std::fs::read_to_string(&file) else {
        eprintln!("skipped: {} is not there", file.display());
        return;
    };
    let mut group = criterion.benchmark_group("bundled");
    for name in ["crawl-traps", "crawl-hygiene", "crawl-hygiene-strict"] {
        let set = robotsc::bundled::rule_set(name).expect("it is bundled");
        let paths: Vec<_> =
            urls.lines().step_by(5).filter_map(|url| robotsc::url::url_path(url, set.path_form()).ok()).collect();
        let rules = set.rules_for_others();
        let disallowed = || paths.iter().filter(|path| rules.is_allowed(path.as_path()) == Ok(false)).count();
        let share = disallowed() as f64 * 100.0 / paths.len() as f64;
        let bytes = paths.iter().map(|path| path.as_bytes().len()).sum::<usize>() / paths.len();
        group.throughput(Throughput::Elements(paths.len() as u64));
        let shape = format!("{share:.1} % disallowed, {bytes} bytes");
        group.bench_function(BenchmarkId::new(name, shape), |bencher| bencher.iter(|| black_box(disallowed())));
    }
    group.finish();
}

#[cfg(not(feature = "bundled-rules"))]
fn bundled(_: &mut Criterion) {}

criterion_group!(benches, embedded, bundled);
criterion_main!(benches);
