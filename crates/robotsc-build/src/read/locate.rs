//! Where the values of a RON file stand: a tree of byte spans.
//!
//! The RON library reads values and tells the place of what it refuses, but not where a value stood that it took. This
//! reads the same text once more, for places only: it knows brackets, commas, comments, strings and words, and takes no
//! offence at anything. Where it does not understand a text it gives up, and errors then point to the file alone.

use std::ops::Range;

/// How deep values may stand in each other; the RON library stops at 128.
const MAX_DEPTH: usize = 200;

/// The place of a value and of all values in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Node {
    /// The whole value, its name (`Deny`) included.
    pub(crate) span: Range<usize>,
    /// Fields of a struct, in order: the name's place, the name, the value.
    fields: Vec<(Range<usize>, String, Node)>,
    /// Elements of a list or a tuple, or keys and values of a map.
    items: Vec<Node>,
    /// Whether it is written `Some(…)`.
    is_some: bool,
}

impl Node {
    /// The places in `text`.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let mut reader = Reader { text, at: if text.starts_with('\u{FEFF}') { 3 } else { 0 } };
        reader.skip_space()?;
        while reader.rest().starts_with("#![") {
            reader.at += reader.rest().find(']')? + 1;
            reader.skip_space()?;
        }
        reader.value(0)
    }

    fn inner(&self) -> &Self {
        match (self.is_some, self.items.as_slice()) {
            (true, [inner]) => inner.inner(),
            _ => self,
        }
    }

    /// The value of a field; where there is none, this value.
    pub(crate) fn field(&self, name: &str) -> &Self {
        let node = self.inner();
        node.fields.iter().find(|(_, field, _)| field == name).map_or(node, |(_, _, value)| value.inner())
    }

    /// An element; where there is none, this value.
    pub(crate) fn item(&self, index: usize) -> &Self {
        let node = self.inner();
        node.items.get(index).map_or(node, Self::inner)
    }

    /// The place of a field's name.
    #[cfg(test)]
    fn field_name(&self, name: &str) -> Option<Range<usize>> {
        self.fields.iter().find(|(_, field, _)| field == name).map(|(span, _, _)| span.clone())
    }

    /// The text of a field's value.
    pub(crate) fn text_of<'t>(&self, name: &str, text: &'t str) -> Option<&'t str> {
        let node = self.inner();
        let (_, _, value) = node.fields.iter().find(|(_, field, _)| field == name)?;
        text.get(value.inner().span.clone())
    }
}

/// Where a part of a string's value stands in the text: `literal` is the place of the whole string, quotes included.
pub(crate) fn within(text: &str, literal: &Range<usize>, part: Range<usize>) -> Range<usize> {
    let Some(written) = text.get(literal.clone()) else { return literal.clone() };
    let Some(quote) = written.find('"') else { return literal.clone() };
    let is_raw = written.starts_with('r');
    let content = literal.start + quote + 1;
    if is_raw {
        let end = literal.end.max(content);
        return (content + part.start).min(end)..(content + part.end).min(end);
    }
    // The place in the text of each byte of the value: escapes are longer than what they stand for.
    let (mut start, mut end) = (None, None);
    let mut value = 0;
    let mut rest = &written[quote + 1..];
    loop {
        let at = literal.start + written.len() - rest.len();
        if start.is_none() && value >= part.start {
            start = Some(at);
        }
        if end.is_none() && value >= part.end {
            end = Some(at);
        }
        let mut chars = rest.chars();
        let (taken, bytes) = match chars.next() {
            None | Some('"') => break,
            Some('\\') => match chars.next() {
                Some('x') => (4, 1),
                Some('u') => {
                    let len = rest.find('}').map_or(rest.len(), |at| at + 1);
                    let digits = rest.get(3..len.saturating_sub(1)).unwrap_or_default();
                    let char = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
                    (len, char.map_or(1, char::len_utf8))
                }
                Some(_) => (2, 1),
                None => break,
            },
            Some(char) => (char.len_utf8(), char.len_utf8()),
        };
        value += bytes;
        let Some(next) = rest.get(taken..) else { break };
        rest = next;
    }
    let last = literal.end.saturating_sub(1).max(literal.start);
    let start = start.unwrap_or(last);
    start..end.unwrap_or(last).max(start)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Skips white space and comments.
    fn skip_space(&mut self) -> Option<()> {
        loop {
            let rest = self.rest();
            let trimmed =
                rest.trim_start_matches(|char: char| char.is_whitespace() || matches!(char, '\u{200E}' | '\u{200F}'));
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                self.skip_block_comment()?;
            } else {
                return Some(());
            }
        }
    }

    fn skip_block_comment(&mut self) -> Option<()> {
        let bytes = self.text.as_bytes();
        let mut depth = 0;
        loop {
            match bytes.get(self.at..self.at + 2)? {
                b"/*" => (depth, self.at) = (depth + 1, self.at + 2),
                b"*/" => (depth, self.at) = (depth - 1, self.at + 2),
                _ => self.at += 1,
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    fn take(&mut self, char: char) -> bool {
        let found = self.rest().starts_with(char);
        if found {
            self.at += char.len_utf8();
        }
        found
    }

    fn value(&mut self, depth: usize) -> Option<Node> {
        if depth > MAX_DEPTH {
            return None;
        }
        let start = self.at;
        let mut node = Node::default();
        match self.rest().chars().next()? {
            '(' => self.group(')', depth, &mut node)?,
            '[' => self.group(']', depth, &mut node)?,
            '{' => self.group('}', depth, &mut node)?,
            _ => {
                if self.string().is_none() {
                    let word = self.word()?;
                    let end = self.at;
                    self.skip_space()?;
                    if self.rest().starts_with('(') {
                        node.is_some = word == "Some";
                        self.group(')', depth, &mut node)?;
                    } else {
                        self.at = end;
                    }
                }
            }
        }
        node.span = start..self.at;
        Some(node)
    }

    /// What stands between brackets.
    fn group(&mut self, close: char, depth: usize, node: &mut Node) -> Option<()> {
        self.at += 1;
        loop {
            self.skip_space()?;
            if self.take(close) {
                return Some(());
            }
            let start = self.at;
            let name = if close == ')' { self.field_name() } else { None };
            match name {
                Some((span, name)) => {
                    let value = self.value(depth + 1)?;
                    node.fields.push((span, name, value));
                }
                None => {
                    self.at = start;
                    node.items.push(self.value(depth + 1)?);
                }
            }
            self.skip_space()?;
            // A map has a colon between key and value; the last comma may be missing.
            let separated = self.take(',') || (close == '}' && self.take(':'));
            if !separated && !self.rest().starts_with(close) {
                return None;
            }
        }
    }

    /// `name:` and the space after it.
    fn field_name(&mut self) -> Option<(Range<usize>, String)> {
        let start = self.at;
        let name = self.word()?;
        let span = start..self.at;
        self.skip_space()?;
        if !self.take(':') {
            return None;
        }
        self.skip_space()?;
        Some((span, name.strip_prefix("r#").unwrap_or(name).to_owned()))
    }

    /// A word or a number.
    fn word(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let body = rest.strip_prefix("r#").unwrap_or(rest);
        let is_word = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.' | '+' | '-');
        let end = body.find(|char| !is_word(char)).unwrap_or(body.len());
        let len = rest.len() - body.len() + end;
        self.at += len;
        (end > 0).then(|| &rest[..len])
    }

    /// A string, a byte string or a character, with whatever stands before its quote. Stays where there is none.
    fn string(&mut self) -> Option<()> {
        let rest = self.rest();
        let body = rest.strip_prefix('b').unwrap_or(rest);
        let skipped = rest.len() - body.len();
        if let Some(raw) = body.strip_prefix('r') {
            let hashes = raw.len() - raw.trim_start_matches('#').len();
            let content = raw[hashes..].strip_prefix('"')?;
            let close = format!("\"{}", "#".repeat(hashes));
            self.at += skipped + 1 + hashes + 1 + content.find(&close)? + close.len();
            return Some(());
        }
        let quote = body.chars().next().filter(|char| matches!(char, '"' | '\''))?;
        let mut escaped = false;
        for (at, char) in body.char_indices().skip(1) {
            match char {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if char == quote => {
                    self.at += skipped + at + 1;
                    return Some(());
                }
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = r####"#![enable(implicit_some)]
// A (comment: "with brackets
(
    version: 1, /* nested /* ( */ [ */
    rule_sets: [
        (name: "a\"(b", rules: [Deny(path: "/x"), Permit(regex: r#"/"[(]"#), Some(Deny( query : Some("q")))]),
        RuleSet(r#type: 'x', tuple: (1, -2.5e+3), map: { "k": [()], b"z": {} }, unit: (),),
    ],
)
"####;

    fn shown(node: &Node) -> &str {
        &TEXT[node.span.clone()]
    }

    #[test]
    fn values_are_found() {
        let root = Node::of(TEXT).unwrap();
        assert_eq!(root.text_of("version", TEXT), Some("1"));
        let sets = root.field("rule_sets");
        let first = sets.item(0);
        assert_eq!(shown(first.field("name")), r#""a\"(b""#);
        let rules = first.field("rules");
        assert_eq!(shown(rules.item(0)), r#"Deny(path: "/x")"#);
        assert_eq!(shown(rules.item(0).field("path")), r#""/x""#);
        assert_eq!(shown(rules.item(1).field("regex")), r###"r#"/"[(]"#"###);
        assert_eq!(shown(rules.item(2).field("query")), "\"q\"");
        let second = sets.item(1);
        assert!(shown(second).starts_with("RuleSet("));
        assert_eq!(shown(second.field("type")), "'x'");
        assert_eq!(shown(second.field("tuple").item(1)), "-2.5e+3");
        assert_eq!(shown(second.field("map").item(1).item(0)), "()");
        assert_eq!(&TEXT[second.field_name("unit").unwrap()], "unit");
    }

    #[test]
    fn what_is_not_there_is_where_it_would_be() {
        let root = Node::of(TEXT).unwrap();
        let first = root.field("rule_sets").item(0);
        assert_eq!(first.field("origins").item(3), first);
        assert_eq!(root.field("rule_sets").item(7), root.field("rule_sets"));
    }

    #[test]
    fn parts_of_strings() {
        for (literal, part, found) in [
            (r#""abc""#, 1..2, "b"),
            (r#""a\nb""#, 2..3, "b"),
            (r#""a\nb""#, 1..2, r"\n"),
            (r#""\u{e4}b""#, 2..3, "b"),
            (r#""\xc3\xa4b""#, 2..3, "b"),
            (r#""äb""#, 2..3, "b"),
            (r##"r#"a"b"#"##, 2..3, "b"),
            (r#""ab""#, 2..2, ""),
            (r#""ab""#, 1..9, "b"),
            (r#""a\\b""#, 1..2, r"\\"),
        ] {
            let text = format!("( {literal} )");
            let span = within(&text, &(2..2 + literal.len()), part.clone());
            assert_eq!(&text[span], found, "{literal} {part:?}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        assert_eq!(Node::of(&"(".repeat(1 << 20)), None);
        assert_eq!(Node::of(&"[".repeat(1 << 20)), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read(
            text in "[\\[\\](){}:,\"'\\\\/*#rbS \n\u{e4}a1]{0,40}",
            start in 0_usize..50,
            end in 0_usize..50,
        ) {
            if let Some(node) = Node::of(&text) {
                prop_assert!(text.get(node.span.clone()).is_some());
                let _ = within(&text, &node.span, start..end);
            }
        }
    }
}
