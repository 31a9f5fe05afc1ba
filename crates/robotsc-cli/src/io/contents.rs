//! What the file holds that a command reads: a robots.txt, or a compiled form of it.

use robotsc::agent::CrawlerKind;
use robotsc::robots_txt::DiagnosticCode;
use robotsc::{Crawler, Dialect, Policy, Program, RobotsTxt, bundled};
use robotsc_analysis::lint::first_joined;
use robotsc_answers::identity::{Identity, OTHERS, agent_name};
use robotsc_answers::shown;

use crate::command_line::options::{DialectArgs, RobotsArgs};
use crate::failure::{Failure, complain};
use crate::io::file_kind::{FileKind, check_is_robots};
use crate::io::files::STDIN_NAME;
use crate::io::source::Source;

/// What a file holds.
#[derive(Debug)]
pub(crate) enum Contents<'s> {
    /// The body of a robots.txt.
    Robots(&'s [u8]),
    /// The compiled rules of one crawler.
    Program(Program<'s>),
    /// The compiled rules of the agents of a file.
    Policy(Policy<'s>),
}

impl<'s> Contents<'s> {
    /// Recognizes what a file holds.
    ///
    /// # Errors
    /// If it begins as a compiled program and is none: cut short, altered, or of another version; and, unless any text
    /// is accepted, if it cannot be a robots.txt.
    pub(crate) fn of(source: &'s Source, args: &RobotsArgs) -> Result<Self, Failure> {
        let bytes = source.bytes.as_slice();
        let bad = |error| Failure::new(format_args!("bad program: {}: {error}", source.name));
        match FileKind::of(&source.name, bytes) {
            FileKind::Program => Program::from_bytes(bytes).map(Self::Program).map_err(bad),
            FileKind::Policy => Policy::from_bytes(bytes).map(Self::Policy).map_err(bad),
            _ if args.force => Ok(Self::Robots(bytes)),
            kind => kind.check_is_text(&source.name).map(|()| Self::Robots(bytes)),
        }
    }
}

/// Parses a robots.txt, and reports a file that looks like something else, or that is cut at the dialect's limit.
///
/// # Errors
/// If it looks like something else and has no group, if no line of it is a directive, or if it is an empty standard
/// input: it would allow everything. `--force` parses it anyway.
pub(crate) fn parse<'b>(name: &str, body: &'b [u8], args: &RobotsArgs) -> Result<RobotsTxt<'b>, Failure> {
    let robots = RobotsTxt::parse_with(body, args.dialect.of_robots());
    if args.force {
        return Ok(robots);
    }
    if body.is_empty() && name == STDIN_NAME {
        return Err(Failure::new(
            "not a robots.txt: standard input is empty, so that everything would be allowed: see whether the command \
             before it failed; if the robots.txt is empty, say --force",
        ));
    }
    if body.is_empty() {
        complain(&format!("warning: {name}: it is empty, so that everything is allowed"));
    }
    if robots.diagnostics().iter().any(|diagnostic| diagnostic.code == DiagnosticCode::FileCut) {
        complain(&format!("warning: {name}: it is longer than the dialect reads: what follows does not count"));
    }
    if robots.rules().is_empty()
        && robots.diagnostics().iter().any(|diagnostic| diagnostic.code == DiagnosticCode::RuleOutsideGroup)
        && robots.body_kind().is_robots()
    {
        complain(&format!(
            "warning: {name}: its rules are in no group, so that everything is allowed: write a User-agent line before \
             them"
        ));
    }
    if let Some(line) = first_joined(&robots) {
        complain(&format!(
            "warning: {name}: line {line} holds several records, and crawlers read the first, with the rest as its \
             value: write a line for each"
        ));
    }
    let has_groups = !robots.groups().is_empty();
    match FileKind::of(name, body).suspicion() {
        Some((what, way_out)) if !has_groups => {
            return Err(Failure::new(format_args!(
                "not a robots.txt: {name}: {what}, and no group of rules is in it: {way_out}, or read it as it is with \
                 --force"
            )));
        }
        Some((what, way_out)) => complain(&format!("warning: {name}: {what}: {way_out}")),
        None => {}
    }
    check_is_robots(name, &robots, "read").map(|()| robots)
}

/// Returns the dialect that a policy was compiled for.
///
/// # Errors
/// If it is not one of the named, or the command line names another.
pub(crate) fn dialect_of(policy: &Policy<'_>, args: &DialectArgs, name: &str) -> Result<&'static Dialect, Failure> {
    let label = shown::bytes(policy.label());
    let Some(dialect) = Dialect::by_name(&label) else {
        return Err(Failure::new(format_args!(
            "bad program: {name}: its dialect '{label}' is unknown: compile it again"
        )));
    };
    match args.named {
        Some(named) if named != dialect => Err(Failure::new(format_args!(
            "wrong dialect: {name}: it was compiled for {}, not {}: leave --dialect out or compile it again",
            dialect.name, named.name
        ))),
        _ => Ok(dialect),
    }
}

/// Reports whether a crawler obeys other groups than those that have its name or `*`, as its operator documents.
fn is_documented(token: &str) -> bool {
    bundled::crawler(token).is_ok_and(|documented| {
        documented.crawler().kind() != CrawlerKind::Named || documented.crawler().is_named_only()
    })
}

/// Returns the program of a policy that a crawler obeys.
///
/// # Errors
/// If the policy does not hold what the answer needs: the groups of the file, to pool them or to search a header for
/// their tokens, or the program of this agent.
pub(crate) fn program_of<'p>(policy: &Policy<'p>, crawler: &Identity, name: &str) -> Result<Program<'p>, Failure> {
    let cannot = |what: &str| {
        Failure::new(format_args!("cannot answer: {name}: a compiled program cannot {what}: give the robots.txt"))
    };
    let of_names = |names: &Crawler| names.names().find_map(|name| policy.named(name));
    let own = |token: &str| {
        policy.program(Some(agent_name(token)?)).ok_or_else(|| {
            Failure::new(format_args!(
                "cannot answer: {name}: it was compiled for other agents than {}: give the robots.txt, or compile it \
                 for this agent",
                shown::line(token)
            ))
        })
    };
    match crawler {
        Identity::Header(_) => Err(cannot("be searched for the tokens of a --header")),
        Identity::Pool(_) => Err(cannot("pool the groups of several --agent")),
        Identity::Token(token) | Identity::Written(token) if token == OTHERS => {
            policy.program(None).ok_or_else(|| cannot("answer for `*` if it was compiled for some agents only"))
        }
        Identity::Token(token) => {
            agent_name(token)?;
            let documented =
                bundled::crawler(token).map_err(|error| Failure::new(format_args!("bad agent: {error}")))?;
            let crawler = documented.crawler();
            match (crawler.kind(), crawler.is_named_only()) {
                // What a partial policy holds under the name of a crawler is what that crawler obeys.
                _ if policy.is_partial() => own(token),
                (CrawlerKind::Named, false) => own(token),
                (_, true) => Ok(of_names(crawler).unwrap_or_else(|| Program::allow_all(policy.path_form()))),
                (_, false) => of_names(crawler)
                    .or_else(|| policy.program(None))
                    .ok_or_else(|| cannot("answer for an agent that no group names")),
            }
        }
        Identity::Written(token) if policy.is_partial() && is_documented(token) => {
            let shown = shown::line(token);
            Err(cannot(&format!("answer for {shown} as written: it was compiled for what its operator documents")))
        }
        Identity::Written(token) => own(token),
        Identity::Chain(_) if policy.is_partial() => {
            Err(cannot("follow a --chain if it was compiled for some agents only"))
        }
        Identity::Chain(tokens) => {
            let names = tokens.iter().map(|token| agent_name(token)).collect::<Result<Vec<_>, _>>()?;
            let named = names.into_iter().find_map(|name| policy.named(name));
            named.or_else(|| policy.program(None)).ok_or_else(|| cannot("follow this --chain"))
        }
    }
}
