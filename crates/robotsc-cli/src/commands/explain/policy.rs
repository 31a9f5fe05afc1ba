//! Why a declared rule set allows or disallows a URL.

use std::ffi::OsStr;
use std::io::Write as _;

use robotsc::robots_txt::ByteSpan;
use robotsc_answers::identity::Identity;
use robotsc_answers::shown;
use serde_json::{Map, Value};

use super::ExplainArgs;
use crate::failure::{End, Failure};

use crate::command_line::crawlers;
use crate::command_line::rule_sets::NamedRuleSet;
use crate::io::output;
use crate::io::report::{Place, Report, Tone};

/// Explains the answer of a rule set for each crawler.
pub(super) fn explain(name: &OsStr, args: &ExplainArgs) -> Result<End, Failure> {
    if let Some(second) = &args.url {
        return Err(Failure::new(format_args!(
            "two URLs: '{}': --rules explains one URL: run it once for each",
            shown::cut(second.as_encoded_bytes(), 120)
        )));
    }
    let crawlers = crawlers::all(&args.agent);
    let policy = NamedRuleSet::read(name)?;
    let tables = policy.tables()?;
    let overlays = policy.overlays(tables.as_ref(), &crawlers)?;
    for overlay in &overlays {
        args.read.dialect.check_rule_set(overlay.set.name(), &overlay.dialect)?;
    }
    // With a rule set, the URL is where ROBOTS would be.
    let url = args.robots.as_encoded_bytes();
    let bad = |reason| Failure::new(format_args!("bad URL: '{}': {reason}", shown::cut(url, 120)));
    let mut out = output::coloured();
    let mut end = End::Clean;
    for (number, overlay) in overlays.iter().enumerate() {
        let answer = overlay.answer(url).map_err(bad)?;
        let agent = crawlers.get(number).map_or_else(|| "any".to_owned(), Identity::name);
        let path = robotsc::url::url_path(url, overlay.set.path_form()).map_err(|error| bad(error.to_string()))?;
        let verdict = answer.map_or_else(|| "outside".to_owned(), |answer| answer.verdict.to_string());
        let is_allowed = answer.is_some_and(|answer| answer.verdict.is_allow());
        if !is_allowed {
            end = End::Findings;
        }
        if args.json {
            let mut object = Map::new();
            object.insert("type".to_owned(), "set-explanation".into());
            object.insert("verdict".to_owned(), verdict.into());
            object.insert("dialect".to_owned(), overlay.dialect.name.into());
            shown::put(&mut object, "url", url);
            object.insert("agent".to_owned(), agent.into());
            shown::put(&mut object, "path", path.as_bytes());
            object.insert("policy".to_owned(), overlay.json(answer));
            output::json_line(&mut out, &Value::Object(object))?;
            continue;
        }
        let rule = answer.and_then(|answer| answer.rule);
        let mut notes = vec![
            ("agent", shown::line(&agent)),
            ("policy", format!("{}, dialect {}", overlay.set.name(), overlay.dialect.name)),
            ("path", shown::cut(path.as_bytes(), 160)),
        ];
        notes.extend(overlay.note.clone().map(|note| ("note", note)));
        match (answer, rule) {
            (None, _) => notes.push(("origin", "the rule set does not apply to it".to_owned())),
            (Some(_), None) => {
                notes.push(("rule", "none for it matches, and what no rule matches is allowed".to_owned()));
            }
            (Some(_), Some(rule)) => notes.extend(rule.name.map(|name| ("rule", name.to_owned()))),
        }
        let spot = rule.and_then(|rule| policy.spot(overlay, url, &rule));
        // Of a set that ships, the file is not at hand: there is no line to show.
        if let (Some(rule), None) = (rule, spot) {
            notes.push(("text", shown::cut(rule.text.as_bytes(), 160)));
            notes.push(("place", format!("line {} of {}, which ships with the library", rule.line, rule.file)));
        }
        let place = spot.map(|spot| Place {
            file: spot.path(),
            body: spot.body(),
            line: spot.line(),
            span: span_of(&spot.range()),
            label: format!("{verdict} by this rule"),
        });
        let report = Report {
            tone: if is_allowed { Tone::Good } else { Tone::Error },
            name: &verdict,
            code: None,
            title: shown::cut(url, 160),
            place,
            notes,
        };
        if number > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}", report.render())?;
    }
    out.flush()?;
    Ok(end)
}

fn span_of(range: &std::ops::Range<usize>) -> ByteSpan {
    let [start, end] = [range.start, range.end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
    ByteSpan { start, end }
}
