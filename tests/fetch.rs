//! The state machine of fetches: every kind of result, under every dialect, at every age, with and without a good copy.

use proptest::prelude::*;
use robotsc::Dialect;
use robotsc::outcome::{
    Access, Caching, Effective, FetchEnd, FetchRecord, FetchResult, NetworkError, Next, Outcome, STALE_FOR, Site, Time,
};

const START: u32 = 1_790_000_000;
const HOUR: u32 = 3_600;
const DAY: u32 = 24 * HOUR;

fn result(end: FetchEnd, redirects: u8, at: u32) -> FetchResult {
    FetchResult { end, redirects, caching: Caching::default(), at: Time(at) }
}

/// Every kind of result: a name, how the fetch ended, redirects.
const RESULTS: [(&str, FetchEnd, u8); 28] = [
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
    ("lost redirect", FetchEnd::LostRedirect, 0),
    ("lost redirect after 5", FetchEnd::LostRedirect, 5),
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

/// The outcome of each result, stated a second time and on its own.
fn expected_outcome(name: &str, dialect: &Dialect, has_copy: bool) -> Outcome {
    let is_2017_or_2019 = matches!(dialect.name, "google-2017" | "google-2019");
    match name {
        "200" | "204" | "200 after 5 redirects" => Outcome::Rules,
        "206" if is_2017_or_2019 => Outcome::Rules,
        "304" | "304 after 5" if has_copy => Outcome::Rules,
        "304" | "304 after 5" => Outcome::NotModified,
        "302 after 5" | "308 broken after 5" | "loop" | "lost redirect after 5" => Outcome::TooManyRedirects,
        "lost redirect" if is_2017_or_2019 => Outcome::Unavailable,
        "429" | "429 broken" if dialect.name == "google" => Outcome::Unreachable,
        "400" | "401" | "403" | "404" | "404 broken" | "410" | "429" | "429 broken" | "499" => Outcome::Unavailable,
        "500" | "503" | "599 broken" => Outcome::ServerError,
        _ => Outcome::Unreachable,
    }
}

/// The policy that is effective a number of seconds after the fetch, if nobody fetches again.
fn expected_policy(outcome: Outcome, dialect: &Dialect, site: Site, age: u32, expires: u32) -> Access {
    if age >= expires + STALE_FOR {
        return Access::Unknown;
    }
    match (outcome, dialect.name) {
        (Outcome::Rules, _) => Access::Rules,
        (Outcome::NotModified, _) => Access::Unknown,
        (Outcome::Unavailable | Outcome::TooManyRedirects, _) => Access::AllowAll,
        (Outcome::ServerError, "google" | "google-2017" | "google-2019") if site == Site::MissingIs5xx => {
            Access::AllowAll
        }
        (_, "google-2017") => Access::DisallowAll,
        (_, "google") if age >= 12 * HOUR => Access::Unknown,
        _ if age >= 30 * DAY => Access::Unknown,
        _ => Access::DisallowAll,
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
                    Outcome::Unavailable | Outcome::TooManyRedirects | Outcome::NotModified => None,
                    _ => copy.map(Time),
                };
                assert_eq!(record.good_at, good_at, "{place}");
                let expires = record.expires_at.0 - START;
                assert_eq!(expires, if is_failure { 300 } else { DAY }, "{place}");
                for site in [Site::NotKnownUp, Site::Up, Site::MissingIs5xx] {
                    for edge in [0, expires, 12 * HOUR, 30 * DAY, expires + STALE_FOR, u32::MAX - START] {
                        for age in [edge.saturating_sub(1), edge, edge.saturating_add(1).min(u32::MAX - START)] {
                            let effective = record.effective_under(&dialect.fetch, site, Time(START + age));
                            let wanted = expected_policy(record.outcome, dialect, site, age, expires);
                            assert_eq!(effective.access, wanted, "{place} {site:?} after {age} s");
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
    let at = |record: &FetchRecord, seconds: u32| record.effective(google, Time(START + seconds));
    let (fresh, stale) = (Time(START + DAY), Time(START + DAY + STALE_FOR));
    assert_eq!(at(&good, 0), Effective { access: Access::Rules, until: fresh, next: Next::Use });
    assert_eq!(at(&good, DAY), Effective { access: Access::Rules, until: stale, next: Next::Refetch });
    assert_eq!(
        at(&good, DAY + STALE_FOR),
        Effective { access: Access::Unknown, until: Time::MAX, next: Next::Refetch }
    );
    // A clock that went back a little changes nothing; by a record of days ahead nothing is known.
    assert_eq!(good.effective(google, Time(START - DAY)), at(&good, 0));
    let unknown = Effective { access: Access::Unknown, until: Time::MAX, next: Next::Refetch };
    assert_eq!(good.effective(google, Time(START - DAY - 1)), unknown);

    let back = FetchRecord::after(Some(&good), &result(FetchEnd::Status(500), 0, START - DAY), google);
    assert_eq!((back.good_at, back.failing_since), (Some(Time(START)), Some(Time(START - DAY))));
    assert_eq!(back.effective(google, Time(START)).access, Access::Unknown);
    let same = FetchRecord::after(Some(&good), &result(FetchEnd::Status(304), 0, START - DAY), google);
    assert_eq!((same.outcome, same.good_at), (Outcome::Rules, Some(Time(START))));

    let failed = FetchRecord::after(Some(&good), &result(FetchEnd::Status(500), 0, START + DAY), google);
    let retry = Time(START + DAY + 300);
    assert_eq!(at(&failed, DAY), Effective { access: Access::DisallowAll, until: retry, next: Next::Defer(retry) });
    let ladder = Time(START + DAY + 12 * HOUR);
    assert_eq!(at(&failed, DAY + 300), Effective { access: Access::DisallowAll, until: ladder, next: Next::Refetch });
}

/// Failures at two times: the policy at a time after the second.
#[test]
fn failures_open_a_site_only_if_one_was_repeated_at_that_age() {
    use Access::{AllowAll, DisallowAll, Rules, Unknown};
    // Dialect, second failure, now, site; the policy with a good copy, and without one.
    for (dialect, second, now, site, with_copy, without) in [
        (&Dialect::GOOGLE, 12 * HOUR - 1, 12 * HOUR - 1, Site::Up, DisallowAll, DisallowAll),
        (&Dialect::GOOGLE, 12 * HOUR - 1, 12 * HOUR, Site::Up, Unknown, Unknown),
        (&Dialect::GOOGLE, 12 * HOUR, 12 * HOUR, Site::NotKnownUp, Rules, AllowAll),
        (&Dialect::GOOGLE, 12 * HOUR, 20 * DAY, Site::NotKnownUp, Rules, AllowAll),
        (&Dialect::GOOGLE, 12 * HOUR, 30 * DAY, Site::Up, Unknown, Unknown),
        (&Dialect::GOOGLE, 30 * DAY, 30 * DAY, Site::Up, AllowAll, AllowAll),
        (&Dialect::GOOGLE, 30 * DAY, 30 * DAY, Site::NotKnownUp, DisallowAll, DisallowAll),
        (&Dialect::GOOGLE_2017, 40 * DAY, 40 * DAY, Site::Up, DisallowAll, DisallowAll),
        (&Dialect::GOOGLE_2019, 29 * DAY, 30 * DAY, Site::Up, Unknown, Unknown),
        (&Dialect::GOOGLE_2019, 30 * DAY, 30 * DAY, Site::NotKnownUp, Rules, AllowAll),
        (&Dialect::RFC9309, 29 * DAY, 29 * DAY, Site::NotKnownUp, DisallowAll, DisallowAll),
        (&Dialect::RFC9309, 30 * DAY, 31 * DAY, Site::NotKnownUp, Rules, AllowAll),
    ] {
        for (copy, wanted) in [(true, with_copy), (false, without)] {
            let good = FetchRecord::after(None, &result(FetchEnd::Status(200), 0, START - DAY), dialect);
            let first = result(FetchEnd::Status(503), 0, START);
            let first = FetchRecord::after(copy.then_some(&good), &first, dialect);
            let record = FetchRecord::after(Some(&first), &result(FetchEnd::Status(503), 0, START + second), dialect);
            let policy = record.effective_under(&dialect.fetch, site, Time(START + now)).access;
            assert_eq!(policy, wanted, "{} {second} {now} {site:?} copy {copy}", dialect.name);
        }
    }
}

#[test]
fn a_dialect_of_another_name_keeps_its_fetch_rules() {
    let mine = Dialect { name: "mine", ..Dialect::GOOGLE };
    let record = FetchRecord::after(None, &result(FetchEnd::Status(429), 0, START), &mine);
    assert_eq!(record.effective(&mine, Time(START)).access, Access::DisallowAll);
}

#[test]
fn only_a_5xx_counts_as_a_404_of_a_site_that_answers_missing_pages_with_5xx() {
    for (end, dialect, wanted) in [
        (FetchEnd::Status(503), &Dialect::GOOGLE, Access::AllowAll),
        (FetchEnd::Status(503), &Dialect::GOOGLE_2017, Access::AllowAll),
        (FetchEnd::Status(503), &Dialect::GOOGLE_2019, Access::AllowAll),
        (FetchEnd::Status(503), &Dialect::RFC9309, Access::DisallowAll),
        (FetchEnd::Status(503), &Dialect::YANDEX, Access::DisallowAll),
        (FetchEnd::Status(429), &Dialect::GOOGLE, Access::DisallowAll),
        (FetchEnd::Status(600), &Dialect::GOOGLE, Access::DisallowAll),
        (FetchEnd::BodyBroken(200), &Dialect::GOOGLE, Access::DisallowAll),
        (FetchEnd::Network(NetworkError::Timeout), &Dialect::GOOGLE, Access::DisallowAll),
    ] {
        let record = FetchRecord::after(None, &result(end, 0, START), dialect);
        let policy = record.effective_under(&dialect.fetch, Site::MissingIs5xx, Time(START)).access;
        assert_eq!(policy, wanted, "{end:?} {}", dialect.name);
    }
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
                let force = now.effective(dialect, at);
                prop_assert!(force.access != Access::Rules || now.good_at.is_some());
                prop_assert!(force.until >= at.min(Time::MAX));
                let may_defer = matches!(force.access, Access::Unknown | Access::DisallowAll);
                prop_assert!(may_defer || !matches!(force.next, Next::Defer(_)));
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
            // The last attempt failed at the age that opens.
            let confirmed = record.fetched_at.0.saturating_sub(since.0);
            let may_open = match dialect.name {
                "google" => (12 * HOUR..30 * DAY).contains(&failing) && confirmed >= 12 * HOUR,
                "google-2017" => false,
                _ => confirmed >= 30 * DAY,
            };
            let policy = record.effective(dialect, now).access;
            let is_open = matches!(policy, Access::AllowAll | Access::Rules);
            prop_assert!(!is_open || may_open, "{policy:?} after {failing} s");
        }
    }

    /// Property of one failure that nobody repeated: at no time does it allow anything.
    #[test]
    fn one_failure_never_opens_a_site(
        good in prop::option::of(START - 60 * DAY..START),
        number in 0..RESULTS.len(),
        dialect in 0..5_usize,
        up in any::<bool>(),
        age in prop_oneof![0..90 * DAY, any::<u32>()],
    ) {
        let dialect = Dialect::ALL[dialect];
        let before = good.map(|at| FetchRecord::after(None, &result(FetchEnd::Status(200), 0, at), dialect));
        let (_, end, redirects) = RESULTS[number];
        let record = FetchRecord::after(before.as_ref(), &result(end, redirects, START), dialect);
        if record.failing_since.is_some() {
            let site = if up { Site::Up } else { Site::NotKnownUp };
            let policy = record.effective_under(&dialect.fetch, site, Time(START.saturating_add(age))).access;
            prop_assert!(matches!(policy, Access::DisallowAll | Access::Unknown), "{policy:?}");
        }
    }
}
