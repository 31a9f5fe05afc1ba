//! The table of places, as `robotsc_runtime::embed` reads it.

use std::collections::BTreeMap;

use robotsc_runtime::embed::{PLACES_PER_BLOCK, place_width};

use crate::model::{DeclaredSet, RulePlace};

/// A byte of a block that refers to the record.
const IN_RECORD: u8 = 0xff;

/// The files and the table of places of a set; `reached` are the places of the rules that programs reach, in the order
/// of their numbers.
pub(crate) fn table(declared: &DeclaredSet, reached: &[u32]) -> (Vec<String>, Vec<u8>) {
    let mut files: Vec<String> = declared.places.iter().map(|place| place.file.clone()).collect();
    files.sort();
    files.dedup();
    let names: BTreeMap<u32, &str> =
        declared.rules.iter().filter_map(|rule| Some((rule.place, rule.name.as_deref()?))).collect();
    let count = declared.places.len() as u32;
    let mut table = Vec::new();
    table.extend_from_slice(&count.to_le_bytes());
    table.extend_from_slice(&(reached.len() as u32).to_le_bytes());
    let mut records = Vec::new();
    let mut number = 0;
    for block in declared.places.chunks(PLACES_PER_BLOCK) {
        let file = |place: &RulePlace| files.binary_search(&place.file).unwrap_or_default() as u16;
        let first_file = file(&block[0]);
        let line = block.iter().filter(|place| file(place) == first_file).map(|place| place.line).min().unwrap_or(0);
        table.extend_from_slice(&(records.len() as u32).to_le_bytes());
        table.extend_from_slice(&line.to_le_bytes());
        table.extend_from_slice(&first_file.to_le_bytes());
        let (mut lines, mut lengths) = ([0; PLACES_PER_BLOCK], [0; PLACES_PER_BLOCK]);
        for (at, place) in block.iter().enumerate() {
            number += 1;
            let name = names.get(&number).copied().unwrap_or_default();
            // A name has words, not pages; one that is longer than its length can say is left out.
            let name = if name.len() <= usize::from(u16::MAX) { name } else { "" };
            let mut record = Vec::new();
            lines[at] = match u8::try_from(place.line - line.min(place.line)) {
                Ok(after) if after != IN_RECORD && name.is_empty() && file(place) == first_file => after,
                _ => {
                    record.extend_from_slice(&file(place).to_le_bytes());
                    record.extend_from_slice(&place.line.to_le_bytes());
                    record.extend_from_slice(&(name.len() as u16).to_le_bytes());
                    record.extend_from_slice(name.as_bytes());
                    IN_RECORD
                }
            };
            record.extend_from_slice(place.text.as_bytes());
            lengths[at] = match u8::try_from(record.len()) {
                Ok(length) if length != IN_RECORD => length,
                _ => {
                    records.extend_from_slice(&(record.len() as u32).to_le_bytes());
                    IN_RECORD
                }
            };
            records.extend_from_slice(&record);
        }
        table.extend_from_slice(&lines);
        table.extend_from_slice(&lengths);
    }
    for place in reached {
        table.extend_from_slice(&place.to_le_bytes()[..place_width(count)]);
    }
    table.extend_from_slice(&records);
    (files, table)
}
