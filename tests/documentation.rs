//! What the documentation says of the facade is what the facade has.

use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The crates that a user reaches through `robotsc`.
const BEHIND_THE_FACADE: [&str; 5] = ["analysis", "compiler", "fetch", "frontier", "runtime"];

fn read(path: impl AsRef<Path>) -> String {
    let path = Path::new(ROOT).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the checkout") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Returns the lines of the examples in doc comments, with their numbers.
fn example_lines(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_example = false;
    source.lines().enumerate().filter_map(move |(number, line)| {
        let line = line.trim_start();
        let comment = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?.trim_start();
        if comment.starts_with("```") {
            is_example = !is_example;
            return None;
        }
        is_example.then_some((number + 1, comment))
    })
}

/// Examples are copied by users, who depend on `robotsc` alone.
#[test]
fn examples_use_the_paths_of_the_facade() {
    let mut wrong = Vec::new();
    for name in BEHIND_THE_FACADE {
        let mut files = Vec::new();
        rust_files(&Path::new(ROOT).join(format!("crates/robotsc-{name}/src")), &mut files);
        for file in files {
            for (number, line) in example_lines(&read(&file)) {
                if BEHIND_THE_FACADE.iter().any(|name| line.contains(&format!("robotsc_{name}::"))) {
                    wrong.push(format!("{}:{number}: {line}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "write `robotsc::…`:\n{}", wrong.join("\n"));
}

#[test]
fn the_features_of_the_readme_are_those_of_the_crate() {
    let table = |text: &str, prefix: &str| -> Vec<String> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(prefix));
        lines
            .skip_while(|line| !line.starts_with("| feature |"))
            .take_while(|line| line.starts_with('|'))
            .map(str::to_owned)
            .collect()
    };
    let of_the_crate = table(&read("src/lib.rs"), "//! ");
    assert!(of_the_crate.len() > 5, "{of_the_crate:?}");
    assert_eq!(table(&read("README.md"), ""), of_the_crate);

    let manifest = read("Cargo.toml");
    let features = manifest.split("[features]").nth(1).and_then(|rest| rest.split("\n[").next()).expect("features");
    for line in features.lines().filter(|line| !line.starts_with('#')) {
        let Some((feature, _)) = line.split_once(" = ") else { continue };
        let has_row = of_the_crate.iter().any(|row| row.starts_with(&format!("| `{feature}` |")));
        assert!(feature == "default" || has_row, "the table has no row for {feature}");
    }
}

#[test]
fn the_types_of_the_glossary_exist() {
    let mut files = Vec::new();
    rust_files(&Path::new(ROOT).join("crates"), &mut files);
    rust_files(&Path::new(ROOT).join("src"), &mut files);
    let sources: Vec<String> = files.iter().map(read).collect();
    let is_type = |name: &str| {
        let ends = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
        ["struct", "enum", "trait", "type"].iter().any(|kind| {
            let declared = format!("{kind} {name}");
            sources
                .iter()
                .any(|source| source.match_indices(&declared).any(|(at, _)| ends(&source[at + declared.len()..])))
        })
    };
    let glossary = read("docs/glossary.md");
    let mut unknown = Vec::new();
    for row in glossary.lines().filter(|line| line.starts_with("| ")) {
        for word in row.split('`').skip(1).step_by(2) {
            let is_name =
                word.starts_with(|first: char| first.is_ascii_uppercase()) && word.chars().all(char::is_alphanumeric);
            let is_value = ["Allow", "Disallow", "FooBot", "Sitemap"].contains(&word);
            if is_name && !is_value && !is_type(word) {
                unknown.push(word);
            }
        }
    }
    assert!(unknown.is_empty(), "docs/glossary.md: no types are called {unknown:?}");
}
