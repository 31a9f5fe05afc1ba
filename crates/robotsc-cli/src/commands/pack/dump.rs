//! `pack dump`: every origin of a pack, one per line.

use std::io::Write as _;

use robotsc::outcome::Time;
use robotsc::pack::{Pack, PackAgent, PackAgents, PackEntry};
use robotsc_answers::identity::{Identity, OTHERS};
use robotsc_answers::pack_entry::Stated;
use robotsc_answers::{pack_entry, shown, time};
use serde_json::json;

use super::args::DumpArgs;
use super::{name, open};
use crate::command_line::crawlers;
use crate::failure::{End, Failure};
use crate::io::output;

/// The first line of the table. The help of the command says what the columns hold.
const HEADER: &str = "origin\toutcome\tfetched_at\texpires_at\tgood_at\tfailing_since\tcrawl_delay\tpolicy";

/// Runs the command.
pub(super) fn dump(args: &DumpArgs) -> Result<End, Failure> {
    let pack = open(&args.pack)?;
    let agent = agent(&pack, args)?;
    let mut out = output::stdout();
    // Packs that hold no preferences have no column for them.
    let has_preferences = pack.preferences().is_some();
    if !args.json {
        writeln!(out, "{HEADER}{}", if has_preferences { "\tpreferences" } else { "" })?;
    }
    for (origin, entry) in pack.entries() {
        if args.json {
            output::json_line(&mut out, &json(&origin, &entry, &agent))?;
        } else {
            let record = entry.record();
            let delay = entry.crawl_delay(&agent).map(|delay| delay.as_secs_f64().to_string());
            write!(
                out,
                "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
                shown::bytes(&origin),
                record.outcome.as_str(),
                time::shown(record.fetched_at),
                time::shown(record.expires_at),
                or_dash(record.good_at.map(time::shown)),
                or_dash(record.failing_since.map(time::shown)),
                or_dash(delay),
                or_dash(policy(&entry)),
            )?;
            if has_preferences {
                write!(out, "\t{}", or_dash(Stated::of(&entry, &agent).map(|stated| stated.text())))?;
            }
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(End::Clean)
}

/// Returns the agent whose crawl delay and preferences are shown.
fn agent(pack: &Pack, args: &DumpArgs) -> Result<PackAgent, Failure> {
    let first = pack.agents().crawlers().into_iter().next();
    match (&args.agent, first.and_then(|crawler| pack.crawler(&crawler))) {
        (None, Some(first)) => Ok(first),
        (given, _) => {
            let token = given.as_deref().unwrap_or(OTHERS);
            if matches!(pack.agents(), PackAgents::All) {
                crawlers::warn_of_near([token]);
            }
            let crawler = Identity::token(token, args.as_written);
            Ok(pack_entry::agent(pack, &name(&args.pack), &crawler)?)
        }
    }
}

fn json(origin: &[u8], entry: &PackEntry<'_>, agent: &PackAgent) -> serde_json::Value {
    let record = entry.record();
    let mut line = json!({
        "type": "origin",
        "origin": shown::bytes(origin),
        "outcome": record.outcome.as_str(),
        "fetched_at": record.fetched_at.0,
        "expires_at": record.expires_at.0,
        "good_at": seconds(record.good_at),
        "failing_since": seconds(record.failing_since),
        "crawl_delay": entry.crawl_delay(agent).map(|delay| delay.as_secs_f64()),
        "policy": policy(entry),
    });
    if let Some(stated) = Stated::of(entry, agent) {
        line["preferences"] = stated.json();
    }
    line
}

fn seconds(time: Option<Time>) -> Option<u32> {
    time.map(|time| time.0)
}

/// Returns an identifier that is equal for equal policies of one pack.
fn policy(entry: &PackEntry<'_>) -> Option<String> {
    entry.policy_id().map(|id| id.to_string())
}

fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}
