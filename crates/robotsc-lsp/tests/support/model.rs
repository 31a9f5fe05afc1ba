//! A plain model of a document: UTF-16 code units, and positions that count them.

use serde_json::{Value, json};

/// A document as UTF-16.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Model {
    units: Vec<u16>,
}

/// Where the cursor is, and what is selected.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cursor {
    pub(crate) position: Value,
}

const CR: u16 = b'\r' as u16;
const LF: u16 = b'\n' as u16;

impl Model {
    pub(crate) fn new(text: &str) -> Self {
        Self { units: text.encode_utf16().collect() }
    }

    /// Reads a text in which `‸` is the cursor, `␍` a CR, and `␄` the end.
    pub(crate) fn with_cursor(text: &str) -> (Self, Cursor) {
        let text = text.split('␄').next().unwrap_or_default().replace('␍', "\r");
        let at = text.find('‸');
        let before = Self::new(at.map_or("", |at| &text[..at]));
        let model = Self::new(&text.replace('‸', ""));
        let position = model.position(before.units.len());
        (model, Cursor { position })
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf16_lossy(&self.units)
    }

    /// Returns the units that an edit can start or end at: not within a character, nor within CRLF.
    pub(crate) fn boundaries(&self) -> Vec<usize> {
        let is_within = |at: usize| {
            let before = at.checked_sub(1).map(|at| self.units[at]);
            let after = self.units.get(at).copied();
            (before == Some(CR) && after == Some(LF)) || after.is_some_and(|unit| (0xDC00..0xE000).contains(&unit))
        };
        (0..=self.units.len()).filter(|at| !is_within(*at)).collect()
    }

    /// Returns the position of a unit.
    pub(crate) fn position(&self, at: usize) -> Value {
        let (mut line, mut character) = (0, 0);
        for (index, unit) in self.units[..at].iter().enumerate() {
            let is_end = *unit == LF || (*unit == CR && self.units.get(index + 1) != Some(&LF));
            if is_end {
                (line, character) = (line + 1, 0);
            } else {
                character += 1;
            }
        }
        json!({ "line": line, "character": character })
    }

    /// Returns the unit of a position, which must be in the document.
    pub(crate) fn unit(&self, position: &Value) -> usize {
        let number = |key: &str| position[key].as_u64().expect("a number") as usize;
        let mut start = 0;
        for _ in 0..number("line") {
            let end = self.line_end(start);
            assert!(end < self.units.len(), "{position} is beyond the last line");
            start = end + if self.units[end..].starts_with(&[CR, LF]) { 2 } else { 1 };
        }
        let at = start + number("character");
        assert!(at <= self.line_end(start), "{position} is beyond its line in {:?}", self.text());
        at
    }

    fn line_end(&self, start: usize) -> usize {
        let length = self.units[start..].iter().position(|unit| matches!(*unit, CR | LF));
        length.map_or(self.units.len(), |length| start + length)
    }

    /// Returns the text of a range, which must be in the document.
    pub(crate) fn part(&self, range: &Value) -> String {
        let (start, end) = (self.unit(&range["start"]), self.unit(&range["end"]));
        assert!(start <= end, "{range}");
        String::from_utf16(&self.units[start..end]).expect("whole characters")
    }

    /// Applies a change of the protocol.
    pub(crate) fn apply(&mut self, change: &Value) {
        let text = change["text"].as_str().expect("a text").encode_utf16();
        match change.get("range").filter(|range| !range.is_null()) {
            None => self.units = text.collect(),
            Some(range) => {
                let (start, end) = (self.unit(&range["start"]), self.unit(&range["end"]));
                self.units.splice(start..end, text);
            }
        }
    }

    /// Applies edits, which are all about the text before them.
    pub(crate) fn edited(&self, edits: &Value) -> Self {
        let mut edits: Vec<(usize, usize, Vec<u16>)> = edits
            .as_array()
            .expect("a list of edits")
            .iter()
            .map(|edit| {
                let range = &edit["range"];
                let text = edit["newText"].as_str().expect("a text").encode_utf16().collect();
                (self.unit(&range["start"]), self.unit(&range["end"]), text)
            })
            .collect();
        edits.sort();
        let mut units = Vec::new();
        let mut at = 0;
        for (start, end, text) in edits {
            assert!(at <= start && start <= end, "edits overlap");
            units.extend_from_slice(&self.units[at..start]);
            units.extend(text);
            at = end;
        }
        units.extend_from_slice(&self.units[at..]);
        Self { units }
    }
}
