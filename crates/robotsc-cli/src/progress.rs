//! Progress on standard error, where that is a terminal. It is drawn nowhere else.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The progress of a stream of URLs of unknown length; shown once it has lasted a second.
#[derive(Debug)]
pub(crate) struct Urls {
    bar: Option<ProgressBar>,
    since: Instant,
}

/// A progress for URLs: hidden where the answers go to the same terminal.
pub(crate) fn urls() -> Urls {
    let shown = std::io::stderr().is_terminal() && !std::io::stdout().is_terminal();
    let bar = shown.then(|| {
        let style = ProgressStyle::with_template("robotsc: {human_pos} URLs, {per_sec}");
        ProgressBar::no_length().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
    });
    Urls { bar, since: Instant::now() }
}

impl Urls {
    /// Tells how many URLs were answered. Cheap: the clock is read once in 1,024 calls.
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

/// A progress for inputs of so many octets, where that is known; hidden where the answers go to the same terminal.
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
    /// Tells how many octets were taken from the inputs, and how many URLs were answered. Called for each block of some thousand.
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

/// A bar for a known number of cases.
pub(crate) fn cases(number: u64) -> ProgressBar {
    let target =
        if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("robotsc: {wide_bar} {human_pos} of {human_len} cases, {eta} left");
    ProgressBar::with_draw_target(Some(number), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
