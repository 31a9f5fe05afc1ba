//! The examples of `docs/set.md` do what it says.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Returns the fenced blocks of a language on a page.
fn fenced<'p>(page: &'p str, language: &str) -> Vec<&'p str> {
    let parts = page.split("```").skip(1).step_by(2);
    parts.filter_map(|part| part.strip_prefix(language)?.strip_prefix('\n')).collect()
}

#[test]
fn the_examples_of_the_page() {
    let page = include_str!("../../../docs/set.md");
    let folder = tempfile::tempdir().expect("a folder");
    let run = |line: &str| {
        let arguments = line.split(' ').skip(1);
        Command::new(env!("CARGO_BIN_EXE_robotsc")).args(arguments).current_dir(&folder).output().expect("it runs")
    };
    fs::write(folder.path().join("robots.txt"), fenced(page, "text")[0]).expect("a file");
    let mut lines = fenced(page, "console")[0].lines();
    let command = lines.next().and_then(|line| line.strip_prefix("$ ")).expect("a command");
    let found = run(command);
    assert_eq!(found.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&found.stderr).lines().collect::<Vec<_>>(), lines.collect::<Vec<_>>());
    // The lines of the block are those of the page, which leaves names out.
    let shown = String::from_utf8_lossy(&found.stdout).into_owned();
    let added: Vec<&str> = shown.lines().filter_map(|line| line.strip_prefix('+')).collect();
    let mut rest = added.iter();
    for line in fenced(page, "text")[1].lines().filter(|line| *line != "…" && !line.starts_with("# robotsc: end")) {
        assert!(rest.any(|added| *added == line), "{line} is not added, or elsewhere:\n{shown}");
    }

    fs::write(folder.path().join("robotsc.toml"), fenced(page, "toml")[0]).expect("a file");
    fs::create_dir(folder.path().join("public")).expect("a folder");
    fs::write(folder.path().join("public/robots.txt"), "User-agent: *\nDisallow: /\n").expect("a file");
    for code in [1, 0] {
        assert_eq!(run("robotsc set --check").status.code(), Some(code));
        assert!(run("robotsc set").status.success());
    }
    let checked = run("robotsc check public/robots.txt --agent Googlebot --agent GPTBot --agent FooBot /a /members/1");
    let verdicts = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert_eq!(verdicts.lines().filter(|line| line.contains("disallowed")).count(), 5, "{verdicts}");

    // The rule set of a company's own crawler reads the file that the policy wrote, and holds it to its expectations.
    fs::write(folder.path().join("site.ron"), fenced(page, "ron")[0]).expect("a file");
    let both = "--agent Googlebot --agent GPTBot --agent FooBot https://shop.example/a https://shop.example/members/1";
    let embedded = run(&format!("robotsc check --rules site.ron {both}"));
    let (found, errors) = (String::from_utf8_lossy(&embedded.stdout), String::from_utf8_lossy(&embedded.stderr));
    assert_eq!(found.lines().filter(|line| line.starts_with("disallowed")).count(), 5, "{found}{errors}");
    assert!(run("robotsc set --remove").status.success());
    let refused = run(&format!("robotsc check --rules site.ron {both}"));
    let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(2) && errors.contains("failed-expectation"), "{errors}");
}

#[test]
fn standard_input_is_written_to_standard_output() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_robotsc"))
        .args(["set", "-", "--deny", "GPTBot", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    child.stdin.take().expect("a pipe").write_all(b"User-agent: *\r\nDisallow: /\xE4\xFF").expect("it reads");
    let found = child.wait_with_output().expect("it ends");
    assert!(found.status.success());
    let start = b"User-agent: *\r\nDisallow: /\xE4\xFF\r\n\r\n# robotsc: begin\r\n# deny: GPTBot\r\n";
    assert!(found.stdout.starts_with(start), "{}", found.stdout.escape_ascii());
}

/// A group without rules would go on in a block after it, with all that obey `*`.
#[test]
fn a_block_comes_before_a_group_without_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    for text in ["User-agent: *\nSitemap: https://shop.example/s.xml\n", "User-agent: *\n", "User-agent: *"] {
        fs::write(folder.path().join("robots.txt"), text).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
        let output = command.args(["set", "--deny", "GPTBot"]).current_dir(&folder).output().expect("it runs");
        assert!(output.status.success(), "{text}: {}", String::from_utf8_lossy(&output.stderr));
        let written = fs::read_to_string(folder.path().join("robots.txt")).expect("the file");
        assert!(written.lines().count() < 20 && written.starts_with("# robotsc: begin\n"), "{text}: {written}");
    }
}
