//! Explains, lints, compares and formats, as JSON: the objects of the command and of the server.

use robotsc::RobotsTxt;
use robotsc_analysis::lint::fixed;
use robotsc_analysis::{Diff, preferences as stated};
use robotsc_answers::diff::{self, Side, words::Words};
use robotsc_answers::explain::{self, ExplanationReport};
use robotsc_answers::format::After;
use robotsc_answers::{lint, preferences, shown};
use serde_json::{Map, Value, json};

use crate::crawler::NamedCrawler;
use crate::mistake::{Kind, Mistake};
use crate::object::{Answer, Object};

fn answer(value: impl Into<Value>) -> Result<Answer, Mistake> {
    Ok(Answer::Bytes(value.into().to_string().into_bytes()))
}

/// Explains whether a crawler may fetch a URL.
pub(crate) fn explain(robots: &Object, crawler: &Object, url: &[u8]) -> Result<Answer, Mistake> {
    let (robots, crawler) = (robots.robots()?, crawler.crawler()?);
    let NamedCrawler { crawler, documented } = crawler;
    let path = robots.url_path(url)?;
    let others = explain::others(robots.body(), robots.dialect(), |_| Ok(crawler.clone()), url, false);
    let names: Vec<String> = crawler.names().map(|name| name.to_string()).collect();
    let name = if names.is_empty() { "*".to_owned() } else { names.join(",") };
    let name = documented.as_ref().and_then(|crawler| crawler.known()).map_or(name, |known| known.token.to_owned());
    let note = documented.as_ref().and_then(|crawler| crawler.clause_for(robots));
    answer(ExplanationReport::with(robots, crawler, url, &path, |told| {
        explain::json::explanation(told, &others, &name, note.as_deref())
    })?)
}

/// Returns what is wrong with a file.
pub(crate) fn lint(robots: &Object) -> Result<Answer, Mistake> {
    let robots = robots.robots()?;
    let found = lint::default_lint().run(robots);
    answer(found.iter().map(|finding| lint::json_with_edits(robots.body(), finding)).collect::<Vec<Value>>())
}

/// Returns a file after the fixes of its findings.
pub(crate) fn fix(robots: &Object, with_unsafe: bool) -> Result<Answer, Mistake> {
    let robots = robots.robots()?;
    let after = fixed(robots.body(), robots.dialect(), &lint::default_lint(), with_unsafe);
    let mut object = Map::new();
    shown::put(&mut object, "text", &after.body);
    object.insert("applied".to_owned(), after.applied.into());
    object.insert("refused".to_owned(), after.refused.into());
    answer(object)
}

/// Returns what changed from one file to another, for all agents.
pub(crate) fn diff(old: &Object, new: &Object, as_written: bool) -> Result<Answer, Mistake> {
    let robots: [&RobotsTxt<'_>; 2] = [old.robots()?, new.robots()?];
    let dialects = robots.map(|robots| robots.dialect().name);
    let is_edit = dialects[0] == dialects[1];
    let compared = Diff::with(robots[0], robots[1], &diff::options(&[], is_edit, as_written));
    let compared = compared.map_err(|error| Mistake::new(Kind::Agent, error))?;
    let words = Words::new(&compared, (!is_edit).then_some(dialects), false);
    let sides = [Side { name: "old", robots: robots[0] }, Side { name: "new", robots: robots[1] }];
    let mut changes = diff::json::objects(&compared, &words, sides);
    let summary = changes.pop();
    answer(json!({ "changes": changes, "summary": summary }))
}

/// Formats a file.
pub(crate) fn format(robots: &Object, minify: bool) -> Result<Answer, Mistake> {
    let before = robots.robots()?.body();
    let after = After::of(before, minify);
    let mut object = Map::new();
    shown::put(&mut object, "text", &after.body);
    object.extend(after.json(before));
    answer(object)
}

/// Returns what may be done with a page; null if it may not be fetched.
pub(crate) fn preferences(robots: &Object, crawler: &Object, url: &[u8]) -> Result<Answer, Mistake> {
    let crawler = &crawler.crawler()?.crawler;
    let read = stated::Preferences::read(robots.robots()?, crawler, stated::Reading::default())?;
    answer(read.at(url)?.as_ref().map_or(Value::Null, preferences::json))
}
