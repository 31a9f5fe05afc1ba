//! Filters a list of URLs of one site, on as many threads as there are processors: prints those that an agent may
//! fetch.
//!
//! ```console
//! $ cargo run --example many_urls -- examples/shop.robots.txt FooBot < urls.txt
//! ```

use std::error::Error;
use std::io::{BufRead as _, stdin};
use std::thread;

use robotsc::RobotsTxt;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, agent] = args.as_slice() else { return Err("usage: many_urls FILE AGENT < URLS".into()) };
    // A matcher owns what it needs, so the body can go. Clones share its rules, which are compiled once that pays.
    let matcher = RobotsTxt::parse(&std::fs::read(file)?).matcher(agent)?;

    let urls: Vec<String> = stdin().lock().lines().collect::<Result<_, _>>()?;
    let share = urls.len().div_ceil(thread::available_parallelism()?.get()).max(1);
    let allowed: Vec<Vec<&String>> = thread::scope(|scope| {
        let filters: Vec<_> = urls
            .chunks(share)
            .map(|urls| {
                let matcher = matcher.clone();
                scope.spawn(move || {
                    let is_allowed = |url: &&String| {
                        matcher.is_allowed(url).unwrap_or_else(|error| {
                            eprintln!("skipped {url}: {error}");
                            false
                        })
                    };
                    urls.iter().filter(is_allowed).collect()
                })
            })
            .collect();
        filters.into_iter().map(|filter| filter.join().expect("no filter panics")).collect()
    });
    for url in allowed.into_iter().flatten() {
        println!("{url}");
    }
    Ok(())
}
