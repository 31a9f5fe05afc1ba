//! Decodes the chunked transfer encoding (RFC 9112, section 7.1).

/// Reports whether bytes begin with the size of a chunk and a line's end.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    matches!(httparse::parse_chunk_size(bytes), Ok(httparse::Status::Complete(_)))
}

/// Joins the chunks; `false` where they break off, are bad, or the last is missing: what was joined up to there is
/// given.
pub(crate) fn join(mut bytes: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::with_capacity(bytes.len());
    loop {
        let Ok(httparse::Status::Complete((head, size))) = httparse::parse_chunk_size(bytes) else {
            return (body, false);
        };
        bytes = bytes.get(head..).unwrap_or_default();
        if size == 0 {
            return (body, true);
        }
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let Some((chunk, rest)) = bytes.split_at_checked(size) else {
            body.extend_from_slice(bytes);
            return (body, false);
        };
        body.extend_from_slice(chunk);
        let Some(rest) = rest.strip_prefix(b"\r\n") else { return (body, false) };
        bytes = rest;
    }
}
