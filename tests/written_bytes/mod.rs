//! Bytes as the case files write them.
//!
//! Three forms: a string (`"/fish"`), a byte string (`b"/\xff"`), and a list of texts with a count (`[("/", 1), ("a",
//! 2000)]`), in which a text that holds `{n}` is numbered from 0.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};

/// A body or a path.
#[derive(Clone, Debug)]
pub(crate) struct Bytes(Vec<u8>);

impl Bytes {
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

/// Bytes for a message: escaped, and cut where they are many.
pub(crate) fn shown(bytes: &[u8]) -> String {
    if bytes.len() <= 120 {
        return bytes.escape_ascii().to_string();
    }
    format!("{}… ({} bytes)", bytes[..80].escape_ascii(), bytes.len())
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BytesVisitor)
    }
}

struct BytesVisitor;

impl<'de> Visitor<'de> for BytesVisitor {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, a byte string, or a list of texts with a count")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Bytes, E> {
        Ok(Bytes(text.as_bytes().to_vec()))
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
        Ok(Bytes(bytes.to_vec()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut texts: A) -> Result<Bytes, A::Error> {
        let mut bytes = Vec::new();
        while let Some((text, count)) = texts.next_element::<(String, usize)>()? {
            for n in 0..count {
                bytes.extend_from_slice(text.replace("{n}", &n.to_string()).as_bytes());
            }
        }
        Ok(Bytes(bytes))
    }
}
