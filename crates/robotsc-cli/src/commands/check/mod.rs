//! `check`: a verdict for each URL.

mod args;
mod preferences;
mod rows;

use std::ffi::{OsStr, OsString};

use robotsc::internal::reference;
use robotsc::program::{DecidingRule, Effort, Output};
use robotsc::rules::Rule;
use robotsc::{Compiler, Dialect, PathFormError, Program, RuleSet, UrlPath};
use robotsc_answers::check::AnswerRule;
use robotsc_answers::decider::is_empty_line;
use robotsc_answers::identity::Identity;
use robotsc_answers::shown;
use robotsc_answers::url_path::UrlReader;

pub(crate) use self::args::CheckArgs;
use self::preferences::StatedPreferences;
use self::rows::{Agent, Answer, Outcome, Rows};
use crate::command_line::crawlers;
use crate::command_line::options::Engine;
use crate::command_line::rule_sets::{NamedRuleSet, Overlay};
use crate::failure::{End, Failure, complain};
use crate::io::contents::{self, Contents};
use crate::io::file_id::FileId;
use crate::io::files;
use crate::io::progress;
use crate::io::source::Source;
use crate::lists::urls::{self, Lists, Urls};

/// The answers after which [`Engine::Auto`] compiles, as a [`Matcher`](robotsc::Matcher) does.
const COMPILE_AFTER: u64 = robotsc::internal::COMPILE_AFTER as u64;

/// Runs the command.
pub(crate) fn check(args: &CheckArgs) -> Result<End, Failure> {
    check_apart(args)?;
    let crawlers = crawlers::all(&args.agent);
    // Lists are standard input, or files.
    let urls = urls(args);
    let has_list = !args.list.files.is_empty() || urls.is_empty() || urls.iter().any(|url| files::is_stdin(url));
    args.list.check(has_list)?;
    let Some(name) = &args.rules else {
        let Some(robots) = &args.robots else {
            return Err(Failure::new("no robots.txt: the command line: give ROBOTS, or a rule set with --rules"));
        };
        return check_robots(args, robots, &urls, &crawlers, &[]);
    };
    let policy = NamedRuleSet::read(name)?;
    let tables = policy.tables()?;
    let overlays = policy.overlays(tables.as_ref(), &crawlers)?;
    if args.preferences && args.beside.is_none() {
        return Err(Failure::new(
            "no preferences: the command line: a rule set states none: give a robots.txt with --robots",
        ));
    }
    match (&args.beside, overlays.first()) {
        (None, Some(overlay)) => {
            args.read.dialect.check_rule_set(overlay.set.name(), &overlay.dialect)?;
            let mut run = Run::new(args, &overlay.dialect, &urls, &crawlers, &overlays)?;
            run.is_policy_alone = true;
            for (overlay, (_, note)) in overlays.iter().zip(&mut run.names) {
                note.clone_from(&overlay.note);
            }
            run.answer_all(|_, _| Ok(Answer::ALLOWED))
        }
        (Some(robots), _) => check_robots(args, robots, &urls, &crawlers, &overlays),
        (None, None) => Err(crawlers::missing()),
    }
}

/// Answers from a robots.txt or a compiled program; the rule sets beside it, one for each crawler, must allow, too.
fn check_robots(
    args: &CheckArgs,
    robots: &OsStr,
    urls: &[OsString],
    crawlers: &[Identity],
    overlays: &[Overlay<'_>],
) -> Result<End, Failure> {
    if files::is_stdin(robots) && Urls::read_stdin(urls, &args.list.files) {
        return Err(Failure::new(
            "both ROBOTS and URLs from standard input: the command line: give one of them as a file or as arguments",
        ));
    }
    let source = Source::read(robots, &args.read.network, &[args.read.dialect.of_robots()])?;
    let contents = Contents::of(&source, &args.read)?;
    if !matches!(contents, Contents::Robots(_)) && matches!(args.engine, Engine::Reference | Engine::Rules) {
        return Err(Failure::new(format_args!(
            "no rules: {}: a compiled program holds none for that --engine: give the robots.txt",
            source.name
        )));
    }
    if args.preferences && !matches!(contents, Contents::Robots(_)) {
        return Err(Failure::new(format_args!(
            "no preferences: {}: a compiled program holds none: give the robots.txt",
            source.name
        )));
    }
    if crawlers.is_empty() && !matches!(contents, Contents::Program(_)) {
        return Err(crawlers::missing());
    }
    let run = |dialect| {
        let mut run = Run::new(args, dialect, urls, crawlers, overlays)?;
        run.reader.site = source.site.as_ref();
        Ok::<_, Failure>(run)
    };
    match contents {
        Contents::Robots(body) => {
            let robots = contents::parse(&source.name, body, &args.read)?;
            crawlers::warn_of_misspelt(crawlers, &robots);
            let rules = crawlers.iter().map(|crawler| Ok(robots.rule_set(&crawler.crawler(&robots)?)));
            let rules = rules.collect::<Result<Vec<_>, Failure>>()?;
            let stated = StatedPreferences::read(args, &robots, crawlers)?;
            let mut run = run(args.read.dialect.of_robots())?;
            run.stated = stated.as_ref();
            for (crawler, (_, note)) in crawlers.iter().zip(&mut run.names) {
                *note = crawler.note(&robots);
            }
            by_rules(run, &rules, args.engine, args.json)
        }
        Contents::Program(program) => {
            run(args.read.dialect.of_robots())?.answer_all(|_, path| by_program(program, path))
        }
        Contents::Policy(policy) => {
            crawlers::warn_of_misspelt_in(crawlers, &policy);
            let programs = crawlers.iter().map(|crawler| contents::program_of(&policy, crawler, &source.name));
            let programs = programs.collect::<Result<Vec<_>, Failure>>()?;
            let dialect = contents::dialect_of(&policy, &args.read.dialect, &source.name)?;
            run(dialect)?.answer_all(|crawler, path| by_program(programs[crawler], path))
        }
    }
}

/// Answers from the rules of each crawler, with an engine.
fn by_rules(mut run: Run<'_>, rules: &[RuleSet], engine: Engine, names_rules: bool) -> Result<End, Failure> {
    let rule = |crawler: usize, index: Option<u32>| {
        let rules = &rules[crawler];
        let known = |rule: &Rule| AnswerRule {
            line: rule.line,
            length: shown::length(rule.length),
            pattern: Some(rules.pattern(rule)),
        };
        index.and_then(|index| rules.rules().get(index as usize)).filter(|rule| !is_empty_line(rule)).map(known)
    };
    let ranked = |crawler: usize, path: UrlPath<'_>| {
        let decides = rules[crawler].deciding_rule(path)?;
        Ok(Answer { verdict: DecidingRule::verdict_of(decides), rule: rule(crawler, decides.map(|rule| rule.rule)) })
    };
    match engine {
        Engine::Reference => {
            return run.answer_all(|crawler, path| {
                let decides = reference::deciding_rule(&rules[crawler], path)?;
                let index = decides.map(|rule| rule.rule);
                Ok(Answer { verdict: DecidingRule::verdict_of(decides), rule: rule(crawler, index) })
            });
        }
        Engine::Rules => return run.answer_all(ranked),
        Engine::Auto => match run.answer(COMPILE_AFTER, ranked) {
            Err(failure) => return run.ended_by(failure),
            Ok(()) if run.answered < COMPILE_AFTER => return run.finish(),
            Ok(()) => {}
        },
        Engine::Compiled => {}
    }
    let output = if names_rules { Output::DecidingRule } else { Output::Verdict };
    let compiler = Compiler::new().effort(Effort::Fast).output(output);
    match rules.iter().map(|rules| compiler.compile(rules)).collect::<Result<Vec<_>, _>>() {
        Ok(compiled) => {
            let programs: Vec<Program<'_>> = compiled.iter().map(|compiled| compiled.program()).collect();
            run.answer_all(|crawler, path| {
                Ok(match programs[crawler].deciding_rule(path)? {
                    Some(decides) => Answer { verdict: decides.verdict, rule: rule(crawler, Some(decides.rule)) },
                    None => Answer { verdict: programs[crawler].verdict(path)?, rule: None },
                })
            })
        }
        // Only the compiler limits the size of a rule set: the rules answer as well.
        Err(_) if engine == Engine::Auto => run.answer_all(ranked),
        Err(error) => Err(Failure::new(format_args!("cannot compile: {error}: try --engine rules"))),
    }
}

/// Answers from a compiled program.
fn by_program<'p>(program: Program<'_>, path: UrlPath<'_>) -> Result<Answer<'p>, PathFormError> {
    Ok(match program.deciding_rule(path)? {
        Some(decides) => {
            let named = AnswerRule { line: decides.line, length: shown::length(decides.length), pattern: None };
            Answer { verdict: decides.verdict, rule: (!decides.is_empty_line()).then_some(named) }
        }
        None => Answer { verdict: program.verdict(path)?, rule: None },
    })
}

/// A run over all URLs.
struct Run<'c> {
    reader: UrlReader<'c>,
    /// The names of the crawlers, each with what the register of known crawlers adds.
    names: Vec<(String, Option<String>)>,
    /// The number of rows of a URL.
    crawlers: usize,
    /// The rule sets that must allow, too: none, or one for each crawler.
    overlays: &'c [Overlay<'c>],
    /// Whether there is no robots.txt: then a URL that the rule set does not apply to is outside.
    is_policy_alone: bool,
    /// What may be done with the pages, if that is asked.
    stated: Option<&'c StatedPreferences<'c>>,
    urls: Urls,
    rows: Rows,
    progress: progress::Urls,
    answered: u64,
    reports_counts: bool,
}

impl<'c> Run<'c> {
    fn new(
        args: &CheckArgs,
        dialect: &'c Dialect,
        urls: &[OsString],
        crawlers: &[Identity],
        overlays: &'c [Overlay<'c>],
    ) -> Result<Self, Failure> {
        if !args.raw_url {
            urls::refuse_files(urls)?;
        }
        let is_streamed = Urls::read_stdin(urls, &args.list.files) || !args.list.files.is_empty();
        let lists = Lists { raw: args.raw_url, ..args.list.lists() };
        let names = crawlers.iter().map(|crawler| (crawler.name(), None)).collect();
        Ok(Self {
            reader: UrlReader { raw: args.raw_url, ..UrlReader::new(dialect) },
            names,
            crawlers: crawlers.len().max(1),
            overlays,
            is_policy_alone: false,
            stated: None,
            urls: Urls::new(urls.to_vec(), lists)?,
            rows: Rows::new(args.json),
            progress: progress::urls(),
            answered: 0,
            reports_counts: is_streamed && !args.quiet,
        })
    }

    /// Answers all URLs that are left; `decide` gets the number of the crawler and the path.
    fn answer_all<'r>(
        mut self,
        decide: impl Fn(usize, UrlPath<'_>) -> Result<Answer<'r>, PathFormError>,
    ) -> Result<End, Failure> {
        match self.answer(u64::MAX, decide) {
            Ok(()) => self.finish(),
            Err(failure) => self.ended_by(failure),
        }
    }

    /// Returns how a run ends that could not go on: if its reader has enough, by what was answered until then.
    fn ended_by(self, failure: Failure) -> Result<End, Failure> {
        if matches!(failure, Failure::PipeClosed) { Ok(self.rows.end()) } else { Err(failure) }
    }

    fn finish(mut self) -> Result<End, Failure> {
        if let Err(failure) = self.rows.flush() {
            return self.ended_by(failure);
        }
        drop(self.progress);
        if self.reports_counts {
            complain(&self.rows.summary(self.answered, self.crawlers));
        }
        // A command before this one can have failed: exit code 0 would say that all is allowed.
        if self.answered == 0 {
            return Err(Failure::new("no URL: the lists are empty: give URLs, or a list with one on each line"));
        }
        Ok(self.rows.end())
    }

    /// Answers the next `limit` URLs.
    fn answer<'r>(
        &mut self,
        limit: u64,
        decide: impl Fn(usize, UrlPath<'_>) -> Result<Answer<'r>, PathFormError>,
    ) -> Result<(), Failure> {
        let until = self.answered.saturating_add(limit);
        while self.answered < until {
            // A peer that waits for an answer before it writes the next URL gets it.
            if !self.urls.has_line_waiting() {
                self.rows.flush()?;
            }
            if !self.urls.advance()? {
                break;
            }
            self.answered += 1;
            self.progress.tick(self.answered);
            let path = self.urls.url().and_then(|url| Ok((url, self.reader.path(url)?)));
            for crawler in 0..self.crawlers {
                let (name, note) =
                    self.names.get(crawler).map_or((None, None), |(name, note)| (Some(name.as_str()), note.as_deref()));
                let agent = Agent { name, note, is_one_of_several: self.crawlers > 1 };
                let answered = path.as_ref().map_err(Clone::clone).and_then(|(url, path)| {
                    let answer = decide(crawler, path.as_path()).map_err(|error| error.to_string())?;
                    // If the robots.txt disallows, the answer of the rule set does not matter.
                    let overlay = self.overlays.get(crawler).filter(|_| answer.verdict.is_allow());
                    let policy = overlay.map(|overlay| Ok::<_, String>((overlay, overlay.answer(url)?))).transpose()?;
                    let outcome = Outcome::of(answer, policy.map(|(_, said)| said), self.is_policy_alone);
                    let stated = self.stated.filter(|_| outcome == Outcome::Allowed);
                    let stated = stated.map(|stated| stated.at(crawler, path.as_path())).transpose()?.flatten();
                    Ok((*url, path, outcome, (answer, policy), stated))
                });
                match answered {
                    Ok((url, path, outcome, answer, stated)) => {
                        let stated = self.stated.map(|_| stated.as_ref());
                        self.rows.answered((url, path.as_bytes()), agent, outcome, answer, stated)?;
                    }
                    Err(reason) => self.rows.error(self.urls.line(), agent, &self.urls.problem(reason))?,
                }
            }
        }
        Ok(())
    }
}

/// Returns the URLs of the command line. With a rule set, the first is where ROBOTS would be.
fn urls(args: &CheckArgs) -> Vec<OsString> {
    let first = args.robots.iter().filter(|_| args.rules.is_some());
    first.chain(&args.urls).cloned().collect()
}

/// Checks that standard output is none of the inputs, under whatever name: a list would be read while it grows, without
/// end.
fn check_apart(args: &CheckArgs) -> Result<(), Failure> {
    let Some(output) = FileId::of_stdout() else { return Ok(()) };
    let stdin = OsString::from("-");
    let robots = if args.rules.is_some() { &args.beside } else { &args.robots };
    let stdin = Some(&stdin).filter(|_| Urls::read_stdin(&urls(args), &args.list.files));
    let mut inputs = robots.iter().chain(&args.list.files).chain(stdin);
    match inputs.find(|name| FileId::of_input(name).as_ref() == Some(&output)) {
        None => Ok(()),
        Some(name) => Err(Failure::new(format_args!(
            "the input {} as an output: standard output: give the rows a file of their own",
            shown::bytes(name.as_encoded_bytes())
        ))),
    }
}
