//! The parts of a line: the key before the colon, the value, the comment, and what the parser made of them.

use std::ops::Range as Bytes;

use robotsc::RobotsTxt;
use robotsc::record::Record;
use robotsc::robots_txt::{AgentLine, ByteSpan, RuleLine};

use crate::positions::Positions;

/// What the parser made of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Item<'r> {
    Agent(&'r AgentLine),
    Rule(&'r RuleLine),
    Record(&'r Record),
}

impl Item<'_> {
    pub(crate) const fn line(&self) -> u32 {
        match self {
            Self::Agent(agent) => agent.line,
            Self::Rule(rule) => rule.line,
            Self::Record(record) => record.line,
        }
    }

    pub(crate) const fn value(&self) -> ByteSpan {
        match self {
            Self::Agent(agent) => agent.value,
            Self::Rule(rule) => rule.value,
            Self::Record(record) => record.value,
        }
    }
}

/// Returns what the parser made of a line, from 1; `None` if it made nothing of it.
pub(crate) fn item<'r>(robots: &'r RobotsTxt<'_>, line: u32) -> Option<Item<'r>> {
    let agent = robots.agents().binary_search_by_key(&line, |agent| agent.line).ok();
    let rule = || robots.rules().binary_search_by_key(&line, |rule| rule.line).ok();
    let record = || robots.records().binary_search_by_key(&line, |record| record.line).ok();
    let agent = agent.map(|at| Item::Agent(&robots.agents()[at]));
    agent
        .or_else(|| rule().map(|at| Item::Rule(&robots.rules()[at])))
        .or_else(|| record().map(|at| Item::Record(&robots.records()[at])))
}

/// Returns all that the parser made of a file, in the order of the lines.
pub(crate) fn items<'r>(robots: &'r RobotsTxt<'_>) -> Vec<Item<'r>> {
    let agents = robots.agents().iter().map(Item::Agent);
    let rules = robots.rules().iter().map(Item::Rule);
    let mut items: Vec<Item<'r>> = agents.chain(rules).chain(robots.records().iter().map(Item::Record)).collect();
    items.sort_by_key(Item::line);
    items
}

/// The parts of a line as written, in bytes of the text, trimmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineParts {
    /// All before the colon; the whole line if there is none.
    pub(crate) key: Bytes<usize>,
    /// Where the colon is.
    pub(crate) colon: Option<usize>,
    /// All after it, up to the comment.
    pub(crate) value: Bytes<usize>,
    /// From the `#` on.
    pub(crate) comment: Option<Bytes<usize>>,
}

impl LineParts {
    /// Reads a line, from 0.
    pub(crate) fn new(text: &str, positions: &Positions<'_>, line: u32) -> Self {
        let whole = positions.line(line);
        let bytes = &text.as_bytes()[whole.clone()];
        let at = |byte: u8, within: &[u8]| within.iter().position(|other| *other == byte).map(|at| whole.start + at);
        let comment = at(b'#', bytes).map(|hash| hash..whole.end);
        let end = comment.as_ref().map_or(whole.end, |comment| comment.start);
        let colon = at(b':', &bytes[..end - whole.start]);
        let key = trimmed(text, whole.start..colon.unwrap_or(end));
        let value = colon.map_or(end..end, |colon| trimmed(text, colon + 1..end));
        Self { key, colon, value, comment }
    }
}

/// Returns some bytes of a text without the white space around them.
pub(crate) fn trimmed(text: &str, bytes: Bytes<usize>) -> Bytes<usize> {
    let part = &text.as_bytes()[bytes.clone()];
    let start = bytes.start + (part.len() - part.trim_ascii_start().len());
    start..(start + part.trim_ascii().len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::Encoding;

    #[test]
    fn parts_of_lines() {
        for (line, key, value, comment) in [
            ("Disallow: /é # x:y", "Disallow", "/é", "# x:y"),
            (" Disallow :/a", "Disallow", "/a", ""),
            ("Disallow", "Disallow", "", ""),
            ("Disallow:", "Disallow", "", ""),
            ("# a: b", "", "", "# a: b"),
            ("", "", "", ""),
            ("Sitemap: https://h/x", "Sitemap", "https://h/x", ""),
        ] {
            let text = format!("\r\n{line}\r\n");
            let parts = LineParts::new(&text, &Positions::new(&text, Encoding::Utf16), 1);
            let comment_text = parts.comment.clone().map_or("", |comment| &text[comment]);
            assert_eq!((&text[parts.key.clone()], &text[parts.value.clone()], comment_text), (key, value, comment));
            assert_eq!(parts.colon.is_some(), line.split('#').next().is_some_and(|line| line.contains(':')));
        }
    }
}
