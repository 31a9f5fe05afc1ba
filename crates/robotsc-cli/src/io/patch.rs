//! What an edit of a file would change, as a unified diff.

use std::io::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use robotsc_answers::shown;
use similar::{ChangeTag, TextDiff};

use crate::failure::Failure;

/// The lines around a change that are shown.
const CONTEXT_LINES: usize = 3;

/// How long the shortest difference is searched for. After that, a longer one is shown.
const TIMEOUT: Duration = Duration::from_secs(1);

const HEAD: Style = Style::new().bold();
const PLACE: Style = AnsiColor::Cyan.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();
const ADDED: Style = AnsiColor::Green.on_default();

/// Writes the lines that differ, as `diff -u` does, in colours, which `out` drops if there are to be none. Bytes that
/// are no printable text are escaped, so that a changed line end can be seen. Equal files write nothing.
pub(crate) fn write_diff(out: &mut dyn Write, name: &str, old: &[u8], new: &[u8]) -> Result<(), Failure> {
    if old == new {
        return Ok(());
    }
    let diff = TextDiff::configure().timeout(TIMEOUT).diff_lines(old, new);
    writeln!(out, "{HEAD}--- {name}{HEAD:#}\n{HEAD}+++ {name}{HEAD:#}")?;
    for hunk in diff.unified_diff().context_radius(CONTEXT_LINES).iter_hunks() {
        writeln!(out, "{PLACE}{}{PLACE:#}", hunk.header())?;
        for change in hunk.iter_changes() {
            let (sign, style) = match change.tag() {
                ChangeTag::Equal => (' ', Style::new()),
                ChangeTag::Delete => ('-', REMOVED),
                ChangeTag::Insert => ('+', ADDED),
            };
            let line: &[u8] = change.value();
            let text = line.strip_suffix(b"\n").unwrap_or(line);
            writeln!(out, "{style}{sign}{}{style:#}", shown::bytes(text))?;
            if !line.ends_with(b"\n") && !line.ends_with(b"\r") {
                writeln!(out, "\\ No newline at end of file")?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> String {
        let mut out = Vec::new();
        let written = write_diff(&mut out, "robots.txt", old.as_bytes(), new.as_bytes());
        assert!(written.is_ok());
        let plain = anstream::adapter::strip_bytes(&out).into_vec();
        String::from_utf8(plain).expect("text")
    }

    #[test]
    fn differences() {
        for (old, new, wanted) in [
            ("a\n", "a\n", ""),
            ("a\nb\n", "a\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"),
            ("a\r\nb", "a\nb\n", "@@ -1,2 +1,2 @@\n-a\\r\n-b\n\\ No newline at end of file\n+a\n+b\n"),
            ("a \n\u{1b}[1m\n", "a\n", "@@ -1,2 +1 @@\n-a \n-\\x1b[1m\n+a\n"),
        ] {
            let head = if wanted.is_empty() { "" } else { "--- robots.txt\n+++ robots.txt\n" };
            assert_eq!(shown(old, new), format!("{head}{wanted}"), "{old:?}");
        }
    }
}
