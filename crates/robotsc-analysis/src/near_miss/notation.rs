//! Patterns in another notation than that of robots.txt, as they would be written in it: lists of paths, regular
//! expressions, placeholders of routers and templates.
//!
//! ```text
//! /a, /b               /a    /b
//! ^/(a|b)/\d+\.php     /a/*.php    /b/*.php
//! /*.{pdf,doc}         /*.pdf    /*.doc
//! /u/:id/{{page}}      /u/*/
//! ```

use robotsc_compiler::notation::separator;
use robotsc_compiler::small_sort::SmallSort as _;

use crate::text::part::replaced;
use crate::text::placeholder::{marked, without_placeholders};

/// The maximum number of patterns that one stands for.
const MAX_PATTERNS: usize = 16;
/// The maximum depth of brackets.
const MAX_DEPTH: usize = 4;

/// Returns the paths of a list in the place of a pattern, of which there are two at least: between blanks, or between
/// signs outside of a query. Those that a path begins with come first.
pub(super) fn listed<'v>(value: &'v [u8], path: &[u8]) -> Vec<&'v [u8]> {
    let is_path = |part: &&[u8]| matches!(part, [b'/' | b'*', _, ..]);
    let is_joint = |part: &[u8]| matches!(part, b"" | b"and" | b"or" | b"|" | b"&" | b"+" | b"," | b";");
    let bare = |word: &'v [u8]| match word {
        [rest @ .., b',' | b';' | b'|'] => rest,
        _ => word,
    };
    let words = value.split(|byte| matches!(byte, b' ' | b'\t')).map(bare).filter(|word| !is_joint(word));
    let mut parts: Vec<&[u8]> = words.collect();
    if let [word] = parts[..]
        && !word.contains(&b'?')
    {
        let sign = separator(word, |part| is_path(&part));
        parts = sign.map_or_else(Vec::new, |sign| word.split(|byte| *byte == sign).collect());
    }
    if parts.len() < 2 || !parts.iter().all(is_path) {
        return Vec::new();
    }
    let is_start = |part: &&[u8]| {
        let head = part.split(|byte| *byte == b'*').next().unwrap_or_default();
        let shared = head.iter().zip(path).take_while(|(one, other)| one.eq_ignore_ascii_case(other)).count();
        std::cmp::Reverse(shared)
    };
    parts.small_sort_by_key(is_start);
    parts.truncate(MAX_PATTERNS);
    parts
}

/// Returns the patterns that one in another notation stands for; none if it is in no other.
pub(super) fn without_notation(pattern: &[u8]) -> Vec<Vec<u8>> {
    if is_for_all(pattern) {
        return vec![b"/*".to_vec()];
    }
    let text = without_stand_ins(&without_templates(&replaced(pattern, b"&amp;", b"&")));
    // An optional slash at the end.
    let ends: &[&[u8]] = if text.len() > 3 && text.ends_with(b"/?$") { &[b"$", b"/$"] } else { &[] };
    let texts = match ends {
        [] => vec![text],
        ends => ends.iter().map(|end| [&text[..text.len() - 3], *end].concat()).collect(),
    };
    let read = |text: &Vec<u8>| Reader { text, at: 0 }.alternatives(0);
    let mut written: Vec<Vec<u8>> = texts.iter().flat_map(read).map(|text| finished(&text)).collect();
    written.retain(|text| text != pattern && super::says_something(text));
    written
}

/// Reports whether a pattern is a regular expression for all paths, such as `.*` and `^/.*$`.
pub(super) fn is_for_all(pattern: &[u8]) -> bool {
    let is_sign = |byte: &u8| b"^/.*+$()".contains(byte);
    pattern.iter().all(is_sign) && pattern.windows(2).any(|pair| matches!(pair, [b'.', b'*' | b'+']))
}

/// Returns a pattern without the signs around it, with one `*` for several, and with `*` for placeholders.
fn finished(text: &[u8]) -> Vec<u8> {
    let is_quote = |byte: &u8| b"\"'`".contains(byte);
    let from = text.iter().position(|byte| !is_quote(byte)).unwrap_or(text.len());
    let to = text.iter().rposition(|byte| !is_quote(byte) && !b",;".contains(byte)).map_or(from, |at| at + 1);
    let mut text = text[from..to.max(from)].to_vec();
    text.dedup_by(|next, last| *next == b'*' && *last == b'*');
    match without_placeholders(&text) {
        Some((_, text)) => text,
        None => text,
    }
}

/// Returns a pattern with `*` for what templates replace: `{{ id }}`, `${id}`.
fn without_templates(pattern: &[u8]) -> Vec<u8> {
    let mut text = pattern.to_vec();
    while let Some(found) = marked(&text).map(<[u8]>::to_vec) {
        text = replaced(&text, &found, b"*");
    }
    // At the end it adds nothing.
    if text != pattern && text.ends_with(b"/*") {
        text.pop();
    }
    text
}

/// Returns a pattern with `*` for segments that stand for any text, `/$id/` and `/%s/`, and without a `%` or dots that
/// were left at its end: `/x%`, `/x...`.
fn without_stand_ins(pattern: &[u8]) -> Vec<u8> {
    let end = pattern.iter().position(|byte| *byte == b'?').unwrap_or(pattern.len());
    let is_word = |name: &[u8]| name.len() > 1 && name.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_');
    let stands_in = |segment: &[u8]| match segment {
        [b'$', name @ ..] => is_word(name),
        [b'%', b's' | b'd'] => true,
        _ => false,
    };
    let segments = pattern[..end].split(|byte| *byte == b'/');
    let written: Vec<&[u8]> = segments.map(|segment| if stands_in(segment) { b"*" } else { segment }).collect();
    let mut text = [&written.join(&b'/'), &pattern[end..]].concat();
    if text != pattern && text.ends_with(b"/*") {
        text.pop();
    }
    for left in [&b"..."[..], b"%E2%80%A6", b"%"] {
        if let Some(rest) = text.strip_suffix(left).filter(|rest| rest.len() > 2 && !rest.ends_with(b"/")) {
            return rest.to_vec();
        }
    }
    text
}

/// Reads a regular expression.
struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    /// Returns the patterns of alternatives, up to the bracket that closes them.
    fn alternatives(&mut self, depth: usize) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        let mut written = vec![Vec::new()];
        while let Some(byte) = self.text.get(self.at).copied() {
            let rest = &self.text[self.at..];
            let mut atom = |reader: &mut Self, length: usize, with: &[u8]| {
                reader.at += length;
                written.iter_mut().for_each(|text| text.extend_from_slice(with));
            };
            match rest {
                [b'|', ..] if depth > 0 => {
                    self.at += 1;
                    all.append(&mut std::mem::replace(&mut written, vec![Vec::new()]));
                }
                [b')', ..] if depth > 0 => break,
                [b'(', ..] if depth < MAX_DEPTH && is_group(rest) => {
                    self.at += if rest.starts_with(b"(?:") { 3 } else { 1 };
                    let inner = self.alternatives(depth + 1);
                    self.at += 1;
                    self.skip(|byte| byte == b'+');
                    written = product(&written, &inner);
                }
                [b'{', ..] if braces(rest).is_some() => {
                    let inner = braces(rest).unwrap_or_default();
                    self.at += inner.len() + 2;
                    let choices: Vec<Vec<u8>> = inner.split(|byte| *byte == b',').map(<[u8]>::to_vec).collect();
                    written = product(&written, &choices);
                }
                [b'\\', b'd' | b'w' | b's' | b'D' | b'W' | b'S', ..] => {
                    atom(self, 2, b"*");
                    self.skip_count();
                }
                [b'\\', sign, ..] if sign.is_ascii_punctuation() && *sign != b'\\' => atom(self, 2, &[*sign]),
                [b'[', ..] if class(rest).is_some() => {
                    atom(self, class(rest).unwrap_or_default(), b"*");
                    self.skip_count();
                }
                [b'.', b'*' | b'+', ..] => atom(self, 2, b"*"),
                [b'^', ..] if self.at == 0 || self.text[self.at - 1] == b'/' => self.at += 1,
                _ => atom(self, 1, &[byte]),
            }
        }
        all.append(&mut written);
        all.truncate(MAX_PATTERNS);
        all
    }

    fn skip(&mut self, is_skipped: fn(u8) -> bool) {
        while self.text.get(self.at).is_some_and(|byte| is_skipped(*byte)) {
            self.at += 1;
        }
    }

    /// Goes on after a `+`, a `*` or `{2,3}`.
    fn skip_count(&mut self) {
        self.skip(|byte| matches!(byte, b'+' | b'*'));
        let rest = &self.text[self.at..];
        if let Some(length) = rest.iter().position(|byte| *byte == b'}')
            && rest[0] == b'{'
            && rest[1..length].iter().all(|byte| byte.is_ascii_digit() || *byte == b',')
        {
            self.at += length + 1;
        }
    }
}

/// Returns each text with each choice after it.
fn product(texts: &[Vec<u8>], choices: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let with = |text: &Vec<u8>| choices.iter().map(|choice| [&text[..], choice].concat()).collect::<Vec<_>>();
    texts.iter().flat_map(with).take(MAX_PATTERNS).collect()
}

/// Reports whether a bracket begins a group of a regular expression: names such as `Foo_(bar)` have brackets, too.
fn is_group(text: &[u8]) -> bool {
    let mut depth = 0;
    let mut has_sign = false;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        has_sign |= matches!(byte, b'|' | b'\\') || matches!(text[at..], [b'.', b'*' | b'+', ..]);
        if depth == 0 {
            return has_sign;
        }
    }
    false
}

/// Returns what is between braces, if it is several words.
fn braces(text: &[u8]) -> Option<&[u8]> {
    let inner = &text[1..text.iter().position(|byte| *byte == b'}')?];
    let is_word = |word: &[u8]| !word.is_empty() && !word.contains(&b'{');
    (inner.contains(&b',') && inner.split(|byte| *byte == b',').all(is_word)).then_some(inner)
}

/// Returns the length of a class of characters: `[0-9]`, `[^/]`.
fn class(text: &[u8]) -> Option<usize> {
    let length = text.iter().position(|byte| *byte == b']')?;
    let inner = &text[1..length];
    let is_end = u8::is_ascii_alphanumeric;
    let is_range = |range: &[u8]| matches!(range, [first, b'-', last] if is_end(first) && is_end(last) && first < last);
    (inner.starts_with(b"^") && inner.len() > 1 || inner.windows(3).any(is_range)).then_some(length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_other_notations() {
        let shown = |found: Vec<Vec<u8>>| {
            found.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect::<Vec<_>>().join(" ")
        };
        for (pattern, wanted) in [
            ("^/a/.*\\.php$", "/a/*.php$"),
            ("/(a|b)/", "/a/ /b/"),
            ("/(?:a|b)/(c|d)", "/a/c /a/d /b/c /b/d"),
            ("/((a|b)x|c)", "/ax /bx /c"),
            ("/*.(pdf|doc)$", "/*.pdf$ /*.doc$"),
            ("/*\\.(pdf|doc)$", "/*.pdf$ /*.doc$"),
            ("/*.{pdf,doc}", "/*.pdf /*.doc"),
            ("/x/\\w+/y", "/x/*/y"),
            ("/x/\\d{2,3}", "/x/*"),
            ("/x/[0-9]+/y", "/x/*/y"),
            ("/x/[^/]*/y", "/x/*/y"),
            ("/x/.*.pdf", "/x/*.pdf"),
            ("/x/?$", "/x$ /x/$"),
            ("/.*", "/*"),
            (".*", "/*"),
            ("^/.*$", "/*"),
            ("/x/{{id}}", "/x/"),
            ("/x/{{id}}/y", "/x/*/y"),
            ("/x/${id}/y", "/x/*/y"),
            ("/u/:id/edit", "/u/*/edit"),
            ("\"/a\"", "/a"),
            ("/a?b&amp;c", "/a?b&c"),
            ("/$id/x", "/*/x"),
            ("/a/%s", "/a/"),
            ("/ab%", "/ab"),
            ("/ab...", "/ab"),
            ("/ab%E2%80%A6", "/ab"),
            // What is in no other notation, or for all that has any name.
            ("/wiki/Foo_(bar)", ""),
            ("/a[id]=1", ""),
            ("/a.b", ""),
            ("/a/*/b$", ""),
            ("/x{2}", ""),
            ("/[a-z]+", ""),
            ("/(", ""),
            ("/(a|b", ""),
            ("/a)|b", ""),
            ("/{a", ""),
            ("/\\", ""),
            ("/[^", ""),
        ] {
            assert_eq!(shown(without_notation(pattern.as_bytes())), wanted, "{pattern}");
        }
        let many = format!("/{}", "(a|b)".repeat(100));
        assert!(without_notation(many.as_bytes()).len() <= MAX_PATTERNS);
        let deep = format!("/{}a|b{}", "(".repeat(500), ")".repeat(500));
        assert!(without_notation(deep.as_bytes()).len() <= MAX_PATTERNS);
    }

    #[test]
    fn lists_of_paths() {
        for (value, path, wanted) in [
            ("/a, /b", "/b/1", "/b /a"),
            ("/a /b", "/a", "/a /b"),
            ("/a,/b", "/a", "/a /b"),
            ("/a;/b", "/b", "/b /a"),
            ("/a|/b|/c", "/c", "/c /a /b"),
            ("/a and *.pdf", "/a", "/a *.pdf"),
            ("/a?x=1 /b", "/b", "/b /a?x=1"),
            ("/a?x=1,/b", "/b", ""),
            ("/a,b", "/b", ""),
            ("/my files/", "/my", ""),
            ("/a", "/a", ""),
            ("", "/a", ""),
        ] {
            let found: Vec<_> =
                listed(value.as_bytes(), path.as_bytes()).into_iter().map(String::from_utf8_lossy).collect();
            assert_eq!(found.join(" "), wanted, "{value}");
        }
    }
}
