//! The `User-Agent` of a crawler, which says how to reach its operator.

use std::fmt;

use http::HeaderValue;

/// A `User-Agent` that names a crawler and a contact: a URL, or a mail address. There is no default.
///
/// ```
/// use robotsc::fetch::UserAgent;
///
/// assert!(UserAgent::new("FooBot/1.0 (+https://foo.example/bot)").is_ok());
/// assert!(UserAgent::new("FooBot/1.0 (bot@foo.example)").is_ok());
/// let error = UserAgent::new("Mozilla/5.0").unwrap_err().to_string();
/// assert!(error.contains("add a contact"), "{error}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserAgent(HeaderValue);

impl UserAgent {
    /// Checks a `User-Agent`.
    ///
    /// # Errors
    /// [`UserAgentError`] if it is empty, has no contact, or holds what a header cannot.
    pub fn new(text: &str) -> Result<Self, UserAgentError> {
        let text = text.trim();
        let value = Self::value(text)?;
        let is_contact = |word: &str| {
            let word = word.trim_matches(|char: char| !char.is_ascii_alphanumeric());
            let address = word.strip_prefix("mailto:").unwrap_or(word);
            let host = match word.split_once("://") {
                Some(("http" | "https", rest)) => Some(rest),
                Some(_) => None,
                None => address.split_once('@').filter(|(name, _)| !name.is_empty()).map(|(_, host)| host),
            };
            host.is_some_and(|host| host.starts_with(|char: char| char.is_ascii_alphanumeric()))
        };
        if !text.split([' ', ';', ',', '(', ')', '<', '>']).any(is_contact) {
            return Err(UserAgentError("it does not say how to reach you"));
        }
        Ok(Self(value))
    }

    /// Takes the `User-Agent` of a known crawler, as its operator documents it: some have no contact.
    ///
    /// It is another's name. Send it to learn what a server answers to that name, with few requests, and never to hide
    /// who asks: [`Visit`](crate::Visit) asks under the caller's own name first.
    ///
    /// # Errors
    /// [`UserAgentError`] if it is empty, or holds what a header cannot.
    ///
    /// ```
    /// use robotsc::fetch::UserAgent;
    ///
    /// assert!(UserAgent::of_known_crawler("Twitterbot/1.0").is_ok());
    /// assert!(UserAgent::new("Twitterbot/1.0").is_err());
    /// ```
    pub fn of_known_crawler(text: &str) -> Result<Self, UserAgentError> {
        Self::value(text.trim()).map(Self)
    }

    fn value(text: &str) -> Result<HeaderValue, UserAgentError> {
        if text.is_empty() {
            return Err(UserAgentError("it is empty"));
        }
        let value = HeaderValue::from_str(text).map_err(|_| UserAgentError("it has control characters"))?;
        match value.as_bytes().is_ascii() {
            true => Ok(value),
            false => Err(UserAgentError("it has characters outside ASCII")),
        }
    }

    /// Returns the value of the header.
    #[must_use]
    pub const fn header(&self) -> &HeaderValue {
        &self.0
    }
}

/// Why a text is no usable `User-Agent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserAgentError(&'static str);

impl fmt::Display for UserAgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the User-Agent cannot be sent: {}: ", self.0)?;
        f.write_str("write a name and add a contact, such as 'FooBot/1.0 (+https://foo.example/bot)'")
    }
}

impl std::error::Error for UserAgentError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_is_a_url_or_an_address() {
        for (text, is_valid) in [
            ("FooBot/1.0 (+https://foo.example/bot)", true),
            ("FooBot (http://foo.example)", true),
            ("FooBot/1.0 <bot@foo.example>", true),
            ("FooBot/1.0; mailto:bot@foo.example", true),
            ("FooBot/1.0", false),
            ("Mozilla/5.0 (compatible; FooBot/1.0)", false),
            ("FooBot (https://)", false),
            ("FooBot (ftp://foo.example)", false),
            ("FooBot @foo.example", false),
            ("", false),
            ("FooBot\n(+https://foo.example)", false),
            ("F\u{f6}\u{f6}Bot (+https://foo.example)", false),
        ] {
            assert_eq!(UserAgent::new(text).is_ok(), is_valid, "{text:?}");
        }
    }
}
