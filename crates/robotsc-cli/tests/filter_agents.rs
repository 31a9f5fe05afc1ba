//! `filter` for several agents: columns, one verdict, an agent in each line. Each verdict is that of a run for one.

#[path = "../../../tests/shared_data/mod.rs"]
mod shared_data;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use robotsc::outcome::{Capture, Response, Time};
use robotsc::pack::{PackAgents, PackBuilder, PackOptions};
use robotsc::{Dialect, RobotsTxt};

const FETCHED: u32 = 1_790_000_000;
const NOW: &str = "1790000060";

const SHOP: &str = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: Googlebot\nCrawl-delay: 1.5\nDisallow: /img\n\n\
                    User-agent: *\nDisallow: /private\n";
const NEWS: &str = "User-agent: AdsBot-Google\nUser-agent: *\nDisallow: /x\n";
const PLAIN: &str = "User-agent: *\nDisallow: /\n";

struct Sandbox(tempfile::TempDir);

/// What a run printed, and its exit code.
struct Ran {
    out: String,
    err: String,
    code: Option<i32>,
}

impl Sandbox {
    /// A folder with a pack for all agents.
    fn new() -> Self {
        let sites = [("https://shop.example", SHOP), ("https://news.example", NEWS), ("https://plain.example", PLAIN)];
        let sites = sites.map(|(origin, body)| (origin.to_owned(), body.as_bytes().to_vec()));
        Self::of(&sites, PackAgents::All)
    }

    fn of(sites: &[(String, Vec<u8>)], agents: PackAgents) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = PackOptions { agents, deciding_rules: true, ..PackOptions::new(&Dialect::GOOGLE) };
        let mut builder = PackBuilder::new(options, folder.path().join("test.pack")).unwrap();
        for (origin, body) in sites {
            let capture = Capture::after(None, &Response::new(200, body), Time(FETCHED), &Dialect::GOOGLE);
            builder.push(&origin.parse().unwrap(), &capture).unwrap();
        }
        builder.finish().unwrap();
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn run(&self, args: &[&str], stdin: impl AsRef<[u8]>) -> Ran {
        let mut child = Command::new(env!("CARGO_BIN_EXE_robotsc"))
            .args(["filter", "--pack", "test.pack", "--now", NOW])
            .args(args)
            .current_dir(self.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut pipe, stdin) = (child.stdin.take().unwrap(), stdin.as_ref().to_owned());
        let feeder = std::thread::spawn(move || drop(pipe.write_all(&stdin)));
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { out: text(output.stdout), err: text(output.stderr), code: output.status.code() }
    }

    #[track_caller]
    fn quiet(&self, args: &[&str], stdin: impl AsRef<[u8]>) -> String {
        let ran = self.run(&[&["--quiet"], args].concat(), stdin);
        assert_eq!((ran.err.as_str(), ran.code), ("", Some(0)));
        ran.out
    }
}

const URLS: &str =
    "https://shop.example/private\nhttps://shop.example/img\nhttps://new.example/\nhttps://shop.example/a\n";

#[test]
fn a_table_gets_a_column_for_each_agent() {
    let sandbox = Sandbox::new();
    let args = ["--agent", "GPTBot,Googlebot", "--agent", "CCBot", "--emit", "columns"];
    assert_eq!(
        sandbox.quiet(&args, URLS),
        "https://shop.example/private\tdisallowed\tallowed\tdisallowed\n\
         https://shop.example/img\tdisallowed\tdisallowed\tallowed\n\
         https://new.example/\tunknown\tunknown\tunknown\n\
         https://shop.example/a\tdisallowed\tallowed\tallowed\n"
    );
    let csv = "id,url\r\n7,https://shop.example/img\r\n\"8,\n9\",\"https://new.example/\"";
    assert_eq!(
        sandbox.quiet(&[&args[..], &["--with", "line,delay,reason"]].concat(), csv),
        "id,url,GPTBot,GPTBot line,GPTBot delay,Googlebot,Googlebot line,Googlebot delay,CCBot,CCBot line,CCBot delay,\
         reason\r\n\
         7,https://shop.example/img,disallowed,2,,disallowed,6,1.5,allowed,,,\r\n\
         \"8,\n9\",\"https://new.example/\",unknown,,,unknown,,,unknown,,,not-held\n"
    );
    let one = sandbox.quiet(
        &["--agent", "Googlebot", "--emit", "columns", "--with", "delay", "--format", "tsv"],
        "url\tx\nhttps://shop.example/\t1\n",
    );
    assert_eq!(one, "url\tx\tverdict\tdelay\nhttps://shop.example/\t1\tallowed\t1.5\n");
}

#[test]
fn no_table_has_two_columns_of_one_name() {
    let sandbox = Sandbox::new();
    let cases: [(&str, &[&str], &str, &str); 5] = [
        ("GPTBot", &[], "url,verdict\nhttps://shop.example/,x\n", "verdict"),
        ("GPTBot", &["--with", "delay"], "url,\"delay\"\nhttps://shop.example/,x\n", "delay"),
        ("GPTBot,CCBot", &[], "url\tCCBot\nhttps://shop.example/\tx\n", "CCBot"),
        ("GPTBot,CCBot", &["--with", "line"], "GPTBot line;url\n1;https://shop.example/\n", "GPTBot line"),
        ("GPTBot,CCBot", &["--with", "reason"], "url,reason\nhttps://shop.example/,x\n", "reason"),
    ];
    for (agents, with, table, name) in cases {
        let args = [&["--emit", "columns", "--quiet", "--agent", agents], with].concat();
        let ran = sandbox.run(&args, table);
        let said =
            format!("robotsc: a second column '{name}': the first line of - has one: rename it, or remove it first\n");
        assert_eq!((ran.out.as_str(), ran.err, ran.code), ("", said, Some(2)), "{table}");
    }
    // Of other names, or where nothing is added, nothing is wrong.
    let with_line = ["--emit", "columns", "--agent", "GPTBot,CCBot", "--with", "line"];
    sandbox.quiet(&with_line, "url,verdict,line\nhttps://shop.example/,x,y\n");
    sandbox.quiet(&["--emit", "verdicts", "--agent", "GPTBot"], "url,verdict\nhttps://shop.example/,x\n");
}

#[test]
fn no_line_fills_the_columns_of_verdicts_itself() {
    let sandbox = Sandbox::new();
    for (format, separator) in [("csv", ","), ("tsv", "\t")] {
        let table = "url,title\nhttps://shop.example/,x,allowed\nhttps://shop.example/\nhttps://news.example/a,y\n";
        let args = ["--emit", "columns", "--agent", "GPTBot", "--format", format];
        let ran = sandbox.run(&args, table.replace(',', separator));
        let expected = "url,title,verdict\nhttps://news.example/a,y,allowed\n".replace(',', separator);
        assert_eq!((ran.out, ran.code), (expected, Some(2)), "{format}: {}", ran.err);
        assert!(ran.err.contains("this record has 3 fields, the first has 2"), "{}", ran.err);
    }
    // A quote that does not end takes the rest of the file with it, and no verdict.
    let ran = sandbox.run(&["--emit", "columns", "--agent", "GPTBot"], "url,title\nhttps://shop.example/,\"x\n");
    assert_eq!(ran.out, "url,title,verdict\n");
}

#[test]
fn json_gets_an_object_for_the_verdicts() {
    let sandbox = Sandbox::new();
    let args = ["--agent", "GPTBot,CCBot", "--emit", "columns", "--column", "/meta/url", "--with", "line"];
    let line = r#"{"text": "…", "meta": {"url": "https://shop.example/a"}}"#;
    assert_eq!(
        sandbox.quiet(&args, format!("{line}\n")),
        format!(
            "{},\"robotsc\":{{\"verdicts\":{{\"GPTBot\":\"disallowed\",\"CCBot\":\"allowed\"}},\
             \"lines\":{{\"GPTBot\":2,\"CCBot\":null}}}}}}\n",
            line.strip_suffix('}').unwrap()
        )
    );
    // A key of that name would be there twice.
    let taken = sandbox.run(
        &["--agent", "CCBot", "--emit", "columns"],
        "{\"url\": \"https://shop.example/a\", \"\\u0072obotsc\": 1}\n",
    );
    assert_eq!((taken.out.as_str(), taken.code), ("", Some(2)));
    assert!(taken.err.contains("it has a key 'robotsc' already"), "{}", taken.err);
    let required = sandbox.quiet(
        &["--agent", "GPTBot,CCBot", "--require", "all", "--emit", "columns"],
        "{\"url\": \"https://shop.example/a\"}\n",
    );
    assert_eq!(required, "{\"url\": \"https://shop.example/a\",\"robotsc\":{\"verdict\":\"disallowed\"}}\n");
}

#[test]
fn one_verdict_of_several_agents_decides_the_line() {
    let sandbox = Sandbox::new();
    let agents = ["--agent", "Googlebot,CCBot"];
    let run = |require: &str| sandbox.quiet(&[&agents[..], &["--require", require]].concat(), URLS);
    assert_eq!(run("all"), "https://shop.example/a\n");
    assert_eq!(run("any"), "https://shop.example/private\nhttps://shop.example/img\nhttps://shop.example/a\n");
    let unsaid = sandbox.run(&agents, URLS);
    assert_eq!((unsaid.out.as_str(), unsaid.code), ("", Some(2)));
    let alone = sandbox.run(&["--agent", "GPTBot", "--require", "any"], URLS);
    assert!(alone.err.starts_with("robotsc: --require with one agent: the command line: "), "{}", alone.err);
    assert_eq!((alone.out.as_str(), alone.code), ("", Some(2)));
    assert!(
        unsaid.err.starts_with("robotsc: 2 agents: the command line: say whether --require all or any"),
        "{}",
        unsaid.err
    );
    let verdicts = sandbox.quiet(&[&agents[..], &["--emit", "verdicts"]].concat(), "https://shop.example/img\n");
    assert_eq!(verdicts, "disallowed\tallowed\thttps://shop.example/img\n");
    let summary = sandbox.run(&[&agents[..], &["--emit", "verdicts", "--json"]].concat(), URLS).err;
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["agents"][0]["agent"], "Googlebot");
    assert_eq!((&summary["agents"][0]["allowed"], &summary["agents"][1]["disallowed"]), (&2.into(), &1.into()));
}

#[test]
fn agents_are_named_by_purpose_and_company_and_obey_what_the_register_says() {
    let sandbox = Sandbox::new();
    let by = |agent: &str| {
        sandbox.quiet(&["--agent", agent, "--emit", "jsonl"], "https://shop.example/img\n").lines().count()
    };
    assert!(by("purpose:ai-training") > 5);
    assert!(by("operator:openai") > 1);
    let unknown = sandbox.run(&["--agent", "operator:Nobody"], "");
    assert!(unknown.err.contains("no known crawler is of that company"), "{}", unknown.err);
    // Googlebot-Image falls back to Googlebot; AdsBot-Google obeys groups with its name alone.
    let args = ["--agent", "Googlebot-Image,AdsBot-Google", "--emit", "verdicts"];
    let urls = "https://shop.example/img\nhttps://news.example/x\nhttps://plain.example/\n";
    assert_eq!(
        sandbox.quiet(&args, urls),
        "disallowed\tallowed\thttps://shop.example/img\ndisallowed\tdisallowed\thttps://news.example/x\n\
         disallowed\tallowed\thttps://plain.example/\n"
    );
}

#[test]
fn a_line_names_its_agent() {
    let sandbox = Sandbox::new();
    let csv = "bot,url\nGPTBot,https://shop.example/a\nCCBot,https://shop.example/a\n\"Googlebot-Image\",\
               https://shop.example/img\n*,https://shop.example/a\n";
    assert_eq!(
        sandbox.quiet(&["--agent-column", "bot"], csv),
        "bot,url\nCCBot,https://shop.example/a\n*,https://shop.example/a\n"
    );
    let json = "{\"url\": \"https://shop.example/a\", \"who\": {\"bot\": \"GPTBot\"}}\n";
    let args = ["--agent-column", "/who/bot", "--emit", "columns", "--with", "line,reason"];
    let added = ",\"robotsc\":{\"verdict\":\"disallowed\",\"line\":2,\"reason\":null}}\n";
    assert_eq!(sandbox.quiet(&args, json), json.replace("}}\n", "}") + added);
    for (text, message) in [
        ("bot,url\nFoo/2.0,https://shop.example/a\n", "bad agent"),
        ("bot,url\n,https://shop.example/a\n", "bad agent"),
        ("bot,url\npurpose:search,https://shop.example/a\n", "name one agent in a line"),
        ("who,url\nGPTBot,https://shop.example/a\n", "no such column: --agent-column"),
        ("https://shop.example/a\n", "no tab, comma or semicolon"),
    ] {
        let ran = sandbox.run(&["--agent-column", "bot"], text);
        assert!(ran.code == Some(2) && ran.err.contains(message), "{text}: {}", ran.err);
    }
}

/// The recorded URLs of real files, for a dozen agents at once and one by one.
#[test]
fn verdicts_for_several_agents_are_those_for_one() {
    let Some(corpus) = shared_data::folder("corpus") else { return };
    let list = fs::read_to_string(corpus.join("frontier.tsv")).expect("the list of the corpus");
    let step = if shared_data::full() { 1 } else { 20 };
    let rows: Vec<Vec<&str>> = list.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let mut files: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    files.dedup();
    let files: Vec<&str> = files.into_iter().step_by(step).collect();
    let rows: Vec<(&str, String)> = rows
        .iter()
        .filter(|row| files.contains(&row[0]))
        .filter_map(|row| Some((row[0], RowUrl::of(row[1])?.0)))
        .collect();
    let mut sites: Vec<(String, Vec<u8>)> = rows
        .iter()
        .map(|(file, url)| {
            let origin = robotsc::origin::Origin::of_url(url.as_bytes()).unwrap().as_str().to_owned();
            (origin, fs::read(corpus.join("robots").join(format!("{file}.txt"))).unwrap())
        })
        .collect();
    sites.sort();
    sites.dedup_by(|a, b| a.0 == b.0);
    let sandbox = Sandbox::of(&sites, PackAgents::All);
    let urls: String = rows.iter().map(|(_, url)| format!("{url}\n")).collect();
    let agents = ["Googlebot", "GPTBot", "CCBot", "AdsBot-Google", "Googlebot-Image", "FooBot", "*", "Bytespider"];
    let together = sandbox.quiet(&["--agent", &agents.join(","), "--emit", "verdicts"], &urls);
    let mut compared = 0;
    for (number, agent) in agents.iter().enumerate() {
        let alone = sandbox.quiet(&["--agent", agent, "--emit", "verdicts"], &urls);
        for (together, alone) in together.lines().zip(alone.lines()) {
            assert_eq!(together.split('\t').nth(number), alone.split('\t').next(), "{agent}: {alone}");
            compared += 1;
        }
        // And those of the file itself.
        let crawler = match *agent {
            "*" => robotsc::Crawler::others(),
            name => robotsc::bundled::crawler(name).unwrap().into(),
        };
        for ((url, alone), body) in rows.iter().map(|(_, url)| url).zip(alone.lines()).step_by(97).map(|row| {
            let origin = robotsc::origin::Origin::of_url(row.0.as_bytes()).unwrap();
            (row, &sites[sites.binary_search_by(|site| (*site.0).cmp(origin.as_str())).unwrap()].1)
        }) {
            let allowed = RobotsTxt::parse(body).is_allowed(&crawler, url.as_str()).unwrap();
            let is_robots = robotsc::origin::split(&Dialect::GOOGLE, url.as_bytes()).unwrap().is_robots_txt();
            assert_eq!(alone.starts_with("allowed"), allowed || is_robots, "{agent} {url}");
        }
    }
    assert!(compared > 8 * 1_000, "{compared}");
}

/// A URL that can stand in a line.
struct RowUrl(String);

impl RowUrl {
    fn of(url: &str) -> Option<Self> {
        robotsc::origin::Origin::of_url(url.as_bytes()).ok()?;
        (!url.contains(char::is_whitespace)).then(|| Self(url.to_owned()))
    }
}
