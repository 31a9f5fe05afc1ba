//! Times parsing every file of a folder: `cargo run --release -p robotsc-compiler --example parse_speed -- FOLDER
//! [DIALECT [ROUNDS]]`.
//!
//! Prints the sum of each file's fastest round, and bytes by that time.

use std::hint::black_box;
use std::time::{Duration, Instant};

use robotsc_compiler::{Dialect, RobotsTxt};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("a folder is wanted")?;
    let dialect = match arguments.next() {
        Some(name) => Dialect::by_name(&name).ok_or("no such dialect")?,
        None => &Dialect::GOOGLE,
    };
    let rounds: u32 = arguments.next().map_or(Ok(20), |rounds| rounds.parse())?;
    let mut bodies = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        bodies.push(std::fs::read(entry?.path())?);
    }
    let mut fastest = vec![Duration::MAX; bodies.len()];
    for _ in 0..rounds {
        for (body, fastest) in bodies.iter().zip(&mut fastest) {
            let start = Instant::now();
            black_box(RobotsTxt::parse_with(black_box(body), dialect));
            *fastest = start.elapsed().min(*fastest);
        }
    }
    let bytes: usize = bodies.iter().map(Vec::len).sum();
    let time: Duration = fastest.iter().sum();
    let rate = bytes as f64 / time.as_secs_f64() / 1e6;
    println!("{} files, {bytes} bytes, {:.2} ms, {rate:.0} MB/s", bodies.len(), time.as_secs_f64() * 1e3);
    Ok(())
}
