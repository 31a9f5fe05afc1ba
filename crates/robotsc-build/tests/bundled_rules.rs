//! What ships in `rules/`: that it loads, and that its README shows what the loader reads.

use std::fs;
use std::path::{Path, PathBuf};

use robotsc_build::limits::BuildLimits;
use robotsc_build::load;
use robotsc_build::registry::Registry;
use robotsc_compiler::Verdict;

/// The folder, which is not in the package of this crate.
fn rules() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules");
    if !folder.is_dir() {
        eprintln!("skipped: {} is not there", folder.display());
        return None;
    }
    Some(folder)
}

/// The blocks of RON in the README.
fn shown(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("README.md")).unwrap();
    let blocks = text.split("```ron\n").skip(1);
    blocks.filter_map(|rest| rest.split("```").next()).map(str::to_owned).collect()
}

#[test]
fn the_readme_shows_what_is_read() {
    let Some(folder) = rules() else { return };
    let [sets, register] = shown(&folder).try_into().unwrap_or_else(|all| panic!("two blocks, not {all:?}"));
    let there = tempfile::tempdir().unwrap();
    let house = r#"(version: 1, rule_sets: [(name: "house-rules", rules: [Deny(path: "/house")])])"#;
    let robots = "User-agent: *\nDisallow: /x\n";
    for (name, text) in [("shop.ron", sets.as_str()), ("house.ron", house), ("shop.robots.txt", robots)] {
        fs::write(there.path().join(name), text).unwrap();
    }
    let loaded = load::load_dir(there.path(), &BuildLimits::default()).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(loaded.sets.len(), 2);
    let registry = Registry::parse("README.md", &register).unwrap();
    assert_eq!(registry.agents().len(), 3);
}

/// Each rule has an expectation that it decides, and there are more near misses than rules.
#[test]
fn every_rule_against_traps_is_expected_and_has_near_misses() {
    let Some(folder) = rules() else { return };
    let text = fs::read_to_string(folder.join("crawl-hygiene.ron")).unwrap();
    let loaded = load::load_dir(&folder, &BuildLimits::default()).unwrap_or_else(|errors| panic!("{errors}"));
    let set = loaded.sets.iter().find(|set| set.name == "crawl-hygiene-strict").unwrap();
    assert!(set.rules.len() > 60);
    for rule in &set.rules {
        let name = rule.name.as_deref().unwrap_or_else(|| panic!("a rule has no name: {rule:?}"));
        assert!(text.contains(&format!("rule: \"{name}\"")), "nothing expects {name}");
    }
    let allowed = text.matches("verdict: Allow").count();
    assert!(allowed > set.rules.len(), "{allowed} near misses for {} rules", set.rules.len());
    assert!(set.rules.iter().any(|rule| rule.verdict == Verdict::Allow));
}

#[test]
fn nothing_is_read_with_a_warning() {
    let Some(folder) = rules() else { return };
    let loaded = load::load_dir(&folder, &BuildLimits::default()).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    assert_eq!(loaded.sets.len(), 8);
}
