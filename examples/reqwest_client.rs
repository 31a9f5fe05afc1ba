//! The cache over reqwest, for crawlers that have a client of their own.
//!
//! reqwest follows redirects, decodes bodies and keeps cookies if it is told to: here it is not. Its resolver judges
//! addresses, since the cache judges only those that URLs name. Turn one of its features for TLS on, such as `rustls`.

use std::error::Error;
use std::net::SocketAddr;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use robotsc::Crawler;
use robotsc::fetch::{
    AddressGuard, BodyEnd, Client, ClientAnswer, Fault, Fetcher, Request, RobotsCache, Timings, UserAgent,
};
use robotsc::frontier::Frontier;
use robotsc::outcome::NetworkError;

/// Requests by reqwest.
struct Reqwest(reqwest::Client);

/// Resolves names to public addresses only.
struct Public(AddressGuard);

impl Resolve for Public {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.0.clone();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|address| !guard.refuses(address.ip())).collect();
            if public.is_empty() {
                return Err("the name has no public address".into());
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

impl Reqwest {
    fn new() -> Result<Self, reqwest::Error> {
        let resolver = std::sync::Arc::new(Public(AddressGuard::default()));
        // Over HTTP/2, reqwest cannot tell a body that was cut by a reset for no error from a whole one.
        let builder = reqwest::Client::builder().redirect(Policy::none()).no_proxy().http1_only();
        Ok(Self(builder.dns_resolver(resolver).build()?))
    }
}

impl Client for Reqwest {
    async fn get(&self, request: Request<'_>) -> Result<ClientAnswer, Fault> {
        let fault = |error: reqwest::Error| {
            let kind = if error.is_connect() { NetworkError::Connect } else { NetworkError::Reset };
            Fault::new(kind, error.without_url())
        };
        let sent = self.0.get(request.url.clone()).headers(request.headers.clone()).send();
        let mut response = sent.await.map_err(fault)?;
        let (mut body, mut end) = (Vec::new(), BodyEnd::Whole);
        let max = request.max_encoded.max(request.max_body.saturating_add(1));
        while response.status().is_success() && end == BodyEnd::Whole {
            match response.chunk().await {
                Ok(None) => break,
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Err(_) => end = BodyEnd::Incomplete,
            }
            if body.len() >= max {
                body.truncate(max);
                end = BodyEnd::CutAtLimit;
            }
        }
        Ok(ClientAnswer {
            status: response.status().as_u16(),
            protocol: response.version().into(),
            headers: response.headers().clone(),
            body,
            end,
            timings: Timings::default(),
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let user_agent = UserAgent::new("FooBot/1.0 (+https://foo.example/bot)")?;
    let fetcher = Fetcher::builder(user_agent).build_with(Reqwest::new()?);
    let cache = RobotsCache::builder(Frontier::builder(Crawler::new("FooBot")?), fetcher).build()?;
    for url in std::env::args().skip(1) {
        println!("{url}: {:?}", cache.check(&url).await?);
    }
    Ok(())
}
