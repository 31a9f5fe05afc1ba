//! The header of a WARC record: its version and its named fields (ISO 28500, section 5).

/// What the header of a record says, as far as this reader needs it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// `WARC-Type`, in lower case.
    pub(crate) kind: Vec<u8>,
    /// `WARC-Target-URI`.
    pub(crate) url: Vec<u8>,
    /// `WARC-Date`, in seconds since 1970.
    pub(crate) date: Option<u64>,
    /// `Content-Type`; empty if there is none.
    pub(crate) content_type: Vec<u8>,
    /// `Content-Length`, in bytes.
    pub(crate) length: u64,
    /// `WARC-Truncated`.
    pub(crate) truncated: Option<Truncated>,
    /// `WARC-Refers-To-Target-URI` and `WARC-Refers-To-Date`, of a revisit.
    pub(crate) refers_to: Option<Vec<u8>>,
    /// See there.
    pub(crate) refers_to_date: Option<u64>,
}

/// Why a record holds less than was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truncated {
    /// It was longer than the crawler keeps.
    Length,
    /// Time, a lost connection, or unknown.
    Other,
}

/// Reports whether a line is the version of a record of this format.
pub(crate) fn is_version(line: &[u8]) -> bool {
    matches!(line.trim_ascii_end(), b"WARC/1.0" | b"WARC/1.1" | b"WARC/0.17" | b"WARC/0.18")
}

/// Returns what is wrong where a record does not begin with a version.
pub(crate) fn no_version(line: &[u8]) -> String {
    let shown = line.get(..line.len().min(20)).unwrap_or_default().escape_ascii();
    format!("a record begins with WARC/1.0 or WARC/1.1, not with '{shown}'")
}

impl Head {
    /// Reads a header from its lines, the empty one at its end included or not.
    ///
    /// # Errors
    /// In words: the first thing that is wrong.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, String> {
        let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
        let version = lines.next().unwrap_or_default();
        if !is_version(version) {
            return Err(no_version(version));
        }
        let mut head = Self::default();
        let mut length = None;
        let mut fields = Vec::<(Vec<u8>, Vec<u8>)>::new();
        for line in lines {
            if line.is_empty() {
                continue;
            }
            if line.starts_with(b" ") || line.starts_with(b"\t") {
                // A line that begins with a blank goes on with the field before it.
                let Some((_, value)) = fields.last_mut() else { continue };
                value.push(b' ');
                value.extend_from_slice(line.trim_ascii());
                continue;
            }
            let colon = line.iter().position(|byte| *byte == b':');
            let Some((name, value)) = colon.and_then(|at| line.split_at_checked(at)) else {
                return Err("a line of the header has no colon".to_owned());
            };
            let value = value.get(1..).unwrap_or_default().trim_ascii();
            fields.push((name.trim_ascii().to_ascii_lowercase(), value.to_owned()));
        }
        for (name, value) in fields {
            match name.as_slice() {
                b"warc-type" => head.kind = value.to_ascii_lowercase(),
                b"warc-target-uri" => head.url = bare(value),
                b"content-type" => head.content_type = value,
                b"warc-date" => head.date = crate::time::parse(&value),
                b"warc-refers-to-target-uri" => head.refers_to = Some(bare(value)),
                b"warc-refers-to-date" => head.refers_to_date = crate::time::parse(&value),
                b"warc-truncated" => {
                    let length = value.eq_ignore_ascii_case(b"length");
                    head.truncated = Some(if length { Truncated::Length } else { Truncated::Other });
                }
                b"content-length" => {
                    let digits = value.iter().all(u8::is_ascii_digit);
                    let number = str::from_utf8(&value).ok().and_then(|text| text.parse::<u64>().ok());
                    let number = number.filter(|_| digits);
                    if number.is_none() || length.is_some_and(|other| Some(other) != number) {
                        return Err("the Content-Length is no one number".to_owned());
                    }
                    length = number;
                }
                _ => {}
            }
        }
        head.length = length.ok_or("the header has no Content-Length")?;
        if head.kind.is_empty() {
            return Err("the header has no WARC-Type".to_owned());
        }
        Ok(head)
    }
}

/// Returns a URI without the angle brackets that some writers put around it, as the grammar of WARC 1.0 has it.
fn bare(mut value: Vec<u8>) -> Vec<u8> {
    if value.starts_with(b"<") && value.ends_with(b">") && value.len() >= 2 {
        value.pop();
        value.remove(0);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read() {
        let head = Head::parse(
            b"WARC/1.0\r\nwarc-type: Response\r\nWARC-Target-URI: <https://a.example/robots.txt>\r\n\
              WARC-Date:\r\n 2024-02-29T12:34:56Z\r\nContent-Length: 7\r\nWARC-Truncated: length\r\nX: y\r\n\r\n",
        );
        let head = head.unwrap();
        assert_eq!((head.kind.as_slice(), head.length), (b"response".as_slice(), 7));
        assert_eq!(head.url, b"https://a.example/robots.txt");
        assert_eq!((head.date, head.truncated), (Some(1_709_210_096), Some(Truncated::Length)));
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (text, what) in [
            ("", "a record begins with"),
            ("WARC/2.0\r\nWARC-Type: x\r\nContent-Length: 1\r\n", "a record begins with"),
            ("WARC/1.0\r\nWARC-Type: x\r\n", "no Content-Length"),
            ("WARC/1.0\r\nContent-Length: 1\r\n", "no WARC-Type"),
            ("WARC/1.0\r\nWARC-Type: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n", "no one number"),
            ("WARC/1.0\r\nWARC-Type: x\r\nContent-Length: +1\r\n", "no one number"),
            ("WARC/1.0\r\nWARC-Type: x\r\nContent-Length: 99999999999999999999\r\n", "no one number"),
            ("WARC/1.0\r\nWARC-Type\r\n", "no colon"),
        ] {
            let told = Head::parse(text.as_bytes()).unwrap_err();
            assert!(told.contains(what), "{text}: {told}");
        }
    }
}
