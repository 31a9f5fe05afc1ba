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

/// The progress of a bulk fetch; shown once it has lasted a second.
#[cfg(feature = "fetch")]
#[derive(Debug)]
pub(crate) struct Fetches {
    bar: Option<ProgressBar>,
    /// The bytes of the lists of origins, if that is known.
    total: Option<u64>,
    since: Instant,
    drawn: Instant,
}

/// How far a bulk fetch is.
#[cfg(feature = "fetch")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fetching {
    /// Results.
    pub(crate) done: u64,
    /// Requests that are not answered yet.
    pub(crate) in_flight: u64,
    /// Origins that were read, and are to be fetched.
    pub(crate) origins: u64,
    /// Bytes that were read of the lists.
    pub(crate) bytes: u64,
    /// Whether all origins were read.
    pub(crate) is_ended: bool,
}

/// Returns a progress for lists of origins of `total` bytes, if that is known; it is hidden if the table goes to the
/// same terminal.
#[cfg(feature = "fetch")]
pub(crate) fn fetches(total: Option<u64>) -> Fetches {
    let shown = std::io::stderr().is_terminal() && !std::io::stdout().is_terminal();
    let bar = shown.then(|| {
        let style = ProgressStyle::with_template("robotsc: {msg}").unwrap_or_else(|_| ProgressStyle::default_spinner());
        ProgressBar::no_length().with_style(style)
    });
    Fetches { bar, total, since: Instant::now(), drawn: Instant::now() }
}

#[cfg(feature = "fetch")]
impl Fetches {
    /// Reports how far the fetch is; `errors` are the failures by kind. Cheap: it draws four times a second.
    pub(crate) fn tick(&mut self, state: &Fetching, errors: impl FnOnce() -> String) {
        let Some(bar) = &self.bar else { return };
        if self.drawn.elapsed() < Duration::from_millis(250) {
            return;
        }
        self.drawn = Instant::now();
        bar.set_message(line(state, self.total, self.since.elapsed(), &errors()));
        bar.tick();
    }
}

/// Returns the line: done, in flight, errors by kind, per second, the time that is left.
#[cfg(feature = "fetch")]
fn line(state: &Fetching, total: Option<u64>, elapsed: Duration, errors: &str) -> String {
    let count = indicatif::HumanCount;
    let rate = state.done as f64 / elapsed.as_secs_f64().max(1e-3);
    let mut line = format!("{} done, {} in flight", count(state.done), count(state.in_flight));
    if !errors.is_empty() {
        line.push_str(&format!(", {errors}"));
    }
    line.push_str(&format!(", {} per second", count(rate as u64)));
    // All that were read are all there are, or as many as their bytes are of all bytes.
    let all = match total.filter(|_| state.bytes > 0) {
        _ if state.is_ended => Some(state.origins as f64),
        Some(total) => Some(state.origins as f64 * total as f64 / state.bytes as f64),
        None => None,
    };
    if let Some(all) = all
        && rate > 0.0
    {
        let left = Duration::try_from_secs_f64((all - state.done as f64).max(0.0) / rate).unwrap_or(Duration::MAX);
        line.push_str(&format!(", {} left", indicatif::HumanDuration(left)));
    }
    line
}

#[cfg(feature = "fetch")]
impl Drop for Fetches {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The progress of sources that are read, and what is said of them; nothing if it is silent.
#[derive(Debug)]
pub(crate) struct Sources(Option<ProgressBar>);

/// Returns a progress for sources; it has an end if all of them are files.
pub(crate) fn sources(sources: &[PathBuf]) -> Sources {
    let length = |path: &PathBuf| std::fs::metadata(path).ok().filter(Metadata::is_file).map(|file| file.len());
    let total: Option<u64> = sources.iter().map(length).sum();
    let (length, template) = match total {
        Some(_) => (total, "robotsc: {wide_bar} {bytes} of {total_bytes}, {msg} captures, {eta} left"),
        None => (None, "robotsc: {spinner} {msg} captures"),
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    Sources(Some(ProgressBar::with_draw_target(length, to_terminal()).with_style(style).with_message("0")))
}

impl Sources {
    /// Returns a progress that writes nothing.
    pub(crate) fn silent() -> Self {
        Self(None)
    }

    /// Reports the captures that were read, and the bytes of the sources that they took. Cheap: it draws once in 256
    /// calls.
    pub(crate) fn tick(&self, captures: u64, bytes: impl FnOnce() -> u64) {
        if let Some(bar) = &self.0
            && captures.is_multiple_of(256)
            && !bar.is_hidden()
        {
            bar.set_message(indicatif::HumanCount(captures).to_string());
            bar.set_position(bytes());
        }
    }

    /// Writes a line above the progress.
    pub(crate) fn say(&self, line: &str) {
        if let Some(bar) = &self.0 {
            bar.suspend(|| complain(line));
        }
    }

    /// Removes it from the terminal.
    pub(crate) fn clear(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
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

    /// Writes lines to standard error while it is hidden.
    pub(crate) fn suspend(&self, write: impl FnOnce()) {
        self.0.suspend(write);
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

#[cfg(all(test, feature = "fetch"))]
mod tests {
    use super::*;

    #[test]
    fn a_fetch_says_how_much_is_left() {
        let state = Fetching { done: 500, in_flight: 64, origins: 1_000, bytes: 10_000, is_ended: true };
        let (errors, ten) = ("dns 3, timeout 1", Duration::from_secs(10));
        let all = "500 done, 64 in flight, dns 3, timeout 1, 50 per second, 10 seconds left";
        assert_eq!(line(&state, None, ten, errors), all);
        let state = Fetching { is_ended: false, ..state };
        assert_eq!(line(&state, None, ten, ""), "500 done, 64 in flight, 50 per second");
        assert_eq!(line(&state, Some(20_000), ten, ""), "500 done, 64 in flight, 50 per second, 30 seconds left");
        let state = Fetching { done: 0, ..state };
        assert_eq!(line(&state, Some(20_000), ten, ""), "0 done, 64 in flight, 0 per second");
    }
}
