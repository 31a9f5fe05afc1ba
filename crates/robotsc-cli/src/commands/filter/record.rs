//! One record a line: what is said of a URL.

use base64::Engine as _;
use robotsc_answers::{check, shown};
use serde::Serialize;

use super::answer::{Answer, Class};

/// `allowed` and a tab for each agent, and the URL as one column.
pub(crate) fn verdicts(out: &mut Vec<u8>, classes: impl Iterator<Item = Class>, url: &[u8]) {
    for class in classes {
        out.extend_from_slice(class.word().as_bytes());
        out.push(b'\t');
    }
    out.extend_from_slice(&shown::column(url));
    out.push(b'\n');
}

/// The same in JSON, as `check --json` has it.
#[derive(Serialize)]
struct Json<'u> {
    r#type: &'static str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'u str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url_b64: Option<String>,
    /// The agent; of one verdict for several none.
    agent: Option<&'u str>,
    line: Option<u32>,
    /// A pack does not hold what would tell whether the register bears on the file.
    note: Option<&'u str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'u str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<u32>,
    /// The policy over all origins decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<bool>,
    /// Why nothing is known, the use is refused, or there is no URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'u str>,
}

/// Writes the answer for an agent. `reason` says why nothing is known, or why the line is an error.
pub(crate) fn json(
    out: &mut Vec<u8>,
    answer: &Answer,
    agent: Option<&str>,
    (url, path): (&[u8], Option<&[u8]>),
    reason: &str,
) {
    if answer.class == Class::Error {
        let _ = serde_json::to_writer(&mut *out, &check::error(url, agent, reason));
        out.push(b'\n');
        return;
    }
    let text = str::from_utf8(url).ok();
    let record = Json {
        r#type: "verdict",
        verdict: answer.class.word(),
        url: text,
        url_b64: text.is_none().then(|| base64::engine::general_purpose::STANDARD.encode(url)),
        agent,
        line: answer.deciding_rule.and_then(|rule| check::deciding_line(rule.line)),
        note: None,
        // Paths are ASCII after the intake.
        path: path.and_then(|path| str::from_utf8(path).ok()),
        length: answer.deciding_rule.and_then(|deciding_rule| shown::length(deciding_rule.length)),
        policy: answer.is_overlaid.then_some(true),
        reason: match answer.refusal {
            Some(refusal) => Some(refusal.name()),
            None => Some(reason).filter(|reason| answer.class == Class::Unknown && !reason.is_empty()),
        },
    };
    // Writing text and numbers to memory does not fail.
    let _ = serde_json::to_writer(&mut *out, &record);
    out.push(b'\n');
}
