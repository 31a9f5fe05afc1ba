//! Verdicts, hot: the URLs of a site asked back to back, of programs and of rule sets, with the path in hand and from
//! the URL.

mod support;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use robotsc::program::{Compiled, Effort};
use robotsc::{Compiler, Dialect, PathForm, PathFormError, RuleSet, UrlPath, Verdict};
use support::{Site, sites, sites_with_rules};

/// A site with what answers for it.
struct Ready {
    site: Site,
    rules: RuleSet,
    fast: Compiled,
    small: Compiled,
}

fn ready(sites: Vec<Site>) -> Vec<Ready> {
    sites
        .into_iter()
        .map(|site| {
            let rules = site.rule_set();
            let fast = Compiler::new().compile(&rules).expect("a rule set of usual size");
            let small = Compiler::new().effort(Effort::Small).compile(&rules).expect("a rule set of usual size");
            Ready { site, rules, fast, small }
        })
        .collect()
}

/// Asks every path of every site and counts what is allowed.
fn ask<'r, W>(
    all: &'r [Ready],
    walk: impl Fn(&'r Ready) -> W,
    verdict: impl Fn(&W, UrlPath<'_>) -> Result<Verdict, PathFormError>,
) -> usize {
    let mut allowed = 0;
    for one in all {
        let walk = walk(one);
        for path in &one.site.paths {
            let path = UrlPath::assume(path.as_bytes(), PathForm::Escaped);
            allowed += usize::from(verdict(&walk, path) == Ok(Verdict::Allow));
        }
    }
    allowed
}

fn verdict(criterion: &mut Criterion) {
    let mixed = sites(500, 2);
    let inputs = [
        ("mixed", mixed),
        ("prefix-only", sites(500, 6).into_iter().filter(|site| !site.has_star && !site.has_dollar).collect()),
        ("wildcard", sites(500, 7).into_iter().filter(|site| site.has_star).collect()),
        ("100 rules and more", sites_with_rules(20, 200, true, 8)),
    ];

    let mut group = criterion.benchmark_group("verdict");
    for (input, sites) in inputs {
        let all = ready(sites);
        let urls: usize = all.iter().map(|one| one.site.urls.len()).sum();
        group.throughput(Throughput::Elements(urls as u64));
        group.bench_with_input(BenchmarkId::new("fast", input), &all, |bencher, all| {
            bencher.iter(|| {
                black_box(ask(black_box(all), |one| one.fast.program(), |program, path| program.verdict(path)))
            });
        });
        group.bench_with_input(BenchmarkId::new("small", input), &all, |bencher, all| {
            bencher.iter(|| {
                black_box(ask(black_box(all), |one| one.small.program(), |program, path| program.verdict(path)))
            });
        });
        group.bench_with_input(BenchmarkId::new("rule_set", input), &all, |bencher, all| {
            bencher.iter(|| black_box(ask(black_box(all), |one| &one.rules, |rules, path| rules.verdict(path))));
        });
    }
    group.finish();
}

fn url_path(criterion: &mut Criterion) {
    let all = ready(sites(500, 2));
    let urls: Vec<&String> = all.iter().flat_map(|one| &one.site.urls).collect();

    let mut group = criterion.benchmark_group("url_path");
    group.throughput(Throughput::Elements(urls.len() as u64));
    group.bench_function("url", |bencher| {
        bencher.iter(|| {
            for url in black_box(&urls) {
                black_box(Dialect::GOOGLE.url_path(url)).expect("a URL with a path");
            }
        });
    });
    group.bench_function("url and verdict", |bencher| {
        bencher.iter(|| {
            let mut allowed = 0_usize;
            for one in black_box(&all) {
                let program = one.small.program();
                for url in &one.site.urls {
                    let path = Dialect::GOOGLE.url_path(url).expect("a URL with a path");
                    allowed += usize::from(program.verdict(path.as_path()) == Ok(Verdict::Allow));
                }
            }
            black_box(allowed)
        });
    });
    group.finish();
}

criterion_group!(benches, verdict, url_path);
criterion_main!(benches);
