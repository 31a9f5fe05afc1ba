//! JSON of a request that cannot be read: which field is wrong, and how, in the words of JSON.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::error::Category;
use serde_path_to_error::{Path, Segment};

use super::problem::Problem;

/// Parses the JSON of a request, which is an object.
///
/// # Errors
/// Names the value that is wrong.
pub fn parse_object<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    parse(body).map(|Object(value)| value)
}

/// Parses JSON.
///
/// # Errors
/// Names the value that is wrong.
pub fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(body).or_else(|_| parse_with_places(body))
}

/// Parses JSON and keeps track of the places of its values, which takes longer.
fn parse_with_places<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    let deserializer = &mut serde_json::Deserializer::from_slice(body);
    let parsed = serde_path_to_error::deserialize(&mut *deserializer).map_err(|error| {
        let pointer = pointer(error.path());
        Problem::bad("bad json", in_words(error.inner(), &pointer), pointer)
    })?;
    deserializer.end().map_err(|error| Problem::bad("bad json", in_words(&error, ""), ""))?;
    Ok(parsed)
}

/// Returns a place as a JSON pointer.
fn pointer(path: &Path) -> String {
    let mut pointer = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => pointer.push_str(&format!("/{index}")),
            Segment::Map { key } => pointer.push_str(&format!("/{}", key.replace('~', "~0").replace('/', "~1"))),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    pointer
}

/// Says what is wrong, and where.
fn in_words(error: &serde_json::Error, pointer: &str) -> String {
    let text = error.to_string();
    if error.classify() != Category::Data {
        return format!("the request is no JSON: {text}");
    }
    // The pointer is the place.
    let what = text.rsplit_once(" at line ").map_or(&*text, |(what, _)| what);
    let place = if pointer.is_empty() { "the request".to_owned() } else { format!("`{pointer}`") };
    // The words of JSON for those of the parser.
    let mut what = what.to_owned();
    for (found, word) in [("map", "object"), ("sequence", "array"), ("floating point", "number"), ("integer", "number")]
    {
        if let Some(rest) = what.strip_prefix("invalid type: ").and_then(|what| what.strip_prefix(found)) {
            what = format!("invalid type: {word}{rest}");
            break;
        }
    }
    if let Some(before) = what.strip_suffix(", expected a sequence") {
        what = format!("{before}, expected an array");
    }
    format!("{place}: {what}")
}

/// A value that is an object in JSON: an array of its fields is none.
struct Object<T>(T);

impl<'de, T: DeserializeOwned> serde::Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        object(deserializer).map(Self)
    }
}

/// Deserializes a value from an object alone.
///
/// # Errors
/// If it is none, or not such a value.
pub fn object<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<T, D::Error> {
    struct Fields<T>(PhantomData<T>);

    impl<'de, T: DeserializeOwned> Visitor<'de> for Fields<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_map(Fields(PhantomData))
}
