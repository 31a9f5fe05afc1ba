//! What a policy asks and robots.txt cannot do, and whom it opens.

use std::borrow::Cow;
use std::collections::BTreeMap;

use robotsc::RobotsTxt;
use robotsc::agent::SelectionReason;
use robotsc::bundled::{self, Obedience, Purpose};
use robotsc_analysis::words::listed;

use super::choice::{Choice, Member};
use super::declaration::Declaration;
use super::files::closing_lines;
use crate::identity::OTHERS;
use crate::known_agent::doubt;
use crate::shown;

/// Something that robots.txt cannot do, or does besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The crawlers that it is about.
    pub agents: Vec<String>,
    /// What it is, in one clause that comes after the names.
    pub what: Cow<'static, str>,
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", listed(&self.agents), self.what)
    }
}

const NOT_KNOWN: &str = "not in the register of known crawlers";
const NOT_SECRET: &str =
    "a path here is no secret: anybody can read it and open it, and a search engine may list its bare address";
const STOPS_NO_FETCH: &str = "a preference stops no fetch: it counts for those who read such records";
const IGNORED: &str = "robots.txt is ignored, the operator says: only the server can refuse requests";

/// Returns what robots.txt cannot do for a policy, and what it does besides.
///
/// ```
/// use robotsc_answers::set::{Choice, Declaration, limits};
///
/// let policy = Declaration { deny: vec!["Bytespider".to_owned(), "bingbot".to_owned()], ..Declaration::default() };
/// let notes: Vec<String> = limits(&policy, &Choice::of(&policy)?).iter().map(ToString::to_string).collect();
/// assert_eq!(notes, [
///     "Bytespider: robots.txt is not obeyed, others say: only the server can refuse requests",
///     "bingbot: pages that a search engine may not fetch leave its results, or stay as a bare address",
/// ]);
///
/// let policy = Declaration { deny: vec!["FooBot".to_owned(), "OpenAIBot".to_owned()], ..Declaration::default() };
/// let notes: Vec<String> = limits(&policy, &Choice::of(&policy)?).iter().map(ToString::to_string).collect();
/// assert_eq!(notes, [
///     "FooBot: not in the register of known crawlers",
///     "OpenAIBot: not in the register of known crawlers: its crawlers are ChatGPT-User, GPTBot, OAI-AdsBot and \
///      OAI-SearchBot",
/// ]);
/// # Ok::<(), robotsc_answers::mistake::Mistake>(())
/// ```
#[must_use]
pub fn limits(declaration: &Declaration, choice: &Choice) -> Vec<Limit> {
    let denied = |is: &dyn Fn(&Member) -> bool| names(choice.denied.iter().filter(|member| is(member)));
    let robots = |robots: Obedience| denied(&|member| member.known.is_some_and(|known| known.robots == robots));
    // What the site loses with one that is for an allowed purpose, too, is said once.
    let is_said = |member: &Member, purpose| {
        choice.purposes.contains(&purpose) && choice.of_both.iter().any(|both| both.is(&member.name))
    };
    let of = |purpose: Purpose| {
        let is_for =
            |member: &Member| member.known.is_some_and(|known| !known.control && known.purposes.contains(&purpose));
        denied(&|member| is_for(member) && !is_said(member, purpose))
    };
    let everybody = |is: bool| if is { vec![OTHERS.to_owned()] } else { Vec::new() };
    let of_all = [
        (choice.is_closed, "no crawler may fetch anything: a path that is for nobody matches all"),
        (!declaration.disallow.is_empty() && !choice.is_closed, NOT_SECRET),
        (declaration.content_usage.is_some() || declaration.content_signal.is_some(), STOPS_NO_FETCH),
    ];
    let of_all = of_all.map(|(is, what)| (everybody(is), what)).into_iter();
    let all = [
        (names(choice.deaf.iter()), IGNORED),
        (robots(Obedience::Ignored), IGNORED),
        (robots(Obedience::Disobeyed), "robots.txt is not obeyed, others say: only the server can refuse requests"),
        (robots(Obedience::MayBeIgnored), "robots.txt can be ignored, the operator says"),
        (robots(Obedience::NotStated), "whether robots.txt is obeyed, the operator does not say"),
        (denied(&|member| member.known.is_none() && doubt(&member.name).is_none()), NOT_KNOWN),
        (
            denied(&|member| member.known.is_some_and(|known| known.retired && known.successors.is_empty())),
            "no crawler has this name any more",
        ),
        (of(Purpose::Search), "pages that a search engine may not fetch leave its results, or stay as a bare address"),
        (of(Purpose::Preview), "links to the site lose their previews there"),
    ];
    let all = of_all.chain(of_both(choice)).chain(all);
    let limit = |(agents, what): (Vec<String>, &'static str)| Limit { agents, what: what.into() };
    let doubted = choice.denied.iter().chain(&choice.allowed).filter(|member| member.known.is_none());
    let doubted = doubted.filter_map(|member| {
        let what = format!("{NOT_KNOWN}: {}", doubt(&member.name)?).into();
        Some(Limit { agents: vec![member.name.clone()], what })
    });
    let succeeded = choice.denied.iter().filter_map(|member| {
        let successors = member.known.filter(|known| known.retired && !known.successors.is_empty())?.successors;
        let is_denied = successors.iter().all(|name| choice.is_denied(name));
        let way_out = if is_denied { "" } else { ": deny it, too" };
        let what = format!("no crawler has this name any more, but {}{way_out}", listed(successors)).into();
        Some(Limit { agents: vec![member.name.clone()], what })
    });
    all.filter(|(agents, _)| !agents.is_empty()).map(limit).chain(succeeded).chain(doubted).collect()
}

/// Returns the crawlers that are denied for one purpose and allowed for another, with what the site loses by it.
fn of_both(choice: &Choice) -> impl Iterator<Item = (Vec<String>, &'static str)> {
    choice.purposes.iter().map(|purpose| {
        let is_for = |member: &&Member| member.known.is_some_and(|known| known.purposes.contains(purpose));
        (names(choice.of_both.iter().filter(is_for)), lost(*purpose))
    })
}

/// Returns the crawlers that a file without a block closes by a group that names them, or a crawler that they follow,
/// and that a policy opens by their purpose or operator: their owner may not know that the policy is about them.
pub(super) fn reopened(before: &RobotsTxt<'_>, choice: &Choice) -> Vec<Limit> {
    let mut opened: BTreeMap<(String, &str), Vec<String>> = BTreeMap::new();
    for member in choice.allowed.iter().filter(|_| !choice.is_closed) {
        let Some(allowed_by) = &member.allowed_by else { continue };
        let selection = before.select(&member.crawler);
        let SelectionReason::Named(names) = &selection.reason else { continue };
        if closing_lines(before, &selection).is_empty() {
            continue;
        }
        // As their operators write them: a selection has them in lower case.
        let token = |name: String| bundled::agent(&name).map_or(name, |known| known.token.to_owned());
        let names: Vec<String> = names.iter().map(|name| token(shown::bytes(name))).collect();
        let is_own = names.iter().any(|name| member.is(name));
        let closed = if is_own { "by name".to_owned() } else { format!("with {}", listed(&names)) };
        opened.entry((closed, allowed_by)).or_default().push(member.name.clone());
    }
    let limit = |((closed, allowed_by), agents): ((String, &str), Vec<String>)| {
        let (one, name) = if let [name] = agents.as_slice() { ("it", name.as_str()) } else { ("one", "NAME") };
        let what = format!(
            "closed {closed} in the file, open with this policy, which allows {allowed_by}: to keep {one} closed, deny \
             it by name, too ('robotsc set --deny {name}')"
        );
        Limit { agents, what: what.into() }
    };
    opened.into_iter().map(limit).collect()
}

/// Returns what a site loses with a crawler that is allowed for a purpose and denied for another.
const fn lost(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Search => "for search, too: denied, so the site leaves its results, unless it is allowed by name",
        Purpose::AiSearch => "for ai-search, too: denied, so the site leaves its answers, unless it is allowed by name",
        Purpose::Preview => "for preview, too: denied, so links lose their previews, unless it is allowed by name",
        _ => "for a purpose that is allowed, too: denied, unless allowed by name",
    }
}

fn names<'m>(members: impl Iterator<Item = &'m Member>) -> Vec<String> {
    members.map(|member| member.name.clone()).collect()
}
