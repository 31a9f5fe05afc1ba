//! The frontier over memory: the same verdicts as the rules themselves, in every tier, while policies come, change and
//! go.
#![cfg(feature = "frontier")]

mod shared_data;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use robotsc::frontier::{By, Check, Frontier, FrontierBuilder, FrontierVerdict, Reason};
use robotsc::origin::Origin;
use robotsc::outcome::{Access, Capture, FetchRecord, NetworkError, Outcome, Response, Time, UnknownReason};
use robotsc::{Crawler, Dialect, Verdict};

const DAY: u32 = 86_400;

fn good(body: &[u8]) -> Response<'_> {
    Response::new(200, body)
}

fn builder() -> FrontierBuilder {
    Frontier::builder(Crawler::new("FooBot").unwrap())
}

fn origin(text: &str) -> Origin {
    text.parse().expect("an origin")
}

/// A recorded question: the URL, its origin and whether FooBot may.
struct Question {
    url: Vec<u8>,
    origin: Origin,
    allowed: bool,
}

#[test]
fn recorded_verdicts_come_from_every_tier() {
    let Some(corpus) = shared_data::folder("corpus") else { return };
    // The bodies were given whole when the verdicts were recorded.
    let dialect = Dialect { max_file: None, ..Dialect::GOOGLE };
    let text = fs::read(corpus.join("frontier.tsv")).expect("the list is readable");
    let mut of_file: BTreeMap<&[u8], Vec<Question>> = BTreeMap::new();
    for line in text.split(|byte| *byte == b'\n').skip(1).filter(|line| !line.is_empty()) {
        let fields: Vec<&[u8]> = line.split(|byte| *byte == b'\t').collect();
        let [file, url, _, _, foobot] = fields[..] else { panic!("five fields: {}", line.escape_ascii()) };
        let Ok(origin) = Origin::of_url(url) else { continue };
        let question = Question { url: url.to_vec(), origin, allowed: foobot.starts_with(b"1:") };
        of_file.entry(file).or_default().push(question);
    }
    let questions: usize = of_file.values().map(Vec::len).sum();
    assert!(questions > 70_000, "{questions}");

    let now = Time(1_790_000_000);
    for compile_after in [u32::MAX, 1, 3] {
        let builder = builder().dialect(&dialect).compile_after(compile_after).robots_txt_by_rules(true);
        let frontier = builder.build().expect("a frontier");
        for (file, questions) in &of_file {
            let name = format!("{}.txt", str::from_utf8(file).expect("file names are ASCII"));
            let body = fs::read(corpus.join("robots").join(name)).expect("the file is readable");
            for origin in questions.iter().map(|question| &question.origin).collect::<BTreeSet<_>>() {
                assert_eq!(frontier.check(origin.as_bytes(), now), Ok(Check::Unknown(origin.clone())));
                assert!(frontier.record(origin, &good(&body), now).is_some());
            }
        }
        let mut wrong = Vec::new();
        for questions in of_file.values() {
            let urls: Vec<&[u8]> = questions.iter().map(|question| &*question.url).collect();
            let mut verdicts = Vec::new();
            frontier.verdicts(&urls, now, &mut verdicts);
            for (question, batched) in questions.iter().zip(verdicts) {
                let single = frontier.check(&question.url, now).map(|check| check.is_allowed());
                if single != Ok(question.allowed) || batched.map(FrontierVerdict::is_allowed) != single {
                    wrong.push(format!("{} {single:?} {batched:?}", question.url.escape_ascii()));
                }
            }
        }
        assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
        let counters = frontier.counters();
        assert_eq!((counters.evicted, counters.errors), (0, 0));
        assert_eq!(counters.compiled > 0, compile_after != u32::MAX, "{counters:?}");
    }
}

#[test]
fn an_overlay_only_disallows_more() {
    let now = Time(1_790_000_000);
    let overlay = |url: &robotsc::origin::SplitUrl<'_>| {
        let is_of_c = url.origin.ends_with(b"c.example");
        if is_of_c || url.path.as_bytes().starts_with(b"/private") { Verdict::Disallow } else { Verdict::Allow }
    };
    let frontier = builder().overlay(Box::new(overlay)).build().expect("a frontier");
    let body = b"User-agent: *\nDisallow: /x\nAllow: /private/\n";
    frontier.record(&origin("https://a.example"), &good(body), now);
    for (url, verdict, by) in [
        ("https://a.example/", FrontierVerdict::Allowed, By::Rules),
        ("https://a.example/x", FrontierVerdict::Disallowed, By::Rule { line: 2 }),
        ("https://a.example/private/", FrontierVerdict::Disallowed, By::Overlay),
        ("https://b.example/private/", FrontierVerdict::Disallowed, By::Overlay),
        ("https://b.example/x", FrontierVerdict::Unknown, By::Unknown(UnknownReason::NotHeld)),
        ("https://b.example/robots.txt", FrontierVerdict::Allowed, By::RobotsTxt),
        ("https://c.example/robots.txt", FrontierVerdict::Allowed, By::RobotsTxt),
    ] {
        let answer = frontier.explain(url.as_bytes(), now).expect("a URL");
        assert_eq!((answer.verdict, answer.by), (verdict, by), "{url}");
    }
}

#[test]
fn an_older_fetch_changes_nothing_and_a_failed_one_keeps_the_rules() {
    let frontier = Frontier::for_agent("FooBot").expect("a name");
    let (site, url) = (origin("https://a.example"), b"https://a.example/x");
    let at = |hours: u32| Time(1_790_000_000 + hours * 3_600);
    assert!(frontier.record(&site, &good(b"User-agent: *\nDisallow: /x\n"), at(2)).is_some());
    assert!(frontier.record(&site, &good(b""), at(1)).is_none());
    assert_eq!(frontier.check(url, at(2)), Ok(Check::Disallowed(Reason::Rules)));

    // The page of an error is no rules, however it reads.
    let error = Response::new(503, b"User-agent: *\nAllow: /\n");
    for hours in [30, 31, 36] {
        let record = frontier.record(&site, &error, at(hours)).expect("it is newer");
        assert_eq!((record.outcome, record.good_at), (Outcome::ServerError, Some(at(2))));
    }
    // Within the first hours of failure nothing is allowed. Later the good copy counts, once a fetch failed again.
    let by_fetch = Check::Disallowed(Reason::Fetch(Outcome::ServerError));
    assert_eq!(frontier.check(b"https://a.example/", at(36)), Ok(by_fetch));
    assert_eq!(frontier.check(b"https://a.example/", at(50)), Ok(Check::Unknown(site.clone())));
    frontier.record(&site, &error, at(48)).expect("it is newer");
    assert_eq!(frontier.check(b"https://a.example/", at(50)), Ok(Check::Allowed));
    assert_eq!(frontier.check(url, at(50)), Ok(Check::Disallowed(Reason::Rules)));
    // Not modified: the same rules, for another day.
    let record = frontier.record(&site, &Response::new(304, b""), at(51)).expect("it is newer");
    assert_eq!((record.outcome, record.good_at), (Outcome::Rules, Some(at(2))));
    assert_eq!(frontier.check(url, at(52)), Ok(Check::Disallowed(Reason::Rules)));
}

#[test]
fn the_rules_line_stays_when_the_policy_is_compiled() {
    let frontier = builder().compile_after(2).build().expect("a frontier");
    let now = Time(1_790_000_000);
    let body = b"User-agent: *\nCrawl-delay: 2\nDisallow: /x\nSitemap: https://a.example/s.xml\n";
    let site = origin("https://a.example");
    frontier.record(&site, &good(body), now);
    for _ in 0..5 {
        let explained = frontier.explain(b"https://a.example/x", now).expect("a URL");
        assert_eq!((explained.verdict, explained.by), (FrontierVerdict::Disallowed, By::Rule { line: 3 }));
        assert_eq!(explained.record, frontier.fetch_record(&site));
        assert_eq!(frontier.crawl_delay(&site), Some(Duration::from_secs(2)));
        assert_eq!(frontier.sitemaps(&site), [b"https://a.example/s.xml"]);
    }
    assert_eq!(frontier.counters().compiled, 1);
}

#[test]
fn chains_and_pools_are_answered_as_their_rules_are() {
    let now = Time(1_790_000_000);
    let body = b"User-agent: a\nDisallow: /a\n\nUser-agent: b\nDisallow: /b\n\nUser-agent: *\nDisallow: /\n";
    for (crawler, allowed) in [
        (Crawler::chain(["x", "b", "a"]).unwrap(), ["/a"].as_slice()),
        (Crawler::pool(["a", "b"]).unwrap(), &[]),
        (Crawler::pool(["a", "x"]).unwrap(), &["/b"]),
        (Crawler::chain(["x"]).unwrap(), &[]),
    ] {
        let frontier = Frontier::builder(crawler.clone()).build().expect("a frontier");
        frontier.record(&origin("https://a.example"), &good(body), now);
        for path in ["/a", "/b"] {
            let check = frontier.check(format!("https://a.example{path}").as_bytes(), now).expect("a URL");
            assert_eq!(check.is_allowed(), allowed.contains(&path), "{crawler:?} {path}");
        }
    }
}

#[test]
fn a_name_that_no_group_can_name_is_an_error() {
    for name in ["", "FooBot/2.1", "FooBot ", "Foo Bot", "FooBot,BarBot", "*", "Mozilla/5.0 (compatible; FooBot/2.1)"] {
        assert!(Frontier::for_agent(name).is_err(), "{name:?}");
    }
    for name in ["FooBot", "MJ12bot", "archive.org_bot", "B\u{f6}t"] {
        assert!(Frontier::for_agent(name).is_ok(), "{name:?}");
    }
}

#[test]
fn a_state_that_was_stored_is_restored() {
    let (now, site) = (Time(1_790_000_000), origin("https://a.example"));
    let failed = FetchRecord {
        outcome: Outcome::Unreachable,
        fetched_at: now,
        expires_at: Time(now.0 + 300),
        good_at: Some(Time(now.0 - DAY)),
        failing_since: Some(Time(now.0 - DAY / 2 - 1)),
    };
    let frontier = Frontier::for_agent("FooBot").expect("a name");
    let capture = Capture::restored(failed, Some(b"User-agent: *\nDisallow: /x\n")).expect("they belong together");
    assert!(frontier.restore(&site, &capture));
    assert_eq!(frontier.check(b"https://a.example/x", now), Ok(Check::Disallowed(Reason::Rules)));
    assert_eq!(frontier.check(b"https://a.example/y", now), Ok(Check::Allowed));
    assert_eq!(frontier.fetch_record(&site), Some(failed));
    assert!(frontier.record(&site, &good(b""), Time(now.0 - 1)).is_none());
}

/// Responses that bring no rules, whatever their bodies say.
fn failed_response() -> impl Strategy<Value = Response<'static>> {
    let body = prop_oneof![Just(&b""[..]), Just(&b"User-agent: *\nAllow: /\n"[..]), Just(&b"<html></html>"[..])];
    // 206 is rules under some dialects.
    let status = prop_oneof![Just(300), Just(302), Just(304), Just(429), 500..600_u16, Just(100), Just(999)];
    let response = (status, body, 0..5_u8)
        .prop_map(|(status, body, redirects)| Response::new(status, body).with_redirects(redirects));
    prop_oneof![
        4 => response,
        1 => Just(Response::incomplete(200)),
        1 => Just(Response::incomplete(503)),
        1 => Just(Response::failed(NetworkError::Timeout)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Failed responses open nothing by their bodies: a URL that the good copy disallows is allowed at no time, and
    /// before any good copy only as the record of the same fetches says.
    #[test]
    fn failed_responses_allow_only_as_the_dialect_says(
        has_copy in any::<bool>(),
        responses in prop::collection::vec((failed_response(), 1..(DAY * 12)), 1..12),
        ask_after in 0..(DAY * 70),
        dialect in 0..5_usize,
    ) {
        let dialect = Dialect::ALL[dialect].clone();
        let frontier = builder().dialect(&dialect).build().expect("a frontier");
        let (site, mut now) = (origin("https://a.example"), Time(1_790_000_000));
        let mut record = None;
        if has_copy {
            record = frontier.record(&site, &good(b"User-agent: *\nDisallow: /\n"), now);
            prop_assert!(record.is_some());
        }
        for (response, wait) in responses {
            now = Time(now.0 + wait);
            let expected = FetchRecord::after(record.as_ref(), &response.result(now), &dialect);
            record = frontier.record(&site, &response, now);
            prop_assert_eq!(record, Some(expected));
        }
        let asked = Time(now.0 + ask_after);
        let force = record.expect("it was recorded").effective(&dialect, asked).access;
        let allowed = frontier.check(b"https://a.example/x", asked).expect("a URL").is_allowed();
        prop_assert_eq!(allowed, force == Access::AllowAll, "{:?}", force);
    }
}

/// The fetch time of what was dropped is kept, so that what comes in late is not taken for news; in a memory that is
/// bounded all the same.
#[test]
fn what_comes_in_late_is_not_news() {
    const HOSTS: u32 = 40_000;
    let memory = 1 << 20;
    let frontier = builder().memory(memory).build().expect("a frontier");
    let site = |host: u32| origin(&format!("https://h{host}.example"));
    let url = |host: u32| format!("https://h{host}.example/x");
    let start = 1_790_000_000;
    for host in 0..HOSTS {
        let response = good(b"User-agent: *\nDisallow: /\n");
        assert!(frontier.record(&site(host), &response, Time(start + host)).is_some());
    }
    let counters = frontier.counters();
    assert!(counters.held < 4_000 && counters.bytes <= memory as u64, "{counters:?}");
    let check = |host| frontier.check(url(host).as_bytes(), Time(start + HOSTS)).expect("a URL");
    assert_eq!((check(0), check(HOSTS - 1)), (Check::Unknown(site(0)), Check::Disallowed(Reason::Rules)));
    // A sixteenth of the budget holds 8,192 times, the newest of each set.
    let late = |host: u32| frontier.record(&site(host), &good(b""), Time(start + host - 1)).is_some();
    let taken = (HOSTS - 6_000..HOSTS).filter(|host| late(*host)).count();
    assert!(taken < 300, "{taken} of 6000");
    assert!((HOSTS - 6_000..HOSTS).filter(|host| check(*host) == Check::Allowed).count() <= taken);
    // The same fetch again, and a newer one, are taken.
    assert!(frontier.record(&site(HOSTS - 5_000), &good(b""), Time(start + HOSTS - 5_000)).is_some());
    assert!(frontier.record(&site(HOSTS - 5_000), &good(b""), Time(start + HOSTS)).is_some());
    assert!(frontier.record(&site(HOSTS - 5_000), &good(b""), Time(start + HOSTS - 1)).is_none());
}

/// A state that was dropped can have had rules, so that later failures never count as those of a site without.
#[test]
fn failures_after_a_dropped_state_do_not_open_the_site() {
    let at = |hours: u32| Time(1_790_000_000 + hours * 3_600);
    let rules = good(b"User-agent: *\nDisallow: /\n");
    let (site, url) = (origin("https://a.example"), b"https://a.example/x");
    for is_expired in [false, true] {
        let frontier = builder().memory(0).build().expect("a frontier");
        frontier.record(&site, &rules, at(0));
        if is_expired {
            frontier.expire(at(100), Duration::ZERO);
        } else {
            for host in 0..2_000 {
                frontier.record(&origin(&format!("https://h{host}.example")), &rules, at(0));
            }
        }
        assert_eq!(frontier.check(url, at(1)), Ok(Check::Unknown(site.clone())), "it was dropped");
        // The crawler still has the ETag of the copy that was dropped.
        frontier.record(&site, &Response::new(304, b""), at(1));
        assert_eq!(frontier.check(url, at(1)), Ok(Check::Unknown(site.clone())));
        assert_eq!(frontier.fetch_record(&site).expect("a record").outcome, Outcome::NotModified);
        frontier.expire(at(10_000), Duration::ZERO);
        for hours in [2, 15, 30, 800] {
            frontier.record(&site, &Response::new(503, b""), at(hours)).expect("it is newer");
            assert!(!frontier.check(url, at(hours)).expect("a URL").is_allowed(), "{hours} {is_expired}");
        }
    }
}

#[test]
fn a_304_without_its_copy_opens_nothing() {
    let frontier = Frontier::for_agent("FooBot").expect("a name");
    let (site, url) = (origin("https://a.example"), b"https://a.example/x");
    for hours in [0, 13, 40, 1_000] {
        let now = Time(1_790_000_000 + hours * 3_600);
        frontier.record(&site, &Response::new(304, b""), now).expect("it is newer");
        assert_eq!(frontier.check(url, now), Ok(Check::Unknown(site.clone())), "{hours}");
    }
}

#[test]
fn a_restored_failure_keeps_the_copy_that_is_held() {
    let frontier = Frontier::for_agent("FooBot").expect("a name");
    let at = |hours: u32| Time(1_790_000_000 + hours * 3_600);
    let (site, url) = (origin("https://a.example"), b"https://a.example/x");
    let error = Response::new(503, b"");
    frontier.record(&site, &good(b"User-agent: *\nDisallow: /\n"), at(0));
    assert!(frontier.restore(&site, &Capture::after(None, &error, at(1), &Dialect::GOOGLE)));
    assert_eq!(frontier.fetch_record(&site).expect("a record").good_at, Some(at(0)));
    frontier.record(&site, &error, at(14));
    assert_eq!(frontier.check(url, at(14)), Ok(Check::Disallowed(Reason::Rules)));
    // What was read under another dialect can mean something else here.
    let other = Capture::after(None, &Response::new(429, b""), at(20), &Dialect::RFC9309);
    assert!(!frontier.restore(&site, &other));
}

/// Whether a clock was wrong or a result came late, an older file never takes the place of a newer one.
#[test]
fn what_is_older_never_replaces_what_is_held() {
    let frontier = Frontier::for_agent("FooBot").expect("a name");
    let now = Time(1_790_000_000);
    let (site, url) = (origin("https://a.example"), b"https://a.example/x");
    frontier.record(&site, &good(b"User-agent: *\nDisallow: /\n"), now);
    for seconds in [1, DAY, DAY + 1, 3 * DAY, 400 * DAY] {
        let before = Time(now.0 - seconds);
        assert_eq!(frontier.record(&site, &good(b""), before), None, "{seconds}");
        assert!(!frontier.restore(&site, &Capture::after(None, &good(b""), before, &Dialect::GOOGLE)), "{seconds}");
        assert_eq!(frontier.check(url, now), Ok(Check::Disallowed(Reason::Rules)), "{seconds}");
    }
    assert!(frontier.record(&site, &good(b""), now).is_some(), "of one time the last counts");
}

#[test]
fn pages_in_place_of_a_file_are_counted_and_can_be_failures() {
    let (now, page) = (Time(1_790_000_000), good(b"<!doctype html><title>Log in</title>"));
    let (site, url) = (origin("https://a.example"), b"https://a.example/x");
    let cautious = Dialect { fetch: Dialect::GOOGLE.fetch.cautious(), ..Dialect::GOOGLE };
    for (dialect, response, check, others) in [
        (&Dialect::GOOGLE, page, Check::Allowed, 1),
        (&cautious, page, Check::Disallowed(Reason::Fetch(Outcome::Unreachable)), 1),
        (&Dialect::GOOGLE, Response::new(403, b""), Check::Allowed, 0),
        (&cautious, Response::new(403, b""), Check::Disallowed(Reason::Fetch(Outcome::Unreachable)), 0),
        (&cautious, Response::new(401, b""), Check::Disallowed(Reason::Fetch(Outcome::Unreachable)), 0),
        (&cautious, Response::new(404, b""), Check::Allowed, 0),
        (&cautious, good(b"# nothing\n"), Check::Allowed, 0),
    ] {
        let frontier = builder().dialect(dialect).build().expect("a frontier");
        frontier.record(&site, &response, now);
        assert_eq!(frontier.check(url, now), Ok(check), "{response:?}");
        assert_eq!(frontier.counters().other_bodies, others, "{response:?}");
    }
}

#[test]
fn what_is_listed_can_be_forgotten() {
    let frontier = Frontier::for_agent("FooBot").expect("a name");
    let (now, site) = (Time(1_790_000_000), origin("https://a.example"));
    assert!(!frontier.forget(&site) && frontier.recorded().is_empty());
    frontier.record(&site, &good(b"User-agent: *\nDisallow: /\n"), now);
    let listed: Vec<_> = frontier.recorded().into_iter().map(|(site, record)| (site, record.fetched_at)).collect();
    assert_eq!(listed, [(site.clone(), now)]);
    assert!(frontier.forget(&site));
    assert_eq!(frontier.check(b"https://a.example/x", now), Ok(Check::Unknown(site.clone())));
    assert!(frontier.record(&site, &good(b""), Time(now.0 - DAY)).is_some(), "what is forgotten keeps nothing out");
    let answer = frontier.explain(b"https://a.example/x", Time(now.0 + 60 * DAY)).expect("a URL");
    assert_eq!((answer.verdict, answer.by), (FrontierVerdict::Unknown, By::Unknown(UnknownReason::Expired)));
}

#[test]
fn a_state_from_the_future_says_nothing_until_it_is_forgotten() {
    let frontier = Frontier::for_agent("FooBot").expect("a name");
    let now = Time(1_790_000_000);
    let (site, url) = (origin("https://a.example"), b"https://a.example/x");
    frontier.record(&site, &Response::new(404, b""), Time(now.0 + 365 * DAY));
    assert_eq!(frontier.check(url, now), Ok(Check::Unknown(site.clone())));
    let rules = good(b"User-agent: *\nDisallow: /\n");
    assert_eq!(frontier.record(&site, &rules, now), None);
    assert!(frontier.forget(&site) && frontier.record(&site, &rules, now).is_some());
    assert_eq!(frontier.check(url, now), Ok(Check::Disallowed(Reason::Rules)));
}

#[test]
fn what_expired_is_unknown_again() {
    let frontier = Frontier::for_agent("FooBot").expect("a name");
    let now = Time(1_790_000_000);
    for (days, host) in [(0, "https://a.example"), (10, "https://b.example")] {
        let response = good(b"User-agent: *\nDisallow: /x\n");
        frontier.record(&origin(host), &response, Time(now.0 + days * DAY));
    }
    let later = Time(now.0 + 9 * DAY);
    assert_eq!(frontier.expire(later, Duration::from_secs(30 * u64::from(DAY))), 0);
    assert_eq!(frontier.expire(later, Duration::from_secs(u64::from(DAY))), 1);
    let unknown = Check::Unknown(origin("https://a.example"));
    assert_eq!(frontier.check(b"https://a.example/", later), Ok(unknown));
    assert_eq!(frontier.check(b"https://b.example/x", later), Ok(Check::Disallowed(Reason::Rules)));
    assert_eq!(frontier.counters().held, 1);
}

/// What is done to a frontier, and to the simple list that it is compared with.
#[derive(Clone, Debug)]
enum Step {
    Insert { host: u8, at: u32, lines: u8 },
    Ask { host: u8 },
    Expire { at: u32 },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0..6u8, 0..50u32, 0..9u8).prop_map(|(host, at, lines)| Step::Insert { host, at, lines }),
        6 => (0..6u8).prop_map(|host| Step::Ask { host }),
        1 => (0..60u32).prop_map(|at| Step::Expire { at }),
    ];
    prop::collection::vec(step, 1..60)
}

proptest! {
    #[test]
    fn it_answers_as_a_simple_list_does(steps in steps()) {
        let frontier = builder().compile_after(3).build().expect("a frontier");
        let mut list: BTreeMap<u8, (u32, u8)> = BTreeMap::new();
        // Of what went the time is known.
        let mut newest: BTreeMap<u8, u32> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Insert { host, at, lines } => {
                    let body = body(u32::from(lines));
                    let site = origin(&format!("https://h{host}.example"));
                    let taken = frontier.record(&site, &good(&body), Time(at)).is_some();
                    prop_assert_eq!(taken, newest.get(&host).is_none_or(|newest| *newest <= at));
                    if taken {
                        newest.insert(host, at);
                        list.insert(host, (at, lines));
                    }
                }
                Step::Ask { host } => {
                    let url = format!("https://h{host}.example/x");
                    let answer = frontier.explain(url.as_bytes(), Time(60)).expect("a URL");
                    prop_assert_eq!(frontier.check(url.as_bytes(), Time(60)).expect("a URL").is_allowed(), false);
                    let rule = |known: &(u32, u8)| By::Rule { line: u32::from(known.1) + 2 };
                    let by = list.get(&host).map_or(By::Unknown(UnknownReason::NotHeld), rule);
                    prop_assert_eq!(answer.by, by);
                }
                Step::Expire { at } => {
                    let before = list.len();
                    list.retain(|_, known| known.0 + DAY >= at + DAY);
                    let dropped = frontier.expire(Time(at + DAY), Duration::ZERO);
                    prop_assert_eq!(dropped, (before - list.len()) as u64);
                }
            }
        }
    }
}

/// A body whose rule stands in the line `number + 2`, so that an answer tells which body gave it.
fn body(number: u32) -> Vec<u8> {
    let mut body = b"User-agent: *\n".to_vec();
    body.extend(std::iter::repeat_n(b'\n', number as usize));
    body.extend_from_slice(b"Disallow: /x\n");
    body
}

/// Writers put in ever newer bodies, or drop them, while readers ask: an answer is never older than what was put in
/// before the question, and never an allow.
#[test]
fn readers_never_see_what_was_replaced() {
    const HOSTS: usize = 8;
    let rounds = if shared_data::full() { 20_000 } else { 1_500 };
    // In the second memory not all have room: some are always dropped.
    for memory in [1 << 20, 64 * 300] {
        let frontier = builder().compile_after(5).memory(memory).build().expect("a frontier");
        let origins: Vec<Origin> = (0..HOSTS).map(|host| origin(&format!("https://h{host}.example"))).collect();
        let urls: Vec<String> = (0..HOSTS).map(|host| format!("https://h{host}.example/x")).collect();
        let put_in: Vec<AtomicU32> = (0..HOSTS).map(|_| AtomicU32::new(0)).collect();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let writers: Vec<_> = (0..2)
                .map(|writer| {
                    let (frontier, origins, put_in) = (&frontier, &origins, &put_in);
                    scope.spawn(move || {
                        for round in 1..rounds {
                            for host in (writer..HOSTS).step_by(2) {
                                let body = body(round % 97);
                                assert!(frontier.record(&origins[host], &good(&body), Time(round)).is_some());
                                put_in[host].store(round, Ordering::Release);
                            }
                            if round % 100 == 0 {
                                frontier.expire(Time(round + DAY - 50), Duration::ZERO);
                            }
                        }
                    })
                })
                .collect();
            for _ in 0..3 {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        for host in 0..HOSTS {
                            let before = put_in[host].load(Ordering::Acquire);
                            let answer = frontier.explain(urls[host].as_bytes(), Time(rounds)).expect("a URL");
                            match answer.by {
                                By::Unknown(_) => assert_eq!(answer.verdict, FrontierVerdict::Unknown),
                                By::Rule { line } => {
                                    assert_eq!(answer.verdict, FrontierVerdict::Disallowed);
                                    // One round may have come in since; and more, if this thread slept.
                                    let after = put_in[host].load(Ordering::Acquire) + 1;
                                    let fits = (before..=after).any(|round| round % 97 + 2 == line);
                                    assert!(fits, "line {line}, rounds {before} to {after}");
                                }
                                other => panic!("{other:?}"),
                            }
                        }
                        let mut verdicts = Vec::new();
                        frontier.verdicts(&urls, Time(rounds), &mut verdicts);
                        assert!(verdicts.iter().all(|verdict| *verdict != Ok(FrontierVerdict::Allowed)));
                    }
                });
            }
            for writer in writers {
                writer.join().expect("no writer fails");
            }
            done.store(true, Ordering::Relaxed);
        });
        let counters = frontier.counters();
        assert_eq!(counters.inserted, (HOSTS as u64) * u64::from(rounds - 1));
        assert!(counters.bytes <= memory as u64 + 64 * 2_000, "{counters:?}");
    }
}
