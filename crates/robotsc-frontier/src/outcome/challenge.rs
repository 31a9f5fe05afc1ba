//! Challenges that a server says it sent in place of what was asked for.

/// The header fields, each as `name: value`, that Cloudflare and AWS WAF document. No text of a page is a mark: a
/// robots.txt, or a page about challenges, can hold it.
const MARKS: [&str; 3] = ["cf-mitigated: challenge", "x-amzn-waf-action: challenge", "x-amzn-waf-action: captcha"];

/// The names of these header fields, in lower case: who keeps some fields of a response keeps these.
pub const CHALLENGE_FIELDS: [&str; 2] = ["cf-mitigated", "x-amzn-waf-action"];

/// Returns the header field by which a server says that it sent a challenge in place of what was asked for, in lower
/// case; `None` if no field says so. All fields may be passed. Never panics.
///
/// ```
/// use robotsc::outcome::challenge;
///
/// assert_eq!(challenge([("CF-Mitigated", "challenge")]), Some("cf-mitigated: challenge"));
/// assert_eq!(challenge([("Content-Type", "text/html")]), None);
/// ```
#[must_use]
pub fn challenge<N: AsRef<[u8]>, V: AsRef<[u8]>>(headers: impl IntoIterator<Item = (N, V)>) -> Option<&'static str> {
    headers.into_iter().find_map(|(name, value)| mark(name.as_ref(), value.as_ref()))
}

/// Returns the mark that a field is.
pub(super) fn mark(name: &[u8], value: &[u8]) -> Option<&'static str> {
    let is_field = |mark: &&str| {
        mark.split_once(": ").is_some_and(|(known, sent)| {
            name.trim_ascii().eq_ignore_ascii_case(known.as_bytes())
                && value.trim_ascii().eq_ignore_ascii_case(sent.as_bytes())
        })
    };
    MARKS.into_iter().find(is_field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_are_those_of_the_marks() {
        let mut names: Vec<&str> = MARKS.iter().filter_map(|mark| Some(mark.split_once(": ")?.0)).collect();
        names.dedup();
        assert_eq!(names, CHALLENGE_FIELDS);
    }
}
