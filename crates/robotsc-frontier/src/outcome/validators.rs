//! What a server sent with a file, so that a crawler can ask later whether the file changed.

/// The maximum number of bytes of both values, and of the URL. Longer ones are ignored: the next request is
/// unconditional.
const MAX_BYTES: usize = 1024;

/// `ETag` and `Last-Modified` of a file (RFC 9110 section 8.8), and the URL that they belong to.
///
/// Two URLs can have the same `ETag` for different files. So after redirects, only a request to the URL that answered
/// can be conditional.
///
/// ```
/// use robotsc::outcome::Validators;
///
/// let headers = [("ETag", "\"a1\""), ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")];
/// let validators = Validators::from_headers("https://shop.example/robots.txt", headers).ok_or("no validators")?;
/// assert_eq!((validators.etag(), validators.last_modified()), (Some(&b"\"a1\""[..]), None));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Validators {
    url: Box<str>,
    etag: Option<Box<[u8]>>,
    last_modified: Option<Box<[u8]>>,
}

impl Validators {
    /// Reads the header fields of a response from a URL, names in any case. Returns `None` if there is neither field,
    /// or if they are longer than 1,024 bytes. If a field comes twice, the first counts.
    ///
    /// Cost: linear. Never panics.
    pub fn from_headers<N: AsRef<[u8]>, V: AsRef<[u8]>>(
        url: &str,
        headers: impl IntoIterator<Item = (N, V)>,
    ) -> Option<Self> {
        let (mut etag, mut last_modified) = (None::<Box<[u8]>>, None::<Box<[u8]>>);
        for (name, value) in headers {
            let name = name.as_ref().trim_ascii();
            let field = if name.eq_ignore_ascii_case(b"etag") {
                &mut etag
            } else if name.eq_ignore_ascii_case(b"last-modified") {
                &mut last_modified
            } else {
                continue;
            };
            let value = value.as_ref().trim_ascii();
            if field.is_none() && !value.is_empty() {
                *field = Some(value.into());
            }
        }
        let length = |field: &Option<Box<[u8]>>| field.as_ref().map_or(0, |value| value.len());
        let bytes = length(&etag) + length(&last_modified);
        (bytes > 0 && bytes <= MAX_BYTES && url.len() <= MAX_BYTES).then(|| Self {
            url: url.into(),
            etag,
            last_modified,
        })
    }

    /// Returns the URL that answered with them.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the `ETag`, for `If-None-Match`.
    #[must_use]
    pub fn etag(&self) -> Option<&[u8]> {
        self.etag.as_deref()
    }

    /// Returns the `Last-Modified`, for `If-Modified-Since`.
    #[must_use]
    pub fn last_modified(&self) -> Option<&[u8]> {
        self.last_modified.as_deref()
    }

    /// Returns the bytes that they take in memory.
    pub(crate) fn bytes(&self) -> usize {
        let value = |field: Option<&[u8]>| field.map_or(0, <[u8]>::len);
        size_of::<Self>() + self.url.len() + value(self.etag()) + value(self.last_modified())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_empty_values_are_ignored() {
        let of = |etag: &str| Validators::from_headers("https://a.example/robots.txt", [("etag", etag)]);
        assert!(of("\"a\"").is_some() && of("").is_none() && of(&"a".repeat(MAX_BYTES + 1)).is_none());
        let long = format!("https://a.example/{}", "a".repeat(MAX_BYTES));
        assert!(Validators::from_headers(&long, [("etag", "a")]).is_none());
        let twice = Validators::from_headers("u", [("ETag", "a"), ("etag", "b"), ("Last-Modified", "c")]);
        assert_eq!(
            twice.map(|both| (both.etag().map(<[u8]>::to_vec), both.last_modified().is_some())),
            Some((Some(b"a".to_vec()), true))
        );
    }
}
