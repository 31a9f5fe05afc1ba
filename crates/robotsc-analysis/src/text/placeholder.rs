//! Placeholders of a router or a manual in a path: `/user/:id/edit`.

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
    let segments: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
    let first = segments.iter().find(|segment| is_placeholder(segment))?;
    let written: Vec<&[u8]> =
        segments.iter().map(|segment| if is_placeholder(segment) { b"*" } else { *segment }).collect();
    let mut with = written.join(&b'/');
    with.extend_from_slice(&value[path.len()..]);
    // At the end it adds nothing.
    let with = with.strip_suffix(b"/*").map_or_else(|| with.clone(), |start| [start, b"/"].concat());
    Some((first, with))
}
