//! Verdicts of a pack as JSON: one object for each URL and agent.

use robotsc::outcome::UnknownReason;
use robotsc::pack::PackAccess;
use robotsc_answers::api::template::write_json;
use robotsc_answers::check::{self, AnswerRule};
use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::shown;
use robotsc_answers::url_path::UrlReader;

/// Writes the answers of an origin of a pack for a URL, each with `after` after it, as long as `goes_on` with what is
/// written; not even one if it does not go on.
pub(crate) fn write_of_pack(
    policies: &[(&ChosenAgent, PackAccess<'_>)],
    unknown: Option<UnknownReason>,
    reader: UrlReader<'_>,
    url: &[u8],
    out: &mut Vec<u8>,
    after: &[u8],
    goes_on: impl Fn(&[u8]) -> bool,
) {
    let path = reader.path(url);
    for (ChosenAgent { name: agent, note, .. }, policy) in policies {
        if !goes_on(out) {
            return;
        }
        let object = path.as_ref().map_err(Clone::clone).and_then(|path| {
            let path = path.as_path();
            let (verdict, deciding_rule) =
                policy.decide(path).ok_or_else(|| unknown.unwrap_or(UnknownReason::NotHeld).to_string())?;
            let rule = deciding_rule.map(|deciding_rule| AnswerRule {
                line: deciding_rule.line,
                length: shown::length(deciding_rule.length),
                pattern: None,
            });
            let mut object =
                check::json(&verdict.to_string(), (url, path.as_bytes()), Some(agent), rule, note.as_deref());
            let reason = match policy {
                _ if *path.as_bytes() == *b"/robots.txt" => Some("robots.txt itself is always allowed"),
                PackAccess::AllowAll => Some("there is no robots.txt: everything is allowed"),
                PackAccess::DisallowAll => Some("the robots.txt could not be fetched: nothing is allowed"),
                PackAccess::Rules(program) if !program.names_deciding_rule() => {
                    Some("the compiled rules decide; the pack holds no lines")
                }
                _ => None,
            };
            object.extend(reason.map(|reason| ("reason".to_owned(), reason.into())));
            Ok(object)
        });
        write_json(&object.unwrap_or_else(|error: String| check::error(url, Some(agent), &error)), out);
        out.extend_from_slice(after);
    }
}
