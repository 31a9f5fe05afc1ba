//! Applies the safe fixes to every file of a folder, and compares the verdicts on recorded URLs before and after.
//!
//! Files are of google. A fix of what google alone reads, such as `User Agent:`, is safe under google, and changes what
//! rfc9309 reads: such verdicts are counted apart.

use robotsc::analysis::lint::{Lint, LintCheck, fixed};
use robotsc::{Crawler, Dialect, RobotsTxt};

use crate::arguments::Arguments;
use crate::files::{self, RobotsFile, Totals};

const AGENTS: [&str; 3] = ["Googlebot", "GPTBot", "FooBot"];

/// Runs `fix-files FOLDER LIST`.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let [_, folder, list] = arguments.words.as_slice() else { return Err("fix-files FOLDER LIST".to_owned()) };
    let list = std::fs::read(list).map_err(|error| format!("{list}: {error}"))?;
    let urls = files::urls_by_file(&list);
    let files = files::read(std::slice::from_ref(folder))?;
    // The notes with fixes, too; the others have none, and take time.
    let notes = ["rule-redundant", "trailing-star", "double-star"].into_iter().filter_map(LintCheck::by_code);
    let lint = notes.fold(Lint::new(), Lint::select);
    let totals = files::on_threads(&files, arguments, |file, totals| {
        check(file, urls.get(&file.name).map_or(&[][..], Vec::as_slice), &lint, totals);
    })?;
    Totals::sum(totals).print();
    Ok(())
}

fn check(file: &RobotsFile, urls: &[&[u8]], lint: &Lint, totals: &mut Totals) {
    let RobotsFile { name, body } = file;
    let after = fixed(body, &Dialect::GOOGLE, lint, false);
    totals.count("files", 1);
    totals.count("fixes applied", after.applied);
    totals.count("fixes refused", after.refused);
    totals.count("bytes", body.len());
    totals.count("bytes after", after.body.len());
    if after.body == *body {
        return;
    }
    totals.count("files changed", 1);
    totals.count("rules of changed files", RobotsTxt::parse(body).rules().len());
    totals.count("rules of changed files after", RobotsTxt::parse(&after.body).rules().len());
    let again = fixed(&after.body, &Dialect::GOOGLE, lint, false);
    if again.body != after.body {
        totals.count("files that a second run changes", 1);
        println!("{name}: a second run changes the file again");
    }
    for dialect in [&Dialect::GOOGLE, &Dialect::RFC9309] {
        let (old, new) = (RobotsTxt::parse_with(body, dialect), RobotsTxt::parse_with(&after.body, dialect));
        for agent in AGENTS {
            let crawler = Crawler::new(agent).expect("a name");
            let (old, new) = (old.rule_set(&crawler), new.rule_set(&crawler));
            for url in urls {
                let Ok(path) = dialect.url_path(url) else { continue };
                totals.count("verdicts", 1);
                if old.verdict(path.as_path()) != new.verdict(path.as_path()) {
                    let is_own = dialect.name == Dialect::GOOGLE.name;
                    totals.count(if is_own { "verdicts that differ" } else { "verdicts that differ elsewhere" }, 1);
                    println!("{name}: {} {agent} {}", dialect.name, url.escape_ascii());
                }
            }
        }
    }
}
