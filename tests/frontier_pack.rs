//! The frontier over a pack and over memory: what is newer answers, and what was newer and went is not forgotten.
#![cfg(feature = "frontier")]

mod shared_data;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use robotsc::frontier::{By, Check, Frontier, FrontierBuilder, FrontierVerdict, Reason};
use robotsc::origin::Origin;
use robotsc::outcome::{Capture, NetworkError, Outcome, Response, Time, UnknownReason};
use robotsc::pack::{Pack, PackAgents, PackBuilder, PackOptions};
use robotsc::{Crawler, Dialect};

const HOUR: u32 = 3_600;
const DAY: u32 = 24 * HOUR;
/// When all of the pack was fetched.
const PACKED: Time = Time(1_790_000_000);

fn good(body: &[u8]) -> Response<'_> {
    Response::new(200, body)
}

fn origin(host: u8) -> Origin {
    format!("https://h{host}.example").parse().expect("an origin")
}

fn url(host: u8) -> String {
    format!("https://h{host}.example/x")
}

/// A body whose rule for `/x` stands in the line `number + 2`.
fn body(number: u8) -> Vec<u8> {
    let lines = "\n".repeat(usize::from(number));
    format!("User-agent: *\n{lines}Disallow: /x\n").into_bytes()
}

/// A pack of hosts, whose rules name their lines, and all of whose bodies are that of the number 0.
fn pack(hosts: std::ops::Range<u8>) -> Arc<Pack> {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("test.pack");
    let options = PackOptions {
        agents: PackAgents::only(["FooBot"]),
        deciding_rules: true,
        ..PackOptions::new(&Dialect::GOOGLE)
    };
    let mut builder = PackBuilder::new(options, &target).expect("the folder can be written");
    for host in hosts {
        let (origin, body) = (origin(host), body(0));
        let capture = Capture::after(None, &good(&body), PACKED, &Dialect::GOOGLE);
        builder.push(&origin, &capture).expect("there is room");
    }
    builder.finish().expect("there is room");
    Arc::new(Pack::open(&target).expect("it was just built"))
}

fn builder() -> FrontierBuilder {
    Frontier::builder(Crawler::new("FooBot").unwrap()).compile_after(3)
}

fn over(pack: Arc<Pack>, builder: FrontierBuilder) -> Frontier {
    builder.pack(pack).build().expect("the pack was built for this agent and dialect")
}

/// A verdict and what decided.
type Answer = (FrontierVerdict, By);

fn explain(frontier: &Frontier, url: &[u8], at: Time) -> Answer {
    let explanation = frontier.explain(url, at).expect("a URL");
    (explanation.verdict, explanation.by)
}

const fn by_line(line: u32) -> Answer {
    (FrontierVerdict::Disallowed, By::Rule { line })
}

const UNKNOWN: Answer = (FrontierVerdict::Unknown, By::Unknown(UnknownReason::NotHeld));

#[test]
fn a_pack_for_others_is_an_error_that_says_why() {
    let pack = pack(0..1);
    let chain = Crawler::chain(["BarBot", "FooBot"]).unwrap();
    let pool = Crawler::pool(["BarBot", "FooBot"]).unwrap();
    for (dialect, crawler, message) in [
        (&Dialect::GOOGLE, Crawler::new("BarBot").unwrap(), "the pack holds no rules for BarBot"),
        (&Dialect::RFC9309, Crawler::new("FooBot").unwrap(), "the pack was built under the dialect google"),
        (&Dialect::GOOGLE, chain, "the pack holds no rules for BarBot, else FooBot: build it for this crawler"),
        (&Dialect::GOOGLE, pool, "the pack holds no rules for BarBot and FooBot"),
    ] {
        let error = Frontier::builder(crawler).dialect(dialect).pack(pack.clone()).build().unwrap_err();
        assert!(error.to_string().starts_with(message), "{error}");
    }
    assert!(Frontier::builder(Crawler::new("foobot").unwrap()).pack(pack).build().is_ok());
}

#[test]
fn a_pack_answers_for_each_crawler_of_its_list() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("test.pack");
    let chain = Crawler::chain(["Foo-Image", "Foo"]).unwrap();
    let ads = Crawler::new("Foo-Ads").unwrap().named_only();
    let alone = Crawler::new("Foo-Image").unwrap();
    let agents = PackAgents::of([&chain, &ads]).expect("names");
    let options = PackOptions { agents, ..PackOptions::new(&Dialect::GOOGLE) };
    let mut builder = PackBuilder::new(options, &target).expect("the folder can be written");
    let body = b"User-agent: Foo\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n";
    builder.push(&origin(0), &Capture::after(None, &good(body), PACKED, &Dialect::GOOGLE)).expect("there is room");
    builder.finish().expect("there is room");
    let pack = Arc::new(Pack::open(&target).expect("it was just built"));
    pack.verify().expect("it is whole");
    for (crawler, disallowed) in [(&chain, &["/a"][..]), (&ads, &[])] {
        let frontier = Frontier::builder(crawler.clone()).pack(pack.clone()).build().expect("the list has it");
        let saved = folder.path().join("saved.pack");
        frontier.save(&saved).expect("there is room");
        let saved = Arc::new(Pack::open(&saved).expect("it was just saved"));
        let saved = Frontier::builder(crawler.clone()).pack(saved).build().expect("it was saved for this crawler");
        for path in ["/a", "/b", "/c"] {
            let url = format!("{}{path}", origin(0));
            for frontier in [&frontier, &saved] {
                let answer = frontier.check(&url, PACKED).expect("a URL");
                assert_eq!(answer.is_allowed(), !disallowed.contains(&path), "{crawler} {path}");
            }
        }
    }
    assert!(Frontier::builder(alone).pack(pack).build().is_err());
}

#[test]
fn a_chain_is_answered_from_a_pack_for_all_agents() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("test.pack");
    let mut builder = PackBuilder::new(PackOptions::new(&Dialect::GOOGLE), &target).expect("the folder can be written");
    let body = b"User-agent: a\nDisallow: /a\n\nUser-agent: b\nDisallow: /b\n\nUser-agent: *\nDisallow: /\n";
    builder.push(&origin(0), &Capture::after(None, &good(body), PACKED, &Dialect::GOOGLE)).expect("there is room");
    builder.finish().expect("there is room");
    let pack = Arc::new(Pack::open(&target).expect("it was just built"));
    for (names, allowed) in [(&["x", "B", "a"][..], &["/a"][..]), (&["a", "b"], &["/b"]), (&["x", "y"], &[])] {
        let crawler = Crawler::chain(names).unwrap();
        let frontier = Frontier::builder(crawler).pack(pack.clone()).build().expect("a pack for all agents");
        for path in ["/a", "/b"] {
            let check = frontier.check(format!("https://h0.example{path}").as_bytes(), PACKED).expect("a URL");
            assert_eq!(check.is_allowed(), allowed.contains(&path), "{names:?} {path}");
        }
    }
}

#[test]
fn a_crawler_that_obeys_only_its_name_never_gets_the_rules_of_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("test.pack");
    let mut builder = PackBuilder::new(PackOptions::new(&Dialect::GOOGLE), &target).expect("the folder can be written");
    let bodies: [&[u8]; 3] = [
        b"User-agent: *\nDisallow: /\n",
        b"User-agent: FooBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n",
        b"User-agent: other\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n",
    ];
    for (host, body) in (0..).zip(bodies) {
        let capture = Capture::after(None, &good(body), PACKED, &Dialect::GOOGLE);
        builder.push(&origin(host), &capture).expect("there is room");
    }
    builder.finish().expect("there is room");
    let pack = Arc::new(Pack::open(&target).expect("it was just built"));
    let crawler = Crawler::new("FooBot").unwrap().named_only();
    let frontier = Frontier::builder(crawler.clone()).pack(pack).build().expect("a pack for all agents");
    for (host, path, is_allowed) in [(0, "/a", true), (1, "/a", false), (1, "/b", true), (2, "/a", true)] {
        let check = frontier.check(format!("https://h{host}.example{path}"), PACKED).expect("a URL");
        assert_eq!(check.is_allowed(), is_allowed, "{host} {path}");
    }
    assert!(Frontier::builder(crawler).pack(self::pack(0..1)).build().is_err(), "a pack for one name");
}

/// A restart: what was known goes on, from memory and from the pack, failures and sitemaps too.
#[test]
fn what_is_saved_answers_in_the_next_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("saved.pack");
    let frontier = over(pack(0..3), builder());
    let later = Time(PACKED.0 + 60);
    frontier.record(&origin(1), &good(b"User-agent: *\nDisallow: /new\nSitemap: https://h1.example/s\n"), later);
    frontier.record(&origin(2), &Response::new(503, b""), later);
    frontier.record(&origin(4), &Response::new(404, b""), later);
    frontier.forget(&origin(0));
    let report = frontier.save(&target).expect("there is room");
    assert_eq!(report.origins, 3);
    let next = over(Arc::new(Pack::open(&target).expect("it was just saved")), builder());
    for host in 0..5 {
        for path in ["/", "/x", "/new"] {
            let url = format!("https://h{host}.example{path}");
            for at in [later, Time(later.0 + 13 * 3_600), Time(later.0 + 40 * 86_400)] {
                assert_eq!(next.check(&url, at), frontier.check(&url, at), "{url} {at:?}");
            }
        }
        assert_eq!(next.sitemaps(&origin(host)).len(), frontier.sitemaps(&origin(host)).len(), "{host}");
        assert_eq!(next.fetch_record(&origin(host)), frontier.fetch_record(&origin(host)), "{host}");
    }
}

#[test]
fn one_flipped_byte_of_a_file_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = pack(0..3).as_bytes().to_vec();
    let target = folder.path().join("flipped.pack");
    for place in (0..bytes.len()).step_by(bytes.len() / 97 + 1) {
        let mut flipped = bytes.clone();
        flipped[place] ^= 1 << (place % 8);
        std::fs::write(&target, &flipped).expect("there is room");
        assert!(Pack::open(&target).is_err() && Pack::from_bytes(flipped).is_err(), "byte {place}");
    }
}

#[test]
fn what_is_newer_answers() {
    let frontier = over(pack(0..2), builder());
    let ask = |host, at| explain(&frontier, url(host).as_bytes(), at);
    assert_eq!(ask(0, PACKED), by_line(2));
    assert_eq!(ask(2, PACKED), UNKNOWN);
    let put = |at| frontier.record(&origin(0), &good(&body(5)), Time(at)).is_some();
    assert!(!put(PACKED.0 - 1), "older than the pack's");
    assert_eq!(ask(0, PACKED), by_line(2));
    assert!(put(PACKED.0 + 1));
    assert_eq!(ask(0, PACKED), by_line(7));
    assert_eq!(ask(1, PACKED), by_line(2));
    let fetched_at = |host| frontier.fetch_record(&origin(host)).map(|record| record.fetched_at);
    assert_eq!((fetched_at(0), fetched_at(1)), (Some(Time(PACKED.0 + 1)), Some(PACKED)));
}

#[test]
fn what_was_newer_and_went_is_unknown() {
    let later = Time(PACKED.0 + DAY);
    // Every table keeps one policy: what shares one with a later policy goes.
    let frontier = over(pack(0..200), builder().memory(0));
    for host in 0..200 {
        assert!(frontier.record(&origin(host), &good(&body(5)), Time(PACKED.0 + 1)).is_some());
    }
    let answers: Vec<Answer> = (0..200).map(|host| explain(&frontier, url(host).as_bytes(), PACKED)).collect();
    let held = frontier.counters().held as usize;
    assert!(held <= 64, "{held}");
    assert_eq!(answers.iter().filter(|answer| **answer == by_line(7)).count(), held);
    assert_eq!(answers.iter().filter(|answer| **answer == UNKNOWN).count(), 200 - held);

    assert_eq!(frontier.expire(later, Duration::ZERO), 0);
    assert_eq!(frontier.expire(Time(later.0 + 2), Duration::ZERO), held as u64);
    assert!((0..200).all(|host| explain(&frontier, url(host).as_bytes(), PACKED) == UNKNOWN));
}

/// Whatever was dropped and forgotten: what the pack knows to be older is never put in, and what was newer is never
/// forgotten in favour of the pack.
#[test]
fn the_pack_bounds_what_is_forgotten() {
    let frontier = over(pack(0..200), builder().memory(0));
    let put = |host, at| frontier.record(&origin(host), &good(&body(5)), Time(at)).is_some();
    for round in 1..=20 {
        assert!((0..200).all(|host| put(host, PACKED.0 + round)));
    }
    // Each table keeps eight times, and has three of the pack's origins on average: hardly a late fetch passes.
    let late: Vec<u8> = (0..200).filter(|host| put(*host, PACKED.0 + 10)).collect();
    assert!(late.len() < 20, "{}", late.len());
    assert!((0..200).all(|host| !put(host, PACKED.0 - 1)));
    for host in 0..200 {
        let answer = explain(&frontier, url(host).as_bytes(), PACKED);
        assert!(answer == UNKNOWN || answer == by_line(7), "the pack's older state answers: {answer:?}");
    }
    // The bits of the pack's 267 slots, 64 sets of times, and what each table keeps.
    let counters = frontier.counters();
    assert!(counters.bytes < 64 * 1_000, "{counters:?}");
}

/// The note of what is newer than the pack takes a bit for each of its slots, which is part of the budget.
#[test]
fn what_the_pack_no_longer_speaks_for_is_part_of_the_budget() {
    let pack = pack(0..200);
    let roomy = over(pack.clone(), builder().memory(1 << 20));
    assert_eq!(roomy.counters().bytes, 0);
    assert!(roomy.record(&origin(250), &good(&body(5)), PACKED).is_some());
    let without = roomy.counters().bytes;
    assert!(roomy.record(&origin(0), &good(&body(5)), Time(PACKED.0 + 1)).is_some());
    let both = roomy.counters().bytes - 2 * without;
    assert!((200 / 8..100).contains(&both), "{both}");
}

#[test]
fn a_failed_fetch_keeps_the_rules_of_the_pack() {
    let frontier = over(pack(0..1), builder());
    let root = b"https://h0.example/";
    let failed = Response::failed(NetworkError::Timeout);
    for hours in [1, 6, 12] {
        let at = Time(PACKED.0 + hours * HOUR);
        let record = frontier.record(&origin(0), &failed, at).expect("it is newer");
        assert_eq!((record.good_at, record.failing_since), (Some(PACKED), Some(Time(PACKED.0 + HOUR))));
        let by_fetch = Check::Disallowed(Reason::Fetch(Outcome::Unreachable));
        assert_eq!(frontier.check(root, at), Ok(by_fetch), "{hours} hours");
    }
    // After twelve hours of failures the good copy counts, which is in the pack.
    // Only an attempt that failed then shows that the site still fails.
    let at = Time(PACKED.0 + 13 * HOUR);
    assert!(matches!(frontier.check(root, at), Ok(Check::Unknown(_))));
    frontier.record(&origin(0), &failed, at).expect("it is newer");
    assert_eq!(frontier.check(root, at), Ok(Check::Allowed));
    assert_eq!(explain(&frontier, url(0).as_bytes(), at), by_line(2));
}

#[derive(Clone, Debug)]
enum Step {
    Insert { host: u8, at: u32, lines: u8 },
    Ask { hosts: Vec<u8> },
    Expire { at: u32 },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0..8_u8, 0..40_u32, 0..9_u8).prop_map(|(host, at, lines)| Step::Insert { host, at, lines }),
        // Up to three blocks of a batch.
        4 => prop::collection::vec(0..10_u8, 1..150).prop_map(|hosts| Step::Ask { hosts }),
        1 => (0..60_u32).prop_map(|at| Step::Expire { at }),
    ];
    prop::collection::vec(step, 1..30)
}

/// What is known of a host.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Known {
    Packed,
    Held { at: u32, lines: u8 },
    Gone { at: u32 },
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Hosts 0 to 4 are in the pack, fetched at 20; hosts from 8 on are never put in, and the last is no URL.
    #[test]
    fn it_answers_as_a_simple_list_does(steps in steps()) {
        let frontier = over(pack(0..5), builder());
        let mut list: BTreeMap<u8, Known> = (0..5).map(|host| (host, Known::Packed)).collect();
        let time = |at: u32| Time(PACKED.0 - 20 + at);
        for step in steps {
            match step {
                Step::Insert { host, at, lines } => {
                    let response = body(lines);
                    let taken = frontier.record(&origin(host), &good(&response), time(at)).is_some();
                    let newest = match list.get(&host) {
                        Some(Known::Held { at, .. } | Known::Gone { at }) => *at,
                        Some(Known::Packed) => 20,
                        None => 0,
                    };
                    prop_assert_eq!(taken, newest <= at);
                    if taken {
                        list.insert(host, Known::Held { at, lines });
                    }
                }
                Step::Ask { hosts } => {
                    let name = |host: &u8| if *host == 9 { "mailto:h9.example".to_owned() } else { url(*host) };
                    let urls: Vec<String> = hosts.iter().map(name).collect();
                    let mut verdicts = Vec::new();
                    frontier.verdicts(&urls, time(60), &mut verdicts);
                    prop_assert_eq!(verdicts.len(), urls.len());
                    for ((host, url), verdict) in hosts.iter().zip(&urls).zip(verdicts) {
                        let answer = frontier.explain(url.as_bytes(), time(60)).map(|found| (found.verdict, found.by));
                        prop_assert_eq!(answer.map(|(verdict, _)| verdict), verdict);
                        match list.get(host) {
                            _ if *host == 9 => prop_assert!(answer.is_err()),
                            Some(Known::Packed) => prop_assert_eq!(answer, Ok(by_line(2))),
                            Some(Known::Held { lines, .. }) => {
                                prop_assert_eq!(answer, Ok(by_line(u32::from(*lines) + 2)));
                            }
                            Some(Known::Gone { .. }) | None => prop_assert_eq!(answer, Ok(UNKNOWN)),
                        }
                    }
                }
                Step::Expire { at } => {
                    frontier.expire(Time(time(at).0 + DAY), Duration::ZERO);
                    for known in list.values_mut() {
                        match *known {
                            Known::Held { at: fetched, .. } if fetched < at => *known = Known::Gone { at: fetched },
                            _ => {}
                        }
                    }
                }
            }
        }
    }
}

/// Writers put in ever newer bodies, try older ones, and drop; readers ask one by one and in batches: an answer is
/// never older than what was put in before the question, the pack's least of all, and never an allow.
///
/// Under the thread sanitizer, too: `RUSTFLAGS=-Zsanitizer=thread cargo +nightly test -Zbuild-std --target
/// x86_64-unknown-linux-gnu --test frontier_pack`.
#[test]
fn readers_never_see_the_packs_older_state() {
    const HOSTS: u8 = 8;
    let rounds = if shared_data::full() { 10_000 } else { 500 };
    let pack = pack(0..HOSTS / 2);
    let line = |round: u32| round % 97 + 3;
    for memory in [1 << 20, 64 * 700] {
        let frontier = over(pack.clone(), builder().memory(memory));
        let origins: Vec<Origin> = (0..HOSTS).map(origin).collect();
        let urls: Vec<String> = (0..HOSTS).map(url).collect();
        // The rounds that writers began to put in, and those that are in.
        let begun: Vec<AtomicU32> = (0..HOSTS).map(|_| AtomicU32::new(0)).collect();
        let put_in: Vec<AtomicU32> = (0..HOSTS).map(|_| AtomicU32::new(0)).collect();
        let done = AtomicBool::new(false);
        let at = |round: u32| Time(PACKED.0 + round);
        std::thread::scope(|scope| {
            let writers: Vec<_> = (0..2)
                .map(|writer| {
                    let (frontier, origins, begun, put_in) = (&frontier, &origins, &begun, &put_in);
                    scope.spawn(move || {
                        for round in 1..rounds {
                            for host in (writer..usize::from(HOSTS)).step_by(2) {
                                let newer = body((round % 97 + 1) as u8);
                                begun[host].store(round, Ordering::Release);
                                assert!(frontier.record(&origins[host], &good(&newer), at(round)).is_some());
                                put_in[host].store(round, Ordering::Release);
                                // What comes in late is refused, also where the newer one was dropped meanwhile.
                                assert!(frontier.record(&origins[host], &good(b""), at(round - 1)).is_none());
                            }
                            if round % 50 == 0 {
                                frontier.expire(Time(at(round).0 + DAY - 20), Duration::ZERO);
                            }
                        }
                    })
                })
                .collect();
            for _ in 0..3 {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        for host in 0..usize::from(HOSTS) {
                            let before = put_in[host].load(Ordering::Acquire);
                            let (verdict, by) = explain(&frontier, urls[host].as_bytes(), at(rounds));
                            // Rounds may have come in since, and be dropped again before their writer goes on.
                            let after = begun[host].load(Ordering::Acquire);
                            match by {
                                By::Unknown(_) => assert!(after > 0 || host >= 4, "the pack knows it"),
                                By::Rule { line: 2 } => assert!(before == 0 && host < 4, "the pack's, after {before}"),
                                By::Rule { line: found } => {
                                    let fits = (before..=after).any(|round| line(round) == found);
                                    assert!(fits, "line {found}, rounds {before} to {after}");
                                }
                                other => panic!("{other:?}"),
                            }
                            assert_ne!(verdict, FrontierVerdict::Allowed);
                            let record = frontier.fetch_record(&origins[host]);
                            assert!(record.is_none_or(|record| record.fetched_at >= at(before)), "{record:?}");
                        }
                        let mut verdicts = Vec::new();
                        frontier.verdicts(&urls, at(rounds), &mut verdicts);
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
        assert_eq!(counters.inserted, u64::from(HOSTS) * u64::from(rounds - 1));
        assert!(counters.bytes <= memory as u64 + 64 * 1_000, "{counters:?}");
    }
}
