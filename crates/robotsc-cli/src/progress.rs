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

/// A bar for a known number of cases.
pub(crate) fn cases(number: u64) -> ProgressBar {
    let target =
        if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("robotsc: {wide_bar} {human_pos} of {human_len} cases, {eta} left");
    ProgressBar::with_draw_target(Some(number), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
