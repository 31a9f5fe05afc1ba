//! Near misses and openings of real files: each proposed edit does what is said of it.

mod random;
#[path = "../../../tests/shared_data/mod.rs"]
mod shared_data;

use std::fs;
use std::path::Path;

use robotsc_analysis::near_miss::{OpeningEdit, also_opened, near_misses, openings};
use robotsc_compiler::{Crawler, Dialect, RobotsTxt, RuleKind, RuleSet, reference};

use self::random::Random;

/// Returns the rules of a file as written, and URLs of its site.
fn questions(corpus: &Path, every: usize) -> Vec<(Vec<u8>, Vec<String>)> {
    let list = fs::read(corpus.join("verdicts.tsv")).expect("the list");
    let list = String::from_utf8_lossy(&list);
    let mut questions: Vec<(&str, Vec<String>)> = Vec::new();
    for line in list.lines() {
        let Some((file, rest)) = line.split_once('\t') else { continue };
        let Some((url, _)) = rest.split_once('\t') else { continue };
        match questions.last_mut() {
            Some((last, urls)) if *last == file => urls.push(url.to_owned()),
            _ => questions.push((file, vec![url.to_owned()])),
        }
    }
    let read =
        |(file, urls): (&str, Vec<String>)| Some((fs::read(corpus.join(format!("robots/{file}.txt"))).ok()?, urls));
    questions.into_iter().step_by(every).filter_map(read).collect()
}

/// Returns the line that decides, as the reference matcher finds it in a file.
fn decided(body: &[u8], url: &str) -> (bool, u32) {
    let robots = RobotsTxt::parse(body);
    let rules = robots.rule_set(&Crawler::new("FooBot").expect("a name"));
    let path = Dialect::GOOGLE.url_path(url).expect("a URL");
    let decided = reference::deciding_rule(&rules, path.as_path()).expect("one form");
    (decided.is_none_or(|rule| rule.verdict.is_allow()), decided.map_or(0, |rule| rule.line))
}

/// Returns the lines of a small file of one rule.
fn one_rule(kind: RuleKind, value: &[u8]) -> Vec<u8> {
    [b"User-agent: *\n", kind.as_str().as_bytes(), b": ", value, b"\n"].concat()
}

#[test]
fn each_pattern_matches_its_url() {
    let Some(corpus) = shared_data::folder("corpus") else { return };
    let pairs = if shared_data::full() { 100_000 } else { 10_000 };
    let files = questions(&corpus, 1);
    let mut random = Random(7);
    let crawler = Crawler::new("FooBot").expect("a name");
    let (mut tried, mut found) = (0, 0);
    while tried < pairs {
        let (body, urls) = &files[random.below(files.len())];
        let robots = RobotsTxt::parse(body);
        if robots.rules().is_empty() {
            continue;
        }
        for _ in 0..20 {
            tried += 1;
            let rule = &robots.rules()[random.below(robots.rules().len())];
            let url = &urls[random.below(urls.len())];
            let Ok(path) = Dialect::GOOGLE.url_path(url) else { continue };
            let value = rule.value.of(robots.body());
            let file = one_rule(rule.kind, value);
            let small = RobotsTxt::parse(&file);
            let groups = small.select(&crawler);
            let rules = small.rule_set_of(&groups);
            let near = near_misses(&small, &groups, &rules, path.as_path()).expect("one form");
            for near in near.found {
                found += 1;
                let what = format!("{} {url}: {near:?}", String::from_utf8_lossy(value));
                let set = RuleSet::from_rules(&Dialect::GOOGLE, [(near.kind, &near.pattern, 2)]);
                let matched = reference::deciding_rule(&set, path.as_path()).expect("one form");
                assert_eq!(matched.map(|rule| rule.line), Some(2), "{what}");
                assert_eq!(decided(&one_rule(near.kind, &near.pattern), url), (false, 2), "{what}");
                let other = near.path.map(|path| format!("https://h{}", String::from_utf8_lossy(&path)));
                assert!(other.is_none_or(|other| decided(&file, &other) == (false, 2)), "{what}");
            }
        }
    }
    println!("{found} of {tried} pairs are near");
    assert!(found > pairs / 1000, "{found} of {tried}");
}

/// Writes a value with a slip.
type Slip = fn(&str) -> String;

/// Slips in the writing of a rule, each of which lint reports, and the reason that is said.
const SLIPS: [(&str, Slip); 11] = [
    ("list", |value| format!("{value}, /zzz/")),
    ("list", |value| format!("/zzz/ {value}")),
    ("list", |value| format!("/zzz/|{value}")),
    ("notation", |value| format!("/(zzz|{})", &value[1..])),
    ("notation", |value| format!("/{{{},zzz}}", &value[1..])),
    ("notation", |value| format!("^{}", value.replace('*', ".*"))),
    ("quotes", |value| format!("\"{value}\"")),
    ("quotes", |value| format!("\u{201C}{value}\u{201D}")),
    ("quotes", |value| format!("[{value}]")),
    ("dots", |value| format!("/.{value}")),
    ("dots", |value| format!("/zzz/..{value}")),
];

/// A rule that matches a URL of its site and is written with a slip nearly matches it. What is proposed matches, and
/// says why the rule does not.
#[test]
fn rules_with_slips_are_found() {
    let Some(corpus) = shared_data::folder("corpus") else { return };
    let crawler = Crawler::new("FooBot").expect("a name");
    let (mut planted, mut found) = (0, 0);
    for (body, urls) in questions(&corpus, if shared_data::full() { 1 } else { 20 }) {
        let robots = RobotsTxt::parse(&body);
        for url in urls.iter().take(20) {
            let Ok(path) = Dialect::GOOGLE.url_path(url) else { continue };
            let is_simple = |value: &&str| {
                value.starts_with('/')
                    && value.len() > 4
                    && !value.contains([',', ';', '|', '(', '{', ' ', '$', '?', '.', '"'])
            };
            let matches = |value: &&str| decided(&one_rule(RuleKind::Disallow, value.as_bytes()), url).1 > 0;
            let values = robots.rules().iter().filter_map(|rule| str::from_utf8(rule.value.of(robots.body())).ok());
            let Some(value) = values.filter(is_simple).find(matches) else { continue };
            for (reason, slip) in SLIPS {
                let written = slip(value);
                let file = one_rule(RuleKind::Disallow, written.as_bytes());
                let small = RobotsTxt::parse(&file);
                let groups = small.select(&crawler);
                let near = near_misses(&small, &groups, &small.rule_set_of(&groups), path.as_path()).expect("one form");
                planted += 1;
                let Some(near) = near.found.first() else { continue };
                found += usize::from(near.reasons.iter().any(|known| known.as_str() == reason));
                let proposed = one_rule(near.kind, &near.pattern);
                assert_eq!(decided(&proposed, url), (false, 2), "{written} {url}: {near:?}");
            }
        }
    }
    println!("{found} of {planted} slips are found");
    assert!(planted > 100 && found * 100 > planted * 99, "{found} of {planted}");
}

/// Returns URLs near a path: its folders, and the path with a little more.
fn near_paths(path: &[u8]) -> Vec<String> {
    let path = String::from_utf8_lossy(path);
    let folders = path.match_indices('/').map(|(at, _)| path[..=at].to_owned());
    let longer = ["/", "x", "?", "?x", "&x", ".html"].into_iter().map(|more| format!("{path}{more}"));
    folders.chain(longer).filter(|other| *other != path).map(|other| format!("https://h{other}")).collect()
}

/// Whether what is said to decide, decides in the file with that line.
#[test]
fn edits_of_whole_files_do_what_is_said() {
    let Some(corpus) = shared_data::folder("corpus") else { return };
    let crawler = Crawler::new("FooBot").expect("a name");
    let (mut near_count, mut open_count) = (0, 0);
    for (body, urls) in questions(&corpus, if shared_data::full() { 1 } else { 60 }) {
        // Edits of lines are simple in UTF-8 with one kind of line end.
        let Ok(text) = String::from_utf8(body) else { continue };
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
        if text.len() > 20_000 || text.contains('\0') {
            continue;
        }
        let robots = RobotsTxt::parse(text.as_bytes());
        let groups = robots.select(&crawler);
        let rules = robots.rule_set_of(&groups);
        let edited = |line: u32, with: &[u8]| {
            let mut lines: Vec<&[u8]> = text.as_bytes().split(|byte| *byte == b'\n').collect();
            lines[line as usize - 1] = with;
            lines.join(&b'\n')
        };
        let written = |kind: RuleKind, value: &[u8]| [kind.as_str().as_bytes(), b": ", value].concat();
        for url in urls {
            let Ok(path) = Dialect::GOOGLE.url_path(&url) else { continue };
            for near in near_misses(&robots, &groups, &rules, path.as_path()).expect("one form").found {
                near_count += 1;
                let new = edited(near.line, &written(near.kind, &near.pattern));
                let (_, line) = decided(&new, &url);
                assert_eq!(line == near.line, near.decided_by.is_none(), "{url} {near:?}\n{text}");
            }
            for edit in openings(&rules, &Dialect::GOOGLE, path.as_path()).expect("one form") {
                open_count += 1;
                let (is_allowed, line) = decided(text.as_bytes(), &url);
                assert!(!is_allowed, "{url}");
                let new = match &edit {
                    OpeningEdit::Allow(pattern) => {
                        let rule = text.lines().nth(line as usize - 1).expect("the line").as_bytes();
                        edited(line, &[rule, b"\n", &written(RuleKind::Allow, pattern)].concat())
                    }
                    OpeningEdit::Remove(lines) => {
                        let keep = |(number, line): (u32, &str)| {
                            // The line stays, so that no groups are joined.
                            if lines.contains(&number) { "Disallow:".to_owned() } else { line.to_owned() }
                        };
                        (1..).zip(text.split('\n')).map(keep).collect::<Vec<_>>().join("\n").into_bytes()
                    }
                };
                let what = format!("{url} {edit:?}\n{text}");
                assert!(decided(&new, &url).0, "{what}");
                let new_rules = RobotsTxt::parse(&new).rule_set(&crawler);
                match also_opened(&rules, &new_rules, &Dialect::GOOGLE, path.as_path()) {
                    Ok(Some(other)) => {
                        let other = format!("https://h{}", String::from_utf8_lossy(&other));
                        assert!(!decided(text.as_bytes(), &other).0, "{other} {what}");
                        assert!(decided(&new, &other).0, "{other} {what}");
                    }
                    Ok(None) => {
                        for other in near_paths(path.as_bytes()) {
                            let was = decided(text.as_bytes(), &other).0;
                            assert!(was || !decided(&new, &other).0, "{other} {what}");
                        }
                    }
                    Err(_) => {}
                }
            }
        }
    }
    println!("{near_count} near misses, {open_count} openings");
    assert!(near_count > 20 && open_count > 100, "{near_count} {open_count}");
}
