//! `pack stats` and `pack verify`: the size of the parts of a pack, and whether it is whole.

use std::io::Write as _;

use robotsc::pack::{Pack, PackStats};
use robotsc_answers::pack_entry::built_for;
use robotsc_answers::shown;
use serde_json::json;

use super::args::{StatsArgs, VerifyArgs};
use super::{name, open};
use crate::failure::{End, Failure, complain};
use crate::io::output;
use crate::io::table;

/// Runs `pack stats`.
pub(super) fn stats(args: &StatsArgs) -> Result<End, Failure> {
    let pack = open(&args.pack)?;
    let stats = pack.stats();
    if args.json {
        output::json_line(&mut output::stdout(), &json(&pack, &stats))?;
        return Ok(End::Clean);
    }
    let mut out = output::stdout();
    writeln!(out, "{}: {} under {}", name(&args.pack), built_for(&pack), pack.dialect().name)?;
    let mut table = table::Table::new(&["", ">", ">"]);
    let each = |bytes: u64| format!("{:.1} per origin", bytes as f64 / stats.origins.max(1) as f64);
    table.row(["origins".to_owned(), stats.origins.to_string(), String::new()]);
    for (outcome, count) in &stats.outcomes {
        table.row([format!("  {}", outcome.as_str()), count.to_string(), String::new()]);
    }
    let shared = format!("{:.2} origins per program", stats.with_rules as f64 / stats.programs.max(1) as f64);
    table.row(["programs".to_owned(), stats.programs.to_string(), shared]);
    for (what, bytes) in [
        ("bytes", stats.bytes),
        ("  index", stats.index_bytes),
        ("  programs", stats.program_bytes),
        ("  policies", stats.policy_bytes),
        ("  lists", stats.list_bytes),
        ("  names", stats.name_bytes),
        ("  preferences", stats.preference_bytes),
    ] {
        if what == "  preferences" && pack.preferences().is_none() {
            continue;
        }
        table.row([what.to_owned(), bytes.to_string(), each(bytes)]);
    }
    table.write_body(&mut out, "  ")?;
    if !stats.largest.is_empty() {
        writeln!(out, "  the largest programs")?;
        let mut table = table::Table::new(&[">", ">", ""]);
        for program in &stats.largest {
            let origin = program.origin.as_deref().map(shown::bytes).unwrap_or_default();
            table.row([format!("{} bytes", program.bytes), format!("{} origins", program.origins), origin]);
        }
        table.write_body(&mut out, "    ")?;
    }
    out.flush()?;
    Ok(End::Clean)
}

fn json(pack: &Pack, stats: &PackStats) -> serde_json::Value {
    let outcomes: serde_json::Map<_, _> =
        stats.outcomes.iter().map(|(end, count)| (end.as_str().to_owned(), json!(count))).collect();
    let largest: Vec<_> = stats
        .largest
        .iter()
        .map(|program| {
            let origin = program.origin.as_deref().map(shown::bytes);
            json!({"bytes": program.bytes, "origins": program.origins, "origin": origin})
        })
        .collect();
    json!({
        "type": "stats",
        "dialect": pack.dialect().name,
        "agents": built_for(pack),
        "names_rules": pack.names_deciding_rules(),
        "origins": stats.origins,
        "outcomes": outcomes,
        "with_rules": stats.with_rules,
        "programs": stats.programs,
        "bytes": stats.bytes,
        "index_bytes": stats.index_bytes,
        "program_bytes": stats.program_bytes,
        "policy_bytes": stats.policy_bytes,
        "list_bytes": stats.list_bytes,
        "name_bytes": stats.name_bytes,
        "vocabulary": pack.preferences().map(|vocabulary| vocabulary.name),
        "preference_bytes": stats.preference_bytes,
        "distance_mean": (stats.distance.0 * 100.0).round() / 100.0,
        "distance_max": stats.distance.1,
        "largest": largest,
    })
}

/// Runs `pack verify`.
pub(super) fn verify(args: &VerifyArgs) -> Result<End, Failure> {
    let mut out = output::stdout();
    let mut end = End::Clean;
    for path in &args.packs {
        match open(path).and_then(|pack| {
            pack.verify().map_err(|error| Failure::new(format_args!("not whole: {}: {error}", name(path))))?;
            Ok(pack.len())
        }) {
            Ok(origins) => writeln!(out, "{}: whole, {origins} origins", name(path))?,
            Err(Failure::Error(message)) => {
                complain(&message);
                end = End::Error;
            }
            Err(closed) => return Err(closed),
        }
    }
    out.flush()?;
    Ok(end)
}
