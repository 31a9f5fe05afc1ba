//! Every verdict and deciding line that was recorded for real files, through every engine.
//!
//! The verdicts are those of google/robotstxt for three agents. By default a sample of the files is asked about;
//! `ROBOTSC_FULL=1` asks about all, best with `--release`.

mod engines;
mod google_path;
mod shared_data;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use engines::{Engines, Way, in_form, partitioned_ways, reference_decision, ways};
use google_path::google_path;
use robotsc::program::{DecidingRule, Effort, Output};
use robotsc::{AgentName, Compiler, Crawler, Dialect, Policy, RobotsTxt, RuleSet, Verdict};

/// The bodies were given whole when the verdicts were recorded.
const RECORDED: Dialect = Dialect { max_file: None, ..Dialect::GOOGLE };

const AGENTS: [&str; 3] = ["Googlebot", "GPTBot", "FooBot"];

/// What is asked beside the compiled programs.
const ENGINES: [&str; 3] = ["reference", "rule set", "policy, small verdict, from bytes"];

/// Files that are in every sample: the most rules, the most wildcards, the oddest bytes.
const HARD: [&str; 6] = [
    "developer.apple.com.txt",
    "store.usps.com.txt",
    "www.dell.com.txt",
    "www.etsy.com.txt",
    "www.expedia.com.txt",
    "www.sophos.com.txt",
];

/// A file, and what was asked about it.
struct File {
    path: PathBuf,
    questions: Vec<Question>,
}

struct Question {
    url: Vec<u8>,
    answers: [(Verdict, u32); 3],
}

/// What was asked and answered.
#[derive(Default)]
struct Tally {
    files: u64,
    recorded: u64,
    rule_sets: u64,
    parts: u64,
    /// Answers by the engine that gave them.
    answers: BTreeMap<String, u64>,
    /// Answers for the URL as a crawler has it that differ from those for its raw path, by their cause.
    by_url: BTreeMap<String, u64>,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.files += other.files;
        self.recorded += other.recorded;
        self.rule_sets += other.rule_sets;
        self.parts += other.parts;
        for (engine, count) in other.answers {
            *self.answers.entry(engine).or_default() += count;
        }
        for (cause, count) in other.by_url {
            *self.by_url.entry(cause).or_default() += count;
        }
        self.wrong.extend(other.wrong);
    }

    fn count(&mut self, engine: &str, answers: usize) {
        *self.answers.entry(engine.to_owned()).or_default() += answers as u64;
    }
}

fn read_questions(list: &Path, bodies: &Path) -> Vec<File> {
    let text = fs::read(list).expect("the list is readable");
    let mut files: BTreeMap<Vec<u8>, Vec<Question>> = BTreeMap::new();
    for line in text.split(|byte| *byte == b'\n').skip(1).filter(|line| !line.is_empty()) {
        let fields: Vec<&[u8]> = line.split(|byte| *byte == b'\t').collect();
        let [file, url, answers @ ..] = fields.as_slice() else { panic!("a row of {} fields", fields.len()) };
        let answer = |index: usize| {
            let (verdict, line) = answers[index].split_at(answers[index].iter().position(|o| *o == b':').expect(":"));
            let line = std::str::from_utf8(&line[1..]).expect("digits").parse().expect("a line number");
            (if verdict == b"1" { Verdict::Allow } else { Verdict::Disallow }, line)
        };
        let question = Question { url: url.to_vec(), answers: [answer(0), answer(1), answer(2)] };
        files.entry(file.to_vec()).or_default().push(question);
    }
    let path = |file: &[u8]| bodies.join(format!("{}.txt", std::str::from_utf8(file).expect("a file name")));
    files.into_iter().map(|(file, questions)| File { path: path(&file), questions }).collect()
}

/// Asks every engine everything that was recorded about a file.
fn check(file: &File, ways: &[Way]) -> Tally {
    let body = fs::read(&file.path).expect("the body is readable");
    let name = file.path.file_name().unwrap_or_default().to_string_lossy();
    let robots = RobotsTxt::parse_with(&body, &RECORDED);
    let mut tally = Tally { files: 1, ..Tally::default() };
    let paths: Vec<Vec<u8>> = file.questions.iter().map(|question| google_path(&question.url)).collect();
    for (question, path) in file.questions.iter().zip(&paths) {
        assert_eq!(RECORDED.raw_url_path(&question.url).as_bytes(), path, "{}", question.url.escape_ascii());
    }
    let policy =
        Compiler::new().effort(Effort::Small).output(Output::Verdict).compile_policy(&robots).expect("compiles");
    let policy = match Policy::from_bytes(policy.as_bytes()) {
        Ok(policy) => policy,
        Err(error) => {
            tally.wrong.push(format!("{name}: the policy's bytes are refused: {error}"));
            return tally;
        }
    };
    let mut seen: Vec<(RuleSet, Vec<Option<robotsc::program::DecidingRule>>)> = Vec::new();
    for (agent, token) in AGENTS.iter().enumerate() {
        let rules = robots.rule_set(&Crawler::new(*token).expect("a name"));
        // Most files have one group that all three obey: compile and judge it once.
        let known = seen.iter().position(|(known, _)| *known == rules);
        let index = known.unwrap_or_else(|| {
            let decisions = judge(&rules, &paths, ways, &name, token, &mut tally);
            seen.push((rules, decisions));
            seen.len() - 1
        });
        let (_, decisions) = &seen[index];
        let matcher = robots.matcher(*token).expect("a name");
        for (question, path) in file.questions.iter().zip(&paths) {
            let allows = question.answers[agent].0.is_allow();
            let cause = match matcher.is_allowed(&question.url) {
                Ok(allowed) if allowed == allows => continue,
                Ok(_) => normalized_for(path).to_owned(),
                Err(error) => format!("an error: {error}"),
            };
            if cause.is_empty() {
                tally.wrong.push(format!("{name} {token} {}: by its URL", question.url.escape_ascii()));
            }
            *tally.by_url.entry(cause).or_default() += 1;
        }
        let program = policy.program(AgentName::new(token).ok()).expect("the policy is not partial");
        for ((question, path), decision) in file.questions.iter().zip(&paths).zip(decisions) {
            let (verdict, line) = question.answers[agent];
            let shown = path.escape_ascii();
            let given = (DecidingRule::verdict_of(*decision), decision.map_or(0, |rule| rule.line));
            if given != (verdict, line) {
                tally.wrong.push(format!("{name} {token} {shown}: {given:?}, recorded {:?}", (verdict, line)));
            }
            let given = program.verdict(in_form(path, RECORDED.path_form()));
            if given != Ok(verdict) {
                tally.wrong.push(format!("{name} {token} {shown}: policy says {given:?}"));
            }
        }
        tally.recorded += file.questions.len() as u64;
        // What holds of a rule set holds of each agent that obeys it.
        let engines = ENGINES.into_iter().map(str::to_owned);
        let homes = ways.iter().flat_map(|way| ["in memory", "from bytes"].map(|home| format!("{}, {home}", way.name)));
        engines.chain(homes).for_each(|engine| tally.count(&engine, file.questions.len()));
    }
    tally
}

/// Why a raw path is not the path that a URL reader returns; empty if there is no reason.
fn normalized_for(path: &[u8]) -> &'static str {
    let end = path.iter().position(|byte| *byte == b'?').unwrap_or(path.len());
    let (before_query, lower) = (&path[..end], path.to_ascii_lowercase());
    let is_dots = |segment: &[u8]| matches!(segment, b"." | b".." | b"%2e" | b".%2e" | b"%2e." | b"%2e%2e");
    if lower[..end].split(|byte| matches!(byte, b'/' | b'\\')).any(is_dots) {
        "a dot segment"
    } else if before_query.contains(&b'\\') {
        "a backslash"
    } else if path.iter().any(|byte| *byte <= b' ' || *byte == 0x7F) {
        "a blank or control"
    } else if path.iter().any(|byte| matches!(byte, b'"' | b'<' | b'>' | b'`' | b'{' | b'}' | b'\'')) {
        "a sign that URLs escape"
    } else if path.windows(3).any(|escape| escape[0] == b'%' && escape[1..].iter().any(u8::is_ascii_lowercase)) {
        "an escape in lower case"
    } else if !path.is_ascii() {
        "a byte that is not ASCII"
    } else {
        ""
    }
}

/// The reference's decisions for all paths; all other engines are compared with them.
fn judge(
    rules: &RuleSet,
    paths: &[Vec<u8>],
    ways: &[Way],
    name: &str,
    token: &str,
    tally: &mut Tally,
) -> Vec<Option<robotsc::program::DecidingRule>> {
    let engines = Engines::compile(rules, ways);
    let homes = engines.homes().unwrap_or_else(|refused| {
        tally.wrong.push(format!("{name} {token}: {refused}"));
        Vec::new()
    });
    tally.rule_sets += 1;
    tally.parts += homes.first().map_or(0, |home| home.program.parts()) as u64;
    let mut decisions = Vec::with_capacity(paths.len());
    for path in paths {
        let judged = reference_decision(rules, path);
        for difference in engines::differences_from(judged, rules, &homes, path) {
            tally.wrong.push(format!("{name} {token} {}: {difference}", path.escape_ascii()));
        }
        decisions.push(judged);
    }
    decisions
}

/// Checks one list of verdicts: one file of `sample` in the short form, all in the full one.
fn run(list: &str, bodies: &str, sample: usize) {
    let Some(corpus) = shared_data::folder("corpus") else { return };
    let mut files = read_questions(&corpus.join(list), &corpus.join(bodies));
    if !shared_data::full() {
        let is_asked = |index: usize, file: &File| {
            index.is_multiple_of(sample) || HARD.iter().any(|hard| file.path.ends_with(hard))
        };
        files = (0..).zip(files).filter(|(index, file)| is_asked(*index, file)).map(|(_, file)| file).collect();
    }
    let ways = ways();
    let mut tally = Tally::default();
    for part in shared_data::in_parallel(&files, |file| check(file, &ways)) {
        tally.add(part);
    }
    println!("{list}: {} files, {} recorded answers, {} differences", tally.files, tally.recorded, tally.wrong.len());
    println!("  {} different rule sets in {} parts; answers of each engine:", tally.rule_sets, tally.parts);
    for (engine, answers) in &tally.answers {
        println!("  {answers:>8} {engine}");
    }
    println!("  asked by their URL, these differ, or are errors, for their cause:");
    for (cause, answers) in &tally.by_url {
        println!("  {answers:>8} {cause}");
    }
    let shown = tally.wrong.iter().take(25).cloned().collect::<Vec<_>>().join("\n");
    assert!(tally.wrong.is_empty(), "{list}: {} differences, the first of them:\n{shown}", tally.wrong.len());
    assert!(tally.recorded > 0, "{list}: nothing was asked");
}

#[test]
fn verdicts() {
    run("verdicts.tsv", "robots", 5);
}

#[test]
fn verdicts_modern() {
    run("verdicts-modern.tsv", "robots-modern", 5);
}

#[test]
fn frontier() {
    run("frontier.tsv", "robots", 5);
}

/// Bodies that are no robots.txt: whatever they are taken for, all engines agree, and nothing panics.
#[test]
fn junk() {
    let Some(corpus) = shared_data::folder("corpus") else { return };
    let mut bodies: Vec<PathBuf> =
        fs::read_dir(corpus.join("junk")).expect("junk").map(|e| e.expect("entry").path()).collect();
    bodies.sort();
    let mut ways = ways();
    ways.extend(partitioned_ways());
    let paths: Vec<Vec<u8>> =
        ["/", "/index.html", "/robots.txt", "/a/b?c=d&e=http://f/", "/%61%zz%ff", "/*$", ""].map(Into::into).into();
    let wrong = shared_data::in_parallel(&bodies, |file| {
        let body = fs::read(file).expect("the body is readable");
        let mut wrong = Vec::new();
        for dialect in Dialect::ALL {
            for token in AGENTS {
                wrong.extend(engines::differences_of_file(&body, dialect, token.as_bytes(), &paths, &ways));
            }
        }
        wrong.into_iter().map(|wrong| format!("{}: {wrong}", file.display())).collect::<Vec<_>>()
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    println!("junk: {} bodies under {} dialects for {} agents", bodies.len(), Dialect::ALL.len(), AGENTS.len());
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong[..wrong.len().min(25)].join("\n"));
}
