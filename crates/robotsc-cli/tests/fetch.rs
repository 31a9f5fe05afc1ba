//! `robotsc fetch`, and URLs in place of files, against a server on loopback.
#![cfg(feature = "fetch")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::process::{Command, Output, Stdio};
use std::thread;

const RULES: &str = "User-agent: *\nDisallow: /cart\nAllow: /cart/help\nDisallow: /cart\n";

/// Starts a server that answers by the path of the request, and counts on nobody to stop it.
fn server(answer: impl Fn(&str) -> String + Send + 'static) -> SocketAddr {
    server_that_is_asked_by("TestBot/1.0 (+https://bot.example/)", answer)
}

fn server_that_is_asked_by(agent: &'static str, answer: impl Fn(&str) -> String + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let first = lines.next().unwrap().unwrap();
            let lines = lines.map_while(Result::ok).take_while(|line| !line.is_empty());
            let sent = lines.filter(|line| line.to_lowercase().starts_with("user-agent:")).collect::<String>();
            assert!(sent.contains(agent), "{sent}");
            let path = first.split(' ').nth(1).unwrap().to_owned();
            let _ = stream.write_all(answer(&path).as_bytes());
        }
    });
    address
}

fn response(status: &str, fields: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {}\r\n\r\n{body}", body.len())
}

fn robotsc(args: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
    command.args(args).env_remove("ROBOTSC_USER_AGENT").env_remove("ROBOTSC_ALLOW_NET");
    command.envs(environment.iter().copied()).output().unwrap()
}

const KNOWN: [(&str, &str); 2] =
    [("ROBOTSC_USER_AGENT", "TestBot/1.0 (+https://bot.example/)"), ("ROBOTSC_ALLOW_NET", "10.0.0.0/8, 127.0.0.0/8")];

#[track_caller]
fn run(args: &[&str], code: i32) -> (String, String) {
    let output = robotsc(args, &KNOWN);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(code), "{args:?}\n{stdout}\n{stderr}");
    (stdout, stderr)
}

/// Which authorities are trusted is known before anything is asked.
#[test]
fn a_file_of_authorities_holds_some() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.pem");
    std::fs::write(&file, RULES).unwrap();
    let file = file.to_str().unwrap();
    for command in [&["fetch", "https://127.0.0.1:1"][..], &["check", "https://127.0.0.1:1", "--agent", "FooBot", "/"]]
    {
        let (_, stderr) = run(&[command, &["--ca-file", file]].concat(), 2);
        assert!(
            stderr.starts_with(&format!("robotsc: cannot use: --ca-file: {file}: it holds no certificate")),
            "{stderr}"
        );
    }
}

#[test]
fn a_timeline_for_people() {
    let address = server(|path| match path {
        "/robots.txt" => response("301 Moved", "Location: /real.txt\r\n", ""),
        _ => response("200 OK", "Cache-Control: max-age=3600\r\nETag: \"v\u{9b}1\"\r\n", RULES),
    });
    let (stdout, _) = run(&["fetch", &format!("http://{address}")], 0);
    for expected in [
        format!("1  http://{address}/robots.txt\n"),
        format!("connected to {address} in "),
        format!("     301 (HTTP/1.1), to http://{address}/real.txt\n2  http://{address}/real.txt\n"),
        "     200 (HTTP/1.1)\n     content-length: ".to_owned(),
        "     cache-control: max-age=3600\n     etag: \"v\\u{9b}1\"\n".to_owned(),
        "result       a robots.txt, after 1 redirect\n".to_owned(),
        format!("body         {} bytes\n", RULES.len()),
        "google       the rules answer\n".to_owned(),
        format!("'robotsc lint http://{address}' shows more\n"),
    ] {
        assert!(stdout.contains(&expected), "{expected}\nin\n{stdout}");
    }
    let (stdout, _) = run(&["fetch", &format!("http://{address}/robots.txt"), "--json"], 0);
    let value: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((value["end"].as_str(), value["status"].as_u64()), (Some("status"), Some(200)));
    assert_eq!((value["policy"].as_str(), value["redirects"].as_u64()), (Some("rules"), Some(1)));
    assert_eq!(value["hops"][0]["headers"]["location"], format!("http://{address}/real.txt"));
    assert_eq!(value["hops"][1]["address"], address.to_string());
    assert!(value["findings"]["warnings"].as_u64().is_some());
}

#[test]
fn what_each_answer_means() {
    for (status, code, expected) in [
        ("404 Not Found", 0, "google       everything is allowed\n"),
        ("503 Busy", 1, "google       nothing is allowed"),
        // The request did not ask whether the file changed.
        ("304 Not Modified", 1, "google       nothing is allowed"),
        ("403 Forbidden", 0, "result       no robots.txt: the server answered 403\n"),
        ("429 Slow Down", 1, "google       nothing is allowed"),
    ] {
        let address = server(move |_| response(status, "", ""));
        let (stdout, _) = run(&["fetch", &format!("http://{address}")], code);
        assert!(stdout.contains(expected), "{status}: {stdout}");
    }
    let address = server(|_| response("429 Slow Down", "", ""));
    let (stdout, _) = run(&["fetch", &format!("http://{address}"), "--dialect", "rfc9309"], 0);
    assert!(stdout.contains("rfc9309      everything is allowed\n"), "{stdout}");
}

#[test]
fn urls_stand_for_files() {
    let address = server(|_| response("200 OK", "", RULES));
    let site = format!("http://{address}");
    let cart = format!("{site}/cart");
    let (stdout, _) = run(&["check", &site, "--agent", "FooBot", &cart], 1);
    assert_eq!(stdout, format!("disallowed\t{cart}\n"));
    // Its rules say nothing about other sites.
    let other = "https://other.example/about";
    let (stdout, _) = run(&["check", &site, "--agent", "FooBot", other], 2);
    let reason = format!("it is of another origin than {site}: https://other.example/robots.txt counts for it");
    assert_eq!(stdout, format!("error\t{other}\t{reason}\n"));
    let (_, stderr) = run(&["explain", &site, "--agent", "FooBot", other], 2);
    assert!(stderr.contains(&format!("it is of another origin than {site}")), "{stderr}");
    let (_, stderr) = run(&["matrix", &site, "--agent", "FooBot", other], 2);
    assert!(stderr.contains(&format!("it is of another origin than {site}")), "{stderr}");
    let (stdout, _) = run(&["explain", &site, "--agent", "FooBot", &cart], 1);
    assert!(stdout.contains(&format!("--> {site}/robots.txt:2:")), "{stdout}");
    let (stdout, _) = run(&["lint", &site], 1);
    assert!(stdout.contains(&format!("{site}/robots.txt:4")), "{stdout}");
    // Fixes of a site go to standard output, as those of standard input.
    let (stdout, _) = run(&["lint", &site, "--fix"], 0);
    assert_eq!(stdout, RULES.trim_end_matches("Disallow: /cart\n"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("robots.txt");
    std::fs::write(&file, "User-agent: *\nDisallow: /\n").unwrap();
    let (stdout, _) = run(&["diff", &site, file.to_str().unwrap()], 1);
    assert!(!stdout.is_empty());
}

/// What the filter does not know is fetched, packed, and known then, with the verdicts of what the servers sent.
#[test]
fn the_circle() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let sites: Vec<String> = [
        response("200 OK", "", RULES),
        response("301 Moved", "Location: /moved.txt\r\n", ""),
        response("404 Not Found", "", ""),
        response("503 Busy", "", ""),
        String::new(),
    ]
    .into_iter()
    .map(|answer| {
        let address = server(move |path| match path {
            "/moved.txt" => response("200 OK", "", "User-agent: *\nDisallow: /help\n"),
            _ => answer.clone(),
        });
        format!("http://{address}")
    })
    .collect();
    let urls: String = sites.iter().flat_map(|site| [format!("{site}/cart\n"), format!("{site}/help\n")]).collect();
    std::fs::write(path("urls.txt"), urls).unwrap();
    std::fs::write(path("known.tsv"), "http://other.example\t404\t\t\n").unwrap();
    run(&["pack", "build", &path("known.tsv"), "-o", &path("sites.pack"), "--agent", "FooBot"], 0);

    let filter = ["filter", "--agent", "FooBot", "--pack", &path("sites.pack"), &path("urls.txt")];
    let unknown = path("unknown.txt");
    run(&[&filter[..], &["--on-unknown", "list", "--unknown", &unknown]].concat(), 0);
    let unknown = std::fs::read_to_string(unknown).unwrap();
    let (mut listed, mut expected): (Vec<&str>, Vec<&str>) =
        (unknown.lines().collect(), sites.iter().map(String::as_str).collect());
    listed.sort_unstable();
    expected.sort_unstable();
    assert_eq!(listed, expected);

    // The list comes from standard input.
    let new = path("new.warc.gz");
    for (list, code) in [(format!("{unknown}shop.example\n"), 2), (unknown.clone(), 0)] {
        // The first run leaves an archive, which no other run without its log writes over.
        let _ = std::fs::remove_file(&new);
        let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
        command.args(["fetch", "-", "--warc", &new, "--json", "--domain-interval", "0"]).envs(KNOWN);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(list.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let fetches = String::from_utf8(output.stdout).unwrap().lines().count();
        assert_eq!(fetches, sites.len());
    }
    run(&["pack", "update", &path("sites.pack"), &new, "-o", &path("sites.pack")], 0);
    let (stdout, _) = run(&[&filter[..], &["--emit", "verdicts"]].concat(), 0);
    let verdicts: Vec<&str> = stdout.lines().filter_map(|line| line.split('\t').next()).collect();
    let expected = [
        ["disallowed", "allowed"],
        ["allowed", "disallowed"],
        ["allowed", "allowed"],
        ["disallowed", "disallowed"],
        ["disallowed", "disallowed"],
    ];
    assert_eq!(verdicts, expected.as_flattened(), "{stdout}");
}

/// The verdicts about `/x` of a site, as commands give them that read the file, the site or what was kept of it.
fn verdicts(answer: &str, dialect: &str) -> Vec<(&'static str, String)> {
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let sent = answer.to_owned();
    let address = server(move |_| sent.clone());
    let site = format!("http://{address}");
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::create_dir(path("files")).unwrap();
    let file = path(&format!("files/http_127.0.0.1_{}.txt", address.port()));
    std::fs::write(&file, body).unwrap();
    let text = |output: Output| String::from_utf8(output.stdout).unwrap();
    let ask = |args: &[&str]| text(robotsc(&[args, &["--dialect", dialect, "--agent", "FooBot"]].concat(), &KNOWN));
    let (page, first) = (format!("{site}/x"), |text: String| text.split('\t').next().unwrap_or_default().to_owned());
    run(&["fetch", &site, "--warc", &path("site.warc.gz")], 0);
    let packed = |source: &str| {
        ask(&["pack", "build", source, "-o", &path("site.pack")]);
        std::fs::write(path("urls.txt"), format!("{page}\n")).unwrap();
        let args = ["filter", "--pack", &path("site.pack"), "--agent", "FooBot", "--emit", "verdicts", "-q"];
        first(text(robotsc(&[&args[..], &[&path("urls.txt")]].concat(), &KNOWN)))
    };
    vec![
        ("check of the file", first(ask(&["check", &file, "/x"]))),
        ("check of the site", first(ask(&["check", &site, &page]))),
        ("explain of the site", ask(&["explain", &site, &page]).split(' ').next().unwrap_or_default().to_owned()),
        ("a pack of the folder", packed(&path("files"))),
        ("a pack of the archive", packed(&path("site.warc.gz"))),
    ]
}

/// The line that crosses the limit counts or is dropped, whoever kept the body.
#[test]
fn a_file_over_the_limit_means_the_same_through_all_doors() {
    let comment = format!("#{}\n", "#".repeat(510_900));
    let stars = "*".repeat(60_000);
    for (dialect, body) in [
        ("google", format!("User-agent: *\n{comment}Disallow: /{stars}\n")),
        ("rfc9309", format!("User-agent: *\nDisallow: /\n{comment}Allow: /{stars}\n")),
        ("google-2019", format!("User-agent: *\nDisallow: /\n{comment}Allow: /{stars}\n")),
    ] {
        for (door, verdict) in verdicts(&response("200 OK", "", &body), dialect) {
            assert_eq!(verdict.trim_end_matches(':'), "disallowed", "{dialect}, {door}");
        }
    }
}

#[test]
fn a_body_that_is_cut_is_reported() {
    let lines = "# 3456789012345\n".repeat(60_000);
    let long = format!("#{}\nDisallow: /\n", "#".repeat(600_000));
    for (body, read) in [(format!("User-agent: *\n{lines}"), "512014 bytes"), (long, "528664 bytes")] {
        let address = server(move |_| response("200 OK", "", &body));
        let site = format!("http://{address}");
        let (stdout, _) = run(&["fetch", &site], 0);
        assert!(stdout.contains("cut after what the dialects read") && stdout.contains("1 error"), "{stdout}");
        let message = format!("the file is over the limit: what follows its first {read} is not read");
        for args in [["lint", &site], ["inspect", &site]] {
            let (stdout, _) = run(&args, 1);
            assert!(stdout.contains(&message), "{args:?} {stdout}");
        }
        let (_, stderr) = {
            let output = robotsc(&["check", &site, "--agent", "FooBot", "/"], &KNOWN);
            (output.stdout, String::from_utf8(output.stderr).unwrap())
        };
        assert!(stderr.contains("it is longer than the dialect reads"), "{stderr}");
    }
}

/// A challenge that calls itself one is none of the site's rules, whatever its status and body.
#[test]
fn a_challenge_in_place_of_the_file_is_named_by_all() {
    let page = "<!doctype html><title>Just a moment...</title>";
    for (status, field, body, is_challenge) in [
        ("200 OK", "cf-mitigated: challenge", RULES, true),
        ("200 OK", "x-amzn-waf-action: challenge", "", true),
        ("403 Forbidden", "cf-mitigated: challenge", page, true),
        ("405 Not Allowed", "x-amzn-waf-action: captcha", page, true),
        ("200 OK", "cf-mitigated: none", RULES, false),
        ("200 OK", "x-amzn-waf-action: allow", RULES, false),
    ] {
        let sent = response(status, &format!("{}\r\n", field.to_uppercase()), body);
        let address = server(move |_| sent.clone());
        let site = format!("http://{address}");
        let named = format!("a challenge in place of the file ({field})");
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let timeline = robotsc(&["fetch", &site], &KNOWN).stdout;
        let timeline = String::from_utf8(timeline).unwrap();
        let is_named =
            timeline.contains("a challenge in place of the file") && timeline.contains(&format!(": {field}"));
        assert_eq!(is_named || timeline.contains(&named), is_challenge, "{timeline}");
        let (json, _) = run(&["fetch", &site, "--json", "--warc", &path("site.warc.gz")], 0);
        assert_eq!(json.contains(&named), is_challenge, "{json}");
        let checked = robotsc(&["check", &site, "--agent", "FooBot", "/"], &KNOWN);
        let stderr = String::from_utf8(checked.stderr).unwrap();
        assert_eq!(stderr.contains(&named), is_challenge, "{stderr}");
        assert_eq!(checked.status.code(), Some(if is_challenge { 2 } else { 0 }), "{stderr}");
        let (rows, _) = run(&["census", &path("site.warc.gz"), "--emit", "csv"], 0);
        assert_eq!(rows.contains(",refused,"), is_challenge, "{rows}");
        // A cautious crawler does not take it for the file.
        let (cautious, _) = run(&["fetch", &site, "--cautious"], i32::from(is_challenge));
        assert_eq!(cautious.contains("nothing is allowed"), is_challenge, "{cautious}");
        let pack = path("site.pack");
        run(&["pack", "build", &path("site.warc.gz"), "-o", &pack, "--cautious", "--agent", "FooBot"], 0);
        std::fs::write(path("urls.txt"), format!("{site}/\n")).unwrap();
        let (stdout, _) = run(&["filter", "--pack", &pack, "--agent", "FooBot", "-q", &path("urls.txt")], 0);
        assert_eq!(stdout.is_empty(), is_challenge, "{field}: {stdout}");
    }
}

/// A row has the status that the server sent.
#[test]
fn a_redirect_that_leads_nowhere_keeps_its_status() {
    for status in ["301 Moved", "302 Found", "303 See Other", "308 Moved"] {
        let address = server(move |_| response(status, "", ""));
        let folder = tempfile::tempdir().unwrap();
        let warc = folder.path().join("site.warc.gz").to_str().unwrap().to_owned();
        robotsc(&["fetch", &format!("http://{address}"), "--warc", &warc], &KNOWN);
        let (rows, _) = run(&["census", &warc, "--emit", "csv"], 0);
        assert!(rows.contains(&format!(",error,unreachable,{},", &status[..3])), "{status}\n{rows}");
    }
}

/// What is no robots.txt is never read as an empty one, which would allow everything.
#[test]
fn what_is_no_file_is_an_error() {
    for (status, what, cause) in [
        ("404 Not Found", "no robots.txt", "answered 404"),
        ("429 Too Many", "the robots.txt could not be read", "answered 429"),
        ("500 Broken", "the robots.txt could not be read", "answered 500"),
        ("202 Accepted", "the robots.txt could not be read", "answered 202"),
        ("206 Partial Content", "the robots.txt could not be read", "answered 206"),
        ("301 Moved", "the robots.txt could not be read", "a redirect without a Location"),
    ] {
        let address = server(move |_| response(status, "", RULES));
        let (stdout, stderr) = run(&["check", &format!("http://{address}"), "--agent", "FooBot", "/cart"], 2);
        assert!(
            stdout.is_empty() && stderr.contains(cause) && stderr.contains(&format!("{what}: http://")),
            "{stderr}"
        );
    }
}

#[test]
fn addresses_that_are_not_public_are_refused() {
    let address = server(|_| response("200 OK", "", RULES));
    let site = format!("http://{address}");
    let agent = "TestBot/1.0 (+https://bot.example/)";
    let output = robotsc(&["fetch", &site, "--user-agent", agent], &[]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout.contains("127.0.0.1 is not a public address") && stdout.contains("nothing is allowed"), "{stdout}");
    let output = robotsc(&["fetch", &site, "--user-agent", agent, "--allow-net", "127.0.0.0/8"], &[]);
    assert_eq!(output.status.code(), Some(0));
    // An option replaces the environment.
    let output = robotsc(&["fetch", &site, "--allow-net", "10.0.0.0/8"], &KNOWN);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_person_who_looks_at_a_site_needs_no_user_agent() {
    let own = concat!("robotsc/", env!("CARGO_PKG_VERSION"), " (+https://github.com/");
    let site = format!("http://{}", server_that_is_asked_by(own, |_| response("200 OK", "", RULES)));
    let allow = ["--allow-net", "127.0.0.0/8"];
    for args in [&["fetch", &site][..], &["check", &site, "--agent", "FooBot", "/"], &["lint", &site, "--no-config"]] {
        let output = robotsc(&[args, &allow].concat(), &[]);
        assert_ne!(output.status.code(), Some(2), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    // Of many, a crawler asks.
    let output = robotsc(&[&["fetch", "--origins", "Cargo.toml"][..], &allow].concat(), &[]);
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("robotsc: no User-Agent"), "{output:?}");
}

#[test]
fn mistakes_are_errors() {
    let agent = ["--user-agent", "TestBot/1.0 (+https://bot.example/)"];
    for (args, message) in [
        (vec!["fetch", "-"], "no User-Agent: ROBOTSC_USER_AGENT"),
        (vec!["fetch", "https://shop.example", "--user-agent", "Mozilla/5.0"], "add a contact"),
        (
            vec!["check", "https://shop.example/cart", "robots.txt", "--agent", "FooBot"],
            "the robots.txt comes first, URLs to answer for come after it",
        ),
        ([&["fetch", "shop.example"], agent.as_slice()].concat(), "not a site: shop.example"),
        ([&["fetch", "https://shop.example/cart"], agent.as_slice()].concat(), "more than an origin"),
        ([&["fetch", "https://me:secret@shop.example"], agent.as_slice()].concat(), "user information"),
        (
            [&["fetch", "mailto:secret@shop.example"], agent.as_slice()].concat(),
            "not a site: the URL: its scheme is mailto",
        ),
        (
            [&["fetch", "ssh://secret@shop.example"], agent.as_slice()].concat(),
            "not a site: the URL: its scheme is ssh",
        ),
        ([&["fetch", "https://shop.example", "--allow-net", "10"], agent.as_slice()].concat(), "--allow-net"),
        ([&["fetch", "https://shop.example", "--timeout", "0"], agent.as_slice()].concat(), "--timeout"),
        ([&["fetch", "-"], agent.as_slice()].concat(), "no site: the input is empty"),
    ] {
        let output = robotsc(&args, &[]);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(message) && !stderr.contains("secret"), "{args:?}: {stderr}");
    }
    let output = robotsc(&["fetch", "https://shop.example"], &[KNOWN[0], ("ROBOTSC_ALLOW_NET", "ten")]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("not a network: ROBOTSC_ALLOW_NET: ten"));
}
