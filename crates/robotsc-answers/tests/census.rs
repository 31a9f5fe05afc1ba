//! A census of real files: each cell is what the file itself answers.

#[path = "../../../tests/shared_data/mod.rs"]
mod shared_data;

use std::fs;
use std::path::PathBuf;

use robotsc::outcome::{Capture, Response, Time};
use robotsc::{Dialect, RobotsTxt};
use robotsc_answers::census::{Census, ChosenBy, Openness, SiteClass, Visit};
use robotsc_answers::chosen_agent::ChosenAgent;

const AT: Time = Time(1_790_000_000);

fn agents(names: &[&str]) -> Vec<ChosenAgent> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    ChosenAgent::all(&names, false).expect("agents")
}

/// Paths near the rules of a file: the starts of its patterns, whole, cut and longer.
fn paths(robots: &RobotsTxt<'_>) -> Vec<String> {
    let mut paths: Vec<String> = ["/", "/a", "/index.html", "/x/y?z=1", "/*", "/$"].map(str::to_owned).to_vec();
    for rule in robots.rules().iter().take(40) {
        let text = String::from_utf8_lossy(rule.value.of(robots.body())).replace(['*', '$'], "q");
        if text.starts_with('/') {
            paths.extend([format!("{text}zz"), text.chars().take(2).collect(), text]);
        }
    }
    paths
}

#[test]
fn cells_are_what_the_file_answers() {
    let Some(corpus) = shared_data::folder("corpus") else { return };
    let full = std::env::var_os("ROBOTSC_FULL").is_some();
    let names = [
        "Googlebot",
        "GPTBot",
        "CCBot",
        "AdsBot-Google",
        "Googlebot-Image",
        "Bytespider",
        "*",
        "unheard-of",
        "bingbot",
    ];
    let (mut cells, mut checked) = ([0_u32; 4], 0);
    for dialect in if full { &Dialect::ALL[..] } else { &Dialect::ALL[..1] } {
        let census = Census::new(agents(&names), dialect);
        for folder in ["robots", "robots-modern"] {
            let listed = fs::read_dir(corpus.join(folder)).expect("a folder");
            let mut files: Vec<PathBuf> = listed.map(|entry| entry.expect("an entry").path()).collect();
            files.sort();
            for file in files.iter().step_by(if full { 1 } else { 40 }) {
                let body = fs::read(file).expect("a file");
                let capture = Capture::after(None, &Response::new(200, &body), AT, dialect);
                let name = file.file_stem().expect("a name").to_string_lossy();
                let site = census.site(&Visit { name: &name, capture: &capture, status: Some(200), body: &body });
                let robots = RobotsTxt::parse_with(&body, dialect);
                let paths = paths(&robots);
                for (number, agent) in census.agents().iter().enumerate() {
                    let cell = site.of(number);
                    assert!(cell.agents.contains(&number));
                    cells[cell.access as usize] += 1;
                    let may = |path: &[u8]| {
                        let url = [b"https://h.example", path].concat();
                        robots.is_allowed(&agent.crawler, url).expect("a URL")
                    };
                    if let Some(open) = &cell.open_path {
                        assert!(may(open), "{name} {}: {}", agent.name, open.escape_ascii());
                    }
                    if let Some(closed) = &cell.closed_path {
                        assert!(!may(closed), "{name} {}: {}", agent.name, closed.escape_ascii());
                    }
                    let has = (cell.open_path.is_some(), cell.closed_path.is_some());
                    match cell.access {
                        Openness::Open => assert_eq!(has, (true, false)),
                        Openness::Closed => assert_eq!(has, (false, true)),
                        Openness::Partly => assert_eq!(has, (true, true)),
                        Openness::Unknown => panic!("{name} {}: not decided", agent.name),
                    }
                    for path in paths.iter().filter(|path| !path.starts_with("/robots.txt")) {
                        let may = may(path.as_bytes());
                        // No path is shorter than the shortest of its side.
                        let side = if may { &cell.open_path } else { &cell.closed_path };
                        let shortest = side.as_ref().unwrap_or_else(|| panic!("{name} {}: {path}", agent.name));
                        let url = format!("https://h.example{path}");
                        let read = dialect.url_path(&url).expect("a URL");
                        assert!(shortest.len() <= read.as_path().as_bytes().len(), "{name} {}: {path}", agent.name);
                        checked += 1;
                    }
                    let selection = robots.select(&agent.crawler);
                    let delay = robots.crawl_delays(&selection).max().map(|delay| delay.as_secs_f64());
                    assert_eq!(cell.crawl_delay, delay, "{name} {}", agent.name);
                }
            }
        }
    }
    println!("{cells:?} cells, {checked} verdicts");
    assert!(cells[..3].iter().all(|count| *count > 20) && checked > 50_000, "{cells:?} {checked}");
}

#[test]
fn what_a_fetch_brought_is_classed() {
    let census = Census::new(agents(&["GPTBot", "Googlebot-Image", "AdsBot-Google"]), &Dialect::GOOGLE);
    let rules =
        b"User-agent: Googlebot\nUser-agent: GPTBot\nCrawl-delay: 2\nContent-Signal: ai-train=no\nDisallow: /a\n\n\
        User-agent: *\nDisallow: /\n";
    for (status, body, class, access) in [
        (200, &rules[..], SiteClass::Rules, [Openness::Partly, Openness::Partly, Openness::Open]),
        (200, b"# nothing\n", SiteClass::NoRules, [Openness::Open; 3]),
        (200, b"<!doctype html><p>Hello", SiteClass::Other, [Openness::Open; 3]),
        (404, b"not here", SiteClass::Missing, [Openness::Open; 3]),
        (403, b"<html>challenge", SiteClass::Refused, [Openness::Open; 3]),
        (503, b"", SiteClass::Error, [Openness::Closed; 3]),
    ] {
        let capture = Capture::after(None, &Response::new(status, body), AT, &Dialect::GOOGLE);
        let site = census.site(&Visit { name: "a\nb<i>", capture: &capture, status: Some(status), body });
        assert_eq!(site.name, "a\\nb<i>");
        assert_eq!(site.class, class);
        let found: Vec<Openness> = (0..3).map(|agent| site.of(agent).access).collect();
        assert_eq!(found, access, "{class:?}");
        let json = serde_json::Value::Object(site.json(&census));
        assert_eq!(json["class"], class.name());
        if class == SiteClass::Rules {
            assert_eq!(site.of(1).chosen_by, ChosenBy::Fallback("googlebot".to_owned()));
            assert_eq!(site.of(2).chosen_by, ChosenBy::StarIgnored);
            assert_eq!(json["cells"][0]["agents"], serde_json::json!(["GPTBot"]));
            assert_eq!(json["cells"][0]["content_signal"], serde_json::json!({ "train": false }));
            assert_eq!((&json["cells"][0]["line"], &json["cells"][0]["crawl_delay"]), (&1.into(), &2.0.into()));
            let row = serde_json::Value::Object(site.json_of(&census, 1));
            assert_eq!((&row["agent"], &row["fallback"]), (&"Googlebot-Image".into(), &"googlebot".into()));
        }
    }
}

/// Crawlers fetch robots.txt whatever it says of itself.
#[test]
fn what_a_file_says_of_its_own_path_counts_for_nothing() {
    let census = Census::new(agents(&["*"]), &Dialect::GOOGLE);
    for (rules, wanted, shown) in [
        ("Disallow: /|Allow: /robots.txt$", Openness::Closed, [None, Some("/")]),
        ("Disallow: /|Allow: /robots.txt", Openness::Partly, [Some("/robots.txtx"), Some("/")]),
        ("Disallow: /robots.txt$", Openness::Open, [Some("/"), None]),
        ("Disallow: /robots.txt", Openness::Partly, [Some("/"), Some("/robots.txtx")]),
        ("Disallow: /|Allow: /robots.txt$|Allow: /a", Openness::Partly, [Some("/a"), Some("/")]),
    ] {
        let body = format!("User-agent: *\n{}\n", rules.replace('|', "\n"));
        let capture = Capture::after(None, &Response::new(200, body.as_bytes()), AT, &Dialect::GOOGLE);
        let site = census.site(&Visit { name: "h", capture: &capture, status: Some(200), body: body.as_bytes() });
        let cell = site.of(0);
        let paths = [&cell.open_path, &cell.closed_path].map(|path| path.as_deref().map(String::from_utf8_lossy));
        assert_eq!(cell.access, wanted, "{rules}");
        assert_eq!(paths.each_ref().map(Option::as_deref), shown, "{rules}");
    }
}
