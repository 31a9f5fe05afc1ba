//! What transcripts cannot show: streams, pipes, files that are written, and what a terminal would get.

#[path = "../../../tests/shared_data/mod.rs"]
mod shared_data;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

const ROBOTS: &str =
    "User-agent: *\nDisallow: /private\nDisallow: /*.php$\nAllow: /private/press\n\nUser-agent: BarBot\nDisallow: /\n";

/// A folder of its own for a test, with a robots.txt.
struct Sandbox(tempfile::TempDir);

impl Sandbox {
    fn new() -> Self {
        let sandbox = Self(tempfile::tempdir().unwrap());
        sandbox.write("robots.txt", ROBOTS);
        sandbox
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), text).unwrap();
    }

    fn spawn(&self, args: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_robotsc"))
            .args(args)
            .current_dir(self.path())
            .env_remove("CLICOLOR_FORCE")
            .env_remove("NO_COLOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn run(&self, args: &[&str]) -> Output {
        self.spawn(args).wait_with_output().unwrap()
    }

    fn run_with(&self, args: &[&str], stdin: &[u8]) -> Output {
        let mut child = self.spawn(args);
        let mut pipe = child.stdin.take().unwrap();
        let stdin = stdin.to_owned();
        let feeder = std::thread::spawn(move || {
            // The command may end before it has read all.
            let _ = pipe.write_all(&stdin);
        });
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        output
    }
}

#[track_caller]
fn assert_ends(output: &Output, code: i32, stdout: &[u8], stderr: &str) {
    assert_eq!(String::from_utf8_lossy(&output.stderr), stderr);
    assert_eq!(output.stdout.escape_ascii().to_string(), stdout.escape_ascii().to_string());
    assert_eq!(output.status.code(), Some(code));
}

/// One line on standard error that starts so, nothing on standard output, exit code 2.
#[track_caller]
fn assert_fails(output: &Output, start: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.starts_with(&format!("robotsc: {start}")), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(output.stdout.is_empty());
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn urls_come_from_standard_input() {
    let sandbox = Sandbox::new();
    let stdin = b"https://h/private\r\n\n/a%FF\nhttps://h/private/press/";
    let answers = b"disallowed\thttps://h/private\nallowed\t/a%FF\nallowed\thttps://h/private/press/\n";
    let counts = "robotsc: 3 URLs: 2 allowed, 1 disallowed\n";
    assert_ends(&sandbox.run_with(&["check", "robots.txt", "--agent", "FooBot"], stdin), 1, answers, counts);
    let answers = [b"allowed\t/first\n".as_slice(), answers, b"allowed\t/last\n"].concat();
    let args = ["check", "robots.txt", "--agent", "FooBot", "/first", "-", "/last", "--quiet"];
    assert_ends(&sandbox.run_with(&args, stdin), 1, &answers, "");
}

/// Each end of a line is one, in every list, and a line that holds more than a URL is no answer.
#[test]
fn no_url_of_a_list_is_lost() {
    let sandbox = Sandbox::new();
    let check = ["check", "robots.txt", "--agent", "FooBot", "--quiet"];
    let rows: &[u8] = b"allowed\thttps://h/a\ndisallowed\thttps://h/private\n";
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    for list in [
        b"https://h/a\rhttps://h/private\r".to_vec(),
        b"https://h/a\r\nhttps://h/private".to_vec(),
        utf16("https://h/a\r\nhttps://h/private\r\n"),
        utf16("\u{FEFF}https://h/a\nhttps://h/private"),
    ] {
        assert_ends(&sandbox.run_with(&check, &list), 1, rows, "");
    }
    let output = sandbox.run_with(&check, b"https://h/a https://h/private\n/f\xFCr\n");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!((output.status.code(), stdout.lines().count()), (Some(2), 2), "{stdout}");
    assert!(
        stdout.contains("line 1: two URLs in one line") && stdout.contains("line 2: it is of another encoding"),
        "{stdout}"
    );
    let encoded = [&check[..], &["--urls", "-", "--encoding", "windows-1252"]].concat();
    assert_ends(&sandbox.run_with(&encoded, b"/f\xFCr\n"), 0, "allowed\t/f\u{fc}r\n".as_bytes(), "");
    for (list, kind) in [
        (&b"PK\x03\x04xl"[..], "a zip archive, as XLSX files are"),
        (b"<?xml version='1.0'?>\n<urlset>\n<url><loc>https://h/a</loc></url>\n</urlset>\n", "a sitemap"),
        (b"%PDF-1.7\n", "a PDF document"),
    ] {
        let output = sandbox.run_with(&check, list);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{stderr}");
        assert!(stderr.lines().count() == 1 && stderr.contains(kind), "{stderr}");
    }
}

#[test]
fn robots_txt_comes_from_standard_input() {
    let sandbox = Sandbox::new();
    let output = sandbox.run_with(&["check", "-", "--agent", "BarBot", "https://h/a"], ROBOTS.as_bytes());
    assert_ends(&output, 1, b"disallowed\thttps://h/a\n", "");
}

#[test]
fn a_bad_line_is_an_error_row_and_the_others_are_answered() {
    let sandbox = Sandbox::new();
    let mut stdin = b"https://h/a\nmailto:x\n".to_vec();
    stdin.extend(std::iter::repeat_n(b'x', 3 << 20));
    stdin.extend(b"\nhttps://h/private\n");
    let long = "x".repeat(80);
    let rows = format!(
        "allowed\thttps://h/a\nerror\tmailto:x\tstandard input line 2: [..]\n\
         error\t{long}\tstandard input line 3: longer than 1024 KiB\ndisallowed\thttps://h/private\n"
    );
    let output = sandbox.run_with(&["check", "robots.txt", "--agent", "FooBot"], &stdin);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(stdout.lines().count(), 4, "{stdout}");
    for (row, expected) in stdout.lines().zip(rows.lines()) {
        assert!(row.starts_with(expected.trim_end_matches("[..]")), "{row}");
    }
    assert_eq!(output.stderr, b"robotsc: 4 URLs: 1 allowed, 1 disallowed, 2 error\n");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn each_agent_has_a_row_of_its_own() {
    let sandbox = Sandbox::new();
    let urls = ["https://h/", "mailto:x"];
    let check = |flags: &[&str]| {
        let agents = ["check", "robots.txt", "--agent", "FooBot", "--agent", "BarBot"];
        let output = sandbox.run(&[&agents[..], flags, &urls].concat());
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let each = check(&[]);
    let rows: Vec<Vec<&str>> = each.lines().map(|row| row.split('\t').collect()).collect();
    assert_eq!(rows[0], ["allowed", "https://h/", "FooBot"]);
    assert_eq!(rows[1], ["disallowed", "https://h/", "BarBot"]);
    assert_eq!(rows[2][..3], ["error", "mailto:x", "FooBot"]);
    assert_eq!(rows[3][..3], ["error", "mailto:x", "BarBot"]);
    for flag in ["--pool", "--chain"] {
        let one = check(&[flag]);
        assert!(one.starts_with("disallowed\thttps://h/\nerror\tmailto:x\t"), "{flag}: {one}");
        assert_eq!(one.lines().count(), 2, "{flag}: {one}");
    }
}

#[test]
fn agents_that_are_no_product_tokens_are_refused() {
    let sandbox = Sandbox::new();
    for agent in ["BarBot/1.2", "BarBot ", " BarBot", "BarBot,FooBot", "Mozilla/5.0 (BarBot)", "", " ", "**", "a:b"] {
        let output = sandbox.run(&["check", "robots.txt", "--agent", agent, "https://h/"]);
        assert_fails(&output, &format!("invalid value '{agent}' for '--agent <TOKEN>': "));
    }
    let header = sandbox.run(&["check", "robots.txt", "--agent", "BarBot/1.2", "https://h/"]);
    assert!(String::from_utf8_lossy(&header.stderr).contains("'BarBot', or a whole User-Agent header with --header"));
    for agent in ["MJ12bot", "archive.org_bot", "a_b-c+d!e~f", "Яндекс", "*"] {
        let output = sandbox.run(&["check", "robots.txt", "--agent", agent, "https://h/"]);
        assert_ends(&output, 0, b"allowed\thttps://h/\n", "");
    }
    // A command that failed pipes nothing.
    let check = ["check", "-", "--agent", "FooBot", "https://h/"];
    assert_fails(&sandbox.run_with(&check, b""), "not a robots.txt: standard input is empty, so that everything ");
    let forced = sandbox.run_with(&[&check[..], &["--force"]].concat(), b"");
    assert_ends(&forced, 0, b"allowed\thttps://h/\n", "");
}

#[test]
fn options_about_what_is_not_there_are_errors() {
    let sandbox = Sandbox::new();
    let check = ["check", "robots.txt", "--agent", "FooBot", "https://h/"];
    for option in [["--column", "url"], ["--format", "tsv"]] {
        assert_fails(&sandbox.run(&[&check[..], &option].concat()), &format!("{} without a list: ", option[0]));
        let policy = ["check", "--rules", "bundled:crawl-hygiene", "--agent", "FooBot", "https://h/"];
        assert_fails(&sandbox.run(&[&policy[..], &option].concat()), &format!("{} without a list: ", option[0]));
    }
    sandbox.write("none.jsonl", b"");
    let output = sandbox.run(&["conform", "none.jsonl"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("nothing was compared: the suites: "));
}

/// A body that is no robots.txt means what the dialect says, and is named and counted. `--cautious` makes it a failure.
#[test]
fn bodies_that_are_no_robots_txt_are_named_and_can_be_failures() {
    let sandbox = Sandbox::new();
    let utf16: Vec<u8> = "\u{feff}User-agent: *\nDisallow: /\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::create_dir(sandbox.path().join("bodies")).unwrap();
    for (host, body) in [
        ("gzip", &b"\x1f\x8b\x08\0\0\0"[..]),
        ("pack", b"RCPACK\r\n\x01\0"),
        ("elf", b"\x7fELF\x02\x01\x01\0"),
        ("zeros", b"a\0b"),
        ("wide", &utf16),
        ("html", b"<!DOCTYPE html><html></html>"),
        ("good", b"User-agent: *\nDisallow: /\n"),
    ] {
        sandbox.write(&format!("bodies/{host}.example.txt"), body);
    }
    let hosts = ["gzip", "pack", "elf", "zeros", "wide", "html", "good"];
    let urls: String = hosts.iter().map(|host| format!("https://{host}.example/x\n")).collect();
    for (options, word) in [(&[] as &[&str], "allowed"), (&["--cautious"], "disallowed")] {
        let build = ["pack", "build", "bodies", "--agent", "FooBot", "-o", "new.pack"];
        let output = sandbox.run(&[&build[..], options].concat());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        assert!(stderr.contains("no robots.txt: http://gzip.example: the body is gzip data"), "{stderr}");
        // Each file stands for http and https.
        assert!(stderr.ends_with("; bodies that are no robots.txt: 12\n"), "{stderr}");
        let filter = ["filter", "--pack", "new.pack", "--agent", "FooBot", "--emit", "verdicts", "--quiet"];
        let verdicts = String::from_utf8(sandbox.run_with(&filter, urls.as_bytes()).stdout).unwrap();
        let words: Vec<&str> = verdicts.lines().filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(words, [&[word; 6][..], &["disallowed"]].concat(), "{verdicts}");
    }
}

/// A process that writes a URL and waits for its answer gets it, although the input is still open.
#[test]
fn answers_do_not_wait_for_the_next_url() {
    let sandbox = Sandbox::new();
    let mut child = sandbox.spawn(&["check", "robots.txt", "--agent", "FooBot", "--quiet"]);
    let mut pipe = child.stdin.take().unwrap();
    let mut answers = std::io::BufReader::new(child.stdout.take().unwrap());
    // A command that waits for ever is ended, and the test fails.
    let (answered, watch) = std::sync::mpsc::channel::<()>();
    let watchdog = std::thread::spawn(move || {
        if watch.recv_timeout(std::time::Duration::from_secs(60)).is_err() {
            child.kill().unwrap();
        }
        child.wait().unwrap()
    });
    for (url, verdict) in [("/", "allowed"), ("https://h/private", "disallowed"), ("mailto:x", "error")] {
        writeln!(pipe, "{url}").unwrap();
        let mut row = String::new();
        std::io::BufRead::read_line(&mut answers, &mut row).unwrap();
        assert!(row.starts_with(&format!("{verdict}\t{url}")), "{url}: {row:?}");
    }
    drop(pipe);
    answered.send(()).unwrap();
    assert_eq!(watchdog.join().unwrap().code(), Some(2));
}

#[test]
fn urls_come_from_files_whatever_their_form() {
    let sandbox = Sandbox::new();
    let lines = b"https://h/private\nhttps://h/\n";
    sandbox.write("urls.txt", lines);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(lines).unwrap();
    sandbox.write("urls.gz", encoder.finish().unwrap());
    sandbox.write("urls.zst", zstd::encode_all(&lines[..], 1).unwrap());
    sandbox.write("urls.tsv", "id\turl\n1\thttps://h/private\n2\thttps://h/\n");
    sandbox.write("urls.jsonl", "{\"url\": \"https://h/private\"}\n{\"id\": 1, \"url\": \"https://h/\"}\n");
    sandbox.write("lines.csv", "a;url\n\"x\n\";https://h/private\n\"\n\ny\";https://h/\n");
    sandbox.write("urls.csv", "1,\"https://h/private\"\n2,https://h/\n");
    let rows = b"disallowed\thttps://h/private\nallowed\thttps://h/\n";
    let counts = "robotsc: 2 URLs: 1 allowed, 1 disallowed\n";
    for (file, flags) in [
        ("urls.txt", &[][..]),
        ("urls.gz", &[]),
        ("urls.zst", &[]),
        ("urls.tsv", &["--column", "url"]),
        ("urls.tsv", &[]),
        ("urls.jsonl", &[]),
        ("lines.csv", &[]),
        ("urls.csv", &["--column", "2"]),
        ("urls.csv", &["--column", "2", "--format", "csv"]),
    ] {
        let args = [&["check", "robots.txt", "--agent", "FooBot", "--urls", file], flags].concat();
        assert_ends(&sandbox.run(&args), 1, rows, counts);
    }
    let check = |flags: &[&str]| sandbox.run(&[&["check", "robots.txt", "--agent", "FooBot"], flags].concat());
    assert_fails(
        &check(&["--urls", "urls.tsv", "--column", "link"]),
        "no such column: 'link': the first line of urls.tsv has id, url: ",
    );
    assert_fails(&check(&["--urls", "urls.txt", "--column", "2"]), "no columns: urls.txt: ");
    assert_fails(&check(&["--urls", "missing.txt"]), "cannot read: missing.txt: ");
    assert_fails(
        &check(&["urls.txt"]),
        "a file among the URLs: urls.txt: for its lines use --urls urls.txt or < urls.txt",
    );
}

/// A URL that was escaped in its line can hold line ends and tabs: an error, whose row is one row with its columns all
/// the same.
#[test]
fn a_url_is_one_column_of_one_row() {
    let sandbox = Sandbox::new();
    sandbox.write("lines.csv", "url,id\n\"https://h/ok\nallowed\t/private\",1\n");
    sandbox.write("urls.jsonl", "{\"url\": \"https://h/ok\\nallowed\\t/private\"}\n");
    sandbox.write("tab.jsonl", "{\"url\": \"https://h/ok\\tBarBot\"}\n");
    for (file, place, reason) in [
        ("lines.csv", "line 3", "a line end in the URL"),
        ("urls.jsonl", "line 1", "a line end in the URL"),
        ("tab.jsonl", "line 1", "a tab in the URL"),
    ] {
        let output = sandbox.run(&["check", "robots.txt", "--agent", "FooBot", "--quiet", "--urls", file]);
        let row = String::from_utf8(output.stdout).expect("text");
        let columns: Vec<&str> = row.trim_end_matches('\n').split('\t').collect();
        let &[outcome, _, why] = &*columns else { panic!("{file}: {row}") };
        assert_eq!((outcome, output.status.code()), ("error", Some(2)), "{file}: {row}");
        assert!(why.contains(place) && why.contains(reason) && !why.contains('\n'), "{file}: {row}");
    }
    // google/robotstxt keeps a tab in a path.
    let args = ["check", "robots.txt", "--agent", "FooBot", "--raw-url", "--quiet"];
    assert_ends(&sandbox.run_with(&args, b"https://h/a\tb.php\n"), 1, b"disallowed\thttps://h/a\\tb.php\n", "");
}

/// Blanks before a path, and a backslash as its first byte, are read alike with a rule set and without.
#[test]
fn paths_are_read_alike_with_a_rule_set() {
    let sandbox = Sandbox::new();
    sandbox.write("cart.txt", "User-agent: *\nDisallow: /cart\n");
    let policy = ["check", "--rules", "bundled:crawl-hygiene"];
    let robots = ["check", "cart.txt", "--agent", "FooBot"];
    let beside = ["check", "--rules", "bundled:crawl-hygiene", "--robots", "robots.txt", "--agent", "FooBot"];
    for (url, word) in [
        ("/cart", "disallowed"),
        (" /cart", "disallowed"),
        ("\\cart", "disallowed"),
        (" \\cart", "disallowed"),
        (" /mugs", "allowed"),
        ("\\mugs", "allowed"),
        ("//h.example/cart", "error"),
        (" //h.example/cart", "error"),
        ("\\\\h.example/cart", "error"),
        (" https://h.example/cart", "disallowed"),
    ] {
        for args in [&policy[..], &robots, &beside] {
            let output = sandbox.run(&[args, &[url]].concat());
            let stdout = String::from_utf8(output.stdout).unwrap();
            assert_eq!(stdout.split('\t').next(), Some(word), "{args:?} {url:?}: {stdout}");
        }
        let output = sandbox.run(&["explain", "--rules", "bundled:crawl-hygiene", "--json", url]);
        assert_eq!(output.status.code() == Some(2), word == "error", "{url:?}");
    }
}

/// Rows that are added to a list of URLs would be read as URLs, and answered by more rows, for ever.
#[cfg(unix)]
#[test]
fn rows_are_not_written_to_an_input() {
    let sandbox = Sandbox::new();
    let list = "https://h/private\nhttps://h/\n";
    sandbox.write("list", list);
    std::os::unix::fs::symlink("list", sandbox.path().join("link")).unwrap();
    let binary = env!("CARGO_BIN_EXE_robotsc");
    let run = |args: &str| {
        // Without the refusal a run would not end.
        let script = format!("ulimit -t 10; ulimit -f 1000; exec {binary} check {args}");
        Command::new("sh").args(["-c", &script]).current_dir(sandbox.path()).output().unwrap()
    };
    for (args, input) in [
        ("robots.txt --agent FooBot --urls list >> list", "list"),
        ("robots.txt --agent FooBot --urls link --json >> list", "link"),
        ("robots.txt --agent FooBot < list >> link", "-"),
        ("robots.txt --agent FooBot /a - < list >> link", "-"),
        ("robots.txt --agent FooBot --urls - < list >> link", "-"),
        ("robots.txt --agent FooBot /a >> robots.txt", "robots.txt"),
        ("- --agent FooBot /a < robots.txt >> robots.txt", "-"),
        ("--rules bundled:crawl-hygiene --urls list >> list", "list"),
        ("--rules bundled:crawl-hygiene - < list >> list", "-"),
        ("--rules bundled:crawl-hygiene --robots robots.txt --agent FooBot /a >> robots.txt", "robots.txt"),
    ] {
        assert_fails(
            &run(args),
            &format!("the input {input} as an output: standard output: give the rows a file of their own\n"),
        );
        assert_eq!(fs::read_to_string(sandbox.path().join("list")).unwrap(), list, "{args}");
        assert_eq!(fs::read_to_string(sandbox.path().join("robots.txt")).unwrap(), ROBOTS, "{args}");
    }
    // Standard input that is not read, other files and devices are no matter.
    for args in
        ["robots.txt --agent FooBot --quiet --urls list < rows >> rows", "robots.txt --agent FooBot /a >/dev/null"]
    {
        sandbox.write("rows", "");
        assert_ends(&run(args), if args.contains("list") { 1 } else { 0 }, b"", "");
    }
}

/// It is not waited for a writer that may never come.
#[cfg(unix)]
#[test]
fn pipes_are_refused_where_a_file_is_needed() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path().join("rules")).unwrap();
    sandbox.write("rules/shop.ron", "(version: 1, rule_sets: [(name: \"shop\", rules: [Deny(path: \"/x\")])])");
    assert!(Command::new("mkfifo").arg(sandbox.path().join("pipe")).status().unwrap().success());
    for (args, told) in [
        ("generate rules -o pipe --check", "cannot read: pipe: it is not a file: name the generated file with -o"),
        ("filter --pack pipe --agent FooBot", "cannot read: pipe: it is not a file: give a policy pack with --pack"),
        ("fmt pipe", "cannot read: pipe: it is not a file: name a file, which is replaced"),
        ("fmt --minify pipe", "cannot read: pipe: it is not a file: name a file, which is replaced"),
        ("lint --fix pipe", "cannot read: pipe: it is not a file: name a file, which is replaced"),
    ] {
        let mut child = sandbox.spawn(&args.split(' ').collect::<Vec<_>>());
        // A command that waits for ever is ended, and the test fails.
        for _ in 0..600 {
            if child.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        let _ = child.kill();
        assert_fails(&child.wait_with_output().unwrap(), told);
    }
}

/// A file that is no robots.txt must not be answered from: without groups everything would be allowed.
#[test]
fn files_that_are_no_robots_txt_are_refused_or_named() {
    let sandbox = Sandbox::new();
    let utf16: Vec<u8> = "\u{feff}User-agent: *\nDisallow: /\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let refused: [(&str, &[u8], &str); 10] = [
        ("robots.gz", b"\x1f\x8b\x08\0\0\0", "it is compressed (gzip): decompress it: gzip -dc robots.gz | "),
        ("site.pack", b"RCPACK\r\n\x01\0", "it is a policy pack: use 'robotsc inspect site.pack ORIGIN' or "),
        ("rules.ron", b"[(name: \"x\", rules: [])]", "it declares rule sets: 'robotsc check --rules rules.ron#NAME' "),
        ("rules", b"// x\n[(name: \"x\", rules: [])]", "it declares rule sets: "),
        ("ls", b"\x7fELF\x02\x01\x01\0", "it is an executable (ELF): "),
        ("page.html", b"<!DOCTYPE html><html></html>", "it is HTML or XML, and no group of rules is in it: "),
        ("utf16.txt", &utf16, "it is text in UTF-16, and no group of rules is in it: "),
        ("zeros.txt", b"a\0b", "it contains NUL bytes, each of which ends its line, and no group "),
        ("urls.txt", b"https://h/\n", "no line of it is a directive, so that everything would be allowed: "),
        ("note", b"404 page not found", "no line of it is a directive, so that everything would be allowed: "),
    ];
    let commands = |file: &'static str| {
        [
            vec!["check", file, "--agent", "FooBot", "https://h/"],
            vec!["explain", file, "--agent", "FooBot", "https://h/"],
            vec!["compile", file, "-o", "-"],
        ]
    };
    for (file, body, message) in refused {
        sandbox.write(file, body);
        for command in commands(file) {
            assert_fails(&sandbox.run(&command), &format!("not a robots.txt: {file}: {message}"));
            let forced = sandbox.run(&[&command[..], &["--force"]].concat());
            assert_eq!(forced.status.code(), Some(0), "{command:?} --force");
        }
    }
    let cut = [&b"User-agent: *\nAllow: /\n#"[..], &[b'x'; 600_000], b"\nDisallow: /\n"].concat();
    let named: [(&str, &[u8], i32, &str); 4] = [
        ("mixed.html", b"<html>\nUser-agent: *\nDisallow: /\n", 1, "it is HTML or XML: fetch the robots.txt itself"),
        ("zeros", b"User-agent: *\0\nDisallow: /\0\n", 1, "it contains NUL bytes, each of which ends its line: remove"),
        ("long.txt", &cut, 0, "it is longer than the dialect reads: what follows does not count"),
        ("empty", b"", 0, "it is empty, so that everything is allowed"),
    ];
    for (file, body, code, warning) in named {
        sandbox.write(file, body);
        let output = sandbox.run(&["check", file, "--agent", "FooBot", "https://h/"]);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with(&format!("robotsc: warning: {file}: {warning}")), "{stderr}");
        assert_eq!(output.status.code(), Some(code), "{file}");
    }
    for (file, body) in [("comment", &b"\xef\xbb\xbf# none\n\n"[..]), ("map", b"Sitemap: https://h/s\n")] {
        sandbox.write(file, body);
        let output = sandbox.run(&["check", file, "--agent", "FooBot", "https://h/"]);
        assert_ends(&output, 0, b"allowed\thttps://h/\n", "");
    }
}

/// More URLs than the rules answer directly: what is answered after compiling is the same.
#[test]
fn many_urls_are_answered_alike_by_every_engine() {
    let sandbox = Sandbox::new();
    let paths = ["/private", "/private/press", "/x.php", "/x.php?y", "/", "/privat", "/private/press.php"];
    let stdin: Vec<u8> = (0..2000).flat_map(|n| format!("https://h{}\n", paths[n * n % 7]).into_bytes()).collect();
    let ask = |engine: &str, json: bool| {
        let mut args = vec!["check", "robots.txt", "--agent", "FooBot", "--engine", engine];
        args.extend(json.then_some("--json"));
        let output = sandbox.run_with(&args, &stdin);
        assert_eq!(output.status.code(), Some(1), "{engine}");
        assert_eq!(output.stdout.iter().filter(|&&byte| byte == b'\n').count(), 2000, "{engine}");
        output.stdout
    };
    for json in [false, true] {
        let judged = ask("reference", json);
        for engine in ["auto", "rules", "compiled"] {
            assert!(ask(engine, json) == judged, "{engine}, json {json}");
        }
    }
}

/// A reader that has enough, as in `robotsc check … | head`, ends a run quietly, by what was answered until then.
#[test]
fn a_closed_pipe_ends_a_check_by_its_answers() {
    let sandbox = Sandbox::new();
    for (agent, code) in [("BarBot", 1), ("FooBot", 0)] {
        for command in ["check", "matrix"] {
            let form = if command == "check" { "--quiet" } else { "--json" };
            let mut child = sandbox.spawn(&[command, "robots.txt", "--agent", agent, form]);
            drop(child.stdout.take());
            let mut pipe = child.stdin.take().unwrap();
            let url = [b"https://h/".as_slice(), &[b'a'; 1000], b"\n"].concat();
            while pipe.write_all(&url).is_ok() {}
            drop(pipe);
            assert_ends(&child.wait_with_output().unwrap(), code, b"", "");
        }
    }

    let mut child = sandbox.spawn(&["agents"]);
    drop(child.stdout.take());
    assert_ends(&child.wait_with_output().unwrap(), 0, b"", "");
}

#[test]
fn a_check_of_nothing_is_an_error() {
    let sandbox = Sandbox::new();
    let message = "no URL: the lists are empty";
    assert_fails(&sandbox.run_with(&["check", "robots.txt", "--agent", "BarBot", "--quiet"], b"\n"), message);
}

#[test]
fn compiled_programs_answer_like_the_file() {
    let sandbox = Sandbox::new();
    for flags in [&["--agent", "BarBot", "--agent", "FooBot"][..], &["--effort", "fast"], &["--deciding-rules"], &[]] {
        let args = [&["compile", "robots.txt", "-o", "site.robotsc"], flags].concat();
        assert_ends(&sandbox.run(&args), 0, b"", "");
        for agent in ["FooBot", "barbot", "BARBOT", "other"] {
            let urls =
                ["https://h/", "https://h/private/x", "https://h/private/press", "https://h/a.php", "https://h/a.phpx"];
            let ask = |file| sandbox.run(&[&["check", file, "--agent", agent], urls.as_slice()].concat());
            let (file, program) = (ask("robots.txt"), ask("site.robotsc"));
            if flags.contains(&"--agent") && agent == "other" {
                // It was not compiled for this agent: that is an error, never an allow.
                assert_fails(&program, "cannot answer: site.robotsc: it was compiled for other agents");
                continue;
            }
            assert_eq!(program.stdout, file.stdout, "{flags:?} {agent}");
            assert_eq!(program.status.code(), file.status.code());
        }
    }
    let chain = ["check", "site.robotsc", "--agent", "x", "--agent", "BarBot", "--chain", "https://h/"];
    assert_ends(&sandbox.run(&chain), 1, b"disallowed\thttps://h/\n", "");
    assert_fails(
        &sandbox.run(&["check", "site.robotsc", "--agent", "x", "--agent", "y", "--pool", "/"]),
        "cannot answer: site.robotsc: ",
    );
    assert_fails(&sandbox.run(&["check", "site.robotsc", "--header", "x", "/"]), "cannot answer: site.robotsc: ");
    assert_fails(&sandbox.run(&["check", "site.robotsc", "/"]), "no agent: ");
    assert_fails(&sandbox.run(&["check", "site.robotsc", "--agent", "x", "--engine", "rules", "/"]), "no rules: ");
    assert_fails(&sandbox.run(&["explain", "site.robotsc", "--agent", "x", "/"]), "nothing to explain: site.robotsc: ");
    assert_fails(&sandbox.run(&["compile", "site.robotsc", "-o", "x"]), "compiled already: site.robotsc: ");
}

/// The library's programs for one crawler know neither its name nor the dialect; both are the caller's.
#[test]
fn a_program_of_one_crawler_needs_no_agent() {
    let sandbox = Sandbox::new();
    let robots = robotsc::RobotsTxt::parse_with(ROBOTS.as_bytes(), &robotsc::Dialect::GOOGLE);
    let rules = robots.rule_set(&robotsc::Crawler::new("FooBot").unwrap());
    let compiled = robotsc::Compiler::new().output(robotsc::program::Output::DecidingRule).compile(&rules).unwrap();
    sandbox.write("foobot.program", compiled.as_bytes());
    let check = ["check", "foobot.program", "https://h/private", "https://h/"];
    assert_ends(&sandbox.run(&check), 1, b"disallowed\thttps://h/private\nallowed\thttps://h/\n", "");
    let json = br#"{"type":"verdict","verdict":"disallowed","url":"/x.php","agent":null,"line":3,"note":null,"#;
    let json = [&json[..], br#""path":"/x.php","length":7}"#].concat();
    let output = sandbox.run(&["check", "foobot.program", "--json", "/x.php"]);
    assert_ends(&output, 1, &[json.as_slice(), b"\n"].concat(), "");
    let text = String::from_utf8(sandbox.run(&["inspect", "foobot.program"]).stdout).unwrap();
    assert!(text.contains("kind   compiled program\n") && text.contains("3      14     4  allowed     -\n"), "{text}");
}

#[test]
fn a_program_keeps_its_dialect() {
    let sandbox = Sandbox::new();
    assert_ends(&sandbox.run(&["compile", "robots.txt", "-o", "site.robotsc", "--dialect", "rfc9309"]), 0, b"", "");
    let check = ["check", "site.robotsc", "--agent", "BarBot", "https://h/robots.txt"];
    assert_ends(&sandbox.run(&check), 0, b"allowed\thttps://h/robots.txt\n", "");
    let wrong = [&check[..], &["--dialect", "google"]].concat();
    assert_fails(&sandbox.run(&wrong), "wrong dialect: site.robotsc: it was compiled for rfc9309, not google: ");
}

#[test]
fn cut_and_altered_programs_are_refused() {
    let sandbox = Sandbox::new();
    assert_ends(&sandbox.run(&["compile", "robots.txt", "-o", "site.robotsc", "--deciding-rules"]), 0, b"", "");
    let whole = fs::read(sandbox.path().join("site.robotsc")).unwrap();
    // Three bytes are what a program is known by.
    for length in (3..whole.len()).step_by(7) {
        sandbox.write("cut.robotsc", &whole[..length]);
        assert_fails(&sandbox.run(&["check", "cut.robotsc", "--agent", "x", "/"]), "bad program: cut.robotsc: ");
    }
    for at in (3..whole.len()).step_by(11) {
        let mut altered = whole.clone();
        altered[at] ^= 0x10;
        sandbox.write("altered.robotsc", altered);
        assert_fails(&sandbox.run(&["inspect", "altered.robotsc"]), "bad program: altered.robotsc: ");
    }
}

#[test]
fn files_are_written_whole_or_not_at_all() {
    let sandbox = Sandbox::new();
    // The mark of a compiled file: no other is replaced.
    const BEFORE: &[u8] = b"RP\x03what stood here before";
    sandbox.write("site.robotsc", BEFORE);
    assert_fails(&sandbox.run(&["compile", "missing.txt", "-o", "site.robotsc"]), "cannot read: missing.txt: ");
    assert_eq!(fs::read(sandbox.path().join("site.robotsc")).unwrap(), BEFORE);
    assert_ends(&sandbox.run(&["compile", "robots.txt", "-o", "site.robotsc"]), 0, b"", "");
    let whole = fs::read(sandbox.path().join("site.robotsc")).unwrap();
    assert_ends(&sandbox.run(&["compile", "robots.txt", "-o", "-"]), 0, &whole, "");
    assert_eq!(fs::read_dir(sandbox.path()).unwrap().count(), 2, "no temporary file stays");
}

/// Every crawler that is asked for has its automaton, and every rule that a node names its tooltip.
#[test]
fn files_are_formatted_as_they_came() {
    let sandbox = Sandbox::new();
    let small =
        "User-agent:*\nDisallow:/private\nDisallow:/*.php$\nAllow:/private/press\nUser-agent:BarBot\nDisallow:/\n";
    let said = "robotsc: standard input: minified: 7 bytes (6 %) and 0 rules less\n";
    assert_ends(&sandbox.run_with(&["fmt", "-"], ROBOTS.as_bytes()), 0, ROBOTS.as_bytes(), "");
    assert_ends(&sandbox.run_with(&["fmt", "--minify", "-"], ROBOTS.as_bytes()), 0, small.as_bytes(), said);
    assert_fails(&sandbox.run_with(&["fmt", "-"], b""), "not a robots.txt: standard input is empty");

    // Every byte is written, also escape sequences and those that are no UTF-8.
    const RAW: &[u8] = b"User-agent: *\nDisallow: /a\x1b[1mb\xFF\n";
    assert_ends(&sandbox.run_with(&["fmt", "-"], RAW), 0, RAW, "");
    assert_eq!(sandbox.run_with(&["fmt", "--minify", "-"], RAW).stdout, b"User-agent:*\nDisallow:/a\x1b[1mb\xFF\n");
    assert_eq!(sandbox.run_with(&["lint", "--fix", "-"], RAW).stdout, RAW);

    // Another length would change what crawlers read of a file that is too long.
    let long = format!("user-agent: *\n{}", "disallow: /x\n".repeat(40_000));
    sandbox.write("long.txt", &long);
    for options in [&["fmt", "long.txt"][..], &["fmt", "--minify", "--check", "long.txt"]] {
        let output = sandbox.run(options);
        assert_eq!(output.status.code(), Some(0));
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("robotsc: long.txt: left as it is: it is longer"));
    }
    assert_eq!(fs::read(sandbox.path().join("long.txt")).unwrap(), long.as_bytes());

    sandbox.write("program", b"RP\x02\0");
    sandbox.write("page.txt", "<html>\n\n\n</html>\n");
    assert_fails(&sandbox.run(&["fmt", "program"]), "not a robots.txt: program: it is a compiled program");
    assert_fails(&sandbox.run(&["fmt", "page.txt"]), "not a robots.txt: page.txt: it is HTML or XML");
    assert_eq!(sandbox.run(&["fmt", "--force", "--check", "page.txt"]).status.code(), Some(1));

    // The others are formatted all the same.
    sandbox.write("robots.txt", "user-agent:*\n");
    assert_eq!(sandbox.run(&["fmt", "page.txt", "robots.txt"]).status.code(), Some(2));
    assert_eq!(fs::read(sandbox.path().join("robots.txt")).unwrap(), b"User-agent: *\n");
}

#[test]
fn pictures_show_each_crawler_and_its_rules() {
    let sandbox = Sandbox::new();
    let picture = |kind: &str, agents: &[&str]| {
        let agents = agents.iter().flat_map(|agent| ["--agent", agent]);
        let args: Vec<&str> = ["compile", "robots.txt", "--emit", kind, "-o", "-"].into_iter().chain(agents).collect();
        let output = sandbox.run(&args);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    for kind in ["dot", "svg"] {
        let all = picture(kind, &[]);
        for part in [
            "robots.txt, dialect google",
            "BarBot: 1 rule",
            "crawlers that no group names (`*`): 3 rules",
            "line 2: disallowed /private",
            "line 3: disallowed /*.php$",
            "line 4: allowed /private/press",
            "dashed: taken on any other byte",
        ] {
            assert!(all.contains(part), "{kind}: {part}: {all}");
        }
        let two = picture(kind, &["BarBot", "Foo\u{fc}"]);
        assert!(two.contains("BarBot: 1 rule") && two.contains("Foo\u{fc}, which no group names: 3 rules"), "{two}");
        let one = picture(kind, &["BarBot"]);
        assert!(one.contains("line 7: disallowed /") && !one.contains("line 2: "), "{kind}: {one}");
    }
    sandbox.write("robots.txt", "User-agent: *\nDisallow: /\"<&>\\\n");
    assert!(picture("dot", &[]).contains(r#"line 2: disallowed /\"<&>\\"#));
    assert!(picture("svg", &[]).contains(r"line 2: disallowed /&quot;&lt;&amp;&gt;\<"));
}

#[test]
fn a_source_is_never_replaced() {
    let sandbox = Sandbox::new();
    let message = |output: &str| format!("the source as an output: {output}: it would be replaced: ");
    assert_fails(&sandbox.run(&["compile", "robots.txt", "-o", "robots.txt"]), &message("robots.txt"));
    assert_fails(&sandbox.run(&["compile", "robots.txt", "-o", "./robots.txt"]), &message("./robots.txt"));
    fs::hard_link(sandbox.path().join("robots.txt"), sandbox.path().join("robots.robotsc")).unwrap();
    sandbox.write("other.txt", "User-agent: *\n");
    assert_fails(&sandbox.run(&["compile", "robots.txt", "other.txt", "-o", "."]), &message("./robots.robotsc"));
    assert_eq!(fs::read_to_string(sandbox.path().join("robots.txt")).unwrap(), ROBOTS);
    assert!(!sandbox.path().join("other.robotsc").exists());
}

#[test]
fn packs_are_inspected_as_a_whole_and_by_origin() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path().join("captures")).unwrap();
    sandbox.write("captures/https_shop.example.txt", ROBOTS);
    let build = ["pack", "build", "captures", "--agent", "FooBot", "--deciding-rules", "-o", "x.pack"];
    assert_eq!(sandbox.run(&build).status.code(), Some(0));
    let text = |args: &[&str], code: i32| {
        let output = sandbox.run(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(text(&["inspect", "x.pack"], 0).contains("origins"));
    let entry = text(&["inspect", "x.pack", "https://shop.example/cart"], 0);
    assert!(entry.starts_with("https://shop.example\n"), "{entry}");
    assert!(entry.contains("3      14     4  allowed"), "{entry}");
    assert!(text(&["inspect", "x.pack", "https://shop.example", "--json"], 0).contains(r#""type":"rule""#));
    assert_eq!(text(&["inspect", "x.pack", "https://other.example"], 1), "");
    let agent = ["inspect", "x.pack", "https://shop.example", "--agent", "BarBot"];
    assert!(String::from_utf8_lossy(&sandbox.run(&agent).stderr).contains("no such agent: BarBot: x.pack "));
}

#[test]
fn several_files_become_files_of_a_folder() {
    let sandbox = Sandbox::new();
    sandbox.write("other.txt", "User-agent: *\nDisallow: /b\n");
    assert_ends(&sandbox.run(&["compile", "robots.txt", "other.txt", "-o", "out"]), 0, b"", "");
    let names: std::collections::BTreeSet<_> =
        fs::read_dir(sandbox.path().join("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["other.robotsc", "robots.robotsc"]);
    let check = ["check", "out/other.robotsc", "--agent", "FooBot", "https://h/b"];
    assert_ends(&sandbox.run(&check), 1, b"disallowed\thttps://h/b\n", "");
}

#[test]
fn too_much_is_refused() {
    let sandbox = Sandbox::new();
    let file = fs::File::create(sandbox.path().join("big.txt")).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    assert_fails(&sandbox.run(&["inspect", "big.txt"]), "file too large: big.txt: over 64 MiB: ");
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_an_error() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    let path = sandbox.path().join("robots.txt");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(&path).is_ok() {
        eprintln!("skipped: this user may read every file");
        return;
    }
    let output = sandbox.run(&["check", "robots.txt", "--agent", "FooBot", "/"]);
    assert_fails(&output, "cannot read: robots.txt: permission denied: ");
}

#[test]
fn each_text_for_people_is_coloured_by_one_rule() {
    let sandbox = Sandbox::new();
    sandbox.write("unformatted.txt", "user-agent:*\ndisallow : /a\n");
    sandbox.write("found.txt", "User-agent: *\nDissallow: /a\n");
    for args in [
        &["check", "robots.txt", "--agent", "BarBot", "/a"][..],
        &["matrix", "robots.txt", "--agent", "BarBot", "/a"],
        &["agents", "google"],
        &["fmt", "--diff", "unformatted.txt"],
        &["lint", "found.txt"],
        &["lint", "--unsafe-fixes", "--diff", "found.txt"],
        &["diff", "robots.txt", "found.txt"],
        &["explain", "robots.txt", "--agent", "BarBot", "/a"],
    ] {
        let is_coloured = |color: &[&str]| {
            let output = sandbox.run(&[args, color].concat());
            assert!(output.status.code().is_some_and(|code| code < 2), "{args:?}: {output:?}");
            output.stdout.contains(&0x1b)
        };
        assert!(is_coloured(&["--color", "always"]), "{args:?}");
        assert!(!is_coloured(&[]), "{args:?}");
        assert!(!is_coloured(&["--color", "never"]), "{args:?}");
    }
}

#[test]
fn color_is_for_terminals_unless_asked_for() {
    let sandbox = Sandbox::new();
    let colors = |args: &[&str], environment: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
        command.args(args).current_dir(sandbox.path()).env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR");
        command.envs(environment.iter().copied());
        command.output().unwrap().stdout.contains(&0x1b)
    };
    let explain = ["explain", "robots.txt", "--agent", "BarBot", "https://h/"];
    for (color, environment, expected) in [
        (&[][..], &[][..], false),
        (&[], &[("CLICOLOR_FORCE", "1")], true),
        (&[], &[("NO_COLOR", "1")], false),
        (&["--color", "auto"], &[], false),
        (&["--color", "always"], &[], true),
        (&["--color", "always"], &[("NO_COLOR", "1")], true),
        (&["--color", "never"], &[("CLICOLOR_FORCE", "1")], false),
    ] {
        assert_eq!(colors(&[&explain[..], color].concat(), environment), expected, "{color:?} {environment:?}");
        // The option can also come before the command.
        assert_eq!(colors(&[color, &explain[..]].concat(), environment), expected, "{color:?} {environment:?}");
    }
}

/// Returns the commands and their subcommands, as `help` lists them.
fn commands(sandbox: &Sandbox) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = Vec::new();
    let mut next = vec![Vec::new()];
    while let Some(command) = next.pop() {
        let help = sandbox.run(&[&["help"], &*words(&command)].concat());
        let help = String::from_utf8(help.stdout).unwrap();
        let listed = help.split_once("\nCommands:\n").map_or("", |(_, rest)| rest.split("\n\n").next().unwrap());
        let names = listed.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        next.extend(
            names.filter(|name| !["", "help"].contains(name)).map(|name| [&*command, &[name.to_owned()]].concat()),
        );
        all.extend((!command.is_empty()).then_some(command));
    }
    assert!(all.len() > 25 && all.contains(&vec!["pack".to_owned(), "merge".to_owned()]), "{all:?}");
    all
}

fn words(command: &[String]) -> Vec<&str> {
    command.iter().map(String::as_str).collect()
}

#[test]
fn help_of_a_command_is_printed_in_both_spellings() {
    let sandbox = Sandbox::new();
    for command in commands(&sandbox) {
        let help = sandbox.run(&[&["help"], &*words(&command)].concat());
        assert_eq!(help.status.code(), Some(0), "{command:?}");
        assert_ends(&sandbox.run(&[&*words(&command), &["--help"]].concat()), 0, &help.stdout, "");
    }
    assert_fails(&sandbox.run(&["help", "chek"]), "unrecognized subcommand 'chek'");
}

/// An example that is wrapped cannot be copied. Terminals of 40 columns exist; clap reads `COLUMNS`.
#[test]
fn examples_are_not_wrapped() {
    let sandbox = Sandbox::new();
    for command in commands(&sandbox) {
        let help = |columns: &str| {
            let mut process = Command::new(env!("CARGO_BIN_EXE_robotsc"));
            let output = process.args(&command).arg("--help").current_dir(sandbox.path()).env("COLUMNS", columns);
            String::from_utf8(output.output().unwrap().stdout).unwrap()
        };
        let examples = |text: &str| text.split_once("\nExample").map(|(_, examples)| examples.to_owned());
        let (wide, narrow) = (help("1000"), help("40"));
        assert_ne!(wide, narrow, "{command:?}: the prose is wrapped");
        assert_eq!(examples(&wide), examples(&narrow), "{command:?}");
        for line in examples(&wide).unwrap_or_default().lines().skip(1).filter(|line| !line.is_empty()) {
            let is_command = ["robotsc ", "curl ", "export "].iter().any(|program| line.contains(program));
            assert!(line.starts_with("  ") && is_command, "{command:?}: {line}");
        }
    }
}

#[test]
fn completions_know_every_command() {
    let sandbox = Sandbox::new();
    let commands = commands(&sandbox);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = String::from_utf8(sandbox.run(&["completions", shell]).stdout).unwrap();
        for word in commands.iter().flat_map(|command| words(command)).chain(["raw-url", "color"]) {
            assert!(script.contains(word), "{shell} {word}");
        }
    }
}

#[test]
fn every_command_has_a_man_page() {
    let sandbox = Sandbox::new();
    assert_ends(&sandbox.run(&["man", "-o", "share/man1"]), 0, b"", "");
    let read = |page: &str| fs::read_to_string(sandbox.path().join("share/man1").join(page)).unwrap();
    assert!(read("robotsc.1").contains("robotsc\\-check(1)"));
    for command in commands(&sandbox) {
        let page = read(&format!("robotsc-{}.1", command.join("-")));
        let one = sandbox.run(&[&["man"], &*words(&command)].concat());
        assert_ends(&one, 0, page.as_bytes(), "");
        let name = command.join(" ");
        assert!(page.contains(&format!(".SH SYNOPSIS\n\\fBrobotsc {name}\\fR")), "{page}");
        assert!(!page.contains("Examples:") && !page.contains("EXTRA"), "{name}: {page}");
    }
    let check = read("robotsc-check.1");
    assert_eq!(check.matches(".ie ").count(), 1, "{check}");
    assert!(check.contains("[OPTIONS]") && check.contains("[URL]...") && check.contains("EXIT STATUS"), "{check}");
    assert_fails(&sandbox.run(&["man", "chek"]), "no such command: 'chek': the commands of robotsc are: check, ");
}

#[test]
fn cases_behind_gzip_are_read_member_by_member() {
    let sandbox = Sandbox::new();
    let member = |allowed: bool| {
        let case = format!("{{\"robots\": \"\", \"agents\": [\"a\"], \"url\": \"/\", \"allowed\": {allowed}}}\n");
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(case.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let gzip = [member(true), member(false)].concat();
    sandbox.write("cases.jsonl.gz", &gzip);
    let output = sandbox.run(&["conform", "cases.jsonl.gz", "--json"]);
    let first = String::from_utf8(output.stdout).unwrap();
    assert!(
        first.starts_with(r#"{"type":"suite","suite":"cases","cases":2,"agree":1,"differ":1,"errors":0,"#),
        "{first}"
    );
    assert_eq!(output.status.code(), Some(1));
    sandbox.write("cases.jsonl.gz", &gzip[..gzip.len() - 9]);
    let output = sandbox.run(&["conform", "cases.jsonl.gz"]);
    assert!(
        output.stderr.starts_with(b"robotsc: cannot read: cases.jsonl.gz: line "),
        "{}",
        output.stderr.escape_ascii()
    );
    assert_eq!(output.status.code(), Some(2));
}

/// Every recorded case of the shared suites. The judge answers them in the library's own tests: its time grows with
/// patterns times paths.
#[test]
fn recorded_suites_agree() {
    let Some(suites) = shared_data::folder("suites") else { return };
    let files: Vec<String> =
        fs::read_dir(suites).unwrap().map(|entry| entry.unwrap().path().to_str().unwrap().to_owned()).collect();
    let sandbox = Sandbox::new();
    for engine in ["rules", "compiled"] {
        let mut args = vec!["conform", "--engine", engine];
        args.extend(files.iter().map(String::as_str));
        let output = sandbox.run(&args);
        assert_eq!(output.status.code(), Some(0), "{engine}\n{}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn a_command_that_takes_too_long_is_ended() {
    if !cfg!(unix) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("case.jsonl", r#"{"case": "slow", "robots": "", "agents": ["a"], "url": "/", "allowed": true}"#);
    let since = std::time::Instant::now();
    let command = "sh -c 'exec sleep 60' {robots} {url}";
    let output = sandbox.run(&["conform", "case.jsonl", "--timeout", "1", "--cmd", command]);
    assert!(since.elapsed() < std::time::Duration::from_secs(30));
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8(output.stdout).unwrap().contains("error: case:1: slow: no answer in 1 s: agent a, URL /")
    );
}

/// The command asked through itself: another parser that agrees.
#[test]
fn another_parser_is_asked_through_a_command() {
    let sandbox = Sandbox::new();
    let case = |name: &str, url: &str, allowed: bool| {
        let robots = r"user-agent: a\ndisallow: /x";
        format!(r#"{{"case": "{name}", "robots": "{robots}", "agents": ["a"], "url": "{url}", "allowed": {allowed}}}"#)
    };
    let cases: Vec<String> = (0..40)
        .map(|number| case(&number.to_string(), if number % 3 == 0 { "/x{agent}" } else { "/y z" }, number % 3 != 0))
        .collect();
    sandbox.write("cases.jsonl", cases.join("\n"));
    let command = format!("'{}' check {{robots}} --agent {{agent}} --raw-url {{url}}", env!("CARGO_BIN_EXE_robotsc"));
    let output = sandbox.run(&["conform", "cases.jsonl", "--cmd", &command]);
    let table = "suite  cases  agree  differ  errors  skipped  other kind\n\
                 cases     40     40       0       0        0           0\n";
    assert_ends(&output, 0, table.as_bytes(), "");
}
