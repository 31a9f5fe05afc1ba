//! The summary of a census in plain text.

use std::io::Write;

use indicatif::HumanCount;
use robotsc_analysis::words::counted;
use robotsc_answers::census::{Census, Openness, SiteClass};

use super::changes::{Changes, Kind};
use super::tally::{Tally, percent};
use crate::failure::Failure;
use crate::io::table::Table;

/// Writes the summary.
pub(super) fn write(
    out: &mut dyn Write,
    census: &Census,
    tally: &Tally,
    changes: Option<&Changes>,
) -> Result<(), Failure> {
    let count = |number: u64| HumanCount(number).to_string();
    writeln!(out, "{}", counted(tally.sites, "site"))?;
    let mut table = Table::new(&["", ">", ">"]);
    for class in SiteClass::ALL {
        if let Some(sites) = tally.classes.get(&class) {
            table.row([tally.title(class), count(sites.count), percent(sites.count, tally.sites)]);
        }
    }
    table.write_body(out, "  ")?;
    let mut table = Table::new(&["agent", ">open", ">partly", ">closed", ">unknown", ">closed, %", ">names it"]);
    for group in tally.groups() {
        let Some(first) = group.first().map(|agent| &tally.agents[*agent]) else { continue };
        let [open, partly, closed, unknown] = Openness::ALL.map(|access| first.access[access as usize].count);
        let named = group.iter().map(|agent| tally.agents[*agent].named).max().unwrap_or_default();
        let mut row = vec![Tally::some_names(census, &group)];
        row.extend([open, partly, closed, unknown].map(count));
        row.extend([percent(closed, tally.sites), count(named)]);
        table.row_of(row);
    }
    writeln!(out)?;
    table.write(out, "")?;
    if !tally.purposes.is_empty() {
        let mut table = Table::new(&["purpose", ">agents", ">closed to all", ">to some", ">to none", ">unknown"]);
        for tally in &tally.purposes {
            let [all, some, none, unknown] = tally.closed_to.map(count);
            table.row([
                tally.purpose.name().to_owned(),
                format!("{} of {}", tally.agents.len(), tally.known),
                all,
                some,
                none,
                unknown,
            ]);
        }
        writeln!(out)?;
        table.write(out, "")?;
    }
    if !tally.findings.is_empty() {
        let mut findings: Vec<_> = tally.findings.iter().collect();
        findings.sort_by_key(|(code, number)| (std::cmp::Reverse(**number), **code));
        let mut table = Table::new(&["finding", ">"]);
        findings.iter().for_each(|(code, number)| table.row([(**code).to_owned(), count(**number)]));
        writeln!(out)?;
        table.write(out, "")?;
    }
    write_served(out, census, tally)?;
    if let Some(changes) = changes {
        write_changes(out, census, tally, changes)?;
    }
    Ok(out.flush()?)
}

/// Writes what servers answered, if they were asked.
fn write_served(out: &mut dyn Write, census: &Census, tally: &Tally) -> Result<(), Failure> {
    let asked = census.agents().iter().zip(&tally.agents).filter(|(_, tally)| tally.served.asked() > 0);
    let words = tally.servers();
    if words.is_empty() {
        return Ok(());
    }
    let heads: Vec<String> = words.iter().map(|word| format!(">{}", word.name())).collect();
    let start = ["servers, to", ">asked", ">allowed, turned down", ">disallowed, served"];
    let heads: Vec<&str> =
        start.into_iter().chain(heads.iter().map(String::as_str)).chain(["turned down, such as"]).collect();
    let mut table = Table::new(&heads);
    for (agent, tally) in asked {
        let tally = &tally.served;
        let mut numbers = vec![tally.asked(), tally.turned_down.count, tally.sent.count];
        numbers.extend(words.iter().map(|word| tally.words[*word as usize]));
        let mut row = vec![agent.name.clone()];
        row.extend(numbers.into_iter().map(|number| HumanCount(number).to_string()));
        row.push(tally.turned_down.first.iter().take(2).map(String::as_str).collect::<Vec<&str>>().join(", "));
        table.row_of(row);
    }
    writeln!(out)?;
    Ok(table.write(out, "")?)
}

fn write_changes(out: &mut dyn Write, census: &Census, tally: &Tally, changes: &Changes) -> Result<(), Failure> {
    let count = |number: u64| HumanCount(number).to_string();
    writeln!(
        out,
        "\n{} in both sources, {} in the newer alone, {} in the older alone",
        counted(changes.both, "site"),
        count(changes.appeared.count),
        count(changes.vanished.count)
    )?;
    let heads: Vec<String> = Kind::ALL.iter().map(|kind| format!(">{}", kind.name())).collect();
    let heads: Vec<&str> = ["agent"].into_iter().chain(heads.iter().map(String::as_str)).chain(["such as"]).collect();
    let mut table = Table::new(&heads);
    for group in tally.groups() {
        // Agents that are alike now can have been told apart before.
        for agent in rows(&group, changes) {
            let of_kind = &changes.agents[agent[0]];
            let mut row = vec![Tally::some_names(census, &agent)];
            row.extend(of_kind.iter().map(|sites| count(sites.count)));
            let examples = &of_kind[Kind::Closed as usize].first;
            row.push(examples.iter().take(2).map(String::as_str).collect::<Vec<&str>>().join(", "));
            table.row_of(row);
        }
    }
    Ok(table.write(out, "")?)
}

/// Splits agents that are alike in the newer source by what changed for them.
pub(super) fn rows(group: &[usize], changes: &Changes) -> Vec<Vec<usize>> {
    let counts = |agent: usize| changes.agents[agent].each_ref().map(|sites| (sites.count, sites.first.clone()));
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for agent in group {
        match rows.iter_mut().find(|row| counts(row[0]) == counts(*agent)) {
            Some(row) => row.push(*agent),
            None => rows.push(vec![*agent]),
        }
    }
    rows
}
