//! A crawler's cache of robots.txt over many sites, for a crawler that has its own HTTP client.
//!
//! The frontier fetches nothing. It says which robots.txt to fetch, and the crawler records the response, whatever it
//! is. Here a table of sites stands for the network.
//!
//! ```console
//! $ cargo run --features frontier --example crawler_cache
//! ```

use std::error::Error;
use std::time::SystemTime;

use robotsc::frontier::{Check, Frontier, Reason};
use robotsc::outcome::{NetworkError, Response, Time};

/// What a site answers when its robots.txt is asked for: a status and a body, or no connection.
type Fetched = Result<(u16, &'static [u8]), NetworkError>;

fn fetch(robots_url: &str) -> Fetched {
    match robots_url {
        "https://shop.example/robots.txt" => Ok((200, b"User-agent: *\nDisallow: /cart\nCrawl-delay: 5\n")),
        "https://no-file.example/robots.txt" => Ok((404, b"not found")),
        "https://busy.example/robots.txt" => Ok((503, b"come back later")),
        _ => Err(NetworkError::Connect),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let frontier = Frontier::for_agent("FooBot")?;
    let now = Time::from(SystemTime::now());
    for url in [
        "https://shop.example/mugs",
        "https://shop.example/cart?item=7",
        "https://no-file.example/anything",
        "https://busy.example/",
        "https://gone.example/",
    ] {
        // Nothing was fetched yet, or what was fetched expired.
        if let Some(origin) = frontier.to_fetch(url, now)? {
            match fetch(&origin.robots_url()) {
                Ok((status, body)) => frontier.record(&origin, &Response::new(status, body), now),
                Err(error) => frontier.record(&origin, &Response::failed(error), now),
            };
        }
        match frontier.check(url, now)? {
            Check::Allowed => println!("allowed     {url}"),
            // The server fails: a crawler keeps the URL.
            Check::Disallowed(Reason::Fetch(outcome)) => println!("later       {url} ({outcome})"),
            Check::Disallowed(_) => println!("disallowed  {url}"),
            Check::Unknown(_) => println!("unknown     {url}"),
        }
    }
    let explanation = frontier.explain("https://shop.example/cart?item=7", now)?;
    println!("\n{explanation:?}");
    Ok(())
}
