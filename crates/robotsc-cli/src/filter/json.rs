//! JSON objects in lines: the text under one key.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

/// Returns the text under `key` of a JSON object, which is borrowed unless it has escapes.
///
/// # Errors
/// If `json` is no JSON object, or has not exactly one value under `key`, or that is no text. Of two URLs another
/// reader might take the other. The whole line is parsed: what is damaged after the URL can belong to another record.
pub(crate) fn text<'l>(json: &'l [u8], key: &str) -> Result<Cow<'l, [u8]>, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let text = UnderKey(key).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    })
}

/// Reads the value under a key.
struct UnderKey<'k>(&'k str);

impl<'de> DeserializeSeed<'de> for UnderKey<'_> {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for UnderKey<'_> {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with a text under '{}'", self.0)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        /// A text that is borrowed where it can be.
        #[derive(Deserialize)]
        struct Text<'t>(#[serde(borrow)] Cow<'t, str>);

        let mut found = None;
        while let Some(is_key) = map.next_key_seed(IsKey(self.0))? {
            if !is_key {
                map.next_value::<IgnoredAny>()?;
            } else if found.replace(map.next_value::<Text<'de>>()?.0).is_some() {
                return Err(Error::custom("the key occurs twice"));
            }
        }
        found.ok_or_else(|| Error::custom("no such key"))
    }
}

/// Reads a key and compares it.
struct IsKey<'k>(&'k str);

impl<'de> DeserializeSeed<'de> for IsKey<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for IsKey<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<bool, E> {
        Ok(key == self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_under_a_key_is_found() {
        for (json, key, expected) in [
            (r#"{"url": "http://h/a", "mime": "x"}"#, "url", Some("http://h/a")),
            (r#"{"url":"http://h/a"}"#, "url", Some("http://h/a")),
            (r#"{"id": 1, "link": "http://h/a", "url": [null, {"link": 2}]}"#, "link", Some("http://h/a")),
            (r#" { "link" : "http://h/a" } "#, "link", Some("http://h/a")),
            (r#"{"mime": "{\"url\": 1}", "url": "http://h/a"}"#, "url", Some("http://h/a")),
            (r#"{"url": "http://h/\u0061\/b"}"#, "url", Some("http://h/a/b")),
            (r#"{"a\"b": "http://h/"}"#, "a\"b", Some("http://h/")),
            (r#"{"url": "http://h/url", "x": "url"}"#, "url", Some("http://h/url")),
            (r#"{"mime": "x"}"#, "url", None),
            (r#"{"URL": "x"}"#, "url", None),
            (r#"{"url": 1}"#, "url", None),
            (r#"{"url": ["http://h/a"]}"#, "url", None),
            (r#"{"url": "http://h/a"#, "url", None),
            (r#"{"url": "http://h/a"} {"url": "http://h/b"}"#, "url", None),
            (r#"{"url":"http://h/a"}{"link":"http://h/b"}"#, "url", None),
            (r#"{"url":"http://h/a",bad}"#, "url", None),
            (r#"{"url":"http://h/a","id":1,}"#, "url", None),
            (r#"{"url":"http://h/a"}}"#, "url", None),
            (r#"{"url": "http://h/a", "url": "http://h/b"}"#, "url", None),
            (r#"{"url": "http://h/a", "\u0075rl": "http://h/b"}"#, "url", None),
            (r#"["url", "http://h/a"]"#, "url", None),
            ("\"url\"", "url", None),
            ("", "url", None),
        ] {
            let found = text(json.as_bytes(), key).ok().map(|url| String::from_utf8(url.into_owned()).unwrap());
            assert_eq!(found.as_deref(), expected, "{json}");
        }
    }
}
