//! The files of the corpus that are hardest to compile.

use std::collections::BTreeSet;
use std::hint::black_box;

use robotsc::program::Effort;
use robotsc::{Compiler, PathFormError, RuleSet, UrlPath, Verdict};

use crate::arguments::Arguments;
use crate::corpus::{Corpus, Host, Source};
use crate::ours::{raw, rule_set};
use crate::table::{Table, number};
use crate::timing::{TimeBudget, shortest};

/// Files that are known to be hard, shown where the corpus has them.
const KNOWN: [&str; 9] = [
    "etsy.com",
    "next.co.uk",
    "apple.com",
    "expedia.com",
    "dell.com",
    "hamburg.de",
    "sophos.com",
    "github.com",
    "docs.oracle.com",
];

/// How many are chosen by work and by size, each.
const CHOSEN: usize = 5;

/// Runs `hardest`.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let source = Source::read(arguments)?;
    let corpus = Corpus::load(&source)?;
    let sets: Vec<RuleSet> = corpus.hosts.iter().map(|host| rule_set(host.body, &source.agent)).collect();
    let mut work = Vec::new();
    let mut size = Vec::new();
    for (number, set) in sets.iter().enumerate() {
        let compiled =
            Compiler::new().compile(set).map_err(|error| format!("{}: {error}", corpus.hosts[number].name))?;
        work.push((compiled.stats().work, number));
        size.push((compiled.as_bytes().len(), number));
    }
    work.sort_unstable_by(|one, other| other.cmp(one));
    size.sort_unstable_by(|one, other| other.cmp(one));

    let mut chosen: BTreeSet<usize> = work.iter().take(CHOSEN).map(|(_, number)| *number).collect();
    let largest = size.iter().map(|(_, number)| *number).filter(|number| !chosen.contains(number));
    let largest: Vec<usize> = largest.take(CHOSEN).collect();
    chosen.extend(largest);
    for (number, host) in corpus.hosts.iter().enumerate() {
        let known = KNOWN.iter().any(|known| host.name == *known || host.name.strip_prefix("www.") == Some(known));
        if known {
            chosen.insert(number);
        }
    }

    let mut table = Table::new([
        "host",
        "rules",
        "stars",
        "pattern KB",
        "RuleSet us",
        "Fast ms",
        "Small ms",
        "parts",
        "nodes",
        "work",
        "Fast KB",
        "Small KB",
        "Small / pattern",
        "RuleSet ns/URL",
        "Fast ns/URL",
        "Small ns/URL",
    ]);
    for &number in work.iter().map(|(_, number)| number).filter(|number| chosen.contains(number)) {
        table.row(measure(&corpus.hosts[number], &sets[number], &source.agent)?);
    }
    table.print();
    Ok(())
}

fn measure(host: &Host, set: &RuleSet, agent: &str) -> Result<Vec<String>, String> {
    let patterns = || set.rules().iter().map(|rule| set.pattern(rule));
    let stars: usize = patterns().map(|pattern| pattern.iter().filter(|&&byte| byte == b'*').count()).sum();
    let bytes: usize = patterns().map(<[u8]>::len).sum();
    let fast = Compiler::new();
    let small = Compiler::new().effort(Effort::Small);
    let failed = |error: robotsc::CompileError| format!("{}: {error}", host.name);
    let (quick, tight) = (fast.compile(set).map_err(failed)?, small.compile(set).map_err(failed)?);
    let time = |work: &mut dyn FnMut()| shortest(TimeBudget::PREPARE, work);
    let build = time(&mut || drop(black_box(rule_set(black_box(host.body), agent))));
    let fast_time = time(&mut || drop(black_box(fast.compile(black_box(set)))));
    let small_time = time(&mut || drop(black_box(small.compile(black_box(set)))));
    let urls = host.paths.len() as f64;
    let ask = |verdict: &dyn Fn(UrlPath<'_>) -> Result<Verdict, PathFormError>| {
        let pass = || {
            for path in &host.paths {
                let _ = black_box(verdict(raw(path.as_bytes())));
            }
        };
        shortest(TimeBudget::HOT, pass) / urls
    };
    let (program, packed) = (quick.program(), tight.program());
    let rules_time = ask(&|path| set.verdict(path));
    let program_time = ask(&|path| program.verdict(path));
    let packed_time = ask(&|path| packed.verdict(path));
    let stats = quick.stats();
    Ok(vec![
        host.name.clone(),
        set.rules().len().to_string(),
        stars.to_string(),
        number(bytes as f64 / 1e3),
        number(build / 1e3),
        number(fast_time / 1e6),
        number(small_time / 1e6),
        stats.parts.to_string(),
        stats.nodes.to_string(),
        stats.work.to_string(),
        number(quick.as_bytes().len() as f64 / 1e3),
        number(tight.as_bytes().len() as f64 / 1e3),
        number(tight.as_bytes().len() as f64 / bytes as f64),
        number(rules_time),
        number(program_time),
        number(packed_time),
    ])
}
