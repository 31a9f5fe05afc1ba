//! One question, one answer: whether an agent may fetch a URL is asked through every door, and each has to answer as
//! `bundled::crawler` and `RobotsTxt::is_allowed` do.
//!
//! The files are those of `files.txt`, and real ones if they lie beside the checkout; `ROBOTSC_FULL=1` takes 300 of
//! these, 60 agents and 20 URLs of each. The table of `files.txt` is recorded in `tests/data/one-question.jsonl`, which
//! the tests of the Python package ask, too; `ROBOTSC_TABLE=FILE` writes the whole table there, for them.
//!
//! A new door is a function of [`Sandbox`] that answers for a file, and a line in [`main`](every_door_answers_alike).
#![cfg(all(unix, feature = "serve", feature = "lsp"))]

mod command;
mod hover;
mod names;
mod packs;
mod sandbox;
mod server;
#[path = "../../../../tests/shared_data/mod.rs"]
mod shared_data;
mod table;

use std::collections::BTreeMap;

use sandbox::Sandbox;
use table::{File, Table};

/// The answers of a door for a file: for each agent, for each URL.
type Answers = Vec<Vec<Option<bool>>>;

/// A door.
type Door = fn(&Sandbox, &File) -> Answers;

const DOORS: [(&str, Door); 15] = [
    ("check", command::check),
    ("compile for some agents, check", command::compile),
    ("check of a rule set", command::check_rules),
    ("matrix", command::matrix),
    ("explain", command::explain),
    ("test", command::test),
    ("diff", command::diff),
    ("filter, a pack for all agents", packs::filter_all),
    ("filter, a pack for some agents", packs::filter_some),
    ("filter, several agents at once", packs::filter_several),
    ("filter, an agent in each line", packs::filter_by_line),
    ("census", command::census),
    ("serve, check", server::check),
    ("serve, explain and matrix", server::explain_and_matrix),
    ("serve, a pack", server::check_pack),
];

#[test]
fn every_door_answers_alike() {
    let table = Table::new();
    let sandbox = Sandbox::new(&table);
    let mut counts: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    let mut differences = Vec::new();
    let answered = shared_data::in_parallel(&table.files, |file| {
        let doors = DOORS.iter().map(|(name, door)| (*name, door(&sandbox, file)));
        doors.collect::<Vec<_>>()
    });
    for (file, doors) in table.files.iter().zip(answered) {
        for (door, answers) in doors {
            let count = counts.entry(door).or_default();
            for (agent, wanted, found) in file.compared(&answers) {
                for (url, (wanted, found)) in file.urls.iter().zip(wanted.iter().zip(found)) {
                    count[0] += u64::from(found.is_some());
                    if found.is_some_and(|found| found != *wanted) {
                        count[1] += 1;
                        differences.push(format!(
                            "{door}: {} under {}: {agent}: {url}: allowed is {wanted}, but the door says {}",
                            file.source, file.dialect.name, !wanted
                        ));
                    }
                }
            }
        }
    }
    for (door, [asked, wrong]) in &counts {
        eprintln!("{door}: {asked} answers, {wrong} differences");
    }
    differences.truncate(20);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(counts.values().all(|count| count[0] > 0), "each door answers something: {counts:?}");
    // Of the files, some are no rule set.
    assert!(counts["check of a rule set"][0] * 3 > counts["check"][0], "{counts:?}");
}

#[test]
fn hovers_name_those_that_obey() {
    hover::check(&Table::new());
}

/// The table that the Python package is asked, too.
#[test]
fn the_table_is_recorded() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/one-question.jsonl");
    let lines = |files: &[File]| files.iter().map(File::to_json).collect::<String>();
    if let Some(path) = std::env::var_os("ROBOTSC_TABLE") {
        std::fs::write(path, lines(&Table::new().files)).expect("a file that can be written");
    }
    let written = lines(&Table::own());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &written).expect("a file that can be written");
    }
    let recorded = std::fs::read_to_string(path).expect("the table");
    assert!(recorded == written, "{path} is out of date: UPDATE_GOLDEN=1 writes it");
}
