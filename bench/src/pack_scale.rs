//! Policy packs at size: building, opening, looking up; how each grows with the origins.

use std::fs;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use robotsc::AgentName;
use robotsc::Dialect;
use robotsc::origin::Origin;
use robotsc::outcome::{Capture, Response};
use robotsc::pack::{Pack, PackAgents, PackBuilder, PackOptions};

use crate::arguments::Arguments;
use crate::generated::random::SplitMix64;
use crate::ours::raw;
use crate::pack_world::World;
use crate::timing::percentile;

/// Questions of a measurement.
const QUESTIONS: usize = 400_000;
/// Origins that are asked about when all is warm.
const WARM: u64 = 512;

/// Builds packs of the sizes that `--origins` names, in thousands, and measures each.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let corpus = PathBuf::from(arguments.text("corpus", "../../shared/corpus"));
    let world = World::load(&corpus)?;
    let folder = PathBuf::from(arguments.text("out", "."));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let keep = arguments.flag("keep");
    for thousands in arguments.text("origins", "10,100").split(',') {
        let origins = thousands.parse::<u64>().map_err(|_| format!("--origins {thousands}: not a number"))? * 1_000;
        let target = folder.join(format!("scale-{thousands}k.pack"));
        if !(keep && target.exists()) {
            build(&world, origins, &options(arguments)?, &target)?;
        }
        look_up(&world, origins, &target)?;
        if !keep {
            fs::remove_file(&target).map_err(|error| format!("{}: {error}", target.display()))?;
        }
    }
    Ok(())
}

pub(crate) fn options(arguments: &Arguments) -> Result<PackOptions, String> {
    let agents = match arguments.text("agent", "FooBot") {
        "all" => PackAgents::All,
        tokens => PackAgents::only(tokens.split(',')),
    };
    let threads = NonZeroUsize::new(arguments.number("threads", 2)?).ok_or("--threads 0")?;
    let memory = arguments.number("memory", 512)? << 20;
    let sitemaps = arguments.flag("sitemaps");
    Ok(PackOptions { agents, threads, memory, sitemaps, ..PackOptions::new(&Dialect::GOOGLE) })
}

fn build(world: &World, origins: u64, options: &PackOptions, target: &Path) -> Result<(), String> {
    let said = |error: robotsc::pack::PackError| error.to_string();
    // What making the captures costs is not the builder's.
    let (mut origin, mut body) = (String::new(), Vec::new());
    let start = Instant::now();
    let sample = origins.min(50_000);
    for number in 0..sample {
        world.origin(number, &mut origin);
        world.body(number, &mut body);
        black_box((&origin, &body));
    }
    let making = start.elapsed().as_secs_f64() * origins as f64 / sample as f64;

    let watch = Watch::start();
    let start = Instant::now();
    let mut builder = PackBuilder::new(options.clone(), target).map_err(said)?;
    for number in 0..origins {
        world.origin(number, &mut origin);
        world.body(number, &mut body);
        let response = Response::new(200, &body);
        let capture = Capture::after(None, &response, World::fetched_at(number), &options.dialect);
        let origin = Origin::parse(origin.as_bytes()).map_err(|error| error.to_string())?;
        builder.push(&origin, &capture).map_err(said)?;
    }
    let pushed = start.elapsed();
    let report = builder.finish().map_err(said)?;
    let took = start.elapsed();
    let (anonymous, resident) = watch.stop();
    let each = |bytes: u64| bytes as f64 / origins as f64;
    println!(
        "\n{origins} origins, {:?}, {} threads, memory {} MiB",
        options.agents,
        options.threads,
        options.memory >> 20
    );
    println!(
        "build            {:.1} s (compiling {:.1}, of it making the captures about {making:.1}; \
         merging and writing {:.1})",
        took.as_secs_f64(),
        pushed.as_secs_f64(),
        (took - pushed).as_secs_f64()
    );
    println!("peak memory      {} MiB without mapped files, {} MiB with", anonymous >> 10, resident >> 10);
    println!(
        "bodies           {:.0} bytes an origin; {} compiled; {} programs; {} policies beside",
        each(report.body_bytes),
        report.compiled,
        report.programs,
        report.policies
    );
    println!(
        "bytes an origin {:.2} index, {:.2} names, {:.1} whole: {:.3} of the bodies; {} MiB",
        each(report.index_bytes),
        each(report.name_bytes),
        each(report.bytes),
        report.bytes as f64 / report.body_bytes as f64,
        report.bytes >> 20
    );
    Ok(())
}

fn look_up(world: &World, origins: u64, target: &Path) -> Result<(), String> {
    let said = |error: robotsc::pack::PackError| error.to_string();
    let mut open: Vec<f64> = (0..21)
        .map(|_| {
            let start = Instant::now();
            black_box(Pack::open_trusted(target)).map(drop).map_err(said)?;
            Ok(start.elapsed().as_secs_f64() * 1e6)
        })
        .collect::<Result<_, String>>()?;
    open.sort_by(f64::total_cmp);
    let pack = Pack::open(target).map_err(said)?;
    let start = Instant::now();
    pack.verify().map_err(said)?;
    println!("open             {:.0} us; verify {:.2} s", percentile(&open, 0.5), start.elapsed().as_secs_f64());
    let stats = pack.stats();
    println!("distance         {:.2} slots, at most {}", stats.distance.0, stats.distance.1);

    for (what, among, reads) in [
        ("cold", origins, "each question of another origin, in no order"),
        ("warm", WARM.min(origins), "512 origins again and again"),
    ] {
        let questions = Questions::new(world, among);
        let measured = questions.measure(&pack);
        println!(
            "{what}             {:.0} ns lookup; {:.0} ns lookup and verdict, p50 {:.0}, p99 {:.0}; {:.0} ns unknown \
             ({reads})",
            measured.lookup, measured.mean, measured.p50, measured.p99, measured.unknown
        );
    }
    Ok(())
}

/// What is asked: texts in one vector, so that they cost as little as can be.
struct Questions {
    texts: String,
    /// Where the origin starts and ends, and the path ends.
    spans: Vec<(u32, u32, u32)>,
}

struct Measured {
    lookup: f64,
    mean: f64,
    p50: f64,
    p99: f64,
    unknown: f64,
}

impl Questions {
    fn new(world: &World, origins: u64) -> Self {
        let mut random = SplitMix64::new(77);
        let (mut texts, mut spans, mut origin) = (String::new(), Vec::with_capacity(QUESTIONS), String::new());
        for _ in 0..QUESTIONS {
            world.origin(random.below(origins), &mut origin);
            let start = texts.len() as u32;
            texts.push_str(&origin);
            let middle = texts.len() as u32;
            texts.push_str(world.path(&mut random));
            spans.push((start, middle, texts.len() as u32));
        }
        Self { texts, spans }
    }

    fn measure(&self, pack: &Pack) -> Measured {
        let agent = ["foobot", "googlebot"].into_iter().find_map(|name| pack.agent(AgentName::new(name).ok()?));
        let Some(agent) = agent else { panic!("the pack has neither FooBot nor Googlebot") };
        let texts = self.texts.as_bytes();
        let text = |from: u32, to: u32| &texts[from as usize..to as usize];
        let time = |pass: &mut dyn FnMut() -> usize| {
            let start = Instant::now();
            black_box(pass());
            start.elapsed().as_secs_f64() * 1e9 / self.spans.len() as f64
        };
        let verdict = |&(start, middle, end): &(u32, u32, u32)| {
            let program = pack.get(text(start, middle)).and_then(|entry| entry.program(&agent));
            program.map(|program| program.verdict(raw(text(middle, end))) == Ok(robotsc::Verdict::Allow))
        };
        // Everything is read from the file once.
        let known = self.spans.iter().filter(|span| verdict(span).is_some()).count();
        assert_eq!(known, self.spans.len());
        let lookup = time(&mut || self.spans.iter().filter(|span| pack.get(text(span.0, span.1)).is_some()).count());
        let mean = time(&mut || self.spans.iter().filter(|span| verdict(span) == Some(true)).count());
        // Without the last letter it is no origin of the pack.
        let unknown =
            time(&mut || self.spans.iter().filter(|span| pack.get(text(span.0, span.1 - 1)).is_some()).count());
        let mut each: Vec<f64> = self
            .spans
            .iter()
            .map(|span| {
                let start = Instant::now();
                black_box(verdict(span));
                start.elapsed().as_secs_f64() * 1e9
            })
            .collect();
        each.sort_by(f64::total_cmp);
        Measured { lookup, mean, p50: percentile(&each, 0.5), p99: percentile(&each, 0.99), unknown }
    }
}

/// Looks now and then how much memory the process has.
struct Watch {
    stop: Arc<AtomicBool>,
    peak: Arc<[AtomicU64; 2]>,
    thread: std::thread::JoinHandle<()>,
}

impl Watch {
    fn start() -> Self {
        let (stop, peak) = (Arc::new(AtomicBool::new(false)), Arc::new([AtomicU64::new(0), AtomicU64::new(0)]));
        let thread = std::thread::spawn({
            let (stop, peak) = (stop.clone(), peak.clone());
            move || {
                while !stop.load(Ordering::Relaxed) {
                    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
                    for (name, peak) in ["RssAnon:", "VmRSS:"].iter().zip(&*peak) {
                        let line = status.lines().find_map(|line| line.strip_prefix(name));
                        let kib = line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(0);
                        peak.fetch_max(kib, Ordering::Relaxed);
                    }
                    std::thread::sleep(Duration::from_millis(20));
                }
            }
        });
        Self { stop, peak, thread }
    }

    /// The most memory of its own, and with mapped files, in KiB.
    fn stop(self) -> (u64, u64) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.thread.join();
        (self.peak[0].load(Ordering::Relaxed), self.peak[1].load(Ordering::Relaxed))
    }
}
