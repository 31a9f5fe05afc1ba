//! `Host`: the main one among mirrors.

/// A host, as a `Host` record names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Host<'b> {
    /// The scheme before it, if there is one: `http` or `https`, in any case.
    pub scheme: Option<&'b [u8]>,
    /// The host name, with a port or without, in any case.
    pub name: &'b [u8],
}

impl<'b> Host<'b> {
    /// Reads `[scheme://]host[:port][/]`.
    #[must_use]
    pub fn parse(text: &'b [u8]) -> Option<Self> {
        let scheme_length = match text.iter().position(|&byte| byte == b':') {
            Some(colon) if text[colon..].starts_with(b"://") => Some(colon),
            _ => None,
        };
        let scheme = scheme_length.map(|length| &text[..length]);
        if scheme.is_some_and(|scheme| !scheme.eq_ignore_ascii_case(b"http") && !scheme.eq_ignore_ascii_case(b"https"))
        {
            return None;
        }
        let rest = scheme_length.map_or(text, |length| &text[length + b"://".len()..]);
        let name = rest.strip_suffix(b"/").unwrap_or(rest);
        is_name(name).then_some(Self { scheme, name })
    }
}

/// Reports whether this is a host name or an address in brackets, with a port or without.
fn is_name(text: &[u8]) -> bool {
    let (host, port) = match text {
        [b'[', rest @ ..] => {
            let Some(end) = rest.iter().position(|&byte| byte == b']') else { return false };
            let is_address = rest[..end].iter().all(|byte| byte.is_ascii_hexdigit() || b":.".contains(byte));
            (if is_address { &rest[..end] } else { &[] }, &rest[end + 1..])
        }
        _ => text.split_at(text.iter().position(|&byte| byte == b':').unwrap_or(text.len())),
    };
    let in_names = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80 || b".-_:".contains(byte);
    let is_port = match port {
        [] => true,
        [b':', digits @ ..] => digits.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    !host.is_empty() && host.iter().all(in_names) && is_port
}

#[cfg(test)]
mod tests {
    use super::Host;

    #[test]
    fn hosts() {
        let host = |scheme: &'static str, name: &'static str| {
            Some(Host { scheme: (!scheme.is_empty()).then_some(scheme.as_bytes()), name: name.as_bytes() })
        };
        let cases = [
            ("example.com", host("", "example.com")),
            ("https://www.example.com", host("https", "www.example.com")),
            ("HTTP://a.b:8080/", host("HTTP", "a.b:8080")),
            ("пример.рф", host("", "пример.рф")),
            ("[::1]:80", host("", "[::1]:80")),
            ("[::1]", host("", "[::1]")),
            ("a_b-c.d:", host("", "a_b-c.d:")),
            ("ftp://a.b", None),
            ("a.b/c", None),
            ("a b", None),
            ("https://", None),
            ("/", None),
            ("://", None),
            (":", None),
            (":80", None),
            ("a.b:c", None),
            ("a:1:2", None),
            ("http:a.b", None),
            ("[]", None),
            ("[::1", None),
            ("[::1]a", None),
            ("a[1]", None),
            ("", None),
        ];
        for (text, want) in cases {
            assert_eq!(Host::parse(text.as_bytes()), want, "{text}");
        }
    }
}
