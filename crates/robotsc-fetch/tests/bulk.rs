//! Many origins at a pace: the limits are kept, every origin has a result, and a stop ends cleanly.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::header::LOCATION;
use http::{HeaderMap, Version};
use robotsc_fetch::{
    BodyEnd, BoxFuture, Bulk, BulkLimits, CachedResolver, Client, ClientAnswer, Fault, Fetcher, Request, Resolve,
    Timings, UserAgent,
};
use robotsc_frontier::origin::Origin;
use robotsc_frontier::outcome::{FetchEnd, NetworkError};
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
    /// The number of gaps, by their length in steps of half an interval.
    gaps: BTreeMap<(char, u128), u32>,
}

impl Client for Watched {
    async fn get(&self, request: Request<'_>) -> Result<ClientAnswer, Fault> {
        let host = request.url.host_str().unwrap().to_owned();
        let number = number_of(&host);
        if number % 50 == 7 {
            return Err(Fault::new(NetworkError::Dns, "no such name"));
        }
        let domain = host.split_once('.').unwrap().1.to_owned();
        // The first letter says of what a key is: all, a domain, an address.
        let keys = ["*".to_owned(), domain.clone(), format!("@{}", address_of(&host))];
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
                    let interval = if kind == 'd' { PACE.domain_interval } else { PACE.address_interval };
                    let steps = ((now - last).as_micros() * 2 / interval.as_micros()).min(20);
                    *seen.gaps.entry((kind, steps)).or_default() += 1;
                }
            }
        }
        tokio::time::sleep(Duration::from_millis(u64::from(number % 90))).await;
        for key in &keys {
            *self.0.lock().unwrap().open.get_mut(key).unwrap() -= 1;
        }
        let mut headers = HeaderMap::new();
        if domain.starts_with('r') {
            headers.insert(LOCATION, format!("http://h{number}.dhub.example/robots.txt").parse().unwrap());
        }
        Ok(ClientAnswer {
            status: match number {
                _ if domain.starts_with('r') => 301,
                number if number.is_multiple_of(3) => 404,
                _ => 200,
            },
            protocol: Version::HTTP_11.into(),
            headers,
            body: format!("User-agent: *\nDisallow: /{number}\n").into_bytes(),
            end: BodyEnd::Whole,
            timings: Timings::default(),
        })
    }
}

fn bulk(names: &Names, server: &Watched, pace: BulkLimits) -> Bulk<Watched> {
    let user_agent = UserAgent::new("TestBot/1.0 (+https://bot.example/)").unwrap();
    let fetcher = Fetcher::builder(user_agent).build_with(server.clone());
    Bulk::new(fetcher, CachedResolver::new(names.clone()), pace)
}

fn origins(count: u32) -> impl Iterator<Item = Origin> {
    (0..count).map(|number| format!("http://h{number}.d{}.example", number % 300).parse().unwrap())
}

const PACE: BulkLimits = BulkLimits {
    in_flight: 50,
    per_domain: 1,
    domain_interval: Duration::from_millis(200),
    per_address: 2,
    address_interval: Duration::from_millis(20),
    waiting: 1_000,
    redirect_wait: Duration::from_secs(60),
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
    bulk(&names, &server, PACE).run(origins(count), each, |_| true).await;
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
    println!("gaps between two requests, in intervals of the limit; the last is \"or longer\"");
    for ((kind, steps), count) in seen.gaps.iter().filter(|((kind, _), _)| *kind != '*') {
        let of = if *kind == 'd' { "a domain" } else { "an address" };
        println!("{of:<10}  {:>4.1}  {count:>6}", *steps as f64 / 2.0);
        assert!(*steps >= 2, "shorter than the interval");
    }
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
        let go_on = |_| by_result || results.lock().unwrap().len() < 100;
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
    let origin =
        |number: u32, domain: u32| -> Origin { format!("http://h{number}.d{domain}.example").parse().unwrap() };
    let busy = (0..50_u32).map(|number| origin(number * 1_000, 1));
    let others = (1..50_u32).map(|number| origin(number, number + 1));
    let pace = BulkLimits { waiting: 20, ..PACE };
    let mut count = 0;
    let each = |_: robotsc_fetch::Fetched| {
        count += 1;
        ControlFlow::Continue(())
    };
    bulk(&names, &server, pace).run(busy.chain(others), each, |_| true).await;
    assert_eq!(count, 99);
}

/// Sites of which each redirects to another host of one domain.
fn redirected(count: u32) -> impl Iterator<Item = Origin> {
    let numbers = (0..count).filter(|number| number % 50 != 7);
    numbers.map(|number| format!("http://h{number}.r{number}.example").parse().unwrap())
}

#[tokio::test(start_paused = true)]
async fn redirects_wait_for_their_turn() {
    let (long, short) = (Duration::from_secs(60), Duration::from_secs(5));
    for (redirect_wait, most, least) in [(long, 196, 196), (short, 30, 20)] {
        let (names, server) = (Names::default(), Watched::default());
        let pace = BulkLimits { redirect_wait, in_flight: 10, ..PACE };
        let mut ends = BTreeMap::new();
        let each = |fetched: robotsc_fetch::Fetched| {
            let end = match fetched.end {
                FetchEnd::Status(200 | 404) => "answered".to_owned(),
                end => format!("{end:?}"),
            };
            *ends.entry(end).or_insert(0) += 1;
            ControlFlow::Continue(())
        };
        let mut most_in_flight = 0;
        let go_on = |underway: robotsc_fetch::Underway| {
            most_in_flight = most_in_flight.max(underway.in_flight);
            true
        };
        let started = Instant::now();
        bulk(&names, &server, pace).run(redirected(200), each, go_on).await;
        let answered = ends.remove("answered").unwrap();
        assert!((least..=most).contains(&answered), "{answered}");
        // Those without a turn are failures, and nothing is held up by them.
        assert_eq!(answered + ends.remove("Network(Timeout)").unwrap_or(0), 196, "{ends:?}");
        assert!(started.elapsed() < redirect_wait + Duration::from_secs(5));
        let seen = server.0.lock().unwrap();
        assert!(seen.open.values().all(|open| *open == 0));
        assert!(seen.most_open[&'d'] == 1 && seen.least_gap[&'d'] >= PACE.domain_interval);
        assert!(most_in_flight <= 10 && seen.most_open[&'*'] <= 10);
    }
}

#[tokio::test(start_paused = true)]
async fn a_redirect_that_waits_when_the_run_stops_is_no_result() {
    let (names, server) = (Names::default(), Watched::default());
    let since = Instant::now();
    let mut count = 0;
    let each = |fetched: robotsc_fetch::Fetched| {
        assert!(matches!(fetched.end, FetchEnd::Status(200 | 404)), "{:?}", fetched.end);
        count += 1;
        ControlFlow::Continue(())
    };
    let go_on = |_| since.elapsed() < Duration::from_secs(4);
    bulk(&names, &server, PACE).run(redirected(200), each, go_on).await;
    assert!((10..40).contains(&count), "{count}");
}

/// A channel that is slow holds up nothing but what it has not brought yet.
#[tokio::test(start_paused = true)]
async fn origins_arrive_through_a_channel() {
    let (names, server) = (Names::default(), Watched::default());
    let (sender, receiver) = tokio::sync::mpsc::channel(4);
    let feeding = tokio::spawn(async move {
        for origin in origins(40) {
            sender.send(origin.into()).await.unwrap();
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
    });
    let mut times = Vec::new();
    let since = Instant::now();
    let each = |_: robotsc_fetch::Fetched| {
        times.push(since.elapsed().as_secs());
        ControlFlow::Continue(())
    };
    bulk(&names, &server, PACE).run_channel(receiver, each, |_| true).await;
    feeding.await.unwrap();
    assert_eq!(times, (0..40).map(|number| number * 2).collect::<Vec<u64>>());
}
