//! Fixes every file of a corpus, and compares the verdicts on recorded URLs before and after.
//!
//! ```console
//! $ cargo run --release -p robotsc-analysis --example fix_corpus -- corpus/robots corpus/verdicts.tsv
//! ```
//! The list has a file name (without `.txt`) and a URL in its first two columns. Each URL is checked for three agents
//! under `google` and `rfc9309`. `--threads N` sets the number of threads, two by default.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use robotsc_analysis::lint::{Lint, LintCheck, fixed};
use robotsc_compiler::{Crawler, Dialect, RobotsTxt};

const AGENTS: [&str; 3] = ["Googlebot", "GPTBot", "FooBot"];

/// How often progress is printed, in files.
const PROGRESS: usize = 1000;

/// What the fixes of some files did.
#[derive(Debug, Default)]
struct Tally {
    files: usize,
    changed: usize,
    applied: usize,
    refused: usize,
    bytes: usize,
    bytes_after: usize,
    rules: usize,
    rules_after: usize,
    verdicts: usize,
    different: usize,
    not_idempotent: usize,
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
        eprintln!("fix_corpus FOLDER LIST");
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
    // The notes with fixes, too; the others have none, and take time.
    let notes = ["rule-redundant", "trailing-star", "double-star"].into_iter().filter_map(LintCheck::by_code);
    let lint = notes.fold(Lint::new(), Lint::select);
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
                    check(name, body, urls.get(name).map_or(&[][..], Vec::as_slice), &lint, &mut tally);
                }
                if let Ok(mut total) = total.lock() {
                    total.add(&tally);
                }
            });
        }
    });
    println!("{:#?}", total.into_inner().unwrap_or_default());
    Ok(())
}

fn check(name: &str, body: &[u8], urls: &[&[u8]], lint: &Lint, tally: &mut Tally) {
    let after = fixed(body, &Dialect::GOOGLE, lint, false);
    tally.files += 1;
    tally.changed += usize::from(after.body != body);
    tally.applied += after.applied;
    tally.refused += after.refused;
    tally.bytes += body.len();
    tally.bytes_after += after.body.len();
    if after.body == body {
        return;
    }
    tally.rules += RobotsTxt::parse(body).rules().len();
    tally.rules_after += RobotsTxt::parse(&after.body).rules().len();
    let again = fixed(&after.body, &Dialect::GOOGLE, lint, false);
    if again.body != after.body {
        tally.not_idempotent += 1;
        println!("{name}: a second run changes the file again");
    }
    for dialect in [&Dialect::GOOGLE, &Dialect::RFC9309] {
        let (old, new) = (RobotsTxt::parse_with(body, dialect), RobotsTxt::parse_with(&after.body, dialect));
        for agent in AGENTS {
            let Ok(crawler) = Crawler::new(agent) else { continue };
            let (old, new) = (old.rule_set(&crawler), new.rule_set(&crawler));
            for url in urls {
                let Ok(path) = dialect.url_path(url) else { continue };
                tally.verdicts += 1;
                if old.verdict(path.as_path()) != new.verdict(path.as_path()) {
                    tally.different += 1;
                    println!("{name}: {} {agent} {}", dialect.name, url.escape_ascii());
                }
            }
        }
    }
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.changed += other.changed;
        self.applied += other.applied;
        self.refused += other.refused;
        self.bytes += other.bytes;
        self.bytes_after += other.bytes_after;
        self.rules += other.rules;
        self.rules_after += other.rules_after;
        self.verdicts += other.verdicts;
        self.different += other.different;
        self.not_idempotent += other.not_idempotent;
    }
}
