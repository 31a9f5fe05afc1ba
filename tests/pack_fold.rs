//! Captures of one origin that are put together in a pack say what a cache says that saw the same fetches one by one.

mod pack_captures;

use pack_captures::{Owned, build, record, single};
use robotsc::Dialect;
use robotsc::fetch::{Caching, FetchEnd, FetchRecord, FetchResult, NetworkError, Outcome, Time};
use robotsc::pack::{Pack, PackAgents, PackBuilder, PackOptions, merge};

const ORIGINS: usize = 3_000;
const ENDS: [FetchEnd; 6] = [
    FetchEnd::Status(200),
    FetchEnd::Status(503),
    FetchEnd::BodyBroken(200),
    FetchEnd::Network(NetworkError::Timeout),
    FetchEnd::Status(404),
    FetchEnd::RedirectLoop,
];

/// A fetch: its capture, alone, and the result that a cache is told.
struct Fetch {
    capture: Owned,
    result: FetchResult,
    /// Which of three packs it goes to.
    pack: usize,
}

/// Fetches of each origin in the order of their times. Of the first `ends` kinds.
fn histories(ends: usize) -> Vec<Vec<Fetch>> {
    let mut state = 11_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let history = |number: usize| {
        let mut at = 1_790_000_000;
        let count = 1 + random(7);
        let fetches = (0..count).map(|_| {
            at += 1 + random(200_000) as u32;
            let retry_after = (random(4) == 0).then_some(7_200);
            let caching = Caching { retry_after, ..Caching::default() };
            let result = FetchResult { end: ENDS[random(ends)], redirects: 0, caching, at: Time(at) };
            let record = FetchRecord::after(None, &result, &Dialect::GOOGLE);
            let is_good = record.outcome == Outcome::Rules;
            let body = is_good.then(|| format!("user-agent: *\ndisallow: /{at}\n").into_bytes());
            Fetch {
                capture: Owned { origin: format!("https://{number}.example"), record, body },
                result,
                pack: random(3),
            }
        });
        fetches.collect()
    };
    (0..ORIGINS).map(history).collect()
}

/// What a cache knows at the end: the record, and when the file was fetched whose rules it holds.
fn cache(history: &[Fetch]) -> (FetchRecord, Option<u32>) {
    let (mut record, mut held) = (None, None);
    for fetch in history {
        let now = FetchRecord::after(record.as_ref(), &fetch.result, &Dialect::GOOGLE);
        held = match (now.good_at, now.outcome) {
            (None, _) => None,
            (_, Outcome::Rules) => Some(fetch.result.at.0),
            _ => held,
        };
        record = Some(now);
    }
    (record.expect("a fetch"), held)
}

#[track_caller]
fn holds(pack: &Pack, origin: &str, held: Option<u32>, place: &str) {
    let entry = pack.get(origin.as_bytes()).expect("the origin");
    let program = entry.program(&pack.agent(b"foobot").expect("the agent"));
    assert_eq!(program.is_some(), held.is_some(), "{place}");
    if let (Some(program), Some(held)) = (program, held) {
        assert!(!program.verdict(format!("/{held}").as_bytes()).is_allow(), "{place}: other rules than of {held}");
    }
}

#[test]
fn captures_are_folded_as_a_cache_does() {
    let histories = histories(ENDS.len());
    let folder = tempfile::tempdir().expect("a folder");
    // In no order of time.
    let mut captures: Vec<Owned> = histories.iter().flatten().map(|fetch| fetch.capture.clone()).collect();
    captures.reverse();
    let pack = build(&single(), &captures, &folder.path().join("pack"));
    pack.verify().expect("a valid pack");
    for history in &histories {
        let (record, held) = cache(history);
        let origin = &history[0].capture.origin;
        let place = format!("{origin}: {:?}", history.iter().map(|fetch| fetch.result).collect::<Vec<_>>());
        assert_eq!(*pack.get(origin.as_bytes()).expect("the origin").record(), record, "{place}");
        holds(&pack, origin, held, &place);
    }
}

/// Here no file is ever missing: a pack does not keep that one was, once the fetches after that failed.
#[test]
fn packs_are_merged_as_a_cache_does() {
    let histories = histories(4);
    let folder = tempfile::tempdir().expect("a folder");
    let packs = [0, 1, 2].map(|number| {
        let fetches = histories.iter().flatten().filter(|fetch| fetch.pack == number);
        let captures: Vec<Owned> = fetches.map(|fetch| fetch.capture.clone()).collect();
        build(&single(), &captures, &folder.path().join(format!("part{number}")))
    });
    for order in [[0, 1, 2], [2, 1, 0]] {
        let target = folder.path().join("merged");
        merge(&order.map(|number| &packs[number]), &single(), &target).expect("a pack");
        let pack = Pack::open(&target).expect("it opens");
        pack.verify().expect("a valid pack");
        for history in &histories {
            let (record, held) = cache(history);
            let origin = &history[0].capture.origin;
            let merged = *pack.get(origin.as_bytes()).expect("the origin").record();
            let place = format!("{merged:?}, not {record:?}");
            assert_eq!((merged.outcome, merged.fetched_at), (record.outcome, record.fetched_at), "{place}");
            assert_eq!(merged.good_at, record.good_at, "{place}");
            // When a pack's run of failures was ended by another pack's success, its first one behind that is not known.
            assert_eq!(merged.failing_since.is_some(), record.failing_since.is_some(), "{place}");
            assert!(merged.failing_since >= record.failing_since, "{place}");
            holds(&pack, origin, held, &place);
        }
    }
}

/// A newest file that cannot be compiled leaves the origin unknown: what it forbids is not known, so nothing older may answer.
#[test]
fn rules_that_cannot_be_compiled_put_older_ones_out_of_force() {
    let letters = b'a'..b'i';
    let agents = letters.clone().flat_map(|a| letters.clone().map(move |b| format!("{}{}", a as char, b as char)));
    let agents: Vec<String> = agents.collect();
    let options = PackOptions { agents: PackAgents::only(&agents), ..PackOptions::new(&Dialect::GOOGLE) };
    // All obey the long group, and each one more: together more than a policy may hold.
    let mut body: String = agents.iter().map(|agent| format!("user-agent: {agent}\n")).collect();
    for number in 0..4_000 {
        body.push_str(&format!("disallow: /{}{number}\n", "x".repeat(100)));
    }
    for agent in &agents {
        body.push_str(&format!("user-agent: {agent}\ndisallow: /{agent}\n"));
    }
    let origin = "https://a.example";
    let rules = |time, body: &str| Owned::rules(origin, time, body.as_bytes().to_vec());
    let old = rules(100, "user-agent: *\nallow: /\n");
    let failure = Owned { origin: origin.to_owned(), record: record(Outcome::ServerError, 300), body: None };
    let folder = tempfile::tempdir().expect("a folder");
    let other = Owned::rules("https://b.example", 100, Vec::new());
    for captures in [vec![old.clone(), rules(200, &body)], vec![old, rules(200, &body), failure]] {
        let captures = [captures, vec![other.clone()]].concat();
        let mut builder = PackBuilder::new(options.clone(), folder.path().join("pack")).expect("a builder");
        captures.iter().for_each(|capture| builder.push(capture.capture()).expect("a capture"));
        let report = builder.finish().expect("a pack");
        assert_eq!((report.refused_count, report.origins), (1, 1));
        let pack = Pack::open(folder.path().join("pack")).expect("it opens");
        pack.verify().expect("a valid pack");
        assert!(pack.get(origin.as_bytes()).is_none() && pack.get(b"https://b.example").is_some());
    }
}
