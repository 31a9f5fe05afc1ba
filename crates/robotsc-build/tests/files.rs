//! Which files are read.

use std::fs;
use std::path::{Path, PathBuf};

use robotsc_build::diagnostic::Code;
use robotsc_build::limits::BuildLimits;
use robotsc_build::load::{self, Loaded};

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn names(folder: &Path, inputs: &[PathBuf]) -> Vec<String> {
    let name = |path: &PathBuf| path.strip_prefix(folder).unwrap().display().to_string();
    inputs.iter().map(name).collect()
}

fn sets(loaded: &Loaded) -> Vec<&str> {
    loaded.sets.iter().map(|set| set.name.as_str()).collect()
}

const BASE: &str = r#"(version: 1, rule_sets: [
    (name: "base", robots: ["robots/base.txt"]), (name: "other", rules: [Deny(path: "/o")]),
])"#;
const SHOP: &str = r#"(version: 1, rule_sets: [(name: "shop", extends: ["base"])])"#;
const ALONE: &str = r#"(version: 1, rule_sets: [(name: "alone", rules: [Deny(path: "/a")])])"#;
const ROBOTS: &str = "User-agent: *\nDisallow: /x\n";

#[test]
fn a_folder_is_read_whole_and_in_order() {
    let folder = folder(&[
        ("shop.ron", SHOP),
        ("base.ron", BASE),
        ("robots/base.txt", ROBOTS),
        (".hidden.ron", "not read"),
        ("base.ron.orig", "not read"),
    ]);
    let loaded = load::load_dir(folder.path(), &BuildLimits::default()).unwrap();
    assert_eq!(sets(&loaded), ["base", "other", "shop"]);
    assert_eq!(names(folder.path(), &loaded.inputs), ["base.ron", "robots/base.txt", "shop.ron"]);
    assert_eq!(loaded.sets[2].places[0].file, "robots/base.txt");
    assert_eq!(loaded.sets[2].places[0].text, "Disallow: /x");
}

#[test]
fn rule_sets_that_would_not_be_read_are_refused() {
    for (name, shown) in
        [("inner/a.ron", "inner"), ("inner/deep/A.RON", "inner"), ("UP.RON", "UP.RON"), ("a.Ron", "a.Ron")]
    {
        let folder = folder(&[("alone.ron", ALONE), (name, ALONE)]);
        let errors = load::load_dir(folder.path(), &BuildLimits::default()).expect_err(name);
        let found: Vec<_> = errors.iter().map(|error| (error.code(), PathBuf::from(error.file()))).collect();
        assert_eq!(found, [(Code::Unreadable, folder.path().join(shown))], "{errors}");
    }
    for name in [".hidden/a.ron", "inner/.a.ron", "inner/robots.txt", "ron"] {
        let folder = folder(&[("alone.ron", ALONE), (name, "not read")]);
        assert_eq!(sets(&load::load_dir(folder.path(), &BuildLimits::default()).expect(name)), ["alone"]);
    }
}

#[test]
fn a_file_brings_the_folder_along_only_where_it_extends_it() {
    let folder = folder(&[("shop.ron", SHOP), ("base.ron", BASE), ("robots/base.txt", ROBOTS), ("alone.ron", ALONE)]);
    let loaded = load::load_file(&folder.path().join("shop.ron"), &BuildLimits::default()).unwrap();
    assert_eq!(sets(&loaded), ["shop"]);
    assert_eq!(loaded.sets[0].places.len(), 1);
    assert_eq!(names(folder.path(), &loaded.inputs), ["alone.ron", "base.ron", "robots/base.txt", "shop.ron"]);
    let loaded = load::load_file(&folder.path().join("alone.ron"), &BuildLimits::default()).unwrap();
    assert_eq!((sets(&loaded), names(folder.path(), &loaded.inputs)), (vec!["alone"], vec!["alone.ron".to_owned()]));
}

#[test]
fn what_is_not_there_is_an_error() {
    let folder = folder(&[("folder.ron/x", "")]);
    for errors in [
        load::load_dir(&folder.path().join("missing"), &BuildLimits::default()).unwrap_err(),
        load::load_dir(folder.path(), &BuildLimits::default()).unwrap_err(),
        load::load_file(&folder.path().join("missing.ron"), &BuildLimits::default()).unwrap_err(),
        load::load_file(Path::new("/"), &BuildLimits::default()).unwrap_err(),
    ] {
        assert_eq!(errors.iter().map(|error| error.code()).collect::<Vec<_>>(), [Code::Unreadable], "{errors}");
    }
}

#[test]
fn all_files_are_looked_at() {
    let folder = folder(&[("a.ron", "("), ("b.ron", ALONE), ("c.ron", ALONE), ("d.ron", "x")]);
    let errors = load::load_dir(folder.path(), &BuildLimits::default()).unwrap_err();
    let files: Vec<PathBuf> = errors.iter().map(|error| error.file().into()).collect();
    assert_eq!(names(folder.path(), &files), ["a.ron", "c.ron", "d.ron"]);
}

#[test]
fn what_a_robots_txt_does_not_mean_as_a_rule_is_a_warning() {
    let lines: String = (0..50).map(|number| format!("line {number} of prose\n")).collect();
    let folder = folder(&[("base.ron", BASE), ("shop.ron", SHOP), ("robots/base.txt", &(ROBOTS.to_owned() + &lines))]);
    let loaded = load::load_dir(folder.path(), &BuildLimits::default()).unwrap();
    assert_eq!(loaded.warnings.len(), 21, "the set that inherits them does not warn again");
    let all: Vec<_> = loaded.warnings.iter().map(|warning| warning.message()).collect();
    assert!(all.contains(&"30 more lines that are not understood"), "{all:?}");
    assert!(loaded.warnings.iter().all(|warning| warning.code() == Code::RobotsTxt));
    let first = loaded.warnings.iter().find(|warning| warning.position() == Some((3, 1))).unwrap();
    let wanted = "base.txt:3:1: `line 0 of prose` has no colon and is no record";
    assert!(first.one_line().ends_with(wanted), "{}", first.one_line());
}

#[test]
fn lines_of_a_robots_txt_are_counted_as_its_parser_counts_them() {
    let robots = "User-agent: *\rDisallow: /a\r\nDisallow: /b\n\nDisallow:\n";
    let folder = folder(&[("base.ron", BASE), ("robots/base.txt", robots)]);
    let loaded = load::load_dir(folder.path(), &BuildLimits::default()).unwrap();
    let places: Vec<_> = loaded.sets[0].places.iter().map(|place| (place.line, place.text.as_str())).collect();
    assert_eq!(places, [(2, "Disallow: /a"), (3, "Disallow: /b"), (5, "Disallow:")]);
}

#[cfg(unix)]
#[test]
fn a_robots_txt_is_read_from_a_plain_file_only() {
    let folder = folder(&[("base.ron", BASE)]);
    fs::create_dir(folder.path().join("robots")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("robots/base.txt")).unwrap();
    let errors = load::load_dir(folder.path(), &BuildLimits::default()).unwrap_err();
    assert_eq!(errors.iter().map(|error| error.code()).collect::<Vec<_>>(), [Code::RobotsFile], "{errors}");
}

#[test]
fn a_mark_in_front_is_no_part_of_a_file() {
    let marked = |text: &str| load::load_str("a.ron", &format!("\u{FEFF}{text}"), &BuildLimits::default());
    assert_eq!(sets(&marked(ALONE).unwrap()), ["alone"]);
    let errors = marked("(version: 1, rule_set: [])").unwrap_err();
    assert_eq!(errors.iter().next().unwrap().position(), Some((1, 14)));
}

/// Lists that would take minutes were each element compared with all others.
#[test]
fn long_lists_are_read() {
    let list = |count: u32, item: &dyn Fn(u32) -> String| {
        (0..count).map(|number| format!("{:?}", item(number))).collect::<Vec<_>>().join(", ")
    };
    let hosts = list(20_000, &|number| format!("a{number}.example"));
    let text = format!("(version: 1, rule_sets: [(name: \"a\", rules: [Deny(path: \"/\")], origins: [{hosts}])])");
    let loaded = load::load_str("a.ron", &text, &BuildLimits::default()).unwrap();
    assert_eq!(loaded.sets[0].origins.len(), 20_000);

    let hosts = list(10_000, &|number| format!("a{number}.example"));
    let set = |name| format!("(name: {name:?}, rules: [Deny(path: \"/\")], origins: [{hosts}])");
    let text = format!("(version: 1, rule_sets: [{}, {}])", set("a"), set("b"));
    let errors = load::load_str("a.ron", &text, &BuildLimits::default()).unwrap_err();
    assert!(errors.len() == 10_000 && errors.iter().all(|error| error.code() == Code::DuplicateOrigin));

    let known: String = (0..300).map(|number| format!("(name: \"{}-{number}\"), ", "abcdef".repeat(9))).collect();
    let unknown = list(2_000, &|number| format!("{number}{}", "uvwxyz".repeat(9)));
    let text = format!("(version: 1, rule_sets: [{known}(name: \"a\", extends: [{unknown}])])");
    let errors = load::load_str("a.ron", &text, &BuildLimits::default()).unwrap_err();
    assert_eq!(errors.iter().filter(|error| error.code() == Code::UnknownSet).count(), 2_000);
}

#[test]
fn an_agent_of_ones_own_is_no_slip() {
    let text = |own: &str| {
        format!(
            "(version: 1, rule_sets: [(name: \"shop\", {own}\
             groups: [(agents: [\"GooglBot\"], rules: [Disallow(\"/\")])], \
             expect: [(agent: \"OtherBot\", url: \"/\", verdict: Allow)])])"
        )
    };
    let own = text("own_agents: [\"googlbot\", \"OtherBot\"], ");
    let loaded = load::load_str("a.ron", &own, &BuildLimits::default()).unwrap();
    assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
    let errors = load::load_str("a.ron", &text(""), &BuildLimits::default()).unwrap_err();
    let codes: Vec<Code> = errors.iter().map(|error| error.code()).collect();
    assert_eq!(codes, [Code::MisspeltAgent, Code::UnknownAgent], "{errors}");
}

#[test]
fn rule_sets_that_are_not_declared_are_an_error() {
    let register = "(version: 1, sources: { \"a\": (url: \"https://a.example/\", checked: \"2026-11-21\") }, agents: \
                    [(token: \"ABot\", operator: \"A\", purposes: [\"search\"], source: \"a\")])";
    let register = folder(&[("agents.ron", register)]);
    let alone = folder(&[("alone.ron", ALONE)]);
    let limits = BuildLimits::default();
    assert!(load::load_dir(register.path(), &limits).is_err());
    assert!(load::load_dirs(&[alone.path(), register.path()], &limits).is_ok());
    assert!(load::load_dirs(&[register.path(), alone.path()], &limits).is_ok());
    let file = load::load_dir(&alone.path().join("alone.ron"), &limits).unwrap_err().to_string();
    assert!(file.contains("name the folder of the file"), "{file}");
}

#[test]
fn a_set_that_permits_is_read_with_those_that_extend_it() {
    let base = "(version: 1, rule_sets: [(name: \"exceptions\", rules: [Permit(path: \"/imprint\")])])";
    let heir = "(version: 1, rule_sets: [(name: \"heir\", extends: [\"exceptions\"], rules: [Deny(path: \"/i\")])])";
    let folder = folder(&[("base.ron", base), ("heir.ron", heir)]);
    for name in ["base.ron", "heir.ron"] {
        let loaded = load::load_file(&folder.path().join(name), &BuildLimits::default());
        assert_eq!(loaded.map(|loaded| loaded.sets.len()).map_err(|errors| errors.to_string()), Ok(1), "{name}");
    }
}
