//! Progress on standard error, if that is a terminal.

use std::fs::Metadata;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use robotsc::pack::{Phase, Progress};

use crate::failure::complain;

/// The progress of a stream of URLs of unknown length; shown once it has lasted a second.
#[derive(Debug)]
pub(crate) struct Urls {
    bar: Option<ProgressBar>,
    since: Instant,
}

/// Returns a progress for URLs; it is hidden if the answers go to the same terminal.
pub(crate) fn urls() -> Urls {
    let shown = std::io::stderr().is_terminal() && !std::io::stdout().is_terminal();
    let bar = shown.then(|| {
        let style = ProgressStyle::with_template("robotsc: {human_pos} URLs, {per_sec}");
        ProgressBar::no_length().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
    });
    Urls { bar, since: Instant::now() }
}

impl Urls {
    /// Reports the number of URLs that were answered. Cheap: it reads the clock once in 1,024 calls.
    pub(crate) fn tick(&mut self, answered: u64) {
        if let Some(bar) = &self.bar
            && answered.is_multiple_of(1024)
            && self.since.elapsed() > Duration::from_secs(1)
        {
            bar.set_position(answered);
        }
    }
}

impl Drop for Urls {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The progress of a frontier through the filter; shown once it has lasted a second.
#[derive(Debug)]
pub(crate) struct Frontier {
    bar: Option<ProgressBar>,
    since: Instant,
    answered: u64,
}

/// Returns a progress for inputs of `total` bytes, if that is known; it is hidden if the answers go to the same
/// terminal.
pub(crate) fn frontier(total: Option<u64>) -> Frontier {
    let shown = std::io::stderr().is_terminal() && !std::io::stdout().is_terminal();
    let bar = shown.then(|| {
        let (bar, template) = match total {
            Some(total) => (
                ProgressBar::new(total),
                "robotsc: {bar:20} {bytes} of {total_bytes}, {bytes_per_sec}, {msg}, {eta} left",
            ),
            None => (ProgressBar::no_length(), "robotsc: {bytes}, {bytes_per_sec}, {msg}"),
        };
        bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
        bar.with_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()))
    });
    Frontier { bar, since: Instant::now(), answered: 0 }
}

impl Frontier {
    /// Reports the bytes that were read from the inputs and the URLs that were answered. Called for each block of some
    /// thousand URLs.
    pub(crate) fn tick(&mut self, taken: u64, answered: u64) {
        let Some(bar) = &self.bar else { return };
        let elapsed = self.since.elapsed();
        if elapsed > Duration::from_secs(1) && answered > self.answered {
            self.answered = answered;
            let rate = answered as f64 / elapsed.as_secs_f64();
            bar.set_message(format!("{} URLs/s", indicatif::HumanCount(rate as u64)));
            bar.set_position(taken);
        }
    }
}

impl Drop for Frontier {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The progress of sources that are read.
#[derive(Debug)]
pub(crate) struct Sources(ProgressBar);

/// Returns a progress for sources; it has an end if all of them are files.
pub(crate) fn sources(sources: &[PathBuf]) -> Sources {
    let length = |path: &PathBuf| std::fs::metadata(path).ok().filter(Metadata::is_file).map(|file| file.len());
    let total: Option<u64> = sources.iter().map(length).sum();
    let (length, template) = match total {
        Some(_) => (total, "robotsc: {wide_bar} {bytes} of {total_bytes}, {msg} captures, {eta} left"),
        None => (None, "robotsc: {spinner} {msg} captures"),
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    Sources(ProgressBar::with_draw_target(length, to_terminal()).with_style(style).with_message("0"))
}

impl Sources {
    /// Reports the captures that were read, and the bytes of the sources that they took. Cheap: it draws once in 256
    /// calls.
    pub(crate) fn tick(&self, captures: u64, bytes: impl FnOnce() -> u64) {
        if captures.is_multiple_of(256) && !self.0.is_hidden() {
            self.0.set_message(indicatif::HumanCount(captures).to_string());
            self.0.set_position(bytes());
        }
    }

    /// Writes a line above the progress.
    pub(crate) fn say(&self, line: &str) {
        self.0.suspend(|| complain(line));
    }

    /// Removes it from the terminal.
    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

/// The progress of a pack that is written.
#[derive(Debug)]
pub(crate) struct Pack(ProgressBar);

/// Returns a progress for a pack that is written.
pub(crate) fn pack() -> Pack {
    let style = ProgressStyle::with_template("robotsc: {msg} {wide_bar} {human_pos} of {human_len}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    Pack(ProgressBar::with_draw_target(None, to_terminal()).with_style(style))
}

impl Pack {
    /// Reports how far the builder is.
    pub(crate) fn show(&self, progress: Progress) {
        self.0.set_message(match progress.phase {
            Phase::Sort => "sorting captures",
            Phase::Programs => "writing programs",
            Phase::Origins => "placing origins",
            Phase::Sync => "making it durable",
            _ => "working",
        });
        self.0.set_length(progress.total);
        self.0.set_position(progress.done);
    }

    /// Removes it from the terminal.
    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

fn to_terminal() -> ProgressDrawTarget {
    if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() }
}

/// Returns a bar for a known number of cases.
pub(crate) fn cases(number: u64) -> ProgressBar {
    let target = to_terminal();
    let style = ProgressStyle::with_template("robotsc: {wide_bar} {human_pos} of {human_len} cases, {eta} left");
    ProgressBar::with_draw_target(Some(number), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
