//! A tiny polite crawler: fetches the pages that robots.txt allows, one after another for each site, with the delay
//! that the site states. It keeps what it learnt of robots.txt for the next run.
//!
//! ```console
//! $ cargo run --features fetch --example polite_crawler -- 'FooBot/1.0 (+https://foo.example/bot)' \
//!     https://www.rust-lang.org/ https://www.rust-lang.org/tools/install
//! ```

use std::collections::HashMap;
use std::error::Error;
use std::time::Duration;

use http::HeaderMap;
use http::header::USER_AGENT;
use robotsc::fetch::{AddressGuard, Client as _, FetchLimits, Fetcher, HttpClient, Request, RobotsCache, UserAgent};
use robotsc::frontier::{Check, Frontier};
use robotsc::origin::Origin;
use robotsc::{Crawler, Dialect};
use tokio::time::{Instant, sleep_until};
use url::Url;

/// The least time between two requests to an origin.
const DELAY: Duration = Duration::from_secs(2);
/// The longest delay that this crawler waits for. Pages of sites that want more are left out.
const MAX_DELAY: Duration = Duration::from_secs(60);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let user_agent = UserAgent::new(&args.next().ok_or("give a User-Agent with a contact, then URLs")?)?;
    let mut headers = HeaderMap::new();
    headers.insert(USER_AGENT, user_agent.header().clone());
    // The dialect says that crawlers obey Crawl-delay.
    let frontier = Frontier::builder(Crawler::new("FooBot")?).dialect(&Dialect::RFC9309);
    let fetcher = Fetcher::new(user_agent);
    let cache = RobotsCache::builder(frontier, fetcher).pack_file("polite_crawler.pack").build()?;
    let pages = HttpClient::new(AddressGuard::default(), FetchLimits::default());
    let mut next_at: HashMap<Origin, Instant> = HashMap::new();

    for url in args {
        match cache.check(&url).await? {
            Check::Allowed => {}
            Check::Disallowed(reason) => {
                println!("disallowed {url}: {reason:?}");
                continue;
            }
            Check::Unknown(origin) => {
                println!("unknown {url}: try again at {:?}", cache.retry_at(&origin));
                continue;
            }
        }
        let origin = Origin::of_url(url.as_bytes())?;
        let delay = cache.crawl_delay(&origin).unwrap_or_default().max(DELAY);
        if delay > MAX_DELAY {
            println!("left out {url}: the site wants {delay:?} between two requests");
            continue;
        }
        if let Some(at) = next_at.get(&origin) {
            sleep_until(*at).await;
        }
        let mut target = Url::parse(&url)?;
        target.set_fragment(None);
        match pages.get(Request::new(&target, &headers)).await {
            Ok(page) => println!("{} {url}: {} bytes", page.status, page.body.len()),
            Err(fault) => println!("failed {url}: {fault}"),
        }
        next_at.insert(origin, Instant::now() + delay);
    }
    let saved = cache.save().await?;
    println!("saved {} origins; {:?}", saved.origins, cache.counters());
    Ok(())
}
