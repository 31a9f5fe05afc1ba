//! The state machine of fetches: every kind of result, under every dialect, at every age, with and without a good copy.

use proptest::prelude::*;
use robotsc::Dialect;
use robotsc::fetch::{
    Caching, FetchEnd, FetchPolicy, FetchRecord, FetchResult, Force, InForce, NetworkError, Next, Outcome, STALE_FOR,
    Site, Time,
};

const START: u32 = 1_790_000_000;
const HOUR: u32 = 3_600;
const DAY: u32 = 24 * HOUR;

fn result(end: FetchEnd, redirects: u8, at: u32) -> FetchResult {
    FetchResult { end, redirects, caching: Caching::default(), at: Time(at) }
}

/// Every kind of result: a name, how the fetch ended, redirects.
const RESULTS: [(&str, FetchEnd, u8); 26] = [
    ("200", FetchEnd::Status(200), 0),
    ("204", FetchEnd::Status(204), 0),
    ("206", FetchEnd::Status(206), 0),
    ("200 after 5 redirects", FetchEnd::Status(200), 5),
    ("200 broken", FetchEnd::BodyBroken(200), 0),
    ("301 not followed", FetchEnd::Status(301), 0),
    ("302 after 4", FetchEnd::Status(302), 4),
    ("302 after 5", FetchEnd::Status(302), 5),
    ("308 broken after 5", FetchEnd::BodyBroken(308), 5),
    ("304", FetchEnd::Status(304), 0),
    ("304 after 5", FetchEnd::Status(304), 5),
    ("loop", FetchEnd::RedirectLoop, 1),
    ("400", FetchEnd::Status(400), 0),
    ("401", FetchEnd::Status(401), 0),
    ("403", FetchEnd::Status(403), 0),
    ("404", FetchEnd::Status(404), 0),
    ("404 broken", FetchEnd::BodyBroken(404), 0),
    ("410", FetchEnd::Status(410), 0),
    ("429", FetchEnd::Status(429), 0),
    ("429 broken", FetchEnd::BodyBroken(429), 0),
    ("499", FetchEnd::Status(499), 0),
    ("500", FetchEnd::Status(500), 0),
    ("503", FetchEnd::Status(503), 0),
    ("599 broken", FetchEnd::BodyBroken(599), 0),
    ("100", FetchEnd::Status(100), 0),
    ("no answer", FetchEnd::Network(NetworkError::Timeout), 0),
];

/// What the table in the specification makes of a result, said a second time and on its own.
fn expected_outcome(name: &str, dialect: &Dialect, has_copy: bool) -> Outcome {
    match name {
        "200" | "204" | "200 after 5 redirects" => Outcome::Rules,
        "304" | "304 after 5" if has_copy => Outcome::Rules,
        "302 after 5" | "308 broken after 5" | "loop" => Outcome::TooManyRedirects,
        "429" | "429 broken" if dialect.name == "google" => Outcome::ServerError,
        "400" | "401" | "403" | "404" | "404 broken" | "410" | "429" | "429 broken" | "499" => Outcome::Unavailable,
        "500" | "503" | "599 broken" | "100" => Outcome::ServerError,
        _ => Outcome::Unreachable,
    }
}

/// The policy in force so many seconds after the fetch, nobody having fetched again.
fn expected_force(outcome: Outcome, dialect: &Dialect, has_copy: bool, site: Site, age: u32, expires: u32) -> Force {
    let copy = if has_copy { Force::Rules } else { Force::AllowAll };
    let is_up = site == Site::Up;
    if age >= expires + STALE_FOR {
        return Force::Unknown;
    }
    match (outcome, dialect.name) {
        (Outcome::Rules, _) => Force::Rules,
        (Outcome::Unavailable | Outcome::TooManyRedirects, _) => Force::AllowAll,
        (_, "google") if age < 12 * HOUR => Force::DisallowAll,
        (_, "google") if age < 30 * DAY => copy,
        (_, "google") if is_up => Force::AllowAll,
        (_, "google" | "google-2017") => Force::DisallowAll,
        (_, _) if age < 30 * DAY => Force::DisallowAll,
        (_, _) => copy,
    }
}

#[test]
fn the_full_cross_product() {
    let mut cases = 0;
    for dialect in Dialect::ALL {
        for (name, end, redirects) in RESULTS {
            for copy in [None, Some(START - 3 * DAY)] {
                let before = copy.map(|at| FetchRecord::after(None, &result(FetchEnd::Status(200), 0, at), dialect));
                let record = FetchRecord::after(before.as_ref(), &result(end, redirects, START), dialect);
                let place = format!("{} {name} copy {copy:?}", dialect.name);
                assert_eq!(record.outcome, expected_outcome(name, dialect, copy.is_some()), "{place}");
                assert_eq!(record.fetched_at, Time(START), "{place}");
                let is_failure = matches!(record.outcome, Outcome::ServerError | Outcome::Unreachable);
                assert_eq!(record.failing_since, is_failure.then_some(Time(START)), "{place}");
                let good_at = match record.outcome {
                    Outcome::Rules if name.starts_with("304") => copy.map(Time),
                    Outcome::Rules => Some(Time(START)),
                    Outcome::Unavailable | Outcome::TooManyRedirects => None,
                    _ => copy.map(Time),
                };
                assert_eq!(record.good_at, good_at, "{place}");
                let expires = record.expires_at.0 - START;
                assert_eq!(expires, if is_failure { 300 } else { DAY }, "{place}");
                for site in [Site::NotKnownUp, Site::Up] {
                    for edge in [0, expires, 12 * HOUR, 30 * DAY, expires + STALE_FOR, u32::MAX - START] {
                        for age in [edge.saturating_sub(1), edge, edge.saturating_add(1).min(u32::MAX - START)] {
                            let policy = FetchPolicy::of(dialect);
                            let force = record.in_force_under(policy, site, Time(START + age));
                            let wanted = expected_force(record.outcome, dialect, copy.is_some(), site, age, expires);
                            assert_eq!(force.policy, wanted, "{place} {site:?} after {age} s");
                            cases += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(cases > 8_000, "{cases}");
}

#[test]
fn advice() {
    let google = &Dialect::GOOGLE;
    let good = FetchRecord::after(None, &result(FetchEnd::Status(200), 0, START), google);
    let at = |record: &FetchRecord, seconds: u32| record.in_force(google, Time(START + seconds));
    let (fresh, stale) = (Time(START + DAY), Time(START + DAY + STALE_FOR));
    assert_eq!(at(&good, 0), InForce { policy: Force::Rules, until: fresh, next: Next::Use });
    assert_eq!(at(&good, DAY), InForce { policy: Force::Rules, until: stale, next: Next::Refetch });
    assert_eq!(at(&good, DAY + STALE_FOR), InForce { policy: Force::Unknown, until: Time::MAX, next: Next::Refetch });
    // A clock that went back changes nothing.
    assert_eq!(good.in_force(google, Time(0)), at(&good, 0));

    let back = FetchRecord::after(Some(&good), &result(FetchEnd::Status(500), 0, START - DAY), google);
    assert_eq!((back.good_at, back.failing_since), (Some(Time(START)), Some(Time(START - DAY))));
    assert_eq!(back.in_force(google, Time(START)).policy, Force::Rules);
    let same = FetchRecord::after(Some(&good), &result(FetchEnd::Status(304), 0, START - DAY), google);
    assert_eq!((same.outcome, same.good_at), (Outcome::Rules, Some(Time(START))));

    let failed = FetchRecord::after(Some(&good), &result(FetchEnd::Status(500), 0, START + DAY), google);
    let retry = Time(START + DAY + 300);
    assert_eq!(at(&failed, DAY), InForce { policy: Force::DisallowAll, until: retry, next: Next::Defer(retry) });
    let ladder = Time(START + DAY + 12 * HOUR);
    assert_eq!(at(&failed, DAY + 300), InForce { policy: Force::DisallowAll, until: ladder, next: Next::Refetch });
}

#[test]
fn waits_grow_with_the_time_of_failure() {
    let dialect = &Dialect::RFC9309;
    let error = FetchEnd::Network(NetworkError::Dns);
    let mut record = FetchRecord::after(None, &result(error, 0, START), dialect);
    let mut waits = Vec::new();
    for _ in 0..40 {
        waits.push(record.expires_at.0 - record.fetched_at.0);
        record = FetchRecord::after(Some(&record), &result(error, 0, record.expires_at.0), dialect);
        assert_eq!(record.failing_since, Some(Time(START)));
    }
    assert!(waits.is_sorted() && waits[0] == 300 && *waits.last().unwrap() == DAY, "{waits:?}");
    let asked = Caching { retry_after: Some(7_200), ..Caching::default() };
    let polite = FetchResult { caching: asked, ..result(FetchEnd::Status(503), 0, START) };
    assert_eq!(FetchRecord::after(None, &polite, dialect).expires_at, Time(START + 7_200));
}

#[test]
fn servers_say_how_long() {
    for (seconds, google, rfc) in
        [(60, 300, 300), (7_200, 7_200, 7_200), (7 * DAY, 7 * DAY, DAY), (u32::MAX, 30 * DAY, DAY)]
    {
        for (dialect, kept) in [(&Dialect::GOOGLE, google), (&Dialect::GOOGLE_2017, google), (&Dialect::RFC9309, rfc)] {
            let caching = Caching { max_age: Some(seconds), ..Caching::default() };
            let result = FetchResult { caching, ..result(FetchEnd::Status(200), 0, START) };
            assert_eq!(FetchRecord::after(None, &result, dialect).expires_at, Time(START + kept), "{}", dialect.name);
        }
    }
}

fn any_result() -> impl Strategy<Value = FetchResult> {
    let end = prop_oneof![
        4 => (0..RESULTS.len()).prop_map(|number| (RESULTS[number].1, RESULTS[number].2)),
        1 => (0..1000_u16, 0..9_u8).prop_map(|(status, redirects)| (FetchEnd::Status(status), redirects)),
        1 => (0..1000_u16, 0..9_u8).prop_map(|(status, redirects)| (FetchEnd::BodyBroken(status), redirects)),
    ];
    let time = prop_oneof![4 => START..START + 90 * DAY, 1 => any::<u32>()];
    let seconds = prop::option::of(prop_oneof![0..3 * DAY, any::<u32>()]);
    let caching = (seconds.clone(), any::<bool>(), 0..DAY, seconds.clone(), seconds).prop_map(
        |(max_age, no_store, age, expires, retry_after)| Caching {
            max_age,
            no_store,
            age,
            expires: expires.map(Time),
            date: None,
            retry_after,
        },
    );
    (end, caching, time).prop_map(|((end, redirects), caching, at)| FetchResult {
        end,
        redirects,
        caching,
        at: Time(at),
    })
}

proptest! {
    #[test]
    fn records_keep_their_invariants(
        results in prop::collection::vec(any_result(), 1..12),
        dialect in 0..5_usize,
        later in any::<u32>(),
    ) {
        let dialect = Dialect::ALL[dialect];
        let mut record: Option<FetchRecord> = None;
        for result in &results {
            let now = FetchRecord::after(record.as_ref(), result, dialect);
            prop_assert_eq!(now.fetched_at, result.at);
            prop_assert!(now.expires_at >= now.fetched_at);
            prop_assert!(now.failing_since.is_none_or(|since| since <= now.fetched_at));
            // It is later than the fetch only where the clock went back.
            prop_assert!(now.good_at.is_none_or(|good| results.iter().any(|result| result.at == good)));
            let is_failure = matches!(now.outcome, Outcome::ServerError | Outcome::Unreachable);
            prop_assert_eq!(now.failing_since.is_some(), is_failure);
            if now.outcome == Outcome::Rules {
                prop_assert!(now.good_at.is_some());
            }
            for at in [result.at, Time(later)] {
                let force = now.in_force(dialect, at);
                prop_assert!(force.policy != Force::Rules || now.good_at.is_some());
                prop_assert!(force.until >= at.min(Time::MAX));
                prop_assert!(force.policy == Force::Unknown || !matches!(force.next, Next::Defer(_)) || force.policy == Force::DisallowAll);
            }
            record = Some(now);
        }
    }

    /// No failure allows anything, but where the dialect says so by the age of the failures.
    #[test]
    fn it_never_fails_open(
        results in prop::collection::vec(any_result(), 1..12),
        dialect in 0..5_usize,
        age in prop_oneof![0..2 * DAY, any::<u32>()],
    ) {
        let dialect = Dialect::ALL[dialect];
        let mut record: Option<FetchRecord> = None;
        for result in &results {
            record = Some(FetchRecord::after(record.as_ref(), result, dialect));
        }
        let record = record.expect("one result at least");
        let now = Time(record.fetched_at.0.saturating_add(age));
        if let Some(since) = record.failing_since {
            let failing = now.0 - since.0;
            let may_open = match dialect.name {
                "google" => (12 * HOUR..30 * DAY).contains(&failing),
                "google-2017" => false,
                _ => failing >= 30 * DAY,
            };
            let policy = record.in_force(dialect, now).policy;
            let is_open = matches!(policy, Force::AllowAll | Force::Rules);
            prop_assert!(!is_open || may_open, "{policy:?} after {failing} s");
        }
    }
}
