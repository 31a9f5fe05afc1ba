//! The index of packs beside other ways to find an origin's record: size and time, all in memory, origins in no order.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use fst::MapBuilder;
use ptr_hash::{PtrHash, PtrHashParams};
use robotsc::origin::Origin;
use robotsc::outcome::{Capture, Response};
use robotsc::pack::{Pack, PackBuilder};

use crate::arguments::Arguments;
use crate::generated::random::SplitMix64;
use crate::pack_scale::options;
use crate::pack_world::World;

const QUESTIONS: usize = 1_000_000;
const ROUNDS: usize = 7;

/// Whether a way finds an origin.
type Find<'w> = &'w dyn Fn(&[u8]) -> bool;

/// Asks for origins of as many as `--origins` says, in thousands.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let world = World::load(&PathBuf::from(arguments.text("corpus", "../../shared/corpus")))?;
    let count = arguments.number("origins", 1_000)? as u64 * 1_000;
    let mut origins: Vec<String> = Vec::with_capacity(count as usize);
    for number in 0..count {
        let mut origin = String::new();
        world.origin(number, &mut origin);
        origins.push(origin);
    }
    let mut random = SplitMix64::new(9);
    let (mut text, mut spans) = (String::new(), Vec::with_capacity(QUESTIONS));
    for _ in 0..QUESTIONS {
        let origin = &origins[random.below(count) as usize];
        spans.push((text.len(), text.len() + origin.len()));
        text.push_str(origin);
    }
    let text = text.as_bytes();
    let time = |find: &dyn Fn(&[u8]) -> bool| {
        let start = Instant::now();
        let found = spans.iter().filter(|(start, end)| find(&text[*start..*end])).count();
        let took = start.elapsed().as_secs_f64() * 1e9 / QUESTIONS as f64;
        assert_eq!(black_box(found), QUESTIONS);
        took
    };
    let each = |bytes: usize| bytes as f64 / count as f64;

    // The pack's own, without rules: all of its record is in the slot.
    let target = PathBuf::from(arguments.text("out", ".")).join("index.pack");
    let said = |error: robotsc::pack::PackError| error.to_string();
    let start = Instant::now();
    let mut builder = PackBuilder::new(options(arguments)?, &target).map_err(said)?;
    for (number, origin) in (0..).zip(&origins) {
        let response = Response::new(404, b"");
        let capture = Capture::after(None, &response, World::fetched_at(number), &options(arguments)?.dialect);
        let origin = Origin::parse(origin.as_bytes()).map_err(|error| error.to_string())?;
        builder.push(&origin, &capture).map_err(said)?;
    }
    let report = builder.finish().map_err(said)?;
    let built = start.elapsed().as_secs_f64();
    let pack = Pack::open(&target).map_err(said)?;
    let held = Pack::from_bytes(pack.as_bytes().to_vec()).map_err(said)?;
    let in_pack = |origin: &[u8]| pack.get(origin).is_some();
    let in_held = |origin: &[u8]| held.get(origin).is_some();
    let in_slots = |origin: &[u8]| pack.find(pack.key(origin)).is_some();
    let own = (each(report.index_bytes as usize), built);

    // A perfect hash of a 64-bit hash, and records of ten bytes (policy, class, time) with a fingerprint of six.
    let start = Instant::now();
    let keys: Vec<u64> = origins.iter().map(|origin| hash(origin.as_bytes()) as u64).collect();
    let perfect: PtrHash<u64> = PtrHash::new(&keys, PtrHashParams::default());
    let mut table = vec![0_u128; keys.len()];
    for origin in &origins {
        let hash = hash(origin.as_bytes());
        table[perfect.index(&(hash as u64))] = hash >> 80 | 7 << 64;
    }
    let built = start.elapsed().as_secs_f64();
    let in_perfect = |origin: &[u8]| {
        let hash = hash(origin);
        table
            .get(perfect.index(&(hash as u64)))
            .is_some_and(|record| *record as u64 & ((1 << 48) - 1) == (hash >> 80) as u64)
    };
    let (pilots, remap) = perfect.bits_per_element();
    let size = (pilots + remap) / 8.0 * table.len() as f64;
    let perfectly = (each(size as usize + 16 * table.len()), built);

    // An fst of the origins' texts, which needs no names beside, and records of ten bytes.
    let start = Instant::now();
    let mut sorted: Vec<(&str, u64)> = origins.iter().map(String::as_str).zip(0..).collect();
    sorted.sort_unstable();
    let mut builder = MapBuilder::memory();
    for (number, (origin, _)) in (0..).zip(&sorted) {
        builder.insert(origin, number).map_err(|error| error.to_string())?;
    }
    let map = builder.into_map();
    let built = start.elapsed().as_secs_f64();
    let records = vec![[7_u8; 10]; sorted.len()];
    let in_fst = |origin: &[u8]| map.get(origin).is_some_and(|number| records[number as usize][0] == 7);
    let tree = (each(map.as_fst().as_bytes().len() + 10 * sorted.len()), built);

    // Sorted keys of eight bytes without gaps, found by interpolation, and records of eight.
    let start = Instant::now();
    let mut keys: Vec<[u64; 2]> = origins.iter().map(|origin| [hash(origin.as_bytes()) as u64, 7]).collect();
    keys.sort_unstable();
    let in_sorted = |origin: &[u8]| interpolate(&keys, hash(origin) as u64);
    let plain = (16.0, start.elapsed().as_secs_f64());

    println!("{count} origins, {QUESTIONS} questions in no order, the best of {ROUNDS} rounds\n");
    println!("{:36} {:>10} {:>8} {:>8}", "", "bytes/org", "ns", "built, s");
    let ways: [(&str, Find<'_>, (f64, f64)); 6] = [
        ("pack, mapped: the entry", &in_pack, own),
        ("pack, mapped: the slot", &in_slots, own),
        ("pack, in memory: the entry", &in_held, own),
        ("ptr_hash and a table", &in_perfect, perfectly),
        ("fst and a table (names included)", &in_fst, tree),
        ("sorted hashes, interpolation", &in_sorted, plain),
    ];
    let mut best = [f64::INFINITY; 6];
    for _ in 0..ROUNDS {
        for ((_, find, _), best) in ways.iter().zip(&mut best) {
            *best = best.min(time(find));
        }
    }
    for ((name, _, (bytes, built)), ns) in ways.iter().zip(best) {
        println!("{name:36} {bytes:10.2} {ns:8.0} {built:8.1}");
    }
    std::fs::remove_file(&target).map_err(|error| error.to_string())
}

fn hash(origin: &[u8]) -> u128 {
    xxhash_rust::xxh3::xxh3_128(origin)
}

fn interpolate(keys: &[[u64; 2]], wanted: u64) -> bool {
    let mut at = ((u128::from(wanted) * keys.len() as u128) >> 64) as usize;
    let step = |at: usize| {
        // How many keys off the guess is by the key that stands there.
        let off = i128::from(wanted) - i128::from(keys[at][0]);
        (at as i128 + ((off * keys.len() as i128) >> 64)).clamp(0, keys.len() as i128 - 1) as usize
    };
    for _ in 0..3 {
        at = step(at);
    }
    while at > 0 && keys[at][0] > wanted {
        at -= 1;
    }
    while at + 1 < keys.len() && keys[at][0] < wanted {
        at += 1;
    }
    keys[at][0] == wanted && keys[at][1] == 7
}
