//! `Clean-param`: query parameters that do not change a page (Yandex).

use super::words;

/// The longest value of a `Clean-param` record, in bytes.
const MAX_BYTES: usize = 500;

/// Parameters that a crawler may drop from URLs below a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CleanParam<'b> {
    /// The parameters as written, joined by `&`.
    list: &'b [u8],
    /// The start of the paths that this is about, in which `*` may stand for anything; `/` if none is written. Case
    /// matters.
    pub path: &'b [u8],
}

impl<'b> CleanParam<'b> {
    /// Reads `p0[&p1…] [path]`: at most 500 bytes, at least one parameter.
    #[must_use]
    pub fn parse(text: &'b [u8]) -> Option<Self> {
        let mut words = words(text);
        let (list, path) = (words.next()?, words.next().unwrap_or(b"/"));
        let read = Self { list, path };
        (text.len() <= MAX_BYTES && words.next().is_none() && read.parameters().next().is_some()).then_some(read)
    }

    /// Returns the names of the parameters, in the order in which they are written. Case matters.
    pub fn parameters(self) -> impl Iterator<Item = &'b [u8]> {
        self.list.split(|&byte| byte == b'&').filter(|name| !name.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::CleanParam;

    #[test]
    fn parameters_and_paths() {
        let cases: [(&str, &[&str], &str); 5] = [
            ("ref", &["ref"], "/"),
            ("sid&Sort /forum/show*.php", &["sid", "Sort"], "/forum/show*.php"),
            ("&tv", &["tv"], "/"),
            ("a&&b&\t /x", &["a", "b"], "/x"),
            ("from *", &["from"], "*"),
        ];
        for (text, parameters, path) in cases {
            let read = CleanParam::parse(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
            assert!(read.parameters().eq(parameters.iter().map(|name| name.as_bytes())), "{text}");
            assert_eq!(read.path, path.as_bytes(), "{text}");
        }
    }

    #[test]
    fn limits() {
        assert!(CleanParam::parse(&[b'p'; 500]).is_some());
        for text in [&[b'p'; 501][..], b"", b"&", b"& /x", b"a /b /c"] {
            assert_eq!(CleanParam::parse(text), None, "{}", text.escape_ascii());
        }
    }
}
