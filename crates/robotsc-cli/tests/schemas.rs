//! What commands write as JSON is as `docs/schema` says, and `robotsc schema` prints that.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const ROBOTS: &str = "User-agent: *\nDisallow: /cart\nDisallow: /*?sort=\nAllow: /cart/help\nDisallow: /cart/old\n\n\
    User-agent: Googlebot\nDisallow: /g/\nContent-Usage: train-ai=n\nDissallow: /x\n";
const TEST: &str = "[test]\n[[test.expect]]\nagents = \"Googlebot\"\nurls = [\"/g/1\", \"/\"]\nverdict = \"allowed\"\n\
    [[test.property]]\nagents = \"*\"\nnever-blocked = \"/cart/help\"\n";

/// The commands whose JSON has a schema: what is run, and the schemas of what it writes.
const RUNS: [(&str, &[&str]); 32] = [
    ("check robots.txt --agent googlebot-image --agent FooBot --json /cart /g/1 /ok http://[", &["verdict", "error"]),
    ("check robots.txt --agent FooBot --preferences --json /ok /cart", &["verdict"]),
    ("check site.robotsc --agent FooBot --json /cart /ok", &["verdict"]),
    (
        "check --rules bundled:crawl-hygiene --agent FooBot --json https://h.example/cart https://h.example/",
        &["verdict"],
    ),
    ("check robots.txt --agent FooBot --urls latin.txt --json", &["verdict", "error"]),
    (
        "matrix robots.txt --agent AdsBot-Google,FooBot --emit json /cart /ok http://[",
        &["verdict", "error", "agent-totals"],
    ),
    ("explain robots.txt --agent FooBot --agent Googlebot-Image --json https://h.example/cart/help", &["explanation"]),
    ("explain robots.txt --agent AdsBot-Google --json https://h.example/x", &["explanation"]),
    ("explain robots.txt --agent FooBot --json https://h.example/CART/help", &["explanation"]),
    ("explain --rules bundled:crawl-hygiene --json /cart", &["set-explanation"]),
    ("explain --rules bundled:corporate-shop --agent FooBot --json https://h.example/", &["set-explanation"]),
    ("lint robots.txt --all --emit json", &["finding"]),
    ("test --config robotsc.toml --emit json", &["test"]),
    ("diff robots.txt other.txt --json", &["diff"]),
    ("diff robots.txt other.txt --agent FooBot --urls urls.txt --json", &["diff"]),
    ("diff older newer --json", &["diff"]),
    ("diff some.pack other.pack --urls urls.txt --json", &["diff"]),
    ("agents --json", &["agent"]),
    ("pack build captures.tsv --agent FooBot --now 2026-11-21 -o new.pack --json", &["pack-summary"]),
    ("pack get some.pack https://shop.example --now 2026-11-21 --json", &["pack-origin"]),
    ("pack get some.pack https://down.example --now 2026-11-21 --json", &["pack-origin"]),
    ("filter --pack some.pack --agent FooBot --now 2026-11-21 --json --emit verdicts urls.txt", &["filter-summary"]),
    ("filter --pack some.pack --agent FooBot --now 2026-11-21 --emit json urls.txt", &["verdict", "error"]),
    (
        "filter --pack some.pack --agent FooBot,Googlebot-Image --now 2027-11-21 --emit json urls.txt",
        &["verdict", "error"],
    ),
    (
        "filter --pack some.pack --agent FooBot,Googlebot-Image --now 2026-11-21 --json --emit verdicts urls.txt",
        &["filter-summary"],
    ),
    (
        "filter --pack some.pack --agent FooBot,Googlebot-Image --require all --now 2026-11-21 --emit json urls.txt",
        &["verdict", "error"],
    ),
    (
        "filter --pack some.pack --agent FooBot --rules bundled:crawl-hygiene --now 2026-11-21 --emit json session.txt",
        &["verdict"],
    ),
    (
        "filter --pack some.pack --agent FooBot --rules bundled:crawl-hygiene --now 2026-11-21 --json --emit verdicts \
         session.txt",
        &["filter-summary"],
    ),
    ("filter --pack some.pack --agent-column who --now 2026-11-21 --emit json agents.csv", &["verdict", "error"]),
    ("fmt robots.txt --check --json", &[]),
    ("fetch http://127.0.0.1:1 --user-agent x(+https://foo.example) --allow-net 127.0.0.0/8 --json", &["fetch"]),
    (
        "fetch http://127.0.0.1:1 --as GPTBot --domain-interval 0 --user-agent x(+https://foo.example) \
         --allow-net 127.0.0.0/8 --json",
        &["fetch-as"],
    ),
];

fn run(folder: &Path, args: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
    command.args(args.split(' ')).current_dir(folder).stdin(Stdio::null()).output().expect("the command starts")
}

#[test]
fn what_is_written_has_its_schema() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let write = |name: &str, text: &[u8]| fs::write(folder.join(name), text).expect("a file");
    write("robots.txt", ROBOTS.as_bytes());
    write("other.txt", b"User-agent: *\nDisallow: /cart\nCrawl-delay: 5\n\nUser-agent: GPTBot\nDisallow: /\n");
    write("robotsc.toml", TEST.as_bytes());
    write("urls.txt", b"https://shop.example/cart\nhttps://shop.example/\nhttps://down.example/\nno URL\n");
    write("session.txt", b"https://shop.example/?PHPSESSID=7b0f\n");
    write("agents.csv", b"who,url\nFooBot,https://shop.example/cart\nBarBot,https://shop.example/\n");
    write("latin.txt", b"https://shop.example/stra\xdfe\nhttps://shop.example/\n");
    for (name, body) in [
        ("older/a.example.txt", &b"User-agent: *\nDisallow: /a?\xe4\n"[..]),
        ("older/b.example.txt", b""),
        ("newer/a.example.txt", ROBOTS.as_bytes()),
        ("newer/c.example.txt", b""),
        ("older/d.example.txt", b"<!doctype html>"),
        ("newer/d.example.txt", b""),
    ] {
        fs::create_dir_all(folder.join(&name[..5])).expect("a folder");
        write(name, body);
    }
    let captures = "origin\tstatus\ttime\tfile\nhttps://shop.example\t200\t2026-11-20\trobots.txt\n\
        https://down.example\ttimeout\t2026-11-20\t-\n";
    write("captures.tsv", captures.as_bytes());
    let other = "origin\tstatus\ttime\tfile\nhttps://shop.example\t200\t2026-11-20\tother.txt\n\
        https://down.example\t404\t2026-11-20\t-\nhttps://new.example\t404\t2026-11-20\t-\n";
    write("other.tsv", other.as_bytes());
    for made in [
        "compile robots.txt -o site.robotsc --deciding-rules",
        "pack build captures.tsv --agent FooBot --agent Googlebot-Image --now 2026-11-21 -o some.pack",
        "pack build other.tsv --agent FooBot --agent Googlebot-Image --now 2026-11-21 -o other.pack",
    ] {
        let output = run(folder, made);
        assert!(output.status.success(), "{made}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let validators: BTreeMap<&str, jsonschema::Validator> = robotsc_answers::schema::ALL
        .into_iter()
        .map(|(name, text)| {
            let schema: Value = serde_json::from_str(text).expect("JSON");
            let printed = run(folder, &format!("schema {name}")).stdout;
            assert_eq!(String::from_utf8_lossy(&printed), text);
            (name, jsonschema::draft202012::new(&schema).expect("a schema"))
        })
        .collect();
    let mut seen = BTreeSet::new();
    for (args, schemas) in RUNS {
        let output = run(folder, args);
        let written = if args.contains("--emit verdicts") { &output.stderr } else { &output.stdout };
        let text = String::from_utf8_lossy(written);
        let lines = text.lines().filter(|line| line.starts_with('{') && !schemas.is_empty());
        let mut count = 0;
        for line in lines {
            let object: Value = serde_json::from_str(line).expect("a line of JSON");
            let valid: Vec<&str> = schemas.iter().copied().filter(|name| validators[name].is_valid(&object)).collect();
            let errors = schemas.iter().flat_map(|name| validators[name].iter_errors(&object));
            let errors = || errors.map(|error| error.to_string()).collect::<Vec<_>>().join("\n");
            assert_eq!(valid.len(), 1, "{args}: {line}\n{}", errors());
            seen.extend(valid);
            count += 1;
        }
        assert!(count > 0 || schemas.is_empty(), "{args}: {text}{}", String::from_utf8_lossy(&output.stderr));
    }
    let all: BTreeSet<&str> = validators.keys().copied().collect();
    assert_eq!(seen, all, "each schema is compared with something");
}

#[test]
fn the_page_lists_every_schema() {
    let page = include_str!("../../../docs/command.md");
    for (name, _) in robotsc_answers::schema::ALL {
        assert!(page.contains(&format!("(schema/{name}.json)")), "{name}");
    }
}
