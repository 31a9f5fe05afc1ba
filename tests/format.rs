//! The bytes of programs and policies: the same input gives those that are checked in, so that no change of the format
//! goes unnoticed. The runtime's own tests walk the same files. `UPDATE_GOLDEN=1` rewrites them.

use std::path::Path;

use robotsc::program::{Effort, Limits, Output};
use robotsc::{Compiler, Crawler, RobotsTxt};

/// Compares with the file, or writes it.
fn check(name: &str, bytes: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/robotsc-runtime/tests/programs").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, bytes).expect("the folder can be written");
    }
    let known = std::fs::read(&path).expect("the file is there: UPDATE_GOLDEN=1 writes it");
    assert!(known == bytes, "{name} differs: is the version of the format still right? UPDATE_GOLDEN=1 rewrites it");
}

#[test]
fn programs_are_as_checked_in() {
    let body = include_bytes!("../examples/shop.robots.txt");
    let robots = RobotsTxt::parse(body);
    let rules = robots.rule_set(&Crawler::raw(vec!["FooBot".into()]));
    let small = Compiler::new().effort(Effort::Small);
    check("shop.program", small.compile(&rules).expect("compiles").as_bytes());
    let deciding_rule = small.clone().output(Output::DecidingRule);
    check("shop.deciding_rule.program", deciding_rule.compile(&rules).expect("compiles").as_bytes());
    let cut = Limits { max_nodes: 8, ..Limits::default() };
    check("shop.parts.program", small.clone().limits(cut).compile(&rules).expect("compiles").as_bytes());
    let listed = Limits::NONE;
    check("shop.list.program", deciding_rule.limits(listed).compile(&rules).expect("compiles").as_bytes());
    check("shop.policy", small.compile_policy(&robots).expect("compiles").as_bytes());
}
