//! Embedded policies, hot: the same rules as code and as a table, with the agent looked up once, and with it looked up for each path.
//!
//! The policies are sites of `support`, written down as `benches/policies` since the macro reads files. Where `support` changes,
//! `ROBOTSC_WRITE_POLICIES=1 cargo bench --bench embedded` writes them anew.

mod support;

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use robotsc::embed::{Set, Sets};
use robotsc_macros::include_policy;
use support::{AGENT, Site, sites_with_rules};

static TABLES: &Sets<'static> = include_policy!("benches/policies", shape = table);
static DIRECT: &Sets<'static> = include_policy!("benches/policies", shape = direct);

const RULES: [usize; 6] = [5, 20, 50, 100, 200, 500];

/// The policies: what they are called, and what they are made from.
fn policies() -> impl Iterator<Item = (String, Site)> {
    let kinds = [("prefixes", false), ("wildcards", true)];
    kinds.into_iter().flat_map(|(kind, wild)| {
        RULES.into_iter().map(move |rules| {
            let site = sites_with_rules(1, rules, wild, 7).pop().expect("one site");
            (format!("{kind}-{rules}"), site)
        })
    })
}

/// Writes the policies where they are asked for.
fn write() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/policies");
    let mut sets = String::from("// Written by benches/embedded.rs.\n(\n    version: 1,\n    rule_sets: [\n");
    for (name, site) in policies() {
        let file = format!("{name}.robots.txt");
        std::fs::write(folder.join(&file), &site.body).expect("the folder can be written");
        let _ = writeln!(sets, "        (name: \"{name}\", robots: [\"{file}\"]),");
    }
    sets.push_str("    ],\n)\n");
    std::fs::write(folder.join("policies.ron"), sets).expect("the folder can be written");
}

/// Asks every path and counts what is allowed.
fn ask(set: &'static Set<'static>, site: &Site) -> usize {
    let rules = set.rules_for(AGENT);
    site.paths.iter().filter(|path| rules.is_allowed(path.as_bytes())).count()
}

fn embedded(criterion: &mut Criterion) {
    if std::env::var_os("ROBOTSC_WRITE_POLICIES").is_some() {
        write();
        return;
    }
    let mut group = criterion.benchmark_group("embedded");
    for (name, site) in policies() {
        group.throughput(Throughput::Elements(site.paths.len() as u64));
        let set = |sets: &'static Sets<'static>| sets.by_name(&name).expect("it was written");
        let (table, direct) = (set(TABLES), set(DIRECT));
        assert_eq!(ask(table, &site), ask(direct, &site), "{name}");
        for (shape, set) in [("table", table), ("direct", direct)] {
            group.bench_with_input(BenchmarkId::new(shape, &name), &site, |bencher, site| {
                bencher.iter(|| black_box(ask(black_box(set), site)));
            });
        }
        group.bench_with_input(BenchmarkId::new("table, agent each time", &name), &site, |bencher, site| {
            bencher.iter(|| {
                let allowed = |path: &&String| black_box(table).is_allowed(AGENT, path.as_bytes());
                black_box(site.paths.iter().filter(allowed).count())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, embedded);
criterion_main!(benches);
