//! Random policies in real files, and in small random ones: what was proved is checked by the reference matcher on
//! every path up to a length, and on paths made of the patterns.
//!
//! By default 25 real files and 25 small ones; `ROBOTSC_FULL=1` takes 2,000 and 2,000. The real ones lie beside the
//! checkout.

#[path = "../../robotsc-analysis/tests/random/mod.rs"]
mod random;
#[path = "../../../tests/shared_data/mod.rs"]
mod shared_data;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use random::Random;
use robotsc::agent::{Selection, SelectionReason};
use robotsc::bundled::{self, KnownAgent};
use robotsc::dialect::AgentMatch;
use robotsc::internal::reference;
use robotsc::robots_txt::RuleKind;
use robotsc::{AgentName, Crawler, Dialect, RobotsTxt, RuleSet};
use robotsc_answers::set::{After, Choice, Declaration, Options, Refusal, Why, remove, set};

const WHO: [&str; 22] = [
    "ai-training",
    "ai-search",
    "user-triggered",
    "seo",
    "archive",
    "preview",
    "ads",
    "data",
    "research",
    "search",
    "monitoring",
    "operator:OpenAI",
    "operator:Google",
    "operator:Yandex",
    "operator:Semrush",
    "GPTBot",
    "Googlebot",
    "AI2Bot",
    "Applebot",
    "bingbot",
    "FooBot",
    "CCBot",
];

/// A policy that does not contradict itself.
fn policy(random: &mut Random, paths: &[String]) -> Declaration {
    loop {
        let mut some = |most: usize| -> Vec<String> {
            let count = random.below(most + 1);
            let some: BTreeSet<&str> = (0..count).map(|_| *random.choose(&WHO)).collect();
            some.into_iter().map(str::to_owned).collect()
        };
        let mut policy = Declaration { deny: some(3), allow: some(2), ..Declaration::default() };
        if random.below(4) == 0 {
            policy.disallow.push(random.choose(paths).clone());
        }
        if random.below(4) == 0 {
            policy.content_usage = Some((*random.choose(&["train-ai=n", "train-ai=n, search=y"])).to_owned());
        }
        if random.below(6) == 0 {
            policy.content_signal = Some("ai-train=no".to_owned());
        }
        if policy.check().is_ok() && Choice::of(&policy).is_ok() {
            return policy;
        }
    }
}

/// A small file: a few groups of names that matter, with rules over a small alphabet.
fn small_file(random: &mut Random) -> Vec<u8> {
    const NAMES: [&str; 14] = [
        "*",
        "*",
        "*",
        "Googlebot",
        "GPTBot",
        "FooBot",
        "AI2Bot/1.0",
        "Yandex",
        "Applebot",
        "Googlebot-Image",
        "CCBot",
        "bingbot",
        "Baiduspider",
        "facebookexternalhit/1.1",
    ];
    const PARTS: [&str; 7] = ["a", "/", "*", "ab", "b", "$", "?"];
    let eol = *random.choose(&["\n", "\n", "\r\n"]);
    let mut lines = Vec::new();
    for _ in 0..random.below(4) {
        for _ in 0..=random.below(2) {
            lines.push(format!("User-agent: {}", random.choose(&NAMES)));
        }
        for _ in 0..random.below(5) {
            let mut value = "/".to_owned();
            (0..random.below(4)).for_each(|_| value += *random.choose(&PARTS));
            let key = *random.choose(&["Disallow", "Disallow", "Allow", "disalow"]);
            lines.push(match random.below(9) {
                0 => "Crawl-delay: 3".to_owned(),
                1 => "Sitemap: https://h/s".to_owned(),
                2 => format!("{key}:"),
                3 => "Content-Signal: search=yes".to_owned(),
                _ => format!("{key}: {value}"),
            });
        }
        if random.below(2) == 0 {
            lines.push(String::new());
        }
    }
    let end = if random.below(4) == 0 { "" } else { eol };
    (lines.join(eol) + end).into_bytes()
}

/// Every path up to a length over a small alphabet, and paths that the patterns of some files match.
fn probes(bodies: [&[u8]; 2]) -> Vec<String> {
    const BYTES: [char; 4] = ['a', 'b', '/', '?'];
    let mut paths = vec!["/".to_owned()];
    let mut last = paths.clone();
    for _ in 0..4 {
        last = last.iter().flat_map(|path| BYTES.map(|byte| format!("{path}{byte}"))).collect();
        paths.extend_from_slice(&last);
    }
    for body in bodies {
        let robots = RobotsTxt::parse(body);
        for rule in robots.rules().iter().take(150) {
            let value = String::from_utf8_lossy(rule.value.of(body)).into_owned();
            for star in ["", "x/y"] {
                let path = value.trim_end_matches('$').replace('*', star);
                paths.extend(["", "x"].map(|end| format!("/{}{end}", path.trim_start_matches('/'))));
            }
        }
    }
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// The agents that are compared: a name, and the crawler as its operator documents it.
fn agents(body: &[u8], random: &mut Random) -> Vec<(String, Crawler)> {
    let mut agents = vec![("*".to_owned(), Crawler::others())];
    for known in bundled::agents().iter().filter(|_| random.below(4) == 0) {
        agents.push((known.token.to_owned(), known.crawler()));
    }
    let robots = RobotsTxt::parse(body);
    for line in robots.agents().iter().take(30) {
        let [token, written] = [line.token.of(robots.body()), line.written(robots.body())];
        // Google reads `AI2Bot` as `AI`, and `quillbot.com` as `quillbot`, whoever writes it: no file keeps two such
        // names apart. The one that is known is meant.
        let is_known = |name| bundled::agent(&String::from_utf8_lossy(name)).is_some();
        let names = match [is_known(token), is_known(written)] {
            _ if token == written => &[token][..],
            [_, true] => &[written],
            [true, false] => &[token],
            [false, false] => &[token, written],
        };
        for name in names {
            let Ok(name) = AgentName::of_group(name) else { continue };
            let text = String::from_utf8_lossy(name.as_bytes()).into_owned();
            let crawler = bundled::agent(&text).map_or_else(|| Crawler::from(name), KnownAgent::crawler);
            agents.push((text, crawler));
        }
    }
    agents
}

/// Returns the groups that a crawler obeys by a name that it has, or those for `*`: a dialect that compares names by
/// their start can find another one.
fn documented(robots: &RobotsTxt<'_>, crawler: &Crawler) -> Selection {
    let selection = robots.select(crawler);
    let is_name = |found: &Vec<u8>| crawler.names().any(|name| name.as_bytes().eq_ignore_ascii_case(found));
    match &selection.reason {
        SelectionReason::Named(names) if !names.iter().all(is_name) => robots.select(&Crawler::others()),
        _ => selection,
    }
}

/// Returns the verdict of each path by the reference matcher; `None` for what is no path.
fn verdicts(set: &RuleSet, robots: &RobotsTxt<'_>, paths: &[String]) -> Vec<Option<bool>> {
    let verdict = |path: &String| {
        let path = robots.url_path(path).ok()?;
        let rule = reference::deciding_rule(set, path.as_path()).expect("a path of this form");
        Some(rule.is_none_or(|rule| rule.verdict.is_allow()))
    };
    paths.iter().map(verdict).collect()
}

/// Returns the rules of a selection without those that match every path.
fn without_closing(robots: &RobotsTxt<'_>, selection: &Selection, paths: &[String]) -> RuleSet {
    let dialect = robots.dialect();
    let lines = selection.groups.iter().flat_map(|id| robots.rules_of(&robots.groups()[id.0 as usize]));
    let lines: Vec<_> = lines.map(|rule| (rule.kind, rule.value.of(robots.body()), rule.line)).collect();
    let stays = |(kind, value, _): &(RuleKind, &[u8], u32)| {
        let alone = RuleSet::from_rules(dialect, [(*kind, *value, 1)]);
        let verdicts = verdicts(&alone, robots, paths);
        let is_robots = |path: &String| path == "/robots.txt";
        paths.iter().zip(verdicts).any(|(path, verdict)| verdict == Some(true) && !is_robots(path))
    };
    RuleSet::from_rules(dialect, lines.into_iter().filter(stays))
}

/// Checks what was written beside the reference matcher.
fn check(body: &[u8], policy: &Declaration, after: &After, random: &mut Random) {
    let again = set(&after.body, policy, Options::default()).expect("a second call");
    assert_eq!(again.body.escape_ascii().to_string(), after.body.escape_ascii().to_string(), "a second call");
    let outside = remove(&after.body, Options::default()).expect("a block");
    if after.moved.is_empty() {
        assert_eq!(outside, body, "without the block");
    }
    let paths = probes([body, &after.body]);
    let is_in = |members: &[robotsc_answers::set::Member], name: &str| {
        members.iter().any(|member| member.name.eq_ignore_ascii_case(name))
    };
    let agents = agents(body, random);
    for dialect in Dialect::ALL {
        let [old, outside, new] = [body, &outside, &after.body].map(|body| RobotsTxt::parse_with(body, dialect));
        let is_for_nobody = |path: &String| {
            let rules = policy.disallow.iter().map(|pattern| (RuleKind::Disallow, pattern.as_str(), 1));
            verdicts(&RuleSet::from_rules(dialect, rules), &new, std::slice::from_ref(path)) == [Some(false)]
        };
        let nobody: Vec<bool> = paths.iter().map(is_for_nobody).collect();
        let is_whole = dialect.agent_match == AgentMatch::Exact;
        let is_asked = |(name, crawler): &&(String, Crawler)| {
            let is_denied = is_in(&after.choice.denied, name);
            let alone = Crawler::new(name).map(|alone| old.select(&alone).reason);
            is_whole
                || is_denied
                || crawler.names().len() == 0
                || alone == Ok(SelectionReason::Named(vec![name.to_ascii_lowercase().into_bytes()]))
        };
        for (name, crawler) in agents.iter().filter(is_asked) {
            let found = verdicts(&new.rule_set(crawler), &new, &paths);
            let wanted = if is_in(&after.choice.denied, name) {
                verdicts(&RuleSet::from_rules(dialect, [(RuleKind::Disallow, "/", 1)]), &new, &paths)
            } else if is_in(&after.choice.allowed, name) {
                verdicts(&without_closing(&outside, &documented(&outside, crawler), &paths), &new, &paths)
            } else {
                verdicts(&old.rule_set(crawler), &old, &paths)
            };
            for (((path, found), wanted), is_for_nobody) in paths.iter().zip(found).zip(wanted).zip(&nobody) {
                let wanted = wanted.map(|wanted| wanted && !is_for_nobody);
                assert_eq!(found, wanted, "{} {name} {path}", dialect.name);
            }
        }
    }
}

/// Writes random policies into files, and returns how many were refused, by their reasons.
fn run(count: usize, seed: u64, file: impl Fn(&mut Random) -> Vec<u8> + Sync) {
    let numbers: Vec<u64> = (0..count as u64).collect();
    let results: Vec<(Result<f64, Refusal>, bool)> = shared_data::in_parallel(&numbers, |number| {
        let mut random = Random(seed.wrapping_add((number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1);
        (0..8).for_each(|_| _ = random.below(9));
        let body = file(&mut random);
        let robots = RobotsTxt::parse(&body);
        let mut paths: Vec<String> = ["/members/", "/a", "/*.pdf$"].map(str::to_owned).to_vec();
        paths.extend(
            robots.rules().iter().take(9).map(|rule| String::from_utf8_lossy(rule.value.of(&body)).into_owned()),
        );
        let policy = policy(&mut random, &paths);
        let start = Instant::now();
        let found = set(&body, &policy, Options::default());
        let seconds = start.elapsed().as_secs_f64();
        let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match &found {
            Ok(after) => check(&body, &policy, after, &mut random),
            Err(refusal) => assert!(!matches!(refusal.why, Why::Declaration | Why::Block | Why::Edited), "{refusal}"),
        }));
        if checked.is_err() {
            eprintln!("number {number}: {policy:?}\n{}", String::from_utf8_lossy(&body[..body.len().min(2000)]));
        }
        (found.map(|_| seconds), checked.is_ok())
    });
    let mut refused: BTreeMap<Why, Vec<String>> = BTreeMap::new();
    let mut seconds = Vec::new();
    let bad = results.iter().filter(|(_, is_right)| !is_right).count();
    for (found, _) in results {
        match found {
            Ok(took) => seconds.push(took),
            Err(refusal) => refused.entry(refusal.why).or_default().push(refusal.to_string()),
        }
    }
    seconds.sort_by(f64::total_cmp);
    let at = |share: usize| seconds.get(seconds.len() * share / 100).copied().unwrap_or_default();
    println!("{} written, median {:.2} s, p95 {:.2} s, max {:.2} s", seconds.len(), at(50), at(95), at(99));
    for (why, causes) in &refused {
        println!("{why:?}: {} refused", causes.len());
        causes.iter().take(12).for_each(|cause| println!("    {cause}"));
    }
    assert_eq!(bad, 0, "pairs are wrong");
    let shares = |why: Why| refused.get(&why).map_or(0, Vec::len);
    assert!(shares(Why::NotProved) + shares(Why::NotDecided) <= count / 4, "too many are refused");
}

#[test]
fn small_files() {
    run(if shared_data::full() { 2_000 } else { 25 }, 1, small_file);
}

#[test]
fn real_files() {
    let Some(corpus) = shared_data::folder("corpus") else { return };
    let mut files = Vec::new();
    for folder in ["robots", "robots-modern"] {
        let entries = std::fs::read_dir(corpus.join(folder)).expect("a folder");
        files.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    files.sort_unstable();
    run(if shared_data::full() { 2_000 } else { 25 }, 2, |random| {
        std::fs::read(random.choose(&files)).expect("a file")
    });
}
