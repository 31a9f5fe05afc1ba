//! `robotsc fetch --as`, against a server on loopback whose answers depend on the User-Agent.
#![cfg(feature = "fetch")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

const RULES: &str = "User-agent: *\nDisallow: /private\n\nUser-agent: bingbot\nDisallow: /\n";

/// The names that the server knows: a part of the header, the status and the fields of its page, and its robots.txt. A
/// page without a status is never sent, one that is `HUGE` never ends, and an empty robots.txt is none: the connection
/// is closed.
const ANSWERS: [(&str, &str, &str); 12] = [
    ("GPTBot/", "403 Forbidden\r\n", RULES),
    ("CCBot/", "402 Payment Required\r\n", RULES),
    ("ClaudeBot/", "403 Forbidden\r\nCF-Mitigated: challenge\r\n", RULES),
    ("Amazonbot/", "202 Accepted\r\nx-amzn-waf-action: challenge\r\n", RULES),
    ("Googlebot/", "200 OK\r\n", "User-agent: *\nDisallow: /search\n"),
    ("PerplexityBot/", "302 Found\r\nLocation: /sorry\r\n", RULES),
    ("Applebot/", "503 Busy\r\nRetry-After: 60\r\n", RULES),
    ("DuckDuckBot/", "503 Busy\r\n", "User-agent: *\r\nDisallow:   /private # the same\n"),
    ("AhrefsBot/", "404 Not Found\r\n", "<!doctype html><title>no</title>"),
    ("SemrushBot/", "", RULES),
    ("Twitterbot/", "HUGE", RULES),
    ("YandexBot/", "200 OK\r\n", ""),
];

fn answer(mut stream: TcpStream) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines().map_while(Result::ok);
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let fields: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let field = |name| fields.iter().find(|line| line.to_lowercase().starts_with(name)).cloned().unwrap_or_default();
    let agent = field("user-agent:");
    let host = field("host:");
    if host.contains("slow.example") {
        thread::sleep(Duration::from_millis(200));
    }
    if host.contains("hangs.example") {
        thread::sleep(Duration::from_secs(10));
    }
    let (status, robots) = match ANSWERS.iter().find(|(name, ..)| agent.contains(name)) {
        _ if host.contains("busy.example") => ("429 Too Many Requests\r\n", RULES),
        Some((_, status, robots)) => (*status, *robots),
        None => ("200 OK\r\n", RULES),
    };
    let mut send = |head: &str, body: &str| {
        let text = format!("HTTP/1.1 {head}Content-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(text.as_bytes()).ok()
    };
    match (path.as_str(), status) {
        ("/robots.txt", _) if robots.is_empty() => None,
        ("/robots.txt", _) => send("200 OK\r\n", robots),
        ("/sorry", _) => send("200 OK\r\n", "no"),
        // It takes the request, and does not answer.
        (_, "") => {
            thread::sleep(Duration::from_secs(10));
            None
        }
        (_, "HUGE") => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").ok()?;
            loop {
                stream.write_all(&vec![b'x'; 1 << 20]).ok()?;
            }
        }
        (_, status) => send(status, "a page"),
    }
}

fn server() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            thread::spawn(move || answer(stream));
        }
    });
    address
}

#[track_caller]
fn run(args: &[&str], input: &str, code: i32) -> (String, String) {
    let mut child = start(args);
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    end(child, args, code)
}

fn start(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
    command.args(args).args(["--domain-interval", "0", "--address-interval", "0", "--timeout", "2"]);
    command.env("ROBOTSC_USER_AGENT", "TestBot/1.0 (+https://bot.example/)").env("ROBOTSC_ALLOW_NET", "127.0.0.0/8");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[track_caller]
fn end(child: Child, args: &[&str], code: i32) -> (String, String) {
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(code), "{args:?}\n{stdout}\n{stderr}");
    (stdout, stderr)
}

/// Counts answers as they were written, beside a source that holds the site.
fn a_census_counts(site: &str, answers: &str, expected: &[(Option<&str>, &str, bool)]) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("served.jsonl"), answers).unwrap();
    std::fs::write(path("robots.txt"), RULES).unwrap();
    std::fs::write(path("manifest.tsv"), format!("{site}\t200\t2026-11-01T00:00:00Z\trobots.txt\n")).unwrap();
    let names: Vec<&str> = expected.iter().filter_map(|row| row.0).collect();
    let (manifest, served) = (path("manifest.tsv"), path("served.jsonl"));
    let args = ["census", &manifest, "--agent", &names.join(","), "--served", &served, "--json", "--rows", "agent"];
    let output = Command::new(env!("CARGO_BIN_EXE_robotsc")).args(args).output().unwrap();
    let rows = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let counted = rows.iter().map(|row| (row["agent"].as_str(), row["server"].as_str(), row["at_odds"].as_bool()));
    let expected = expected.iter().filter(|row| row.0.is_some());
    let expected: Vec<_> = expected.map(|(agent, server, odds)| (*agent, Some(*server), Some(*odds))).collect();
    assert_eq!(counted.collect::<Vec<_>>(), expected, "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_each_name_gets() {
    let site = format!("http://{}", server());
    let expected = [
        (None, None, Some("allowed"), Some(200), "served", false),
        (Some("GPTBot"), Some("same"), Some("allowed"), Some(403), "refused", true),
        (Some("CCBot"), Some("same"), Some("allowed"), Some(402), "payment", true),
        (Some("ClaudeBot"), Some("same"), Some("allowed"), Some(403), "challenge", true),
        (Some("Amazonbot"), Some("same"), Some("allowed"), Some(202), "challenge", true),
        (Some("Googlebot"), Some("differs"), Some("allowed"), Some(200), "served", false),
        (Some("PerplexityBot"), Some("same"), Some("allowed"), Some(200), "redirected", false),
        (Some("Applebot"), Some("same"), Some("allowed"), Some(503), "limited", false),
        (Some("DuckDuckBot"), Some("same"), Some("allowed"), Some(503), "failed", false),
        (Some("AhrefsBot"), Some("differs"), Some("allowed"), Some(404), "missing", false),
        (Some("SemrushBot"), Some("same"), Some("allowed"), None, "failed", false),
        (Some("Twitterbot"), Some("same"), Some("allowed"), Some(200), "served", false),
        (Some("bingbot"), Some("same"), Some("disallowed"), Some(200), "served", true),
        // What the robots.txt says that did not come is not known.
        (Some("YandexBot"), None, None, Some(200), "served", false),
    ];
    let names: Vec<&str> = expected.iter().filter_map(|row| row.0).collect();
    let (stdout, _) = run(&["fetch", &site, "--as", &names.join(","), "--json"], "", 0);
    let rows: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), expected.len());
    a_census_counts(&site, &stdout, &expected.map(|(agent, _, _, _, server, at_odds)| (agent, server, at_odds)));
    for (row, (agent, compared, verdict, status, server, at_odds)) in rows.iter().zip(expected) {
        assert_eq!(row["agent"].as_str(), agent, "{row}");
        assert_eq!(row["compared"].as_str(), compared, "{row}");
        assert_eq!((row["verdict"].as_str(), row["server"].as_str()), (verdict, Some(server)), "{row}");
        assert_eq!(row["page_status"].as_u64(), status, "{row}");
        assert_eq!(row["at_odds"].as_bool(), Some(at_odds), "{row}");
        let sent = row["user_agent"].as_str().unwrap();
        assert!(sent.contains(agent.unwrap_or("TestBot/1.0 (+https://bot.example/)")), "{row}");
    }
    let of = |agent: &str| rows.iter().find(|row| row["agent"] == agent).unwrap();
    let difference = &of("Googlebot")["difference"];
    assert_eq!((&difference["closed_path"], &difference["open_path"]), (&"/search".into(), &"/private".into()));
    assert!(of("AhrefsBot")["difference"]["others"][0].as_str().unwrap().starts_with("it is no robots.txt"));
    assert_eq!(of("PerplexityBot")["page_url"], format!("{site}/sorry"));
    assert_eq!(of("bingbot")["line"], 5);
}

/// What robots.txt says is what `check` says of the same file, with what the register documents.
#[test]
fn check_says_the_same() {
    let site = format!("http://{}", server());
    let agents = ["bingbot", "GPTBot", "AdsBot-Google", "Googlebot-Image"];
    let mut verdicts = Vec::new();
    for page in ["/", "/private", "/private/%61?b"] {
        let (stdout, _) = run(&["fetch", &site, "--as", &agents.join(","), "--page", page, "--json"], "", 0);
        for (line, agent) in stdout.lines().skip(1).zip(agents) {
            let row: Value = serde_json::from_str(line).unwrap();
            let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
            command.args(["check", &site, "--agent", agent, page, "--json", "--allow-net", "127.0.0.0/8"]);
            command.args(["--user-agent", "TestBot/1.0 (+https://bot.example/)"]);
            let checked: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
            for field in ["agent", "verdict", "line", "note"] {
                assert_eq!(row[field], checked[field], "{field}: {row}\n{checked}");
            }
            verdicts.push(row["verdict"] == "allowed");
        }
    }
    let (root, private) = ([false, true, true, true], [false, false, true, false]);
    assert_eq!(verdicts, [root, private, private].concat());
}

#[test]
fn tables_are_for_people_and_rows_for_lists() {
    let site = format!("http://{}", server());
    let (stdout, _) = run(&["fetch", &site, "--as", "GPTBot,Googlebot,bingbot,ChatGPT-User", "--page", "/a"], "", 0);
    let expected = format!(
        "{site}/a\n\
         agent         robots.txt   says        page  server\n\
         (your own)    200          allowed      200  served\n\
         GPTBot        200 same     allowed      403  refused  allowed, but not served\n\
         Googlebot     200 differs  allowed      200  served\n\
         bingbot       200 same     disallowed   200  served   disallowed, but served\n\
         ChatGPT-User  200 same     allowed      200  served\n\
         Googlebot: another robots.txt than under your own name: /search is closed in it alone, /private is open in it \
         alone\n\
         robots.txt does not govern ChatGPT-User, whose requests people trigger: its operator says that it can ignore \
         the file\n"
    );
    assert_eq!(stdout, expected);
    // Each name is answered for by the file that it gets.
    for (page, own, googlebot) in [("/search", "allowed", "disallowed"), ("/private", "disallowed", "allowed")] {
        let (stdout, _) = run(&["fetch", &site, "--as", "Googlebot", "--page", page, "--json"], "", 0);
        let rows = stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["verdict"].clone());
        assert_eq!(rows.collect::<Vec<_>>(), [own, googlebot], "{page}");
    }
    // Two sites in their order, and one that is named twice once.
    let folder = tempfile::tempdir().unwrap();
    let hosts = folder.path().join("hosts");
    std::fs::write(&hosts, "127.0.0.1 slow.example quick.example\n").unwrap();
    let port = server().port();
    let (slow, quick) = (format!("http://slow.example:{port}"), format!("http://quick.example:{port}"));
    let hosts = ["--hosts", hosts.to_str().unwrap()];
    let (stdout, _) = run(&[&["fetch", &slow, &quick, &slow, "--as", "CCBot"], &hosts[..]].concat(), "", 0);
    let heads: Vec<&str> = stdout.lines().filter(|line| line.starts_with("http")).collect();
    assert_eq!(heads, [format!("{slow}/"), format!("{quick}/")]);
    let list = format!("{site}\nno site\nhttp://none.invalid\n");
    let (stdout, stderr) = run(&["fetch", "-", "--as", "GPTBot"], &list, 2);
    let mut rows: Vec<&str> = stdout.lines().collect();
    rows.sort_unstable();
    let expected = [
        format!("{site}\t-\t200\t-\tallowed\t200\tserved\t-"),
        format!("{site}\tGPTBot\t200\tsame\tallowed\t403\trefused\tallowed, but not served"),
        "http://none.invalid\t-\tdns\t-\t-\tdns\tfailed\t-".to_owned(),
        "origin\tagent\trobots.txt\tcompared\tsays\tpage\tserver\tat odds".to_owned(),
    ];
    assert_eq!(rows, expected);
    assert!(stderr.contains("line 2: no site"), "{stderr}");
}

#[test]
fn crawlers_of_a_purpose_without_a_header_are_left_out() {
    let site = format!("http://{}", server());
    let (stdout, stderr) = run(&["fetch", &site, "--as", "operator:OpenAI,GPTBot"], "", 0);
    assert_eq!(stdout.lines().filter(|line| line.starts_with("GPTBot ")).count(), 1, "{stdout}");
    assert!(stderr.contains("not asked as OAI-AdsBot: their User-Agent is not on record"), "{stderr}");
}

/// The page is shown as it is requested.
#[test]
fn what_is_requested_is_shown() {
    let site = format!("http://{}", server());
    for (page, requested) in [("/a#b", "/a"), ("/../priv", "/priv"), ("/a b?c d", "/a%20b?c%20d")] {
        let args = ["fetch", &site, "--as", "GPTBot", "--page", page];
        let (stdout, _) = run(&args, "", 0);
        assert_eq!(stdout.lines().next(), Some(format!("{site}{requested}").as_str()), "{page}");
        let (stdout, _) = run(&[&args[..], &["--json"]].concat(), "", 0);
        let row: Value = serde_json::from_str(stdout.lines().next().unwrap()).unwrap();
        assert_eq!((&row["page"], &row["page_url"]), (&requested.into(), &format!("{site}{requested}").into()));
    }
}

#[test]
fn who_is_not_asked_under_other_names() {
    let folder = tempfile::tempdir().unwrap();
    let hosts = folder.path().join("hosts");
    std::fs::write(&hosts, "127.0.0.1 busy.example closed.example\n").unwrap();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let hosts = hosts.to_str().unwrap();
    for (site, why) in [
        (format!("http://busy.example:{}", server().port()), "the site asks to come back later"),
        (format!("http://closed.example:{}", closed.port()), "the site cannot be reached"),
    ] {
        let (stdout, _) = run(&["fetch", &site, "--as", "GPTBot", "--hosts", hosts], "", 0);
        assert_eq!(stdout.lines().last(), Some(format!("not asked under other names: {why}").as_str()), "{stdout}");
        assert!(!stdout.contains("GPTBot"), "{stdout}");
    }
}

/// What was answered before a stop is shown, also if a site that comes before it was not.
#[cfg(unix)]
#[test]
fn a_stop_loses_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let hosts = folder.path().join("hosts");
    std::fs::write(&hosts, "127.0.0.1 hangs.example slow.example quick.example\n").unwrap();
    let port = server().port();
    let [hangs, slow, quick] = ["hangs", "slow", "quick"].map(|name| format!("http://{name}.example:{port}"));
    let args = ["fetch", &hangs, &slow, &quick, "--as", "CCBot", "--hosts", hosts.to_str().unwrap()];
    let child = start(&args);
    thread::sleep(Duration::from_millis(1_500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let (stdout, stderr) = end(child, &args, 130);
    let heads: Vec<&str> = stdout.lines().filter(|line| line.starts_with("http")).collect();
    assert_eq!(heads, [format!("{slow}/"), format!("{quick}/")], "{stdout}");
    assert!(stderr.contains("stopped: 1 sites have no answer"), "{stderr}");
}
