//! Random rules, paths and bodies over alphabets so small that they collide: wildcards, anchors, ties, overlapping
//! prefixes, escapes.
#![allow(dead_code, reason = "each test crate uses a part of this")]

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use robotsc::Dialect;

/// An `Allow` or `Disallow` line.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) allow: bool,
    pub(crate) value: String,
}

/// A path that stands alone, or one that a rule would match.
#[derive(Clone, Debug)]
pub(crate) enum Path {
    Free(String),
    /// The value of the rule at this index (modulo their number), its stars filled, and something after it.
    Of {
        rule: usize,
        fills: Vec<String>,
        after: String,
    },
}

impl Path {
    pub(crate) fn bytes(&self, rules: &[Line]) -> Vec<u8> {
        match self {
            Self::Free(path) => path.clone().into_bytes(),
            Self::Of { rule, fills, after } => {
                let value = rules.get(rule % rules.len().max(1)).map_or("/", |line| line.value.as_str());
                let mut fills = fills.iter().cycle();
                let mut path = String::new();
                for byte in value.strip_suffix('$').unwrap_or(value).chars() {
                    match byte {
                        '*' => path.push_str(fills.next().map_or("", String::as_str)),
                        byte => path.push(byte),
                    }
                }
                path.push_str(after);
                path.into_bytes()
            }
        }
    }
}

/// The value of a rule: mostly one that can match, of up to `longest` pieces.
pub(crate) fn value(longest: usize) -> impl Strategy<Value = String> {
    let start = select(vec!["/", "/", "/", "/", "*", "/*", "/a", "", "$"]);
    let piece = select(vec![
        "a",
        "a",
        "a",
        "b",
        "b",
        "/",
        "*",
        "*",
        "$",
        "ab",
        "ba",
        "?",
        "%61",
        "%2a",
        "%2F",
        "%24",
        "%zz",
        "%",
        "ä",
        ":",
        "index.htm",
        "/index.html",
    ]);
    let end = select(vec!["", "", "", "$", "*", "*$", "**"]);
    (start, vec(piece, 0..longest), end).prop_map(|(start, pieces, end)| format!("{start}{}{end}", pieces.concat()))
}

/// Values of stars and two letters only: what makes automata grow.
pub(crate) fn starry_value(longest: usize) -> impl Strategy<Value = String> {
    let piece = select(vec!["a", "b", "*", "*a", "*b", "ab"]);
    (vec(piece, 0..longest), any::<bool>())
        .prop_map(|(pieces, anchored)| format!("/{}{}", pieces.concat(), if anchored { "$" } else { "" }))
}

/// Lines of these values; some of them twice, with the other kind, or with the head of another.
pub(crate) fn lines(value: impl Strategy<Value = String>, most: usize) -> impl Strategy<Value = Vec<Line>> {
    let line = (any::<bool>(), value).prop_map(|(allow, value)| Line { allow, value });
    let again = vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<bool>()), 0..4);
    (vec(line, 0..most), again).prop_map(|(mut lines, again)| {
        for (line, other, with_other_head) in again {
            if lines.is_empty() {
                break;
            }
            let Line { allow, mut value } = line.get(&lines).clone();
            if let (true, Some(star)) = (with_other_head, value.find('*')) {
                let head = other.get(&lines).value.split('*').next().unwrap_or_default();
                value = format!("{head}{}", &value[star..]);
            }
            lines.push(Line { allow: !allow, value });
        }
        lines
    })
}

pub(crate) fn path() -> impl Strategy<Value = Path> {
    let piece =
        || select(vec!["a", "a", "b", "b", "/", "ab", "*", "$", "?", "%61", "%2A", "%2f", "ä", ":", "index.html", "%"]);
    let free = (select(vec!["/", "/", "/", "", "a"]), vec(piece(), 0..12))
        .prop_map(|(start, pieces)| Path::Free(format!("{start}{}", pieces.concat())));
    let fill = vec(piece(), 0..4).prop_map(|pieces| pieces.concat());
    let after = vec(piece(), 0..3).prop_map(|pieces| pieces.concat());
    let of = (any::<usize>(), vec(fill, 1..5), after).prop_map(|(rule, fills, after)| Path::Of { rule, fills, after });
    prop_oneof![1 => free, 2 => of]
}

/// The body that states these lines for everyone.
pub(crate) fn body(lines: &[Line]) -> Vec<u8> {
    let mut body = b"User-agent: *\n".to_vec();
    for line in lines {
        body.extend_from_slice(if line.allow { b"Allow: " } else { b"Disallow: " });
        body.extend_from_slice(line.value.as_bytes());
        body.push(b'\n');
    }
    body
}

pub(crate) fn dialect() -> impl Strategy<Value = &'static Dialect> {
    select(Dialect::ALL.to_vec())
}

/// The tokens that a random body names, as a crawler may give them.
pub(crate) fn token() -> impl Strategy<Value = &'static str> {
    select(vec!["a", "A", "ab", "a-b", "a-b-c", "a_b", "b", "bot", "abot", "", "*", "a/2", "3"])
}

/// A line of a random body, with its end: valid, misspelt, or garbage.
fn text_line() -> impl Strategy<Value = Vec<u8>> {
    let agent =
        select(vec!["a", "A", "ab", "a-b", "a-b-c", "b", "bot", "*", "* x", "*x", "", "a/2", "a b", "3", "-", "a\0b"]);
    let agent_key = select(vec![
        "User-agent",
        "user-agent",
        "USER-AGENT",
        "useragent",
        "user agent",
        "User-agents",
        " User-agent ",
    ]);
    let rule_key = select(vec![
        "Disallow",
        "Disallow",
        "Disallow",
        "disallow",
        "Allow",
        "Allow",
        "ALLOW",
        "Dissallow",
        "disalow",
        "disallowed",
        "allowed",
        "\tAllow ",
        "alow",
        "Disallow:",
    ]);
    let separator = || select(vec![":", ":", ":", ": ", ": ", ": ", " : ", " ", "\t", ":\t", ""]);
    let after = select(vec!["", "", "", "", " ", " # comment", "#:x", "\0x", " x", "\x0b"]);
    let agent_line = (agent_key, separator(), agent)
        .prop_map(|(key, separator, agent)| format!("{key}{separator}{agent}").into_bytes());
    let rule_line = (rule_key, separator(), value(6), after)
        .prop_map(|(key, separator, value, after)| format!("{key}{separator}{value}{after}").into_bytes());
    let other_line = select(vec![
        "",
        "",
        "#",
        "Sitemap: http://h/s.xml",
        "Crawl-delay: 1",
        "Crawl-delay: nan",
        "Host: h",
        "x: y",
        "x",
        "<html>",
        ":",
        "::",
        "Noindex: /",
        "Request-rate: 1/5m 0000-2400",
        "Visit-time: 0600 0845",
        "Clean-param: a&b /x*",
        "Content-Signal: search=yes,ai-train=no",
        "Content-Usage: /a train-ai=n",
        "\u{feff}User-agent: *",
        "Disallow",
        "Allow:",
    ])
    .prop_map(|line| line.as_bytes().to_vec());
    let garbage = vec(any::<u8>(), 0..20);
    let line = prop_oneof![3 => agent_line, 6 => rule_line, 2 => other_line, 1 => garbage];
    let end = select(vec!["\n", "\n", "\n", "\r\n", "\r", "\n\n", "\n\r"]);
    (line, end).prop_map(|(mut line, end)| {
        line.extend_from_slice(end.as_bytes());
        line
    })
}

/// A body of random lines.
pub(crate) fn text(most: usize) -> impl Strategy<Value = Vec<u8>> {
    let start =
        select(vec![&b""[..], b"", b"", b"\xef\xbb\xbf", b"\xef\xbb", b"\xef", b"\xff\xfe", b"User-agent: *\n"]);
    (start, vec(text_line(), 0..most)).prop_map(|(start, lines)| [start, &lines.concat()].concat())
}
