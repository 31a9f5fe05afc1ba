//! `check`: one verdict a URL.

mod args;

use std::ffi::{OsStr, OsString};
use std::io::Write;

use robotsc::{Compiler, Dialect, Effort, Output, Program, RobotsTxt, Rule, RuleSet, Verdict, reference};
use robotsc_runtime::embed;
use serde_json::{Map, Value};

pub(crate) use self::args::CheckArgs;
use crate::args::Engine;
use crate::contents::{self, Contents};
use crate::crawlers::Asker;
use crate::failure::{End, Failure, complain};
use crate::output;
use crate::policy::{Overlay, Policy};
use crate::progress;
use crate::shown;
use crate::source::{self, Source};
use crate::url_path::UrlReader;
use crate::urls::Urls;

/// The URLs after which [`Engine::Auto`] compiles: before, compiling costs more than the rules' own answers. Of 1,034
/// rules, most with wildcards, compiling took as long as 2,000 answers (2026-11); of a few plain ones, as some
/// hundreds.
const WORTH_COMPILING: u64 = 1024;

/// Runs the command.
pub(crate) fn check(args: &CheckArgs) -> Result<End, Failure> {
    let Some(named) = &args.policy else {
        let Some(robots) = &args.robots else {
            return Err(Failure::new("no robots.txt: the command line: give ROBOTS, or a rule set with --policy"));
        };
        return check_robots(args, robots, &args.urls, None);
    };
    let policy = Policy::read(named)?;
    let tables = policy.tables();
    let overlay = policy.overlay(tables.as_ref(), &args.agent)?;
    // With a rule set, what stands where ROBOTS would is a URL.
    let urls: Vec<OsString> = args.robots.iter().chain(&args.urls).cloned().collect();
    match &args.beside {
        Some(robots) => check_robots(args, robots, &urls, Some(&overlay)),
        None => Checking::new(args, &overlay.dialect, &urls, None).by_policy(&overlay),
    }
}

/// Answers from a robots.txt or a compiled program; a rule set beside it must allow, too.
fn check_robots(
    args: &CheckArgs,
    robots: &OsStr,
    urls: &[OsString],
    overlay: Option<&Overlay<'_>>,
) -> Result<End, Failure> {
    if source::is_stdin(robots) && Urls::read_stdin(urls) {
        return Err(Failure::new(
            "both ROBOTS and URLs from standard input: the command line: give one of them as a file or as arguments",
        ));
    }
    let source = Source::read(robots)?;
    let asker = Asker::of(&args.agent);
    let run = |dialect| Checking::new(args, dialect, urls, overlay);
    let contents = Contents::of(&source)?;
    if !matches!(contents, Contents::Robots(_)) && matches!(args.engine, Engine::Reference | Engine::Rules) {
        return Err(Failure::new(format_args!(
            "no rules: {}: a compiled program holds none for that --engine: give the robots.txt",
            source.name
        )));
    }
    match contents {
        Contents::Robots(body) => {
            let asker = asker.ok_or_else(Asker::missing)?;
            let dialect = args.dialect.of_robots();
            let robots = RobotsTxt::parse(body, dialect);
            run(dialect).by_rules(&robots.rule_set(&asker.crawler(&robots)?), args.engine)
        }
        Contents::Program(program) => run(args.dialect.of_robots()).by_program(program),
        Contents::Policy(policy) => {
            let asker = asker.ok_or_else(Asker::missing)?;
            let program = contents::program_of(&policy, &asker, &source.name)?;
            run(contents::dialect_of(&policy, &args.dialect, &source.name)?).by_program(program)
        }
    }
}

/// What is said of one URL.
#[derive(Clone, Copy, Debug)]
struct Answer<'r> {
    verdict: Verdict,
    /// The rule that decides, where the engine knows it.
    rule: Option<Known<'r>>,
}

impl Answer<'_> {
    /// Nothing stands in the way.
    const ALLOWED: Self = Self { verdict: Verdict::Allow, rule: None };
}

/// A rule that decided, as far as it is known.
#[derive(Clone, Copy, Debug)]
struct Known<'r> {
    line: u32,
    length: Option<u32>,
    pattern: Option<&'r [u8]>,
}

/// A run of the command.
struct Checking<'c> {
    reader: UrlReader<'c>,
    /// The rule set that must allow, too.
    overlay: Option<&'c Overlay<'c>>,
    /// Whether the rule set is all there is: then a URL that it does not apply to is nobody's.
    alone: bool,
    json: bool,
    urls: Urls,
    out: Box<dyn Write>,
    progress: progress::Urls,
    answered: u64,
    end: End,
}

impl<'c> Checking<'c> {
    fn new(args: &CheckArgs, dialect: &'c Dialect, urls: &[OsString], overlay: Option<&'c Overlay<'c>>) -> Self {
        Self {
            reader: UrlReader { dialect, raw: args.raw_url },
            overlay,
            alone: false,
            json: args.json,
            urls: Urls::new(urls.to_vec()),
            out: output::stdout(),
            progress: progress::urls(),
            answered: 0,
            end: End::Clean,
        }
    }

    /// Answers from a rule set alone.
    fn by_policy(mut self, overlay: &'c Overlay<'c>) -> Result<End, Failure> {
        self.overlay = Some(overlay);
        self.alone = true;
        self.answer_all(|_| Answer::ALLOWED)
    }

    /// Answers from the rules of a robots.txt, through the engine asked for.
    fn by_rules(mut self, rules: &RuleSet, engine: Engine) -> Result<End, Failure> {
        let known = |rule: &Rule| Known {
            line: rule.line,
            length: shown::length(rule.length),
            pattern: Some(rules.pattern(rule)),
        };
        let rule = |index: Option<u32>| index.and_then(|index| rules.rules().get(index as usize)).map(known);
        let directly = |path: &[u8]| {
            let decision = rules.decide(path);
            Answer { verdict: decision.verdict, rule: rule(decision.rule) }
        };
        match engine {
            Engine::Reference => {
                return self.answer_all(|path| {
                    let decision = reference::decide(rules, path);
                    Answer { verdict: decision.verdict, rule: rule(decision.rule) }
                });
            }
            Engine::Rules => return self.answer_all(directly),
            Engine::Auto => {
                self.answer(WORTH_COMPILING, directly)?;
                if self.answered < WORTH_COMPILING {
                    return self.finish();
                }
            }
            Engine::Compiled => {}
        }
        let output = if self.json { Output::Winner } else { Output::Verdict };
        match Compiler::new().effort(Effort::Fast).output(output).compile(rules) {
            Ok(compiled) => {
                let program = compiled.program();
                self.answer_all(|path| match program.winner(path) {
                    Some(winner) => Answer { verdict: winner.verdict, rule: rule(Some(winner.rule)) },
                    None => Answer { verdict: program.verdict(path), rule: None },
                })
            }
            // Only the compiler has a limit on the size of a rule set: the rules answer as well.
            Err(_) if engine == Engine::Auto => self.answer_all(directly),
            Err(error) => Err(Failure::new(format_args!("cannot compile: {error}: try --engine rules"))),
        }
    }

    /// Answers from a compiled program.
    fn by_program(self, program: Program<'_>) -> Result<End, Failure> {
        self.answer_all(|path| match program.winner(path) {
            Some(winner) => Answer {
                verdict: winner.verdict,
                rule: Some(Known { line: winner.line, length: shown::length(winner.length), pattern: None }),
            },
            None => Answer { verdict: program.verdict(path), rule: None },
        })
    }

    /// Answers all URLs that are left.
    fn answer_all<'r>(mut self, decide: impl Fn(&[u8]) -> Answer<'r>) -> Result<End, Failure> {
        self.answer(u64::MAX, decide)?;
        self.finish()
    }

    fn finish(mut self) -> Result<End, Failure> {
        self.out.flush()?;
        Ok(self.end)
    }

    /// Answers the next `most` URLs.
    fn answer<'r>(&mut self, most: u64, decide: impl Fn(&[u8]) -> Answer<'r>) -> Result<(), Failure> {
        let until = self.answered.saturating_add(most);
        while self.answered < until && self.urls.advance()? {
            self.answered += 1;
            self.progress.tick(self.answered);
            let asked = self.urls.url().and_then(|url| {
                let path = self.reader.path(url)?;
                let answer = decide(&path);
                // What the robots.txt disallows, the rule set need not be asked about.
                let overlaid = self.overlay.filter(|_| answer.verdict.is_allow());
                let said = overlaid.map(|overlay| Ok::<_, String>((overlay, overlay.ask(url)?))).transpose()?;
                Ok((url, path, answer, said))
            });
            match asked {
                Ok((url, path, answer, said)) => {
                    let outside = self.alone && matches!(said, Some((_, None)));
                    let verdict = match said {
                        _ if outside => "outside",
                        Some((_, Some(said))) if !said.verdict.is_allow() => "disallowed",
                        _ if answer.verdict.is_allow() => "allowed",
                        _ => "disallowed",
                    };
                    if verdict != "allowed" {
                        self.end = self.end.max(End::Findings);
                    }
                    if self.json {
                        output::json_line(&mut self.out, &json(verdict, url, &path, answer, said))?;
                    } else {
                        for part in [verdict.as_bytes(), b"\t", url, b"\n"] {
                            self.out.write_all(part)?;
                        }
                    }
                }
                Err(reason) => {
                    self.end = End::Error;
                    // What was answered so far comes first where both streams are one terminal.
                    self.out.flush()?;
                    complain(&format!("bad URL: '{}'{}: {reason}", self.urls.shown(), self.urls.place()));
                }
            }
        }
        Ok(())
    }
}

/// One answer in JSON.
fn json(
    verdict: &str,
    url: &[u8],
    path: &[u8],
    answer: Answer<'_>,
    said: Option<(&Overlay<'_>, Option<embed::Answer<'_>>)>,
) -> Value {
    let mut object = Map::new();
    object.insert("type".to_owned(), "verdict".into());
    object.insert("verdict".to_owned(), verdict.into());
    shown::put(&mut object, "url", url);
    shown::put(&mut object, "path", path);
    if let Some(rule) = answer.rule {
        object.insert("line".to_owned(), rule.line.into());
        object.insert("length".to_owned(), rule.length.into());
        if let Some(pattern) = rule.pattern {
            shown::put(&mut object, "pattern", pattern);
        }
    }
    if let Some((overlay, said)) = said {
        let mut policy = Map::new();
        policy.insert("set".to_owned(), overlay.set.name().into());
        let verdict = said.map_or_else(|| "outside".to_owned(), |said| said.verdict.to_string());
        policy.insert("verdict".to_owned(), verdict.into());
        if let Some(rule) = said.and_then(|said| said.rule) {
            if let Some(name) = rule.name {
                policy.insert("rule".to_owned(), name.into());
            }
            policy.insert("file".to_owned(), rule.file.into());
            policy.insert("line".to_owned(), rule.line.into());
            policy.insert("text".to_owned(), rule.text.into());
        }
        object.insert("policy".to_owned(), policy.into());
    }
    object.into()
}
