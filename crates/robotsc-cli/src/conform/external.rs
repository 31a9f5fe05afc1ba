//! Another parser, run as a command.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{self, Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Failure, io_cause};

/// A command with places for the file, the agents and the URL.
#[derive(Debug)]
pub(crate) struct Command {
    words: Vec<String>,
    timeout: Duration,
}

impl Command {
    /// Parses a command: words as a shell splits them; nothing else of a shell is supported.
    ///
    /// # Errors
    /// If a quote is open, there is no word, or `{robots}` or `{url}` is missing.
    pub(crate) fn parse(text: &str, timeout: Duration) -> Result<Self, Failure> {
        let bad = |reason: &str| Failure::new(format_args!("bad command: '{text}': {reason}"));
        let words = shlex::split(text).ok_or_else(|| bad("a quote is open: close it"))?;
        if words.is_empty() {
            return Err(bad("it is empty: name a program"));
        }
        for place in ["{robots}", "{url}"] {
            if !words.iter().skip(1).any(|word| word.contains(place)) {
                return Err(bad(&format!("no {place} in its arguments: add it where the program wants it")));
            }
        }
        Ok(Self { words, timeout })
    }

    /// Returns the answer for one URL. Writes `file`, and leaves it.
    ///
    /// # Errors
    /// If the program cannot run, runs too long, or exits with anything but 0 and 1.
    pub(crate) fn ask(&self, file: &Path, robots: &[u8], agents: &[String], url: &[u8]) -> Result<bool, String> {
        fs::write(file, robots).map_err(|error| format!("cannot write {}: {}", file.display(), io_cause(&error)))?;
        let agents = agents.join(",");
        let parts = [("{robots}", file.as_os_str().as_encoded_bytes()), ("{agent}", agents.as_bytes()), ("{url}", url)];
        let words = self.words.iter().map(|word| argument(&fill(word, &parts))).collect::<Option<Vec<_>>>();
        let words = words.ok_or("the URL or an agent is no text, which this system cannot pass to a program")?;
        let child = process::Command::new(&words[0])
            .args(&words[1..])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child.map_err(|error| format!("cannot run {}: {}", self.words[0], io_cause(&error)))?;
        let code = self.wait(&mut child).map_err(|error| format!("cannot wait: {}", io_cause(&error)))?;
        match code {
            Some(Some(0)) => Ok(true),
            Some(Some(1)) => Ok(false),
            Some(Some(code)) => Err(format!("exit code {code}, neither 0 (allowed) nor 1 (disallowed)")),
            Some(None) => Err("ended by a signal".to_owned()),
            None => Err(format!("no answer in {} s", self.timeout.as_secs())),
        }
    }

    /// Returns the exit code of a child, `Some(None)` if a signal ended it, `None` if it was ended after the time
    /// limit.
    fn wait(&self, child: &mut Child) -> std::io::Result<Option<Option<i32>>> {
        let since = Instant::now();
        // Short at first, since most parsers answer in a millisecond or two.
        let mut pause = Duration::from_micros(200);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status.code()));
            }
            if since.elapsed() >= self.timeout {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

/// Replaces the placeholders of a word once: placeholders in their values stay as they are.
fn fill(word: &str, parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut filled = Vec::new();
    let mut rest = word;
    while let Some(char) = rest.chars().next() {
        if let Some((place, value)) = parts.iter().find(|(place, _)| rest.starts_with(place)) {
            filled.extend_from_slice(value);
            rest = &rest[place.len()..];
        } else {
            let (first, after) = rest.split_at(char.len_utf8());
            filled.extend_from_slice(first.as_bytes());
            rest = after;
        }
    }
    filled
}

/// Returns bytes as an argument of a program.
#[cfg(unix)]
fn argument(bytes: &[u8]) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(bytes.to_owned()))
}

/// Returns bytes as an argument of a program, if they are text.
#[cfg(not(unix))]
fn argument(bytes: &[u8]) -> Option<OsString> {
    std::str::from_utf8(bytes).ok().map(OsString::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_once() {
        let parts: [(&str, &[u8]); 2] = [("{url}", b"http://h/{agent}\xff"), ("{agent}", b"A,B")];
        assert_eq!(fill("--x={url}ä{agent}{other}", &parts), b"--x=http://h/{agent}\xff\xc3\xa4A,B{other}");
    }

    #[test]
    fn a_command_needs_its_places() {
        let parse = |text| Command::parse(text, Duration::from_secs(1)).is_ok();
        assert!(parse("x {robots} {url}"));
        assert!(parse("'my parser' --robots={robots} \"{url}\""));
        assert!(!parse("x {robots}"));
        assert!(!parse("x '{robots} {url}"));
        assert!(!parse(""));
    }
}
