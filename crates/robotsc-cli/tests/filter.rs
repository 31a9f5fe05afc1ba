//! `filter` as a process: streams, files, signals, memory, and the recorded verdicts of real files.

#[path = "../../../tests/shared_data/mod.rs"]
mod shared_data;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;

use robotsc::frontier::Frontier;
use robotsc::origin::{self, Origin};
use robotsc::outcome::{Capture, Response, Time};
use robotsc::pack::{Pack, PackAgents, PackBuilder, PackOptions};
use robotsc::{Crawler, Dialect, RobotsTxt};

const FETCHED: u32 = 1_790_000_000;
const NOW: &str = "1790000060";
const ROBOTS: &str = "User-agent: *\nDisallow: /private\nDisallow: /*.php$\nAllow: /private/press\n";

/// Returns what a first fetch brings.
fn fetched<'b>(response: &Response<'b>) -> Capture<'b> {
    Capture::after(None, response, Time(FETCHED), &Dialect::GOOGLE)
}

/// A folder with a pack: `shop.example` has rules that are named, `free.example` has no robots.txt, `down.example` does
/// not answer.
struct Sandbox(tempfile::TempDir);

impl Sandbox {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let agents = PackAgents::only(["FooBot", "BarBot"]);
        let options = PackOptions { agents, deciding_rules: true, ..PackOptions::new(&Dialect::GOOGLE) };
        let mut builder = PackBuilder::new(options, folder.path().join("test.pack")).unwrap();
        // A server that failed keeps its answer for a day.
        let day = [("Retry-After", "86400")];
        for (origin, response) in [
            ("https://shop.example", Response::new(200, ROBOTS.as_bytes())),
            ("https://free.example", Response::new(404, b"")),
            ("https://down.example", Response::new(503, b"").with_headers(day)),
        ] {
            builder.push(&origin.parse().unwrap(), &fetched(&response)).unwrap();
        }
        builder.finish().unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn spawn(&self, args: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_robotsc"))
            .args(["filter", "--pack", "test.pack", "--agent", "FooBot"])
            .args(args)
            .current_dir(self.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn run(&self, args: &[&str], stdin: &[u8]) -> Output {
        let mut child = self.spawn(&[&["--now", NOW], args].concat());
        let mut pipe = child.stdin.take().unwrap();
        let stdin = stdin.to_owned();
        let feeder = std::thread::spawn(move || {
            let _ = pipe.write_all(&stdin);
        });
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        output
    }

    /// Runs quietly, and gives standard output of a run without errors.
    #[track_caller]
    fn quiet(&self, args: &[&str], stdin: &[u8]) -> String {
        let output = self.run(&[&["--quiet"], args].concat(), stdin);
        assert_eq!((String::from_utf8_lossy(&output.stderr).as_ref(), output.status.code()), ("", Some(0)));
        String::from_utf8(output.stdout).unwrap()
    }
}

const URLS: &[u8] =
    b"https://shop.example/private\nhttps://shop.example/a\r\n\nhttps://new.example/\nhttps://free.example/x\n\
    HTTPS://SHOP.example:443/x.php\nmailto:me@shop.example\nhttps://down.example/\nhttps://shop.example/last";

#[test]
fn allowed_lines_pass_as_they_are() {
    let sandbox = Sandbox::new();
    let allowed = "https://shop.example/a\r\nhttps://free.example/x\nhttps://shop.example/last\n";
    assert_eq!(sandbox.run(&["--quiet"], URLS).stdout, allowed.as_bytes());
    let gzip = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(URLS).unwrap();
        encoder.finish().unwrap()
    };
    let zstd = zstd::encode_all(URLS, 1).unwrap();
    for bytes in [URLS, &gzip, &zstd] {
        sandbox.write("urls", bytes);
        assert_eq!(String::from_utf8(sandbox.run(&["--quiet", "urls"], b"").stdout).unwrap(), allowed);
        assert_eq!(String::from_utf8(sandbox.run(&["--quiet"], bytes).stdout).unwrap(), allowed);
    }
    let twice = sandbox.run(&["--quiet", "urls", "-", "--threads", "1"], b"https://free.example/y\n");
    assert_eq!(String::from_utf8(twice.stdout).unwrap(), [allowed, "https://free.example/y\n"].concat());
}

#[test]
fn verdicts_name_every_line() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&["--quiet", "--emit", "verdicts"], URLS);
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "disallowed\thttps://shop.example/private\nallowed\thttps://shop.example/a\nunknown\thttps://new.example/\n\
         allowed\thttps://free.example/x\ndisallowed\tHTTPS://SHOP.example:443/x.php\nerror\tmailto:me@shop.example\n\
         disallowed\thttps://down.example/\nallowed\thttps://shop.example/last\n"
    );
}

#[test]
fn lines_are_split_to_files() {
    let sandbox = Sandbox::new();
    sandbox.write("yes", "what was there before");
    let args = ["--allowed", "yes", "--disallowed", "no", "--unknown", "later", "--errors", "bad"];
    let output = sandbox.run(&args, URLS);
    assert!(output.stdout.is_empty());
    assert_eq!(output.status.code(), Some(2), "a line holds no URL");
    assert_eq!(sandbox.read("yes"), "https://shop.example/a\r\nhttps://free.example/x\nhttps://shop.example/last\n");
    assert_eq!(
        sandbox.read("no"),
        "https://shop.example/private\nHTTPS://SHOP.example:443/x.php\nhttps://down.example/\n"
    );
    assert_eq!(sandbox.read("later"), "https://new.example/\n");
    assert_eq!(sandbox.read("bad"), "mailto:me@shop.example\n");
    let names: BTreeSet<_> = fs::read_dir(sandbox.0.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 5, "nothing else is left: {names:?}");
}

/// A line without a URL is answered with `error`, and the run ends with exit code 2, unless --on-error says otherwise.
#[test]
fn lines_without_a_url_make_the_exit_code_2() {
    let sandbox = Sandbox::new();
    let some = b"https://shop.example/a\nmailto:me@shop.example\nhttps://shop.example/private\n";
    let none = b"foo\nbar\n";
    for (input, args, code, told) in [
        (&some[..], &[] as &[&str], 2, "no URL: 1 of 3 lines: keep them with --errors FILE, "),
        (none, &[], 2, "no URL: 2 of 2 lines: say what a line is with --format and --column"),
        (some, &["--errors", "bad"], 2, "no URL: 1 of 3 lines: "),
        (some, &["--on-error", "fail", "--emit", "verdicts"], 2, "no URL: 1 of 3 lines: "),
        (some, &["--on-error", "drop"], 0, ""),
        (none, &["--on-error", "drop"], 0, ""),
        (b"https://new.example/\nhttps://shop.example/private\n\n", &[], 0, ""),
        (b"", &[], 0, ""),
    ] {
        let output = sandbox.run(&[&["--quiet"], args].concat(), input);
        let stderr = String::from_utf8_lossy(&output.stderr);
        let expected = if told.is_empty() { String::new() } else { format!("robotsc: {told}") };
        assert!(stderr.starts_with(&expected) && stderr.lines().count() == usize::from(!told.is_empty()), "{stderr}");
        assert_eq!(output.status.code(), Some(code), "{args:?}");
    }
}

/// The URL is found in each format, by the name of the input, by its first line, or as the options say; the records
/// pass as they are, over line ends too.
#[test]
fn urls_are_found_in_every_format() {
    const YES: &str = "https://shop.example/a";
    const NO: &str = "https://shop.example/private";
    let sandbox = Sandbox::new();
    let tsv = [format!("id\tURL\n1\t{YES}\n"), format!("2\t{NO}\n")];
    let csv = [format!("url,note\n{YES},\"two\n\nlines, and a \"\"quote\"\"\"\n"), format!("{NO},\"\n{YES}\n\"\n")];
    let semicolons = [format!("note;url\r\n\"a;\r\nb\";{YES}\r\n"), format!("c;{NO}\r\n")];
    let json = [format!("{{\"id\": 1, \"url\": \"{YES}\"}}\n"), format!("{{\"url\": \"{NO}\", \"id\": 2}}\n")];
    let link = json.clone().map(|text| text.replace("url", "link"));
    let second = [format!("1;{YES}\n"), format!("2;{NO}\n")];
    for (name, text, args) in [
        ("x.tsv", &tsv, ""),
        ("x", &tsv, ""),
        ("x.tsv", &tsv, "--column 2 --header"),
        ("x.csv", &csv, ""),
        ("x", &csv, ""),
        ("x", &csv, "--format csv --column url"),
        ("x.csv", &semicolons, ""),
        ("x", &semicolons, ""),
        ("x", &semicolons, "--separator ; --column url"),
        ("x.csv", &second, "--column 2"),
        ("x", &second, "--column 2 --format csv --separator ;"),
        ("x.jsonl", &json, ""),
        ("x", &json, ""),
        ("x.ndjson", &link, "--column link"),
        ("x", &link, "--column link"),
        ("x", &link, "--column link --format jsonl"),
    ] {
        sandbox.write(name, text.concat());
        let args: Vec<&str> = args.split_whitespace().collect();
        for threads in ["1", "2"] {
            let args = [&["--threads", threads, name], &args[..]].concat();
            assert_eq!(sandbox.quiet(&args, b""), text[0], "{name} {args:?}");
        }
        // By standard input nothing but the first line and the options say it.
        if name == "x" {
            assert_eq!(sandbox.quiet(&args, text.concat().as_bytes()), text[0], "{args:?}");
        }
    }
}

/// Empty lines before a header are skipped and counted, in `check` as in `filter`.
#[test]
fn empty_lines_precede_a_header() {
    let sandbox = Sandbox::new();
    sandbox.write("robots.txt", ROBOTS);
    for (lead, line) in [("", 3), ("\n", 4), ("\r\n\n", 5), ("\u{feff}\n", 4)] {
        let header = "url,id\nhttps://shop.example/a,1\n";
        for name in ["x", "x.csv"] {
            sandbox.write(name, [lead, header, "https://shop.example/b\n"].concat());
            let output = sandbox.run(&[name], b"");
            assert_eq!(String::from_utf8_lossy(&output.stdout), header, "{lead:?}");
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(
                stderr.contains(&format!("record {line} of {name}: this record has 1 field")),
                "{lead:?}: {stderr}"
            );
            let mut check = Command::new(env!("CARGO_BIN_EXE_robotsc"));
            check.args(["check", "robots.txt", "--agent", "FooBot", "--urls", name]).current_dir(sandbox.0.path());
            let stdout = String::from_utf8(check.output().unwrap().stdout).unwrap();
            let rows: Vec<&str> = stdout.lines().collect();
            assert_eq!(rows[0], "allowed\thttps://shop.example/a", "{lead:?}");
            assert!(rows[1].contains(&format!("\t{name} line {line}: this record has 1 field")), "{lead:?}: {stdout}");
            assert_eq!(rows.len(), 2, "{lead:?}: {stdout}");
        }
    }
}

/// A line that does not clearly hold one URL is an error of that line, in `check` as in `filter`, and says why.
#[test]
fn lines_with_a_doubtful_url_are_errors() {
    let sandbox = Sandbox::new();
    sandbox.write("robots.txt", ROBOTS);
    for (name, text, verdicts, reason) in [
        (
            "x.jsonl",
            "{\"url\":\"https://shop.example/a\",bad}\n",
            "error",
            "no JSON object with one text under that key",
        ),
        (
            "x.jsonl",
            "{\"url\":\"https://shop.example/a\"}{\"id\":1}\n{\"url\":\"https://shop.example/\"}\n",
            "error allowed",
            "no JSON object with one text under that key",
        ),
        (
            "x.csv",
            "url\nhttps://shop.example/x,y\n\"https://shop.example/x,y\"\n",
            "error allowed",
            "this record has 2 fields, the first has 1",
        ),
        (
            "x.csv",
            "https://shop.example/,\"1\n\"\nhttps://shop.example/a\nhttps://shop.example/private,\n",
            "allowed error disallowed",
            "this record has 1 field, the first has 2",
        ),
        (
            "x",
            "https://shop.example/pri\tvate\n\thttps://shop.example/a\t\nhttps://shop.example/private\t1\n",
            "error allowed error",
            "a tab in a URL: for a table say --format tsv",
        ),
    ] {
        sandbox.write(name, text);
        let output = sandbox.run(&["--emit", "verdicts", name], b"");
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let words = |rows: &str| -> Vec<String> {
            rows.lines().map(|row| row.split('\t').next().unwrap_or_default().to_owned()).collect()
        };
        assert_eq!(words(&stdout).join(" "), verdicts, "{text}");
        assert!(stderr.contains(reason), "{text}: {stderr}");
        let mut check = Command::new(env!("CARGO_BIN_EXE_robotsc"));
        check.args(["check", "robots.txt", "--agent", "FooBot", "--urls", name]).current_dir(sandbox.0.path());
        let stdout = String::from_utf8(check.output().unwrap().stdout).unwrap();
        assert_eq!(words(&stdout).join(" "), verdicts, "{text}");
        assert!(stdout.contains(reason), "{text}: {stdout}");
    }
}

/// What a first line leaves open ends with a message that says what to write, and nothing passes.
#[test]
fn formats_that_are_left_open_are_told() {
    let sandbox = Sandbox::new();
    for (name, text, args, told) in [
        (
            "x.tsv",
            "1\thttps://shop.example/\n",
            "",
            "no URL in column 1: the first line of x.tsv: column 2 holds one: ",
        ),
        ("x.tsv", "a\tb\n1\thttps://shop.example/\n", "", "no column named url: the first line of x.tsv has a, b: "),
        ("x.csv", "https://shop.example/a;b\n", "", "columns between semicolons: the first line of x.csv: "),
        ("x.csv", "a,b\n", "--column link", "no such column: 'link': the first line of x.csv has a, b: "),
        ("x.txt", "https://shop.example/\n", "--column 2", "no columns: x.txt: its first line has no tab, "),
        ("x.jsonl", "{}\n", "--column 1", "no columns: x.jsonl: it is JSON: "),
        (
            "x.cdxj",
            "{}\n",
            "--column url",
            "no columns: x.cdxj: --column, --separator and --has-header are for tables: ",
        ),
    ] {
        sandbox.write(name, text);
        let args: Vec<&str> = ["--quiet", name].into_iter().chain(args.split_whitespace()).collect();
        let output = sandbox.run(&args, b"");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.starts_with(&format!("robotsc: {told}")) && stderr.lines().count() == 1, "{args:?}: {stderr}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
    }
    let output = sandbox.run(&["--format", "lines", "--column", "2"], b"");
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("robotsc: no columns: --format: "));
}

/// A record that is too long is one error, up to where its quotes end: what it holds is no record.
#[test]
fn a_record_that_is_too_long_is_one_error() {
    let sandbox = Sandbox::new();
    sandbox.write("robots.txt", ROBOTS);
    let inside = "https://shop.example/2,\n".repeat(100_000);
    let after = "https://shop.example/private,x\n";
    for (text, verdicts, line) in [
        // The quote does not end.
        (format!("url,x\nhttps://shop.example/1,\"open\n{inside}"), "error", 100_002),
        (format!("url,x\nhttps://shop.example/1,\"open\n{inside}\"\n{after}"), "error disallowed", 100_003),
        (format!("url,x\nhttps://shop.example/1,\"{}\n\"\n{after}", "x".repeat(3 << 20)), "error disallowed", 3),
        (format!("url,x\nhttps://shop.example/1,x\"{}\n{after}", "x".repeat(3 << 20)), "error disallowed", 2),
    ] {
        sandbox.write("x.csv", &text);
        let words = |rows: &str| -> String {
            let words: Vec<&str> = rows.lines().map(|row| row.split('\t').next().unwrap_or_default()).collect();
            words.join(" ")
        };
        let output = sandbox.run(&["--emit", "verdicts", "x.csv"], b"");
        assert_eq!(words(&String::from_utf8_lossy(&output.stdout)), verdicts, "{line}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let reason = "longer than 1024 KiB: look for a quote in it that does not end";
        assert!(stderr.contains(&format!("record 2 of x.csv: {reason}")), "{line}: {stderr}");
        assert_eq!(output.status.code(), Some(2));
        let mut check = Command::new(env!("CARGO_BIN_EXE_robotsc"));
        check.args(["check", "robots.txt", "--agent", "FooBot", "--urls", "x.csv"]).current_dir(sandbox.0.path());
        let stdout = String::from_utf8(check.output().unwrap().stdout).unwrap();
        assert_eq!(words(&stdout), verdicts, "{line}");
        assert!(stdout.contains(&format!("\tx.csv line {line}: {reason}")), "{line}: {}", stdout.len());
    }
}

/// That a pack is too old is said with each URL, and counted.
#[test]
fn what_expired_is_said() {
    let sandbox = Sandbox::new();
    sandbox.write("urls", "https://shop.example/a\nhttps://new.example/\nno URL\n");
    let late = (FETCHED + 32 * 86_400 * 2).to_string();
    let output = sandbox.spawn(&["--now", &late, "--emit", "jsonl", "urls"]).wait_with_output().unwrap();
    let (rows, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let objects: Vec<serde_json::Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let field = |name: &str| objects.iter().map(|object| object[name].as_str().unwrap_or("-")).collect::<Vec<_>>();
    assert_eq!(field("type"), ["verdict", "verdict", "error"]);
    assert_eq!(field("verdict"), ["unknown", "unknown", "-"]);
    assert_eq!(field("reason")[..2], ["expired", "not-held"]);
    assert!(field("reason")[2].len() > 3, "{rows}");
    assert!(said.contains("origins to fetch: 2, 1 of them expired"), "{said}");
}

#[test]
fn unknown_origins_are_dropped_kept_or_listed() {
    let sandbox = Sandbox::new();
    let urls = b"https://new.example/1\nhttps://shop.example/\nhttps://New.example/2\n";
    assert_eq!(sandbox.quiet(&[], urls), "https://shop.example/\n");
    let all = String::from_utf8(urls.to_vec()).unwrap();
    assert_eq!(sandbox.quiet(&["--on-unknown", "keep"], urls), all);
    assert_eq!(sandbox.quiet(&["--on-unknown", "keep", "--allowed", "yes"], urls), "");
    assert_eq!(sandbox.read("yes"), all);
    assert_eq!(sandbox.quiet(&["--on-unknown", "list", "--unknown", "fetch"], urls), "https://shop.example/\n");
    assert_eq!(sandbox.read("fetch"), "https://new.example\n");
    let listed = sandbox.quiet(&["--on-unknown", "list", "--unknown", "-", "--allowed", "yes"], urls);
    assert_eq!(listed, "https://new.example\n");
}

/// A server that fails disallows everything; after 30 days without an answer the origin is unknown, or what the dialect
/// says. The filter and the frontier agree at every time.
#[test]
fn time_is_passed_in() {
    let sandbox = Sandbox::new();
    let pack = Arc::new(Pack::open(sandbox.path("test.pack")).unwrap());
    let frontier = Frontier::builder(Crawler::new("FooBot").unwrap()).pack(pack).build().unwrap();
    let url = "https://down.example/x";
    let mut seen = BTreeSet::new();
    for days in [0, 1, 5, 29, 31, 60, 90] {
        let now = FETCHED + days * 86_400 + 60;
        let output = sandbox.quiet(&["--emit", "verdicts"], url.as_bytes());
        assert_eq!(output, format!("disallowed\t{url}\n"));
        let mut child = sandbox.spawn(&["--quiet", "--emit", "verdicts", "--now", &now.to_string()]);
        child.stdin.take().unwrap().write_all(url.as_bytes()).unwrap();
        let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        let expected = frontier.explain(url.as_bytes(), Time(now)).unwrap().verdict.name();
        assert_eq!(output, format!("{expected}\t{url}\n"), "{days} days");
        seen.insert(expected);
    }
    assert!(seen.len() > 1, "time changes answers: {seen:?}");
    let mut child = sandbox.spawn(&["--quiet", "--emit", "verdicts", "--now", "2026-09-21T16:00:00+02:00"]);
    child.stdin.take().unwrap().write_all(b"https://shop.example/\n").unwrap();
    assert_eq!(child.wait_with_output().unwrap().stdout, b"allowed\thttps://shop.example/\n");
}

/// A site that is known to answer missing pages with 5xx, by the option or by the manifest, has no robots.txt if that
/// is a 5xx, in the dialects whose documents say so; in the others it fails.
#[test]
fn what_is_known_of_a_site_counts() {
    let sandbox = Sandbox::new();
    let url = b"https://down.example/x\n";
    for (dialect, by_default, if_known) in [
        ("google-2017", "disallowed", "allowed"),
        ("google-2019", "disallowed", "allowed"),
        ("google", "disallowed", "allowed"),
        ("rfc9309", "disallowed", "disallowed"),
        ("yandex", "disallowed", "disallowed"),
    ] {
        for (column, site, expected) in [
            ("-", None, by_default),
            ("-", Some("up"), by_default),
            ("-", Some("missing-5xx"), if_known),
            ("missing-5xx", None, if_known),
        ] {
            sandbox.write("captures.tsv", format!("https://down.example\t503\t{FETCHED}\t-\t{column}\n"));
            let args = ["pack", "build", "captures.tsv", "--agent", "FooBot", "--now", NOW, "-o", "test.pack"];
            let mut build = Command::new(env!("CARGO_BIN_EXE_robotsc"));
            let built = build.args(args).args(["--dialect", dialect]).current_dir(sandbox.0.path()).output().unwrap();
            assert_eq!(built.status.code(), Some(0), "{}", String::from_utf8_lossy(&built.stderr));
            let site: Vec<&str> = site.map_or(Vec::new(), |site| vec!["--site", site]);
            let args = [&["--emit", "verdicts"], &site[..]].concat();
            let found = sandbox.quiet(&args, url);
            assert_eq!(found, format!("{expected}\thttps://down.example/x\n"), "{dialect} {column} {site:?}");
        }
    }
}

#[test]
fn a_policy_can_only_disallow_more() {
    let sandbox = Sandbox::new();
    sandbox.write("robots.ron", "(name: \"x\", rules: [])");
    let urls = b"https://shop.example/a?sessionid=1\nhttps://shop.example/a\n\
        https://new.example/cart?sid=2\nhttps://shop.example/private\n";
    let plain = sandbox.quiet(&["--emit", "verdicts"], urls);
    let overlaid = sandbox.quiet(&["--emit", "verdicts", "--rules", "bundled:crawl-hygiene"], urls);
    let words =
        |text: &str| -> Vec<String> { text.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect() };
    for (before, after) in words(&plain).iter().zip(words(&overlaid)) {
        assert!(after == *before || after == "disallowed", "{before} {after}");
    }
    assert_ne!(plain, overlaid, "{plain}");
}

#[test]
fn the_summary_counts() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&["--json", "--hits", "hits"], URLS);
    let stderr = String::from_utf8(output.stderr).unwrap();
    let mut lines = stderr.lines();
    assert!(lines.next().unwrap().starts_with("robotsc: bad URL: 'mailto:me@shop.example': line 7 of -: "), "{stderr}");
    let summary: serde_json::Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    for (key, value) in
        [("urls", 8), ("allowed", 3), ("disallowed", 3), ("unknown", 1), ("errors", 1), ("unknown_origins", 1)]
    {
        assert_eq!(summary[key], value, "{key}");
    }
    assert_eq!(summary["hosts"][0]["origin"], "https://shop.example");
    assert_eq!(summary["rules"][0]["line"], 2);
    assert_eq!(lines.next(), None);
    assert_eq!(
        sandbox.read("hits"),
        "origin\tline\tverdict\turls\nhttps://shop.example\t0\tallowed\t2\nhttps://down.example\t0\tdisallowed\t1\n\
         https://free.example\t0\tallowed\t1\nhttps://shop.example\t2\tdisallowed\t1\n\
         https://shop.example\t3\tdisallowed\t1\n"
    );
}

#[test]
fn what_cannot_be_done_is_said_before_work_begins() {
    let sandbox = Sandbox::new();
    sandbox.write("broken.pack", b"RCPACK\r\nbut no pack");
    sandbox.write("urls", "https://shop.example/\n");
    for (args, start) in [
        (&["--agent", "OtherBot"] as &[&str], "no such agent: OtherBot: test.pack was built for barbot; foobot"),
        (&["--agent", "BarBot"], "2 agents: the command line: say whether --require all or any"),
        (&["--agent", "BarBot", "--emit", "verdicts", "--unknown", "x"], "2 agents: the command line"),
        (&["--with", "delay"], "--with without columns"),
        (&["--agent-column", "1"], "the argument '--agent <AGENT,...>' cannot be used with '--agent-column"),
        (&["missing.txt"], "cannot read: missing.txt: no such file or directory"),
        (&["-", "-"], "standard input twice"),
        (&["--now", "tomorrow"], "not a time: --now 'tomorrow'"),
        (&["--now", "-5"], "unexpected argument"),
        (&["--column", "0"], "no column 0"),
        (&["--on-unknown", "list"], "no file for the origins"),
        (&["--on-unknown", "keep", "--unknown", "x"], "--on-unknown keep and --unknown"),
        (&["--emit", "verdicts", "--allowed", "-"], "two things to standard output"),
        (&["--on-unknown", "list", "--unknown", "-"], "two things to standard output"),
        (&["--hits", "-"], "two things to standard output"),
        (&["--hits", "-", "--emit", "jsonl"], "two things to standard output"),
        (&["--allowed", "x", "--errors", "x"], "two outputs: x"),
        (&["--allowed", "x", "--errors", "./x"], "two outputs: ./x"),
        (&["--hits", "x", "--errors", "./x"], "two outputs: ./x"),
        (&["--errors", "./test.pack"], "the pack as an output: ./test.pack"),
        (&["--allowed", "no/such/folder"], "cannot write: no/such/folder: no such file or directory"),
        (&["--rules", "bundled:nothing"], "no such rule set"),
    ] {
        let output = sandbox.spawn(&[args, &["urls"]].concat()).wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        // The pack of these tests is old when no `--now` is given, which a warning says first.
        let message = stderr.lines().find(|line| !line.starts_with("robotsc: warning: ")).unwrap_or_default();
        assert!(message.starts_with(&format!("robotsc: {start}")), "{args:?}: {stderr}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
    }
    let run = |pack: &str, agent: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
        command.current_dir(sandbox.0.path()).args(["filter", "--now", NOW, "--pack", pack, "--agent", agent, "urls"]);
        let output = command.output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(
        run("test.pack", "OtherBot")
            .starts_with("robotsc: no such agent: OtherBot: test.pack was built for barbot; foobot")
    );
    assert_eq!(
        run("broken.pack", "FooBot"),
        "robotsc: bad pack: broken.pack: the pack has 19 bytes, its header says 320: build it again\n"
    );
    let missing = "robotsc: cannot open missing.pack: no such file or directory: give a pack that is there, ";
    assert!(run("missing.pack", "FooBot").starts_with(missing));
}

/// One URL in, one answer out, though the pipe stays open.
#[test]
fn a_slow_pipe_is_answered_at_once() {
    let sandbox = Sandbox::new();
    let mut child = sandbox.spawn(&["--quiet", "--now", NOW, "--emit", "verdicts", "--on-error", "drop"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    // The first is shorter than the marks of compressed files.
    for (url, verdict) in
        [("x\n", "error"), ("https://shop.example/1\n", "allowed"), ("https://shop.example/private\n", "disallowed")]
    {
        stdin.write_all(url.as_bytes()).unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert_eq!(answer, format!("{verdict}\t{url}"));
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// What is read while the first lines are answered does not wait for the pipe to end.
#[test]
fn a_pipe_that_pauses_is_answered_to_its_last_line() {
    let sandbox = Sandbox::new();
    let mut child = sandbox.spawn(&["--quiet", "--now", NOW, "--emit", "verdicts"]);
    let mut stdin = child.stdin.take().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    // Some times what a pipe holds, so that it is read in several pieces.
    let count = 10_000;
    let (send, answered) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let answers = stdout.lines().map_while(Result::ok).inspect(|_| send.send(()).unwrap_or_default()).count();
        assert_eq!(answers, count);
    });
    stdin.write_all(&b"https://shop.example/a/page/of/the/shop\n".repeat(count)).unwrap();
    for number in 0..count {
        let answer = answered.recv_timeout(std::time::Duration::from_secs(20));
        assert!(answer.is_ok(), "{number} answers, and the pipe is still open");
    }
    drop(stdin);
    reader.join().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let sandbox = Sandbox::new();
    let mut child = sandbox.spawn(&["--now", NOW]);
    let mut stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || while stdin.write_all(&b"https://shop.example/\n".repeat(1000)).is_ok() {});
    let mut stdout = child.stdout.take().unwrap();
    let mut some = [0; 100];
    stdout.read_exact(&mut some).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    assert_eq!((String::from_utf8_lossy(&output.stderr).as_ref(), output.status.code()), ("", Some(0)));
}

/// A pipe has a name, a writer and one reader: whoever opened it twice would wait for ever for a second writer.
#[cfg(unix)]
#[test]
fn a_named_pipe_is_read_once() {
    let sandbox = Sandbox::new();
    let made = Command::new("mkfifo").arg(sandbox.path("pipe")).status().unwrap();
    assert!(made.success());
    // More than a pipe holds, so that the writer is still there when the first reader leaves.
    let urls = "https://shop.example/a\n".repeat(20_000);
    let (path, text) = (sandbox.path("pipe"), urls.clone());
    let feeder = std::thread::spawn(move || fs::write(path, text));
    let output = sandbox.run(&["--quiet", "pipe"], b"");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), urls.len()));
    feeder.join().unwrap().unwrap();
}

/// An output is none of the inputs and not the pack, whatever links and redirections make of its name; and nothing is
/// lost when it is refused.
#[cfg(unix)]
#[test]
fn inputs_are_not_overwritten() {
    let sandbox = Sandbox::new();
    let list = "https://shop.example/private\nhttps://shop.example/a\n";
    sandbox.write("list", list);
    let pack = fs::read(sandbox.path("test.pack")).unwrap();
    std::os::unix::fs::symlink("list", sandbox.path("link")).unwrap();
    fs::hard_link(sandbox.path("list"), sandbox.path("hard")).unwrap();
    fs::hard_link(sandbox.path("test.pack"), sandbox.path("hard.pack")).unwrap();
    let binary = env!("CARGO_BIN_EXE_robotsc");
    for (args, refused) in [
        ("--allowed list list", "the input list as an output: list: "),
        ("--disallowed ./list list", "the input list as an output: ./list: "),
        ("--unknown link list", "the input list as an output: link: "),
        ("--errors list link", "the input link as an output: list: "),
        ("--allowed hard list", "the input list as an output: hard: "),
        ("--hits hard list", "the input list as an output: hard: "),
        ("--allowed list < list", "the input - as an output: list: "),
        ("--allowed list - < hard", "the input - as an output: list: "),
        ("--allowed list /dev/stdin < list", "the input /dev/stdin as an output: list: "),
        ("list >> list", "the input list as an output: standard output: "),
        ("- < list >> link", "the input - as an output: standard output: "),
        ("--errors hard.pack list", "the pack as an output: hard.pack: "),
        ("--hits hard.pack list", "the pack as an output: hard.pack: "),
    ] {
        let script = format!("{binary} filter --pack test.pack --agent FooBot --now {NOW} {args}");
        let output = Command::new("sh").args(["-c", &script]).current_dir(sandbox.0.path()).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let expected = format!("robotsc: {refused}give the lines a file of their own\n");
        assert_eq!((stderr.as_str(), output.status.code()), (expected.as_str(), Some(2)), "{args}");
        assert_eq!(sandbox.read("list"), list, "{args}");
        assert!(fs::read(sandbox.path("test.pack")).unwrap() == pack, "{args}");
    }
    // A file that only looks alike, and devices, are outputs like any other.
    sandbox.write("copy", list);
    sandbox.quiet(&["--allowed", "copy", "--disallowed", "/dev/null", "list"], b"");
    assert_eq!(sandbox.read("copy"), "https://shop.example/a\n");
}

/// A link as an output stays, and the file that it leads to is replaced; a new file has the mode that the umask leaves,
/// a replaced one its own.
#[cfg(unix)]
#[test]
fn outputs_keep_links_and_modes() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    sandbox.write("urls", "https://shop.example/a\n");
    sandbox.write("old", "old\n");
    fs::set_permissions(sandbox.path("old"), fs::Permissions::from_mode(0o604)).unwrap();
    std::os::unix::fs::symlink("old", sandbox.path("link")).unwrap();
    std::os::unix::fs::symlink("nothing", sandbox.path("dangling")).unwrap();
    let filter = "filter --pack test.pack --agent FooBot --quiet urls --allowed";
    let run = |name: &str| {
        let script = format!("umask 027; {} {filter} {name} --now {NOW}", env!("CARGO_BIN_EXE_robotsc"));
        let output = Command::new("sh").args(["-c", &script]).current_dir(sandbox.0.path()).output().unwrap();
        (String::from_utf8(output.stderr).unwrap(), output.status.code())
    };
    let mode = |name: &str| fs::metadata(sandbox.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(run("link"), (String::new(), Some(0)));
    assert!(fs::symlink_metadata(sandbox.path("link")).unwrap().is_symlink());
    assert_eq!((sandbox.read("old").as_str(), mode("old")), ("https://shop.example/a\n", 0o604));
    assert_eq!(run("new"), (String::new(), Some(0)));
    assert_eq!(mode("new"), 0o640);
    let (stderr, code) = run("dangling");
    assert!(stderr.starts_with("robotsc: cannot write: dangling: it is a link to a file that does not exist: "));
    assert_eq!(code, Some(2));
}

/// A run that is killed leaves its unfinished file; the next run to the same file removes it, but not that of a run
/// that still works, and not a pipe of such a name, for which it would wait.
#[cfg(unix)]
#[test]
fn unfinished_files_of_killed_runs_are_removed() {
    let sandbox = Sandbox::new();
    let unfinished = || {
        let entries = fs::read_dir(sandbox.0.path()).unwrap().map(|entry| entry.unwrap().file_name());
        entries.filter(|name| name.to_str().unwrap().starts_with(".yes.")).count()
    };
    let start = || {
        let mut child = sandbox.spawn(&["--now", NOW, "--allowed", "yes", "--emit", "verdicts"]);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"https://shop.example/\n").unwrap();
        let mut answer = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut answer).unwrap();
        (child, stdin)
    };
    let (mut killed, _stdin) = start();
    assert_eq!(unfinished(), 1);
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(unfinished(), 1, "it was killed at work");
    assert!(Command::new("mkfifo").arg(sandbox.path(".yes.pipe.unfinished")).status().unwrap().success());
    let (mut working, stdin) = start();
    assert_eq!(unfinished(), 2, "its own, and the pipe");
    assert_eq!(sandbox.quiet(&["--allowed", "yes"], b"https://shop.example/b\n"), "");
    assert_eq!(unfinished(), 2, "that of the run that works, and the pipe");
    drop(stdin);
    assert_eq!(working.wait().unwrap().code(), Some(0));
    assert_eq!((unfinished(), sandbox.read("yes").as_str()), (1, "https://shop.example/\n"));
}

/// What is no product token names no crawler of a pack, so no URL would be disallowed for it: an error that says what
/// to write, for the commands that build packs too.
#[test]
fn agents_are_product_tokens() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("captures")).unwrap();
    sandbox.write("captures/shop.example.txt", "User-agent: GPTBot\nDisallow: /\n");
    sandbox.write("urls", "https://shop.example/\n");
    let run = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_robotsc")).args(args).current_dir(sandbox.0.path()).output();
        let output = output.unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let built = run(&["pack", "build", "captures", "--all-agents", "--now", NOW, "-o", "all.pack"]);
    assert_eq!(built.0, Some(0), "{}", built.2);
    let header = "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";
    for (agent, told) in [
        ("GPTBot/1.2", "a product token has no '/'; give the name alone, such as 'GPTBot', "),
        ("GPTBot ", "a product token has no ' '; give the name alone, such as 'GPTBot', "),
        ("Googlebot,GPTBot", "a product token has no comma; name each crawler on its own"),
        (header, "this is a whole User-Agent header; 'robotsc agents --header' lists its product tokens"),
        ("", "it is empty; give a product token such as FooBot"),
    ] {
        // The filter takes several agents, between commas.
        let is_list = agent == "Googlebot,GPTBot";
        for args in [
            &["filter", "--pack", "all.pack", "--now", NOW, "urls", "--agent", agent][..],
            &["pack", "build", "captures", "-o", "new.pack", "--agent", agent],
            &["pack", "dump", "all.pack", "--agent", agent],
        ] {
            if is_list && args[0] == "filter" {
                continue;
            }
            let (code, stdout, stderr) = run(args);
            assert!(stderr.contains(told) && stderr.lines().count() == 1, "{args:?}: {stderr}");
            assert_eq!((code, stdout.as_str()), (Some(2), ""), "{args:?}");
        }
    }
    let (code, stdout, _) =
        run(&["filter", "--pack", "all.pack", "--now", NOW, "urls", "--agent", "gptbot", "--quiet"]);
    assert_eq!((code, stdout.as_str()), (Some(0), ""));
}

/// Packs are replaced by rename, which a run does not notice. One that is changed in place ends it with a message, and
/// no file takes its name.
#[cfg(unix)]
#[test]
fn a_pack_that_is_changed_in_place_is_an_error() {
    use std::time::{Duration, SystemTime};
    let rename = |sandbox: &Sandbox| {
        fs::copy(sandbox.path("test.pack"), sandbox.path("new.pack")).unwrap();
        fs::rename(sandbox.path("new.pack"), sandbox.path("test.pack")).unwrap();
    };
    let rewrite = |sandbox: &Sandbox| {
        let bytes = fs::read(sandbox.path("test.pack")).unwrap();
        fs::File::options().write(true).open(sandbox.path("test.pack")).unwrap().write_all(&bytes).unwrap();
    };
    let cut = |sandbox: &Sandbox| sandbox.write("test.pack", "");
    let changed = "robotsc: bad pack: test.pack: the pack was changed in place while it was read, ";
    let lost = "robotsc: cannot read the pack: it was changed in place, or its disk fails: ";
    type Change<'a> = (&'a str, &'a dyn Fn(&Sandbox), &'a str);
    let changes: [Change<'_>; 3] =
        [("renamed over", &rename, ""), ("rewritten", &rewrite, changed), ("cut", &cut, lost)];
    for (what, change, told) in changes {
        let sandbox = Sandbox::new();
        let file = fs::File::options().write(true).open(sandbox.path("test.pack")).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
        let mut child = sandbox.spawn(&["--quiet", "--now", NOW, "--allowed", "yes", "--emit", "verdicts"]);
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdin.write_all(b"https://shop.example/\n").unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        change(&sandbox);
        let _ = stdin.write_all(b"https://shop.example/\nhttps://free.example/\n");
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let expected = if told.is_empty() { 0 } else { 2 };
        assert_eq!(output.status.code(), Some(expected), "{what}: {stderr}");
        assert!(stderr.starts_with(told) && stderr.lines().count() == expected as usize / 2, "{what}: {stderr}");
        assert_eq!(sandbox.path("yes").exists(), told.is_empty(), "{what}");
    }
}

/// Ctrl-C while the input goes on for ever, and while it waits for more: what was read is written, files too.
#[cfg(unix)]
#[test]
fn ctrl_c_stops_cleanly() {
    let sandbox = Sandbox::new();
    let interrupt = |child: &Child| {
        let done = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(done.success());
    };
    for waits in [true, false] {
        let mut child = sandbox.spawn(&["--now", NOW, "--json", "--allowed", "yes", "--emit", "verdicts"]);
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdin.write_all(b"https://shop.example/\n").unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert_eq!(answer, "allowed\thttps://shop.example/\n");
        let reader = std::thread::spawn(move || stdout.lines().map_while(Result::ok).count());
        // The pipe stays open until the command is gone.
        let feeder = std::thread::spawn(move || {
            while !waits && stdin.write_all(&b"https://shop.example/\n".repeat(1000)).is_ok() {}
            stdin
        });
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        let answered = 1 + reader.join().unwrap();
        assert_eq!(output.status.code(), Some(130));
        // What Ctrl-C does is said first.
        let stderr = String::from_utf8(output.stderr).unwrap();
        let summary: serde_json::Value = serde_json::from_str(stderr.lines().last().unwrap()).unwrap();
        assert_eq!((&summary["is_stopped"], &summary["allowed"]), (&true.into(), &answered.into()));
        assert_eq!(sandbox.read("yes").lines().count(), answered);
    }
}

#[test]
fn streams_that_are_cut_short_are_answered_and_told() {
    let sandbox = Sandbox::new();
    let text: Vec<u8> =
        (0..20_000).flat_map(|number| format!("https://shop.example/{number}\n").into_bytes()).collect();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&text).unwrap();
    let gzip = encoder.finish().unwrap();
    sandbox.write("urls.gz", &gzip[..gzip.len() / 2]);
    let output = sandbox.run(&["--quiet", "urls.gz"], b"");
    assert_eq!(output.status.code(), Some(2));
    let told = format!("robotsc: cannot read: urls.gz: byte {}: the gzip stream is cut short: ", gzip.len() / 2);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with(&told), "{stderr}");
    assert!(output.stdout.len() > text.len() / 4 && output.stdout.ends_with(b"\n"));
    assert!(text.starts_with(&output.stdout));
}

/// 200 MB through a filter whose memory stays where it was.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded() {
    let sandbox = Sandbox::new();
    let mut child = sandbox.spawn(&["--now", NOW, "--quiet", "--emit", "verdicts", "--on-error", "drop"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let sink = std::thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()).unwrap());
    let mut sent = 0;
    let mut number = 0_u64;
    while sent < 200 << 20 {
        let mut text = Vec::with_capacity(1 << 20);
        while text.len() < 1 << 20 {
            // Origins that repeat, among them many that are unknown, and lines of every length.
            number += 1;
            let _ = writeln!(text, "https://host{}.example/{}", number % 5000, "x".repeat((number % 97) as usize * 8));
            text.extend_from_slice(b"https://shop.example/private\n");
        }
        if sent == 100 << 20 {
            text.extend(std::iter::repeat_n(b'y', 5 << 20));
            text.push(b'\n');
        }
        stdin.write_all(&text).unwrap();
        sent += 1 << 20;
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap().trim().trim_end_matches(" kB");
    let peak: u64 = peak.parse().unwrap();
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(sink.join().unwrap() > 200 << 20);
    assert!(peak < 80 << 10, "{peak} KiB");
}

/// Every recorded URL, through a pack of all files: the recorded verdicts; and `unknown` exactly where there is no
/// file.
#[test]
fn real_files_and_urls_are_answered_as_recorded() {
    let Some(corpus) = shared_data::folder("corpus") else { return };
    let sandbox = Sandbox::new();
    let tables = ["verdicts.tsv", "frontier.tsv"].map(|name| fs::read_to_string(corpus.join(name)).unwrap());
    // One file for an origin: of the tables, the first that asks it.
    let mut files: BTreeMap<String, &str> = BTreeMap::new();
    let rows: Vec<(&str, &str, bool)> = tables
        .iter()
        .flat_map(|table| table.lines().skip(1))
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            (fields[0], fields[1], fields[4].starts_with('1'))
        })
        .collect();
    for (file, url, _) in &rows {
        if let Ok(origin) = Origin::of_url(url.as_bytes()) {
            files.entry(origin.as_str().to_owned()).or_insert(file);
        }
    }
    let options = PackOptions { agents: PackAgents::only(["FooBot"]), ..PackOptions::new(&Dialect::GOOGLE) };
    let mut builder = PackBuilder::new(options, sandbox.path("test.pack")).unwrap();
    let mut bodies: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    let mut left_out = BTreeSet::new();
    for (origin, file) in &files {
        let body = fs::read(corpus.join(format!("robots/{file}.txt"))).unwrap();
        // The record was made without a limit on a file's size.
        if body.len() > 512_000 || file.starts_with('z') {
            left_out.insert(origin.as_str());
            continue;
        }
        builder.push(&origin.parse().unwrap(), &fetched(&Response::new(200, &body))).unwrap();
        bodies.insert(file, body);
    }
    let report = builder.finish().unwrap();
    assert_eq!((report.refused_count, report.origins), (0, (files.len() - left_out.len()) as u64));

    let urls = fs::read(corpus.join("urls.txt")).unwrap();
    let mut input: Vec<u8> = rows.iter().flat_map(|(_, url, _)| [url.as_bytes(), b"\n"].concat()).collect();
    input.extend_from_slice(&urls);
    sandbox.write("urls", &input);
    let output = sandbox.run(&["--quiet", "--emit", "verdicts", "--on-error", "drop", "urls"], b"");
    assert_eq!(output.status.code(), Some(0));
    let answers: Vec<(&str, &[u8])> = output
        .stdout
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| {
            let tab = line.iter().position(|byte| *byte == b'\t').unwrap();
            (str::from_utf8(&line[..tab]).unwrap(), &line[tab + 1..])
        })
        .collect();

    // The frontier of the library says the same of each.
    let pack = Arc::new(Pack::open(sandbox.path("test.pack")).unwrap());
    let frontier = Frontier::builder(Crawler::new("FooBot").unwrap()).pack(pack).build().unwrap();
    for (word, url) in &answers {
        let verdict = frontier.explain(url, Time(FETCHED + 60)).map_or("error", |found| found.verdict.name());
        assert_eq!(*word, verdict, "{}", url.escape_ascii());
        let known = Origin::of_url(url)
            .ok()
            .map(|origin| files.contains_key(origin.as_str()) && !left_out.contains(origin.as_str()));
        match known {
            None => assert_eq!(*word, "error", "{}", url.escape_ascii()),
            Some(false) if !url.ends_with(b"/robots.txt") => assert_eq!(*word, "unknown", "{}", url.escape_ascii()),
            Some(true) => assert!(*word != "unknown" && *word != "error", "{}", url.escape_ascii()),
            Some(false) => {}
        }
    }

    let (mut recorded, mut escaped, mut others) = (0, 0, 0);
    for ((file, url, allowed), (word, _)) in rows.iter().zip(&answers) {
        let Ok(split) = origin::split(&Dialect::GOOGLE, url.as_bytes()) else { continue };
        let origin = str::from_utf8(&split.origin).unwrap();
        if left_out.contains(origin) || files[origin] != *file {
            others += 1;
            continue;
        }
        let expected = if split.is_robots_txt() {
            true
        } else if split.path == robotsc::Dialect::GOOGLE.raw_url_path(url.as_bytes()) {
            recorded += 1;
            *allowed
        } else {
            // The intake escapes what the record was asked without.
            escaped += 1;
            let robots = RobotsTxt::parse(&bodies[file]);
            robots.rule_set(&Crawler::new("FooBot").unwrap()).verdict(split.path.as_path()).unwrap().is_allow()
        };
        assert_eq!(*word, if expected { "allowed" } else { "disallowed" }, "{file} {url}");
    }
    eprintln!("{recorded} as recorded, {escaped} escaped first, {others} of other or left out files");
    assert!(recorded > 190_000, "{recorded}");
}
