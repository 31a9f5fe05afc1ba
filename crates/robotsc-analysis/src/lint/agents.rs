//! `User-agent` values that name other crawlers than they seem to.

use std::collections::{HashMap, HashSet};

use robotsc_compiler::near_name::Plain;
use robotsc_compiler::{AgentLine, Severity};

use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};
use super::known_name::KnownName;
use super::{agent_lists, agent_parts, agent_rests, agent_words};
use crate::rules::compare::opened;

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>, known: &[KnownName]) {
    let body = context.body();
    if context.robots.agents().iter().all(|agent| agent.is_star && agent.value.of(body).len() == 1) {
        return;
    }
    // In lower case. A file can have thousands of names.
    let names_of = |agent: &AgentLine| [agent.written(body), agent.token.of(body)].map(<[u8]>::to_ascii_lowercase);
    let named: HashSet<Vec<u8>> = context.robots.agents().iter().flat_map(names_of).collect();
    let all_known = known;
    let mut opened_to = HashMap::new();
    let mut offered = HashSet::new();
    let known: Vec<(&KnownName, Plain)> = known.iter().map(|known| (known, Plain::new(&known.token))).collect();
    for agent in context.robots.agents() {
        let value = agent.value.of(context.body());
        let can_except = value.starts_with(b"*") || value.iter().any(u8::is_ascii_whitespace);
        if context.explained.contains(&agent.line) || can_except && excepts(context, agent, &known, &named) {
            continue;
        }
        if agent.is_star {
            after_star(context, agent);
            continue;
        }
        if value.starts_with(b"Mozilla/") {
            browser_string(context, agent, &known);
            continue;
        }
        if agent_lists::check(context, agent, &known) {
            continue;
        }
        let is_reported = agent_words::check(context, agent, all_known, &known)
            || in_words(context, agent, &known)
            || agent_rests::check(context, agent, &known);
        if !is_reported {
            match retired_name(context, agent, &known) {
                Some(known) => retired(context, agent, known, &named, (&mut opened_to, &mut offered)),
                None => near_miss(context, agent, &known),
            }
        }
    }
}

/// Words after a `*`, which some crawlers read as `*` and others as the name of nobody: `* GPTBot`, `* bots`.
fn after_star(context: &mut Context<'_>, agent: &AgentLine) {
    let value = agent.value.of(context.body());
    let Some(rest) = value.strip_prefix(b"*").map(<[u8]>::trim_ascii).filter(|rest| !rest.is_empty()) else { return };
    let Some(check) = context.check(LintCheck::AgentNotToken) else { return };
    // A path or another sign is left of something else.
    let what = if rest.iter().any(u8::is_ascii_alphanumeric) {
        "write each name on a line of its own"
    } else {
        "write `*` alone"
    };
    let message = format!(
        "{} is read as `*`, or by crawlers that compare the whole value as a name that nobody has: {what}",
        quoted(value)
    );
    context.found.push(Finding::new(check, agent.line, agent.value, message).severity(Severity::Warning));
}

/// Words that except somebody in a sentence.
const EXCEPTING: [&str; 20] = [
    "except",
    "excepting",
    "but",
    "besides",
    "excluding",
    "exclude",
    "without",
    "minus",
    "not",
    "no",
    "than",
    "sauf",
    "au\u{df}er",
    "ausser",
    "excepto",
    "menos",
    "salvo",
    "eccetto",
    "behalve",
    "\u{43a}\u{440}\u{43e}\u{43c}\u{435}",
];

/// A value that seems to except a crawler, which no line of robots.txt does: `* except Googlebot`, `all but GPTBot`. A
/// crawler that has a group of its own is excepted by that. Returns whether the value is such a sentence.
fn excepts(
    context: &mut Context<'_>,
    agent: &AgentLine,
    known: &[(&KnownName, Plain)],
    named: &HashSet<Vec<u8>>,
) -> bool {
    let Ok(text) = std::str::from_utf8(agent.value.of(context.body())) else { return false };
    let mut words = text.split(|char: char| !char.is_alphanumeric() && !"-_!".contains(char));
    let is_word = |word: &str| EXCEPTING.iter().any(|known| known.eq_ignore_ascii_case(word));
    let find = |word: &str| {
        let is_meant = |known: &KnownName| known.token.eq_ignore_ascii_case(word) && !known.is_retired;
        known.iter().map(|(known, _)| *known).find(|known| is_meant(known))
    };
    // `*-GPTBot` and `*, !GPTBot` are of other languages.
    let of_sign = || {
        let after = words.clone().find_map(|word| word.strip_prefix(['-', '!'])).filter(|_| text.starts_with('*'))?;
        find(after)
    };
    let meant = of_sign().or_else(|| if words.any(is_word) { words.find_map(find) } else { None });
    let Some(meant) = meant else { return false };
    if agent.is_star && named.contains(&meant.token.as_bytes().to_ascii_lowercase()) {
        return true;
    }
    let read = if agent.is_star { " is read as `*` and" } else { "" };
    let message = format!(
        "{}{read} excepts nobody: give `{}` a group of its own, beside that for `*`",
        quoted(text.as_bytes()),
        meant.token
    );
    context.report(LintCheck::AgentUnknown, agent.line, agent.value, message);
    true
}

/// A whole User-Agent header, in which few crawlers find their name.
fn browser_string(context: &mut Context<'_>, agent: &AgentLine, known: &[(&KnownName, Plain)]) {
    let value = agent.value.of(context.body());
    let Some(check) = context.check(LintCheck::AgentBrowserString) else { return };
    let message = format!(
        "{} is a whole User-Agent header, and names a crawler called Mozilla: write the name alone",
        quoted(value)
    );
    let finding = Finding::new(check, agent.line, agent.value, message);
    let named = names_of_header(value, known);
    context.found.push(match named.as_slice() {
        [name] => finding.fix(Fix::replace("write the name alone", agent.value, name.as_bytes())),
        _ => finding,
    });
}

/// Returns the known crawlers that a header names as products, each once: not those of a URL, nor what it is like.
fn names_of_header<'k>(value: &[u8], known: &[(&'k KnownName, Plain)]) -> Vec<&'k str> {
    let text = String::from_utf8_lossy(value);
    let words: Vec<&str> = text.split([' ', ';', '(', ')', ',']).filter(|word| !word.is_empty()).collect();
    let mut names = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let is_like = at > 0 && words[at - 1].eq_ignore_ascii_case("like");
        let name = word.split('/').next().unwrap_or(word);
        let is = |known: &KnownName| known.token.eq_ignore_ascii_case(name) && !known.is_retired;
        let found = known.iter().map(|(known, _)| *known).find(|known| is(known)).map(|known| known.token.as_str());
        names.extend(found.filter(|name| !is_like && !names.contains(name)));
    }
    names
}

/// A value of several words of which crawlers read the first, and that names a known crawler as a whole or by another
/// of its words: `GPT Bot`, `OpenAI GPTBot`. Returns whether it was reported.
fn in_words(context: &mut Context<'_>, agent: &AgentLine, known: &[(&KnownName, Plain)]) -> bool {
    let value = agent.value.of(context.body());
    let Ok(text) = std::str::from_utf8(value) else { return false };
    let Some(first) = text.split_ascii_whitespace().next().filter(|first| first.len() < text.len()) else {
        return false;
    };
    let is =
        |name: &str| known.iter().find(|(known, _)| known.token.eq_ignore_ascii_case(name)).map(|(known, _)| *known);
    // `Googlebot Images` names Googlebot and something else; `GPTBot crawler` what it should.
    let whole = Plain::new(&text.replace('\t', " "));
    let joined =
        known.iter().find(|(known, its)| known.token.len() >= 5 && its.is_same(&whole)).map(|(known, _)| *known);
    let by_word = || if is(first).is_some() { None } else { text.split_ascii_whitespace().skip(1).find_map(is) };
    let Some(meant) = joined.or_else(by_word).filter(|meant| !meant.is_retired) else { return false };
    let Some(check) = context.check(LintCheck::AgentUnknown) else { return false };
    let message =
        format!("{} names `{first}`, since a name has no blank: did you mean `{}`?", quoted(value), meant.token);
    let finding = Finding::new(check, agent.line, agent.value, message);
    // Another word can be a name, too.
    let is_other = |word: &str| {
        let plain = Plain::new(word);
        known.iter().any(|(known, its)| its.is_same(&plain) && known.token != meant.token)
    };
    let is_list = text.contains([',', ';', '|', ':']);
    let is_sure = !is_list && (joined.is_some() || !text.split_ascii_whitespace().any(is_other));
    let fix = Fix::replace("write the known name", agent.value, meant.token.as_bytes());
    context.found.push(if is_sure { finding.fix(fix) } else { finding });
    true
}

/// Returns the crawler that an agent names, if it is gone.
fn retired_name<'k>(
    context: &Context<'_>,
    agent: &AgentLine,
    known: &[(&'k KnownName, Plain)],
) -> Option<&'k KnownName> {
    let name = std::str::from_utf8(agent.written(context.body())).ok()?;
    let (known, _) = known.iter().find(|(known, _)| known.token.eq_ignore_ascii_case(name))?;
    known.is_retired.then_some(known)
}

/// A name that is nearly that of a known crawler.
fn near_miss(context: &mut Context<'_>, agent: &AgentLine, known: &[(&KnownName, Plain)]) {
    let written = agent.written(context.body());
    let Ok(name) = std::str::from_utf8(written) else { return };
    if known.iter().any(|(known, _)| known.token.eq_ignore_ascii_case(name)) {
        return;
    }
    let Some(check) = context.check(LintCheck::AgentUnknown) else { return };
    if name.len() < 5 || is_left_to_fill_in(name) {
        return;
    }
    let plain = Plain::new(name);
    let is_meant = |known: &KnownName, its: &Plain| {
        !known.is_retired
            && its.is_near(&plain)
            && !is_other_product(&known.token, name)
            && !is_other_word(&known.token, name)
    };
    // `Mediapartners-Google*` is read as the name before the star.
    let token = agent.token.of(context.body());
    let is_read = |known: &KnownName| known.token.as_bytes().eq_ignore_ascii_case(token);
    if name.ends_with('*') && known.iter().any(|(known, _)| is_read(known)) {
        return;
    }
    let near = || known.iter().find(|(known, its)| is_meant(known, its)).map(|(known, _)| *known);
    if let Some(meant) = near().or_else(|| agent_parts::meant(name, known)) {
        let message = format!("`{name}` is no known crawler: `{}` is", meant.token);
        let finding = Finding::new(check, agent.line, agent.value, message);
        // What follows the name is not known.
        let is_whole = agent.value.of(context.body()).len() == written.len();
        let fix = Fix::replace("write the known name", agent.value, meant.token.as_bytes());
        context.found.push(if is_whole { finding.fix(fix) } else { finding });
    }
}

/// Reports whether a name is one of a manual, such as `YOUR_BOT`.
fn is_left_to_fill_in(name: &str) -> bool {
    ["your", "my", "example", "some"].iter().any(|word| {
        let rest = name.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word)).map(|_| &name[word.len()..]);
        rest.is_some_and(|rest| rest.starts_with(['-', '_', ' ']))
    })
}

/// Reports whether two names differ in the letters after the last sign alone, if these are few: `SemrushBot-BA` is
/// another crawler than `SemrushBot-SA`.
fn is_other_product(known: &str, name: &str) -> bool {
    let signs = ['-', '_'];
    match (known.rsplit_once(signs), name.rsplit_once(signs)) {
        (Some((one, product)), Some((other, suffix))) => {
            one.eq_ignore_ascii_case(other) && product.len().max(suffix.len()) <= 3
        }
        _ => false,
    }
}

/// The maximum number of letters of a word that is another word if one of them is changed.
const SHORT: usize = 5;

/// Reports whether a short name differs from a known one as words do: a letter is changed, or a digit added or left
/// out. `Devil` is not `Devin`, and `AIBot` is not `AI2Bot`.
fn is_other_word(known: &str, name: &str) -> bool {
    let changed = known.bytes().zip(name.bytes()).filter(|(one, other)| !one.eq_ignore_ascii_case(other)).count();
    let digits = |name: &str| name.bytes().filter(u8::is_ascii_digit).count();
    let is_changed = known.len() == name.len() && changed == 1;
    known.len().min(name.len()) <= SHORT && (is_changed || digits(known) != digits(name))
}

/// A name that no crawler has any more, in a file that does not name all of its successors.
///
/// It is a warning if a successor may fetch what the group closes: its owner relies on a name that nobody has.
fn retired<'k>(
    context: &mut Context<'_>,
    agent: &AgentLine,
    known: &'k KnownName,
    named: &HashSet<Vec<u8>>,
    (opened_to, offered): (&mut HashMap<&'k str, Option<&'k str>>, &mut HashSet<&'k str>),
) {
    let Some(check) = context.check(LintCheck::AgentRetired) else { return };
    let is_named = |token: &&String| named.contains(&token.as_bytes().to_ascii_lowercase());
    let missing: Vec<&String> = known.successors.iter().filter(|token| !is_named(token)).collect();
    if missing.is_empty() && !known.successors.is_empty() {
        return;
    }
    let gone = format!("no crawler is called `{}` any more", known.token);
    let quoted: Vec<String> = missing.iter().map(|token| format!("`{token}`")).collect();
    let names = match quoted.as_slice() {
        [] => {
            context.report(check, agent.line, agent.value, gone);
            return;
        }
        names => names,
    };
    // Whoever names one of them knows of the others.
    let is_relied_on = missing.len() == known.successors.len();
    let opened_to =
        *opened_to.entry(&known.token).or_insert_with(|| let_in(context, known, &missing).filter(|_| is_relied_on));
    let verb = if names.len() == 1 { "its successor is" } else { "its successors are" };
    let mut message = format!("{gone}: {verb} {}, which no group names", names.join(" and "));
    if let Some(name) = opened_to {
        message.push_str(&format!(", so that {name} may fetch what this group closes"));
    }
    let line = context.lines.whole(agent.line);
    let ending = context.lines.end_of_line();
    // Two names can have one successor, and a group names it once.
    let is_first = missing.iter().all(|token| !offered.contains(token.as_str()));
    offered.extend(missing.iter().map(|token| token.as_str()));
    let lines: Vec<u8> =
        missing.iter().flat_map(|token| [b"User-agent: ", token.as_bytes(), ending].concat()).collect();
    let fix = Fix::insert("name the successor, too", line.end, lines);
    let severity = if opened_to.is_some() { Severity::Warning } else { check.severity() };
    let finding = Finding::new(check, agent.line, agent.value, message).severity(severity);
    context.found.push(if is_first { finding.fix(fix) } else { finding });
}

/// Returns the first of the successors that may fetch what the group of a crawler that is gone disallows.
fn let_in<'k>(context: &Context<'_>, known: &KnownName, successors: &[&'k String]) -> Option<&'k str> {
    let own = context.obeyed_by(&known.token)?;
    let is_let_in = |name: &&&String| {
        let theirs = context.obeyed_by(name);
        theirs.is_some_and(|theirs| opened(&own.rules, &theirs.rules).is_ok_and(|opened| !opened.is_empty()))
    };
    successors.iter().find(is_let_in).map(|name| name.as_str())
}
