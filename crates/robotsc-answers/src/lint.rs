//! What lint reports, as JSON; and the checks that run if none is chosen.

use std::sync::LazyLock;

use robotsc::bundled::{self, KnownAgent, Obedience, Purpose};
use robotsc::robots_txt::{ByteSpan, Severity};
use robotsc_analysis::lint::{Finding, KnownName, Lint};
use serde_json::{Map, Value, json};

use crate::shown;

/// Returns the checks that run without options. They know the crawlers of the register.
#[must_use]
pub fn default_lint() -> Lint {
    Lint::new().known_names(KNOWN.iter().cloned())
}

/// The names of the register, and those that no crawler has and whose groups some obey.
pub(crate) static KNOWN: LazyLock<Vec<KnownName>> = LazyLock::new(|| {
    let known = bundled::agents().iter().map(|agent| KnownName {
        is_retired: agent.retired,
        successors: agent.successors.iter().map(|token| (*token).to_owned()).collect(),
        operator: agent.operator.to_owned(),
        siblings: siblings(agent),
        may_ignore: matches!(agent.robots, Obedience::MayBeIgnored | Obedience::Ignored | Obedience::Disobeyed),
        is_named_only: agent.robots == Obedience::ObeyedByName,
        fallback: agent.fallback.iter().map(|token| (*token).to_owned()).collect(),
        ..KnownName::new(agent.token)
    });
    known.chain(fallbacks()).collect()
});

/// Returns the names that no crawler has, and whose groups some obey: `Yandex`.
fn fallbacks() -> Vec<KnownName> {
    let mut names: Vec<KnownName> = Vec::new();
    for agent in bundled::agents() {
        for name in agent.fallback {
            let is_same = |token: &str| token.eq_ignore_ascii_case(name);
            if !bundled::agents().iter().any(|other| is_same(other.token))
                && !names.iter().any(|known| is_same(&known.token))
            {
                names.push(KnownName { operator: agent.operator.to_owned(), ..KnownName::new(*name) });
            }
        }
    }
    names
}

/// Returns the other crawlers of an operator that fetch for AI, if a crawler does.
fn siblings(agent: &KnownAgent) -> Vec<String> {
    if !is_for_ai(agent) {
        return Vec::new();
    }
    let others = bundled::agents().iter().filter(|other| is_for_ai(other) && other.token != agent.token);
    others.filter(|other| other.operator == agent.operator).map(|other| other.token.to_owned()).collect()
}

/// Reports whether a crawler fetches for AI, under its own name.
fn is_for_ai(agent: &KnownAgent) -> bool {
    let is_ai = |purpose: &Purpose| matches!(purpose, Purpose::AiTraining | Purpose::AiSearch | Purpose::UserTriggered);
    !agent.retired && !agent.control && agent.purposes.iter().any(is_ai)
}

/// Returns a severity as people and SARIF call it.
#[must_use]
pub const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// Returns the columns of a span in its line, from 1, in characters: that of its first, and that after its last.
#[must_use]
pub fn columns(body: &[u8], span: ByteSpan) -> (usize, usize) {
    let start = (span.start as usize).min(body.len());
    let end = (span.end as usize).clamp(start, body.len());
    let line = body[..start].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |at| at + 1);
    let characters = |text: &[u8]| String::from_utf8_lossy(text).chars().count();
    let first = 1 + characters(&body[line..start]);
    (first, first + characters(&body[start..end]))
}

/// Returns a finding in a body.
#[must_use]
pub fn json(body: &[u8], finding: &Finding) -> Map<String, Value> {
    let (start, end) = columns(body, finding.span);
    let fix = finding.fix.as_ref().map(|fix| json!({ "title": fix.title, "safe": fix.is_safe }));
    let fields = [
        ("code", finding.check.code().into()),
        ("severity", severity(finding.severity).into()),
        ("line", finding.line.into()),
        ("column", start.into()),
        ("end_column", end.into()),
        ("message", finding.message.as_str().into()),
        ("witness", finding.witness.as_deref().into()),
        ("related_lines", finding.related.as_slice().into()),
        ("fix", fix.into()),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Returns a finding in a body, with its bytes and the edits of its fix.
#[must_use]
pub fn json_with_edits(body: &[u8], finding: &Finding) -> Value {
    let mut object = json(body, finding);
    object.insert("start".to_owned(), finding.span.start.into());
    object.insert("end".to_owned(), finding.span.end.into());
    if let (Some(fix), Some(Value::Object(shown))) = (&finding.fix, object.get_mut("fix")) {
        let edits: Vec<Value> = fix
            .edits
            .iter()
            .map(|edit| {
                let mut object = Map::new();
                object.insert("start".to_owned(), edit.range.start.into());
                object.insert("end".to_owned(), edit.range.end.into());
                shown::put(&mut object, "text", &edit.with);
                object.into()
            })
            .collect();
        shown.insert("edits".to_owned(), edits.into());
    }
    object.into()
}

#[cfg(test)]
mod tests {
    use robotsc::RobotsTxt;

    use super::*;

    /// A name whose groups some crawlers obey is no mistake, whether or not one has the name itself.
    #[test]
    fn fallbacks_are_known_names() {
        let fallbacks = bundled::agents().iter().flat_map(|agent| agent.fallback);
        assert!(fallbacks.clone().any(|name| *name == "Yandex"));
        for name in fallbacks {
            for name in [(*name).to_owned(), name.to_ascii_lowercase()] {
                let body = format!("User-agent: {name}\nDisallow: /private/\n");
                let found = default_lint().run(&RobotsTxt::parse(body.as_bytes()));
                assert!(found.iter().all(|finding| !finding.check.code().starts_with("agent-")), "{found:?}");
            }
        }
    }

    #[test]
    fn columns_count_characters() {
        let body = "a\nDisallow: /ä/b\n".as_bytes();
        assert_eq!(columns(body, ByteSpan::new(12, 17)), (11, 15));
        assert_eq!(columns(body, ByteSpan::new(99, 99)), (1, 1));
    }
}
