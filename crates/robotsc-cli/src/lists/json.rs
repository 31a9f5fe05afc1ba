//! JSON objects in lines: the text under one key, or under a key of an object in it.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

/// Returns the text under `key` of a JSON object, which is borrowed unless it has escapes. A key that begins with `/`
/// is a JSON Pointer (RFC 6901), such as `/metadata/url`.
///
/// # Errors
/// If `json` is no JSON object, or has not exactly one value under `key`, or that is no text. Of two URLs another
/// reader might take the other. The whole line is parsed: what is damaged after the URL can belong to another record.
pub(crate) fn text<'l>(json: &'l [u8], key: &str) -> Result<Cow<'l, [u8]>, serde_json::Error> {
    if !key.starts_with('/')
        && let Some(text) = flat_text(json, key.as_bytes())
    {
        return Ok(Cow::Borrowed(text));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let text = UnderKey::of(key).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    })
}

/// Returns the text under `key` of an object that holds nothing but texts in ASCII without escapes, each under its key,
/// with at most one space after a colon or comma: the records of crawl indexes. `None` says nothing about the object
/// but that it is another.
fn flat_text<'l>(json: &'l [u8], key: &[u8]) -> Option<&'l [u8]> {
    // Without a branch, so that many bytes are checked at once.
    let is_other = |byte: u8| !(0x20..=0x7E).contains(&byte) | (byte == b'\\');
    if json.iter().fold(false, |found, byte| found | is_other(*byte)) {
        return None;
    }
    let mut rest = json.strip_prefix(b"{")?;
    let mut found = None;
    loop {
        let (name, after) = plain_text(rest)?;
        let after = after.strip_prefix(b":")?;
        let (value, after) = plain_text(after.strip_prefix(b" ").unwrap_or(after))?;
        if name == key && found.replace(value).is_some() {
            return None;
        }
        rest = match after {
            b"}" => return found,
            [b',', b' ', after @ ..] | [b',', after @ ..] => after,
            _ => return None,
        };
    }
}

/// Returns the text between the quotes that `json` begins with, and what follows.
#[inline]
fn plain_text(json: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = json.strip_prefix(b"\"")?;
    let end = memchr::memchr(b'"', rest)?;
    Some((&rest[..end], &rest[end + 1..]))
}

/// Reports whether `json` is an object with a key.
pub(crate) fn has_key(json: &[u8], key: &str) -> bool {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    deserializer.deserialize_map(HasKey(key)).unwrap_or(false)
}

/// Reads all of an object.
struct HasKey<'k>(&'k str);

impl<'de> Visitor<'de> for HasKey<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
        let mut found = false;
        while let Some(is_key) = map.next_key_seed(IsKey(self.0))? {
            found |= is_key;
            map.next_value::<IgnoredAny>()?;
        }
        Ok(found)
    }
}

/// Reads the value under a key, or under a path of keys.
struct UnderKey<'k> {
    key: Cow<'k, str>,
    /// The rest of a pointer, which begins with `/`: what is under the key is an object then.
    rest: Option<&'k str>,
}

impl<'k> UnderKey<'k> {
    fn of(key: &'k str) -> Self {
        let Some(pointer) = key.strip_prefix('/') else { return Self { key: Cow::Borrowed(key), rest: None } };
        let end = pointer.find('/').unwrap_or(pointer.len());
        let (key, rest) = pointer.split_at(end);
        let key = match key.contains('~') {
            true => Cow::Owned(key.replace("~1", "/").replace("~0", "~")),
            false => Cow::Borrowed(key),
        };
        Self { key, rest: (!rest.is_empty()).then_some(rest) }
    }
}

impl<'de> DeserializeSeed<'de> for UnderKey<'_> {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for UnderKey<'_> {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with a text under '{}'", self.key)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        /// A text that is borrowed where it can be.
        #[derive(Deserialize)]
        struct Text<'t>(#[serde(borrow)] Cow<'t, str>);

        let mut found = None;
        while let Some(is_key) = map.next_key_seed(IsKey(&self.key))? {
            if !is_key {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let text = match self.rest {
                Some(rest) => map.next_value_seed(UnderKey::of(rest))?,
                None => map.next_value::<Text<'de>>()?.0,
            };
            if found.replace(text).is_some() {
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
            (r#"{"url":"http://h/a","mime":"x","id":"1"}"#, "url", Some("http://h/a")),
            (r#"{"url":"http://h/a","mime":"x",}"#, "url", None),
            (r#"{"url":"http://h/a",,"mime":"x"}"#, "url", None),
            (r#"{"url":"http://h/a""mime":"x"}"#, "url", None),
            ("{\"url\":\"http://h/a\nb\"}", "url", None),
            ("{}", "url", None),
            (r#"{"id": 1, "meta": {"lang": "de", "url": "http://h/a"}}"#, "/meta/url", Some("http://h/a")),
            (r#"{"meta": {"a/b": {"~": "http://h/a"}}}"#, "/meta/a~1b/~0", Some("http://h/a")),
            (r#"{"url": "http://h/a"}"#, "/url", Some("http://h/a")),
            (r#"{"meta": {"url": "http://h/a"}, "meta": {"url": "http://h/b"}}"#, "/meta/url", None),
            (r#"{"meta": {"url": "http://h/a", "url": "http://h/b"}}"#, "/meta/url", None),
            (r#"{"meta": "http://h/a"}"#, "/meta/url", None),
            (r#"{"meta.url": "http://h/a"}"#, "meta.url", Some("http://h/a")),
        ] {
            let found = text(json.as_bytes(), key).ok().map(|url| String::from_utf8(url.into_owned()).unwrap());
            assert_eq!(found.as_deref(), expected, "{json}");
            // The short way says the same, or nothing.
            if key.starts_with('/') {
                continue;
            }
            let flat = flat_text(json.as_bytes(), key.as_bytes()).map(|url| String::from_utf8(url.to_vec()).unwrap());
            assert!(flat.is_none() || flat.as_deref() == expected, "{json}");
        }
    }
}
