//! The files of a folder, each taken once by one of several threads, and what they add up to.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use std::{fs, thread};

use crate::arguments::Arguments;

/// How often progress is printed, in files.
const PROGRESS: usize = 1000;

/// A robots.txt.
#[derive(Debug)]
pub(crate) struct RobotsFile {
    pub(crate) name: String,
    pub(crate) body: Vec<u8>,
}

/// Reads the files of some folders, in the order of their names.
pub(crate) fn read(folders: &[String]) -> Result<Vec<RobotsFile>, String> {
    let mut files = Vec::new();
    for folder in folders {
        let failed = |error: std::io::Error| format!("{folder}: {error}");
        for entry in fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push(RobotsFile { name, body: fs::read(&path).map_err(failed)? });
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(files)
}

/// Reads a list with a file name (without `.txt`) and a URL in its first two columns: the URLs of each file.
pub(crate) fn urls_by_file(list: &[u8]) -> HashMap<String, Vec<&[u8]>> {
    let mut urls: HashMap<String, Vec<&[u8]>> = HashMap::new();
    for line in list.split(|byte| *byte == b'\n').skip(1) {
        let mut fields = line.split(|byte| *byte == b'\t');
        if let (Some(file), Some(url)) = (fields.next(), fields.next()) {
            urls.entry(format!("{}.txt", String::from_utf8_lossy(file))).or_default().push(url);
        }
    }
    urls
}

/// Calls a function for each file, on as many threads as `--threads` says (2), and returns what each thread collected.
pub(crate) fn on_threads<'f, T: Default + Send>(
    files: &'f [RobotsFile],
    arguments: &Arguments,
    each: impl Fn(&'f RobotsFile, &mut T) + Sync,
) -> Result<Vec<T>, String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut collected = T::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(number) else { return collected };
            if number % PROGRESS == PROGRESS - 1 {
                eprintln!("{} of {} files", number + 1, files.len());
            }
            each(file, &mut collected);
        }
    };
    let threads = arguments.number("threads", 2)?.max(1);
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        running.into_iter().map(|thread| thread.join().map_err(|_| "a file panicked".to_owned())).collect()
    })
}

/// What some files add up to: counts, and times with the name of the file.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    counts: BTreeMap<&'static str, usize>,
    times: BTreeMap<&'static str, Times>,
}

/// How long each file took.
pub(crate) type Times = Vec<(Duration, String)>;

impl Totals {
    /// Adds to a count, which begins at 0.
    pub(crate) fn count(&mut self, what: &'static str, number: usize) {
        *self.counts.entry(what).or_default() += number;
    }

    /// Records a time.
    pub(crate) fn time(&mut self, what: &'static str, time: Duration, file: &str) {
        self.times.entry(what).or_default().push((time, file.to_owned()));
    }

    /// Returns a count.
    pub(crate) fn of(&self, what: &str) -> usize {
        self.counts.get(what).copied().unwrap_or_default()
    }

    /// Adds up what the threads collected.
    pub(crate) fn sum(all: Vec<Self>) -> Self {
        all.into_iter().fold(Self::default(), |mut sum, one| {
            for (what, number) in one.counts {
                sum.count(what, number);
            }
            for (what, times) in one.times {
                sum.times.entry(what).or_default().extend(times);
            }
            sum
        })
    }

    /// Prints each count, and the percentiles of each kind of time.
    pub(crate) fn print(self) {
        for (what, number) in &self.counts {
            println!("{what}: {number}");
        }
        for (what, mut times) in self.times {
            print_times(what, &mut times);
        }
    }
}

/// Prints percentiles of times, and the five slowest.
pub(crate) fn print_times(what: &str, times: &mut Times) {
    times.sort();
    let at = |thousandths: usize| {
        let last = times.len().saturating_sub(1);
        times.get((times.len() * thousandths / 1000).min(last)).map_or(Duration::ZERO, |time| time.0)
    };
    let sum: Duration = times.iter().map(|time| time.0).sum();
    println!("{what}: p50 {:.2?}, p90 {:.2?}, p99 {:.2?}, in all {sum:.2?}; the slowest:", at(500), at(900), at(990));
    for (time, name) in times.iter().rev().take(5) {
        println!("{time:10.2?} {name}");
    }
}

/// Returns a number as a share of another, in percent.
pub(crate) fn percent(part: usize, all: usize) -> f64 {
    part as f64 * 100.0 / all.max(1) as f64
}
