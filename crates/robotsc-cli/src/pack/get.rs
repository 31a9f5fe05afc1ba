//! `pack get`: what a pack holds about one origin.

use std::io::Write as _;

use robotsc::AgentName;
use robotsc::fetch::{Effective, EffectivePolicy, Next, Time};
use robotsc::origin::Origin;
use robotsc::pack::{Pack, PackAgents, PackEntry};
use serde_json::json;

use super::args::GetArgs;
use super::{dump, name, open};
use crate::failure::{End, Failure, complain};
use crate::{output, table, time};
use robotsc_answers::shown;

/// What a policy holds for one agent.
struct Agent {
    token: String,
    bytes: Option<usize>,
    crawl_delay: Option<f64>,
}

/// Runs the command.
pub(super) fn get(args: &GetArgs) -> Result<End, Failure> {
    let pack = open(&args.pack)?;
    let now = time::now(args.now.as_deref())?;
    let given = args.origin.as_encoded_bytes();
    let origin = Origin::of_url(given)
        .map_err(|error| Failure::new(format_args!("no origin: {}: {error}", shown::cut(given, 120))))?;
    let Some(entry) = pack.get(origin.as_bytes()) else {
        complain(&format!("{origin}: not in {}", name(&args.pack)));
        return Ok(End::Findings);
    };
    let in_force = entry.record().effective(pack.dialect(), now);
    let agents = agents(&pack, &entry);
    let sitemaps: Vec<String> = entry.sitemaps().map(shown::bytes).collect();
    if args.json {
        let agents: Vec<_> = agents
            .iter()
            .map(|agent| json!({"agent": agent.token, "bytes": agent.bytes, "crawl_delay": agent.crawl_delay}))
            .collect();
        let record = entry.record();
        let line = json!({
            "type": "origin",
            "origin": origin.as_str(),
            "outcome": dump::outcome(record.outcome),
            "fetched_at": record.fetched_at.0,
            "expires_at": record.expires_at.0,
            "good_at": dump::seconds(record.good_at),
            "failing_since": dump::seconds(record.failing_since),
            "policy": dump::policy(&entry),
            "effective": force(in_force.policy),
            "until": (in_force.until != Time::MAX).then_some(in_force.until.0),
            "next": next(&in_force),
            "agents": agents,
            "sitemaps": sitemaps,
        });
        output::json_line(&mut output::stdout(), &line)?;
        return Ok(End::Clean);
    }
    let mut out = output::stdout();
    writeln!(out, "{origin}")?;
    let record = entry.record();
    let mut table = table::Table::new(&["", ""]);
    let mut row = |what: &str, value: String| table.row([what.to_owned(), value]);
    row("outcome", dump::outcome(record.outcome).to_owned());
    row("fetched", time::shown(record.fetched_at));
    row("expires", time::shown(record.expires_at));
    for (what, time) in [("good copy of", record.good_at), ("failing since", record.failing_since)] {
        if let Some(time) = time {
            row(what, time::shown(time));
        }
    }
    let until =
        if in_force.until == Time::MAX { String::new() } else { format!(", until {}", time::shown(in_force.until)) };
    row("effective", format!("{}{until}", force(in_force.policy)));
    row("next", next(&in_force));
    for agent in &agents {
        let bytes = agent.bytes.map_or_else(|| "no rules".to_owned(), |bytes| format!("{bytes} bytes"));
        let delay = agent.crawl_delay.map_or_else(String::new, |delay| format!(", crawl delay {delay} s"));
        row(&agent.token, format!("{bytes}{delay}"));
    }
    for sitemap in sitemaps {
        row("sitemap", sitemap);
    }
    table.write_body(&mut out, "  ")?;
    out.flush()?;
    Ok(End::Clean)
}

/// Returns the agents that the entry distinguishes.
fn agents(pack: &Pack, entry: &PackEntry<'_>) -> Vec<Agent> {
    let tokens: Vec<Vec<u8>> = match pack.agents() {
        PackAgents::All => entry.tokens().map(<[u8]>::to_vec).chain([b"*".to_vec()]).collect(),
        PackAgents::Some(tokens) => tokens.iter().map(|token| token.clone().into_bytes()).collect(),
    };
    let agents = tokens.into_iter().filter_map(|token| {
        let agent = match token.as_slice() {
            b"*" => pack.other_agents()?,
            name => pack.agent(AgentName::from_bytes(name).ok()?)?,
        };
        Some(Agent {
            token: shown::bytes(&token),
            bytes: entry.program(&agent).map(|program| program.as_bytes().len()),
            crawl_delay: entry.crawl_delay(&agent).map(|delay| delay.as_secs_f64()),
        })
    });
    agents.collect()
}

const fn force(force: EffectivePolicy) -> &'static str {
    match force {
        EffectivePolicy::Rules => "rules",
        EffectivePolicy::AllowAll => "all allowed",
        EffectivePolicy::DisallowAll => "nothing allowed",
        EffectivePolicy::Unknown => "unknown",
    }
}

fn next(in_force: &Effective) -> String {
    match in_force.next {
        Next::Use => "use".to_owned(),
        Next::Refetch => "fetch again".to_owned(),
        Next::Defer(time) => format!("defer to {}", time::shown(time)),
    }
}
