//! The frontier over memory: the same verdicts as the rules themselves, in every tier, while policies come, change and go.
#![cfg(feature = "frontier")]

mod shared_data;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use robotsc::fetch::{FetchRecord, Outcome, Time};
use robotsc::frontier::{By, Frontier, FrontierOptions, FrontierVerdict};
use robotsc::origin::Origin;
use robotsc::{Dialect, Verdict};

const DAY: u32 = 86_400;

fn good(at: Time) -> FetchRecord {
    FetchRecord {
        outcome: Outcome::Rules,
        fetched_at: at,
        expires_at: Time(at.0 + DAY),
        good_at: Some(at),
        failing_since: None,
    }
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
    for line in text.split(|octet| *octet == b'\n').skip(1).filter(|line| !line.is_empty()) {
        let fields: Vec<&[u8]> = line.split(|octet| *octet == b'\t').collect();
        let [file, url, _, _, foobot] = fields[..] else { panic!("five fields: {}", line.escape_ascii()) };
        let Ok(origin) = Origin::of_url(url) else { continue };
        let question = Question { url: url.to_vec(), origin, allowed: foobot.starts_with(b"1:") };
        of_file.entry(file).or_default().push(question);
    }
    let questions: usize = of_file.values().map(Vec::len).sum();
    assert!(questions > 70_000, "{questions}");

    let now = Time(1_790_000_000);
    for (compile_after, name_rules) in [(u32::MAX, false), (1, false), (3, true)] {
        let options = FrontierOptions {
            dialect: dialect.clone(),
            compile_after,
            name_rules,
            robots_txt_by_rules: true,
            ..FrontierOptions::new(&dialect, "FooBot")
        };
        let frontier = Frontier::new(options);
        for (file, questions) in &of_file {
            let name = format!("{}.txt", str::from_utf8(file).expect("file names are ASCII"));
            let body = fs::read(corpus.join("robots").join(name)).expect("the file is readable");
            for origin in questions.iter().map(|question| &question.origin).collect::<BTreeSet<_>>() {
                assert_eq!(frontier.verdict(origin.as_bytes(), now), Ok(FrontierVerdict::Unknown));
                assert!(frontier.insert(origin, good(now), Some(&body)));
            }
        }
        let mut wrong = Vec::new();
        for questions in of_file.values() {
            let urls: Vec<&[u8]> = questions.iter().map(|question| &*question.url).collect();
            let mut verdicts = Vec::new();
            frontier.verdicts(&urls, now, &mut verdicts);
            for (question, batched) in questions.iter().zip(verdicts) {
                let single = frontier.verdict(&question.url, now);
                if single != batched || batched.map(FrontierVerdict::is_allowed) != Ok(question.allowed) {
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
        if url.path.starts_with(b"/private") { Verdict::Disallow } else { Verdict::Allow }
    };
    let options = FrontierOptions::new(&Dialect::GOOGLE, "FooBot");
    let frontier = Frontier::new(options).with_overlay(Box::new(overlay));
    frontier.insert(&origin("https://a.example"), good(now), Some(b"User-agent: *\nDisallow: /x\nAllow: /private/\n"));
    for (url, verdict, by) in [
        ("https://a.example/", FrontierVerdict::Allowed, By::Rules(None)),
        ("https://a.example/x", FrontierVerdict::Disallowed, By::Rules(Some(2))),
        ("https://a.example/private/", FrontierVerdict::Disallowed, By::Overlay),
        ("https://b.example/private/", FrontierVerdict::Disallowed, By::Overlay),
        ("https://b.example/x", FrontierVerdict::Unknown, By::Nothing),
        ("https://b.example/robots.txt", FrontierVerdict::Allowed, By::RobotsTxt),
    ] {
        let answer = frontier.answer(url.as_bytes(), now).expect("a URL");
        assert_eq!((answer.verdict, answer.by), (verdict, by), "{url}");
    }
}

#[test]
fn an_older_fetch_changes_nothing_and_a_failed_one_keeps_the_rules() {
    let frontier = Frontier::new(FrontierOptions::new(&Dialect::GOOGLE, "FooBot"));
    let (site, url) = (origin("https://a.example"), b"https://a.example/x");
    let at = |hours: u32| Time(1_790_000_000 + hours * 3_600);
    assert!(frontier.insert(&site, good(at(2)), Some(b"User-agent: *\nDisallow: /x\n")));
    assert!(!frontier.insert(&site, good(at(1)), Some(b"")));
    assert_eq!(frontier.verdict(url, at(2)), Ok(FrontierVerdict::Disallowed));

    let failed = FetchRecord {
        outcome: Outcome::ServerError,
        fetched_at: at(30),
        expires_at: at(31),
        good_at: Some(at(2)),
        failing_since: Some(at(30)),
    };
    assert!(frontier.insert(&site, failed, None));
    // Within the first hours of failure nothing is allowed; later the good copy counts.
    assert_eq!(frontier.verdict(b"https://a.example/", at(31)), Ok(FrontierVerdict::Disallowed));
    assert_eq!(frontier.verdict(b"https://a.example/", at(50)), Ok(FrontierVerdict::Allowed));
    assert_eq!(frontier.verdict(url, at(50)), Ok(FrontierVerdict::Disallowed));

    // Rules that a record promises and nobody has are no allow.
    let other = origin("https://b.example");
    assert!(frontier.insert(&other, good(at(0)), None));
    assert_eq!(frontier.verdict(b"https://b.example/", at(0)), Ok(FrontierVerdict::Disallowed));
}

/// What was dropped leaves its time behind, so that what comes in late is not taken for news; in a memory that is bounded all the same.
#[test]
fn what_comes_in_late_is_not_news() {
    const HOSTS: u32 = 40_000;
    let memory = 1 << 20;
    let options = FrontierOptions { memory, ..FrontierOptions::new(&Dialect::GOOGLE, "FooBot") };
    let frontier = Frontier::new(options);
    let site = |host: u32| origin(&format!("https://h{host}.example"));
    let url = |host: u32| format!("https://h{host}.example/x");
    let start = 1_790_000_000;
    for host in 0..HOSTS {
        assert!(frontier.insert(&site(host), good(Time(start + host)), Some(b"User-agent: *\nDisallow: /\n")));
    }
    let counters = frontier.counters();
    assert!(counters.held < 4_000 && counters.octets <= memory as u64, "{counters:?}");
    let verdict = |host| frontier.verdict(url(host).as_bytes(), Time(start + HOSTS));
    assert_eq!((verdict(0), verdict(HOSTS - 1)), (Ok(FrontierVerdict::Unknown), Ok(FrontierVerdict::Disallowed)));
    // A sixteenth of the budget holds 8,192 times, the newest of each set.
    let late = |host: u32| frontier.insert(&site(host), good(Time(start + host - 1)), Some(b""));
    let taken = (HOSTS - 6_000..HOSTS).filter(|host| late(*host)).count();
    assert!(taken < 300, "{taken} of 6000");
    assert!((HOSTS - 6_000..HOSTS).filter(|host| verdict(*host) == Ok(FrontierVerdict::Allowed)).count() <= taken);
    // The same fetch again, and a newer one, are taken.
    assert!(frontier.insert(&site(HOSTS - 5_000), good(Time(start + HOSTS - 5_000)), Some(b"")));
    assert!(frontier.insert(&site(HOSTS - 5_000), good(Time(start + HOSTS)), Some(b"")));
    assert!(!frontier.insert(&site(HOSTS - 5_000), good(Time(start + HOSTS - 1)), Some(b"")));
}

#[test]
fn what_expired_is_unknown_again() {
    let frontier = Frontier::new(FrontierOptions::new(&Dialect::GOOGLE, "FooBot"));
    let now = Time(1_790_000_000);
    for (days, host) in [(0, "https://a.example"), (10, "https://b.example")] {
        frontier.insert(&origin(host), good(Time(now.0 + days * DAY)), Some(b"User-agent: *\nDisallow: /x\n"));
    }
    let later = Time(now.0 + 9 * DAY);
    assert_eq!(frontier.expire(later, Duration::from_secs(30 * u64::from(DAY))), 0);
    assert_eq!(frontier.expire(later, Duration::from_secs(u64::from(DAY))), 1);
    assert_eq!(frontier.verdict(b"https://a.example/", later), Ok(FrontierVerdict::Unknown));
    assert_eq!(frontier.verdict(b"https://b.example/x", later), Ok(FrontierVerdict::Disallowed));
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
        let options = FrontierOptions { compile_after: 3, name_rules: true, ..FrontierOptions::new(&Dialect::GOOGLE, "FooBot") };
        let frontier = Frontier::new(options);
        let mut list: BTreeMap<u8, (u32, u8)> = BTreeMap::new();
        // Of what went the time is known.
        let mut newest: BTreeMap<u8, u32> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Insert { host, at, lines } => {
                    let body = body(u32::from(lines));
                    let taken = frontier.insert(&origin(&format!("https://h{host}.example")), good(Time(at)), Some(&body));
                    prop_assert_eq!(taken, newest.get(&host).is_none_or(|newest| *newest <= at));
                    if taken {
                        newest.insert(host, at);
                        list.insert(host, (at, lines));
                    }
                }
                Step::Ask { host } => {
                    let answer = frontier.answer(format!("https://h{host}.example/x").as_bytes(), Time(60)).expect("a URL");
                    let by = list.get(&host).map_or(By::Nothing, |known| By::Rules(Some(u32::from(known.1) + 2)));
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

/// Writers put in ever newer bodies, or drop them, while readers ask: an answer is never older than what was put in before the question, and never an allow.
#[test]
fn readers_never_see_what_was_replaced() {
    const HOSTS: usize = 8;
    let rounds = if shared_data::full() { 20_000 } else { 1_500 };
    let tight = FrontierOptions {
        compile_after: 5,
        name_rules: true,
        // Less than all take together: some are always dropped.
        memory: 64 * 300,
        ..FrontierOptions::new(&Dialect::GOOGLE, "FooBot")
    };
    let roomy = FrontierOptions { memory: 1 << 20, ..tight.clone() };
    for options in [roomy, tight] {
        let frontier = Frontier::new(options);
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
                                assert!(frontier.insert(&origins[host], good(Time(round)), Some(&body(round % 97))));
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
                            let answer = frontier.answer(urls[host].as_bytes(), Time(rounds)).expect("a URL");
                            match answer.by {
                                By::Nothing => assert_eq!(answer.verdict, FrontierVerdict::Unknown),
                                By::Rules(Some(line)) => {
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
        assert!(counters.octets <= frontier.options().memory as u64 + 64 * 2_000, "{counters:?}");
    }
}
