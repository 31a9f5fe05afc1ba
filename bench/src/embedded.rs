//! The first verdict of a rule set: embedded in the binary, or parsed from the same text at start-up by each engine.
//!
//! The rule sets are those of `benches/rule-sets`, 5 to 500 rules. Of each the time is taken once, the first time it
//! is asked in this process, then over and over with the caches warm. Heap allocations of that first verdict are
//! counted.

use std::hint::black_box;
use std::time::Instant;

use robotsc::AgentName;
use robotsc::embed::Sets;

use crate::allocator;
use crate::engine::{Engine, EngineKind};
use crate::ours::raw;
use crate::roster::{Visit, visit};
use crate::timing::{TimeBudget, median, shortest};

static RULE_SETS: &Sets<'static> = robotsc::include_rules!("../benches/rule-sets");

const NAME: &str = "FooBot";
const AGENT: AgentName<'static> = match AgentName::new(NAME) {
    Ok(agent) => agent,
    Err(_) => panic!("a name"),
};
const PATH: &str = "/catalog/item-17/review?page=2";

/// Writes the table.
pub(crate) fn run() -> Result<(), String> {
    println!("{:<16} {:>12} {:>12} {:>12}", "first verdict", "once, ns", "warm, ns", "allocations");
    let (mut once, mut warm, mut allocations) = (Vec::new(), Vec::new(), 0);
    for set in RULE_SETS.iter() {
        let before = allocator::allocations();
        let start = Instant::now();
        let _ = black_box(black_box(set).is_allowed(AGENT, raw(PATH.as_bytes())));
        let time = start.elapsed();
        allocations += allocator::allocations() - before;
        once.push(time.as_secs_f64() * 1e9);
    }
    for set in RULE_SETS.iter() {
        const TIMES: u32 = 100;
        let time = shortest(TimeBudget::HOT, || {
            for _ in 0..TIMES {
                let _ = black_box(black_box(set).is_allowed(AGENT, raw(black_box(PATH.as_bytes()))));
            }
        });
        warm.push(time / f64::from(TIMES));
    }
    line("embedded", once, warm, allocations);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../benches/rule-sets");
    let mut bodies: Vec<&'static [u8]> = Vec::new();
    for set in RULE_SETS.iter() {
        let file = format!("{folder}/{}.robots.txt", set.name());
        let body = std::fs::read(&file).map_err(|error| format!("cannot read {file}: {error}"))?;
        bodies.push(body.leak());
    }
    visit(&mut Parsers { bodies });
    Ok(())
}

struct Parsers {
    bodies: Vec<&'static [u8]>,
}

impl Visit for Parsers {
    fn visit<E: Engine + 'static>(&mut self) {
        if E::KIND == EngineKind::Limit {
            return;
        }
        let verdict = |body: &'static [u8]| {
            let Some(ready) = E::prepare(black_box(body), NAME) else { return false };
            let walk = E::walk(&ready);
            if E::TAKES_PATH {
                E::path(&walk, PATH)
            } else {
                E::url(&walk, "https://a.example/catalog/item-17/review?page=2")
            }
        };
        let (mut once, mut warm, mut allocations) = (Vec::new(), Vec::new(), 0);
        for body in &self.bodies {
            let before = allocator::allocations();
            let start = Instant::now();
            black_box(verdict(body));
            let time = start.elapsed();
            allocations += allocator::allocations() - before;
            once.push(time.as_secs_f64() * 1e9);
        }
        for body in &self.bodies {
            warm.push(shortest(TimeBudget::PREPARE, || {
                black_box(verdict(body));
            }));
        }
        line(E::NAME, once, warm, allocations);
    }
}

/// Medians over the rule sets, and the allocations of all first verdicts.
fn line(name: &str, once: Vec<f64>, warm: Vec<f64>, allocations: usize) {
    println!("{name:<16} {:>12.0} {:>12.1} {allocations:>12}", median(once), median(warm));
}
