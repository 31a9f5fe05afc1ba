//! Formats and minifies every file of a corpus: bytes and rules removed, and the verdicts on recorded URLs compared.
//!
//! ```console
//! $ cargo run --release -p robotsc-analysis --example minify_corpus -- corpus/robots corpus/verdicts.tsv
//! ```
//! The list has a file name (without `.txt`) and a URL in its first two columns. Each URL is checked for three agents
//! under all five dialects, in the formatted and in the minified file. Both are written a second time, which must
//! change nothing. `--threads N` sets the number of threads, two by default.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use robotsc_analysis::format::{Formatted, Minified, WhyUnchanged, formatted, minified};
use robotsc_compiler::{Crawler, Dialect, RobotsTxt};

const AGENTS: [&str; 3] = ["Googlebot", "GPTBot", "FooBot"];

/// How often progress is printed, in files.
const PROGRESS: usize = 1000;

/// What became of some files.
#[derive(Debug, Default)]
struct Tally {
    files: usize,
    left_too_long: usize,
    left_utf16: usize,
    left_not_proved: usize,
    formatted_changed: usize,
    formatted_bytes: usize,
    bytes: usize,
    minified_bytes: usize,
    rules: usize,
    minified_rules: usize,
    not_decided: usize,
    not_idempotent: usize,
    verdicts: usize,
    different: usize,
    grown: usize,
    format_times: Vec<(Duration, String)>,
    minify_times: Vec<(Duration, String)>,
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (mut paths, mut threads) = (Vec::new(), 2);
    while let Some(argument) = arguments.next() {
        if argument == "--threads" {
            threads = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(threads);
        } else {
            paths.push(argument);
        }
    }
    let [folder, list] = paths.as_slice() else {
        eprintln!("minify_corpus FOLDER LIST");
        return Ok(());
    };
    let list = std::fs::read(list)?;
    let mut urls: HashMap<String, Vec<&[u8]>> = HashMap::new();
    for line in list.split(|byte| *byte == b'\n').skip(1) {
        let mut fields = line.split(|byte| *byte == b'\t');
        if let (Some(file), Some(url)) = (fields.next(), fields.next()) {
            urls.entry(format!("{}.txt", String::from_utf8_lossy(file))).or_default().push(url);
        }
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        files.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), std::fs::read(&path)?));
    }
    files.sort();
    let next = AtomicUsize::new(0);
    let total = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut tally = Tally::default();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some((name, body)) = files.get(number) else { break };
                    if number % PROGRESS == PROGRESS - 1 {
                        eprintln!("{} of {} files", number + 1, files.len());
                    }
                    check(name, body, urls.get(name).map_or(&[][..], Vec::as_slice), &mut tally);
                }
                if let Ok(mut total) = total.lock() {
                    total.add(tally);
                }
            });
        }
    });
    let total = total.into_inner().unwrap_or_default();
    total.print();
    Ok(())
}

fn check(name: &str, body: &[u8], urls: &[&[u8]], tally: &mut Tally) {
    let start = Instant::now();
    let Formatted { body: readable, left } = formatted(body);
    tally.format_times.push((start.elapsed(), name.to_owned()));
    let start = Instant::now();
    let Minified { body: small, rules_before, rules, is_decided, left: small_left } = minified(body);
    tally.minify_times.push((start.elapsed(), name.to_owned()));

    tally.files += 1;
    match left.or(small_left) {
        None => {}
        Some(WhyUnchanged::TooLong | WhyUnchanged::TooLongAfter) => tally.left_too_long += 1,
        Some(WhyUnchanged::Utf16) => tally.left_utf16 += 1,
        Some(WhyUnchanged::NotProved) => {
            tally.left_not_proved += 1;
            println!("{name}: not proved");
        }
    }
    tally.formatted_changed += usize::from(readable != body);
    tally.formatted_bytes += readable.len();
    tally.bytes += body.len();
    tally.minified_bytes += small.len();
    tally.rules += rules_before;
    tally.minified_rules += rules;
    if small.len() > body.len() {
        tally.grown += 1;
        println!("{name}: the minified file is larger");
    }
    if !is_decided {
        tally.not_decided += 1;
        println!("{name}: not decided, {} of {} rules are left", rules, rules_before);
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
            tally.not_idempotent += 1;
            println!("{name}: {what}: a second run changes the file again");
        }
    }
    for dialect in Dialect::ALL {
        let files = [body, &readable, &small].map(|body| RobotsTxt::parse_with(body, dialect));
        for agent in AGENTS {
            let Ok(crawler) = Crawler::new(agent) else { continue };
            let [old, readable, small] = files.each_ref().map(|robots| robots.rule_set(&crawler));
            for url in urls {
                let Ok(path) = dialect.url_path(url) else { continue };
                tally.verdicts += 2;
                let wanted = old.verdict(path.as_path());
                for (what, set) in [("formatted", &readable), ("minified", &small)] {
                    if set.verdict(path.as_path()) != wanted {
                        tally.different += 1;
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

impl Tally {
    fn add(&mut self, other: Self) {
        self.files += other.files;
        self.left_too_long += other.left_too_long;
        self.left_utf16 += other.left_utf16;
        self.left_not_proved += other.left_not_proved;
        self.formatted_changed += other.formatted_changed;
        self.formatted_bytes += other.formatted_bytes;
        self.bytes += other.bytes;
        self.minified_bytes += other.minified_bytes;
        self.rules += other.rules;
        self.minified_rules += other.minified_rules;
        self.not_decided += other.not_decided;
        self.not_idempotent += other.not_idempotent;
        self.verdicts += other.verdicts;
        self.different += other.different;
        self.grown += other.grown;
        self.format_times.extend(other.format_times);
        self.minify_times.extend(other.minify_times);
    }

    fn print(mut self) {
        let share = |part: usize, all: usize| part as f64 * 100.0 / all.max(1) as f64;
        println!(
            "{} files; left: {} too long, {} in UTF-16, {} not proved",
            self.files, self.left_too_long, self.left_utf16, self.left_not_proved
        );
        println!(
            "formatted: {} files changed, {} bytes -> {}",
            self.formatted_changed, self.bytes, self.formatted_bytes
        );
        println!(
            "minified: {} bytes -> {} ({:.1} % less), {} rules -> {} ({:.1} % less), {} files not decided, {} larger",
            self.bytes,
            self.minified_bytes,
            share(self.bytes.saturating_sub(self.minified_bytes), self.bytes),
            self.rules,
            self.minified_rules,
            share(self.rules.saturating_sub(self.minified_rules), self.rules),
            self.not_decided,
            self.grown
        );
        println!(
            "{} verdicts compared, {} different; {} second runs changed",
            self.verdicts, self.different, self.not_idempotent
        );
        for (what, times) in [("format", &mut self.format_times), ("minify", &mut self.minify_times)] {
            times.sort();
            let at =
                |share: f64| times.get((times.len() as f64 * share) as usize).map_or(Duration::ZERO, |time| time.0);
            println!("{what}: p50 {:.2?}, p99 {:.2?}", at(0.5), at(0.99));
            for (time, name) in times.iter().rev().take(5) {
                println!("{time:10.2?} {name}");
            }
        }
    }
}
