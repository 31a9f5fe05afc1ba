//! From the rules of one agent to a program.

mod support;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use robotsc::program::Effort;
use robotsc::{Compiler, RuleSet};
use support::{Site, sites, sites_with_rules};

fn compile(criterion: &mut Criterion) {
    let compilers = [("fast", Compiler::new()), ("small", Compiler::new().effort(Effort::Small))];
    let inputs = [
        ("mixed", sites(500, 2)),
        ("12 rules", sites_with_rules(50, 12, true, 2)),
        ("81 rules", sites_with_rules(20, 81, true, 3)),
        ("472 rules", sites_with_rules(5, 472, true, 4)),
        ("472 plain rules", sites_with_rules(5, 472, false, 5)),
    ];

    let mut group = criterion.benchmark_group("compile");
    group.sample_size(20);
    for (input, sites) in &inputs {
        let sets: Vec<RuleSet> = sites.iter().map(Site::rule_set).collect();
        group.throughput(Throughput::Elements(sets.len() as u64));
        for (effort, compiler) in &compilers {
            group.bench_with_input(BenchmarkId::new(*effort, input), &sets, |bencher, sets| {
                bencher.iter(|| {
                    for set in sets {
                        black_box(compiler.compile(black_box(set))).expect("a rule set of usual size");
                    }
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, compile);
criterion_main!(benches);
