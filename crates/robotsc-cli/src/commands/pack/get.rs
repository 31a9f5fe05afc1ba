//! `pack get`: what a pack holds about one origin.

use std::io::Write as _;

use robotsc::origin::Origin;
use robotsc::outcome::{Site, Time};
use robotsc::pack::PackAgents;
use robotsc_answers::identity::Identity;
use robotsc_answers::{pack_entry, shown, time};

use super::args::GetArgs;
use super::{name, open};
use crate::command_line::crawlers;
use crate::failure::{End, Failure, complain};
use crate::io::origin::no_origin;
use crate::io::output;
use crate::io::table;

/// Runs the command.
pub(super) fn get(args: &GetArgs) -> Result<End, Failure> {
    let pack = open(&args.pack)?;
    let now = crate::command_line::time::now(args.now.as_deref())?;
    let given = args.origin.as_encoded_bytes();
    let origin = Origin::of_url(given).map_err(|error| {
        Failure::new(format_args!("no origin: {}: {}", shown::cut(given, 120), no_origin(given, error)))
    })?;
    let Some(entry) = pack.get(origin.as_bytes()) else {
        complain(&format!("{origin}: not in {}", name(&args.pack)));
        return Ok(End::Findings);
    };
    let crawlers: Vec<_> = args.agents.iter().map(|agent| Identity::token(agent, args.as_written)).collect();
    if matches!(pack.agents(), PackAgents::All) {
        crawlers::warn_of_near(args.agents.iter().map(String::as_str));
    }
    let agents = pack_entry::agents(&pack, &name(&args.pack), &entry, &crawlers)?;
    let in_force = entry.record().effective(pack.dialect(), now);
    let unknown = entry.unknown_reason(Site::NotKnownUp, now);
    if args.json {
        let line = pack_entry::json(origin.as_str(), &entry, &agents, &in_force, unknown);
        output::json_line(&mut output::stdout(), &line)?;
        return Ok(End::Clean);
    }
    let mut out = output::stdout();
    writeln!(out, "{origin}")?;
    let record = entry.record();
    let mut table = table::Table::new(&["", ""]);
    let mut row = |what: &str, value: String| table.row([what.to_owned(), value]);
    row("outcome", record.outcome.as_str().to_owned());
    row("fetched", time::shown(record.fetched_at));
    row("expires", time::shown(record.expires_at));
    for (what, time) in [("good copy of", record.good_at), ("failing since", record.failing_since)] {
        if let Some(time) = time {
            row(what, time::shown(time));
        }
    }
    let until =
        if in_force.until == Time::MAX { String::new() } else { format!(", until {}", time::shown(in_force.until)) };
    let why = unknown.map_or_else(String::new, |reason| format!(" ({})", reason.name()));
    row("effective", format!("{}{why}{until}", pack_entry::force(in_force.access)));
    row("next", pack_entry::next(&in_force));
    for agent in agents {
        let bytes = agent.bytes.map_or_else(|| "no rules".to_owned(), |bytes| format!("{bytes} bytes"));
        let delay = agent.crawl_delay.map_or_else(String::new, |delay| format!(", crawl delay {delay} s"));
        let note = agent.note.map_or_else(String::new, |note| format!("; {note}"));
        row(&agent.token, format!("{bytes}{delay}{note}"));
        if let Some(stated) = agent.preferences {
            row("  preferences", stated.text());
        }
    }
    for sitemap in entry.sitemaps() {
        row("sitemap", shown::bytes(sitemap));
    }
    table.write_body(&mut out, "  ")?;
    out.flush()?;
    Ok(End::Clean)
}
