//! Several crawlers of a pack at once: the answers are those of one at a time.

mod pack_captures;
mod shared_data;

use std::fs;

use pack_captures::{Owned, build, made};
use robotsc::origin::Batch;
use robotsc::outcome::{Site, Time};
use robotsc::pack::{Pack, PackAgents, PackCrawlers, PackLookup, PackOptions};
use robotsc::{AgentName, Crawler, Dialect, PathForm, UrlPath};

const NAMES: [&str; 8] = ["a", "B-C", "b-c-d", "other", "GPTBot", "Googlebot", "CCBot", "unheard-of"];
const PATHS: [&str; 8] = ["/", "/1", "/12", "/b/3x", "/c", "/robots.txt", "/search?q=1", "/private/x"];

/// Compares the answers for several crawlers with those for each, over all entries of a pack. Returns the number of
/// answers, and of entries that tell the crawlers apart.
fn compare(pack: &Pack, crawlers: &PackCrawlers, now: Time) -> (u64, u64) {
    let (mut answered, mut apart) = (0, 0);
    let mut answers = vec![None; 99];
    for (origin, entry) in pack.entries() {
        let slot = pack.find(pack.key(&origin));
        for site in [Site::NotKnownUp, Site::Up, Site::MissingIs5xx] {
            let accesses = pack.accesses_at(slot, crawlers, site, now);
            assert_eq!(accesses.crawlers(), crawlers.agents().len());
            apart += u64::from(accesses.distinct().len() > 1);
            for path in PATHS {
                let path = UrlPath::assume(path.as_bytes(), pack.dialect().path_form());
                accesses.decide(path, &mut answers);
                assert_eq!(answers.len(), crawlers.agents().len());
                for (number, agent) in crawlers.agents().iter().enumerate() {
                    let alone = entry.access_at(agent, site, now).decide(path);
                    assert_eq!(answers[number], alone, "{} {number}", origin.escape_ascii());
                    assert_eq!(accesses.distinct()[accesses.index(number)].decide(path), alone);
                    answered += 1;
                }
            }
        }
    }
    (answered, apart)
}

/// Names, a chain, a crawler that obeys only its name, and all others, of a pack for all agents.
fn all_kinds(pack: &Pack) -> PackCrawlers {
    let mut crawlers: Vec<Crawler> = NAMES.iter().map(|name| Crawler::new(name).expect("a name")).collect();
    crawlers.push(Crawler::chain(["unheard-of", "a"]).expect("names"));
    crawlers.push(Crawler::new("Googlebot").expect("a name").named_only());
    crawlers.push(Crawler::new("unheard-of").expect("a name").named_only());
    crawlers.push(Crawler::others());
    crawlers.iter().map(|crawler| pack.crawler(crawler)).collect::<Option<_>>().expect("a pack for all agents")
}

#[test]
fn several_crawlers_are_answered_as_each_alone() {
    let captures = made(180, 120);
    let folder = tempfile::tempdir().expect("a folder");
    for dialect in Dialect::ALL {
        for deciding_rules in [false, true] {
            let options = PackOptions { deciding_rules, ..PackOptions::new(dialect) };
            let all = build(&options, &captures, &folder.path().join("all"));
            let some = PackOptions { agents: PackAgents::only(["a", "b-c", "other"]), ..options };
            let some = build(&some, &captures, &folder.path().join("some"));
            let names = ["other", "a", "B-C", "a"].map(|name| AgentName::new(name).expect("a name"));
            let few: PackCrawlers = names.into_iter().map(|name| some.agent(name).expect("an agent")).collect();
            for (pack, crawlers) in [(&all, all_kinds(&all)), (&some, few)] {
                for now in [Time(1_700_000_500), Time(1_700_100_000), Time(1_800_000_000)] {
                    let (answered, _) = compare(pack, &crawlers, now);
                    assert!(answered > 5_000, "{answered}");
                }
                let (_, apart) = compare(pack, &crawlers, Time(1_700_000_500));
                assert!(apart > 40, "{apart} of {}", pack.len());
            }
            // Crawlers of another pack get nothing.
            let accesses = some.accesses_at(
                Some(some.find(some.key(b"https://1.example")).expect("it is held")),
                &all_kinds(&all),
                Site::NotKnownUp,
                Time(1_700_000_500),
            );
            let mut answers = Vec::new();
            accesses.decide(UrlPath::assume(b"/", dialect.path_form()), &mut answers);
            assert!(answers.iter().all(|answer| answer.is_none_or(|(verdict, _)| !verdict.is_allow())));
        }
    }
}

#[test]
fn real_files_are_answered_as_each_alone() {
    let Some(corpus) = shared_data::folder("corpus") else { return };
    let mut files: Vec<_> =
        fs::read_dir(corpus.join("robots-modern")).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    files.sort();
    let step = if shared_data::full() { 1 } else { 16 };
    let captures: Vec<Owned> = files
        .iter()
        .step_by(step)
        .map(|file| {
            let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
            Owned::rules(&format!("https://{name}"), 1_700_000_000, fs::read(file).expect("a body"))
        })
        .collect();
    let folder = tempfile::tempdir().expect("a folder");
    let pack = build(&PackOptions::new(&Dialect::GOOGLE), &captures, &folder.path().join("all"));
    let (answered, apart) = compare(&pack, &all_kinds(&pack), Time(1_700_000_100));
    println!("{answered} answers, {apart} entries tell crawlers apart");
    assert!(answered > 10_000 && apart > 50, "{answered} {apart}");
}

#[test]
fn a_batch_answers_for_several_crawlers() {
    let folder = tempfile::tempdir().expect("a folder");
    let body = b"User-agent: a\nDisallow: /\n\nUser-agent: *\nDisallow: /x\n".to_vec();
    let captures = [Owned::rules("https://a.example", 1_700_000_000, body)];
    let pack = build(&PackOptions::new(&Dialect::GOOGLE), &captures, &folder.path().join("pack"));
    let names = [Crawler::new("b").expect("a name"), Crawler::new("a").expect("a name")];
    let crawlers: PackCrawlers = names.iter().map(|name| pack.crawler(name)).collect::<Option<_>>().expect("agents");
    let lookup = PackLookup::new(&pack, &crawlers, Site::NotKnownUp, Time(1_700_000_001));
    let mut batch = Batch::new(&lookup);
    let mut words = Vec::new();
    for urls in [
        [&b"https://a.example/"[..], b"https://a.example/x", b"HTTPS://A.example:443/y/../x"],
        [b"https://a.example/z", b"https://b.example/", b"mailto:me@a.example"],
    ] {
        batch.clear();
        urls.iter().for_each(|url| batch.push(url));
        batch.look_up();
        let mut answers = Vec::new();
        for url in batch.urls() {
            let Ok((origin, path)) = url.split else {
                words.push("error".to_owned());
                continue;
            };
            assert_eq!(path.form(), PathForm::Escaped);
            origin.policy.as_ref().expect("it was looked up").decide(path, &mut answers);
            let word = |answer: &Option<(robotsc::Verdict, _)>| match answer {
                Some((verdict, _)) if verdict.is_allow() => 'y',
                Some(_) => 'n',
                None => '?',
            };
            words.push(answers.iter().map(word).collect());
        }
    }
    assert_eq!(words, ["yn", "nn", "nn", "yn", "??", "error"]);
}
