//! Times parsing every file of a folder: the sum of each file's fastest round, and bytes by that time.

use std::hint::black_box;
use std::time::{Duration, Instant};

use robotsc::{Dialect, RobotsTxt};

use crate::arguments::Arguments;
use crate::files;

/// Runs `parse-files FOLDER [DIALECT]`.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let [_, folder, rest @ ..] = arguments.words.as_slice() else {
        return Err("parse-files FOLDER [DIALECT]".to_owned());
    };
    let dialect = match rest.first() {
        Some(name) => Dialect::by_name(name).ok_or_else(|| format!("no dialect is called {name}"))?,
        None => &Dialect::GOOGLE,
    };
    let files = files::read(std::slice::from_ref(folder))?;
    let mut fastest = vec![Duration::MAX; files.len()];
    for _ in 0..arguments.number("rounds", 20)? {
        for (file, fastest) in files.iter().zip(&mut fastest) {
            let start = Instant::now();
            black_box(RobotsTxt::parse_with(black_box(&file.body), dialect));
            *fastest = start.elapsed().min(*fastest);
        }
    }
    let bytes: usize = files.iter().map(|file| file.body.len()).sum();
    let time: Duration = fastest.iter().sum();
    let rate = bytes as f64 / time.as_secs_f64() / 1e6;
    println!("{} files, {bytes} bytes, {:.2} ms, {rate:.0} MB/s", files.len(), time.as_secs_f64() * 1e3);
    Ok(())
}
