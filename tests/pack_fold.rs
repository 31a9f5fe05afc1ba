//! Captures of one origin that are put together in a pack say what a cache says that saw the same fetches one by one.

mod pack_captures;

use pack_captures::{Owned, build, record, single};
use robotsc::Dialect;
use robotsc::outcome::{Access, Caching, FetchEnd, FetchRecord, FetchResult, NetworkError, Outcome, Time};
use robotsc::pack::{Pack, PackAgents, PackBuilder, PackOptions, merge};

const ORIGINS: usize = 1_500;
const START: u32 = 1_790_000_000;
const DAY: u32 = 86_400;
/// 304 is not among them: alone, it says nothing of the file.
const ENDS: [(FetchEnd, u8); 14] = [
    (FetchEnd::Status(200), 0),
    (FetchEnd::Status(200), 5),
    (FetchEnd::Status(503), 0),
    (FetchEnd::Status(500), 0),
    (FetchEnd::Status(429), 0),
    (FetchEnd::BodyBroken(200), 0),
    (FetchEnd::Status(206), 0),
    (FetchEnd::Network(NetworkError::Timeout), 0),
    (FetchEnd::Network(NetworkError::Dns), 0),
    (FetchEnd::Status(302), 1),
    (FetchEnd::Status(302), 5),
    (FetchEnd::Status(404), 0),
    (FetchEnd::Status(403), 0),
    (FetchEnd::RedirectLoop, 2),
];

/// A fetch: its capture, alone, and the result that a cache is told.
struct Fetch {
    capture: Owned,
    result: FetchResult,
    /// Which of three packs it goes to.
    pack: usize,
}

/// Numbers that look like no order, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }
}

/// Fetches of each origin in the order of their times. In each third of the histories, `by_time` packs hold what came
/// in turn, as those of days do; else what is in which pack is left to chance.
fn histories(dialect: &Dialect, by_time: bool) -> Vec<Vec<Fetch>> {
    let mut random = Random(11);
    let history = |number: usize| {
        let mut at = START;
        let count = 1 + random.below(9);
        // Minutes, hours, or weeks between.
        let step = [600, 20_000, 1_500_000][random.below(3)];
        let fetches = (0..count).map(|turn| {
            at += 1 + random.below(step) as u32;
            let mut maybe = |seconds: u32| (random.below(4) == 0).then_some(seconds);
            let caching = Caching { retry_after: maybe(7_200), max_age: maybe(10 * DAY), ..Caching::default() };
            let (end, redirects) = ENDS[random.below(ENDS.len())];
            let result = FetchResult { end, redirects, caching, at: Time(at) };
            let record = FetchRecord::after(None, &result, dialect);
            let is_good = record.outcome == Outcome::Rules;
            let body = is_good.then(|| format!("user-agent: *\ndisallow: /{at}\n").into_bytes());
            let pack = if by_time { turn * 3 / count } else { random.below(3) };
            Fetch { capture: Owned { origin: format!("https://{number}.example"), record, body }, result, pack }
        });
        fetches.collect()
    };
    (0..ORIGINS).map(history).collect()
}

/// What a cache knows at the end: the record, and when the file was fetched whose rules it holds.
fn cache<'f>(history: impl IntoIterator<Item = &'f Fetch>, dialect: &Dialect) -> (FetchRecord, Option<u32>) {
    let (mut record, mut held) = (None, None);
    for fetch in history {
        let now = FetchRecord::after(record.as_ref(), &fetch.result, dialect);
        held = match (now.good_at, now.outcome) {
            (None, _) => None,
            (_, Outcome::Rules) => Some(fetch.result.at.0),
            _ => held,
        };
        record = Some(now);
    }
    (record.expect("a fetch"), held)
}

/// Whether packs, each of these parts, know rows of failures only that no success of another came into.
fn rows_are_whole(history: &[Fetch], dialect: &Dialect, parts: &[&[usize]]) -> bool {
    let is_success = |fetch: &&Fetch| fetch.capture.record.failing_since.is_none();
    parts.iter().all(|part| {
        let mut own = history.iter().filter(|fetch| part.contains(&fetch.pack)).peekable();
        if own.peek().is_none() {
            return true;
        }
        let (record, _) = cache(own, dialect);
        let row = record.failing_since.map(|since| since..record.fetched_at);
        !row.is_some_and(|row| history.iter().filter(is_success).any(|fetch| row.contains(&fetch.result.at)))
    })
}

#[track_caller]
fn holds(pack: &Pack, origin: &str, held: Option<u32>, place: &str) {
    let entry = pack.get(origin.as_bytes()).expect("the origin");
    let program = entry.program(&pack.agent(robotsc::AgentName::new("foobot").expect("a name")).expect("the agent"));
    assert_eq!(program.is_some(), held.is_some(), "{place}");
    if let (Some(program), Some(held)) = (program, held) {
        let path = format!("/{held}");
        let path = robotsc::UrlPath::assume(path.as_bytes(), program.path_form());
        assert_eq!(program.verdict(path), Ok(robotsc::Verdict::Disallow), "{place}: other rules than of {held}");
    }
}

fn place(history: &[Fetch], dialect: &Dialect) -> String {
    let fetches: Vec<_> =
        history.iter().map(|fetch| (fetch.pack, fetch.result.at.0 - START, fetch.result.end)).collect();
    format!("{} {} {fetches:?}", dialect.name, history[0].capture.origin)
}

/// A pack says what the state machine says, at any time.
#[track_caller]
fn agrees(pack: &Pack, history: &[Fetch], dialect: &Dialect, random: &mut Random) {
    let (record, held) = cache(history, dialect);
    let origin = &history[0].capture.origin;
    let place = place(history, dialect);
    let packed = *pack.get(origin.as_bytes()).expect("the origin").record();
    assert_eq!(packed, record, "{place}");
    holds(pack, origin, held, &place);
    for _ in 0..8 {
        let at = Time(record.fetched_at.0.saturating_add(random.below(70 * DAY as usize) as u32));
        let force = packed.effective(pack.dialect(), at);
        assert_eq!(force, record.effective(dialect, at), "{place}");
        assert!(force.access != Access::Rules || held.is_some(), "{place}");
    }
}

fn options(dialect: &Dialect) -> PackOptions {
    PackOptions { agents: single().agents, ..PackOptions::new(dialect) }
}

#[test]
fn captures_are_folded_as_a_cache_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random(5);
    for dialect in Dialect::ALL {
        let histories = histories(dialect, false);
        // In no order of time.
        let mut captures: Vec<Owned> = histories.iter().flatten().map(|fetch| fetch.capture.clone()).collect();
        captures.reverse();
        let pack = build(&options(dialect), &captures, &folder.path().join("pack"));
        pack.verify().expect("a valid pack");
        for history in &histories {
            agrees(&pack, history, dialect, &mut random);
        }
    }
}

/// Through three packs that are merged; of failures before which there was no file, too.
#[test]
fn packs_are_merged_as_a_cache_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random(6);
    for (dialect, by_time) in Dialect::ALL.into_iter().flat_map(|dialect| [(dialect, false), (dialect, true)]) {
        let histories = histories(dialect, by_time);
        let packs = [0, 1, 2].map(|number| {
            let fetches = histories.iter().flatten().filter(|fetch| fetch.pack == number);
            let captures: Vec<Owned> = fetches.map(|fetch| fetch.capture.clone()).collect();
            build(&options(dialect), &captures, &folder.path().join(format!("part{number}")))
        });
        // All at once, and two first.
        let merged = |packs: &[&Pack], name: &str| {
            let target = folder.path().join(name);
            merge(packs, &options(dialect), &target).expect("a pack");
            let pack = Pack::open(&target).expect("it opens");
            pack.verify().expect("a valid pack");
            pack
        };
        let pair = merged(&[&packs[1], &packs[0]], "pair");
        let all = merged(&[&packs[2], &packs[1], &packs[0]], "all");
        let turns = merged(&[&packs[2], &pair], "turns");
        for (pack, parts) in [(all, &[&[0][..], &[1], &[2]][..]), (turns, &[&[0], &[1], &[2], &[0, 1]])] {
            let mut whole = 0;
            for history in &histories {
                if rows_are_whole(history, dialect, parts) {
                    whole += 1;
                    agrees(&pack, history, dialect, &mut random);
                    continue;
                }
                // The first failure after the other's success is not known: the failures pass for younger.
                let (record, held) = cache(history, dialect);
                let origin = &history[0].capture.origin;
                let merged = *pack.get(origin.as_bytes()).expect("the origin").record();
                let place = format!("{}: {merged:?}, not {record:?}", place(history, dialect));
                assert_eq!((merged.outcome, merged.fetched_at), (record.outcome, record.fetched_at), "{place}");
                assert_eq!(merged.good_at, record.good_at, "{place}");
                assert_eq!(merged.failing_since.is_some(), record.failing_since.is_some(), "{place}");
                assert!(merged.failing_since >= record.failing_since, "{place}");
                assert!(merged.failing_since <= Some(merged.fetched_at), "{place}");
                holds(&pack, origin, held, &place);
            }
            println!("{} by time {by_time}: {whole} of {ORIGINS} exactly", dialect.name);
            assert!(whole > if by_time { ORIGINS - 1 } else { ORIGINS / 2 }, "{whole}");
        }
    }
}

/// A newest file that cannot be compiled leaves the origin unknown: what it forbids is not known, so nothing older may
/// answer.
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
        captures.iter().for_each(|capture| builder.push(&capture.site(), &capture.capture()).expect("a capture"));
        let report = builder.finish().expect("a pack");
        assert_eq!((report.refused_count, report.origins), (1, 1));
        let pack = Pack::open(folder.path().join("pack")).expect("it opens");
        pack.verify().expect("a valid pack");
        assert!(pack.get(origin.as_bytes()).is_none() && pack.get(b"https://b.example").is_some());
    }
}
