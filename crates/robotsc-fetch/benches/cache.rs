//! What a check of a known origin costs, beside the frontier's own.

use std::hint::black_box;
use std::time::{Instant, SystemTime};

use criterion::{Criterion, criterion_group, criterion_main};
use robotsc_fetch::{RobotsCache, UserAgent};
use robotsc_frontier::origin::Origin;
use robotsc_frontier::outcome::{Response, Time};

const ORIGINS: usize = 1_000;
const BODY: &[u8] = b"User-agent: *\nDisallow: /cart\nDisallow: /*?sort=\nAllow: /cart/help\nDisallow: /account\n";

fn warm(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let user_agent = UserAgent::new("FooBot/1.0 (+https://foo.example/bot)").expect("a User-Agent");
    let cache = RobotsCache::for_agent("FooBot", user_agent).expect("a cache");
    let now = Time::from(SystemTime::now());
    let mut urls = Vec::new();
    for number in 0..ORIGINS {
        let origin: Origin = format!("https://www.shop{number}.example").parse().expect("an origin");
        cache.frontier().record(&origin, &Response::new(200, BODY), now);
        for path in ["/", "/mugs/blue?sort=price", "/cart/help/returns.html", "/books/fiction/page/7"] {
            urls.push(format!("{origin}{path}"));
        }
    }
    // In no order, as crawlers ask; enough checks of each that its rules are compiled.
    urls.sort_by_key(|url| url.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte))));
    for _ in 0..200 {
        for url in &urls {
            let _ = cache.frontier().check(url, now);
        }
    }
    for (name, urls) in [("one origin", &urls[..1]), ("1000 origins", &urls)] {
        let mut group = criterion.benchmark_group(name);
        group.bench_function("RobotsCache::check", |bencher| {
            bencher.iter_custom(|times| {
                runtime.block_on(async {
                    let started = Instant::now();
                    for url in urls.iter().cycle().take(usize::try_from(times).unwrap_or(usize::MAX)) {
                        let _ = black_box(cache.check(url).await);
                    }
                    started.elapsed()
                })
            });
        });
        group.bench_function("Frontier::check", |bencher| {
            let mut urls = urls.iter().cycle();
            bencher.iter(|| black_box(cache.frontier().check(urls.next().expect("a cycle"), now)));
        });
        group.finish();
    }
    criterion.bench_function("SystemTime::now", |bencher| bencher.iter(|| black_box(Time::from(SystemTime::now()))));
}

criterion_group!(benches, warm);
criterion_main!(benches);
