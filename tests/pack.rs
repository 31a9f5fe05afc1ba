//! Policy packs: verdicts, the same bytes whatever the way, merging.

mod pack_captures;
mod shared_data;

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use pack_captures::{Owned, build, made, record, single};
use robotsc::origin::Origin;
use robotsc::outcome::{Capture, FetchRecord, Outcome, Response, Site, Time};
use robotsc::pack::{Pack, PackAgent, PackAgents, PackBuilder, PackOptions, merge};
use robotsc::{AgentName, Crawler, Dialect, PathForm, RobotsTxt, UrlPath, Verdict};

const AGENTS: [&str; 3] = ["Googlebot", "GPTBot", "FooBot"];

fn options(agents: PackAgents) -> PackOptions {
    PackOptions { agents, threads: NonZeroUsize::MIN.saturating_add(1), ..PackOptions::new(&Dialect::GOOGLE) }
}

/// The files of a folder of the corpus, as captures of `https` origins. Names that are no hosts are left out.
fn corpus_captures(folder: &Path) -> Vec<Owned> {
    let mut files: Vec<_> = fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    files.sort();
    let captures = files.iter().map(|file| {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        Owned::rules(&format!("https://{name}"), 1_700_000_000, fs::read(file).expect("a body"))
    });
    captures.collect()
}

fn name(name: &str) -> AgentName<'_> {
    AgentName::new(name).expect("an agent name")
}

fn at(path: &str) -> UrlPath<'_> {
    UrlPath::assume(path.as_bytes(), PathForm::Escaped)
}

#[test]
fn recorded_verdicts() {
    let Some(corpus) = shared_data::folder("corpus") else { return };
    let captures = corpus_captures(&corpus.join("robots"));
    let folder = tempfile::tempdir().expect("a folder");
    let some = build(&options(PackAgents::only(AGENTS)), &captures, &folder.path().join("some"));
    let all = build(&options(PackAgents::All), &captures, &folder.path().join("all"));
    let deciding_rules = PackOptions { deciding_rules: true, ..options(PackAgents::only(["FooBot"])) };
    let one = build(&deciding_rules, &captures, &folder.path().join("one"));
    for pack in [&some, &all, &one] {
        pack.verify().expect("a valid pack");
        assert_eq!(pack.len(), captures.len() as u64);
    }
    // Recorded without a limit of the file's length, which the dialect has.
    let long: Vec<&str> = captures.iter().filter(|capture| capture.body_len() > 512_000).map(Owned::host).collect();
    let mut asked = BTreeMap::<&str, u64>::new();
    for list in ["verdicts.tsv", "frontier.tsv"] {
        let text = fs::read(corpus.join(list)).expect("the list");
        for line in text.split(|byte| *byte == b'\n').skip(1).filter(|line| !line.is_empty()) {
            let fields: Vec<&[u8]> = line.split(|byte| *byte == b'\t').collect();
            let host = std::str::from_utf8(fields[0]).expect("a host");
            if long.contains(&host) {
                *asked.entry("left out").or_default() += 1;
                continue;
            }
            let origin = format!("https://{host}");
            let path = Dialect::GOOGLE.raw_url_path(fields[1]);
            for (agent, answer) in AGENTS.iter().zip(&fields[2..]) {
                let expected = if answer.starts_with(b"1") { Verdict::Allow } else { Verdict::Disallow };
                for pack in [&some, &all, &one] {
                    let Some(agent) = pack.agent(name(agent)) else { continue };
                    let entry = pack.get(origin.as_bytes()).expect("an origin of the corpus");
                    let program = entry.program(&agent).expect("rules");
                    assert_eq!(
                        program.verdict(path.as_path()),
                        Ok(expected),
                        "{host} {}",
                        path.as_bytes().escape_ascii()
                    );
                    *asked.entry("answers").or_default() += 1;
                }
            }
            for other in [format!("http://{host}"), format!("https://{host}:8080"), format!("https://x.{host}")] {
                assert!(some.get(other.as_bytes()).is_none());
            }
        }
    }
    println!("{asked:?}");
    assert!(asked["answers"] > 1_000_000, "{asked:?}");
}

/// What every agent obeys, and how long it waits, is what the parsed file says.
#[test]
fn every_agent_delay_and_sitemap() {
    let captures = made(400, 400);
    let folder = tempfile::tempdir().expect("a folder");
    for dialect in Dialect::ALL {
        let options = PackOptions { sitemaps: true, ..PackOptions::new(dialect) };
        let all = build(&options, &captures, &folder.path().join("all"));
        let agents = PackAgents::only(["a", "b-c", "other", "b-c-d"]);
        let some = build(&PackOptions { agents, sitemaps: true, ..options }, &captures, &folder.path().join("some"));
        let mut delays = 0;
        for capture in &captures {
            let robots = RobotsTxt::parse_with(capture.body.as_deref().expect("a body"), dialect);
            for pack in [&all, &some] {
                let entry = pack.get(capture.origin.as_bytes()).expect("the origin");
                assert_eq!(entry.record(), &capture.record);
                let sitemaps: Vec<&[u8]> = entry.sitemaps().collect();
                assert_eq!(sitemaps, robots.sitemaps());
                for token in ["a", "B-C", "other", "b-c-d"] {
                    let agent = pack.agent(name(token)).expect("an agent of the pack");
                    let crawler = Crawler::from(name(token));
                    let (rules, program) = (robots.rule_set(&crawler), entry.program(&agent).expect("rules"));
                    for path in ["/", "/1", "/12", "/b/3x", "/c", "/robots.txt"] {
                        let path = UrlPath::assume(path.as_bytes(), dialect.path_form());
                        assert_eq!(program.verdict(path), rules.verdict(path));
                    }
                    let delay = robots.crawl_delays(&robots.select(&crawler)).max();
                    let delay = delay.map(|delay| Duration::from_millis(delay.as_nanos().div_ceil(1_000_000) as u64));
                    assert_eq!(entry.crawl_delay(&agent), delay, "{} {}", dialect.name, capture.origin);
                    delays += u64::from(delay.is_some());
                }
            }
        }
        assert!(delays > 100, "{delays}");
        assert!(some.agent(name("unheard-of")).is_none());
    }
}

#[test]
fn every_record_comes_back() {
    let mut captures = Vec::new();
    let times = [None, Some(Time(5)), Some(Time(1_700_000_000))];
    let outcomes = [
        Outcome::Rules,
        Outcome::Unavailable,
        Outcome::TooManyRedirects,
        Outcome::ServerError,
        Outcome::Unreachable,
        Outcome::NotModified,
    ];
    for outcome in outcomes {
        for (good_at, failing_since) in times.iter().flat_map(|good| times.iter().map(|since| (*good, *since))) {
            for expires_at in [0, 1_700_000_000, 1_700_086_400, 1_700_131_071, 1_700_131_072, 1_702_592_000].map(Time) {
                let record =
                    FetchRecord { outcome, fetched_at: Time(1_700_000_000), expires_at, good_at, failing_since };
                let body = good_at.map(|_| b"user-agent: *\ndisallow: /\n".to_vec());
                // No fetch leaves such a record.
                if Capture::restored(record, body.as_deref()).is_err() {
                    continue;
                }
                captures.push(Owned { origin: format!("http://{}.example", captures.len()), record, body });
            }
        }
    }
    assert_eq!(captures.len(), 10 + 3 * 5 + 2 * 25, "of each outcome");
    let folder = tempfile::tempdir().expect("a folder");
    let pack = build(&single(), &captures, &folder.path().join("pack"));
    pack.verify().expect("a valid pack");
    let agent = pack.agent(name("FOOBOT")).expect("the agent");
    for capture in &captures {
        let slot = pack.find(pack.key(capture.origin.as_bytes())).expect("the origin");
        let entry = pack.entry(slot);
        assert_eq!(entry.record(), &capture.record);
        assert_eq!(entry.has_rules(), capture.body.is_some());
        assert_eq!(
            entry.program(&agent).map(|program| program.verdict(at("/"))),
            entry.policy_id().map(|_| Ok(Verdict::Disallow))
        );
        assert_eq!(pack.origin(slot).as_deref(), Some(capture.origin.as_bytes()));
    }
    let mut found: Vec<_> = pack.entries().map(|(origin, entry)| (origin, *entry.record())).collect();
    let mut expected: Vec<_> =
        captures.iter().map(|capture| (capture.origin.clone().into_bytes(), capture.record)).collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    expected.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(found, expected);
}

/// Slots and agents are those of one pack.
#[test]
fn slots_and_agents_of_another_pack_open_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let captures = |body: &str| vec![Owned::rules("https://a.example", 1_790_000_000, body.as_bytes().to_vec())];
    let closed = build(&single(), &captures("User-agent: *\nDisallow: /\n"), &folder.path().join("closed"));
    let open = build(&single(), &captures("User-agent: *\nDisallow:\n"), &folder.path().join("open"));
    let now = Time(1_790_000_001);
    let foobot = name("FooBot");
    let slot = |pack: &Pack| pack.find(pack.key(b"https://a.example")).expect("the origin");
    let allows = |pack: &Pack, slot, agent: &PackAgent| {
        let policy = pack.entry(slot).access_at(agent, Site::NotKnownUp, now);
        policy.decide(at("/x")).is_some_and(|(verdict, _)| verdict.is_allow())
    };
    let agent = open.agent(foobot).expect("the agent");
    assert!(allows(&open, slot(&open), &agent));
    assert!(!allows(&open, slot(&open), &closed.agent(foobot).expect("the agent")));
    assert!(!allows(&open, slot(&closed), &agent));
    assert_eq!(open.origin(slot(&closed)), None);
}

/// A capture without its copy takes it from an older one; without an older one nothing is known.
#[test]
fn a_copy_that_a_capture_lacks_comes_from_older_ones() {
    let hours = |hours: u32| Time(1_790_000_000 + 3_600 * hours);
    let google = &Dialect::GOOGLE;
    let site: Origin = "https://a.example".parse().expect("an origin");
    let good = Capture::after(None, &Response::new(200, b"User-agent: *\nDisallow: /x\n"), hours(0), google);
    let error = Response::new(503, b"");
    let current = Response::new(304, b"");
    let alone = |response: &Response<'static>, time| Capture::after(None, response, hours(time), google);
    let after = |response: &Response<'static>, time| Capture::after(Some(good.record()), response, hours(time), google);
    let gone = Capture::after(None, &Response::new(404, b""), hours(0), google);
    for (captures, now, allowed) in [
        (vec![good, alone(&current, 20)], 21, Some([true, false])),
        (vec![alone(&current, 20), good], 40, Some([true, false])),
        (vec![good, after(&current, 20)], 40, Some([true, false])),
        (vec![alone(&current, 0), alone(&current, 13)], 13, None),
        (vec![gone, alone(&current, 13)], 13, None),
        (vec![after(&current, 13)], 13, None),
        (vec![good, after(&error, 1), after(&error, 14)], 14, Some([true, false])),
        (vec![after(&error, 1), good, alone(&error, 14)], 14, Some([true, false])),
        (vec![after(&error, 14)], 14, Some([false, false])),
        (vec![after(&error, 14)], 27, None),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("pack");
        let mut builder = PackBuilder::new(single(), &target).expect("a builder");
        for capture in &captures {
            builder.push(&site, capture).expect("it is pushed");
        }
        builder.finish().expect("a pack");
        let pack = Pack::open(&target).expect("it opens");
        pack.verify().expect("a valid pack");
        let agent = pack.agent(name("FooBot")).expect("the agent");
        let entry = pack.get(site.as_bytes()).expect("the origin");
        let policy = entry.access_at(&agent, Site::NotKnownUp, hours(now));
        let found = ["/y", "/x"].map(|path| policy.decide(at(path)).map(|(verdict, _)| verdict.is_allow()));
        assert_eq!(found, allowed.map_or([None; 2], |allowed| allowed.map(Some)), "{captures:?} {now}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut builder = PackBuilder::new(single(), folder.path().join("pack")).expect("a builder");
    let other = Capture::after(None, &Response::new(429, b""), hours(0), &Dialect::RFC9309);
    assert!(builder.push(&site, &other).is_err(), "it was read under another dialect");
}

/// Loading reads, and changes nothing; it stops where it is told to.
#[test]
fn a_pack_is_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("pack");
    let captures = made(50, 1_000);
    build(&single(), &captures, &target);
    let (pack, bytes) = (Pack::open(&target).expect("a pack"), fs::read(&target).expect("its bytes"));
    let mut asked = 0;
    pack.load(|| {
        asked += 1;
        true
    });
    assert_eq!(asked, bytes.len().div_ceil(8 << 20));
    pack.load(|| false);
    assert!(pack.as_bytes() == bytes);
    Pack::from_bytes(bytes).expect("a pack").load(|| true);
}

/// More lifetimes than classes: what no class says stands in extras.
#[test]
fn more_lifetimes_than_classes() {
    let captures: Vec<Owned> = (0..6_000_u32)
        .map(|number| {
            let mut record = record(Outcome::Unavailable, 1_700_000_000);
            // The first thousand lifetimes are had by two.
            record.expires_at = Time(1_700_000_000 + number % 5_000);
            Owned { origin: format!("https://{number}.example"), record, body: None }
        })
        .collect();
    let folder = tempfile::tempdir().expect("a folder");
    let pack = build(&single(), &captures, &folder.path().join("pack"));
    pack.verify().expect("a valid pack");
    for capture in &captures {
        assert_eq!(pack.get(capture.origin.as_bytes()).expect("the origin").record(), &capture.record);
    }
    let reversed: Vec<Owned> = captures.into_iter().rev().collect();
    let other = build(&single(), &reversed, &folder.path().join("other"));
    assert!(other.as_bytes() == pack.as_bytes());
    // Classes hold 4,090 of the lifetimes, and all that two have.
    let extras = pack.as_bytes().len() - 8_000 * 16;
    assert!(extras > 900 * 24, "{extras}");
}

#[test]
fn the_same_bytes_whatever_the_way() {
    let captures = made(3_000, 2_500);
    let folder = tempfile::tempdir().expect("a folder");
    for agents in [PackAgents::All, PackAgents::only(["a"]), PackAgents::only(["a", "b-c", "x"])] {
        let options = PackOptions { sitemaps: true, ..options(agents) };
        let expected = build(&options, &captures, &folder.path().join("two"));
        let mut shuffled = captures.clone();
        shuffled.reverse();
        shuffled.swap(0, 1_234);
        let one = PackOptions { threads: NonZeroUsize::MIN, ..options.clone() };
        let tight = PackOptions { memory: 0, ..options.clone() };
        for (options, captures, what) in [
            (&options, &captures, "again"),
            (&one, &captures, "one thread"),
            (&one, &shuffled, "other order"),
            (&tight, &shuffled, "little memory"),
        ] {
            let found = build(options, captures, &folder.path().join("other"));
            assert!(found.as_bytes() == expected.as_bytes(), "{what}");
        }
        let parts: Vec<Pack> = captures
            .chunks(1_300)
            .enumerate()
            .map(|(number, part)| build(&options, part, &folder.path().join(number.to_string())))
            .collect();
        for packs in [parts.iter().collect::<Vec<_>>(), parts.iter().rev().collect()] {
            merge(&packs, &options, folder.path().join("merged")).expect("they merge");
            let merged = Pack::open(folder.path().join("merged")).expect("a pack");
            assert!(merged.as_bytes() == expected.as_bytes());
        }
        expected.verify().expect("a valid pack");
        // What newer captures put out of force has left nothing.
        let newest: BTreeMap<&str, &Owned> = captures.iter().map(|capture| (&*capture.origin, capture)).collect();
        assert!(captures.len() > newest.len() && newest.len() == expected.len() as usize);
        // An update: the pack, and captures after it.
        let mut builder = PackBuilder::new(options.clone(), folder.path().join("0")).expect("a builder");
        builder.push_pack(&parts[0]).expect("the same settings");
        for capture in &captures[1_300..] {
            builder.push(&capture.site(), &capture.capture()).expect("a capture");
        }
        builder.finish().expect("a pack");
        assert!(fs::read(folder.path().join("0")).expect("a file") == expected.as_bytes());
        // The part whose place it took is mapped, and as it was.
        parts[0].verify().expect("a valid pack");
    }
    let names: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").map(|e| e.expect("an entry").file_name()).collect();
    assert!(names.iter().all(|name| !name.to_string_lossy().starts_with('.')), "left over: {names:?}");
}

#[test]
fn the_newest_capture_counts() {
    let origin = "https://a.example";
    let rules =
        |time, rule: &str| Owned::rules(origin, time, format!("user-agent: *\ndisallow: {rule}\n").into_bytes());
    let without = |outcome, time| Owned { origin: origin.to_owned(), record: record(outcome, time), body: None };
    let folder = tempfile::tempdir().expect("a folder");
    let check = |captures: &[Owned], outcome, good, since, allowed: &[&str], disallowed: &[&str]| {
        let pack = build(&single(), captures, &folder.path().join("pack"));
        let entry = pack.get(origin.as_bytes()).expect("the origin");
        assert_eq!(entry.record().outcome, outcome);
        assert_eq!((entry.record().good_at, entry.record().failing_since), (good, since));
        let program = entry.program(&pack.agent(name("foobot")).expect("the agent"));
        assert_eq!(program.is_some(), !allowed.is_empty());
        for (paths, verdict) in [(allowed, Verdict::Allow), (disallowed, Verdict::Disallow)] {
            paths.iter().for_each(|path| assert_eq!(program.unwrap().verdict(at(path)), Ok(verdict)));
        }
    };
    let old = rules(100, "/old");
    let new = rules(200, "/new");
    let at = |time| Some(Time(time));
    check(&[old.clone(), new.clone()], Outcome::Rules, at(200), None, &["/old"], &["/new"]);
    check(&[new.clone(), old.clone()], Outcome::Rules, at(200), None, &["/old"], &["/new"]);
    // Of one time the one that came last.
    check(&[new.clone(), rules(200, "/last")], Outcome::Rules, at(200), None, &["/new"], &["/last"]);
    let failures = [without(Outcome::Unreachable, 400), old, without(Outcome::ServerError, 300), new];
    check(&failures, Outcome::Unreachable, at(200), at(300), &["/old"], &["/new"]);
    let gone = [failures[0].clone(), failures[1].clone(), without(Outcome::Unavailable, 250)];
    check(&gone, Outcome::Unreachable, None, at(400), &[], &[]);
}

/// Two origins that have one home in a table for two, and one fingerprint: found by trying some millions.
#[test]
fn origins_of_one_key_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let captures = ["https://2661232.example", "https://3141930.example"]
        .map(|origin| Owned::rules(origin, 7, format!("user-agent: *\ndisallow: /{origin}\n").into_bytes()));
    let mut builder = PackBuilder::new(single(), folder.path().join("pack")).expect("a builder");
    captures.iter().for_each(|capture| builder.push(&capture.site(), &capture.capture()).expect("a capture"));
    let error = builder.finish().expect_err("they collide");
    assert!(error.is_seed() && error.to_string().contains("2661232") && error.to_string().contains("3141930"));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    let pack = build(&PackOptions { seed: 1, ..single() }, &captures, &folder.path().join("pack"));
    pack.verify().expect("a valid pack");
    let ids = captures.map(|capture| pack.get(capture.origin.as_bytes()).expect("the origin").policy_id());
    assert_ne!(ids[0], ids[1]);
}

#[test]
fn what_is_not_valid_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("pack");
    let own = Dialect { max_line: Some(7), ..Dialect::GOOGLE };
    for (options, why) in [
        (PackOptions::new(&own), "named dialect"),
        (options(PackAgents::Some(Vec::new())), "0 agents"),
        (options(PackAgents::only(["foo bot"])), "no agent name"),
        (options(PackAgents::only(["FooBot/2.1"])), "no agent name"),
        (options(PackAgents::only(["FooBot,BarBot"])), "no agent name"),
    ] {
        let error = PackBuilder::new(options, &target).map(drop).expect_err(why).to_string();
        assert!(error.contains(why), "{error}");
    }
    let builder = PackBuilder::new(single(), &target).expect("a builder");
    let report = builder.finish().expect("an empty pack");
    let pack = Pack::open(&target).expect("a pack");
    pack.verify().expect("a valid pack");
    assert_eq!((report.origins, pack.len(), pack.entries().count()), (0, 0, 0));
    assert!(pack.get(b"https://a.b").is_none());
    let other = PackOptions { deciding_rules: true, ..single() };
    assert!(merge(&[&pack], &other, &target).expect_err("other settings").to_string().contains("deciding_rules"));
    assert!(Pack::open(folder.path().join("none")).expect_err("no file").is_io());
}
