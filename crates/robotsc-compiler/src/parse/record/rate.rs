//! `Request-rate` and `Visit-time`: how fast, and when.

use std::time::Duration;

use super::{number, words};

/// A window of the day, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeWindow {
    /// The first minute of the day, from 0 to 1439.
    pub start: u16,
    /// The minute at which it ends, from 0 to 1440. Where it is not after the start, the window runs past midnight.
    pub end: u16,
}

impl TimeWindow {
    /// Reads `HHMM-HHMM` or `HHMM HHMM`; white space may surround the hyphen.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let mut ends = text.split(|&byte| byte == b'-' || byte == b' ' || byte == b'\t').filter(|end| !end.is_empty());
        let (start, end) = (ends.next()?, ends.next()?);
        let is_whole = ends.next().is_none() && text.iter().filter(|&&byte| byte == b'-').count() <= 1;
        let (start, end) = (minute_of_day(start)?, minute_of_day(end)?);
        (is_whole && start < 24 * 60 && !text.starts_with(b"-") && !text.ends_with(b"-")).then_some(Self { start, end })
    }

    /// Reports whether a minute of the day, from 0 to 1439, lies in the window. A window whose ends are equal is the
    /// whole day.
    #[must_use]
    pub const fn contains(self, minute: u16) -> bool {
        if self.start < self.end {
            self.start <= minute && minute < self.end
        } else {
            self.start <= minute || minute < self.end
        }
    }
}

/// Reads `HHMM`, from 0000 to 2400.
fn minute_of_day(text: &[u8]) -> Option<u16> {
    let [h1, h2, m1, m2] = *text else { return None };
    let (hour, minute) = (number(&[h1, h2])?, number(&[m1, m2])?);
    let at = u16::try_from(hour * 60 + minute).ok()?;
    (minute < 60 && at <= 24 * 60).then_some(at)
}

/// A number of documents in a time, in a part of the day or in all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestRate {
    /// The documents; never 0.
    pub documents: u32,
    /// The time in which they may be fetched; never zero, in whole seconds.
    pub period: Duration,
    /// When this holds; `None` for always.
    pub window: Option<TimeWindow>,
}

impl RequestRate {
    /// Reads `documents/time`, where the time is a number and a unit `s` (the default), `m`, `h` or `d`, with a window
    /// after it or without.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let rate = words(text).next()?;
        let window = text[rate.len()..].trim_ascii();
        let slash = rate.iter().position(|&byte| byte == b'/')?;
        let (documents, time) = (number(&rate[..slash])?, &rate[slash + 1..]);
        let (time, unit) = match time {
            [time @ .., b's' | b'S'] => (time, 1),
            [time @ .., b'm' | b'M'] => (time, 60),
            [time @ .., b'h' | b'H'] => (time, 60 * 60),
            [time @ .., b'd' | b'D'] => (time, 24 * 60 * 60),
            _ => (time, 1),
        };
        let seconds = u64::from(number(time)?) * unit;
        let window = if window.is_empty() { None } else { Some(TimeWindow::parse(window)?) };
        (documents > 0 && seconds > 0).then_some(Self { documents, period: Duration::from_secs(seconds), window })
    }
}

#[cfg(test)]
mod tests {
    use super::{RequestRate, TimeWindow};

    #[test]
    fn windows() {
        let cases = [
            ("0400-0845", Some((240, 525))),
            ("0400 0845", Some((240, 525))),
            ("0400 - 0845", Some((240, 525))),
            ("2200-0200", Some((1320, 120))),
            ("0000-2400", Some((0, 1440))),
            ("0000-0000", Some((0, 0))),
            ("2400-0000", None),
            ("0400-0860", None),
            ("0400-2401", None),
            ("400-0845", None),
            ("0400", None),
            ("0400-", None),
            ("-0400-0845", None),
            ("0400--0845", None),
            ("0400-0845-0900", None),
            ("04:00-08:45", None),
            ("", None),
        ];
        for (text, want) in cases {
            let read = TimeWindow::parse(text.as_bytes()).map(|window| (window.start, window.end));
            assert_eq!(read, want, "{text}");
        }
    }

    #[test]
    fn minutes_in_windows() {
        let is_in =
            |text: &str, minute| TimeWindow::parse(text.as_bytes()).is_some_and(|window| window.contains(minute));
        assert!(is_in("0100-0200", 60) && is_in("0100-0200", 119));
        assert!(!is_in("0100-0200", 59) && !is_in("0100-0200", 120));
        assert!(is_in("2200-0200", 0) && is_in("2200-0200", 1320) && !is_in("2200-0200", 120));
        assert!(is_in("0000-0000", 0) && is_in("0000-2400", 1439));
    }

    #[test]
    fn rates() {
        let cases = [
            ("1/10", Some((1, 10, false))),
            ("1/10s", Some((1, 10, false))),
            ("30/5M", Some((30, 300, false))),
            ("2/1h", Some((2, 3600, false))),
            ("1/1d", Some((1, 86_400, false))),
            ("1/1s 2000-2100", Some((1, 1, true))),
            ("1/1s 2000 2100", Some((1, 1, true))),
            ("1/4294967295d", Some((1, 371_085_174_288_000, false))),
            ("1/4294967296", None),
            ("0/10", None),
            ("1/0", None),
            ("10", None),
            ("1/", None),
            ("/1", None),
            ("1/s", None),
            ("1/1x", None),
            ("1/-1", None),
            ("1/1s 2000", None),
            ("1/1/1", None),
            ("<rate> <time>", None),
            ("", None),
        ];
        for (text, want) in cases {
            let read = RequestRate::parse(text.as_bytes())
                .map(|rate| (rate.documents, rate.period.as_secs(), rate.window.is_some()));
            assert_eq!(read, want, "{text}");
        }
    }
}
