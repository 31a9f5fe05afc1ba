//! The origins' texts, in the order of the slots: for dumps, merging and checks. A lookup reads none of them.
//!
//! A name is the length of its middle part, one byte for how it starts (high half) and ends (low half), and the middle.
//! A length of 255 bytes or more is in two more bytes.

/// How origins start.
const STARTS: [&[u8]; 6] = [b"", b"https://www.", b"https://", b"http://www.", b"http://", b"ftp://"];
/// How origins end: the ends that save most over the real hosts of a crawl.
const ENDS: [&[u8]; 16] = [
    b"", b".com", b".org", b".net", b".co.uk", b".de", b".gov", b".edu", b".ru", b".fr", b".it", b".nl", b".io",
    b".info", b".co.jp", b".com.br",
];

/// Appends a name. Texts of more than 65,535 bytes are no origins.
pub(crate) fn write(origin: &[u8], into: &mut Vec<u8>) {
    let find = |known: &[&[u8]], holds: &dyn Fn(&[u8]) -> bool| {
        (1..known.len()).find(|number| holds(known[*number])).unwrap_or(0)
    };
    let start = find(&STARTS, &|start| origin.starts_with(start));
    let rest = &origin[STARTS[start].len()..];
    let end = find(&ENDS, &|end| rest.ends_with(end));
    let middle = &rest[..rest.len() - ENDS[end].len()];
    match u8::try_from(middle.len()) {
        Ok(length) if length < 255 => into.push(length),
        _ => {
            into.push(255);
            into.extend_from_slice(&(middle.len() as u16).to_le_bytes());
        }
    }
    into.push((start << 4 | end) as u8);
    into.extend_from_slice(middle);
}

/// Takes a name off the front; `None` if there is no whole one.
pub(crate) fn read(bytes: &mut &[u8]) -> Option<Vec<u8>> {
    let (&length, mut rest) = bytes.split_first()?;
    let mut length = usize::from(length);
    if length == 255 {
        let (long, after) = rest.split_first_chunk()?;
        length = usize::from(u16::from_le_bytes(*long));
        rest = after;
    }
    let (&affixes, rest) = rest.split_first()?;
    let (middle, rest) = rest.split_at_checked(length)?;
    *bytes = rest;
    let start = STARTS.get(usize::from(affixes >> 4))?;
    Some([start, middle, ENDS[usize::from(affixes & 15)]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        let long = [&b"https://"[..], &[b'a'; 300], b".com"].concat();
        let origins: [&[u8]; 8] = [
            b"https://www.example.com",
            b"http://example.co.uk:8080",
            b"ftp://a.de",
            b"https://www.com",
            b"https://.com",
            b"",
            &long,
            b"http://[::1]",
        ];
        let mut bytes = Vec::new();
        origins.iter().for_each(|origin| write(origin, &mut bytes));
        let mut rest = &bytes[..];
        for origin in origins {
            assert_eq!(read(&mut rest).as_deref(), Some(origin));
        }
        assert!(rest.is_empty() && read(&mut rest).is_none());
    }
}
