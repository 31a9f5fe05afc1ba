//! The cache lines of a pack that a verdict reads: every load of the process is traced by valgrind, and those from the
//! pack are counted.

use std::collections::BTreeSet;
use std::fs;
use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use robotsc::pack::Pack;

use crate::arguments::Arguments;
use crate::generated::random::SplitMix64;
use crate::pack_world::World;
use crate::timing::percentile;

/// Verdicts that are traced.
const QUESTIONS: u64 = 2_000;

/// Asks about origins of a pack that `pack-scale` built, in a process of its own under valgrind's lackey.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let world = World::load(&PathBuf::from(arguments.text("corpus", "../../shared/corpus")))?;
    let pack = arguments.text("pack", "scale-10k.pack").to_owned();
    let origins = Pack::open(&pack).map_err(|error| error.to_string())?.len();
    let mut random = SplitMix64::new(5);
    let (mut questions, mut origin) = (String::new(), String::new());
    for _ in 0..QUESTIONS {
        world.origin(random.below(origins), &mut origin);
        questions.push_str(&format!("{origin}\t{}\n", world.path(&mut random)));
    }
    let list = format!("{pack}.questions");
    fs::write(&list, questions).map_err(|error| format!("{list}: {error}"))?;
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut child = Command::new("valgrind")
        .args(["--tool=lackey", "--trace-mem=yes", "--log-fd=1"])
        .arg(program)
        .args(["pack-lines-one", "--pack", &pack])
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("valgrind: {error}"))?;
    let out = child.stdout.take().ok_or("no output")?;
    let counted = count(BufReader::with_capacity(1 << 20, out))?;
    child.wait().map_err(|error| error.to_string())?;
    fs::remove_file(&list).map_err(|error| format!("{list}: {error}"))?;
    counted.print(origins);
    Ok(())
}

/// Asks what the list says; says where the pack and the marks between the questions lie.
pub(crate) fn run_one(arguments: &Arguments) -> Result<(), String> {
    let path = arguments.text("pack", "scale-10k.pack");
    let pack = Pack::open(path).map_err(|error| error.to_string())?;
    let text = fs::read(format!("{path}.questions")).map_err(|error| format!("{path}.questions: {error}"))?;
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    let marks = vec![1_u8; lines.len() * 64];
    let agent = pack
        .agent(robotsc::AgentName::new("foobot").map_err(|error| error.to_string())?)
        .ok_or("the pack is not for FooBot")?;
    let slots = pack.as_bytes().as_ptr_range();
    println!("\nPACK {} {}", slots.start.addr(), slots.end.addr());
    let place = marks.as_ptr_range();
    println!("\nMARKS {} {}", place.start.addr(), place.end.addr());
    let long = |at: usize| pack.as_bytes()[at..at + 8].iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
    // Each on a line of its own, whatever valgrind was saying. The fifth section is that of the classes, the sixth that
    // of the slots.
    for (name, number) in [("CLASSES", 4), ("SLOTS", 5)] {
        let start = slots.start.addr() + long(64 + number * 24);
        println!("\n{name} {start} {}", start + long(72 + number * 24));
    }
    let mut allowed = 0;
    for (number, line) in lines.iter().enumerate() {
        black_box(marks[black_box(number * 64)]);
        let tab = line.iter().position(|byte| *byte == b'\t').unwrap_or(0);
        let program = pack.get(&line[..tab]).and_then(|entry| entry.program(&agent));
        allowed +=
            usize::from(program.is_some_and(|program| {
                program.verdict(crate::ours::raw(&line[tab + 1..])) == Ok(robotsc::Verdict::Allow)
            }));
    }
    println!("ALLOWED {allowed}");
    Ok(())
}

#[derive(Default)]
struct Counted {
    slots: Vec<f64>,
    others: Vec<f64>,
    all: Vec<f64>,
}

fn count(trace: impl BufRead) -> Result<Counted, String> {
    let mut places: [Range<usize>; 4] = [0..0, 0..0, 0..0, 0..0];
    let mut counted = Counted::default();
    let (mut slots, mut others) = (BTreeSet::new(), BTreeSet::new());
    let mut asked = 0;
    for line in trace.lines() {
        let line = line.map_err(|error| error.to_string())?;
        for (place, name) in places.iter_mut().zip(["PACK ", "MARKS ", "SLOTS ", "CLASSES "]) {
            let numbers = line.strip_prefix(name).and_then(|rest| rest.split_once(' '));
            if let Some((Ok(start), Ok(end))) = numbers.map(|(start, end)| (start.parse(), end.parse())) {
                *place = start..end;
            }
        }
        let load = line.strip_prefix(" L ").or_else(|| line.strip_prefix(" M "));
        let Some((address, size)) = load.and_then(|load| load.split_once(',')) else { continue };
        let (Ok(address), Ok(size)) = (usize::from_str_radix(address, 16), size.parse::<usize>()) else { continue };
        if places[1].contains(&address) && (address - places[1].start).is_multiple_of(64) {
            if asked > 0 {
                counted.slots.push(slots.len() as f64);
                counted.others.push(others.len() as f64);
                counted.all.push((slots.len() + others.len()) as f64);
            }
            asked += 1;
            slots.clear();
            others.clear();
        } else if asked > 0 && places[0].contains(&address) && !places[3].contains(&address) {
            let lines = if places[2].contains(&address) { &mut slots } else { &mut others };
            lines.extend(address / 64..=(address + size - 1) / 64);
        }
    }
    if asked == 0 { Err("the trace has no questions".to_owned()) } else { Ok(counted) }
}

impl Counted {
    fn print(mut self, origins: u64) {
        println!(
            "cache lines of the pack that {} verdicts read, but for the few of the classes; {origins} origins",
            self.all.len()
        );
        for (name, lines) in [("slots", &mut self.slots), ("programs", &mut self.others), ("all", &mut self.all)] {
            lines.sort_by(f64::total_cmp);
            let mean = lines.iter().sum::<f64>() / lines.len() as f64;
            let [half, most, nearly] = [0.5, 0.9, 0.99].map(|fraction| percentile(lines, fraction));
            println!("{name:9} mean {mean:.2}, p50 {half}, p90 {most}, p99 {nearly}");
        }
    }
}
