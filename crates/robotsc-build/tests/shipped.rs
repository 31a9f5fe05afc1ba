//! The rule sets that ship: each of them loads, so that every expectation in them holds.

use std::path::Path;

use robotsc_build::limits::BuildLimits;
use robotsc_build::load;

#[test]
fn shipped_rule_sets_are_good() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules");
    if !rules.is_dir() {
        eprintln!("skipped: {} is not there", rules.display());
        return;
    }
    let loaded = load::load_dir(&rules, &BuildLimits::default()).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(loaded.sets.len() > 1);
    let warnings: Vec<_> = loaded.warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.is_empty(), "{}", warnings.join("\n"));
}
