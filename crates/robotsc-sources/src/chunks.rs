//! The chunked encoding of a transfer (RFC 9112, section 7.1), taken off.

/// Whether octets begin with the size of a chunk and a line's end.
pub(crate) fn begins(octets: &[u8]) -> bool {
    matches!(httparse::parse_chunk_size(octets), Ok(httparse::Status::Complete(_)))
}

/// Joins the chunks; `false` where they break off, are bad, or the last is missing: what was joined up to there is
/// given.
pub(crate) fn join(mut octets: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::with_capacity(octets.len());
    loop {
        let Ok(httparse::Status::Complete((head, size))) = httparse::parse_chunk_size(octets) else {
            return (body, false);
        };
        octets = octets.get(head..).unwrap_or_default();
        if size == 0 {
            return (body, true);
        }
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let Some((chunk, rest)) = octets.split_at_checked(size) else {
            body.extend_from_slice(octets);
            return (body, false);
        };
        body.extend_from_slice(chunk);
        let Some(rest) = rest.strip_prefix(b"\r\n") else { return (body, false) };
        octets = rest;
    }
}
