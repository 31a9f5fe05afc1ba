//! A crawler: who runs it, what for, and what it does with robots.txt.

use robotsc::analysis::words::listed;
use robotsc::bundled::{self, KnownAgent, Obedience, Purpose};
use robotsc::robots_txt::AgentLine;
use robotsc::{Dialect, RobotsTxt};

use super::directive::readings;
use super::markdown::code;
use super::name::name_of;

/// Describes the crawlers that a `User-agent` line names.
pub(super) fn hover(robots: &RobotsTxt<'_>, line: &AgentLine) -> String {
    let body = robots.body();
    let written = String::from_utf8_lossy(line.written(body)).into_owned();
    let token = String::from_utf8_lossy(line.token.of(body)).into_owned();
    let mut text = Vec::new();
    if line.is_star {
        text.push(star());
    } else if let Some(known) = bundled::agent(&written).or_else(|| bundled::agent(&token)) {
        text.push(describe(known));
    } else if robots.agent_keys(line).next().is_none() {
        let (value, dialect) = (code(line.value.of(body)), code(robots.dialect().name.as_bytes()));
        text.push(format!("{value} names no crawler under {dialect}: a name starts with a letter, `-` or `_`."));
    } else {
        text.push(format!(
            "{} is not in robotsc's register of known crawlers. A crawler that calls itself so obeys this group.",
            code(name_of(robots, line))
        ));
    }
    let followers: Vec<String> = bundled::agents()
        .iter()
        .filter(|agent| !agent.retired && !token.is_empty())
        .filter(|agent| agent.fallback.iter().any(|name| name.eq_ignore_ascii_case(&token)))
        .map(|agent| code(agent.token.as_bytes()))
        .collect();
    if !followers.is_empty() {
        text.push(format!("If no group names them, this group is also for {}.", listed(&followers)));
    }
    let files: Vec<RobotsTxt<'_>> = Dialect::ALL.iter().map(|dialect| RobotsTxt::parse_with(body, dialect)).collect();
    let readings = readings(&files, line.line);
    if readings.contains('\n') {
        text.push(readings);
    }
    text.join("\n\n")
}

/// Describes `*`.
fn star() -> String {
    let by_name: Vec<String> = bundled::agents()
        .iter()
        .filter(|agent| agent.robots == Obedience::ObeyedByName && !agent.retired)
        .map(|agent| code(agent.token.as_bytes()))
        .collect();
    let mut text =
        "`*` means all crawlers that no other group names. A crawler with a group of its own ignores this one."
            .to_owned();
    if !by_name.is_empty() {
        text.push_str(&format!("\n\nThese obey only groups that name them: {}.", listed(&by_name)));
    }
    text
}

/// Describes a crawler of the register.
pub(crate) fn describe(agent: &KnownAgent) -> String {
    let purposes: Vec<String> = agent.purposes.iter().map(|purpose| in_words(*purpose).to_owned()).collect();
    let (token, operator, purposes) = (agent.token, agent.operator, listed(&purposes));
    let mut text = if agent.control {
        format!(
            "**{token}** of {operator} is not a crawler. A group for it controls whether what other crawlers fetch can \
             be used for {purposes}."
        )
    } else {
        let verb = if agent.retired { "fetched" } else { "fetches" };
        format!("**{token}** of {operator} {verb} for {purposes}.")
    };
    if agent.retired {
        let successors: Vec<String> = agent.successors.iter().map(|name| code(name.as_bytes())).collect();
        text.push_str(match successors.as_slice() {
            [] => " No crawler has this name any more.",
            _ => " No crawler has this name any more. ",
        });
        if !successors.is_empty() {
            let verb = if successors.len() == 1 { "Its successor is" } else { "Its successors are" };
            text.push_str(&format!("{verb} {}.", listed(&successors)));
        }
    }
    let mut lines = vec![text, obedience(agent).to_owned()];
    let names: Vec<String> = agent.fallback.iter().map(|name| code(name.as_bytes())).collect();
    if !names.is_empty() {
        lines.push(format!("If no group names it, it obeys the group for {}.", listed(&names)));
    }
    lines.extend(agent.note.map(|note| format!("{note}.")));
    lines.extend(agent.report.map(|report| format!("Report: <{report}>.")));
    lines.push(format!("Source: <{}>, read on {}.", agent.source, agent.checked));
    lines.retain(|line| !line.is_empty());
    lines.join("\n\n")
}

/// Returns what a crawler does with robots.txt, as its operator states it.
const fn obedience(agent: &KnownAgent) -> &'static str {
    match agent.robots {
        _ if agent.retired => "",
        Obedience::Obeyed if agent.control => "Its operator states that it obeys such groups.",
        Obedience::Obeyed => "Its operator states that it obeys robots.txt.",
        Obedience::ObeyedByName => "It obeys the groups that name it, and not those for `*`.",
        Obedience::MayBeIgnored => "Its operator states that it can ignore robots.txt.",
        Obedience::Ignored => "It ignores robots.txt: a rule for it has no effect.",
        Obedience::Disobeyed => "It does not obey robots.txt, say others: a rule for it may have no effect.",
        Obedience::NotStated => "Whether it obeys robots.txt is not stated by its operator.",
        _ => "",
    }
}

/// Returns a purpose as it follows "fetches for".
fn in_words(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Search => "a search engine",
        Purpose::AiTraining => "the training of AI models",
        Purpose::AiSearch => "the index or the answers of an AI assistant",
        Purpose::UserTriggered => "requests of single users",
        Purpose::Seo => "link graphs and audits of sites",
        Purpose::Archive => "an archive of the web",
        Purpose::Preview => "previews of links",
        Purpose::Ads => "advertisements",
        Purpose::Monitoring => "checks for the owner of the site",
        Purpose::Security => "the search for malware",
        Purpose::Research => "research",
        Purpose::Data => "data that is sold or used internally",
        other => other.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_crawler_is_described_in_sentences() {
        for agent in bundled::agents() {
            let text = describe(agent);
            assert!(text.starts_with(&format!("**{}** of ", agent.token)), "{text}");
            assert!(text.ends_with('.') && !text.contains("  ") && !text.contains(" ."), "{text}");
            assert!(!text.contains(".."), "{text}");
        }
        for purpose in Purpose::ALL {
            assert_ne!(in_words(purpose), purpose.name().to_uppercase());
        }
    }
}
