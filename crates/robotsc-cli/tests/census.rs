//! `census` as a process: forms, two dates, hostile sources.

mod sandbox;
#[path = "../../../tests/shared_data/mod.rs"]
mod shared_data;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use sandbox::Sandbox;
use serde_json::{Value, json};

const SHOP: &str = "User-agent: GPTBot\nCrawl-delay: 2\nDisallow: /\n\n\
                    User-agent: *\nDisallow: /cart\nAllow: /cart/help\n\nSitemap: https://shop.example/sitemap.xml\n";
const NEWS: &str = "User-agent: *\nContent-Signal: ai-train=no, search=yes\nDisallow:\n";
const PAGE: &str = "<!doctype html><title>Hello</title>";

fn sites(sandbox: &Sandbox) {
    sandbox.folder("sites", &[("a.example.txt", SHOP), ("b.example.txt", NEWS), ("https_c.example.txt", PAGE)]);
}

#[test]
fn a_row_for_each_site_and_a_column_for_each_agent() {
    let sandbox = Sandbox::of("census");
    sites(&sandbox);
    let csv = sandbox.clean(&["sites", "--agent", "GPTBot,Bingbot", "--emit", "csv"]);
    let mut lines = csv.split("\r\n");
    assert_eq!(
        lines.next().unwrap(),
        "site,class,outcome,status,body_kind,bytes,hash,groups,rules,sitemaps,GPTBot,bingbot"
    );
    let rows: Vec<Vec<&str>> = lines.filter(|line| !line.is_empty()).map(|line| line.split(',').collect()).collect();
    let pick = |row: &[&str]| [row[0], row[1], row[4], row[10], row[11]].map(str::to_owned);
    assert_eq!(
        rows.iter().map(|row| pick(row)).collect::<Vec<_>>(),
        [
            ["a.example", "rules", "robots", "closed", "partly"],
            ["b.example", "rules", "robots", "open", "open"],
            ["https://c.example", "no-robots-txt", "html", "open", "open"],
        ]
    );
    let rows = sandbox.clean(&["sites", "--agent", "GPTBot,Bingbot", "--json", "--rows", "agent", "--findings"]);
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 6);
    let of = |name: &str| {
        rows.iter().filter(|row| row["agent"] == "bingbot").map(|row| row[name].clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("closed_path"), [json!("/cart"), Value::Null, Value::Null]);
    assert_eq!(of("chosen_by"), ["star", "star", "nothing"]);
    assert_eq!(
        (&rows[0]["crawl_delay"], &rows[0]["line"], &rows[0]["chosen_by"]),
        (&json!(2.0), &json!(1), &json!("name"))
    );
    assert_eq!(rows[2]["content_signal"], json!({ "train": false, "search": true }));
    assert_eq!(rows[0]["sitemaps"], json!(["https://shop.example/sitemap.xml"]));
    // Threads change nothing.
    let one = sandbox.clean(&["sites", "--emit", "json", "--threads", "1"]);
    assert_eq!(one, sandbox.clean(&["sites", "--emit", "jsonl", "--threads", "4"]));
    let cells = serde_json::from_str::<Value>(one.lines().nth(1).unwrap()).unwrap();
    assert_eq!(cells["cells"].as_array().unwrap().len(), 1, "a site without names has one cell: {cells}");
}

#[test]
fn agents_that_answer_alike_share_a_row() {
    let sandbox = Sandbox::of("census");
    sites(&sandbox);
    let table = sandbox.clean(&["sites", "--agent", "GPTBot,Bingbot,CCBot"]);
    assert!(table.starts_with("3 sites\n"), "{table}");
    let row = |start: &str| {
        let line = table.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start}: {table}"));
        line[start.len()..].split_whitespace().map(str::to_owned).collect::<Vec<String>>()
    };
    // The third site sends HTML: what crawlers make of that was no decision of the site.
    assert_eq!(row("GPTBot "), ["1", "0", "1", "1", "33.3", "%", "1"]);
    // A retired name is of no purpose, as in `purpose:ai-training`.
    let retired = sandbox.clean(&["sites", "--agent", "anthropic-ai,ClaudeBot"]);
    let whole = sandbox.clean(&["sites", "--agent", "purpose:ai-training"]);
    let counted = |table: &str| {
        let row = table.lines().find(|line| line.starts_with("ai-training")).expect("a row").to_owned();
        row.split_whitespace().skip(1).take(3).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(counted(&retired)[0], "1", "{retired}");
    assert_eq!(counted(&whole)[0], counted(&whole)[2], "{whole}");
    let all = sandbox.clean(&["sites", "--agent", "purpose:search"]);
    let shared = all.lines().find(|line| line.contains(" and ") && line.contains(" more  ")).expect(&all);
    assert!(shared.len() < 140, "{shared}");
    assert_eq!(row("bingbot, CCBot "), ["1", "1", "0", "1", "0.0", "%", "0"]);
}

#[test]
fn two_dates_are_compared() {
    let sandbox = Sandbox::of("census");
    let closed = "User-agent: *\nDisallow: /\n";
    sandbox.folder("old", &[("a.example.txt", ""), ("b.example.txt", closed), ("gone.example.txt", "")]);
    sandbox.folder("new", &[("a.example.txt", SHOP), ("b.example.txt", closed), ("new.example.txt", closed)]);
    let changes = sandbox.clean(&["old", "new", "--agent", "GPTBot,Bingbot", "--emit", "csv"]);
    assert_eq!(
        changes,
        "site,change,agent,before,after\r\na.example,changed,GPTBot,open,closed\r\n\
         a.example,changed,bingbot,open,partly\r\nnew.example,appeared,,,\r\ngone.example,vanished,,,\r\n"
    );
    let json = sandbox.clean(&["old", "new", "--agent", "GPTBot", "--json"]);
    let first: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first["agents"], json!({ "GPTBot": { "before": "open", "after": "closed" } }));
    let table = sandbox.clean(&["old", "new", "--agent", "GPTBot,Bingbot"]);
    assert!(table.contains("2 sites in both sources, 1 in the newer alone, 1 in the older alone"), "{table}");
    let page = sandbox.clean(&["old", "new", "--agent", "GPTBot", "--emit", "html"]);
    assert!(page.contains("What changed") && page.contains("<li>gone.example</li>"));
}

/// As in a pack, the newest capture of a site counts, wherever it stands, and none from the future.
#[test]
fn the_newest_capture_of_a_site_counts() {
    let sandbox = Sandbox::of("census");
    let folder = sandbox.folder("sites", &[("open.txt", ""), ("closed.txt", "User-agent: *\nDisallow: /\n")]);
    let agents = ["--agent", "GPTBot", "--emit", "csv"];
    for (captures, expected) in [
        (&[("2026-01-02", "closed.txt"), ("2026-01-01", "open.txt")][..], "closed"),
        (&[("2026-01-01", "open.txt"), ("2026-01-03", "closed.txt"), ("2026-01-02", "open.txt")], "closed"),
        // Of one time the last.
        (&[("2026-01-01", "closed.txt"), ("2026-01-01", "open.txt")], "open"),
        (&[("2026-01-01", "closed.txt"), ("2999-01-01", "open.txt")], "closed"),
    ] {
        let mut manifest =
            "origin\tstatus\ttime\tfile\nhttps://before.example\t404\t2026-01-01T00:00:00Z\t\n".to_owned();
        for (day, file) in captures {
            manifest += &format!("https://a.example\t200\t{day}T00:00:00Z\t{file}\n");
        }
        fs::write(folder.join("manifest.tsv"), manifest).unwrap();
        let ran = sandbox.run(&[&["sites"], &agents[..]].concat());
        let rows: Vec<&str> = ran.out.lines().skip(1).collect();
        assert_eq!(rows.len(), 2, "{captures:?}: {}", ran.out);
        assert!(rows[0].starts_with("https://before.example,missing,") && rows[1].ends_with(expected), "{}", ran.out);
        let (is_future, replaced) = (captures.iter().any(|(day, _)| *day > "2900"), captures.len() - 1);
        if is_future {
            assert!(ran.err.starts_with("robotsc: bad time: sites/manifest.tsv: line 4: "), "{}", ran.err);
            assert_eq!(ran.code, Some(2));
        } else {
            let said = format!(
                "robotsc: {replaced} captures of sites that have a newer one: the newest of each site counts\n"
            );
            assert_eq!((ran.err, ran.code), (said, Some(0)), "{captures:?}");
        }
        // The pack of the same source says the same.
        let robotsc = |args: &[&str]| {
            let command = Command::new(env!("CARGO_BIN_EXE_robotsc")).args(args).current_dir(sandbox.path()).output();
            String::from_utf8(command.unwrap().stdout).unwrap()
        };
        sandbox.folder(".", &[("urls", "https://a.example/x\n")]);
        robotsc(&["pack", "build", "sites", "--agent", "GPTBot", "-o", "x.pack"]);
        let answer = robotsc(&[
            "filter",
            "--pack",
            "x.pack",
            "--agent",
            "GPTBot",
            "--now",
            "2026-01-03",
            "--emit",
            "verdicts",
            "urls",
        ]);
        let verdict = if expected == "open" { "allowed" } else { "disallowed" };
        assert_eq!(answer, format!("{verdict}\thttps://a.example/x\n"), "{captures:?}");
    }
}

/// A bare host of one source is the same site as its origins of another.
#[test]
fn hosts_are_compared_with_their_origins() {
    let sandbox = Sandbox::of("census");
    let (open, closed) = ("", "User-agent: *\nDisallow: /\n");
    sandbox.folder("hosts", &[("a.example.txt", open), ("b.example.txt", open), ("b.example_8443.txt", open)]);
    let origins = [
        ("https_a.example.txt", closed),
        ("http_a.example.txt", open),
        ("http_b.example.txt", closed),
        ("https_b.example_8443.txt", closed),
    ];
    sandbox.folder("origins", &origins);
    let head = "site,change,agent,before,after\r\n";
    let compare = |older: &str, newer: &str| {
        let csv = sandbox.clean(&[older, newer, "--agent", "GPTBot", "--emit", "csv"]);
        csv.strip_prefix(head).unwrap_or_else(|| panic!("{csv}")).replace("\r\n", "\n")
    };
    assert_eq!(
        compare("hosts", "origins"),
        "http://b.example,changed,GPTBot,open,closed\nhttps://a.example,changed,GPTBot,open,closed\n\
         https://b.example:8443,changed,GPTBot,open,closed\n"
    );
    // Of two origins that of https counts, and the other is not gone.
    assert_eq!(
        compare("origins", "hosts"),
        "a.example,changed,GPTBot,closed,open\nb.example,changed,GPTBot,closed,open\n\
         b.example:8443,changed,GPTBot,closed,open\n"
    );
}

#[test]
fn options_without_effect_are_refused() {
    let sandbox = Sandbox::of("census");
    sites(&sandbox);
    sandbox.folder(".", &[("ranks.csv", "1,a.example\n")]);
    for (args, start) in [
        (&["sites", "--rows", "agent"][..], "--rows without rows"),
        (&["sites", "--rows", "site", "--emit", "html"], "--rows without rows"),
        (&["sites", "sites", "--rows", "site", "--json"], "--rows with two sources"),
        (&["sites", "sites", "--findings", "--emit", "csv"], "--findings with rows of changes"),
        (&["sites", "--ranks", "ranks.csv"], "--ranks without a page"),
        (&["sites", "--ranks", "ranks.csv", "--json"], "--ranks without a page"),
        (&["sites", "sites", "--served", "served.jsonl"], "--served with two sources"),
        (&["sites", "--served", "served.jsonl", "--emit", "csv"], "--served with a row for each site"),
    ] {
        let ran = sandbox.run(args);
        assert!(ran.err.starts_with(&format!("robotsc: {start}: the command line: ")), "{args:?}: {}", ran.err);
        assert_eq!((ran.out.as_str(), ran.code), ("", Some(2)), "{args:?}");
    }
    sandbox.clean(&["sites", "sites", "--findings"]);
}

/// A source can hold anything: markup is shown as text, and a page loads nothing.
#[test]
fn hostile_sources_break_no_form() {
    let sandbox = Sandbox::of("census");
    let evil = "User-agent: *\nDisallow: /\"><script>alert(1)</script>,\n\nUser-agent: GPTBot\nDisallow: /\u{202e}\n\
                Sitemap: https://a.example/<img src=x>\n";
    let name = "<img src=x onerror=alert(1)>";
    let long = format!("User-agent: *\nDisallow: /a\n#{}\n", "x".repeat(20 << 20));
    let folder = sandbox.folder(name, &[("a.example.txt", evil), ("long.example.txt", &long), ("=1+1.txt", "")]);
    fs::write(folder.join("utf16.example.txt"), b"\xff\xfeU\0s\0").unwrap();
    fs::write(folder.join("zeros.example.txt"), [0_u8; 5_000]).unwrap();
    for number in 0..2_000 {
        fs::write(folder.join(format!("empty{number}.example.txt")), "").unwrap();
    }
    let csv = sandbox.clean(&[name, "--agent", "GPTBot,Bingbot", "--emit", "csv", "--rows", "agent"]);
    let mut reader = csv_core::Reader::new();
    let (mut records, mut input, mut fields) = (0, csv.as_bytes(), Vec::new());
    loop {
        let (mut out, mut ends) = (vec![0; 1 << 16], [0; 64]);
        let (result, read, _, count) = reader.read_record(input, &mut out, &mut ends);
        input = &input[read..];
        match result {
            csv_core::ReadRecordResult::Record => {
                records += 1;
                fields.push(count);
            }
            csv_core::ReadRecordResult::InputEmpty => {}
            csv_core::ReadRecordResult::End => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(records, 1 + 2 * 2_005);
    assert!(fields.iter().all(|count| *count == fields[0]), "records of one length");
    for line in sandbox.clean(&[name, "--json"]).lines() {
        serde_json::from_str::<Value>(line).unwrap();
    }
    let page = sandbox.clean(&[name, "--emit", "html"]);
    for text in ["<script", "<img", "<link", "<iframe", "href=", "url(", "http-equiv"] {
        assert!(!page.contains(text), "{text}");
    }
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
}

#[test]
fn ranks_are_read_and_wrong_sources_are_refused() {
    let sandbox = Sandbox::of("census");
    sites(&sandbox);
    sandbox.folder(".", &[("ranks.csv", "1,a.example\n50000,www.b.example\n"), ("bad.csv", "a.example,1\nx,y\n")]);
    let page = sandbox.clean(&["sites", "--agent", "GPTBot", "--emit", "html", "--ranks", "ranks.csv"]);
    assert!(page.contains("By rank") && page.contains("1 of 1 closed"), "{page}");
    let run = |args: &[&str]| {
        let ran = sandbox.run(args);
        assert_eq!((ran.out.as_str(), ran.code), ("", Some(2)), "{args:?}");
        ran.err
    };
    assert!(run(&["sites", "--emit", "html", "--ranks", "bad.csv"]).contains("no rank: line 1 of bad.csv"));
    sandbox.folder("empty", &[]);
    for sources in [&["empty"][..], &["sites", "empty"], &["empty", "sites"]] {
        let ran = sandbox.run(sources);
        let is_named = ran.err.contains("robotsc: no sites: empty: it holds no robots.txt");
        assert!(is_named && ran.code == Some(2), "{sources:?}: {}", ran.err);
    }
    assert!(run(&["missing"]).starts_with("robotsc: cannot read: missing: no such file"));
    assert!(run(&["sites", "--agent", "Foo/2.0"]).contains("bad agent: --agent"));
    sandbox.folder(".", &[("x.pack", "RCPACK\r\n")]);
    assert!(run(&["x.pack"]).starts_with("robotsc: no bodies: x.pack: a policy pack holds programs"));
}

/// Cells are those of the file itself, for real files.
#[test]
fn cells_are_those_of_check() {
    let Some(robots) = shared_data::folder("corpus/robots") else { return };
    let sandbox = Sandbox::of("census");
    let mut files: Vec<PathBuf> = fs::read_dir(robots).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let folder = sandbox.folder("real", &[]);
    for file in files.iter().step_by(60) {
        fs::copy(file, folder.join(file.file_name().unwrap())).unwrap();
    }
    let rows = sandbox.run(&["real", "--json", "--rows", "agent", "--agent", "Googlebot,GPTBot,AdsBot-Google"]).out;
    let (mut checked, mut partly) = (0, 0);
    for row in rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let (site, agent) = (row["site"].as_str().unwrap(), row["agent"].as_str().unwrap());
        let Ok(body) = fs::read(folder.join(format!("{site}.txt"))) else { continue };
        let robots = robotsc::RobotsTxt::parse(&body);
        let crawler = robotsc::bundled::crawler(agent).unwrap();
        let may = |path: &str| robots.is_allowed(&crawler, format!("https://{site}{path}")).unwrap();
        for (name, expected) in [("open_path", true), ("closed_path", false)] {
            if let Some(path) = row[name].as_str() {
                assert_eq!(may(path), expected, "{site} {agent} {path}");
                checked += 1;
            }
        }
        match row["access"].as_str().unwrap() {
            "open" => assert!(may("/") && may("/index.html") && row["closed_path"].is_null()),
            "closed" => assert!(!may("/") && !may("/index.html") && row["open_path"].is_null()),
            _ => partly += 1,
        }
    }
    assert!(checked > 100 && partly > 30, "{checked} {partly}");
}

/// That crawlers may fetch everything by a body that is no robots.txt is no decision of the site.
#[test]
fn a_body_that_is_no_robots_txt_opens_nothing() {
    let sandbox = Sandbox::of("census");
    sandbox.folder("old", &[("a.example.txt", "User-agent: *\nDisallow: /s\n")]);
    sandbox.folder("new", &[("a.example.txt", "User-agent: * Disallow: /s\n")]);
    let changed = |older: &str, newer: &str| sandbox.clean(&[older, newer, "--agent", "GPTBot", "--emit", "csv"]);
    let head = "site,change,agent,before,after\r\n";
    assert_eq!(changed("old", "new"), format!("{head}a.example,changed,GPTBot,partly,unknown\r\n"));
    assert_eq!(changed("new", "old"), format!("{head}a.example,changed,GPTBot,unknown,partly\r\n"));
}

/// Returns a row as `fetch --as --json` writes it, as far as it is read.
fn served(origin: &str, agent: Option<&str>, server: &str, at_odds: bool) -> String {
    let verdict = match (at_odds, server) {
        (true, "served") => "disallowed",
        _ => "allowed",
    };
    let row = json!({"type": "fetch-as", "origin": origin, "agent": agent, "server": server, "verdict": verdict});
    format!("{row}\n")
}

#[test]
fn what_servers_answer_stands_beside_what_robots_txt_says() {
    let sandbox = Sandbox::of("census");
    sites(&sandbox);
    let rows = [
        served("https://a.example", None, "served", false),
        served("https://a.example", Some("GPTBot"), "served", false),
        // The later of two answers counts.
        served("https://a.example", Some("GPTBot"), "served", true),
        served("http://a.example", Some("GPTBot"), "failed", false),
        // A bare host has the answers of both its origins.
        served("http://a.example", Some("bingbot"), "served", false),
        served("http://b.example", Some("GPTBot"), "challenge", true),
        served("https://c.example:443", Some("GPTBot"), "refused", true),
        // A name that is not counted.
        served("https://c.example", Some("CCBot"), "payment", true),
        served("https://gone.example", Some("GPTBot"), "served", false),
    ];
    sandbox.folder(".", &[("served.jsonl", &rows.concat())]);
    let run = |args: &[&str]| {
        sandbox.run(&[&["sites", "--agent", "gptbot,bingbot", "--served", "served.jsonl"], args].concat())
    };
    let ran = run(&[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.err.contains("not in the source: 1 site that --served has answers of, such as https://gone"),
        "{}",
        ran.err
    );
    let table: Vec<Vec<&str>> = ran.out.lines().map(|line| line.split_whitespace().collect()).collect();
    let start = table.iter().position(|row| row.first() == Some(&"servers,")).expect(&ran.out);
    let words = ["servers,", "to", "asked", "allowed,", "turned", "down", "disallowed,", "served", "served", "refused"];
    assert_eq!(table[start][..words.len()], words);
    assert_eq!(table[start + 1][..8], ["GPTBot", "3", "2", "1", "1", "1", "1", "b.example,"], "{}", ran.out);
    assert_eq!(table[start + 2][..7], ["bingbot", "1", "0", "0", "1", "0", "0"], "{}", ran.out);

    let csv = run(&["--emit", "csv", "--rows", "agent"]).out;
    let ends = csv.split("\r\n").filter(|line| !line.is_empty()).map(|line| {
        let mut fields: Vec<&str> = line.rsplit(',').take(2).collect();
        fields.reverse();
        fields.join(" ")
    });
    let ends: Vec<String> = ends.collect();
    assert_eq!(ends, ["server at_odds", "served true", "served false", "challenge true", " ", "refused true", " "]);

    let rows = run(&["--json", "--rows", "agent"]).out;
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |row: &Value| [row["server"].clone(), row["at_odds"].clone()];
    assert_eq!(of(&rows[2]), [json!("challenge"), json!(true)]);
    assert_eq!(of(&rows[3]), [Value::Null, Value::Null]);
    let sites = run(&["--json"]).out;
    let first: Value = serde_json::from_str(sites.lines().next().unwrap()).unwrap();
    assert_eq!(
        first["servers"],
        json!([
            {"agent": "GPTBot", "server": "served", "at_odds": true},
            {"agent": "bingbot", "server": "served", "at_odds": false},
        ])
    );
    let page = run(&["--emit", "html"]).out;
    assert!(page.contains("<summary>Allowed, turned down, for GPTBot: 2</summary>"), "{page}");
    assert!(page.contains("<summary>Disallowed, served, for GPTBot: 1</summary>"), "{page}");
    // What a stopped run left of a line is skipped; what robots.txt does not say is not at odds with anything.
    let rows = format!("{}{{\"type\": \"fet", served("https://a.example", Some("GPTBot"), "refused", false));
    sandbox.folder(".", &[("served.jsonl", &rows.replace("\"allowed\"", "null"))]);
    let ran = run(&["--emit", "csv", "--rows", "agent"]);
    assert!(ran.err.starts_with("robotsc: part of an answer: line 2 of served.jsonl: skipped"), "{}", ran.err);
    assert!(ran.out.contains(",refused,false\r\n"), "{}", ran.out);
    assert_eq!(sandbox.run(&["sites", "--served", "-"]).code, Some(2));
    // Without answers nothing is said of servers.
    assert!(!sandbox.clean(&["sites", "--json", "--rows", "agent"]).contains("at_odds"));
}

#[test]
fn a_file_without_answers_is_refused() {
    let sandbox = Sandbox::of("census");
    sites(&sandbox);
    let good = served("https://a.example", Some("GPTBot"), "served", false);
    let evil = served("https://a.example", Some("<script>\u{202e}\n"), "served", false);
    let long = format!("{{\"type\": \"{}\"}}", "x".repeat(2 << 20));
    for (text, says) in [
        ("", "none is to a name that is counted: robotsc fetch --as NAMES --json writes them"),
        (&evil, "give --agent <script>"),
        (&served("https://a.example", Some("CCBot"), "served", false), "give --agent CCBot"),
        (&served("https://a.example", None, "served", false), "none is to a name that is counted"),
        (&format!("{good}robots.txt\n"), "bad answer: line 2 of served.jsonl: it is no JSON"),
        (&format!("{good}{{\"type\": \"site\"}}\n"), "line 2 of served.jsonl: it is no object of the type fetch-as"),
        (&served("a.example", Some("GPTBot"), "served", false), "origin: "),
        (&served("https://a.example", Some("GPTBot"), "sent", false), "server: sent is no word for an answer"),
        (&good.replace("allowed", "open"), "verdict: it is neither allowed, disallowed nor null"),
        (&good.replace("verdict", "said"), "verdict: it is neither allowed"),
        (&long, "it has over 1 MiB"),
    ] {
        sandbox.folder(".", &[("served.jsonl", text)]);
        let ran = sandbox.run(&["sites", "--agent", "GPTBot", "--served", "served.jsonl"]);
        assert_eq!((ran.out.as_str(), ran.code), ("", Some(2)), "{text:.80}");
        assert!(ran.err.contains(says), "{text:.80}: {}", ran.err);
        assert!(!ran.err.contains('\u{202e}'), "{}", ran.err);
    }
}

/// What a site did not decide is counted as unknown, whatever crawlers do then.
#[test]
fn failures_are_no_decisions_of_sites() {
    let sandbox = Sandbox::of("census");
    let answers = ["503", "timeout", "429", "403", "404"];
    let manifest = answers
        .iter()
        .enumerate()
        .map(|(number, answer)| format!("https://s{number}.example\t{answer}\t2026-11-01T00:00:00Z\n"));
    let before =
        (0..answers.len()).map(|number| (format!("https_s{number}.example.txt"), "User-agent: *\nDisallow: /a\n"));
    let before: Vec<(String, &str)> = before.collect();
    sandbox.folder("before", &before.iter().map(|(name, text)| (name.as_str(), *text)).collect::<Vec<_>>());
    sandbox.folder(".", &[("manifest.tsv", &manifest.collect::<String>())]);
    let table = sandbox.clean(&["manifest.tsv", "--agent", "FooBot"]);
    let row = |table: &str, name: &str| {
        let rows = table.lines().filter(|line| line.starts_with(name));
        rows.map(|line| line.split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    // open, partly, closed, unknown, closed in percent, names it
    assert_eq!(row(&table, "FooBot"), [["1", "0", "0", "4", "0.0", "%", "0"]], "{table}");
    let table = sandbox.clean(&["before", "manifest.tsv", "--agent", "FooBot"]);
    // closed, opened, narrowed, widened, to or from unknown
    assert_eq!(row(&table, "FooBot")[1], ["0", "0", "0", "1", "4"], "{table}");
    // Rows say what a crawler does.
    let csv = sandbox.clean(&["manifest.tsv", "--agent", "FooBot", "--emit", "csv"]);
    let ends: Vec<&str> = csv.split("\r\n").skip(1).filter_map(|line| line.rsplit(',').next()).collect();
    assert_eq!(ends[..5], ["closed", "closed", "closed", "open", "open"], "{csv}");
}

#[test]
fn a_name_begins_no_formula() {
    let sandbox = Sandbox::of("census");
    sandbox.folder("sites", &[("=1+1.example.txt", "User-agent: *\nDisallow: /\n"), ("+1.example.txt", "")]);
    let csv = sandbox.clean(&["sites", "--agent", "FooBot", "--emit", "csv"]);
    let starts: Vec<&str> = csv.split("\r\n").skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(starts, ["'+1.example", "'=1+1.example", ""]);
    sandbox.folder("before", &[("a.example.txt", "")]);
    let csv = sandbox.clean(&["before", "sites", "--agent", "FooBot", "--emit", "csv"]);
    assert!(csv.contains("\n'=1+1.example,appeared,"), "{csv}");
}
