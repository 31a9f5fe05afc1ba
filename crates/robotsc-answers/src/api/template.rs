//! How answers are written in which one rule decides.
//!
//! Millions of answers differ in their URL and path alone. So an answer is made once as an object, and cut where its
//! URL and its path stand:
//!
//! ```text
//! {"type":"verdict","verdict":"disallowed","url":   ,"agent":"FooBot","path":   ,"line":2,…}
//! ```

/// The maximum size of a template.
const MAX_BYTES: usize = 2048;

/// An answer without its URL and its path.
#[derive(Debug)]
pub(super) struct Template {
    before_url: Box<[u8]>,
    before_path: Box<[u8]>,
    after_path: Box<[u8]>,
}

/// What stands for a URL and a path when a template is made. No agent has such a name.
pub(super) const BLANK: &str = "\0";
/// The same in JSON.
const BLANK_JSON: &[u8] = br#""\u0000""#;

impl Template {
    /// Cuts the JSON of an answer whose URL and path are [`BLANK`]; `None` if it is too long to be kept.
    pub(super) fn cut(json: &str) -> Option<Self> {
        let json = Some(json.as_bytes()).filter(|json| json.len() <= MAX_BYTES)?;
        let url = memchr::memmem::find(json, BLANK_JSON)?;
        let after_url = url + BLANK_JSON.len();
        let path = after_url + memchr::memmem::find(&json[after_url..], BLANK_JSON)?;
        Some(Self {
            before_url: json[..url].into(),
            before_path: json[after_url..path].into(),
            after_path: json[path + BLANK_JSON.len()..].into(),
        })
    }

    /// Returns its size.
    pub(super) const fn bytes(&self) -> usize {
        self.before_url.len() + self.before_path.len() + self.after_path.len()
    }

    /// Writes an answer.
    pub(super) fn write(&self, url: &str, path: &str, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.before_url);
        write_json(&url, out);
        out.extend_from_slice(&self.before_path);
        write_json(&path, out);
        out.extend_from_slice(&self.after_path);
    }
}

/// Writes a value as JSON.
pub fn write_json(value: &impl serde::Serialize, out: &mut Vec<u8>) {
    // Writing to memory does not fail.
    let _ = serde_json::to_writer(out, value);
}
