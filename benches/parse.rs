//! From the bytes of a file to its groups, and to the rules of one agent.

mod support;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use robotsc::{Crawler, RobotsTxt};
use support::{AGENT, Site, sites};

/// What the figures stand on: sites of the shape that the support module states.
fn check_shape(sites: &[Site]) {
    let mut rules: Vec<usize> = sites.iter().map(|site| site.rules).collect();
    rules.sort_unstable();
    let at = |percent: usize| rules[rules.len() * percent / 100];
    let share = |holds: fn(&Site) -> bool| sites.iter().filter(|site| holds(site)).count() * 100 / sites.len();
    assert!((9..=15).contains(&at(50)), "median of rules: {}", at(50));
    assert!((70..=95).contains(&at(90)), "90th percentile of rules: {}", at(90));
    assert!((350..=650).contains(&at(99)), "99th percentile of rules: {}", at(99));
    assert!((42..=50).contains(&share(|site| site.has_star)), "files with a star");
    assert!((11..=17).contains(&share(|site| site.has_dollar)), "files with a dollar");
}

fn parse(criterion: &mut Criterion) {
    check_shape(&sites(10_000, 2));
    let sites = sites(1000, 2);
    let bytes: usize = sites.iter().map(|site| site.body.len()).sum();
    let agent = Crawler::new(AGENT).expect("a name");

    let mut group = criterion.benchmark_group("file");
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("parse", |bencher| {
        bencher.iter(|| {
            for site in &sites {
                black_box(RobotsTxt::parse(black_box(&site.body)));
            }
        });
    });
    group.bench_function("rule_set", |bencher| {
        bencher.iter(|| {
            for site in &sites {
                black_box(RobotsTxt::parse(black_box(&site.body)).rule_set(&agent));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, parse);
criterion_main!(benches);
