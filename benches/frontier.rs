//! Verdicts of a frontier over a pack of 400,000 origins, each with rules of its own: URLs in no order, one by one and
//! in batches, and grouped by origin. The same over memory.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use robotsc::frontier::{Frontier, FrontierVerdict};
use robotsc::origin::Origin;
use robotsc::outcome::{Capture, Response, Time};
use robotsc::pack::{Pack, PackAgents, PackBuilder, PackOptions};
use robotsc::{Crawler, Dialect};

const ORIGINS: u64 = 400_000;
const URLS: u64 = 200_000;
const NOW: Time = Time(1_790_000_000);

fn origin(number: u64) -> Origin {
    format!("https://www.host-{number}.example").parse().expect("an origin")
}

fn body(number: u64) -> String {
    format!(
        "User-agent: *\nDisallow: /admin-{number}/\nDisallow: /cart\nDisallow: /*?sort={number}\nAllow: /cart/help\n"
    )
}

/// A number that looks like no order, the same in every run (SplitMix64).
fn scattered(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^ (mixed >> 27)
}

fn urls(group: u64) -> Vec<String> {
    let paths = ["/", "/cart/help", "/cart/17", "/catalogue/shoes/red-and-white?sort=price", "/admin-5/"];
    let url = |number: u64| {
        let host = scattered(number / group) % ORIGINS;
        format!("{}{}", origin(host), paths[(scattered(number) % 5) as usize])
    };
    (0..URLS).map(url).collect()
}

fn allowed_one_by_one(frontier: &Frontier, urls: &[String]) -> usize {
    urls.iter().filter(|url| frontier.check(url.as_bytes(), NOW).is_ok_and(|check| check.is_allowed())).count()
}

fn allowed_in_batches(frontier: &Frontier, urls: &[String]) -> usize {
    let mut verdicts = Vec::new();
    let mut allowed = 0;
    for batch in urls.chunks(4_096) {
        verdicts.clear();
        frontier.verdicts(batch, NOW, &mut verdicts);
        allowed += verdicts.iter().filter(|verdict| **verdict == Ok(FrontierVerdict::Allowed)).count();
    }
    allowed
}

fn frontier(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder for the pack");
    let target = folder.path().join("bench.pack");
    let options = PackOptions { agents: PackAgents::only(["FooBot"]), ..PackOptions::new(&Dialect::GOOGLE) };
    let mut builder = PackBuilder::new(options, &target).expect("the folder can be written");
    for number in 0..ORIGINS {
        let (origin, body) = (origin(number), body(number));
        let capture = Capture::after(None, &Response::new(200, body.as_bytes()), NOW, &Dialect::GOOGLE);
        builder.push(&origin, &capture).expect("there is room");
    }
    builder.finish().expect("there is room");
    let pack = Arc::new(Pack::open(&target).expect("it was just built"));
    let builder = || Frontier::builder(Crawler::new("FooBot").unwrap());
    let over_pack = builder().pack(pack).build().expect("its agent");
    let over_memory = builder().memory(4 << 30).build().expect("an agent");
    for number in 0..ORIGINS {
        over_memory.record(&origin(number), &Response::new(200, body(number).as_bytes()), NOW);
    }

    let mut group = criterion.benchmark_group("frontier");
    group.throughput(Throughput::Elements(URLS)).sample_size(20);
    for (home, frontier) in [("pack", &over_pack), ("memory", &over_memory)] {
        for (order, urls) in [("shuffled", urls(1)), ("grouped", urls(50))] {
            assert_eq!(allowed_one_by_one(frontier, &urls), allowed_in_batches(frontier, &urls));
            group.bench_function(format!("{home}, {order}, one by one"), |bencher| {
                bencher.iter(|| allowed_one_by_one(frontier, black_box(&urls)));
            });
            group.bench_function(format!("{home}, {order}, in batches"), |bencher| {
                bencher.iter(|| allowed_in_batches(frontier, black_box(&urls)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, frontier);
criterion_main!(benches);
