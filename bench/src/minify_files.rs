//! Formats and minifies every file of a folder: bytes and rules removed, and the verdicts on recorded URLs compared.
//!
//! Each URL is checked for three agents under all five dialects, in the formatted and in the minified file. Both are
//! written a second time, which must change nothing.

use std::time::Instant;

use robotsc::analysis::format::{Formatted, Minified, WhyUnchanged, formatted, minified};
use robotsc::{Crawler, Dialect, RobotsTxt};

use crate::arguments::Arguments;
use crate::files::{self, RobotsFile, Totals, percent};

const AGENTS: [&str; 3] = ["Googlebot", "GPTBot", "FooBot"];

/// Runs `minify-files FOLDER LIST`.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let [_, folder, list] = arguments.words.as_slice() else { return Err("minify-files FOLDER LIST".to_owned()) };
    let list = std::fs::read(list).map_err(|error| format!("{list}: {error}"))?;
    let urls = files::urls_by_file(&list);
    let files = files::read(std::slice::from_ref(folder))?;
    let totals = files::on_threads(&files, arguments, |file, totals| {
        check(file, urls.get(&file.name).map_or(&[][..], Vec::as_slice), totals);
    })?;
    let totals = Totals::sum(totals);
    for what in ["bytes", "rules"] {
        let (before, after) = (totals.of(what), totals.of(&format!("{what} minified")));
        println!("minified: {:.1} % of {what} less", percent(before.saturating_sub(after), before));
    }
    totals.print();
    Ok(())
}

fn check(file: &RobotsFile, urls: &[&[u8]], totals: &mut Totals) {
    let RobotsFile { name, body } = file;
    let start = Instant::now();
    let Formatted { body: readable, left } = formatted(body);
    totals.time("format", start.elapsed(), name);
    let start = Instant::now();
    let Minified { body: small, rules_before, rules, is_decided, left: small_left } = minified(body);
    totals.time("minify", start.elapsed(), name);

    totals.count("files", 1);
    match left.or(small_left) {
        None => {}
        Some(WhyUnchanged::TooLong | WhyUnchanged::TooLongAfter) => totals.count("left: too long", 1),
        Some(WhyUnchanged::Utf16) => totals.count("left: UTF-16", 1),
        Some(WhyUnchanged::NotProved) => {
            totals.count("left: not proved", 1);
            println!("{name}: not proved");
        }
    }
    totals.count("files that formatting changes", usize::from(readable != *body));
    totals.count("bytes", body.len());
    totals.count("bytes formatted", readable.len());
    totals.count("bytes minified", small.len());
    totals.count("rules", rules_before);
    totals.count("rules minified", rules);
    if small.len() > body.len() {
        totals.count("files that grow", 1);
        println!("{name}: the minified file is larger");
    }
    if !is_decided {
        totals.count("files not decided", 1);
        println!("{name}: not decided, {rules} of {rules_before} rules are left");
    }
    for (what, is_same) in [
        ("formatted", formatted(&readable).body == readable),
        ("minified", minified(&small).body == small),
        (
            "minified after it was formatted",
            small_left.is_some() || trimmed(&minified(&readable).body) == trimmed(&small) || !is_decided,
        ),
    ] {
        if !is_same {
            totals.count("second runs that change a file", 1);
            println!("{name}: {what}: a second run changes the file again");
        }
    }
    compare([body, &readable, &small], name, urls, totals);
}

/// Compares the verdicts of a file, of the formatted one, and of the minified one.
fn compare(bodies: [&[u8]; 3], name: &str, urls: &[&[u8]], totals: &mut Totals) {
    for dialect in Dialect::ALL {
        let files = bodies.map(|body| RobotsTxt::parse_with(body, dialect));
        for agent in AGENTS {
            let crawler = Crawler::new(agent).expect("a name");
            let [old, readable, small] = files.each_ref().map(|robots| robots.rule_set(&crawler));
            for url in urls {
                let Ok(path) = dialect.url_path(url) else { continue };
                totals.count("verdicts", 2);
                let wanted = old.verdict(path.as_path());
                for (what, set) in [("formatted", &readable), ("minified", &small)] {
                    if set.verdict(path.as_path()) != wanted {
                        totals.count("verdicts that differ", 1);
                        println!("{name}: {what}: {} {agent} {}", dialect.name, url.escape_ascii());
                    }
                }
            }
        }
    }
}

/// Returns a body without its last line end, which formatting adds.
fn trimmed(body: &[u8]) -> &[u8] {
    body.strip_suffix(b"\n").unwrap_or(body)
}
