//! Whatever is done to a good file, it is read or refused: never a panic, never a refusal that says nothing.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use robotsc_build::diagnostic::{Code, Severity};
use robotsc_build::limits::BuildLimits;
use robotsc_build::load;
use robotsc_build::reference_matcher::ReferenceMatcher;
use robotsc_compiler::AgentName;

/// What is put into files.
const PIECES: [&str; 44] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "'",
    "r#\"",
    "\"#",
    "\\",
    "\\u{202e}",
    "\u{202E}",
    "\0",
    "//",
    "/*",
    "*/",
    "#",
    "Some(",
    "None",
    "name: ",
    "extends: [\"shop\"], ",
    "version: 2",
    "rules: [], ",
    "*",
    "$",
    "?",
    "a{1,99}",
    "(?=",
    "\\\\b",
    "https://",
    ":99999",
    "xn--",
    "\u{e4}",
    "\r",
    "\n",
    "Deny(",
    "Allow(\"",
    "agent: \"\", ",
    "url: \"x\", ",
    "17",
    "-",
];

#[derive(Clone, Debug)]
struct Edit {
    at: prop::sample::Index,
    removed: usize,
    piece: Option<prop::sample::Index>,
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let removed = prop_oneof![4 => 0_usize..4, 1 => 0_usize..80];
    let edit = (any::<prop::sample::Index>(), removed, any::<Option<prop::sample::Index>>());
    prop::collection::vec(edit.prop_map(|(at, removed, piece)| Edit { at, removed, piece }), 1..5)
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for edit in edits {
        let at = edit.at.index(text.len() + 1);
        let end = (at + edit.removed).min(text.len());
        let piece = edit.piece.map_or("", |piece| PIECES[piece.index(PIECES.len())]);
        text.splice(at..end, piece.chars());
    }
    text.into_iter().collect()
}

fn good_files() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
    ["composed/a.ron", "composed/b.ron", "dialects/dialects.ron"]
        .map(|name| fs::read_to_string(root.join(name)).unwrap())
        .to_vec()
}

/// Loads a text; what is refused must say why, at a place inside the text.
fn check(text: &str) -> Result<(), TestCaseError> {
    let limits = BuildLimits::default().max_regex_table(1 << 16);
    match load::load_str("a.ron", text, &limits) {
        Ok(loaded) => {
            for set in &loaded.sets {
                let reference_matcher = ReferenceMatcher::new(set).unwrap();
                for url in ["/", "/a?sid=1;b#c", "https://shop.example/cart"] {
                    let decision = reference_matcher.decide(AgentName::new("FooBot").ok(), url).unwrap();
                    prop_assert!(decision.place as usize <= set.places.len());
                }
            }
        }
        Err(errors) => {
            prop_assert!(errors.iter().any(|error| error.severity() == Severity::Error));
            let shown = errors.to_string();
            prop_assert!(shown.chars().all(|char| char == '\n' || !char.is_control()), "{shown:?}");
            prop_assert!(!shown.contains(char::from_u32(0x202E).unwrap()), "{shown:?}");
            for error in &errors {
                let (line, _) = error.position().expect("every error of a text has a place in it");
                // A lone CR ends a line too.
                let lines = text.split(['\n', '\r']).count();
                prop_assert!(line as usize <= lines, "line {line} of {lines}");
                prop_assert!(!error.message().is_empty());
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn edited_files_are_read_or_refused(which in any::<prop::sample::Index>(), edits in edits()) {
        let files = good_files();
        check(&edited(&files[which.index(files.len())], &edits))?;
    }

    #[test]
    fn any_text_is_read_or_refused(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40)) {
        check(&pieces.concat())?;
    }
}

#[test]
fn texts_that_are_deep_or_long_are_refused() {
    let prefix = "(version: 1, rule_sets: ";
    for text in [
        prefix.to_owned() + &"[".repeat(1 << 20),
        prefix.to_owned() + &"(name: ".repeat(1 << 18),
        "/*".repeat(1 << 20),
        "(".repeat(1 << 20),
        prefix.to_owned() + "[(name: \"a\", rules: [" + &"Deny(path: \"x\"),".repeat(60_000) + "])])",
        prefix.to_owned() + "[(name: \"a\", robots: [" + &"\"x\",".repeat(200_000) + "])])",
        prefix.to_owned() + "[(name: \"a\", extends: [" + &"\"b\",".repeat(200_000) + "]), (name: \"b\")])",
    ] {
        let start = text.chars().take(60).collect::<String>();
        match load::load_str("a.ron", &text, &BuildLimits::default()) {
            Ok(loaded) => assert_eq!(loaded.sets.len(), 2, "{start}"),
            Err(errors) => assert!(errors.to_string().len() < 1 << 20, "{start}"),
        }
    }
}

#[test]
fn a_long_version_is_cut() {
    let text = format!("(version: 1{}, rule_sets: [])", "0".repeat(1 << 20));
    let errors = load::load_str("a.ron", &text, &BuildLimits::default()).unwrap_err();
    let error = errors.iter().next().unwrap();
    assert_eq!(error.code(), Code::Version);
    assert!(error.message().starts_with("version `1000"), "{}", error.message());
    assert!(error.message().len() < 200 && errors.to_string().len() < 2_000, "{}", errors.to_string().len());
}

#[test]
fn a_chain_of_sets_is_composed() {
    let sets: String = (0..900)
        .map(|number| {
            let extends = if number == 0 { String::new() } else { format!("extends: [\"s{}\"], ", number - 1) };
            format!("(name: \"s{number}\", {extends}rules: [Deny(path: \"/{number}/\")]),\n")
        })
        .collect();
    let loaded =
        load::load_str("a.ron", &format!("(version: 1, rule_sets: [\n{sets}])"), &BuildLimits::default()).unwrap();
    assert_eq!(loaded.sets[899].rules.len(), 900);
    assert_eq!(loaded.sets[899].decide("*", "/0/x").unwrap().place, 1);
    // All sets together have more rules than are allowed.
    let text = format!("(version: 1, rule_sets: [\n{sets}])");
    let errors = load::load_str("a.ron", &text, &BuildLimits::default().max_rules(900)).unwrap_err();
    assert!(errors.iter().all(|error| error.code() == Code::OverLimit), "{errors}");
}
