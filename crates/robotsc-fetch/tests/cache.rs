//! The crawler's cache: one fetch an origin, when it fetches again, and what it answers meanwhile.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, Version};
use robotsc_compiler::{Crawler, Dialect};
use robotsc_fetch::BodyEnd;
use robotsc_fetch::{CacheBuilder, Client, ClientAnswer, Fault, Fetcher, Request, RobotsCache, Timings, UserAgent};
use robotsc_frontier::frontier::{Check, Frontier, Reason};
use robotsc_frontier::origin::Origin;
use robotsc_frontier::outcome::{NetworkError, Outcome, Response, Time};

const START: u32 = 1_790_000_000;
const DAY: u32 = 24 * 3_600;
const URL: &str = "https://shop.example/cart";
const RULES: &str = "User-agent: *\nDisallow: /cart\nCrawl-delay: 7\nSitemap: https://shop.example/map.xml\n";

/// What the client answers next.
#[derive(Clone, Debug)]
enum Next {
    Status(u16, &'static [(&'static str, &'static str)], &'static str),
    Error(NetworkError),
    Panic,
}

const GOOD: Next = Next::Status(200, &[("etag", "\"v1\"")], RULES);

/// A client that answers from a list; the last answer is repeated.
#[derive(Clone, Debug, Default)]
struct Scripted(Arc<Script>);

#[derive(Debug, Default)]
struct Script {
    next: Mutex<VecDeque<Next>>,
    requests: Mutex<Vec<(String, HeaderMap)>>,
    delay: Mutex<Duration>,
    open: AtomicUsize,
    most_open: AtomicUsize,
}

impl Scripted {
    fn new(next: impl IntoIterator<Item = Next>) -> Self {
        let client = Self::default();
        client.then(next);
        client
    }

    fn then(&self, next: impl IntoIterator<Item = Next>) {
        *self.0.next.lock().unwrap() = next.into_iter().collect();
    }

    fn slowly(self, delay: Duration) -> Self {
        *self.0.delay.lock().unwrap() = delay;
        self
    }

    fn requests(&self) -> usize {
        self.0.requests.lock().unwrap().len()
    }

    fn last(&self, name: &str) -> Option<HeaderValue> {
        self.0.requests.lock().unwrap().last().and_then(|(_, headers)| headers.get(name).cloned())
    }
}

impl Client for Scripted {
    async fn get(&self, request: Request<'_>) -> Result<ClientAnswer, Fault> {
        let script = &self.0;
        script.requests.lock().unwrap().push((request.url.to_string(), request.headers.clone()));
        let open = script.open.fetch_add(1, Ordering::SeqCst) + 1;
        script.most_open.fetch_max(open, Ordering::SeqCst);
        let delay = *script.delay.lock().unwrap();
        tokio::time::sleep(delay).await;
        script.open.fetch_sub(1, Ordering::SeqCst);
        let next = {
            let mut next = script.next.lock().unwrap();
            if next.len() > 1 { next.pop_front().unwrap() } else { next.front().unwrap().clone() }
        };
        match next {
            Next::Status(status, fields, body) => {
                let header = |(name, value): &(&'static str, &'static str)| {
                    (HeaderName::from_static(name), HeaderValue::from_static(value))
                };
                Ok(ClientAnswer {
                    status,
                    protocol: Version::HTTP_11.into(),
                    headers: fields.iter().map(header).collect(),
                    body: body.as_bytes().to_vec(),
                    end: BodyEnd::Whole,
                    timings: Timings::default(),
                })
            }
            Next::Error(error) => Err(Fault::new(error, "as scripted")),
            Next::Panic => panic!("as scripted"),
        }
    }
}

/// A clock that tests set.
#[derive(Clone, Debug)]
struct Clock(Arc<AtomicU32>);

impl Clock {
    fn set(&self, seconds: u32) {
        self.0.store(START + seconds, Ordering::SeqCst);
    }
}

fn builder(client: &Scripted, dialect: &Dialect) -> (CacheBuilder<Scripted>, Clock) {
    let clock = Clock(Arc::new(AtomicU32::new(START)));
    let user_agent = UserAgent::new("TestBot/1.0 (+https://bot.example/)").unwrap();
    let fetcher = Fetcher::builder(user_agent).build_with(client.clone());
    let frontier = Frontier::builder(Crawler::new("TestBot").unwrap()).dialect(dialect);
    let time = clock.clone();
    let builder = RobotsCache::builder(frontier, fetcher).clock(move || Time(time.0.load(Ordering::SeqCst)));
    (builder.attempts(1, Duration::ZERO), clock)
}

fn cache(client: &Scripted, dialect: &Dialect) -> (RobotsCache<Scripted>, Clock) {
    let (builder, clock) = builder(client, dialect);
    (builder.build().unwrap(), clock)
}

fn origin() -> Origin {
    "https://shop.example".parse().unwrap()
}

/// Lets the tasks in the background end.
async fn settle(cache: &RobotsCache<Scripted>) {
    while cache.counters().in_flight > 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

const BY_RULES: Check = Check::Disallowed(Reason::Rules);
const BY_FAILURE: Check = Check::Disallowed(Reason::Fetch(Outcome::Unreachable));
const BY_SERVER: Check = Check::Disallowed(Reason::Fetch(Outcome::ServerError));

#[tokio::test]
async fn an_unknown_origin_is_fetched_once() {
    let client = Scripted::new([GOOD]);
    let (cache, _) = cache(&client, &Dialect::GOOGLE);
    // The file itself needs no knowledge.
    assert_eq!(cache.check("https://shop.example/robots.txt").await.unwrap(), Check::Allowed);
    assert_eq!(client.requests(), 0);
    assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
    assert_eq!(cache.check("https://shop.example/").await.unwrap(), Check::Allowed);
    assert_eq!(client.requests(), 1);
    assert_eq!(client.0.requests.lock().unwrap()[0].0, "https://shop.example/robots.txt");
    assert_eq!(cache.crawl_delay(&origin()), Some(Duration::from_secs(7)));
    assert_eq!(cache.sitemaps(&origin()), [b"https://shop.example/map.xml".to_vec()]);
    assert_eq!(cache.retry_at(&origin()), None);
    for wrong in ["mailto:me@shop.example", "shop.example/cart", "http://"] {
        assert!(cache.check(wrong).await.is_err(), "{wrong}");
    }
    let counters = cache.counters();
    assert_eq!((counters.fetches, counters.failures, counters.waits, counters.in_flight), (1, 0, 1, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_thousand_tasks_make_one_request() {
    let client = Scripted::new([GOOD]).slowly(Duration::from_millis(50));
    let (cache, _) = cache(&client, &Dialect::GOOGLE);
    let tasks: Vec<_> = (0..10_000)
        .map(|number| {
            let cache = cache.clone();
            tokio::spawn(async move { (number, cache.check(format!("https://shop.example/{number}")).await) })
        })
        .collect();
    for task in tasks {
        let (number, check) = task.await.unwrap();
        assert_eq!(check.unwrap(), Check::Allowed, "{number}");
    }
    assert_eq!((client.requests(), cache.counters().fetches), (1, 1));
}

/// Who started the fetch goes away; the others still get their answer from it.
#[tokio::test]
async fn a_cancelled_waiter_does_not_cancel_the_others() {
    let client = Scripted::new([GOOD]).slowly(Duration::from_millis(100));
    let (cache, _) = cache(&client, &Dialect::GOOGLE);
    let first = tokio::spawn({
        let cache = cache.clone();
        async move { cache.check(URL).await }
    });
    tokio::time::sleep(Duration::from_millis(20)).await;
    let second = tokio::spawn({
        let cache = cache.clone();
        async move { cache.check(URL).await }
    });
    tokio::time::sleep(Duration::from_millis(20)).await;
    first.abort();
    assert_eq!(second.await.unwrap().unwrap(), BY_RULES);
    assert_eq!(client.requests(), 1);
    // Even if all go away, the result is kept.
    let client = Scripted::new([GOOD]).slowly(Duration::from_millis(50));
    let (cache, _) = self::cache(&client, &Dialect::GOOGLE);
    let gave_up = tokio::time::timeout(Duration::from_millis(10), cache.check(URL)).await;
    assert!(gave_up.is_err());
    settle(&cache).await;
    assert_eq!((cache.check(URL).await.unwrap(), client.requests()), (BY_RULES, 1));
}

/// Tasks that come and go, of many origins, on many threads: never two requests to an origin at the same time, and no
/// fetch is left over.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_origin_is_fetched_twice_at_the_same_time() {
    #[derive(Clone, Debug, Default)]
    struct Watched(Arc<Mutex<std::collections::BTreeMap<String, usize>>>, Arc<AtomicUsize>);

    impl Client for Watched {
        async fn get(&self, request: Request<'_>) -> Result<ClientAnswer, Fault> {
            let url = request.url.to_string();
            let open = {
                let mut open = self.0.lock().unwrap();
                let count = open.entry(url.clone()).or_default();
                *count += 1;
                *count
            };
            self.1.fetch_add(usize::from(open > 1), Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(1)).await;
            *self.0.lock().unwrap().get_mut(&url).unwrap() -= 1;
            // A failure, so that the origin is asked again when the clock goes on.
            Err(Fault::new(NetworkError::Reset, "as scripted"))
        }
    }

    let client = Watched::default();
    let fetcher = Fetcher::builder(UserAgent::new("TestBot (bot@bot.example)").unwrap()).build_with(client.clone());
    let clock = Clock(Arc::new(AtomicU32::new(START)));
    let time = clock.clone();
    let cache = RobotsCache::builder(Frontier::builder(Crawler::new("TestBot").unwrap()), fetcher)
        .clock(move || Time(time.0.load(Ordering::SeqCst)))
        .attempts(1, Duration::ZERO)
        .build()
        .unwrap();
    for round in 0..20 {
        // Each round begins when all failures can be retried.
        clock.set(round * DAY);
        let tasks: Vec<_> = (0..2_000_u32)
            .map(|number| {
                let cache = cache.clone();
                tokio::spawn(async move {
                    let url = format!("https://shop{}.example/{number}", number % 20);
                    let patience = Duration::from_micros(u64::from(number.wrapping_mul(2_654_435_761) % 4_000));
                    match tokio::time::timeout(patience, cache.check(url)).await {
                        Ok(check) => assert!(!check.unwrap().is_allowed() || round > 0),
                        Err(_gave_up) => {}
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
    }
    while cache.counters().in_flight > 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(client.1.load(Ordering::SeqCst), 0);
    assert_eq!(client.0.lock().unwrap().values().sum::<usize>(), 0);
    assert_eq!(cache.counters().fetches, 20 * 20);
}

#[tokio::test]
async fn a_client_that_panics_leaves_nobody_waiting() {
    let client = Scripted::new([Next::Panic, GOOD]);
    let (cache, _) = cache(&client, &Dialect::GOOGLE);
    assert_eq!(cache.check(URL).await.unwrap(), Check::Unknown(origin()));
    assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
    assert_eq!(cache.counters().in_flight, 0);
}

/// What a fetch that panics leaves is no answer, if it has expired.
#[tokio::test]
async fn an_expired_allow_is_no_answer_after_a_panic() {
    for dialect in [&Dialect::GOOGLE, &Dialect::RFC9309] {
        let client = Scripted::new([Next::Status(404, &[], ""), Next::Panic, GOOD]);
        let (cache, clock) = cache(&client, dialect);
        assert_eq!(cache.check(URL).await.unwrap(), Check::Allowed);
        clock.set(20 * DAY);
        assert_eq!(cache.check(URL).await.unwrap(), Check::Unknown(origin()), "{}", dialect.name);
        assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
    }
}

/// A result that counts for no time at all is still the answer to those who waited for it.
#[tokio::test]
async fn a_result_that_expires_at_once_is_an_answer() {
    let client = Scripted::new([Next::Status(200, &[("cache-control", "max-age=0")], RULES)]);
    for dialect in Dialect::ALL {
        let (cache, _) = cache(&client, dialect);
        assert_eq!(cache.check(URL).await.unwrap(), BY_RULES, "{}", dialect.name);
        assert_eq!(cache.check("https://shop.example/").await.unwrap(), Check::Allowed, "{}", dialect.name);
    }
}

#[tokio::test]
async fn an_expired_file_is_fetched_before_the_answer() {
    let client = Scripted::new([
        Next::Status(200, &[("cache-control", "max-age=3600")], RULES),
        Next::Status(200, &[], "User-agent: *\nDisallow: /help\n"),
    ]);
    let (builder, clock) = builder(&client, &Dialect::RFC9309);
    let cache = builder.refresh_ahead(Duration::ZERO).build().unwrap();
    assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
    clock.set(3_599);
    assert_eq!((cache.check(URL).await.unwrap(), client.requests()), (BY_RULES, 1));
    clock.set(3_600);
    assert_eq!((cache.check(URL).await.unwrap(), client.requests()), (Check::Allowed, 2));
    // Without a word of the server, a day.
    clock.set(3_600 + DAY - 1);
    assert_eq!((cache.check(URL).await.unwrap(), client.requests()), (Check::Allowed, 2));
    clock.set(3_600 + DAY);
    assert_eq!((cache.check(URL).await.unwrap(), client.requests()), (Check::Allowed, 3));
}

#[tokio::test]
async fn a_file_is_refreshed_ahead_of_its_expiry() {
    let client = Scripted::new([GOOD, Next::Status(304, &[], "")]);
    let (cache, clock) = cache(&client, &Dialect::GOOGLE);
    assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
    clock.set(DAY - 3_601);
    assert_eq!((cache.check(URL).await.unwrap(), client.requests()), (BY_RULES, 1));
    settle(&cache).await;
    clock.set(DAY - 3_600);
    assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
    settle(&cache).await;
    assert_eq!(client.requests(), 2);
    let counters = cache.counters();
    assert_eq!((counters.refreshes, counters.not_modified, counters.waits), (1, 1, 1));
    // The copy counts for another day from then on.
    clock.set(DAY + 3_600);
    assert_eq!((cache.check(URL).await.unwrap(), client.requests()), (BY_RULES, 2));
}

/// While the copy is fresh, a refresh that fails changes nothing; it is tried again, but not at every check.
#[tokio::test]
async fn a_failed_refresh_keeps_the_fresh_copy() {
    let client = Scripted::new([GOOD, Next::Error(NetworkError::Reset)]);
    let (cache, clock) = cache(&client, &Dialect::GOOGLE);
    assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
    clock.set(DAY - 1_000);
    for _ in 0..5 {
        assert_eq!(cache.check("https://shop.example/").await.unwrap(), Check::Allowed);
        settle(&cache).await;
    }
    assert_eq!(client.requests(), 2);
    clock.set(DAY - 700);
    assert_eq!(cache.check("https://shop.example/").await.unwrap(), Check::Allowed);
    settle(&cache).await;
    assert_eq!(client.requests(), 3);
    // Once it has expired, the failure counts: at first nothing is allowed.
    clock.set(DAY);
    assert_eq!(cache.check("https://shop.example/").await.unwrap(), BY_FAILURE);
    assert_eq!(client.requests(), 4);
}

/// A server that says when to come back is not asked before, not even when the copy expires.
#[tokio::test]
async fn a_refresh_that_is_refused_binds_the_next_fetch() {
    for (refusal, is_bound, answer) in [
        (Next::Status(429, &[("retry-after", "86400")], ""), true, BY_FAILURE),
        (Next::Status(503, &[("retry-after", "86400")], ""), true, BY_SERVER),
        (Next::Status(503, &[], ""), false, Check::Allowed),
    ] {
        let client = Scripted::new([GOOD, refusal.clone(), GOOD]);
        let (cache, clock) = cache(&client, &Dialect::GOOGLE);
        assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
        clock.set(DAY - 100);
        assert_eq!(cache.check("https://shop.example/").await.unwrap(), Check::Allowed);
        settle(&cache).await;
        // The copy counts until it expires, then the refusal.
        clock.set(DAY - 1);
        assert_eq!(cache.check("https://shop.example/").await.unwrap(), Check::Allowed);
        settle(&cache).await;
        assert_eq!(client.requests(), 2, "{refusal:?}");
        // It binds before it is recorded.
        let retry_at = is_bound.then_some(Time(START + 2 * DAY - 100));
        assert_eq!(cache.retry_at(&origin()), retry_at, "{refusal:?}");
        clock.set(DAY);
        for _ in 0..2 {
            assert_eq!(cache.check("https://shop.example/").await.unwrap(), answer, "{refusal:?}");
        }
        settle(&cache).await;
        assert_eq!(client.requests(), if is_bound { 2 } else { 3 }, "{refusal:?}");
        if is_bound {
            assert_eq!(cache.retry_at(&origin()), Some(Time(START + 2 * DAY - 100)));
            clock.set(2 * DAY - 101);
            let _ = cache.check(URL).await.unwrap();
            assert_eq!(client.requests(), 2, "{refusal:?}");
            clock.set(2 * DAY - 100);
            assert_eq!((cache.check(URL).await.unwrap(), client.requests()), (BY_RULES, 3), "{refusal:?}");
        }
    }
}

#[tokio::test]
async fn stale_answers_only_if_the_caller_wants_them_and_the_dialect_allows_it() {
    for (dialect, answer) in [(&Dialect::GOOGLE, BY_RULES), (&Dialect::RFC9309, Check::Allowed)] {
        let client = Scripted::new([GOOD, Next::Status(404, &[], "")]);
        let (builder, clock) = builder(&client, dialect);
        let cache = builder.refresh_ahead(Duration::ZERO).stale_for(Duration::from_secs(600)).build().unwrap();
        assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
        clock.set(DAY + 599);
        assert_eq!(cache.check(URL).await.unwrap(), answer, "{}", dialect.name);
        settle(&cache).await;
        assert_eq!(cache.check(URL).await.unwrap(), Check::Allowed, "{}", dialect.name);
        assert_eq!(client.requests(), 2);
    }
}

#[tokio::test]
async fn requests_are_conditional_while_the_copy_is_held() {
    const BUSY: Next = Next::Status(503, &[("etag", "\"of the error page\"")], "busy");
    let client = Scripted::new([
        Next::Status(200, &[("etag", "\"v1\""), ("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT")], RULES),
        Next::Status(304, &[], ""),
        BUSY,
        Next::Status(304, &[("etag", "\"v2\"")], ""),
        Next::Status(404, &[("etag", "\"of the 404\"")], ""),
        GOOD,
    ]);
    let (builder, clock) = builder(&client, &Dialect::GOOGLE);
    let cache = builder.refresh_ahead(Duration::ZERO).build().unwrap();
    let mut now = 0;
    let v1 = Some(HeaderValue::from_static("\"v1\""));
    for (answer, condition) in [
        (BY_RULES, None),
        (BY_RULES, v1.clone()),
        (BY_SERVER, v1.clone()),
        // The copy is held through the failure, so its validators are, too.
        (BY_RULES, v1),
        (Check::Allowed, Some(HeaderValue::from_static("\"v2\""))),
        // A missing file ends the copy.
        (BY_RULES, None),
    ] {
        let before = client.requests();
        assert_eq!(cache.check(URL).await.unwrap(), answer, "at {now}");
        assert_eq!((client.requests(), client.last("if-none-match")), (before + 1, condition.clone()), "at {now}");
        let since = client.last("if-modified-since").is_some();
        assert_eq!(since, condition.is_some_and(|value| value == "\"v1\""));
        now += DAY;
        clock.set(now);
    }
}

/// A 304 is about the copy whose validators were sent, not about one that was recorded meanwhile.
#[tokio::test]
async fn a_304_renews_no_other_copy() {
    const NEW: Next = Next::Status(200, &[("etag", "\"v3\"")], "User-agent: *\nDisallow: /new\n");
    for body in [&b"User-agent: *\nDisallow: /help\n"[..], b""] {
        let client = Scripted::new([GOOD, Next::Status(304, &[], ""), NEW]).slowly(Duration::from_millis(50));
        let (cache, clock) = cache(&client, &Dialect::GOOGLE);
        assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
        clock.set(DAY - 1_000);
        assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
        tokio::time::sleep(Duration::from_millis(10)).await;
        cache.frontier().record(&origin(), &Response::new(200, body), Time(START + DAY - 1_000)).unwrap();
        settle(&cache).await;
        assert_eq!((client.requests(), client.last("if-none-match")), (3, None));
        assert_eq!(cache.check("https://shop.example/new").await.unwrap(), BY_RULES);
        assert_eq!(cache.check(URL).await.unwrap(), Check::Allowed);
    }
}

/// A 304 to a request without a condition is a failure: the origin is left alone for five minutes.
#[tokio::test]
async fn a_304_that_nobody_asked_for_is_no_answer() {
    let client = Scripted::new([Next::Status(304, &[], ""), GOOD]);
    let (cache, clock) = cache(&client, &Dialect::GOOGLE);
    for _ in 0..3 {
        assert_eq!(cache.check(URL).await.unwrap(), BY_FAILURE);
    }
    assert_eq!((client.requests(), cache.retry_at(&origin())), (1, Some(Time(START + 300))));
    clock.set(300);
    assert_eq!((cache.check(URL).await.unwrap(), client.requests()), (BY_RULES, 2));
}

/// The copy came without validators, so the request has no condition, and a 304 renews nothing.
#[tokio::test]
async fn a_304_that_nobody_asked_for_renews_no_copy() {
    let client = Scripted::new([Next::Status(200, &[], ""), Next::Status(304, &[], "")]);
    let (cache, clock) = cache(&client, &Dialect::GOOGLE);
    assert_eq!(cache.check(URL).await.unwrap(), Check::Allowed);
    clock.set(DAY);
    assert_eq!((cache.check(URL).await.unwrap(), client.requests()), (BY_FAILURE, 2));
}

#[tokio::test]
async fn failures_disallow_and_are_retried_with_growing_intervals() {
    let client = Scripted::new([Next::Error(NetworkError::Timeout)]);
    let (cache, clock) = cache(&client, &Dialect::GOOGLE);
    let mut asked = Vec::new();
    for minute in 0..12 * 60 {
        clock.set(minute * 60);
        let before = client.requests();
        assert_eq!(cache.check(URL).await.unwrap(), BY_FAILURE, "minute {minute}");
        if client.requests() > before {
            asked.push(minute);
        }
    }
    assert_eq!(asked, [0, 5, 10, 15, 23, 35, 53, 80, 120, 180, 270, 405, 608]);
    assert_eq!(cache.counters().failures, asked.len() as u64);
    // After 12 hours nothing is known until another attempt fails; then `google` takes it for a site without rules.
    clock.set(12 * 3_600);
    assert_eq!(cache.check(URL).await.unwrap(), Check::Unknown(origin()));
    let retry = cache.retry_at(&origin()).unwrap();
    clock.set(retry.0 - START);
    assert_eq!(cache.check(URL).await.unwrap(), Check::Allowed);
}

#[tokio::test]
async fn retry_after_is_obeyed() {
    for status in [429, 503] {
        let client = Scripted::new([Next::Status(status, &[("retry-after", "7200")], ""), GOOD]);
        let (cache, clock) = cache(&client, &Dialect::GOOGLE);
        for (seconds, requests) in [(0, 1), (300, 1), (7_199, 1), (7_200, 2)] {
            clock.set(seconds);
            assert!(!cache.check(URL).await.unwrap().is_allowed());
            assert_eq!(client.requests(), requests, "{status} at {seconds}");
        }
    }
    // For longer than failures mean "disallowed": nothing is known, and the server is still left alone.
    let client = Scripted::new([Next::Status(503, &[("retry-after", "86400")], ""), GOOD]);
    let (cache, clock) = cache(&client, &Dialect::GOOGLE);
    assert_eq!(cache.check(URL).await.unwrap(), BY_SERVER);
    clock.set(13 * 3_600);
    assert_eq!((cache.check(URL).await.unwrap(), client.requests()), (Check::Unknown(origin()), 1));
    clock.set(DAY);
    assert_eq!((cache.check(URL).await.unwrap(), client.requests()), (BY_RULES, 2));
}

/// A page in place of a file that is fresh, which says when to come back, is recorded when the file expires: still as a
/// failure, though its body is gone by then.
#[tokio::test]
async fn a_refusal_that_is_recorded_later_opens_no_site() {
    let cautious = Dialect { fetch: Dialect::GOOGLE.fetch.cautious(), ..Dialect::GOOGLE };
    let page = Next::Status(200, &[("retry-after", "7200")], "<!doctype html><title>Wait</title>");
    let challenge = Next::Status(404, &[("retry-after", "7200"), ("cf-mitigated", "challenge")], "");
    for refused in [page, challenge] {
        let client = Scripted::new([GOOD, refused]);
        let (cache, clock) = cache(&client, &cautious);
        assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
        clock.set(DAY - 1_800);
        assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
        settle(&cache).await;
        clock.set(DAY + 600);
        assert_eq!((cache.check(URL).await.unwrap(), client.requests()), (BY_FAILURE, 2));
    }
}

/// A dialect that takes 429 for a missing file allows, and still leaves the server alone for as long as it wants.
#[tokio::test]
async fn retry_after_is_obeyed_by_a_dialect_that_allows_on_429() {
    let fields = &[("retry-after", "7200"), ("cache-control", "max-age=600")];
    let client = Scripted::new([Next::Status(429, fields, ""), GOOD]);
    let (cache, clock) = cache(&client, &Dialect::RFC9309);
    for (seconds, requests) in [(0, 1), (600, 1), (7_199, 1), (7_200, 2)] {
        clock.set(seconds);
        assert_eq!(cache.check(URL).await.unwrap().is_allowed(), requests == 1, "{seconds}");
        settle(&cache).await;
        assert_eq!(client.requests(), requests, "at {seconds}");
    }
}

/// While a fetch waits for its next attempt, others have its turn.
#[tokio::test(start_paused = true)]
async fn a_wait_between_attempts_takes_no_turn() {
    let client = Scripted::new([Next::Error(NetworkError::Reset), GOOD]);
    let (builder, _) = builder(&client, &Dialect::GOOGLE);
    let cache = builder.max_fetches(1).attempts(2, Duration::from_secs(30)).build().unwrap();
    let failing = tokio::spawn({
        let cache = cache.clone();
        async move { cache.check("https://slow.example/cart").await }
    });
    tokio::task::yield_now().await;
    let started = tokio::time::Instant::now();
    for number in 0..10 {
        assert_eq!(cache.check(format!("https://shop{number}.example/cart")).await.unwrap(), BY_RULES);
    }
    assert!(started.elapsed() < Duration::from_secs(1));
    assert_eq!((failing.await.unwrap().unwrap(), client.requests()), (BY_RULES, 12));
}

/// A client that panics passes its turn on.
#[tokio::test]
async fn a_panic_takes_no_turn_with_it() {
    let client = Scripted::new([Next::Panic, Next::Panic, GOOD]);
    let (builder, _) = builder(&client, &Dialect::GOOGLE);
    let cache = builder.max_fetches(1).build().unwrap();
    let tasks: Vec<_> = (0..20)
        .map(|number| {
            let cache = cache.clone();
            tokio::spawn(async move { cache.check(format!("https://shop{number}.example/cart")).await })
        })
        .collect();
    let mut unknown = 0;
    for task in tasks {
        unknown += usize::from(matches!(task.await.unwrap().unwrap(), Check::Unknown(_)));
    }
    assert_eq!((unknown, client.requests()), (2, 20));
}

#[tokio::test(start_paused = true)]
async fn a_network_error_is_tried_again_at_once_and_a_status_is_not() {
    for (next, attempts, answer) in [
        (vec![Next::Error(NetworkError::Reset), GOOD], 2, BY_RULES),
        (vec![Next::Error(NetworkError::Connect), Next::Error(NetworkError::Timeout), GOOD], 3, BY_RULES),
        (vec![Next::Error(NetworkError::Reset)], 3, BY_FAILURE),
        (vec![Next::Error(NetworkError::Dns), GOOD], 1, BY_FAILURE),
        (vec![Next::Error(NetworkError::Refused), GOOD], 1, BY_FAILURE),
        (vec![Next::Status(500, &[], ""), GOOD], 1, BY_SERVER),
    ] {
        let client = Scripted::new(next.clone());
        let (builder, _) = builder(&client, &Dialect::GOOGLE);
        let cache = builder.attempts(3, Duration::from_secs(1)).build().unwrap();
        let started = tokio::time::Instant::now();
        assert_eq!((cache.check(URL).await.unwrap(), client.requests()), (answer, attempts), "{next:?}");
        // A second, then two, each with up to a half more.
        let least = [0, 1, 3][attempts - 1];
        let waited = started.elapsed().as_secs_f64();
        assert!((least as f64..=least as f64 * 1.5 + 0.1).contains(&waited), "{next:?}: {waited}");
        assert_eq!(cache.counters().retries as usize, attempts - 1);
    }
}

#[tokio::test]
async fn fetches_at_the_same_time_are_limited() {
    let client = Scripted::new([GOOD]).slowly(Duration::from_millis(5));
    let (builder, _) = builder(&client, &Dialect::GOOGLE);
    let cache = builder.max_fetches(3).build().unwrap();
    let tasks: Vec<_> = (0..50)
        .map(|number| {
            let cache = cache.clone();
            tokio::spawn(async move { cache.check(format!("https://shop{number}.example/cart")).await })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap().unwrap(), BY_RULES);
    }
    assert_eq!((client.requests(), client.0.most_open.load(Ordering::SeqCst)), (50, 3));
}

/// With no memory, each origin is fetched each time; an answer is still an answer.
#[tokio::test]
async fn a_small_memory_asks_again() {
    let client = Scripted::new([GOOD]);
    let user_agent = UserAgent::new("TestBot/1.0 (+https://bot.example/)").unwrap();
    let fetcher = Fetcher::builder(user_agent).build_with(client.clone());
    let frontier = Frontier::builder(Crawler::new("TestBot").unwrap()).memory(0);
    let cache = RobotsCache::builder(frontier, fetcher).clock(|| Time(START)).build().unwrap();
    for number in 0..300 {
        assert_eq!(cache.check(format!("https://shop{}.example/cart", number % 150)).await.unwrap(), BY_RULES);
    }
    assert!(client.requests() > 150 && cache.counters().frontier.held <= 64);
}

#[tokio::test]
async fn a_pack_carries_what_was_fetched_to_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.pack");
    let client = Scripted::new([GOOD]);
    let (first, _) = builder(&client, &Dialect::GOOGLE);
    let cache = first.pack_file(&path).build().unwrap();
    assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
    client.then([Next::Status(404, &[], "")]);
    assert_eq!(cache.check("https://empty.example/cart").await.unwrap(), Check::Allowed);
    client.then([Next::Error(NetworkError::Dns)]);
    assert_eq!(cache.check("https://down.example/").await.unwrap(), BY_FAILURE);
    settle(&cache).await;
    assert_eq!(cache.save().await.unwrap().origins, 3);

    // The next run asks nobody.
    let client = Scripted::new([Next::Panic]);
    let (second, clock) = builder(&client, &Dialect::GOOGLE);
    let cache = second.pack_file(&path).build().unwrap();
    clock.set(60);
    assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
    assert_eq!(cache.check("https://shop.example/").await.unwrap(), Check::Allowed);
    assert_eq!(cache.check("https://empty.example/cart").await.unwrap(), Check::Allowed);
    assert_eq!(cache.check("https://down.example/").await.unwrap(), BY_FAILURE);
    assert_eq!(cache.crawl_delay(&origin()), Some(Duration::from_secs(7)));
    assert_eq!(cache.sitemaps(&origin()).len(), 1);
    assert_eq!(client.requests(), 0);

    // What it fetches joins what the file holds; a failure keeps the good copy.
    client.then([Next::Error(NetworkError::Dns)]);
    clock.set(DAY);
    assert_eq!(cache.check(URL).await.unwrap(), BY_FAILURE);
    settle(&cache).await;
    assert_eq!(cache.save().await.unwrap().origins, 3);
    client.then([GOOD]);
    assert_eq!(cache.check("https://new.example/cart").await.unwrap(), BY_RULES);
    settle(&cache).await;
    assert_eq!(cache.save().await.unwrap().origins, 4);

    let client = Scripted::new([Next::Error(NetworkError::Dns)]);
    let (third, clock) = builder(&client, &Dialect::GOOGLE);
    let cache = third.pack_file(&path).build().unwrap();
    clock.set(DAY + 60);
    assert_eq!(cache.check("https://new.example/cart").await.unwrap(), BY_RULES);
    assert_eq!(cache.check(URL).await.unwrap(), BY_FAILURE);
    // 12 hours of failures later the copy counts again, once another attempt failed.
    clock.set(DAY + 12 * 3_600);
    assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
    assert_eq!(cache.check("https://shop.example/").await.unwrap(), Check::Allowed);
}

/// The copy of a pack has no validators: the request is unconditional.
#[tokio::test]
async fn a_copy_of_a_pack_is_fetched_in_full() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.pack");
    let client = Scripted::new([GOOD]);
    let (first, _) = builder(&client, &Dialect::GOOGLE);
    let cache = first.pack_file(&path).build().unwrap();
    assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
    settle(&cache).await;
    cache.save().await.unwrap();
    let (second, clock) = builder(&client, &Dialect::GOOGLE);
    let cache = second.pack_file(&path).build().unwrap();
    clock.set(DAY);
    assert_eq!(cache.check(URL).await.unwrap(), BY_RULES);
    assert_eq!((client.requests(), client.last("if-none-match")), (2, None));
}

#[tokio::test]
async fn a_cache_says_what_is_wrong() {
    let client = Scripted::new([GOOD]);
    let (cache, _) = cache(&client, &Dialect::GOOGLE);
    let error = cache.save().await.unwrap_err().to_string();
    assert!(error.contains("pack_file"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.pack");
    std::fs::write(&path, "no pack").unwrap();
    let (broken, _) = builder(&client, &Dialect::GOOGLE);
    assert!(broken.pack_file(&path).build().is_err());
    let fetcher = Fetcher::builder(UserAgent::new("TestBot (bot@bot.example)").unwrap()).build_with(client);
    let pool = Frontier::builder(Crawler::pool(["A", "B"]).unwrap());
    let error = RobotsCache::builder(pool, fetcher).pack_file(folder.path().join("new.pack")).build().unwrap_err();
    assert!(error.to_string().contains("pool"), "{error}");
}

/// Addresses in URLs are refused with any client.
#[tokio::test]
async fn literal_addresses_are_refused_before_the_client_is_asked() {
    let client = Scripted::new([GOOD]);
    let (cache, _) = cache(&client, &Dialect::GOOGLE);
    for address in ["127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]", "[::ffff:10.0.0.1]"] {
        assert_eq!(cache.check(format!("http://{address}/")).await.unwrap(), BY_FAILURE, "{address}");
    }
    assert_eq!(client.requests(), 0);
}
