//! What a file holds, as far as its first bytes and its name show. A file that is no robots.txt has no rules, and a
//! robots.txt without rules allows everything: a mistaken file name must not read as an answer.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use robotsc::robots_txt::BodyKind;
use robotsc::{Dialect, RobotsTxt};
use robotsc_answers::body_fault::BodyFault;

use crate::failure::Failure;
use crate::io::files;

/// The bytes at the beginning of a file that are searched for a NUL or for rule sets.
const HEAD_BYTES: usize = 1 << 16;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// Text: a robots.txt, as far as is known.
    Text,
    /// A compiled program of one crawler.
    Program,
    /// A compiled policy: the programs of all crawlers of a file.
    Policy,
    /// A policy pack.
    Pack,
    /// Declared rule sets in RON.
    RuleSets,
    /// Compressed data: its format, and the command that decompresses it to standard output.
    Compressed(&'static str, &'static str),
    /// An archive of many files.
    Archive(&'static str),
    /// Something else that is no text.
    Binary(&'static str),
    /// HTML or XML.
    Markup,
    /// Text in UTF-16, with its mark.
    Utf16,
    /// Text in another encoding of several bytes a letter: what it is, and how to convert it.
    Wide(&'static str, &'static str),
    /// Text with NUL bytes.
    Nul,
}

/// Returns whether a file begins as a policy pack does; standard input is none, since packs are mapped.
pub(crate) fn is_pack(file: &OsStr) -> bool {
    let mut head = Vec::new();
    let is_file = !files::is_stdin(file) && Path::new(file).is_file();
    let read = is_file && File::open(file).is_ok_and(|file| file.take(8).read_to_end(&mut head).is_ok());
    read && FileKind::of("", &head) == FileKind::Pack
}

const UTF_32: FileKind = FileKind::Wide("it is text in UTF-32", "convert it: iconv -f UTF-32 -t UTF-8");
const UTF_16_LE: FileKind =
    FileKind::Wide("it is text in UTF-16 without a mark", "convert it: iconv -f UTF-16LE -t UTF-8");
const UTF_16_BE: FileKind =
    FileKind::Wide("it is text in UTF-16 without a mark", "convert it: iconv -f UTF-16BE -t UTF-8");

/// The first bytes of files that are no text.
const MARKS: &[(&[u8], FileKind)] = &[
    (b"RCPACK\r\n", FileKind::Pack),
    (&[0x1F, 0x8B], FileKind::Compressed("gzip", "gzip -dc")),
    (&[0x28, 0xB5, 0x2F, 0xFD], FileKind::Compressed("zstd", "zstd -dc")),
    (b"BZh", FileKind::Compressed("bzip2", "bzip2 -dc")),
    (&[0xFD, b'7', b'z', b'X', b'Z', 0], FileKind::Compressed("xz", "xz -dc")),
    (b"PK\x03\x04", FileKind::Compressed("zip", "unzip -p")),
    (b"7z\xBC\xAF\x27\x1C", FileKind::Archive("a 7-Zip archive")),
    (b"Rar!\x1A\x07", FileKind::Archive("a RAR archive")),
    (b"WARC/1.", FileKind::Archive("a WARC file")),
    (&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], FileKind::Binary("an XLS or DOC document")),
    (b"\x7FELF", FileKind::Binary("an executable (ELF)")),
    (b"MZ\x90\0", FileKind::Binary("an executable (PE)")),
    (&[0xCF, 0xFA, 0xED, 0xFE], FileKind::Binary("an executable (Mach-O)")),
    (b"%PDF-", FileKind::Binary("a PDF document")),
    (b"\x89PNG\r\n", FileKind::Binary("a PNG image")),
    (&[0xFF, 0xD8, 0xFF], FileKind::Binary("a JPEG image")),
    (b"GIF8", FileKind::Binary("a GIF image")),
    (b"SQLite format 3\0", FileKind::Binary("an SQLite database")),
];

impl FileKind {
    /// Recognizes a file by its first bytes and its name.
    pub(crate) fn of(name: &str, body: &[u8]) -> Self {
        // The mark of a compiled form is two letters; the version after it is a control character, which starts no line
        // of a robots.txt.
        match body {
            [b'R', b'P', version, ..] if is_version(*version) => return Self::Program,
            [b'R', b'A', version, ..] if is_version(*version) => return Self::Policy,
            [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => return UTF_32,
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => return Self::Utf16,
            _ => {}
        }
        if let Some((_, kind)) = MARKS.iter().find(|(mark, _)| body.starts_with(mark)) {
            return *kind;
        }
        if BodyKind::of_mark(body) == Some(BodyKind::Compressed) {
            return Self::Compressed("zlib", "pigz -dc");
        }
        if body.get(257..262) == Some(b"ustar") {
            return Self::Archive("a tar archive");
        }
        let head = &body[..body.len().min(HEAD_BYTES)];
        let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
        if text.starts_with(b"<") {
            Self::Markup
        } else if is_rule_sets(name, text) {
            Self::RuleSets
        } else if head.contains(&0) {
            match BodyKind::of(head, &Dialect::GOOGLE) {
                BodyKind::Utf16 if head.starts_with(&[0]) => UTF_16_BE,
                BodyKind::Utf16 => UTF_16_LE,
                _ => Self::Nul,
            }
        } else {
            Self::Text
        }
    }

    /// Reports whether these bytes begin as a mark of a file that is no text, and more bytes decide.
    pub(crate) fn begins_as_other(head: &[u8]) -> bool {
        MARKS.iter().any(|(mark, _)| head.len() < mark.len() && mark.starts_with(head))
    }

    /// Returns what a file of this kind is, if it cannot hold a robots.txt at all.
    pub(crate) fn other_than_text(self) -> Option<String> {
        match self {
            Self::Text | Self::Markup | Self::Utf16 | Self::Wide(..) | Self::Nul => None,
            Self::Program | Self::Policy => Some("it is a compiled program".to_owned()),
            Self::Pack => Some("it is a policy pack".to_owned()),
            Self::RuleSets => Some("it declares rule sets".to_owned()),
            Self::Compressed(format, _) => Some(format!("it is compressed ({format})")),
            Self::Archive(what) | Self::Binary(what) => Some(format!("it is {what}")),
        }
    }

    /// Checks that a file of this kind can hold a robots.txt at all.
    ///
    /// # Errors
    /// If it cannot; says what to do with it.
    pub(crate) fn check_is_text(self, name: &str) -> Result<(), Failure> {
        let Some(what) = self.other_than_text() else { return Ok(()) };
        let way_out = match self {
            Self::Program | Self::Policy => "give the robots.txt that it was compiled from".to_owned(),
            Self::Pack => format!("use 'robotsc inspect {name} ORIGIN' or 'robotsc filter --pack {name}'"),
            Self::RuleSets => format!("'robotsc check --rules {name}#NAME' answers by it"),
            // The server sends it compressed, and does not say so.
            Self::Compressed(_, command) if name.starts_with("http") => {
                format!("decompress it: curl -s {name} | {command} | robotsc ... -")
            }
            Self::Compressed(_, command) if name == files::STDIN_NAME => {
                format!("decompress it: ... | {command} | robotsc ... -")
            }
            Self::Compressed(_, command) => format!("decompress it: {command} {name} | robotsc ... -"),
            Self::Archive(_) => "extract the robots.txt, or use 'robotsc pack build'".to_owned(),
            _ => "give a robots.txt".to_owned(),
        };
        Err(Failure::new(format_args!("not a robots.txt: {name}: {what}: {way_out}")))
    }

    /// Returns what is unusual about a text of this kind, and how to mend it; `None` if nothing is.
    pub(crate) fn suspicion(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Markup => Some(("it is HTML or XML", "fetch the robots.txt itself")),
            Self::Utf16 => Some(("it is text in UTF-16", "convert it: iconv -f UTF-16 -t UTF-8")),
            Self::Wide(what, way_out) => Some((what, way_out)),
            Self::Nul => Some(("it contains NUL bytes, each of which ends its line", "remove them: tr -d '\\000'")),
            _ => None,
        }
    }
}

/// Checks that a body is a robots.txt. `verb` is what is done with it: read, edit.
///
/// # Errors
/// If it is another text, or none of its directives counts.
pub(crate) fn check_is_robots(name: &str, robots: &RobotsTxt<'_>, verb: &str) -> Result<(), Failure> {
    let Some(BodyFault { what, way_out }) = BodyFault::of(robots) else { return Ok(()) };
    Err(Failure::new(format_args!("not a robots.txt: {name}: {what}: {way_out}, or {verb} it as it is with --force")))
}

/// Whether a byte can be the version of a compiled form.
fn is_version(byte: u8) -> bool {
    byte.is_ascii_control() && !byte.is_ascii_whitespace()
}

/// Whether a text declares rule sets in RON: by its name, or because it is a list or tuple of RON with rules.
fn is_rule_sets(name: &str, text: &[u8]) -> bool {
    let is_named = name.len() > ".ron".len() && name.to_ascii_lowercase().ends_with(".ron");
    let mut rest = text;
    loop {
        rest = rest.trim_ascii_start();
        let end = if rest.starts_with(b"//") || rest.starts_with(b"#![enable") {
            rest.iter().position(|byte| *byte == b'\n')
        } else if rest.starts_with(b"/*") {
            rest.windows(2).position(|pair| pair == b"*/").map(|at| at + 1)
        } else {
            break;
        };
        rest = end.and_then(|end| rest.get(end + 1..)).unwrap_or_default();
    }
    let opens = matches!(rest.first(), Some(b'[' | b'('));
    is_named || (opens && rest.windows(6).any(|word| word == b"rules:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_recognized() {
        for (name, body, kind) in [
            ("robots.txt", &b"User-agent: *\nDisallow: /\n"[..], FileKind::Text),
            ("robots.txt", b"", FileKind::Text),
            ("robots.txt", b"RP: x\n", FileKind::Text),
            ("robots.txt", b"RA\nRP\n", FileKind::Text),
            ("site", b"RP\x01\0", FileKind::Program),
            ("site", b"RA\x02\0", FileKind::Policy),
            ("x", b"RCPACK\r\n\x01", FileKind::Pack),
            ("x", b"\x1f\x8b\x08", FileKind::Compressed("gzip", "gzip -dc")),
            ("ls", b"\x7fELF\x02\x01", FileKind::Binary("an executable (ELF)")),
            ("x", b"\xef\xbb\xbf \r\n<!DOCTYPE html>", FileKind::Markup),
            ("x", b"\xff\xfeU\0", FileKind::Utf16),
            ("x", b"\xff\xfe\0\0U\0\0\0", UTF_32),
            ("x", b"\0\0\xfe\xff\0\0\0U", UTF_32),
            ("x", b"U\0s\0e\0r\0-\0a\0g\0e\0n\0t\0:\0*\0", UTF_16_LE),
            ("x", b"\0U\0s\0e\0r\0-\0a\0g\0e\0n\0t\0:\0*", UTF_16_BE),
            ("x", b"\x78\x9c\x0b-N-\0", FileKind::Compressed("zlib", "pigz -dc")),
            ("x", b"User-agent: *\0\n", FileKind::Nul),
            ("shop.RON", b"", FileKind::RuleSets),
            ("x", b"// a\n/* b */ [\n (name: \"shop\", rules: [])]", FileKind::RuleSets),
            ("x", b"[1, 2]", FileKind::Text),
            ("x", b"// a", FileKind::Text),
            ("x", b"/*", FileKind::Text),
        ] {
            assert_eq!(FileKind::of(name, body), kind, "{name} {}", body.escape_ascii());
        }
    }
}
