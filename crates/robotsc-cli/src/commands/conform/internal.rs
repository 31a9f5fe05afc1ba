//! This parser, asked in its own process.

use robotsc::internal::reference;
use robotsc::program::{DecidingRule, Effort};
use robotsc::record::RecordKind;
use robotsc::robots_txt::DiagnosticCode;
use robotsc::{Compiler, Crawler, Dialect, RobotsTxt, Verdict};
use robotsc_answers::shown;
use robotsc_answers::url_path::UrlReader;

use super::case::{ParseReport, Question};
use super::tally::Outcome;
use super::verdict_outcome;
use crate::command_line::options::Engine;

/// How this parser is asked.
#[derive(Debug)]
pub(crate) struct Internal {
    pub(crate) reader: UrlReader<'static>,
    pub(crate) engine: Engine,
}

impl Internal {
    /// What comes of a case.
    pub(crate) fn outcome(&self, question: &Question) -> Outcome {
        match question {
            Question::Verdict { robots, agents, url, expected } => {
                verdict_outcome(self.verdict(robots, agents, url), *expected, agents, url)
            }
            Question::UrlToPath { url, expected } => {
                let raw = UrlReader { raw: true, ..UrlReader::new(&Dialect::GOOGLE) };
                match raw.path(url) {
                    Ok(path) => bytes_outcome(path.as_bytes(), expected, url),
                    Err(reason) => Outcome::Fails { reason, about: shown::cut(url, 160) },
                }
            }
            Question::EscapePattern { pattern, expected } => {
                bytes_outcome(&Dialect::GOOGLE.normalize_pattern(pattern), expected, pattern)
            }
            Question::ParseReport { robots, expected } => parse_outcome(report(robots, expected), *expected),
            Question::NoVerdict => Outcome::Skipped,
            Question::Unknown => Outcome::OtherKind,
        }
    }

    fn verdict(&self, robots: &[u8], agents: &[String], url: &[u8]) -> Result<bool, String> {
        let path = self.reader.path(url)?;
        let path = path.as_path();
        let robots = RobotsTxt::parse_with(robots, self.reader.dialect);
        let rules = robots.rule_set(&Crawler::raw(agents.iter().map(|agent| agent.clone().into_bytes()).collect()));
        let verdict = match self.engine {
            Engine::Reference => reference::deciding_rule(&rules, path).map(DecidingRule::verdict_of),
            Engine::Rules => rules.verdict(path),
            Engine::Auto | Engine::Compiled => {
                let compiled = Compiler::new().effort(Effort::Fast).compile(&rules);
                compiled.map_err(|error| error.to_string())?.program().verdict(path)
            }
        };
        verdict.map(Verdict::is_allow).map_err(|error| error.to_string())
    }
}

fn bytes_outcome(said: &[u8], expected: &[u8], about: &[u8]) -> Outcome {
    if said == expected {
        return Outcome::Agrees;
    }
    Outcome::Differs { said: shown::cut(said, 160), expected: shown::cut(expected, 160), about: shown::cut(about, 160) }
}

/// What the parser counts in a body, of what is asked for.
fn report(body: &[u8], asked: &ParseReport) -> ParseReport {
    let robots = RobotsTxt::parse(body);
    let outside = robots.diagnostics().iter().filter(|noticed| noticed.code == DiagnosticCode::RuleOutsideGroup);
    let sitemaps = robots.records().iter().filter(|record| record.kind == RecordKind::Sitemap).count();
    let valid = robots.agents().len() + robots.rules().len() + outside.clone().count() + sitemaps;
    let lines = robots.agents().iter().map(|agent| agent.line);
    let lines = lines.chain(robots.rules().iter().map(|rule| rule.line));
    let lines =
        lines.chain(robots.records().iter().map(|record| record.line)).chain(outside.map(|noticed| noticed.line));
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    ParseReport {
        valid: asked.valid.map(|_| number(valid)),
        unknown: asked.unknown.map(|_| number(robots.records().len() - sitemaps)),
        last_line: asked.last_line.map(|_| lines.max().unwrap_or_default()),
    }
}

fn parse_outcome(said: ParseReport, expected: ParseReport) -> Outcome {
    if said == expected {
        return Outcome::Agrees;
    }
    let figures = |report: ParseReport| {
        let figure = |name: &str, figure: Option<u32>| figure.map(|figure| format!("{name} {figure}"));
        let figures =
            [figure("valid", report.valid), figure("unknown", report.unknown), figure("last line", report.last_line)];
        figures.into_iter().flatten().collect::<Vec<_>>().join(", ")
    };
    Outcome::Differs { said: figures(said), expected: figures(expected), about: "what the parser counts".to_owned() }
}
