//! What an edit of a file would change, as a unified diff.

use std::io::Write;
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use robotsc_analysis::{Lines, changed_lines};
use robotsc_answers::shown;

use crate::failure::Failure;

/// The lines around a change that are shown.
const CONTEXT_LINES: u32 = 3;

const HEAD: Style = Style::new().bold();
const PLACE: Style = AnsiColor::Cyan.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();
const ADDED: Style = AnsiColor::Green.on_default();

/// Writes the lines that differ, as `diff -u` does, in colours, which `out` drops if there are to be none. Bytes that
/// are no printable text are escaped, so that a changed line end can be seen. Equal files write nothing.
pub(crate) fn write_diff(out: &mut dyn Write, name: &str, old: &[u8], new: &[u8]) -> Result<(), Failure> {
    let lines = [old, new].map(Lines::new);
    let runs = changed_lines(&lines[0], &lines[1]);
    if runs.is_empty() {
        return Ok(());
    }
    writeln!(out, "{HEAD}--- {name}{HEAD:#}\n{HEAD}+++ {name}{HEAD:#}")?;
    // Runs whose lines around them touch are shown as one.
    for hunk in runs.chunk_by(|one, two| two[0].start - one[0].end <= 2 * CONTEXT_LINES) {
        write_hunk(out, &lines, hunk)?;
    }
    Ok(())
}

/// Writes some runs of lines that differ, and the lines around them.
fn write_hunk(out: &mut dyn Write, lines: &[Lines<'_>; 2], runs: &[[Range<u32>; 2]]) -> Result<(), Failure> {
    let ([Some(first), Some(last)], [old, new]) = ([runs.first(), runs.last()], lines) else { return Ok(()) };
    // Between runs and around them, both texts have as many lines.
    let before = CONTEXT_LINES.min(first[0].start - 1);
    let after = CONTEXT_LINES.min(old.count() + 1 - last[0].end);
    let [of_old, of_new] = [0, 1].map(|side| place(first[side].start - before..last[side].end + after));
    writeln!(out, "{PLACE}@@ -{of_old} +{of_new} @@{PLACE:#}")?;
    let mut at = first[0].start - before;
    for [removed, added] in runs {
        write_lines(out, ' ', Style::new(), old, at..removed.start)?;
        write_lines(out, '-', REMOVED, old, removed.clone())?;
        write_lines(out, '+', ADDED, new, added.clone())?;
        at = removed.end;
    }
    write_lines(out, ' ', Style::new(), old, at..at + after)
}

/// Returns the first line of a hunk and their number, as the head of a hunk has them: of no lines, the line before.
fn place(lines: Range<u32>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start - 1),
        1 => lines.start.to_string(),
        number => format!("{},{number}", lines.start),
    }
}

fn write_lines(
    out: &mut dyn Write,
    sign: char,
    style: Style,
    lines: &Lines<'_>,
    run: Range<u32>,
) -> Result<(), Failure> {
    for line in run {
        let line = lines.whole_text(line);
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        writeln!(out, "{style}{sign}{}{style:#}", shown::bytes(text))?;
        if !line.ends_with(b"\n") && !line.ends_with(b"\r") {
            writeln!(out, "\\ No newline at end of file")?;
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
            ("", "a\n", "@@ -0,0 +1 @@\n+a\n"),
            ("a\n", "", "@@ -1 +0,0 @@\n-a\n"),
            // Six lines between two changes are shown; of seven, three at each.
            ("1\n2\n3\n4\n5\n6\n", "a\n1\n2\n3\n4\n5\n6\nb\n", "@@ -1,6 +1,8 @@\n+a\n 1\n 2\n 3\n 4\n 5\n 6\n+b\n"),
            (
                "1\n2\n3\n4\n5\n6\n7\n",
                "a\n1\n2\n3\n4\n5\n6\n7\nb\n",
                "@@ -1,3 +1,4 @@\n+a\n 1\n 2\n 3\n@@ -5,3 +6,4 @@\n 5\n 6\n 7\n+b\n",
            ),
            ("a \n\u{1b}[1m\n", "a\n", "@@ -1,2 +1 @@\n-a \n-\\x1b[1m\n+a\n"),
        ] {
            let head = if wanted.is_empty() { "" } else { "--- robots.txt\n+++ robots.txt\n" };
            assert_eq!(shown(old, new), format!("{head}{wanted}"), "{old:?}");
        }
    }
}
