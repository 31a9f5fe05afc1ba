//! Compares each file of a folder with the next one of the same host, and prints what that costs.
//!
//! The files are named `SOURCE__HOST.txt`; those of one host are compared in the order of their sources. A source is a
//! name and a month, such as `news202503`.

use std::collections::BTreeMap;
use std::time::Instant;

use robotsc::analysis::{Diff, Effect};
use robotsc::{Dialect, RobotsTxt};

use crate::arguments::Arguments;
use crate::files::{self, RobotsFile, Totals};

/// Runs `diff-files FOLDER`.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let files = files::read(&arguments.words[1..])?;
    let mut hosts: BTreeMap<&str, Vec<(&str, &RobotsFile)>> = BTreeMap::new();
    for file in &files {
        let Some((source, host)) = file.name.split_once("__") else { continue };
        let month = source.trim_start_matches(|char: char| !char.is_ascii_digit());
        hosts.entry(host).or_default().push((month, file));
    }
    for files in hosts.values_mut() {
        files.sort_by_key(|(month, file)| (*month, file.name.as_str()));
    }
    for (dialect, lists) in [(&Dialect::GOOGLE, arguments.flag("list")), (&Dialect::RFC9309, false)] {
        let mut totals = Totals::default();
        for (host, files) in &hosts {
            for pair in files.windows(2) {
                let name = format!("{host} {} {}", pair[0].0, pair[1].0);
                compare(&name, [&pair[0].1.body, &pair[1].1.body], dialect, lists, &mut totals)?;
            }
        }
        println!("{}:", dialect.name);
        totals.print();
    }
    Ok(())
}

fn compare(name: &str, bodies: [&[u8]; 2], dialect: &Dialect, lists: bool, totals: &mut Totals) -> Result<(), String> {
    let start = Instant::now();
    let [old, new] = bodies.map(|body| RobotsTxt::parse_with(body, dialect));
    let diff = Diff::new(&old, &new);
    totals.time("diff", start.elapsed(), name);
    totals.count("pairs", 1);
    if !diff.is_decided() {
        totals.count("not decided", 1);
        println!("  not decided: {name}");
    }
    let what = match (bodies[0] == bodies[1], diff.is_same()) {
        (true, true) => "equal text",
        (true, false) => return Err(format!("{name}: a file differs from itself")),
        (false, true) => "equal meaning of another text",
        (false, false) => "changed",
    };
    totals.count(what, 1);
    if lists && bodies[0] != bodies[1] {
        let changes = |effect| {
            let changes = diff.rules.iter().flat_map(|rules| rules.changes());
            changes.filter(|change| change.effect == effect).count()
        };
        println!(
            "{name}: {} groups, {} newly blocked, {} newly open, {} records",
            diff.rules.len(),
            changes(Effect::Blocked),
            changes(Effect::Opened),
            diff.records.len() + diff.file_records.len(),
        );
    }
    Ok(())
}
