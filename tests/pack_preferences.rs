//! Preferences in packs: they say what the file says to each agent, and cost nothing where nothing is stated.

mod pack_captures;
#[path = "../crates/robotsc-analysis/tests/preference_cases/mod.rs"]
mod preference_cases;

use std::path::Path;

use pack_captures::{Owned, add_preferences, build, made, record, single};
use robotsc::outcome::{Outcome, Site, Time};
use robotsc::pack::{
    Category, Pack, PackAgents, PackCrawlers, PackOptions, PathPreferences, Preference, UseRefusal, Vocabulary,
    WantedUse, merge,
};
use robotsc::{Crawler, Dialect, RobotsTxt, UrlPath, Verdict};
use robotsc_compiler::preferences::{Preferences, Reading};

const PATHS: [&str; 9] = ["/", "/1", "/b", "/b/x", "/1x", "/a?x", "/bx", "/private/x", "/robots.txt"];
const NOW: Time = Time(1_790_000_100);

fn with_preferences(options: PackOptions) -> PackOptions {
    PackOptions { preferences: Some(Vocabulary::NEWEST), ..options }
}

/// Returns what the last file of an origin says, as the reader of files has it; `None` if the path must not be fetched.
fn of_file(body: &[u8], dialect: &Dialect, crawler: &Crawler, path: &str) -> Option<PathPreferences> {
    read_as(Reading::default(), body, dialect, crawler, path)
}

fn read_as(reading: Reading, body: &[u8], dialect: &Dialect, crawler: &Crawler, path: &str) -> Option<PathPreferences> {
    let robots = RobotsTxt::parse_with(body, dialect);
    let path = robots.url_path(path).unwrap();
    let effective = Preferences::read(&robots, crawler.clone(), reading).unwrap().at_path(path.as_path()).unwrap()?;
    let usage = |category| effective.usage.of(category).map_or(Preference::Unknown, |stated| stated.preference);
    let signal = |category| effective.signals.of(category).map_or(Preference::Unknown, |stated| stated.preference);
    Some(PathPreferences::of_usage(usage).and(PathPreferences::of_signals(signal, effective.signals.use_level)))
}

/// Compares a pack with the files of its origins. Returns the number of answers that say something.
fn compare(pack: &Pack, captures: &[Owned], crawlers: &[Crawler]) -> usize {
    let mut said = 0;
    for capture in captures {
        let Some(body) = &capture.body else { continue };
        let entry = pack.get(capture.origin.as_bytes()).expect("it was pushed");
        for crawler in crawlers {
            let agent = pack.crawler(crawler).expect("the pack is for it");
            for path in PATHS {
                let Some(wanted) = of_file(body, pack.dialect(), crawler, path) else { continue };
                let asked = pack.dialect().url_path(path).unwrap();
                let stated = entry.preferences(&agent);
                let stated = stated.map_or(PathPreferences::UNKNOWN, |stated| stated.at(asked.as_path()).unwrap());
                assert_eq!(stated, wanted, "{} {crawler} {path}\n{}", pack.dialect().name, body.escape_ascii());
                said += usize::from(wanted != PathPreferences::UNKNOWN);
            }
        }
    }
    said
}

/// Captures of different origins, each with a body of its own.
fn stating(count: usize) -> Vec<Owned> {
    let mut captures = made(count, count);
    for (number, capture) in captures.iter_mut().enumerate() {
        capture.origin = format!("https://{number}.example");
    }
    add_preferences(&mut captures);
    captures
}

#[test]
fn a_pack_says_what_the_file_says() {
    let folder = tempfile::tempdir().unwrap();
    let captures = stating(150);
    let named = |name: &str| Crawler::new(name).unwrap();
    let crawlers = [
        named("a"),
        named("b-c"),
        named("Googlebot"),
        named("nobody"),
        Crawler::chain(["b", "other"]).unwrap(),
        named("a").named_only(),
    ];
    for dialect in Dialect::ALL {
        let all = with_preferences(PackOptions::new(dialect));
        let some = PackOptions { agents: PackAgents::of(&crawlers).unwrap(), ..all.clone() };
        for options in [PackOptions { sitemaps: true, ..all }, PackOptions { deciding_rules: true, ..some }] {
            let pack = build(&options, &captures, &folder.path().join("pack"));
            pack.verify().unwrap();
            assert_eq!(pack.preferences(), Some(Vocabulary::NEWEST));
            let said = compare(&pack, &captures, &crawlers);
            assert!(said > 300, "{said} answers say something");
            assert!(pack.stats().preference_bytes > 0);
        }
    }
}

/// The cases of the drafts, and of files in use.
#[test]
fn a_pack_says_what_the_drafts_say() {
    let folder = tempfile::tempdir().unwrap();
    // A pack knows no header, and reads paths of signals.
    let cases = preference_cases::CASES.iter().filter(|case| case.header.is_none() && case.reading.signal_paths);
    let (mut said, mut all) = (0, 0);
    for case in cases {
        for dialect in [&Dialect::GOOGLE, &Dialect::RFC9309] {
            let body = preference_cases::body(case.robots).into_bytes();
            let options = PackOptions { preferences: Some(case.reading.vocabulary), ..PackOptions::new(dialect) };
            let captures = [Owned::rules("https://a.example", 1_790_000_000, body.clone())];
            let pack = build(&options, &captures, &folder.path().join("pack"));
            let crawler = Crawler::new(case.asked.0).unwrap();
            let Some(wanted) = read_as(case.reading, &body, dialect, &crawler, case.asked.1) else {
                assert_eq!(case.usage, "disallowed", "{}", case.name);
                continue;
            };
            let path = pack.dialect().url_path(case.asked.1).unwrap();
            let stated = pack.get(b"https://a.example").unwrap().preferences(&pack.crawler(&crawler).unwrap());
            let stated = stated.map_or(PathPreferences::UNKNOWN, |stated| stated.at(path.as_path()).unwrap());
            assert_eq!(stated, wanted, "{} {}", dialect.name, case.name);
            assert_eq!(stated == PathPreferences::UNKNOWN, case.usage.is_empty() && case.signals.is_empty());
            said += usize::from(stated != PathPreferences::UNKNOWN);
            all += 1;
        }
    }
    assert!(said > 50 && all > 90, "{said} of {all} say something");
}

#[test]
fn packs_are_merged_with_their_preferences() {
    let folder = tempfile::tempdir().unwrap();
    let captures = stating(60);
    let options = with_preferences(PackOptions::new(&Dialect::GOOGLE));
    let whole = build(&options, &captures, &folder.path().join("whole"));
    let (one, two) = captures.split_at(30);
    let one = build(&options, one, &folder.path().join("one"));
    let two = build(&options, two, &folder.path().join("two"));
    let target = folder.path().join("merged");
    merge(&[&one, &two], &PackOptions::from(&one), &target).unwrap();
    assert!(Pack::open(&target).unwrap().as_bytes() == whole.as_bytes(), "another pack");
    // A pack without preferences cannot give them.
    let without = build(&PackOptions { preferences: None, ..options.clone() }, &captures, &folder.path().join("old"));
    let error = merge(&[&one, &without], &options, &target).unwrap_err();
    assert!(error.to_string().contains("(preferences)"), "{error}");
    let older = PackOptions { preferences: Vocabulary::by_name("04"), ..options };
    let older = build(&older, &captures, &folder.path().join("older"));
    assert_eq!(older.preferences().map(|vocabulary| vocabulary.name), Some("04"));
    assert!(merge(&[&one, &older], &PackOptions::from(&one), &target).is_err());
}

fn bytes(options: &PackOptions, captures: &[Owned], folder: &Path) -> Vec<u8> {
    build(options, captures, &folder.join("pack")).as_bytes().to_vec()
}

#[test]
fn what_states_nothing_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let silent = made(200, 200);
    for options in [single(), PackOptions { sitemaps: true, ..PackOptions::new(&Dialect::RFC9309) }] {
        let without = bytes(&options, &silent, folder.path());
        let with = bytes(&with_preferences(options.clone()), &silent, folder.path());
        assert_eq!((without[8], with[8]), (2, 3), "the versions");
        // The section is empty; it starts at a line of the cache.
        assert!(with.len() - without.len() < 64, "{} and {}", with.len(), without.len());
        // A pack that is built without them does not look at what files state.
        let mut stating = silent.clone();
        add_preferences(&mut stating);
        assert!(bytes(&options, &stating, folder.path()) == without, "another pack");
    }
}

/// Files, and for a use what is decided about paths: `+` allowed, `-` disallowed by the rules, `n` refused by the file,
/// `?` refused since nothing is stated.
#[test]
fn the_rules_come_before_the_preferences() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("silent", "User-agent: *\nDisallow: /x\n"),
        ("refusing", "User-agent: *\nDisallow: /x\nContent-Usage: train-ai=n\nContent-Usage: /ok train-ai=y\n"),
        ("signals", "User-agent: *\nContent-Signal: ai-train=no, search=yes\nContent-Usage: train-ai=y\n"),
        ("welcoming", "User-agent: *\nContent-Signal: ai-train=yes\nContent-Usage: /x search=n\n"),
    ];
    let mut captures: Vec<Owned> = files
        .iter()
        .map(|(name, body)| Owned::rules(&format!("https://{name}.example"), 1_790_000_000, body.as_bytes().to_vec()))
        .collect();
    for (name, outcome) in [("missing", Outcome::Unavailable), ("failing", Outcome::Unreachable)] {
        let origin = format!("https://{name}.example");
        captures.push(Owned { origin, record: record(outcome, 1_790_000_000), body: None });
    }
    let pack = build(&with_preferences(single()), &captures, &folder.path().join("pack"));
    let agent = pack.crawler(&Crawler::new("FooBot").unwrap()).unwrap();
    for (name, category, if_unknown, wanted) in [
        // The paths: / /x /ok /robots.txt
        ("silent", Category::Training, Verdict::Allow, "+-++"),
        ("silent", Category::Training, Verdict::Disallow, "?-??"),
        ("refusing", Category::Training, Verdict::Allow, "n-+n"),
        ("refusing", Category::Training, Verdict::Disallow, "n-+n"),
        ("refusing", Category::Search, Verdict::Allow, "+-++"),
        ("refusing", Category::ModelInput, Verdict::Disallow, "?-??"),
        ("signals", Category::Training, Verdict::Allow, "nnnn"),
        ("signals", Category::Search, Verdict::Disallow, "++++"),
        ("welcoming", Category::Training, Verdict::Disallow, "++++"),
        ("welcoming", Category::Search, Verdict::Allow, "+n++"),
        ("missing", Category::Training, Verdict::Allow, "++++"),
        ("missing", Category::Training, Verdict::Disallow, "????"),
        ("failing", Category::Training, Verdict::Allow, "---+"),
        ("failing", Category::Training, Verdict::Disallow, "---?"),
        ("unheld", Category::Training, Verdict::Allow, "   +"),
        ("unheld", Category::Training, Verdict::Disallow, "   ?"),
    ] {
        let trainer = pack.for_use(agent.clone(), WantedUse { category, if_unknown }).unwrap();
        let slot = pack.find(pack.key(format!("https://{name}.example").as_bytes()));
        let crawlers = PackCrawlers::from_iter([trainer.clone(), agent.clone(), trainer.clone()]);
        let access = pack.access_at(slot, &trainer, Site::NotKnownUp, NOW);
        let accesses = pack.accesses_at(slot, &crawlers, Site::NotKnownUp, NOW);
        let plain = pack.access_at(slot, &agent, Site::NotKnownUp, NOW);
        let sign = |path: &str| {
            let path = UrlPath::assume(path.as_bytes(), pack.dialect().path_form());
            let decision = access.decide_with_refusal(path);
            // Several crawlers are answered as each alone.
            let mut answers = Vec::new();
            accesses.decide(path, &mut answers);
            let alone = decision.map(|(verdict, rule, _)| (verdict, rule));
            assert_eq!(answers, [alone, plain.decide(path), alone], "{name}");
            assert_eq!(access.decide(path), alone, "{name}");
            match decision {
                None => ' ',
                Some((Verdict::Allow, _, None)) => '+',
                Some((Verdict::Disallow, _, None)) => '-',
                Some((Verdict::Disallow, None, Some(UseRefusal::Stated))) => 'n',
                Some((Verdict::Disallow, None, Some(UseRefusal::Unknown))) => '?',
                Some(other) => panic!("{other:?}"),
            }
        };
        let signs: String = ["/", "/x", "/ok", "/robots.txt"].into_iter().map(sign).collect();
        assert_eq!(signs, wanted, "{name} {category:?} {if_unknown:?}");
    }
    // A pack without preferences answers for no use.
    let without = build(&single(), &captures, &folder.path().join("without"));
    let wanted = WantedUse { category: Category::Training, if_unknown: Verdict::Allow };
    let its_own = without.crawler(&Crawler::new("FooBot").unwrap()).unwrap();
    assert_eq!(without.preferences(), None);
    assert!(without.for_use(its_own.clone(), wanted).is_none() && pack.for_use(its_own, wanted).is_none());
}

/// What cannot be compiled refuses every use, and leaves the verdicts as they are.
#[test]
fn what_is_not_decided_exactly_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let body = "User-agent: *\nDisallow: /x\nContent-Usage: /*a*b*c*d*e*f*g*h*i%2Fp search=y\n";
    let captures = [Owned::rules("https://a.example", 1_790_000_000, body.as_bytes().to_vec())];
    let options = with_preferences(PackOptions::new(&Dialect::RFC9309));
    let pack = build(&options, &captures, &folder.path().join("pack"));
    pack.verify().unwrap();
    let agent = pack.other_agents().unwrap();
    let entry = pack.get(b"https://a.example").unwrap();
    let path = pack.dialect().url_path("/y").unwrap();
    assert_eq!(entry.program(&agent).unwrap().verdict(path.as_path()), Ok(Verdict::Allow));
    let stated = entry.preferences(&agent).unwrap().at(path.as_path()).unwrap();
    assert!(Category::ALL.into_iter().all(|category| stated.of(category) == Preference::No));
}

/// A long group of many agents, each of which has a group of its own, too: no two of them obey the same groups, so that
/// each is compiled. All together are bounded, as rules are; the agents after that are refused every use.
#[test]
fn the_preferences_of_one_file_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let agents = 0..1_400;
    let own = agents.clone().map(|agent| format!("User-agent: a{agent}\nAllow: /\n"));
    let common = agents.map(|agent| format!("User-agent: a{agent}\n"));
    let long = "x".repeat(1_000);
    let stated = (10..25).map(|record| format!("Content-Usage: /{record} train-ai=y, x={long}\n"));
    let other = "Allow: /\nUser-agent: *\nDisallow: /\nUser-agent: silent\nAllow: /\n".to_owned();
    let body: String = own.chain(common).chain(stated).chain([other]).collect();
    let captures = [Owned::rules("https://a.example", 1_790_000_000, body.into_bytes())];
    let options = with_preferences(PackOptions::new(&Dialect::RFC9309));
    let pack = build(&options, &captures, &folder.path().join("pack"));
    pack.verify().unwrap();
    let entry = pack.get(b"https://a.example").unwrap();
    let of = |name: &str, path: &str| {
        let agent = pack.crawler(&Crawler::new(name).unwrap()).unwrap();
        let path = pack.dialect().url_path(path).unwrap();
        let stated = entry.preferences(&agent).map(|stated| stated.at(path.as_path()).unwrap());
        stated.map(|stated| Category::ALL.map(|category| stated.of(category)))
    };
    let [unknown, yes, no] = [Preference::Unknown, Preference::Yes, Preference::No];
    // In the order of their names.
    for (name, path, wanted) in [
        ("a0", "/10", Some([yes, unknown, unknown])),
        ("a0", "/", Some([unknown; 3])),
        ("a999", "/10", Some([no; 3])),
        ("a999", "/", Some([no; 3])),
        ("silent", "/", None),
        ("other", "/", None),
    ] {
        assert_eq!(of(name, path), wanted, "{name} {path}");
    }
}

/// Only the revisions have a number in the header.
#[test]
fn other_vocabularies_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let options = PackOptions { preferences: Some(Vocabulary::SIGNALS), ..single() };
    let error = robotsc::pack::PackBuilder::new(options, folder.path().join("pack")).unwrap_err();
    assert!(error.to_string().contains("number of a revision"), "{error}");
}
