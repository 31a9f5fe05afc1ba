//! Another parser, run as a command.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{self, Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Failure, io_cause};

/// The placeholder whose argument is repeated for each agent of a case.
const EACH_AGENT: &str = "{each-agent}";

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
        let pooled = agents.join(",");
        let parts = [("{robots}", file.as_os_str().as_encoded_bytes()), ("{agent}", pooled.as_bytes()), ("{url}", url)];
        let words = filled(&self.words, &parts, agents).iter().map(|word| argument(word)).collect::<Option<Vec<_>>>();
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

/// Replaces the placeholders of a command; a word with [`EACH_AGENT`] is repeated for each agent.
fn filled(words: &[String], parts: &[(&str, &[u8])], agents: &[String]) -> Vec<Vec<u8>> {
    let mut filled = Vec::with_capacity(words.len() + agents.len());
    for word in words {
        if word.contains(EACH_AGENT) {
            let with = |agent: &String| fill(word, &[parts, &[(EACH_AGENT, agent.as_bytes())]].concat());
            filled.extend(agents.iter().map(with));
        } else {
            filled.push(fill(word, parts));
        }
    }
    filled
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
    fn a_word_is_repeated_for_each_agent() {
        let words = ["check", "--agent={each-agent}", "{url}"].map(str::to_owned);
        let filled = |agents: &[&str]| {
            let agents: Vec<String> = agents.iter().map(|agent| (*agent).to_owned()).collect();
            filled(&words, &[("{url}", b"/a")], &agents)
        };
        assert_eq!(filled(&["A", "B"]), [&b"check"[..], b"--agent=A", b"--agent=B", b"/a"]);
        assert_eq!(filled(&[]), [&b"check"[..], b"/a"]);
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
