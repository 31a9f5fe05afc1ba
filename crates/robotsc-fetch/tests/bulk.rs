//! Many origins at a pace: the limits are kept, every origin has a result, and a stop ends cleanly.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::{HeaderMap, Version};
use robotsc_fetch::{
    Answer, BodyEnd, BoxFuture, Bulk, CachedResolver, Client, Fault, Fetcher, Pace, Request, Resolve, Steps, UserAgent,
};
use robotsc_frontier::fetch::{FetchEnd, NetworkError};
use robotsc_frontier::origin::Origin;
use tokio::time::Instant;

/// Resolves `h<number>.d<domain>.example`: twenty origins share an address.
#[derive(Clone, Debug, Default)]
struct Names(Arc<Mutex<u32>>);

fn number_of(host: &str) -> u32 {
    host.trim_start_matches('h').split('.').next().unwrap().parse().unwrap()
}

fn address_of(host: &str) -> IpAddr {
    let [.., high, low] = (number_of(host) / 20).to_be_bytes();
    IpAddr::from([93, 184, high, low])
}

impl Resolve for Names {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        *self.0.lock().unwrap() += 1;
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(3)).await;
            if number_of(host) % 50 == 7 { Err(io::Error::other("no such name")) } else { Ok(vec![address_of(host)]) }
        })
    }
}

/// A server of all of them, which watches how it is asked.
#[derive(Clone, Debug, Default)]
struct Watched(Arc<Mutex<Seen>>);

#[derive(Debug, Default)]
struct Seen {
    open: BTreeMap<String, usize>,
    most_open: BTreeMap<char, usize>,
    last: BTreeMap<String, Instant>,
    least_gap: BTreeMap<char, Duration>,
}

impl Client for Watched {
    async fn get(&self, request: Request<'_>) -> Result<Answer, Fault> {
        let host = request.url.host_str().unwrap().to_owned();
        let number = number_of(&host);
        if number % 50 == 7 {
            return Err(Fault::new(NetworkError::Dns, "no such name"));
        }
        let domain = host.split_once('.').unwrap().1.to_owned();
        // The first letter says of what a key is: all, a domain, an address.
        let keys = ["*".to_owned(), domain, format!("@{}", address_of(&host))];
        {
            let mut seen = self.0.lock().unwrap();
            let now = Instant::now();
            for key in &keys {
                let kind = key.chars().next().unwrap();
                let open = seen.open.entry(key.clone()).or_default();
                *open += 1;
                let open = *open;
                let most = seen.most_open.entry(kind).or_default();
                *most = open.max(*most);
                if let Some(last) = seen.last.insert(key.clone(), now) {
                    let least = seen.least_gap.entry(kind).or_insert(Duration::MAX);
                    *least = (now - last).min(*least);
                }
            }
        }
        tokio::time::sleep(Duration::from_millis(u64::from(number % 90))).await;
        for key in &keys {
            *self.0.lock().unwrap().open.get_mut(key).unwrap() -= 1;
        }
        Ok(Answer {
            status: if number.is_multiple_of(3) { 404 } else { 200 },
            version: Version::HTTP_11,
            headers: HeaderMap::new(),
            body: format!("User-agent: *\nDisallow: /{number}\n").into_bytes(),
            end: BodyEnd::Whole,
            steps: Steps::default(),
        })
    }
}

fn bulk(names: &Names, server: &Watched, pace: Pace) -> Bulk<Watched> {
    let user_agent = UserAgent::new("TestBot/1.0 (+https://bot.example/)").unwrap();
    let fetcher = Fetcher::builder(user_agent).build_with(server.clone());
    Bulk::new(fetcher, CachedResolver::new(names.clone()), pace)
}

fn origins(count: u32) -> impl Iterator<Item = Origin> {
    (0..count).map(|number| format!("http://h{number}.d{}.example", number % 300).parse().unwrap())
}

const PACE: Pace = Pace {
    in_flight: 50,
    per_domain: 1,
    domain_interval: Duration::from_millis(200),
    per_address: 2,
    address_interval: Duration::from_millis(20),
    waiting: 1_000,
};

#[tokio::test(start_paused = true)]
async fn the_limits_are_kept_and_every_origin_has_a_result() {
    let (names, server) = (Names::default(), Watched::default());
    let mut results = BTreeMap::new();
    let count = 20_000;
    let started = Instant::now();
    let each = |fetched: robotsc_fetch::Fetched| {
        let body = String::from_utf8(fetched.body).unwrap();
        assert!(results.insert(fetched.origin.to_string(), (fetched.end, body)).is_none());
        ControlFlow::Continue(())
    };
    bulk(&names, &server, PACE).run(origins(count), each, || true).await;
    assert_eq!(results.len(), count as usize);
    for origin in origins(count) {
        let number = number_of(origin.host());
        let (end, body) = match number {
            number if number % 50 == 7 => (FetchEnd::Network(NetworkError::Dns), String::new()),
            number if number % 3 == 0 => (FetchEnd::Status(404), String::new()),
            number => (FetchEnd::Status(200), format!("User-agent: *\nDisallow: /{number}\n")),
        };
        assert_eq!(results[origin.as_str()], (end, body), "{origin}");
    }
    let seen = server.0.lock().unwrap();
    assert!(seen.open.values().all(|open| *open == 0));
    // Of all, of a domain, at an address.
    let most = [('*', 50), ('d', 1), ('@', 2)];
    for (kind, limit) in most {
        assert!(seen.most_open[&kind] <= limit, "{kind}: {}", seen.most_open[&kind]);
    }
    assert!(seen.least_gap[&'d'] >= PACE.domain_interval && seen.least_gap[&'@'] >= PACE.address_interval);
    // The names are resolved once each.
    assert_eq!(*names.0.lock().unwrap(), count);
    // 300 domains with 67 origins each: a domain that is always asked as soon as it may be takes 13.4 s.
    let took = started.elapsed();
    assert!(took < Duration::from_secs(40), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_stop_ends_what_is_under_way() {
    let (names, server) = (Names::default(), Watched::default());
    for by_result in [true, false] {
        let results = Mutex::new(BTreeSet::new());
        let each = |fetched: robotsc_fetch::Fetched| {
            let mut results = results.lock().unwrap();
            results.insert(fetched.origin.to_string());
            if by_result && results.len() == 100 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let go_on = || by_result || results.lock().unwrap().len() < 100;
        // The list has no end.
        bulk(&names, &server, PACE).run(origins(u32::MAX), each, go_on).await;
        let count = results.lock().unwrap().len();
        assert!((100..=200).contains(&count), "{count}");
        assert!(server.0.lock().unwrap().open.values().all(|open| *open == 0));
    }
}

/// One domain fills the queue: the others wait for room in it, and still get their turn.
#[tokio::test(start_paused = true)]
async fn one_domain_does_not_starve_the_others_for_ever() {
    let (names, server) = (Names::default(), Watched::default());
    let busy = (0..50_u32).map(|number| format!("http://h{}.d1.example", number * 1_000).parse().unwrap());
    let others = (1..50_u32).map(|number| format!("http://h{number}.d{}.example", number + 1).parse().unwrap());
    let pace = Pace { waiting: 20, ..PACE };
    let mut count = 0;
    let each = |_: robotsc_fetch::Fetched| {
        count += 1;
        ControlFlow::Continue(())
    };
    bulk(&names, &server, pace).run(busy.chain(others), each, || true).await;
    assert_eq!(count, 99);
}
