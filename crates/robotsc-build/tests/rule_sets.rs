//! Whole folders of rule sets: good ones, and bad ones with the errors that are shown.
//!
//! Each folder under `tests/bad` holds what is wrong and `expected.txt`, the errors as a build shows them.
//! `UPDATE_GOLDEN=1` rewrites those files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use robotsc_build::diagnostic::{Code, Diagnostics};
use robotsc_build::limits::BuildLimits;
use robotsc_build::load;

fn folders(of: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(of);
    let mut folders: Vec<_> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

/// BuildLimits that are small enough to be tested.
fn limits(folder: &Path) -> BuildLimits {
    match folder.file_name().and_then(|name| name.to_str()) {
        Some("over-limit-rules") => BuildLimits::default().max_rules(4),
        Some("over-limit-sets") => BuildLimits::default().max_sets(1),
        Some("over-limit-bytes") => BuildLimits::default().max_file_bytes(40),
        Some("over-limit-patterns") => {
            BuildLimits::default().max_pattern_bytes(16).max_regexes(4).max_regex_table(4096)
        }
        Some("over-limit-regexes") => BuildLimits::default().max_regex_table(4096).max_regex_tables(8192),
        Some("over-limit-expectations") => BuildLimits::default().max_expectations(3).max_expectation_work(120),
        _ => BuildLimits::default(),
    }
}

#[test]
fn good_folders_are_read() {
    for folder in folders("good") {
        let loaded = load::load_dir(&folder, &limits(&folder)).unwrap_or_else(|errors| panic!("{errors}"));
        assert!(!loaded.sets.is_empty(), "{}", folder.display());
        // It shows by its expectations that inherited rules come first; two rules never decide for that.
        let never_decide = if folder.ends_with("composed") { 2 } else { 0 };
        let found: Vec<Code> = loaded.warnings.iter().map(|warning| warning.code()).collect();
        assert_eq!(found, vec![Code::NeverDecides; never_decide], "{}", loaded.warnings);
        let all = fs::read_dir(&folder).unwrap().count();
        assert_eq!(loaded.inputs.len(), all, "every file of {} is an input", folder.display());
        for set in &loaded.sets {
            let lines = set.agents.iter().map(|(_, rules)| rules).chain(&set.star);
            let lines = lines.flat_map(|rules| rules.rules()).map(|rule| rule.line);
            let numbers: BTreeSet<u32> = lines.chain(set.rules.iter().map(|rule| rule.place)).collect();
            assert!(numbers.iter().all(|&number| number as usize <= set.places.len()), "{}", set.name);
        }
    }
}

#[test]
fn bad_folders_are_refused_with_what_is_wrong() {
    let mut shown = BTreeSet::new();
    let mut stale = Vec::new();
    for folder in folders("bad") {
        let errors: Diagnostics = load::load_dir(&folder, &limits(&folder)).expect_err(&folder.display().to_string());
        shown.extend(errors.iter().map(|error| error.code()));
        // The golden does not say where the checkout stands.
        let rendered = errors.render(false).replace(&folder.display().to_string(), "rules") + "\n";
        let golden = folder.join("expected.txt");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&golden, &rendered).unwrap();
        }
        if fs::read_to_string(&golden).unwrap_or_default() != rendered {
            stale.push(format!("{}:\n{rendered}", golden.display()));
        }
    }
    assert!(stale.is_empty(), "UPDATE_GOLDEN=1 rewrites these:\n{}", stale.join("\n"));
    let missing: Vec<_> = Code::ALL.into_iter().filter(|code| !shown.contains(code)).collect();
    assert!(missing.is_empty(), "no folder shows {missing:?}");
}
