//! Octets as the case files write them.
//!
//! Three forms: a string (`"/fish"`), a byte string (`b"/\xff"`), and a list of texts with a count (`[("/", 1), ("a",
//! 2000)]`), in which a text that holds `{n}` is numbered from 0.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};

/// A body or a path.
#[derive(Clone, Debug)]
pub(crate) struct Octets(Vec<u8>);

impl Octets {
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

/// Octets for a message: escaped, and cut where they are many.
pub(crate) fn shown(octets: &[u8]) -> String {
    if octets.len() <= 120 {
        return octets.escape_ascii().to_string();
    }
    format!("{}… ({} octets)", octets[..80].escape_ascii(), octets.len())
}

impl<'de> Deserialize<'de> for Octets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OctetsVisitor)
    }
}

struct OctetsVisitor;

impl<'de> Visitor<'de> for OctetsVisitor {
    type Value = Octets;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, a byte string, or a list of texts with a count")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Octets, E> {
        Ok(Octets(text.as_bytes().to_vec()))
    }

    fn visit_bytes<E: de::Error>(self, octets: &[u8]) -> Result<Octets, E> {
        Ok(Octets(octets.to_vec()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut texts: A) -> Result<Octets, A::Error> {
        let mut octets = Vec::new();
        while let Some((text, count)) = texts.next_element::<(String, usize)>()? {
            for n in 0..count {
                octets.extend_from_slice(text.replace("{n}", &n.to_string()).as_bytes());
            }
        }
        Ok(Octets(octets))
    }
}
