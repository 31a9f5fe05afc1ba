//! Placeholders of a router or a manual in a path: `/user/:id/edit`; and what templates leave: `{{ path }}`.

use super::part::find;

/// Returns the first placeholder of a path and the path with `*` in the place of each, or `None` if there is none.
pub(crate) fn without_placeholders(value: &[u8]) -> Option<(&[u8], Vec<u8>)> {
    let path = value.split(|byte| *byte == b'?').next().unwrap_or(value);
    let is_word =
        |text: &[u8]| !text.is_empty() && text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte));
    let is_placeholder = |segment: &&[u8]| match segment {
        [b':', name @ ..] => is_word(name) && name[0].is_ascii_alphabetic(),
        [b'{', name @ .., b'}'] | [b'<', name @ .., b'>'] => is_word(name),
        [b'[', name @ .., b']'] => is_word(name) && !name.contains(&b'-'),
        [b'.', b'.', b'.'] | [0xE2, 0x80, 0xA6] => true,
        _ => false,
    };
    let segments = || path.split(|byte| *byte == b'/');
    let first = segments().find(is_placeholder)?;
    let written: Vec<&[u8]> = segments().map(|segment| if is_placeholder(&segment) { b"*" } else { segment }).collect();
    let mut with = written.join(&b'/');
    with.extend_from_slice(&value[path.len()..]);
    // At the end it adds nothing.
    let with = with.strip_suffix(b"/*").map_or_else(|| with.clone(), |start| [start, b"/"].concat());
    Some((first, with))
}

/// Returns what a template or a manual left in a text, in place of what it stands for: `{{ path }}`, `${BASE}`,
/// `/__ADMIN__/`, `/your-path-here/`.
pub(crate) fn leftover(text: &[u8]) -> Option<&[u8]> {
    marked(text).or_else(|| variable(text)).or_else(|| segment(text)).or_else(|| object(text))
}

/// What a program of JavaScript writes of an object within a path. After a `*`, a rule blocks the URLs that have it.
fn object(text: &[u8]) -> Option<&[u8]> {
    const OBJECT: &[u8] = b"[object Object]";
    let at = find(text, OBJECT)?;
    (text.first() == Some(&b'/') && !text[..at].contains(&b'*')).then(|| &text[at..at + OBJECT.len()])
}

/// The marks of templates around what they replace.
const MARKS: [(&[u8], &[u8]); 5] = [(b"{{", b"}}"), (b"{%", b"%}"), (b"<%", b"%>"), (b"<?", b"?>"), (b"${", b"}")];

/// Returns what a template replaces in a text, with its marks: `{{ path }}`.
pub(crate) fn marked(text: &[u8]) -> Option<&[u8]> {
    if !text.iter().any(|byte| matches!(byte, b'{' | b'<' | b'$')) {
        return None;
    }
    MARKS.iter().find_map(|(open, close)| {
        let start = find(text, open)?;
        let inner = &text[start + open.len()..];
        let length = find(inner, close)?;
        let end = start + open.len() + length + close.len();
        // After a `*`, a rule blocks the URLs that such a slip made elsewhere.
        let is_blocked = text[..start].contains(&b'*') || inner[..length].contains(&b'*');
        let is_empty = !inner[..length].iter().any(u8::is_ascii_alphanumeric);
        (!is_blocked && !is_empty).then(|| &text[start..end])
    })
}

/// A variable such as `%BASE%`, which is no escape.
fn variable(text: &[u8]) -> Option<&[u8]> {
    let is_escape = |at: usize| text.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
    let signs = || (0..text.len()).filter(|at| text[*at] == b'%');
    signs().zip(signs().skip(1)).find_map(|(start, end)| {
        let is_name = is_constant(&text[start + 1..end]);
        (is_name && !(is_escape(start) && is_escape(end))).then(|| &text[start..=end])
    })
}

/// Reports whether a text is the name of a constant: `BASE_PATH`.
fn is_constant(text: &[u8]) -> bool {
    text.len() > 2
        && text[0].is_ascii_uppercase()
        && text.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
}

/// A segment of a path that is a variable, or that a manual asks to replace.
fn segment(text: &[u8]) -> Option<&[u8]> {
    let path = text.split(|byte| *byte == b'?').next().unwrap_or(text);
    path.split(|byte| *byte == b'/').find(|segment| {
        let between = |sign: &[u8]| segment.strip_prefix(sign).and_then(|rest| rest.strip_suffix(sign));
        let is_word = |text: &[u8]| !text.is_empty() && text.iter().all(|byte| byte.is_ascii_alphanumeric());
        let is_marked = between(b"__").is_some_and(is_constant) || between(b"@@").is_some_and(is_word);
        // Databases of Domino have files in `/$FILE/`.
        let is_shell = segment.strip_prefix(b"$").is_some_and(|name| is_constant(name) && name != b"FILE");
        is_marked || is_shell || is_instruction(segment)
    })
}

/// What manuals ask to replace.
const THINGS: [&str; 8] = ["path", "folder", "directory", "page", "url", "file", "domain", "site"];

/// Reports whether a segment asks to be replaced: `your-path-here`, `path-here`, `your_folder`.
fn is_instruction(segment: &[u8]) -> bool {
    // Nearly no segment begins or ends so.
    let is_word = |word: Option<&[u8]>, wanted: &[u8]| word.is_some_and(|word| word.eq_ignore_ascii_case(wanted));
    let end = segment.len().saturating_sub(4);
    if !is_word(segment.get(..4), b"your") && !is_word(segment.get(end..), b"here") {
        return false;
    }
    let text = String::from_utf8_lossy(segment).to_ascii_lowercase().replace(['_', ' '], "-");
    let is_thing = |text: &str| THINGS.iter().any(|thing| text == *thing || text.strip_suffix("-name") == Some(thing));
    let your = text.strip_prefix("your-");
    match (your, text.strip_suffix("-here")) {
        (Some(_), Some(_)) => true,
        (Some(rest), None) => ["path", "folder", "directory", "url", "domain"].contains(&rest),
        (None, Some(start)) => is_thing(start.strip_prefix("insert-").unwrap_or(start)),
        (None, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers() {
        for (text, wanted) in [
            ("{{ path }}", Some("{{ path }}")),
            ("/x/<%= p %>/", Some("<%= p %>")),
            ("${BASE}/a", Some("${BASE}")),
            ("{% if x %}", Some("{% if x %}")),
            ("<?php echo 1 ?>", Some("<?php echo 1 ?>")),
            ("%BASE%/a", Some("%BASE%")),
            ("/%SITE_ROOT%/a", Some("%SITE_ROOT%")),
            ("/__ADMIN__/", Some("__ADMIN__")),
            ("/@@admin@@/", Some("@@admin@@")),
            ("/$ADMIN/", Some("$ADMIN")),
            ("/your-path-here/", Some("your-path-here")),
            ("/Your_Folder/", Some("Your_Folder")),
            ("/insert-path-here", Some("insert-path-here")),
            ("/[object Object]", Some("[object Object]")),
            ("/x/[object Object]/y", Some("[object Object]")),
            ("/*[object Object]", None),
            ("/[object%20Object]", None),
            // Real paths, and rules for URLs that such a slip made.
            ("/*{{url}}", None),
            ("/*/{{", None),
            ("/x.nsf/0/$FILE/a.pdf", None),
            ("/%D0%BA%D1%96_%D0%BA", None),
            ("/%C3%BCBER%20X", None),
            ("/__media__/", None),
            ("/@@login", None),
            ("/your-profile", None),
            ("/click-here", None),
            ("/a{b}c", None),
        ] {
            let found = leftover(text.as_bytes()).map(String::from_utf8_lossy);
            assert_eq!(found.as_deref(), wanted, "{text}");
        }
    }
}
