//! How often each check reported something.

use std::collections::BTreeMap;
use std::io::Write as _;

use robotsc_analysis::lint::{Finding, LintCheck};
use robotsc_answers::lint::severity;

use super::{Linted, text};
use crate::failure::Failure;
use crate::io::output;
use crate::io::table::Table;

/// Writes a row for each check that found something, the most frequent first, and how many findings there are.
pub(super) fn write(files: &[Linted<'_>], quiet: bool) -> Result<(), Failure> {
    let mut by_code: BTreeMap<&str, (LintCheck, Vec<&Finding>)> = BTreeMap::new();
    for finding in files.iter().flat_map(|file| &file.found) {
        by_code.entry(finding.check.code()).or_insert((finding.check, Vec::new())).1.push(finding);
    }
    let mut rows: Vec<(LintCheck, Vec<&Finding>)> = by_code.into_values().collect();
    // Those of one number stay in the order of their codes.
    rows.sort_by_key(|(_, found)| std::cmp::Reverse(found.len()));
    let mut table = Table::new(&[">findings", ">fixable", "code", "severity", "what it reports"]);
    for (check, found) in &rows {
        let worst = found.iter().map(|finding| finding.severity).max();
        table.row([
            found.len().to_string(),
            found.iter().filter(|finding| finding.fix.is_some()).count().to_string(),
            check.code().to_owned(),
            severity(worst.unwrap_or_else(|| check.severity())).to_owned(),
            check.summary().to_owned(),
        ]);
    }
    let mut out = output::coloured();
    if !rows.is_empty() {
        table.write(&mut out, "")?;
    }
    if !quiet {
        let gap = if rows.is_empty() { "" } else { "\n" };
        writeln!(out, "{gap}{}", text::total(files))?;
    }
    Ok(out.flush()?)
}
