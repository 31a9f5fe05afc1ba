//! The options of `lint` and `fmt` that choose checks, files and how much is said.

use std::fs;
use std::process::{Command, Output};

use tempfile::TempDir;

struct Sandbox(TempDir);

impl Sandbox {
    fn new(files: &[(&str, &str)]) -> Self {
        let sandbox = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            fs::write(sandbox.0.path().join(name), text).unwrap();
        }
        sandbox
    }

    fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_robotsc")).args(args).current_dir(self.0.path()).output().unwrap()
    }

    /// Runs a command whose exit code is expected, and returns standard output and standard error.
    fn said(&self, args: &[&str], code: i32) -> [String; 2] {
        let output = self.run(args);
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(output.status.code(), Some(code), "{args:?}: {text:?}");
        text
    }

    /// Returns the codes of the findings, each once for each time that it is found.
    fn codes(&self, args: &[&str], code: i32) -> Vec<String> {
        let [out, _] = self.said(&[&["lint", "--emit", "line"], args].concat(), code);
        let code = |line: &str| line.split(['[', ']']).nth(1).unwrap().to_owned();
        let mut codes: Vec<String> = out.lines().map(code).collect();
        codes.sort();
        codes
    }
}

/// Has typo-key twice, space-in-pattern, and in notes what is about groups.
const FOUND: &str = "User-agent: a\nDissalow: /x\nDissalow: /y\nDisallow: /my files/\n\nUser-agent: a\nDisallow: /z\n";

#[test]
fn checks_are_chosen_by_the_first_words_of_their_codes() {
    let sandbox = Sandbox::new(&[("robots.txt", FOUND)]);
    let all = sandbox.codes(&[], 1);
    assert_eq!(all, ["space-in-pattern", "typo-key", "typo-key"]);
    for words in ["typo", "typo-", "typo-key"] {
        assert_eq!(sandbox.codes(&["--select", words], 1), ["typo-key", "typo-key"], "{words}");
        let left = sandbox.codes(&["--ignore", words], 1);
        assert_eq!(left.len(), all.len() - 2, "{words}: {left:?}");
        assert!(!left.iter().any(|code| code.starts_with("typo")), "{words}: {left:?}");
    }
    assert_eq!(sandbox.codes(&["--select", "typo,space"], 1), ["space-in-pattern", "typo-key", "typo-key"]);
    let groups = sandbox.codes(&["--select", "group"], 0);
    assert!(!groups.is_empty() && groups.iter().all(|code| code.starts_with("group-")), "{groups:?}");
    assert_eq!(
        sandbox.codes(&["--select", "typo", "--ignore", "typo-key", "--warn", "space"], 1),
        ["space-in-pattern"]
    );
    // Words are whole, and a code is itself alone.
    for wrong in ["typ", "", "-", "typo-k", "key", "TYPO"] {
        let [_, error] = sandbox.said(&["lint", "--select", wrong, "robots.txt"], 2);
        assert!(error.starts_with("robotsc: no check: "), "{wrong}: {error}");
    }
    // In robotsc.toml, too.
    let sandbox = Sandbox::new(&[("robots.txt", FOUND), ("robotsc.toml", "[lint]\nselect = [\"typo\"]\n")]);
    assert_eq!(sandbox.codes(&[], 1), ["typo-key", "typo-key"]);
}

#[test]
fn statistics_count_by_check() {
    let sandbox =
        Sandbox::new(&[("robots.txt", FOUND), ("other.txt", FOUND), ("clean.txt", "User-agent: *\nDisallow:\n")]);
    let [out, error] = sandbox.said(&["lint", "--statistics", "--select", "typo,space", "robots.txt", "other.txt"], 1);
    let lines: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0][..4], ["findings", "fixable", "code", "severity"], "{out}");
    assert_eq!((lines[1][0], lines[1][2]), ("4", "typo-key"), "{out}");
    assert_eq!((lines[2][0], lines[2][2]), ("2", "space-in-pattern"), "{out}");
    assert!(out.contains(" in 2 files, 6 can be fixed (4 with --fix,") && error.is_empty(), "{out}{error}");
    let findings = sandbox.codes(&["--select", "typo,space", "robots.txt", "other.txt"], 1);
    assert_eq!(lines[1..3].iter().map(|line| line[0].parse::<usize>().unwrap()).sum::<usize>(), findings.len());
    assert_eq!(sandbox.said(&["lint", "--statistics", "clean.txt"], 0)[0], "nothing found in 1 file\n");
    assert_eq!(sandbox.said(&["lint", "--statistics", "--quiet", "clean.txt"], 0)[0], "");
    for other in ["--fix", "--unsafe-fixes", "--emit=json"] {
        sandbox.said(&["lint", "--statistics", other, "robots.txt"], 2);
    }
}

/// What the last line says can be fixed is gone after the option that it names.
#[test]
fn the_last_line_says_what_can_be_fixed_and_how() {
    let typo = "User-agent: *\nDissalow: /a\n";
    let counted = "; --statistics counts them by code";
    let many = |number: usize| (0..number).map(|at| format!("Disallow: /b{at} c\n")).collect::<String>();
    for (text, wanted, counts) in [
        ("User-agent: *\nDisallow: /a\n".to_owned(), "nothing found in 1 file", ""),
        ("User-agent: *\nNoindex: /a\nDisallow: /b\n".to_owned(), "1 warning in 1 file", ""),
        (typo.to_owned(), "1 warning in 1 file, 1 can be fixed (--fix)", ""),
        (format!("User-agent: *\n{}", many(10)), "10 warnings in 1 file, 10 can be fixed (--unsafe-fixes)", ""),
        (format!("User-agent: *\n{}", many(11)), "11 warnings in 1 file, 11 can be fixed (--unsafe-fixes)", counted),
        (
            format!("{typo}Noindex: /a\n{}", many(1)),
            "3 warnings in 1 file, 2 can be fixed (1 with --fix, all with --unsafe-fixes)",
            "",
        ),
    ] {
        let sandbox = Sandbox::new(&[("robots.txt", &text)]);
        let code = i32::from(wanted.contains("warning"));
        let last = |args: &[&str]| sandbox.said(args, code)[0].lines().last().unwrap().to_owned();
        assert_eq!(last(&["lint"]), format!("{wanted}{counts}"), "{text}");
        assert_eq!(last(&["lint", "--statistics"]), wanted, "{text}");
        for option in ["--fix", "--unsafe-fixes"].into_iter().filter(|option| wanted.contains(option)) {
            sandbox.run(&["lint", option]);
            let output = sandbox.run(&["lint"]);
            assert!(!String::from_utf8_lossy(&output.stdout).contains(option), "{text}");
        }
    }
}

#[test]
fn quiet_says_findings_and_errors_alone() {
    let sandbox = Sandbox::new(&[
        ("robots.txt", FOUND),
        ("clean.txt", "User-agent: *\nDisallow: /a\n"),
        ("messy.txt", "user-agent:*\n"),
    ]);
    for quiet in ["-q", "--quiet"] {
        assert_eq!(sandbox.said(&["lint", quiet, "clean.txt"], 0), ["", ""]);
        let [loud, _] = sandbox.said(&["lint", "robots.txt"], 1);
        let [out, _] = sandbox.said(&["lint", quiet, "robots.txt"], 1);
        assert!(loud.starts_with(&out) && out.contains("typo-key") && !out.contains(" in 1 file"), "{out}");
        assert!(!sandbox.said(&["lint", quiet, "missing.txt"], 2)[1].is_empty());
        let [_, loud] = sandbox.said(&["fmt", "--check", "messy.txt"], 1);
        assert!(!loud.is_empty());
        assert_eq!(sandbox.said(&["fmt", quiet, "--check", "messy.txt"], 1), ["", ""]);
        assert!(!sandbox.said(&["fmt", quiet, "missing.txt"], 2)[1].is_empty());
        assert_eq!(sandbox.said(&["check", quiet, "clean.txt", "--agent", "FooBot", "/b"], 0)[1], "");
    }
    assert_eq!(sandbox.said(&["lint", "-q", "--fix", "robots.txt"], 1)[1], "");
}

#[test]
fn the_file_of_the_folder_is_meant_if_none_is_named() {
    let sandbox = Sandbox::new(&[("robots.txt", "user-agent: *\ndissalow: /a\n")]);
    let [named, _] = sandbox.said(&["lint", "robots.txt"], 1);
    assert_eq!(sandbox.said(&["lint"], 1)[0], named);
    let [_, error] = sandbox.said(&["fmt", "--check"], 1);
    assert!(error.contains("robots.txt: would be formatted"), "{error}");
    sandbox.said(&["fmt"], 0);
    assert!(fs::read_to_string(sandbox.0.path().join("robots.txt")).unwrap().starts_with("User-agent: *\n"));
    sandbox.said(&["lint", "--explain", "typo-key"], 0);
    let empty = Sandbox::new(&[]);
    for command in ["lint", "fmt"] {
        let [out, error] = empty.said(&[command], 2);
        assert!(out.is_empty() && error.contains("robots.txt"), "{error}");
    }
}

#[test]
fn many_files_are_linted_in_their_order() {
    let names: Vec<String> = (0..60).map(|number| format!("{number}.txt")).collect();
    // The first take longest.
    let texts: Vec<String> = (0..60)
        .map(|number| format!("User-agent: *\n{}Dissalow: /{number}\n", "Disallow: /*a*b\n".repeat(60 - number)))
        .collect();
    let files: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(texts.iter().map(String::as_str)).collect();
    let sandbox = Sandbox::new(&files);
    let args: Vec<&str> = ["lint", "--emit", "line"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let [out, _] = sandbox.said(&args, 1);
    let mut order: Vec<usize> = out.lines().map(|line| line.split('.').next().unwrap().parse().unwrap()).collect();
    order.dedup();
    assert_eq!(order, (0..60).collect::<Vec<_>>());
    for _ in 0..5 {
        assert_eq!(sandbox.said(&args, 1)[0], out);
    }
}
