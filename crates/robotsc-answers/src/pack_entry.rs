//! What a pack holds about one origin.

use robotsc::AgentName;
use robotsc::outcome::{Access, Effective, Next, Time, UnknownReason};
use robotsc::pack::{Category, Pack, PackAgent, PackAgents, PackEntry, PathPreferences, Preference};
use serde_json::{Value, json};

use crate::identity::{Identity, OTHERS};
use crate::mistake::Mistake;
use crate::{shown, time};

/// Returns the agent of a pack that answers for a crawler. `name` is that of the pack, for messages.
///
/// # Errors
/// If the pack was built for others, or for the name alone and the crawler obeys what its operator documents.
pub fn agent(pack: &Pack, name: &str, crawler: &Identity) -> Result<PackAgent, Mistake> {
    if let Some(agent) = pack.crawler(&crawler.named_crawler()?) {
        return Ok(agent);
    }
    let is_held = |other: Identity| other.named_crawler().is_ok_and(|other| pack.crawler(&other).is_some());
    let why = match crawler {
        Identity::Token(token) if is_held(Identity::Written(token.clone())) => {
            "was built for the name alone, without what its operator documents: build it again, or take the name as \
             written"
                .to_owned()
        }
        Identity::Written(token) if is_held(Identity::Token(token.clone())) => {
            "was built for it as its operator documents it, and not for the name as written".to_owned()
        }
        _ => format!("was built for {}: build a pack for it", shown::cut(built_for(pack).as_bytes(), 160)),
    };
    Err(Mistake::new("no such agent", format_args!("{}: {name} {why}", shown::cut(crawler.name().as_bytes(), 80))))
}

/// Returns the agents that a pack was built for, as text.
#[must_use]
pub fn built_for(pack: &Pack) -> String {
    match pack.agents() {
        PackAgents::All => "all agents".to_owned(),
        PackAgents::Some(crawlers) => crawlers.join("; "),
    }
}

/// What a policy holds for one agent.
#[derive(Clone, Debug)]
pub struct Agent {
    /// Its token, `*`, or the crawler as the pack was built for it: `googlebot-image, else googlebot`.
    pub token: String,
    /// Whom the pack knows it as.
    pub agent: PackAgent,
    /// What its operator documents, if that counts.
    pub note: Option<String>,
    /// The bytes of its program; `None` if no rules are held.
    pub bytes: Option<usize>,
    /// Seconds.
    pub crawl_delay: Option<f64>,
    /// What is stated of the use of pages, in a pack that holds preferences; `None` if nothing is.
    pub preferences: Option<Stated>,
}

/// What is stated of the use of pages to one agent.
#[derive(Clone, Copy, Debug)]
pub struct Stated {
    /// Of paths that no pattern matches.
    otherwise: PathPreferences,
    /// Whether some paths have preferences of their own.
    has_paths: bool,
}

impl Stated {
    /// Returns what an entry states to an agent, in a pack that holds preferences; `None` if it states nothing.
    #[must_use]
    pub fn of(entry: &PackEntry<'_>, agent: &PackAgent) -> Option<Self> {
        let stated = entry.preferences(agent)?;
        Some(Self { otherwise: stated.otherwise(), has_paths: stated.has_paths() })
    }

    /// Returns it as text: `Content-Usage: train no; Content-Signal: search yes, use reference; some paths differ`.
    #[must_use]
    pub fn text(&self) -> String {
        let list = |of: &dyn Fn(Category) -> Preference| -> Vec<String> {
            let stated = Category::ALL.map(|category| (of(category), category.as_str())).into_iter();
            stated
                .filter(|(said, _)| *said != Preference::Unknown)
                .map(|(said, name)| format!("{name} {said}"))
                .collect()
        };
        let mut signals = list(&|category| self.otherwise.signal(category));
        signals.extend(self.otherwise.use_level().map(|level| format!("use {level}")));
        let vocabularies =
            [("Content-Usage", list(&|category| self.otherwise.usage(category))), ("Content-Signal", signals)];
        let stated = vocabularies.iter().filter(|(_, stated)| !stated.is_empty());
        let mut parts: Vec<String> = stated.map(|(name, stated)| format!("{name}: {}", stated.join(", "))).collect();
        if self.has_paths {
            parts.push("some paths differ".to_owned());
        }
        parts.join("; ")
    }

    /// Returns it as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let list = |of: &dyn Fn(Category) -> Preference| -> serde_json::Map<String, Value> {
            let said = |category: Category| (category.as_str().to_owned(), of(category).to_string().into());
            Category::ALL.into_iter().map(said).collect()
        };
        let mut signals = list(&|category| self.otherwise.signal(category));
        signals.insert("use".to_owned(), self.otherwise.use_level().map(|level| level.as_str()).into());
        json!({
            "content_usage": list(&|category| self.otherwise.usage(category)),
            "content_signal": signals,
            "has_paths": self.has_paths,
        })
    }
}

/// Returns the given crawlers as the entry has them; if none are given, all that the entry distinguishes.
///
/// # Errors
/// As [`agent`].
pub fn agents(pack: &Pack, name: &str, entry: &PackEntry<'_>, crawlers: &[Identity]) -> Result<Vec<Agent>, Mistake> {
    let of_entry = |token: String, agent: PackAgent, note: Option<String>| Agent {
        token,
        note,
        bytes: entry.program(&agent).map(|program| program.as_bytes().len()),
        crawl_delay: entry.crawl_delay(&agent).map(|delay| delay.as_secs_f64()),
        preferences: Stated::of(entry, &agent),
        agent,
    };
    if !crawlers.is_empty() {
        let given =
            crawlers.iter().map(|crawler| Ok(of_entry(crawler.name(), agent(pack, name, crawler)?, crawler.clause())));
        return given.collect();
    }
    if let PackAgents::Some(texts) = pack.agents() {
        let crawlers = pack.agents().crawlers();
        let listed = texts.iter().zip(&crawlers);
        return Ok(listed
            .filter_map(|(text, crawler)| Some(of_entry(text.clone(), pack.crawler(crawler)?, None)))
            .collect());
    }
    let named = entry.tokens().filter_map(|token| {
        let agent = pack.agent(AgentName::of_group(token).ok()?)?;
        Some(of_entry(shown::bytes(token), agent, None))
    });
    let others = pack.other_agents().map(|agent| of_entry(OTHERS.to_owned(), agent, None));
    Ok(named.chain(others).collect())
}

/// Returns what holds, in words.
#[must_use]
pub const fn force(force: Access) -> &'static str {
    match force {
        Access::Rules => "rules",
        Access::AllowAll => "all allowed",
        Access::DisallowAll => "nothing allowed",
        Access::Unknown => "unknown",
    }
}

/// Returns what a crawler does next, in words.
#[must_use]
pub fn next(in_force: &Effective) -> String {
    match in_force.next {
        Next::Use => "use".to_owned(),
        Next::Refetch => "fetch again".to_owned(),
        Next::Defer(time) => format!("defer to {}", time::shown(time)),
    }
}

/// Returns the entry of an origin as JSON, and what holds at a time: `effective`, and why nothing is known, if so.
#[must_use]
pub fn json(
    origin: &str,
    entry: &PackEntry<'_>,
    agents: &[Agent],
    effective: &Effective,
    unknown: Option<UnknownReason>,
) -> Value {
    let agents: Vec<Value> = agents
        .iter()
        .map(|agent| {
            let mut shown = json!({
                "agent": agent.token, "bytes": agent.bytes, "crawl_delay": agent.crawl_delay, "note": agent.note,
            });
            if let Some(stated) = &agent.preferences {
                shown["preferences"] = stated.json();
            }
            shown
        })
        .collect();
    let record = entry.record();
    let seconds = |time: Option<Time>| time.map(|time| time.0);
    json!({
        "type": "origin",
        "origin": origin,
        "outcome": record.outcome.as_str(),
        "fetched_at": record.fetched_at.0,
        "expires_at": record.expires_at.0,
        "good_at": seconds(record.good_at),
        "failing_since": seconds(record.failing_since),
        "policy": entry.policy_id().map(|id| id.to_string()),
        "effective": force(effective.access),
        "reason": unknown.map(UnknownReason::name),
        "until": (effective.until != Time::MAX).then_some(effective.until.0),
        "next": next(effective),
        "agents": agents,
        "sitemaps": entry.sitemaps().map(shown::bytes).collect::<Vec<_>>(),
    })
}
