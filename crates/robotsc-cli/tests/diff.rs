//! `diff` as a process: comments for pull requests, and many sites.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

struct Sandbox(tempfile::TempDir);

/// What a run printed, and its exit code.
struct Ran {
    out: String,
    err: String,
    code: Option<i32>,
}

impl Sandbox {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Writes files into a folder.
    fn folder(&self, name: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder = self.0.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        for (file, body) in files {
            fs::write(folder.join(file), body).unwrap();
        }
        folder
    }

    fn run(&self, args: &[&str]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robotsc"));
        let output = command.arg("diff").args(args).current_dir(self.0.path()).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { out: text(output.stdout), err: text(output.stderr), code: output.status.code() }
    }
}

#[test]
fn nothing_of_a_file_acts_in_a_comment() {
    let sandbox = Sandbox::new();
    let hostile = "User-agent: *\nDisallow: /a|b](https://x.example)@root?``````\nDisallow: /_x_&lt;b~~$y\n\n\
        User-agent: GPTBot\nDisallow: /```````?`\nSitemap: https://x.example/<img|src=x>\n";
    sandbox.folder(".", &[("old.txt", "User-agent: *\nDisallow:\n"), ("new.txt", hostile)]);
    let ran = sandbox.run(&["old.txt", "new.txt", "--emit", "markdown"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", Some(1)), "{}", ran.out);
    // What is folded is in a block that no line ends.
    let (table, folded) = ran.out.split_once("<details>").unwrap();
    let fence = folded.lines().find(|line| line.starts_with('`')).unwrap().trim_end_matches("text");
    let (before, rest) = folded.split_once(fence).unwrap();
    let (block, after) = rest.split_once(&format!("\n{fence}\n")).unwrap();
    assert!(!block.contains(fence), "{block}");
    assert_eq!(before, "\n<summary>Which lines decide</summary>\n\n");
    assert_eq!(after, "\n</details>\n");
    // Of a row, there are four cells, and in them is no markup but ours.
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert_eq!(rows.len(), 2, "{table}");
    for row in rows {
        assert_eq!(row.matches('|').count(), 5, "{row}");
        let text = row.replace("<code>", "").replace("</code>", "").replace("<br>", "");
        assert!(!text.contains(['<', '>', '`', '@', '[', ']', '(', ':']), "{row}");
    }
}
