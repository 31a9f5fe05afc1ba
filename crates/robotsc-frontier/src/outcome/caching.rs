//! How long a server allows a response to be kept (RFC 9111).

use super::Time;

/// How long a server allows a response to be kept, from its header fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Caching {
    /// `Cache-Control: max-age`, seconds.
    pub max_age: Option<u32>,
    /// `Cache-Control: no-store` or `no-cache`.
    pub no_store: bool,
    /// `Age`: seconds that caches on the way have kept the response.
    pub age: u32,
    /// `Expires`. One that cannot be read is in the past.
    pub expires: Option<Time>,
    /// `Date`.
    pub date: Option<Time>,
    /// `Retry-After`, seconds from the response.
    pub retry_after: Option<u32>,
}

impl Caching {
    /// Reads header fields, names in any case. If a field or a directive comes twice, the first counts. A value that
    /// cannot be read is ignored.
    ///
    /// Cost: linear. Never panics.
    ///
    /// ```
    /// use robotsc::outcome::Caching;
    ///
    /// let caching = Caching::from_headers([("Cache-Control", "public, MAX-AGE=\"600\""), ("age", "30")]);
    /// assert_eq!((caching.max_age, caching.age), (Some(600), 30));
    /// ```
    pub fn from_headers<N: AsRef<[u8]>, V: AsRef<[u8]>>(headers: impl IntoIterator<Item = (N, V)>) -> Self {
        let mut caching = Self::default();
        let mut age = None;
        let mut retry_date = None;
        for (name, value) in headers {
            let value = value.as_ref().trim_ascii();
            match name.as_ref().trim_ascii().to_ascii_lowercase().as_slice() {
                b"cache-control" => caching.read_control(value),
                b"age" => age = age.or_else(|| seconds(value)),
                // An Expires that is no date, such as 0, is in the past (RFC 9111 section 5.3).
                b"expires" => caching.expires = caching.expires.or(Some(date(value).unwrap_or_default())),
                b"date" => caching.date = caching.date.or_else(|| date(value)),
                b"retry-after" => {
                    caching.retry_after = caching.retry_after.or_else(|| seconds(value));
                    retry_date = retry_date.or_else(|| date(value));
                }
                _ => {}
            }
        }
        caching.age = age.unwrap_or(0);
        if let (None, Some(retry), Some(date)) = (caching.retry_after, retry_date, caching.date) {
            caching.retry_after = Some(retry.0.saturating_sub(date.0));
        }
        caching
    }

    fn read_control(&mut self, value: &[u8]) {
        for directive in value.split(|byte| *byte == b',') {
            let mut parts = directive.splitn(2, |byte| *byte == b'=');
            let name = parts.next().unwrap_or_default().trim_ascii().to_ascii_lowercase();
            let argument = parts.next().map(|argument| argument.trim_ascii());
            match (name.as_slice(), argument) {
                (b"no-store" | b"no-cache", _) => self.no_store = true,
                (b"max-age", Some(argument)) => self.max_age = self.max_age.or_else(|| seconds(unquoted(argument))),
                _ => {}
            }
        }
    }

    /// Returns the seconds from `at`, the time of the response, that it can be kept for; `None` if the server says
    /// nothing.
    pub(super) fn fresh_for(&self, at: Time) -> Option<u32> {
        if self.no_store {
            return Some(0);
        }
        if let Some(max_age) = self.max_age {
            return Some(max_age.saturating_sub(self.age));
        }
        let expires = self.expires?;
        Some(expires.0.saturating_sub(self.date.unwrap_or(at).0).saturating_sub(self.age))
    }
}

fn unquoted(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or(text)
}

/// Reads a number of seconds; one that is too large becomes the largest (RFC 9111 section 1.2.2).
fn seconds(text: &[u8]) -> Option<u32> {
    if text.is_empty() || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(text.iter().fold(0_u32, |sum, digit| sum.saturating_mul(10).saturating_add(u32::from(digit - b'0'))))
}

/// Reads a date, in any of the three forms that HTTP knows.
fn date(text: &[u8]) -> Option<Time> {
    let date = httpdate::parse_http_date(str::from_utf8(text).ok()?).ok()?;
    let seconds = date.duration_since(std::time::UNIX_EPOCH).ok()?.as_secs();
    Some(Time(u32::try_from(seconds).unwrap_or(u32::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_fields() {
        let now = Time(784_111_777);
        for (headers, fresh) in [
            (&[][..], None),
            (&[("Cache-Control", "max-age=60")], Some(60)),
            (&[("cache-control", "public , Max-Age = 60")], Some(60)),
            (&[("Cache-Control", "max-age=\"60\""), ("Age", "20")], Some(40)),
            (&[("Cache-Control", "max-age=60"), ("Age", "80")], Some(0)),
            (&[("Cache-Control", "max-age=60, max-age=90")], Some(60)),
            (&[("Cache-Control", "max-age=99999999999999999999")], Some(u32::MAX)),
            (&[("Cache-Control", "max-age=-1")], None),
            (&[("Cache-Control", "max-age")], None),
            (&[("Cache-Control", "s-maxage=60, x")], None),
            (&[("Cache-Control", "no-store, max-age=60")], Some(0)),
            (&[("Cache-Control", "no-cache=\"x\"")], Some(0)),
            (&[("Expires", "0")], Some(0)),
            (&[("Expires", "Sun, 06 Nov 1994 08:50:37 GMT")], Some(60)),
            (&[("Expires", "Sunday, 06-Nov-94 08:50:37 GMT"), ("Date", "Sun Nov  6 08:49:37 1994")], Some(60)),
            (&[("Expires", "Sun, 06 Nov 1994 08:50:37 GMT"), ("Date", "Sun, 06 Nov 1994 08:51:37 GMT")], Some(0)),
            (&[("Expires", "Sun, 06 Nov 1994 08:50:37 GMT"), ("Cache-Control", "max-age=5")], Some(5)),
        ] {
            assert_eq!(Caching::from_headers(headers.iter().copied()).fresh_for(now), fresh, "{headers:?}");
        }
        let retry = [("Retry-After", "Sun, 06 Nov 1994 08:50:37 GMT"), ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")];
        assert_eq!(Caching::from_headers(retry).retry_after, Some(60));
        assert_eq!(Caching::from_headers([("retry-after", "7")]).retry_after, Some(7));
        assert_eq!(Caching::from_headers([(b"\xFF", b"\xFF")]), Caching::default());
    }
}
